"""Forgeries of chance: deals, draws, shuffles, and the seed that all of them hang on.

A forgery changes a good log and returns the version to blame; the whole chain is built anew (`damage.forged`).
"""

import hashlib

from tests.log.damage import Commits, another, first, forged, swap_two
from tests.log.games import seed_of


@forged()
def the_stock_of_the_deal_in_another_order(commits: Commits) -> int:
    version, dealt = first(commits, "CardsDealt")
    swap_two(dealt["stock"])
    return version


@forged()
def two_hands_of_the_deal_exchanged(commits: Commits) -> int:
    version, dealt = first(commits, "CardsDealt")
    dealt["hands"].reverse()
    return version


@forged()
def a_card_of_the_deal_that_is_another(commits: Commits) -> int:
    version, dealt = first(commits, "CardsDealt")
    dealt["payoffs"][0][0] = another(dealt["payoffs"][0][0])
    return version


@forged()
def a_card_of_the_deal_left_out(commits: Commits) -> int:
    version, dealt = first(commits, "CardsDealt")
    dealt["stock"].pop(0)
    return version


@forged()
def a_payoff_reshuffled_in_another_order(commits: Commits) -> int:
    version, tie = first(commits, "PayoffsReshuffled")
    payoff = tie["payoffs"]["0"]
    payoff[0], payoff[1] = payoff[1], payoff[0]
    return version


@forged()
def a_tie_that_was_not_reshuffled(commits: Commits) -> int:
    made = commits[0]["events"]
    commits[0]["events"] = [event for event in made if event["type"] != "PayoffsReshuffled"]
    return 1


@forged()
def another_seat_that_starts(commits: Commits) -> int:
    version, started = first(commits, "TurnStarted")
    started["seat"] = 1 - started["seat"]
    return version


@forged()
def cards_drawn_in_another_order(commits: Commits) -> int:
    version, drawn = first(commits, "CardsDrawn", lambda event: len(set(event["cards"])) > 1)
    swap_two(drawn["cards"])
    return version


@forged()
def a_card_drawn_that_is_another(commits: Commits) -> int:
    version, drawn = first(commits, "CardsDrawn")
    drawn["cards"][0] = another(drawn["cards"][0])
    return version


@forged()
def a_card_too_few_drawn(commits: Commits) -> int:
    version, drawn = first(commits, "CardsDrawn", lambda event: len(event["cards"]) > 1)
    drawn["cards"].pop()
    return version


@forged()
def cards_drawn_by_another_seat(commits: Commits) -> int:
    version, drawn = first(commits, "CardsDrawn")
    drawn["seat"] = 1 - drawn["seat"]
    return version


@forged("spite-and-malice")
def a_stock_shuffled_in_another_order(commits: Commits) -> int:
    version, shuffled = first(commits, "StockShuffled")
    swap_two(shuffled["stock"])
    return version


@forged("spite-and-malice")
def a_stock_shuffled_with_another_card(commits: Commits) -> int:
    version, shuffled = first(commits, "StockShuffled")
    shuffled["stock"][0] = another(shuffled["stock"][0])
    return version


@forged("spite-and-malice")
def a_stock_shuffled_with_another_count(commits: Commits) -> int:
    version, shuffled = first(commits, "StockShuffled")
    shuffled["returned"] -= 1
    return version


@forged("spite-and-malice")
def a_pile_completed_and_not_shuffled(commits: Commits) -> int:
    version, _ = first(commits, "StockShuffled")
    done = commits[version - 1]["events"]
    commits[version - 1]["events"] = [event for event in done if event["type"] != "StockShuffled"]
    return version


@forged("spite-and-malice")
def a_pile_completed_to_the_wrong_place(commits: Commits) -> int:
    version, completed = first(commits, "PileCompleted")
    completed["to"] = "aside"
    return version


@forged("spite-and-malice")
def a_pile_completed_that_was_another(commits: Commits) -> int:
    version, completed = first(commits, "PileCompleted")
    completed["pile"] = (completed["pile"] + 1) % 3
    return version


@forged("spite-and-malice")
def a_pile_completed_with_other_cards(commits: Commits) -> int:
    version, completed = first(commits, "PileCompleted")
    swap_two(completed["cards"])
    return version


@forged("from-a-position")
def cards_aside_shuffled_in_another_order(commits: Commits) -> int:
    version, shuffled = first(commits, "StockShuffled")
    swap_two(shuffled["stock"])
    return version


@forged()
def another_seed_revealed(commits: Commits) -> int:
    commits[-1]["events"][-1]["seed"] = seed_of(999).hex()
    return len(commits)


@forged()
def another_seed_promised(commits: Commits) -> int:
    commits[0]["events"][0]["commitment"] = hashlib.sha256(seed_of(999)).hexdigest()
    return len(commits)  # it may as well be the revealed one that is wrong


@forged()
def another_seed_promised_and_revealed(commits: Commits) -> int:
    another_seed_revealed(commits)
    another_seed_promised(commits)
    return 1


@forged()
def a_seed_in_capital_letters(commits: Commits) -> int:
    commits[-1]["events"][-1]["seed"] = commits[-1]["events"][-1]["seed"].upper()
    return len(commits)


@forged()
def no_seed_revealed(commits: Commits) -> int:
    commits[-1]["events"][-1]["seed"] = ""
    return len(commits)


@forged("running")
def a_deal_of_a_running_game_with_a_card_twice(commits: Commits) -> int:
    _, dealt = first(commits, "CardsDealt")
    dealt["stock"][0] = dealt["stock"][1]
    return 1


@forged("running")
def a_reshuffle_of_a_running_game_with_another_card(commits: Commits) -> int:
    _, tie = first(commits, "PayoffsReshuffled")
    tie["payoffs"]["0"][0] = another_top(tie["payoffs"]["0"][0])
    return 1


def another_top(card: str) -> str:
    return ("A" if card[0] != "A" else "2") + card[1]


@forged("running")
def a_promise_that_is_no_hash(commits: Commits) -> int:
    commits[0]["events"][0]["commitment"] = "trust me"
    return 1


@forged("by lot")
def a_lot_that_falls_on_no_seat(commits: Commits) -> int:
    del commits[1:]
    commits[0]["events"][-1]["seat"] = 9
    return 1
