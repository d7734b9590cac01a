"""The policies of a τ-style benchmark: one document, one put together from several files, or one a task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from audit.errors import LoadError
from audit.loaders.documents import Document, read_documents
from audit.loaders.entry import Entry
from audit.loaders.json_file import InputFile, decode, read_input, show_path
from audit.loaders.policy import fit_items, make_policy, tidy
from audit.records.policy import Policy, PolicyItem, PolicyPiece
from audit.records.source import Source

REQUIRED = "{{required_documents}}"
"""Where a task's documents stand in a policy that is a template."""
_FIELD = "required_documents"
_INCLUDED = re.compile(r"\{\{(component|file):([\w-][\w.-]*)\}\}")
_OPENING_TAG = re.compile(r"\n?<[\w-]+>\s*\Z")
_AROUND = ("\n\n<required_documents>\n", "\n</required_documents>")
"""What holds the documents where the policy has no place for them."""

DocumentIds = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Policies:
    """The policy that all tasks share, and those of tasks that add documents to it.

    Parameters
    ----------
    shared
        The document without any task's documents: the beginning of every task's own policy.
    own
        By the ids of the documents, in the order in which a task names them.
    files
        Every file that was read.
    """

    shared: Policy
    own: Mapping[DocumentIds, Policy]
    files: tuple[InputFile, ...]

    def of(self, task: Entry) -> Policy | None:
        """Return the task's own policy; ``None`` where it has none but the shared one."""
        return self.own.get(_ids(task))


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of a policy's text; ``file`` is empty for what holds the files together."""

    text: str
    file: str = ""


def load_policies(source: Source, tasks: Sequence[Entry]) -> Policies:
    """Read the policy of a benchmark, and each task's own where its documents are known.

    Raises
    ------
    LoadError
        If there is no policy, a file of it can't be read, or a task names a document that does not exist.
    PolicyChangedError
        If the manifest promises items that were made for another text.
    """
    template, files = _read_template(source)
    before, after = _around_documents(template)
    shared = _with_items(_compose([*before[:-1], _without_tag(before[-1])], source.name), source)
    if not shared.text:
        raise LoadError("the policy is empty", where=str(files[0].path), mend="Give the document that the agent gets")
    has_place = any(REQUIRED in run.text for run in template)
    if source.documents is None:
        if has_place:
            mend = "Put them into a folder 'documents', or documents.jsonl, beside the tasks"
            raise LoadError("the policy needs documents, and there are none", where=str(source.root), mend=mend)
        return Policies(shared, {}, files)
    documents = _read_needed(source.documents, tasks, root=source.root)
    shared = _with_note(shared, len(documents))
    own = {
        ids: _own_policy([*before, *_join([documents[name] for name in ids]), *after], shared)
        for ids in dict.fromkeys(_ids(task) for task in tasks)
        if ids
    }
    used = {document.file.shown: document.file for ids in own for document in map(documents.__getitem__, ids)}
    return Policies(shared, own, (*files, *used.values()))


def _ids(task: Entry) -> DocumentIds:
    return task.texts(_FIELD) or ()


def _read_template(source: Source) -> tuple[list[_Run], tuple[InputFile, ...]]:
    """Return the policy's text, what it includes put in, and the files that it was read from."""
    if source.policy_template is not None:
        template, main = _Run(source.policy_template), None
        folder = source.root
    elif source.policy is not None:
        main = read_input(source.policy, root=source.root, role="policy")
        template, folder = _Run(decode(main), main.shown), source.policy.parent
    else:
        raise LoadError("no policy was given", where=source.name, mend="Name it with --policy")
    runs, included = [], []
    for run, path in _split(template, folder, takes_files=main is None):
        if path is not None:
            file = read_input(path, root=source.root, role="policy")
            included.append(file)
            runs.append(_Run(decode(file), file.shown))
        elif run.text:
            runs.append(run)
    return runs, tuple(file for file in (main, *included) if file is not None)


def _split(template: _Run, folder: Path, *, takes_files: bool) -> Iterator[tuple[_Run, Path | None]]:
    """Yield the runs of a template, and the files that stand between them.

    Only our own templates include files by name; a document includes the parts that lie in ``components`` beside it.
    """
    position = 0
    for match in _INCLUDED.finditer(template.text):
        is_file, name = match[1] == "file", match[2]
        if is_file != takes_files or not (is_file or (folder / "components").is_dir()):
            continue
        yield replace(template, text=template.text[position : match.start()]), None
        yield template, folder / name if is_file else folder / "components" / f"{name}.md"
        position = match.end()
    yield replace(template, text=template.text[position:]), None


def _around_documents(template: list[_Run]) -> tuple[list[_Run], list[_Run]]:
    """Return what comes before and after the documents."""
    for number, run in enumerate(template):
        if REQUIRED in run.text:
            before, _, after = run.text.partition(REQUIRED)
            return [*template[:number], replace(run, text=before)], [replace(run, text=after), *template[number + 1 :]]
    return [*template, _Run(_AROUND[0])], [_Run(_AROUND[1])]


def _without_tag(run: _Run) -> _Run:
    """Leave out the tag that opens the block of documents."""
    return replace(run, text=_OPENING_TAG.sub("", run.text))


def _read_needed(path: Path, tasks: Sequence[Entry], *, root: Path) -> Mapping[str, Document]:
    wanted = dict.fromkeys(name for task in tasks for name in _ids(task))
    found = read_documents(path, root=root, wanted=wanted)
    for task in tasks:
        unknown = next((name for name in _ids(task) if name not in found), None)
        if unknown is not None:
            what = f"there is no document {unknown!r}"
            raise task.error(what, field=_FIELD, mend=f"Correct the id, or add the document to {path.name}")
    return found


def _join(documents: Sequence[Document]) -> Iterator[_Run]:
    for number, document in enumerate(documents):
        yield _Run(f'{"" if number == 0 else chr(10)}<document id="{document.id}">\n')
        title = f"# {document.title}\n\n" if document.title.strip() else ""
        yield _Run(f"{title}{document.content}", document.file.shown)
        yield _Run("\n</document>")


def _compose(runs: Sequence[_Run], name: str) -> Policy:
    """Return the policy that the runs make up; a text that is all of one file has no pieces."""
    texts = [tidy(run.text) for run in runs]
    policy = make_policy("".join(texts), name=name)
    shift = len("".join(texts)) - len("".join(texts).lstrip("\n"))
    ends = [min(max(end - shift, 0), len(policy.text)) for end in accumulate(map(len, texts))]
    pieces = [
        PolicyPiece(run.file, start, end)
        for run, start, end in zip(runs, [0, *ends], ends, strict=False)
        if run.file and start < end
    ]
    is_whole = len(pieces) == 1 and (pieces[0].start, pieces[0].end) == (0, len(policy.text))
    file = pieces[0].file if pieces else ""
    return replace(policy, file=file, pieces=() if is_whole else tuple(pieces))


def _with_items(policy: Policy, source: Source) -> Policy:
    """Return ``policy`` with the items made for its text, or else with those made for the files in it."""
    fitted = fit_items(policy, items=source.items, use_items=source.use_items)
    if fitted.items or not source.use_items or source.items is not None:
        return fitted
    parts = [(piece, _fit_piece(policy, piece)) for piece in policy.pieces]
    items = tuple(item for piece, part in parts for item in _moved(policy, piece, part))
    clash = next((item.id for n, item in enumerate(items) if item.id in {other.id for other in items[:n]}), None)
    if clash is not None:
        what = f"the items of two of its documents share the id {clash}"
        raise LoadError(what, where=policy.name, mend="Rename the items of one set, or use --policy-items none")
    if not items:
        return fitted
    frame = show_path(source.policy, source.root) if source.policy is not None else ""
    bare = [piece.file for piece, part in parts if not part.items and piece.file != frame]
    notes = (_unmarked(bare), *(part.items_note for _, part in parts))
    return replace(fitted, items=items, no_items_reason="", items_note=" ".join(filter(None, notes)))


def _fit_piece(policy: Policy, piece: PolicyPiece) -> Policy:
    text = policy.text[piece.start : piece.end]
    return fit_items(make_policy(text, name=piece.file, file=piece.file))


def _moved(policy: Policy, piece: PolicyPiece, part: Policy) -> Iterator[PolicyItem]:
    """Yield the items of a piece where they stand in the whole."""
    text = policy.text[piece.start : piece.end]
    shift = piece.start + len(text) - len(text.lstrip("\n"))
    for item in part.items:
        yield replace(item, start=item.start + shift, end=item.end + shift)


def _unmarked(files: Sequence[str]) -> str:
    return f"No items are known for {', '.join(files)}: violations of its rules are not counted." if files else ""


def _with_note(shared: Policy, n_documents: int) -> Policy:
    """Return the shared policy with a note that what tasks add to it has no items, where that is so."""
    if not (shared.items and n_documents):
        return shared
    note = (
        f"The {len(shared.items)} policy items mark what all tasks share. The {n_documents} documents that tasks add "
        "to it have none: violations of their rules are not counted."
    )
    return replace(shared, items_note=" ".join(filter(None, (note, shared.items_note))))


def _own_policy(runs: Sequence[_Run], shared: Policy) -> Policy:
    """Return a task's policy; the items of the shared beginning hold in it too, in the same places."""
    policy = _compose(runs, shared.name)
    return replace(policy, items=shared.items, no_items_reason=shared.no_items_reason, items_note=shared.items_note)
