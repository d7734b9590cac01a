"""What ``bench-audit policy`` does with its flags."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from audit import pipeline
from audit.cli.output import check_writable, write_file, write_result
from audit.pipeline import Places
from audit.reports.policy_text import items_csv, items_json, render_items


def print_items(name: str, places: Places, *, format_name: str, output: Path | None) -> int:
    """Print a benchmark's policy with its items marked, and return the exit code."""
    if output is not None:
        check_writable(output)
    policy = pipeline.load(name, places).policy
    color = output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    render = {"text": lambda: render_items(policy, color=color)}
    render |= {"json": lambda: items_json(policy), "csv": lambda: items_csv(policy)}
    content = render[format_name]().encode(errors="backslashreplace")
    if output is None:
        write_result(content)
    else:
        write_file(output, content)
    return 0
