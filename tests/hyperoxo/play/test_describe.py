"""Sentences: how games end, and what is special about them."""

from __future__ import annotations

import pytest

from hyperoxo.game import Game
from hyperoxo.game.describe import describe_rules
from hyperoxo.game.messages import enumerated
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.describe import reason, result_sentence


@pytest.mark.parametrize(
    ("spec", "moves", "sentence"),
    [
        ("3^2", "", "Cross is to move."),
        ("3^2", "4,0,3,1,5", "Cross wins."),
        ("3^2", "4,0,8,2,1,7,3,5,6", "The board is full. A draw."),
        ("3^2:misere", "4,0,3,1,5", "Cross has 1 line and loses. Ring wins."),
        (
            "3^2:misere,players=3",
            "0,3,6,1,4,7,2",
            "Cross has 1 line and loses. Ring and Triangle win.",
        ),
        ("2^2:target=2", "0,1,2,3", "The board is full. A draw: Cross and Ring have 1 line each."),
        (
            "2^2:target=6,players=3",
            "0,1,2,3",
            "The board is full. Cross wins with the most lines, 1.",
        ),
        ("2^3:target=3", "0,1,2,3,4", "Cross wins with 3 lines."),
        (
            "2^2:target=6,players=3,misere",
            "0,1,2,3",
            "The board is full. A draw: Ring and Triangle have 0 lines each.",
        ),
    ],
)
def test_results(spec: str, moves: str, sentence: str) -> None:
    position = Game(spec).position(f"moves:{moves}")
    assert result_sentence(position, BoardStyle.of(position.game.players)) == sentence


def test_rules() -> None:
    said = describe_rules(Game("3^2:target=2,gravity=1,blocked=1+8,opening=0+3x2"))
    assert said == [
        "2 full lines win; on a full board the most lines.",
        "Stones fall to the free cell nearest column a.",
        "2 cells are blocked.",
        "Player 1 may put the first 2 moves only on cells a3, a2.",
    ]
    assert describe_rules(Game("5^2:connect=4,exact")) == [
        "A line is any 4 cells in a row.",
        "A longer row does not count.",
    ]
    floors = {
        "4^3:gravity": "lowest free layer",
        "7,6,4:gravity": "bottom of the column",
        "3^4:gravity": "lowest free cube",
        "2^5:gravity": "lowest free first number",
    }
    for spec, floor in floors.items():
        assert describe_rules(Game(spec)) == [f"Stones fall to the {floor}."]
    assert describe_rules(Game("3^2")) == []
    assert describe_rules(Game("3^3:gravity,blocked=4"), numbers=True) == [
        "Stones fall along the first coordinate, towards 0.",
        "Cell 4 is blocked.",
    ]


def test_reasons() -> None:
    look = BoardStyle.of(3)
    three = Game("3^2:players=3").position("moves:0,3,6,1,4,7")
    assert reason(three, 2, look) == "completes a line"
    assert reason(three, 8, look) == "blocks a line of Triangle"
    assert reason(three, 5, look) == "blocks a line of Ring"
    forked = Game("3^2").position("moves:0,8,2,6,7,3,4")
    assert reason(forked, 1, BoardStyle.of(2)) == "blocks 2 lines of Cross"
    assert reason(Game("3^2").start(), 0, BoardStyle.of(2)) == ""
    exact = Game("5,3,3:exact")
    assert reason(exact.position("moves:0,5,1,9,3,10"), 2, BoardStyle.of(2)) == ""
    both = exact.position("moves:0,5,1,9,3,10,7,13,12,8")
    assert reason(both, 2, BoardStyle.of(2)) == "completes a line"
    assert reason(Game("3^2").position("moves:0,5"), 4, BoardStyle.of(2)) == (
        "leaves a line one stone short"
    )


def test_enumerations() -> None:
    assert [enumerated(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "", "a", "a and b", "a, b and c",
    ]  # fmt: skip
