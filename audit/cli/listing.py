"""What ``bench-audit list`` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from audit import __version__
from audit.cli.output import check_writable, say, write_file, write_lines
from audit.errors import LoadError
from audit.loaders.plugins import list_plugins
from audit.loaders.registry import LOADERS
from audit.metrics.registry import JUDGED_METRICS, METRICS
from audit.providers.registry import VendorStatus, vendor_status
from audit.providers.vendors import VENDORS
from audit.sources.listing import KnownBenchmark, list_known
from audit.sources.own import list_own

FORMAT = "bench-audit/list"


def run(data_dir: Path | None, *, format_name: str, output: Path | None) -> int:
    """Print the list and return the exit code."""
    if output is not None:
        check_writable(output)
    if data_dir is not None and not data_dir.is_dir():
        mend = "Check --data-dir, or BENCH_AUDIT_DATA"
        raise LoadError("the data folder does not exist", where=str(data_dir), mend=mend)
    for _, each in list_own(data_dir):
        if isinstance(each, LoadError):
            say(f"Left out: {each}")
    known, vendors = list_known(data_dir), vendor_status()
    content = _as_json(known, vendors) if format_name == "json" else "\n".join(_lines(known, vendors))
    if output is None:
        write_lines(*content.split("\n"))
    else:
        write_file(output, f"{content}\n".encode())
    return 0


def _as_json(known: Sequence[KnownBenchmark], vendors: Sequence[VendorStatus]) -> str:
    document = {
        "format": FORMAT,
        "format_version": 1,
        "benchmarks": [
            {
                "name": each.name,
                "title": each.title,
                "n_tasks": each.n_tasks,
                "folder": str(each.folder) if each.folder else None,
                "origin": each.origin,
                "licence": each.licence,
                "is_cached": each.is_cached,
            }
            for each in known
        ],
        "loaders": [
            *({"name": name, "package": "bench-audit", "version": __version__} for name in sorted(LOADERS)),
            *({"name": each.name, "package": each.package, "version": each.version} for each in list_plugins()),
        ],
        "judges": [
            {
                "vendor": each.vendor,
                "is_installed": each.is_installed,
                "version": each.version or None,
                "key_env": each.key_env or None,
                "url_env": each.url_env or None,
            }
            for each in vendors
        ],
        "metrics": [{"name": name, "needs_judge": name in JUDGED_METRICS} for name in METRICS],
    }
    return json.dumps(document, indent=2)


def _lines(known: Sequence[KnownBenchmark], vendors: Sequence[VendorStatus]) -> Iterator[str]:
    width = max(len(each.name) for each in known)
    yield "Benchmarks"
    for each in known:
        place = str(each.folder) if each.folder else "not here yet: bench-audit fetch, or --data-dir"
        n_tasks = "?" if each.n_tasks is None else each.n_tasks
        yield f"  {each.name:<{width}} {n_tasks:>5} tasks  {place}"
    yield f"  {'a folder':<{width}}              a benchmark of your own: tasks.json, policy.md (db.json, tools.json)"
    yield f"  {'a table':<{width}}              tasks in a .csv, .tsv or .json (--policy FILE, --map FIELD=COLUMN)"
    yield ""
    yield "Formats (loader in benchmark.toml)"
    yield f"  {', '.join(sorted(LOADERS))}"
    for plugin in list_plugins():
        yield f"  {plugin.name}, of {plugin.label}"
    yield ""
    yield "Judges (--judge VENDOR:MODEL[@URL])"
    for vendor in vendors:
        yield f"  {vendor.vendor:<10} {_describe(vendor)}"
    yield "  none       the offline scorer: a heuristic on this machine, without key or network"
    yield ""
    yield "Metrics"
    for name in METRICS:
        needs = "needs a judge" if name in JUDGED_METRICS else "offline (heuristic), without a judge only"
        yield f"  {name:<19} {needs}"


def _describe(vendor: VendorStatus) -> str:
    known = VENDORS[vendor.vendor]
    if vendor.vendor == "local":
        how = "" if vendor.is_installed else "not installed: pip install 'bench-audit[local]'; "
        return f"{how}local:PATH.gguf, a model's file on this machine, without key or network"
    if not known.distribution:
        return "scripted answers for tests and dry runs, not a real judge"
    if not vendor.is_installed:
        return f"not installed: pip install {known.distribution}"
    key = f"key in {vendor.key_env}" if vendor.key_env else f"no key: set {known.key_envs[0]}, or give a local @URL"
    moved = f", address from {vendor.url_env}" if vendor.url_env else ""
    return f"{known.distribution} {vendor.version}, {key}{moved}"
