"""Pictures of directions."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import hyperoxo as ox
from hyperoxo.errors import LimitError
from hyperoxo.lab.plots.compass import cells_to_draw, directions_text
from hyperoxo_research.plots.directions import directions_svg
from tests.marks import more


@pytest.mark.parametrize("spec", more(["3^1", "3^2", "3^3", "4^3", "3^4", "7,6,4"], ["3^4"]))
def test_svg_has_a_panel_a_class_and_an_arrow_a_direction(spec: str) -> None:
    board = ox.Game(spec).board
    shown = cells_to_draw(board)
    root = ET.fromstring(directions_svg(board))
    panels = [node for node in root if node.get("class") == "panel"]
    assert len(panels) == len(shown)
    for panel, one in zip(panels, shown, strict=True):
        arrows = [node for node in panel.iter() if node.get("marker-end")]
        layered = len(board.shape or ()) == 4
        assert len(arrows) == (0 if layered else len(one.rays))


def test_layers_tint_the_cells_of_lines() -> None:
    picture = directions_svg(ox.hypercube(3, 4), 0)
    # 15 lines through the corner have 30 other cells; and four squares of the legend.
    plain = picture.count('fill="#ffffff"')
    assert picture.count("<rect") - plain == 30 + 4


def test_one_cell_is_drawn_alone() -> None:
    picture = directions_svg(ox.hypercube(3, 3), 4)
    assert picture.count('class="panel"') == 1
    assert "face cell 4 (0,1,1)" in picture


def test_too_many_cells_are_refused() -> None:
    with pytest.raises(LimitError, match="this one has 1,600"):
        directions_svg(ox.hypercube(40, 2), 0)


def test_text_of_an_edge_cell() -> None:
    assert directions_text(ox.hypercube(3, 3), 1, ascii_only=True).splitlines() == [
        "edge cell 1 (0,0,1): 4 lines, 5 directions",
        "  layer -1    layer 0     layer +1",
        "  . . .       . . .       . . .",
        "  . . .       < o >       . x .",
        "  . . .       . v .       . v .",
    ]
    assert len(directions_text(ox.hypercube(3, 4), 40).splitlines()) == 13
