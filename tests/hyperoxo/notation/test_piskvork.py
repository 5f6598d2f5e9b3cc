"""Games of Piskvork, and openings as bytes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperoxo.game import Game
from hyperoxo.notation import Record
from hyperoxo.notation.piskvork import read_psq, renlib_moves, write_psq

GOMOCUP = """Piskvorky 15x15, 11:11, 0
8,8,0
9,7,3100
10,10,27
RAPFI25.zip
JAX25.zip
-1
1,Renju_1
"""


def test_a_game_of_gomocup() -> None:
    remarks: list[str] = []
    [record] = read_psq(GOMOCUP, remark=remarks.append)
    assert record == Record(Game("15,15,5"), (112, 98, 144), players=("RAPFI25.zip", "JAX25.zip"))
    assert remarks == ["read as a game of 15,15,5, though its rule is Renju_1"]
    [other] = read_psq(GOMOCUP.replace(", 0\n", ", 1\n", 1), game="15,15,6")
    assert other == Record(Game("15,15,6"), record.moves, players=("JAX25.zip", "RAPFI25.zip"))


def test_exactly_five() -> None:
    remarks: list[str] = []
    [record] = read_psq(GOMOCUP.replace("Renju", "Standard"), remark=remarks.append)
    assert record.game == Game("15,15,5:exact")
    assert remarks == ["read as a game of 15,15,5:exact"]
    assert read_psq(write_psq([record])) == [record]
    [other] = read_psq(write_psq([record]), game="15,15,5", remark=remarks.append)
    assert other.game == Game("15,15,5")
    assert remarks[-1] == "read as a game of 15,15,5, though its rule is Standard"


def test_names_that_are_no_line_are_left_out() -> None:
    record = Record(Game("5,5,5"), (12,), players=("12", "Bob"))
    assert write_psq([record]) == "Piskvorky 5x5, 0:0, 0\n3,3,0\n0\n"
    named = replace(record, players=("Ada", "Bob"))
    assert write_psq([named]).splitlines()[2:] == ["Ada", "Bob", "0"]


@pytest.mark.parametrize(
    ("data", "moves"),
    [
        (bytes([3, 112, 97, 224]), "moves:112,97,224"),
        (bytes([1, 0]), "moves:0"),
        (bytes([2, 5, 0, 0, 0]), "moves:5,0"),
        (bytes([2, 5, 5]), ""),
        (bytes([2, 5, 225]), ""),
        (bytes([3, 5, 6]) + b"\n", "moves:5,6,10"),
        (bytes([2, 5]), "moves:5,0"),
        (bytes([0, 0]), ""),
        (b"", ""),
        (b"3^2 ....1....\n", ""),
    ],
)
def test_openings_as_bytes(data: bytes, moves: str) -> None:
    assert renlib_moves(data) == moves
