#!/usr/bin/env python3
"""Look for full boards n^d without a line that have random symmetries, and list the tries.

Usage: tools/symmetric_boards.py SIDE DIM LIST.jsonl BOARD.oxo [TRIES] [SECONDS] (needs python-sat)

The side is even, and opposite cells have different players. Coordinates may be exchanged within
each half of their values, 0 with 1 and 3 with 2 on side 4. Further symmetries are random: axes in
cycles, some of them turned round; each keeps the players or exchanges them. A SAT solver looks for
the players of the classes of cells. LIST gets a row for each of the TRIES (20): the symmetries, how
many classes there are, and `found`, `none` or `unknown` after SECONDS (60). Called again with the
same list it goes on with new tries. A board that is found is written to BOARD as a proof.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.proof import write_proof
from hyperoxo.task import Task
from hyperoxo_research.draws.no_draw import Clauses
from hyperoxo_research.draws.stored import lines_of, lines_of_one_colour
from hyperoxo_research.proof.full_board import DrawnBoard

LEAST_CLASSES, MOST_CLASSES = 20, 4_000


def images(side: int, dim: int, symmetry: dict[str, Any]) -> NDArray[np.int64]:
    """Return the image of each cell."""
    weights = side ** np.arange(dim - 1, -1, -1)
    digits = np.arange(side**dim)[:, None] // weights % side
    digits = np.array(symmetry["values"])[digits[:, symmetry["axes"]]]
    digits = np.where(symmetry["turned"], side - 1 - digits, digits)
    found: NDArray[np.int64] = digits @ weights
    return found


def literals(side: int, dim: int, symmetries: list[dict[str, Any]]) -> NDArray[np.int64] | None:
    """Return a variable for each cell, or its negation; None where a cell is its own opposite."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = side**dim
    cells, rows, columns = np.arange(count), [], []
    for symmetry in symmetries:
        to = images(side, dim, symmetry)
        for sign in (0, 1):
            rows.append(cells + sign * count)
            columns.append(to + (sign ^ symmetry["exchanges"]) * count)
    row, column = np.concatenate(rows), np.concatenate(columns)
    graph = coo_array((np.ones(len(row), np.int8), (row, column)), (2 * count, 2 * count))
    label = connected_components(graph, directed=False)[1]
    plus, minus = label[:count], label[count:]
    if (plus == minus).any():
        return None
    classes = np.unique(np.minimum(plus, minus), return_inverse=True)[1] + 1
    signed: NDArray[np.int64] = np.where(plus < minus, classes, -classes)
    return signed


def symmetries_by_chance(side: int, dim: int, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return opposite cells, and some symmetries more."""
    plain, straight = list(range(side)), [False] * dim
    halves = [*plain[: side // 2][::-1], *plain[side // 2 :][::-1]]
    axes = list(range(dim))
    found = [{"axes": axes, "turned": [True] * dim, "values": plain, "exchanges": 1}]
    if rng.random() < 0.7:
        exchanges = int(rng.integers(2))
        found.append({"axes": axes, "turned": straight, "values": halves, "exchanges": exchanges})
    for _ in range(rng.integers(1, 4)):
        order, to, at = rng.permutation(dim).tolist(), [0] * dim, 0
        while at < dim:
            cycle = order[at : at + int(rng.integers(1, dim + 1))]
            for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True):
                to[one] = other
            at += len(cycle)
        turned = rng.integers(2, size=dim).astype(bool).tolist() if rng.random() < 0.4 else straight
        values = halves if rng.random() < 0.3 else plain
        exchanges = int(rng.integers(2))
        found.append({"axes": to, "turned": turned, "values": values, "exchanges": exchanges})
    return found


def look(
    side: int, dim: int, signed: NDArray[np.int64], seconds: float
) -> NDArray[np.uint8] | bool | None:
    """Return a board, False where there is none of this form, or None where the time is up."""
    rows = [np.unique(np.sort(line, axis=1), axis=0) for line in lines_of(signed, side, dim)]
    with Clauses(Task.within(seconds)) as clauses:
        for row in np.unique(np.concatenate(rows), axis=0).tolist():
            clause = set(row)
            if not any(-one in clause for one in clause):
                clauses.add(sorted(clause))
                clauses.add([-one for one in sorted(clause)])
        holds = clauses.solve()
        if not holds:
            return holds
        known = np.zeros(int(np.abs(signed).max()) + 1, bool)
        known[list(clauses.true())] = True
    return (known[np.abs(signed)] == (signed > 0)).astype(np.uint8)


def main() -> None:
    """Try until a board is found."""
    side, dim, tries, board = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    if side % 2 or side < 2 or dim < 2:
        raise SystemExit("the side must be even, and there must be two axes or more")
    most, seconds = (float(one) for one in (*sys.argv[5:], *("20", "60")[len(sys.argv) - 5 :]))
    earlier = tries.read_text("utf-8").splitlines() if tries.exists() else []
    number, left = max((json.loads(row)["number"] for row in earlier), default=-1), int(most)
    while left:
        number += 1
        symmetries = symmetries_by_chance(side, dim, np.random.default_rng(number))
        signed = literals(side, dim, symmetries)
        classes = 0 if signed is None else int(np.abs(signed).max())
        if signed is None or not LEAST_CLASSES <= classes <= MOST_CLASSES:
            continue
        left -= 1
        stones = look(side, dim, signed, seconds)
        result = "unknown" if stones is None else "none" if stones is False else "found"
        row = {"number": number, "classes": classes, "result": result, "symmetries": symmetries}
        with tries.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(f"try {number}: {classes} classes, {result}")  # noqa: T201
        if isinstance(stones, np.ndarray):
            if lines_of_one_colour(stones, side, dim):
                raise SystemExit("the solver's board has a line")
            owners = "".join(np.where(stones == 1, "1", "2").tolist())
            write_proof(DrawnBoard(f"{side}^{dim}", owners), board, creator="symmetric_boards.py")
            return


if __name__ == "__main__":
    main()
