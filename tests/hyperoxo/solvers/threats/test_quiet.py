"""Quiet moves, against their definition on whole lines."""

from __future__ import annotations

import random

import pytest

from hyperoxo.errors import IllegalMoveError, NotSupportedError
from hyperoxo.game import Game, Position
from hyperoxo.solvers.threats.sequence import is_quiet, quiet_moves
from tests.marks import more
from tests.threat_oracle import random_position


def counts(position: Position, line: int, player: int) -> tuple[int, int, int]:
    """Stones of the player, stones of the other, free cells."""
    owners = [position.owners[cell] for cell in position.game.board.line(line)]
    return owners.count(player), owners.count(3 - player), owners.count(0)


def quiet_by_counting(position: Position, cell: int) -> bool:
    me = position.to_move
    after = position.play(cell)
    for line in position.game.board.lines_through(cell):
        size = len(position.game.board.line(line))
        blocks = counts(position, line, me) == (0, size - 1, 1)
        makes = counts(after, line, me) in ((size, 0, 0), (size - 1, 0, 1))
        if blocks or makes:
            return False
    return True


@pytest.mark.parametrize(
    "spec", more(["3^2", "4^2", "4^3", "3^3:blocked=centre", "5,5,4", "3^4"], ["4^3", "3^4"])
)
def test_against_counting_stones_on_lines(spec: str) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    seen = set()
    for _ in range(15):
        position = random_position(game, rng.randint(0, game.cells // 2), rng)
        expected = tuple(cell for cell in position.legal_moves if quiet_by_counting(position, cell))
        assert quiet_moves(position) == expected
        seen |= {is_quiet(position, cell) for cell in position.legal_moves}
    assert seen == {True, False}


def test_moves_of_the_published_game() -> None:
    position = Game("4^3").start()
    for cell in (0, 3, 60, 21, 15, 51, 12, 63):
        assert is_quiet(position, cell)
        position = position.play(cell)
    assert not is_quiet(position, 4)  # a three of 0-4-8-12
    assert not is_quiet(position.play(4), 8)  # its block
    assert is_quiet(position.play(4), 9)
    assert not is_quiet(position.play(4).play(9), 8)  # the line itself


def test_gravity_looks_at_what_can_be_played() -> None:
    game = Game("7,6,4:gravity")
    air = "." * 28
    assert not is_quiet(game.position("moves:0,7,1,8"), 2)  # 3 can be played next
    assert is_quiet(game.position("moves:0,7,1,8"), 4)
    assert is_quiet(game.position("221...2" + "11....." + air), 9)  # nobody can play 10 yet
    assert not is_quiet(game.position("2212.12" + "11....." + air), 9)
    lifting = game.position("221.2.2" + "111...." + air)
    assert not is_quiet(lifting, 3)  # now 10 can be played
    assert is_quiet(lifting, 5)


def test_what_is_refused() -> None:
    with pytest.raises(IllegalMoveError):
        is_quiet(Game("3^2").position("moves:4"), 4)
    with pytest.raises(NotSupportedError, match="normal play"):
        quiet_moves(Game("3^2:misere").start())
    assert quiet_moves(Game("3^2").position("moves:0,3,1,4,2")) == ()
