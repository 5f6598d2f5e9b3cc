from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from hyperoxo.errors import LimitError, NotSupportedError
from hyperoxo.files import DamagedFileError
from hyperoxo.game import Game
from hyperoxo.solvers.states import tables
from hyperoxo.solvers.states.tables import (
    build_table,
    data_folder,
    lookup,
    read_table,
    table_of,
    table_path,
    write_table,
)
from tests.expect import message_of
from tests.judge import judge_of, words
from tests.states_oracle import walk

GAMES = ("3^2", "3^2:misere", "3^2:gravity", "3^2:opening=0", "3,2,2", "2^3", "3^2:blocked=0")


pytestmark = pytest.mark.usefixtures("own_tables")


@pytest.mark.more
@pytest.mark.parametrize("spec", GAMES)
def test_every_position_is_found_with_its_value(spec: str) -> None:
    game = Game(spec)
    judge = judge_of(game)
    built = build_table(game)
    write_table(built, table_path(game))
    read = read_table(game, table_path(game))
    assert len(read) == len(built)
    for layer in walk(game).layers:
        for position in layer.values():
            truth = words(judge(position), 2)
            assert lookup(position) == built.lookup(position) == read.lookup(position) == truth


def test_there_is_no_table_of_other_games() -> None:
    for spec in ("4^3", "3^2:players=3", "3^3", "8^2", "2^4", "40^3"):
        assert lookup(Game(spec).start()) is None
    assert "two players" in message_of(NotSupportedError, build_table, Game("3^2:players=3"))
    assert "fewer than 64" in message_of(LimitError, build_table, Game("4^3"))
    assert "has about" in message_of(LimitError, table_of, Game("3^3"), build=True)


def test_symmetries_too_many_to_list_are_left_out(tmp_path: Path) -> None:
    """In 2^4 any two cells make a line, so that all 16! orders of the cells are symmetries."""
    game = Game("2^4")
    built, path = build_table(game), tmp_path / "table"
    write_table(built, path)
    assert len(built) == 1 + 16 + 16 * 15 + 16 * 15 * 14 // 2
    read = read_table(game, path)
    for moves, known in (("", ("win", 3)), ("5,9", ("win", 1)), ("5,9,3", ("loss", 0))):
        position = game.position(f"moves:{moves}")
        assert built.lookup(position) == read.lookup(position) == known


def test_small_tables_are_kept_only_when_asked() -> None:
    game = Game("3^2")
    assert table_of(game) is not None
    assert not table_path(game).exists()
    tables._open.clear()
    assert table_of(game, build=True) is not None
    assert table_path(game).exists()
    assert table_path(game).parent == data_folder() / "values"


def test_the_file_is_as_documented() -> None:
    game = Game("3^2")
    write_table(build_table(game), table_path(game))
    data = table_path(game).read_bytes()
    first, head, _ = data.split(b"\n", 2)
    title, digest = first.rsplit(b" ", 1)
    assert title == b"hyperoxo values 1"
    assert hashlib.sha256(data[len(first) + 1 :]).hexdigest().encode() == digest
    start = len(first) + len(head) + 2
    assert start % 64 == 0
    said = json.loads(head)
    assert said["plies"] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert (said["game"], said["bits"], said["words"]) == ("3^2", 2, 1)
    assert len(data) == start + 765 * 9
    # The last three keys of ply 1: a stone in the corner has the highest digit.
    assert int.from_bytes(data[start + 24 : start + 32], "little") == 1 << 16
    assert data[start + 765 * 8] == 9 << 2 | 1


def test_damaged_tables_are_rebuilt_and_never_believed() -> None:
    game = Game("3^2:gravity")
    path = table_path(game)
    write_table(build_table(game), table_path(game))
    intact = path.read_bytes()
    start = game.start()
    spoilt = [intact[:40], b"", intact + b"\0", intact[:-1], b"x" * 500]
    for place in range(0, len(intact), 37):
        changed = bytearray(intact)
        changed[place] ^= 1
        spoilt.append(bytes(changed))
    for data in spoilt:
        path.write_bytes(data)
        assert message_of(DamagedFileError, read_table, game, path)
    path.write_bytes(spoilt[-1])
    assert lookup(start) == words(judge_of(game)(start), 2)
    assert path.read_bytes() == intact


def test_a_table_of_another_game_is_not_taken() -> None:
    path = table_path(Game("3^2:misere"))
    write_table(build_table(Game("3^2")), path)
    with pytest.raises(DamagedFileError, match=r"a table of '3\^2', not of 3\^2:misere"):
        read_table(Game("3^2:misere"), path)
    start = Game("3^2:misere").start()
    assert lookup(start) == words(judge_of(start.game)(start), 2)


def test_long_names_are_shortened(tmp_path: Path) -> None:
    rows = "/".join(f"{k}+{k + 1}" for k in range(40))
    assert len(table_path(Game(f"60{{{rows}}}")).name) < 100


def test_a_folder_that_cannot_be_written_to_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("HYPEROXO_DATA", str(blocked))
    table = table_of(Game("3^2"), build=True)
    assert table is not None
    assert table.lookup(Game("3^2").start()) == ("draw", 9)
