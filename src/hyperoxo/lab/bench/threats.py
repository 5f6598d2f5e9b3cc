"""Threat search on middle games of 4^3 and 5^3."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hyperoxo.lab.bench.rows import Row, best_seconds
from hyperoxo.position import Position
from hyperoxo.rules import Game

_CASES = (("4^3", 60_000, 70.0), ("5^3", 3_000, None))
_HARD = 200
_PEER = "our search for every board and gravity, here"


def middle_games(game: Game, count: int, seed: int = 5) -> list[tuple[int, int]]:
    """Stones of the player to move and of the other, as sets of cells."""
    rng = random.Random(seed)
    cells = game.cells
    lines = [sum(1 << int(cell) for cell in line) for line in game.board.lines]
    found = []
    for _ in range(count):
        played = rng.sample(range(cells), rng.randint(10 * cells // 64, 30 * cells // 64))
        sides = [sum(1 << cell for cell in played[seat::2]) for seat in range(2)]
        if not any(line & side == line for line in lines for side in sides):
            mover = len(played) % 2
            found.append((sides[mover], sides[1 - mover]))
    return found


def threats(peers: bool) -> Iterator[Row]:
    """Nanoseconds a node, where a search takes at least 200 nodes, with one memory for all."""
    for spec, games, target in _CASES:
        yield from _on(Game(spec), games, target, peers)


def _on(game: Game, games: int, target: float | None, peers: bool) -> Iterator[Row]:
    from hyperoxo.kernels.cell_sets import cells_of
    from hyperoxo.kernels.threat_bits import count_wins, new_bit_work
    from hyperoxo.solvers.threats.search import bit_board_of

    board = bit_board_of(game)
    assert board is not None
    line = np.zeros(game.cells + 2, np.int32)
    like = cells_of(0, game.cells)

    def words(positions: list[tuple[int, int]]) -> NDArray[np.uint64]:
        sets = [cells_of(number, game.cells) for pair in positions for number in pair]
        return np.ravel(np.array(sets, np.uint64))

    def search(stones: NDArray[np.uint64], work: NDArray[np.uint64]) -> int:
        control = np.zeros(3, np.int64)
        count_wins(board, work, control, stones, like, line)
        return int(control[0])

    memory = new_bit_work(board)
    positions = middle_games(game, games)
    hard = [pair for pair in positions if search(words([pair]), memory) >= _HARD]
    stones = words(hard)
    seconds = best_seconds(lambda: search(stones, new_bit_work(board)), 5)
    ours = seconds / search(stones, new_bit_work(board)) * 1e9
    theirs = _general(game, hard) if peers else None
    yield Row(f"threat search {game}, a node", ours, "ns", theirs, _PEER, target)
    stones = words(positions)
    seconds = best_seconds(lambda: search(stones, new_bit_work(board)))
    yield Row(f"threat search {game}, any middle game", seconds / len(positions) * 1e9, "ns")


def _general(game: Game, positions: list[tuple[int, int]]) -> float:
    """Nanoseconds a node of the search on tables and states."""
    from hyperoxo.kernels.threat_bits import FOREVER
    from hyperoxo.kernels.threats import find_win, new_work
    from hyperoxo.solvers.arrays import state_of, tables_of

    tables = tables_of(game)
    work, memo = new_work(tables), np.zeros(3 << 14, np.uint64)
    line = np.zeros(game.cells + 2, np.int32)
    states = [state_of(_position(game, pair)) for pair in positions]
    best = float("inf")
    for _ in range(4):
        control = np.zeros(3, np.int64)
        memo[:] = 0
        begin = time.perf_counter()
        for state in states:
            find_win(tables, state, work, memo, control, FOREVER, line)
        best = min(best, (time.perf_counter() - begin) / control[0] * 1e9)
    return float(best)


def _position(game: Game, pair: tuple[int, int]) -> Position:
    """Return the position: the player to move has as many stones as the other, or one less."""
    mover = 1 if pair[0].bit_count() == pair[1].bit_count() else 2
    signs = {mover: pair[0], 3 - mover: pair[1]}
    owners = bytes(
        next((player for player, stones in signs.items() if stones >> cell & 1), 0)
        for cell in range(game.cells)
    )
    return Position.from_owners(game, owners)
