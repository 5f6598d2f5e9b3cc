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
from hyperoxo.game import Game
from hyperoxo.lab.guide import guide, guided_places
from hyperoxo.lab.pictures.tree import draw_guided, draw_line, draw_tree, tree_page
from hyperoxo.lab.pictures.tree_nodes import MOST_NODES, Place, moved_apart, tree_of
from hyperoxo.solvers.states.graph import StateGraph

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True, scope="module")
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HYPEROXO_DATA", str(tmp_path_factory.mktemp("data")))
        yield


def cards(picture: str) -> list[tuple[float, float, float, float]]:
    """Return the boards, each by left, top, width and height; all are inside the picture."""
    root = ET.fromstring(picture)
    width, height = (float(side) for side in root.get("viewBox", "").split()[2:])
    moved = re.search(r'<g transform="translate\(([\d.]+) ([\d.]+)\)">', picture)
    assert moved is not None
    found = []
    for rect in root.iter(f"{SVG}rect"):
        if rect.get("class") == "card":
            x, y, w, h = (float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
            x, y = x + float(moved[1]), y + float(moved[2])
            assert 0 < x < x + w < width
            assert 0 < y < y + h < height
            found.append((x, y, w, h))
    return found


@pytest.mark.parametrize(
    ("spec", "plies", "nodes"),
    [("3^2", None, 162), ("3^2", 0, 1), ("3^2", 5, 336), ("2^2", 9, 4), ("3^3", 2, 36)],
)
def test_every_position_is_drawn(spec: str, plies: int | None, nodes: int) -> None:
    picture = draw_tree(Game(spec), plies, layout="rings")
    assert picture.count('href="#board"') == nodes
    assert len(cards(picture)) == nodes


@pytest.mark.parametrize("spec", ["3^2", "7,6,4:gravity", "3^2:players=3", "3^3", "9{0+1/2+3}"])
def test_the_page_holds_all_boards_and_few_overlap(spec: str) -> None:
    boxes = cards(draw_tree(Game(spec), layout="rings"))
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


@pytest.mark.more
def test_too_many_positions_are_refused() -> None:
    with pytest.raises(LimitError, match="too many to draw"):
        draw_tree(Game("4^2"), 9)


def check_growth(root: Place) -> list[Place]:
    places = list(root.walk())
    assert [place.number for place in places] == list(range(1, len(places) + 1))
    for place in places[1:]:
        assert place.parent is not None
        assert place.parent.position.play(place.position.history[-1]) == place.position
        assert place in place.parent.children
    return places


@pytest.mark.parametrize(
    "spec", ["2^2", "3^2", "3^2:players=3", "2^3", "3,4,3:gravity", "3^2:opening=0+4", "3^2:misere"]
)
def test_a_child_is_its_parent_and_one_stone(spec: str) -> None:
    game = Game(spec)
    root, classes = tree_of(game)
    pruned = check_growth(root)
    assert len(pruned) <= MOST_NODES
    names = classes.names([place.position for place in pruned])
    assert len(set(names)) == len(names)
    plies = max(place.ply for place in pruned)
    reached = [set(classes.names([game.start()]))]
    layer = [game.start()]
    for _ in range(plies):
        layer = list({p.play(c).owners: p.play(c) for p in layer for c in p.legal_moves}.values())
        reached.append(set(classes.names(layer)))
    for ply, wanted in enumerate(reached):
        assert {n for n, p in zip(names, pruned, strict=True) if p.ply == ply} == wanted
    graph = StateGraph(game, max_plies=plies)
    games = sorted(node.games for node in graph.nodes())
    if game.opening is None:
        assert sorted(place.games for place in pruned) == games


def test_a_whole_tree_has_every_sequence_of_moves() -> None:
    root, _ = tree_of(Game("2^2"), whole=True)
    places = check_growth(root)
    assert [sum(place.ply == ply for place in places) for ply in range(4)] == [1, 4, 12, 24]
    assert len({place.position.history for place in places}) == 41
    root, _ = tree_of(Game("3^2"), 3, whole=True)
    assert len(check_growth(root)) == 1 + 9 + 72 + 504


@pytest.mark.parametrize("layout", ["down", "lines"])
@pytest.mark.parametrize(("spec", "plies"), [("2^2", None), ("3^2", None), ("4^3", 2)])
def test_boards_in_rows_do_not_touch(layout: str, spec: str, plies: int | None) -> None:
    picture = draw_tree(Game(spec), plies, layout=layout)
    boxes = cards(picture)
    places = len(list(tree_of(Game(spec), plies)[0].walk()))
    assert len(boxes) == picture.count('href="#board"') >= places
    for number, (x, y, w, h) in enumerate(boxes):
        for a, b, c, d in boxes[:number]:
            assert x + w <= a or a + c <= x or y + h <= b or b + d <= y


def test_a_page_shows_each_position_once_and_links_hold() -> None:
    page = tree_page(Game("3^2"), 3)
    assert page.count('href="#board"') == 54
    numbers = set(re.findall(r'id="n(\d+)"', page))
    assert len(numbers) == 54
    assert set(re.findall(r'href="#n(\d+)"', page)) <= numbers
    assert page.count("<details") == page.count("</details>")


def test_a_line_of_play() -> None:
    picture = draw_line(Game("3^2").start(), (4, 1, 0, 8, 3, 5, 6))
    assert picture.count('href="#board"') == 8
    assert picture.count('class="glow"') == 3
    assert "7. Cross" in picture


@pytest.mark.parametrize(
    ("spec", "seat"),
    [pytest.param("2^2", 1, marks=pytest.mark.more), ("3^2", 1), ("3^2", 2), ("2^3:players=3", 2)],
)
@pytest.mark.parametrize("merge", [False, True])
def test_guided_trees_have_the_leaves_that_are_counted(spec: str, seat: int, merge: bool) -> None:
    game = Game(spec)
    tree = guide(game, seat, "greedy", merge=merge)
    places = check_growth(guided_places(game, seat, "greedy", merge=merge))
    leaves = [p for p in places if p.position.is_over and not (merge and p.equal)]
    wins = sum(seat in p.position.outcome.winners for p in leaves if p.position.outcome)
    draws = sum(p.position.outcome.draw for p in leaves if p.position.outcome)
    assert (wins, draws, len(leaves) - wins - draws) == (tree.wins, tree.draws, tree.losses)
    assert all(p.equal.number < p.number for p in places if p.equal)


@pytest.mark.more
def test_equal_nodes_are_marked() -> None:
    picture = draw_guided(Game("2^2"), 1, "greedy")
    assert picture.count('href="#board"') == 8
    assert picture.count("stroke-dasharray") == 4
    assert "3 leaves" in picture
    merged = draw_guided(Game("2^2"), 1, "greedy", merge=True)
    assert merged.count('href="#board"') == 6
    assert "1 leaf;" in merged
    with pytest.raises(LimitError, match="too many to draw"):
        draw_guided(Game("4^2"), 2, "greedy")


@given(
    st.lists(st.floats(0, 2 * math.pi), min_size=1, max_size=20).map(sorted),
    st.data(),
)
def test_moving_apart(wanted: list[float], data: st.DataObject) -> None:
    most = 2 * math.pi / len(wanted)
    widths = [data.draw(st.floats(0, most)) for _ in wanted]
    moved = moved_apart(wanted, widths)
    for (a, wide_a), (b, wide_b) in pairwise(zip(moved, widths, strict=True)):
        assert b - a >= (wide_a + wide_b) / 2 - 1e-9
    for angle, width in zip(moved, widths, strict=True):
        assert width / 2 - 1e-9 <= angle <= 2 * math.pi - width / 2 + 1e-9
