"""What ``bench-audit show`` does with its flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from audit import pipeline
from audit.cli.output import check_writable, harmless, one_line, write_file, write_result
from audit.errors import UsageError
from audit.judges.registry import JUDGES
from audit.loaders.splits import choose_tasks
from audit.prompts.render import Segment
from audit.records.task import Task
from audit.reports.plain import dump, to_plain

FORMAT = "bench-audit/show"


@dataclass(frozen=True, slots=True)
class ShowFlags:
    """The command's flags as click parsed them."""

    benchmark: str
    task: str
    places: pipeline.Places
    criteria: tuple[str, ...]
    behavior: tuple[str, ...]
    full: bool
    format_name: str
    output: Path | None


def run(flags: ShowFlags) -> int:
    """Show the task and return the exit code."""
    if flags.output is not None:
        check_writable(flags.output)
    for name in flags.criteria:
        if name not in JUDGES:
            mend = f"Choose from {', '.join(JUDGES)}"
            raise UsageError(f"no prompt '{name}'", where="--judge-prompt", mend=mend)
    benchmark = choose_tasks(pipeline.load(flags.benchmark, flags.places), tasks=(flags.task,))
    task = benchmark.tasks[0]
    seen = pipeline.show_task(benchmark, task, behavior=pipeline.choose_behavior(flags.behavior))
    chosen = {name: _pick(segments, flags) for name, segments in seen.items() if name in (flags.criteria or seen)}
    content = _as_json(task, chosen) if flags.format_name == "json" else _as_text(task, chosen)
    if flags.output is None:
        write_result(content.encode(errors="backslashreplace"))
    else:
        write_file(flags.output, content.encode(errors="backslashreplace"))
    return 0


def _pick(segments: Sequence[Segment], flags: ShowFlags) -> tuple[Segment, ...]:
    return tuple(segment for segment in segments if flags.full or not segment.is_prefix)


def _as_json(task: Task, seen: Mapping[str, Sequence[Segment]]) -> str:
    prompts = [{"criterion": name, "segments": [asdict(each) for each in segments]} for name, segments in seen.items()]
    document = {"format": FORMAT, "format_version": 1, "task_id": task.id, "prompts": prompts}
    return f"{dump(to_plain(document))}\n"


def _as_text(task: Task, seen: Mapping[str, Sequence[Segment]]) -> str:
    return "".join(_lines(task, seen))


def _lines(task: Task, seen: Mapping[str, Sequence[Segment]]) -> Iterator[str]:
    if not seen:
        yield f"No judge can be asked about task {one_line(task.id)} as things are chosen.\n"
    for name, segments in seen.items():
        yield f"=== task {one_line(task.id)}: what the {name} judge sees ===\n"
        for segment in segments:
            origin = f"  ({segment.origin})" if segment.origin else ""
            yield f"\n--- {one_line(segment.label)}{one_line(origin)}\n"
            yield f"{harmless(segment.text).rstrip()}\n"
        yield "\n"
