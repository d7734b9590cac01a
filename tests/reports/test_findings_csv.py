from __future__ import annotations

import csv
import io
import re

import pytest

from audit.records.check import CheckResult
from audit.reports import findings_csv, findings_csv_tasks
from tests.reports import checked, hostile


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_there_is_a_row_a_finding_in_their_order() -> None:
    result = checked.small()
    read = rows(findings_csv.render(result))
    assert [row["fingerprint"] for row in read] == [finding.fingerprint for finding in result.findings]
    assert (read[0]["file"], read[0]["line"], read[0]["evidence"]) == (
        "library/tasks.json", "12", "loan: L000; renewals: 2",
    )  # fmt: skip
    assert read[-1]["task_id"] == ""
    assert [row["stable"] for row in read] == ["yes", "yes", "yes", "yes", "no", "yes"]


def test_there_is_a_row_a_task_with_a_count_for_each_rule() -> None:
    first, second, third = rows(findings_csv_tasks.render(checked.small()))
    assert first["task_id"] == "0"
    assert (first["errors"], first["warnings"], first["notes"]) == ("1", "1", "0")
    assert (first["loan-write-fails"], first["text-is-vague"], first["texts-alike"]) == ("1", "1", "0")
    assert (second["judged-desc-alignment"], third["loan-write-fails"]) == ("1", "1")


def test_rules_that_only_a_finding_names_have_their_column() -> None:
    result = checked.result(checked.finding(checked.FAILS), rules=())
    (first, *_) = rows(findings_csv_tasks.render(result))
    assert first["loan-write-fails"] == "1"


@pytest.mark.parametrize("render", [findings_csv.render, findings_csv_tasks.render])
@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_no_cell_can_start_a_formula(render: object, name: str) -> None:
    result: CheckResult = checked.everywhere(hostile.STRINGS[name])
    content = (findings_csv.render if render is findings_csv.render else findings_csv_tasks.render)(result).decode()
    read = list(csv.reader(io.StringIO(content, newline="")))
    assert {len(row) for row in read} == {len(read[0])}
    for cell in (cell for row in read for cell in row):
        assert not re.match(r"\s*[=+\-@|%]|[\t\r\n]", cell)
