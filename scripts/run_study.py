"""The papers' design on the built-in sample: tiers, swaps, simulated raters, each a study with its own page.

``make study`` runs it offline and with a scripted judge, which no result may be taken from: it shows that the design
runs whole. ``python -m scripts.run_study --judge openai:… --benchmark DIR`` runs the same with other judges and sets.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from audit.resources import resource

TIERS = {"untouched": 0, "good": 20, "medium": 40, "small": 60, "poor": 80}
"""Tier to the percentage of its tasks whose expected behavior is another task's; the best first."""
RATERS = ("simulated-1", "simulated-2")
RATED = ("desc_alignment", "policy_alignment")


def run(out: Path, benchmark: str, judges: Sequence[str]) -> None:
    """Run every study of the design and write them below ``out``."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    store = ["--store", str(out / "verdicts.sqlite3"), "--quiet"]
    asking = [flag for judge in judges for flag in ("--judge", judge)]
    tiers = [flag for name, rate in TIERS.items() for flag in ("--tier", f"{name}={_tier(out, benchmark, rate)}")]
    offline = ["--metric", "offline_match", *store]
    _call("study", "ordering", *tiers, *offline, "--out", out / "ordering")
    _call("study", "sensitivity", benchmark, *offline, "--out", out / "behavior-swap")
    swapped = ["--kind", "swap-policy", "--with", _other_policy(out), *asking, *store]
    _call("study", "sensitivity", benchmark, *swapped, "--out", out / "policy-swap")
    saved = out / "run.json"
    _call("score", benchmark, *asking, *store, "--format", "json", "--output", saved, "--report", out / "run.html")
    ratings = write_ratings(saved, out / "ratings.csv")
    _call("study", "agreement", saved, "--ratings", ratings, "--out", out / "agreement")


def write_ratings(saved: Path, target: Path, *, seed: int = 0) -> Path:
    """Write raters who say what the first judge said, a step or two off; labelled as simulated."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    verdicts = json.loads(saved.read_bytes())["verdicts"]
    first = verdicts[0]["judge"]
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["task_id", "rater", "kind", "criterion", "value"])
        for verdict in verdicts:
            if verdict["judge"] == first and verdict["criterion"] in RATED and verdict["score"] is not None:
                for rater in RATERS:
                    value = min(10, max(1, round(verdict["score"]) + chance.choice((-2, -1, 0, 0, 1, 2))))
                    writer.writerow([verdict["task_id"], rater, "simulated", verdict["criterion"], value])
    return target


def _tier(out: Path, benchmark: str, rate: int) -> str:
    if not rate:
        return benchmark
    folder = out / "tiers" / f"swapped-{rate}"
    _call("perturb", benchmark, "swap-behavior", "--rate", rate / 100, "--out", folder)
    return str(folder)


def _other_policy(out: Path) -> Path:
    """Write a benchmark that has the sample's second policy."""
    folder = out / "gym"
    folder.mkdir()
    library = resource("benchmarks", "sample", "library")
    for path in library.iterdir():
        if path.is_file():
            shutil.copyfile(path, folder / path.name)
    shutil.copyfile(resource("policies", "sample-gym", "policy.md"), folder / "policy.md")
    return folder


def _call(*arguments: object) -> None:
    words = [str(argument) for argument in arguments]
    sys.stdout.write(f"\n$ bench-audit {' '.join(words)}\n")
    sys.stdout.flush()
    subprocess.run([sys.executable, "-c", "from audit.cli.main import run; run()", *words], check=True)  # noqa: S603  # our own command


def main() -> None:
    """Read the flags and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/study"))
    parser.add_argument("--benchmark", default="sample/library")
    parser.add_argument("--judge", dest="judges", action="append", help="repeat for a panel")
    flags = parser.parse_args()
    run(flags.out, flags.benchmark, flags.judges or ["scripted:seeded"])


if __name__ == "__main__":
    main()
