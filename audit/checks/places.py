"""Cities and the codes of their airports, for texts that name the one and rows that hold the other."""

from __future__ import annotations

_AIRPORTS = {
    "atlanta": "ATL",
    "austin": "AUS",
    "baltimore": "BWI",
    "boston": "BOS",
    "charlotte": "CLT",
    "chicago": "ORD MDW CHI",
    "dallas": "DFW DAL",
    "denver": "DEN",
    "detroit": "DTW",
    "fort lauderdale": "FLL",
    "honolulu": "HNL",
    "houston": "IAH HOU",
    "las vegas": "LAS",
    "london": "LHR LGW LCY STN LTN LON",
    "los angeles": "LAX",
    "miami": "MIA",
    "minneapolis": "MSP",
    "nashville": "BNA",
    "new orleans": "MSY",
    "new york": "JFK LGA EWR NYC",
    "new york city": "JFK LGA EWR NYC",
    "newark": "EWR NYC",
    "orlando": "MCO",
    "paris": "CDG ORY PAR",
    "philadelphia": "PHL",
    "phoenix": "PHX",
    "portland": "PDX PWM",
    "salt lake city": "SLC",
    "san diego": "SAN",
    "san francisco": "SFO",
    "san jose": "SJC",
    "seattle": "SEA",
    "tampa": "TPA",
    "tokyo": "HND NRT TYO",
    "toronto": "YYZ YTZ YTO",
    "washington": "DCA IAD WAS",
}
_CODE_LENGTH = 3


def codes_of(name: str) -> frozenset[str]:
    """Return the codes that a place may stand under: its own if it is a code; none for a city that is not known.

    Examples
    --------
    >>> sorted(codes_of("Chicago")), sorted(codes_of("ORD")), sorted(codes_of("Nowhere"))
    (['CHI', 'MDW', 'ORD'], ['ORD'], [])
    """
    text = name.strip()
    if len(text) == _CODE_LENGTH and text.isalpha() and text.isupper():
        return frozenset((text,))
    return frozenset(_AIRPORTS[text.lower()].split()) if text.lower() in _AIRPORTS else frozenset()
