from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hyperoxo.game import Game, Position
from hyperoxo.kernels import threats
from hyperoxo.kernels.cell_sets import CellSet, cells_of
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.state import LEGAL, S_LEGAL
from hyperoxo.kernels.threat_bits import (
    CUT,
    FOREVER,
    NONE,
    STOPPED,
    bit_board,
    completions,
    find_win_bits,
    new_bit_work,
)
from hyperoxo.kernels.threats import completing_cells, find_win, new_work
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.threats.search import ThreatSearch
from tests.strategies import hypergraph_specs, mnk_specs
from tests.threat_oracle import ThreatOracle, TooLongError, random_position, stones

Search = Callable[[Position, int], tuple[int, list[int]]]


def word(position: Position, player: int) -> CellSet:
    return cells_of(stones(position, player), position.game.board.cell_count)


def bit_search(game: Game, memo_bits: int = 10, node_limit: int = 0) -> Search:
    board = bit_board(
        game.board.cell_count,
        [game.board.line(i).tolist() for i in range(game.board.line_count)],
        attacker_only=game.convention.maker_only,
    )
    work = new_bit_work(board, memo_bits)
    line = np.zeros(game.board.cell_count + 2, np.int32)

    def search(position: Position, limit: int) -> tuple[int, list[int]]:
        control = np.array([0, node_limit, 0])
        me = position.to_move
        if not game.convention.counts(me):
            return NONE, []
        own, other = word(position, me), word(position, 3 - me)
        length = find_win_bits(board, work, control, own, other, limit, line)
        return length, line[: max(length, 0)].tolist()

    return search


def state_search(game: Game, memo_bits: int = 10, node_limit: int = 0) -> Search:
    tables = tables_of(game)
    work = new_work(tables)
    memo = np.zeros(3 << memo_bits, np.uint64)
    line = np.zeros(game.board.cell_count + 2, np.int32)

    def search(position: Position, limit: int) -> tuple[int, list[int]]:
        state = state_of(position)
        before = state.copy()
        control = np.array([0, node_limit, 0])
        length = find_win(tables, state, work, memo, control, limit, line)
        assert np.array_equal(_sorted(tables, state), _sorted(tables, before))
        return length, line[: max(length, 0)].tolist()

    return search


def _sorted(tables: NDArray[np.int32], state: NDArray[np.int32]) -> NDArray[np.int32]:
    """Everything that counts: owners, counters, and the landing cells as a set."""
    first = tables[S_LEGAL]
    return np.concatenate([state[:first], np.sort(state[first : first + state[LEGAL]])])


def check_line(position: Position, line: list[int], oracle: ThreatOracle) -> None:
    """Every move of a line is a threat, every answer is the only one, the last move wins."""
    attacker = position.to_move
    for i in range(0, len(line) - 1, 2):
        assert not oracle.completing(position, attacker)
        after = position.play(line[i])
        assert not oracle.completing(after, 3 - attacker)
        answers = oracle.completing(after, attacker)
        assert line[i + 1] in answers
        assert len(answers) == 1 or i == len(line) - 3
        position = after.play(line[i + 1])
    outcome = position.play(line[-1]).outcome
    assert outcome is not None
    assert outcome.winner == attacker


def compare(game: Game, searches: list[Search], positions: list[Position]) -> tuple[int, int]:
    oracle = ThreatOracle(game)
    wins = deep = 0
    for position in positions:
        if position.is_over:
            continue
        try:
            fewest = oracle.fewest(position)
        except TooLongError:
            continue
        for search in searches:
            length, line = search(position, FOREVER)
            assert (length > 0) == (fewest is not None)
            assert length != CUT
            if fewest is None:
                # What is remembered from searches with a limit may still be called CUT.
                assert search(position, 1) in ((NONE, []), (CUT, []))
                continue
            check_line(position, line, oracle)
            if fewest > 0:
                assert search(position, fewest - 1) == (CUT, [])
            length, line = search(position, fewest)
            assert length == 2 * fewest + 1
            check_line(position, line, oracle)
        wins += fewest is not None
        deep += fewest is not None and fewest > 1
    return wins, deep


@pytest.mark.parametrize(
    ("spec", "least", "most", "count"),
    [
        pytest.param("3^2", 0, 8, 150, marks=pytest.mark.more),
        pytest.param("3^3", 1, 12, 120, marks=pytest.mark.more),
        ("4^2", 2, 14, 200),
        ("2^3", 0, 4, 20),
        ("5,5,4", 2, 20, 150),
        ("6,6,4:blocked=7+20", 4, 20, 60),
        pytest.param("4^3", 10, 40, 100, marks=pytest.mark.more),
        ("9{0+1+2/2+3+4+5/0+5/6+7+8/1+4+7}", 0, 7, 150),
        ("3^3:first=2", 1, 12, 60),
        ("4^2:convention=maker-breaker", 2, 12, 100),
        ("5,5,4:convention=maker-breaker,blocked=3,first=2", 2, 16, 100),
        ("3^3:gravity", 2, 14, 150),
        ("4,4,3:gravity", 1, 12, 200),
        ("7,6,4:gravity", 8, 34, 150),
        ("4^3:gravity=1", 10, 46, 120),
        ("3^3:gravity,blocked=13", 3, 16, 80),
        ("7,6,4:gravity,convention=maker-breaker", 8, 30, 80),
        ("3^3:gravity,convention=maker-breaker,first=2", 2, 14, 80),
        pytest.param("3^4", 5, 16, 60, marks=pytest.mark.more),
        pytest.param("10,10,5", 16, 60, 40, marks=pytest.mark.more),
    ],
)
def test_both_searches_against_the_definition(spec: str, least: int, most: int, count: int) -> None:
    game, rng = Game(spec), random.Random(spec)
    positions = [random_position(game, rng.randint(least, most), rng) for _ in range(count)]
    searches = [state_search(game), *([bit_search(game)] if game.below is None else [])]
    wins, deep = compare(game, searches, positions)
    assert wins > 5
    assert deep > 0 or spec in ("2^3", "4^2", "3^4", "4^2:convention=maker-breaker")


@pytest.mark.more
@given(st.one_of(hypergraph_specs(10), mnk_specs(5)), st.integers(0, 10), st.randoms())
@settings(max_examples=120, deadline=None)
def test_any_small_board(spec: str, plies: int, rng: random.Random) -> None:
    game = Game(spec + rng.choice(["", ":first=2", ":convention=maker-breaker"]))
    position = random_position(game, plies, rng)
    compare(game, [bit_search(game, 2), state_search(game, 2)], [position])


@pytest.mark.parametrize("spec", ["4^3", "7,6,4:gravity"])
def test_a_stack_for_three_threats_finds_as_many(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, rng = Game(spec), random.Random(spec)
    whole = state_search(game)
    monkeypatch.setattr(threats, "_MOST_NUMBERS", 0)
    short, search = state_search(game), ThreatSearch(Game("7,6,4:gravity"))
    for _ in range(40):
        position = random_position(game, rng.randint(10, 24), rng)
        if not position.is_over:
            assert short(position, FOREVER) == whole(position, 3)
    assert search.forced_win(search.game.start(), shortest=True).status == "none"


@pytest.mark.more
@pytest.mark.parametrize("spec", ["4^4", "5^4", "16,16,5"])
def test_256_cells_and_beyond(spec: str) -> None:
    game = Game(spec)
    searches = [state_search(game, node_limit=3000), bit_search(game, node_limit=3000)]
    oracle = ThreatOracle(game)
    rng = random.Random(spec)
    found = 0
    for _ in range(12):
        position = random_position(game, game.cells * rng.randint(15, 35) // 100, rng)
        answers = [search(position, FOREVER) for search in searches]
        lengths = [length for length, _ in answers if length != STOPPED]
        assert len({length > 0 for length in lengths}) <= 1
        for length, line in answers:
            if length > 0:
                check_line(position, line, oracle)
        found += any(length > 0 for length in lengths)
    assert found > 2


def test_remembered_failures_do_not_leak_between_limits() -> None:
    game = Game("4^3")
    rng = random.Random(4)
    oracle = ThreatOracle(game)
    warm = bit_search(game, 14)
    for _ in range(60):
        position = random_position(game, rng.randint(24, 36), rng)
        try:
            fewest = oracle.fewest(position)
        except TooLongError:
            continue
        limits = [*range(5), FOREVER]
        rng.shuffle(limits)
        for limit in limits:
            length, _ = warm(position, limit)
            assert (length > 0) == (fewest is not None and fewest <= limit)
            assert length != NONE or fewest is None
            assert length != CUT or limit != FOREVER


def test_completing_cells_of_either_player() -> None:
    game = Game("4^2")
    rng = random.Random(1)
    oracle = ThreatOracle(game)
    board = bit_board(16, [game.board.line(i).tolist() for i in range(10)])
    out = np.zeros(16, np.int32)
    for _ in range(100):
        position = random_position(game, rng.randint(5, 14), rng)
        for player in (1, 2):
            expected = oracle.completing(position, player)
            cells = completions(board, word(position, player), word(position, 3 - player))
            assert [c for c in range(16) if int(cells) >> c & 1] == expected
            count = completing_cells(tables_of(game), state_of(position), player - 1, out)
            assert sorted(out[:count].tolist()) == expected


@pytest.mark.parametrize("entry", [NODE_LIMIT, STOP])
def test_limit_and_flag_end_the_search(entry: int) -> None:
    game = Game("4^3")
    position = game.position("moves:0,5,3,10,60,22,63,37")
    tables, state = tables_of(game), state_of(position)
    board = bit_board(64, [game.board.line(i).tolist() for i in range(76)])
    line = np.zeros(66, np.int32)
    free = np.zeros(3, np.int64)
    own, other = word(position, 1), word(position, 2)
    find_win_bits(board, new_bit_work(board), free, own, other, FOREVER, line)
    assert free[NODES] > 1
    control = np.zeros(3, np.int64)
    control[entry] = 1
    assert find_win_bits(board, new_bit_work(board), control, own, other, FOREVER, line) == STOPPED
    assert control[NODES] <= 1
    control = np.zeros(3, np.int64)
    control[entry] = 1
    memo = np.zeros(3 << 4, np.uint64)
    assert find_win(tables, state, new_work(tables), memo, control, FOREVER, line) == STOPPED
    assert control[NODES] <= 1
    assert np.array_equal(_sorted(tables, state), _sorted(tables, state_of(position)))
