"""Load → check: the part of the flow that needs no judge, and so none of what talks to one."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from pathlib import Path

from audit import __version__
from audit.checks.protocol import Subject
from audit.checks.running import Choice, run_checks
from audit.environments.registry import environment_for
from audit.errors import UsageError
from audit.loaders.item_set import items_beside
from audit.loaders.lines import locate, seen_from
from audit.loaders.policy_rules import find_policy_rules, read_policy_rules
from audit.loaders.registry import load_benchmark
from audit.loaders.splits import choose_tasks
from audit.records.check import CheckResult
from audit.records.run import Settings
from audit.records.source import Source
from audit.records.task import Benchmark
from audit.sources.resolve import resolve_source

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Places:
    """Where a benchmark's files are, as the user said it.

    Parameters
    ----------
    items
        A file of policy items.
    columns
        Pairs of a task's field and the column of a plain table that holds it.
    style
        How judges read the expected behavior, instead of the format's own way.
    """

    data_dir: Path | None = None
    policy: Path | None = None
    database: Path | None = None
    tools: Path | None = None
    use_items: bool = True
    items: Path | None = None
    columns: tuple[tuple[str, str], ...] = ()
    style: str | None = None


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What the free checks look for: which rules, in which environment (``auto``, ``none`` or a name), by which file of
    policy rules (``None`` for those that ship for this very document).
    """

    choice: Choice = field(default_factory=Choice)
    environment: str = "auto"
    policy_rules: Path | None = None


def find_source(name: str, places: Places) -> Source:
    """Find a benchmark's files, policy items that the user named or put beside the policy among them; read none."""
    source = resolve_source(
        name,
        data_dir=places.data_dir,
        policy=places.policy,
        database=places.database,
        tools=places.tools,
        use_items=places.use_items,
    )
    source = _lay_out(source, places)
    if places.items is None and (source.items is not None or source.policy is None or not places.use_items):
        return source
    beside = source.policy and items_beside(source.policy)
    return replace(source, items=places.items or beside)


def _lay_out(source: Source, places: Places) -> Source:
    """Return a source with the columns and the style that the user named."""
    if places.columns and source.loader != "plain":
        what = f"columns can't be mapped in the format {source.loader!r}, which says itself what its fields hold"
        raise UsageError(what, where="--map", mend="Leave it out, or give a CSV or JSON table")
    if places.style is not None and source.style == "plan":
        raise UsageError("plans have a style of their own", where="--style", mend="Leave it out")
    columns = tuple({**dict(source.columns), **dict(places.columns)}.items())
    return replace(source, columns=columns, style=places.style or source.style)


def load(name: str, places: Places, *, settings: Settings | None = None) -> Benchmark:
    """Find, read and choose: the benchmark with the tasks that the run is about.

    Parameters
    ----------
    name
        ``set/domain`` or a path.
    settings
        Says which tasks; ``None`` for the default split whole.

    Raises
    ------
    AuditError
        If a file is missing or can't be read, or a task or split does not exist.
    """
    benchmark = load_benchmark(find_source(name, places))
    logger.info("loaded %s: %d tasks, %d policy items", name, len(benchmark.tasks), len(benchmark.policy.items))
    if settings is None:
        return benchmark
    return choose_tasks(benchmark, tasks=settings.tasks, limit=settings.limit, split=settings.split)


def check_benchmark(benchmark: Benchmark, options: CheckOptions | None = None, *, root: Path) -> CheckResult:
    """Look for defects that need no judge.

    Parameters
    ----------
    root
        The folder that the benchmark's files are named relative to; lines are read there.
    """
    options = options or CheckOptions()
    own, policy = options.policy_rules, benchmark.policy
    rules = find_policy_rules(policy) if own is None else read_policy_rules(own, policy)
    name, wants_none = options.environment, options.environment == "none"
    environment = None if wants_none else environment_for(benchmark, name=None if name == "auto" else name)
    why = "--environment none" if wants_none else "no environment is known for these tables and tools (--environment)"
    result = run_checks(Subject(benchmark, environment, rules), options.choice, no_environment=why)
    findings = locate(result.findings, benchmark.files, root=root, tasks=benchmark.tasks)
    return see_from_here(replace(result, findings=findings, tool_version=__version__), root=root)


def see_from_here(result: CheckResult, *, root: Path) -> CheckResult:
    """Return a result that knows where its files lie as seen from the folder that the program runs in."""
    files = (file.path for file in result.benchmark.files)
    names = (*files, *(finding.origin.file for finding in result.findings))
    return replace(result, paths=seen_from(Path.cwd(), names, root=root))
