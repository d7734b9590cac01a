"""llama.cpp's own server in a process of its own: a model file that is not what it says can end no run.

``python -m audit.providers.local_server`` reads one line of JSON (``path``, ``alias``, ``key``, ``n_threads``,
``n_context``), prints the server's address and serves until its standard input closes, as it does when whoever started
it ends in whatever way.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def serve(order: dict[str, Any]) -> None:
    """Load a model, print where it answers, and return when nobody waits for it any more."""
    import xllamacpp  # noqa: PLC0415  # an extra

    params = xllamacpp.CommonParams()
    params.model.path = order["path"]
    params.model_alias = {order["alias"]}
    params.api_keys = [order["key"]]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = order["n_context"]
    params.n_parallel = 1  # one place, so that the next question finds the policy in its cache
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = order["n_threads"]
    params.verbosity = 0
    params.ui = params.endpoint_slots = False
    params.offline = True
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve(json.loads(sys.stdin.readline()))
    os._exit(0)  # llama.cpp's threads need not be waited for
