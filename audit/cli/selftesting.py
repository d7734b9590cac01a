"""What ``bench-audit selftest`` does with its flags."""

from __future__ import annotations

from pathlib import Path

from audit import pipeline
from audit.cli.judging import JudgeFlags, score
from audit.cli.main import INCOMPLETE
from audit.cli.output import check_writable, write_file, write_result
from audit.reports.selftest import render_json, render_text
from audit.selftest import BENCHMARK, compare, read_answer_key

ALIGNMENTS = ("desc_alignment", "policy_alignment")


def run(flags: JudgeFlags, *, format_name: str, output: Path | None) -> int:
    """Run the self-test and return the exit code."""
    if output is not None:
        check_writable(output)
    panel = flags.panel()
    places = pipeline.Places()
    benchmark = pipeline.load(BENCHMARK, places)
    checked = pipeline.check_benchmark(benchmark, root=pipeline.find_source(BENCHMARK, places).root)
    metrics = ("offline_match", *(ALIGNMENTS if flags.judges else ()))
    result = compare(read_answer_key(), checked, runs=score(benchmark, metrics, flags=flags, panel=panel))
    content = render_json(result) if format_name == "json" else render_text(result)
    if output is None:
        write_result(content)
    else:
        write_file(output, content)
    return 0 if result.is_complete else INCOMPLETE
