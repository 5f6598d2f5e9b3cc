"""Empirical complexity: exponents of running time in side, dimension, players, games and workers.

The memory accesses that an operation needs are counted for every size. The expected exponent is the
slope of these counts over the same sizes, on logarithmic scales, so that n + 2 is not taken for n
on small boards.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

import numpy as np

from hyperoxo.game import Game
from hyperoxo.processes import cores
from hyperoxo_research.bench.rows import EXPONENT, Growth, Point, Row, taken

_REPEATS = 5
"""Repetitions: the range of five slopes contains their true median with 94 % confidence."""

_AT_LEAST = 0.05
"""Least seconds of one measurement: shorter work is repeated."""

_RANDOM_GAMES = 2_000
_SLOW = "mcts:simulations=1000"
_SLOW_GAMES = 96


@dataclass(frozen=True)
class Operation:
    """The work at one size, with its count of memory accesses."""

    at: float
    work: Callable[[], object]
    touched: float


@dataclass(frozen=True)
class Series:
    """An operation at several sizes."""

    name: str
    axis: str
    counted: str
    operations: tuple[Operation, ...]
    clock: Callable[[], float] = time.process_time
    repeats: int = _REPEATS


def rows(_peers: bool) -> Iterator[Row]:
    """Yield the exponents, each with the one expected from the counts."""
    for series in every_series():
        yield measured(series)


def measured(series: Series) -> Row:
    """Measure all sizes in turn, several times, and fit the exponent."""
    sizes = [operation.at for operation in series.operations]
    for operation in series.operations:
        operation.work()  # compiles, and lets workers do so
    first = [taken(operation.work, series.clock) for operation in series.operations]
    loops = [max(1, math.ceil(_AT_LEAST / max(seconds, 1e-6))) for seconds in first]
    # All sizes once, then all again: a disturbance of the machine affects each alike.
    rounds = [first] if max(loops) == 1 else []
    pairs = [*zip(series.operations, loops, strict=True)]
    while len(rounds) < series.repeats:
        rounds.append([taken(one.work, series.clock, count) for one, count in pairs])
    times = np.array(rounds)
    slopes = [slope(sizes, one) for one in times.tolist()]
    touched = [operation.touched for operation in series.operations]
    best = times.min(axis=0).tolist()
    points = tuple(Point(*one) for one in zip(sizes, best, touched, strict=True))
    growth = Growth(series.axis, min(slopes), max(slopes), points)
    found, due = statistics.median(slopes), slope(sizes, touched)
    counted = f"expected from {series.counted}"
    return Row(series.name, found, EXPONENT, due, counted, growth=growth)


def slope(sizes: list[float], values: list[float]) -> float:
    """Return the exponent by a least-squares fit on logarithmic scales."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def every_series() -> Iterator[Series]:
    """Yield the series; their sizes are small enough for a minute in all."""
    cells = "lines and their cells"
    builds = tuple(_build(side, 3, side) for side in (16, 24, 32, 48, 64))
    yield Series("build n^3", "side n", cells, builds)
    builds = tuple(_build(3, dim, 3**dim) for dim in (5, 6, 7, 8, 9))
    yield Series("build 3^d", "cells 3^d", cells, builds)
    plies = "plies, and what they and a new game write"
    games = tuple(_random(f"{side}^3", side) for side in (8, 10, 12, 14, 16))
    yield Series("random games n^3", "side n", plies, games)
    games = tuple(_random(f"3^{dim}", 3**dim) for dim in (5, 6, 7, 8))
    yield Series("random games 3^d", "cells 3^d", plies, games)
    games = tuple(_random(f"4^3:players={players}", players) for players in (2, 3, 4, 5, 6))
    yield Series("random games 4^3:players=q", "players q", plies, games)
    counts = tuple(_perft(side) for side in (5, 6, 7, 8))
    yield Series("perft n^2, 4 plies", "side n", "sequences of moves", counts)
    touched = "positions, and the lines through their last cells"
    searches = tuple(_minimax(side) for side in (12, 16, 20, 24, 32))
    yield Series("minimax n^2, 2 plies", "side n", touched, searches)
    matches = tuple(_match(games) for games in (10_000, 30_000, 100_000, 300_000))
    yield Series("match 3^2 ising random", "games", "games", matches)
    processors = cores()
    with ExitStack() as pools:
        shared = tuple(_shared(workers, pools) for workers in range(1, max(processors, 2) + 1))
        counted = f"games shared out to {processors} cores"
        name = f"match 4^3 mcts, {_SLOW_GAMES} games"
        yield Series(name, "workers", counted, shared, time.perf_counter, 3)


def _build(side: int, dim: int, at: float) -> Operation:
    from hyperoxo.board import hypercube

    return Operation(at, lambda: hypercube(side, dim), float(hypercube(side, dim).lines.size))


def _through(game: Game) -> float:
    """Return the mean number of lines through a cell."""
    return game.board.lines.size / game.cells


def _random(spec: str, at: float) -> Operation:
    """Return random games as an operation; the plies are counted, since they depend on players."""
    from hyperoxo.lab.compiled import random_play
    from hyperoxo.solvers.arrays import packed_increments

    game = Game(spec)
    lengths = random_play(game, _RANDOM_GAMES).lengths
    plies = float((lengths * np.arange(len(lengths))).sum())
    packed = packed_increments(game)
    if len(packed):
        # Small boards add up all lines of a player at once, in words of 16 lines.
        words = packed.shape[1]
        start, ply = game.cells / 32 + game.players * words / 8, 1 + words
    else:
        # Contiguous memory is written 64 bytes at a time.
        start = (game.cells + game.players * game.board.line_count) / 16
        ply = 1 + _through(game)
    touched = _RANDOM_GAMES * start + plies * ply
    return Operation(at, lambda: random_play(game, _RANDOM_GAMES), touched)


def _perft(side: int) -> Operation:
    from hyperoxo.solvers import perft

    start = Game(side=side, dim=2).start()
    return Operation(side, lambda: perft(start, 4), float(sum(perft(start, 4).sequences_by_ply)))


def _minimax(side: int) -> Operation:
    from hyperoxo.agents.minimax import MinimaxAgent

    game = Game(side=side, dim=2)
    start = game.start()

    def search() -> int:
        # A new agent has an empty transposition table.
        return MinimaxAgent(depth=2, prune="off").search(start).nodes

    return Operation(side, search, search() * _through(game))


def _match(games: int) -> Operation:
    from hyperoxo.lab.match import match

    return Operation(games, lambda: match("3^2", ["ising", "random"], games), games)


def _shared(workers: int, pools: ExitStack) -> Operation:
    """Return a match of slow games as an operation, with worker processes that already run."""
    from hyperoxo.lab.match import match
    from hyperoxo.task import Task

    task = pools.enter_context(Task.shared(None, workers))
    work = partial(match, "4^3", [_SLOW, _SLOW], _SLOW_GAMES, progress=task)
    return Operation(workers, work, 1 / workers)
