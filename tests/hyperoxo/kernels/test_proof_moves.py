from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.game import Game
from hyperoxo.kernels.cell_sets import cells_of, words_for
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.kernels.proof_moves import (
    ABORTED,
    CONTROL,
    EACH,
    LOST,
    OPEN,
    WON,
    Field,
    is_still_won,
    promising_moves,
    surviving_replies,
)
from hyperoxo.kernels.threat_bits import FOREVER, find_win_bits, new_bit_work
from hyperoxo.solvers.threats.search import bit_board_of
from tests.proof_boards import spread
from tests.strategies import hypergraph_specs, mnk_specs
from tests.threat_oracle import ThreatOracle, TooLongError, random_position, stones

SPECS = st.one_of(hypergraph_specs(10), mnk_specs(5), st.sampled_from(["3^3", "4^2", "5,5,4"]))


class Kernel:
    """The compiled functions on ints."""

    def __init__(self, game: Game) -> None:
        board = bit_board_of(game)
        assert board is not None
        self.board = board
        self.cells = game.board.cell_count
        self.playable = sum(1 << int(cell) for cell in game.board.playable)
        self.control = np.zeros(CONTROL, np.int64)
        self.line = np.zeros(2 * (self.cells + 2), np.int32)
        playable = [self.playable >> 64 * i & (1 << 64) - 1 for i in range(words_for(self.cells))]
        rules = np.array([0, 0, *playable, *playable], np.uint64)
        self.field = Field(board, new_bit_work(board, 8), self.control, rules, self.line)

    def replies(self, own: int, other: int) -> tuple[int, int]:
        return self._moves(surviving_replies, own, other)

    def moves(self, own: int, other: int) -> tuple[int, int]:
        return self._moves(promising_moves, own, other)

    def _moves(self, function: object, own: int, other: int) -> tuple[int, int]:
        assert callable(function)
        sets = (cells_of(number, self.cells) for number in (own, other))
        status, moves = function(self.field, *sets)
        return int(status), int(moves)

    def find(self, own: int, other: int) -> list[int]:
        first, second = cells_of(own, self.cells), cells_of(other, self.cells)
        length = find_win_bits(
            self.board, self.field.work, self.control, first, second, FOREVER, self.line
        )
        return [int(cell) for cell in self.line[: max(0, length)]]

    def is_still_won(self, own: int, other: int, line: list[int]) -> bool:
        first, second = cells_of(own, self.cells), cells_of(other, self.cells)
        cells = np.array([0, *line, 0], np.int32)
        return bool(is_still_won(self.board, first, second, cells, 1, len(line)))


def wins(oracle: ThreatOracle, own: int, other: int) -> bool:
    oracle.looked = 0
    oracle.known.clear()
    return oracle.within(own, other, len(oracle.playable)) is True


def bits(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1


def check_replies(game: Game, own: int, other: int) -> int | None:
    """Compare the replies kept with the definition; None where it says nothing about them."""
    kernel, oracle = Kernel(game), ThreatOracle(game, 500)
    if oracle.completing_stones(other, own):
        return None
    status, found = kernel.replies(own, other)
    free = kernel.playable & ~(own | other)
    kept = [bit for bit in bits(free) if not wins(oracle, own, other | bit)]
    if status == LOST:
        # The board is full, or a reply leaves the defender two threats and the attacker no win.
        forks = [bit for bit in kept if len(oracle.completing_stones(other | bit, own)) > 1]
        assert not free or forks
    else:
        assert found == sum(kept)
        assert status == (OPEN if kept else WON)
    return status


def check_moves(game: Game, own: int, other: int) -> int | None:
    kernel, oracle = Kernel(game), ThreatOracle(game, 500)
    if wins(oracle, own, other):
        return None
    status, found = kernel.moves(own, other)
    free = kernel.playable & ~(own | other)
    danger = sum(1 << cell for cell in oracle.completing_stones(other, own))
    if status == LOST:
        assert not found
    if not free or danger.bit_count() > 1:
        assert status == LOST
    elif danger:
        assert (status, found) == (OPEN, danger)
    else:
        threats = sum(bit for bit in bits(free) if oracle.completing_stones(own | bit, other))
        refuted = sum(bit for bit in bits(free) if wins(oracle, other, own | bit))
        # A threat leaves the defender no time; of all other moves those stay that are not refuted.
        assert found == free & ~refuted | threats
        assert status == (OPEN if found else LOST)
    return status


@pytest.mark.more
@given(SPECS, st.integers(0, 12), st.randoms(use_true_random=False))
@settings(max_examples=250, deadline=None)
def test_filters_of_both_sides(spec: str, plies: int, rng: random.Random) -> None:
    game = Game(spec)
    position = random_position(game, plies, rng)
    me = position.to_move
    if not position.is_over:
        try:
            check_replies(game, stones(position, 3 - me), stones(position, me))
            check_moves(game, stones(position, me), stones(position, 3 - me))
        except TooLongError:
            return


@pytest.mark.more
@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("3^3", 5),
        ("4,4,3", 6),
        ("5,4,4", 9),
    ],
)
def test_every_answer_is_met(spec: str, plies: int) -> None:
    rng = random.Random(spec)
    game = Game(spec)
    wide = spread(game, 90, rng)
    seen: set[tuple[str, int]] = set()
    for _ in range(30):
        for board in (game, wide):
            position = random_position(board, rng.randint(1, plies), rng)
            me, you = position.to_move, 3 - position.to_move
            try:
                for name, status in (
                    ("reply", check_replies(board, stones(position, you), stones(position, me))),
                    ("move", check_moves(board, stones(position, me), stones(position, you))),
                ):
                    if status is not None:
                        seen.add((name, status))
            except TooLongError:
                continue
    assert {("reply", OPEN), ("reply", WON), ("move", OPEN)} <= seen


@pytest.mark.more
@given(SPECS, st.integers(1, 12), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_a_line_holds_only_if_it_wins(spec: str, plies: int, rng: random.Random) -> None:
    """A line found without a stone of the defender; with it, it must win by the definition."""
    game = Game(spec)
    kernel, oracle = Kernel(game), ThreatOracle(game, 500)
    position = random_position(game, plies, rng)
    own, other = stones(position, position.to_move), stones(position, 3 - position.to_move)
    line = kernel.find(own, other)
    if position.is_over or not line:
        return
    assert kernel.is_still_won(own, other, line)
    for bit in bits(kernel.playable & ~(own | other)):
        if kernel.is_still_won(own, other | bit, line):
            assert not bit & sum(1 << cell for cell in line[:1])
            try:
                assert wins(oracle, own, other | bit)
            except TooLongError:
                continue


@pytest.mark.more
@given(SPECS, st.integers(0, 12), st.integers(1, 6), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_a_limit_on_forced_wins_keeps_more(
    spec: str, plies: int, each: int, rng: random.Random
) -> None:
    """A win that is not found in time counts as none: no move and no reply is lost by it."""
    position = random_position(Game(spec), plies, rng)
    if position.is_over:
        return
    me = position.to_move
    own, other = stones(position, me), stones(position, 3 - me)
    for name, mine, yours in (("replies", other, own), ("moves", own, other)):
        limited, free = Kernel(position.game), Kernel(position.game)
        limited.control[EACH] = each
        status, kept = getattr(limited, name)(mine, yours)
        decided, least = getattr(free, name)(mine, yours)
        assert kept | least == kept
        assert status in (OPEN, decided)
        assert not limited.control[NODE_LIMIT]


def test_a_limit_on_forced_wins_ends_no_search() -> None:
    own, other = 1 << 0 | 1 << 21, 1 << 5
    kernel = Kernel(Game("4^3"))
    kernel.control[EACH] = 1
    assert kernel.replies(own, other)[0] == OPEN
    kernel.control[NODE_LIMIT] = kernel.control[NODES]
    assert kernel.replies(own, other)[0] == ABORTED
    assert kernel.control[NODE_LIMIT] == kernel.control[NODES]
    kernel.control[NODE_LIMIT], kernel.control[STOP] = 0, 1
    assert kernel.replies(own, other)[0] == ABORTED


def test_a_stop_is_told() -> None:
    kernel = Kernel(Game("4^3"))
    kernel.control[STOP] = 1
    own = 1 << 0 | 1 << 21
    assert kernel.replies(own, 1 << 5)[0] == ABORTED
    assert kernel.moves(own, 1 << 5 | 1 << 6)[0] == ABORTED
