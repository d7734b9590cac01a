from __future__ import annotations

import sys
from pathlib import Path

import pytest

from audit.sources.package_index import DEFAULT_INDEX, index_url


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let pip's settings be those of this test alone."""
    for name in ("PIP_INDEX_URL", "PIP_CONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def test_the_index_is_the_one_given_then_the_variable_s_then_pip_s(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(tmp_path / "XDG_CONFIG_HOME/pip/pip.conf", "[global]\nindex-url = https://user.example/simple\n")
    assert index_url(None) == "https://user.example/simple"
    write(tmp_path / "prefix/pip.conf", "[global]\nindex-url = https://venv.example/simple\n")
    assert index_url(None) == "https://venv.example/simple"
    named = write(tmp_path / "named.conf", "[download]\nindex-url = https://named.example/simple\n[global]\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(named))
    assert index_url(None) == "https://named.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://variable.example/simple")
    assert index_url(None) == "https://variable.example/simple"
    assert index_url("https://given.example/simple") == "https://given.example/simple"


@pytest.mark.skipif(Path("/etc/pip.conf").exists() and "index-url" in Path("/etc/pip.conf").read_text(), reason="set")
def test_without_settings_and_with_broken_ones_it_is_pypi(tmp_path: Path) -> None:
    assert index_url(None) == DEFAULT_INDEX
    write(tmp_path / "prefix/pip.conf", "index-url = without a section")
    assert index_url(None) == DEFAULT_INDEX
