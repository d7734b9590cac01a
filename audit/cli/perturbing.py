"""What ``bench-audit perturb`` does with its flags."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audit import __version__, pipeline
from audit.cli.output import check_writable, say, write_file, write_lines, write_result
from audit.errors import UsageError
from audit.loaders.splits import choose_tasks
from audit.perturbations.protocol import Perturbation
from audit.perturbations.registry import find_perturbation, perturb
from audit.perturbations.writing import check_folder, write_perturbed
from audit.records.task import Benchmark
from audit.reports.perturbed import JSON_NAME, Account, render_json, render_text

_USUAL_RATE = 0.2


@dataclass(frozen=True, slots=True)
class PerturbFlags:
    """The command's flags as click parsed them."""

    benchmark: str
    kind: str
    places: pipeline.Places
    tasks: tuple[str, ...]
    limit: int | None
    split: str | None
    rate: float | None
    seed: int
    other: str | None
    out: Path | None
    force: bool
    n_shown: int
    format_name: str
    output: Path | None


def run(flags: PerturbFlags) -> int:
    """Perturb as the flags say and return the exit code."""
    kind = find_perturbation(flags.kind)
    source = pipeline.find_source(flags.benchmark, flags.places)
    if flags.output is not None:
        check_writable(flags.output)
    if flags.out is not None:
        check_folder(source, flags.out, may_replace=flags.force)
    original = choose_tasks(
        pipeline.load(flags.benchmark, flags.places), tasks=flags.tasks, limit=flags.limit, split=flags.split
    )
    account = _perturb(original, kind, flags)
    if flags.out is not None:
        for note in write_perturbed(account, source, target=flags.out):
            say(f"Note: {note}")
    _tell(account, flags)
    return 0


def _perturb(original: Benchmark, kind: Perturbation, flags: PerturbFlags) -> Account:
    rate = flags.rate if flags.rate is not None else 1.0 if kind.is_whole else _USUAL_RATE
    if kind.needs_other and flags.other is None:
        mend = "Name a benchmark of another domain, such as tau3/retail"
        raise UsageError(f"{kind.name} takes the policy of another benchmark", where="--with", mend=mend)
    other = None if flags.other is None else pipeline.load(flags.other, pipeline.Places(flags.places.data_dir))
    return Account(
        perturbed=perturb(original, kind.name, rate=rate, seed=flags.seed, other=other),
        original=original,
        direction=kind.direction,
        metrics=kind.metrics,
        other=other,
        tool_version=__version__,
    )


def _tell(account: Account, flags: PerturbFlags) -> None:
    if flags.format_name == "json":
        content = render_json(account)
    else:
        content = "".join(f"{line}\n" for line in render_text(account, n_shown=flags.n_shown)).encode()
    if flags.output is not None:
        write_file(flags.output, content)
    elif flags.format_name == "json":
        write_result(content)
    else:
        write_lines(*content.decode().splitlines())
    if flags.out is not None:
        say(f"written to {flags.out}; {JSON_NAME} there says what was changed")
