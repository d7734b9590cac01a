"""Ids of rows under new names everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from audit.loaders.tau_task import USER_TABLE
from audit.perturbations.choice import make_rng
from audit.perturbations.forms.protocol import Raw
from audit.perturbations.forms.registry import find_form
from audit.perturbations.json_paths import differences, show, spell
from audit.perturbations.protocol import Dose
from audit.perturbations.world import fresh, make_world, shared_prefix
from audit.records.perturbation import Change, Perturbed, Untouched
from audit.records.task import Benchmark, Json

NAME = "rename-entities"
_WORD = re.compile(r"#?\w+(?:-\w+)*")
_NUMBER = re.compile(r"\d{1,5}")
_TRIES = 100

Names = Mapping[str, str]


def rename_entities(benchmark: Benchmark, dose: Dose) -> Perturbed:
    """Give every row key that tasks name a new one of the same shape: in texts, gold calls, rows and database.

    Left alone are keys that stand in the policy, in tools or in the user's own records, for these stay as they are.
    """
    form = find_form(benchmark)
    names = choose_names(benchmark, dose.seed)
    renamed = replace(benchmark, database=_rename_tables(benchmark, names))
    raws: dict[str, Raw] = {}
    for task in benchmark.tasks:
        new = {name: value if name == "id" else rename(value, names) for name, value in task.raw.items()}
        if spell(new) != spell(dict(task.raw)):
            raws[task.id] = new
    changes = [Change(None, f"{table}.{key}", key, names[key]) for table, key in _renamed_rows(benchmark, names)]
    for task in benchmark.tasks:
        for path, before, after in differences(task.raw, raws.get(task.id, task.raw)):
            changes.append(Change(task.id, show(path), before, after))
    remade = form.remake(renamed, {task.id: raws.get(task.id, task.raw) for task in benchmark.tasks})
    return Perturbed(
        benchmark=remade,
        kind=NAME,
        rate=1.0,
        seed=dose.seed,
        n_wanted=len(benchmark.tasks),
        changes=tuple(changes),
        untouched=tuple(
            Untouched(task.id, "it names no row whose key could be renamed")
            for task in benchmark.tasks
            if task.id not in raws
        ),
        notes=() if names else ("Nothing was renamed: no task names a row by a key that is told from ordinary words",),
    )


def choose_names(benchmark: Benchmark, seed: int) -> Names:
    """Return a new key for each row key that a task's entry names; no two alike, and none that is there already.

    Nodes of plans keep their names, which may say of which other node they are a second try.
    """
    if benchmark.style == "plan":
        return {}
    fixed = _words([benchmark.policy.text, *(task.policy.text for task in benchmark.tasks if task.policy)])
    fixed |= {word for tool in benchmark.tools for word in (tool.name, *(each.name for each in tool.parameters))}
    own = (row.value for task in benchmark.tasks for row in task.rows if row.table == USER_TABLE)
    fixed |= _words(text for value in own for text in _texts(value))
    said = _words(text for task in benchmark.tasks for text in _texts(task.raw))
    world = make_world(benchmark)
    prefixes = {table: shared_prefix(rows) for table, rows in world.rows.items()}
    taken = said | fixed | set(world.table_of)
    names: dict[str, str] = {}
    for key in sorted(world.table_of):
        prefix = prefixes[world.table_of[key]]
        bare = key.lstrip("#")
        if {key, bare} & said and not {key, bare} & fixed and _WORD.fullmatch(key) and not _NUMBER.fullmatch(bare):
            new = _new_name(key, prefix, seed=seed, taken=taken)
            if new:
                taken |= {new, new.lstrip("#")}
                names[key] = new
    return names


def rename(value: Json, names: Names) -> Json:
    """Return a JSON value with the new names in place of the old ones, in texts and in names of fields.

    A key that begins with ``#`` is renamed without it too.
    """
    if isinstance(value, str):
        return _WORD.sub(lambda match: _new_word(match[0], names), value)
    if isinstance(value, Mapping):
        return {_new_word(name, names): rename(part, names) for name, part in value.items()}
    if isinstance(value, list):
        return [rename(part, names) for part in value]
    return value


def _new_word(word: str, names: Names) -> str:
    if word in names:
        return names[word]
    if f"#{word}" in names:
        return names[f"#{word}"].removeprefix("#")
    if word.startswith("#") and word[1:] in names:
        return f"#{names[word[1:]]}"
    return word


def _new_name(key: str, prefix: str, *, seed: int, taken: set[str]) -> str:
    """Return a free key of the same shape that begins as its table's keys do; empty if there is none."""
    rng = make_rng(seed, NAME, key)
    for _ in range(_TRIES):
        new = f"{prefix}{fresh(key.removeprefix(prefix), rng)}"
        if new not in taken and new.lstrip("#") not in taken:
            return new
    return ""


def _rename_tables(benchmark: Benchmark, names: Names) -> Mapping[str, Mapping[str, Json]]:
    return {
        table: {_new_word(key, names): rename(row, names) for key, row in rows.items()}
        for table, rows in benchmark.database.items()
    }


def _renamed_rows(benchmark: Benchmark, names: Names) -> Iterator[tuple[str, str]]:
    for table, rows in benchmark.database.items():
        yield from ((table, key) for key in rows if key in names)


def _texts(value: Json) -> Iterator[str]:
    """Yield the texts in a value, and the names of its fields."""
    if isinstance(value, Mapping):
        yield from value
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value


def _words(texts: Iterable[str]) -> set[str]:
    return {form for text in texts for word in _WORD.findall(text) for form in (word, word.lstrip("#"))}
