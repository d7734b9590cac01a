"""Property tests that take as long as a busy machine needs, and give the same examples every time."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", deadline=None, derandomize=True, database=None)
settings.load_profile("unhurried")
