"""A suite → its benchmarks, read, and held to one policy and one set of items a domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from audit import pipeline
from audit.errors import UsageError
from audit.records.run import Settings
from audit.records.suite import Member, Suite
from audit.records.task import Benchmark


@dataclass(frozen=True, slots=True)
class Loaded:
    """A member of a suite, and the benchmark that it names."""

    member: Member
    benchmark: Benchmark


def load_suite(suite: Suite, places: pipeline.Places, *, settings: Settings | None = None) -> tuple[Loaded, ...]:
    """Read every member of a suite.

    Each benchmark is called what its member is called, and was written by whom its member says, or else its files.

    Parameters
    ----------
    places
        Where files are that the suite does not place itself.
    settings
        Says which tasks of each; ``None`` for the default split whole.

    Raises
    ------
    AuditError
        If a benchmark can't be read, or members of one domain that are compared by tier have different policies.
    """
    loaded = tuple(Loaded(member, _load(member, places, settings)) for member in suite.members)
    for domain in suite.domains:
        _check_policies(suite, [one for one in loaded if one.member.domain == domain])
    return loaded


def places_of(member: Member, places: pipeline.Places) -> pipeline.Places:
    """Return where a member's files are: where the suite says, else where the command line does."""
    return replace(
        places,
        data_dir=member.data_dir or places.data_dir,
        policy=member.policy or places.policy,
        database=member.database or places.database,
        tools=member.tools or places.tools,
        items=member.items or places.items,
    )


def policy_groups(loaded: Iterable[Loaded]) -> tuple[tuple[str, ...], ...]:
    """Return the names of the members that have the same policy and items, group by group.

    Counts of violations and coverage compare only within a group.
    """
    groups: dict[tuple[object, ...], list[str]] = {}
    for one in loaded:
        groups.setdefault(_rules(one.benchmark), []).append(one.member.name)
    return tuple(tuple(names) for names in groups.values())


def _load(member: Member, places: pipeline.Places, settings: Settings | None) -> Benchmark:
    benchmark = pipeline.load(member.benchmark, places_of(member, places), settings=settings)
    is_told = bool(member.generator or member.author_family)
    return replace(
        benchmark,
        name=member.name,
        title=member.title or benchmark.title,
        author_family=member.author_family if is_told else benchmark.author_family,
    )


def _rules(benchmark: Benchmark) -> tuple[object, ...]:
    """Return what two benchmarks must share for their violations to mean the same."""
    return benchmark.policy.sha256, benchmark.policy.items


def _check_policies(suite: Suite, members: Sequence[Loaded]) -> None:
    """Refuse to compare benchmarks by tier that were not judged by one document and one set of items.

    Benchmarks in no tier stand side by side only, unless the suite says that they are of one domain.
    """
    compared = [one for one in members if one.member.domain or one.member.tier is not None]
    groups = policy_groups(compared)
    if len(groups) > 1:
        domain = compared[0].member.domain
        which = f"the benchmarks of the domain '{domain}'" if domain else "the benchmarks in tiers"
        parts = " | ".join(", ".join(names) for names in groups)
        mend = "Give them one document with --policy FILE, or a domain each in a suite file"
        raise UsageError(f"{which} have different policies: {parts}", where=suite.where, mend=mend)
