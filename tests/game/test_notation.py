"""Contract, section 1: how a move is written, and that nothing else is one."""

import re

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from events.errors import Malformed
from events.game.moves import MOVES, Discard, FromHand, FromPayoff, FromSide, Pass, Play, move_text, parse_move

CARDS = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"] + ["**"]
TEXTS = (
    [f"{card}>c{pile}" for card in CARDS for pile in range(10)]
    + [f"p>c{pile}" for pile in range(10)]
    + [f"p@{seat}>c{pile}" for seat in range(10) for pile in range(10)]
    + [f"s{side}>c{pile}" for side in range(10) for pile in range(10)]
    + [f"{card}>s{side}" for card in CARDS for side in range(10)]
    + ["pass"]
)
WRITTEN = re.compile(r"(?:[A23456789TJQK][cdhs]>[cs][0-9]|\*\*>[cs][0-9]|p(?:@[0-9])?>c[0-9]|s[0-9]>c[0-9]|pass)")


def is_refused(text: str) -> None:
    with pytest.raises(Malformed) as error:
        parse_move(text)
    shown = str(error.value)
    assert repr(text) in shown if len(text) <= 40 else repr(text[:40])[:-1] in shown
    assert len(shown) < 500


def test_the_table_holds_exactly_the_texts_of_the_contract() -> None:
    """Contract section 1: 53 cards to ten piles and ten stacks, payoffs, side stacks, pass: 1,271 texts."""
    assert len(TEXTS) == len(set(TEXTS)) == 1271
    assert set(MOVES) == set(TEXTS)


def test_every_text_is_read_and_written_back() -> None:
    """Contract section 1: one text a move, one move a text."""
    assert [move_text(parse_move(text)) for text in TEXTS] == TEXTS
    assert len({parse_move(text) for text in TEXTS}) == len(TEXTS)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("7h>c2", Play(FromHand("7h"), 2)),
        ("p>c0", Play(FromPayoff(), 0)),
        ("p@2>c0", Play(FromPayoff(2), 0)),
        ("s1>c0", Play(FromSide(1), 0)),
        ("9c>s3", Discard("9c", 3)),
        ("pass", Pass()),
        ("**>c1", Play(FromHand("**"), 1)),
    ],
)
def test_the_examples_mean_what_the_contract_says(text: str, move: object) -> None:
    """Contract section 1: the rows of its table, and a joker."""
    assert parse_move(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "7h>c2 ",
        " 7h>c2",
        "7h > c2",
        "7h>c2\n",
        "pass\n",
        "pass\r\n",
        "pass\0",
        "7H>c2",
        "7h>C2",
        "10h>c2",
        "th>c2",
        "1h>c2",
        "7x>c2",
        "h7>c2",
        "7h>c",
        "7h>c02",
        "7h>c10",
        "7h>c-1",
        "7h>c+1",
        "7h>c1.5",
        "7h>c1e0",
        "7h>cNaN",
        "7h>c٢",
        "7h>c²",
        "7h>c２",
        "７h>c2",
        "7h>c2",
        "7h>c2\u200b",
        "\ufeff7h>c2",
        "7h→c2",
        "7h>c2>c1",
        "7h>c2,7h>c2",
        "7h",
        ">c2",
        "c0>c1",
        "c0>s0",
        "s0>s1",
        "s>c0",
        "p>s0",
        "p>p",
        "p@>c0",
        "p@a>c0",
        "p@-1>c0",
        "p@10>c0",
        "p@2>s0",
        "s1@2>c0",
        "*>c0",
        "***>c0",
        "*h>c0",
        "Pass",
        "PASS",
        "passs",
        "pas",
        "null",
        "None",
        '{"move": "pass"}',
    ],
)
def test_a_near_miss_is_malformed(text: str) -> None:
    """Contract section 1: any other text, named in the message."""
    if text == "7h>c2":
        text = "7h>c2".replace("h", "\u04bb")  # a Cyrillic letter that looks the same
    is_refused(text)


@pytest.mark.parametrize("text", ["7h>c2" * 1000, "pass" + " " * 100_000, "9" * 41, "\n" * 50])
def test_a_long_text_is_cut_in_the_message(text: str) -> None:
    """Contract section 1: the value is named, and not at length."""
    is_refused(text)


@settings(max_examples=300, deadline=None, database=None, derandomize=True)
@for_all(st.text(max_size=60))
def test_any_other_text_is_malformed(text: str) -> None:
    """Contract section 1: whatever Unicode holds."""
    if WRITTEN.fullmatch(text):
        assert move_text(parse_move(text)) == text
    else:
        is_refused(text)


@settings(max_examples=500, deadline=None, database=None, derandomize=True)
@for_all(st.sampled_from(TEXTS), st.integers(0, 6), st.sampled_from("A27Tchds*p@>0169 \n-٣"), st.booleans())
def test_a_text_with_one_letter_more_or_other_is_malformed_or_another_move(
    text: str, at: int, letter: str, instead: bool
) -> None:
    """Contract section 1: held against the table written as a pattern."""
    other = text[:at] + letter + text[at + instead :]
    if WRITTEN.fullmatch(other):
        assert move_text(parse_move(other)) == other
    else:
        is_refused(other)
