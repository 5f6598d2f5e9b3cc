from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.position import Position
from hyperoxo.rules import Game
from tests.strategies import positions

SMALL = ("3^2", "2^2", "2^3", "3^1")


def plain_value(position: Position, depth: int) -> float:
    """Depth-limited minimax with Kutner's score, all by positions."""
    outcome = position.outcome
    mover = position.ply % 2 + 1
    if outcome is not None:
        if outcome.draw:
            return 0.0
        return (1e15 - position.ply) * (1 if outcome.winner == mover else -1)
    if depth == 0:
        value = score(position, mover) - score(position, 3 - mover)
        return -value if position.game.misere else value
    return max(-plain_value(position.play(cell), depth - 1) for cell in position.legal_moves)


def score(position: Position, player: int) -> float:
    value = 0.0
    big = 4.0 * 2.0 * max(int(position.game.board.degrees.max()), 1)
    for line in range(position.game.board.line_count):
        stones = [position.owners[cell] for cell in position.game.board.line(line)]
        own, rivals, size = stones.count(player), stones.count(3 - player), len(stones)
        if own == size:
            value += big
        elif own and not rivals:
            value += 1 / (size - own)
        elif rivals and not own and rivals < size:
            value -= 1 / (size - rivals)
    return value


two_players = positions(
    st.builds(
        lambda side, option: Game(side + option),
        st.sampled_from(SMALL),
        st.sampled_from(["", ":misere", ":gravity", ":target=2", ":blocked=0", ":opening=0x2"]),
    )
).filter(lambda position: not position.is_over)


@given(two_players, st.integers(1, 3))
@settings(max_examples=60)
def test_values_are_those_of_plain_minimax(position: Position, depth: int) -> None:
    moves, values = MinimaxAgent(depth).move_values(position)
    exact = [-plain_value(position.play(cell), depth - 1) for cell in moves]
    best = max(exact)
    assert max(values) == pytest.approx(best, rel=1e-12)
    for value, truth in zip(values, exact, strict=True):
        if truth == pytest.approx(best, rel=1e-9):
            assert value == pytest.approx(best, rel=1e-9)
        else:
            assert truth <= value + 1e-9
            assert value < best


@cache
def solved(position: Position) -> int:
    outcome = position.outcome
    if outcome is not None:
        mover = position.ply % 2 + 1
        return 0 if outcome.draw else 1 if outcome.winner == mover else -1
    return max(-solved(position.play(cell)) for cell in position.legal_moves)


@given(positions(st.sampled_from([Game("3^2"), Game("3^2:misere"), Game("3^2:gravity")])))
def test_full_depth_is_perfect_on_three_squared(position: Position) -> None:
    if position.is_over:
        return
    move = ox.agent("minimax:depth=9").choose(position, 3)
    assert -solved(position.play(move)) == solved(position)


def test_it_never_loses_to_chance() -> None:
    result = ox.match("3^2", ["minimax:depth=9", "random"], games=150, seed=2, swap=True)
    assert result.wins[1] == 0


def test_wins_are_taken_at_once() -> None:
    explanation = ox.agent("minimax:depth=6").explain(Game("3^2").position("moves:0,3,1,4"), 0)
    assert explanation is not None
    assert explanation.move == 2
    assert explanation.reason == "Cell 2 wins in 1 ply."
    lost = ox.agent("minimax:depth=6,ties=lowest").explain(Game("3^2").position("moves:0,1,4"), 0)
    assert lost is not None
    assert lost.reason.startswith("Every move loses")


def test_ties_are_spread() -> None:
    chosen = {ox.agent("minimax:depth=9").choose(Game("3^2").start(), i) for i in range(60)}
    assert chosen == set(range(9))


def test_limits_and_refusals() -> None:
    with pytest.raises(AgentError, match="two players"):
        ox.agent("minimax").check(Game("3^2:players=3"))
    with pytest.raises(AgentError, match="over"):
        ox.agent("minimax").choose(Game("3^2").position("11122...."), 0)
    with pytest.raises(SpecError, match="scans"):
        ox.agent("minimax:heuristic=ising-scan")


def test_the_search_stops_at_its_limits() -> None:
    from hyperoxo.kernels.minimax import NODE_LIMIT, NODES, STOP, search
    from hyperoxo.solve.arrays import state_of, tables_of

    agent = MinimaxAgent(8)
    start = Game("4^2").start()
    t, s = tables_of(start.game), state_of(start)
    kinds, difference = agent._difference(start.game)
    line = np.full(70, -1, np.int32)
    for entry, amount in ((NODE_LIMIT, 500), (STOP, 1)):
        control = np.zeros(3, np.int64)
        control[entry] = amount
        before = s.copy()
        value = search(t, s, difference, kinds, 8, -np.inf, np.inf, line, control)
        assert np.isnan(value)
        assert control[NODES] <= 1024
        assert (s[: t[20]] == before[: t[20]]).all()


def test_the_principal_variation_is_legal_play() -> None:
    from hyperoxo.kernels.minimax import search
    from hyperoxo.solve.arrays import state_of, tables_of

    start = Game("3^2").position("moves:0,4")
    t, s = tables_of(start.game), state_of(start)
    kinds, difference = MinimaxAgent(4)._difference(start.game)
    line = np.full(10, -1, np.int32)
    control = np.zeros(3, np.int64)
    search(t, s, difference, kinds, 4, -np.inf, np.inf, line, control)
    played = start
    for cell in line[: line.tolist().index(-1)]:
        played = played.play(int(cell))
    assert played.ply == 6
