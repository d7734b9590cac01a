"""The README says what is so."""

from __future__ import annotations

import re

from tests.cli.conftest import Cli
from tests.conftest import REPO

README = (REPO / "README.md").read_text(encoding="utf-8")


def test_the_help_in_the_readme_is_the_real_one(cli: Cli) -> None:
    block = re.search(r"\$ bench-audit --help\n(.*?)```", README, re.DOTALL)
    assert block is not None
    assert block.group(1) == cli("--help").out


def test_every_file_that_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert not [link for link in links if not (REPO / link).exists()]


def test_the_commands_that_set_everything_up_are_those_that_ci_runs() -> None:
    script = (REPO / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("make demo", "make test"):
        assert f"\n{command} " in README
        assert f"\n{command}\n" in script
