"""Values of all moves, from tables and by search, against walking the game."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import LimitError, NotationError, SpecError
from hyperoxo.game import Game, Positions
from hyperoxo.solvers import move_values as room
from hyperoxo.solvers.move_values import NO_MOVE, move_values, solve_many
from tests.expect import message_of
from tests.judge import judge_of, words
from tests.marks import more
from tests.states_oracle import walk
from tests.strategies import games, play_at_random

pytestmark = pytest.mark.usefixtures("own_tables")


@pytest.mark.parametrize(
    "spec", more(["3^2", "3,2,2:gravity,misere", "3^2:opening=0"], ["3^2", "3^2:opening=0"])
)
def test_remoteness_counts_the_move(spec: str) -> None:
    judge = judge_of(Game(spec))
    every = [position for layer in walk(Game(spec)).layers for position in layer.values()]
    answer = move_values(every)
    for number, position in enumerate(every):
        after = {cell: words(judge.after(position, cell), 2) for cell in position.legal_moves}
        moves = answer.of(number)
        assert moves == after
        if after:
            word, plies = words(judge(position), 2)
            best = [cell for cell, known_move in moves.items() if known_move == (word, plies)]
            assert np.flatnonzero(answer.best[number]).tolist() == best
            kept = [cell for cell, (worth, _) in moves.items() if worth == word]
            assert np.flatnonzero(answer.keeps[number]).tolist() == kept
            assert answer.matters[number] == (len(kept) < len(after))
            assert answer.value[number] == {"win": 1, "draw": 0, "loss": -1}[word]
        else:
            assert answer.value[number] == NO_MOVE
            assert not answer.matters[number]


@pytest.mark.more
def test_no_table_is_built_for_a_few_positions_of_a_large_game(tmp_path: Path) -> None:
    found = move_values([Game("4^2").position("1221..1.........")])
    assert not list(tmp_path.rglob("*.values"))
    start = Positions("4^2", np.tile(found.positions.owners, (3_000, 1)))
    table = move_values(start)
    assert list(tmp_path.rglob("*.values"))
    assert (table.values[0] == found.values[0]).all()
    assert (table.remoteness[2_999] == found.remoteness[0]).all()


def test_without_remoteness_the_search_leaves_it_out() -> None:
    position = Game("3^3").position("moves:13,0,1,2")
    assert move_values([position], remoteness=False).of(0)[25] == ("win", None)
    assert move_values([position]).of(0)[25] == ("win", 1)


def test_what_is_no_position_of_the_game_is_refused() -> None:
    for spec, row in (("3^2", [1, 1, 1, 1, 0, 0, 0, 0, 0]), ("3^2:players=3", [3] + [0] * 8)):
        with pytest.raises(SpecError, match="no play of 3"):
            move_values(Positions(spec, [row]))


def test_hopeless_searches_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_MOST_NODES", 1_000)
    with pytest.raises(LimitError, match="were not found within 1,000 positions"):
        move_values([Game("4^3").start()])


def test_work_can_be_stopped_and_tells_how_far_it_is(stop: threading.Event) -> None:
    told: list[tuple[int, int]] = []
    move_values(
        [Game("3^2").start()] * 5_000,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(4_096, 5_000), (5_000, 5_000)]
    for spec in ("3^2", "3^3"):
        with pytest.raises(KeyboardInterrupt):
            move_values([Game(spec).start()], stop=stop)


def test_the_public_names() -> None:
    assert (ox.move_values, ox.solve_many) == (move_values, solve_many)
    start = Game("3^2").start()
    assert move_values(start).of(0) == move_values([start]).of(0)


@pytest.mark.more
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=games(new_rules=True, most_players=3), seed=st.integers(0, 99))
def test_many_positions_have_the_values_of_each(game: Game, seed: int) -> None:
    reached = [play_at_random(game.start(), seed + k, k) for k in range(game.cells + 1)]
    some = [one for one in reached if one.is_over or game.cells - one.ply <= 7]
    found, alone = solve_many(some), [ox.solve(one) for one in some]
    assert found.value.tolist() == [one.value for one in alone]
    for one, plies in zip(alone, found.remoteness, strict=True):
        assert plies == one.remoteness or (plies == -1 and game.players > 2)


@pytest.mark.more
def test_many_positions_are_looked_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [one for layer in walk(Game("3^2")).layers for one in layer.values()][::7]
    alone = [(one.value, one.remoteness) for one in map(ox.solve, every)]
    three = [Game("2^2:players=3").position(text) for text in ("....", "1...", "12..", "1.2.")]
    each = [ox.solve(one).value for one in three]
    monkeypatch.setattr(room, "solve", None)
    assert solve_many(every).tolist() == solve_many(Positions.of(every)).tolist() == alone
    assert solve_many(three).value.tolist() == each


def test_what_is_no_position_is_refused_and_no_position_is_no_work() -> None:
    some = Positions("3^2", [[0] * 9, [1, 1, 1, 1, 0, 0, 0, 0, 0]])
    with pytest.raises(NotationError, match="player 1 has 4 of 4 stones"):
        solve_many(some)
    assert len(solve_many(())) == len(solve_many(some[:0])) == 0
    for wrong in (5, [5], None):
        assert "a board" in message_of(SpecError, solve_many, wrong)  # type: ignore[arg-type]
    for start in ("3^2", ["3^2"], Game("3^2").start()):
        assert solve_many(start).tolist() == [("draw", 9)]


def test_a_search_for_many_positions_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    stop, start = threading.Event(), Game("3^3").start()
    solve_many([start] * 2, progress=lambda *done: told.append(done), stop=stop)
    assert told == [(0, 2), (1, 2), (2, 2)]
    monkeypatch.setattr(room, "solve", lambda *_, stop, **__: stop.set() or ox.solve(start))
    with pytest.raises(KeyboardInterrupt):
        solve_many([start], stop=stop)
