"""Export strings of the tesseract program."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation import Record, read
from hyperoxo.notation.tesseract import DIGITS, read_tesseract, write_tesseract
from tests.hyperoxo.notation.test_round_trip import tesseract_records

HISTORY = "MAwGGFIaAjmZ1E9sy7ADB3uvc4zhXODRYEBgKuHvv7M3rHY2PRj"
ICONS = '{0 -> "·", 1 -> "X", 2 -> "O", 3 -> "Y", 4 -> "Z"}'
EXAMPLE = f'{{3, {ICONS}, 9, "{HISTORY}"}}'
READINGS = [
    {"numbering": numbering, "moves": moves, "cells": cells}
    for numbering, moves, cells in product(
        ("marker", "skip"), ("forward", "backward"), ("array", "picture")
    )
]
readings = pytest.mark.parametrize(
    "reading", READINGS, ids=lambda reading: "-".join(reading.values())
)


def digits_of_the_example() -> list[int]:
    value = 0
    for character in HISTORY:
        value = 62 * value + DIGITS.index(character)
    digits: list[int] = []
    while value:
        value, digit = divmod(value, 81)
        digits.insert(0, digit)
    return digits


def test_what_the_example_tells() -> None:
    digits = digits_of_the_example()
    assert len(digits) == len(set(digits)) == 48
    assert 0 not in digits
    assert digits[0] == 40
    assert {41, 80} < set(digits)


@readings
def test_the_example_is_a_legal_unfinished_game_of_three(reading: dict[str, str]) -> None:
    record = read_tesseract(EXAMPLE, **reading)
    assert record.game == Game("3^4:blocked=centre,target=9,players=3")
    assert record.icons == ("X", "O", "Y", "Z")
    assert record.free_icon == "·"
    assert len(record.moves) == (47 if reading["numbering"] == "marker" else 48)
    assert max(record.position.lines_owned) < 9
    assert record.result is None


@readings
def test_the_example_comes_back_unchanged(reading: dict[str, str]) -> None:
    assert write_tesseract(read_tesseract(EXAMPLE, **reading), **reading) == EXAMPLE


def test_the_readings_differ() -> None:
    assert len({read_tesseract(EXAMPLE, **reading).moves for reading in READINGS}) == 8


def test_cells_by_hand() -> None:
    digits = digits_of_the_example()
    marker = read_tesseract(EXAMPLE).moves
    assert list(marker) == digits[1:]
    skip = read_tesseract(EXAMPLE, numbering="skip").moves
    assert list(skip) == [digit - 1 if digit <= 40 else digit for digit in digits]
    assert read_tesseract(EXAMPLE, moves="backward").moves == marker[::-1]
    board = Game("3^4").board
    for seen, cell in zip(read_tesseract(EXAMPLE, cells="picture").moves, marker, strict=True):
        row, column = divmod(cell, 9)
        assert board.coordinates(seen) == (row // 3, column // 3, row % 3, column % 3)


@pytest.mark.more
@given(tesseract_records(), st.sampled_from(READINGS))
def test_round_trip(record: Record, reading: dict[str, str]) -> None:
    assert read_tesseract(write_tesseract(record, **reading), **reading) == record


@pytest.mark.parametrize("first", [0, 1, 39, 41, 80])
@readings
def test_games_of_few_moves(reading: dict[str, str], first: int) -> None:
    game = Game("3^4:target=9,blocked=centre")
    for moves in ((), (first,), (first, 79), (2, first)):
        record = Record(game, moves, icons=("X", "O"), free_icon="·")
        assert read_tesseract(write_tesseract(record, **reading), **reading) == record


def test_spellings_of_the_list() -> None:
    expected = read_tesseract(EXAMPLE)
    for arrow in ("\uf522", "→", "\\[Rule]", "->"):
        assert read_tesseract(EXAMPLE.replace(" -> ", arrow)) == expected
    assert read_tesseract(f" {EXAMPLE}\n".replace("{", "{ \n")) == expected
    assert read_tesseract(EXAMPLE.replace("·", "\\[CenterDot]")) == expected
    assert read_tesseract(EXAMPLE.replace("·", "\\:00b7")) == expected
    assert read_tesseract(EXAMPLE.replace("·", "\\.B7")) == expected
    called = EXAMPLE.replace("\\", "\\\\").replace('"', '\\"')
    assert read_tesseract(f'NC4loadGame["{called}"]') == expected


@pytest.mark.more
@given(tesseract_records())
def test_escaped_text_without_the_call(record: Record) -> None:
    text = write_tesseract(record)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for spelled in (escaped, f" {escaped}\n", f'"{escaped}"', f'"{escaped}', f'{escaped}"'):
        assert read_tesseract(spelled) == record
        assert read(spelled) == [record]


@pytest.mark.parametrize("escaped", [1, 2, 3, 7])
@pytest.mark.parametrize("before", ["", ' "', "\n"])
def test_quotes_escaped_in_part(escaped: int, before: str) -> None:
    text = before + EXAMPLE.replace('"', '\\"', escaped)
    at = re.compile(r'[^\\]"').search(text, len(before)).end()  # type: ignore[union-attr]
    with pytest.raises(NotationError, match=f"others are not.* at character {at}$"):
        read_tesseract(text)


def test_icons_with_quotes() -> None:
    record = Record(Game("3^4:target=9,blocked=centre"), (), icons=('"', "\\"), free_icon="a\n\tb")
    text = write_tesseract(record)
    assert text == '{2, {0 -> "a\\n\\tb", 1 -> "\\"", 2 -> "\\\\"}, 9, "E"}'
    assert read_tesseract(text) == record


def test_icons_of_the_program_by_default() -> None:
    record = Record(Game("3^4:players=3,target=9,blocked=centre"))
    assert write_tesseract(record) == f'{{3, {ICONS}, 9, "E"}}'
    record = Record(Game("3^4:players=6,target=9,blocked=centre"))
    assert '4 -> "Z", 5 -> "5", 6 -> "6"}' in write_tesseract(record)


def test_a_cell_played_twice() -> None:
    value = (40 * 81 + 7) * 81 + 7
    history = ""
    while value:
        value, digit = divmod(value, 62)
        history = DIGITS[digit] + history
    with pytest.raises(NotationError, match="move 2: cell 7 is taken"):
        read_tesseract(EXAMPLE.replace(HISTORY, history))


def test_options_that_are_none() -> None:
    with pytest.raises(NotationError, match="moves must be 'forward' or 'backward', not 'up'"):
        read_tesseract(EXAMPLE, moves="up")
