"""Events that IntellAgent generated: their rows, their texts, and the set as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from audit.checks import intellagent_facts, intellagent_making, intellagent_rows, intellagent_set, intellagent_text
from audit.checks.intellagent_view import events_of
from audit.checks.protocol import Check, Subject
from audit.records.finding import Finding


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with generated events; nothing for any other benchmark."""
    events = events_of(subject)
    if events.events:
        yield from intellagent_rows.inspect_rows(subject, events)
        yield from intellagent_text.inspect_texts(subject, events)
        yield from intellagent_facts.inspect_facts(subject, events)
        yield from intellagent_set.inspect_set(subject, events)
        yield from intellagent_making.inspect_making(subject, events)


_MODULES = (intellagent_rows, intellagent_text, intellagent_facts, intellagent_set, intellagent_making)
_RULES = tuple(rule for module in _MODULES for rule in module.RULES)
CHECK = Check("intellagent", _RULES, inspect)
