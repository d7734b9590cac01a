"""The errors that a plan may be said to have."""

from __future__ import annotations

from collections.abc import Mapping

DEPENDENCE_ERROR, DEPENDENCE_NULL = "Dependence_Error", "Dependence_Null"
PARALLELISM_ERROR, SERIAL_ERROR = "Parallelism_Error", "Serial_Error"
PARAMETER_ERROR, PARAMETER_INVALID = "Parameter_Error", "Parameter_Invalid"
PARAMETER_MISSING, TYPE_ERROR = "Parameter_Missing", "Type_Error"
NULL_ERROR, TIMEOUT_ERROR = "Null_Error", "Timeout_Error"
TOOL_NAME_ERROR, TOOL_SELECT_ERROR = "Tool_name_Error", "Tool_select_Error"
TOOLCALL_MISSING, TOOLCALL_REDUNDANCY = "Toolcall_Missing", "Toolcall_Redundancy"

MEANINGS: Mapping[str, str] = {
    DEPENDENCE_ERROR: "a node depends on the wrong node",
    DEPENDENCE_NULL: "a node lacks a dependency that it needs",
    PARALLELISM_ERROR: "nodes that have to run one after the other may run at the same time",
    SERIAL_ERROR: "nodes that have nothing to do with each other are chained",
    PARAMETER_ERROR: "a call gives a parameter that the tool does not define",
    PARAMETER_INVALID: "a value has the right type and an impossible content",
    PARAMETER_MISSING: "a call leaves out a parameter that the tool requires",
    TYPE_ERROR: "a value has another JSON type than the tool asks for",
    NULL_ERROR: "a tool came back with an empty result",
    TIMEOUT_ERROR: "a tool did not answer in time",
    TOOL_NAME_ERROR: "a call names a tool that is not in the list",
    TOOL_SELECT_ERROR: "a call uses a listed tool that does not suit its purpose",
    TOOLCALL_MISSING: "a call that the request needs is not in the plan",
    TOOLCALL_REDUNDANCY: "the plan holds a call that the request does not need",
}
"""The fourteen types, in our words."""

CHINESE: Mapping[str, str] = {
    "依赖关系错误": DEPENDENCE_ERROR,
    "依赖关系缺失": DEPENDENCE_NULL,
    "错误并行": PARALLELISM_ERROR,
    "错误串行": SERIAL_ERROR,
    "参数名称错误": PARAMETER_ERROR,
    "参数值非法": PARAMETER_INVALID,
    "必要参数缺失": PARAMETER_MISSING,
    "参数类型错误": TYPE_ERROR,
    "工具名称错误": TOOL_NAME_ERROR,
    "工具选择错误": TOOL_SELECT_ERROR,
    "必要工具缺失": TOOLCALL_MISSING,
    "工具调用冗余": TOOLCALL_REDUNDANCY,
}
"""The tags of real rollouts, by meaning; no published table says so."""

EXCEPTION_HANDLING = "异常应对错误"
"""A tag of real rollouts that is none of the fourteen types: it names what the agent did after a failure."""


def type_of(tag: str) -> str | None:
    """Return the type that a tag names, in either language; ``None`` for a tag that names none of the fourteen.

    Examples
    --------
    >>> type_of("错误串行"), type_of("Serial_Error"), type_of("异常应对错误")
    ('Serial_Error', 'Serial_Error', None)
    """
    name = tag.strip()
    return name if name in MEANINGS else CHINESE.get(name)
