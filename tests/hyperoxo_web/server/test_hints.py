from __future__ import annotations

import pytest

from hyperoxo.errors import IllegalMoveError
from hyperoxo.game import Game
from hyperoxo.lab.puzzle import make_puzzle
from hyperoxo_web.server.hints import answer, hint
from tests.expect import require


@pytest.mark.parametrize(
    ("spec", "moves", "cell", "line", "words"),
    [
        ("3^2", "0,3,1,4", 2, [0, 1, 2], "Complete this line and win."),
        ("3^2", "0,4,1", 2, [0, 1, 2], "Cross completes this line next: stop it."),
        ("3^2:target=2", "0,3,1,4", 2, [0, 1, 2], "Complete this line."),
        ("5,3,3:exact", "0,5,1,9,3,10,7,13,12,8", 2, [2, 7, 12], "Complete this line and win."),
        ("4^3", "", 0, None, "The stored proof plays here and wins against every answer."),
        ("3^3:misere", "13", None, None, "A quick search finds this the safest cell."),
    ],
)
@pytest.mark.more
def test_a_hint_names_a_move_its_line_and_why(
    spec: str, moves: str, cell: int | None, line: list[int] | None, words: str
) -> None:
    game = Game(spec)
    found = hint(game.position(f"moves:{moves}") if moves else game.start())
    assert found.words == words
    assert cell in (None, found.cell)
    if line is not None:
        assert game.board.line(require(found.line)).tolist() == line


@pytest.mark.parametrize("length", [1, 3])
def test_a_forced_win_begins_with_a_threat_on_the_line(length: int) -> None:
    puzzle = make_puzzle("4^3", length, 1)
    found = hint(puzzle.position)
    assert found.cell == puzzle.first
    line = puzzle.game.board.line(require(found.line)).tolist()
    assert sum(puzzle.position.owners[cell] for cell in line) == 2 * puzzle.position.to_move
    assert ("one of them can be stopped" in found.words) is (length == 1)


@pytest.mark.more
@pytest.mark.parametrize("spec", ["2^3:players=4", "15,15,5", "7,6,4:gravity", "6^3"])
def test_any_game_has_hints(spec: str) -> None:
    position = Game(spec).start()
    for _ in range(3):
        found = hint(position)
        assert found.cell in position.game.board.line(require(found.line))
        position = position.play(found.cell)


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
        position = position.play(cell).play(require(step.reply))
    wins = [cell for cell in position.legal_moves if answer(position, cell).verdict == "solved"]
    assert wins


def test_why_a_move_is_wrong() -> None:
    game = Game("3^2")
    assert answer(game.position("moves:4,1"), 7).why == "That makes no threat. Try another cell."
    late = answer(game.position("moves:4,0,8,1"), 5)
    assert late.why == "The other side completes a line first."
    with pytest.raises(IllegalMoveError):
        answer(game.position("moves:4,1"), 4)
