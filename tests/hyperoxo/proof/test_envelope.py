"""The parts that all proof files are made of, each by itself."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from hyperoxo.errors import NotationError, SpecError
from hyperoxo.game import Game, spelled
from hyperoxo.proof.envelope import (
    FileSchema,
    creator_text,
    file_hash,
    owners_text,
    rows_moves,
    seal,
    text_creator,
    text_owners,
    unseal,
    with_stone,
)

MAGIC = b"hyperoxo-strategy 1\n"
SCHEMA = FileSchema[Any]("strategy", "game seat moves", lambda _: ({}, []), lambda *_: None)


def sealed(body: bytes) -> bytes:
    """A file with a right hash, whatever it holds."""
    digest = hashlib.sha256(MAGIC + b"sha256 " + body).hexdigest().encode()
    return MAGIC + b"sha256 " + digest + body


def test_a_file_is_its_lines_and_their_hash() -> None:
    assert seal(MAGIC, ["game 3^2", "x"]) == sealed(b"\ngame 3^2\nx\n")
    assert unseal(sealed(b"\ngame 3^2\nx\n"), MAGIC, ["game"]) == (["3^2"], ["x"])
    data = sealed(b"\ngame 3^2\n")
    assert file_hash(data) == hashlib.sha256(MAGIC + b"sha256 \ngame 3^2\n").hexdigest()


@pytest.mark.parametrize("body", [b"game 3^2\n", b"xgame 3^2\n", b"\ngame 3^2", b"\ngame \xff\n"])
def test_what_is_not_lines_is_refused(body: bytes) -> None:
    with pytest.raises(NotationError, match="not lines of ASCII text"):
        unseal(sealed(body), MAGIC, ["game"])


@pytest.mark.parametrize("body", [b"\ngame 3^2\n", b"\ngame 3^2\nseat\n", b"\ngame 3^2\nseats 1\n"])
def test_every_field_has_its_line(body: bytes) -> None:
    with pytest.raises(NotationError, match=r"'seat \.\.\.' is missing"):
        unseal(sealed(body), MAGIC, ["game", "seat"])


def test_rows_are_counted() -> None:
    data = SCHEMA.text(["3^2", 1], ["a", "b"])
    assert data == sealed(b"\ngame 3^2\nseat 1\nmoves 2\na\nb\n")
    assert SCHEMA.read(data) == (["3^2", "1"], ["a", "b"])
    with pytest.raises(NotationError, match="promises 3 moves and holds 1"):
        SCHEMA.read(sealed(b"\ngame 3^2\nseat 1\nmoves 3\na\n"))
    for values in ([], ["3^2"], ["3^2", 1, 2]):
        with pytest.raises(ValueError, match="zip"):
            SCHEMA.text(values, [])


def test_the_head_is_read_without_the_rows() -> None:
    data = SCHEMA.text(("3^2", 2), ["a row", "another"])
    for end in (data.index(b"a row"), data.index(b"another") + 2, len(data)):
        assert SCHEMA.head(data[:end]) == ["3^2", "2", "2"]
    with pytest.raises(NotationError, match=r"the line 'seat \.\.\.' is missing"):
        SCHEMA.head(data[: data.index(b"seat")])


def test_owners_have_one_spelling() -> None:
    owners = bytes([255, 0, *range(1, 9)])
    assert owners_text(owners, 10) == "#.12345678"
    assert text_owners("#.12345678", 10) == owners
    for wrong in (bytes([9]), bytes([254]), b"", bytes(2)):
        with pytest.raises(SpecError, match="not a position of 1 cells"):
            owners_text(wrong, 1)
    assert spelled(owners) == "#.12345678"
    assert with_stone(owners, 1, 2) == bytes([255, 2, *range(1, 9)])
    assert spelled(bytes([9, 254])) == "9254"
    # What is no sign is dropped when it is read, so that both lengths are looked at.
    for text in ("", ".", "...", "..x", "x.", "9.", "..9"):
        with pytest.raises(NotationError, match="not a position of 2 cells"):
            text_owners(text, 2)


def test_a_position_is_listed_once() -> None:
    game = Game("2^1")
    assert rows_moves(game, [".. 0", ".1 0"]) == {bytes(2): 0, b"\0\1": 0}
    with pytest.raises(NotationError, match="listed twice"):
        rows_moves(game, [".. 0", ".. 1"])


def test_creators_are_printable() -> None:
    assert creator_text(" a~ b\n\u00e9\x7f ") == "a~ b???"
    assert creator_text("") == creator_text(" ") == "-"
    assert len(creator_text("x" * 5000)) == 1000
    assert (text_creator("-"), text_creator("x")) == ("", "x")
