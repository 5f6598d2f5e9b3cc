from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

import hyperoxo as ox
from tests.command import oxo, printed, refusal

pytestmark = pytest.mark.usefixtures("own_tables")


def pictured(*words: str) -> Result:
    return oxo("draw", "position", *words)


@pytest.fixture
def record(tmp_path: Path) -> str:
    file = tmp_path / "game.oxo"
    file.write_text(ox.write([ox.Record(ox.Game("3^2"), (4, 0, 2, 6, 3))], "record"), "utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("kind", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF")]
)
def test_the_ending_of_the_name_says_what_is_drawn(tmp_path: Path, kind: str, start: bytes) -> None:
    file = tmp_path / f"board.{kind.upper()}"
    text = printed(pictured("3^2", "--position", "moves:4,0", "--size", "128", "--out", str(file)))
    assert text == f"{file}: 3×3, Cross to move, 2 stones\n"
    expected = ox.picture(ox.Game("3^2").position("moves:4,0"), kind, size=128)
    assert file.read_bytes() == expected
    assert expected.startswith(start)


def test_a_file_is_drawn_as_it_stood_after_a_move(record: str, tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    done = pictured(
        record, "--move", "3", "--out", str(file), "--theme", "dark", "--format", "json"
    )
    position = ox.Game("3^2").position("moves:4,0,2")
    drawn = ox.picture(position, "png", theme="dark")
    assert json.loads(done.stdout) == {
        "game": "3^2",
        "shows": "3×3, Ring to move, 3 stones",
        "bytes": len(drawn),
        "file": str(file),
    }
    assert file.read_bytes() == drawn
    assert pictured(record, "--out", "-").stdout_bytes == ox.picture(
        ox.read(Path(record).read_text())[0]
    )


def test_width_and_height(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    assert pictured("3^2", "--size", "120x63", "--out", str(file)).exit_code == 2
    assert pictured("3^2", "--size", "120x80", "--out", str(file)).exit_code == 0
    assert file.read_bytes() == ox.picture(ox.Game("3^2").start(), "png", size=(120, 80))


def test_bad_input_is_answered_in_one_line(record: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.oxo"
    empty.write_text("", "utf-8")
    for bad, words in (
        (("3^2", "--out", "board.bmp"), "must end in .svg, .png or .gif"),
        (("3^", "--out", "-"), "3^"),
        (("nowhere.oxo", "--out", "-"), "there is no file 'nowhere.oxo'"),
        (("nowhere.PGN", "--out", "-"), "there is no file 'nowhere.PGN'"),
        (("3^2", "--move", "1", "--out", "-"), "need a FILE"),
        ((record, "--position", "moves:0", "--out", "-"), "--position goes with a GAME"),
        ((record, "--move", "6", "--out", "-"), "has no move 6"),
        ((str(empty), "--from", "record", "--out", "-"), "expected one game, not 0"),
        (("70^2", "--out", "-"), "4,900"),
        (("3^2", "--size", "1", "--out", "-"), "64 to 4,096 pixels"),
        (("3^2", "--size", "10x", "--out", "-"), "--size"),
    ):
        assert words in refusal(pictured(*bad))


@pytest.mark.more
def test_tree(tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    text = printed(oxo("draw", "tree", "3^2", "--out", str(file)))
    assert text == f"{file}: 172 boards\n"
    rings = oxo("draw", "tree", "3^2", "--layout", "rings", "--out", str(file))
    assert rings.stdout == f"{file}: 162 boards\n"
    assert file.read_text(encoding="utf-8").startswith("<svg")
    assert oxo("draw", "tree", "2^2", "--out", "-").stdout.endswith("</svg>\n")
    assert (
        oxo("draw", "tree", "2^2", "--whole", "--out", str(file)).stdout == f"{file}: 41 boards\n"
    )
    line = oxo("draw", "tree", "3^2", "--line", "4,1,0", "--out", str(file), "--format", "json")
    assert json.loads(line.stdout) == {"game": "3^2", "file": str(file), "boards": 4}
    page = tmp_path / "tree.html"
    assert oxo("draw", "tree", "2^2", "--out", str(page)).stdout == f"{page}: 4 boards\n"
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    for bad in (
        ("--line", "4,4"),
        ("--line", "4", "--whole"),
        ("--layout", "down", "--out", "a.html"),
    ):
        assert oxo("draw", "tree", "3^2", *bad).exit_code == 2
    assert "too many to draw" in refusal(
        oxo("draw", "tree", "3^3", "--plies", "12", "--out", str(file))
    )
