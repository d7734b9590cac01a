"""How far items proposed offline agree with those that people made, over every set whose document is at hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from audit.loaders.item_set import read_item_set
from audit.loaders.policy import make_policy
from audit.policies.agreement import Agreement, measure_agreement
from audit.policies.heuristic import propose_offline
from audit.resources import resource
from scripts.measure_flaws import write_between_markers

FOLDERS = ("tau1", "tau3", "intellagent")
"""Where documents that are not ours lie among the real data."""
HEADER = (
    "| items | made by people | proposed | the same rule | precision | recall | proposals that touch an item "
    "| characters of items covered |\n|---|---|---|---|---|---|---|---|"
)


def find_documents(data: Path | None) -> dict[str, str]:
    """Return the normalised text of every policy document that is at hand, by its hash."""
    folders = [resource("policies"), resource("benchmarks")]
    folders += [] if data is None else [data / name for name in FOLDERS]
    paths = [path for folder in folders for path in sorted(folder.rglob("*.md"))]
    policies = [make_policy(path.read_text(encoding="utf-8"), name=path.name) for path in paths]
    return {policy.sha256: policy.text for policy in policies}


def measure(data: Path | None) -> Iterator[tuple[str, Agreement]]:
    """Yield each shipped set whose document is at hand, with how far the proposed items agree with it."""
    documents = find_documents(data)
    for path in sorted(resource("policies").glob("*/items.json")):
        made = read_item_set(path)
        if (text := documents.get(made.document_sha256)) is not None:
            proposed = [item for item in propose_offline(text) if item.violable]
            yield path.parent.name, measure_agreement(proposed, made.used)


def to_markdown(measured: list[tuple[str, Agreement]]) -> str:
    """Return the table, the sets in the order of their names."""
    return "\n".join([HEADER, *(_row(name, agreement) for name, agreement in measured)]) + "\n"


def _row(name: str, found: Agreement) -> str:
    touching = found.n_touching / found.n_proposed if found.n_proposed else None
    shares = [_percent(share) for share in (found.precision, found.recall, touching, found.share_covered)]
    counts = [str(count) for count in (found.n_made, found.n_proposed, found.n_same)]
    return f"| `{name}` | {' | '.join([*counts, *shares])} |"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), help="Folder of benchmark sets.")
@click.option("--write", type=click.Path(path_type=Path, exists=True), help="Document to write the table into.")
def main(data: Path | None, write: Path | None) -> None:
    """Print the table.

    Example: python -m scripts.measure_extraction --data ../data --write docs/policies.md
    """
    table = to_markdown(list(measure(data)))
    sys.stdout.write(table)
    if write is not None:
        write_between_markers(write, table)


if __name__ == "__main__":
    main()
