"""What the steps of a design stand on: judges made anew for each of them, one store, one account of what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from audit import pipeline
from audit.judges.panel import Panel
from audit.judges.progress import OnEvent, ignore_event
from audit.judges.spending import Limits
from audit.records.run import Settings
from audit.store import Store
from audit.studies.ground import Ground


@dataclass(frozen=True, slots=True)
class Desk:
    """Where grounds for studies are made.

    Parameters
    ----------
    settings
        Of the whole design; its metrics are all that its judges can be asked for.
    make_panel
        Called for each ground: a run closes its judges' connections.
    limits
        What may still be sent and spent, call by call; ``None`` for what the judges' own limits say.
    """

    settings: Settings
    make_panel: Callable[[], Panel]
    store: Store
    on_event: OnEvent = ignore_event
    limits: Limits | None = None

    @property
    def has_judges(self) -> bool:
        """Whether anybody is asked."""
        return bool(self.settings.judges)

    def judged(self, metrics: Sequence[str] = (), *, trials: int | None = None) -> Ground:
        """Return the ground of a study by the judges, on some metrics, or on all."""
        settings = replace(
            self.settings,
            metrics=tuple(metrics) or self.settings.metrics,
            trials=self.settings.trials if trials is None else trials,
        )
        panel = self.make_panel()
        limited = panel if self.limits is None else replace(panel, limits=self.limits, batch=None)
        return Ground(settings, limited, self.store, self.on_event)

    def offline(self) -> Ground:
        """Return the ground of a study by the offline scorer."""
        settings = replace(self.settings, judges=(), metrics=(pipeline.OFFLINE,), trials=1)
        return Ground(settings, Panel(), self.store)
