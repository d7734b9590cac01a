"""Benchmarks that IntellAgent generated: an output folder, or a dataset alone."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from audit.errors import LoadError
from audit.families import model_family
from audit.loaders.entry import Entry, name_type
from audit.loaders.intellagent_event import read_event
from audit.loaders.intellagent_experiments import experiment_folders, read_experiments
from audit.loaders.intellagent_pickle import read_dataset, read_graph
from audit.loaders.json_file import InputFile, decode, parse_json, read_input
from audit.loaders.policy import fit_items, make_policy
from audit.records.policy import Policy
from audit.records.source import Source
from audit.records.task import Benchmark, Json, Origin

logger = logging.getLogger(__name__)

_GRAPHS = ("policies_graph/descriptions_generator.pickle", "policy_graph.json")
"""The program's own file, and its conversion to JSON."""
_TODAY = ("../input/wiki.md", "../../input/wiki.md")
"""Where the policy that an environment has today lies, seen from an output folder."""
EMBEDDED, SIMULATED, GIVEN, TODAY = (
    "the policy that the tasks were generated with",
    "the policy of an experiment",
    "the policy that was given",
    "the environment's policy as it is today",
)


class IntellAgentLoader:
    """Reads a dataset, the policy graph that it was made from, and the results of its experiments."""

    def load(self, source: Source) -> Benchmark:
        """Read every event of ``source``.

        The policy is the one that was given, else the one inside the policy graph, which the events were generated
        with, else the one that an experiment used; never today's file, which may be another.

        Raises
        ------
        LoadError
            Naming file, event and field; also for a pickle that holds anything but data.
        """
        _refuse_tables(source)
        dataset = read_input(source.tasks, root=source.root, role="dataset")
        graph_file, graph = _load_graph(source)
        stem = "" if source.tasks.suffix == ".json" else source.tasks.stem
        policies = list(_policies(source, graph_file, graph, stem))
        if not policies or policies[0].kind == TODAY:
            what = "the policy that the events were generated with is not here"
            mend = f"Put the folder {Path(_GRAPHS[0]).parent} beside datasets, or name the policy with --policy FILE"
            raise LoadError(what, where=str(source.root), mend=mend)
        tasks = tuple(read_event(entry) for entry in _entries(dataset))
        policy = fit_items(policies[0].policy, items=source.items, use_items=source.use_items)
        files = (dataset, graph_file, *(version.file for version in policies))
        return Benchmark(
            name=source.name,
            policy=replace(policy, file=policies[0].file.shown),
            tasks=tasks,
            style=source.style,
            title=_title(source, graph),
            version=source.version or stem,
            files=tuple({file.shown: file.record for file in files if file is not None}.values()),
            author_family=source.author_family or _family(graph),
            other_policies=tuple(replace(version.policy, name=version.kind) for version in policies[1:]),
            experiments=read_experiments(source.root, stem),
        )


def _refuse_tables(source: Source) -> None:
    for flag, path in (("--db", source.database), ("--tools", source.tools)):
        if path is not None:
            what = f"{flag} has no meaning for events, each of which holds a small database of its own"
            raise LoadError(what, where=str(path), mend="Leave it out")


@dataclass(frozen=True, slots=True)
class _Version:
    """A version of the policy document."""

    kind: str
    policy: Policy
    file: InputFile


def _load_graph(source: Source) -> tuple[InputFile | None, Mapping[str, Json]]:
    names = _GRAPHS if source.tasks.suffix != ".json" else _GRAPHS[::-1]
    path = next((path for path in (source.root / name for name in names) if path.is_file()), None)
    if path is None:
        return None, {}
    file = read_input(path, root=source.root, role="policy graph")
    if path.suffix != ".json":
        return file, read_graph(file)
    value = parse_json(file)
    if not isinstance(value, dict):
        raise LoadError(f"must be an object, not {name_type(value)}", where=str(path), mend="Convert the graph anew")
    return file, value


def _policies(source: Source, graph_file: InputFile | None, graph: Mapping[str, Json], stem: str) -> Iterator[_Version]:
    """Yield the versions of the policy at hand, each text once, the one to judge by first."""
    seen: set[str] = set()
    for kind, file, text in _texts(source, graph_file, graph, stem):
        policy = make_policy(text, name=file.path.name, file=file.shown)
        if policy.text and policy.sha256 not in seen:
            seen.add(policy.sha256)
            yield _Version(kind, policy, file)


def _texts(
    source: Source, graph_file: InputFile | None, graph: Mapping[str, Json], stem: str
) -> Iterator[tuple[str, InputFile, str]]:
    if source.policy is not None:
        given = read_input(source.policy, root=source.root, role="policy")
        if not decode(given).strip():
            what, mend = "the policy is empty", "Give the document that the agent gets"
            raise LoadError(what, where=str(source.policy), mend=mend)
        yield GIVEN, given, decode(given)
    if graph_file is not None:
        prompt = Entry(graph, Origin(graph_file.shown, ""), graph_file.path).need_text("prompt")
        yield EMBEDDED, graph_file, prompt
    for path in (folder / "prompt.txt" for folder in experiment_folders(source.root, stem)):
        if path.is_file():
            file = read_input(path, root=source.root, role="policy")
            yield SIMULATED, file, decode(file)
    today = next((path for path in (source.root / name for name in _TODAY) if path.is_file()), None)
    if today is not None:
        file = read_input(today, root=source.root, role="policy")
        yield TODAY, file, decode(file)


def _entries(file: InputFile) -> Iterator[Entry]:
    """Yield the events with their ids, which are their places where they have none."""
    seen: set[str] = set()
    for position, value in enumerate(_events(file), 1):
        where = f"{file.path} event number {position}"
        if not isinstance(value, dict):
            raise LoadError(f"must be an object, not {name_type(value)}", where=where, mend="Correct the event")
        stated = value.get("id")
        event_id = str(position if stated is None else stated)
        if isinstance(stated, bool) or not isinstance(stated, int | str | None):
            raise LoadError(f"the event's id is {name_type(stated)}", where=where, mend="Give a number")
        if event_id in seen:
            what = f"the id {event_id!r} is that of another event too"
            raise LoadError(what, where=where, mend="Give every event its own id")
        seen.add(event_id)
        yield Entry(value, Origin(file.shown, "", event_id), file.path)


def _events(file: InputFile) -> Sequence[Json]:
    value: Json = read_dataset(file) if file.path.suffix != ".json" else parse_json(file)
    events = value.get("events") if isinstance(value, dict) else value
    if not isinstance(events, list):
        raise LoadError("must be a list of events", where=str(file.path), mend='Give a list, or {"events": [...]}')
    if not events:
        raise LoadError("holds no event", where=str(file.path), mend="Generate some, or name another dataset")
    return events


def _title(source: Source, graph: Mapping[str, Json]) -> str:
    """Return the title with the models that wrote descriptions and policies, where the graph says so."""
    known = list(dict.fromkeys(writer.name for writer in _writers(graph)))
    if len(known) > 1:
        logger.warning("descriptions were written by %s, from policies that %s extracted", known[0], known[1])
    generated = f"generated with {' and '.join(known)}" if known else ""
    return ", ".join(part for part in (source.title, generated) if part)


def _family(graph: Mapping[str, Json]) -> str | None:
    """Return the family of the model that wrote the descriptions, else of the one that extracted the policies."""
    return next((model_family(f"{writer.vendor}:{writer.name}") for writer in _writers(graph)), None)


@dataclass(frozen=True, slots=True)
class _Writer:
    """A model as a configuration names it."""

    vendor: str
    name: str


def _writers(graph: Mapping[str, Json]) -> list[_Writer]:
    """Return the models that wrote descriptions and policies, in this order, as far as the graph says so."""
    config = graph.get("config")
    parts = [config.get(part) for part in ("llm_description", "llm_policy")] if isinstance(config, dict) else []
    texts = [[part.get(key) for key in ("type", "name")] for part in parts if isinstance(part, dict)]
    return [
        _Writer(vendor if isinstance(vendor, str) else "", name)
        for vendor, name in texts
        if isinstance(name, str) and name
    ]
