"""Cases by which no full board is a draw, with stones placed by chance."""

from __future__ import annotations

import itertools
import random

import numpy as np

from hyperoxo.board import Board, hypergraph
from hyperoxo.game import Game
from hyperoxo_research.draws.filling_cases import _Search
from hyperoxo_research.proof.filling_cases import Case, End, FillingCases


def random_triples(rng: random.Random, cells: tuple[int, int] = (5, 8)) -> Board:
    """Return a board whose lines have three cells."""
    size = rng.randint(*cells)
    triples = list(itertools.combinations(range(size), 3))
    count = min(len(triples), rng.randint(1, 26))
    return hypergraph(size, sorted(rng.sample(triples, count)))


def some_cases(game: Game, rng: random.Random) -> FillingCases | None:
    """Place stones by chance, also where an end can be found; None where a board is a draw."""
    search, rows = _Search(game), list[Case | End]()
    left = [np.zeros(len(search.cells), np.int64)]
    while left:
        stones = left.pop()
        free = search.cells[stones == 0].tolist()
        row: Case | End | None = Case(rng.choice(free), rng.randint(1, 2)) if free else None
        if row is None or rng.random() < 0.6:
            row = search.row(stones)
        if row is None:
            return None
        rows.append(row)
        if isinstance(row, Case):
            left += [one for one in reversed(search.cases(row, stones)) if search.open(one)]
    return FillingCases(game, tuple(rows))
