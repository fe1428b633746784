"""What `/metrics` says: this process's requests and feeds, and how the store stands, also when it is away."""

from typing import Any

import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families

from events.log.figures import Figures, figures
from events.log.keys import SWEPT_KEY, broken_key
from events.log.store import Store
from services.api.metrics import Metrics
from tests.services.api.table import Api

CLOCK = {"turn_seconds": 60, "on_expiry": "forfeit"}


def samples(text: str) -> dict[str, float]:
    """By name and labels, as they are written."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for name, labels, value, *_ in family.samples:
            told = ",".join(f"{label}={labels[label]}" for label in sorted(labels))
            found[f"{name}{{{told}}}" if told else name] = value
    return found


def scraped(api: Api) -> dict[str, float]:
    answer = api.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return samples(answer.text)


def test_requests_are_counted_by_method_route_and_status(api: Api) -> None:
    table = api.game()
    for _ in range(3):
        api.get(table.path)
    table.play(None, "pass")
    api.http.head(table.path)
    found = scraped(api)
    counted = "malice_http_requests_total{method=%s,route=%s,status=%s}"
    assert found[counted % ("POST", "/v1/games", 201)] == 1
    assert found[counted % ("GET", "/v1/games/{game}", 200)] == 3
    assert found[counted % ("HEAD", "/v1/games/{game}", 200)] == 1
    assert found[counted % ("POST", "/v1/games/{game}/moves", 403)] == 1
    assert not any(table.game in name for name in found)


def test_a_caller_cannot_make_labels(api: Api) -> None:
    """Each would be a series more, kept for as long as the process lives."""
    before = len(scraped(api))
    for number in range(20):
        api.http.request(f"FETCH{number}", f"/nowhere/{number}")
        api.get(f"/v1/games/00nothere{number}?q{number}=1")
    after = scraped(api)
    assert after["malice_http_requests_total{method=other,route=none,status=404}"] == 20
    assert after["malice_http_requests_total{method=GET,route=/v1/games/{game},status=404}"] == 20
    assert len(after) - before < 60


def test_requests_are_timed_by_route(api: Api) -> None:
    api.get("/healthz")
    found = scraped(api)
    timed = "malice_http_request_duration_seconds"
    assert found[f"{timed}_count{{route=/healthz}}"] == 1
    assert 0 < found[f"{timed}_sum{{route=/healthz}}"] < 10
    assert found[f"{timed}_bucket{{le=10.0,route=/healthz}}"] == 1
    assert found[f"{timed}_bucket{{le=0.001,route=/healthz}}"] in (0, 1)


def test_the_scrape_itself_is_in_flight_and_nothing_else_is(api: Api) -> None:
    api.game()
    assert scraped(api)["malice_http_requests_in_flight"] == 1


def test_feeds_are_counted_by_whoever_sends_them() -> None:
    metrics = Metrics(lambda: Figures(0, 0, 0, 0, 0, None))
    metrics.watchers.inc()
    metrics.watchers.inc()
    metrics.watchers.dec()
    metrics.sent(3)
    metrics.sent(1)
    metrics.cut()
    found = samples(metrics.text().decode())
    assert found["malice_feed_watchers"] == 1
    assert found["malice_feed_commits_sent_total"] == 4
    assert found["malice_feed_readers_cut_total"] == 1


def test_each_application_has_figures_of_its_own(api: Api) -> None:
    api.get("/healthz")
    assert "malice_http_requests_total{method=GET,route=/healthz,status=200}" not in scraped(Api())


def test_the_store_is_asked_how_it_stands(api: Api) -> None:
    api.game(clock=CLOCK)
    ended = api.game()
    ended.resign(0)
    api.game(seats=[{"name": "Ada"}, {"open": True}])
    api.store.due.note_sweep()
    found = scraped(api)
    assert found["malice_store_up"] == 1
    assert found["malice_games_running"] == 2
    assert found["malice_clocks_running"] == 1
    assert found["malice_games_due{players=people}"] == sum(
        len(api.store.due.of_people(shard)) for shard in api.store.due.shards()
    )
    assert found["malice_games_broken"] == 0
    assert 0 <= found["malice_sweep_age_seconds"] < 60


def test_before_the_first_sweep_nothing_is_said_of_its_age(api: Api) -> None:
    assert "malice_sweep_age_seconds" not in scraped(api)


def test_with_the_store_away_the_scrape_says_so_and_what_the_process_knows(api: Api) -> None:
    api.get("/healthz")
    api.server.connected = False
    found = scraped(api)
    api.server.connected = True
    assert found["malice_store_up"] == 0
    assert found["malice_http_requests_total{method=GET,route=/healthz,status=200}"] == 1
    assert not any(name.startswith("malice_games") for name in found)


@pytest.fixture
def counting(client: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The pipelines that are sent to the store."""
    sent: list[Any] = []
    pipeline = client.pipeline

    def noted(*args: Any, **kwargs: Any) -> Any:
        sent.append(pipeline(*args, **kwargs))
        return sent[-1]

    monkeypatch.setattr(client, "pipeline", noted)
    return sent


def test_figures_are_counts_over_all_shards_in_one_pipeline(
    store: Store, client: redis.Redis, counting: list[Any]
) -> None:
    assert figures(client) == Figures(0, 0, 0, 0, 0, None)
    for shard in (0, 3):
        store.due.note_shard(f"{shard:02x}x")
        client.hset(broken_key(shard), "g", "why")
    client.set(SWEPT_KEY, (int(client.time()[0]) - 90) * 1000)
    counting.clear()
    found = figures(client)
    assert found.broken == 2
    assert found.sweep_age is not None
    assert 89 < found.sweep_age < 100
    assert len(counting) == 1
