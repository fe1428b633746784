"""What does a store hold? Everything, as values to compare: after a refusal it must be what it was before."""

from typing import Any, TypeAlias

import redis

Contents: TypeAlias = dict[bytes, tuple[Any, int]]


def contents(client: redis.Redis) -> Contents:
    """Every key, with its value and how long it lasts. Of a stream the last id that it ever had counts too."""
    return {key: (_value(client, key), client.pttl(key)) for key in client.scan_iter(count=1000)}


def _value(client: Any, key: bytes) -> Any:
    match client.type(key):
        case b"string":
            return client.get(key)
        case b"hash":
            return client.hgetall(key)
        case b"set":
            return client.smembers(key)
        case b"zset":
            return client.zrange(key, 0, -1, withscores=True)
        case b"list":
            return client.lrange(key, 0, -1)
        case b"stream":
            return client.xrange(key), client.xinfo_stream(key)["last-generated-id"]
        case other:
            raise AssertionError(f"{key!r} is a {other!r}")
