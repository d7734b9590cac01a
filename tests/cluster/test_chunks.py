from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path

from audit.judges.chunks import FEWEST_CALLS, MOST_CALLS, Layout, Unit, cut, gather_units
from audit.judges.ledger import Ledger
from audit.judges.progress import ignore_event
from audit.judges.questions import Question, Questions, render_questions, take_seats
from audit.judges.registry import JUDGES
from audit.store import Store
from audit.studies.pattern_names import PATTERN_NAME
from tests import builders
from tests.judges.panels import FakeModel, questions

SEATS = take_seats({"fake:m": FakeModel()})


def keys_of(asked: Questions) -> list[tuple[int, str]]:
    return [(each.slot.number, each.key) for each in render_questions(asked, SEATS[0]) if isinstance(each, Question)]


def n_calls(asked: Questions) -> Counter[int]:
    return Counter(number for number, _ in keys_of(asked))


def names(chunks: list[tuple[Unit, ...]]) -> list[list[tuple[int, str]]]:
    return [[(unit.part, unit.task.id) for unit in chunk] for chunk in chunks]


def test_every_place_is_in_one_chunk() -> None:
    asked = questions(70, criteria=("desc_alignment", "policy_alignment"), trials=3)
    layout = Layout(asked)
    chunks = cut(gather_units(layout, keys_of(asked)), n_calls(asked), n_slots=2)
    numbers = [number for chunk in chunks for unit in chunk for number in unit.numbers]
    assert sorted(numbers) == list(range(asked.n_per_model))
    sizes = [sum(len(unit.numbers) for unit in chunk) for chunk in chunks]
    assert max(sizes) <= FEWEST_CALLS
    assert len(sizes) == 5


def test_a_long_run_has_longer_chunks_and_a_judge_more_makes_them_shorter_in_tasks() -> None:
    asked = questions(3000)
    layout = Layout(asked)
    groups = gather_units(layout, keys_of(asked))
    assert max(len(chunk) for chunk in cut(groups, n_calls(asked), n_slots=1)) == MOST_CALLS
    three = Counter(dict.fromkeys(n_calls(asked), 3))
    assert {len(chunk) for chunk in cut(groups, three, n_slots=1)} <= {MOST_CALLS // 3, 3000 % (MOST_CALLS // 3)}


def test_what_a_worker_is_told_asks_the_same_questions_and_no_more() -> None:
    other = questions(4, criteria=("policy_alignment",), trials=2)
    asked = replace(questions(6, criteria=("desc_alignment", "policy_alignment")), more=(other,))
    layout = Layout(asked)
    units = [layout.unit(0, 2), layout.unit(0, 5), layout.unit(1, 1)]
    told = layout.questions_of(units)
    wanted = {number for unit in units for number in unit.numbers}
    assert sorted(key for _, key in keys_of(told)) == sorted(key for number, key in keys_of(asked) if number in wanted)
    assert {layout.unit_at(number) for number in wanted} == {(0, 2), (0, 5), (1, 1)}


def test_questions_about_a_text_that_is_no_task_travel_too() -> None:
    told = replace(questions(2), judges=(PATTERN_NAME,))
    assert keys_of(pickle.loads(pickle.dumps(Layout(told).questions_of([Layout(told).unit(0, 1)])))) == [
        (0, keys_of(told)[1][1])
    ]


def test_nothing_travels_that_no_prompt_shows() -> None:
    task = replace(builders.task("t1", description="You want it."), raw={"hidden": "SECRET-RAW"})
    benchmark = replace(
        builders.benchmark(task),
        database={"users": {"u1": {"name": "SECRET-ROW"}}},
        corpus=(task, replace(task, id="SECRET-TASK")),
    )
    asked = Questions(benchmark, (JUDGES["desc_alignment"],))
    assert b"SECRET" in pickle.dumps(asked)
    told = pickle.dumps(Layout(asked).questions_of([Layout(asked).unit(0, 0)]))
    assert b"SECRET" not in told
    assert b"You want it." in told


def test_the_same_question_in_two_benchmarks_stands_in_one_chunk_even_with_other_trials() -> None:
    once, thrice = questions(300), questions(300, trials=3)
    asked = replace(once, more=(thrice,))
    layout = Layout(asked)
    chunks = cut(gather_units(layout, keys_of(asked)), n_calls(asked), n_slots=4)
    chunk_of = {(unit.part, unit.task.id): place for place, chunk in enumerate(chunks) for unit in chunk}
    assert len(chunks) > 3
    assert all(chunk_of[0, task.id] == chunk_of[1, task.id] for task in once.benchmark.tasks)


def test_tasks_that_share_a_question_each_with_a_third_come_together() -> None:
    first = questions(1, criteria=("desc_alignment",))
    second = questions(1, criteria=("policy_alignment",))
    third = questions(1, criteria=("desc_alignment", "policy_alignment"), trials=2)
    asked = replace(first, more=(second, third))
    (group,) = gather_units(Layout(asked), keys_of(asked))
    assert [unit.part for unit in group] == [0, 1, 2]


def test_what_nobody_asked_is_missing_with_the_reason(tmp_path: Path) -> None:
    asked = questions(5)
    with Store(tmp_path / "s.sqlite3") as store:
        ledger = Ledger(asked, SEATS, store=store, on_event=ignore_event)
        assert sorted(ledger.n_calls) == [0, 1, 2, 3, 4]
        everything = ledger.finish({"fake:m": "nobody was there"})
    assert {verdict.problem for verdict in everything[0]} == {"nobody was there"}
    assert everything[1].unscored == everything[1].planned == 5
