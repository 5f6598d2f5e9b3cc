from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from hyperoxo.errors import NotationError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof import Strategy, read_strategy, strategy_text, write_strategy
from tests.hyperoxo.proof.brute import strategy


def rehash(text: bytes) -> bytes:
    """Put the right hash into a changed file."""
    head = text.index(b"sha256 ") + 7
    digest = hashlib.sha256(text[:head] + text[head + 64 :]).hexdigest()
    return text[:head] + digest.encode() + text[head + 64 :]


def check_refused(
    read: Callable[[bytes], object], text: bytes, old: bytes, new: bytes, message: str
) -> None:
    """See that a file is not read with one piece of it changed."""
    assert text.count(old) == 1
    with pytest.raises((NotationError, SpecError), match=message):
        read(rehash(text.replace(old, new)))


def good() -> bytes:
    found = strategy("3^2", 2, "draw")
    assert found is not None
    return strategy_text(found, creator="a test")


@pytest.mark.parametrize(
    ("spec", "seat", "claim"),
    [
        ("1^1", 1, "win"),
        ("3^2", 1, "draw"),
        pytest.param("3^2:players=3", 3, "draw", marks=pytest.mark.more),
        ("3^2:blocked=centre,misere", 2, "win"),
        ("4,3,3:gravity", 1, "win"),
        ("3{0+1}", 1, "draw"),
    ],
)
def test_files_read_back(tmp_path: Path, spec: str, seat: int, claim: str) -> None:
    found = strategy(spec, seat, claim)
    if found is None:
        found = Strategy(Game(spec), seat, claim, {})
    written = write_strategy(found, tmp_path / "x.proof", creator="oxo solve")
    again = read_strategy(tmp_path / "x.proof")
    assert again == written
    assert again.strategy == found
    assert again.creator == "oxo solve"
    assert (
        strategy_text(again.strategy, creator=again.creator) == (tmp_path / "x.proof").read_bytes()
    )
    assert list(tmp_path.iterdir()) == [tmp_path / "x.proof"]


def test_a_strategy_may_begin_anywhere() -> None:
    game = Game("3^2")
    begins = game.position("moves:4,0")
    text = strategy_text(Strategy(game, 2, "draw", {}, begins))
    assert b"\nposition 2...1....\n" in text
    assert read_strategy(text).strategy.position == begins
    assert Strategy(game, 2, "draw", {}, game.start()) == Strategy(game, 2, "draw", {})


def test_the_creator_stays_on_its_line() -> None:
    empty = Strategy(Game("2^2"), 1, "win", {})
    assert read_strategy(strategy_text(empty, creator=" a\nb é ")).creator == "a?b ?"
    assert read_strategy(strategy_text(empty, creator=" - ")).creator == ""
    assert read_strategy(strategy_text(empty, creator="x" * 5000)).creator == "x" * 1000


@pytest.mark.parametrize("moves", [{b"": 0}, {b"\1\2": 0}, {b"\0\0\0\x09": 0}, {b"\0\0\0\0": -1}])
def test_only_positions_have_moves(moves: dict[bytes, int]) -> None:
    with pytest.raises(SpecError, match="not a position"):
        strategy_text(Strategy(Game("2^2"), 1, "win", moves))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"hyperoxo-strategy 1", b"hyperoxo-strategy 2", "not a strategy file"),
        (b"game 3^2", b"game 3^2:players=2", "not written the way"),
        (b"game 3^2", b"game 3^x", "bad game"),
        (b"game 3^2", b"board 3^2", "'game ...' is missing"),
        (b"game 3^2\n", b"", "'game ...' is missing"),
        (b"seat 2", b"seat 02", "not a number"),
        (b"seat 2", b"seat 3", "seat must be"),
        (b"claim draw", b"claim Draw", "neither"),
        (b"creator a test", b"creator  a test", "not written the way"),
        (b"creator a test", b"creator ", "not written the way"),
        (b"symmetries 8", b"symmetries 1", "has 8 symmetries"),
        (b"\nmoves ", b"\nmoves 1", "the file promises"),
        (b"position .........", b"position moves:", "not written the way"),
        (b"position .........", b"position 2........", "player 1 has 0"),
        (b"\n1........ ", b"\n1........  ", "not a number"),
        (b"\n1........ ", b"\n1....x... ", "is not a position"),
        (b"\n1........ ", b"\n1....... ", "is not a position"),
        (b"\n1........ ", b"\r\n1........ ", "not a number"),
    ],
)
def test_one_spelling(old: bytes, new: bytes, message: str) -> None:
    check_refused(read_strategy, good(), old, new, message)


def test_nothing_behind_and_no_order_but_one() -> None:
    text = good()
    head, _, rows = text.partition(b"\nmoves ")
    count, *lines = rows[:-1].split(b"\n")
    for changed in (
        text + b"\n",
        text[:-1],
        text + b"\0",
        head + b"\nmoves " + b"\n".join([count, *reversed(lines)]) + b"\n",
        text.replace(b"\nmoves " + count, b"\nmoves %d" % (len(lines) + 1)) + lines[-1] + b"\n",
        text.replace(b"creator a test", "creator é".encode()),
    ):
        with pytest.raises(NotationError):
            read_strategy(rehash(changed))
    assert read_strategy(rehash(text)).strategy.moves


def test_the_hash_has_one_spelling() -> None:
    text = good()
    with pytest.raises(NotationError, match="hash is wrong"):
        read_strategy(text[:30] + text[30:92].upper() + text[92:])
