#!/usr/bin/env python3
"""Find the full boards of src/hyperoxo_research/data/full-boards.json, and print the file.

Usage: tools/full_boards.py (needs python-sat: pip install python-sat; three minutes)

A board is a colouring of the cells by two players with no line of one colour. Cells that cyclic
exchanges of coordinates take into each other have one colour, and opposite cells have different
ones, so that each player has half of the cells; the solver looks for the colours of the classes.
"""

from __future__ import annotations

import base64
import json

import numpy as np
from numpy.typing import NDArray

from hyperoxo_research.draws.stored import classes_of, lines_of, lines_of_one_colour

BOARDS = (
    (4, 5, (1, 1, 1, 1, 1)),
    (4, 6, (3, 3)),
    (4, 7, (7,)),
    (5, 7, (7,)),
    (5, 8, (5, 3)),
)


def clauses_of(side: int, dim: int, literals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the literals of each line, one of which must hold, and all of them turned."""
    rows = [np.unique(np.sort(line, axis=1), axis=0) for line in lines_of(literals, side, dim)]
    found = np.unique(np.concatenate(rows), axis=0)
    return np.concatenate([found, -found])


def find(side: int, dim: int, cycles: tuple[int, ...]) -> str:
    """Return the colours of the classes as they are stored."""
    from pysat.solvers import Solver

    classes, signs = classes_of(side, dim, cycles)
    literals = (classes + 1) * np.where(signs, -1, 1)
    with Solver(name="cadical195") as solver:
        for row in clauses_of(side, dim, literals).tolist():
            clause = set(row)
            if not any(-literal in clause for literal in clause):
                solver.add_clause(sorted(clause))
        if not solver.solve():
            raise SystemExit(f"no such colouring of {side}^{dim}")
        model = set(solver.get_model())
    bits = np.array([number + 1 in model for number in range(int(classes.max()) + 1)], np.uint8)
    if lines_of_one_colour(bits[classes] ^ signs, side, dim):
        raise SystemExit(f"the solver's colouring of {side}^{dim} has a line")
    return base64.b64encode(np.packbits(bits).tobytes()).decode()


def main() -> None:
    """Print the file."""
    rows = [
        {"side": side, "dim": dim, "cycles": cycles, "bits": find(side, dim, cycles)}
        for side, dim, cycles in BOARDS
    ]
    print("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]")  # noqa: T201


if __name__ == "__main__":
    main()
