from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.play.proof_play import PROOF_GAMES, answer_of, answers_to, proof_of
from hyperoxo.position import completing_cells


def test_the_proof_wins_against_random_play() -> None:
    proof = proof_of("4^3")
    for seed in range(8):
        rng = np.random.default_rng(seed)
        position = proof.game.start()
        while not position.is_over:
            found = answer_of(proof, position)
            assert found is not None
            if found.means == "line":
                assert found.cell in completing_cells(position, 1)
            if found.means == "forced":
                assert found.sequence[0] == found.cell
            position = position.play(found.cell)
            if not position.is_over:
                position = position.play(int(rng.choice(position.legal_moves)))
        assert position.outcome is not None
        assert position.outcome.winners == (1,)


def test_every_reply_to_the_first_move_is_answered() -> None:
    proof = proof_of("4^3")
    position = proof.game.start().play(63)
    found = answers_to(proof, position)
    assert set(found) == set(position.legal_moves)
    assert all(answer is not None and answer.means == "listed" for answer in found.values())


def test_where_there_is_no_answer() -> None:
    proof = proof_of("4^3")
    assert answer_of(proof, proof.game.start().play(63)) is None
    assert "4^3" in PROOF_GAMES
    with pytest.raises(KeyError):
        proof_of("3^3")
