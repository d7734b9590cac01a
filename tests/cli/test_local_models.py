"""A model file on this machine as a judge: llama.cpp's real server, and a real small model where there is one."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from audit.errors import UsageError
from audit.providers.local import LocalProvider, local_note
from audit.providers.registry import ProviderOptions, make_provider
from audit.providers.spec import parse_judge
from tests.cli.conftest import Cli

GGUF = os.environ.get("BENCH_AUDIT_TEST_GGUF", "")
needs_llama = pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="needs the extra [local]")


@pytest.fixture
def gguf() -> str:
    """A judge's name with a small chat model."""
    if not GGUF:
        pytest.skip("needs a small chat model: BENCH_AUDIT_TEST_GGUF=FILE.gguf")
    return f"local:{GGUF}"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file that begins as a GGUF does and is none."""
    path = tmp_path / "broken model.gguf"
    path.write_bytes(b"GGUF" + b"\x03\x00\x00\x00" + b"\xff" * 64)
    return path


def test_of_the_path_only_the_files_name_is_shown() -> None:
    spec = parse_judge("local:/home/some one/m@http.gguf")
    assert (spec.name, spec.model) == ("local:m@http.gguf", "/home/some one/m@http.gguf")


def test_control_characters_in_a_path_are_refused() -> None:
    with pytest.raises(UsageError, match="control characters"):
        parse_judge("local:/x/\x1b[2J.gguf")


@needs_llama
def test_the_models_name_tells_two_files_of_one_name_apart(broken: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / broken.name
    other.parent.mkdir()
    other.write_bytes(broken.read_bytes() + b"1")
    one, two = (make_provider(parse_judge(f"local:{path}")) for path in (broken, other))
    assert one.model.startswith("broken model.gguf@sha256:")
    assert one.model != two.model
    assert str(tmp_path) not in one.model + one.endpoint + one.parameters
    assert isinstance(one, LocalProvider)
    assert "certify" in local_note("local:x", one)


def test_a_pipe_is_not_waited_for(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    os.mkfifo(path)
    result = cli("score", "sample/library", "--judge", f"local:{path}", "--dry-run")
    assert (result.code, result.out) == (2, "")
    assert f"{path} is a pipe or a device. Name a model's .gguf file" in result.err


@pytest.mark.parametrize(
    ("content", "words"), [(None, "can't be read"), (b"PK\x03\x04", "is no GGUF"), (b"", "no GGUF")]
)
def test_what_is_no_model_file_is_refused_with_one_line(
    cli: Cli, tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "m.gguf"
    if content is not None:
        path.write_bytes(content)
    result = cli("score", "sample/library", "--judge", f"local:{path}", "--dry-run")
    assert result.code == 2
    assert words in result.err
    assert result.err.count("\n") == 1


def test_without_the_extra_it_is_said_what_to_install(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "xllamacpp")
    with pytest.raises(UsageError, match=r"bench-audit\[local\]"):
        make_provider(parse_judge(f"local:{broken}"))


@needs_llama
def test_a_file_that_llama_cannot_load_ends_the_run_with_one_line(cli: Cli, broken: Path) -> None:
    result = cli("score", "sample/library", "--judge", f"local:{broken}", "--limit", 3)
    assert (result.code, result.out) == (2, "")
    assert "llama.cpp can't load it" in result.err
    assert "Traceback" not in result.err


@needs_llama
@pytest.mark.parametrize(
    ("flags", "words"), [(["--batch"], "no batch API"), (["--mode", "decisions"], "no decisions endpoint")]
)
def test_ways_of_asking_that_a_file_does_not_know_are_refused(
    cli: Cli, broken: Path, flags: list[str], words: str
) -> None:
    result = cli("score", "sample/library", "--judge", f"local:{broken}", *flags)
    assert result.code == 2
    assert words in result.err


@needs_llama
def test_another_machine_does_not_have_the_file(broken: Path) -> None:
    with pytest.raises(UsageError, match="--workers"):
        make_provider(parse_judge(f"local:{broken}"), ProviderOptions(is_asked_here=False))


def test_a_model_file_is_no_default(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bench-audit.toml").write_text('[score]\njudge = ["local:m.gguf"]\n')
    result = cli("score", "sample/library")
    assert result.code == 2
    assert "no default judge" in result.err


@needs_llama
def test_a_real_model_is_asked_held_to_the_schema_and_labelled(cli: Cli, gguf: str) -> None:
    flags = ("--judge", gguf, "--limit", 2, "--metric", "desc_alignment", "--timeout", 900, "--format", "json")
    document = cli("score", "sample/library", *flags).json
    verdicts = document["verdicts"]
    states = {verdict["state"] for verdict in verdicts}
    assert states <= {"ok", "truncated", "malformed"}, "it answers, well or not: so small a model may lose its thread"
    assert all("@sha256:" in verdict["model"] for verdict in verdicts)
    assert max(verdict["usage"]["cached_tokens"] for verdict in verdicts) > 500, "the prefix is kept"
    assert document["tally"]["cost_usd"] == 0
    assert any("is a model file on this machine" in note for note in document["notes"])
    stored = cli("score", "sample/library", *flags).json["tally"]["stored"]
    assert stored == sum(verdict["state"] == "ok" for verdict in verdicts)
