"""``bench-audit policy``: a policy document and its items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit.cli.options import (
    FILE,
    asking_options,
    benchmark_options,
    data_dir_option,
    output_options,
    split_commas,
)

GROUP_EPILOG = """\b
From a document to a score:
  bench-audit policy extract my/domain/policy.md      # proposes items, beside the document
  bench-audit policy review my/domain/policy.items.json
  bench-audit score my/domain                         # finds the items beside the policy
"""
ITEMS_EPILOG = """\b
Examples:
  bench-audit policy items sample/library
  bench-audit policy items tau3/airline --data-dir ~/tau2-bench --format csv
  bench-audit policy items my/domain --policy-items drafts/items.json
"""
EXTRACT_EPILOG = """\b
Examples:
  bench-audit policy extract policy.md                        # offline: no key, no network
  bench-audit policy extract policy.md --judge openai:gpt-5.4 --dry-run
  bench-audit policy extract policy.md --judge openai:gpt-5.4 --out policy.items.json
  bench-audit policy extract tau3/banking --out banking.items.json
"""
REVIEW_EPILOG = """\b
Examples:
  bench-audit policy review policy.items.json                 # opens a page; Ctrl-C ends it
  bench-audit policy review policy.items.json --export sheet.csv
  bench-audit policy review policy.items.json --import sheet.csv
"""
DIFF_EPILOG = """\b
Examples:
  bench-audit policy diff policy.items.json policy-v2.md
  bench-audit policy diff policy.items.json policy-v2.md --out policy-v2.items.json
  bench-audit policy diff items.json new.md --old old.md --format markdown --output look.md
"""


@click.group("policy", epilog=GROUP_EPILOG)
def command() -> None:
    """Work with a policy document and its items: list, propose, review and carry them over."""


@command.command("items", epilog=ITEMS_EPILOG)
@benchmark_options
@output_options("text", "json", "csv")
@click.pass_context
def items(
    ctx: click.Context,
    /,
    benchmark: str,
    format_name: str,
    output: Path | None,
    **flags: Any,  # noqa: ANN401  # click's own
) -> None:
    """Print BENCHMARK's policy document with its items marked.

    Fails, with exit code 2, if the document is not the one that the items were made for.
    """
    from audit.cli import policies
    from audit.cli.places import with_places

    places = with_places(flags)["places"]
    ctx.exit(policies.print_items(benchmark, places, format_name=format_name, output=output))


@command.command("extract", epilog=EXTRACT_EPILOG)
@click.argument("document")
@click.option(
    "--judge", metavar="VENDOR:MODEL[@URL]", help="The model that quotes the rules. Without one: offline, by wording."
)
@click.option("--out", type=FILE, help="Items file. [default: beside the document, where score finds it; - for stdout]")
@click.option("--overwrite", is_flag=True, help="Replace an items file that is there, reviews in it included.")
@click.option(
    "--no-text",
    is_flag=True,
    help="Keep no copy of the document in the items file; diff and review then need the file.",
)
@click.option(
    "--section",
    "longest_section",
    type=click.IntRange(min=500, max=200_000),
    default=12_000,
    show_default=True,
    metavar="N",
    help="Show a model at most N characters at a time.",
)
@click.option("--dry-run", is_flag=True, help="Count the calls and send none.")
@asking_options
@data_dir_option
@click.pass_context
def extract(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in ExtractFlags
    """Propose items for DOCUMENT: a file, or a benchmark whose policy it is.

    With --judge a model quotes the rules, and a quote that does not stand in the document is refused. Without it the
    items are found by headings, bullets and modal verbs, which is crude. Either way nobody has reviewed them, and every
    score says so until somebody has.

    Exit code 3: a section got no answer; the items file says which.
    """
    from audit.cli import extracting

    flags["api_key_env"] = split_commas(flags["api_key_env"], flag="--api-key-env")
    ctx.exit(extracting.run(flags))


@command.command("review", epilog=REVIEW_EPILOG)
@click.argument("items_file", metavar="ITEMS", type=FILE)
@click.option("--document", type=FILE, help="The document. [default: the copy in ITEMS, or the file beside it]")
@click.option("--export", "export_path", type=FILE, help="Write a sheet instead: .csv or .md.")
@click.option("--import", "import_path", type=FILE, help="Read a sheet back: .csv or .md.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page. [default: any free one]")
@click.option("--no-browser", is_flag=True, help="Only print the page's address.")
@click.pass_context
def review(
    ctx: click.Context,
    items_file: Path,
    document: Path | None,
    export_path: Path | None,
    import_path: Path | None,
    port: int,
    no_browser: bool,
) -> None:
    """Accept, reject, split, merge and retitle the items of ITEMS, with the document beside them.

    Serves a page to this machine alone, at an address that nobody can guess, and saves after every step. Or writes a
    sheet, and reads it back when it is filled in; a cell that can't be used is named, and then nothing is changed.
    """
    from audit.cli import reviewing

    flags = reviewing.ReviewFlags(items_file, document, export_path, import_path, port, no_browser)
    ctx.exit(reviewing.run(flags))


@command.command("diff", epilog=DIFF_EPILOG)
@click.argument("items_file", metavar="ITEMS", type=FILE)
@click.argument("new_document", metavar="NEW_DOC", type=FILE)
@click.option("--old", type=FILE, help="The document that ITEMS was made for. [default: the copy in ITEMS]")
@click.option("--out", type=FILE, help="Write the items for the new version here.")
@click.option("--overwrite", is_flag=True, help="Replace an items file that is there.")
@output_options("text", "json", "markdown")
@click.pass_context
def diff(
    ctx: click.Context,
    items_file: Path,
    new_document: Path,
    old: Path | None,
    out: Path | None,
    overwrite: bool,
    format_name: str,
    output: Path | None,
) -> None:
    """Carry ITEMS over to NEW_DOC, and list what needs a look.

    Items whose words are still there keep their review. Those whose words changed are carried over and to be reviewed
    again; those whose words are gone are left out. New text without an item is listed.

    Exit code 0: nothing needs a look. 1: something does.
    """
    from audit.cli import policy_diffing

    flags = policy_diffing.DiffFlags(items_file, new_document, old, out, overwrite, format_name, output)
    ctx.exit(policy_diffing.run(flags))
