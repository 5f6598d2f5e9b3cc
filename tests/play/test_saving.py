"""Games in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.errors import NotationError
from hyperoxo.notation import Record
from hyperoxo.play.saving import load_record, save_record
from hyperoxo.rules import Game

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


def test_an_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"must end in .*\.json"):
        save_record(tmp_path / "game.doc", RECORD)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_read_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("{}")
    with pytest.raises(NotationError, match=r"game\.json: key 'format' is missing"):
        load_record(path)
    path.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(NotationError, match="not UTF-8 text"):
        load_record(path)
    two = tmp_path / "two.oxo"
    two.write_text("3^2 moves:4\n3^2 moves:0\n")
    with pytest.raises(NotationError, match="one game is wanted, not 2"):
        load_record(two)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        save_record(tmp_path / "no" / "game.json", RECORD)
    assert caught.value.filename == str(tmp_path / "no" / "game.json")
