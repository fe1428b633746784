"""Forgeries of moves: what was played, from where, and what followed.

A forgery changes a good log and returns the version to blame; the whole chain is built anew (`damage.forged`).
"""

from tests.log.damage import Commits, another, events, first, forged, renumber, turn_end


@forged()
def a_card_played_that_does_not_fit(commits: Commits) -> int:
    commit = commits[turn_end(commits)]
    done = commit["events"][0]
    commit["events"] = [
        {"type": "CardPlayed", "seat": done["seat"], "source": "hand", "owner": None, "side": None}
        | {"card": done["card"], "pile": 0, "rank": 1 if done["card"][0] != "A" else 2, "turned": None}
    ]
    return commit["version"]


@forged()
def a_card_played_that_is_not_in_the_hand(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "hand" and event["card"][0] != "K")
    suits = [suit for suit in "cdhs" if suit != played["card"][1]]
    dealt = first(commits, "CardsDealt")[1]["hands"]
    known = {card for hand in dealt for card in hand} | {
        card for _, drawn in events(commits, "CardsDrawn") for card in drawn["cards"]
    }
    cards = [played["card"][0] + suit for suit in suits]
    played["card"] = next((card for card in cards if card not in known), cards[0])
    return version


@forged()
def a_card_played_by_the_other_seat(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    played["seat"] = 1 - played["seat"]
    return version


@forged()
def a_play_to_a_pile_that_this_game_has_not(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    played["pile"] = 7
    return version


@forged()
def a_play_to_a_pile_that_no_game_has(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    played["pile"] = 10
    return version


@forged()
def a_play_to_a_pile_below_the_first(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    played["pile"] = -1
    return version


@forged()
def a_play_by_a_seat_that_no_game_has(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    played["seat"] = 2**62
    return version


@forged("spite-and-malice")
def a_play_from_a_side_stack_without_its_number(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "side")
    played["side"] = None
    return version


@forged("spite-and-malice")
def a_play_from_a_side_stack_that_no_game_has(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "side")
    played["side"] = 12
    return version


@forged("spite-and-malice")
def a_play_from_another_side_stack(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "side")
    played["side"] = (played["side"] + 1) % 4
    return version


@forged()
def a_hand_card_played_as_from_a_side_stack_too(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "hand")
    played["side"] = 0
    return version


@forged()
def a_payoff_card_played_without_its_owner(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "payoff")
    played["owner"] = None
    return version


@forged()
def a_payoff_card_played_from_the_other_side(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "payoff")
    played["owner"] = 1 - played["seat"]
    return version


@forged()
def a_payoff_card_played_from_a_seat_that_no_game_has(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "payoff")
    played["owner"] = 11
    return version


@forged()
def a_wrong_rank(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed")
    played["rank"] += 1
    return version


@forged()
def a_wrong_turned_card(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["turned"] is not None)
    played["turned"] = another(played["turned"])
    return version


@forged()
def a_turned_card_where_none_was_turned(commits: Commits) -> int:
    version, played = first(commits, "CardPlayed", lambda event: event["source"] == "hand")
    played["turned"] = "Ac"
    return version


@forged()
def a_discard_of_a_card_that_is_not_there(commits: Commits) -> int:
    version, discarded = first(commits, "CardDiscarded")
    discarded["card"] = "**"
    return version


@forged()
def a_discard_onto_a_stack_that_no_game_has(commits: Commits) -> int:
    version, discarded = first(commits, "CardDiscarded")
    discarded["side"] = 10
    return version


@forged()
def a_pass_with_cards_in_hand(commits: Commits) -> int:
    commit = commits[turn_end(commits)]
    commit["events"][0] = {"type": "TurnPassed", "seat": commit["events"][0]["seat"]}
    return commit["version"]


@forged()
def a_draw_left_out(commits: Commits) -> int:
    commit = commits[turn_end(commits)]
    assert commit["events"].pop()["type"] == "CardsDrawn"
    return commit["version"]


@forged()
def a_next_turn_left_out(commits: Commits) -> int:
    commit = commits[turn_end(commits)]
    del commit["events"][1]
    return commit["version"]


@forged()
def a_draw_before_its_turn(commits: Commits) -> int:
    commit = commits[turn_end(commits)]
    commit["events"][1:] = reversed(commit["events"][1:])
    return commit["version"]


@forged()
def a_turn_too_many(commits: Commits) -> int:
    commit = commits[turn_end(commits)]
    started = commit["events"][1]
    commit["events"].append(started | {"seat": 1 - started["seat"], "turn": started["turn"] + 1})
    return commit["version"]


@forged()
def two_moves_in_one_commit(commits: Commits) -> int:
    at = turn_end(commits)
    commits[at]["events"] += commits.pop(at + 1)["events"]
    renumber(commits)
    return at + 1


@forged()
def a_wrong_turn_number(commits: Commits) -> int:
    version, started = first(commits, "TurnStarted", lambda event: event["turn"] == 3)
    started["turn"] = 4
    return version


@forged()
def a_turn_of_the_wrong_seat(commits: Commits) -> int:
    version, started = first(commits, "TurnStarted", lambda event: event["turn"] == 3)
    started["seat"] = 1 - started["seat"]
    return version


@forged()
def a_commit_that_never_happened(commits: Commits) -> int:
    at = turn_end(commits)
    del commits[at]
    renumber(commits)
    return at + 1


@forged()
def two_commits_in_the_other_order(commits: Commits) -> int:
    at = turn_end(commits)
    commits[at], commits[at + 1] = commits[at + 1], commits[at]
    renumber(commits)
    return at + 1


@forged()
def a_commit_that_happened_twice(commits: Commits) -> int:
    at = turn_end(commits)
    commits.insert(at, dict(commits[at]))
    renumber(commits)
    return at + 2
