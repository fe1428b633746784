"""What can be counted and timed of this process, and of the store as it stands? What `/metrics` says (Prometheus).

Law kept: no module-level state; each application has a registry of its own. What a label may say is bounded: methods
that HTTP names, templates of routes, statuses.
"""

from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from events.errors import StoreUnavailable
from events.log.figures import Figures

MEDIA: Final = "text/plain; version=0.0.4; charset=utf-8"
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The figures of one application. `figures` asks the store, at each scrape, and raises `StoreUnavailable`."""

    def __init__(self, figures: Callable[[], Figures]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "malice_http_requests",
            "Requests answered, by method, template of the route (none: there is no such route) and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "malice_http_request_duration_seconds",
            "From a request's head to the head of its answer: a feed counts as it begins, a long poll as it ends.",
            ("route",),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.in_flight = Gauge(
            "malice_http_requests_in_flight",
            "Requests being answered now, feeds among them.",
            registry=self._registry,
        )
        self.watchers = Gauge("malice_feed_watchers", "Feeds being sent now.", registry=self._registry)
        self._sent = Counter("malice_feed_commits_sent", "Commits sent in feeds.", registry=self._registry)
        self._cut = Counter(
            "malice_feed_readers_cut", "Readers of feeds cut off because they took nothing.", registry=self._registry
        )
        # The children by their labels: asking the metric for one costs more than counting in it.
        self._counted: dict[tuple[str, str, int], Counter] = {}
        self._timed: dict[str, Histogram] = {}
        ProcessCollector(registry=self._registry)
        self._registry.register(_OfTheStore(figures))

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        key = (method, route, status)
        counter = self._counted.get(key)
        if counter is None:
            name = method if method in _METHODS else "other"
            counter = self._requests.labels(name, route, str(status))
            if name == method:  # else the keys would be whatever somebody sends
                self._counted[key] = counter
        counter.inc()
        timer = self._timed.get(route)
        if timer is None:
            timer = self._timed[route] = self._seconds.labels(route)
        timer.observe(seconds)

    def sent(self, commits: int) -> None:
        """So many commits were sent in a feed."""
        self._sent.inc(commits)

    def cut(self) -> None:
        """A feed's reader was cut off."""
        self._cut.inc()

    def text(self) -> bytes:
        """All of them, in Prometheus's text format."""
        return generate_latest(_Plain(self._registry))


class _OfTheStore(Collector):
    """What the store says of itself. While it is away the process's own figures are told without it."""

    def __init__(self, figures: Callable[[], Figures]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("malice_store_up", "Did the store answer this scrape within a second?")
        try:
            found = self._figures()
        except StoreUnavailable:
            up.add_metric((), 0)
            yield up
            return
        up.add_metric((), 1)
        yield up
        due = GaugeMetricFamily("malice_games_due", "Games that wait for a worker, by who plays.", labels=("players",))
        due.add_metric(("people",), found.due_of_people)
        due.add_metric(("bots",), found.due_of_bots)
        yield due
        yield GaugeMetricFamily(
            "malice_games_broken", "Games and matches set aside because their logs cannot be read.", found.broken
        )
        yield GaugeMetricFamily("malice_games_running", "Games that have not ended, open ones too.", found.running)
        yield GaugeMetricFamily("malice_clocks_running", "Turns with a clock that runs.", found.clocks)
        if found.sweep_age is not None:
            yield GaugeMetricFamily(
                "malice_sweep_age_seconds", "Since somebody last looked after the games.", found.sweep_age
            )


class _Plain(Collector):
    """A registry without the `_created` times: a series more for each counter, which nobody asks for."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        for family in self._registry.collect():
            family.samples = [one for one in family.samples if not one.name.endswith("_created")]
            yield family
