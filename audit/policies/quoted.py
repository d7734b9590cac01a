"""What a model proposes: rules as quotes of the section that it was shown. Reading is strict; nothing is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.errors import UnreadableReplyError
from audit.judges.document import DocumentJudge
from audit.judges.reply import read_object
from audit.policies.words import short_title
from audit.records.item_set import Binds
from audit.records.policy import ItemKind
from audit.records.task import Json

CRITERION = "policy_items"
MOST_RULES = 400
"""Of one reply; more than any section has."""
_LONGEST_REPLY = 100_000
"""Characters: what the store keeps of a reply, so that it can be read again."""
_MEND = "Run the command again to ask once more"


@dataclass(frozen=True, slots=True)
class Quoted:
    """A rule that a model found; ``quote`` may stand in the document or not."""

    quote: str
    title: str
    kind: ItemKind
    binds: Binds
    violable: bool


def read_quoted(text: str, *, where: str) -> tuple[Quoted, ...]:
    """Return the rules of a reply, in its order; there may be none.

    Raises
    ------
    UnreadableReplyError
        If the reply is too long to be kept, holds no object of the right form, or names an unknown kind.
    """
    if len(text) > _LONGEST_REPLY:
        raise _unreadable(f"the reply has {len(text):,} characters", where)
    rules = read_object(text, where=where).get("rules")
    if not isinstance(rules, list):
        raise _unreadable('key "rules" is missing or no list', where)
    if len(rules) > MOST_RULES:
        raise _unreadable(f'"rules" lists {len(rules)}, more than {MOST_RULES}', where)
    return tuple(_read_rule(rule, number, where=where) for number, rule in enumerate(rules, 1))


def _read_rule(rule: Json, number: int, *, where: str) -> Quoted:
    if not isinstance(rule, Mapping):
        raise _unreadable(f"rule {number} is no object", where)
    quote, title = (_text(rule, name, number, where=where) for name in ("quote", "title"))
    kind, binds = _text(rule, "kind", number, where=where), _text(rule, "binds", number, where=where)
    if kind not in list(ItemKind):
        raise _unreadable(f"rule {number} has an unknown kind", where)
    if binds not in list(Binds):
        raise _unreadable(f"rule {number} binds somebody unknown", where)
    violable = rule.get("violable")
    if not isinstance(violable, bool):
        raise _unreadable(f'rule {number} has no "violable" that is true or false', where)
    return Quoted(quote, short_title(title), ItemKind(kind), Binds(binds), violable)


def _text(rule: Mapping[str, Json], name: str, number: int, *, where: str) -> str:
    value = rule.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _unreadable(f'rule {number} has no "{name}" that is a text', where)
    return value


def _unreadable(what: str, where: str) -> UnreadableReplyError:
    return UnreadableReplyError(what, where=where, mend=_MEND)


def _read_titles(text: str, where: str) -> tuple[str, ...]:
    """Return the titles of a reply's rules, which are read from the reply once more when they are needed."""
    return tuple(each.title for each in read_quoted(text, where=where))


POLICY_ITEMS = DocumentJudge(CRITERION, "the section is empty", _read_titles)
"""Asks for the rules in a section of a policy document."""
