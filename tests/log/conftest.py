"""What holds after every test of the log? The store keeps the documented keys and no other, one hash tag a game."""

import re
from collections.abc import Iterator

import pytest

KEYS = re.compile(
    r"malice:(?:secret|shards|sweeping|swept|import:[0-9a-f]{64}|limit:\{LIMITER/[^{}]+\}(?:/-1)?)"
    r"|(\{s[0-9a-f]{2}\}):(due(?::bots)?|broken|idle|clocks(?::terms)?|listed:(?:open|playing|ended)"
    r"|(game|requests|seed|snapshot|match|match-terms):[0-9a-z]+)"
)


@pytest.fixture(autouse=True)
def only_documented_keys(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test after which a key is there that `events.log.keys` does not name, or names on another shard."""
    client = request.getfixturevalue("client") if "client" in request.fixturenames else None
    yield
    for key in client.scan_iter(count=1000) if client is not None else ():
        found = KEYS.fullmatch(key.decode())
        assert found, f"{key!r} is no documented key"
        owner = key.decode().rpartition(":")[2]
        assert found[3] is None or found[1] == "{s" + owner[:2] + "}", f"{key!r} is not on the shard of its game"
