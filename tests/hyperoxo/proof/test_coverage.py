"""What a dictionary decides: true by brute force, and everything that its player comes to."""

from __future__ import annotations

import random

import pytest

from hyperoxo.game import Game, Position
from hyperoxo.proof.coverage import Coverage, coverages
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_check import check_dictionary, pack
from hyperoxo.proof.dictionary_play import dictionary_move
from hyperoxo.proof.forced import search_of
from hyperoxo.proof.stored import STORED, stored_dictionary
from tests.expect import require
from tests.hyperoxo.proof.dictionaries import BOARDS, WIN, completing, dictionaries, has_forced_win
from tests.hyperoxo.proof.test_qubic_dictionary import part
from tests.judge import forced
from tests.marks import more
from tests.strategies import play_at_random


def used(dictionary: Dictionary) -> bool:
    found = check_dictionary(dictionary)
    return found.proved and not found.unused


def check_claims(coverage: Coverage, position: Position) -> int:
    """Compare what is said of a position with brute force; return how much was said."""
    seat = coverage.attacker
    moves = coverage.winning_moves(position)
    assert all(forced(position.play(cell), seat) == WIN for cell in moves)
    wins = coverage.wins(position)
    assert not wins or forced(position, seat) == WIN
    return wins + len(moves)


@pytest.mark.parametrize("spec", more(BOARDS, but=BOARDS[4:]))
def test_what_is_said_is_true(spec: str) -> None:
    said = 0
    for number, dictionary in enumerate(dictionaries(spec)[::2]):
        if not used(dictionary):
            continue
        coverage = Coverage(dictionary)
        board = spec.partition(":")[0]
        others = {dictionary.game, Game(board), Game(f"{board}:opening=0")}
        for game in others:
            for seed in range(40):
                position = play_at_random(game.start(), 1000 * number + seed, seed % 8)
                said += check_claims(coverage, position)
    assert said > 20


@pytest.mark.more
def test_everything_that_the_attacker_comes_to_is_decided() -> None:
    rng = random.Random(0)
    free = [spec for spec in BOARDS if "opening" not in spec]
    for dictionary in filter(used, (one for spec in free for one in dictionaries(spec))):
        coverage, search = Coverage(dictionary), search_of(dictionary.game)
        for _ in range(8):
            position, steps = dictionary.position, 0
            while not position.is_over:
                if position.to_move != dictionary.seat:
                    position = position.play(rng.choice(position.legal_moves))
                    continue
                move = require(dictionary_move(dictionary, position, search_in=search))
                if steps:
                    assert coverage.wins(position)
                forced = has_forced_win(position)
                if not forced:
                    assert move in coverage.winning_moves(position)
                # What follows a forced sequence is for the search of threats to tell.
                if forced:
                    break
                position, steps = position.play(move), steps + 1


@pytest.mark.more
def test_blocks_are_decided() -> None:
    coverage = Coverage(part())
    blocks = pack(part(), stored=True)[0].blocks
    assert blocks
    for form, move in blocks.items():
        position = Position.from_owners(part().game, form)
        assert set(completing(position, 2)) == {move}
        assert coverage.wins(position)
        assert coverage.winning_moves(position) == (move,)
        assert coverage.wins(position.play(move))


def test_the_defender_does_not_win() -> None:
    game = Game("3^3")
    coverage = Coverage(Dictionary(game, 1, None, {bytes(27): 13}))
    assert coverage.wins(game.position("moves:13"))
    assert not coverage.wins(game.position("moves:0,13"))
    assert coverage.winning_moves(game.position("moves:13,0")) == ()
    assert coverage.winning_moves(game.position("moves:13")) == ()
    over = game.position("moves:13,0,12,1,14")
    assert not coverage.wins(over)
    assert not coverage.winning_moves(over)


def test_openings_that_differ() -> None:
    coverage = Coverage(Dictionary(Game("3^3"), 1, None, {bytes(27): 13}))
    start = Game("3^3:opening=rich").start()
    assert coverage.winning_moves(start) == (13,)
    assert coverage.wins(start.play(13).play(0))
    assert coverage.winning_moves(Game("3^3:opening=poor").start()) == ()
    twice = Game("3^3:opening=richx2").start()
    assert not coverage.wins(twice)
    assert not coverage.wins(twice.play(13).play(0))


@pytest.mark.parametrize("spec", ["3^2", "4^3:gravity", "4^3:misere", "4^3:players=3", "4,4,4"])
def test_other_games_have_none(spec: str) -> None:
    assert not coverages(Game(spec))


@pytest.mark.more
def test_stored_proofs() -> None:
    game = Game("4^3")
    found = coverages(game)
    assert {str(one.dictionary.game) for one in found} == {"4^3", "4^3:opening=poor"}
    for spec in STORED:
        assert spec in {str(one.dictionary.game) for one in coverages(Game(spec))}
    rich = next(one for one in found if one.dictionary.game == game)
    start = game.start()
    assert len(rich.winning_moves(start)) == 16
    assert rich.listed_move(start) in rich.winning_moves(start)
    assert rich.listed_move(start.play(0)) is None
    assert not rich.wins(start.play(1))
    assert rich.wins(start.play(0))
    assert all(rich.wins(start.play(0).play(cell)) for cell in start.play(0).legal_moves)


def test_play_against_the_stored_proof_stays_decided() -> None:
    """Along games against the stored proof, until threats decide."""
    rng = random.Random(3)
    dictionary = require(stored_dictionary(Game("4^3")))
    coverage, search = Coverage(dictionary), search_of(dictionary.game)
    for _ in range(10):
        position = dictionary.position
        while not position.is_over:
            if position.to_move == 1:
                listed = coverage.winning_moves(position)
                move = require(dictionary_move(dictionary, position, search_in=search))
                assert coverage.wins(position)
                if move not in listed:
                    break
                position = position.play(move)
            else:
                position = position.play(rng.choice(position.legal_moves))


@pytest.mark.more
def test_a_defender_who_begins_has_lost_from_the_beginning() -> None:
    game = Game("4^3:opening=poorx5")
    (coverage,) = (one for one in coverages(game) if one.dictionary.game == game)
    assert coverage.attacker == 2
    assert coverage.wins(game.start())
    assert not coverage.winning_moves(game.start())
    assert all(coverage.wins(game.start().play(cell)) for cell in (1, 2, 62))
    # Where the first player is free, the proof says nothing of the beginning.
    assert not coverage.wins(Game("4^3").start())
    assert not coverage.wins(Game("4^3:opening=poorx4").start())
    # With less choice the first player has lost as well.
    assert coverage.wins(Game("4^3:opening=poorx6").start())
