from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game, Position, layout_of
from hyperoxo.solvers.states.tables import table_of
from hyperoxo_research.plots.map import best_answer, draw_map
from tests.command import answer, oxo
from tests.expect import message_of, require
from tests.judge import judge_of
from tests.states_oracle import walk

pytestmark = pytest.mark.usefixtures("own_tables")


@pytest.mark.more
@pytest.mark.parametrize("spec", ["3^2", "3^2:misere", "4,2,3", "3^2:gravity"])
def test_answers_keep_value_and_remoteness(spec: str) -> None:
    game = Game(spec)
    table = require(table_of(game))
    found = walk(game)
    judge = judge_of(game)
    for layer in found.layers:
        for position in layer.values():
            if position.is_over:
                continue
            assert judge.after(position, best_answer(table, position)) == judge(position)


def boards(game: Game, seat: int) -> int:
    """Boards of a whole map, by playing all that the other side can."""
    table = require(table_of(game))

    def below(position: Position) -> int:
        count = 1
        for cell in position.legal_moves:
            after = position.play(cell)
            count += below(after if after.is_over else after.play(best_answer(table, after)))
        return count

    start = game.start()
    return below(start.play(best_answer(table, start)) if seat == 1 else start)


@pytest.mark.more
@pytest.mark.parametrize("spec", ["3^2", "3^2:misere", "4,2,3:gravity", "2^2"])
@pytest.mark.parametrize("seat", [1, 2])
def test_the_map_has_every_game_of_the_seat(spec: str, seat: int) -> None:
    game = Game(spec)
    picture = draw_map(game, seat)
    ET.fromstring(picture)
    assert picture.count('href="#board"') == boards(game, seat)


def test_depth_bounds_the_map() -> None:
    assert draw_map(Game("3^2"), depth=1).count('href="#board"') == 1
    assert draw_map(Game("3^2"), depth=2).count('href="#board"') == 9
    assert draw_map(Game("3^2"), 2, depth=2).count('href="#board"') == 10


@pytest.mark.more
def test_a_map_may_begin_after_some_moves() -> None:
    game = Game("3^2")
    whole = draw_map(game, 2).count('href="#board"')
    parts = [draw_map(game, 2, start=game.start().play(cell)) for cell in range(9)]
    assert sum(part.count('href="#board"') for part in parts) == whole - 1
    assert "best moves of Ring after 0<" in parts[0]
    assert "Ring draws against best play" in parts[0]
    lost = draw_map(game, 2, start=game.position("moves:0,1"))
    assert "Ring loses after 5 moves" in lost
    assert "Cross wins after 5 moves" in draw_map(game, 1, start=game.position("moves:0,1"))


def test_bad_requests_are_refused() -> None:
    assert "two players" in message_of(SpecError, draw_map, Game("3^2:players=3"))
    assert "seat must be 1 or 2" in message_of(SpecError, draw_map, Game("3^2"), 3)
    assert "has about" in message_of(LimitError, draw_map, Game("3^3"))
    assert "boards deep" in message_of(LimitError, draw_map, Game("4,4,3:gravity"), depth=9)


def test_cells_are_laid_out_as_they_stand() -> None:
    plain, falling = layout_of(Game("3^2")).corners, layout_of(Game("3^2:gravity")).corners
    assert [plain[0], plain[5]] == [(0, 0), (2, 1)]
    assert [falling[0], falling[5]] == [(0, 2), (2, 1)]
    corners = list(layout_of(Game("3^4")).corners)
    assert len(set(corners)) == 81
    assert [corners[9], corners[27]] == [(0, 3.25), (3.25, 6.5)]
    assert layout_of(Game("5{0+1}")).width == 3


def test_command(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    said = answer("draw", "map", "3^2", "--out", str(file))
    assert said == {"game": "3^2", "seat": 1, "file": str(file), "boards": 91}
    assert file.read_text(encoding="utf-8").count("#board") == 91
    assert oxo("draw", "map", "3^2", "--seat", "3").exit_code == 2
    assert "two players" in oxo("draw", "map", "3^2:players=3").stderr
