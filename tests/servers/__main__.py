"""Run the server by hand: ``python -m tests.servers --port 8080 --delay 0.2``."""

from __future__ import annotations

import argparse
import sys
import threading

from tests.servers.outcomes import delayed
from tests.servers.vendors import VendorServer, well_behaved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--score", type=float, default=7, help="given for everything that is scored")
    flags = parser.parse_args()
    server = VendorServer(port=flags.port)
    server.always(delayed(flags.delay, well_behaved(flags.score)))
    server.start()
    sys.stdout.write(f"{server.openai_url}\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
