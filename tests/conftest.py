"""What every test shares: real data where it is, and no network but loopback."""

from __future__ import annotations

import ipaddress
import os
import socket
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["tests.servers.fixtures"]

REPO = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("BENCH_AUDIT_TEST_DATA", REPO.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real benchmark data; skips, visibly, where there is none."""
    if not DATA.is_dir():
        pytest.skip(f"needs real benchmark data (BENCH_AUDIT_TEST_DATA; looked in {DATA})")
    return DATA


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:  # noqa: ANN401  # the socket module's own type
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = address[0]
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise RuntimeError(f"a test tried to reach {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("BENCH_AUDIT_", "OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("BENCH_AUDIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_COLOR", "1")
