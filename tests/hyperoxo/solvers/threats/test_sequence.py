"""Published lines of play, checked move by move."""

from __future__ import annotations

import random

import pytest

from hyperoxo.errors import IllegalMoveError, NotationError, NotSupportedError
from hyperoxo.game import Game, Position
from hyperoxo.solvers.threats.sequence import is_quiet, quiet_moves, verify_sequence
from tests.forced import find_forced_win
from tests.marks import more
from tests.threat_oracle import random_position

PUBLISHED = "0-3-60-21-15-51-12-63 4x8x5x10x20x40x28x44x24x16x36x52x48"


def test_the_published_game() -> None:
    check = verify_sequence("4^3", PUBLISHED)
    assert check.holds
    assert (check.attacker, check.ending, check.threats) == (1, "line", 6)
    assert check.fewest == 5
    assert [move.does for move in check.moves[:8]] == ["quiet"] * 8
    assert [move.does for move in check.moves[8::2]] == [
        *["threat"] * 5, "double threat", "line"
    ]  # fmt: skip
    assert {move.does for move in check.moves[9::2]} == {"answer"}
    assert [move.threatens for move in check.moves[8:19:2]] == [
        (8,), (10,), (40,), (44,), (16,), (48, 52)
    ]  # fmt: skip


def test_it_may_stop_at_two_threats() -> None:
    check = verify_sequence("4^3", PUBLISHED.removesuffix("x52x48"))
    assert check.holds
    assert check.ending == "double threat"
    assert check.threats == 6


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (PUBLISHED.removesuffix("x48"), "the sequence ends without a line or two threats"),
        (PUBLISHED.replace("4x8x5", "4x9x5"), "move 10 (cell 9) does not stop 8"),
        (PUBLISHED.replace(" 4x8x5", " 1x8x5"), "move 9 (cell 1) threatens nothing"),
        (PUBLISHED.replace("51-12", "51-51"), "move 7: cell 51 is taken"),
        (PUBLISHED + "x2", "move 22: the game is over"),
        (PUBLISHED.replace(" 4x8x5", "-4-8 5"), "move 9 (cell 4) makes a three and is called"),
        ("0-3-60", "the sequence has no forced part"),
        ("63-0-62-1-21-2-22 23", "move 7 (cell 22) does not stop 3"),
        ("0-63-1-62-2-3 5", "move 5 (cell 2) makes a three and is called quiet"),
        ("0-63-1-62-8-61 2x3", "move 7 (cell 2) does not stop 60"),
        ("0-63-1-62-8-61 2x60", "move 8 (cell 60) is the answer, and completes a line"),
        ("0-63-1-62-8-61 2x5x3", "move 8 (cell 5) is the answer, and could have completed"),
        ("0-63-1-62-8-61-2-60 3", "move 8 (cell 60) completes a line and is called quiet"),
    ],
)
def test_what_is_wrong_is_said(text: str, problem: str) -> None:
    check = verify_sequence("4^3", text)
    assert not check.holds
    assert any(found.startswith(problem) for found in check.problems), check.problems


@pytest.mark.parametrize(
    "spec",
    ["3^2", "4^3", "3^3", "5,5,4", "7,6,4:gravity", pytest.param("3^4", marks=pytest.mark.more)],
)
def test_found_wins_hold_and_altered_ones_do_not(spec: str) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    checked = 0
    while checked < 8:
        position = random_position(game, rng.randint(2, game.cells // 3), rng)
        found = find_forced_win(position, shortest=True)
        if found.status != "win" or len(found.line) < 5:
            continue
        checked += 1
        text = "x".join(map(str, found.line))
        check = verify_sequence(position, text)
        assert check.holds, check.problems
        assert check.threats == check.fewest == len(found.line) // 2
        assert not verify_sequence(position, "x".join(map(str, found.line[:-1]))).holds
        others = [cell for cell in position.legal_moves if cell not in found.line]
        if others:
            wrong = [str(cell) for cell in found.line]
            wrong[1] = str(others[0])
            assert not verify_sequence(position, "x".join(wrong)).holds


def test_what_is_refused() -> None:
    with pytest.raises(NotSupportedError, match="needs two players"):
        verify_sequence("3^2:players=3", "0-1")
    with pytest.raises(NotationError, match="no moves"):
        verify_sequence("3^2", "3^2")
    with pytest.raises(NotationError, match="not 3\\^2"):
        verify_sequence("3^2", "4^3 0-1 2x3")


# Quiet moves, against their definition on whole lines.


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


def test_moves_that_are_refused() -> None:
    with pytest.raises(IllegalMoveError):
        is_quiet(Game("3^2").position("moves:4"), 4)
    with pytest.raises(NotSupportedError, match="normal play"):
        quiet_moves(Game("3^2:misere").start())
    assert quiet_moves(Game("3^2").position("moves:0,3,1,4,2")) == ()
