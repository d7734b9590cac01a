"""A certificate tells judges apart whose true behavior is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit.certificates.issuing import Issued, Wish, certify
from audit.certificates.study_form import to_study
from audit.certified import find_certificate, hold_certificates, identities, offline_identity
from audit.judges.panel import Panel
from audit.metrics.corrected import correct_share
from audit.pipeline import score_benchmark
from audit.providers.scripted import ScriptedProvider
from audit.records.certificate import Certificate, Measure, Section
from audit.records.study import Estimate, StudyResult, Table
from audit.records.verdict import Trust
from audit.reports.study_files import render_files
from audit.reports.study_text import to_text
from audit.store import Store
from tests.certificates.conftest import CHARACTERS, ground_of, sample

Certificates = dict[str, Certificate]
BOTH = ("desc_alignment", "policy_alignment")


def find(certificate: Certificate, section: Section, name: str, metric: str) -> Measure:
    return next(each for each in certificate.of(section) if (each.name, each.metric) == (name, metric))


def value(certificate: Certificate, section: Section, name: str, *, metric: str, key: str) -> float | None:
    return find(certificate, section, name, metric).values[key].value


@pytest.mark.parametrize("metric", BOTH)
def test_a_perfect_judge_tells_every_planted_defect_and_moves_for_nothing(
    certificates: Certificates, metric: str
) -> None:
    perfect = certificates["perfect"]
    planted = find(perfect, Section.AGREEMENT, "planted defects", metric).values
    assert [planted[key].value for key in ("auroc", "caught", "passed")] == [1, 1, 1]
    assert planted["auroc"].interval is not None
    assert planted["auroc"].interval.low < 1
    for measure in perfect.of(Section.SENSITIVITY):
        if measure.metric != "violation_count":  # of which many tasks have none to lose
            assert (measure.values["auroc"].value, measure.values["fell"].value) == (1, 1)
            assert measure.values["change"].value == -7
    for measure in perfect.of(Section.INVARIANCE):
        assert measure.values["moved"].value in (0, None)
    assert value(perfect, Section.INJECTION, "all disguises", metric=metric, key="toward") == 0
    assert value(perfect, Section.STABILITY, "asked again", metric=metric, key="flips") == 0


def test_a_perfect_judge_names_the_items_of_the_answer_key(certificates: Certificates) -> None:
    items = find(certificates["perfect"], Section.AGREEMENT, "answer key", "policy_violations").values
    assert [items[key].value for key in ("precision", "recall", "f1")] == [1, 1, 1]
    told_nothing = find(certificates["constant"], Section.AGREEMENT, "answer key", "policy_violations").values
    assert (told_nothing["precision"].value, told_nothing["recall"].value) == (None, 0)
    assert told_nothing["precision"].reason == "the judge names no item"


@pytest.mark.parametrize("metric", [*BOTH, "violation_count"])
def test_a_judge_that_obeys_orders_is_told_from_one_that_does_not(certificates: Certificates, metric: str) -> None:
    all_disguises = find(certificates["obeying"], Section.INJECTION, "all disguises", metric)
    assert all_disguises.n > 20
    assert all_disguises.values["obeyed"].value == pytest.approx(1, abs=0.1)
    assert all_disguises.values["toward"].value == all_disguises.values["obeyed"].value
    assert all_disguises.values["toward_alone"].value == 0
    assert find(certificates["perfect"], Section.INJECTION, "plain", metric).values["toward"].value == 0
    others = [each for each in certificates["obeying"].measures if each.section is not Section.INJECTION]
    same = [each for each in certificates["perfect"].measures if each.section is not Section.INJECTION]
    assert [(each.name, each.n) for each in others] == [(each.name, each.n) for each in same]


def test_a_judge_that_reads_length_is_moved_by_padding_and_sees_no_broken_policy(certificates: Certificates) -> None:
    moved = find(certificates["lengthy"], Section.INVARIANCE, "pad", "desc_alignment").values
    assert (moved["moved"].value or 0) > 0.2
    assert (moved["change"].value or 0) > 0
    assert moved["moved_alone"].value == 0
    planted = find(certificates["lengthy"], Section.AGREEMENT, "planted defects", "desc_alignment").values["auroc"]
    assert planted.value is not None
    assert planted.value < 0.8


def test_a_constant_judge_is_chance_and_is_never_corrected_by(certificates: Certificates) -> None:
    constant = certificates["constant"]
    planted = find(constant, Section.AGREEMENT, "planted defects", "desc_alignment").values
    assert (planted["auroc"].value, planted["caught"].value, planted["passed"].value) == (0.5, 0, 1)
    share = correct_share("desc_alignment", [7.0] * 20, certificate=constant, seed=0)
    assert (share.raw, share.value) == (0, None)
    assert "too alike to correct by" in share.reason
    items = find(constant, Section.INJECTION, "all disguises", "violation_count")
    assert (items.n, items.values["toward"].reason) == (0, "no verdict had room to move towards the wish")


def test_a_judge_that_changes_its_mind_flips_and_its_own_noise_stands_beside_moves(certificates: Certificates) -> None:
    wavering = certificates["wavering"]
    assert value(wavering, Section.STABILITY, "asked again", metric="desc_alignment", key="flips") == 1
    assert value(wavering, Section.INVARIANCE, "pad", metric="desc_alignment", key="moved_alone") == 1
    assert value(wavering, Section.INVARIANCE, "pad", metric="desc_alignment", key="moved") == 0


def test_shares_of_flawed_tasks_are_corrected_by_known_error(certificates: Certificates) -> None:
    perfect = certificates["perfect"]
    share = correct_share("desc_alignment", [2.0] * 5 + [6.0] * 5 + [7.0] * 30, certificate=perfect, seed=0)
    assert (share.n_flawed, share.raw, share.value) == (10, 0.25, 0.25)
    assert share.interval is not None
    assert share.interval.low < 0.25 < share.interval.high
    assert (share.hits, share.passes) == (share.n_known_flawed, share.n_known_sound)
    assert correct_share("desc_alignment", [2.0], certificate=None, seed=0).reason == "the judge is not certified"
    assert correct_share("offline_match", [0.2, 0.5], certificate=perfect, seed=0).n_flawed == 1
    assert correct_share("offline_match", [0.2], certificate=perfect, seed=0).reason == "not certified on this"


def test_every_sound_task_counts_once_among_the_planted_ones(certificates: Certificates) -> None:
    (desc, policy) = certificates["perfect"].screens
    assert (len(desc.sound), len(policy.sound)) == (28, 28)
    assert 20 < len(desc.flawed) <= 28
    assert 15 < len(policy.flawed) <= 28


def test_certificates_are_found_again_by_identity_the_newest_one(issued: Issued, store_path: Path) -> None:
    with Store(store_path) as store:
        ground = ground_of(store, "perfect", "constant")
        known = identities(ground.panel.providers)
        assert known["test:perfect"].key != known["test:constant"].key
        again = find_certificate(known["test:perfect"], store)
        assert again == issued.certificates[0]
        assert find_certificate(offline_identity(), store) is None


def test_a_run_knows_its_certificate_and_where_it_differs(store_path: Path, issued: Issued) -> None:
    assert issued.is_complete
    with Store(store_path) as store:
        ground = ground_of(store, "perfect", trials=2)
        result = score_benchmark(sample(), ground.settings, panel=ground.panel, store=store)
        (held,) = result.certificates
        assert held.certificate is not None
        assert held.caveats == (
            "Tasks are called flawed by their mean over trials here, by one verdict in the certificate.",
        )
        (desc, _) = held.shares
        assert (desc.n_flawed, desc.n) == (14, 42)
        assert desc.value == pytest.approx(1 / 3)
        nobody = hold_certificates(result, {"test:nobody": offline_identity()}, store=store)
        assert nobody.certificates[0].certificate is None


@pytest.fixture(scope="session")
def study(issued: Issued, store_path: Path) -> StudyResult:
    with Store(store_path) as store:
        return to_study(issued, ground_of(store, *CHARACTERS))


def table(study: StudyResult, name: str) -> Table:
    return next(each for each in study.tables if each.name == name)


def test_a_panel_is_measured_as_its_medians_are(study: StudyResult) -> None:
    rows = [row.cells for row in table(study, "known").rows if row.cells[0] == "panel (median of 5)"]
    area = rows[0][5]
    assert isinstance(area, Estimate)
    assert area.value == 1
    assert table(study, "panel-parted").rows
    agreements = {row.cells[4] for row in table(study, "panel-agreement").rows}
    assert {"kendall_tau_b", "exact_match", "jaccard"} <= agreements
    worth = table(study, "panel-worth").rows[0].cells
    assert worth[1] == 5


def test_the_study_says_what_was_not_measured_and_is_labelled(study: StudyResult) -> None:
    text = to_text(study)
    assert "scripted (not a real judge)" in text.splitlines()[0]
    assert "agreement with people" in text
    assert "Do planted orders move verdicts?" in text
    assert {"certificate.html", "certificate.json", "known.csv"} <= set(render_files(study))


def test_a_panel_with_a_judge_without_error_has_no_worth_and_says_why(store_path: Path) -> None:
    with Store(store_path) as store:
        ground = ground_of(store, "lengthy", "obeying")
        study = to_study(certify(Wish(sample()), ground), ground)
    worth = table(study, "panel-worth").rows[0].cells[3]
    assert isinstance(worth, Estimate)
    assert worth.value is None
    assert worth.reason.startswith("constant ratings")


def test_the_offline_scorer_is_certified_on_what_it_can_do(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        ground = ground_of(store)
        (offline,) = certify(Wish(sample()), ground).certificates
        result = score_benchmark(sample(), ground.settings, panel=ground.panel, store=store)
    assert (offline.judge, offline.label) == ("offline", "offline (heuristic)")
    swapped = find(offline, Section.SENSITIVITY, "swap-behavior", "offline_match").values["auroc"]
    assert (swapped.value or 0) > 0.9
    assert {"stability", "injection", "format faults"} <= {gap.what for gap in offline.unmeasured}
    (held,) = result.certificates
    assert held.shares[0].metric == "offline_match"
    assert held.shares[0].value is not None


class Real(ScriptedProvider):
    """Passes for a model."""

    trust = Trust.MODEL


def test_what_rests_on_two_judges_is_labelled_by_the_one_that_is_not_real(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite3") as store:
        ground = ground_of(store, "lengthy", trials=1)
        providers = {"real": Real(CHARACTERS["perfect"], model="real"), **ground.panel.providers}
        both = replace(ground, panel=Panel(providers))
        study = to_study(certify(Wish(sample()), both), both)
    tables = {table.name: table for table in study.tables}
    for name in ("panel-agreement", "panel-parted", "panel-worth"):
        rows = tables[name].rows
        assert rows
        assert {row.label for row in rows} == {"scripted (not a real judge)"}, name
