"""Telling notations apart, and turning one into another."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation import FORMATS, Record, convert, detect, read, write
from tests.strategies import games, records

TESSERACT = "3^4:target=9,blocked=centre"


@pytest.mark.more
@given(records(), st.permutations(["pgn", "json"]))
def test_everything_survives_where_everything_fits(record: Record, way: list[str]) -> None:
    text = write([record], way[0])
    there = convert(text, None, way[1])
    assert convert(there, None, way[0]) == text


@pytest.mark.more
@given(records(games(most_players=2, hypercubes=("2^2", "3^2"), others=False)))
def test_play_survives_every_way_through_one_plane(record: Record) -> None:
    text = write([record], "record")
    for name in ("pgn", "json", "sgf", "record"):
        text = convert(text, None, name)
    assert text == write([record], "record")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("3^2 ....1....", "position"),
        ("....1....", "position"),
        ("##..", "position"),
        ("moves:4,0", "position"),
        ("3^2 moves:4", "record"),
        ("moves:2.3a1,4", "position"),
        ("3^2", "record"),
        ("# a file\n\n4^3 0-3-60-21", "record"),
        ('\ufeff[Game "3^2"] *', "pgn"),
        ("[]", "json"),
        ('[\n{"format"', "json"),
        ('{"format"', "json"),
        (" (;FF[4]", "sgf"),
        ("Piskvorky 15x15, 0:0, 0", "psq"),
        ("44455554221 -15", "columns"),
        ("4455 18\r\n4453 -2", "columns"),
        ("44 -18", "columns"),
        ("10,4 -2", "columns"),
        ("9,4,3:gravity 12 -7", "columns"),
        ("9,4,3:gravity 1224", "columns"),
        ("2,2,3:gravity 2112", "position"),
        ("8,-3, 6,-4", "position"),
        ("6,6, 4,6", "position"),
        ("{2, {0 -> ", "tesseract"),
        ('NC4loadGame["{2', "tesseract"),
        ("0-3-60", "sequence"),
        ("4^3 0-3-60", "record"),
        ("4^3 0-3 9", "sequence"),
        ("4^3 4x8", "sequence"),
        ("4^3 moves:4", "record"),
        ("3^2 1........", "position"),
        ("12.", "position"),
        ("3^1 121", "position"),
        ("4^3 12", "sequence"),
        ("[[1, 2],\n [0, 0]]", "position"),
        ("# remark\n\n0-3 4x8", "sequence"),
        ("4^3:opening=poorx2 1-0 4x8", "sequence"),
    ],
)
def test_detection(text: str, name: str) -> None:
    assert detect(text) == name


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", r"\(position, drawing, "),
        ("hello", r"\(position, drawing, "),
        ("x^2 moves:1", r"\(position, drawing, "),
        ("9.5", r"\(position, drawing, "),
        ("(B[aa])", r"; did you mean SGF, which begins with '\(;'\?"),
        ("FF[4]GM[1]", "; did you mean SGF"),
        ("Piskvork 15x15, 0:0, 0", "; did you mean 'Piskvorky 15x15, 0:0, 0', as psq begins"),
        ("4,0,8", "; did you mean 'moves:4,0'"),
        ("4,1", "; did you mean 'moves:4,0'"),
        ("move:4,0", "; did you mean 'moves:4,0'"),
        ("column:4453", "; did you mean 'columns:4453'"),
        ("9 4 q", "; did you mean 'moves:4,0' or 'columns:4453'"),
        ("game.sgf", r"; did you mean a file, as in ox.read\(Path"),
    ],
)
def test_what_is_no_notation(text: str, hint: str) -> None:
    with pytest.raises(NotationError, match=f"written in no known notation ?{hint}"):
        detect(text)


def test_options_reach_who_takes_them() -> None:
    text = write([Record(Game(TESSERACT), (1, 2, 3))], "tesseract", moves="backward", game=None)
    assert read(text, moves="backward", game="3^2")[0].moves == (1, 2, 3)
    assert read(text)[0].moves == (3, 2, 1)
    assert read("....1....", game="3^2")[0].position.text == "....1...."
    assert read("(;B[bb])", game=Game("3^2"))[0].moves == (4,)
    assert convert(text, "tesseract", "tesseract", numbering="marker", cells="array") == text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("3^2", "pdf", "pgn"), "unknown notation 'pdf'; "),
        (("3^2", None, "sfg"), "unknown notation 'sfg'; did you mean 'sgf'?"),
        (("3^2 moves:4\n3^2 moves:4", None, "tesseract"), "holds one game, not 2"),
    ],
)
def test_what_is_refused(arguments: tuple[str, str | None, str], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        convert(*arguments)


def test_unknown_options() -> None:
    with pytest.raises(NotationError, match="unknown option 'colour'"):
        convert("3^2", None, "pgn", colour="red")


def test_the_table() -> None:
    endings = [ending for entry in FORMATS.values() for ending in entry.extensions]
    assert len(endings) == len(set(endings))
    assert all(entry.name == name and entry.about for name, entry in FORMATS.items())


@pytest.mark.parametrize(
    ("text", "game", "names"),
    [
        ("7,6,4:gravity columns:4453", None, "7,6,4:gravity moves:d,d,e,c"),
        ("columns:4453", "7,6,4:gravity", "7,6,4:gravity moves:d,d,e,c"),
        ("3^2 XO--X----", None, "3^2 setup=12..1.... moves:"),
        ("3^2 x,o,b,b,x,b,b,b,o,positive", None, "3^2 setup=12..1...2 moves:"),
        ("0,0,1,0,0,0,0,0,0", "3^2", "3^2 setup=..1...... moves:"),
        ("15,15,5 h8h9i9", None, "15,15,5 moves:h8,h9,i9"),
        ("h8 h9 i9", "15,15,5", "15,15,5 moves:h8,h9,i9"),
        ("4^3 3a4 1b2", None, "4^3 moves:3a4,1b2"),
        ("8,-3, 6,-4", "20,20,5", "20,20,5 moves:s13,q14"),
        ("20,20,5 6,-6, 4,6", None, "20,20,5 moves:q16,o4"),
        ("0,0,-1,1", "15,14,5", "15,14,5 moves:h7,g6"),
        ("h8\nh9\ni9\n", "15,15,5", "15,15,5 moves:h8,h9,i9"),
        ("b2 a1 c3", "3^2", "3^2 moves:b2,a1,c3"),
        ("d d e", "7,6,4:gravity", "7,6,4:gravity moves:d,d,e"),
        ("8,-3, 6,-4\n0,0, 1,1", "20,20,5", "20,20,5 moves:s13,q14\n20,20,5 moves:k10,l9"),
    ],
)
def test_positions_in_forms_of_the_field(text: str, game: str | None, names: str) -> None:
    assert convert(text, None, "names", game=game).strip() == names


def test_a_file_by_its_path_and_a_single_record(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("(;GM[4];B[aa])")
    [record] = read(path, game="3^2")
    assert [record] == read(path.read_bytes(), game="3^2")
    assert write(record, "position") == "3^2 1........\n"
