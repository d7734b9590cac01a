"""A lineup in every format."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from audit.compare.lineup import line_up
from audit.records.comparison import SavedFinding, Snapshot
from audit.records.lineup import Lineup
from audit.records.verdict import Trust
from audit.reports import lineup_html, lineup_json, lineup_markdown
from audit.reports.findings_markdown import LIMIT
from audit.reports.gate_formats import COMPARISON_FORMATS, LINEUP_FORMATS
from audit.reports.lineup_text import N_FINDINGS
from tests.compare.made import JUDGE, found, score, snapshot
from tests.compare.test_formats import comparison
from tests.conftest import REPO
from tests.reports import hostile
from tests.reports.parsed import Element, parse
from tests.reports.test_to_json import numbers_in

SCHEMA = json.loads((REPO / "docs" / "schema" / "comparisons-1.json").read_text(encoding="utf-8"))
HOSTILE = "\x1b[2J`<b>\u202e\x00\n## x|y"
N = 24
TASKS = {f"t{n}": {"description": f"d{n}", "behavior": f"b{n}"} for n in range(1, N + 1)}


def version(shift: float = 0.0, **fields: Any) -> Snapshot:  # noqa: ANN401  # any field of the record
    values = [float(n % 5 + 3) for n in range(N)]
    moved = [value + shift if n % 3 else value for n, value in enumerate(values)]
    fields.setdefault("scores", (score("desc_alignment", *moved), score("violation_coverage@1", value=0.5, by_task={})))
    fields.setdefault("violated", {JUDGE: {id: frozenset({"P1"} if n % 2 else ()) for n, id in enumerate(TASKS)}})
    fields.setdefault("tasks", TASKS)
    return snapshot(**fields)


def apart() -> Snapshot:
    own = {f"x{id}": parts for id, parts in TASKS.items()}
    values = dict.fromkeys(own, 5.0)
    offline = score("offline_match", judge="offline", by_task=values, value=0.5, trust=Trust.OFFLINE)
    return version(benchmark="other/domain", tasks=own, findings=(found("z"),), scores=(offline,), violated={})


def versions() -> Lineup:
    return line_up(
        (
            version(label="v1.json", findings=(found("a"), found("b"))),
            version(-1.0, label="v2.json", findings=(found("b"), found("c"), replace(found("d"), severity="warning"))),
            version(1.0, label="v3.json", findings=(found("b"),), policy_sha256="cd"),
            apart(),
            version(label="v5.json", findings=None),
        )
    )


def judges() -> Lineup:
    other = score("desc_alignment", *[9.0] * N, judge="anthropic:claude")
    return line_up(
        (version(label="gpt"), version(label="claude", scores=(other,), models={"anthropic:claude": ("c",)}))
    )


def hostile_lineup(text: str) -> Lineup:
    finding = SavedFinding("z", text, text, text, text)
    tasks = {text: {"description": "b"}, "t1": {"description": "c", "actions": "b"}, "t2": {"description": text}}
    made = []
    for n, value in enumerate((1.0, 9.0, 4.0)):
        own = (
            score(text, judge=text, by_task={text: value, "t1": 9.0, "t2": value}, value=5.0),
            score("desc_alignment", judge=f"{text}{n}", by_task={text: value, "t1": 9.0}, value=5.0, reason=text),
        )
        findings = (finding,) if n != 1 else ()
        made.append(
            snapshot(label=text, benchmark=text, tasks=tasks, scores=own, findings=findings, models={text: (text,)})
        )
    return line_up(made)


def test_text_has_the_table_the_differences_and_each_sides_changes() -> None:
    shown = LINEUP_FORMATS["text"](versions()).decode()
    assert "A: v1.json, test/domain (24 tasks), the baseline" in shown
    assert "2 of 5 tested differences from A hold." in shown
    assert re.search(r"desc_alignment by openai:gpt-5\.4 +4\.917 +4\.250 +5\.583 +– +4\.917", shown)
    assert re.search(r"B against A: -0\.667 \(-0\.833 to -0\.458\) over 24 shared tasks, p .*, by Holm .*: fell", shown)
    assert "C against A: not comparable: the policy changed" in shown
    assert "no shared task: 24 tasks of its own, with 1 finding" in shown
    assert "adjusted by Holm for all 5 tested together" in shown
    assert shown.count("1 finding fixed") == 2
    assert "Note: E was not checked" in shown
    assert max(map(len, shown.splitlines()[:12])) < 120


def test_text_of_judges_says_higher_and_names_both() -> None:
    shown = LINEUP_FORMATS["text"](judges()).decode()
    assert "B against A (anthropic:claude against openai:gpt-5.4): +4.083" in shown
    assert ": higher" in shown
    assert "rose" not in shown.replace("a score fell or rose", "")


def test_long_names_of_rows_have_a_line_of_their_own() -> None:
    judge = "openai:" + "x" * 60
    own = version(scores=(score("desc_alignment", *[5.0] * N, judge=judge),))
    shown = LINEUP_FORMATS["text"](line_up((own, own))).decode()
    assert f"  desc_alignment by {judge}\n" in shown


@pytest.mark.parametrize(
    "make", [versions, judges, lambda: hostile_lineup("<b>"), lambda: line_up((apart(), version()))]
)
def test_json_follows_its_schema(make: Any) -> None:  # noqa: ANN401  # a function
    document = json.loads(LINEUP_FORMATS["json"](make()), parse_constant=pytest.fail)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert [len(row["cells"]) for row in document["rows"]] == [len(document["sides"])] * len(document["rows"])


def test_the_schema_refuses_what_it_does_not_describe() -> None:
    document = json.loads(LINEUP_FORMATS["json"](versions()))
    changes: tuple[dict[str, Any], ...] = ({"format_version": 2}, {"extra": 1}, {"rows": [{}]}, {"baseline": "Z"})
    for change in changes:
        assert not jsonschema.Draft202012Validator(SCHEMA).is_valid({**document, **change})


def test_json_holds_each_difference_with_both_p_values_and_who_answered() -> None:
    document = json.loads(LINEUP_FORMATS["json"](versions()))
    row = document["rows"][0]
    change = row["cells"][1]["change"]
    assert (change["answer"], change["n_paired"]) == ("fell", 24)
    assert 0 < change["p"] < change["p_holm"] < 0.05
    assert row["cells"][0]["change"] is None
    assert row["moved"][0] == {"task_id": "t11", "values": [3.0, 2.0, 4.0, None, 3.0], "widest": -1.0, "side": "B"}
    assert [each["side"] for each in document["changes"]] == ["B", "C", "D", "E"]


def test_csv_has_a_row_for_each_score_and_numbers_stay_numbers() -> None:
    rows = list(csv.DictReader(LINEUP_FORMATS["csv"](versions()).decode().splitlines()))
    assert [(row["metric"], row["side"]) for row in rows[:4]] == [("desc_alignment", side) for side in "ABCE"]
    assert float(rows[1]["difference"]) == pytest.approx(-2 / 3)
    assert (rows[0]["is_baseline"], rows[0]["difference"], rows[1]["answer"]) == ("yes", "", "fell")
    assert rows[-1]["trust"] == "offline (heuristic)"
    pair = list(csv.DictReader(COMPARISON_FORMATS["csv"](comparison()).decode().splitlines()))
    assert [row["answer"] for row in pair] == ["fell", "not comparable", "rose"]
    assert pair[1]["reasons"] == "the policy changed"
    assert float(pair[0]["difference"]) == -2.0


@pytest.mark.parametrize("text", ["=1+1", "-2+3", "@x", "\t=1"])
def test_no_csv_cell_of_text_starts_a_formula(text: str) -> None:
    for row in csv.reader(LINEUP_FORMATS["csv"](hostile_lineup(text)).decode().splitlines()):
        assert not [cell for cell in row if re.match(r"\s*[=+@]|-\D", cell)]


@pytest.mark.parametrize("format_name", list(LINEUP_FORMATS))
def test_hostile_text_steers_nothing_and_the_bytes_are_the_same(format_name: str) -> None:
    content = LINEUP_FORMATS[format_name](hostile_lineup(HOSTILE))
    shown = content.decode()
    assert not set(shown) & {"\x1b", "\x00", "\u202e"}
    assert "\n## x" not in shown or format_name == "csv", "a cell of a CSV may hold lines"
    assert content == LINEUP_FORMATS[format_name](hostile_lineup(HOSTILE))


def test_markdown_has_a_table_whose_cells_no_name_can_end() -> None:
    shown = LINEUP_FORMATS["markdown"](hostile_lineup("a|b")).decode()
    table = [line for line in shown.splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {5}
    assert "| Score | A | B | C |" in shown
    assert "</details>" in LINEUP_FORMATS["markdown"](versions()).decode()
    assert "Differences from" not in LINEUP_FORMATS["markdown"](line_up((version(scores=()), version()))).decode()


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_long_lists_of_findings_are_cut_with_their_number(format_name: str) -> None:
    many = tuple(found(str(number)) for number in range(N_FINDINGS + 5))
    shown = LINEUP_FORMATS[format_name](line_up((version(findings=()), version(findings=many)))).decode()
    assert "… and 5 more" in shown
    assert shown.count("B9 is nowhere") == N_FINDINGS


@pytest.mark.parametrize("format_name", ["text", "markdown", "csv"])
def test_sides_without_any_score_have_no_table(format_name: str) -> None:
    shown = LINEUP_FORMATS[format_name](line_up((version(scores=()),) * 3)).decode()
    assert not {"Scores", "| Score |", "Differences from A"} & set(shown.splitlines())
    assert "fell or rose" not in shown


def test_markdown_that_is_too_long_is_cut_with_what_is_missing() -> None:
    own = tuple(score("desc_alignment", *[5.0] * N, judge=f"openai:{n}{'x' * 70}") for n in range(300))
    models = {each.judge: ("m",) for each in own}
    shown = lineup_markdown.render(line_up((version(scores=own, models=models),) * 2)).decode()
    assert len(shown) <= LIMIT
    assert re.search(r"\*\*Cut here\*\*: \d+ lines more, in what `--format json` writes\.\n$", shown)
    assert shown.count("<details>") == shown.count("</details>") == 1


def test_the_page_leads_with_the_answer_and_shows_every_side() -> None:
    root = parse(lineup_html.render(versions()))
    assert root.all(cls="headline")[0].text == "2 of 5 tested differences from A hold:"
    text = root.one("verdict").text
    assert "B has 1 new error" in text
    assert "B has 1 other new finding" in text
    assert "Description–behavior alignment by openai:gpt-5.4: B fell against A, by 0.667" in text
    assert "partly offline (heuristic)" in text
    heads = [head.text for head in root.one("scores").all("th") if "num" in head.attributes.get("class", "")]
    assert heads == ["A", "B", "C", "D", "E"]
    assert "the policy changed" in root.one("differences").text
    assert "no shared task" in root.one("findings").text
    assert "not checked" in root.one("findings").text
    assert "-1.000 in B" in root.one("moved").text


def test_the_page_of_judges_calls_neither_better() -> None:
    root = parse(lineup_html.render(judges()))
    assert "B's judge scores higher than A's, by 4.083" in root.one("verdict").text
    assert not root.one("differences").all(cls="level-clear-text")
    assert "anthropic:claude against openai:gpt-5.4" in root.one("differences").text
    assert "each side's own" in root.one("scores").text


def test_a_page_without_scores_or_findings_has_no_section_of_them() -> None:
    bare = line_up((version(scores=(), findings=None),) * 3)
    root = parse(lineup_html.render(bare))
    assert root.all(cls="headline")[0].text.startswith("No difference from A could be tested")
    assert not {"scores", "differences", "moved", "findings"} & {each.attributes.get("id") for each in root.all()}
    assert "nobody" not in LINEUP_FORMATS["text"](bare).decode()


def test_one_test_and_none_that_holds_are_told_as_such() -> None:
    one = (score("desc_alignment", *[5.0] * N),)
    same = line_up((version(scores=one), version(scores=one)))
    assert (
        parse(lineup_html.render(same)).all(cls="headline")[0].text == "The one tested difference from A does not hold."
    )
    assert (
        "None of 2 tested differences from A holds."
        in LINEUP_FORMATS["text"](line_up((version(scores=one),) * 3)).decode()
    )


@pytest.mark.parametrize("make", [versions, judges], ids=lambda make: make.__name__)
def test_every_number_of_the_page_is_in_the_json(make: Any) -> None:  # noqa: ANN401  # a function
    document = json.loads(lineup_json.render(make()))
    known = {text.lstrip("+-") for text in numbers_in(document)}
    known |= {f"{abs(value):.3f}" for value in floats_in(document)} | {f"{value:.4f}" for value in floats_in(document)}
    root = parse(lineup_html.render(make()))
    shown = {
        text
        for place in ("scores", "differences", "moved", "findings")
        if any(each.attributes.get("id") == place for each in root.all("section"))
        for cell in root.one(place).all("td", cls="num")
        for text in re.findall(r"(?<![<\w.])\d[\d,]*(?:\.\d+)?%?", without_names(cell))
    }
    assert len(shown) > 8
    assert shown - known == set()


def without_names(cell: Element) -> str:
    text = cell.text
    for name in cell.all(cls="own"):
        text = text.replace(name.text, "")
    return text


def floats_in(value: object) -> list[float]:
    if isinstance(value, dict | list):
        return [each for inner in (value.values() if isinstance(value, dict) else value) for each in floats_in(inner)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize("name", sorted(hostile.STRINGS))
def test_hostile_strings_stay_text_in_the_page(name: str) -> None:
    content = lineup_html.render(hostile_lineup(hostile.STRINGS[name] or "x"))
    root = parse(content)
    assert not {"script", "img", "iframe", "b", "object"} & {each.tag for each in root.all()}
    for element in root.all():
        assert not [key for key in element.attributes if key.startswith("on") or key in {"style", "src"}]
    assert len(content) < 400_000
