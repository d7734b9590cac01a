"""What an earlier certificate says of benchmarks that were not measured again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from audit.records.certificate import Certificate, Gap, Section

OWN_BENCHMARK = "your own benchmark"
PEOPLE = "agreement with people"
"""What is not measured unless it is asked for."""


def carry_over(new: Certificate, old: Certificate | None) -> Certificate:
    """Return a certificate that keeps what ``old`` measured on benchmarks that ``new`` does not look at.

    Their numbers keep their date. They are kept only where ``old`` is complete and of the same models, prompts and
    suite; else there is a gap that says why not.
    """
    if old is None:
        return new
    measured = {each.name for each in new.subjects}
    left = [each.name for each in old.subjects if each.name not in measured]
    if not left:
        return new
    when = {name: old.measured_at.get(name, old.created_at) for name in left}
    if why := _difference(new, old):
        gaps = (Gap(name, f"measured on {when[name][:10]}, {why}; name it to measure it again") for name in left)
        return replace(new, unmeasured=(*new.unmeasured, *gaps))
    kept = tuple(measure for measure in old.measures if measure.benchmark in when)
    has_people = any(each.section is Section.AGREEMENT for each in kept)
    filled = {OWN_BENCHMARK, PEOPLE} if has_people else {OWN_BENCHMARK}
    gaps_of_new = (gap for gap in new.unmeasured if gap.what not in filled)
    return replace(
        new,
        subjects=(*new.subjects, *(each for each in old.subjects if each.name in when)),
        measures=(*new.measures, *kept),
        unmeasured=(*gaps_of_new, *_gaps_of(old, left)),
        measured_at=when,
    )


def _difference(new: Certificate, old: Certificate) -> str:
    """Return what forbids to keep the numbers of ``old``: a clause, or nothing."""
    if not old.is_complete:
        return "with verdicts missing"
    if old.suite != new.suite:
        return f"by version {old.suite} of the suite"
    if old.models != new.models:
        return f"of another model ({', '.join(old.models) or 'unnamed'})"
    prompts = dict(new.prompts)
    if any(name in prompts and prompts[name] != digest for name, digest in old.prompts):
        return "with other prompts"
    return ""


def _gaps_of(old: Certificate, names: Collection[str]) -> Iterator[Gap]:
    """What was not measured on one of the benchmarks; such gaps end in its name."""
    return (gap for gap in old.unmeasured if any(gap.what.endswith(f" on {name}") for name in names))
