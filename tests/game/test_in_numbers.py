"""What is the table in numbers held to, beside the walks (`test_walks`) and the perft tables (`test_perft`)?"""

import random
from itertools import count

import pytest

from events.game.cards import Cards
from events.game.commands import Create
from events.game.decide import decide_by
from events.game.events import SeatInfo
from events.game.fast.bridge import game_of, table_of
from events.game.fast.codes import CARDS, CODES, MOVE_CODES, MOVE_TEXTS
from events.game.fast.dealing import deal
from events.game.fast.dice import Dice, SeededDice, shuffled
from events.game.fast.facts import events_of, packed
from events.game.fast.sight import Knobs
from events.game.fast.table import Table
from events.game.moves import MOVES
from events.game.shuffle import SeededDice as RulebookDice
from events.game.shuffle import bot_seed, game_key
from tests.game.in_numbers import InNumbers
from tests.spec import given, position
from tests.walks import Walk, drawn_rules, eager


def test_numbers_and_texts_of_cards_and_moves_stand_for_each_other() -> None:
    """Section 1; the numbers sort as every shuffle begins (section 4)."""
    assert [CODES[card] for card in CARDS] == list(range(53))
    assert CARDS[:5] == ("Ac", "Ad", "Ah", "As", "2c")
    assert CARDS[48:] == ("Kc", "Kd", "Kh", "Ks", "**")
    assert MOVE_CODES.keys() == MOVES.keys()
    assert len(MOVE_TEXTS) == len(MOVES), "no two moves have one number"


def test_a_deal_in_numbers_is_the_deal() -> None:
    """R1 to R5, ties, jokers and starters by lot among them; section 4's numbering of the shuffles goes on alike."""
    ties = lots = 0
    for number in range(120):
        rules, seed = drawn_rules(number), random.Random(number).randbytes(64)
        seats = tuple(SeatInfo(f"b{seat}", "bot", "greedy", "x" * (seat % 2)) for seat in range(rules.seats))
        draft = decide_by(Create(game="g", rules=rules, seats=seats), None, RulebookDice(seed))
        table = Table(Knobs(rules), SeededDice(seed, [seat.entropy for seat in seats]))
        assert deal(table) == packed(draft.events[1:])
        assert game_of(table, draft.game) == draft.game
        assert table.shuffles == table_of(draft.game, Dice()).shuffles
        ties += len(draft.events) > 3
        lots += rules.starter == "random"
    assert ties
    assert lots


def test_the_dice_in_numbers_are_those_of_the_contract() -> None:
    """Section 4: the same shuffles of any size, and the same dice for bots."""
    rng = random.Random(4)
    for number in range(60):
        seed, entropies = rng.randbytes(64), ["", "dados"]
        cards = [rng.randrange(53) for _ in range(rng.choice([1, 2, 17, 104, 432]))]
        texts: Cards = tuple(CARDS[card] for card in cards)
        numbers, rulebook = SeededDice(seed, entropies), RulebookDice(seed)
        assert [CARDS[card] for card in numbers.shuffle(number, cards)] == list(
            rulebook.shuffle(entropies, number, texts)
        )
        assert numbers.bot_seed(1, number) == bot_seed(game_key(seed, entropies), 1, number)
        assert numbers.reveal().hex() == rulebook.reveal()


def test_words_that_would_make_some_numbers_likelier_are_left_out() -> None:
    """Section 4: each word is tried on the limit that it is wanted for. (By chance one in eight million is.)"""

    def forged(block: int) -> bytes:
        return SeededDice(bytes(64), []).hmac(b"%d" % block) if block % 2 else b"\xff" * 64

    def stream(first: int, blocks: int) -> bytes:
        return b"".join(forged(block) for block in range(first, first + blocks))

    def plain(cards: list[int]) -> list[int]:
        pile, words = sorted(cards), (int.from_bytes(forged(n // 16)[n % 16 * 4 :][:4], "big") for n in count())
        for last in range(len(pile) - 1, 0, -1):
            fair = 2**32 // (last + 1) * (last + 1)
            other = next(word for word in words if word < fair) % (last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return pile

    for size in (0, 1, 2, 3, 16, 17, 40, 104):
        assert shuffled(list(range(size)), stream) == plain(list(range(size)))


def test_a_move_that_is_refused_changes_nothing_in_numbers_either() -> None:
    """R7: of all moves that can be written the illegal ones raise, and the table stays as it was."""
    walk = Walk(drawn_rules(3), 1, eager)
    for _ in range(40):
        walk.step()
    table = table_of(walk.game, Dice())
    refused = [move for move in MOVE_TEXTS if not table.allows(move)]
    assert len(refused) > 1000
    for move in [*refused, -1, 10**6]:
        with pytest.raises(ValueError, match="may not"):
            table.play(move)
    assert game_of(table, walk.game) == walk.game


def test_facts_that_do_not_follow_are_not_taken() -> None:
    """Each byte of a move's facts changed in turn: what is then recorded is refused by the rules or by the table."""
    walk = Walk(drawn_rules(7), 2, eager)
    while walk.game.result is None:
        before, facts = walk.game, b""
        walk.step()
        facts = packed(walk.commits[-1])
        if before.turn is None or walk.game.result is not None or len(walk.commits) % 9:
            continue
        dice = SeededDice(walk.seed, [player.entropy for player in before.players])
        assert table_of(before, dice).checked(facts)
        for at in range(len(facts)):
            forged = facts[:at] + bytes((facts[at] ^ 1,)) + facts[at + 1 :]
            if same_move(forged, facts):
                assert not table_of(before, dice).checked(forged)


def same_move(forged: bytes, facts: bytes) -> bool:
    """Is it another way to write what follows of a move, and not another move?"""
    return forged[: first_fact(facts)] == facts[: first_fact(facts)]


def first_fact(facts: bytes) -> int:
    """The length of the first fact."""
    return len(packed(events_of(facts)[:1]))


def test_a_walk_that_leaves_the_way_of_the_numbers_is_noticed() -> None:
    """The check itself can fail."""
    walk = Walk(drawn_rules(3), 1, eager)
    beside = InNumbers(walk)
    walk.step()
    beside.look(walk)
    beside.tables[0].board.lefts[0] += 1
    walk.step()
    with pytest.raises(AssertionError):
        beside.look(walk)


def test_only_a_game_that_goes_on_has_a_table() -> None:
    """R17: after the end there is nothing to move."""
    game = given(position("gato-e-rato")).game
    assert table_of(game, Dice()).board.over is False
    with pytest.raises(ValueError, match="goes on"):
        table_of(Walk(drawn_rules(3), 1, eager).to_the_end().game, Dice())
