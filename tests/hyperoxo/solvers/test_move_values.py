"""Values of all moves, from tables and by search, against walking the game."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game, Positions
from hyperoxo.solvers import move_values as room
from hyperoxo.solvers.move_values import NO_MOVE, move_values
from tests.judge import judge_of, words
from tests.states_oracle import walk

pytestmark = pytest.mark.usefixtures("own_tables")


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("3^2", marks=pytest.mark.more),
        "3,2,2:gravity,misere",
        pytest.param("3^2:opening=0", marks=pytest.mark.more),
    ],
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
    found = move_values([position], remoteness=False)
    assert found.of(0)[25] == ("win", None)
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


def test_the_public_name() -> None:
    assert ox.move_values is move_values
