"""``bench-audit serve``, from the command line to its end."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.serving.site import fill


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_serves_there_and_ends_with_ctrl_c(tmp_path: Path, number: signal.Signals) -> None:
    fill(tmp_path)
    command = [str(Path(sys.executable).with_name("bench-audit")), "serve", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:  # noqa: S603  # our own command
        assert running.stdout is not None
        url = running.stdout.readline().strip()
        with urllib.request.urlopen(url) as reply:  # noqa: S310  # the loopback
            assert b"run.json" in reply.read()
        running.send_signal(number)
        _, err = running.communicate(timeout=30)
    assert running.returncode == 0
    assert err.splitlines() == ["4 files. For this machine alone, read only. Ctrl-C ends it.", "Ended."]


def test_what_is_no_folder_and_a_port_that_is_taken_are_told_in_one_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for name, said in (("file", "is a file"), ("nowhere", "there is no such folder")):
        result = cli("serve", name)
        assert (result.code, result.out) == (2, "")
        assert said in result.err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = cli("serve", tmp_path, "--port", taken.getsockname()[1])
    assert result.code == 2
    assert "no page can be served on this port" in result.err
