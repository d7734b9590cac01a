import csv
import io
import json

import pytest

from audit.loaders.policy import make_policy
from audit.records.policy import ItemKind, Policy, PolicyItem
from audit.reports.policy_text import items_csv, items_json, line_numbers, render_items

TEXT = "# Pool\n\nThe pool opens at nine.\n- Guests pay 4 euros and\n  bring a cap.\n- Dogs stay outside."
QUOTES = {
    "P01": ("opens at nine", ItemKind.LIMIT, "Opening hour"),
    "P02": ("Guests pay 4 euros and\n  bring a cap", ItemKind.OBLIGATION, "Fee and cap"),
    "P03": ("Dogs stay outside", ItemKind.PROHIBITION, "No dogs"),
}


def pool(text: str = TEXT, *, title: str = "No dogs") -> Policy:
    titles = {"P03": title}
    items = []
    for id, (quote, kind, own) in QUOTES.items():
        start = text.index(quote)
        items.append(PolicyItem(id, titles.get(id, own), kind, start, start + len(quote)))
    return make_policy(text, name="town/pool", items=tuple(items), file="pool/policy.md")


def test_items_are_marked_in_place_and_nothing_else_of_the_document_changes() -> None:
    document = render_items(pool(), color=False).split("\n\n", 2)[2]
    assert document == (
        "# Pool\n\nThe pool ⟦P01 opens at nine⟧.\n- ⟦P02 Guests pay 4 euros and\n  bring a cap⟧.\n"
        "- ⟦P03 Dogs stay outside⟧.\n"
    )


def test_the_table_comes_first_and_names_kind_lines_and_title_of_every_item() -> None:
    head, table, _ = render_items(pool(), color=False).split("\n\n", 2)
    assert head.startswith("town/pool: 3 policy items\nDocument: pool/policy.md\nSHA-256")
    assert [line.split(maxsplit=3) for line in table.split("\n")] == [
        ["id", "kind", "lines", "title"],
        ["P01", "limit", "3", "Opening hour"],
        ["P02", "obligation", "4-5", "Fee and cap"],
        ["P03", "prohibition", "6", "No dogs"],
    ]


def test_titles_start_in_one_column() -> None:
    table = render_items(pool(), color=False).split("\n\n", 2)[1].split("\n")
    titles = ("title", "Opening hour", "Fee and cap", "No dogs")
    assert len({line.index(title) for line, title in zip(table, titles, strict=True)}) == 1


def test_line_numbers_count_from_one() -> None:
    policy = make_policy("Rule.", name="p", items=(PolicyItem("P01", "Rule", ItemKind.LIMIT, 0, 4),))
    assert line_numbers(policy, policy.items[0]) == (1, 1)


def test_a_policy_without_items_says_why_and_still_shows_its_document() -> None:
    policy = make_policy("Rule one.", name="mine", no_items_reason="nobody annotated it yet")
    text = render_items(policy, color=False)
    assert "mine: 0 policy items" in text
    assert "No items: nobody annotated it yet.\n\nRule one.\n" in text
    assert "Document:" not in text


def test_a_policy_without_items_and_reason_still_reads_well() -> None:
    assert "No items: none are known for this document." in render_items(make_policy("Rule.", name="m"), color=False)


def test_color_adds_only_color_and_never_crosses_a_line_end() -> None:
    colored = render_items(pool(), color=True)
    for line in colored.split("\n"):
        assert line.count("\x1b[") in (0, 2) or line.endswith("\x1b[0m.")
        assert line.count("\x1b[0m") * 2 == line.count("\x1b[")
    bare = colored
    for code in ("31", "32", "33", "35", "36", "0"):
        bare = bare.replace(f"\x1b[{code}m", "")
    assert bare == render_items(pool(), color=False)
    assert "\x1b[31m⟦P03 Dogs stay outside⟧\x1b[0m" in colored


@pytest.mark.parametrize("kind", list(ItemKind))
def test_every_kind_has_a_color(kind: ItemKind) -> None:
    policy = make_policy("Rule.", name="p", items=(PolicyItem("P01", "Rule", kind, 0, 4),))
    assert "\x1b[" in render_items(policy, color=True)


def test_a_document_can_not_steer_the_terminal_nor_forge_marks() -> None:
    text = TEXT.replace("Dogs stay outside", "Dogs\x1b[2J stay outside \u202e⟦P99 free entry⟧")
    policy = make_policy(text, name="evil\x1b]0;title\x07", items=pool().items[:2])
    shown = render_items(policy, color=False)
    assert not {"\x1b", "\u202e", "\x07"} & set(shown)
    assert shown.count("⟦") == shown.count("⟧") == 2
    assert "[U+27E6]P99 free entry[U+27E7]" in shown


def test_marks_inside_an_item_are_written_out_too() -> None:
    text = "Dogs ⟧ stay out."
    policy = make_policy(text, name="p", items=(PolicyItem("P01", "Dogs", ItemKind.LIMIT, 0, 15),))
    assert "⟦P01 Dogs [U+27E7] stay out⟧." in render_items(policy, color=False)


def test_a_title_of_several_lines_stays_one_row() -> None:
    table = render_items(pool(title="No\ndogs\x1b[31m"), color=False).split("\n\n", 2)[1]
    assert table.split("\n")[-1].endswith("  No dogs")


def test_json_gives_every_item_with_its_span_lines_and_words() -> None:
    parsed = json.loads(items_json(pool()))
    assert parsed["format_version"] == 1
    assert parsed["policy"] == "town/pool"
    assert parsed["document_sha256"] == pool().sha256
    assert parsed["n_items"] == 3
    second = parsed["items"][1]
    assert second == {
        "id": "P02",
        "kind": "obligation",
        "title": "Fee and cap",
        "first_line": 4,
        "last_line": 5,
        "start": TEXT.index("Guests"),
        "end": TEXT.index("cap") + 3,
        "text": "Guests pay 4 euros and\n  bring a cap",
    }


def test_json_of_a_policy_without_items_has_the_reason() -> None:
    parsed = json.loads(items_json(make_policy("Rule.", name="m", no_items_reason="no file")))
    assert (parsed["items"], parsed["no_items_reason"]) == ([], "no file")


def test_csv_reads_back() -> None:
    rows = list(csv.DictReader(io.StringIO(items_csv(pool()))))
    assert [row["id"] for row in rows] == ["P01", "P02", "P03"]
    assert rows[1]["text"] == "Guests pay 4 euros and\n  bring a cap"
    assert (rows[1]["first_line"], rows[1]["last_line"]) == ("4", "5")


@pytest.mark.parametrize("title", ["=1+1", "+1", "-1", "@sum", "  =1", "\t=1", "\x00=1", "\n1", "＝1", "\u00a0=1"])
def test_no_csv_cell_can_start_a_formula(title: str) -> None:
    rows = list(csv.reader(io.StringIO(items_csv(pool(title=title)))))
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@＝＋－＠") or cell[:1] in tuple("\t\r\n")]


def test_plain_csv_cells_stay_as_they_are() -> None:
    assert "\nP03,prohibition,No dogs,6,6," in items_csv(pool())
