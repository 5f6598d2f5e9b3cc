"""Leaves by regions: what is left as known of other counts agrees with the rules."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np

from hyperoxo.kernels.breaker_counts import open_regions
from hyperoxo.kernels.breaker_regions import settles_by_regions
from hyperoxo.kernels.breaker_rules import is_leaf
from hyperoxo.rules import Game
from hyperoxo.solvers.draws.breaker_board import plan_board, room_for, sets_for
from tests.proof.breaker_region_reference import random_region_rules
from tests.proof.test_breaker import stones_of
from tests.proof.test_breaker_loops import spec_of


def test_bounds_of_leaves_hold_for_other_counts() -> None:
    rng = random.Random(11)
    fates: Counter[tuple[str, bool]] = Counter()
    for _ in range(250):
        rules = random_region_rules(rng)
        keys = tuple(range(rules.width))
        board = plan_board(Game(spec_of(rules)).start(), keys, 1, by_regions=True)
        count = board.moved.shape[1]
        if not count:
            continue
        # The regions in the order of their least cells, as the rules have them, and elsewhere.
        order = [*sorted(range(count), key=board.cell_region.tolist().index), count]
        state, sets = room_for(board, rules.cells), sets_for(board, rules.cells)
        maker, breaker = stones_of(rules, rng)
        words = np.uint64(maker), np.uint64(breaker)
        raw = tuple(rng.choice((0, 1, 1, 2)) for _ in order)
        given = rules.normal(maker, breaker, raw)
        if not is_leaf(board, *words, 0, state):
            continue

        def told(counts: tuple[int, ...], most: int) -> bool:
            word = sum(c << 4 * r for r, c in zip(order, counts, strict=True))  # noqa: B023
            return bool(
                settles_by_regions(
                    *(board, open_regions(board, *words), words[1], word),  # noqa: B023
                    *(sum(counts), most, state.owner, sets),  # noqa: B023
                )
            )

        won = told(given, len(board.kinds))
        low, high = (tuple(sets.bounds[row][order].tolist()) for row in range(2))
        # A few lines never show less than all of them.
        assert told(given, 1) or not won
        for counts in product(range(4), repeat=len(order)):
            if rules.normal(maker, breaker, counts) != counts:
                continue
            if won and sum(counts) <= sum(given) and all(map(int.__le__, counts, high)):
                assert rules.settles(maker, breaker, counts)
                fates["settled", not all(map(int.__le__, counts, given))] += 1
            if not won and all(map(int.__ge__, counts, low)):
                assert not told(counts, len(board.kinds))
                fates["not", not all(map(int.__ge__, counts, given))] += 1
    assert all(fates[kind, other] > 20 for kind in ("settled", "not") for other in (False, True))
