from __future__ import annotations

import random

import pytest

from hyperoxo.game import Game
from hyperoxo.proof import verify
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.coverage import coverages
from hyperoxo.proof.stored import ENDGAMES, STORED, stored_dictionary, stored_endgames, stored_proof
from tests.expect import require
from tests.marks import more

SLOW = {"4^3:opening=poor", "4^3:opening=poorx2", "4^3:opening=poorx3", "7,6,4:gravity"}
FIRST = {"4^3", "4^3:opening=poor", "7,6,4:gravity"}


@pytest.mark.parametrize(
    "spec",
    more(
        [pytest.param(s, marks=[pytest.mark.slow] if s in SLOW else []) for s in STORED],
        ["4^3", "4^3:opening=poorx5"],
    ),
)
def test_stored_proofs_are_proved(spec: str) -> None:
    data = require(stored_proof(Game(spec)))
    verdict = verify(data)
    assert verdict.verdict == "proved", verdict.reason
    assert verdict.claim == f"player {1 if spec in FIRST else 2} wins {spec}"
    if spec in ENDGAMES:
        return
    assert isinstance(verdict, DictionaryVerdict)
    dictionary = require(stored_dictionary(Game(spec)))
    assert verdict.strategic == len(dictionary.moves)


def test_the_stored_proof_of_qubic_does_not_grow() -> None:
    dictionary = require(stored_dictionary(Game("4^3")))
    assert len(dictionary.moves) <= 1966


def test_other_games_have_none() -> None:
    assert stored_proof(Game("3^2")) is None
    assert stored_dictionary(Game("4^3:gravity")) is None


def test_what_is_stored_of_connect_four_decides_its_first_moves() -> None:
    game = Game("7,6,4:gravity")
    found = require(stored_endgames(game))
    assert stored_dictionary(game) is None
    assert len(found.moves) <= 96_697
    (coverage,) = coverages(game)
    start = game.start()
    assert coverage.winning_moves(start) == (3,)
    assert coverage.listed_move(start) == 3
    assert not coverage.winning_moves(start.play(3))
    for cell in start.play(3).legal_moves:
        assert coverage.wins(start.play(3))
        assert coverage.wins(start.play(3).play(cell))
    assert not coverage.wins(start.play(0))


def test_the_stored_moves_win_against_random_play() -> None:
    rng, game = random.Random(4), Game("7,6,4:gravity")
    found = require(stored_endgames(game))
    for _ in range(4):
        position = game.start()
        while not position.is_over:
            cell = found.reply(position)
            assert (cell is None) == (position.to_move == 2)
            position = position.play(rng.choice(position.legal_moves) if cell is None else cell)
        assert require(position.outcome).winners == (1,)
