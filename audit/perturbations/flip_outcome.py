"""A refusal where the expected behavior performs, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from audit.databases.words import tokens
from audit.perturbations.drop_step import required_calls
from audit.perturbations.edits import take_all
from audit.perturbations.json_paths import Path, look, put
from audit.perturbations.language import is_negative, pieces, say_no, say_yes
from audit.perturbations.sites import Planted, Site, Unfit
from audit.perturbations.world import is_id, leaves
from audit.records.task import Action, Json, PartKind, ToolKind

_TELLS = re.compile(
    r"\b(?:tell|inform|communicat|detect|reali[sz]|verif|check|explain|notic|find|know|confirm|identif|ask|mention|say|quote|look)",
    re.I,
)  # fmt: skip
"""What an agent does on the way to either outcome."""
_IF = re.compile(r"^\W*(?:if|in case|unless|should (?:the|an?) )\b", re.I)
"""A case that need not come up."""
_CASE = re.compile(r"^\W*(?:if|in case|unless)\b[^,]*\b(?:cannot|can not|not|unable|\w+n['’]t)\b", re.I)
"""A refusal that is a condition, and no outcome."""
_MOST_NAMED = 3


def flip_outcome(site: Site) -> Planted | Unfit:
    """Turn what the task comes to into its opposite: refused where it was performed, performed where it was refused."""
    written = [call for call in required_calls(site) if call.kind is ToolKind.WRITE]
    if written:
        return Planted(_refuse(site, written))
    flipped = dict(_flipped_statements(site, to_yes=True))
    donor = _borrow_call(site) if site.task.actions is not None else None
    if flipped:
        raw = _put_all(site.raw, flipped)
        return Planted(raw if donor is None else _add_call(site, raw, donor), donor.origin.task_id if donor else None)
    return _flip_prose(site)


def _refuse(site: Site, written: list[Action]) -> Json:
    """Take out every call that changes a record, deny what is said of acts, and say that the request is declined."""
    raw = _put_all(site.raw, dict(_flipped_statements(site, to_yes=False)))
    raw = take_all(raw, [site.path(call.origin) for call in written])
    wishes = "; ".join([*dict.fromkeys(_in_words(call) for call in written)][:_MOST_NAMED])
    text = f"The {site.actor} declines the request and changes nothing ({wishes})."
    return site.form.state(raw, text) if isinstance(raw, Mapping) else raw


def _in_words(call: Action) -> str:
    ids = [value for value in call.arguments.values() if isinstance(value, str) and is_id(value)]
    return " ".join((call.name.replace("_", " "), *ids[:1]))


def _flipped_statements(site: Site, *, to_yes: bool) -> Iterator[tuple[Path, str]]:
    for path, text in site.texts({PartKind.ASSERTION}):
        flipped = say_yes(text) if to_yes else _deny(text)
        if flipped:
            yield path, flipped


def _deny(text: str) -> str | None:
    return None if is_negative(text) or _TELLS.search(text) else say_no(text)


def _flip_prose(site: Site) -> Planted | Unfit:
    """Turn the refusals in prose around, or else deny its last act."""
    for path, text in site.texts({PartKind.PROSE}):
        cut = pieces(text)
        flipped = [None if _CASE.search(piece) else say_yes(piece.strip()) for piece in cut]
        if not any(flipped):
            denied = [None if _IF.search(piece) else say_no(piece.strip()) for piece in cut]
            last = max((number for number, new in enumerate(denied) if new), default=-1)
            flipped = [new if number == last else None for number, new in enumerate(denied)]
        if any(flipped):
            joined = [_instead(piece, new) for piece, new in zip(cut, flipped, strict=True)]
            return Planted(put(site.raw, path, new="".join(joined)))
    return Unfit("its expected behavior neither refuses nor performs anything that could be turned around")


def _instead(piece: str, new: str | None) -> str:
    return piece if new is None else piece.replace(piece.strip(), new)


def _put_all(raw: Json, texts: Mapping[Path, str]) -> Json:
    for path, text in texts.items():
        raw = put(raw, path, new=text)
    return raw


def _add_call(site: Site, raw: Json, call: Action) -> Json:
    """Return an entry with one more gold call, shaped like those of another task; as it is where its list is a text."""
    donors = {task.id: task for task in site.world.benchmark.tasks}
    path = site.path(call.origin)
    shape = look(donors[call.origin.task_id or ""].raw, path)
    field = "kwargs" if isinstance(shape, Mapping) and "kwargs" in shape else "arguments"
    new: Json = {"name": call.name, field: dict(call.arguments)}
    listed = look(raw, path[:-1])
    if isinstance(listed, str):
        return raw
    return put(raw, (*path[:-1], len(listed) if isinstance(listed, list) else 0), new=new)


def _borrow_call(site: Site) -> Action | None:
    """Return another task's call that changes a record, with this task's rows in it; ``None`` where none fits.

    Fitting is a call whose arguments are plain and of which those that name rows name rows of tables that this task
    has some of; its verb stands in the description.
    """
    said = site.task.description_text.lower()
    fitting = []
    for task in site.world.benchmark.tasks:
        for call in task.actions or ():
            if task.id != site.task.id and call.kind is ToolKind.WRITE and call.name.partition("_")[0] in said:
                adapted = _adapt(site, call)
                if adapted is not None:
                    fitting.append(adapted)
    return fitting[int(site.rng.integers(len(fitting)))] if fitting else None


def _adapt(site: Site, call: Action) -> Action | None:
    named = tokens(site.task.description_text)
    own = sorted(site.task.rows, key=lambda row: row.key not in named)
    arguments: dict[str, Json] = {}
    for name, value in call.arguments.items():
        if isinstance(value, Mapping | list):
            return None
        table = site.world.table_of.get(str(value))
        key = next((row.key for row in own if row.table == table), None)
        if table is not None and key is None:
            return None
        arguments[name] = value if key is None else key
    is_ours = any(value in {row.key for row in own} for _, value in leaves(arguments))
    return Action(call.name, arguments, call.kind, call.origin, call.requestor) if is_ours else None
