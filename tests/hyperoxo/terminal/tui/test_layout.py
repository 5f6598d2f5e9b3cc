"""Where cells lie: nothing overlaps, and the arrows reach everything."""

from __future__ import annotations

import pytest

from hyperoxo.game import Game
from hyperoxo.terminal.tui.board import big_stone
from hyperoxo.terminal.tui.layout import SIZES, Size, fitting, layout_of

SPECS = ("3^1", "3^2", "4^3", "3^4", "2^5", "2^6", "7,6,4:gravity", "4^3:gravity=1", "5{0+1+2/2+3}")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width}x{size.height}")
@pytest.mark.parametrize("width", [None, 40])
def test_cells_do_not_overlap_and_are_found_where_they_lie(
    spec: str, size: Size, width: int | None
) -> None:
    game = Game(spec)
    layout = layout_of(game, size, width)
    taken: set[tuple[int, int]] = set()
    for cell, place in enumerate(layout.places):
        own = {
            (place.x + dx, place.y + dy)
            for dx in range(layout.size.width)
            for dy in range(layout.size.height)
        }
        assert not own & taken
        taken |= own
        for x, y in own:
            assert layout.cell_at(x, y) == cell
            assert 0 <= x < layout.width
            assert 0 <= y < layout.height


@pytest.mark.parametrize("spec", SPECS)
def test_arrows_reach_every_cell(spec: str) -> None:
    layout = layout_of(Game(spec), SIZES[-1])
    reached, waiting = {0}, [0]
    while waiting:
        cell = waiting.pop()
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            other = layout.neighbour(cell, dx, dy)
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    assert len(reached) == len(layout.places)


def test_cubes_stand_side_by_side_and_layer_1_of_each_is_the_lowest() -> None:
    places = layout_of(Game("3^4"), SIZES[-1]).places
    board = Game("3^4").board
    corner, right, above = (
        places[board.cell(c)] for c in [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0)]
    )
    assert right.y == corner.y
    assert right.x > corner.x
    assert above.x == corner.x
    assert above.y < corner.y


def test_the_floor_is_at_the_bottom() -> None:
    places = layout_of(Game("7,6,4:gravity"), SIZES[-1]).places
    assert places[0].y == max(place.y for place in places)


def test_the_largest_cells_that_fit_are_chosen() -> None:
    game = Game("3^2")
    assert fitting(game, 80, 24).size == SIZES[0]
    assert fitting(game, 20, 8).size == SIZES[1]
    assert fitting(game, 4, 2).size == SIZES[2]
    assert fitting(Game("4^3"), 70, 40).width <= 70


def test_eight_stones_differ() -> None:
    stones = {big_stone(player, 5, 3) for player in range(1, 9)}
    assert len(stones) == 8
    assert all(len(row) == 5 for stone in stones for row in stone)
