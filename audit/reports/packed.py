"""Values as blocks of data inside a page: plain JSON where they are small, else compressed."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence

from markupsafe import Markup

from audit.reports.nodes import Node
from audit.reports.plain import Plain

_LEVEL = 7
"""Of 9, which takes half as long again for a fortieth less."""
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""What could end a script element or be read as markup."""


def data_block(id: str, value: Plain) -> Markup:
    """Return a value as a block that a script reads with ``JSON.parse``; no browser runs it.

    Parameters
    ----------
    id
        Letters, digits and hyphens; ours.
    """
    text = _json(value).translate(_UNSAFE)
    return Markup(f'<script type="application/json" id="{id}">{text}</script>')  # noqa: S704  # no markup is left in it


def packed_block(id: str, value: Plain | Sequence[Node | str]) -> Markup:
    """Return a value as a compressed block (raw deflate, base64), which costs nothing until a script unpacks it."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(_json(value).encode()) + packer.flush()
    text = base64.b64encode(packed).decode()
    return Markup(f'<script type="application/octet-stream" id="{id}">{text}</script>')  # noqa: S704  # base64


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
