"""Bounds by odd sums, against all full boards, and the walks on which they are found."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from hyperoxo.board import hypergraph
from hyperoxo.game import Game
from hyperoxo.proof import check_proof
from hyperoxo.task import Task
from hyperoxo_research.draws.classify import classify
from hyperoxo_research.draws.filling import odd_filling
from hyperoxo_research.draws.stored import stored_filling
from hyperoxo_research.kernels.odd_sums import walk_downhill
from tests.hyperoxo_research.proof.split_fillings import lines_of, shared_boards


def least_lines(game: Game) -> int:
    """Look at all full boards on which both have their share of stones."""
    return min(
        sum(abs(sum(stones[cell] for cell in line)) == 3 for line in lines_of(game))
        for stones in shared_boards(game)
    )


@pytest.mark.more
def test_what_odd_sums_prove_holds() -> None:
    rng, proved = random.Random(2), 0
    for seed in range(8):
        size = rng.randint(6, 8)
        triples = list(itertools.combinations(range(size), 3))
        game = Game(board=hypergraph(size, sorted(rng.sample(triples, rng.randint(12, 20)))))
        least = least_lines(game)
        for wanted in {max(1, least), least + 1}:
            found = odd_filling(game, wanted, task=Task.within(0.15), seed=seed)
            if found is not None:
                proved += 1
                assert wanted <= found.least_lines <= least
                assert check_proof(found).proved
    assert proved > 1


@pytest.mark.more
def test_weights_of_cells_alone_are_not_enough_for_the_tesseract_without_its_centre() -> None:
    game = Game("3^4:blocked=centre,target=11")
    found = odd_filling(game, 21, task=Task())
    assert found is not None
    assert found.least_lines == 21
    assert found.shared
    assert check_proof(found).proved


@pytest.mark.more
def test_what_is_not_looked_for() -> None:
    """Other lines, too many lines, no time."""
    assert odd_filling(Game("4^2"), 1, task=Task()) is None
    assert odd_filling(Game("3^2"), 3, task=Task()) is None
    assert odd_filling(Game("3^4:target=15"), 29, task=Task.within(0)) is None


@pytest.mark.more
@pytest.mark.parametrize(("target", "regions"), [(12, (2,)), (15, (2,)), (16, (3, 4, 5))])
def test_targets_on_3_to_the_4(target: int, regions: tuple[int, ...]) -> None:
    found = classify(f"3^4:target={target}")
    assert set(found.regions) <= set(regions)
    assert found.draw is (target == 16)


def test_the_stored_weights_are_for_one_board() -> None:
    for spec in ("3^4", "3^4:target=16", "3^4:blocked=centre,target=11", "3^4:misere,target=9"):
        assert stored_filling(Game(spec)) is None


@pytest.mark.parametrize("most", [1, 2, 3])
def test_walks_end_where_no_step_helps(most: int) -> None:
    rng = np.random.default_rng(most)
    moved = 0
    for _ in range(20):
        size = int(rng.integers(1, 8))
        root = rng.normal(size=(size, size + 1))
        form = root @ root.T
        times = rng.integers(-most, most + 1, (30, size))
        times[:, 0] += (times.sum(axis=1) + 1) % 2
        times = times[np.abs(times).max(axis=1) <= most]
        begun = times.copy()
        values = walk_downhill(form, times, most)
        moved += int((begun != times).any(axis=1).sum())
        steps = [2 * sign * one for one in np.eye(size, dtype=int) for sign in (1, -1)]
        for one, two in itertools.combinations(np.eye(size, dtype=int), 2):
            steps += [first * one + second * two for first in (1, -1) for second in (1, -1)]
        for before, row, value in zip(begun, times, values, strict=True):
            assert row.sum() % 2 == 1
            assert np.abs(row).max() <= most
            assert value == pytest.approx(row @ form @ row)
            assert value <= before @ form @ before + 1e-9
            others = [row + step for step in steps if np.abs(row + step).max() <= most]
            assert all(other @ form @ other >= value - 1e-6 for other in others)
    assert moved > 100
