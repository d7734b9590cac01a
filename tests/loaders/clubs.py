"""A small domain of our own whose policy is put together: a sailing club with documents that tasks name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.loaders.boats import task, write_document, write_domain

TEMPLATE = """{{component:header}}

# What you may read

{{component:more}}

<required_documents>
{{required_documents}}
</required_documents>
"""
HEADER = "# Club rules\n\n- Nobody sails alone.  \n\n"
MORE = "\n\n## More\n\nAsk twice.\n"


def needing(*ids: str, id: str = "1") -> dict[str, Any]:
    return task(id, required_documents=list(ids))


def write_club(folder: Path, *tasks: dict[str, Any], policy: str | None = None) -> Path:
    """Write a domain whose policy is a template with two components, beside two documents."""
    write_domain(folder, list(tasks) or [needing("fees", "storms")], skip=("policy",))
    (folder / "prompts" / "components").mkdir(parents=True, exist_ok=True)
    (folder / "prompts" / "required_docs.md").write_text(TEMPLATE if policy is None else policy)
    (folder / "prompts" / "components" / "header.md").write_text(HEADER)
    (folder / "prompts" / "components" / "more.md").write_text(MORE)
    write_document(folder / "documents", "fees", title="Fees", content="A fee of 5.\n\n- In coins.")
    write_document(folder / "documents", "storms", title=" ", content="Stay ashore.")
    return folder
