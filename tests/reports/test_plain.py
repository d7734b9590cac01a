from __future__ import annotations

import json
from types import MappingProxyType

import pytest

from audit.records.verdict import Trust
from audit.reports.plain import indented

VALUES: list[object] = [
    {},
    [],
    [[], {}, [{}]],
    {"a": [1, 2.5, -0.0, 1e300, True, False, None, 'é "x"\n\u2028'], "b": {"c": {"d": [[0]]}}},
    {3: "int", 2.5: "float", True: "bool", None: "null"},
    (1, (2,)),
    {"state": Trust.OFFLINE},
    "text",
    0,
    None,
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("step", ["\t", "  "])
def test_indented_json_is_what_the_library_writes(value: object, step: str) -> None:
    assert indented(value, step) == json.dumps(value, indent=step, ensure_ascii=False)


def test_mappings_and_sequences_of_any_class_are_written() -> None:
    assert indented(MappingProxyType({"a": range(2)}), "") == '{\n"a": [\n0,\n1\n]\n}'


def test_a_number_that_is_not_finite_is_written_only_where_that_is_allowed() -> None:
    assert indented([float("nan")], "", allow_nan=True) == "[\nNaN\n]"
    with pytest.raises(ValueError, match="not JSON compliant"):
        indented([float("inf")], "")


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="not a JSON value: set"):
        indented({"a": {1, 2}}, "")
