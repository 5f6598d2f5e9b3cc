"""How few moves a proof must list: by the definition, for positions where that is not many."""

from __future__ import annotations

from functools import cache

import pytest

from hyperoxo.game import Game
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.shrink import FewestMoves
from hyperoxo.solvers.proofsearch.tree import proof_tree
from hyperoxo.solvers.proofsearch.view import ProofView, Words

pytestmark = pytest.mark.more

GAME = Game("4^3")
BOUND, PLENTY = 3, 10_000_000


def defined(view: ProofView, words: Words, bound: int) -> int:
    """Return what a position costs, or `bound` + 1 if that is more."""
    kind, block = view.attack(words)
    if kind == "win":
        return 0
    price, best = int(kind == "open"), bound + 1
    for move in [block] if kind == "block" else view.candidates(words):
        best = min(best, defined_after(view, words, move, best - 1 - price) + price)
    return best


def defined_after(view: ProofView, words: Words, move: int, bound: int) -> int:
    here = view.canonical((words[0] | 1 << move, words[1]))
    if view.refuted(here):
        return bound + 1
    children = view.after(here)
    total = 0
    # Each child in which the attacker must choose costs 1 and more.
    if bound < sum(view.attack(child)[0] == "open" for child in children):
        return bound + 1
    for child in children:
        total += defined(view, child, bound - total)
        if total > bound:
            return bound + 1
    return total


@cache
def positions() -> list[Words]:
    search = ProofSearch(GAME, 1, megabytes=16, width=10)
    position = GAME.position("moves:0,60,3,22")
    assert search.run(position).status == "win"
    found = sorted(proof_tree(search, position).moves, key=lambda words: words[0].bit_count())
    return found[:: max(1, len(found) // 6)]


def test_costs_are_those_of_the_definition() -> None:
    view = ProofView(GAME)
    fewest = FewestMoves(view, 8)
    costs = []
    for words in positions():
        cost = defined(view, words, BOUND)
        assert fewest.cost(words, BOUND, PLENTY) == (cost if cost <= BOUND else None)
        if cost <= BOUND:
            costs.append(cost)
            moves = fewest.moves(words, BOUND, PLENTY)
            expected = {
                move: total
                for move in view.candidates(words)
                if (total := 1 + defined_after(view, words, move, BOUND - 1)) <= BOUND
            }
            assert moves == expected
            assert moves[fewest.move(words) or 0] == cost == min(moves.values())
    assert {1, 2} <= {*costs}
    assert len(costs) < len(positions())


def test_a_limit_on_nodes_leaves_a_cost_open() -> None:
    fewest = FewestMoves(ProofView(GAME), 8)
    dear = next(words for words in positions() if fewest.cost(words, 1, PLENTY) is None)
    fewest = FewestMoves(ProofView(GAME), 8)
    assert fewest.cost(dear, 20, 10) is None
    assert fewest.moves(dear, 20, 10) == {}
    assert fewest.move(dear) is None
    assert fewest.cost(dear, 20, PLENTY) is not None


def test_totals_are_sums_of_costs() -> None:
    view = ProofView(GAME)
    fewest = FewestMoves(view, 8)
    for words in positions():
        cost = fewest.cost(words, 20, PLENTY)
        totals = fewest.totals(words, PLENTY, 20, deeper=False)
        assert cost is not None
        assert min(totals.values()) == cost - 1
        for move, total in totals.items():
            after = view.after(view.canonical((words[0] | 1 << move, words[1])))
            assert total == sum(fewest.cost(child, 20, PLENTY) or 0 for child in after)
        assert fewest.totals(words, PLENTY, -1, deeper=False) == {}


@pytest.mark.parametrize(("spec", "applies"), [("4^3", True), ("4^3:opening=poor", False)])
def test_openings(spec: str, applies: bool) -> None:
    game = Game(spec)
    fewest = FewestMoves(ProofView(game), 1)
    assert fewest.applies((0, 0)) == applies
    assert fewest.applies((1, 2))
