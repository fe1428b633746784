"""R3, contract 2 and 5: whoever may not know a card cannot tell by any byte of any answer where it lies.

Two services play games that differ only in what the watcher may not know, and every answer to the watcher is the same.
"""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import replace

from events.game.legality import view
from events.game.rules import Rules
from events.game.shuffle import deal_seed
from events.game.views import Viewer
from tests.services.api.table import ADMIN
from tests.services.secrecy.dealing import two_deals
from tests.services.secrecy.looking import (
    LINES,
    STREAM,
    WELL,
    ask_nothing_of_a_game,
    glance,
    look_around,
    look_at_match,
    read,
)
from tests.services.secrecy.playing import begin_pair, moment, play_on
from tests.services.secrecy.twins import Pair, Twins, some_seed
from tests.spec import ALL_PRESETS, rules_of
from tests.walks import FULL, drawn_rules

CLOCK = {"turn_seconds": 600, "on_expiry": "auto"}
FOUR = rules_of("gatto-e-topo", seats=4, teams=True, payoff=12)


def tables() -> list[tuple[str, Rules]]:
    some = [(preset, rules_of(preset)) for preset in ALL_PRESETS]
    some += [("four with partners", FOUR)]
    some += [(f"rules {number}", drawn_rules(number)) for number in range(20 if FULL else 0)]
    return some


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("name", "rules"), [pytest.param(*pair, id=pair[0]) for pair in tables()])
def test_no_byte_of_a_running_game_hangs_on_a_hidden_card(name: str, rules: Rules) -> None:
    """A seat and a spectator, at random moments of random games, with and without a clock, and for some moves on."""
    rng = random.Random(name)
    twins = Twins()
    played = 0
    for number in range(6 if FULL else 1):
        game = moment(rules, number, rng.randint(0, 60))
        for watcher in (rng.randrange(rules.seats), None):
            for lasting in (False, True):
                pair = begin_pair(twins, game, watcher, rng, lasting=lasting, clock=CLOCK if lasting else None)
                if pair is not None:
                    played += play_on(pair, watcher, rng, 30 if FULL else 8)
                    look_around(pair, watcher, rng)
    assert twins.asked > 150
    assert played or name.startswith("rules")


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_no_byte_of_a_dealt_game_hangs_on_a_card_that_the_deal_hides(preset: str) -> None:
    """Two deals that show the watcher the same: the payoff tops, and a seat its hand (of one card: see dealing)."""
    rng = random.Random(preset)
    twins = Twins()
    for watcher, rules in ((None, rules_of(preset)), (1, replace(rules_of(preset), hand=1))):
        deals = two_deals(rules, watcher, lambda number: deal_seed(preset, number))
        seeds = tuple(deal_seed(preset, number) for number in deals)
        pair = twins.begin(None, rules, (seeds[0], seeds[1]))
        look_around(pair, watcher, rng)
        play_on(pair, watcher, rng, 40)


@pytest.mark.parametrize("watcher", [None, 0])
def test_no_byte_of_a_game_with_an_open_seat_hangs_on_the_deal_to_come(watcher: Viewer) -> None:
    """The seed is there already; the last to sit down is dealt in, and the answer to the sitting tells no card."""
    rng = random.Random("open")
    twins = Twins()
    rules = replace(rules_of("gatto-e-topo"), hand=1)
    first, second = two_deals(rules, watcher, lambda number: deal_seed("open", number))
    seats = [{"name": "Ada"}, {"open": True}]
    pair = twins.begin(None, rules, (deal_seed("open", first), deal_seed("open", second)), seats=seats)
    look_around(pair, watcher, rng)
    answers = pair.both(None, "POST", f"{WELL}/seats", {"name": "Ben"})
    for number, answer in enumerate(answers):
        pair.seated(number, 1, answer.json()["token"])
    here, there = (world.plain(answer) for world, answer in zip(twins.worlds, answers, strict=True))
    assert here == there
    look_around(pair, watcher, rng)
    play_on(pair, watcher, rng, 20)


def forked(pair: Pair, version: int, rng: random.Random) -> Pair:
    """The admin forks both games at this version, with the same seed."""
    seed = some_seed(rng)
    seats = [{"name": f"heir {seat}"} for seat in range(len(pair.games()[0].players))]
    body = {"at": version, "seats": seats, "seed": seed.hex()}
    paths = tuple(f"/v1/games/{name}/fork" for name in pair.names)
    return pair.twins.made((paths[0], paths[1]), [body, body], (seed, seed))


def played_again(pair: Pair) -> Pair:
    """The rematches of both games, each under a seed that its world draws."""
    paths = tuple(f"/v1/games/{name}/rematch" for name in pair.names)
    again = pair.twins.made((paths[0], paths[1]), [None, None], (b"", b""))
    for world, name in zip(pair.twins.worlds, again.names, strict=True):
        world.learn(world.api.get(f"/v1/games/{name}").json()["commitment"], "commitment")
    return again


@pytest.mark.parametrize("watcher", [None, 0])
def test_no_byte_of_a_fork_of_a_running_game_hangs_on_what_its_origin_hides(watcher: Viewer) -> None:
    """Contract 5: while it is played, and when it has ended before its origin; a fork of the fork too."""
    rng = random.Random(f"fork {watcher}")
    twins = Twins()
    game = moment(rules_of("gato-e-rato"), 3, 20)
    origin = begin_pair(twins, game, watcher, rng, lasting=True)
    assert origin is not None
    play_on(origin, watcher, rng, 3)
    fork = forked(origin, origin.version, rng)
    look_around(fork, watcher, rng)
    play_on(fork, watcher, rng, 3)
    again = forked(fork, fork.version, rng)
    for ended in (again, fork):
        assert {answer.status_code for answer in ended.both(1, "POST", f"{WELL}/resign")} == {200}
        assert ended.games()[0].result is not None
        look_around(ended, watcher, rng)
        for query in ("?as=0", "?as=1", "?as=all", "?at=1&as=all"):
            for path in (WELL, f"{WELL}/events"):
                assert ended.ask(watcher, "GET", path + query).status_code in (400, 403)
        assert ended.ask(watcher, "GET", f"{WELL}/log").status_code == 403
        rematch = played_again(ended)
        read(rematch, None, glance(rematch, None), 1)
    look_around(origin, watcher, rng)


def test_no_byte_of_a_fork_that_goes_on_hangs_on_a_hidden_card() -> None:
    """Its origin has ended and is open to all, yet the fork itself shows no more than any game."""
    rng = random.Random("fork of an ended game")
    twins = Twins()
    pair = begin_pair(twins, moment(rules_of("spite-and-malice"), 2, 30), None, rng, lasting=True)
    assert pair is not None
    last = pair.version
    pair.both(0, "POST", f"{WELL}/resign")
    fork = forked(pair, last, rng)
    look_around(fork, None, rng)
    play_on(fork, None, rng, 12)


@pytest.mark.parametrize("watcher", [None, 0, 3])
def test_no_byte_hangs_on_what_somebody_leaves_behind(watcher: Viewer) -> None:
    """R24: a seat of four resigns, its own cards stay hidden from all others."""
    rng = random.Random(f"leaving {watcher}")
    twins = Twins()
    pair = begin_pair(twins, moment(FOUR, 1, 25), watcher, rng, lasting=True)
    assert pair is not None
    leaver = next(seat for seat in (2, 1) if seat != watcher)
    assert {answer.status_code for answer in pair.both(leaver, "POST", f"{WELL}/resign")} == {200}
    look_around(pair, watcher, rng)


def test_no_byte_of_a_match_hangs_on_what_its_game_hides() -> None:
    """Its own routes, its log and its verification are open while it goes on."""
    rng = random.Random("match")
    twins = Twins(secret="one for both, so that the match has one id, and its hashes are to be the same")
    rules = rules_of("spite-and-malice")
    deals = two_deals(rules, None, lambda number: deal_seed(f"match {number}", 0))
    seats = [{"name": "Ada"}, {"name": "Ben"}]
    bodies: list[Any] = [{"rules": "spite-and-malice", "seats": seats, "seed": f"match {number}"} for number in deals]
    seeds = tuple(deal_seed(f"match {number}", 0) for number in deals)
    match = twins.made("/v1/matches", bodies, (seeds[0], seeds[1]))
    games = [world.api.store.matches.terms(name).game(0) for world, name in zip(twins.worlds, match.names, strict=True)]
    game = match.game_of_it((games[0], games[1]))
    look_at_match(match)
    look_around(game, None, rng)
    play_on(game, None, rng, 20)
    look_at_match(match)
    look_around(game, None, rng)


def test_no_byte_of_what_stands_beside_the_games_hangs_on_them() -> None:
    """Rules, bots, health, documentation, and routes that are not there."""
    rng = random.Random("beside")
    twins = Twins()
    pair = begin_pair(twins, moment(rules_of("gato-e-rato"), 1, 12), None, rng, lasting=False)
    assert pair is not None
    statuses = [answer.status_code for answer in ask_nothing_of_a_game(pair)]
    assert statuses.count(200) == 7
    for world, name in zip(twins.worlds, pair.names, strict=True):
        assert world.api.get(f"/v1/games/{name}/log", ADMIN).status_code == 200, (
            "the admin key reads what nobody else may"
        )


def test_no_byte_tells_a_spectator_what_has_happened_since() -> None:
    """Where spectators are told late, other moves, and more of them, are as good as none."""
    rng = random.Random("late")
    twins = Twins(delay=10**6)
    game = moment(rules_of("gatto-e-topo"), 5, 20)
    pair = begin_pair(twins, game, None, rng, lasting=False, clock=CLOCK)
    assert pair is not None
    look_around(pair, None, rng)
    for world, name, tokens, moves in zip(twins.worlds, pair.names, pair.tokens, (3, 8), strict=True):
        for _ in range(moves):
            table = world.api.store.load(name).game
            assert table.turn is not None
            seat = table.turn.seat
            legal = view(table, seat, name=None, version=0).legal
            headers = {"Authorization": f"Bearer {tokens[seat]}"}
            path = f"/v1/games/{name}/moves"
            assert world.api.post(path, {"move": rng.choice(legal)}, headers).status_code == 200
    look_around(pair, None, rng)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("watcher", [None, 1])
def test_no_byte_that_is_told_while_it_happens_hangs_on_a_hidden_card(watcher: Viewer) -> None:
    """A stream that is open while moves are made, and a long poll that waits for the first of them."""

    def begun(number: int) -> tuple[Pair, int]:
        rng = random.Random(f"streaming {watcher} {number}")
        pair = begin_pair(Twins(), moment(rules_of("gato-e-rato"), number, 30), watcher, rng, lasting=True)
        assert pair is not None
        return pair, rng.randrange(10**6)

    streamed = 0
    for number in range(20 if FULL else 2):
        rehearsal, luck = begun(number)
        play_on(rehearsal, watcher, random.Random(luck), 8)
        last = rehearsal.version
        pair, luck = begun(number)
        asked = {f"{WELL}/events?limit={last}&wait=20": STREAM, f"{WELL}/events?after=1&limit=1&wait=30": LINES}
        with ThreadPoolExecutor(4) as watching:
            told = {
                path: [watching.submit(pair.one, world, watcher, "GET", path, headers=form) for world in (0, 1)]
                for path, form in asked.items()
                if last > 1
            }
            play_on(pair, watcher, random.Random(luck), 8)
        for path, (here, there) in told.items():
            streamed += pair.same(path, (here.result(), there.result())).text.count("commit")
    assert streamed > 4
