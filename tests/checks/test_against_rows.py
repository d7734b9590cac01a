"""Amounts and dates of scripts against the user's rows and the policy's current time."""

from __future__ import annotations

from typing import Any

import pytest

from audit.checks import contradictions, script_dates
from audit.checks.amounts import Thing, wrong_amounts
from tests.checks import inn

GUEST = "You are guest gu_101."


def with_rows() -> dict[str, Any]:
    """The inn's rows with a bill that has two amounts, and purchases that have a name and one."""
    made = inn.database()
    bill = {"bill_id": "BL700", "guest_id": "gu_101", "unpaid_balance": "$1,250.00", "late_fee": "$12.50"}
    made["stays"]["ST501"]["by_night"] = {"2031-05-20": {"price": 60.25}, "2031-05-21": {"price": 60.25}}
    bought = [("Oak Bakery", "$18.40"), ("Oak Bakery", "$7.25"), ("Mill Shop", "$30.00")]
    made["bills"] = {"BL700": bill, "BL701": {**bill, "bill_id": "BL701", "unpaid_balance": "$5.00"}}
    made["purchases"] = {
        f"PU80{n}": {"purchase_id": f"PU80{n}", "guest_id": "gu_101", "merchant_name": name, "amount": amount}
        for n, (name, amount) in enumerate(bought)
    }
    return made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Your stay ST501 costs $120.50.", []),
        ("Your stay ST501 costs $130.", ["price ST501 $130"]),
        ("Your stay ST501 has a price of 130 dollars.", ["price ST501 130 dollars"]),
        ("Your stay ST501 costs $120.", []),  # cents are left out in talk
        ("Your stay ST501 ($95.10) is next.", ["price ST501 $95.10"]),
        ("A balance of $900 is open on BL700.", ["unpaid_balance BL700 $900"]),
        ("A balance of $1,250 is open on BL700.", []),
        ("BL700 has a late fee of $12.50.", []),
        ("BL700 has a late fee of $15.", ["late_fee BL700 $15"]),
        ("On BL700 there are $15.", []),  # of which of its amounts?
        ("BL700 and BL701 have a balance of $7.", []),  # which of the two?
        ("BL700 has a balance of $7; BL701 is paid.", ["unpaid_balance BL700 $7"]),
        ("BL700 says $1,250.00 and a fee of $3.", []),  # another amount stands between
        ("Your card card_9101 has a credit of $181.", []),
        ("Your card card_9101 has a credit of $60.", ["credit card_9101 $60"]),
        ("You paid Oak Bakery $7.25.", []),
        ("There is a charge: Oak Bakery for $19.99.", ["amount Oak Bakery $19.99"]),
        ("There is a charge: Oak Bakery for $30.00.", []),  # another shop has it, so the name may be wrong
        ("The charge at Oak Bakery is wrong: Oak Bakery for $19.99.", []),
        ("You want to pay up to $99 for ST501.", []),
        ("If ST501 costs $99, cancel it.", []),
        ("ST501 costs about $99.", []),
        ("ST501 costs $99 or more.", []),
        ("ST501 costs $90-99.", []),
        ("You think that ST501 costs $99.", []),
        ("ST501 is long and dear and far away from where you live: $99.", []),
        ("Stay ST501. It costs $99.", []),
        ("Stay STX501 costs $99.", []),
        ("Room RM11 has the price $99.", ["price RM11 $99"]),
        ("On 2031-05-21 BL700 was open. The night 2031-05-21 was charged $44.", []),  # a day is no thing
    ],
)
def test_amounts_against_the_rows_of_their_user(text: str, found: list[str]) -> None:
    made = inn.inspect(contradictions.CHECK, inn.task("t1", f"{GUEST} {text}"), db=with_rows())
    assert [one.subject for one in made] == found
    assert {(one.severity.value, one.certainty.value) for one in made} <= {("warning", "likely")}


def test_what_the_row_has_instead_is_said() -> None:
    (made,) = inn.inspect(
        contradictions.CHECK, inn.task("t1", f"{GUEST} A balance of $900 is open on BL700."), db=with_rows()
    )
    assert made.what == "The script states $900 of BL700, whose unpaid_balance is 1250."
    assert ("unpaid_balance", "1250") in made.evidence


def test_without_things_nothing_is_stated_of_them() -> None:
    assert list(wrong_amounts("BL700 costs $9.", ())) == []
    short = Thing("B", is_id=True, ref=("bills", "B"), amounts={"price": (1.0,)})
    assert [wrong.stated for wrong in wrong_amounts("B costs $9.", [short])] == ["$9"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You want to book a room from the mill to the inn on 2031-05-02.", ["warning"]),
        ("You want to book a room on May 2.", ["warning"]),
        ("You want to move your stay to May 2nd, 2031.", ["warning"]),
        ("You want to book a room on May 12.", []),
        ("You want to book a room on May 10.", []),  # today
        ("You want to book a room on May 20 2031, as you did on May 1.", []),
        ("You want to book the same room as on May 2.", []),
        ("You want to cancel your stay on May 2.", []),
        ("You stayed at the inn on May 2.", []),
        ("You stayed at the inn on May 19.", ["warning"]),
        ("You were told that your towels were delivered on 2031-06-01.", ["warning"]),
        ("You believe that your towels were delivered on 2031-06-01.", []),
        ("You stayed at the inn on May 20.", []),  # a row of the user's holds the day
        ("You want to book a room on February 30.", []),  # another rule's
        ("You were born on 1990-01-01.", []),
    ],
)
def test_dates_against_the_current_time(text: str, found: list[str]) -> None:
    book = inn.action("book_stay", guest_id="gu_101", room_id="RM12", day="2031-05-12", nights=1, meal="none")
    made = inn.inspect(script_dates.CHECK, inn.task("t1", f"{GUEST} {text}", book))
    assert [one.severity.value for one in made] == found


def test_a_request_for_the_past_that_gold_does_not_serve_may_be_meant_to_be_refused() -> None:
    (made,) = inn.inspect(script_dates.CHECK, inn.task("t1", f"{GUEST} You want to book a room on May 2."))
    assert (made.severity.value, made.certainty.value) == ("note", "likely")
    assert made.what == "The script asks for something on May 2, before the policy's current day 2031-05-10."


def test_without_a_current_time_no_date_is_past() -> None:
    task = inn.task("t1", f"{GUEST} You want to book a room on May 2.")
    assert inn.inspect(script_dates.CHECK, task, policy="# Inn\n\nBe kind.\n") == []
