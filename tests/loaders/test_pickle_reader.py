"""Pickles as data: what is read, and what is refused with one line and without effect."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.errors import LoadError
from audit.loaders.json_file import InputFile
from audit.loaders.pickle_reader import Made, Name, Plain, read_pickle
from tests.loaders.pickles import Call, Ref, dumps, text, write

NAMES = {("boats", "Ferry"), ("boats", "Deck")}


def read(content: bytes) -> Plain:
    return read_pickle(InputFile(Path("data.pickle"), "data.pickle", content), names=NAMES)


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])) | st.integers(-9, 9), inner)
        | st.tuples(inner, inner, inner)
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@given(value=PLAIN)
def test_plain_values_are_read_as_they_were_written(protocol: int, value: Any) -> None:  # noqa: ANN401
    if protocol > 2:  # noqa: PLR2004  # older ones have no bytes, and call a function for them
        assert read(pickle.dumps(value, protocol=protocol)) == value


def test_sets_are_read_as_lists_and_byte_arrays_as_bytes() -> None:
    assert read(pickle.dumps({"a": {7}, "b": frozenset(["x"]), "c": bytearray(b"y")}, protocol=5)) == {
        "a": [7],
        "b": ["x"],
        "c": b"y",
    }


def test_shared_and_circular_values_stay_so() -> None:
    shared: list[Any] = [1]
    shared.append(shared)
    found = read(pickle.dumps([shared, shared], protocol=4))
    assert isinstance(found, list)
    assert found[0] is found[1]
    assert isinstance(found[0], list)
    assert found[0][1] is found[0]


def test_objects_become_records_of_what_was_to_be_made() -> None:
    ferry = Call(Ref("boats", "Ferry"), ("Ann", Ref("boats", "Deck")), {"seats": 9}, b"\x81")
    found = read(dumps(ferry))
    assert isinstance(found, Made)
    assert found.name == Name("boats", "Ferry")
    assert found.arguments == ("Ann", Name("boats", "Deck"))
    assert found.state == {"seats": 9}
    old_style = read(b"\x80\x02cboats\nFerry\n)R.")
    assert isinstance(old_style, Made)


MARKER = "touched"
HOSTILE = {
    "system": (b"cposix\nsystem\n(S'touch touched'\ntR.", r"names 'posix\.system'"),
    "system in protocol 4": (dumps(Call(Ref("os", "system"), ("touch touched",))), r"names 'os\.system'"),
    "windows": (dumps(Call(Ref("nt", "system"), ("dir",))), r"names 'nt\.system'"),
    "eval": (dumps(Call(Ref("builtins", "eval"), ("1",))), r"names 'builtins\.eval'"),
    "a name that starts well": (dumps(Ref("boats", "Ferry.__init__.__globals__")), "Ferry.__init__.__globals__'"),
    "a module that starts well": (dumps(Ref("boats.inner", "Ferry")), r"names 'boats\.inner\.Ferry'"),
    "a name that is no text": (b"\x80\x04K\x01K\x02\x93.", "by something that is not a text"),
    "inst": (b"(S'touch touched'\niposix\nsystem\n.", "the pickle instruction STRING"),
    "inst of an allowed name": (b"(iboats\nFerry\n.", "INST 'boats Ferry', which asks to make an object"),
    "obj": (b"(cboats\nFerry\no.", "OBJ, which asks to make an object of a class"),
    "newobj with keywords": (b"\x80\x04cboats\nFerry\n)}\x92.", "NEWOBJ_EX, which asks to make"),
    "persistent id": (b"P123\n.", "PERSID '123', which asks to take an object from outside"),
    "binary persistent id": (b"\x80\x04K\x01Q.", "BINPERSID, which asks to take an object from outside"),
    "extension 1": (b"\x80\x04\x82\x01.", "EXT1, which asks to take a class from the extension registry"),
    "extension 2": (b"\x80\x04\x83\x01\x00.", "EXT2, which asks"),
    "extension 4": (b"\x80\x04\x84\x01\x00\x00\x00.", "EXT4, which asks"),
    "buffer": (b"\x80\x05\x97.", "NEXT_BUFFER, which asks to take"),
    "call of a value": (b"\x80\x04K\x01)R.", "calls something that is not a name"),
    "call without arguments": (b"\x80\x04cboats\nFerry\nNR.", "calls something that is not a name"),
    "state of a class": (b"\x80\x04cboats\nFerry\n}b.", "sets the state of something that is no object"),
    "state twice": (b"\x80\x04cboats\nFerry\n)R}b}b.", "sets the state of an object twice"),
    "items of a class": (b"\x80\x04cboats\nFerry\nK\x01K\x02s.", "sets items of something that is no dictionary"),
    "odd items": (b"\x80\x04}(K\x01u.", "sets items of something that is no dictionary"),
    "append to a text": (b"\x80\x04X\x00\x00\x00\x00K\x01a.", "adds to something that is no list"),
    "key that is a tuple": (b"\x80\x04})K\x01s.", "a key that is neither a text nor a small whole number"),
    "key that collides": (dumps({2**61 - 1: 1}), "a key that is neither"),
    "memo of nothing": (b"\x80\x04h\x07.", "uses a value that was not kept"),
    "memo of an empty stack": (b"\x80\x04\x94.", "takes a value where there is none"),
    "stack that is empty": (b"\x80\x04\x85.", "takes a value where there is none"),
    "below a mark": (b"\x80\x04K\x01(\x85.", "takes a value where there is none"),
    "no mark": (b"\x80\x04K\x01t.", "up to a mark where there is none"),
    "two values": (b"\x80\x04K\x01K\x02.", "ends in the middle of a value"),
    "nothing": (b"\x80\x04.", "ends in the middle of a value"),
    "newer protocol": (b"\x80\x09N.", "protocol 9 is not known"),
    "pop": (b"\x80\x04NN0.", "the pickle instruction POP; plain data needs none"),
    "half a surrogate pair": (dumps("\ud800"), "half of a surrogate pair"),
    "huge number": (b"\x80\x04\x8a\xff" + b"\x7f" * 255 + b".", "a whole number of hundreds of digits"),
    "more after the end": (dumps(1) + b"cos\nsystem\n", "11 bytes follow the end of the pickle"),
    "empty": (b"", "not a pickle, or one that was cut off"),
    "text": (b"%PDF", "not a pickle, or one that was cut off"),
    "length beyond the end": (b"\x80\x04\x8d" + struct.pack("<Q", 2**62) + b"x.", "cut off"),
    "negative length": (b"\x80\x04\x8b" + struct.pack("<i", -(2**31)) + b".", "cut off"),
    "huge memo index": (b"\x80\x04Nr\xff\xff\xff\xff0.", "the pickle instruction POP"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_not_data_is_refused_in_one_line_and_nothing_happens(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content, complaint = HOSTILE[name]
    with pytest.raises(LoadError, match=complaint) as error:
        read(content)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith("data.pickle ")
    assert list(tmp_path.iterdir()) == []


def test_no_option_loads_a_hostile_file_and_the_line_says_so() -> None:
    with pytest.raises(LoadError, match="It is not loaded, and no option does so"):
        read(HOSTILE["system"][0])


def test_a_hint_takes_the_place_of_that_advice() -> None:
    file = InputFile(Path("a.pickle"), "a.pickle", dumps(Ref("x", "Y")))
    with pytest.raises(LoadError, match=r"a\.pickle byte 14: names 'x\.Y', .* Try the other file\.") as error:
        read_pickle(file, names=(), hint=lambda name: f"Try the other file{name.module[1:]}")
    assert "no option" not in str(error.value)


def test_every_cut_of_a_file_is_one_line() -> None:
    content = dumps([{"a": (1, 2.5, "x", None, True)}, Call(Ref("boats", "Ferry"), (), {"b": b"c"})])
    for length in range(len(content)):
        with pytest.raises(LoadError):
            read(content[:length])


@given(st.binary(max_size=60))
def test_random_bytes_are_a_value_or_one_line(content: bytes) -> None:
    try:
        read(b"\x80\x04" + content)
    except LoadError as error:
        assert "\n" not in str(error)  # noqa: PT017  # either outcome is right


def test_deep_nesting_is_read_without_recursion() -> None:
    depth = 200_000
    found = read(b"\x80\x04" + b"]" * depth + b"a" * (depth - 1) + b".")
    assert isinstance(found, list)


def test_the_writer_of_these_tests_writes_what_pickle_reads() -> None:
    value = {"a": [1, -300, 2.5, "ä", b"b", None, True, (1,), {3: {}}]}
    assert pickle.loads(dumps(value)) == value  # noqa: S301  # our own bytes
    assert write("x") == text("x")
