"""`malice replay`: the table drawn, told and as JSON, and nothing that the viewer may not know."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from events.game.commands import MakeMove
from events.game.events import Position
from events.game.moves import parse_move
from events.game.presets import resolve
from tests.log.games import SHORT, Book, Json, chained, log_file, read_file
from tests.services.cli.conftest import Malice
from tests.spec import cards

PILES = (cards("A-J"), cards("Ad Kh 3s"), ())
POSITION = Position(
    payoffs=(cards("9c 2s Th Kd"), cards("Qs 7h 8d")),
    hands=(cards("Ks 2h"), cards("Ac 5d 5h 9s Td")),
    sides=((cards("Jh Tc"), (), cards("8c 8s Qd"), ()), ((), (), (), cards("Kc"))),
    piles=PILES,
    stock=cards("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ah 2d"),
    aside=(),
    seat=0,
    turn=9,
    passes=0,
    resigned=(),
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A game from a known table: a position, a king as four, a discard."""
    book = Book(resolve({"preset": "gato-e-rato"}), 0, game="00table", position=POSITION)
    for move in ("p>c1", "2h>s1"):
        book.do(MakeMove(0, parse_move(move)), "seat:0")
    path = tmp_path / "table.log"
    path.write_bytes(book.file())
    return path


@pytest.fixture
def completed(tmp_path: Path) -> Path:
    """A game in which a king stands for the queen and completes pile 0."""
    book = Book(resolve({"preset": "gato-e-rato"}), 0, game="00table", position=POSITION)
    book.do(MakeMove(0, parse_move("Ks>c0")), "seat:0")
    path = tmp_path / "completed.log"
    path.write_bytes(book.file())
    return path


def drawn(text: str) -> str:
    """An expected drawing: without the line breaks around it."""
    return text.strip("\n") + "\n"


def test_a_table_is_drawn_with_all_cards_open(malice: Malice, table: Path):
    assert malice("replay", table, "--at", 2).stdout == drawn("""
Game 00table, version 2 of 3, all cards open
gato-e-rato
Turn 9: seat 0 (Señor 0) is to move.

  pile 0  needs Q  A♣ 2♣ 3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣
  pile 1  needs 5  A♦ K♥=2 3♠ K♦=4
  pile 2  needs A  –
  stock            12, next 2♦ A♥ Q♠ J♠ 10♠ 9♠ 8♠ 7♠ …

▶ seat 0   Señor 0                        seat 1   Señor 1
  payoff   10♥  3 left, next 2♠ 9♣        payoff   8♦  3 left, next 7♥ Q♠
  hand     K♠ 2♥                          hand     A♣ 5♦ 5♥ 9♠ 10♦
  stack 0  J♥ 10♣                         stack 0  –
  stack 1  –                              stack 1  –
  stack 2  8♣ 8♠ Q♦                       stack 2  –
  stack 3  –                              stack 3  K♣

Seat 0 plays K♦ as 4 from payoff to pile 1 and turns up 10♥.
""")


def test_a_seat_sees_its_own_hand_and_counts_of_the_rest(malice: Malice, table: Path):
    text = malice("replay", table, "--at", 3, "--as", 0).stdout
    assert "Game 00table, version 3 of 3, as seat 0\n" in text
    assert "  hand     K♠                             hand     5 cards\n" in text
    assert "  payoff   10♥  3 left                    payoff   8♦  3 left\n" in text
    assert "  stock            12\n" in text
    assert text.endswith("\nSeat 0 discards 2♥ on its stack 1.\nTurn 10 begins: seat 1 is to move.\n")


def test_a_completed_pile_goes_back_to_the_stock_in_words(malice: Malice, completed: Path):
    assert malice("replay", completed).stdout.splitlines()[-3:] == [
        "Seat 0 plays K♠ as Q from hand to pile 0.",
        "Pile 0 is complete and goes back to the stock.",
        "12 cards shuffled into the stock, which has 24 now.",
    ]


def test_a_draw_is_told_in_full_to_its_seat_and_counted_for_others(malice: Malice, running: Path):
    told = {eyes: malice("replay", running, "--at", 6, "--as", eyes).stdout for eyes in ("all", "0", "1", "spectator")}
    last = {eyes: text.splitlines()[-1] for eyes, text in told.items()}
    assert last["all"] == last["1"] == "Seat 1 draws 8♥."
    assert last["0"] == last["spectator"] == "Seat 1 draws 1 card."


def test_the_end_is_a_sentence(malice: Malice, ended: Path):
    lines = malice("replay", ended).stdout.splitlines()
    assert lines[2] == lines[-1] == "Seat 1 wins: its payoff is empty."


def test_the_beginning_names_rules_players_and_the_deal(malice: Malice, ended: Path):
    text = " ".join(malice("replay", ended, "--at", 1).stdout.split())
    assert "The game is created: gato-e-rato with payoff 5; seat 0 is Señor 0, seat 1 is Señor 1." in text
    assert "The cards are dealt: seat 0 has A♥ on 5, seat 1 has 2♦ on 5; 84 cards left as stock." in text


def test_hearts_and_diamonds_are_red_where_there_is_colour(malice: Malice, table: Path):
    text = malice("replay", table, "--at", 2, FORCE_COLOR="1", NO_COLOR="").stdout
    assert "\x1b[31mK♥=2\x1b[0m 3♠ \x1b[31mK♦=4\x1b[0m" in text


def test_on_a_narrow_terminal_the_seats_stand_below_each_other(malice: Malice, table: Path):
    lines = malice("replay", table, "--at", 2, COLUMNS="50").stdout.splitlines()
    assert "▶ seat 0   Señor 0" in lines
    assert "  seat 1   Señor 1" in lines
    assert max(map(len, lines)) <= 50


def test_a_name_in_a_log_does_not_steer_the_terminal(malice: Malice, ended: Path):
    head, commits = read_file(ended.read_bytes())
    commits[0]["events"][0]["seats"][0]["name"] = "\x1b[2Jboo"
    text = malice("replay", "-", "--at", 1, stdin=log_file(head["game"], True, chained(commits))).stdout
    assert "\x1b" not in text
    assert "seat 0 is ·[2Jboo" in text


def test_json_is_the_view_and_the_events(malice: Malice, table: Path):
    seen = json.loads(malice("replay", table, "--at", 2, "--as", 0, "--json").stdout)
    assert (seen["game"], seen["version"], seen["seat"], seen["hand"]) == ("00table", 2, 0, ["Ks", "2h"])
    assert "Ks>c0" in seen["legal"]
    assert [event["type"] for event in seen["events"]] == ["CardPlayed"]
    assert "cards" not in seen


def test_json_with_all_cards_has_them_all(malice: Malice, table: Path):
    seen = json.loads(malice("replay", table, "--at", 2, "--json").stdout)
    assert seen["seat"] is None
    assert seen["cards"]["hands"] == [["Ks", "2h"], ["Ac", "5d", "5h", "9s", "Td"]]
    assert seen["cards"]["payoffs"] == [["9c", "2s", "Th"], ["Qs", "7h", "8d"]]
    assert len(seen["cards"]["stock"]) == 12


@pytest.mark.parametrize("eyes", ["0", "1", "spectator"])
def test_json_of_a_seat_never_names_a_card_of_another_hand_or_the_stock(malice: Malice, ended: Path, eyes: str):
    for version in range(1, 53):
        seen = json.loads(malice("replay", ended, "--at", version, "--as", eyes, "--json").stdout)
        for event in seen["events"]:
            match event["type"]:
                case "CardsDealt":
                    assert isinstance(event["stock"], dict)
                    assert [isinstance(hand, list) for hand in event["hands"]] == [eyes == "0", eyes == "1"]
                case "CardsDrawn":
                    assert ("cards" in event) == (str(event["seat"]) == eyes)
                case "StockShuffled":
                    assert set(event) == {"type", "count", "returned"}
                case _:
                    pass


def shown(text: str) -> list[int]:
    """The versions that were drawn, in order."""
    return [int(line.split("version ")[1].split()[0]) for line in text.splitlines() if line.startswith("Game ")]


def test_steps_go_on_and_back_and_to_a_number(malice: Malice, ended: Path):
    result = malice("replay", ended, "--step", stdin="\nn\np\n40\nn\nq\n")
    assert (result.exit_code, shown(result.stdout)) == (0, [1, 2, 3, 2, 40, 41])
    assert "\n41 of 52 – Enter next, p previous, a number to go there, q quit: " in result.stdout


def test_steps_start_at_the_version_asked_for_and_stop_with_the_input(malice: Malice, ended: Path):
    assert shown(malice("replay", ended, "--step", "--at", 50, stdin="n\n").stdout) == [50, 51]


def test_steps_beyond_either_end_and_other_keys_are_answered(malice: Malice, ended: Path):
    text = malice("replay", ended, "--step", "--at", 52, stdin="n\n0\nwhat\n99999999999\n").stdout
    assert shown(text) == [52]
    assert "There is no version 53: the last one is 52." in text
    assert "There is no version 0: the last one is 52." in text
    assert text.count("No such key.") == 2


@pytest.mark.parametrize("words", [("--step", "--json"), ("--as", "2"), ("--as", "bob"), ("--as", "-1")])
def test_what_does_not_go_is_a_usage_error(malice: Malice, ended: Path, words: tuple[str, ...]):
    result = malice("replay", ended, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("malice: ")


@pytest.mark.parametrize("at", ["0", "-3", "x", "1.5", "", "1e3", "９９x"])
def test_a_version_that_is_no_number_is_a_usage_error(malice: Malice, ended: Path, at: str):
    result = malice("replay", ended, "--at", at)
    assert (result.exit_code, result.stdout) == (2, "")


def test_steps_need_standard_input_for_their_keys(malice: Malice, ended: Path):
    assert malice("replay", "-", "--step", stdin=ended.read_bytes()).exit_code == 2


def test_a_version_beyond_the_last_is_not_there(malice: Malice, ended: Path):
    result = malice("replay", ended, "--at", 900)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "malice: There is no version 900: the last one is 52.\n"


def test_a_log_that_does_not_fold_is_shown_up_to_there(malice: Malice, ended: Path):
    head, commits = read_file(ended.read_bytes())
    commits[16]["events"][0]["card"] = "Qs" if commits[16]["events"][0]["card"] != "Qs" else "Qc"
    file = log_file(head["game"], True, chained(commits))
    result = malice("replay", "-", stdin=file)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("malice: version 17: does not follow from the game before it: ")
    assert malice("replay", "-", "--at", 16, stdin=file).exit_code == 0


def test_a_missing_version_is_named(malice: Malice, ended: Path):
    head, commits = read_file(ended.read_bytes())
    del commits[16]
    result = malice("replay", "-", stdin=log_file(head["game"], True, commits))
    assert result.stderr == "malice: version 17: missing: version 18 stands in its place\n"


@pytest.mark.parametrize(
    "event",
    [
        {"type": "TurnStarted", "seat": 7, "turn": 3},
        {"type": "TurnStarted", "seat": -9, "turn": 3},
        {"type": "PayoffsReshuffled", "payoffs": {"x": []}},
        {"type": "PayoffsReshuffled", "payoffs": {"8": ["Ac"]}},
        {"type": "GameEnded", "result": "won", "winners": [9], "reason": "payoff", "points": [1], "seed": ""},
        {"type": "CardDiscarded", "seat": 5, "card": "Ac", "side": 0},
        {"type": "StockShuffled", "stock": [], "returned": 99},
    ],
)
@pytest.mark.parametrize("eyes", ["all", "0"])
def test_a_log_may_say_anything_and_gets_no_traceback(malice: Malice, running: Path, event: Json, eyes: str):
    head, commits = read_file(running.read_bytes())
    commits[-1]["events"].append(event)
    file = log_file(head["game"], False, chained(commits))
    assert malice("replay", "-", "--as", eyes, stdin=file).exit_code in (0, 1)
    assert malice("replay", "-", "--as", eyes, "--json", stdin=file).exit_code in (0, 1)


def test_rules_are_named_by_preset_and_changes(malice: Malice, tmp_path: Path):
    def named(asked: object) -> str:
        (tmp_path / "some.log").write_bytes(Book(asked).file())  # pyright: ignore[reportArgumentType] - as JSON has it
        return malice("replay", "some.log").stdout.splitlines()[1]

    from msgspec.structs import replace

    assert named("spite-and-malice") == "spite-and-malice"
    assert named(SHORT) == "gato-e-rato with payoff 5"
    assert named({"preset": "gatto-e-topo", "seats": 4, "teams": True, "team_win": "first"}) == (
        "gatto-e-topo with seats 4, teams yes, team_win first"
    )
    assert named(replace(resolve("gato-e-rato"), jokers=2)) == "rules of its own"


def test_a_terminal_that_cannot_write_suits_gets_their_code_points(tmp_path: Path):
    """Given output in Latin-1, when a table is drawn, then the log is not to blame for what cannot be written."""
    (tmp_path / "g.log").write_bytes(Book("gato-e-rato").file())
    command = [sys.executable, "-m", "services.cli", "replay", str(tmp_path / "g.log"), "--as", "all"]
    done = subprocess.run(command, env=os.environ | {"PYTHONIOENCODING": "latin-1"}, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u2665" in done.stdout
