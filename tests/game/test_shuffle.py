"""Contract, section 4: the shuffle anybody can check, against a plain second implementation and against vectors."""

import hashlib
import hmac
import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from events.errors import Malformed
from events.game.cards import ALL_CARDS, RANK, in_order, pack
from events.game.decide import Create, decide
from events.game.events import CardsDealt, PayoffsReshuffled, SeatInfo, StockShuffled
from events.game.evolve import fold
from events.game.shuffle import (
    SeededDice,
    _below,
    _words,
    bot_seed,
    check_entropy,
    commitment,
    deal_seed,
    game_key,
    permuted,
    shuffled,
)
from tests.game.plain_shuffle import plain_card_shuffle, plain_key, plain_order, plain_words
from tests.spec import SEED, create, deal, given, position, rules_of
from tests.walks import Walk, eager

VECTORS: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parent.parent / "cases" / "shuffle-vectors.json").read_text(encoding="utf-8")
)


def key_of(vector: dict[str, Any]) -> bytes:
    return game_key(bytes.fromhex(vector["seed"]), vector["entropies"])


@pytest.mark.parametrize("vector", VECTORS["shuffles"], ids=lambda vector: vector["about"])
def test_a_shuffle_gives_the_cards_of_its_vector(vector: dict[str, Any]) -> None:
    """Contract section 4: key, first and last cards, and the SHA-256 of all of them, joined by spaces."""
    key = key_of(vector)
    assert key.hex() == vector["key"]
    pile = shuffled(key, vector["number"], pack(vector["decks"], vector["jokers"]))
    assert list(pile[:5]) == vector["first"]
    assert list(pile[-5:]) == vector["last"]
    assert hashlib.sha256(" ".join(pile).encode()).hexdigest() == vector["sha256"]


@pytest.mark.parametrize("vector", VECTORS["shuffles"], ids=lambda vector: vector["about"])
def test_the_plain_implementation_gives_the_same_vectors(vector: dict[str, Any]) -> None:
    """Contract section 4: else the vectors would pin the code to itself."""
    key = plain_key(bytes.fromhex(vector["seed"]), vector["entropies"])
    pile = plain_card_shuffle(key, vector["number"], pack(vector["decks"], vector["jokers"]))
    assert hashlib.sha256(" ".join(pile).encode()).hexdigest() == vector["sha256"]


def test_the_literal_vector() -> None:
    """Contract section 4: seed 00…3f, entropies "" and "ciao", shuffle 0 of two packs; here in plain sight."""
    pile = shuffled(game_key(SEED, ["", "ciao"]), 0, pack(2, 0))
    assert " ".join(pile[:5]) == "7d Js Ac Qc 2d"
    assert " ".join(pile[-5:]) == "As 5d 3s 3c Tc"
    assert commitment(SEED) == "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"


def test_the_other_seeds_have_their_vectors() -> None:
    """Contract section 4: commitment, a deal's seed of an arena or match, a bot's seed, a starter by lot."""
    for vector in VECTORS["commitments"]:
        assert commitment(bytes.fromhex(vector["seed"])) == vector["commitment"]
    for vector in VECTORS["deal_seeds"]:
        assert deal_seed(vector["text"], vector["deal"]).hex() == vector["seed"]
        assert (
            hmac.new(vector["text"].encode(), f"game:{vector['deal']}".encode(), hashlib.sha512).hexdigest()
            == vector["seed"]
        )
    for vector in VECTORS["bot_seeds"]:
        assert bot_seed(key_of(vector), vector["seat"], vector["version"]).hex() == vector["rng"]
    for vector in VECTORS["starters"]:
        assert permuted(key_of(vector), 1, range(vector["seats"])) == vector["order"]
        assert (
            SeededDice(bytes.fromhex(vector["seed"])).lot(vector["entropies"], 1, range(vector["seats"]))
            == vector["order"][-1]
        )


def test_both_implementations_agree_on_many_inputs() -> None:
    """Contract section 4: any seed, entropies, number and part of a pack, in any order."""
    rng = random.Random("shuffle")
    for _ in range(200):
        seed = rng.randbytes(64)
        entropies = [rng.choice(["", "ciao", "così", "日本", "x" * 128]) for _ in range(rng.randint(2, 8))]
        key = game_key(seed, entropies)
        assert key == plain_key(seed, entropies)
        some = rng.choices(ALL_CARDS, k=rng.randint(0, 60))
        number = rng.choice([0, 1, 2, 9, 10, 123, 10_000])
        assert list(shuffled(key, number, some)) == plain_card_shuffle(key, number, some)


def test_a_big_pack_needs_many_blocks_of_the_stream() -> None:
    """Contract section 4: eight packs and sixteen jokers, 432 cards, 27 blocks."""
    key = game_key(SEED, [""] * 8)
    pile = shuffled(key, 3, pack(8, 16))
    assert list(pile) == plain_card_shuffle(key, 3, pack(8, 16))
    assert Counter(pile) == Counter(pack(8, 16))


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_and_one_card_are_shuffled_already(count: int) -> None:
    """Contract section 4."""
    assert shuffled(game_key(SEED, []), 0, pack(1, 0)[:count]) == tuple(pack(1, 0)[:count])


def test_the_order_in_which_the_cards_come_makes_no_difference() -> None:
    """Contract section 4: they are sorted first, by rank, suit c d h s, jokers last."""
    cards = pack(2, 2)
    key = game_key(SEED, ["", ""])
    for number in range(20):
        other = random.Random(number).sample(cards, len(cards))
        assert shuffled(key, 0, cards) == shuffled(key, 0, other)
        assert in_order(other) == cards == sorted(other, key=plain_order)
    assert all(RANK[low] <= RANK[high] for low, high in pairwise(cards))


def test_entropy_and_number_and_seed_each_change_the_shuffle() -> None:
    """Contract section 4: and a seat's entropy is not its neighbour's."""
    piles = {
        shuffled(game_key(seed, entropies), number, pack(2, 0))
        for seed in (SEED, bytes(64))
        for entropies in (["", ""], ["a", ""], ["", "a"])
        for number in (0, 1, 10)
    }
    assert len(piles) == 18


@pytest.mark.parametrize("limit", [3, 5, 6, 7, 10, 104, 2**31 + 1])
def test_a_word_that_would_favour_some_numbers_is_thrown_away(limit: int) -> None:
    """Contract section 4: words at or above floor(2^32 / m) · m are not used."""
    fair = 2**32 // limit * limit
    assert _below(limit, iter([fair, 2**32 - 1, 4])) == 4 % limit
    assert _below(limit, iter([fair - 1, 4])) == limit - 1
    assert _below(limit, iter([fair, fair - 1])) == limit - 1


def test_a_limit_that_divides_two_to_the_32_throws_nothing_away() -> None:
    """Contract section 4."""
    assert _below(4, iter([2**32 - 1])) == 3
    assert _below(1, iter([2**32 - 1])) == 0


def test_the_words_are_big_endian_and_go_on_in_the_next_block() -> None:
    """Contract section 4: 16 words a block of 64 bytes."""
    key = game_key(SEED, ["", ""])
    words = _words(key, 7)
    assert [next(words) for _ in range(40)] == plain_words(key, 7, 40)
    block = hmac.digest(key, b"shuffle:7:1", "sha512")
    assert plain_words(key, 7, 17)[16] == int.from_bytes(block[:4], "big")


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_order_is_as_likely_as_any_other(size: int) -> None:
    """Contract section 4: 2,400 shuffles of few things; chi-square far below a wide bound. Same numbers every time."""
    orders = {2: 2, 3: 6, 4: 24}[size]
    key = game_key(SEED, ["uniform"])
    found = Counter(tuple(permuted(key, number, range(size))) for number in range(2400))
    assert len(found) == orders
    expected = 2400 / orders
    chi_square = sum((count - expected) ** 2 / expected for count in found.values())
    assert chi_square < orders - 1 + 5 * (2 * (orders - 1)) ** 0.5


def test_the_deal_is_taken_from_the_top_seat_by_seat() -> None:
    """R2, contract section 4: the payoffs, each card laid on the pile, then the hands; the rest is the stock."""
    rules = rules_of("gatto-e-topo", seats=3)
    names = ("", "ciao", "")
    seats = tuple(SeatInfo(f"seat {seat}", "human", None, entropy) for seat, entropy in enumerate(names))
    events = decide(Create(game="g", rules=rules, seats=seats), None, SEED)
    pile = plain_card_shuffle(plain_key(SEED, names), 0, pack(3, 0))[::-1]
    dealt = events[1]
    assert isinstance(dealt, CardsDealt)
    assert dealt.payoffs == tuple(tuple(pile[20 * seat : 20 * seat + 20]) for seat in range(3))
    assert dealt.hands == tuple(tuple(pile[60 + 5 * seat : 65 + 5 * seat]) for seat in range(3))
    assert dealt.stock == tuple(pile[75:][::-1])


def test_a_tie_reshuffles_each_tied_payoff_in_seat_order_one_number_each() -> None:
    """R4, contract section 4: shuffles 1 and 2, then 3 and 4, …; the next one after them goes on counting."""
    tied = 0
    for number in range(120):
        seed = number.to_bytes(64, "big")
        events = decide(create(deal("gato-e-rato", seed=seed)), None, seed)
        expected = 1
        for event in events:
            if isinstance(event, PayoffsReshuffled):
                for payoff in event.payoffs.values():
                    assert list(payoff) == plain_card_shuffle(plain_key(seed, ["", ""]), expected, payoff)
                    expected += 1
                tied += 1
        assert fold(events).shuffles == expected
    assert tied


@pytest.mark.parametrize("starter", ["highest", "random"])
def test_in_a_game_from_a_position_the_first_shuffle_is_number_1(starter: str) -> None:
    """Contract section 4: there was no deal, and nobody drew lots."""
    table = given(position("gato-e-rato", starter=starter, hands=["Qh 9h"], piles=["A-J"], stock=5)).when(0, "Qh>c0")
    event = table.commits[-1][2]
    assert isinstance(event, StockShuffled)
    assert list(event.stock) == plain_card_shuffle(plain_key(SEED, ["", ""]), 1, event.stock)


@pytest.mark.parametrize("starter", ["first", "random", "highest"])
def test_the_shuffles_of_a_whole_game_are_numbered_in_order(starter: str) -> None:
    """Contract section 4: after the deal, its ties, and a starter by lot, which takes number 1."""
    walk = Walk(rules_of("gatto-e-topo", starter=starter, payoff=10), 4, eager).to_the_end()
    key = plain_key(walk.seed, ["", ""])
    expected = 2 if starter == "random" else 1
    stocks = 0
    for event in (event for events in walk.commits for event in events):
        if isinstance(event, PayoffsReshuffled):
            expected += len(event.payoffs)
        elif isinstance(event, StockShuffled):
            assert list(event.stock) == plain_card_shuffle(key, expected, event.stock)
            expected += 1
            stocks += 1
    assert stocks >= 2


@pytest.mark.parametrize("text", ["x" * 129, "a\nb", "a\0", "\x7f", "\u0085"])
def test_entropy_has_no_control_character_and_at_most_128_characters(text: str) -> None:
    """Contract section 4: a line end would make two seats' entropies one."""
    with pytest.raises(Malformed):
        check_entropy(text)
    check_entropy("x" * 128)
