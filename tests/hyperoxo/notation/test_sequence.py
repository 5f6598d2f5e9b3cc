"""Quiet moves joined by -, forced ones joined by x."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from hyperoxo.game import Game, Position
from hyperoxo.notation import Record, convert, detect, read, write
from hyperoxo.notation.sequence import forced_part, parse_sequence
from tests.forced import find_forced_win
from tests.hyperoxo.notation.test_round_trip import plays
from tests.threat_oracle import random_position

PUBLISHED = "0-3-60-21-15-51-12-63 4x8x5x10x20x40x28x44x24x16x36x52x48"


def test_the_published_game_is_read_and_written() -> None:
    assert detect(PUBLISHED) == "sequence"
    [record] = read(PUBLISHED)
    assert str(record.game) == "4^3"
    assert record.result == "1"
    assert len(record.moves) == 21
    assert write([record], "sequence") == f"4^3 {PUBLISHED}\n"
    assert convert(f"4^3 {PUBLISHED}\n", None, "sequence") == f"4^3 {PUBLISHED}\n"
    until_two_threats = PUBLISHED.removesuffix("x52x48")
    assert convert(until_two_threats, None, "sequence") == f"4^3 {until_two_threats}\n"


def test_parts() -> None:
    parsed = parse_sequence("3^2 0-1 3x6x4")
    assert (parsed.quiet, parsed.forced) == ((0, 1), (3, 6, 4))
    assert str(parsed) == "3^2 0-1 3x6x4"
    assert parse_sequence("4x8").quiet == ()
    assert parse_sequence("7").quiet == (7,)
    assert parse_sequence("0-3 9").forced == (9,)
    assert parse_sequence("0-3", "3^2").game == Game("3^2")
    assert parse_sequence("5^2").moves == ()


@pytest.mark.parametrize("spec", ["3^2", "4^3", "3^3", "5,5,4", "7,6,4:gravity"])
def test_forced_wins_after_any_play(spec: str) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    written = 0
    while written < 10:
        position = random_position(game, rng.randint(2, game.cells // 2), rng)
        found = find_forced_win(position)
        if found.status != "win" or len(found.line) < 5:
            continue
        written += 1
        record = Record(game, position.history + found.line)
        text = write([record], "sequence")
        forced = text.split()[-1].split("x")
        assert tuple(map(int, forced))[-len(found.line) :] == found.line
        assert read(text) == [record]
        assert detect(text) == "sequence"


@given(plays("3^3:misere", "3^2:players=3", "3^4:target=2"))
def test_under_other_rules_nothing_is_forced(position: Position) -> None:
    assert "x" not in write([Record.of(position)], "sequence")


def test_a_line_that_was_overlooked_is_not_forced() -> None:
    overlooked = Record(Game("3^2"), (0, 3, 1, 4, 2))
    assert overlooked.result == "1"
    assert forced_part(overlooked.positions()) == 5
    assert forced_part(Record(Game("3^2")).positions()) == 0
    two_but_too_late = Record(Game("3^2"), (0, 6, 1, 7, 4))
    assert forced_part(two_but_too_late.positions()) == 5
