"""The command line of ``tests/cli``, and a server with batch APIs."""

from __future__ import annotations

import pytest

from tests.cli.conftest import cli
from tests.servers.batches import BatchServer
from tests.servers.vendors import VendorServer

__all__ = ("batches", "cli")


@pytest.fixture
def batches(server: VendorServer) -> BatchServer:
    return BatchServer(server)
