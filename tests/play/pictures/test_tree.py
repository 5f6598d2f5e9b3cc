from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import LimitError
from hyperoxo.play.pictures.tree import draw_tree, moved_apart
from hyperoxo.rules import Game

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True, scope="module")
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HYPEROXO_DATA", str(tmp_path_factory.mktemp("data")))
        yield


def cards(picture: str) -> list[tuple[float, float, float, float]]:
    root = ET.fromstring(picture)
    found = []
    for rect in root.iter(f"{SVG}rect"):
        if rect.get("class") == "card":
            x, y, w, h = (float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
            found.append((x, y, w, h))
    return found


@pytest.mark.parametrize(
    ("spec", "plies", "nodes"),
    [("3^2", None, 162), ("3^2", 0, 1), ("3^2", 5, 336), ("2^2", 9, 4), ("3^3", 2, 36)],
)
def test_every_position_is_drawn(spec: str, plies: int | None, nodes: int) -> None:
    picture = draw_tree(Game(spec), plies)
    assert picture.count('href="#board"') == nodes
    assert len(cards(picture)) == nodes


@pytest.mark.parametrize("spec", ["3^2", "7,6,4:gravity", "3^2:players=3", "3^3", "9{0+1/2+3}"])
def test_the_page_holds_all_boards_and_few_overlap(spec: str) -> None:
    picture = draw_tree(Game(spec))
    root = ET.fromstring(picture)
    width, height = (float(side) for side in root.get("viewBox", "").split()[2:])
    found = re.search(r'<g transform="translate\(([\d.]+) ([\d.]+)\)">', picture)
    assert found is not None
    boxes = cards(picture)
    for x, y, w, h in boxes:
        assert x + float(found[1]) > 0
        assert x + w + float(found[1]) < width
        assert y + float(found[2]) > 0
        assert y + h + float(found[2]) < height
    deep = 0
    for number, (x, y, w, h) in enumerate(boxes):
        for a, b, c, d in boxes[:number]:
            across = min(x + w, a + c) - max(x, a)
            down = min(y + h, b + d) - max(y, b)
            deep += across > 0.15 * w and down > 0.15 * h
    assert deep <= len(boxes) // 100


def test_values_are_told_by_sign_and_word() -> None:
    picture = draw_tree(Game("2^2"))
    assert "Cross wins in 3" in picture
    assert ">X3</text>" in picture
    assert "wins" not in draw_tree(Game("4^3"), 1)
    assert "a draw" in draw_tree(Game("3^2"), 1)


def test_finished_games_glow() -> None:
    assert 'class="glow"' in draw_tree(Game("2^2"))
    assert 'class="glow"' not in draw_tree(Game("2^2"), 2)


def test_too_many_positions_are_refused() -> None:
    with pytest.raises(LimitError, match="too many to draw"):
        draw_tree(Game("4^2"), 9)


@given(
    st.lists(st.floats(0, 2 * math.pi), max_size=20).map(sorted),
    st.data(),
)
def test_moving_apart(wanted: list[float], data: st.DataObject) -> None:
    most = 2 * math.pi / max(len(wanted), 1)
    widths = [data.draw(st.floats(0, most)) for _ in wanted]
    moved = moved_apart(wanted, widths)
    for (a, wide_a), (b, wide_b) in pairwise(zip(moved, widths, strict=True)):
        assert b - a >= (wide_a + wide_b) / 2 - 1e-9
    for angle, width in zip(moved, widths, strict=True):
        assert width / 2 - 1e-9 <= angle <= 2 * math.pi - width / 2 + 1e-9
