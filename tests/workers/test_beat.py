"""Is the sweep sent once a second, whatever the wall clock does?"""

from datetime import datetime, timedelta

import pytest
from celery import Celery

from workers.beat import SteadyScheduler
from workers.queue import SWEEP, celery_app


class Recorder(SteadyScheduler):
    """Sends nothing: it notes what it would send."""

    def __init__(self, app: Celery) -> None:
        self.sent: list[str] = []
        super().__init__(app=app, lazy=False)

    def apply_entry(self, entry: object, producer: object = None) -> None:
        self.sent.append(getattr(entry, "task", ""))

    def turns(self, clock: "Clock", seconds: int) -> int:
        """Beat for so long, waiting as long as it asks for and a little longer; the sweeps sent meanwhile."""
        before, until = len(self.sent), clock.time + timedelta(seconds=seconds)
        while clock.time < until:
            clock.time += timedelta(seconds=self.tick() + 0.02)
        return len(self.sent) - before


class Clock:
    """The wall clock, to be set."""

    def __init__(self) -> None:
        self.time = datetime.fromisoformat("2026-01-31T12:00:00+00:00")

    def __call__(self) -> datetime:
        return self.time


@pytest.mark.parametrize("jump", [-7 * 86400, -3600, -10, -1, 1, 3600])
def test_a_clock_that_is_set_back_or_forward_stops_no_sweep(jump: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a beat, when the wall clock jumps, then there is a sweep a second, as before."""
    clock, app = Clock(), celery_app("memory://")
    monkeypatch.setattr(app, "now", clock)
    beat = Recorder(app)
    assert 9 <= beat.turns(clock, 10) <= 11
    clock.time += timedelta(seconds=jump)
    assert 8 <= beat.turns(clock, 10) <= 11
    assert set(beat.sent) == {SWEEP}
