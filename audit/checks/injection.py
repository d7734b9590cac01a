"""Texts that try to steer the judge or the agent that reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from audit.checks.protocol import Check, Subject
from audit.checks.raw import leaves, place, row_leaves, show
from audit.records.finding import Certainty, Finding, Rule, Severity, report
from audit.records.task import Origin, Task

INJECTION = Rule(
    "prompt-injection",
    "A text gives orders to the model that reads it",
    Severity.WARNING,
    Certainty.LIKELY,
    "The text tells a judge which score to give, tells a model to forget its instructions, or holds the marks by which "
    "chat formats separate roles. A judge that reads the task may follow it. In the user's script an order to ignore "
    "rules is often the attack that the task tests; there it is a note.",
    "Remove the sentence, or say in the task's notes that the attack is what is tested.",
)
_MARKS = re.compile(
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[/?INST\]|<</?SYS>>"
    r"|</?(?:system|assistant)(?:_prompt)?>|^\s*#{0,3}\s*(?:system|assistant)\s*(?:prompt|message)?:",
    re.IGNORECASE | re.MULTILINE,
)
_TO_JUDGE = re.compile(
    r"\b(?:give|assign|output|return|award|answer with|respond with|score)\b[^.\n]{0,40}"
    r"\b(?:score|rating|grade|mark)s?\b[^.\n]{0,20}\b(?:10|ten|maximum|highest|full|perfect|1\.0)\b"
    r"|\b(?:judge|grader|evaluator|auditor|rater)s?\b[^.\n]{0,40}\b(?:must|should|shall|please|has to|need to)\b"
    r"[^.\n]{0,40}\b(?:score|rate|grade|mark|pass|accept|approve|ignore)\b"
    r"|\bas an? (?:ai|llm|language model)(?: judge| grader| evaluator)?,? (?:you|i) (?:must|should)\b",
    re.IGNORECASE,
)
_IGNORE = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,25}\b(?:previous|prior|above|earlier|preceding|all|any|your|the)"
    r"\b[^.\n]{0,20}\b(?:instruction|prompt|guideline|direction|system message|rubric|criteria)s?\b"
    r"|\bignor(?:iere|ieren sie|ez|e|a|ate)\b[^.\n]{0,30}\b(?:anweisung|instruction|instrucci|istruzion|instruç)\w*"
    r"|忽略[^。\n]{0,12}(?:指令|指示|提示)|无视[^。\n]{0,12}(?:指令|指示|提示)"
    r"|(?:指示|命令|プロンプト)を(?:すべて)?無視|игнорируй\w*[^.\n]{0,30}(?:инструкц|указан)\w*",
    re.IGNORECASE,
)
_INDEX = re.compile(r"\[\d+\]")
_SCRIPT = ("user_scenario", "ticket")


def inspect(subject: Subject) -> Iterator[Finding]:
    """Yield the texts of tasks and of rows that the tasks reach which give orders to a model."""
    clean: set[str] = set()  # tasks repeat texts, and most texts are clean
    for task in subject.benchmark.tasks:
        for leaf in leaves(dict(task.raw)):
            if isinstance(leaf.value, str) and leaf.value not in clean:
                if _order_in(leaf.value) is None:
                    clean.add(leaf.value)
                    continue
                yield from _inspect(leaf.value, place(task, leaf.path), is_script=leaf.path.startswith(_SCRIPT))
    for file, path, text in _stored(subject.benchmark.tasks):
        yield from _inspect(text, Origin(file, path), is_script=False)


def _stored(tasks: tuple[Task, ...]) -> Iterator[tuple[str, str, str]]:
    seen: set[tuple[str, str]] = set()
    for row in (row for task in tasks for row in task.rows):
        if (row.table, row.key) not in seen and row.origin.task_id is None:
            seen.add((row.table, row.key))
            yield from (
                (row.origin.file, f"{row.origin.field}.{leaf.path}", leaf.value)
                for leaf in row_leaves(row)
                if isinstance(leaf.value, str) and len(leaf.value) > 20
            )


def _inspect(text: str, origin: Origin, *, is_script: bool) -> Iterator[Finding]:
    found = _order_in(text)
    if found is None:
        return
    sentence = text[max(0, found.start() - 20) : found.end() + 40]
    finding = report(
        INJECTION,
        f"The text gives an order to a model: {show(found[0])!r}.",
        origin=origin,
        subject=f"{_INDEX.sub('', origin.field)} {show(found[0])}",
        evidence=(("text", show(sentence)),),
    )
    yield replace(finding, severity=Severity.NOTE) if is_script and found.re is _IGNORE else finding


def _order_in(text: str) -> re.Match[str] | None:
    return _MARKS.search(text) or _TO_JUDGE.search(text) or _IGNORE.search(text)


CHECK = Check("injection", (INJECTION,), inspect)
