from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hyperoxo.errors import NotationError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof import (
    Mirroring,
    Strategy,
    prevention_text,
    read_mirroring,
    read_pairing,
    read_prevention,
    read_strategy,
    strategy_text,
    write_strategy,
)
from hyperoxo.proof.dictionary_file import read_proof
from hyperoxo.proof.registry import proof_text
from tests.hyperoxo.proof.brute import strategy
from tests.hyperoxo.proof.test_answers import paired
from tests.hyperoxo.proof.test_coalition import prevention
from tests.hyperoxo.proof.test_dictionary_file import centre


def rehash(text: bytes) -> bytes:
    """Put the right hash into a changed file."""
    head = text.index(b"sha256 ") + 7
    digest = hashlib.sha256(text[:head] + text[head + 64 :]).hexdigest()
    return text[:head] + digest.encode() + text[head + 64 :]


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


FILES: dict[str, tuple[Callable[[bytes], object], Callable[[], bytes]]] = {
    "dictionary": (read_proof, partial(centre, stored=True)),
    "mirroring": (
        read_mirroring,
        lambda: proof_text(Mirroring(Game("3^2:misere"), 1, tuple(range(8, -1, -1)))),
    ),
    "pairing": (read_pairing, lambda: proof_text(paired())),
    "prevention": (
        read_prevention,
        lambda: prevention_text(prevention("3^2:players=3", 2, "no-win")),
    ),
    "strategy": (read_strategy, good),
}


@pytest.mark.parametrize(
    ("kind", "old", "new", "message"),
    [
        ("dictionary", b"hyperoxo-dictionary 1", b"hyperoxo-dictionary 2", "not a dictionary file"),
        ("dictionary", b"game 3^3", b"game 3^3:players=2", "not written the way"),
        ("dictionary", b"game 3^3", b"game 3^x", "bad game"),
        ("dictionary", b"game 3^3", b"game 3^3:gravity", "symmetries"),
        ("dictionary", b"game 3^3", b"board 3^3", "'game ...' is missing"),
        ("dictionary", b"seat 1", b"seat 01", "not a number"),
        ("dictionary", b"seat 1", b"seat 3", "seat must be"),
        ("dictionary", b"leaves stored", b"leaves kept", "neither"),
        ("dictionary", b"leaves stored", b"leaves derived", "not written the way"),
        ("dictionary", b"creator a test", b"creator ", "not written the way"),
        ("dictionary", b"symmetries 48", b"symmetries 1", "has 48 symmetries"),
        ("dictionary", b"strategic 1", b"strategic 2", "promises 2 positions"),
        ("dictionary", b"strategic 1\nblocks 0", b"strategic 0\nblocks 1", "promises 0 strategic"),
        ("dictionary", b"\nsequences ", b"\nsequences 1", "does not hold the"),
        ("dictionary", b"first -", b"first ", "not a number"),
        ("dictionary", b"first -", b"first 1-", "not a number"),
        ("dictionary", b" 13 ", b" 013 ", "not a number"),
        ("dictionary", b" 13 ", b"  13 ", "not a number"),
        ("dictionary", b" 13 ", b" 13  ", "not a number"),
        ("dictionary", b" 13 ", b" 13 /", "not a number"),
        ("mirroring", b"claim draw", b"claim win", "not 'draw'"),
        ("mirroring", b"\n4\n", b"\n4 4\n", "not written the way"),
        ("mirroring", b"\n4\n", b"\n5\n", "does not list each cell"),
        ("mirroring", b"\n4\n", b"\nx\n", "not a number"),
        ("mirroring", b"\n0 8\n", b"\n8 0\n", "not written the way"),
        ("pairing", b"claim draw", b"claim win", "not 'draw'"),
        ("pairing", b"\n0 2\n", b"\n2 0\n", "not written the way"),
        ("pairing", b"\n0 2\n", b"\n0 2 3\n", "not a row of cells"),
        ("pairing", b"\n0 2\n", b"\n0 02\n", "not a number"),
        ("pairing", b"pairs 4", b"pairs 5", "promises 5 pairs"),
        ("pairing", b"seat 2", b"seat 3", "seat must be"),
        ("prevention", b"hyperoxo-coalition 1", b"hyperoxo-coalition 2", "not a coalition file"),
        ("prevention", b"game 3^2:players=3", b"game 3^2:players=03", "player|not written"),
        ("prevention", b"seat 2", b"seat 4", "seat must be"),
        ("prevention", b"claim no-win", b"claim draw", "neither"),
        ("prevention", b"creator -", b"creator ", "not written the way"),
        ("prevention", b"symmetries 8", b"symmetries 1", "has 8 symmetries"),
        ("prevention", b"moves 1", b"moves 2", "the file promises"),
        ("strategy", b"hyperoxo-strategy 1", b"hyperoxo-strategy 2", "not a strategy file"),
        ("strategy", b"game 3^2", b"game 3^2:players=2", "not written the way"),
        ("strategy", b"game 3^2", b"game 3^x", "bad game"),
        ("strategy", b"game 3^2", b"board 3^2", "'game ...' is missing"),
        ("strategy", b"game 3^2\n", b"", "'game ...' is missing"),
        ("strategy", b"seat 2", b"seat 02", "not a number"),
        ("strategy", b"seat 2", b"seat 3", "seat must be"),
        ("strategy", b"claim draw", b"claim Draw", "neither"),
        ("strategy", b"creator a test", b"creator  a test", "not written the way"),
        ("strategy", b"creator a test", b"creator ", "not written the way"),
        ("strategy", b"symmetries 8", b"symmetries 1", "has 8 symmetries"),
        ("strategy", b"\nmoves ", b"\nmoves 1", "the file promises"),
        ("strategy", b"position .........", b"position moves:", "not written the way"),
        ("strategy", b"position .........", b"position 2........", "player 1 has 0"),
        ("strategy", b"\n1........ ", b"\n1........  ", "not a number"),
        ("strategy", b"\n1........ ", b"\n1....x... ", "is not a position"),
        ("strategy", b"\n1........ ", b"\n1....... ", "is not a position"),
        ("strategy", b"\n1........ ", b"\r\n1........ ", "not a number"),
    ],
)
def test_one_spelling(kind: str, old: bytes, new: bytes, message: str) -> None:
    read, write = FILES[kind]
    text = write()
    assert text.count(old) == 1
    with pytest.raises((NotationError, SpecError), match=message):
        read(rehash(text.replace(old, new)))


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
