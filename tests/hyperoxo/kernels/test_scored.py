"""What lines are worth, worked out from nothing, against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo import Game
from hyperoxo.heuristics import as_heuristic, tabulate
from hyperoxo.kernels.arrays import Bytes, Floats
from hyperoxo.kernels.scored import add_all_lines
from hyperoxo.kernels.state import load, new_state
from hyperoxo.solvers.arrays import tables_of


@pytest.mark.parametrize("name", ["ising", "potential", "ising-scan"])
@pytest.mark.parametrize("spec", ["3^2", "3^2:players=3", "4,3,3"])
@given(st.data())
def test_energies_are_sums_and_scores_are_what_a_stone_adds(
    name: str, spec: str, data: Any
) -> None:
    game = Game(spec)
    owner = st.integers(0, game.players)
    drawn = data.draw(st.lists(owner, min_size=game.cells, max_size=game.cells))
    owners = np.array(drawn, dtype=np.uint8)
    tables = tabulate(as_heuristic(name), game.board, game.players)
    lines = tables.weights, tables.kinds, int(tables.by_ends)

    def worked_out(owners: Bytes, cells: int) -> tuple[Floats, Floats]:
        t, energy = tables_of(game), np.full(game.players, np.nan)
        score = np.full((min(cells, 1) * game.players, cells), np.nan)
        load(t, state := new_state(t), owners)
        add_all_lines(t, state, *lines, energy, score)
        return energy, score

    energy, score = worked_out(owners, game.cells)
    assert worked_out(owners, 0)[0].tobytes() == energy.tobytes()
    if not tables.by_ends:
        for player in range(1, game.players + 1):
            worth = 0.0
            for kind, line in zip(tables.kinds[0], game.board.lines, strict=True):
                stones = owners[list(line)]
                rivals = stones[(stones > 0) & (stones != player)]
                if len(set(rivals)) < 2:
                    worth += tables.weights[kind, (stones == player).sum(), len(rivals)]
            assert energy[player - 1] == pytest.approx(worth)
    for cell in np.flatnonzero(owners == 0):
        for player in range(1, game.players + 1):
            after = owners.copy()
            after[cell] = player
            gained = worked_out(after, 0)[0][player - 1] - energy[player - 1]
            assert score[player - 1, cell] == pytest.approx(gained)
