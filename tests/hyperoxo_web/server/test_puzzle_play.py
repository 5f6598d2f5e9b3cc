from __future__ import annotations

import pytest

from hyperoxo.errors import IllegalMoveError
from hyperoxo.game import Game
from hyperoxo.lab.puzzle import make_puzzle
from hyperoxo_web.server.hints import answer


def test_only_the_first_move_of_a_puzzle_is_right() -> None:
    puzzle = make_puzzle("4^3", 3, 1)
    right = [
        cell
        for cell in puzzle.position.legal_moves
        if answer(puzzle.position, cell).verdict != "wrong"
    ]
    assert right == [puzzle.first]


def test_the_solution_is_right_to_its_end() -> None:
    puzzle = make_puzzle("4^3:gravity", 2, 3)
    position = puzzle.position
    for cell in puzzle.solution[::2][:-1]:
        step = answer(position, cell)
        assert step.verdict == "right"
        assert step.reply is not None
        position = position.play(cell).play(step.reply)
    wins = [cell for cell in position.legal_moves if answer(position, cell).verdict == "solved"]
    assert wins


def test_why_a_move_is_wrong() -> None:
    game = Game("3^2")
    assert answer(game.position("moves:4,1"), 7).why == "That makes no threat. Try another cell."
    late = answer(game.position("moves:4,0,8,1"), 5)
    assert late.why == "The other side completes a line first."
    with pytest.raises(IllegalMoveError):
        answer(game.position("moves:4,1"), 4)
