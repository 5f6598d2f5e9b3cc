"""The published program's own Ising player against a plain reading of its text."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import AgentError
from hyperoxo_research.ising_walks import (
    cells_of_walks,
    energies_of,
    energy_walks,
    walks_of,
    win_walks,
)
from hyperoxo_research.kernels.ising_walks import walk_candidates, walk_games

BOARDS = [(3, 2), (4, 2), (5, 2), (3, 3), (4, 3)]


def on_an_end(cell: int, step: tuple[int, ...], side: int) -> bool:
    """True if the program's ``constrain`` stops a scan: digits from the lowest, as it has them."""
    digits = [cell // side**axis % side for axis in range(len(step))]
    return any(
        (s > 0 and x == side - 1) or (s < 0 and x == 0) for s, x in zip(step, digits, strict=True)
    )


def line_energy(
    grid: list[int], start: int, step: tuple[int, ...], side: int, player: int
) -> float:
    unit = (side + 1.0) ** (1.0 / side)
    u = sum(s * side**axis for axis, s in enumerate(step))
    flag = 0 if grid[start] == 0 else 1
    other = 3 - player
    anti = grid[start] == other
    while True:
        if start + u >= len(grid) or start + u < 0 or grid[start + u] == 0:
            break
        stop = on_an_end(start + u, step, side)
        if grid[start + u] == player:
            flag += 1
        else:
            anti = True
        u += u
        if stop:
            break
    energy = 1.0
    for i in range(1, flag + 1):
        energy *= unit * i
    return 0.0 if anti else energy


def terminal_directions(cell: int, side: int, dim: int) -> list[tuple[int, ...]]:
    digits = [cell // side**axis % side for axis in range(dim)]
    if not any(x in (0, side - 1) for x in digits):
        return []
    steps = [step for step in product((-1, 0, 1), repeat=dim) if any(step)]
    inwards = [step for step in steps if not on_an_end(cell, step, side)]
    if all(x in (0, side - 1) for x in digits):
        return inwards
    straight = []
    for axis, x in enumerate(digits):
        if x in (0, side - 1):
            straight.append(tuple((1 if x == 0 else -1) * (a == axis) for a in range(dim)))
    return straight


def energy(grid: list[int], side: int, dim: int, player: int) -> float:
    return sum(
        line_energy(grid, cell, step, side, player)
        for cell in range(len(grid))
        for step in terminal_directions(cell, side, dim)
    )


@st.composite
def grids(draw: st.DrawFn) -> tuple[int, int, list[int]]:
    side, dim = draw(st.sampled_from(BOARDS))
    count = side**dim
    stones = draw(st.integers(0, count - 2))
    order = draw(st.permutations(range(count)))
    grid = [0] * count
    for ply in range(stones):
        grid[order[ply]] = ply % 2 + 1
    return side, dim, grid


@pytest.mark.more
@given(grids(), st.sampled_from([0.0, 0.647, 0.8, 1.0]), st.sampled_from([1, 2]))
def test_energies_are_those_of_the_program(
    board: tuple[int, int, list[int]], bias: float, mover: int
) -> None:
    side, dim, grid = board
    walks = energy_walks(side, dim)
    values = np.zeros(len(grid))
    chosen = np.zeros(len(grid), dtype=np.int64)
    owners = np.array(grid, dtype=np.int8)
    count = walk_candidates(walks, energies_of(walks, side), owners, mover, bias, values, chosen)
    expected = {}
    for cell in range(len(grid)):
        if grid[cell] == 0:
            mine, theirs = grid.copy(), grid.copy()
            mine[cell], theirs[cell] = mover, 3 - mover
            first = energy(mine, side, dim, mover)
            expected[cell] = first + bias * energy(theirs, side, dim, 3 - mover)
    assert values[list(expected)].tolist() == pytest.approx(list(expected.values()), rel=1e-9)
    best = max(expected.values())
    if best > energy(grid, side, dim, mover) * (1 + 1e-6) + 1e-6:
        near = 1e-8 * max(1.0, best)
        assert set(chosen[:count].tolist()) == {
            cell for cell, value in expected.items() if value >= best - near
        }


def test_with_three_cells_a_side_the_program_knows_all_lines() -> None:
    for dim in (2, 3):
        lines = {tuple(sorted(line)) for line in ox.hypercube(3, dim).lines.tolist()}
        found = {tuple(sorted(walk)) for walk in cells_of_walks(win_walks(3, dim))}
        assert found == lines
    assert len(energy_walks(3, 2).ptr) - 1 == 2 * 8
    # On 3^3 the diagonals of the three middle slices count nothing.
    assert len(energy_walks(3, 3).ptr) - 1 == 2 * (49 - 6)


def test_with_four_it_leaves_the_lines() -> None:
    lines = {tuple(sorted(line)) for line in ox.hypercube(4, 2).lines.tolist()}
    found = cells_of_walks(win_walks(4, 2))
    assert [0, 1, 2, 4, 8] in found
    assert not any(tuple(sorted(walk)) in lines for walk in found)


def test_games_follow_from_the_seed() -> None:
    energies, board = energy_walks(3, 2), ox.hypercube(3, 2)
    wins = walks_of(board.lines.tolist(), board.cell_count)
    results, lengths = np.zeros((2, 200), dtype=np.int64), np.zeros((2, 200), dtype=np.int64)
    for i in range(2):
        walk_games(
            energies, wins, 3, energies_of(energies, 3), np.array([-1.0, 0.8]),
            200, np.uint64(5), 0, 0, results[i], lengths[i],
        )  # fmt: skip
    assert results[0].tolist() == results[1].tolist()
    assert (results[0] == 2).sum() > 150
    assert lengths.min() >= 5


def test_the_agent_plays_the_program_under_the_rules() -> None:
    agent = ox.agent("ising:reading=doubled")
    assert agent.spec == "ising:reading=doubled"
    assert agent.choose(ox.Game("3^2").position("moves:0,1,3,4"), 0) == 6
    result = ox.match("3^2", ["random", "ising:bias=0.8,reading=doubled"], games=200)
    scan = ox.match("3^2", ["random", "ising:bias=0.8,reading=scan"], games=200)
    assert abs(result.wins[1] - scan.wins[1]) < 40
    for game in ("3^2:players=3", "4,4,3", "3^3:blocked=centre"):
        with pytest.raises(AgentError, match="doubled plays"):
            ox.match(game, ["ising:reading=doubled"] * ox.Game(game).players, games=1)
