"""Where a game lives: ids, keys and their hash tags, and what the keys tell."""

import re

import pytest
from redis.crc import key_slot

from events.errors import UnknownGame
from events.log.append import Request
from events.log.keys import (
    SHARDS_KEY,
    due_key,
    idle_key,
    listed_key,
    new_id,
    requests_key,
    seed_key,
    snapshot_key,
    stream_key,
)
from events.log.store import Store
from events.log.submit import submit
from tests.log.games import begin, move_on, steady

GAME = "00table"
GARBAGE = ["", "0", "00", "zz1", "00Table", "00/..", "00table\n", "00tåble", "00 {x}", "*", "00" + "x" * 63]


@pytest.mark.parametrize("game", GARBAGE)
def test_no_key_is_made_of_text_that_is_no_id(game: str) -> None:
    """A game id is two hex digits and lower-case letters or digits; a hash tag or a wildcard cannot get into a key."""
    for key in (stream_key, requests_key, seed_key, snapshot_key):
        with pytest.raises(UnknownGame):
            key(game)


def test_ids_are_fresh_and_on_the_shards_there_are() -> None:
    """A game's shard is part of its id, so that changing the number of shards strands nobody."""
    ids = [new_id(3) for _ in range(300)]
    assert len(set(ids)) == 300
    assert {name[:2] for name in ids} == {"00", "01", "02"}
    assert all(re.fullmatch(r"[0-9a-z]{22}", name) for name in ids)
    assert {due_key(shard) for shard in (0, 1, 255)} == {"{s00}:due", "{s01}:due", "{sff}:due"}


def test_all_keys_of_a_game_share_one_hash_tag(store: Store) -> None:
    """One append touches one slot of a Redis Cluster."""
    keys = everything(store)
    slots = {key_slot(key) for key in keys}
    assert len(keys) == 7
    assert {key.partition(b"}")[0] for key in keys} == {b"{s00"}
    assert len(slots) == 1


def test_no_key_but_stream_seed_and_snapshot_tells_of_cards(store: Store) -> None:
    """Section 3: nothing derived from a hidden card lies about: the other keys hold versions and what callers sent."""
    keys = everything(store)
    telling = {stream_key(GAME), seed_key(GAME), snapshot_key(GAME)}
    others = keys - {key.encode() for key in telling}
    times = {idle_key(0).encode(), listed_key(0, "playing").encode()}
    assert others == {requests_key(GAME).encode(), due_key(0).encode()} | times
    for key in others - times:
        kept = store.client.hgetall(key)
        assert not re.search(rb"[A23456789TJQK][cdhs]|\*\*", b" ".join([*kept, *kept.values()]))
    assert store.client.hgetall(due_key(0)) == {GAME.encode(): b"3"}
    assert store.client.hgetall(requests_key(GAME)) == {f"{last_actor(store)} key-1".encode(): b"3 digest"}


def everything(store: Store) -> set[bytes]:
    """A game with every kind of key; the keys."""
    begin(store, GAME)
    move_on(store, GAME)
    command = steady(store.load(GAME).game)
    actor = f"seat:{command.seat}"
    submit(store, GAME, command, by=actor, request=Request(actor, "key-1", "digest"))
    store.save_snapshot(GAME, store.load(GAME))
    keys = set(store.client.keys("*"))
    assert SHARDS_KEY.encode() in keys, "of the whole deployment: on which shards anything is"
    assert store.client.smembers(SHARDS_KEY) == {b"00"}
    return keys - {SHARDS_KEY.encode()}


def last_actor(store: Store) -> str:
    return store.read(GAME)[-1].by


def test_the_secret_of_the_deployment_is_made_once(store: Store) -> None:
    """Section 5: tokens are derived from a server secret: 32 random bytes, the same for every process."""
    first = store.secret()
    assert re.fullmatch(rb"[0-9a-f]{64}", first)
    assert Store(store.client, shards=4, now=store.now).secret() == first
