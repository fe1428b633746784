"""The game once more, from the text of `docs/rules.md` and `docs/contract.md` and as plainly as it can be said.

It shares no line with `events.game`: the tests hold one against the other, move by move, and read the logs that
this one writes. One class, lists that are changed in place, JSON values in and out. It judges moves; rules and
positions it takes to be sound.
"""

import hashlib
import json
import re
from typing import Any

from tests.game.plain_shuffle import plain_card_shuffle, plain_key, plain_shuffle

Event = dict[str, Any]

RANK = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13, "*": 14} | {str(number): number for number in range(2, 10)}
MOVE = re.compile(r"(?:(?:[A2-9TJQK][cdhs]|\*\*)>[cs][0-9]|p(?:@[0-9])?>c[0-9]|s[0-9]>c[0-9]|pass)", re.ASCII)

GATTO: dict[str, Any] = {
    "seats": 2,
    "decks": 2,
    "jokers": 0,
    "payoff": 20,
    "hand": 5,
    "centre_piles": 3,
    "side_stacks": 4,
    "top": "K",
    "wild": None,
    "wild_may_start": None,
    "wild_on_wild": None,
    "completed": "aside",
    "starter": "highest",
    "refill": True,
    "must_play": "always",
    "discard": "any",
    "exhaustion": "blocked",
    "exhaustion_at": None,
    "teams": False,
    "team_win": None,
    "points": None,
    "match": None,
    "turn_limit": 2000,
}
RATO = GATTO | {
    "top": "Q",
    "wild": "K",
    "wild_may_start": True,
    "wild_on_wild": True,
    "completed": "stock",
    "must_play": "never",
    "exhaustion": "fewest",
    "exhaustion_at": "zero",
}
SPITE = RATO | {"exhaustion": "draw", "points": "left", "match": 50}
PRESETS = {"gatto-e-topo": GATTO, "gato-e-rato": RATO, "spite-and-malice": SPITE}


class Refused(Exception):
    """A command that cannot be done; its text is the code of the contract, section 5."""


def plain_seat(name: str | None, entropy: str = "", bot: str | None = None) -> dict[str, Any]:
    """A seat of `GameCreated`; without a name it is open."""
    kind = "open" if name is None else "human" if bot is None else "bot"
    return {"name": name, "kind": kind, "bot": bot, "entropy": entropy}


class PlainGame:
    """A game being played. Each command returns the events of its commit and keeps it in `commits` as (by, events)."""

    def __init__(
        self,
        rules: dict[str, Any],
        seats: list[dict[str, Any]],
        seed: bytes,
        position: dict[str, Any] | None = None,
        game: str = "plain",
        forked_from: dict[str, Any] | None = None,
    ) -> None:
        self.rules = rules
        self.n = int(rules["seats"])
        self.table = [dict(seat) for seat in seats]
        self.seed = seed
        self.game = game
        self.commits: list[tuple[str, list[Event]]] = []
        self.events: list[Event] = []
        self.started = False
        self.over = False
        self.shuffles = 0
        self.payoffs: list[list[str]] = []
        self.hands: list[list[str]] = []
        self.sides: list[list[list[str]]] = [[[] for _ in range(rules["side_stacks"])] for _ in range(self.n)]
        self.piles: list[list[str]] = [[] for _ in range(rules["centre_piles"])]
        self.stock: list[str] = []
        self.aside: list[str] = []
        self.seat = 0
        self.turn = 0
        self.passes = 0
        self.resigned: list[int] = []
        self.say(
            "GameCreated",
            game=game,
            rules=dict(rules),
            seats=[dict(seat) for seat in seats],
            commitment=hashlib.sha256(seed).hexdigest(),
            match=None,
            forked_from=forked_from,
        )
        if position is not None:
            self.set_up(position)
        elif all(seat["kind"] != "open" for seat in self.table):
            self.deal()
        self.done("system")

    # Commands

    def sit(self, seat: int, name: str, entropy: str = "") -> list[Event]:
        """An open seat is taken; with the last one the cards are dealt."""
        if self.over:
            raise Refused("game_over")
        if self.table[seat]["kind"] != "open":
            raise Refused("seat_taken")
        self.table[seat] = plain_seat(name, entropy)
        self.say("SeatTaken", seat=seat, name=name, entropy=entropy)
        if all(one["kind"] != "open" for one in self.table):
            self.deal()
        return self.done(f"seat:{seat}")

    def move(self, seat: int, text: str) -> list[Event]:
        """A play, a discard or a pass, in the notation of section 1."""
        if not MOVE.fullmatch(text):
            raise Refused("malformed")
        self.must_be_running()
        if seat != self.seat:
            raise Refused("not_your_turn")
        if text not in self.legal():
            raise Refused("illegal_move")
        if text == "pass":
            self.passes += 1
            self.say("TurnPassed", seat=seat)
            if self.passes >= self.n - len(self.resigned):
                self.end_by_count("blocked")
            else:
                self.next_turn()
        elif text[3:4] == "s":
            self.passes = 0
            self.hands[seat].remove(text[:2])
            self.sides[seat][int(text[4])].append(text[:2])
            self.say("CardDiscarded", seat=seat, card=text[:2], side=int(text[4]))
            self.next_turn()
        else:
            self.passes = 0
            self.play(seat, *text.split(">c"))
        return self.done(self.actor(seat))

    def resign(self, seat: int) -> list[Event]:
        """A seat gives up, in its turn or out of it (R24)."""
        return self.leave(seat, "resigned", self.actor(seat), "SeatResigned")

    def clock(self) -> list[Event]:
        """The time of the seat to move has run out."""
        return self.leave(self.seat, "clock", "system", "ClockExpired")

    def forfeit(self, cause: str) -> list[Event]:
        """The bot to move failed."""
        return self.leave(self.seat, "forfeit", self.actor(self.seat), "SeatForfeited", cause=cause)

    def abandon(self) -> list[Event]:
        """The game is broken off, begun or not."""
        if self.over:
            raise Refused("game_over")
        self.end("aborted", [], "abandoned")
        return self.done("system")

    # What may be done

    def legal(self) -> list[str]:
        """The moves of the seat to move, each once, in no order that matters."""
        if self.over or not self.started:
            return []
        me = self.seat
        hand = self.hands[me]
        own: list[tuple[str, str]] = [(card, card) for card in sorted(set(hand))]
        own += [("p", self.payoffs[me][-1])] if self.payoffs[me] else []
        own += [(f"s{index}", side[-1]) for index, side in enumerate(self.sides[me]) if side]
        moves: list[str] = []
        compelled = False
        for source, card in own:
            for place in range(len(self.piles)):
                if self.fits(card, place):
                    moves.append(f"{source}>c{place}")
                    compelled = compelled or self.compels(card)
        if self.rules["teams"]:
            for partner in range(self.n):
                if partner != me and partner % 2 == me % 2 and self.payoffs[partner]:
                    for place in range(len(self.piles)):
                        if self.fits(self.payoffs[partner][-1], place):
                            moves.append(f"p@{partner}>c{place}")
        if compelled:
            return moves
        for card in sorted(set(hand)):
            if not self.kept(card) or all(self.kept(other) for other in hand):
                moves += [f"{card}>s{index}" for index in range(len(self.sides[me]))]
        if not hand and (not self.rules["refill"] or (not self.stock and not self.aside)):
            moves.append("pass")
        return moves

    def wild(self, card: str) -> bool:
        return card == "**" or (self.rules["wild"] == "K" and card[0] == "K")

    def fits(self, card: str, place: int) -> bool:
        """R8, R9: exactly one rank higher, or a wild where the knobs let it."""
        pile = self.piles[place]
        if not self.wild(card):
            return RANK[card[0]] == len(pile) + 1
        if not pile:
            return bool(self.rules["wild_may_start"])
        return bool(self.rules["wild_on_wild"]) or not self.wild(pile[-1])

    def compels(self, card: str) -> bool:
        """Knob `must_play`: whether a play of this card, once possible, forbids discard and pass."""
        if self.rules["must_play"] == "always":
            return True
        highest = {"never": 0, "aces": 1, "aces_and_twos": 2}[self.rules["must_play"]]
        return not self.wild(card) and RANK[card[0]] <= highest

    def kept(self, card: str) -> bool:
        """Knob `discard`: whether this card may be laid aside only when the hand holds nothing else."""
        if self.rules["discard"] == "no_aces":
            return card[0] == "A"
        return self.rules["discard"] == "no_wilds" and self.wild(card)

    def must_be_running(self) -> None:
        if self.over:
            raise Refused("game_over")
        if not self.started:
            raise Refused("not_started")

    # What follows

    def play(self, seat: int, source: str, place: str) -> None:
        """R20: move the card; won?; turn the next one; complete and recycle; refill; exhaustion."""
        owner = side = turned = None
        if source[0] == "p":
            kind, owner = "payoff", int(source[2:] or seat)
            card = self.payoffs[owner].pop()
            turned = self.payoffs[owner][-1] if self.payoffs[owner] else None
        elif source[0] == "s":
            kind, side = "side", int(source[1])
            card = self.sides[seat][side].pop()
        else:
            kind, card = "hand", source
            self.hands[seat].remove(card)
        pile = self.piles[int(place)]
        pile.append(card)
        self.say(
            "CardPlayed",
            seat=seat,
            source=kind,
            owner=owner,
            side=side,
            card=card,
            pile=int(place),
            rank=len(pile),
            turned=turned,
        )
        if owner is not None and not self.payoffs[owner]:
            party = self.party(owner)
            if self.rules["team_win"] == "first" or not any(self.payoffs[one] for one in party):
                self.end("won", party, "payoff")
                return
        if len(pile) == RANK[self.rules["top"]]:
            self.piles[int(place)] = []
            self.say("PileCompleted", pile=int(place), cards=list(pile), to=self.rules["completed"])
            if self.rules["completed"] == "stock":
                self.shuffle_in(pile)
            else:
                self.aside += pile
        if not self.hands[seat] and self.rules["refill"]:
            self.draw(seat)

    def draw(self, seat: int) -> None:
        """R6, R12, R13: draw to a full hand, the cards aside shuffled in when needed; then exhaustion (R18)."""
        missing = max(0, self.rules["hand"] - len(self.hands[seat]))
        for again in (True, False):
            cards: list[str] = []
            while self.stock and missing:
                cards.append(self.stock.pop())
                missing -= 1
            if cards:
                self.hands[seat] += cards
                self.say("CardsDrawn", seat=seat, cards=cards)
            if again and missing and self.aside:
                cards, self.aside = self.aside, []
                self.shuffle_in(cards)
        short = self.rules["exhaustion_at"] == "short"
        if self.rules["exhaustion"] != "blocked" and (missing if short else not self.stock and not self.aside):
            self.end_by_count("exhausted")

    def shuffle_in(self, cards: list[str]) -> None:
        self.stock = plain_card_shuffle(self.key(), self.number(), self.stock + cards)
        self.say("StockShuffled", stock=list(self.stock), returned=len(cards))

    def next_turn(self) -> None:
        """The next seat's turn and its draw, or the end at the turn limit."""
        if self.turn >= self.rules["turn_limit"]:
            self.end_by_count("turn_limit")
            return
        self.seat = (self.seat + 1) % self.n
        while self.seat in self.resigned:
            self.seat = (self.seat + 1) % self.n
        self.turn += 1
        self.say("TurnStarted", seat=self.seat, turn=self.turn)
        self.draw(self.seat)

    def leave(self, seat: int, reason: str, by: str, kind: str, **more: Any) -> list[Event]:
        self.must_be_running()
        if seat in self.resigned:
            raise Refused("illegal_move")
        self.passes = 0
        self.resigned = sorted([*self.resigned, seat])
        self.say(kind, seat=seat, **more)
        left = [one for one in range(self.n) if one not in self.resigned]
        if all(one in self.party(left[0]) for one in left):
            self.end("won", self.party(left[0]), reason)
        elif seat == self.seat:
            self.next_turn()
        return self.done(by)

    def party(self, seat: int) -> list[int]:
        """A seat alone, or with its partners (R21)."""
        return [one for one in range(self.n) if one == seat or (self.rules["teams"] and one % 2 == seat % 2)]

    def end_by_count(self, reason: str) -> None:
        """R18, R19: fewest payoff cards wins, equal is a draw; or a draw whatever lies there."""
        left: list[tuple[int, list[int]]] = []
        for seat in range(self.n):
            party = self.party(seat)
            if party[0] == seat and (self.rules["teams"] or seat not in self.resigned):
                left.append((sum(len(self.payoffs[one]) for one in party), party))
        fewest = min(count for count, _ in left)
        best = [party for count, party in left if count == fewest]
        if self.rules["exhaustion"] == "draw" or len(best) > 1:
            self.end("drawn", [], reason)
        else:
            self.end("won", best[0], reason)

    def end(self, result: str, winners: list[int], reason: str) -> None:
        points = None
        if self.rules["points"] == "left":
            points = [0] * self.n
            for winner in winners:
                points[winner] = sum(len(pile) for seat, pile in enumerate(self.payoffs) if seat != winner)
        self.over = True
        seed = self.seed.hex()
        self.say("GameEnded", result=result, winners=winners, reason=reason, points=points, seed=seed)

    # The beginning

    def deal(self) -> None:
        """R1 to R4 and section 4."""
        pack = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"] * self.rules["decks"]
        pile = plain_card_shuffle(self.key(), self.number(), pack + ["**"] * self.rules["jokers"])
        self.payoffs = [[pile.pop() for _ in range(self.rules["payoff"])] for _ in range(self.n)]
        self.hands = [[pile.pop() for _ in range(self.rules["hand"])] for _ in range(self.n)]
        self.stock = pile
        payoffs, hands = [list(one) for one in self.payoffs], [list(one) for one in self.hands]
        self.say("CardsDealt", payoffs=payoffs, hands=hands, stock=list(pile))
        self.seat = self.find_starter()
        self.turn = 1
        self.started = True
        self.say("TurnStarted", seat=self.seat, turn=1)

    def find_starter(self) -> int:
        if self.rules["starter"] == "first":
            return 0
        if self.rules["starter"] == "random":
            return int(plain_shuffle(self.key(), self.number(), list(range(self.n)))[-1])
        choose = max if self.rules["starter"] == "highest" else min
        tied = list(range(self.n))
        rounds = 0
        while True:
            best = choose(RANK[self.payoffs[seat][-1][0]] for seat in tied)
            tied = [seat for seat in tied if RANK[self.payoffs[seat][-1][0]] == best]
            if len(tied) == 1 or rounds == 16:
                return tied[0]
            rounds += 1
            for seat in tied:
                self.payoffs[seat] = plain_card_shuffle(self.key(), self.number(), self.payoffs[seat])
            self.say("PayoffsReshuffled", payoffs={str(seat): list(self.payoffs[seat]) for seat in tied})

    def set_up(self, position: dict[str, Any]) -> None:
        position = json.loads(json.dumps(position))
        self.say("PositionSet", **json.loads(json.dumps(position)))
        self.payoffs, self.hands, self.sides = position["payoffs"], position["hands"], position["sides"]
        self.piles, self.stock, self.aside = position["piles"], position["stock"], position["aside"]
        self.seat, self.turn, self.passes = position["seat"], position["turn"], position["passes"]
        self.resigned = position["resigned"]
        self.shuffles = 1
        self.started = True

    def position(self) -> dict[str, Any]:
        """Where the game stands, with the fields of `PositionSet`."""
        names = ("payoffs", "hands", "sides", "piles", "stock", "aside", "seat", "turn", "passes", "resigned")
        return json.loads(json.dumps({name: getattr(self, name) for name in names}))

    def key(self) -> bytes:
        return plain_key(self.seed, [seat["entropy"] for seat in self.table])

    def number(self) -> int:
        self.shuffles += 1
        return self.shuffles - 1

    def say(self, kind: str, **fields: Any) -> None:
        self.events.append({"type": kind, **fields})

    def actor(self, seat: int) -> str:
        return f"{'bot' if self.table[seat]['kind'] == 'bot' else 'seat'}:{seat}"

    def done(self, by: str) -> list[Event]:
        events, self.events = self.events, []
        self.commits.append((by, events))
        return events
