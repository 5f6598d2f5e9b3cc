"""A second judge for each kind of proofs: whether what is claimed is true, without its proof."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from hyperoxo.game import Game
from hyperoxo.proof import Strategy, ZonePlan
from hyperoxo.proof.endgames import EndgameStrategy
from hyperoxo_research.proof.cubes import plain_cube
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.filling_cases import FillingCases
from hyperoxo_research.proof.full_board import DrawnBoard
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.no_draw import NoDraw
from hyperoxo_research.proof.no_pairing import NoPairing
from hyperoxo_research.proof.region import RegionProof
from tests.hyperoxo.proof.brute import stands
from tests.hyperoxo_research.proof.split_fillings import lines_of
from tests.hyperoxo_research.proof.test_boards import brute_region, drawn_boards, expanded


def no_pairing(found: NoPairing) -> bool:
    """Give cells to lines, two to each, until no line can have another."""
    lines = lines_of(Game(found.game))
    wanted = [cells for cells in lines for _ in range(2)]
    rows = [row for row, cells in enumerate(wanted) for _ in cells]
    columns = [cell for cells in wanted for cell in cells]
    shape = len(wanted), Game(found.game).board.cell_count
    matrix = csr_array((np.ones(len(rows), np.int8), (rows, columns)), shape)
    given = maximum_bipartite_matching(matrix, perm_type="column")
    return bool((given < 0).any())


def no_draw(found: NoDraw) -> bool:
    """Try all full boards."""
    return next(drawn_boards(found.game, shared=found.stones == "shared"), None) is None


def weights(found: Filling) -> bool:
    """Count the lines of one player on all full boards."""
    lines, cells = lines_of(found.game), found.game.board.cell_count
    least = min(
        sum(len({owners[cell] for cell in line}) == 1 for line in lines)
        for owners in itertools.product((1, 2), repeat=cells)
    )
    return least >= found.least_lines > 2 * (found.game.target - 1)


def cases(found: FillingCases) -> bool:
    """Count the lines of both players on all full boards on which they have their shares."""
    lines, cells = [set(line) for line in lines_of(found.game)], found.game.board.playable.tolist()
    return all(
        max(sum(line <= firsts for line in lines), sum(not line & firsts for line in lines))
        >= found.game.target
        for firsts in map(set, itertools.combinations(cells, (len(cells) + 1) // 2))
    )


def full_board(found: DrawnBoard) -> bool:
    """Look at the stones and at every line."""
    if found.groups:
        assert plain_cube(found.game)
        found = expanded(found)
    game, owners = Game(found.game), found.owners
    players = range(1, game.players + 1)
    stones = {str(p): sum(t % game.players == p - 1 for t in range(len(owners))) for p in players}
    full = Counter(
        owners[line[0]] for line in lines_of(game) if len({owners[cell] for cell in line}) == 1
    )
    return Counter(owners) == stones and max(full.values(), default=0) < game.target


def region(found: RegionProof) -> bool:
    """Play all games."""
    return region_of(found.game) in found.regions


@cache
def region_of(spec: str) -> int:
    return brute_region(Game(spec))


JUDGES: Mapping[type, Callable[[Any], bool]] = {
    EndgameStrategy: stands,
    Strategy: stands,
    ZonePlan: stands,
    KeyPlan: stands,
    NoPairing: no_pairing,
    NoDraw: no_draw,
    Filling: weights,
    FillingCases: cases,
    DrawnBoard: full_board,
    RegionProof: region,
}
