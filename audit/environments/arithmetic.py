"""The calculator that the τ domains give their agents: arithmetic in a text, without running it as code."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from audit.environments.view import ToolError

_ALLOWED: Final = frozenset("0123456789+-*/(). ")
_BITS: Final = 20_000
"""Powers that would need more bits are refused; no price needs them."""
_BINARY: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
_UNARY: Final[dict[type[ast.unaryop], Callable[[Any], Any]]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


def calculate(expression: str) -> str:
    """Return the value of an arithmetic expression, rounded to cents, as text.

    Digits, ``+ - * / ( ) .`` and spaces are allowed, so ``**`` and ``//`` work too.

    Raises
    ------
    ToolError
        For other characters, bad syntax, division by zero, and numbers beyond reason.

    Examples
    --------
    >>> calculate("(10 + 15) * 2 / 2")
    '25.0'
    """
    if not set(expression) <= _ALLOWED:
        raise ToolError("invalid characters", " ".join(sorted(set(expression) - _ALLOWED)))
    try:
        return str(round(float(_value(ast.parse(expression.strip(" "), mode="eval").body)), 2))
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise ToolError("not an expression with a value", type(error).__name__) from error


def _value(node: ast.expr) -> Any:  # noqa: ANN401  # int, float or complex, as Python has it
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp):
        return _UNARY[type(node.op)](_value(node.operand))
    if not isinstance(node, ast.BinOp):
        raise TypeError("only numbers can be calculated with")
    left, right = _value(node.left), _value(node.right)
    if isinstance(node.op, ast.Pow):
        return _power(left, right)
    return _BINARY[type(node.op)](left, right)


def _power(base: Any, exponent: Any) -> Any:  # noqa: ANN401  # int, float or complex, as Python has it
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > _BITS:
        raise OverflowError("the power is too large")
    return base**exponent
