"""How a run was measured, as strings for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.records.run import RunResult, Settings, Tally
from audit.records.verdict import Trust
from audit.reports import numbers
from audit.reports.answers import Answers, cached_share, count_answers
from audit.reports.labels import criterion_title, state_words, trust_label
from audit.reports.visible import line


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and what it stands for."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """What one judge answered and took for one criterion."""

    judge: str
    trust: str
    criterion: str
    models: str
    n_answered: str
    n_missing: str
    missing_why: str
    n_undefined: str
    n_calls: str
    tokens: str
    cost: str


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file that the benchmark was read from."""

    path: str
    sha256: str
    short: str


@dataclass(frozen=True, slots=True)
class MethodView:
    """Settings, tally, judges, prompts and files."""

    settings: tuple[Fact, ...]
    tally: tuple[Fact, ...]
    judges: tuple[JudgeRow, ...]
    prompts: tuple[Fact, ...]
    files: tuple[FileRow, ...]
    store: str


def method_view(result: RunResult) -> MethodView:
    """Return the part of the page that says how it was measured."""
    return MethodView(
        settings=_settings(result),
        tally=_tally(result),
        judges=tuple(map(_judge_row, count_answers(result.verdicts))),
        prompts=tuple(Fact(line(name), line(digest)) for name, digest in result.prompts),
        files=tuple(
            FileRow(line(file.path, limit=200), line(file.sha256), line(file.sha256[:12]))
            for file in result.benchmark.files
        ),
        store=_store(result),
    )


def spent(result: RunResult) -> str:
    """Return what a run cost, in a phrase."""
    tally = result.tally
    if not tally.n_calls and not tally.stored:
        return "nothing: no call was made"
    stored = f"; the stored verdicts had cost {numbers.usd(tally.stored_cost_usd)}" if tally.stored_cost_usd else ""
    if result.verdicts and all(verdict.trust is Trust.SCRIPTED for verdict in result.verdicts):
        return "nothing: the replies were scripted"
    if tally.cost_usd is None:
        return f"not known: no price for the model{stored}"
    return f"{numbers.usd(tally.cost_usd)} in this run{_saved(tally)}{stored}"


def _saved(tally: Tally) -> str:
    """Say what the prompt caches saved, or what filling them cost beyond that."""
    saved = tally.cache_saved_usd
    if not saved:
        return ""
    what = "the prompt cache saved" if saved > 0 else "filling the prompt cache cost, beyond what it saved,"
    return f" ({what} {numbers.usd(abs(saved))})"


def tokens(result: RunResult) -> str:
    """Return the tokens of a run, in a phrase."""
    tally = result.tally
    if not tally.input_tokens and not tally.output_tokens:
        return "none"
    share = numbers.percent(cached_share(tally.input_tokens, tally.cached_tokens))
    cached = f" ({numbers.count(tally.cached_tokens)} of them, {share}, cached)" if tally.cached_tokens else ""
    return f"{numbers.count(tally.input_tokens)} in{cached}, {numbers.count(tally.output_tokens)} out"


def _settings(result: RunResult) -> tuple[Fact, ...]:
    settings = result.settings
    return (
        Fact("Benchmark", line(settings.benchmark, limit=300)),
        Fact("Judges", ", ".join(line(judge) for judge in settings.judges) or "none: the offline scorer"),
        Fact("Metrics", ", ".join(line(metric) for metric in settings.metrics)),
        Fact("Trials", numbers.count(settings.trials)),
        Fact("Seed", str(settings.seed)),
        Fact("Expected behavior made of", ", ".join(line(kind) for kind in settings.behavior)),
        Fact("Prompt variant", line(result.benchmark.style)),
        *_columns(result.benchmark.columns),
        Fact("Tasks chosen", _chosen(settings)),
        Fact("Policy", f"{line(result.benchmark.policy.name)}, sha256 {result.benchmark.policy.sha256}"),
        Fact("bench-audit", line(result.tool_version)),
    )


def _columns(columns: Sequence[tuple[str, str]]) -> tuple[Fact, ...]:
    """Return which columns of a table the tasks were read from."""
    said = ", ".join(f"{field}: {line(column)}" for field, column in columns)
    return (Fact("Columns of the table", said),) if said else ()


def _chosen(settings: Settings) -> str:
    rules = []
    if settings.split is not None:
        rules.append(f"split {line(settings.split)}")
    if settings.tasks:
        ids = ", ".join(line(id, limit=40) for id in settings.tasks[:20])
        rules.append(f"ids {ids}{' …' if len(settings.tasks) > 20 else ''}")
    if settings.limit is not None:
        rules.append(f"the first {numbers.count(settings.limit)}")
    return "; ".join(rules) or "all"


def _tally(result: RunResult) -> tuple[Fact, ...]:
    tally = result.tally
    return (
        Fact("Verdicts planned", numbers.count(tally.planned)),
        Fact("read from the store", numbers.count(tally.stored)),
        Fact("asked for", numbers.count(tally.asked)),
        Fact("scored", numbers.count(tally.scored)),
        Fact("unscored", numbers.count(tally.unscored)),
        Fact("undefined", numbers.count(tally.undefined)),
        Fact("Calls", numbers.count(tally.n_calls)),
        Fact("Tokens", tokens(result)),
        Fact("Cost", spent(result)),
        Fact("Time", numbers.duration(tally.seconds)),
    )


def _store(result: RunResult) -> str:
    tally = result.tally
    if not tally.stored:
        return "Every verdict of this run is new."
    return (
        f"{numbers.count(tally.stored)} of {numbers.plural(tally.planned, 'verdict')} had been judged before under "
        "the same request, model and trial, and were read from the store."
    )


def _judge_row(made: Answers) -> JudgeRow:
    read, written = made.input_tokens, made.output_tokens
    known = read is not None and written is not None
    partly = f" (price known for {numbers.count(made.n_priced)} of {numbers.count(made.n_verdicts)})"
    return JudgeRow(
        judge=line(made.judge, limit=80),
        trust=trust_label(made.trust),
        criterion=criterion_title(made.criterion),
        models=", ".join(f"{line(model, limit=80)} ({numbers.count(n)})" for model, n in made.models.items()),
        n_answered=numbers.count(made.n_answered),
        n_missing=numbers.count(made.n_missing),
        missing_why=", ".join(f"{numbers.count(n)} {state_words(state)}" for state, n in made.missing.items()),
        n_undefined=numbers.count(made.n_undefined),
        n_calls=numbers.count(made.n_calls),
        tokens=f"{numbers.count(read or 0)} in, {numbers.count(written or 0)} out" if known else numbers.NONE,
        cost=numbers.NONE
        if made.cost_usd is None
        else numbers.usd(made.cost_usd) + (partly if made.n_priced < made.n_verdicts else ""),
    )
