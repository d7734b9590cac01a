"""What tests of sources share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.files import Files, serving_files


@pytest.fixture
def files() -> Iterator[Files]:
    """A server of files on the loopback."""
    with serving_files() as running:
        yield running
