"""Counting and listing all positions, and looking up their values."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from hyperoxo.lab.bench.rows import Row, best_seconds
from hyperoxo.rules import Game

_LOOKUPS = 10_000
_PUBLISHED = 20 * 60.0
_PEER = "C++ and Python of the report, published as about 20 minutes"


def states(_peers: bool) -> Iterator[Row]:
    """Seconds to count all positions through classes and one by one, and for a look-up."""
    from hyperoxo.solvers.states.enumerate import enumerate_states
    from hyperoxo.solvers.states.graph import StateGraph
    from hyperoxo.solvers.states.tables import build_table

    seconds = best_seconds(lambda: enumerate_states("3^2"), 10)
    yield Row("positions of 3^2", 1000 * seconds, "ms", target=20.0)
    if importlib.util.find_spec("networkx") is not None:
        seconds = best_seconds(lambda: StateGraph("3^2", symmetry=False).to_networkx())
        yield Row("graph of 3^2 in NetworkX", seconds, "s", _PUBLISHED, _PEER)
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
