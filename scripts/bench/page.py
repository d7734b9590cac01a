"""The page of figures, in Markdown: ratios first, then what each command used, then what the figures don't say."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence

from scripts.bench.browser import MAX_FILTER_MS, MAX_MB, MAX_PAINT_S, Speed
from scripts.bench.judging import PROGRAM
from scripts.bench.peers.running import BARE, INSPECT_AI, PROMPTFOO
from scripts.bench.records import Asked, Repeated, Results, Stored

MIN_PER_SECOND, MAX_CPU_SHARE, MAX_WARM_S, MAX_STORED_S = 150.0, 1 / 5, 5.0, 5.0
"""What is promised of a machine with two cores."""
MANY, SOME = 10_000, 2_000
"""Verdicts or tasks from which on it is promised."""
NONE = "–"
_INTRO = """# How fast bench-audit is

Written by `{command}` and by nothing else; the figures are of one machine on one day. Each
command is measured in a process of its own: wall clock from its start to its exit, the processor time that the system
counted for it and its children, and the greatest resident memory of one process.

Judges are played by a server on the same machine that answers each request after a fixed time, in a process of its own
beside the one that is measured. A question is about 12 kB: instructions, the sample's policy and a task, three of
them for each task; where there are 10,000, three trials of each. bench-audit is measured as a user runs it: the whole
command, through the OpenAI SDK. What is scored again has been scored with a report once before, so that the checks'
findings are kept as well as the verdicts.
"""
_LIMITS = """## What the figures don't say

- The server is on the same machine and takes its share of the cores. What is measured is what the programs themselves
  cost: 64 calls in flight at 200 ms ask for 320 answers a second, which no judge gives and few accounts allow. With
  judges that take 2 s, 64 calls in flight are 32 a second, any of these programs keeps up, and the ratios shrink to
  nothing; memory, start-up and what is stored remain.
- There is no TLS, and the server's answers are short and never malformed.
- The programs don't do the same. bench-audit renders its prompts, looks each one up in its store and writes each
  verdict to the disk before it counts it; inspect_ai and promptfoo write a log or a database at their end, and grade a
  text that they were handed, with the generation of answers left out; the bare loop keeps nothing.
- Wall clock moves with whatever else the machine does; processor time moves less. The load average at the start and the
  end is above; a benchmark of this kind by itself makes it about 1 to 2.
"""


def to_markdown(results: Results) -> str:
    """Return the page."""
    parts = [_INTRO.format(command=results.command), _machine(results), *_skipped(results), "## In short\n"]
    parts += [*_ratios(results), _promises(results), *_asked(results), *_offline(results), _LIMITS]
    return "\n".join(part for part in parts if part)


def _machine(results: Results) -> str:
    machine = results.machine
    versions = ", ".join(f"{name} {version}" for name, version in machine.versions)
    rows = [
        ("day", machine.day),
        ("processor", f"{machine.processor}, {machine.n_cores} cores"),
        ("memory", f"{machine.memory_gb:.0f} GB"),
        ("system", machine.system),
        ("Python", f"{machine.python}; {versions}"),
        ("load average (1 min)", f"{results.load_before:.1f} before, {results.load_after:.1f} after"),
        ("all of it took", f"{results.seconds / 60:.1f} min"),
    ]
    return _table(("machine", ""), rows)


def _skipped(results: Results) -> Iterator[str]:
    for line in results.skipped:
        yield f"Not measured: {line}.\n"


def _ratios(results: Results) -> Iterator[str]:
    """Yield the table of ratios: bench-audit against each other program of the same run."""
    own = _of(results.peers, PROGRAM)
    rows = [_ratio(own, _of(results.peers, name), name) for name in (INSPECT_AI, PROMPTFOO, BARE)]
    if not own:
        return
    load = own[0]
    yield (
        f"bench-audit against others that ask the same {load.n_planned:,} questions of the same server in the same "
        f"run, {load.concurrency} calls in flight, {1000 * load.manner.latency_s:.0f} ms an answer; whole commands, "
        "medians where there are several runs:\n"
    )
    yield _table(("against", "verdicts a second", "processor time a verdict", "peak memory"), rows)


def _ratio(own: Sequence[Asked], other: Sequence[Asked], name: str) -> tuple[str, ...]:
    if not own or not other:
        return (name, NONE, NONE, NONE)
    return (
        name,
        f"{_middle(own, _per_second) / _middle(other, _per_second):.2f} ×",
        f"{_middle(own, _cpu_ms) / _middle(other, _cpu_ms):.2f} ×",
        f"{_middle(own, _memory) / _middle(other, _memory):.2f} ×",
    )


def _of(asked: Sequence[Asked], program: str) -> list[Asked]:
    """Return the runs of a program that came to their end."""
    return [each for each in asked if each.program == program and not each.error]


def _middle(asked: Sequence[Asked], figure: Callable[[Asked], float]) -> float:
    return statistics.median(map(figure, asked))


def _per_second(asked: Asked) -> float:
    return asked.per_second


def _cpu_ms(asked: Asked) -> float:
    return asked.cpu_ms


def _memory(asked: Asked) -> float:
    return asked.used.memory_mb


def _promises(results: Results) -> str:
    """Return the table of what must hold, with what was measured; nothing where less was measured than is promised."""
    rows = [*_promises_of_asking(results), *_promises_of_rest(results)]
    told = [(what, limit, value, "yes" if is_kept else "**no**") for what, limit, value, is_kept in rows]
    return _table(("what must hold", "limit", "measured", "holds"), told)


def _promises_of_asking(results: Results) -> Iterator[tuple[str, str, str, bool]]:
    for each in results.asked:
        if (each.concurrency, each.manner.faults, each.error) == (64, 0.0, "") and each.n_kept >= MANY:
            what = f"stored verdicts a second, {each.n_kept:,} calls, 64 in flight, whole command"
            yield what, f"at least {MIN_PER_SECOND:.0f}", f"{each.per_second:.0f}", each.per_second >= MIN_PER_SECOND
    own, peer = _of(results.peers, PROGRAM), _of(results.peers, INSPECT_AI)
    if own and peer and own[0].n_kept >= SOME:
        share = _middle(own, _cpu_ms) / _middle(peer, _cpu_ms)
        what = "processor time a verdict, as a share of inspect_ai's in the same run"
        yield what, f"at most {MAX_CPU_SHARE:.2f}", f"{share:.2f}", share <= MAX_CPU_SHARE


def _promises_of_rest(results: Results) -> Iterator[tuple[str, str, str, bool]]:
    for each in results.again:
        if not each.error and results.n_again >= MANY:
            what = f"{results.n_again:,} stored verdicts again, {each.name}, median"
            _, middle = each.spread("seconds")
            yield what, f"under {MAX_WARM_S:.0f} s", f"{middle:.1f} s", middle < MAX_WARM_S
    stored = results.stored
    if stored is not None and not stored.whole.error and stored.n_verdicts >= 10 * MANY:
        seconds = stored.load_s + stored.aggregate_s
        what = f"{stored.n_verdicts:,} stored verdicts, load and aggregate"
        yield what, f"under {MAX_STORED_S:.0f} s", f"{seconds:.1f} s", seconds < MAX_STORED_S
    if (speed := results.browser) is not None and speed.n_tasks >= SOME:
        limit = f"{MAX_MB:.0f} MB, {MAX_PAINT_S:.0f} s, {MAX_FILTER_MS:.0f} ms"
        told = f"{speed.size_mb:.1f} MB, {speed.first_paint_s:.2f} s, {speed.filter_ms:.0f} ms"
        yield f"report of {speed.n_tasks:,} tasks: size, first paint, slowest filter", limit, told, speed.is_kept


def _asked(results: Results) -> Iterator[str]:
    head = (
        "calls", "in flight", "answers after", "verdicts a second", "while asking", "of the ideal",
        "processor a verdict", "peak memory", "server's processor a call",
    )  # fmt: skip
    if results.asked:
        yield "## Judge calls\n"
        yield (
            "`bench-audit score` with an OpenAI judge, the OpenAI SDK and the store included, without the free checks. "
            "*Verdicts a second* are of the whole command, start and writing of the result included; *while asking* is "
            "from the first request to the last answer, and the ideal is what a program that costs nothing would take "
            "for that. bench-audit begins with few calls in flight and adds to them while the answers come well; how "
            "many it got to stands beside how many it was allowed.\n"
        )
        yield _table(head, [_asked_row(each) for each in results.asked])
    if results.peers:
        yield "## Others on the same server\n"
        yield (
            "Each program asks a fresh server the same questions, one grading call for each: inspect_ai by "
            "`model_graded_qa` with `log_realtime=False`, promptfoo by an `llm-rubric` assertion with its cache off, "
            "both without generating an answer first, and the OpenAI SDK in a bare loop. Peers are installed in "
            "folders of their own, promptfoo with a Node of its own.\n"
        )
        yield _table(("program", *head), [(each.program, *_asked_row(each)) for each in results.peers])


def _asked_row(each: Asked) -> tuple[str, ...]:
    manner, counts = each.manner, each.counts
    answers = f"{1000 * manner.latency_s:.0f} ms"
    answers += f" + 0–{1000 * manner.jitter_s:.0f} ms" if manner.jitter_s else ""
    answers += f", {100 * manner.faults:.0f} % fail" if manner.faults else ""
    reached = 0 if counts is None else counts.most_in_flight
    in_flight = f"{each.concurrency}, {reached} reached" if 0 < reached < each.concurrency else str(each.concurrency)
    start = (f"{each.n_planned:,}", in_flight, answers)
    if each.error or counts is None:
        return (*start, each.error or NONE, NONE, NONE, NONE, NONE, NONE)
    return (
        *start,
        f"{each.per_second:.0f}",
        f"{each.per_second_asking:.0f}",
        f"{each.share_of_ideal:.2f}",
        f"{each.cpu_ms:.1f} ms",
        f"{each.used.memory_mb:.0f} MB",
        f"{1000 * counts.cpu_s / (counts.completions + counts.faults):.1f} ms",
    )


def _offline(results: Results) -> Iterator[str]:
    rows = [*_repeated_rows(results)]
    if rows:
        yield "## Without asking anybody\n"
        yield "Wall clock and processor time as least / median where there are several runs.\n"
        yield _table(("command", "runs", "wall clock", "processor", "peak memory"), rows)
    if results.stored is not None and not results.stored.whole.error:
        yield _stored_line(results.stored)
    if results.browser is not None:
        yield _browser_line(results.browser)
    if results.checks:
        yield "`bench-audit check` on τ³, once each:\n"
        yield _table(("benchmark", "tasks", "wall clock", "processor", "peak memory"), [*_check_rows(results)])


def _stored_line(stored: Stored) -> str:
    return (
        f"Of the process that loads and aggregates, {stored.load_s:.1f} s went into reading {stored.n_verdicts:,} "
        f"verdicts from the store and {stored.aggregate_s:.1f} s into measuring all metrics with their intervals; "
        "the rest is Python's start and the benchmark's files.\n"
    )


def _browser_line(speed: Speed) -> str:
    return (
        f"The report of {speed.n_tasks:,} tasks has {speed.size_mb:.1f} MB. In a headless Chromium: first paint "
        f"{speed.first_paint_s:.2f} s, ready {speed.ready_s:.2f} s, slowest filter {speed.filter_ms:.0f} ms, slowest "
        f"sort {speed.sort_ms:.0f} ms, a task opened in {speed.task_ms:.0f} ms, {speed.heap_mb:.0f} MB of script "
        "memory.\n"
    )


def _repeated_rows(results: Results) -> Iterator[tuple[str, ...]]:
    for each in results.again:
        yield _repeated_row(f"{each.name}, {results.n_again:,} stored verdicts", each)
    if results.stored is not None:
        yield _repeated_row(f"load and aggregate {results.stored.n_verdicts:,} stored verdicts", results.stored.whole)
    for each in results.rest:
        yield _repeated_row(each.name, each)


def _repeated_row(name: str, each: Repeated) -> tuple[str, ...]:
    if each.error:
        return name, str(len(each.runs)), each.error, NONE, NONE
    memory = max(used.memory_mb for used in each.runs)
    return (
        name,
        str(len(each.runs)),
        _spread(each, "seconds"),
        _spread(each, "cpu_seconds"),
        f"{memory:.0f} MB",
    )


def _spread(each: Repeated, what: str) -> str:
    figures = each.spread(what)[: len(each.runs)]
    return " / ".join(f"{seconds:.2f} s" for seconds in figures)


def _check_rows(results: Results) -> Iterator[tuple[str, ...]]:
    for run in results.checks:
        if run.error or run.memory_mb is None:
            yield run.name, NONE, run.error, NONE, NONE
        else:
            figures = (f"{run.seconds:.1f} s", f"{run.cpu_seconds:.1f} s", f"{run.memory_mb:.0f} MB")
            yield (run.name, f"{run.n_tasks:,}", *figures)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    rule = ["---", *("--:" for _ in head[1:])] if head[1:] != ("",) else ["---", "---"]
    lines = [head, rule, *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)
