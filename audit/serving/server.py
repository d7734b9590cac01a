"""The site: a list, and a page for each entry of it; nothing can be changed through it."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import parse_qs, unquote, urlsplit

from audit.errors import AuditError
from audit.loopback import LoopbackHandler, LoopbackServer
from audit.reports.html_page import content_policy
from audit.serving.page import COLUMNS, css, render
from audit.serving.shelf import Shelf

HTML = "text/html; charset=utf-8"
ENTRY_POLICY = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of a page that may be anybody's: it runs apart, reaches nothing, and its own policy holds beside this."""
METHODS = "GET, HEAD"


class ShelfServer(LoopbackServer):
    """Serves a folder at ``http://127.0.0.1:PORT/``, read only.

    Parameters
    ----------
    shelf
        The folder.
    port
        0 for any free one.
    """

    def __init__(self, shelf: Shelf, *, port: int = 0) -> None:
        self.shelf = shelf
        super().__init__(_Handler, port=port)

    @property
    def url(self) -> str:
        """The list's address."""
        return f"{self.origin}/"


class _Handler(LoopbackHandler):
    server: ShelfServer

    def do_GET(self) -> None:  # noqa: N802  # the library's name
        if not self.is_asked_here(allows_links=True):  # pages of entries run apart, and are another site to this one
            return
        address = urlsplit(self.path)
        if address.path == "/":
            self._list(address.query)
        elif address.path.startswith("/view/"):
            self._view(unquote(address.path.removeprefix("/view/"), errors="surrogateescape"))
        else:
            self.refuse(HTTPStatus.NOT_FOUND, "There is no such page.")

    do_HEAD = do_GET  # noqa: N815  # the library's name

    def do_POST(self) -> None:  # noqa: N802  # the library's name
        if self.is_asked_here():
            self.refuse(HTTPStatus.METHOD_NOT_ALLOWED, f"This site can only be read: {METHODS}.")

    do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_POST  # noqa: N815  # the library's names

    def _list(self, query: str) -> None:
        asked = parse_qs(query, max_num_fields=8)
        sort = asked["sort"][0] if "sort" in asked else "date"
        order = asked["order"][0] if "order" in asked else "falling"
        if sort not in COLUMNS or order not in ("rising", "falling"):
            self.refuse(HTTPStatus.NOT_FOUND, "The list can't be sorted so.")
            return
        shelf = self.server.shelf
        content = render(shelf.entries(), folder=shelf.root.name, sort=sort, is_falling=order == "falling")
        self.send(HTTPStatus.OK, content, kind=HTML, policy=f"{content_policy(css())}; frame-ancestors 'none'")

    def _view(self, name: str) -> None:
        try:
            content = self.server.shelf.page(name)
        except AuditError as error:
            self.refuse(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
            return
        if content is None:
            self.refuse(HTTPStatus.NOT_FOUND, "There is no such page.")
        else:
            self.send(HTTPStatus.OK, content, kind=HTML, policy=ENTRY_POLICY)
