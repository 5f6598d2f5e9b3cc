#!/usr/bin/env python3
"""Number of stones after which positions of an open n^d are decided as Maker-Breaker games.

Usage: tools/open_cubes.py GAME STONES [POSITIONS] [SECONDS]

Each position has STONES stones of each player. A cell weighs 2^-k for each line through it with
no stone of Breaker and with k free cells (Erdős and Selfridge 1973). Breaker takes one of the
heaviest, Maker one of the six heaviest, by chance. Each is given to `solve` for SECONDS (60).
"""

from __future__ import annotations

import random
import sys

import hyperoxo as ox

_MAKERS_CHOICE = 6


def weights(position: ox.Position) -> dict[int, float]:
    """Return what the free cells on lines that Maker can still complete weigh."""
    board, owners = position.game.board, position.owners
    found: dict[int, float] = {}
    for number in range(board.line_count):
        line = [int(cell) for cell in board.line(number)]
        if all(owners[cell] != 2 for cell in line):
            free = [cell for cell in line if not owners[cell]]
            for cell in free:
                found[cell] = found.get(cell, 0.0) + 2.0 ** -len(free)
    return found


def played(game: ox.Game, stones: int, seed: int) -> ox.Position:
    """Return a position with a number of stones of each player."""
    rng, position = random.Random(seed), game.start()
    while position.ply < 2 * stones and not position.is_over:
        weight = weights(position)
        ranked = sorted(weight, key=lambda cell: -weight[cell])
        if position.to_move == 1:
            choice = ranked[:_MAKERS_CHOICE]
        else:
            choice = [cell for cell in ranked if weight[cell] == weight[ranked[0]]]
        position = position.play(rng.choice(choice))
    return position


def main() -> None:
    """Print how many positions are won by whom."""
    spec, stones, *more = sys.argv[1:]
    count, seconds = (int(text) for text in (*more, *("12", "60")[len(more) :]))
    game = ox.Game(f"{spec}:convention=maker-breaker")
    found = [ox.solve(played(game, int(stones), seed), seconds=seconds) for seed in range(count)]
    won = [sum(one.winner == seat for one in found) for seat in (2, 1)]
    sys.stdout.write(
        f"{spec}, {stones} stones each: Breaker wins {won[0]} of {count}, Maker {won[1]}, "
        f"{count - sum(won)} not decided in {seconds} s each\n"
    )


if __name__ == "__main__":
    main()
