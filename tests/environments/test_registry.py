from __future__ import annotations

from typing import Any

import pytest

from audit.environments.registry import DOMAINS, environment_for
from audit.errors import UsageError
from audit.records.task import Benchmark, Tool, ToolKind
from tests.builders import benchmark, task
from tests.environments.worlds import airline_database, call_of, retail_database


def private(
    name: str, database: dict[str, Any], *, without: tuple[str, ...] = (), more: tuple[Tool, ...] = ()
) -> Benchmark:
    """Return somebody's own benchmark with the tools of a domain, less some, plus some."""
    tools = [Tool(tool, body.kind, caller=caller) for (caller, tool), body in DOMAINS[name].tools.items()]
    kept = tuple(tool for tool in tools if tool.name not in without)
    return benchmark(name="my/own", tools=(*kept, *more), database=database)


@pytest.mark.parametrize("name", ["tau-airline", "tau1-airline"])
def test_a_private_copy_of_the_airline_is_known_by_its_tools_and_tables(name: str) -> None:
    environment = environment_for(private(name, airline_database()))
    assert environment is not None
    assert environment.name == name


def test_a_copy_without_some_reading_tool_is_known_too() -> None:
    environment = environment_for(private("tau-retail", retail_database(), without=("get_item_details",)))
    assert environment is not None
    assert environment.name == "tau-retail"


def test_the_first_generation_is_known_by_its_tool_to_think() -> None:
    environment = environment_for(private("tau1-retail", retail_database()))
    assert environment is not None
    assert environment.name == "tau1-retail"


def test_other_tools_or_tables_are_no_match() -> None:
    extra = Tool("sell_souls", ToolKind.WRITE)
    assert environment_for(private("tau-retail", retail_database(), more=(extra,))) is None
    assert environment_for(private("tau-retail", retail_database(), without=("cancel_pending_order",))) is None
    assert environment_for(private("tau-retail", airline_database())) is None
    assert environment_for(benchmark()) is None


def test_without_a_tool_table_the_gold_calls_decide() -> None:
    known = task(actions=(call_of("cancel_pending_order"),))
    foreign = task("t2", actions=(call_of("cancel_flight"),))
    environment = environment_for(benchmark(known, database=retail_database()))
    assert environment is not None
    assert environment.name == "tau-retail"
    assert environment_for(benchmark(known, foreign, database=retail_database())) is None
    assert environment_for(benchmark(task(actions=None), database=retail_database())) is None


def test_a_name_wins_over_what_fits() -> None:
    environment = environment_for(private("tau-retail", retail_database()), name="tau-mock")
    assert environment is not None
    assert environment.name == "tau-mock"
    with pytest.raises(UsageError, match=r"nowhere: no such environment\. There are: tau-airline, .*tau2:DOMAIN"):
        environment_for(benchmark(), name="nowhere")
