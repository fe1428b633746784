"""How is a commit kept in a stream? In a short form that loses nothing, or as JSON where it has none."""

import random
from typing import Any

import msgspec
import pytest

from events.errors import Unreadable
from events.game.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    GameEnded,
    PayoffsReshuffled,
    PileCompleted,
    SeatForfeited,
    StockShuffled,
    TurnStarted,
)
from events.game.fast.facts import events_of, packed, size_of
from events.game.fast.telling import told
from events.log.commit import Body, BodyOf, canonical, chained
from events.log.keys import stream_key
from events.log.packing import pack, read_body, text_of
from events.log.store import Store
from tests.log.games import begin, move_on
from tests.walks import Walk, drawn_rules, eager

GAME = "00table"
USUAL = (CardDiscarded(1, "7h", 2), TurnStarted(0, 9), CardsDrawn(0, ("As",)))


def body(**changed: Any) -> Body:
    usual: dict[str, Any] = {
        "version": 7,
        "at": "2026-01-31T12:00:00.123Z",
        "by": "bot:1",
        "key": None,
        "events": USUAL,
    }
    return BodyOf(**(usual | changed))


def back(one: Body) -> tuple[Body, bytes]:
    kept = pack(one, canonical(one))
    return read_body(kept, one.version), text_of(kept, one.version)


@pytest.mark.parametrize("number", range(0, 60, 6))
def test_every_commit_of_every_walk_comes_back_as_it_was(number: int) -> None:
    """Section 3: body and canonical JSON, under rules by lot; in a fifth of the bytes."""
    walk = Walk(drawn_rules(number), number, eager, leaving=0.01).to_the_end()
    short = long = 0
    for version, events in enumerate(walk.commits, 1):
        one = body(version=version, events=events, by="system" if version == 1 else "seat:0")
        assert back(one) == (one, canonical(one))
        if version > 1:
            short, long = short + len(pack(one, b"")), long + len(canonical(one))
    assert short < long / 4


@pytest.mark.parametrize(
    "changed",
    [
        {"by": "system"}, {"by": "seat:7"}, {"by": "bot:99"}, {"by": "seat:100"}, {"by": "bot:007"}, {"by": "nobody"},
        {"by": "seat:-1"}, {"key": ""}, {"key": "k"}, {"key": "ö" * 127}, {"key": "k" * 254}, {"key": "k" * 255},
        {"key": '"\\\u0007\n'}, {"at": "2026-01-31T12:00:00Z"}, {"at": "1969-12-31T23:59:59.999Z"},
        {"at": "9999-12-31T23:59:59.999Z"}, {"at": "noon"}, {"at": "2026-01-31T13:00:00.123"},
        {"at": "2026-01-31T13:00:00.123+01:00"}, {"events": ()},
        {"version": 2**40},
    ],
    ids=str,
)  # fmt: skip
def test_whoever_and_whenever_a_body_comes_back_as_it_was(changed: dict[str, Any]) -> None:
    one = body(**changed)
    assert back(one) == (one, canonical(one))


@pytest.mark.parametrize(
    "event",
    [
        CardPlayed(0, "hand", None, 2, "7h", 1, 7, None),
        CardPlayed(0, "hand", 1, None, "7h", 1, 7, None),
        CardPlayed(0, "hand", None, None, "7h", 1, 7, "8h"),
        CardPlayed(0, "side", None, None, "7h", 1, 7, None),
        CardPlayed(0, "side", None, 300, "7h", 1, 7, None),
        CardPlayed(-1, "payoff", 0, None, "**", 1, 7, None),
        CardPlayed(3, "payoff", 1, None, "**", 255, 13, "Kh"),
        TurnStarted(0, 65536),
        TurnStarted(256, 1),
        CardsDrawn(0, ("As",) * 300),
        CardsDrawn(0, ()),
        PileCompleted(0, (), "aside"),
        StockShuffled(("**",) * 433, 433),
        StockShuffled((), 70000),
        PayoffsReshuffled({"1": ("As",), "0": ("2h", "3h")}),
        PayoffsReshuffled({"01": ("As",), "x": ()}),
        PayoffsReshuffled({}),
        GameEnded("won", (0, 2), "payoff", (0, 300, 7), "ab" * 64),
        GameEnded("drawn", (), "exhausted", None, "AB" * 64),
        GameEnded("aborted", (), "abandoned", (), ""),
        GameEnded("won", (1,), "payoff", (70000, 0), "ab" * 64),
        SeatForfeited(1, "timeout"),
    ],
    ids=lambda event: str(event)[:60],
)
def test_what_no_game_has_is_kept_too(event: Any) -> None:
    """Numbers out of every range, fields that do not belong together: the long form holds any event."""
    one = body(events=(TurnStarted(0, 1), event, CardDiscarded(1, "7h", 2)))
    assert back(one) == (one, canonical(one))
    facts = packed(one.events)
    assert f"[{told(facts)}]".encode() == msgspec.json.Encoder(order="sorted").encode(one.events)
    at = sum(len(packed((other,))) for other in one.events[:1])
    assert size_of(facts, at) == len(packed((event,)))


def test_no_damage_is_read_as_something_else() -> None:
    """Each byte of a kept body changed in turn: what can still be read has another hash."""
    one = body(key="k")
    kept = pack(one, canonical(one))
    rng = random.Random(3)
    for at in range(len(kept)):
        forged = kept[:at] + bytes((kept[at] ^ rng.randrange(1, 256),)) + kept[at + 1 :]
        try:
            text = text_of(forged, 7)
        except Unreadable:
            continue
        assert chained("0" * 64, text) != chained("0" * 64, canonical(one))
    whole = {len(kept) - len(packed(one.events)) + len(packed(one.events[:count])) for count in range(4)}
    for end in range(len(kept)):
        if end not in whole:
            with pytest.raises(Unreadable):
                read_body(kept[:end], 7)
    with pytest.raises(ValueError, match="no fact"):
        events_of(b"\xfe\x01\x02")


def test_what_schema_1_wrote_is_read_on(store: Store) -> None:
    """Section 2: a stream of JSON bodies with nonces, as the first schema had it, loads, and goes on in the new."""
    begin(store, GAME)
    move_on(store, GAME, 9)
    game, commits = store.load(GAME), store.read(GAME)
    entries = store.client.xrange(stream_key(GAME))
    store.client.delete(stream_key(GAME))
    for entry_id, fields in entries:
        text = text_of(fields[b"2"], int(entry_id.partition(b"-")[0]))
        store.client.xadd(stream_key(GAME), {"1": text, "h": fields[b"h"], "n": b"nonce"}, id=entry_id)
    store.forget()
    assert store.load(GAME) == game
    assert store.read(GAME) == commits
    move_on(store, GAME, 3)
    store.forget()
    assert store.load(GAME).version == game.version + 3
    assert [set(fields) for _, fields in store.client.xrange(stream_key(GAME))][-4:] == [
        {b"1", b"h", b"n"}, *[{b"2", b"h"}] * 3
    ]  # fmt: skip
