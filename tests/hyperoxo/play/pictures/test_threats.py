"""Pictures of forced wins and of puzzles."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from hyperoxo.game import Game
from hyperoxo.lab.puzzle import make_puzzle
from hyperoxo.play.pictures.threats import draw_puzzles, draw_steps
from tests.forced import find_forced_win

NAMESPACE = {"svg": "http://www.w3.org/2000/svg"}


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(picture).iterfind("svg:text", NAMESPACE)]


@pytest.mark.parametrize("spec", ["3^3", "3^4", "4^3"])
def test_a_board_a_step(spec: str) -> None:
    game = Game(spec)
    moves = {"3^3": "13,0", "3^4": "40,0", "4^3": "0,3,60,21,15,51,12,63"}[spec]
    position = game.position(f"moves:{moves}")
    line = find_forced_win(position, shortest=True).line
    picture = draw_steps(position, line)
    assert picture.count('href="#board"') == len(line) // 2 + 2
    said = texts(picture)
    assert f"{game}: Cross wins by force" in said
    assert f"{line[0]} threatens {line[1]}" in said
    assert f"{line[-1]} completes a line" in said
    assert picture.count('class="glow"') >= 3 * (game.side or 0)


def test_gravity_and_boards_without_coordinates() -> None:
    position = Game("7,6,4:gravity").position("moves:2,9,3,10")
    line = find_forced_win(position).line
    assert "1 threatens 0 and 4" in texts(draw_steps(position, line))
    graph = Game("5{0+1/1+2/0+3}")
    said = texts(draw_steps(graph.start(), (1, 0, 2)))
    assert "1 threatens 0 and 2" in said
    assert "2 completes a line" in said


def test_puzzles_with_and_without_solutions() -> None:
    puzzles = [make_puzzle("4^3", 2, seed) for seed in range(4)]
    plain = draw_puzzles(puzzles)
    assert plain.count('href="#board"') == 4
    assert len(texts(plain)) == 6
    solved = draw_puzzles(puzzles, solutions=True)
    assert texts(solved)[0] == "4^3: find the forced win"
    assert [text for text in texts(solved) if text.isdigit()] == ["1", "2", "3", "4", "5"] * 4
    stones = sum(len(puzzle.position.history) for puzzle in puzzles)
    assert plain.count('href="#p') == stones
    assert solved.count('href="#p') == stones + 4 * 5
