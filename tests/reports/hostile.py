"""Strings that try to get out of their place, and a run that has one in every field."""

from __future__ import annotations

import dataclasses

from audit.loaders.policy import make_policy
from audit.records.codebook import CodeOrigin
from audit.records.panel import Agreement, AgreementStatistic, PanelResult, PanelTask
from audit.records.pattern import FailurePattern, FailurePatterns
from audit.records.policy import ItemKind, Policy, PolicyItem
from audit.records.replay import ReplayedCall
from audit.records.run import JudgeStop, RunResult
from audit.records.score import Score
from audit.records.task import Benchmark, Origin, Part, PartKind, Row, SourceFile, Task
from audit.records.verdict import Trust, Verdict, VerdictState
from tests.reports import checked, runs

STRINGS = {
    "script": "<script>alert(1)</script>",
    "image": "<img src=x onerror=alert(1)>",
    "svg": "<svg/onload=alert(1)>",
    "closed": "</td></table></style></title></svg></script><script>alert(1)</script>",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "single": "' autofocus onfocus='alert(1)",
    "template": "{{ 7*7 }}{% for x in range(9) %}{{ x }}{% endfor %}{# gone #}",
    "link": "javascript:alert(1)",
    "data": "data:text/html,<script>alert(1)</script>",
    "entity": "&lt;script&gt;alert(1)&lt;/script&gt;&#x3c;b&#x3e;",
    "comment": "<!-- --><![CDATA[ ]]>-->",
    "override": "\u202egnp.exe\u202c \u2066x\u2069 \u200fabc",
    "invisible": "a\u200bb\u2060c\ufeffd\U000e0041\U000e0042",
    "control": "\x00\x07\x08\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J\x7f",
    "lines": "one\r\ntwo\rthree\u2028four\u2029five\x85six",
    "surrogate": "lone \ud800 half",
    "stacked": "Z" + "\u0310\u0301\u0302" * 40,
    "formula": '=HYPERLINK("http://evil.test","x")',
    "minus": "-2+3+cmd|' /C calc'!A0",
    "markup": "[bold red]not markup[/bold red] :smile: $x^2$ **b**",
    "wide": "テスト用の長い文字列 👩‍👩‍👧 नमस्ते",
    "space": " \t\u00a0\u3000 ",
    "empty": "",
    "long": "x" * 1_000_000,
    "long words": "word " * 100_000,
}


_PAYLOADS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<body onload=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>", "<a href=javascript:alert(1)>x</a>", "javascript:alert(1)",
    "<details open ontoggle=alert(1)>", "<style>*{display:none}</style>", "<link rel=stylesheet href=//evil.test/x>",
    "<meta http-equiv=refresh content='0;url=//evil.test'>", "<base href=//evil.test>", "{{ 7*7 }}{% raw %}",
    "${alert(1)}", "\u202e\u2066abc", "\u200b\ufeff\U000e0041", "\x00\x1b[2J\x9b", "\u2028\u2029\x85", "=1+1",
    "w" * 3000,
)  # fmt: skip
_WRAPPERS = (
    "{}", "\"{}", "'{}", "</script>{}", "</noscript></table></details>{}", "-->{}<!--", "&lt;{}&gt;", "]]>{}",
    "\\u003c{}", "#task={}",
)  # fmt: skip
VARIANTS = tuple(wrapper.replace("{}", payload) for wrapper in _WRAPPERS for payload in _PAYLOADS)
"""Two hundred strings: every way in, in every disguise."""


def one_each(n: int = len(VARIANTS)) -> RunResult:
    """A run whose every task has a hostile string of its own in each of its fields, its verdicts and its findings."""
    texts = [VARIANTS[number % len(VARIANTS)] + " " * (number // len(VARIANTS)) for number in range(n)]
    tasks = tuple(dataclasses.replace(_task(text), id=text) for text in texts)
    verdicts = tuple(runs.verdict(text, score=2.0, reasons=(text, f'"{text}"'), model=text) for text in texts)
    judged = tuple(runs.verdict(text, violated=(text, "P02"), reasons=(text,)) for text in texts)
    tested = runs.benchmark(*tasks)
    found = tuple(
        checked.finding(checked.FAILS, text, origin=Origin(text, text, text), what=text, mend=text, subject=text)
        for text in texts
    )
    return dataclasses.replace(
        runs.result(
            tested, verdicts=(*verdicts, *judged), scores=(runs.score("desc_alignment", dict.fromkeys(texts, 2.0)),)
        ),
        checked=checked.result(*found, benchmark=tested),
        replays={
            text: (ReplayedCall(None, text, text), ReplayedCall({text: text}, changed=((text, text),)))
            for text in texts
        },
    )


def everywhere(text: str) -> RunResult:
    """A run with ``text`` in every field that comes from outside."""
    task = _task(text)
    plain = runs.task(1)
    judge = text or "judge"
    tested = Benchmark(
        name=text,
        title=text,
        version=text,
        style=text,
        policy=_policy(text),
        tasks=(task, plain),
        files=(SourceFile(text, text),),
        author_family=text,
    )
    verdicts = _verdicts(text, task.id, judge)
    scores = (
        runs.score("desc_alignment", {task.id: 2.0, "1": 8.0}, judge, reason=text, unit=text),
        runs.score("offline_match", {task.id: 0.5}, judge, trust=Trust.OFFLINE),
        Score("policy_alignment", judge, None, (1, 10), reason=text),
        Score("violation_count", "", None, (0, None), reason=text, is_applicable=False),
        *runs.coverage(judge, [(text,)], items=(text, "P02")),
    )
    settings = runs.settings((judge,))
    return runs.result(
        tested,
        verdicts=verdicts,
        scores=scores,
        stops=(JudgeStop(judge, text, text),),
        prompts=((text, text),),
        tool_version=text,
        created_at=text,
        notes=(text,),
        panel=_panel(text, task.id, judge),
        patterns=_patterns(text, task.id),
        checked=checked.everywhere(text),
        replays={task.id: (ReplayedCall(text, text, text, ((text, text),)),)},
        settings=dataclasses.replace(
            settings, benchmark=text, metrics=(text,), behavior=(text,), split=text, tasks=(text,)
        ),
    )


def _task(text: str) -> Task:
    origin = Origin(text, text, text)
    return Task(
        id=text or "t",
        description=(Part(PartKind.SCENARIO, text, text, origin),),
        behavior=(Part(PartKind.ASSERTION, text, text, origin), Part(PartKind.NO_WRITE, text, text, origin)),
        rows=(Row(text, text, {text: [text, {"nan": float("nan")}]}, origin),),
        tags=(text,),
        origin=origin,
    )


def _policy(text: str) -> Policy:
    document = f"{text.replace(chr(0xD800), '?')}\nAsk for the id."
    normal = make_policy(document, name=text).text
    first = PolicyItem(text, text, ItemKind.PROHIBITION, 0, max(1, len(normal) // 2))
    return make_policy(normal, name=text, items=(first, PolicyItem("P02", text, ItemKind.LIMIT, 1, 2)), file=text)


def _verdicts(text: str, task_id: str, judge: str) -> tuple[Verdict, ...]:
    model = {"model": text, "prompt_hash": text, "key": text, "asked_at": text}
    lost = {"problem": text, "raw_reply": text, "state": VerdictState.MALFORMED}
    return (
        runs.verdict(task_id, judge, score=2.0, reasons=(text, text), **model),
        runs.verdict("1", judge, score=8.0, reasons=(text,), **model),
        runs.verdict(task_id, judge, violated=(text, "P02"), reasons=(text,), **model),
        runs.verdict(task_id, judge, criterion="policy_alignment", **lost, **model),
        runs.verdict("1", judge, criterion=text or "other", **lost, **model),
        runs.verdict(task_id, judge, score=0.5, criterion="offline_match", trust=Trust.OFFLINE, reasons=(text,)),
    )


def _patterns(text: str, task_id: str) -> FailurePatterns:
    one = FailurePattern(text, text, CodeOrigin.START, True, 6, 0.6, (task_id, text), text, text, 0.2, (text,), text)
    empty = FailurePattern(text, text, CodeOrigin.FOUND, False, 4, 0.4, (), text, text, None, (text,))
    return FailurePatterns(text, 7.0, 0, 5, 2, 12, 10, (one, empty), problem=text, unsteady=text)


def _panel(text: str, task_id: str, judge: str) -> PanelResult:
    other = "openai:other"
    return PanelResult(
        name=text,
        judges=(judge, other),
        quorum=2,
        scores=(runs.score("desc_alignment", {task_id: 3.0}, text),),
        tasks=(
            PanelTask(task_id, text, {judge: 1.0, other: 2.0}, {judge: (text,)}, 1.5, (text,), 1.0, has_parted=True),
        ),
        agreements=(Agreement(text, (judge, other), AgreementStatistic.JACCARD, None, 0, text),),
        family_by_judge={judge: text.lower(), other: None},
        author_family=text,
    )
