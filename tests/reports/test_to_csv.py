from __future__ import annotations

import csv
import io

from audit.records.run import RunResult
from audit.reports import to_csv
from tests.reports import checked, runs


def table(result: RunResult) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(to_csv.render(result).decode(), newline="")))


def test_a_row_a_task_in_the_files_order_with_a_value_and_a_state_for_each_judge_and_metric() -> None:
    rows = table(runs.panel())
    assert [row["task_id"] for row in rows] == [str(n) for n in range(50)]
    assert rows[0]["desc_alignment openai:gpt-5.4"] == "5.0"
    assert rows[0]["desc_alignment openai:gpt-5.4 state"] == "ok"
    assert not [name for name in rows[0] if "coverage" in name]


def test_a_missing_value_is_an_empty_cell_with_its_state() -> None:
    rows = table(runs.panel())
    states = {rows[n][f"desc_alignment {runs.CLAUDE} state"] for n in (7, 19, 33)}
    assert states == {"timeout", "malformed", "refused"}
    assert {rows[n][f"desc_alignment {runs.CLAUDE}"] for n in (7, 19, 33)} == {""}


def test_a_task_that_nobody_asked_about_says_so() -> None:
    result = runs.result(runs.benchmark(runs.task(0)), scores=(runs.score("desc_alignment", {}),))
    assert table(result) == [
        {"task_id": "0", "desc_alignment openai:gpt-5.4": "", "desc_alignment openai:gpt-5.4 state": "not_asked"}
    ]


def test_undefined_metrics_keep_their_column_and_inapplicable_ones_have_none() -> None:
    assert table(runs.no_items())[0]["violation_count openai:gpt-5.4 state"] == "undefined"
    assert list(table(runs.offline())[0]) == [
        "task_id",
        "offline_match offline [offline (heuristic)]",
        "offline_match offline [offline (heuristic)] state",
    ]


def test_columns_of_what_is_no_real_judge_are_labelled() -> None:
    names = list(table(runs.scripted())[0])[1:]
    assert all("[scripted (not a real judge)]" in name for name in names)


def test_the_panels_medians_stand_beside_its_judges_values() -> None:
    rows = table(runs.panel())
    name = "desc_alignment panel (median of 2)"
    assert rows[0][name] == "3.5"
    assert {rows[n][f"{name} state"] for n in (7, 19, 33)} == {"no_quorum"}


def test_challenged_items_and_counts_of_findings_have_their_columns() -> None:
    rows = table(checked.audited())
    assert [row["challenged_items openai:gpt-5.4"] for row in rows] == ["P02", "", "P02 P05"]
    counts = [tuple(row[name] for name in ("n_errors", "n_warnings", "n_notes")) for row in rows]
    assert counts == [("1", "1", "0"), ("0", "1", "0"), ("1", "1", "0")]
