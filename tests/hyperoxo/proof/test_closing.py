"""Where the checker of coalitions leaves a branch, against what the words mean."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from hyperoxo.game import Game, Position
from hyperoxo.proof import (
    Prevention,
    check_prevention,
    completes,
    contained,
    read_prevention,
    replies,
    write_proof,
)
from tests.strategies import play_at_random

GAMES = ("3^2:players=3", "4,3,3:players=3", "7{0+1+2/2+3/3+4+5+6/1+5}:players=4", "3^2:blocked=0")
OPENED = ("3^2:players=3,opening=0+1+3x2", "3^2:opening=0+4+8x3")
OTHERS = ("3^2:misere", "3^2:gravity,players=3", "3^2:target=2,players=3")


def met(specs: tuple[str, ...], count: int = 60) -> Iterator[Position]:
    for spec in specs:
        game = Game(spec)
        for seed in range(count):
            position = play_at_random(game.start(), seed, seed % game.cells)
            if not position.is_over:
                yield position


def others_complete(position: Position, seat: int) -> bool:
    """True if the others together complete a line before the seat moves."""
    if position.to_move == seat:
        return False
    for after in map(position.play, position.legal_moves):
        if after.outcome is None:
            if others_complete(after, seat):
                return True
        elif after.outcome.winners:
            return True
    return False


def test_completion() -> None:
    found = {True: 0, False: 0}
    for position in met(GAMES):
        for seat in range(1, position.game.players + 1):
            expected = others_complete(position, seat)
            assert completes(position, seat) == expected, (position.text, seat)
            found[expected] += 1
    assert min(found.values()) > 20
    for position in met(OPENED):
        for seat in range(1, position.game.players + 1):
            assert not completes(position, seat) or others_complete(position, seat)
    for position in met(OTHERS):
        assert not any(completes(position, seat) for seat in range(1, position.game.players + 1))


def test_replies_worth_looking_at() -> None:
    fewer = 0
    for position in met(GAMES):
        seat = position.to_move
        after = {cell: position.play(cell) for cell in position.legal_moves}
        expected = tuple(
            cell for cell, then in after.items() if then.is_over or not completes(then, seat)
        )
        assert replies(position, seat) == expected, position.text
        fewer += len(expected) < len(after)
    assert fewer > 10
    for position in met(OTHERS):
        assert replies(position, position.to_move) == position.legal_moves


@pytest.mark.parametrize("claim", ["no-win", "no-draw"])
def test_a_line_that_is_completed_next_needs_no_move(claim: str) -> None:
    """Not even where the potential says nothing."""
    begins = Game("3^2").position("moves:0,3,1,4,8")
    assert completes(begins, 1)
    assert not contained(begins, 1)
    found = check_prevention(Prevention(begins.game, 1, claim, {}, begins))
    assert (found.verdict, found.positions) == ("proved", 0)


def potential(position: Position, seat: int) -> Fraction:
    game, total = position.game, Fraction(0)
    for number in range(game.board.line_count):
        owners = [position.owners[cell] for cell in game.board.line(number).tolist()]
        if {*owners} <= {0, seat}:
            total += Fraction(1, game.players ** owners.count(0))
    return total


def test_potential() -> None:
    seen = set()
    specs = ("3^2:players=4", "5,4,4:players=3", "4{0+1/0+2}", "7{0+1+2/2+3/3+4+5+6}:players=3")
    targets = ("3^2:target=2,players=4",)
    for position in met((*specs, *targets, *OPENED)):
        game = position.game
        for seat in range(1, game.players + 1):
            total = potential(position, seat)
            moved = -(-position.ply // game.players)
            applies = position.to_move == seat % game.players + 1 and moved >= game.opening_moves
            assert contained(position, seat) == (applies and total < 1)
            seen.add((applies, total < 1, total == 1))
    assert {(True, True, False), (True, False, True), (False, True, False)} <= seen
    for position in met(OTHERS[:2]):
        assert not any(contained(position, seat) for seat in range(1, position.game.players + 1))


@pytest.mark.parametrize(
    ("moves", "seat", "kept"),
    [
        ("0,3,1,4,2", 1, ()),
        ("0,3,1,4,2", 2, ("no-win", "no-draw")),
        ("0,1,2,4,3,5,7,6,8", 1, ("no-win",)),
        ("0,1,2,4,3,5,7,6,8", 2, ("no-win",)),
    ],
)
def test_what_an_end_keeps_from_a_seat(moves: str, seat: int, kept: tuple[str, ...]) -> None:
    over = Game("3^2").position(f"moves:{moves}")
    for claim in ("no-win", "no-draw"):
        found = check_prevention(Prevention(over.game, seat, claim, {}, over))
        assert found.proved == (claim in kept)
        assert found.proved or found.reason.startswith("the claim fails at the end")


def test_what_is_wrong_is_said() -> None:
    game, weak = Game("3^2"), Game("4^3:players=4")
    assert check_prevention(Prevention(weak, 1, "no-win", {})).proved
    reason = check_prevention(Prevention(weak, 1, "no-draw", {})).reason
    assert reason.startswith("no move is stored for position")
    blocked = Prevention(Game("3^2:blocked=0"), 1, "no-win", {})
    reason = check_prevention(blocked).reason
    assert reason.startswith("no move is stored for position ")
    assert reason.rpartition(" ")[2].count("#") == 1
    assert set(reason.rpartition(" ")[2]) == set("1.#")
    spare = {bytes([1] * 64): 0}
    reason = check_prevention(Prevention(weak, 1, "no-win", spare)).reason
    assert reason == f"1 stored move is never needed, for {'1' * 64}"
    spare[bytes([2] * 64)] = 0
    reason = check_prevention(Prevention(weak, 1, "no-win", spare)).reason
    assert reason == f"2 stored moves are never needed, for {'1' * 64}"
    begins = game.position("moves:0")
    for move in (0, 9, -1):
        moves = {b"\1" + bytes(8): move}
        reason = check_prevention(Prevention(game, 1, "no-win", moves, begins)).reason
        assert reason == f"the move stored for position 1........, {move}, is not legal"
    over = Game("2^2:players=3").position("moves:0,1,2,3")
    reason = check_prevention(Prevention(over.game, 1, "no-win", {}, over)).reason
    assert reason == "the claim fails at the end 1231, reached by the moves 0,1,2,3"
    assert Prevention(weak, 2, "no-draw", {}).statement == (
        "player 2 cannot force even a draw in 4^3:players=4 against all others together"
    )


def test_what_the_opening_forbids_completes_nothing() -> None:
    """Player 1 owns 0 and lacks 1 or 2, but must play on 3 or 4."""
    position = Game("5{0+1/0+2}:opening=0+3+4x2").position("moves:0,3")
    assert not others_complete(position, 2)
    assert not completes(position, 2)


def test_a_seat_without_lines_is_contained() -> None:
    assert contained(Game("3{}").start(), 2)


def test_spare_moves_beside_needed_ones(tmp_path: Path) -> None:
    game = Game("3{0+1}")
    moves = {b"\1\0\0": 1, b"\2\2\2": 0}
    reason = check_prevention(Prevention(game, 1, "no-win", moves)).reason
    assert reason == "1 stored move is never needed, for 222"
    needed = Prevention(game, 1, "no-win", {b"\1\0\0": 1})
    assert check_prevention(needed).proved
    write_proof(needed, tmp_path / "x.proof")
    assert read_prevention(tmp_path / "x.proof") == needed
