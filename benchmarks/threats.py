"""Time the threat search on 4^3; prints one JSON row a line.

Positions: random legal games of 10 to 30 plies in which nobody owns a line, kept when the search
takes at least 200 nodes (most are settled at once). They are all searched with one memory
of 2^14 entries and no limit, and the time is divided by the nodes.
"""

from __future__ import annotations

import json
import random
import time

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hyperoxo.kernels.arrays import Ints, Longs, Words
from hyperoxo.kernels.threat_bits import FOREVER, bit_board, find_win_bits, new_bit_work
from hyperoxo.rules import Game

HARD = 200


@njit
def search_all(
    board: Words, work: Words, control: Longs, own: Words, other: Words, line: Ints
) -> int:
    """Search positions one after the other; return how many are won."""
    wins = 0
    for i in range(len(own)):
        wins += find_win_bits(board, work, control, own[i], other[i], FOREVER, line) > 0
    return wins


def middle_game(game: Game, games: int, seed: int = 5) -> NDArray[np.uint64]:
    """Stones of the player to move and of the other in random games, uint64 ``[K, 2]``."""
    rng = random.Random(seed)
    count = game.board.cell_count
    lines = [sum(1 << int(cell) for cell in game.board.line(i)) for i in range(76)]
    found = []
    for _ in range(games):
        cells = rng.sample(range(count), rng.randint(10, 30))
        sides = [sum(1 << cell for cell in cells[seat::2]) for seat in range(2)]
        if not any(line & side == line for line in lines for side in sides):
            mover = len(cells) % 2
            found.append((sides[mover], sides[1 - mover]))
    return np.array(found, dtype=np.uint64)


def ours(board: Words, positions: NDArray[np.uint64], repeats: int = 5) -> tuple[float, int, int]:
    """Return nanoseconds a node (the best of `repeats`), nodes and wins."""
    own, other = (np.ascontiguousarray(column) for column in positions.T)
    line = np.zeros(66, np.int32)
    best, nodes, wins = np.inf, 0, 0
    search_all(board, new_bit_work(board), np.zeros(3, np.int64), own[:1], other[:1], line)
    for _ in range(repeats):
        control = np.zeros(3, np.int64)
        work = new_bit_work(board)
        begin = time.perf_counter()
        wins = search_all(board, work, control, own, other, line)
        best = min(best, time.perf_counter() - begin)
        nodes = int(control[0])
    return best / nodes * 1e9, nodes, wins


def rows() -> list[dict[str, object]]:
    """Measure, and return one row for each set of positions."""
    game = Game("4^3")
    lines = [game.board.line(i).tolist() for i in range(76)]
    board = bit_board(64, lines)
    everything = middle_game(game, 60_000)
    line = np.zeros(66, np.int32)
    work = new_bit_work(board)
    nodes = []
    for own, other in everything:
        control = np.zeros(3, np.int64)
        find_win_bits(board, work, control, own, other, FOREVER, line)
        nodes.append(int(control[0]))
    hard = everything[np.array(nodes) >= HARD]
    a_node, count, wins = ours(board, hard)
    all_node, all_count, all_wins = ours(board, everything)
    return [
        {
            "name": "threat search on 4^3, middle games of 200 nodes and more",
            "ours": round(a_node, 1),
            "peer": None,
            "ratio": None,
            "unit": "ns/node",
            "positions": len(hard),
            "nodes": count,
            "wins": wins,
        },
        {
            "name": "threat search on 4^3, one call on any middle game",
            "ours": round(all_node * all_count / len(everything), 1),
            "peer": None,
            "ratio": None,
            "unit": "ns/call",
            "positions": len(everything),
            "nodes": all_count,
            "wins": all_wins,
        },
    ]


if __name__ == "__main__":
    for row in rows():
        print(json.dumps(row))
