"""Making proofs smaller: the graph of options, its file, and proofs that hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.proof.dictionary_check import check_dictionary
from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree
from hyperoxo.solvers.proofsearch.options import Chooser, OptionGraph
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.shrink import Shrinker
from hyperoxo.solvers.proofsearch.tree import ProofTree, proof_tree
from hyperoxo.solvers.proofsearch.view import Words

GAME = Game("4^3")
POSITION = GAME.position("moves:0,60,3,22")


@cache
def proof() -> ProofTree:
    search = ProofSearch(GAME, 1, megabytes=16)
    assert search.run(POSITION).status == "win"
    return proof_tree(search, POSITION)


def shrinker(checkpoint: Path | None = None) -> Shrinker:
    return Shrinker(ProofSearch(GAME, 1, megabytes=16), proof(), checkpoint=checkpoint)


def graph_of(options: dict[int, list[tuple[int, ...]]]) -> OptionGraph:
    """Position k has k stones, and position 0 is the root."""

    def words(number: int) -> Words:
        return (1 << number) - 1, 0

    graph = OptionGraph("wins", 64)
    for here in options:
        graph.costs[graph.node(words(here))] = 1
    for here, choices in options.items():
        for move, after in enumerate(choices):
            assert graph.add(graph.node(words(here)), move, map(words, after))
    graph.roots = [graph.node(words(0))]
    graph.best = graph.reached({})
    return graph


@pytest.mark.more
def test_the_least_choice_is_found() -> None:
    """Position 3 can do without 4, which saves nothing until the root needs 4 no more."""
    graph = graph_of({0: [(2, 3, 4), (3,)], 2: [()], 3: [(4,), ()], 4: [()]})
    assert graph.size(graph.best) == 4
    chooser = Chooser(graph, 1)
    chooser.anneal(10_000, 1.0)
    assert chooser.size == 2
    graph.best = chooser.choice()
    assert graph.size(graph.best) == 2
    assert len(graph.chosen_moves()) == 2


@pytest.mark.more
def test_smaller_proofs_hold_and_runs_go_on(tmp_path: Path) -> None:
    path = tmp_path / "options"
    work = shrinker(path)
    work.run(600.0, rounds=1)
    assert work.size < len(proof().moves)
    smaller = dictionary_of_tree(POSITION, 1, work.tree())
    found = check_dictionary(smaller)
    assert (found.verdict, found.strategic, found.unused) == ("proved", work.size, 0)
    again = shrinker(path)
    assert again.size == work.size
    assert again.graph.words == work.graph.words
    assert again.graph.options == work.graph.options
    assert again.graph.children == work.graph.children
    assert again.graph.tried == work.graph.tried
    again.run(0.0)
    assert again.size <= work.size


def test_a_second_proof_gives_more_choice() -> None:
    work = shrinker()
    search = ProofSearch(GAME, 1, megabytes=16, width=16)
    assert search.run(POSITION).status == "win"
    other = proof_tree(search, POSITION)
    before = len(work.graph.moves)
    work.add(other)
    assert len(work.graph.moves) > before
    assert work.size == min(len(proof().moves), len(other.moves))


def test_checkpoints_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "options"
    path.write_bytes(b"{}\n")
    with pytest.raises(CheckFailedError, match="is not a checkpoint of oxo proof shrink"):
        shrinker(path)
    OptionGraph("player 2 wins 3^2", 9).save(path)
    with pytest.raises(CheckFailedError, match="shrink with claim 'player 2 wins 3"):
        shrinker(path)
    graph_of({0: [()]}).save(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CheckFailedError, match="is damaged"):
        OptionGraph.load(path, "wins", 64)
