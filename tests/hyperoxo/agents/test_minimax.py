from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.heuristics import kutner_heuristic
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.solvers.exact.minimax import MinimaxSearch, maxstates
from tests.expect import message_of, require
from tests.judge import forced, kutner, plain_minimax
from tests.marks import more
from tests.strategies import running_positions

SMALL = ("3^2", "2^2", "2^3", "3^1")


def plain_value(position: Position, depth: int, heuristic: ox.LineHeuristic | None = None) -> float:
    """Depth-limited minimax; with Kutner's score unless a heuristic is given."""

    def leaf(position: Position) -> float:
        mover = position.ply % 2 + 1
        value = kutner(position, mover) - kutner(position, 3 - mover)
        if heuristic is not None:
            found = ox.energy(position, heuristic).players
            value = found[mover - 1] - found[2 - mover]
        return -value if position.game.misere else value

    return plain_minimax(position, depth, leaf)


Score = Callable[[Position, int], float]


def worth(position: Position, seat: int, of: Score, bias: float = 1.0) -> float:
    """Worth of a leaf to a seat: its own score less `bias` times the mean of the others'."""
    outcome = position.outcome
    if outcome is not None:
        won = 0 if outcome.draw else 1 if seat in outcome.winners else -1
        return (WIN - position.ply) * won
    scores = [of(position, player) for player in range(1, position.game.players + 1)]
    own = scores[seat - 1]
    value = own - bias * (sum(scores) - own) / (len(scores) - 1)
    return -value if position.game.misere else value


def paranoid(position: Position, depth: int, seat: int, of: Score, bias: float = 1.0) -> float:
    """Depth-limited minimax of a seat against all others together."""
    if position.is_over or depth == 0:
        return worth(position, seat, of, bias)
    best = max if position.to_move == seat else min
    return best(paranoid(position.play(c), depth - 1, seat, of, bias) for c in position.legal_moves)


def ising(position: Position, player: int) -> float:
    return ox.energy(position).players[player - 1]


@pytest.mark.parametrize("bias", more([0.647, -1.0, 0.0, 2.5], but=[0.647]))
@given(
    running_positions(
        st.builds(Game, st.sampled_from(["3^2", "2^3:misere", "3^2:gravity", "3^2:players=3"]))
    ),
    st.integers(1, 3),
)
@settings(max_examples=30)
def test_a_bias_weighs_the_rivals_at_the_leaves(
    bias: float, position: Position, depth: int
) -> None:
    agent = MinimaxAgent(depth, "ising", prune="off", bias=bias, concept="paranoid")
    found = agent.search(position)
    seat = position.to_move
    exact = [paranoid(position.play(c), depth - 1, seat, ising, bias) for c in found.moves]
    assert list(found.values) == pytest.approx(exact, rel=1e-9, abs=1e-9)
    pruned = MinimaxAgent(depth, "ising", bias=bias, concept="paranoid").search(position)
    assert max(pruned.values) == pytest.approx(max(exact), rel=1e-9, abs=1e-9)
    if depth == 1:  # to every player for themselves, a single move is the same
        each = MinimaxAgent(1, "ising", bias=bias).search(position)
        assert list(each.values) == pytest.approx(exact, rel=1e-9, abs=1e-9)


two_players = running_positions(
    st.builds(
        lambda side, option: Game(side + option),
        st.sampled_from(SMALL),
        st.sampled_from(["", ":misere", ":gravity", ":target=2", ":blocked=0", ":opening=0x2"]),
    )
)


@given(two_players, st.integers(1, 3), st.booleans())
@settings(max_examples=80)
def test_values_are_those_of_plain_minimax(position: Position, depth: int, prune: bool) -> None:
    result = require(MinimaxSearch(position, kutner_heuristic(), prune=prune).run(depth))
    exact = [-plain_value(position.play(cell), depth - 1) for cell in result.moves]
    best = max(exact)
    assert max(result.values) == pytest.approx(best, rel=1e-12)
    for value, truth in zip(result.values, exact, strict=True):
        if truth == pytest.approx(best, rel=1e-9) or not prune:
            assert value == pytest.approx(truth, rel=1e-9)
        else:
            assert truth <= value + 1e-9
            assert value < best


@pytest.mark.more
@given(two_players, st.integers(1, 3), st.integers(2, 4))
@settings(max_examples=40)
def test_leaves_are_worth_what_the_table_of_their_stage_says(
    position: Position, depth: int, stages: int
) -> None:
    heuristic = ox.line_heuristic(
        lambda own, rivals, n, _q, _c, g: (own * (n + 1 - g) ** 2 - rivals) * (-1) ** g,
        stages=stages,
        full="weight",
    )
    search = MinimaxSearch(position, heuristic)
    depth = min(depth, position.game.cells - position.ply)
    for so_far in range(1, depth + 1):
        result = require(search.run(so_far))
        values = [-plain_value(position.play(c), so_far - 1, heuristic) for c in result.moves]
        assert max(result.values) == pytest.approx(max(values), rel=1e-12)


@pytest.mark.more
@given(two_players)
@settings(max_examples=80)
def test_unlimited_search_is_exact(position: Position) -> None:
    found = MinimaxAgent().search(position)
    assert found.exact
    value = float(max(found.values))
    truth = forced(position, position.to_move)
    assert (value > WIN / 2, value < -WIN / 2) == (truth > 0, truth < 0)
    for i in found.best:
        assert forced(position.play(found.moves[int(i)]), position.to_move) == truth


@given(two_players)
@settings(max_examples=40)
def test_deepening_ends_at_the_same_value(position: Position) -> None:
    free = position.game.cells - position.ply
    at_once = require(MinimaxSearch(position, kutner_heuristic()).run(free))
    stepwise = MinimaxSearch(position, kutner_heuristic()).deepen(free)
    assert stepwise.exact
    assert max(at_once.values) == max(stepwise.values)
    assert at_once.best.tolist() == stepwise.best.tolist()


def test_it_never_loses_to_chance() -> None:
    result = ox.match("3^2", ["minimax:depth=9", "random"], games=150, seed=2, swap=True)
    assert result.wins[1] == 0


def test_wins_are_taken_at_once() -> None:
    explanation = ox.agent("minimax:depth=6").think(Game("3^2").position("moves:0,3,1,4"), 0)
    assert explanation.move == 2
    assert explanation.reason == "Cell c3 wins in 1 move."
    lost = ox.agent("minimax:depth=6,ties=lowest").think(Game("3^2").position("moves:0,1,4"), 0)
    assert lost.reason.startswith("Every move loses")


def test_ties_are_spread() -> None:
    chosen = {ox.agent("minimax:depth=9").choose(Game("3^2").start(), i) for i in range(60)}
    assert chosen == set(range(9))


def test_limits_and_refusals() -> None:
    assert "prune=off needs a depth" in message_of(SpecError, ox.agent, "minimax:prune=off")
    with pytest.raises(AgentError, match="over"):
        ox.agent("minimax").choose(Game("3^2").position("11122...."), 0)
    assert "scans" in message_of(SpecError, ox.agent, "minimax:heuristic=ising-scan")


def test_the_search_stops_at_its_limits() -> None:
    start = Game("4^3").start()
    search = MinimaxSearch(start, kutner_heuristic(), node_limit=500)
    assert search.run(6) is None
    assert search.result is None
    stopped = MinimaxSearch(start, kutner_heuristic())
    stopped.stop_flag[0] = 1
    assert stopped.run(8) is None
    # One ply is always searched, whatever the limit.
    assert MinimaxSearch(start, kutner_heuristic(), node_limit=1).deepen(9).depth == 1


def test_seconds_are_kept() -> None:
    agent = ox.agent("minimax:seconds=0.2")
    agent.choose(Game("3^2").start(), 0)
    begin, worked = time.perf_counter(), time.process_time()
    agent.choose(Game("4^3").start(), 0)
    assert time.perf_counter() - begin > 0.1
    assert time.process_time() - worked < 20


def test_the_principal_variation_is_legal_play_of_the_value() -> None:
    found = MinimaxAgent().search(Game("3^3").start())
    position = Game("3^3").start()
    for cell in found.variation:
        position = position.play(cell)
    assert found.plies_to_end == 7
    assert found.variation[0] == 13


@pytest.mark.parametrize(
    ("spec", "plies"), [("3^3", 7), ("3^3:gravity", 9), ("3^4", 7), ("3^2", None), ("4^2", None)]
)
def test_known_values_from_the_empty_board(spec: str, plies: int | None) -> None:
    found = MinimaxAgent().search(Game(spec).start())
    assert found.exact
    assert found.plies_to_end == plies


def test_visits_follow_the_report() -> None:
    """Plain minimax of depth 2 visits 9 + 9 * 8, 7 + 7 * 6, ... positions on 3^2."""
    agent = MinimaxAgent(depth=2, heuristic="lines", prune="off", ties="lowest")
    assert agent.search(Game("3^2").start()).visits == (1, 9, 72)
    assert maxstates(9, 2) == 9 * 8 + 7 * 6 + 5 * 4 + 3 * 2
    assert maxstates(9, 1) == 9 + 7 + 5 + 3 + 1
    # 825 states in five games of X in the report: every game of 81 + 49 + 25 + 9 + 1.
    assert 5 * sum(free + free * (free - 1) for free in (9, 7, 5, 3, 1)) == 825


@pytest.mark.more
@given(running_positions(st.sampled_from([Game("3^2:players=3"), Game("2^3:players=4,misere")])))
@settings(max_examples=40)
def test_more_players_against_plain_search(position: Position) -> None:
    mover = position.to_move
    pruned = require(MinimaxSearch(position, kutner_heuristic()).run(2))
    exact = [paranoid(position.play(cell), 1, mover, kutner) for cell in pruned.moves]
    assert max(pruned.values) == pytest.approx(max(exact), rel=1e-9, abs=1e-9)
    whole = require(MinimaxSearch(position, kutner_heuristic(), prune=False).run(2))
    assert list(whole.values) == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert whole.nodes >= pruned.nodes
    maxn = require(MinimaxSearch(position, kutner_heuristic(), maxn=True).run(2))
    for cell, value in zip(maxn.moves, maxn.values, strict=True):
        # The next player may have several best moves that differ to us.
        possible = best_replies(position.play(cell), mover)
        assert any(value == pytest.approx(other, rel=1e-9, abs=1e-9) for other in possible)


def best_replies(position: Position, root: int) -> list[float]:
    if position.is_over:
        return [worth(position, root, kutner)]
    children = [position.play(cell) for cell in position.legal_moves]
    mine = [worth(child, position.to_move, kutner) for child in children]
    return [
        worth(child, root, kutner)
        for child, value in zip(children, mine, strict=True)
        if value == pytest.approx(max(mine), rel=1e-9, abs=1e-9)
    ]


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("3^2:players=3", {"depth": 2}),
        ("4^2:players=4,misere", {"depth": 2}),
        pytest.param("4^2", {"nodes": 300}, marks=pytest.mark.more),
    ],
)
def test_what_is_remembered_is_the_same_for_every_order_of_moves(
    spec: str, options: dict[str, Any]
) -> None:
    """Or results of a match would depend on which games one worker has played before."""
    game = Game(spec)
    rng = np.random.default_rng(0)
    remembering = MinimaxAgent(**options)
    for _ in range(40):
        cells = rng.permutation(game.cells)[: 2 * game.players]
        for _ in range(3):
            stones = [
                rng.permutation(cells[player :: game.players]) for player in range(game.players)
            ]
            position = game.start()
            for cell in np.stack(stones, axis=1).ravel():
                if not position.is_over:
                    position = position.play(int(cell))
            if not position.is_over:
                fresh = MinimaxAgent(**options).search(position)
                assert remembering.search(position).best.tolist() == fresh.best.tolist()
