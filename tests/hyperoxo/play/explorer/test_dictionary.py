from __future__ import annotations

import numpy as np

from hyperoxo.game import Game, completing_cells
from hyperoxo.play.explorer.dictionary import answer_of, forced_in
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.forced import wins
from hyperoxo.proof.stored import stored_dictionary


def stored() -> Dictionary:
    found = stored_dictionary(Game("4^3"))
    assert found is not None
    return found


def test_the_proof_wins_against_random_play() -> None:
    proof = stored()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        position = proof.game.start()
        while not position.is_over:
            found = answer_of(proof, position)
            assert found is not None
            if found.by == "line":
                assert found.cell in completing_cells(position, 1)
            if found.by == "forced":
                assert found.sequence[0] == found.cell
            assert found.cell is not None
            position = position.play(found.cell)
            if not position.is_over:
                position = position.play(int(rng.choice(position.legal_moves)))
        assert position.outcome is not None
        assert position.outcome.winners == (1,)


def test_where_there_is_no_answer() -> None:
    proof = stored()
    assert answer_of(proof, proof.game.start().play(63)) is None


def test_a_forced_sequence_is_found_where_there_is_one() -> None:
    position = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    sequence = forced_in(position)
    assert sequence is not None
    assert wins(position, sequence)
    assert forced_in(Game("4^3").start()) is None
