"""``bench-audit perturb``: plant known defects in a benchmark, or change its form alone."""

from __future__ import annotations

from typing import Any

import click

from audit.cli.options import FILE, benchmark_options, output_options, split_lists, task_options

EPILOG = """\b
Kinds that plant a defect, so that a good judge's score must fall:
  swap-behavior      exchange expected behaviors among tasks
  swap-nearest       the same, between tasks whose descriptions are most alike
  swap-policy        judge every task by another domain's policy (--with)
  drop-step          leave a required step out of the expected behavior
  invent-fact        rest the expected behavior on a fact that nobody stated
  wrong-entity       put another row's id into the expected behavior
  flip-outcome       refuse what is to be performed, perform what is refused
  drop-goal          take a goal out of the description
  break-policy       have the agent do what the policy forbids
  contradict-row     state what the task's own row contradicts

\b
Kinds that change the form alone, so that no score may move:
  paraphrase-format  blanks, line ends, order and case of fields, calls in prose
  reorder-items      lists whose order says nothing, shuffled
  rename-entities    rows under new ids, in texts, gold calls and database
  pad                sentences without a fact, a wish or an act

\b
Examples:
  bench-audit perturb sample/library swap-behavior --rate 0.4 --out swapped
  bench-audit perturb sample/library swap-nearest --show 2
  bench-audit perturb tau3/airline swap-policy --with tau3/retail --out other
  bench-audit perturb my/domain drop-step --rate 1 --seed 7 --show 5
  bench-audit perturb my/domain pad --rate 1 --format json --output pad.json
"""


@click.command("perturb", epilog=EPILOG)
@benchmark_options
@click.argument("kind")
@task_options
@click.option("--rate", type=float, help="Share of the tasks, 0 to 1. [default: 0.2; 1 where all tasks change alike]")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses tasks, partners and changes.")
@click.option("--with", "other", metavar="BENCHMARK", help="Where swap-policy takes the policy from.")
@click.option("--out", type=FILE, metavar="DIR", help="Folder to write the benchmark to; new, or empty.")
@click.option("--force", is_flag=True, help="Replace the folder, if it holds an earlier perturbation and nothing else.")
@click.option("--show", "n_shown", type=click.IntRange(0, 1000), default=3, show_default=True, help="Tasks to show.")
@output_options("text", "json")
@click.pass_context
def command(ctx: click.Context, /, **flags: Any) -> None:  # noqa: ANN401  # click's own flags, typed in PerturbFlags
    """Change a share of BENCHMARK's tasks in a known way, to see whether a judge notices.

    KIND says how. With --out the benchmark is written in its own format, and perturbation.json says what was changed
    from what to what; without it, the changes are only shown. The tasks of a lower --rate are among those of a higher
    one with the same --seed, and changed alike.
    """
    from audit.cli import perturbing
    from audit.cli.places import with_places

    split_lists(flags)
    ctx.exit(perturbing.run(perturbing.PerturbFlags(**with_places(flags))))
