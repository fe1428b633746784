"""Where a match is kept: its stream and its terms, on each kind of store."""

import json
from typing import Any

import msgspec
import pytest
from redis.crc import key_slot

from events.errors import Conflict, UnknownMatch, Unreadable
from events.game.match import GameScored, MatchEnded, MatchEvents, start
from events.game.shuffle import deal_seed
from events.log.commit import BodyOf, seal
from events.log.keys import match_key, match_terms_key, stream_key
from events.log.match_record import export_match
from events.log.matches import LoadedMatch, Terms
from events.log.store import Store
from tests.log.games import chained, ticking
from tests.log.match_books import ADA, BEN, MATCH, SHORT_MATCH, match_file

STARTED = start(MATCH, 15, (ADA, BEN))
SCORED: MatchEvents = (GameScored("00game0", "won", (0,), (15, 0), (15, 0)), MatchEnded(0, (15, 0)))


def terms(**changes: Any) -> Terms:
    agreed = Terms(match=MATCH, rules=SHORT_MATCH, seats=(ADA, BEN), seed="spring", secret="5b" * 32, digest="d")
    return msgspec.structs.replace(agreed, **changes)


def begun(store: Store) -> LoadedMatch:
    return store.matches.append(None, MATCH, STARTED, at=store.now())


def test_a_matchs_stream_has_the_form_and_the_chain_of_a_games(store: Store) -> None:
    """Section 5: a stream of its own; section 2: versions are its ids; section 3: hashes chain its commits."""
    store.matches.append(begun(store), MATCH, SCORED, at=store.now())
    entries = store.client.xrange(match_key(MATCH))
    assert [entry_id for entry_id, _ in entries] == [b"1-0", b"2-0"]
    now = ticking()
    bodies = [
        {
            "version": version,
            "at": now(),
            "by": "system",
            "key": None,
            "events": json.loads(msgspec.json.encode(events)),
        }
        for version, events in enumerate((STARTED, SCORED), start=1)
    ]
    assert export_match(store, MATCH) == match_file(True, chained(bodies))


def test_a_match_is_loaded_as_its_events_left_it(store: Store) -> None:
    """Folding its log gives what appending it gave, step by step."""
    first = begun(store)
    assert store.matches.load(MATCH) == first
    second = store.matches.append(first, MATCH, SCORED, at=store.now())
    assert store.matches.load(MATCH) == second
    assert (second.version, second.match.winner, second.match.totals) == (2, 0, (15, 0))
    assert [commit.events for commit in store.matches.read(MATCH)] == [STARTED, SCORED]


def test_of_two_who_append_to_the_same_version_one_wins(store: Store) -> None:
    """Nothing is scored twice."""
    first = begun(store)
    with pytest.raises(Conflict):
        begun(store)
    store.matches.append(first, MATCH, SCORED, at=store.now())
    with pytest.raises(Conflict):
        store.matches.append(first, MATCH, SCORED, at=store.now())
    assert store.matches.load(MATCH).version == 2


def test_an_append_to_a_log_that_has_come_as_far_with_other_commits_is_refused(store: Store) -> None:
    """The hash before is compared too: a log that lost its end in a crash may have grown again."""
    first = begun(store)
    store.client.delete(match_key(MATCH))
    store.matches.append(None, MATCH, start(MATCH, 16, (ADA, BEN)), at=store.now())
    with pytest.raises(Conflict):
        store.matches.append(first, MATCH, SCORED, at=store.now())


def test_terms_that_stand_are_not_replaced(store: Store) -> None:
    """Whoever creates the match twice plays the same deals under the same ids."""
    assert store.matches.agree(terms()) == terms()
    assert store.matches.agree(terms(seed="autumn", secret="00" * 32)) == terms()
    assert store.matches.terms(MATCH) == terms()


def test_game_ids_are_derived_and_lie_on_the_shard_of_the_match() -> None:
    """Section 5: HMAC of the match's secret and the number; one crash takes the ends of all its logs or of none."""
    agreed = terms(match="03match")
    ids = [agreed.game(number) for number in range(200)]
    assert len(set(ids)) == 200
    assert ids == [terms(match="03match").game(number) for number in range(200)]
    assert {key_slot(stream_key(game).encode()) for game in ids} == {key_slot(match_key("03match").encode())}
    assert agreed.game(0) != terms(match="03match", secret="5c" * 32).game(0)


def test_the_nth_deal_comes_from_the_seed_and_its_number() -> None:
    """Section 4: HMAC-SHA512(that text, "game:<n>"); R4: each game is a new deal with its own starter."""
    assert [terms().deal(number) for number in (0, 1)] == [deal_seed("spring", 0), deal_seed("spring", 1)]
    assert terms().deal(0) != terms().deal(1)


@pytest.mark.parametrize("match", ["00nothere", "", "../x", "00Table", "00 {x}", "*"])
def test_a_match_that_is_not_there_is_unknown(store: Store, match: str) -> None:
    """Text that can be no id makes no key."""
    for ask in (store.matches.terms, store.matches.read, store.matches.load):
        with pytest.raises(UnknownMatch):
            ask(match)


def test_a_damaged_log_names_its_version(store: Store) -> None:
    """What is no commit, and what does not follow, is refused where it stands."""
    begun(store)
    store.client.xadd(match_key(MATCH), {"1": b"{}", "h": bytes(32), "n": b""}, id="2-0")
    with pytest.raises(Unreadable) as refused:
        store.matches.load(MATCH)
    assert refused.value.version == 2


def test_events_that_do_not_go_with_the_match_are_neither_appended_nor_read(store: Store) -> None:
    """A match starts once: the second start is a fault, whoever has written it."""
    first = begun(store)
    with pytest.raises(ValueError, match="once"):
        store.matches.append(first, MATCH, STARTED, at=store.now())
    assert store.matches.load(MATCH) == first
    commit, packed = seal(first.hash, BodyOf(version=2, at=store.now(), by="system", key=None, events=STARTED))
    store.client.xadd(match_key(MATCH), {"1": packed, "h": bytes.fromhex(commit.hash), "n": b""}, id="2-0")
    with pytest.raises(Unreadable) as refused:
        store.matches.load(MATCH)
    assert refused.value.version == 2


def test_no_secret_of_a_match_stands_in_its_log(store: Store) -> None:
    """Section 5: it is open while the match goes on."""
    store.matches.agree(terms())
    begun(store)
    file = export_match(store, MATCH)
    assert b"spring" not in file
    assert terms().secret.encode() not in file
    assert terms().game(0).encode() not in file
    assert set(store.client.keys("*")) == {match_key(MATCH).encode(), match_terms_key(MATCH).encode()}
