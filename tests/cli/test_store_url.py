from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.cli.main import main
from audit.errors import StoreError

HIDDEN = "postgresql://ann:hush@127.0.0.1:1/audits"


@pytest.mark.parametrize("variable", [False, True])
def test_the_store_may_be_a_url_and_its_password_is_not_told(variable: bool) -> None:
    flags = [] if variable else ["--store", HIDDEN]
    environment = {"BENCH_AUDIT_STORE": HIDDEN} if variable else {}
    result = CliRunner().invoke(main, ["score", "sample/library", *flags], env=environment)
    assert isinstance(result.exception, StoreError)
    assert "postgresql://ann@127.0.0.1:1/audits" in str(result.exception)
    assert "hush" not in result.output + str(result.exception)


@pytest.mark.parametrize(
    "store", ["mysql://ann:hush@db/audits", "postgresql:/ann:hush@db/audits", "Postgres:ann:hush@db"]
)
def test_a_url_of_another_database_is_refused_without_being_shown(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["score", "sample/library", "--store", store])
    assert result.exit_code == 2
    assert "must begin with postgresql://" in result.output
    assert "hush" not in result.output
    assert list(tmp_path.iterdir()) == []
