from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError, LimitError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof import verify
from hyperoxo.proof.dictionary_check import check_dictionary
from hyperoxo.proof.dictionary_file import read_proof
from hyperoxo.solvers import solve
from hyperoxo.solvers.proofsearch import driver
from hyperoxo.solvers.proofsearch.driver import (
    ProofSettings,
    ProofSolver,
    certificate_of,
    solve_by_proof,
)
from hyperoxo.solvers.proofsearch.view import words_of
from hyperoxo.solvers.solution import Question, Solution
from tests.judge import forced
from tests.marks import more
from tests.proof_boards import running_position, some_position, spread, strong_specs

SMALL = ProofSettings(megabytes=1)
WORDS = {1: "win", 0: "draw", -1: "loss"}
RANK = {"loss": -1, "draw": 0, "win": 1}


def truth(position: Position) -> str:
    return WORDS[forced(position, position.to_move)]


def within(solution: Solution, position: Position) -> None:
    """The bounds of a position and of all its moves hold."""
    low, high = solution.bounds
    assert RANK[low] <= RANK[truth(position)] <= RANK[high]
    for move in solution.moves:
        worth = forced(position.play(move.cell), position.to_move)
        assert RANK[move.bounds[0]] <= worth <= RANK[move.bounds[1]]


@pytest.mark.more
@given(strong_specs(), st.booleans(), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_values_certificates_and_every_move(spec: str, every: bool, rng: random.Random) -> None:
    position = running_position(Game(spec), rng, most_free=9 - every)
    solver = ProofSolver(position, replace(SMALL, asked=Question.EVERY_MOVE) if every else SMALL)
    solver.run()
    solution = solver.solution()
    assert solution.value == truth(position)
    within(solution, position)
    if every:
        assert solution.complete
        assert {move.cell: move.value for move in solution.moves} == {
            cell: WORDS[forced(position.play(cell), position.to_move)]
            for cell in position.legal_moves
        }
    winner = solution.winner
    if winner and solver.attacking(winner).is_proved(words_of(position, winner)):
        found = check_dictionary(certificate_of(solver, winner))
        assert found.verdict == "proved", found.reason


def test_it_says_how_many_moves_are_decided() -> None:
    position = Game("3^3").position("moves:0,13")
    said: list[str] = []
    settings = replace(SMALL, asked=Question.EVERY_MOVE)
    solver = ProofSolver(position, settings, lambda what, _: said.append(what))
    solver.run(nodes=1)
    few = sum(move.known.decided for move in solver.solution().moves)
    assert solver.solution().evidence[-1] == f"Every move: {few} of 25 moves decided."
    assert few < 25
    solver.run()
    assert solver.solution().evidence[-1] == "Every move: 25 of 25 moves decided."
    assert all(what.endswith(" of 25 moves decided") for what in said)


@pytest.mark.more
@given(strong_specs(), st.integers(1, 30), st.integers(0, 4), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_limits_leave_true_bounds(spec: str, nodes: int, width: int, rng: random.Random) -> None:
    position = running_position(Game(spec), rng, most_free=9)
    solver = ProofSolver(position, replace(SMALL, width=width))
    solver.run(nodes=nodes)
    within(solver.solution(), position)


@pytest.mark.more
@given(strong_specs(), st.integers(1, 2), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_one_attacker_wins_or_is_proved_not_to(
    spec: str, attacker: int, rng: random.Random
) -> None:
    position = running_position(Game(spec), rng, most_free=9)
    solver = ProofSolver(position, replace(SMALL, attacker=attacker))
    solver.run()
    solution = solver.solution()
    within(solution, position)
    wins = "win" if attacker == position.to_move else "loss"
    if truth(position) == wins:
        assert (solution.value, solution.winner) == (wins, attacker)
    else:
        assert wins not in solution.bounds
    assert not solver.attacking(3 - attacker).entries


def test_an_attack_that_fails_says_no_more_than_it_proved() -> None:
    position = Game("3^2").position("moves:0")
    found = solve_by_proof(position, settings=replace(SMALL, attacker=1))
    assert (found.value, found.winner, found.bounds) == ("unknown", None, ("draw", "win"))
    assert "player 1 cannot force a win" in found.evidence[-1]
    narrow = solve_by_proof(position, settings=replace(SMALL, attacker=2, width=1))
    assert narrow.bounds == ("loss", "win")
    assert "not decided; there is no win with the best moves alone, 1 of" in narrow.evidence[-1]
    limited = solve_by_proof(
        Game("4^3:opening=poorx5").start(), settings=replace(SMALL, attacker=2), nodes=50
    )
    assert limited.bounds == ("loss", "win")
    assert "player 2" in limited.evidence[-1]
    assert "the limit came first" in limited.evidence[-1]
    assert 0 < limited.nodes < 100
    with pytest.raises(SpecError, match="attacker is player 1 or 2, not 3"):
        solve_by_proof(position, settings=replace(SMALL, attacker=3))


@pytest.mark.parametrize("spec", ["4^2", "4,4,3", "3^3:opening=0x2", "5,4,4:blocked=7"])
def test_exact_search_says_the_same(spec: str) -> None:
    position = some_position(Game(spec), random.Random(spec), most_free=13)
    for board in (position, Game(spec).position(position.text)):
        exact = solve(board, seconds=60)
        by_proof = solve_by_proof(board, settings=replace(SMALL, threads=2))
        assert exact.value == by_proof.value
        assert exact.winner == by_proof.winner


@pytest.mark.more
def test_a_wide_board() -> None:
    rng = random.Random(5)
    for spec in ("4,4,3", "3^2", "4^2"):
        position = some_position(spread(Game(spec), 100, rng), rng, most_free=9)
        assert solve_by_proof(position, settings=SMALL).value == truth(position)


@pytest.mark.more
@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("15,15,5", "112,0,113,14,97,210,98,224"),
        ("18,18,5", "171,0,172,17,152,306,153,323"),
    ],
)
def test_a_win_on_a_large_board_is_certified(spec: str, moves: str, tmp_path: Path) -> None:
    """A square of four stones, with quiet moves; boards of 225 and of 324 cells."""
    position = Game(spec).position(f"moves:{moves}")
    solution = solve_by_proof(position, settings=SMALL, proof=tmp_path / "proof")
    assert (solution.value, solution.proof) == ("win", str(tmp_path / "proof"))
    assert verify(tmp_path / "proof").proved
    assert len(read_proof(tmp_path / "proof").moves) == 3


@pytest.mark.parametrize(
    "cells", more([225, 350, pytest.param(300, marks=pytest.mark.slow)], but=[225])
)
def test_what_is_proved_among_blocked_cells(cells: int, tmp_path: Path) -> None:
    """The same game on a small board and spread over a large one has the same value.

    Code is compiled for each number of words, which takes seconds: the boards above have as many.
    """
    rng = random.Random(1)
    for spec in ("3^3", "4,4,3"):
        position = spread(Game(spec), cells, rng).start()
        solution = solve_by_proof(position, settings=SMALL, proof=tmp_path / "proof")
        assert solution.value == "win"
        assert verify(tmp_path / "proof").proved


def test_boards_that_are_too_large() -> None:
    with pytest.raises(LimitError, match="at most 1,000 cells; 11"):
        ProofSolver(Game("11^3").start(), SMALL)


@pytest.mark.more
def test_a_stopped_solver_goes_on_from_its_files(tmp_path: Path) -> None:
    position = Game("4^3").position("moves:0,1,21,42")
    settings_ = ProofSettings(megabytes=16, checkpoint=str(tmp_path / "save"))
    first = ProofSolver(position, settings_)
    first.run(nodes=300)
    assert first.solution().value == "unknown"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["save.1.5"]
    second = ProofSolver(position, settings_)
    assert second.attacking(1).entries == first.attacking(1).entries > 100
    second.run()
    assert second.solution().value == "win"
    fresh = ProofSolver(position, ProofSettings(megabytes=16))
    fresh.run()
    assert second.solution().nodes < fresh.solution().nodes
    file = tmp_path / "save.1.5"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(CheckFailedError, match="damaged"):
        ProofSolver(position, settings_)


@pytest.mark.more
def test_the_narrowest_search_is_left_where_it_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "_NARROWEST", 200)
    position = Game("4^3").position("moves:0,1,21,42")
    for attacker in (None, 1):
        settings_ = ProofSettings(
            megabytes=16, attacker=attacker, checkpoint=str(tmp_path / f"save{attacker}")
        )
        first = ProofSolver(position, settings_)
        first.run(nodes=150)
        assert first.attacking(1).width == 5
        first.run(nodes=100)
        assert first.attacking(1).width == 10
        assert first.solution().value == "unknown"
        assert first.attacking(1).entries > 0
        second = ProofSolver(position, settings_)
        assert second.attacking(1).width == 10
        assert second.attacking(1).entries == first.attacking(1).entries
        for solver in (first, second, ProofSolver(position, ProofSettings(megabytes=16))):
            solver.run()
            assert solver.solution().value == "win"
            assert solver.attacking(1).width == 10
            assert check_dictionary(certificate_of(solver, 1)).verdict == "proved"
    alone = ProofSolver(position, ProofSettings(megabytes=16, width=5))
    alone.run()
    assert (alone.solution().value, alone.attacking(1).width) == ("win", 5)


@pytest.mark.more
@given(strong_specs(), st.integers(1, 20), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_a_search_that_is_left_decides_nothing(spec: str, nodes: int, rng: random.Random) -> None:
    position = running_position(Game(spec), rng, most_free=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "_NARROWEST", nodes)
        patch.setattr(driver, "_WIDTHS", (1, 2, 3, 0))
        for settings_ in (
            SMALL,
            replace(SMALL, asked=Question.EVERY_MOVE),
            replace(SMALL, attacker=1),
        ):
            solver = ProofSolver(position, settings_)
            solver.run()
            within(solver.solution(), position)
            assert settings_.attacker or solver.solution().value == truth(position)


def test_nothing_to_solve() -> None:
    with pytest.raises(SpecError, match="over"):
        ProofSolver(Game("3^2").position("moves:0,3,1,4,2"))
