"""Forgeries of terms: rules, positions, results, times, and what a commit is.

A forgery changes a good log and returns the version to blame; the whole chain is built anew (`damage.forged`).
"""

import copy

from tests.log.damage import Commits, first, forged, turn_end


@forged("spite-and-malice")
def wrong_points(commits: Commits) -> int:
    version, ended = first(commits, "GameEnded")
    ended["points"][ended["winners"][0]] += 1
    return version


@forged("spite-and-malice")
def no_points(commits: Commits) -> int:
    version, ended = first(commits, "GameEnded")
    ended["points"] = None
    return version


@forged()
def points_where_none_are_scored(commits: Commits) -> int:
    version, ended = first(commits, "GameEnded")
    ended["points"] = [0, 0]
    return version


@forged()
def a_wrong_winner(commits: Commits) -> int:
    version, ended = first(commits, "GameEnded")
    ended["winners"] = [1 - ended["winners"][0]]
    return version


@forged()
def a_wrong_result(commits: Commits) -> int:
    version, ended = first(commits, "GameEnded")
    ended["result"] = "drawn"
    return version


@forged()
def a_wrong_reason(commits: Commits) -> int:
    version, ended = first(commits, "GameEnded")
    ended["reason"] = "exhausted"
    return version


@forged()
def an_end_too_early(commits: Commits) -> int:
    at = turn_end(commits)
    commits[at]["events"].append(commits[-1]["events"][-1])
    del commits[at + 1 :]
    return at + 1


@forged()
def a_move_after_the_end(commits: Commits) -> int:
    commits.append(copy.deepcopy(commits[-2]) | {"version": len(commits) + 1})
    return len(commits)


@forged()
def rules_that_were_others(commits: Commits) -> int:
    commits[0]["events"][0]["rules"]["payoff"] = 6
    return 1


@forged()
def a_fork_without_a_position(commits: Commits) -> int:
    commits[0]["events"][0]["forked_from"] = {"game": "00other", "version": 3}
    return 1


@forged("from-a-position")
def a_position_with_a_card_too_many(commits: Commits) -> int:
    _, position = first(commits, "PositionSet")
    position["stock"] += ["4c", "4c"]
    return 1


@forged("from-a-position")
def a_position_and_a_turn(commits: Commits) -> int:
    commits[0]["events"].append({"type": "TurnStarted", "seat": 1, "turn": 31})
    return 1


@forged()
def a_game_created_twice(commits: Commits) -> int:
    commits[1] = commits[0] | {"version": 2}
    return 2


@forged()
def a_game_that_was_not_created(commits: Commits) -> int:
    commits[0]["events"] = commits[0]["events"][1:]
    return 1


@forged()
def a_commit_that_begins_with_a_consequence(commits: Commits) -> int:
    commit = commits[turn_end(commits)]
    commit["events"] = commit["events"][1:]
    return commit["version"]


@forged()
def a_commit_without_events(commits: Commits) -> int:
    commits[5]["events"] = []
    return 6


@forged()
def versions_from_zero(commits: Commits) -> int:
    for version, commit in enumerate(commits):
        commit["version"] = version
    return 1


def at(commits: Commits, text: str) -> int:
    """Write the time of version 4 in another way."""
    commits[3]["at"] = text
    return 4


@forged()
def a_time_without_milliseconds(commits: Commits) -> int:
    return at(commits, "2026-01-31T12:00:00Z")


@forged()
def a_time_of_another_zone(commits: Commits) -> int:
    return at(commits, "2026-01-31T12:00:00.123+01:00")


@forged()
def a_time_with_a_space(commits: Commits) -> int:
    return at(commits, "2026-01-31 12:00:00.123Z")


@forged()
def a_time_that_is_none(commits: Commits) -> int:
    return at(commits, "2026-02-30T25:61:00.123Z")


@forged()
def a_time_in_other_digits(commits: Commits) -> int:
    return at(commits, "٢٠٢٦-01-31T12:00:00.123Z")


@forged("from-a-position")
def a_position_that_is_won_already(commits: Commits) -> int:
    _, position = first(commits, "PositionSet")
    position["payoffs"][0] = []
    return 1


@forged()
def rules_that_cannot_be_dealt(commits: Commits) -> int:
    commits[0]["events"][0]["rules"]["payoff"] = 0
    return 1
