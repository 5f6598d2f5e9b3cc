"""`oxo convert`."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import Result

from hyperoxo.cli.main import main
from hyperoxo.notation import FORMATS
from tests.command import oxo, refusal

EXAMPLE = (
    '{3, {0 -> "·", 1 -> "X", 2 -> "O", 3 -> "Y", 4 -> "Z"}, 9, '
    '"MAwGGFIaAjmZ1E9sy7ADB3uvc4zhXODRYEBgKuHvv7M3rHY2PRj"}\n'
)


def convert(*words: object, text: str | bytes | None = None) -> Result:
    return oxo("convert", *map(str, words), data=text)


@pytest.mark.parametrize(
    ("command", "options"), [("convert", ["from_", "to"]), ("analyse", ["from_"])]
)
def test_the_choices_are_the_notations(command: str, options: list[str]) -> None:
    found = main.get_command(click.Context(main), command)
    assert found is not None
    choices = {one.name: one.type for one in found.params}
    for option in options:
        choice = choices[option]
        assert isinstance(choice, click.Choice)
        assert tuple(choice.choices) == tuple(FORMATS)


def test_through_files_and_back(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(EXAMPLE, encoding="utf-8")
    for source, target in (("a.txt", "b.pgn"), ("b.pgn", "c.json"), ("c.json", "d.tesseract")):
        answer = convert(tmp_path / source, tmp_path / target)
        assert answer.exit_code == 0
        assert answer.stdout == ""
        assert answer.stderr.startswith("1 record, from ")
    assert (tmp_path / "d.tesseract").read_text(encoding="utf-8") == EXAMPLE


def test_a_board_drawn_in_a_mail() -> None:
    drawn = " X |   | O\n---+---+---\n   | X |\n---+---+---\n   |   | O\n"
    found = convert("-", "-", "--to", "position", text=drawn)
    assert (found.exit_code, found.stdout) == (0, "3^2 1.2.1...2\n")
    assert "write '.' or 'O'" in refusal(
        convert("-", "-", "--to", "position", text="X0. / .X. / ..O")
    )


def test_summary_as_json(tmp_path: Path) -> None:
    (tmp_path / "a.oxo").write_text("3^2 moves:4\n3^2 4-0\n", encoding="utf-8")
    answer = convert(tmp_path / "a.oxo", tmp_path / "b.sgf", "--format", "json")
    assert json.loads(answer.stdout) == {"records": 2, "from": "record", "to": "sgf"}
    assert (tmp_path / "b.sgf").read_text(encoding="utf-8").count("(;") == 2


@pytest.mark.parametrize("name", ["game.txt", "game.oxo", "game.pgn", "game"])
def test_content_decides_where_the_suffix_does_not_fit(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(EXAMPLE, encoding="utf-8")
    answer = convert(tmp_path / name, "-", "--to", "tesseract", "--format", "json")
    assert json.loads(answer.stdout)["text"] == EXAMPLE
    assert json.loads(answer.stdout)["from"] == "tesseract"


def test_what_fits_its_suffix_is_read_so(tmp_path: Path) -> None:
    (tmp_path / "three.pos").write_text("12.\n...\n1..\n", encoding="utf-8")
    answer = convert(tmp_path / "three.pos", "-", "--to", "position", "--game", "3^1")
    assert answer.stdout == "3^1 12.\n3^1 ...\n3^1 1..\n"


def test_standard_streams() -> None:
    answer = convert("-", "-", "--to", "position", text="3^2 4-0")
    assert answer.stdout == "3^2 2...1....\n"
    answer = convert("-", "-", "--to", "position", "--format", "json", text="3^2 4-0")
    assert json.loads(answer.stdout)["text"] == "3^2 2...1....\n"


def test_options_of_the_readers(tmp_path: Path) -> None:
    answer = convert("-", "-", "--to", "record", "--game", "15,15,5", text="(;B[hh];W[hi])")
    assert answer.stdout == "15,15,5 moves:112,127\n"
    words = ("--numbering", "skip", "--moves", "backward", "--cells", "picture")
    answer = convert("-", "-", "--to", "json", *words, text=EXAMPLE)
    assert len(json.loads(answer.stdout)["moves"]) == 48
    assert convert("-", "-", "--to", "tesseract", *words, text=EXAMPLE).stdout == EXAMPLE


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        (("-", "-"), "3^2", "the name '-' gives no notation; name one with --to"),
        (("-", "x.doc"), "3^2", "the name 'x.doc' gives no notation; name one with --to"),
        (("-", "-", "--to", "pgn"), "hello", "this is written in no known notation"),
        (("-", "-", "--to", "pgn"), "3^2 4-4", "line 1: move 2: cell 4 is taken"),
        ((__file__, "-", "--to", "pgn"), None, "test_convert.py: this is written in no known"),
        (
            ("-", "-", "--to", "pgn"),
            b"\xff",
            "standard input is not UTF-8 text (byte 1); 'oxo convert --encoding NAME' reads others",
        ),
        (
            ("-", "-", "--to", "pgn", "--encoding", "latni1"),
            "3^2",
            "unknown encoding 'latni1'; did you mean 'latin1'?",
        ),
        (
            ("-", "-", "--to", "pgn", "--encoding", "ascii"),
            b"3^2 \xff",
            "standard input is not ASCII text (byte 5)",
        ),
        (("-", "-", "--to", "pgn", "--encoding", "hex"), "3^2", "unknown encoding 'hex'"),
        (("-", "-", "--to", "pgn", "--game", "3^"), "", "bad game '3^'"),
        (("/nowhere/at/all", "-", "--to", "pgn"), None, "does not exist"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], text: str | bytes | None, message: str) -> None:
    assert message in refusal(convert(*words, text=text))


@pytest.mark.parametrize(
    ("declared", "encoding", "asked", "remark"),
    [
        ("GB18030", "gb18030", (), ""),
        ("big5", "big5", (), ""),
        ("", "utf-8", (), ""),
        ("", "utf-16", (), ""),
        ("GB18030", "big5", ("--encoding", "big5"), ""),
        ("ascii", "utf-8", (), "the text is not in the encoding of CA[ascii]"),
    ],
)
def test_encodings(
    tmp_path: Path, declared: str, encoding: str, asked: tuple[str, ...], remark: str
) -> None:
    text = f"(;GM[4]CA[{declared}]PB[\u67ef\u6d01];B[bb])".replace("CA[]", "")
    (tmp_path / "a.sgf").write_bytes(text.encode(encoding))
    done = convert(tmp_path / "a.sgf", "-", "--to", "pgn", "--game", "3^2", *asked)
    assert '[Player1 "\u67ef\u6d01"]' in done.stdout
    assert done.stderr == (f"{remark}\n" if remark else "")


def test_sgf_that_declares_no_encoding_is_latin_text_where_it_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes("(;GM[1]PB[Gödel];B[bb])(;PW[Émile];B[b2])".encode("latin-1"))
    done = convert(tmp_path / "a.sgf", "-", "--to", "pgn", "--game", "3^2")
    assert '[Player1 "Gödel"]' in done.stdout
    assert '[Player2 "Émile"]' in done.stdout
    assert done.stderr.splitlines() == [
        "read as ISO-8859-1 text, since it is not UTF-8",
        "GM[1] is Go; read as moves of 3^2",
        "no GM; read as moves of 3^2",
    ]
    quiet = convert(tmp_path / "a.sgf", "-", "--to", "pgn", "--game", "3^2", "--quiet")
    assert (quiet.exit_code, quiet.stderr) == (0, "")


def test_an_opening_as_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.pos").write_bytes(bytes([3, 112, 97, 224]))
    done = convert(tmp_path / "a.pos", "-", "--to", "names")
    assert done.stdout == "15,15,5 moves:h8,h9,o1\n"
    assert done.stderr == "stones of RenLib; read as a game of 15,15,5\n"
    named = convert(tmp_path / "a.pos", "-", "--to", "names", "--game", "15,15,4")
    assert (named.stdout, named.stderr) == ("15,15,4 moves:h8,h9,o1\n", "")


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "old.sgf"
    target.write_text("old", encoding="utf-8")
    assert convert("-", target, text="4^3 moves:1").exit_code == 2
    assert target.read_text(encoding="utf-8") == "old"
