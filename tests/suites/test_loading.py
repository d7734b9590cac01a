"""Members of a suite, read and held to one policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import UsageError
from audit.inspection import Places
from audit.suites.loading import load_suite, places_of, policy_groups
from audit.suites.reading import read_suite, suite_from_flags
from tests.loaders.ferries import POLICY
from tests.suites.runs import write_file, write_member

OTHER = POLICY + "\n- Dogs pay half.\n"


def test_members_carry_their_own_names_and_who_wrote_them(tmp_path: Path) -> None:
    for name, model in (("a", "gpt-4o"), ("b", "claude-sonnet-4-5"), ("c", "gpt-4o")):
        write_member(tmp_path / name, model=model)
    text = """
        [[benchmark]]
        path = "a/run"
        name = "A"
        [[benchmark]]
        path = "b/run"
        title = "Second"
        [[benchmark]]
        path = "c/run"
        generator = "nobody-knows"
    """
    loaded = load_suite(read_suite(write_file(tmp_path, text)), Places())
    found = [(one.benchmark.name, one.benchmark.title, one.benchmark.author_family) for one in loaded]
    assert found == [
        ("A", "generated with gpt-4o", "openai"),
        ("b/run", "Second", "anthropic"),
        ("c/run", "generated with gpt-4o", None),
    ]


def test_what_the_suite_places_wins_over_the_command_line(tmp_path: Path) -> None:
    member = suite_from_flags(["a"]).members[0]
    asked = Places(data_dir=Path("d"), policy=Path("p"))
    assert places_of(member, asked) == asked
    (tmp_path / "a").mkdir()
    placed = read_suite(write_file(tmp_path, '[[benchmark]]\npath = "a"\npolicy = "own.md"\ndata-dir = "x"')).members[0]
    found = places_of(placed, asked)
    assert (found.data_dir, found.policy) == (tmp_path / "x", tmp_path / "own.md")


def test_benchmarks_in_tiers_need_one_policy(tmp_path: Path) -> None:
    first, second = write_member(tmp_path / "a"), write_member(tmp_path / "b", policy=OTHER)
    suite = suite_from_flags(tiers=[f"top={first}", f"small={second}"])
    with pytest.raises(
        UsageError, match=r"--tier: the benchmarks in tiers have different policies: .*a/run \| .*b/run"
    ):
        load_suite(suite, Places())
    given = tmp_path / "given.md"
    given.write_text(POLICY)
    loaded = load_suite(suite, Places(policy=given))
    assert len({one.benchmark.policy.sha256 for one in loaded}) == 1


def test_blanks_and_line_ends_make_no_other_policy(tmp_path: Path) -> None:
    first = write_member(tmp_path / "a")
    second = write_member(tmp_path / "b", policy="\ufeff" + POLICY.replace("\n", " \r\n") + "\n\n")
    loaded = load_suite(suite_from_flags(tiers=[f"top={first}", f"small={second}"]), Places())
    assert policy_groups(loaded) == ((str(first), str(second)),)


def test_benchmarks_of_one_domain_need_one_policy_and_those_of_none_do_not(tmp_path: Path) -> None:
    write_member(tmp_path / "a")
    write_member(tmp_path / "b", policy=OTHER)
    text = '[[benchmark]]\npath = "a/run"\n{0}\n[[benchmark]]\npath = "b/run"\n{1}'
    same = read_suite(write_file(tmp_path, text.format('domain = "x"', 'domain = "x"')))
    with pytest.raises(UsageError, match=r"the benchmarks of the domain 'x' have different policies: a/run \| b/run"):
        load_suite(same, Places())
    for other in ('domain = "y"', ""):
        apart = read_suite(write_file(tmp_path, text.format('domain = "x"', other)))
        assert policy_groups(load_suite(apart, Places())) == (("a/run",), ("b/run",))
