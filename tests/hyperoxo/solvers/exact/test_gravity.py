"""Search by columns under gravity, against a search by positions alone and published values."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from hyperoxo.game import Game, Position
from hyperoxo.kernels.control import NODE_LIMIT, NODES
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.kernels.gravity import _look_up, _slot, has_line, outlives
from hyperoxo.solvers.exact import gravity
from hyperoxo.solvers.exact.gravity import ColumnSearch, searches_columns
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.values import solve
from tests.judge import judge_of

pytestmark = pytest.mark.more

MOST_CELLS = 16
SCORED = Path(__file__).parents[3] / "truth" / "connect_four.txt"


def by_positions(position: Position) -> float:
    """Return the value to the player to move, from the rules alone."""
    value, plies = judge_of(position.game)(position)
    return value * (WIN - position.ply - plies)


@st.composite
def boards(draw: st.DrawFn) -> str:
    """Spell a game of two players under gravity on a few cells."""
    if draw(st.booleans()):
        columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
        length = draw(st.integers(1, 4))
        head, axes, cells = f"{columns},{rows},{length}", 2, columns * rows
        options = []
    else:
        side, axes = draw(st.sampled_from([(2, 1), (9, 1), (2, 2), (3, 2), (4, 2), (2, 3), (2, 4)]))
        head, cells = f"{side}^{axes}", side**axes
        options = [f"connect={draw(st.integers(1, side))}"]
    options.append(f"gravity={draw(st.integers(0, axes - 1))}")
    blocked = draw(st.sets(st.integers(0, cells - 1), max_size=2 if cells > 2 else 0))
    if draw(st.booleans()):
        options.append("misere")
    if blocked:
        options.append("blocked=" + "+".join(map(str, sorted(blocked))))
    return f"{head}:{','.join(options)}"


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Return a running position of such a game, with few free cells."""
    game = Game(draw(boards().filter(lambda spec: Game(spec).cells <= 25)))
    position = game.start()
    least = max(0, game.cells - draw(st.integers(1, MOST_CELLS - 4)))
    while position.ply < least:
        going_on = [cell for cell in position.legal_moves if not position.play(cell).is_over]
        if not going_on:
            break
        position = position.play(draw(st.sampled_from(going_on)))
    return position


@given(positions(), st.floats(-WIN, WIN), st.sampled_from([0.5, 3.0, math.inf]))
@example(Game("9^1:connect=2,gravity,blocked=2").start(), 0.0, 0.5)
@settings(max_examples=300)
def test_values_and_bounds_are_those_of_the_rules(
    position: Position, low: float, width: float
) -> None:
    assert searches_columns(position.game)
    expected = by_positions(position)
    search = ColumnSearch(position.game, np.zeros(8, np.int64))
    assert search.value(position) == expected
    for window in [(low, low + width), (expected - width, expected), (expected, expected + width)]:
        value = ColumnSearch(position.game, np.zeros(8, np.int64)).value(position, *window)
        if value <= window[0]:
            assert expected <= value
        elif value >= window[1]:
            assert expected >= value
        else:
            assert value == expected


@given(positions(), st.integers(1, MOST_CELLS))
@settings(max_examples=100)
def test_a_depth_finds_the_wins_and_losses_that_are_near(position: Position, depth: int) -> None:
    expected = by_positions(position)
    near = expected and WIN - abs(expected) <= position.ply + depth
    value = ColumnSearch(position.game, np.zeros(8, np.int64)).value(position, depth=depth)
    assert value == (expected if near else 0.0)


@given(positions())
@settings(max_examples=100)
def test_one_table_serves_all_positions_and_grows(position: Position) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gravity, "_TABLE_BITS", 1)
        patch.setattr(gravity, "_VISITS", 1)
        search = ExactSearch(position.game)
        for cell in 2 * position.legal_moves:
            after = position.play(cell)
            expected = -by_positions(after)
            assert search.value(after, position.to_move) == expected
            assert search.value(after, 3 - position.to_move) == -expected


@given(st.data(), st.integers(8, 12), st.sampled_from([2, 4, 8]))
def test_copies_of_a_table_hold_the_same_entries(
    data: st.DataObject, bits: int, times: int
) -> None:
    """A key has its slot where a copy of its entry is, and at no entry of another key."""
    # Keys that differ in few bits collide often.
    keys = data.draw(st.lists(st.integers(0, 15).map(lambda low: low * (2**56 + 1)), min_size=1))
    table, stored = np.zeros(1 << bits, np.uint64), {}
    for key in map(np.uint64, keys):
        slot = int(_slot(table, key, np.uint64(0)))
        table[slot], stored[slot] = (key << np.uint64(8)) | np.uint64(192), key
    larger = np.tile(table, times)
    for high, low in product(range(16), repeat=2):
        key = np.uint64((high << 56) + low)
        found = _look_up(larger, key, np.uint64(0), -1)
        assert (found == 0) == (key in stored.values())


def test_a_table_stays_within_the_memory_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPEROXO_MEMORY", str(1 << 22))
    search = ColumnSearch(Game("6,5,4:gravity"), np.zeros(8, np.int64))
    assert search.value(search.game.start()) == 0
    assert search._table.nbytes == 1 << 21


@given(positions())
@settings(max_examples=100)
def test_a_player_with_a_reply_above_each_move_does_not_lose(position: Position) -> None:
    """Claimeven: the value for the mover is at most a draw, and a loss if the other has a line."""
    game = position.game
    assume((game.cells - position.ply) % 2 == 0)
    search = ColumnSearch(game, np.zeros(8, np.int64))
    grid, (own, rival) = search._grid, search._stones(position)
    empty = grid.field & ~(own | rival)
    landing = np.bitwise_or.reduce(search._masks[list(position.legal_moves)])
    mine, other = (rival, own) if game.misere else (own, rival)
    pairs = empty & (~grid.uppers if game.misere else grid.uppers & ~landing)
    if outlives(grid.lines, grid.rises, grid.length, other | pairs, mine | (empty & ~pairs)):
        value = by_positions(position)
        assert value <= 0
        if has_line(grid.lines, grid.length, other | pairs):
            assert value < 0


@pytest.mark.parametrize(
    ("spec", "value", "plies"),
    [
        ("4,4,4:gravity", "draw", 16),
        ("5,4,4:gravity", "draw", 20),
        ("6,4,4:gravity", "loss", 24),
        ("4,5,4:gravity", "draw", 20),
        ("5,5,4:gravity", "draw", 25),
        ("6,5,4:gravity", "draw", 30),
        ("7,4,4:gravity", "draw", 28),
        ("8,4,4:gravity", "loss", 32),
        pytest.param("6,6,4:gravity", "loss", 36, marks=pytest.mark.slow),
        ("7,5,4:gravity", "draw", 35),
        ("5,7,4:gravity", "draw", 35),
        ("4,8,4:gravity", "draw", 32),
    ],
)
def test_published_sizes(spec: str, value: str, plies: int) -> None:
    found = solve(spec, moves=False)
    assert (found.value, found.remoteness) == (value, plies)


@pytest.mark.parametrize(
    "spec", ["7,6,4:gravity,misere", "8,8,4:gravity,misere", "4^3:gravity,misere"]
)
def test_the_second_player_wins_misere_play_in_columns_of_even_height(spec: str) -> None:
    """Every line of upper cells lies above one of lower cells, which the first player completes."""
    start, control = Game(spec).start(), np.zeros(8, np.int64)
    assert ColumnSearch(start.game, control).value(start, -0.5, 0.5) < -0.5
    assert control[NODES] <= 2  # one position, asked about each end of the window


def test_connect_four() -> None:
    """Scores by another program, of positions with 14 to 22 stones."""
    game, search = Game("7,6,4:gravity"), ExactSearch(Game("7,6,4:gravity"))
    rows = [line.split() for line in SCORED.read_text("utf-8").splitlines() if line[0] != "#"]
    assert len(rows) == 36
    for columns, score in rows:
        position = game.position(f"columns:{columns}")
        value = search.value(position, position.to_move)
        plies = int(WIN - abs(value)) if value else 44
        assert math.copysign((44 - plies) // 2, value or 1) == int(score)


def test_score_four_fits_a_word() -> None:
    game = Game("4^3:gravity")
    position = game.start()
    rng = np.random.default_rng(3)
    while position.ply < 52:
        going_on = [c for c in position.legal_moves if not position.play(c).is_over]
        position = position.play(int(rng.choice(going_on)))
    search = ColumnSearch(game, np.zeros(8, np.int64))
    assert search.value(position) == by_positions(position)


@pytest.mark.parametrize(
    "spec", ["4,4,3:gravity,wrap=1", "9,8,4:gravity", "3^2", "3^2:gravity,players=3"]
)
def test_other_games_are_left_to_the_general_search(spec: str) -> None:
    assert not searches_columns(Game(spec))


def test_a_limit_leaves_nothing() -> None:
    control = np.zeros(8, np.int64)
    control[NODE_LIMIT] = 1000
    game = Game("7,6,4:gravity")
    assert math.isnan(ColumnSearch(game, control).value(game.start()))
    assert 1000 < control[NODES] <= 1000 + 7  # all children of a position at once
