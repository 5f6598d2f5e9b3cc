"""The player of stored proofs wins where they say so, and plays by the rules elsewhere."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents.proof import ProofAgent
from hyperoxo.errors import AgentError
from hyperoxo.game import Game
from hyperoxo.play.presets import PRESETS
from tests.expect import require
from tests.marks import more


@pytest.mark.more
def test_the_line_of_the_first_page_is_played_by_the_proof() -> None:
    qubic = next(preset for preset in PRESETS if preset.spec == "4^3")
    position = Game(qubic.spec).start()
    for ply, move in enumerate(map(int, qubic.example.split(","))):
        assert ply % 2 or ox.agent("proof").choose(position) == move
        position = position.play(move)
    assert require(position.outcome).winner == 1


@pytest.mark.parametrize("spec", ["4^3", "4^3:opening=poor", "4^3:opening=rich"])
@pytest.mark.parametrize("rival", more(["random", "greedy"], but=["greedy"]))
def test_the_first_player_wins(spec: str, rival: str) -> None:
    assert ox.match(spec, ["proof", rival], games=15, seed=1).wins == (15, 0)


def test_it_wins_after_any_first_move() -> None:
    rng = np.random.default_rng(2)
    player = ProofAgent()
    for first in range(0, 64, 7):
        position = Game("4^3").start().play(first)
        while not position.is_over:
            mover = position.to_move
            legal = position.legal_moves
            cell = player.choose(position, rng) if mover == 1 else int(rng.choice(legal))
            position = position.play(cell)
        assert require(position.outcome).winner == 1


def test_means() -> None:
    def told(moves: str) -> str:
        return ProofAgent().explain(Game("4^3").position(f"moves:{moves}"), 0).reason

    assert told("0,16,1,17,2,18") == "Cell 1d4 completes a line."
    assert told("0,16,1,17,5,18") == "Cell 2d4 stops a line."
    assert told("0,1").endswith("lists it.")
    assert told("0,3,60,21,15,51,12,63").endswith("begins a forced win in 6 moves.")
    assert told("0") == "The stored proofs say nothing here: a random move."


def test_it_plays_both_seats_and_travels() -> None:
    assert ox.match("4^3", ["proof", "proof"], games=4, seed=3).wins == (4, 0)
    assert pickle.loads(pickle.dumps(ox.agent("proof"))).choose(Game("4^3").start(), 0) == 0


@pytest.mark.parametrize("spec", ["3^2", "4^3:gravity", "4^3:players=3"])
def test_other_games_are_refused(spec: str) -> None:
    with pytest.raises(AgentError, match="there is none for"):
        ox.match(spec, ["proof"] * Game(spec).players, games=1)
