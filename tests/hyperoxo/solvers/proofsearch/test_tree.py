from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position
from hyperoxo.proof.dictionary import Dictionary, dictionary_of
from hyperoxo.proof.dictionary_check import check_dictionary, pack
from hyperoxo.proof.stored import stored_dictionary
from hyperoxo.solvers.proofsearch.driver import ProofSettings, ProofSolver, certificate_of
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.shrink import Shrinker
from hyperoxo.solvers.proofsearch.tree import (
    ProofTree,
    proof_tree,
    tree_depth,
    tree_of,
)
from hyperoxo.solvers.proofsearch.view import Words
from hyperoxo_research.study.qubic import below, proof_graph, reply_classes
from tests.expect import require
from tests.hyperoxo.proof.test_qubic_dictionary import part
from tests.proof_boards import running_position, spread, strong_specs


def owners_of(game: Game, attacker: int, words: Words) -> bytes:
    row = bytearray(game.start().owners)
    for player, stones in zip((attacker, 3 - attacker), words, strict=True):
        for cell in range(len(row)):
            if stones >> cell & 1:
                assert not row[cell]
                row[cell] = player
    return bytes(row)


def dictionary(search: ProofSearch, position: Position, tree: ProofTree) -> Dictionary:
    game, attacker = search.game, search.attacker
    entries = [(owners_of(game, attacker, words), move) for words, move in tree.moves.items()]
    return dictionary_of(game, attacker, position, entries)


def check(search: ProofSearch, position: Position, tree: ProofTree) -> None:
    """The checker, which shares nothing with the search, says the same."""
    found = check_dictionary(dictionary(search, position, tree))
    assert found.verdict == "proved", found.reason
    assert found.quiet <= tree.quiet <= len(tree.moves)
    assert tree_of(search, dictionary(search, position, tree)).moves.keys() == tree.moves.keys()


@pytest.mark.parametrize("spec", ["3^2:opening=1+3x2", "3^2:opening=0+2+3x3"])
def test_openings_of_several_moves(spec: str) -> None:
    """Not all symmetries keep the cells; and what the defender may not complete is no threat."""
    position = Game(spec).start()
    search = ProofSearch(position.game, 2, megabytes=0.1, width=0)
    assert search.run(position).status == "win"
    check(search, position, proof_tree(search, position))


@pytest.mark.more
@given(strong_specs(), st.integers(0, 5), st.booleans(), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None)
def test_proofs_of_small_games(spec: str, width: int, wide: bool, rng: random.Random) -> None:
    game = spread(Game(spec), 80, rng) if wide else Game(spec)
    position = running_position(game, rng, most_free=9)
    for attacker in (1, 2):
        search = ProofSearch(game, attacker, megabytes=0.1, width=width)
        if search.run(position).status == "win":
            check(search, position, proof_tree(search, position))


@pytest.mark.more
@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("4^3", "0,1,21,42"),
        ("3^4", ""),
        ("5^3", "62,118,0,39,15,98,19,50,2,102,20,46,1,88,21,116,9,94,87,109"),
        ("6,6,4", ""),
        ("3^3:blocked=13", ""),
    ],
)
def test_proofs_of_larger_games_and_smaller_ones_of_them(spec: str, moves: str) -> None:
    position = Game(spec).position(f"moves:{moves}") if moves else Game(spec).start()
    search = ProofSearch(position.game, 1, megabytes=16)
    assert search.run(position).status == "win"
    tree = proof_tree(search, position)
    check(search, position, tree)
    work = Shrinker(search, tree)
    work.run(0.3)
    smaller = work.tree()
    assert len(smaller.moves) <= len(tree.moves)
    check(search, position, smaller)


@pytest.mark.more
def test_what_the_table_forgot_is_searched_again() -> None:
    position = Game("4^3").position("moves:0,1,21,42")
    search = ProofSearch(position.game, 1, megabytes=16)
    assert search.run(position).status == "win"
    kept = proof_tree(search, position)
    for entry in range(0, len(search.table), 3 * search.entry_words):
        search.table[entry : entry + search.entry_words] = np.uint64(0)
    tree = proof_tree(search, position)
    check(search, position, tree)
    assert len(kept.moves) > 20


def test_no_tree_without_a_win() -> None:
    game = Game("4^2")
    search = ProofSearch(game, 1, megabytes=1, width=0)
    assert search.run(game.start()).status == "failed"
    with pytest.raises(CheckFailedError, match="no win of player 1"):
        proof_tree(search, game.start())


# Proofs as graphs: as many positions as the checker walks through, and the same depth.


def solved(spec: str, seat: int = 1) -> Dictionary:
    solver = ProofSolver(Game(spec).start(), ProofSettings(megabytes=1))
    solver.run()
    return certificate_of(solver, seat)


def stored() -> Dictionary:
    return require(stored_dictionary(Game("4^3")))


def check_graph(dictionary: Dictionary) -> None:
    graph = proof_graph(dictionary)
    verdict = check_dictionary(dictionary)
    assert len(graph.nodes) == verdict.positions
    assert sum(node.listed for node in graph.nodes.values()) == verdict.strategic
    assert sum(node.quiet for node in graph.nodes.values()) == verdict.quiet
    search = ProofSearch(dictionary.game, dictionary.seat, megabytes=0)
    depth = max(map(graph.depths().__getitem__, graph.roots))
    assert depth == tree_depth(search, tree_of(search, dictionary))
    assert below(graph, graph.roots) == {*graph.nodes}


@pytest.mark.parametrize("spec", ["3^3", "4,4,3", "6,5,4", "6,6,4"])
def test_graphs_of_small_games(spec: str) -> None:
    check_graph(solved(spec))


@pytest.mark.parametrize("spec", ["3^2:opening=0+2+4+5+8x3", "4,4,3:opening=4+6+7+9+14x4"])
def test_blocks_where_the_opening_still_binds_the_defender(spec: str) -> None:
    """A packed proof does not list blocks, which must then be found."""
    check_graph(pack(solved(spec, 2))[0])


def test_part_of_qubic() -> None:
    check_graph(part())


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["4^3", "4^3:opening=poorx5"])
def test_stored_proofs(spec: str) -> None:
    check_graph(require(stored_dictionary(Game(spec))))


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
