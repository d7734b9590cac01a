"""The profile of ``make fuzz``: many more examples than an ordinary run has time for."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("fuzz", max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
