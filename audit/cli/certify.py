"""``bench-audit certify``: measure a judge on questions whose answers are known."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, place_options, repeated_judge_options, split_lists, task_options

EPILOG = """\b
What each number means, and what it does not: docs/certificate.md.

\b
Examples:
  bench-audit certify --judge openai:gpt-5.4 --dry-run
  bench-audit certify --judge openai:gpt-5.4 --budget 10 --out out/certificate
  bench-audit certify --judge openai:gpt-5.4 tau3/airline --data-dir ~/tau2-bench
  bench-audit certify --judge openai:gpt-5.4 my/domain --ratings anna.csv
  bench-audit certify --judge openai:gpt-5.4 --judge anthropic:claude-sonnet-4-5
  bench-audit certify --judge openai:gpt-6-luna --mode prompts --mode decisions
  bench-audit certify
"""


@click.command("certify", epilog=EPILOG)
@click.argument("benchmark", required=False)
@click.option("--ratings", multiple=True, type=FILE, help="People's ratings of BENCHMARK, a CSV file; repeat it.")
@place_options
@task_options
@repeated_judge_options(2)
@click.option("--dry-run", is_flag=True, help="Count calls, tokens and cost, and send nothing.")
@click.option("--out", type=FILE, metavar="DIR", help="Folder for text, JSON, HTML page, CSV tables and figures.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What stdout gets.",
)
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags
    """Certify judges: put a fixed suite of questions to them whose answers are known, on the sample and on BENCHMARK.

    The result is kept in the verdict store with the judge's endpoint, model and parameters; score, gate and the pages
    print it from then on, with the share of flawed tasks corrected for the error that was measured. Only the benchmark
    as it is is asked about --trials times. What was measured on other benchmarks before stays in the certificate, with
    its date. Without --judge the offline scorer is certified.

    Exits with 3 where verdicts are missing: such a certificate is kept, and called incomplete wherever it is shown.
    """
    from audit.cli import certifying

    split_lists(flags)
    ctx.exit(certifying.run(flags))
