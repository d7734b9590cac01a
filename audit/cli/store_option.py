"""The flag that names the verdict store."""

from __future__ import annotations

import re
from typing import Any

import click

from audit.postgres import SCHEMES, store_place

_MISTYPED = re.compile(r"postgres(ql)?:", re.IGNORECASE)
"""As a path it would be a folder with a password in its name."""


class StoreChoice(click.types.StringParamType):
    """A verdict store: a file, or the URL of a PostgreSQL database, of which no message shows the password."""

    name = "FILE|URL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  # click's signature
        """Tell a URL from a path."""
        if not isinstance(value, str):  # a default, or converted already
            return value
        is_meant = "://" in value or _MISTYPED.match(value)
        if is_meant and not value.lower().startswith(SCHEMES):  # the value may hold a password
            self.fail("a URL must begin with postgresql://.", param, ctx)
        return store_place(value)


store_option = click.option(
    "--store",
    type=StoreChoice(),
    envvar="BENCH_AUDIT_STORE",
    show_envvar=True,
    help="Verdict store: a file, or postgresql://USER@HOST/DATABASE. [default: in your data folder]",
)
