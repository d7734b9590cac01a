"""The servers as fixtures; ``tests/conftest.py`` makes them known to every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.vendors import VendorServer


@pytest.fixture
def server() -> Iterator[VendorServer]:
    """A fresh server that speaks all three protocols."""
    running = VendorServer()
    running.start()
    yield running
    running.stop()
