"""Small databases in the shapes of the domains, and calls on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from audit.environments.airline import AIRLINE
from audit.environments.protocol import Outcome, State
from audit.environments.retail import RETAIL
from audit.environments.toolset import Domain, ToolEnvironment
from audit.records.task import Action, Json, Origin, ToolKind
from tests.builders import benchmark, task

Object = dict[str, Any]


def call_of(name: str, arguments: Mapping[str, Json] | None = None, *, requestor: str = "assistant") -> Action:
    return Action(name, arguments or {}, ToolKind.UNKNOWN, Origin("tasks.json", "actions[0]", "t1"), requestor)


def bind(domain: Domain, database: Mapping[str, Any], *, initial_state: Json = None) -> ToolEnvironment:
    """Return an environment whose only task, t1, has this initial state."""
    only = replace(task(), raw={"id": "t1", "initial_state": initial_state})
    return domain.bind(benchmark(only, database=database))


@dataclass
class Talk:
    """Calls one after another; the state moves on with each."""

    environment: ToolEnvironment
    state: State

    def call(self, name: str, **arguments: Any) -> Outcome:  # noqa: ANN401  # any JSON
        outcome = self.environment.call(self.state, call_of(name, arguments))
        self.state = outcome.state
        return outcome

    def row(self, table: str, key: str) -> Any:  # noqa: ANN401  # a row
        return self.state[table][key]


def airline(**changes: Object) -> Talk:
    """Start a talk with the airline; ``changes`` replaces whole rows, as ``table__key``."""
    return _start(AIRLINE, airline_database(), changes)


def retail(**changes: Object) -> Talk:
    return _start(RETAIL, retail_database(), changes)


def _start(domain: Domain, database: Object, changes: Mapping[str, Object]) -> Talk:
    for place, row in changes.items():
        table, _, key = place.partition("__")
        database[table][key] = row
    environment = bind(domain, database)
    return Talk(environment, environment.initial_state("t1"))


def for_sale(seats: int = 3, price: int = 100) -> Object:
    return {
        "status": "available",
        "available_seats": {"basic_economy": seats, "economy": seats, "business": seats},
        "prices": {"basic_economy": price // 2, "economy": price, "business": price * 3},
    }


def flight(number: str, origin: str, destination: str, *, at: tuple[str, str], dates: Object) -> Object:
    return {
        "flight_number": number,
        "origin": origin,
        "destination": destination,
        "scheduled_departure_time_est": at[0],
        "scheduled_arrival_time_est": at[1],
        "dates": dates,
    }


def airline_database() -> Object:
    """One customer with every kind of payment method, one booking, five flights."""
    days = {"2024-05-20": for_sale(), "2024-05-21": for_sale(price=150), "2024-05-10": {"status": "landed"}}
    return {
        "flights": {
            "F1": flight("F1", "AAA", "BBB", at=("08:00:00", "10:00:00"), dates=days),
            "F2": flight("F2", "BBB", "CCC", at=("11:00:00", "13:00:00"), dates={"2024-05-20": for_sale(1)}),
            "F3": flight("F3", "BBB", "CCC", at=("09:00:00", "12:00:00"), dates={"2024-05-20": for_sale()}),
            "F4": flight("F4", "AAA", "DDD", at=("22:00:00", "01:00:00+1"), dates={"2024-05-20": for_sale()}),
            "F5": flight("F5", "DDD", "CCC", at=("02:00:00", "04:00:00"), dates={"2024-05-21": for_sale()}),
        },
        "users": {
            "ada_1": {
                "user_id": "ada_1",
                "name": {"first_name": "Ada", "last_name": "Poole"},
                "payment_methods": {
                    "card_1": {"source": "credit_card", "id": "card_1"},
                    "gift_1": {"source": "gift_card", "id": "gift_1", "amount": 250},
                    "cert_1": {"source": "certificate", "id": "cert_1", "amount": 120.0},
                },
                "reservations": ["R1"],
            }
        },
        "reservations": {
            "R1": {
                "reservation_id": "R1",
                "user_id": "ada_1",
                "origin": "AAA",
                "destination": "BBB",
                "flight_type": "one_way",
                "cabin": "economy",
                "flights": [
                    {"flight_number": "F1", "origin": "AAA", "destination": "BBB", "date": "2024-05-20", "price": 80}
                ],
                "passengers": [person("Ada"), person("Ben")],
                "payment_history": [{"payment_id": "card_1", "amount": 160}],
                "created_at": "2024-05-01T10:00:00",
                "total_baggages": 2,
                "nonfree_baggages": 1,
                "insurance": "no",
            }
        },
    }


def person(first_name: str) -> Object:
    return {"first_name": first_name, "last_name": "Poole", "dob": "1990-01-01"}


def booking(**changes: Any) -> Object:  # noqa: ANN401  # any argument
    """Return the arguments of a booking that is in order: one passenger, one flight, 100 by card."""
    arguments: Object = {
        "user_id": "ada_1",
        "origin": "AAA",
        "destination": "BBB",
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": "F1", "date": "2024-05-20"}],
        "passengers": [person("Ada")],
        "payment_methods": [{"payment_id": "card_1", "amount": 100}],
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    return arguments | changes


def order(order_id: str, status: str, *, items: list[tuple[str, str, float]], paid_with: str = "card_1") -> Object:
    """Return an order of ``(item, product, price)``, paid at once."""
    return {
        "order_id": order_id,
        "user_id": "ada_1",
        "address": address(),
        "items": [
            {"name": product, "product_id": product, "item_id": item, "price": price, "options": {"of": item}}
            for item, product, price in items
        ],
        "status": status,
        "fulfillments": [],
        "payment_history": [
            {
                "transaction_type": "payment",
                "amount": round(sum(price for _, _, price in items), 2),
                "payment_method_id": paid_with,
            }
        ],
    }


def address(zip_code: str = "10000") -> Object:
    return {"address1": "1 Elm", "address2": "", "city": "York", "country": "USA", "state": "NY", "zip": zip_code}


def retail_database() -> Object:
    """One customer, two products with three variants each, a pending and a delivered order."""

    def variants(product: str, prices: tuple[float, float, float]) -> Object:
        return {
            f"{product}{n}": {
                "item_id": f"{product}{n}",
                "options": {"of": f"{product}{n}"},
                "available": n != 3,
                "price": price,
            }
            for n, price in enumerate(prices, 1)
        }

    return {
        "products": {
            "A": {"name": "Anvil", "product_id": "A", "variants": variants("A", (10.1, 20.3, 30.0))},
            "B": {"name": "Bell", "product_id": "B", "variants": variants("B", (5.0, 4.0, 3.0))},
        },
        "users": {
            "ada_1": {
                "user_id": "ada_1",
                "name": {"first_name": "Ada", "last_name": "Poole"},
                "address": address(),
                "email": "Ada@Mail.example",
                "payment_methods": {
                    "card_1": {"source": "credit_card", "id": "card_1"},
                    "gift_1": {"source": "gift_card", "id": "gift_1", "balance": 10},
                    "pal_1": {"source": "paypal", "id": "pal_1"},
                },
                "orders": ["#P", "#D"],
            }
        },
        "orders": {
            "#P": order("#P", "pending", items=[("A1", "A", 10.1), ("B1", "B", 5.0), ("A1", "A", 10.1)]),
            "#D": order("#D", "delivered", items=[("A1", "A", 10.1), ("B1", "B", 5.0)]),
        },
    }
