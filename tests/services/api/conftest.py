"""What do the tests of the API share? One application each, and that its store holds none but the documented keys."""

import re
from collections.abc import Iterator

import pytest

from tests.services.api.table import Api

KEYS = re.compile(
    r"malice:(secret|shards|sweeping|swept|import:[0-9a-f]{64}|limit:\{LIMITER/[^{}]+\}(?:/-1)?)"
    r"|\{s[0-9a-f]{2}\}:(due(?::bots)?|broken|arenas(?::listed)?|idle|clocks(?::terms)?|listed:(open|playing|ended)"
    r"|arena:[0-9a-z]+(:[a-z0-9:]+)?"
    r"|(game|requests|seed|snapshot|match|match-terms):[0-9a-z]+)"
)


@pytest.fixture
def api() -> Iterator[Api]:
    """The API as `malice up` runs it: for this machine, without API keys."""
    made = Api()
    yield made
    for key in made.store.client.scan_iter(count=1000):
        assert KEYS.fullmatch(key.decode()), f"{key!r} is no documented key"
    made.store.client.flushall()
