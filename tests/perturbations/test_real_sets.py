"""Perturbations of real benchmarks, where these are."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.inspection import Places, find_source, load
from audit.perturbations.registry import LOWERING, PERTURBATIONS, perturb
from audit.perturbations.writing import write_perturbed
from audit.reports.perturbed import Account

SETS = ("tau3/airline", "tau3/banking", "tau3/telecom", "intellagent/airline", "pararecover/level-2-real")
_FIT_NONE = {("flip-outcome", "pararecover/level-2-real"), ("break-policy", "pararecover/level-2-real")}
_NO_IDS = {("wrong-entity", "intellagent/airline"), ("wrong-entity", "tau3/telecom")}
"""Expected behaviors that name no row of the description."""


@pytest.mark.parametrize("name", SETS)
def test_every_kind_is_written_as_it_is_in_memory(real_data: Path, tmp_path: Path, name: str) -> None:
    places = Places(real_data)
    source, original = find_source(name, places), load(name, places)
    sample = load("sample/library", Places())
    for kind, known in PERTURBATIONS.items():
        other = sample if known.needs_other else None
        found = perturb(original, kind, rate=1.0 if known.is_whole else 0.5, other=other)
        account = Account(found, original, known.direction, known.metrics, other)
        assert len(found.changed_ids) <= max(found.n_wanted, 1)
        if kind in LOWERING and (kind, name) not in _FIT_NONE | _NO_IDS:
            assert found.changed_ids
        notes = write_perturbed(account, source, target=tmp_path / kind)
        assert all("The policy in the folder has" in note for note in notes)
