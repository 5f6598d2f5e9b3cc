"""What is saved from the page of a game, and hints on its board, in a real browser."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import hyperoxo as ox
from tests.hyperoxo_web.pages.conftest import Open, Site, called, cell, in_space, put, ready


def saved(page: Any, role: str, name: str) -> tuple[str, bytes]:
    """Press something that saves a file; return its name and content."""
    with page.expect_download() as waiting:
        page.get_by_role(role, name=name, exact=True).click()
    download = waiting.value
    return download.suggested_filename, Path(download.path()).read_bytes()


def test_the_position_that_is_looked_at_is_saved_as_a_picture(play: Open) -> None:
    record = ox.Record(ox.Game("3^3"), (0, 13, 1, 2, 26))
    seats = [{"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "x"}]
    page = play("3^3", seats, position="moves:0,13,1,2,26", color_scheme="light")
    page.keyboard.press("[")
    called(page, "More", "Save")
    page.wait_for_function("document.querySelector('.shot').naturalWidth > 100")
    position = record.position.undo()
    for label, kind in (("SVG", "svg"), ("PNG", "png"), ("Animated (GIF)", "gif")):
        name, content = saved(page, "link", label)
        assert name == f"3x3x3-move-4.{kind}"
        assert content == ox.picture(position, kind)
    name, content = saved(page, "button", "Save as a file")
    assert name == "3x3x3-move-5.oxo"
    assert ox.read(content.decode())[0].moves == record.moves


def test_a_branch_and_a_position_without_a_game_are_saved_too(site: Site, open_page: Open) -> None:
    page = open_page("/p/3^2/4,0", color_scheme="dark")
    ready(page)
    called(page, "More", "Save")
    name, content = saved(page, "link", "PNG")
    assert name == "3x3-move-2.png"
    assert content == ox.picture(ox.Game("3^2").position("moves:4,0"), "png", theme="dark")
    assert page.get_by_role("button", name="In space").count() == 0


def test_the_view_in_space_is_saved_as_it_is_seen(site: Site, open_page: Open) -> None:
    page = open_page("/p/3^3/13")
    ready(page)
    in_space(page)
    called(page, "More", "Save")
    page.wait_for_function("document.querySelector('.shot').naturalWidth > 100")
    name, content = saved(page, "button", "In space (PNG)")
    assert name == "3x3x3-move-1-in-space.png"
    seen = np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))
    assert min(seen.shape[:2]) > 100
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 20


KNOWN = "window.oxoGame.found !== null && !window.oxoGame.found.busy"


def ask(page: Any) -> None:
    page.get_by_role("button", name="Hint", exact=True).click()


def test_a_hint_is_a_dashed_stone_of_ones_own_on_its_line(play: Open) -> None:
    page = play("3^2", position="12.......")
    cell(page, 3).click()
    page.wait_for_selector(".cell[data-cell='3'] .p1")
    ask(page)
    ghost = page.wait_for_selector(".cell.hint[data-cell='6'] .ghost.p2")
    assert ghost.evaluate("one => getComputedStyle(one).strokeDasharray") != "none"
    lines = "window.oxoGame.highlight.lines.map((line) => window.oxoGame.geometry.lines[line])"
    assert page.evaluate(lines) == [[0, 3, 6]]
    page.get_by_text("Cross completes this line next: stop it.").wait_for()
    cell(page, 6).click()
    page.wait_for_selector(".cell.hint", state="detached")
    assert page.evaluate("window.oxoGame.highlight") is None


def test_a_hint_and_an_analysis_leave_each_other_alone(play: Open) -> None:
    page = play("3^3")
    put(page, 13)
    page.evaluate("window.oxoGame.toggle(true)")
    page.wait_for_function("window.oxoGame.found !== null")
    ask(page)
    page.wait_for_selector(".cell.hint .ghost")
    page.wait_for_function(KNOWN)
    page.wait_for_selector(".cell.toned")
    assert page.locator(".toast.visible").count() == 0
    assert page.locator(".cell.hint .ghost").count() == 1


def test_looking_ends_with_the_game(play: Open) -> None:
    page = play("3^2", [{"name": "Ada", "holder": "me"}, {"name": "Bob"}])
    page.evaluate("window.oxoGame.hinting = true")
    page.get_by_role("button", name="Looking…").wait_for()
    page.evaluate("window.oxoGame.$emit('resign', {})")
    page.get_by_role("button", name="Hint", exact=True).wait_for()
