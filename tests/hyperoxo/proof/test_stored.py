from __future__ import annotations

import pytest

from hyperoxo.game import Game
from hyperoxo.proof import verify
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.stored import STORED, stored_dictionary, stored_proof
from tests.marks import more

SLOW = {"4^3:opening=poor", "4^3:opening=poorx2", "4^3:opening=poorx3"}
FIRST = {"4^3", "4^3:opening=poor"}


@pytest.mark.parametrize(
    "spec",
    more(
        [pytest.param(s, marks=[pytest.mark.slow] if s in SLOW else []) for s in STORED],
        ["4^3", "4^3:opening=poorx5"],
    ),
)
def test_stored_proofs_are_proved(spec: str) -> None:
    data = stored_proof(Game(spec))
    assert data is not None
    verdict = verify(data)
    assert verdict.verdict == "proved", verdict.reason
    assert verdict.claim == f"player {1 if spec in FIRST else 2} wins {spec}"
    assert isinstance(verdict, DictionaryVerdict)
    dictionary = stored_dictionary(Game(spec))
    assert dictionary is not None
    assert verdict.strategic == len(dictionary.moves)


def test_the_stored_proof_of_qubic_does_not_grow() -> None:
    dictionary = stored_dictionary(Game("4^3"))
    assert dictionary is not None
    assert len(dictionary.moves) <= 1966


def test_other_games_have_none() -> None:
    assert stored_proof(Game("3^2")) is None
    assert stored_dictionary(Game("4^3:gravity")) is None
