"""Making proofs smaller: the choice among the options that were found."""

from __future__ import annotations

import random

from hyperoxo.rules import Game
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.shrink import Shrinker
from hyperoxo.solvers.proofsearch.tree import ProofTree
from hyperoxo.solvers.proofsearch.view import Words


class Never(random.Random):
    """Exchanges nothing for what is only as good."""

    def random(self) -> float:
        return 1.0


def shrinker(options: dict[int, list[tuple[int, ...]]]) -> Shrinker:
    """A choice among options; position k has k stones, and position 0 is the root."""
    search, won = ProofSearch(Game("3^2"), 1, megabytes=0), (0b11, 0b11000)
    work = Shrinker(search, ProofTree(won, {}, 0), Never())
    assert not work.options

    def words(number: int) -> Words:
        return (1 << number) - 1, 0

    work.options = {
        words(here): [(move, tuple(map(words, after))) for move, after in enumerate(choices)]
        for here, choices in options.items()
    }
    work.costs = dict.fromkeys(work.options, 1)
    work.chosen = dict.fromkeys(work.options, 0)
    work._roots = [words(0)]
    work.best = work._reached(work.chosen)
    return work


def test_exchanges_go_on_while_one_makes_another_worthwhile() -> None:
    """Position 3 can do without 4, which saves nothing until the root needs 4 no more."""
    work = shrinker({0: [(2, 3, 4), (3,)], 2: [()], 3: [(4,), ()], 4: [()]})
    assert work.size == 4
    work._by_exchange()
    assert [sum(map(int.bit_count, here)) for here in work._reached(work.chosen)] == [0, 3]


def test_the_best_choice_is_kept() -> None:
    work = shrinker({0: [(2, 3, 4), (3,)], 2: [()], 3: [(4,), ()], 4: [()]})
    work._choose()
    assert work.size == 2
    assert len(work.tree().moves) == 2
