"""What IntellAgent generates, from folders and files as they come."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.errors import LoadError, UsageError
from audit.loaders.intellagent_event import FILLED, UNFILLED
from audit.loaders.intellagent_experiments import experiment_folders
from audit.loaders.intellagent_pickle import read_dataset, read_graph
from audit.loaders.json_file import InputFile, read_input
from audit.loaders.policy import make_policy
from audit.records.experiment import Experiment
from audit.records.task import Origin, PartKind
from audit.sources.resolve import resolve_source
from tests.loaders.ferries import (
    DATASET,
    POLICY,
    TODAY,
    fields,
    load,
    put,
    rows,
    write_json_run,
    write_memory,
    write_run,
)
from tests.loaders.pickles import Call, Ref, dumps, event, graph

PICKLE = f"datasets/{DATASET}.pickle"


def file_of(value: Any) -> InputFile:  # noqa: ANN401  # any value
    return InputFile(Path("x.pickle"), "x.pickle", dumps(value))


def test_an_event_is_a_task_with_scenario_behavior_rows_and_level(tmp_path: Path) -> None:
    benchmark = load(write_run(tmp_path, fields(7)))
    (task,) = benchmark.tasks
    assert (task.id, task.actions, task.tags) == ("7", None, ("challenge level 5",))
    assert [(part.kind, part.label, str(part.origin)) for part in (*task.description, *task.behavior)] == [
        (PartKind.SCENARIO, FILLED, f"{PICKLE} task 7 scenario"),
        (PartKind.PROSE, "The agent must", f"{PICKLE} task 7 description.expected_behaviour"),
    ]
    assert [(row.table, row.key) for row in task.rows] == [
        ("passengers", "ada_1"),
        ("crossings", "CR7"),
        ("tickets", "TK100"),
    ]
    assert task.rows[2].origin == Origin(PICKLE, "database.tickets.rows[0]", "7")
    assert benchmark.style == "workflow"
    assert benchmark.database == {}


def test_cells_are_read_in_all_three_spellings_and_times_as_dates(tmp_path: Path) -> None:
    passenger, _, ticket = (row.value for row in load(write_run(tmp_path)).tasks[0].rows)
    assert isinstance(passenger, dict)
    assert isinstance(ticket, dict)
    assert passenger["name"] == {"first": "Ada", "last": "Berg"}
    assert passenger["payment_methods"] == {"pay_1": {"kind": "voucher"}}
    assert ticket["legs"] == [{"crossing_number": "CR7", "origin": "Kiel", "destination": "Oslo", "date": "2031-06-01"}]
    assert ticket["created_at"] == "2031-05-02T03:00:19"


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("{'a': {1, 2}}", "{'a': {1, 2}}"),
        ("[" * 5000, "[" * 5000),
        ("[1, 2", "[1, 2"),
        ("{'a': 1e999}", "{'a': 1e999}"),
        ("[" + "1," * 60_000 + "]", "[" + "1," * 60_000 + "]"),
        ("[1, 2]", [1, 2]),
        ("('a', 'b')", "('a', 'b')"),
        (1935457219000.0, 1935457219000.0),
        (True, True),
    ],
)
def test_cells_that_spell_nothing_stay_as_they_are(tmp_path: Path, cell: Any, read: Any) -> None:  # noqa: ANN401
    (task,) = load(write_run(tmp_path, fields(database={"notes": [{"note_id": "n1", "body": cell}]}))).tasks
    assert task.rows[0].value == {"note_id": "n1", "body": read}


def test_a_time_that_is_a_float_is_a_date_too_and_missing_cells_are_left_out(tmp_path: Path) -> None:
    found = [{"note_id": "n1", "created_at": 1935457219000.0}, {"note_id": "n2", "extra": 0.5}]
    (task,) = load(write_run(tmp_path, fields(database={"notes": found}))).tasks
    assert [row.value for row in task.rows] == [
        {"note_id": "n1", "created_at": "2031-05-02T03:00:19"},
        {"note_id": "n2", "extra": 0.5},
    ]


def test_rows_that_share_an_id_or_have_none_stay_apart(tmp_path: Path) -> None:
    found = [{"note_id": "n1"}, {"note_id": "n1"}, {"note_id": None, "x": 1}]
    (task,) = load(write_run(tmp_path, fields(database={"notes": found, "words": [{"x": 1}]}))).tasks
    assert [row.key for row in task.rows] == ["n1", "n1 (2)", "row 3", "row 1"]


def test_both_generations_of_module_names_are_read(tmp_path: Path) -> None:
    old = load(write_run(tmp_path / "old", module="simulator.events_generator"))
    new = load(write_run(tmp_path / "new"))
    assert old.tasks == new.tasks


def test_the_conversion_to_json_gives_the_same_tasks(tmp_path: Path) -> None:
    pickled = load(write_run(tmp_path, fields(1), fields(2)))
    converted = load(write_json_run(tmp_path / "json", fields(1), fields(2)))
    assert [task.description_text for task in converted.tasks] == [task.description_text for task in pickled.tasks]
    assert [[(row.table, row.key, row.value) for row in task.rows] for task in converted.tasks] == [
        [(row.table, row.key, row.value) for row in task.rows] for task in pickled.tasks
    ]
    assert converted.policy.text == pickled.policy.text
    assert converted.title == pickled.title == "generated with gpt-test"
    assert converted.tasks[0].origin.file == "events.json"


def test_tables_of_a_conversion_may_be_plain_lists(tmp_path: Path) -> None:
    put(tmp_path / "events.json", b'[{"description": {"event_description": "d", "expected_behaviour": "e"},'
        b' "scenario": "s", "database": {"notes": [{"note_id": "n1"}], "empty": {"rows": []}}}]')  # fmt: skip
    put(tmp_path / "policy_graph.json", b'{"prompt": "Be kind."}')
    (task,) = load(tmp_path).tasks
    assert (task.id, [row.origin.field for row in task.rows]) == ("1", ["database.notes[0]"])


@pytest.mark.parametrize("shown", [None, "Table: notes", ["a", "b"]])
def test_rows_shown_to_the_user_are_read_in_every_shape(tmp_path: Path, shown: Any) -> None:  # noqa: ANN401
    (task,) = load(write_run(tmp_path, fields(relevant_rows=shown))).tasks
    assert task.raw["relevant_rows"] == shown


@pytest.mark.parametrize(
    ("scenario", "database", "label"),
    [
        ("A passenger wants to move a ticket to day 1.", {}, FILLED),
        ("Another passenger's scenario", {}, UNFILLED),
        ("Another passenger's scenario", rows(), FILLED),
        (None, rows(), UNFILLED),
        (" ", {}, UNFILLED),
    ],
)
def test_the_description_stands_in_where_the_scenario_is_missing_or_anothers(
    tmp_path: Path, scenario: str | None, database: dict[str, Any], label: str
) -> None:
    (task,) = load(write_run(tmp_path, fields(scenario=scenario, database=database))).tasks
    assert task.description[0].label == label


def test_the_level_is_computed_from_the_policies_or_is_not_there(tmp_path: Path) -> None:
    def tags(number: int, policies: Any) -> tuple[str, ...]:  # noqa: ANN401  # odd ones too
        one = fields(number)
        one["description"] |= {"policies": policies, "challenge_level": 99}
        return load(write_run(tmp_path / str(number), one)).tasks[0].tags

    assert tags(1, [{"score": 4}, {"score": 1}]) == ("challenge level 5",)
    assert tags(2, [{"score": 4}, {"score": True}]) == ()
    assert tags(3, [{"score": 4}, {}]) == ()
    assert tags(4, None) == ()


def test_events_without_ids_are_numbered(tmp_path: Path) -> None:
    assert [task.id for task in load(write_run(tmp_path, fields(id=None), fields(id=None))).tasks] == ["1", "2"]


def test_the_policy_is_the_one_inside_the_graph_and_todays_is_kept_beside_it(tmp_path: Path) -> None:
    benchmark = load(write_run(tmp_path, today=TODAY))
    assert benchmark.policy.text == make_policy(POLICY, name="").text
    assert benchmark.policy.file == "policies_graph/descriptions_generator.pickle"
    assert [other.name for other in benchmark.other_policies] == ["the environment's policy as it is today"]
    assert {file.path for file in benchmark.files} == {
        PICKLE,
        "policies_graph/descriptions_generator.pickle",
        "../input/wiki.md",
    }


def test_the_same_policy_under_other_names_is_no_other_version(tmp_path: Path) -> None:
    run = write_run(tmp_path, today=f"\ufeff{POLICY}\r\n\n")
    put(run / "experiments" / f"{DATASET}__exp_1" / "prompt.txt", POLICY.encode())
    assert load(run).other_policies == ()


def test_a_policy_that_was_given_wins_and_the_one_generated_with_is_kept(tmp_path: Path) -> None:
    given = put(tmp_path / "given.md", b"Be kind.")
    benchmark = load(write_run(tmp_path), policy=given)
    assert benchmark.policy.text == "Be kind."
    assert [other.name for other in benchmark.other_policies] == ["the policy that the tasks were generated with"]


def test_an_experiments_policy_stands_in_for_a_missing_graph(tmp_path: Path) -> None:
    run = write_run(tmp_path, prompt=None, today=TODAY)
    with pytest.raises(LoadError, match=r"the policy that the events were generated with is not here\. Put the folder"):
        load(run)
    put(run / "experiments" / f"{DATASET}__exp_2" / "prompt.txt", POLICY.encode())
    benchmark = load(run)
    assert benchmark.policy.file == f"experiments/{DATASET}__exp_2/prompt.txt"
    assert len(benchmark.other_policies) == 1


def test_a_lone_dataset_is_read_with_the_policy_that_is_named(tmp_path: Path) -> None:
    alone = put(tmp_path / "mine.pickle", dumps(([event(**fields())], 1, 0.1)))
    benchmark = load(alone, policy=put(tmp_path / "p.md", POLICY.encode()))
    assert (len(benchmark.tasks), benchmark.version, benchmark.title) == (1, "mine", "")


def test_two_writers_are_named_and_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = write_run(tmp_path)
    config = {"llm_description": {"name": "small"}, "llm_policy": {"name": "big"}}
    put(run / "policies_graph" / "descriptions_generator.pickle", dumps(graph(prompt=POLICY, config=config)))
    with caplog.at_level(logging.WARNING):
        assert load(run).title == "generated with small and big"
    assert "descriptions were written by small, from policies that big extracted" in caplog.text


@pytest.mark.parametrize(
    ("config", "family"),
    [
        ({"llm_description": {"type": "azure", "name": "gpt-4o"}}, "openai"),
        ({"llm_description": {"type": "anthropic", "name": "my-own"}, "llm_policy": {"name": "gpt-4o"}}, "anthropic"),
        ({"llm_policy": {"type": "ollama", "name": "llama3.2:1b"}}, "meta"),
        ({"llm_description": {"type": 3, "name": "nobody-knows"}}, None),
        ({"llm_description": {"name": ""}}, None),
    ],
)
def test_who_wrote_the_tasks_is_told_by_the_configuration(tmp_path: Path, config: object, family: str | None) -> None:
    run = write_run(tmp_path)
    put(run / "policies_graph" / "descriptions_generator.pickle", dumps(graph(prompt=POLICY, config=config)))
    assert load(run).author_family == family


def test_files_that_name_no_writer_have_no_title(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    for config in (None, {"llm_policy": 3}):
        put(run / "policies_graph" / "descriptions_generator.pickle", dumps(graph(prompt=POLICY, config=config)))
        assert load(run).title == ""


def test_the_graph_is_read_with_its_nodes_and_edges() -> None:
    found = read_graph(file_of(graph(prompt=POLICY)))
    assert found["graph_info"] == {
        "nodes": [
            {"flow": "Book", "policy": "Dogs travel on deck.", "score": 2},
            {"flow": "Book", "policy": "B", "score": 3},
        ],
        "edges": [[0, 1, 6]],
    }
    assert read_graph(file_of(graph(graph_info={})))["graph_info"] == {"nodes": [], "edges": []}


def test_dialogs_of_an_experiment_are_counted_by_how_they_ended(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    write_memory(run, "###STOP SUCCESS###", "###STOP FAILURE###", "Hello?")
    before = [(path.name, path.read_bytes()) for path in sorted(run.rglob("*")) if path.is_file()]
    (found,) = load(run).experiments
    assert (found.n_dialogs, found.n_success, found.n_failure, found.n_open) == (3, 1, 1, 1)
    assert found.without_dialog is None
    assert before == [(path.name, path.read_bytes()) for path in sorted(run.rglob("*")) if path.is_file()]


def test_results_tell_scores_and_events_without_dialogs(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    folder = run / "experiments" / f"{DATASET}__exp_1"
    put(folder / "results.csv", b"id,thread_id,score\n1,a,1\n2,b,0\n3,c,-1\n4,d,\n")
    put(folder / "err_events.csv", b"id,score,challenge_level\n5,0,3\n")
    name = f"experiments/{DATASET}__exp_1/results.csv"
    assert load(run).experiments == (Experiment(f"{DATASET}__exp_1", name, 4, 1, 1, ("5",)),)
    put(folder / "err_events.csv", b"\n")
    assert load(run).experiments[0].without_dialog == ()


def test_experiments_of_other_datasets_and_empty_folders_are_not_read(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    write_memory(run, "###STOP SUCCESS###", dataset="another")
    (run / "experiments" / f"{DATASET}__exp_9").mkdir()
    assert load(run).experiments == ()
    assert len(experiment_folders(run, "")) == 2


@pytest.mark.parametrize("statement", ["CREATE TABLE Other (x)", "CREATE VIEW Dialog AS SELECT 1 AS thread_id"])
def test_a_memory_without_a_table_of_dialogs_is_left_out_with_a_warning(
    tmp_path: Path, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    run = write_run(tmp_path)
    path = put(run / "experiments" / f"{DATASET}__exp_1" / "memory.db", b"")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    assert load(run).experiments == ()
    assert "holds no table of dialogs" in caplog.text


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_results_that_cannot_be_read_are_left_out_with_a_warning(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    run = write_run(tmp_path)
    put(run / "experiments" / f"{DATASET}__exp_1" / "memory.db", content)
    put(run / "experiments" / f"{DATASET}__exp_2" / "results.csv", b"id,score\n" + b'"' + b"x" * 200_000)
    assert load(run).experiments == ()
    assert caplog.text.count("can't be read and are left out") == 2


@pytest.mark.parametrize("flag", ["database", "tools"])
def test_flags_that_events_have_no_use_for_are_refused(tmp_path: Path, flag: str) -> None:
    other = put(tmp_path / "x.json", b"{}")
    run = write_run(tmp_path)
    if flag == "tools":
        with pytest.raises(LoadError, match="--tools has no meaning for events"):
            load(run, tools=other)
    else:
        with pytest.raises(LoadError, match="--db has no meaning for events"):
            load(run, database=other)


def test_several_datasets_must_be_named(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    put(run / "datasets" / "second.pickle", dumps(([event(**fields(2))], 1, 0.1)))
    with pytest.raises(LoadError, match=rf"there are 2 datasets: {DATASET}\.pickle, second\.pickle\. Name one"):
        load(run)
    assert [task.id for task in load(run / "datasets" / "second.pickle").tasks] == ["2"]


@pytest.mark.parametrize("path", ["run", "run/datasets", f"run/{PICKLE}"])
def test_the_folder_its_datasets_and_the_file_itself_mean_the_same(tmp_path: Path, path: str) -> None:
    write_run(tmp_path)
    benchmark = load(tmp_path / path)
    assert replace(benchmark, name="") == replace(load(tmp_path / "run"), name="")


@pytest.mark.parametrize("name", ["policies_graph/descriptions_generator.pickle", "experiments/x/res_dump.pickle"])
def test_files_that_hold_no_events_are_refused_by_name(tmp_path: Path, name: str) -> None:
    path = put(write_run(tmp_path) / name, b"")
    with pytest.raises(LoadError, match="this file of IntellAgent holds no events"):
        load(path)


def test_a_folder_of_tau_tasks_stays_one_whatever_lies_beside(tmp_path: Path) -> None:
    for name, content in (("tasks.json", b'[{"id": "1"}]'), ("events.json", b"[]"), ("policy.md", b"Be kind.")):
        put(tmp_path / name, content)
    assert resolve_source(str(tmp_path)).loader == "tau"


def test_no_such_path_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such path"):
        load(tmp_path / "nowhere" / "x.pickle")


WRONG: dict[str, tuple[Any, str]] = {
    "a list": ([1], "not a dataset of IntellAgent: the whole is a list"),
    "a pair": (([], 1), "the whole is a tuple of 2"),
    "events in a dictionary": (({}, 1, 0.1), "the list of events is a dictionary"),
    "a number for an event": (([5], 1, 0.1), "an event is 5"),
    "another class": (([Call(Ref("pandas", "Index"), ())], 1, 0.1), "an event is an object of pandas.Index"),
    "an event without fields": (([event()], 1, 0.1), "the event has no description"),
    "a description that is a text": (([event(description="x")], 1, 0.1), "an event's description is a text"),
    "a database that is a list": (([event(description={}, database=[])], 1, 0.1), "an event's database is a list"),
    "no events": (([], 1, 0.1), "holds no event"),
    "two events with an id": (
        ([event(**fields(1)), event(**fields(1))], 1, 0.1),
        "the id '1' is that of another event too",
    ),
    "an id that is a list": (([event(**fields(id=[1]))], 1, 0.1), "the event's id is a list"),
    "an id that is true": (([event(**fields(id=True))], 1, 0.1), "the event's id is true or false"),
    "no behavior": (([event(description={"event_description": "x"}, scenario="x")], 1, 0.1), "'expected_behaviour'"),
    "a scenario that is a list": (([event(**fields(scenario=[]))], 1, 0.1), "must be a text, not a list"),
    "shown rows that are a number": (([event(**fields(relevant_rows=4))], 1, 0.1), "must be a text, not a number"),
    "shown rows of numbers": (([event(**fields(relevant_rows=[4]))], 1, 0.1), "must be a text, not a number"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_pickle_that_is_no_dataset_is_one_line_that_says_what_it_is(tmp_path: Path, name: str) -> None:
    value, complaint = WRONG[name]
    run = write_run(tmp_path)
    put(run / PICKLE, dumps(value))
    with pytest.raises(LoadError, match=complaint) as error:
        load(run)
    assert "\n" not in str(error.value)
    assert PICKLE in str(error.value)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (5, "not a policy graph of IntellAgent: the whole is 5"),
        (graph(graph_info={"nodes": 3}), "the nodes is 3"),
        (graph(graph_info={"G": Call(Ref("networkx.classes.graph", "Graph"), (), {})}), "the graph's edges is None"),
        (graph(prompt=7), "must be a text, not a number"),
        (graph(), "the field 'prompt' is missing"),
    ],
)
def test_a_pickle_that_is_no_graph_is_one_line(tmp_path: Path, value: Any, complaint: str) -> None:  # noqa: ANN401
    run = write_run(tmp_path)
    put(run / "policies_graph" / "descriptions_generator.pickle", dumps(value))
    with pytest.raises(LoadError, match=complaint):
        load(run)


def test_names_that_belong_elsewhere_are_refused_with_a_hint() -> None:
    with pytest.raises(LoadError, match="It looks like the intermediate results of a simulation"):
        read_dataset(file_of(Ref("langchain_core.messages.human", "HumanMessage")))
    with pytest.raises(LoadError, match="IntellAgent does not write this; if the file is from a newer version"):
        read_dataset(file_of(Ref("pandas.core.arrays.integer", "IntegerArray")))
    with pytest.raises(LoadError, match="no option does so"):
        read_dataset(file_of(Ref("posix", "system")))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"{}", "must be a list of events"),
        (b"[]", "holds no event"),
        (b"[3]", "must be an object, not a number"),
        (b'[{"description": {"event_description": "d", "expected_behaviour": "e"}, "database": {"t": 3}}]', "a table"),
        (b'[{"description": {"event_description": "d", "expected_behaviour": "e"}, "database": {"t": [3]}}]', "object"),
        (b"[" * 5000, "not JSON|nested"),
    ],
)
def test_a_conversion_that_is_wrong_is_one_line(tmp_path: Path, content: bytes, complaint: str) -> None:
    run = write_json_run(tmp_path)
    put(run / "events.json", content)
    with pytest.raises(LoadError, match=complaint):
        load(run)


def test_a_converted_graph_that_is_no_object_is_one_line(tmp_path: Path) -> None:
    run = write_json_run(tmp_path)
    put(run / "policy_graph.json", b"[]")
    with pytest.raises(LoadError, match="must be an object, not a list"):
        load(run)


def test_an_empty_policy_that_was_given_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="the policy is empty"):
        load(write_run(tmp_path), policy=put(tmp_path / "p.md", b" \n"))


def test_a_database_that_is_too_long_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run = write_run(tmp_path)
    write_memory(run, "x")
    monkeypatch.setattr("audit.loaders.intellagent_experiments.MAX_BYTES", 10)
    assert load(run).experiments == ()
    assert "longer than" in caplog.text


def test_a_file_is_read_once_as_bytes(tmp_path: Path) -> None:
    path = put(tmp_path / "d.pickle", dumps(([event(**fields())], 1, 0.1)))
    assert len(read_dataset(read_input(path, root=tmp_path, role="dataset"))) == 1
