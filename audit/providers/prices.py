"""What a call costs: by the user's own price, else by a table of list prices that ships with ``genai-prices``."""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit.errors import UsageError
from audit.providers.vendors import VENDORS
from audit.records.prompt import Usage

FREE = frozenset({"scripted", "local"})
"""Where no vendor is asked, so that nothing is paid."""
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class OwnPrice:
    """What a user says that a model costs, in US dollars for a million tokens.

    Parameters
    ----------
    cached
        For input that is read from the prompt cache; as ``input`` where nothing is said.
    """

    input: float
    output: float
    cached: float


def cost_usd(
    endpoint: str, model: str, *, usage: Usage, own: OwnPrice | None = None, is_batch: bool = False
) -> float | None:
    """Return the price of a call in US dollars.

    Parameters
    ----------
    endpoint
        :attr:`audit.providers.protocol.Provider.endpoint`: a vendor's name at its own address, else a URL.
    model
        The model id as returned, or as asked for where none was.
    usage
        Tokens as reported.
    own
        The user's own price, which counts before the list and at every address.
    is_batch
        The price through the vendor's batch API.

    Returns
    -------
    float or None
        ``None`` when the tokens or the price are not known, and for every address but a vendor's own;
        never 0 for not known. Scripted replies and models on this machine cost 0.

    Examples
    --------
    >>> cost_usd("http://127.0.0.1:8080/v1", "gpt-5.4", usage=Usage(input_tokens=10, output_tokens=1)) is None
    True
    """
    if endpoint in FREE and own is None:
        return 0.0
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    if own is not None:
        return None if is_batch else _own_cost(own, usage, input_tokens=usage.input_tokens)
    is_listed = endpoint in VENDORS and VENDORS[endpoint].url
    return _list_cost(endpoint, model, usage, is_batch=is_batch) if is_listed else None


def _list_cost(vendor: str, model: str, usage: Usage, *, is_batch: bool) -> float | None:
    import genai_prices  # noqa: PLC0415  # its table takes a third of a second

    tokens = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
    )
    try:
        price = genai_prices.calc_price(tokens, model, provider_id=vendor)
        if not is_batch:
            return float(price.total_price)
        batch = genai_prices.calc_price(tokens, model, provider_id=vendor, price_context={"processing": "batch"})
    except (LookupError, ValueError):
        return None
    has_batch_price = batch.model_price != price.model_price
    return float(batch.total_price) if has_batch_price else None


def _own_cost(price: OwnPrice, usage: Usage, *, input_tokens: int) -> float:
    cached = min(usage.cached_tokens or 0, input_tokens)
    spent = (input_tokens - cached) * price.input + cached * price.cached + (usage.output_tokens or 0) * price.output
    return spent / _MILLION


def price_table() -> str:
    """Return the name and edition of the table of list prices."""
    return f"genai-prices {importlib.metadata.version('genai-prices')}"


def read_own_prices(texts: Sequence[str], *, judges: Sequence[str]) -> dict[str, OwnPrice]:
    """Read ``JUDGE=INPUT/OUTPUT`` and ``JUDGE=INPUT/CACHED/OUTPUT``, in dollars for a million tokens.

    Parameters
    ----------
    texts
        As the user wrote them.
    judges
        The judges of the run, by the names that the user gave them.

    Raises
    ------
    UsageError
        For another form, a judge that is not asked, or a number that is no price.

    Examples
    --------
    >>> read_own_prices(["openai:m=2.5/0.25/15"], judges=["openai:m"])["openai:m"].cached
    0.25
    """
    prices = {}
    for text in texts:
        name, sign, amounts = text.rpartition("=")
        numbers = [_read_amount(amount) for amount in amounts.split("/")]
        if not sign or len(numbers) not in (2, 3) or None in numbers:
            mend = "Write JUDGE=INPUT/OUTPUT or JUDGE=INPUT/CACHED/OUTPUT in dollars for a million tokens"
            raise UsageError(f"'{text}' is no price", where="--price", mend=mend)
        if name not in judges:
            mend = f"Judges: {', '.join(judges)}" if judges else "Name the judge with --judge"
            raise UsageError(f"no judge '{name}' is asked", where="--price", mend=mend)
        known = [number for number in numbers if number is not None]
        prices[name] = OwnPrice(input=known[0], output=known[-1], cached=known[1] if len(known) == 3 else known[0])
    return prices


def _read_amount(text: str) -> float | None:
    try:
        amount = float(text)
    except ValueError:
        return None
    return amount if math.isfinite(amount) and amount >= 0 else None
