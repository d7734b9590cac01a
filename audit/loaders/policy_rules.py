"""Files of policy rules: the rules of a policy that a program can decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.errors import LoadError, PolicyChangedError
from audit.loaders.json_file import parse_json, read_input, show_path
from audit.loaders.rule_expressions import Place, read_condition, read_name, read_value
from audit.records.finding import SEVERITY_ORDER, Certainty, Severity
from audit.records.policy import Policy
from audit.records.policy_rule import NAMES, Expression, PolicyRule, PolicyRules
from audit.records.task import Json
from audit.resources import resource

_ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"


class _RuleRow(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    id: str = Field(pattern=_ID, max_length=60)
    item: str = ""
    on: list[str] = Field(min_length=1)
    let: dict[str, Any] = {}
    where: Any = None
    require: Any
    says: str = Field(min_length=1, max_length=200)
    show: dict[str, Any] = {}
    certainty: str = Certainty.PROVED.value
    severity: str | None = None


class _RuleFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    policy: str = Field(min_length=1)
    document_sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    now: str = ""
    define: dict[str, Any] = {}
    rules: list[_RuleRow] = Field(min_length=1)


def find_policy_rules(policy: Policy, *, shelf: Path | None = None) -> PolicyRules | None:
    """Return the shipped rules that were made for a policy's document; ``None`` where there are none.

    Parameters
    ----------
    shelf
        Folder of policies, one folder a policy, with ``rules.json``; ``None`` for those that ship with the program.

    Raises
    ------
    LoadError
        If a file of the shelf is not sound.
    """
    for path in sorted((shelf or resource("policies")).glob("*/rules.json")):
        stated = _read_file(path)
        if stated.document_sha256 == policy.sha256:
            has_own_items = bool(policy.items) and policy.name != stated.policy
            return _without_items(stated, path, policy) if has_own_items else _build(stated, path, policy)
    return None


def _without_items(stated: _RuleFile, path: Path, policy: Policy) -> PolicyRules:
    """Return rules that name no item: the ids of items that a user made mean something else."""
    built = _build(stated, path, replace(policy, items=()))
    return replace(built, rules=tuple(replace(rule, item="") for rule in built.rules))


def read_policy_rules(path: Path, policy: Policy) -> PolicyRules:
    """Read a file of rules for a policy.

    Raises
    ------
    PolicyChangedError
        If the file says that it was made for another document.
    LoadError
        Naming file, rule and field, if it can't be read or holds a mistake.
    """
    stated = _read_file(path)
    if stated.document_sha256 not in ("", policy.sha256):
        raise PolicyChangedError(
            f"the rules of {stated.policy} belong to another version of the policy",
            where=str(path),
            mend=f"Check each rule against the document, then set document_sha256 to {policy.sha256}",
        )
    return _build(stated, path, policy)


def _read_file(path: Path) -> _RuleFile:
    value = parse_json(read_input(path, root=path.parent, role="policy rules"))
    try:
        return _RuleFile.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        raise LoadError(first["msg"], where=_name_place(path, value, first["loc"]), mend="Correct the file") from error


def _name_place(path: Path, value: Json, steps: tuple[int | str, ...]) -> str:
    """Return file, rule (by its id, where it has one) and field."""
    rules = value.get("rules") if isinstance(value, Mapping) else None
    if steps[:1] == ("rules",) and len(steps) > 1 and isinstance(rules, list) and isinstance(steps[1], int):
        rule = rules[steps[1]]
        named = rule.get("id") if isinstance(rule, Mapping) else None
        label = named if isinstance(named, str) else f"number {steps[1] + 1}"
        return f"{path} rule {label} {'.'.join(str(step) for step in steps[2:])}".rstrip()
    return f"{path} {'.'.join(str(step) for step in steps)}".rstrip()


def _build(stated: _RuleFile, path: Path, policy: Policy) -> PolicyRules:
    if stated.now and not _is_time(stated.now):
        mend = "Write it as in 2027-04-14T10:00"
        raise LoadError(f"the current time {stated.now!r} is no time", where=f"{path} now", mend=mend)
    ids = [row.id for row in stated.rules]
    for row in stated.rules:
        if ids.count(row.id) > 1:
            raise LoadError(f"two rules have the id {row.id}", where=str(path), mend="Rename one")
    _refuse_unused(stated, path)
    rules = tuple(_build_rule(row, stated, path, policy) for row in stated.rules)
    shown = show_path(path, resource("policies").parent)
    return PolicyRules(stated.policy, stated.document_sha256, stated.now, rules, shown)


def _is_time(text: str) -> bool:
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def _refuse_unused(stated: _RuleFile, path: Path) -> None:
    used: set[str] = set()
    stack: list[Json] = [stated.define, *(row.model_dump() for row in stated.rules)]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if isinstance(node.get("use"), str):
                used.add(str(node["use"]))
            stack += node.values()
        elif isinstance(node, list):
            stack += node
    unused = sorted(stated.define.keys() - used)
    if unused:
        raise LoadError("no rule uses this definition", where=f"{path} define.{unused[0]}", mend="Use or remove it")


def _build_rule(row: _RuleRow, stated: _RuleFile, path: Path, policy: Policy) -> PolicyRule:
    where = f"{path} rule {row.id}"
    if policy.items and row.item not in policy.item_ids:
        mend = f"Choose among {policy.items[0].id} to {policy.items[-1].id}"
        raise LoadError(f"the policy has no item {row.item!r}", where=f"{where} item", mend=mend)
    certainty, severity = _weigh(row, where)
    place = Place(where, "", frozenset(NAMES) - (frozenset() if stated.now else {"now"}), stated.define)
    names: dict[str, Expression] = {}
    for name, value in row.let.items():
        at = _root(place, f"let.{name}")
        names[read_name(name, at)] = read_value(cast("Json", value), at)
        place = place.knowing([name])
    return PolicyRule(
        id=row.id,
        item=row.item,
        on=frozenset(row.on),
        names=names,
        where=None if row.where is None else read_condition(row.where, _root(place, "where")),
        require=read_condition(row.require, _root(place, "require")),
        says=row.says,
        show={label: read_value(value, _root(place, f"show.{label}")) for label, value in row.show.items()},
        certainty=certainty,
        severity=severity,
    )


def _root(place: Place, path: str) -> Place:
    return Place(place.where, path, place.names, place.defined, place.budget)


def _weigh(row: _RuleRow, where: str) -> tuple[Certainty, Severity]:
    if row.certainty not in (Certainty.PROVED, Certainty.LIKELY):
        raise LoadError(f"no certainty {row.certainty!r}", where=f"{where} certainty", mend="Write proved or likely")
    certainty = Certainty(row.certainty)
    usual = Severity.ERROR if certainty is Certainty.PROVED else Severity.WARNING
    if row.severity is None:
        return certainty, usual
    if row.severity not in list(Severity):
        known = ", ".join(Severity)
        raise LoadError(f"no severity {row.severity!r}", where=f"{where} severity", mend=f"Choose among {known}")
    severity = Severity(row.severity)
    if SEVERITY_ORDER.index(severity) < SEVERITY_ORDER.index(usual):
        what = "a rule that is only likely can't be an error"
        raise LoadError(what, where=f"{where} severity", mend="Write warning or note")
    return certainty, severity
