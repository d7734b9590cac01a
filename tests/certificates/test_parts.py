"""The pieces of certificates: orders planted in tasks, the suite, what is read back, and what differs from a run."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.certificates.carrying import carry_over
from audit.certificates.injections import CONTROL, DISGUISES, plant
from audit.certificates.issuing import Wish, certify
from audit.certificates.study_form import to_study
from audit.certificates.suite import MOST_TASKS, UNTOUCHED, draw_tasks, make_suite
from audit.certified import hold_certificates, identities
from audit.errors import LoadError
from audit.loaders.certificate import read_certificate
from audit.pipeline import score_benchmark
from audit.records.certificate import Certificate, Gap, Section
from audit.records.study import StudySubject
from audit.records.task import Origin, PartKind, Row
from audit.reports.certificate_json import write_certificate
from audit.reports.certificate_words import age_days, certificate_lines
from audit.store import Store
from tests import builders
from tests.certificates.conftest import ground_of, sample


def test_an_order_is_planted_where_it_was_meant_and_nothing_else_is_changed() -> None:
    row = Row("members", "M1", {"name": "Ann"}, Origin("db.json", "members.M1"))
    task = builders.task(rows=[row])
    order = DISGUISES[0]
    behavior = plant(task, order, place="behavior")
    assert behavior.behavior[0].text == f"{task.behavior[0].text}\n{order.text}"
    assert (behavior.description, behavior.rows) == (task.description, task.rows)
    rows = plant(task, order, place="rows")
    assert rows.rows[0].value == {"name": "Ann", "note": order.text}
    assert (rows.description, rows.behavior) == (task.description, task.behavior)
    assert plant(task, order, place="description").description[-1].text.endswith(order.text)


def test_a_task_without_the_place_gets_the_order_in_its_description_or_none() -> None:
    order = DISGUISES[0]
    no_rows = plant(builders.task(rows=[Row("log", "1", "text", Origin("db.json", "log.1"))]), order, place="rows")
    assert no_rows.description[-1].text.endswith(order.text)
    purpose = builders.part("To test refunds.", PartKind.PURPOSE)
    unseen = plant(replace(builders.task(), behavior=(purpose,)), order, place="behavior")
    assert unseen.behavior == (purpose,)
    assert unseen.description[-1].text.endswith(order.text)
    nothing = replace(builders.task(), description=(), behavior=())
    assert plant(nothing, order, place="behavior") == nothing


def test_disguises_are_told_apart_and_the_control_asks_for_nothing() -> None:
    assert len({each.name for each in DISGUISES}) == len({each.text for each in DISGUISES}) == 10
    assert "10" not in CONTROL.text


def test_the_suite_is_the_same_every_time_and_its_hash_knows_what_is_asked() -> None:
    suite = make_suite(sample(), trials=2)
    assert suite.sha256 == make_suite(sample(), trials=2).sha256
    fewer = replace(sample(), tasks=sample().tasks[:20])
    assert suite.sha256 != make_suite(fewer, trials=2).sha256
    assert {probe.section for probe in suite.probes} == {*Section} - {Section.FORMAT, Section.AGREEMENT}
    assert (suite.probes[0].name, suite.probes[0].trials) == (UNTOUCHED, 2)


def test_of_many_tasks_some_are_drawn_and_kinds_that_do_not_fit_are_told() -> None:
    many = builders.benchmark(*(builders.task(f"t{n}", description=f"You want {n} rooms.") for n in range(80)))
    drawn = draw_tasks(many)
    assert len(drawn.tasks) == MOST_TASKS
    assert drawn == draw_tasks(many)
    suite = make_suite(many, trials=1)
    assert {gap.what for gap in suite.gaps} >= {"drop-step on test/domain"}
    assert all(gap.why for gap in suite.gaps)
    assert {probe.against for probe in suite.probes} == {UNTOUCHED}


def test_a_certificate_is_read_back_as_it_was_and_nothing_else_is(certificates: dict[str, Certificate]) -> None:
    written = write_certificate(certificates["wavering"])
    assert read_certificate(written, where="here") == certificates["wavering"]
    with pytest.raises(LoadError, match="holds no certificate"):
        read_certificate('{"format": "bench-audit/run"}', where="here")
    damaged = json.loads(written)
    next(iter(damaged["certificate"]["measures"][0]["values"].values()))["value"] = -1e308
    with pytest.raises(LoadError, match=r"holds no certificate: certificate\.measures\.0\.values\..*too great"):
        read_certificate(json.dumps(damaged), where="here")


def test_age_is_in_whole_days_and_unknown_where_a_time_is(certificates: dict[str, Certificate]) -> None:
    made = replace(certificates["perfect"], created_at="2026-01-01T12:00:00+00:00")
    assert age_days(made, now="2026-03-02T11:59:00+00:00") == 59
    assert age_days(made, now="2025-12-31T00:00:00") == 0
    assert age_days(made, now="") is None


def test_what_is_undefined_is_said_with_its_reason(certificates: dict[str, Certificate]) -> None:
    lines = dict(certificate_lines(certificates["constant"]))
    assert "violated items: undefined (no verdict had room" in lines["Planted orders"]
    assert "agreement with people (no --ratings were given)" in lines["Not measured"]


def test_other_prompts_and_another_suite_are_told(certificates: dict[str, Certificate], tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        ground = ground_of(store, "perfect", trials=1)
        result = score_benchmark(sample(), ground.settings, panel=ground.panel, store=store)
        assert result.certificates[0].certificate is None
        known = identities(ground.panel.providers)
        old = replace(certificates["perfect"], suite="0", prompts=())
        key = known["test:perfect"].key
        store.add_certificate(key, created_at=old.created_at, record=write_certificate(old).decode())
        (held,) = hold_certificates(result, known, store=store).certificates
    assert held.caveats == (
        "It was certified with other prompts than desc_alignment.tau, policy_alignment.tau, policy_violations.tau of "
        "this run.",
        "It was certified by version 0 of the suite; this program has version 2.",
    )


def test_a_benchmark_of_one_s_own_is_measured_beside_the_sample(tmp_path: Path) -> None:
    own = replace(sample(), name="my/library", author_family="OpenAI")
    with Store(tmp_path / "s.sqlite3") as store:
        ground = ground_of(store, "constant", trials=1)
        issued = certify(Wish(sample(), own), ground)
        study = to_study(issued, ground)
    (certificate,) = issued.certificates
    assert [subject.name for subject in certificate.subjects] == ["sample/library", "my/library"]
    assert {measure.benchmark for measure in certificate.of(Section.SENSITIVITY)} == {"sample/library", "my/library"}
    assert {measure.benchmark for measure in certificate.of(Section.AGREEMENT)} == {"sample/library"}
    swapped = {each.benchmark for each in certificate.of(Section.SENSITIVITY) if each.name == "swap-policy"}
    assert swapped == {"sample/library", "my/library"}, "also where its policy is the sample's"
    assert "stability" in {gap.what for gap in certificate.unmeasured}
    assert certificate.of(Section.STABILITY) == ()
    assert "your own benchmark" not in {gap.what for gap in certificate.unmeasured}
    assert any("planted defects, my/library" in sentence for sentence in study.summary)


def test_what_was_measured_on_a_benchmark_stays_with_its_date_where_another_one_is_certified(tmp_path: Path) -> None:
    own = replace(sample(), name="my/library")
    with Store(tmp_path / "s.sqlite3") as store:
        ground = ground_of(store, "constant", trials=1)
        (first,) = certify(Wish(sample(), own), ground).certificates
        issued = certify(Wish(sample()), ground)
        (second,) = issued.certificates
        (third,) = certify(Wish(sample(), replace(own, name="other/library")), ground).certificates
        (fourth,) = certify(Wish(sample(), own), ground).certificates
        assert store.find_certificates(first.identity.key)[-1] == write_certificate(fourth).decode()
    kept = [measure for measure in first.measures if measure.benchmark == "my/library"]
    assert kept
    assert [measure for measure in second.measures if measure.benchmark == "my/library"] == kept
    assert second.measured_at == {"my/library": first.created_at}
    assert [each.name for each in third.subjects] == ["sample/library", "other/library", "my/library"]
    assert third.measured_at == {"my/library": first.created_at}
    assert fourth.measured_at == {"other/library": third.created_at}
    lines = [name for name, _ in certificate_lines(second) if "my/library" in name]
    assert lines
    assert all(name.endswith("UTC)") for name in lines)
    assert [gap.what for gap in second.unmeasured] == ["stability", "agreement with people"]
    assert any(note.startswith("my/library was not measured again") for note in to_study(issued, ground).notes)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"models": ("test-2",)}, "of another model (test-2)"),
        ({"models": ()}, "of another model (unnamed)"),
        ({"suite": "1"}, "by version 1 of the suite"),
        ({"n_missing": 1}, "with verdicts missing"),
        ({"prompts": (("desc_alignment.tau", "0" * 64),)}, "with other prompts"),
    ],
)
def test_numbers_of_another_judge_or_suite_are_not_kept(
    certificates: dict[str, Certificate], change: dict[str, Any], why: str
) -> None:
    new = certificates["perfect"]
    subject = StudySubject("my/library", 42, "0" * 64)
    old = replace(new, subjects=(*new.subjects, subject), created_at="2026-01-02T03:04:05+00:00", **change)
    kept = carry_over(new, old)
    assert kept.measures == new.measures
    assert kept.measured_at == {}
    assert kept.unmeasured[-1] == Gap("my/library", f"measured on 2026-01-02, {why}; name it to measure it again")


def test_a_policy_that_is_swapped_is_measured_and_is_no_planted_defect(certificates: dict[str, Certificate]) -> None:
    (_, violations) = swapped = [
        each for each in certificates["perfect"].of(Section.SENSITIVITY) if each.name == "swap-policy"
    ]
    assert [each.metric for each in swapped] == ["policy_alignment", "violation_count"]
    assert swapped[0].values["auroc"].value == 1.0
    assert violations.values["change"].value is not None
    assert violations.values["change"].value < 0
    (_, policy) = certificates["perfect"].screens
    kinds = {"break-policy", "flip-outcome"}
    n_changed = sum(each.n for each in certificates["perfect"].of(Section.SENSITIVITY) if each.name in kinds)
    assert len(policy.flawed) <= n_changed, "swapped policies are not among them"


def test_a_store_of_an_earlier_version_gets_its_table_with_the_first_certificate(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    Store(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE judge_certificates")
        connection.commit()
    with Store(path) as store:
        assert store.find_certificates("k") == ()
        store.add_certificate("k", created_at="2026-01-02", record="second")
        store.add_certificate("k", created_at="2026-01-01", record="first")
        assert store.find_certificates("k") == ("first", "second")
        assert store.find_certificates("other") == ()
