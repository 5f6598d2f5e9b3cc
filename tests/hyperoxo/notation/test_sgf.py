"""Smart Game Format."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation import Record
from hyperoxo.notation.sgf import read_sgf, write_sgf

FOREIGN = """Forwarded:
(;FF[3]GaMe[4]SiZe[15]KM[0]PlayerBlack[Ada]PW[Bob \\]]RE[W+R]RU[freestyle]
C[one
two];B[hh](;W[hi]BL[3.5]C[main];B[ii])(;W[gg];B[ff](;W[aa])))
trailing text"""


def test_tags_that_have_a_property() -> None:
    tags = (("Date", "2026-11-21"), ("Event", "Club [A]"), ("Site", ""))
    record = Record(Game("3^2"), (4,), tags=tags)
    assert read_sgf(write_sgf([replace(record, tags=(*tags, ("Other", "x")))])) == [record]


def test_spelling() -> None:
    record = Record(
        Game("7,6,4:gravity"),
        (3, 10),
        setup="12" + "." * 40,
        players=("Ada", "B\\C"),
        resigned=1,
        comments=((0, "a [b]"), (2, "end")),
    )
    assert write_sgf([record]) == (
        "(;FF[4]GM[4]CA[UTF-8]AP[hyperoxo]SZ[7:6]RU[7,6,4:gravity]PB[Ada]PW[B\\\\C]RE[W+R]"
        "AB[aa]AW[ba]PL[B]C[a [b\\]]\n;B[da];W[db]C[end])\n"
    )


def test_files_of_other_programs() -> None:
    expected = Record(
        Game("15,15,5"),
        (112, 127, 128),
        players=("Ada", "Bob ]"),
        resigned=1,
        comments=((0, "one\ntwo"), (2, "main")),
    )
    assert read_sgf(FOREIGN, game="15,15,5") == [replace(expected, resigned=1)]
    assert read_sgf(FOREIGN.replace("\n", "\r\n"), game=Game("15,15,5")) == [expected]


def test_a_line_joined_by_a_backslash() -> None:
    assert read_sgf("(;C[one\\\ntwo])", game="3^2")[0].comments == ((0, "onetwo"),)


def test_rectangles_of_setup_stones() -> None:
    [record] = read_sgf("(;AB[aa:ab]AW[ba][bb];B[cc])", game="3^2")
    assert record.setup == "12.12...."
    assert record.moves == (8,)


def test_every_column_and_row_has_a_letter() -> None:
    record = Record(Game("52,52,5"), (0, 25, 26, 51, 52 * 51, 52 * 52 - 1))
    assert "B[aa];W[za];B[Aa];W[Za];B[aZ];W[ZZ]" in write_sgf([record])
    assert read_sgf(write_sgf([record])) == [record]


@pytest.mark.parametrize(
    ("result", "read"),
    [
        ("B+", "1"),
        ("W+12.5", "2"),
        ("B+T", "1"),
        ("0", "="),
        ("Draw", "="),
        ("?", None),
        ("Void", None),
    ],
)
def test_results(result: str, read: str | None) -> None:
    [record] = read_sgf(f"(;RE[{result}];B[aa])", game="3^2")
    assert (record.result, record.resigned) == (read, None)


def test_resigning_after_the_last_line_is_no_news() -> None:
    [record] = read_sgf("(;RE[B+R];B[aa];W[ab];B[ba];W[bb];B[ca])", game="3^2")
    assert (record.result, record.resigned) == ("1", None)


@pytest.mark.parametrize(
    ("size", "hint"),
    [
        ("15", "did you mean 15,15,5?"),
        ("3", "did you mean 3^2?"),
        ("7:6", "did you mean 7,6,4:gravity?"),
        ("x", "say which one is played"),
    ],
)
def test_a_file_that_names_no_game(size: str, hint: str) -> None:
    with pytest.raises(NotationError, match="RU names no hyperoxo game") as caught:
        read_sgf(FOREIGN.replace("[15]", f"[{size}]"))
    assert hint in str(caught.value)


def heard(text: str, game: str) -> tuple[Record, str]:
    """Return the game of a file, and the remarks on it."""
    remarks: list[str] = []
    [record] = read_sgf(text, game=game, remark=remarks.append)
    return record, "; ".join(remarks)


@pytest.mark.parametrize(
    ("text", "spec", "moves", "remark"),
    [
        ("(;GM[4];B[aa])", "3^2", (0,), ""),
        ("(;GM[4];B[a1];W[b2c2];B[aaca])", "3^2:bias=2+2,first-turn=1", (6, 4, 5, 0, 2), ""),
        ("(;GM[1];B[aa])", "3^2", (0,), "GM[1] is Go; read as moves of 3^2"),
        ("(;GM[2];B[c3])", "3^2", (2,), "GM[2] is Othello; read as moves of 3^2"),
        ("(;GM[11];B[A1];W[c1])", "3^2", (6, 8), "GM[11] is Hex; read as moves of 3^2"),
        ("(;GM[77];B[aa])", "3^2", (0,), "GM[77] is another game; read as moves of 3^2"),
        ("(;B[aa])", "3^2", (0,), "no GM; read as moves of 3^2"),
        (
            "(;GM[4];B[aa];W[];B[tt];W[bb];B[])",
            "3^2",
            (0, 4),
            "move 2: W passes, which these games do not allow; left out with 2 more",
        ),
        ("(;GM[4];B[tt])", "20,20,5", (19 * 21,), ""),
        ("(;GM[4];W[aa];B[bb])", "3^2:first=2", (0, 4), "W begins; read as a game of 3^2:first=2"),
        ("(;GM[4]AB[aa]AW[bb][cc];B[ba])", "3^2:first=2", (1,), "W begins; read"),
        ("(;GM[4];AB[aa]AW[bb];PL[W])", "3^2:first=2", (), "W begins; read"),
        ("(;GM[4];AB[aa][ca]AW[bb];AE[ca]PL[B];B[c3])", "3^2", (2,), ""),
        ("(;GM[4]AB[a3:b3]AW[a2];PL[W];W[cc])", "3^2", (8,), ""),
    ],
)
def test_what_other_programs_mean(
    text: str, spec: str, moves: tuple[int, ...], remark: str
) -> None:
    record, remarks = heard(text, spec.removesuffix(":first=2"))
    assert (str(record.game), record.moves) == (spec, moves)
    assert remarks.startswith(remark) if remark else remarks == ""
