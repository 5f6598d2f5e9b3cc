"""Puzzles keep what they promise, judged by the definition of forced wins."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from hyperoxo.errors import LimitError, NotSupportedError, SpecError
from hyperoxo.game import completing_cells
from hyperoxo.lab.puzzle import Puzzle, daily_puzzle, make_puzzle
from hyperoxo.solvers.threats.forced_wins import forced_wins
from hyperoxo.solvers.threats.sequence import verify_sequence
from hyperoxo.solvers.values import solve
from tests.expect import message_of
from tests.marks import more
from tests.threat_oracle import ThreatOracle, TooLongError

ROWS = [
    ("4^3", 1),
    ("4^3", 2),
    ("4^3", 4),
    ("4^3", 7),
    ("3^2", 1),
    ("3^2", 2),
    ("4^2", 1),
    ("5,5,4", 3),
    ("7,6,4:gravity", 2),
    ("4^3:gravity", 3),
    ("4^4", 2),
]


def check(puzzle: Puzzle, length: int) -> None:
    position = puzzle.position
    me = position.to_move
    assert not completing_cells(position, me)
    assert not completing_cells(position, 3 - me)
    assert puzzle.length == length
    assert len(puzzle.solution) == 2 * length + 1
    found = forced_wins(position)
    assert found.complete
    assert found.length == length
    assert [move.cell for move in found.moves] == [puzzle.first]
    verified = verify_sequence(position, "x".join(map(str, puzzle.solution)))
    assert verified.holds
    assert verified.ending == "line"
    assert position.game.position("moves:" + ",".join(map(str, position.history))) == position


@pytest.mark.parametrize(("spec", "length"), more(ROWS, [("4^4", 2)]))
def test_one_first_move_and_the_length_asked_for(spec: str, length: int) -> None:
    for seed in range(3):
        check(make_puzzle(spec, length, seed), length)


@pytest.mark.parametrize(("spec", "length"), [("3^2", 1), ("3^2", 2), ("4^2", 1), ("5,5,4", 2)])
def test_against_trying_everything(spec: str, length: int) -> None:
    compared = 0
    for seed in range(8):
        puzzle = make_puzzle(spec, length, seed)
        position = puzzle.position
        oracle = ThreatOracle(position.game, most=20_000)
        try:
            winning = [cell for cell in position.legal_moves if oracle.starts_win(position, cell)]
            assert winning == [puzzle.first]
            assert oracle.fewest(position) == length
        except TooLongError:
            continue
        compared += 1
    assert compared >= 5


def test_the_seed_decides() -> None:
    assert make_puzzle("4^3", 3, 7) == make_puzzle("4^3", 3, np.random.default_rng(7))
    positions = {make_puzzle("4^3", 3, seed).position.text for seed in range(6)}
    assert len(positions) == 6


@pytest.mark.more
def test_strict_puzzles_have_one_winning_move_of_any_kind() -> None:
    loose = [make_puzzle("3^2", 1, seed) for seed in range(20)]
    strict = [make_puzzle("3^2", 1, seed, strict=True) for seed in range(20)]
    for puzzle in strict:
        values = {move.cell: move.value for move in solve(puzzle.position).moves}
        assert [cell for cell, value in values.items() if value == "win"] == [puzzle.first]
        assert puzzle.strict
    assert not any(puzzle.strict for puzzle in loose)


@pytest.mark.more
def test_other_moves_may_win_more_slowly_unless_strict() -> None:
    slower = 0
    for seed in range(6):
        puzzle = make_puzzle("5,4,4:gravity", 2, seed)
        values = [move.value for move in solve(puzzle.position).moves]
        slower += values.count("win") > 1
        strict = make_puzzle("5,4,4:gravity", 2, seed, strict=True)
        assert [move.value for move in solve(strict.position).moves].count("win") == 1
    assert slower > 0


def test_the_puzzle_of_a_day() -> None:
    monday = dt.date(2024, 1, 1)
    days = [monday + dt.timedelta(number) for number in range(7)]
    puzzles = [daily_puzzle("4^3", day) for day in days]
    assert [puzzle.length for puzzle in puzzles] == [2, 3, 3, 4, 4, 5, 6]
    for puzzle in puzzles:
        check(puzzle, puzzle.length)
    assert daily_puzzle("4^3", monday) == puzzles[0]
    assert daily_puzzle("4^3", monday, 3).length == 3
    assert len({puzzle.position.text for puzzle in puzzles}) == 7
    assert daily_puzzle("4^3:gravity", monday).position != puzzles[0].position


@pytest.mark.more
def test_a_game_with_short_wins_only_has_a_puzzle_every_day() -> None:
    assert 1 <= daily_puzzle("3^2", dt.date(2024, 1, 7)).length <= 2


def test_what_is_refused() -> None:
    assert "length must be 1 to 32" in message_of(SpecError, make_puzzle, "4^3", 0)
    assert "length must be 1 to 4" in message_of(SpecError, make_puzzle, "3^2", 5)
    assert "needs two players" in message_of(NotSupportedError, make_puzzle, "3^3:players=3", 2)
    with pytest.raises(LimitError, match="no puzzle of length 4 in 20 games of 3\\^2"):
        make_puzzle("3^2", 4, 0, games=20)
    with pytest.raises(LimitError, match="no strict puzzle of length 4 in 1 game of"):
        make_puzzle("3^2", 4, 0, games=1, strict=True)


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    with pytest.raises(LimitError):
        make_puzzle("3^2", 4, 0, games=3, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
