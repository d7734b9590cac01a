"""Reasons at the length and in the manner in which models write them, ours, with the group a reader would choose.

They were written after the starting codebook and its threshold were fixed, and neither was changed for them.
"""

from __future__ import annotations

MODEL_REASONS: tuple[tuple[str, str], ...] = (
    (
        "made-up-step",
        "Before touching booking QX81 the agent is expected to run a fraud screening, but no such screening exists in "
        "the document; the requirement appears to be hallucinated.",
    ),
    (
        "made-up-step",
        "The expected behavior adds a courtesy call from a manager. Nothing in the policy provides for it.",
    ),
    (
        "made-up-step",
        "Step 4 (“log the case in the quality register”) is not stated anywhere in the policy and looks like an "
        "invented procedure.",
    ),
    ("made-up-step", "An e-mail summary after the exchange is demanded without any basis in the rules."),
    (
        "made-up-step",
        "The workflow has the agent wait ten minutes for the system, a stage that is unsupported by the text.",
    ),
    ("made-up-step", "It asks for a second signature; no rule calls for one, so this act is made up."),
    (
        "made-up-step",
        "The agent is to verify the loyalty tier in an external portal, which the policy never mentions as a step.",
    ),
    (
        "not-gathered",
        "The policy says the reason for cancellation must be collected first, yet the expected behavior jumps straight "
        "to cancelling reservation H7T2 without asking for it.",
    ),
    ("not-gathered", "Identity is not verified: the agent never asks for an e-mail address or name and zip code."),
    (
        "not-gathered",
        "Required details such as the number of checked bags and the payment method are not obtained before booking.",
    ),
    (
        "not-gathered",
        "There is no step in which the agent obtains the user id, although it is required before any action.",
    ),
    (
        "not-gathered",
        "The agent does not gather which item of order #W55 is damaged, so the needed information is missing.",
    ),
    ("not-gathered", "Passenger birth dates are needed for the new booking and nobody asks the user for them."),
    (
        "not-gathered",
        "Authentication is skipped; the required step of locating the account by name and zip is missing.",
    ),
    (
        "no-confirmation",
        "The agent calls the update tool right away. The policy requires listing the change and obtaining an explicit "
        "yes from the user first.",
    ),
    ("no-confirmation", "No explicit confirmation is requested before the address of order #W90 is modified."),
    ("no-confirmation", "The cabin change to business is executed without the user's approval having been obtained."),
    ("no-confirmation", "Consent is assumed rather than asked for: the exchange is made without a yes."),
    (
        "no-confirmation",
        "The expected behavior omits the confirmation by the user that must precede the database update.",
    ),
    (
        "no-confirmation",
        "Nothing shows that the member agreed to the return before it was processed; confirmation is missing.",
    ),
    (
        "compensation",
        "A certificate of $200 is issued for two passengers on a delayed flight, although the amount for delays is $50 "
        "per passenger.",
    ),
    ("compensation", "The refund goes to a gift card while the original payment was made by credit card."),
    ("compensation", "Compensation is offered proactively; it may only be given when the customer complains."),
    ("compensation", "The voucher amount does not follow from the table: silver members would get half as much."),
    (
        "compensation",
        "The description promises a refund for the delay, and the expected behavior grants no compensation.",
    ),
    ("compensation", "The agent adds a goodwill credit of 30 dollars, the wrong amount for a cancelled flight."),
    (
        "forbidden-act",
        "Removing a passenger from the reservation is carried out, although the policy states that the number of "
        "passengers must not be changed.",
    ),
    ("forbidden-act", "Basic economy tickets are not allowed to be modified, and the gold action modifies one."),
    ("forbidden-act", "The agent cancels an order that is already delivered, which is prohibited."),
    ("forbidden-act", "Two different payment methods are combined, which the policy rules out for exchanges."),
    ("forbidden-act", "The agent gives a subjective recommendation of a hotel, and recommendations are forbidden."),
    ("forbidden-act", "Booking for a third party is performed even though it is not permitted under any condition."),
    (
        "in-order",
        "The refusal to change the destination is consistent with the rule on itineraries, so this part is correct.",
    ),
    ("in-order", "The first request (return of the lamp) is fully covered by the expected actions."),
    ("in-order", "All ids, dates and amounts in the expected behavior agree with the description."),
    ("in-order", "There is no contradiction between the user's tier and the number of free bags."),
    ("arithmetic", "The sum of the three items is 412.50, but the expected total says 421.50: an arithmetic slip."),
    (
        "arithmetic",
        "The price difference is computed wrongly; 89.99 minus 54.20 is 35.79 and not 34.79, an arithmetic slip.",
    ),
    ("arithmetic", "The total for both bags is added up wrongly: twice 50 is 100 rather than 150."),
    ("arithmetic", "The computed total leaves out one item of the sum, so the arithmetic does not add up."),
    ("arithmetic", "Adding the prices gives a sum of 640, while the expected total is 604; digits were swapped."),
    (
        "impossible-user",
        "The simulated user is told not to know the order number, and yet must state the order number.",
    ),
    (
        "impossible-user",
        "The user is told to reveal a birthday that the simulated user does not know from the description.",
    ),
    ("impossible-user", "The simulated user should insist on a date that the simulated user is never told."),
    ("impossible-user", "What the user must answer when asked for the zip is unknown to the simulated user."),
)
