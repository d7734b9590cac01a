from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable
from datetime import date

import pytest

from audit.records.gate import Criterion, GateResult, Kind, Side, Threshold
from audit.records.gate import Level as GateLevel
from audit.records.run import RunResult, Tally
from audit.records.score import Score
from audit.records.verdict import Trust, VerdictState
from audit.reports import task_pages, to_html
from tests.reports import checked, runs
from tests.reports.parsed import Element, parse

MAKERS = (runs.small, runs.offline, runs.scripted, runs.no_items, runs.panel)


def page(result: RunResult) -> Element:
    return parse(to_html.render(result))


def sha256(element: Element) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(element.raw_text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_every_page_is_well_formed_self_contained_and_linked(make: Callable[[], RunResult]) -> None:
    root = page(make())
    ids = Counter(element.attributes["id"] for element in root.all() if "id" in element.attributes)
    assert [id_ for id_, n in ids.items() if n > 1] == []
    kinds = [script.attributes.get("type", "") for script in root.all("script")]
    assert kinds == ["application/json"] * 3 + [""], "data, and our one script at the end"
    for element in root.all():
        assert element.tag not in {"iframe", "object", "embed", "form", "base", "img"}
        assert not [name for name in element.attributes if name.startswith("on") or name in {"src", "style", "action"}]
        for name in ("href", "aria-labelledby"):
            for target in element.attributes.get(name, "").split() if name != "href" else []:
                assert target in ids
        href = element.attributes.get("href")
        if href is not None and href != "data:,":
            assert href.startswith("#"), href
            assert href[1:] in ids, href


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_the_content_policy_allows_the_one_style_sheet_and_the_one_script_and_nothing_else(
    make: Callable[[], RunResult],
) -> None:
    root = page(make())
    (meta,) = [one for one in root.all("meta") if one.attributes.get("http-equiv") == "Content-Security-Policy"]
    (style,) = root.all("style")
    script = root.all("script")[-1]
    rules = dict(rule.strip().split(" ", 1) for rule in meta.attributes["content"].split(";"))
    assert rules == {
        "default-src": "'none'",
        "style-src": sha256(style),
        "script-src": sha256(script),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert "url(" not in style.raw_text
    assert "@import" not in style.raw_text
    for way_in in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch("):
        assert way_in not in script.raw_text


def test_the_first_screen_says_what_was_audited_and_the_verdict_with_its_evidence() -> None:
    first = page(runs.small()).one("verdict")
    assert first.all("h1")[0].text == "Library desk"
    for words in (
        "sample/library",
        "3 of 3",
        "test, 6 items",
        "1.0",
        "$0.31 in this run",
        "abababababab",
    ):
        assert words in first.text
    (headline,) = first.all(cls="headline")
    assert headline.text == "Mend before release:"
    clauses = [item.text for item in first.all("li")]
    assert clauses[0].startswith("1 of 2 tasks scores 3 or lower on description–behavior alignment ;")
    assert [link.text for link in first.all("li")[0].all("a")][1:] == ["1"]
    assert clauses[1].startswith("4 of 6 policy items are never challenged ;")
    assert clauses[2] == "1 of 6 verdicts is missing (1 timed out) ."


def test_an_incomplete_run_has_a_banner_with_reasons_and_stopped_judges() -> None:
    (banner,) = page(runs.panel()).all(cls="banner-incomplete")
    assert "6 of 300 verdicts are missing" in banner.text
    assert "2 unreadable, 2 refused, 2 timed out" in banner.text
    assert "anthropic:claude-sonnet-4-5 was stopped (quota): the account's monthly limit is reached" in banner.text


def test_a_complete_run_of_real_judges_has_no_banner() -> None:
    assert page(runs.no_items()).all(cls="banner") == []


def test_a_card_shows_the_panels_reading_and_each_judges_mean_and_interval() -> None:
    cards = page(runs.panel()).all(cls="card")
    assert [card.all("h2")[0].text for card in cards] == [
        "How far to trust the judges",
        "Description–behavior alignment",
        "Policy–behavior alignment",
        "Policy violations per task",
        "Policy violation coverage@1",
    ]
    (panel,) = cards[1].all(cls="reading")
    assert panel.all(cls="judge")[0].text == "panel (median of 2)"
    judges = cards[1].all("li")
    assert [item.text for item in judges] == [
        f"{runs.OPENAI} 7.28 6.98 to 7.58",
        f"{runs.CLAUDE} 7.53 7.23 to 7.83 3 missing",
    ]
    readings = cards[2].all(cls="reading")
    assert [reading.all(cls="judge")[0].text for reading in readings] == [runs.OPENAI, runs.CLAUDE]
    assert readings[0].all(cls="value")[0].text == "7.48 7.18 to 7.78 95% interval"
    assert "47 tasks used, 3 missing (1 unreadable, 1 refused, 1 timed out)" in readings[1].text


def test_the_command_that_certifies_a_judge_asks_it_where_the_run_did() -> None:
    judge = "openai:any@http://127.0.0.1:8080/v1"
    result = runs.small()
    card = page(dataclasses.replace(result, settings=dataclasses.replace(result.settings, judges=(judge,)))).all(
        cls="trust-card"
    )[0]
    assert f"bench-audit certify --judge {judge}" in card.text


def test_a_card_says_how_far_the_judges_can_be_trusted() -> None:
    card = page(runs.panel()).all(cls="trust-card")[0]
    facts = {fact.all("dt")[0].text: fact.all("dd")[0].text for fact in card.all("div")}
    assert facts["Certificate of openai:gpt-5.4"] == "not certified: run bench-audit certify --judge openai:gpt-5.4"
    assert facts["Agreement, description–behavior alignment"] == "τ_b 0.61, same 0.38"
    assert facts["They part on"] == "13 of 50 tasks"
    assert "model family that wrote the benchmark" in facts["Same family"]
    assert "asked once" in facts["Repeated"]
    alone = page(runs.small()).all(cls="trust-card")[0].text
    assert "How far to trust the judge " in alone
    assert "one judge alone" in alone
    assert "the replies were made up" in page(runs.scripted()).all(cls="trust-card")[0].text
    assert "a heuristic" in page(runs.offline()).all(cls="trust-card")[0].text
    twice = dataclasses.replace(runs.small(), settings=runs.settings(trials=2))
    assert "each verdict was asked 2 times" in page(twice).all(cls="trust-card")[0].text


def test_the_metric_table_has_the_spread_counts_and_bounds() -> None:
    rows = page(runs.small()).one("metrics").all("tr")
    cells = [cell.text for cell in rows[1].children]
    assert cells[:10] == [
        "Description–behavior alignment", "openai:gpt-5.4", "5.50", "5.20 to 5.80 95%", "5.50", "4.95", "2.00", "9.00",
        "2", "1",
    ]  # fmt: skip
    assert "4.00 to 7.00, whatever the missing verdicts would have said." in cells[10]
    assert "missing: 1 timed out" in cells[10]


def test_metrics_without_a_judge_are_not_applicable_and_undefined_ones_give_their_reason() -> None:
    offline = page(runs.offline()).one("metrics")
    assert offline.text.count("not applicable: needs a judge") == 4
    undefined = page(runs.no_items())
    row = next(row for row in undefined.one("metrics").all("tr") if "Policy violations per task" in row.text)
    assert "undefined: nobody has marked items in this document" in row.text
    assert "undefined: nobody has marked items in this document" in undefined.one("coverage").text


@pytest.mark.parametrize(
    ("make", "label"), [(runs.offline, Trust.OFFLINE.value), (runs.scripted, Trust.SCRIPTED.value)]
)
def test_what_is_no_real_judge_is_labelled_wherever_its_numbers_stand(
    make: Callable[[], RunResult], label: str
) -> None:
    root = page(make())
    assert label in root.all("title")[0].text
    assert label in root.all(cls="top")[0].text
    assert label in root.all(cls="banner-trust")[0].text
    first_reason = root.one("verdict").all("li")[0]
    assert label in first_reason.text
    shown = [
        *root.all(cls="reading"),
        *[row for row in root.all("table", cls="scores")[0].all("tr")[1:] if "not applicable" not in row.text],
        *root.one("distributions").all("figcaption"),
        *[chart.all("title")[0] for chart in root.all("svg", cls="chart")],
        *[table.all("thead")[0] for table in root.one("distributions").all("table")],
        *root.one("tasks").all("thead"),
        *root.all(cls="verdict-card"),
        *root.one("method").all("table")[0].all("tr")[1:],
        *root.one("coverage").all(cls="legend"),
        *root.one("coverage").all("table", cls="map"),
    ]
    assert len(shown) > 10
    for element in shown:
        if element.tag != "thead" or "Value" in element.text or "scripted" in element.text or "offline" in element.text:
            assert label in element.text, element.text


def test_a_real_judges_page_carries_no_trust_label() -> None:
    assert page(runs.panel()).all(cls="trust") == []


def test_each_distribution_has_a_chart_and_its_table() -> None:
    section = page(runs.small()).one("distributions")
    figures = section.all("figure")
    assert len(figures) == 2
    assert figures[0].all("svg")[0].attributes["role"] == "img"
    assert "Tasks by value: 2: 1, 9: 1." in figures[0].all("desc")[0].text
    counts = {row.all("th")[0].text: row.all("td")[0].text for row in figures[0].all("tbody")[0].all("tr")}
    assert counts == {str(n): "1" if n in {2, 9} else "0" for n in range(1, 11)}
    assert "1 task without a verdict" in figures[0].text


def test_means_over_trials_are_counted_at_the_nearest_whole_number_and_it_is_said() -> None:
    halves = runs.score("desc_alignment", {"0": 7.5, "1": 8.0})
    result = dataclasses.replace(runs.small(), scores=(halves,))
    section = page(result).one("distributions")
    assert "counted at the nearest whole number" in section.text
    assert "8: 2" in section.all("desc")[0].text


def test_the_coverage_map_shows_items_in_document_order_and_who_challenges_them() -> None:
    section = page(runs.small()).one("coverage")
    rows = section.all("table", cls="map")[0].all("tbody")[0].all("tr")
    assert [row.all("th")[0].text for row in rows] == [f"P{n:02d}" for n in range(1, 7)]
    assert [row.all("td")[2].text for row in rows] == ["never", "2", "never", "never", "1", "never"]
    assert rows[1].all("path", cls="cell-whole")[0].attributes["d"] == "M0 1h11v12h-11zM24 1h11v12h-11z"
    assert [link.attributes["href"] for link in rows[1].all("a")] == ["#task=0", "#task=2", "#tasks", "#rule-P02"]
    assert "A loan can be renewed twice at most." in section.one("rule-P02").text
    (untested,) = section.all("details", cls="untested")
    assert "4 of 6 items never challenged" in untested.text
    assert len(untested.all("li")) == 4
    curve = section.all("table", cls="curve")[0].all("tbody")[0].all("td")
    assert [cell.all(cls="strong")[0].text for cell in curve] == ["33.3%", "16.7%", "0.0%", "0.0%", "0.0%"]
    assert curve[0].text == "33.3% 23.3% to 43.3% 4 below"


def test_an_item_named_in_some_trials_only_is_drawn_apart() -> None:
    trials = [runs.verdict("0", violated=("P01",) if trial else (), trial=trial) for trial in range(2)]
    tested = runs.benchmark(runs.task(0), runs.task(1))
    missing = runs.verdict("1", state=VerdictState.TIMEOUT, criterion="policy_violations")
    section = page(runs.result(tested, verdicts=(*trials, missing))).one("coverage")
    row = section.all("tbody")[0].all("tr")[0]
    assert row.all("td")[2].text == "never"
    assert row.all("path", cls="cell-whole") == []
    assert row.all("path", cls="cell-part")[0].attributes["d"].startswith("M0 1")
    assert row.all("path", cls="gap-cell")[0].attributes["d"].startswith("M12 5")


def test_coverage_says_when_violations_were_not_judged() -> None:
    result = dataclasses.replace(runs.small(), scores=(), verdicts=())
    assert "policy violations were not judged in this run" in page(result).one("coverage").text
    without = dataclasses.replace(runs.no_items(), scores=(), verdicts=())
    assert "undefined: nobody has marked items" in page(without).one("coverage").text


def test_items_of_a_tasks_own_policy_are_on_the_map_too() -> None:
    other = dataclasses.replace(runs.policy(1), name="other", sha256="00" * 32)
    item = dataclasses.replace(other.items[0], id="Q01")
    own = runs.task(1, policy=dataclasses.replace(other, items=(item,)))
    verdicts = (runs.verdict("1", violated=("Q01", "X99")),)
    root = page(runs.result(runs.benchmark(runs.task(0), own), verdicts=verdicts))
    assert "Q01" in [cell.text for cell in root.one("coverage").all("tbody")[0].all("th")]
    violated = root.one("task=1").all(cls="violated")[0]
    assert [link.attributes["href"] for link in violated.all("a")] == ["#item-Q01"]
    assert "X99" in violated.text


def test_long_task_ids_are_replaced_by_numbers_on_the_axis() -> None:
    tasks = [runs.task(n, id=f"a-long-name-{n}") for n in range(12)]
    verdicts = [runs.verdict(task.id, violated=()) for task in tasks]
    axis = page(runs.result(runs.benchmark(*tasks), verdicts=tuple(verdicts))).all("svg", cls="axis")[0]
    assert [tick.text for tick in axis.all("text")] == ["no. 1", "no. 11"]


def test_all_tasks_are_there_the_worst_first() -> None:
    root = page(runs.panel())
    (table,) = root.all("table", cls="tasks")
    rows = table.all("tbody")[0].all("tr")
    lowest = [
        min(float(cell.text) for cell in (row.all("td")[n] for n in (1, 2, 4, 5)) if cell.text[0].isdigit())
        for row in rows
    ]
    assert lowest == sorted(lowest)
    tasks = root.all("details", cls="task")
    assert [row.all("a")[0].text for row in rows] == [task.all(cls="id")[0].text for task in tasks]
    assert len(tasks) == 50


def test_a_task_shows_its_parts_rows_origins_and_verdicts() -> None:
    task = page(runs.small()).one("task=1")
    description, behavior = task.all(cls="sources")[0].all("section")
    assert "You want to renew loan L001" in description.text
    assert "tasks.json task 1 user_scenario.instructions" in description.text
    assert "Renews loan L001 for two weeks." in behavior.text
    assert [part.text.split()[0] for part in behavior.all(cls="unused")] == ["Purpose"]
    assert "not part of this run" in behavior.all(cls="unused")[0].text
    assert "Gold actions were not replayed" in behavior.text
    (rows,) = task.all("details", cls="rows")
    assert "open" not in rows.attributes
    assert rows.all("pre")[0].raw_text == '{\n\t"book": "B7",\n\t"due": "2026-12-01",\n\t"renewals": 1\n}'
    verdicts = task.all(cls="verdict-card")
    assert [card.all("strong")[0].text for card in verdicts] == ["2", "0 items"]
    assert "The loan L999 is named nowhere in the description." in verdicts[0].text


def test_a_missing_verdict_gives_its_reason_and_the_unreadable_reply() -> None:
    root = page(runs.panel())
    timed_out = root.one("task=7").all(cls="verdicts")[0].text
    assert "timed out" in timed_out
    assert "no usable reply" in timed_out
    assert '{"score": "ten"' in root.one("task=19").all(cls="verdicts")[0].all("pre")[0].text
    (row,) = [row for row in root.all("table", cls="tasks")[0].all("tr") if row.all("th")[0].text == "7"]
    assert "2 verdicts missing" in row.text
    assert "timed out" in row.text
    assert "read after one repair request" in root.one("task=5").text


def test_a_task_without_any_score_stands_last() -> None:
    last = page(runs.small()).all("table", cls="tasks")[0].all("tr")[-1]
    assert last.all("th")[0].text == "2"
    assert "timed out" in last.text
    assert "1 verdict missing" in last.text


def test_without_alignment_scores_tasks_keep_the_files_order() -> None:
    result = dataclasses.replace(runs.small(), scores=(runs.score("violation_count", {"2": 0.0, "0": 1.0}),))
    root = page(result)
    assert "In the order of the file" in root.one("tasks").text
    names = [task.all(cls="id")[0].text for task in root.all("details", cls="task")]
    assert sorted(names) == ["0", "1", "2"]


def test_what_judges_quote_is_marked_where_it_stands_and_where_it_does_not() -> None:
    reasons = ('It asks to "renew loan L001", and for “a second card”.',)
    verdicts = (runs.verdict("1", score=4.0, reasons=reasons),)
    task = page(runs.result(runs.benchmark(runs.task(1)), verdicts=verdicts)).one("task=1")
    (reason,) = task.all(cls="reasons")
    assert [quote.text for quote in reason.all(cls="found")] == ['"renew loan L001"']
    assert [quote.text for quote in reason.all(cls="unfound")] == ["“a second card”not in the source"]
    assert [mark.text for mark in task.all("mark")] == ["renew loan L001"]


def test_findings_stand_at_their_place_with_how_to_mend_and_a_pointer_on_top() -> None:
    task = page(checked.audited()).one("task=0")
    pointers = task.all(cls="pointers")[0].all("a")
    assert [pointer.text for pointer in pointers] == ["A loan can't be renewed", "The text leaves the loan open"]
    (part,) = [part for part in task.all(cls="part") if "Gold action" in part.text]
    (finding,) = part.all(cls="finding")
    assert finding.attributes["id"] == pointers[0].attributes["href"][1:]
    for words in ("error", "renew_loan refuses 'L000'.", "renewals: 2", "To mend: Renew another loan.", "(line 12)"):
        assert words in finding.text
    assert "loan: L000" not in finding.text, "the sentence says it already"
    (judged,) = page(checked.audited()).one("task=1").all(cls="task-findings")[0].all(cls="finding")
    assert "A judge finds no fit" in judged.text


def test_gold_replays_stand_below_their_calls() -> None:
    root = page(checked.audited())
    fails, returns = (root.one(f"task={id_}").all(cls="replay")[0].text for id_ in ("0", "1"))
    assert fails == "Replay fails: renewals used up: 2 of 2"
    assert returns == "Replay changes loans L001 , returns renewed"
    assert "what it returns" in root.one("task=2").all(cls="replay")[0].text
    assert "Replay changes nothing" in root.one("task=2").text


def test_findings_are_shown_by_pattern_with_their_counts_and_places() -> None:
    section = page(checked.audited()).one("findings")
    assert "2 errors, 3 warnings, 1 note in 3 tasks, by 4 rules" in section.text
    assert "Gold actions were replayed in library." in section.text
    assert "2 of them rest on a judge's low scores." in section.text
    rows = section.all("table", cls="patterns")[0].all("tbody")[0].all("tr")
    assert [row.all("td")[0].text for row in rows] == ["error", "warning", "warning", "note"]
    assert [link.text for link in rows[0].all("a")] == ["0", "2", "filter"]
    assert "whole set" in rows[3].text
    assert "2 tasks are alike: 0, 1." in rows[3].text
    assert "there is no database" in section.all(cls="gaps")[0].text
    clean = page(dataclasses.replace(runs.small(), checked=checked.clean())).one("findings")
    assert "Nothing was found." in clean.text


def test_checks_alone_give_the_same_page_without_scores() -> None:
    alone = dataclasses.replace(
        checked.audited(),
        scores=(),
        verdicts=(),
        tally=Tally(),
        settings=dataclasses.replace(runs.settings(()), metrics=()),
    )
    root = page(alone)
    assert root.all(cls="headline")[0].text == "Mend before release, by the free checks alone:"
    assert "none: findings only" in root.one("verdict").text
    assert "Who judged" in root.all(cls="trust-card")[0].text
    assert not [element for element in root.all("section") if element.attributes.get("id") == "metrics"]
    assert len(root.all("article", cls="task-page")) == 3


def test_a_gated_report_says_what_the_gate_says_first() -> None:
    threshold = Threshold(Side.ABOVE, fail=0)
    gate = GateResult(
        criteria=(
            Criterion(Kind.SEVERITY, "warning", GateLevel.PASS, "3 findings, at most 5"),
            Criterion(Kind.SEVERITY, "error", GateLevel.FAIL, "2 findings, none is allowed", threshold=threshold),
        ),
        waivers=(), counted=(), waived=(), known=(), checked=checked.small(), runs=(), today=date(2026, 12, 1),
        notes=("The baseline is of another version.",),
    )  # fmt: skip
    first = parse(to_html.render(checked.audited(), gate=gate)).one("verdict")
    (shown,) = first.all(cls="gate-fail")
    assert shown.all("p")[0].text == "Gate: FAIL of 2 criteria, 1 failed, 1 passed; waivers as of 2026-12-01"
    assert [item.text for item in shown.all("li")] == [
        "FAIL severity error: 2 findings, none is allowed",
        "severity warning: 3 findings, at most 5",
    ]
    assert "another version" in shown.text


def test_the_policy_document_is_shown_with_its_items_marked() -> None:
    document = page(checked.audited()).all(cls="document")[0]
    assert document.raw_text.count(runs.RULES[0]) == 1
    marks = document.all(cls="rule-mark")
    assert [mark.attributes["data-heats"] for mark in marks] == ["0", "2", "0", "0", "1", "0"]
    assert marks[1].all(cls="rule-n")[0].text == "2 tasks"
    assert marks[1].all(cls="rule-found")[0].text == "1 finding"
    assert marks[1].all("a")[0].attributes["href"] == "#item-P02"
    unasked = page(runs.offline()).all(cls="document")[0]
    assert unasked.all("a") == []
    assert len(unasked.all(cls="heat-none")) == 6


def test_two_judges_scores_are_plotted_against_each_other_with_ties_counted() -> None:
    figure = page(runs.panel()).one("panel").all("figure")[0]
    rows = [[cell.text for cell in row.all("td")] for row in figure.all("tbody")[0].all("tr")]
    assert sum(int(n) for _, _, n in rows) == 47
    assert len(rows) == len(figure.all("circle")) == len({(x, y) for x, y, _ in rows})
    assert f"{runs.OPENAI} 2, {runs.CLAUDE} 8" in figure.all("title")[0].text


def test_a_large_report_packs_the_tasks_and_says_so_without_javascript() -> None:
    tasks = tuple(runs.task(n) for n in range(task_pages.MAX_STATIC + 1))
    root = page(runs.result(runs.benchmark(*tasks)))
    assert root.all("article", cls="task-page") == []
    packed = [one for one in root.all("script") if one.attributes.get("type") == "application/octet-stream"]
    assert [one.attributes["id"] for one in packed] == [*(f"tasks-{n}" for n in range(9)), "texts"]
    trees = json.loads(zlib.decompress(base64.b64decode(packed[-2].raw_text), wbits=-15))
    assert len(trees) == 1
    assert trees[0][1]["id"] == "task=200"
    without = root.one("tasks").all("noscript")[0]
    assert len(without.all("tr")) == 202
    assert "needs JavaScript to be unpacked" in without.text


def test_how_it_was_measured_names_models_prompts_files_and_the_store() -> None:
    small = runs.small()
    settings = dataclasses.replace(
        small.settings, tasks=tuple(str(n) for n in range(30)), limit=3, split="test", trials=2
    )
    tally = dataclasses.replace(small.tally, stored=2, stored_cost_usd=0.5)
    method = page(dataclasses.replace(small, settings=settings, tally=tally)).one("method").text
    for words in (
        "gpt-5.4-2026-10-01 (3)",
        "12" * 32,
        "ab" * 32,
        "split test; ids 0, 1,",
        "…; the first 3",
        "2 of 6 verdicts had been judged before",
        "the stored verdicts had cost $0.50",
        "nl, actions, communicate, env, prose",
        "bench-audit 0.1.0",
    ):
        assert words in method, words


def test_an_unknown_price_is_said_and_never_zero() -> None:
    small = runs.small()
    unknown = dataclasses.replace(small.tally, cost_usd=None)
    verdicts = tuple(
        dataclasses.replace(verdict, cost_usd=None if n else 0.0021) for n, verdict in enumerate(small.verdicts[:3])
    )
    root = page(dataclasses.replace(small, tally=unknown, verdicts=verdicts))
    assert "not known: no price for the model" in root.one("verdict").text
    assert "(price known for 1 of 3)" in root.one("method").text


def test_the_panel_shows_medians_agreement_and_where_judges_part() -> None:
    section = page(runs.panel()).one("panel")
    assert "panel (median of 2)" in section.text
    assert "openai:gpt-5.4: of the model family that wrote the benchmark" in section.text
    agreement = section.all("table")[1].all("tbody")[0].all("tr")
    assert [cell.text for cell in agreement[0].all("td")][1:4] == ["0.61 (n 47)", "0.38 (n 47)", "–"]
    assert "undefined" in agreement[1].text
    assert "no items named" in agreement[1].text
    parted = section.all("table")[-1].all("tbody")[0].all("tr")
    assert parted[0].all("td")[-1].text == "6"
    assert "1: P01" in parted[-1].text
    united = dataclasses.replace(runs.panel().panel, tasks=(), scores=(), author_family=None)  # type: ignore[type-var]
    calm = page(dataclasses.replace(runs.panel(), panel=united)).one("panel").text
    assert "The judges part on no task." in calm
    assert "model family" not in calm


def test_a_judge_of_the_panel_without_a_verdict_is_said_to_have_none() -> None:
    made = runs.panel()
    assert made.panel is not None
    alone = dataclasses.replace(made.panel.tasks[0], value_by_judge={runs.OPENAI: 4.0}, has_parted=True)
    root = page(dataclasses.replace(made, panel=dataclasses.replace(made.panel, tasks=(alone,))))
    assert "no verdict" in root.one("panel").all("table")[-1].text


def test_an_unknown_metric_goes_by_its_own_name() -> None:
    score = Score("novelty", runs.OPENAI, 0.5, (0, 1), by_task={"0": 0.5}, n_used=1)
    root = page(dataclasses.replace(runs.small(), scores=(score,)))
    assert "novelty" in root.one("metrics").text


def test_a_run_without_tasks_or_verdicts_still_renders() -> None:
    empty = dataclasses.replace(runs.benchmark(), tasks=(), files=())
    root = page(runs.result(empty, verdicts=()))
    assert "No verdict, nothing could be measured." in root.one("verdict").text


def test_the_dark_palette_gives_every_colour_of_the_light_one() -> None:
    css = page(runs.small()).all("style")[0].raw_text
    light, dark = (set(re.findall(r"(--[\w-]+):", part)) for part in css.split("prefers-color-scheme: dark")[:2])
    assert light - {"--sans", "--mono"} <= dark


def test_a_page_with_a_judges_and_offline_numbers_says_that_it_is_offline_in_part() -> None:
    offline = runs.score("offline_match", {"0": 0.4}, "offline", trust=Trust.OFFLINE)
    root = page(dataclasses.replace(runs.small(), scores=(*runs.small().scores, offline)))
    assert "partly offline (heuristic)" in root.all(cls="top")[0].text
    assert root.all(cls="headline")[0].text == "Mend before release:"


def test_the_teaser_is_the_first_sentence_rather_than_a_label() -> None:
    domain = dataclasses.replace(runs.task(0).description[0], text="library")
    task = dataclasses.replace(runs.task(0), description=(domain, *runs.task(0).description))
    root = page(runs.result(runs.benchmark(task)))
    assert root.all("td", cls="teaser")[0].text.startswith("You want to renew loan L000")
    short = dataclasses.replace(task, description=(domain,))
    assert page(runs.result(runs.benchmark(short))).all("td", cls="teaser")[0].text == "library"


def test_failure_patterns_stand_with_counts_typical_tasks_and_how_steady_they_are() -> None:
    section = page(checked.audited()).one("patterns")
    assert "4 scores below 7 on 2 tasks, with 9 reasons, of which 8, drawn evenly, are grouped here." in section.text
    assert "fairly steady: 20 redraws of the reasons agree with it at 0.78 (0.60 to 0.90)" in section.text
    rows = [row for body in section.all("tbody") for row in body.all("tr")]
    assert [row.all("th")[0].all("span")[0].text for row in rows] == [
        "Needed facts are not gathered", "Found: loan, named", "Not a fault",
    ]  # fmt: skip
    assert [row.all("td")[0].text.split() for row in rows] == [["4", "50%"], ["3", "38%"], ["1", "13%"]]
    assert [a.attributes["href"] for a in rows[0].all("a")] == ["#task=1", "#task=2", "#task=1"]
    assert "0.42" in rows[1].text
    assert "shaky" in rows[1].text
    assert "shaky" not in rows[0].text
    assert "no-fault" in rows[2].attributes["class"]


def test_without_patterns_the_reason_is_told_and_where_nobody_looked_there_is_no_section() -> None:
    none = dataclasses.replace(
        checked.patterns(), patterns=(), n_scores=0, n_grouped=0, rand=None, problem="no score lies below 7"
    )
    section = page(dataclasses.replace(checked.audited(), patterns=none)).one("patterns")
    assert "Nothing to group: no score lies below 7." in section.text
    assert not section.all("table")
    unsure = dataclasses.replace(checked.patterns(), rand=None, unsteady="all are alike", codebook="codes.csv")
    section = page(dataclasses.replace(checked.audited(), patterns=unsure)).one("patterns")
    assert "from the codebook codes.csv" in section.text
    assert "can't be said: all are alike." in section.text
    assert "#patterns" not in {a.attributes["href"] for a in page(runs.offline()).all("a")}


def test_scripted_patterns_are_labelled() -> None:
    labelled = tuple(dataclasses.replace(one, trust=Trust.SCRIPTED.value) for one in checked.patterns().patterns)
    run = dataclasses.replace(checked.audited(), patterns=dataclasses.replace(checked.patterns(), patterns=labelled))
    assert len(page(run).one("patterns").all(cls="trust")) == 4
