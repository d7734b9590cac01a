"""The command line, run as a user runs it, in this process."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from audit.cli.main import run
from tests.servers.outcomes import Outcome
from tests.servers.vendors import VendorServer


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401  # any JSON
        return json.loads(self.out)


Cli = Callable[..., Result]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """Runs ``bench-audit`` with these arguments, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: object) -> Result:
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["bench-audit", *map(str, arguments)])
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as exit_info:
            run()
        out.flush()
        assert isinstance(out.buffer, io.BytesIO)
        assert isinstance(exit_info.value.code, int)
        return Result(exit_info.value.code, out.buffer.getvalue().decode(), err.getvalue())

    return call


@pytest.fixture
def judge(server: VendorServer) -> Callable[[Outcome], str]:
    """Lets the loopback server answer so, and returns the name of a judge that asks it."""

    def name(outcome: Outcome) -> str:
        server.always(outcome)
        return server.judge()

    return name
