"""A PostgreSQL server of the tests' own, on a socket and a loopback port."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

PASSWORD = "s3cr:et/@word"
ENCODED = "s3cr%3Aet%2F%40word"


@dataclass(frozen=True)
class Server:
    """A running server: its files, its programs and its port."""

    folder: Path
    programs: Path
    port: int

    def control(self, action: str, *more: str) -> None:
        run(self.folder, str(self.programs / "pg_ctl"), "-D", str(self.folder / "data"), "-w", *more, action)

    def start(self) -> None:
        options = f"-k {self.folder} -p {self.port} -h 127.0.0.1 -c fsync=off"
        self.control("start", "-o", options, "-l", str(self.folder / "log"))

    def url(self, database: str, user: str = "owner") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}"


def run(folder: Path, *command: str) -> None:
    user = "postgres" if os.getuid() == 0 else None  # the server does not run as root
    subprocess.run(command, cwd=folder, user=user, group=user, check=True, capture_output=True, timeout=60)


def find_programs() -> Path | None:
    found = shutil.which("pg_ctl")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists()), None)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server with the user 'owner', whom its socket trusts and its port asks for a password."""
    programs = find_programs()
    if programs is None:
        pytest.skip("needs the programs of a PostgreSQL server (apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: it holds the socket
    try:
        if os.getuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = int(probe.getsockname()[1])
        initdb = [str(programs / "initdb"), "-D", str(folder / "data"), "-U", "owner", "-E", "UTF8", "--no-locale"]
        run(folder, *initdb, "--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync")
        made = Server(folder, programs, port)
        made.start()
        try:
            with psycopg.connect(made.url("postgres"), autocommit=True) as connection:
                connection.execute(f"ALTER ROLE owner PASSWORD '{PASSWORD}'".encode())
                connection.execute("CREATE ROLE guest LOGIN")
            yield made
        finally:
            made.control("stop", "-m", "immediate")
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def database(server: Server, request: pytest.FixtureRequest) -> str:
    """The name of an empty database."""
    name = f"d{abs(hash(request.node.nodeid))}"
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return name


@pytest.fixture
def url(server: Server, database: str) -> str:
    """The URL of an empty database."""
    return server.url(database)
