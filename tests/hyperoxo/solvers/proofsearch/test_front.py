"""What a running proof search has still to do."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo.kernels.proof_children import AND, OR
from hyperoxo.kernels.proof_table import SOLVED
from hyperoxo.solvers.proofsearch.search import Front, ProofSearch, front_of

CELLS = 4
LEVELS = CELLS + 2


def stack(levels: list[tuple[int, list[int], int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a stack: of each level its kind, its children's proof numbers, and the choice."""
    frames = np.zeros((LEVELS, 8), np.int64)
    keys = np.zeros((LEVELS, 3 + 2 * CELLS), np.uint64)
    numbers = np.zeros((LEVELS, 4 * CELLS), np.int64)
    for level, (kind, proofs, choice) in enumerate(levels):
        frames[level, [0, 3, 4]] = kind, len(proofs), choice
        numbers[level, : 4 * len(proofs) : 4] = proofs
        # Each child has a key of its own; the one searched stands on the next level.
        keys[level, 3 : 3 + 2 * len(proofs)] = np.arange(2 * len(proofs)) + 100 * level + 1
        keys[level + 1, :2] = keys[level, 3 + 2 * choice : 5 + 2 * choice]
    return frames, keys.ravel(), numbers


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([], Front(None)),
        ([(OR, [5, -1, 9], 0)], Front(5)),
        ([(OR, [5, -1, 9], 0), (AND, [1, 0, 3, 3], 2)], Front(7, 4, 1)),
        # The other move of the attacker has become the cheaper one.
        ([(OR, [5, 6], 0), (AND, [4, 4], 1)], Front(6, 2, 0)),
        # The numbers of the deepest position count, not what the root last heard of it.
        ([(AND, [50, 0], 0), (OR, [40, SOLVED], 0), (AND, [1, 2], 0)], Front(3, 2, 1)),
        ([(AND, [1, SOLVED], 0)], Front(None, 2, 0)),
        ([(OR, [SOLVED, -1], 0)], Front(None)),
    ],
)
def test_numbers_are_folded_from_the_deepest_position(
    levels: list[tuple[int, list[int], int]], expected: Front
) -> None:
    assert front_of(*stack(levels), 1) == expected


def test_what_was_left_by_an_earlier_path_is_not_read() -> None:
    frames, keys, numbers = stack([(AND, [7, 2], 0), (OR, [1], 0), (AND, [1], 0)])
    keys[11] = 99  # level 1 is no longer the position that level 0 searches
    assert front_of(frames, keys, numbers, 1) == Front(9, 2, 0)


def test_a_search_tells_what_is_left() -> None:
    search = ProofSearch(Game("4^3"), megabytes=1, width=10)
    found = search.run(Game("4^3").start(), nodes=150)
    assert found.status == "unknown"
    progress = found.progress
    # Twelve classes of replies to a rich opening, as Patashnik counted them.
    assert progress.replies == 12
    assert 0 <= progress.replies_proved < 12
    assert progress.remaining is not None
    assert progress.remaining >= progress.replies - progress.replies_proved
