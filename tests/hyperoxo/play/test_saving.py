"""Games in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.game import Game
from hyperoxo.notation import FORMATS, Record, read, write
from hyperoxo.play.saving import load_record, save_record

RECORD = Record(Game("3^2"), (4, 0, 8), players=("human", "greedy"), icons=("X", "O"), resigned=2)


@pytest.mark.parametrize("ending", [".json", ".pgn", ".JSON"])
def test_nothing_is_lost(tmp_path: Path, ending: str) -> None:
    save_record(tmp_path / f"game{ending}", RECORD)
    assert load_record(tmp_path / f"game{ending}") == RECORD
    assert [path.name for path in tmp_path.iterdir()] == [f"game{ending}"]


@pytest.mark.parametrize("name", ["game.oxo", "game.txt", "game"])
def test_one_line_records(tmp_path: Path, name: str) -> None:
    save_record(tmp_path / name, RECORD)
    assert load_record(tmp_path / name).moves == (4, 0, 8)
    assert load_record(tmp_path / name).resigned == 2


ESSAY = (
    '{3, {0 -> "·", 1 -> "X", 2 -> "O", 3 -> "Y", 4 -> "Z"}, 9, '
    '"MAwGGFIaAjmZ1E9sy7ADB3uvc4zhXODRYEBgKuHvv7M3rHY2PRj"}'
)


@pytest.mark.parametrize("name", ["plain.txt", "plain", "plain.oxo", "plain.json", "plain.dat"])
@pytest.mark.parametrize("notation", [*FORMATS, "essay"])
def test_a_game_is_recognised_by_its_content(tmp_path: Path, notation: str, name: str) -> None:
    record = Record(Game("3^4:blocked=centre,target=9"), (79, 2, 44))
    planar = {"sgf": "3^2", "psq": "9,9,5", "columns": "5,4,3:gravity"}
    if notation in planar:
        record = Record(Game(planar[notation]), (4, 0, 3, 1))
    source = "tesseract" if notation == "essay" else notation
    text = ESSAY if notation == "essay" else write([record], notation)
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = load_record(tmp_path / name)
    assert found.position == read(text, source)[0].position


def test_an_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"must end in .*\.json"):
        save_record(tmp_path / "game.doc", RECORD)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_read_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("{}")
    with pytest.raises(NotationError, match=r"game\.json: key 'format' is missing"):
        load_record(path)
    path.write_bytes(b"\xff\xfa")
    with pytest.raises(NotationError, match="not UTF-8 text"):
        load_record(path)
    path.write_bytes("3^2 moves:4".encode("utf-16")[:-1])
    with pytest.raises(NotationError, match="not UTF-16 text"):
        load_record(path)
    two = tmp_path / "two.oxo"
    two.write_text("3^2 moves:4\n3^2 moves:0\n")
    with pytest.raises(NotationError, match="expected one game, not 2"):
        load_record(two)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        save_record(tmp_path / "no" / "game.json", RECORD)
    assert caught.value.filename == str(tmp_path / "no" / "game.json")
