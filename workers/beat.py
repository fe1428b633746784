"""When is the next sweep sent? Once a second, and a clock that is set back stops none.

Celery plans the next message for an hour of the wall clock: where that goes back by an hour (a machine's clock is
corrected, a virtual one wakes elsewhere), it would send nothing until the hour has come again.
"""

from typing import Any, Final

from celery.beat import Scheduler

from workers.queue import SWEEP_SECONDS

SET_BACK_SECONDS: Final = 2 * SWEEP_SECONDS
"""Planned so far ahead, or further, is planned by a clock that has gone back since."""


class SteadyScheduler(Scheduler):
    """Celery's scheduler, for schedules that are all as short as the sweep's."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; the seconds to wait until it is asked again."""
        entries = list((self.schedule or {}).values())
        now = {entry.name: entry.default_now() for entry in entries}
        if any((entry.last_run_at - now[entry.name]).total_seconds() > SET_BACK_SECONDS for entry in entries):
            for entry in entries:
                entry.last_run_at = now[entry.name]
            self._heap = None
        return super().tick(*args, **kwargs)
