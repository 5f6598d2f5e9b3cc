"""Files of learned tables: what is written is read, and all else is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import HyperoxoError, SpecError
from hyperoxo.files import DamagedFileError
from hyperoxo.heuristics import as_heuristic
from hyperoxo.heuristics.tables import (
    LineTable,
    read_table,
    shipped_tables,
    table_from_bytes,
    tables_of_weights,
)


def _table(classes: str = "", game: str = "3^2", stages: int = 1) -> LineTable:
    kinds = stages * (3 if classes else 1)
    weights = np.arange(kinds * 16.0).reshape(kinds, 4, 4) / 7
    tables = tables_of_weights(ox.Game(game).board, weights, classes, stages)
    return LineTable(game, 2, False, classes, tables, stages, {"step": 1})


@pytest.mark.parametrize("stages", [1, 2])
@pytest.mark.parametrize("classes", ["", "orbits"])
def test_files_hold_the_table_to_the_last_bit(classes: str, stages: int, tmp_path: Path) -> None:
    table = _table(classes, stages=stages)
    path = tmp_path / "t.json"
    path.write_bytes(table.to_bytes())
    again = read_table(path)
    assert again == table
    assert again.training == {"step": 1}
    heuristic = as_heuristic(str(path))
    assert heuristic == as_heuristic(str(path))
    kind = (stages - 1) * (3 if classes else 1) + bool(classes)
    assert heuristic.table(3, 2, bool(classes), stages - 1)[1, 2] == (16 * kind + 6) / 7
    agent = ox.agent(f"minimax:depth=1,heuristic={path}")
    assert agent.spec == f"minimax:depth=1,heuristic={path}"
    assert agent.choose(ox.Game("3^2").start(), 0) in range(9)


@pytest.mark.more
@given(st.data())
def test_no_change_of_a_file_goes_unseen(data: st.DataObject) -> None:
    content = _table().to_bytes().rstrip()
    if data.draw(st.booleans()):
        damaged = content[: data.draw(st.integers(0, len(content) - 1))]
    else:
        at = data.draw(st.integers(0, len(content) - 1))
        damaged = content[:at] + bytes([data.draw(st.integers(0, 255))]) + content[at + 1 :]
    if _says_the_same(damaged, content):  # other spaces between the words
        assert table_from_bytes(damaged, "t.json") == table_from_bytes(content, "t.json")
        return
    with pytest.raises(HyperoxoError, match=r"^'t\.json' (is not a line table|is damaged)[^\n]*$"):
        table_from_bytes(damaged, "t.json")


@pytest.mark.parametrize("entry", [3, None, "size", [], [1]])
def test_a_table_that_is_no_object_is_refused(entry: object) -> None:
    data = {**_table().as_data(), "tables": [entry]}
    with pytest.raises(SpecError, match=r"^'t\.json' is not a line table: '.*' is not a table$"):
        table_from_bytes(json.dumps(data).encode(), "t.json")


def _says_the_same(text: bytes, other: bytes) -> bool:
    try:
        return bool(json.loads(text) == json.loads(other))
    except ValueError:
        return False


def _changed(**changes: object) -> bytes:
    data = {**_table().as_data(), **changes}
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a line table"),
        (b"[]", "not a line table"),
        (b"[" * 100_000, "not a line table"),
        (_changed(format="another"), "not a line table"),
        (_changed(classes="rings"), "classes 'rings'"),
        (_changed(tables=[]), "its tables are missing"),
        (_changed(sha25="0"), "'sha25' is not known"),
        (_changed(stages=2), "its tables for stages 0 to 1 are missing"),
        (_changed(stages=10), "stages must be 1 to 9"),
        (_changed(tables=[{"size": 3, "class": 0, "weights": [[0.0]]}]), "rows"),
        (_changed(tables=[{"size": 1, "class": 0, "weights": [[0, 1e999], [0, 0]]}]), "finite"),
        (_changed(tables=[{"size": 1}]), "'class' is missing"),
    ],
)
def test_what_is_no_table_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        table_from_bytes(content, "t.json")
    with pytest.raises(DamagedFileError, match="too early"):
        table_from_bytes(_table().to_bytes()[:200], "t.json")
    with pytest.raises(FileNotFoundError, match=r"'nowhere\.json'"):
        as_heuristic("nowhere.json")


def test_tables_without_a_checksum_may_be_written_by_hand() -> None:
    assert table_from_bytes(_changed(), "t.json") == _table()


def test_lines_of_other_sizes_are_read_by_the_stones_that_are_missing() -> None:
    table = _table()
    assert table(3, 0, 4, 2) == table(2, 0, 3, 2)
    assert table(0, 3, 4, 2) == table(0, 2, 3, 2)
    staged = _table(stages=2)
    assert staged(3, 0, 4, 2, 0, 1) == staged(2, 0, 3, 2, 0, 1) != table(2, 0, 3, 2)
    with pytest.raises(SpecError, match="2 players, not 3"):
        as_heuristic("td").__class__("t", table).table(3, 3)
    with pytest.raises(SpecError, match="serves that board alone"):
        _table("orbits").heuristic("t").table(4, 2)


def test_shipped_tables_are_as_files_are() -> None:
    assert shipped_tables()
    for table in shipped_tables():
        assert table_from_bytes(table.to_bytes(), "t.json") == table
        ox.Game(table.game)
