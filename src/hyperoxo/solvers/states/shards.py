"""One layer of positions expanded by many workers: shards of it, and what they found as one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.rules import Game
from hyperoxo.solvers.states.layers import GameCode, Layer, sorted_order
from hyperoxo.task import Progress
from hyperoxo.workers import Workers, share_out

__all__ = ["next_layer"]

Words = NDArray[np.uint64]
Found = tuple[Words, Words, NDArray[np.int64]]

_LEAST = 1 << 12
"""Positions of the smallest shard; smaller ones cost more to send than to expand."""
_SHARDS = 4
"""Shards a worker, so that a slow one does not keep the others waiting."""
_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


def next_layer(
    code: GameCode, layer: Layer, workers: Workers, tick: Progress | None, room: int | None
) -> Layer:
    """Return the layer with one stone more, found by many workers."""
    size = max(_LEAST, -(-len(layer) // (_SHARDS * workers.count)))
    if len(layer) <= size:
        return code.next(layer, tick, room)
    firsts = iter(range(0, len(layer), size))

    def call(first: int) -> tuple[Callable[..., Found], tuple[object, ...]]:
        part = slice(first, first + size)
        here = layer.keys[part], layer.games[part], layer.orbit[part]
        return _expanded, (code.game, code.symmetry, code.plies, layer.ply, *here, room)

    merged: Found | None = None
    done = 0
    shards = share_out(workers, lambda: next(firsts, None), call)
    with closing(shards):
        for first, found in shards:
            merged = found if merged is None else _merged(merged, found)
            if room is not None and len(merged[0]) > room:
                raise LimitError(
                    f"{code.game} has more than {room:,} positions of {layer.ply + 1} stones; "
                    f"a smaller number of plies bounds it"
                )
            done += min(size, len(layer) - first)
            if tick is not None:
                tick(done, len(layer))
    assert merged is not None
    return code.layer(layer.ply + 1, *merged)


@lru_cache(maxsize=4)
def _code(game: Game, symmetry: bool, plies: int) -> GameCode:
    return GameCode(game, symmetry=symmetry, max_plies=plies)


def _expanded(
    game: Game,
    symmetry: bool,
    plies: int,
    ply: int,
    keys: Words,
    games: Words,
    orbit: NDArray[np.int64],
    room: int | None,
) -> Found:
    """Expand a shard, in whichever process that is."""
    code = _code(game, symmetry, plies)
    # Arrays that come from another process may not be written to, nor lie as compiled loops want.
    shard = code.layer(ply, np.array(keys), np.array(games), np.array(orbit))
    found = code.next(shard, room=room)
    return found.keys, found.games, found.orbit


def _merged(one: Found, other: Found) -> Found:
    """Put the children of two shards together; where both have a position its games add up."""
    keys = np.concatenate([one[0], other[0]])
    order = sorted_order(keys)
    keys = keys[order]
    games = np.concatenate([one[1], other[1]])[order]
    orbit = np.concatenate([one[2], other[2]])[order]
    first = np.ones(len(keys), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    total = games[first]
    # A position is in one shard once, so at most two rows are equal.
    twice = np.cumsum(first)[~first] - 1
    total[twice] = _sum(total[twice], games[~first])
    return keys[first], total, orbit[first]


def _sum(one: Words, other: Words) -> Words:
    """Add numbers of several words, lowest first."""
    total = np.empty_like(one)
    carry: Words = np.zeros(len(one), dtype=np.uint64)
    for word in range(one.shape[1]):
        low = (one[:, word] & _LOW) + (other[:, word] & _LOW) + carry
        high = (one[:, word] >> _HALF) + (other[:, word] >> _HALF) + (low >> _HALF)
        total[:, word] = (low & _LOW) | (high << _HALF)
        carry = high >> _HALF
    return total
