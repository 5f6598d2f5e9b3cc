"""A dictionary of 4^3 for the position after 0, 60, 3, 22: 36 strategic positions."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hyperoxo.game import Game, Position
from hyperoxo.proof import canonical_forms_of
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_check import check_dictionary, check_proof, pack
from hyperoxo.proof.dictionary_file import proof_text
from hyperoxo.proof.dictionary_play import dictionary_move
from hyperoxo.proof.forced import search_of
from hyperoxo.proof.thompson import dictionary_text, read_dictionary
from tests.expect import require
from tests.hyperoxo.proof.dictionaries import completing, holds, won_by

FILE = Path(__file__).parents[2] / "truth" / "qubic_0_60_3_22.txt"


@cache
def part() -> Dictionary:
    game = Game("4^3")
    return read_dictionary(FILE, game, begins=game.position("moves:0,60,3,22")).dictionary


def test_it_is_proved() -> None:
    found = check_dictionary(part())
    assert (found.verdict, found.strategic, found.quiet, found.unused) == ("proved", 36, 26, 0)
    assert found.published is None
    assert dictionary_text(part()) == FILE.read_bytes()
    after = [Position.from_owners(part().game, form).play(to) for form, to in part().moves.items()]
    assert found.quiet == sum(not completing(position, 1) for position in after)


@pytest.mark.more
def test_every_entry_is_needed() -> None:
    moves = part().moves
    for form in moves:
        without = {key: move for key, move in moves.items() if key != form}
        found = check_dictionary(replace(part(), moves=without))
        assert not found.proved
        assert found.missing
        failure = found.failures[0]
        position = part().position
        for cell in failure.line:
            position = position.play(cell)
        assert position.text == failure.position
        assert canonical_forms_of(position.game).of(position.owners) == form


@pytest.mark.parametrize("stored", [False, True])
def test_proofs_of_it(stored: bool) -> None:
    proof, verdict = pack(part(), stored=stored)
    again = check_proof(proof)
    assert again.proved
    assert (again.strategic, again.quiet, again.positions) == (36, 26, verdict.positions)
    if stored:
        assert again.nodes < verdict.nodes / 2
        assert proof.blocks
    assert 36 * 65 < len(proof_text(proof)) < 36 * 1000


@pytest.mark.slow
def test_stored_leaves_hold_by_the_reference_rules() -> None:
    assert holds(pack(part(), stored=True)[0])


@pytest.mark.more
def test_it_wins_against_random_and_stubborn_defence() -> None:
    rng = random.Random(4)
    shared = search_of(part().game)
    for _ in range(40):
        position = part().position
        while not position.is_over:
            move = require(dictionary_move(part(), position, search_in=shared))
            position = position.play(move)
            if not position.is_over:
                position = position.play(defence(position, rng))
        assert require(position.outcome).winner == 1


def defence(position: Position, rng: random.Random) -> int:
    """A block where one is needed, else a move that threatens, else any."""
    must = completing(position, 1)
    if must:
        return rng.choice(sorted(must))
    moves = list(position.legal_moves)
    rng.shuffle(moves)
    if rng.randrange(2):
        return moves[0]
    return next((move for move in moves if completing(position.play(move), 2)), moves[0])


@pytest.mark.more
def test_the_reference_agrees_on_sequences() -> None:
    """Every stored sequence that answers a reply does so by the reference rules."""
    proof = pack(part(), stored=True)[0]
    assert proof.leaves is not None
    moves = {**proof.moves, **proof.blocks}
    answered = 0
    for form in sorted(moves)[:5]:
        before = Position.from_owners(part().game, form)
        position = before.play(moves[form])
        held = [
            [won_by(position.play(cell), found) for cell in position.legal_moves]
            for found in proof.leaves[form]
        ]
        assert all(any(row) for row in held)
        answered += sum(map(any, zip(*held, strict=True)))
    assert answered > 50
