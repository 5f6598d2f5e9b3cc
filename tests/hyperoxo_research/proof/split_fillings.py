"""Full boards of games whose lines have three cells, and cases with stones placed by chance."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import numpy as np

from hyperoxo.board import Board, hypergraph
from hyperoxo.game import Game
from hyperoxo_research.draws.filling_cases import _Search
from hyperoxo_research.proof.filling_cases import Case, End, FillingCases

FANO = "7{0+1+2/0+3+4/0+5+6/1+3+5/1+4+6/2+3+6/2+4+5}"


def lines_of(game: Game) -> list[list[int]]:
    return [game.board.line(at).tolist() for at in range(game.board.line_count)]


def shared_boards(game: Game) -> Iterator[list[int]]:
    """Give the stones, 1 and -1, of all full boards on which both have their share."""
    cells = game.board.playable.tolist()
    for firsts in itertools.combinations(cells, (len(cells) + 1) // 2):
        stones = [0] * game.board.cell_count
        for cell in cells:
            stones[cell] = 1 if cell in firsts else -1
        yield stones


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
