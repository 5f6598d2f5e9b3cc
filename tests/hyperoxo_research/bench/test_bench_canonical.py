"""The peers of the benchmark of canonical forms make canonical forms."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo_research.bench.bench import _one_by_one, _random_positions, canonical
from hyperoxo_research.kernels.byte_tables import byte_tables, canonical_pairs, pairs_of


def test_all_ways_tell_the_same_classes() -> None:
    symmetry = Game("4^3").symmetry
    permutations = symmetry.permutations()
    rng = np.random.default_rng(1)
    first = _random_positions(20)
    images = np.stack([position[permutations[rng.integers(192)]] for position in first])
    owners = np.concatenate([first, images])
    ours = [form.tobytes() for form in symmetry.canonical(owners)]
    tables = byte_tables(permutations)
    theirs = [form.tobytes() for form in canonical_pairs(pairs_of(owners), tables)]
    naive = _one_by_one(owners, list(permutations))
    for forms in (ours, theirs, naive):
        assert forms[:20] == forms[20:]
        assert len(set(forms)) == len(set(ours))


@pytest.mark.more
def test_rows() -> None:
    rows = list(canonical(peers=True))
    assert [row.peer_name.split(",")[0] for row in rows] == ["plain byte tables", "NumPy"]
    assert all(row.ratio is not None and row.ratio > 0 for row in rows)
    assert len(list(canonical(peers=False))) == 1
