from __future__ import annotations

import pytest

from audit.environments.arithmetic import calculate
from audit.environments.view import ToolError


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1+1", "2.0"),
        (" 2 * (3.25 - 1) ", "4.5"),
        ("10 / 3", "3.33"),
        ("7 // 2", "3.0"),
        ("2 ** 3", "8.0"),
        ("2.5 ** 2", "6.25"),
        ("-5 * -.5", "2.5"),
        ("+1", "1.0"),
        ("2 ** -1", "0.5"),
    ],
)
def test_arithmetic_is_rounded_to_cents_and_written_as_a_float(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize("expression", ["1e5", "abs(1)", "2 % 2", "1,000", "$5", "1\n+1", "_"])
def test_other_characters_are_refused(expression: str) -> None:
    with pytest.raises(ToolError, match="invalid characters"):
        calculate(expression)


@pytest.mark.parametrize(
    "expression",
    ["", "(1", "1 2", "2(3)", "()", "1/0", "007", "1.5.2", "(-8) ** .5", "9" * 400 + "*1.0", "9**9**9**9", "(" * 500],
)
def test_what_has_no_value_is_refused_at_once(expression: str) -> None:
    with pytest.raises(ToolError, match="not an expression"):
        calculate(expression)
