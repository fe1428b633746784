"""Who plays the plain game? A lot that draws seats, entropies and commands, the same for the same number.

Like `tests.game.plain_game` it shares no code with `events.game`. A command is written as the method of `PlainGame` and
its arguments: `("move", 0, "7h>c2")`, `("sit", 1, "Eva", "dés")`, `("clock",)`.
"""

import random
from typing import Any, Final, TypeAlias

from tests.game.plain_game import Event, PlainGame, plain_seat

Asked: TypeAlias = tuple[Any, ...]

ENTROPIES: Final = ("", "", "dados", "così fan tutte", "日本 🂡", ' "\\/ ', "x" * 128)
NAMES: Final = ("Ana", "Eva Nováková", 'the "Cat"', "鼠", "\u2028\x7f")
TEMPERS: Final = ("eager", "tidy", "lazy", "idle", "uniform", "mixed")


def drawn_seats(rng: random.Random, seats: int, *, may_be_open: bool) -> list[dict[str, Any]]:
    """People, bots and, in one game of three, open seats."""
    some_open = may_be_open and rng.random() < 0.35
    table: list[dict[str, Any]] = []
    for number in range(seats):
        if some_open and rng.random() < 0.5:
            table.append(plain_seat(None))
        elif rng.random() < 0.3:
            table.append(plain_seat(f"bot {number}", bot="greedy"))
        else:
            table.append(plain_seat(rng.choice(NAMES), rng.choice(ENTROPIES)))
    return table


def drawn_position(rng: random.Random, rules: dict[str, Any]) -> dict[str, Any]:
    """Some table, reachable or not: few cards, often no stock, piles nearly complete, seats gone. It may be stuck."""
    seats = rules["seats"]
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"] * rules["decks"] + ["**"] * rules["jokers"]
    rng.shuffle(pack)

    def some(least: int, most: int) -> list[str]:
        return [pack.pop() for _ in range(min(rng.randint(least, most), len(pack)))]

    payoffs = [some(1, 4) for _ in range(seats)]
    piles = [drawn_pile(rng, pack, rules) for _ in range(rules["centre_piles"])]
    if rules["teams"] and rules["team_win"] == "all":
        for seat in rng.sample(range(2, seats), rng.randrange(seats - 2)):
            payoffs[seat] = []
    resigned: list[int] = []
    if rng.random() < 0.4:
        # Seats 0 and 1 stay: where there are teams, one of each.
        resigned = sorted(rng.sample(range(2, seats), rng.randrange(seats - 1)))
    left = [seat for seat in range(seats) if seat not in resigned]
    return {
        "payoffs": payoffs,
        "hands": [some(0, rng.choice((1, rules["hand"]))) for _ in range(seats)],
        "sides": [[some(0, 2) for _ in range(rules["side_stacks"])] for _ in range(seats)],
        "piles": piles,
        "stock": some(0, rng.choice((0, 3, 12, 30))),
        "aside": some(0, rng.choice((0, 0, 3, 12))),
        "seat": rng.choice(left),
        "turn": rng.choice((1, rng.randint(1, rules["turn_limit"]), rules["turn_limit"])),
        "passes": rng.randrange(len(left)),
        "resigned": resigned,
    }


def drawn_pile(rng: random.Random, pack: list[str], rules: dict[str, Any]) -> list[str]:
    """A centre pile out of this pack, in one case of two short of one card; wilds stand for what is missing."""
    highest = 11 if rules["top"] == "Q" else 12
    pile: list[str] = []
    for rank in "A23456789TJQK"[: rng.choice((0, rng.randint(0, highest), highest, highest))]:
        wilds = [card for card in pack if card == "**" or (card[0] == "K" and rules["wild"] == "K")]
        fitting = [card for card in pack if card[0] == rank]
        if wilds and (not fitting or rng.random() < 0.2):
            fitting = wilds
        if not fitting:
            break
        pile.append(fitting[0])
        pack.remove(fitting[0])
    return pile


class Lot:
    """One game's players: how they choose, and how often one leaves instead of moving."""

    def __init__(self, number: int) -> None:
        self.rng = random.Random(f"opinion {number}")
        self.temper = TEMPERS[number % len(TEMPERS)]
        self.leaving = self.rng.choice((0.0, 0.0, 0.01, 0.05))
        self.seed = self.rng.randbytes(64)

    def create(self, rules: dict[str, Any]) -> PlainGame:
        """The game before its first move."""
        return PlainGame(rules, drawn_seats(self.rng, rules["seats"], may_be_open=True), self.seed)

    def command(self, game: PlainGame) -> Asked:
        """What is done next."""
        rng = self.rng
        if rng.random() < self.leaving / 20:
            return ("abandon",)
        if not game.started:
            seat = rng.choice([number for number, one in enumerate(game.table) if one["kind"] == "open"])
            return ("sit", seat, rng.choice(NAMES), rng.choice(ENTROPIES))
        if rng.random() < self.leaving:
            bot = game.table[game.seat]["kind"] == "bot"
            left = [seat for seat in range(game.n) if seat not in game.resigned]
            failing = ("forfeit", rng.choice(("illegal_move", "error", "timeout"))) if bot else ("clock",)
            return rng.choice((failing, ("resign", rng.choice(left))))
        return ("move", game.seat, self.choice(game.legal()))

    def choice(self, legal: list[str]) -> str:
        """One of these moves, after the game's temper."""
        rng = self.rng
        temper = rng.choice(TEMPERS) if self.temper == "mixed" else self.temper
        plays = [text for text in legal if ">c" in text]
        ends = [text for text in legal if ">c" not in text]
        if temper in ("eager", "tidy") and plays:
            return rng.choice([text for text in plays if text[0] == "p"] or plays)
        if temper == "tidy":
            ranks = "*KQJT98765432A"
            return min(legal, key=lambda text: (ranks.index(text[0]), text) if text != "pass" else (99, text))
        if temper == "idle" or (temper == "lazy" and rng.random() < 0.8):
            return rng.choice(ends or plays)
        return rng.choice(legal)

    def nonsense(self, game: PlainGame) -> Asked:
        """A taken seat, or a move most often illegal: another seat's, of a place not there, of a card not held."""
        rng = self.rng
        taken = [seat for seat, one in enumerate(game.table) if one["kind"] != "open"]
        if taken and not game.started and rng.random() < 0.5:
            return ("sit", rng.choice(taken), "Eva", "")
        seat = game.seat if rng.random() < 0.8 else rng.randrange(game.n)
        card = rng.choice("A23456789TJQK") + rng.choice("cdhs") if rng.random() < 0.9 else "**"
        if game.started and game.hands[game.seat] and rng.random() < 0.5:
            card = rng.choice(game.hands[game.seat])
        digit, place = rng.randrange(10), rng.randrange(10)
        likely = (f"{card}>c{place}", f"{card}>s{place}", f"s{digit}>c{place}", f"p>c{place}", f"p@{digit}>c{place}")
        text = rng.choice((*likely, *likely, "pass", f"s{digit}>s{place}", f"p>s{place}", f"c{digit}>s0", f"{card}>c"))
        return ("move", seat, text)


def do(game: PlainGame, asked: Asked) -> list[Event]:
    """The command's events. Raises `Refused`."""
    return getattr(game, asked[0])(*asked[1:])


def played(rules: dict[str, Any], number: int) -> PlainGame:
    """A game that is over."""
    lot = Lot(number)
    game = lot.create(rules)
    while not game.over:
        do(game, lot.command(game))
    return game
