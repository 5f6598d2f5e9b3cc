from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position
from hyperoxo.proof.dictionary import Dictionary, dictionary_of
from hyperoxo.proof.dictionary_check import check_dictionary
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.shrink import Shrinker, ShrinkSettings
from hyperoxo.solvers.proofsearch.tree import ProofTree, proof_tree, tree_of
from hyperoxo.solvers.proofsearch.view import Words
from tests.proof_boards import some_position, spread, strong_specs


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
    position = some_position(game, rng, most_free=9)
    if position.is_over:
        return
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
    work = Shrinker(search, tree, ShrinkSettings(seconds=1.0))
    work.run()
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
