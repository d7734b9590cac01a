"""What a call cost, from a table of list prices that ships with ``genai-prices``."""

from __future__ import annotations

from audit.providers.vendors import VENDORS
from audit.records.prompt import Usage


def cost_usd(endpoint: str, model: str, *, usage: Usage) -> float | None:
    """Return the list price of a call in US dollars.

    Parameters
    ----------
    endpoint
        :attr:`audit.providers.protocol.Provider.endpoint`: a vendor's name at its own address, else a URL.
    model
        The model id as returned, or as asked for where none was.
    usage
        Tokens as reported.

    Returns
    -------
    float or None
        ``None`` when the tokens or the price are not known, and for every address but a vendor's own;
        never 0 for not known.

    Examples
    --------
    >>> cost_usd("http://127.0.0.1:8080/v1", "gpt-5.4", usage=Usage(input_tokens=10, output_tokens=1)) is None
    True
    """
    if endpoint not in VENDORS or not VENDORS[endpoint].url:
        return None
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    import genai_prices  # noqa: PLC0415  # its table takes a third of a second

    tokens = genai_prices.Usage(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        output_tokens=usage.output_tokens,
    )
    try:
        return float(genai_prices.calc_price(tokens, model, provider_id=endpoint).total_price)
    except (LookupError, ValueError):
        return None
