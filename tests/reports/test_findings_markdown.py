from __future__ import annotations

import re

import pytest

from audit.reports.findings_markdown import LIMIT, code, ours, to_markdown
from tests.reports import checked, hostile


def test_the_counts_stand_in_a_table() -> None:
    lines = to_markdown(checked.small()).splitlines()
    assert "| `loan-write-fails` | A loan can't be renewed | 2 | 0 | 0 |" in lines
    assert "**2 of them fail this check.**" in lines[2]


def test_findings_are_folded_away_and_only_errors_are_open() -> None:
    text = to_markdown(checked.small())
    assert text.count("<details open>") == 1
    assert text.count("<details") == text.count("</details>") == 4
    assert "<details open><summary>Errors (2)" in text


def test_an_entry_says_where_what_and_how_to_mend_it() -> None:
    text = to_markdown(checked.small())
    assert (
        "- `loan-write-fails` (proved) at `library/tasks.json:12 task 0 actions[0]`\n"
        "  `renew_loan refuses 'L000'.`\n  `renewals: 2`\n  To mend: Renew another loan.\n"
    ) in text


def test_without_findings_there_is_no_table() -> None:
    text = to_markdown(checked.clean())
    assert "no findings" in text
    assert "|" not in text


def test_a_long_result_is_cut_between_findings_and_says_how_many_are_gone() -> None:
    text = to_markdown(checked.many(500))
    assert len(text) <= LIMIT + 100
    more = re.search(r"… and (\d+) more", text)
    assert more is not None
    assert text.count("- `loan-write-fails`") + int(more[1]) == 500
    assert text.rstrip().endswith("</details>")


def outside_code(text: str) -> str:
    """The text without its code spans, found as CommonMark does: a run of backticks ends at the next one as long."""
    left, at = [], 0
    for run in re.finditer(r"(?<!`)(`+)(?!`)", text):
        if run.start() < at:
            continue
        end = re.compile(rf"(?<!`){run[1]}(?!`)").search(text, run.end())
        if end is None:
            continue
        left.append(text[at : run.start()])
        at = end.end()
    return "".join([*left, text[at:]])


@pytest.mark.parametrize(
    "text",
    [
        *hostile.STRINGS.values(),
        "@everyone #1 https://evil.test www.evil.test",
        "`` ` ``` unbalanced",
        "`@user`",
        "ends with `",
        "a | b\n\n# heading\n- [ ] list\n</details>",
        "![x](https://evil.test/x.png) [x](javascript:alert(1))",
        "\\`@user\\`",
    ],
)
def test_everything_that_comes_from_a_benchmark_stands_in_code(text: str) -> None:
    shown = outside_code(to_markdown(checked.everywhere(text)))
    allowed = outside_code(to_markdown(checked.everywhere("harmless")))
    assert set(re.findall(r"\w+", shown)) <= set(re.findall(r"\w+", allowed))
    assert shown.count("<") == allowed.count("<")
    assert "@" not in shown
    assert "evil" not in shown


def test_a_code_span_is_one_line_and_longer_than_any_run_inside_it() -> None:
    assert code("a\n\nb") == "`a b`"
    assert code("``x`") == "``` ``x` ```"


def test_our_own_sentences_end_no_cell_and_make_no_html() -> None:
    assert ours("a | <b> & c") == "a \\| &lt;b&gt; &amp; c"
