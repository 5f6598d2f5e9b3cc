"""Openings that restrict several moves: a threat counts only where it may be carried out."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.game import Game
from hyperoxo.proof import Mirroring, Pairing, check_mirroring, check_pairing
from hyperoxo.proof.dictionary import Dictionary, dictionary_of
from hyperoxo.proof.dictionary_check import check_dictionary, check_proof, pack
from tests.hyperoxo.proof.dictionaries import WIN, completing, has_forced_win, holds, wins_always
from tests.hyperoxo.proof.small_games import small_game, some_position, tempting, won_dictionaries
from tests.judge import forced
from tests.strategies import play_at_random

SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize(
    ("spec", "seat"),
    [("5{0+1/0+2}:opening=0+3+4x2", 1), ("6{0+1/0+2}:opening=0+3+4+5x3", 1)],
)
def test_a_line_that_the_opening_keeps_the_attacker_from_is_no_win(spec: str, seat: int) -> None:
    game = Game(spec)
    assert forced(game.start(), seat) < WIN
    found = check_dictionary(Dictionary(game, seat, None, {bytes(game.board.cell_count): 0}))
    assert found.verdict == "rejected"
    assert "no move is listed" in found.reason


def test_a_threat_that_the_opening_forbids_needs_no_block() -> None:
    """After 3, 0, 2 the defender owns 2 and 3 but must play in the opening's cells."""
    game = Game("3^2:opening=0+2+3x3")
    rng = random.Random(3)
    assert forced(game.start(), 2) == WIN
    for found in won_dictionaries(game, rng):
        assert check_dictionary(found).proved


# Player 1 wins from 5 by double threats; player 2 threatens the line 0+1 in a single move.
LINES = "8{0+1/0+2+5/0+3+5/1+2+5/1+3+5/2+5+7/3+5+6/3+5+7/4+5+6/4+5+7/5+6+7}"


@pytest.mark.parametrize(
    ("opening", "won", "reason"),
    [
        ("0+1+5+6+7x2", True, ""),
        ("5+6+7x2", False, "the opening forbids the block of the defender's threat"),
        # The block is allowed; the moves that would win after it are not.
        ("0+1+5+6+7x3", True, "no move is listed"),
    ],
)
def test_a_block_must_be_a_move(opening: str, won: bool, reason: str) -> None:
    game = Game(f"{LINES}:opening={opening}")
    first = game.start().play(5)
    entries = [(game.start().owners, 5), (first.play(6).owners, 7)]
    entries += [(first.play(reply).owners, 6) for reply in (2, 3, 4, 7)]
    dictionary = dictionary_of(game, 1, None, entries)
    assert (forced(game.start(), 1) == WIN) == won
    found = check_dictionary(dictionary)
    assert found.proved == (not reason)
    assert found.reason.startswith(reason)
    if not reason:
        assert wins_always(dictionary)
        assert check_proof(pack(dictionary, stored=True)[0]).proved


def test_a_forced_win_needs_no_block() -> None:
    """Where a sequence wins that begins with the block, no block is stored."""
    game, rng, met = Game("3^3"), random.Random(1), 0
    for _ in range(300):
        position = play_at_random(game.start(), rng.randrange(2**32), rng.randint(4, 9))
        if position.is_over or completing(position, position.to_move):
            continue
        if len(completing(position, 3 - position.to_move)) == 1 and has_forced_win(position):
            proof, verdict = pack(Dictionary(game, position.to_move, position, {}), stored=True)
            assert (verdict.proved, proof.blocks, [*(proof.leaves or {})]) == (True, {}, [b""])
            met += 1
    assert met > 5


@pytest.mark.more
@given(SEEDS)
def test_dictionaries(seed: int) -> None:
    """True ones are proved, with leaves derived and stored; of others only what is true."""
    rng = random.Random(seed)
    game = small_game(rng)
    for found in won_dictionaries(game, rng):
        assert check_dictionary(found).proved, found
        assert wins_always(found)
        proof = pack(found, stored=True)[0]
        assert check_proof(proof).proved, found
        assert holds(proof)
    for seat in (1, 2):
        wild = tempting(game, rng, seat)
        assert not check_dictionary(wild).proved or forced(wild.position, seat) == WIN, wild


@given(SEEDS)
def test_pairings_and_mirroring(seed: int) -> None:
    rng = random.Random(seed)
    game = small_game(rng)
    begins = some_position(game, rng)
    free = [cell for cell, owner in enumerate(begins.owners) if owner == 0]
    rng.shuffle(free)
    pairs = tuple(zip(free[::2], free[1::2], strict=False))
    for seat in (1, 2):
        found = Pairing(game, seat, pairs, begins)
        assert not check_pairing(found).proved or forced(begins, seat) >= 0, found
        images = tuple(range(game.board.cell_count - 1, -1, -1))
        assert not check_mirroring(Mirroring(game, seat, images)).proved
