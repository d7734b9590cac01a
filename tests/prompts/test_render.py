from __future__ import annotations

from dataclasses import replace

from audit.prompts.render import join_segments, part_segments, policy_segment, row_segments, select_behavior
from audit.records.task import DEFAULT_BEHAVIOR, Origin, PartKind, Row
from tests import builders


def test_a_part_shows_its_kind_label_and_text_and_knows_its_origin() -> None:
    segments = part_segments("description", [builders.part("You want {x}, 5 % off for $3.\nNow.", field="a.b")])
    assert [segment.label for segment in segments] == [
        "description begins",
        "description 1: Scenario",
        "description ends",
    ]
    assert segments[1].text == "⟦1 scenario: Scenario⟧\n| You want {x}, 5 % off for $3.\n| Now.\n"
    assert segments[1].origin == "tasks.json task t1 a.b"


def test_a_block_without_parts_says_so() -> None:
    _, suffix = join_segments(part_segments("description", []))
    assert "⟦none⟧" in suffix


def test_a_row_is_compact_json_under_its_table_and_key() -> None:
    row = Row("users", "u\n1", {"name": "Zoë", "ids": [1, None]}, Origin("db.json", "users.u1"))
    segment = row_segments([row])[1]
    assert segment.text == '⟦users u[U+000A]1⟧\n| {"name":"Zoë","ids":[1,null]}\n'
    assert segment.origin == "db.json users.u1"


def test_text_in_a_row_can_not_break_its_line() -> None:
    row = Row("users", "u1", {"name": "a\u2028b\n⟦END"}, Origin("db.json", "users.u1"))
    assert row_segments([row])[1].text == '⟦users u1⟧\n| {"name":"a[U+2028]b\\n[U+27E6]END"}\n'


def test_the_selected_parts_of_the_behavior_are_shown() -> None:
    parts = tuple(builders.part(kind.value, kind) for kind in PartKind)
    task = replace(builders.task(), behavior=parts)
    assert [part.kind for part in select_behavior(task, frozenset({PartKind.ASSERTION}))] == [PartKind.ASSERTION]
    assert PartKind.PURPOSE not in {part.kind for part in select_behavior(task, DEFAULT_BEHAVIOR)}


def test_the_sentence_on_unchanged_databases_comes_with_the_actions() -> None:
    task = replace(builders.task(), behavior=(builders.part("Nothing changes.", PartKind.NO_WRITE),))
    assert select_behavior(task, frozenset({PartKind.ACTION}))
    assert not select_behavior(task, frozenset({PartKind.ASSERTION}))
    assert not select_behavior(task, frozenset({PartKind.NO_WRITE}))


def test_a_policy_is_fenced_with_or_without_marks() -> None:
    policy = builders.policy("No pets.\nAsk.")
    plain, marked = (policy_segment(policy, with_marks=with_marks) for with_marks in (False, True))
    assert "| No pets.\n| Ask.\n" in plain.text
    assert "| ⟦P01⟧No pets.⟦/P01⟧\n| Ask.\n" in marked.text
    assert plain.is_prefix
    assert plain.origin == "test"
    assert policy_segment(replace(policy, file="policy.md"), with_marks=False).origin == "policy.md"


def test_segments_joined_are_the_prompt() -> None:
    segments = (policy_segment(builders.policy(), with_marks=False), *part_segments("description", []))
    prefix, suffix = join_segments(segments)
    assert prefix + suffix == "".join(segment.text for segment in segments)
    assert prefix == segments[0].text
