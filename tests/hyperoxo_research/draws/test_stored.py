"""Stored full boards: every line is looked at, and none is of one player."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo_research.draws import stored
from hyperoxo_research.draws.full_boards import full_board
from hyperoxo_research.draws.stored import lines_of_one_colour, stored_board, stored_boards


@pytest.mark.more
def test_the_boards_that_are_stored() -> None:
    assert stored_boards() == ((4, 5), (4, 6), (4, 7), (5, 7), (5, 8))
    assert stored_board(3, 3) is None
    for side, dim in stored_boards():
        stones = stored_board(side, dim)
        assert stones is not None
        assert len(stones) == side**dim
        assert abs(2 * int(stones.sum()) - side**dim) <= 1


@pytest.mark.parametrize(("side", "dim"), [(2, 2), (3, 2), (4, 2), (2, 3), (3, 3)])
def test_lines_are_counted_as_the_board_has_them(side: int, dim: int) -> None:
    board = Game(f"{side}^{dim}").board
    rng = np.random.default_rng(side * 10 + dim)
    for _ in range(20):
        stones = rng.integers(0, 2, side**dim).astype(np.uint8)
        lines = [stones[board.line(number)] for number in range(board.line_count)]
        of_one = sum(len(set(line.tolist())) == 1 for line in lines)
        assert lines_of_one_colour(stones, side, dim) == of_one


def test_a_stored_board_ends_a_drawn_game() -> None:
    game = Game("4^5")
    found = full_board(game)
    assert found.owners is not None
    assert found.owners.count(1) == found.owners.count(2) == 512
    owners = np.array(found.owners)
    for number in range(game.board.line_count):
        assert set(owners[game.board.line(number)].tolist()) == {1, 2}
    assert full_board(Game("4^5:blocked=0+1023"), exchanges=1).owners is None


def test_the_odd_stone_is_that_of_player_1(monkeypatch: pytest.MonkeyPatch) -> None:
    stones = np.array([1, 1, 0, 0, 0, 1, 1, 0, 0], dtype=np.uint8)
    monkeypatch.setattr(stored, "_stored", dict)
    monkeypatch.setattr(
        "hyperoxo_research.draws.full_boards.stored_board", lambda side, dim: stones
    )
    assert full_board(Game("3^2")).owners == (2, 2, 1, 1, 1, 2, 2, 1, 1)


def _turned(row: dict[str, Any]) -> None:
    bits = bytearray(base64.b64decode(row["bits"]))
    bits[0] ^= 0xFF
    row["bits"] = base64.b64encode(bits).decode()


def _of_other_cycles(row: dict[str, Any]) -> None:
    row["cycles"] = [1, 1, 1, 1, 1][::-1]
    row["bits"] = row["bits"][::-1].lstrip("=")[: len(row["bits"]) // 4 * 4 - 4] + "AAAA"


@pytest.mark.parametrize("change", [_turned, _of_other_cycles])
def test_an_altered_board_is_rejected(
    change: Callable[[dict[str, Any]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (files("hyperoxo_research") / "data" / "full-boards.json").read_text(encoding="utf-8")
    row = json.loads(text)[0]
    change(row)
    altered = {(4, 5): (tuple(row["cycles"]), row["bits"])}
    monkeypatch.setattr(stored, "_stored", lambda: altered)
    stored_board.cache_clear()
    with pytest.raises(CheckFailedError, match="4\\^5 has"):
        stored_board(4, 5)
    stored_board.cache_clear()
