"""The benchmarks: what is measured, against what, and with which target.

Every case yields rows; figures are the best of a few runs after compilation, on one core.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from hyperoxo.lab.bench.mcts import mcts, random_games_per_second
from hyperoxo.lab.bench.proof import proof, qubic
from hyperoxo.lab.bench.rows import Row, best_seconds
from hyperoxo.lab.bench.threats import threats
from hyperoxo.rules import Game

_GAMES = 500_000
_NAIVE = 2_000
_LOOKUPS = 10_000
_PUBLISHED = 20 * 60.0
_REPORT = "C++ and Python of the report, published as about 20 minutes"


def boards(_peers: bool) -> Iterator[Row]:
    """Seconds to build a board with both incidence tables."""
    from hyperoxo.board import hypercube

    for side, dim, target in ((4, 4, 0.1), (5, 5, 0.5), (3, 8, 2.0)):
        seconds = best_seconds(lambda side=side, dim=dim: hypercube(side, dim))  # type: ignore[misc]
        yield Row(f"build {side}^{dim}", seconds, "s", target=target)


def _random_positions(count: int) -> NDArray[np.uint8]:
    """4^3 positions of 1 to 40 stones, laid alternately on random cells."""
    rng = np.random.default_rng(0)
    owners = np.zeros((count, 64), dtype=np.uint8)
    for row, stones in zip(owners, rng.integers(1, 41, count), strict=True):
        row[rng.permutation(64)[:stones]] = np.arange(stones) % 2 + 1
    return owners


def canonical(peers: bool) -> Iterator[Row]:
    """Canonical forms of random 4^3 positions a second, beside two other ways to make them."""
    symmetry = Game("4^3").symmetry
    owners = _random_positions(100_000)
    ours = len(owners) / best_seconds(lambda: symmetry.canonical(owners))
    theirs = None
    if peers:
        from hyperoxo.kernels.byte_tables import byte_tables, canonical_pairs, pairs_of

        tables = byte_tables(symmetry.permutations())
        pairs = pairs_of(owners)
        theirs = len(owners) / best_seconds(lambda: canonical_pairs(pairs, tables), 1)
    yield Row("canonical forms 4^3", ours, "/s", theirs, "plain byte tables, here", 1e6)
    if peers:
        few = owners[:_NAIVE]
        permutations = list(symmetry.permutations())
        naive = len(few) / best_seconds(lambda: _one_by_one(few, permutations), 1)
        peer = "NumPy, one permutation after the other, here"
        yield Row("canonical forms 4^3, naive peer", ours, "/s", naive, peer)


def _one_by_one(owners: NDArray[np.uint8], permutations: list[NDArray[np.int32]]) -> list[bytes]:
    """Canonical forms the naive way: every image of every position is made and compared."""
    return [
        max(position[permutation].tobytes() for permutation in permutations) for position in owners
    ]


def playouts(peers: bool) -> Iterator[Row]:
    """Random games a second, a whole batch called once from Python."""
    from hyperoxo.lab.compiled import random_play

    for side, dim, target in ((3, 2, 8e6), (3, 3, 4e6), (4, 3, 3.5e6), (3, 4, 2.5e6)):
        game = Game(side=side, dim=dim)
        seconds = best_seconds(lambda game=game: random_play(game, _GAMES))  # type: ignore[misc]
        ours = _GAMES / seconds
        theirs = random_games_per_second(side, dim) if peers else None
        name = f"random games {side}^{dim}"
        yield Row(name, ours, "/s", theirs, "OpenSpiel gomoku from Python, here", target)


def ising(_peers: bool) -> Iterator[Row]:
    """Milliseconds for a whole game of ising against itself."""
    from hyperoxo.agents import agent
    from hyperoxo.lab.compiled import play_batch

    cases = ((3, 3, 0.05, 20.0), (4, 3, 0.2, 420.0), (5, 3, 1.0, 4500.0), (5, 4, 20.0, 1.8e6))
    for side, dim, target, published in cases:
        game = Game(side=side, dim=dim)
        seat = agent("ising").seat(game)
        assert seat is not None
        games = 2000 if side**dim < 100 else 100
        seconds = best_seconds(
            lambda game=game, seat=seat, games=games: play_batch(game, [seat, seat], games)  # type: ignore[misc]
        )
        milliseconds = 1000 * seconds / games
        name = f"ising against itself {side}^{dim}"
        yield Row(
            name, milliseconds, "ms", published, "C++ program of the report, published", target
        )


def matches(_peers: bool) -> Iterator[Row]:
    """Seconds for a million games of ising against random, with all that a match does."""
    from hyperoxo.lab.match import match

    seconds = best_seconds(lambda: match("3^2", ["ising", "random"], 1_000_000), 1)
    yield Row("10^6 games of ising and random 3^2", seconds, "s", target=10.0)


def perft(_peers: bool) -> Iterator[Row]:
    """Move sequences counted a second."""
    from hyperoxo.solvers import perft as count

    for spec, plies in (("3^2", 9), ("4^2", 6), ("7,6,4:gravity", 7)):
        start = Game(spec).start()
        total = sum(count(start, plies).sequences_by_ply)
        seconds = best_seconds(lambda start=start, plies=plies: count(start, plies))  # type: ignore[misc]
        yield Row(f"perft {spec}, {plies} plies", total / seconds, "/s")


def minimax(_peers: bool) -> Iterator[Row]:
    """Milliseconds of exact minimax: a whole game on 3^2, and values from the empty board."""
    from hyperoxo.agents.minimax import MinimaxAgent

    def whole_game() -> None:
        agent = MinimaxAgent()
        position = Game("3^2").start()
        while not position.is_over:
            position = position.play(agent.choose(position, position.ply))

    yield Row("exact minimax game 3^2", 1000 * best_seconds(whole_game, 20), "ms", target=2.0)
    for spec, target in (("4^2", 200.0), ("3^3", 20.0), ("3^4", None)):
        start = Game(spec).start()
        seconds = best_seconds(lambda start=start: MinimaxAgent().search(start))  # type: ignore[misc]
        yield Row(f"minimax solves {spec}", 1000 * seconds, "ms", target=target)


def states(_peers: bool) -> Iterator[Row]:
    """Seconds to count all positions through classes and one by one, and for a look-up."""
    from hyperoxo.solvers.states.enumerate import enumerate_states
    from hyperoxo.solvers.states.graph import StateGraph
    from hyperoxo.solvers.states.tables import build_table

    seconds = best_seconds(lambda: enumerate_states("3^2"), 10)
    yield Row("positions of 3^2", 1000 * seconds, "ms", target=20.0)
    if importlib.util.find_spec("networkx") is not None:
        seconds = best_seconds(lambda: StateGraph("3^2", symmetry=False).to_networkx())
        yield Row("graph of 3^2 in NetworkX", seconds, "s", _PUBLISHED, _REPORT)
    seconds = best_seconds(lambda: enumerate_states("4^2"))
    yield Row("positions of 4^2, by class", seconds, "s", target=3.0)
    alone = best_seconds(lambda: enumerate_states("4^2", symmetry=False), 1)
    yield Row("positions of 4^2, one by one", alone, "s", target=15.0)
    game = Game("4^2")
    seconds = best_seconds(lambda: build_table(game), 1)
    yield Row("values of all positions of 4^2", seconds, "s")
    table, position = build_table(game), game.position("moves:5,0,10")
    looked = best_seconds(lambda: [table.lookup(position) for _ in range(_LOOKUPS)])
    yield Row("look-up of a value", 1e9 * looked / _LOOKUPS, "ns")


CASES: dict[str, Callable[[bool], Iterator[Row]]] = {
    "boards": boards,
    "canonical": canonical,
    "playouts": playouts,
    "ising": ising,
    "matches": matches,
    "perft": perft,
    "mcts": mcts,
    "threats": threats,
    "proof": proof,
    "qubic": qubic,
    "minimax": minimax,
    "states": states,
}
"""All benchmarks by name."""

LONG = ("qubic",)
"""Those that take half a minute or more: run with peers, or by name."""


def run(names: tuple[str, ...] = (), *, peers: bool = False) -> Iterator[Row]:
    """Run benchmarks."""
    every = [name for name in CASES if peers or name not in LONG]
    for name in names or every:
        yield from CASES[name](peers)
