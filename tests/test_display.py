"""Values show themselves in notebooks: boards as pictures, results as tables."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.display import MOST_ROWS, Drawn, Result, as_data, as_html, as_text, parts
from tests.marks import more

RESULTS: dict[str, Callable[[], Any]] = {
    "game": lambda: ox.Game("4^3:blocked=0"),
    "position": lambda: ox.Game("3^2").position("moves:4,0"),
    "record": lambda: ox.Record(ox.Game("3^2"), (4, 0, 2)),
    "puzzle": lambda: ox.make_puzzle("3^3", 2, 1),
    "solution": lambda: ox.solve(ox.Game("3^2").position("moves:4,0")),
    "forced wins": lambda: ox.forced_wins(ox.Game("3^3").position("moves:13,0")),
    "coalition": lambda: ox.coalition("2^2:players=3"),
    "classification": lambda: ox.classify("4^2"),
    "atlas": lambda: ox.atlas(sides=2, dims=2),
    "states": lambda: ox.enumerate_states(ox.Game("2^2")),
    "match": lambda: ox.match("3^2", ["random", "greedy"], games=20, seed=0),
    "tournament": lambda: ox.tournament("3^2", ["random", "greedy"], games=10),
    "sweep": lambda: ox.sweep(
        "3^2", agent="ising", vary="bias=0:1:0.5", versus="random", seat=2, games=10
    ),
    "guide": lambda: ox.guide(ox.Game("3^2"), 2, "ising"),
    "truth": lambda: ox.truth("2^2", "random"),
    "energy": lambda: ox.energy(ox.Game("3^2").position("moves:4,0"), "ising"),
    "check": lambda: ox.check_game("2^2", games=1),
}


class Page(HTMLParser):
    """The texts of a page by element, each element closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.images: list[dict[str, str | None]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.images.append(dict(attrs))
        else:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))


def svg_of(page: Page) -> ET.Element:
    source = page.images[0]["src"] or ""
    kind, _, data = source.partition(",")
    assert kind == "data:image/svg+xml;base64"
    return ET.fromstring(base64.b64decode(data))


PICTURED = {"game", "position", "record", "puzzle", "solution", "forced wins", "atlas"}
PICTURED |= {"tournament", "sweep"}


@pytest.mark.parametrize("name", more(RESULTS, ["tournament", "guide"]))
def test_a_notebook_can_show_it(name: str) -> None:
    page = Page(RESULTS[name]()._repr_html_())
    assert page.texts or page.images
    assert bool(page.images) == (name in PICTURED)
    for image in page.images:
        assert image["alt"] is not None
        assert svg_of(page).tag.endswith("svg")


@pytest.mark.parametrize("name", more(RESULTS, ["tournament", "guide"]))
def test_a_result_is_text_and_data(name: str) -> None:
    result = RESULTS[name]()
    if isinstance(result, Result):
        data = as_data(result)
        assert json.loads(json.dumps(data, allow_nan=False)).keys() == data.keys()
        text = as_text(result)
        assert text.strip()
        assert "{" not in text


@dataclasses.dataclass(frozen=True)
class Side:
    """A part of a result."""

    name: str
    wins: int
    share: float | None = None


@dataclasses.dataclass(frozen=True)
class Outcome(Result):
    """A result that declares its data and its text."""

    sides: tuple[Side, ...]
    seconds: float
    run: int
    test: str | None = None
    games: int = 4
    _data = "sides first=sides.0.name seconds:2 run|None test?"
    _text = """
|sides| side={name} | wins | %>={wins/games:.1p} | share? |
{games:#game}, {seconds:.0m} ms
?test test: {test}
!test no test
*sides   {name}: {share:.2f?unknown}
"""


def test_data_and_text_are_those_that_are_declared() -> None:
    result = Outcome((Side("A", 3), Side("B", 1)), 0.12345, 0)
    assert result.as_data() == {
        "sides": [{"name": "A", "wins": 3, "share": None}, {"name": "B", "wins": 1, "share": None}],
        "first": "A",
        "seconds": 0.12,
        "run": None,
    }
    assert [line.rstrip() for line in as_text(result).splitlines()] == [
        "side  wins     %",
        "A        3  75.0",
        "B        1  25.0",
        "4 games, 120 ms",
        "no test",
        "  A: unknown",
        "  B: unknown",
    ]
    tested = dataclasses.replace(result, run=7, test="yes", sides=(Side("A", 4, 0.5),))
    assert tested.as_data()["run"] == 7
    assert "test: yes" in as_text(tested)
    assert "share" in as_text(tested).splitlines()[0]
    assert as_text(tested).endswith("A: 0.50")


def test_a_template_reads_keys_before_attributes_and_nothing_is_empty() -> None:
    result = Outcome((), 1.0, 0)
    data = {"seconds": 2.0, "more": {"wins": 3, "draws": 1}, "cells": [1, 2]}
    template = "{seconds}{nothing} {games} {more} {cells:;x}\n*more {key}={value}"
    assert [*parts(result, template, data)] == ["2.0 4 3 wins, 1 draws 1x2", "wins=3", "draws=1"]


def test_every_public_result_shows_itself() -> None:
    parts = {"AtlasEntry", "Evidence", "Exam", "Mark", "MoveValues", "Outcome", "Positions"}
    parts |= {"Region", "SequenceCheck", "SequentialTest", "KeyPlan", "Strategy", "Dataset"}
    parts |= {"LineHeuristic", "PositionHeuristic", "Board", "StateGraph", "ResultStore"}
    classes = [one for name in ox.__all__ if isinstance(one := getattr(ox, name), type)]
    results = {one.__name__ for one in classes if dataclasses.is_dataclass(one)}
    shown = {one.__name__ for one in classes if issubclass(one, Drawn | Result)}
    assert results - parts <= shown


def test_the_picture_of_a_solution_has_the_value_of_each_move() -> None:
    position = ox.Game("3^2").position("moves:4,1,0")
    solution = ox.solve(position)
    picture = svg_of(Page(solution._repr_html_()))
    notes = [one.text for one in picture.iter() if one.tag.endswith("text")]
    assert notes == [f"L {move.remoteness}" for move in solution.moves]
    assert notes == ["L 2", "L 2", "L 2", "L 2", "L 2", "L 4"]
    kinds = [one.get("class", "") for one in picture.iter()]
    assert [kind.split()[1] for kind in kinds if "loss" in kind] == ["loss5"] * 5 + ["loss4"]
    shown, folded = solution._repr_html_().split("<details>")
    assert "<table" not in shown
    assert folded.startswith(
        "<summary>player 2, to move, loses, 4 moves to the end</summary><table>"
    )


def test_numbers_and_words_stand_in_the_table() -> None:
    result = ox.match("3^2", ["random", "greedy"], games=20, seed=0)
    cells = [text for tag, text in Page(result._repr_html_()).texts if tag == "td"]
    assert cells[cells.index("agents") + 1] == "random, greedy"
    assert cells[cells.index("games") + 1] == "20"
    assert cells[cells.index("compiled") + 1] == "yes"


def test_long_tables_are_cut_and_counted() -> None:
    solution = ox.solve(ox.Game("3^3").position("moves:13,0"))
    page = Page(as_html(solution))
    assert sum(tag == "td" and text == "win" for tag, text in page.texts) == MOST_ROWS + 1
    assert ("div", f"and {25 - MOST_ROWS} more") in page.texts


def test_texts_are_escaped() -> None:
    @dataclasses.dataclass
    class Loud(Result):
        name: str
        rows: list[dict[str, str]]
        lines: list[str]

    evil = "<script>alert(1)</script> & <b>"
    text = Loud(evil, [{evil: evil}], [evil])._repr_html_()
    assert "<script" not in text
    assert sum(evil in text for _, text in Page(text).texts) == 4


def test_a_board_that_is_too_large_for_a_picture_has_none() -> None:
    game = ox.Game("17^3")
    assert game._repr_svg_() is None
    assert game._repr_html_() is None


def test_pictures_in_one_notebook_do_not_share_names() -> None:
    page = "".join(RESULTS[name]()._repr_html_() for name in ("game", "position"))
    assert not re.search(r"<svg|<style| id=", page)
