"""Several benchmarks to be looked at side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Member:
    """One benchmark of a suite, found by name but not yet read.

    Parameters
    ----------
    name
        What tables call it; unique in its suite.
    benchmark
        ``set/domain``, or a path.
    tier
        Name of the tier that it is expected in; ``None`` where nothing is expected of it.
    domain
        Members of one domain are meant for the same policy and are compared under the same items; empty where the
        suite does not say.
    generator
        The model that wrote it, as the user says; empty where only its own files may tell.
    author_family
        That model's family, such as ``openai``; ``None`` where only the files may tell.
    title
        Replaces the benchmark's own, where it is not empty.
    data_dir, policy, database, tools, items
        Where its files are, if not where the command line says.
    """

    name: str
    benchmark: str
    tier: str | None = None
    domain: str = ""
    generator: str = ""
    author_family: str | None = None
    title: str = ""
    data_dir: Path | None = None
    policy: Path | None = None
    database: Path | None = None
    tools: Path | None = None
    items: Path | None = None


@dataclass(frozen=True, slots=True)
class Suite:
    """Benchmarks in the order in which they are shown, and the tiers that some of them are in.

    Parameters
    ----------
    tiers
        Names, the best first; every member's tier is one of them.
    where
        The file that says so, or the flags; for messages.
    """

    members: tuple[Member, ...]
    tiers: tuple[str, ...] = ()
    title: str = ""
    where: str = ""

    @property
    def domains(self) -> tuple[str, ...]:
        """The members' domains, each once, in order; the empty name among them where a member has none."""
        return tuple(dict.fromkeys(member.domain for member in self.members))

    def in_tier(self, tier: str, *, domain: str = "") -> tuple[Member, ...]:
        """Return the members of a tier within a domain, in order."""
        return tuple(member for member in self.members if (member.tier, member.domain) == (tier, domain))
