"""How generated events were made and used: levels, policy versions, what users are shown, earlier dialogs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from audit.checks.intellagent_view import Event, Events, Fields
from audit.checks.protocol import Subject
from audit.checks.raw import child, items, place, show, texts
from audit.databases.key_columns import key_column
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Json, Origin

LEVEL = Rule(
    "event-level-wrong",
    "The stated challenge level is not the sum of the policies' scores",
    Severity.NOTE,
    Certainty.PROVED,
    "The level is meant to be the sum of the scores of the event's policies, and an older version added others. "
    "Results by level, as the generator's own report shows them, are then wrong. Levels shown here are computed anew.",
    "Compute the level from the scores.",
)
TWICE = Rule(
    "event-policy-twice",
    "An event was made from the same policy twice",
    Severity.NOTE,
    Certainty.PROVED,
    "The list of policies that the event was made to test holds the same entry twice, so its level counts one rule "
    "twice. Newer versions of the generator do not visit a policy again.",
    "Take the second one out, and correct the level.",
)
POLICY = Rule(
    "policy-differs-from-generation",
    "Another version of the policy lies beside the one that is judged by",
    Severity.WARNING,
    Certainty.PROVED,
    "Events are generated from a policy, and the document that an agent gets today, or got in an experiment, is "
    "another version. Events are only as right as the version they were made from; by another one some become wrong. "
    "By default the version inside the generated files is used.",
    "Generate anew from today's policy, or give agents the version that the events were made from.",
)
SHOWN = Rule(
    "event-shown-row-missing",
    "The simulated user is shown a row that the database does not have",
    Severity.WARNING,
    Certainty.LIKELY,
    "The text of rows that is handed to the simulated user holds an id that no row of this table has. The user then "
    "gives an id that the agent can't find.",
    "Make the text from the rows.",
)
NO_DIALOG = Rule(
    "event-without-dialog",
    "An earlier experiment got no dialog on this event",
    Severity.NOTE,
    Certainty.PROVED,
    "The results list the event among those that ended in an error. The generator's report counts it as a failure of "
    "the agent under test, though mostly the event itself can't be played.",
    "Look for what is wrong in the event, and leave it out of the agent's score.",
)
OPEN = Rule(
    "dialogs-without-verdict",
    "Dialogs of an earlier experiment ended without a verdict",
    Severity.NOTE,
    Certainty.PROVED,
    "The simulated user ends a dialog by saying whether it succeeded, and in these it never did: they broke off, or "
    "the program stopped. They are missing, not failed, however the generator's report counts them.",
    "Find out why they broke off before the results are used.",
)
RULES = (LEVEL, TWICE, POLICY, SHOWN, NO_DIALOG, OPEN)

_SHOWN_KEY = re.compile(r"\s*Table: (\w+)\. Row: \(['\"]?([^,'\"()\[\]{}\s]+)['\"]?\s*[,)]")
_HEADING = re.compile(r"[#*\s]*(?:Table:?\s+)?['\"`]?(\w+)['\"`]?\s*(?:table)?\s*:?[#*\s]*", re.IGNORECASE)


def inspect_making(subject: Subject, events: Events) -> Iterator[Finding]:
    """Yield what the files tell of how events were made, and of dialogs that were held on them."""
    for event in events.events:
        yield from _levels(event)
        yield from _shown(event)
    yield from _policies(subject)
    yield from _experiments(subject)


def _levels(event: Event) -> Iterator[Finding]:
    raw = event.task.raw
    policies = [policy for policy in items(child(raw, "description", "policies")) if isinstance(policy, Mapping)]
    scores = [policy.get("score") for policy in policies]
    stated = child(raw, "description", "challenge_level")
    total = sum(score for score in scores if isinstance(score, int) and not isinstance(score, bool))
    if scores and all(type(score) is int for score in scores) and type(stated) is int and stated != total:
        yield report(
            LEVEL,
            f"The challenge level is {show(stated)}, and the scores of its policies add up to {show(total)}.",
            origin=place(event.task, "description.challenge_level"),
            subject="level",
            evidence=(("scores", show(scores)), ("stated", show(stated))),
        )
    pairs = Counter((show(policy.get("flow")), show(policy.get("policy"))) for policy in policies)
    for (flow, text), n in pairs.items():
        if n > 1:
            yield report(
                TWICE,
                f"{n} of its policies are the same: {text!r}.",
                origin=place(event.task, "description.policies"),
                subject=f"{flow} {text}",
                evidence=(("flow", flow), ("policy", text)),
            )


def _shown(event: Event) -> Iterator[Finding]:
    for table, key in dict.fromkeys(_shown_keys(child(event.task.raw, "relevant_rows"))):
        if table in event.tables and event.tables[table].by_key and not event.has(table, key):
            ids = show(sorted(event.tables[table].by_key))
            yield report(
                SHOWN,
                f"The user is shown the row {show(key)!r} of {show(table)}, which has only {ids}.",
                origin=place(event.task, "relevant_rows"),
                subject=f"{table} {show(key)}",
                evidence=(("shown", show(key)), ("in the table", ids)),
            )


def _shown_keys(value: Json) -> Iterator[tuple[str, str]]:
    """Yield table and id of the rows in a text for the simulated user, in the forms that there have been."""
    for text in [value] if isinstance(value, str) else texts(value):
        table = ""
        for line in text.splitlines():
            found = _SHOWN_KEY.match(line)
            if found:
                yield found[1], found[2]
            elif line.strip().startswith("{"):
                yield from _row_key(table, line)
            elif heading := _HEADING.fullmatch(line):
                table = heading[1]


def _row_key(table: str, line: str) -> Iterator[tuple[str, str]]:
    try:
        row: Json = json.loads(line)
    except (ValueError, RecursionError):
        return
    fields: Fields = row if isinstance(row, Mapping) else {}
    column = key_column(table, list(fields)) if table else None
    if column is not None and isinstance(fields[column], str | int):
        yield table, str(fields[column])


def _policies(subject: Subject) -> Iterator[Finding]:
    policy = subject.benchmark.policy
    here = _lines(policy.text)
    for other in subject.benchmark.other_policies:
        there = _lines(other.text)
        gone, new = [line for line in here if line not in there], [line for line in there if line not in here]
        yield report(
            POLICY,
            f"{other.name[:1].upper()}{other.name[1:]} ({show(other.file)}) is another version: lines only in the one "
            f"judged by: {len(gone)}, lines only in this one: {len(new)}.",
            origin=Origin(other.file, ""),
            subject=f"{other.name} {other.sha256}",
            evidence=(
                *((("only in the one judged by", show(gone[0])),) if gone else ()),
                *((("only in the other", show(new[0])),) if new else ()),
            ),
        )


def _lines(text: str) -> dict[str, None]:
    return dict.fromkeys(line.strip() for line in text.split("\n") if line.strip())


def _experiments(subject: Subject) -> Iterator[Finding]:
    by_id = {task.id: task for task in subject.benchmark.tasks}
    for experiment in subject.benchmark.experiments:
        for task_id in experiment.without_dialog or ():
            if task_id in by_id:
                what = f"The experiment {show(experiment.name)} has no dialog on this event."
                yield report(NO_DIALOG, what, origin=place(by_id[task_id], ""), subject=experiment.name)
        if experiment.n_open:
            yield report(
                OPEN,
                f"{experiment.n_open} of {experiment.n_dialogs} dialogs of {show(experiment.name)} have no verdict.",
                origin=Origin(experiment.file, ""),
                subject=experiment.name,
                evidence=(("success", str(experiment.n_success)), ("failure", str(experiment.n_failure))),
            )
