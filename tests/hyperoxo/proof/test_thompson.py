from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError, NotationError, NotSupportedError
from hyperoxo.game import Game, Position
from hyperoxo.proof.dictionary import Dictionary, dictionary_of
from hyperoxo.proof.thompson import (
    dictionary_text,
    entry_text,
    read_dictionary,
    read_entry,
)
from tests.strategies import play_at_random


@st.composite
def dictionaries(draw: st.DrawFn) -> Dictionary:
    game = Game(draw(st.sampled_from(["4^3", "3^2", "3^3", "5^3", "4,3,3:blocked=5", "12{0+1+2}"])))
    seat = draw(st.integers(1, 2))
    rng = random.Random(draw(st.integers(0, 2**32)))
    entries: list[tuple[bytes, int]] = []
    for _ in range(draw(st.integers(0, 12))):
        plies = 2 * rng.randint(0, 4) + seat - 1
        position = play_at_random(game.start(), rng.randrange(2**32), plies)
        if position.to_move == seat:
            entries.append((position.owners, rng.choice(position.legal_moves)))
    return dictionary_of(game, seat, None, entries)


@given(dictionaries())
def test_dictionaries_read_back(dictionary: Dictionary) -> None:
    seat = dictionary.seat if dictionary.moves else 1
    found = read_dictionary(dictionary_text(dictionary), dictionary.game)
    assert found.dictionary == Dictionary(dictionary.game, seat, None, dictionary.moves)
    assert found.entries == len(dictionary.moves)
    assert (found.prose, found.duplicates, found.contradictions, found.illegal) == (0, 0, 0, 0)


def test_the_example_of_the_form() -> None:
    game = Game("4^3")
    position, move = read_entry(b"xo1x8x8o41o 41", game)
    stones = {cell: owner for cell, owner in enumerate(position.owners) if owner}
    assert stones == {0: 1, 1: 2, 3: 1, 12: 1, 21: 2, 63: 2}
    assert move == 41
    assert entry_text(position.owners, move) == "xo1x8x8o41o 41"
    assert read_entry(b" 0", game) == (game.start(), 0)


def test_large_numbers_and_many_faults() -> None:
    game = Game("3^2")
    with pytest.raises(NotationError, match="there is no cell 999999999"):
        read_entry(b"999999999x 0", game)
    with pytest.raises(NotationError, match="is too large"):
        read_entry(b"1000000000x 0", game)
    found = read_dictionary(b"9x 0\n" * 7, game)
    assert (found.illegal, len(found.examples)) == (7, 3)
    with pytest.raises(CheckFailedError, match="not a position of 3"):
        dictionary_text(Dictionary(game, 1, None, {bytes(8): 0}))


def test_files(tmp_path: Path) -> None:
    dictionary = Dictionary(Game("3^3"), 1, None, {bytes(27): 13})
    (tmp_path / "x.txt").write_bytes(dictionary_text(dictionary))
    assert (tmp_path / "x.txt").read_bytes() == b" 13\n"
    assert read_dictionary(tmp_path / "x.txt", dictionary.game).dictionary == dictionary


def test_prose_duplicates_and_contradictions() -> None:
    rows = (
        b"A dictionary\n\n 4\n 4 \n  4\nxo 4\r\nxo 4\nox 4\nxo 2\n1xo 4\nX 1\nxo4\nXO 4\n\xff\n 0"
    )
    found = read_dictionary(rows, Game("3^2"))
    assert found.entries == 6
    assert found.prose == 9
    assert found.duplicates == 1  # `1xo 4` is `ox 4` turned, `xo 4` stands by itself
    assert found.contradictions == 2
    assert found.illegal == 0
    assert len(found.dictionary.moves) == 3


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"xo 0", "the move 0 is not legal"),
        (b"xo 9", "the move 9 is not legal"),
        (b"xo 99999999999999999999", "the number '99999999999999999999' is too large"),
        (b"99999999999999999999x 0", "is too large"),
        (b"xo9 4", "the position has 11 cells, 3^2 has 9"),
        (b"9x 4", "there is no cell 9 for a stone in 3^2"),
        (b"xx 4", "player 1 has 2 of 2 stones, not 1"),
        (b"xxxoo 8", "the game is over"),
        (b"xxxooo 8", "over before its last move"),
        (b"x 4", "player 1 is not to move"),
    ],
)
def test_illegal_entries(row: bytes, reason: str) -> None:
    found = read_dictionary(b" 4\n" + row + b"\n" + row, Game("3^2"))
    assert (found.entries, found.illegal) == (3, 2)
    assert found.examples[0].startswith("line 2: ")
    assert reason in found.examples[0]
    assert len(found.dictionary.moves) == 1


def test_zeros_before_numbers_and_skips_of_nothing() -> None:
    game = Game("3^2")
    assert read_entry(b"x0o007 08", game) == (game.position("moves:0,1"), 8)


def test_seats_and_begins() -> None:
    game = Game("3^2")
    assert read_dictionary(b"x 4\n", game).dictionary.seat == 2
    found = read_dictionary(b"x 4\nxo 4\n", game, seat=1)
    assert (found.dictionary.seat, found.illegal) == (1, 1)
    begins = game.position("moves:4,0")
    assert read_dictionary(b"", game, begins=begins).dictionary.position == begins


def test_the_opening_is_kept() -> None:
    game = Game("4^3:opening=poor")
    assert read_dictionary(b" 0\n", game).illegal == 1
    assert read_dictionary(b" 1\n", game).illegal == 0


def test_blocked_cells_are_skipped() -> None:
    game = Game("3^2:blocked=centre")
    text = dictionary_text(dictionary_of(game, 1, None, [(game.position("moves:0,8").owners, 1)]))
    assert text == b"o7x 5\n"
    assert read_dictionary(text, game).illegal == 0
    assert read_dictionary(b"4x 0", game).examples == (
        "line 1: there is no cell 4 for a stone in 3^2:blocked=centre",
    )


def test_what_cannot_be_written_or_read() -> None:
    game = Game("3^2")
    with pytest.raises(CheckFailedError, match="not a position"):
        dictionary_text(Dictionary(game, 1, None, {b"\3" * 9: 0}))
    with pytest.raises(NotationError, match="is not an entry"):
        read_entry(b"prose", game)
    with pytest.raises(NotSupportedError, match="no gravity"):
        read_dictionary(b"", Game("3^2:gravity"))


@given(st.binary(max_size=60), st.sampled_from(["3^2", "4^3"]))
def test_any_bytes_can_be_read(data: bytes, spec: str) -> None:
    found = read_dictionary(data, Game(spec))
    assert found.illegal <= found.entries
    assert isinstance(found.dictionary.position, Position)
