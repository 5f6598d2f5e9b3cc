"""Proofs as graphs: as many positions as the checker walks through, and the same depth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_check import check_dictionary, pack
from hyperoxo.proof.stored import stored_dictionary
from hyperoxo.solvers.proofsearch.driver import ProofSettings, ProofSolver, certificate_of
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.tree import proof_graph, reply_classes, tree_depth, tree_of
from tests.hyperoxo.proof.test_qubic_dictionary import part


def solved(spec: str, seat: int = 1) -> Dictionary:
    solver = ProofSolver(Game(spec).start(), ProofSettings(megabytes=1))
    solver.run()
    return certificate_of(solver, seat)


def stored() -> Dictionary:
    dictionary = stored_dictionary(Game("4^3"))
    assert dictionary is not None
    return dictionary


def check(dictionary: Dictionary) -> None:
    graph = proof_graph(dictionary)
    verdict = check_dictionary(dictionary)
    assert len(graph.nodes) == verdict.positions
    assert sum(node.listed for node in graph.nodes.values()) == verdict.strategic
    assert sum(node.quiet for node in graph.nodes.values()) == verdict.quiet
    search = ProofSearch(dictionary.game, dictionary.seat, megabytes=0)
    depth = max(map(graph.depths().__getitem__, graph.roots))
    assert depth == tree_depth(search, tree_of(search, dictionary))
    assert graph.below(graph.roots) == {*graph.nodes}


@pytest.mark.parametrize("spec", ["3^3", "4,4,3", "6,5,4", "6,6,4"])
def test_proofs_of_small_games(spec: str) -> None:
    check(solved(spec))


@pytest.mark.parametrize("spec", ["3^2:opening=0+2+4+5+8x3", "4,4,3:opening=4+6+7+9+14x4"])
def test_blocks_where_the_opening_still_binds_the_defender(spec: str) -> None:
    """A packed proof does not list blocks, which must then be found."""
    check(pack(solved(spec, 2))[0])


def test_part_of_qubic() -> None:
    check(part())


@pytest.mark.more
def test_the_stored_proof_of_qubic() -> None:
    check(stored())


@pytest.mark.slow
def test_the_stored_proof_against_five_poor_moves() -> None:
    dictionary = stored_dictionary(Game("4^3:opening=poorx5"))
    assert dictionary is not None
    check(dictionary)


@pytest.mark.more
def test_classes_of_replies() -> None:
    dictionary = stored()
    graph = proof_graph(dictionary)
    after = dictionary.game.start().play(63)
    classes = reply_classes(dictionary, graph, after)
    assert len(classes) == 12
    assert sorted(cell for one in classes for cell in one.cells) == list(after.legal_moves)
    root = graph.nodes[graph.roots[0]]
    assert len(root.after) == 12
    depths = graph.depths()
    assert max(one.depth for one in classes) == depths[graph.roots[0]] - root.quiet
    for one in classes:
        assert sum(one.by_depth) == one.strategic
        assert len(one.by_depth) == one.depth + 1
        assert one.quiet <= one.strategic < len(dictionary.moves)


def test_what_is_missing_is_told() -> None:
    form = next(form for form in part().moves if form.count(0) < 60)
    moves = {key: move for key, move in part().moves.items() if key != form}
    with pytest.raises(CheckFailedError, match="no move is listed"):
        proof_graph(replace(part(), moves=moves))


@pytest.mark.more
def test_progress_is_told() -> None:
    told: list[int] = []
    proof_graph(stored(), watch=told.append)
    assert told == list(range(256, told[-1] + 1, 256))
