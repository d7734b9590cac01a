"""The gate's table: what it may say, and what is one clear error."""

from __future__ import annotations

import tomllib

import pytest

from audit import release
from audit.errors import UsageError
from audit.gate.settings import Known, read_settings
from audit.metrics.registry import METRICS
from audit.records.gate import WHOLE, GateSettings, Kind, Side, Subset, Threshold
from tests.gate.made import RULES

SCALES: dict[str, tuple[float, float | None]] = {
    "desc_alignment": (1.0, 10.0),
    "violation_count": (0.0, None),
    "violation_coverage@3": (0.0, 1.0),
}
KNOWN = Known([rule.id for rule in RULES], SCALES)
ERRORS = "[gate.severity.error]\nfail_above = 0\n"


def read(text: str) -> GateSettings:
    return read_settings(tomllib.loads(text)["gate"], KNOWN, where="gate.toml")


def test_every_kind_of_threshold_is_read() -> None:
    found = read(
        """
        [gate.severity]
        error = { fail_above = 0 }
        warning = { warn_above = 3, fail_above = 10 }
        [gate.rule.gold-unknown-id]
        warn_above = 0
        [gate.metric.desc_alignment]
        warn_below = 7.5
        fail_below = 7
        judge = "each"
        [gate.metric."violation_coverage@3"]
        fail_below = 0.5
        [[gate.subset]]
        tag = "refusal"
        severity.error.fail_above = 2
        metric.violation_count.fail_above = 4.5
        [[gate.subset]]
        split = "test"
        rule.text-doubtful.fail_above = 1
        """
    ).demands
    assert [(each.kind, each.name, each.threshold, each.subset, each.judge) for each in found] == [
        (Kind.SEVERITY, "error", Threshold(Side.ABOVE, None, 0), WHOLE, ""),
        (Kind.SEVERITY, "warning", Threshold(Side.ABOVE, 3, 10), WHOLE, ""),
        (Kind.RULE, "gold-unknown-id", Threshold(Side.ABOVE, 0, None), WHOLE, ""),
        (Kind.METRIC, "desc_alignment", Threshold(Side.BELOW, 7.5, 7), WHOLE, "each"),
        (Kind.METRIC, "violation_coverage@3", Threshold(Side.BELOW, None, 0.5), WHOLE, ""),
        (Kind.SEVERITY, "error", Threshold(Side.ABOVE, None, 2), Subset("tag", "refusal"), ""),
        (Kind.METRIC, "violation_count", Threshold(Side.ABOVE, None, 4.5), Subset("tag", "refusal"), ""),
        (Kind.RULE, "text-doubtful", Threshold(Side.ABOVE, None, 1), Subset("split", "test"), ""),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[gate]", ("no thresholds", "[gate.severity.error]")),
        ("[gate.severity]", ("no thresholds",)),
        ("[gate.severity.eror]\nfail_above = 0", ("no severity 'eror'", "error")),
        ("[gate.rule.gold-unknown]\nfail_above = 0", ("no rule", "gold-unknown-id")),
        ("[gate.metric.violation_coverage]\nfail_below = 1", ("no metric", "violation_coverage@3")),
        ("[gate]\nseverity = 3", ("[gate.severity]", "not a table")),
        ("[gate.severity]\nerror = 3", ("[gate.severity.error]", "not a table")),
        ("[gate.severity.error]", ("no threshold",)),
        ("[gate.severity.error]\nfial_above = 0", ("'fial_above'", "fail_above")),
        ("[gate.severity.error]\nfail_below = 0", ("'fail_below'",)),
        ("[gate.severity.error]\njudge = 'each'", ("'judge'",)),
        ("[gate.severity.error]\nfail_above = -1", ("-1", "outside of 0 and up")),
        ("[gate.severity.error]\nfail_above = 1.5", ("1.5", "whole number")),
        ("[gate.severity.error]\nfail_above = true", ("True", "whole number")),
        ("[gate.severity.error]\nfail_above = '0'", ("'0'", "whole number")),
        ("[gate.severity.error]\nfail_above = 1\nwarn_above = 2", ("warn_above", "never show")),
        ("[gate.metric.desc_alignment]\nfail_below = 7\nwarn_below = 6", ("warn_below", "never show")),
        ("[gate.metric.desc_alignment]\nfail_below = 7\nwarn_above = 6", ("both sides",)),
        ("[gate.metric.desc_alignment]\nfail_below = 70", ("70", "outside of 1 to 10")),
        ("[gate.metric.desc_alignment]\nfail_below = nan", ("nan",)),
        ("[gate.metric.violation_count]\nfail_above = inf", ("inf",)),
        ("[gate.metric.desc_alignment]\nfail_below = '7'", ("'7'", "a number")),
        ("[gate.metric.desc_alignment]\njudge = 'each'", ("no threshold",)),
        ("[gate.metric.desc_alignment]\nfail_below = 7\njudge = 1", ("judge is not a text",)),
        ("[gate.subset]\ntag = 'x'", ("[gate.subset]", "list of tables")),
        ("[gate]\nsubset = 'x'", ("list of tables",)),
        ("[gate]\nsubset = ['x']", ("not a table",)),
        ("[[gate.subset]]\nseverity.error.fail_above = 0", ("which tasks",)),
        ("[[gate.subset]]\ntag = 'a'\nsplit = 'b'\nseverity.error.fail_above = 0", ("which tasks",)),
        ("[[gate.subset]]\ntag = 1\nseverity.error.fail_above = 0", ("tag is not a text",)),
        ("[[gate.subset]]\ntag = 'a'", ("[[gate.subset]] 1", "no thresholds")),
        ("[[gate.subset]]\ntag = 'a'\nseverty.error.fail_above = 0", ("'severty'", "severity")),
        (ERRORS + "[[gate.waiver]]\nrule = 'gold-unknown-id'", ("[[gate.waiver]] 1", "has no content")),
    ],
)
def test_a_broken_line_is_one_clear_error(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=r"^gate\.toml") as caught:
        read(text)
    assert "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_every_rule_and_every_metric_of_the_registries_can_be_demanded() -> None:
    known = release.known_names()
    assert {name.partition("@")[0] for name in known.scales} == set(METRICS)
    assert known.scales["violation_coverage@5"] == (0.0, 1.0)
    assert {"gold-unknown-id", "judged-policy-alignment"} <= set(known.rules)
