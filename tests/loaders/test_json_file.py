from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from audit.errors import LoadError
from audit.loaders.json_file import MAX_BYTES, MAX_DEPTH, decode, parse_json, read_input, show_path
from audit.records.task import Json
from audit.resources import resource


def parse(path: Path, content: str | bytes) -> Json:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return parse_json(read_input(path, root=path.parent, role="tasks"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tasks.json"


def test_a_sound_file_is_read_with_its_hash_and_its_name_below_the_root(path: Path) -> None:
    assert parse(path, '[{"id": "1", "amount": -1.5e3}]') == [{"id": "1", "amount": -1500.0}]
    record = read_input(path, root=path.parent, role="tasks").record
    assert record.path == "tasks.json"
    assert len(record.sha256) == 64


def test_a_byte_order_mark_is_no_fault(path: Path) -> None:
    assert parse(path, b"\xef\xbb\xbf[1]") == [1]


def test_a_missing_file_is_named_with_its_role(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json: there is no such tasks file\. Check the path\."):
        read_input(path, root=path.parent, role="tasks")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="the policy file can't be read"):
        read_input(tmp_path, root=tmp_path, role="policy")


def test_a_path_that_no_system_accepts_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="the policy file can't be read"):
        read_input(tmp_path / "a\0b", root=tmp_path, role="policy")


def test_bad_syntax_comes_with_line_and_column(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json:3:1: not JSON: "):
        parse(path, '[\n{"id": "1"}\n{"id": "2"}]')


def test_an_empty_file_is_not_json(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json:1:1: not JSON"):
        parse(path, "")


def test_bytes_that_are_not_utf_8_come_with_their_line(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json:2: not UTF-8 \(byte 0xe9\)\. Save it as UTF-8\."):
        parse(path, b'["ok",\n"caf\xe9"]')


def test_other_text_is_decoded_alike(path: Path) -> None:
    path.write_bytes("Zürich".encode("utf-16"))
    with pytest.raises(LoadError, match="not UTF-8"):
        decode(read_input(path, root=path.parent, role="policy"))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-2E+400"])
def test_a_number_that_is_not_finite_is_refused_with_task_and_field(path: Path, number: str) -> None:
    with pytest.raises(LoadError, match=r"task 7 evaluation_criteria\.actions\[1\]\.amount: a number is not finite"):
        parse(path, '[{"id": "7", "evaluation_criteria": {"actions": [0, {"amount": ' + number + "}]}}]")


def test_texts_that_look_like_such_numbers_are_fine(path: Path) -> None:
    assert parse(path, '["NaN", "Infinity", "1e999", 1e300]') == ["NaN", "Infinity", "1e999", 1e300]


def test_a_key_that_stands_twice_is_refused_with_task_and_field(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json task 3 user_scenario: the key 'persona' stands twice in one obj"):
        parse(path, '[{"id": "3", "user_scenario": {"persona": null, "persona": "x"}}]')


def test_a_double_key_inside_one_that_it_hides_is_still_found(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json: the key 'a' stands twice"):
        parse(path, '{"a": {"x": 1, "x": 2}, "a": 1}')


def test_places_are_found_in_a_file_that_wraps_its_tasks(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json task 5 ticket: a number is not finite"):
        parse(path, '{"tasks": [{"id": "5", "ticket": NaN}]}')


def test_a_task_without_an_id_is_placed_by_position(path: Path) -> None:
    with pytest.raises(LoadError, match=r"tasks\.json \[1\]\.ticket: a number is not finite"):
        parse(path, '[{"id": "5"}, {"ticket": NaN}]')


@pytest.mark.parametrize("content", ['["\\ud83d alone"]', '{"\\udc00": 1}'])
def test_half_a_surrogate_pair_is_refused(path: Path, content: str) -> None:
    with pytest.raises(LoadError, match="a text holds half of a surrogate pair"):
        parse(path, content)


def test_a_whole_surrogate_pair_is_a_character(path: Path) -> None:
    assert parse(path, '["\\ud83d\\ude00"]') == ["\U0001f600"]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_a_nesting_bomb_is_one_line(path: Path, depth: int, opening: str, closing: str) -> None:
    with pytest.raises(LoadError, match=f"nested more than {MAX_DEPTH} levels deep"):
        parse(path, opening * depth + "1" + closing * depth)


def test_nesting_up_to_the_limit_is_read(path: Path) -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse(path, text) == json.loads(text)


def test_a_huge_whole_number_is_one_line(path: Path) -> None:
    with pytest.raises(LoadError, match="whole number of thousands of digits"):
        parse(path, "[" + "9" * 10_000 + "]")


def test_files_outside_the_root_are_shown_whole_and_ours_from_the_top(tmp_path: Path) -> None:
    assert show_path(tmp_path / "x.json", tmp_path / "domain") == str(tmp_path / "x.json")
    assert show_path(resource("benchmarks", "tools", "t.json"), tmp_path) == "benchmarks/tools/t.json"


@pytest.mark.parametrize("number", ["9" * 400 + ".0", "9" * 300 + "e99", "-" + "9" * 400])
def test_a_number_beyond_all_floats_is_not_finite_however_it_is_written(path: Path, number: str) -> None:
    with pytest.raises(LoadError, match=r"task 7 ticket: a number is not finite"):
        parse(path, '[{"id": "7", "ticket": ' + number + "}]")


def test_the_key_that_stands_twice_among_very_many_is_named(path: Path) -> None:
    keys = [*range(30_000), 29_000]
    with pytest.raises(LoadError, match="the key 'k29000' stands twice"):
        parse(path, "{" + ", ".join(f'"k{key}": 1' for key in keys) + "}")


def test_a_pipe_is_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"[1]",))
    writer.start()
    try:
        with pytest.raises(LoadError, match="it is a pipe or a device"):
            read_input(path, root=path.parent, role="database")
    finally:
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        writer.join()
        os.close(reader)


def test_a_device_is_not_read(path: Path) -> None:
    path.symlink_to(os.devnull)
    with pytest.raises(LoadError, match="it is a pipe or a device"):
        read_input(path, root=path.parent, role="database")


def test_a_file_too_long_to_be_a_benchmark_is_refused(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(LoadError, match="the tasks file is longer than 100 MB"):
        read_input(path, root=path.parent, role="tasks")
