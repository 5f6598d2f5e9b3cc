"""The compiled rules against the readable ones, on random games of random rules."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hyperoxo.game import Game, Position, outcome_of
from hyperoxo.kernels import state as k
from hyperoxo.solvers.arrays import state_of, tables_of
from tests.strategies import games, positions

ANY = games(new_rules=True)


def assert_same(t: NDArray[np.int32], s: NDArray[np.int32], position: Position) -> None:
    game = position.game
    owners = [0 if owner == 255 else owner for owner in position.owners]
    assert s[t[k.S_OWNER] : t[k.S_COUNT]].tolist() == owners
    assert tuple(s[t[k.S_OWNED] : t[k.S_LEGAL]].tolist()) == position.lines_owned
    assert s[k.PLIES] == position.ply
    assert outcome_of(int(s[k.RESULT]), game.players) == position.outcome
    counts = s[t[k.S_COUNT] : t[k.S_OWNED]].reshape(game.board.line_count, game.players)
    for line in range(game.board.line_count):
        on_line = [position.owners[cell] for cell in game.board.line(line)]
        assert counts[line].tolist() == [on_line.count(p + 1) for p in range(game.players)]
    if not position.is_over:
        out = np.empty(t[k.PLAYABLE], np.int32)
        assert sorted(out[: k.legal_moves(t, s, out)].tolist()) == [*position.legal_moves]


@given(ANY, st.integers(0, 2**32))
def test_play_and_undo_follow_the_reference(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    t, s = tables_of(game), state_of(game.start())
    position = game.start()
    trail = [(position, s.copy())]
    while not position.is_over:
        cell = rng.choice(position.legal_moves)
        position = position.play(cell)
        k.play(t, s, cell)
        assert_same(t, s, position)
        trail.append((position, s.copy()))
    while len(trail) > 1:
        trail.pop()
        k.undo(t, s)
        assert_same(t, s, trail[-1][0])
        free = slice(int(t[k.S_LEGAL]), int(t[k.S_LEGAL] + s[k.LEGAL]))
        assert s[free].tolist() == trail[-1][1][free].tolist()


@pytest.mark.more
@given(positions(ANY))
def test_loading_owners_gives_the_state_of_the_game(position: Position) -> None:
    t = tables_of(position.game)
    s = k.new_state(t)
    k.load(t, s, np.frombuffer(position.owners, dtype=np.uint8))
    assert_same(t, s, position)


@given(positions(ANY))
def test_state_of_a_setup_can_be_played_on(position: Position) -> None:
    setup = Position.from_owners(position.game, position.owners)
    t, s = tables_of(position.game), state_of(setup)
    assert_same(t, s, setup)
    if not setup.is_over:
        cell = setup.legal_moves[-1]
        k.play(t, s, cell)
        assert_same(t, s, setup.play(cell))
