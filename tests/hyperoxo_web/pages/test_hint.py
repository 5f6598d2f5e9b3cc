"""Hints on the board, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.hyperoxo_web.pages.conftest import Site
from tests.hyperoxo_web.pages.test_browser import cell, ready

pytestmark = [pytest.mark.browser, pytest.mark.more]

Open = Callable[..., Any]
KNOWN = "window.oxoGame.found !== null && !window.oxoGame.found.busy"


def ask(page: Any) -> None:
    page.get_by_role("button", name="Hint", exact=True).click()


def test_a_hint_is_a_dashed_stone_of_ones_own_on_its_line(site: Site, open_page: Open) -> None:
    made = site.make("3^2", [{"holder": "me"}, {"holder": "me"}], position="12.......")
    page = open_page(made["urls"][0])
    ready(page)
    cell(page, 3).click()
    page.wait_for_selector(".cell[data-cell='3'] .p1")
    ask(page)
    ghost = page.wait_for_selector(".cell.hint[data-cell='6'] .ghost.p2")
    assert ghost.evaluate("one => getComputedStyle(one).strokeDasharray") != "none"
    lines = "window.oxoGame.shown.lines.map((line) => window.oxoGame.geometry.lines[line])"
    assert page.evaluate(lines) == [[0, 3, 6]]
    page.get_by_text("Cross completes this line next: stop it.").wait_for()
    cell(page, 6).click()
    page.wait_for_selector(".cell.hint", state="detached")
    assert page.evaluate("window.oxoGame.shown") is None


def test_a_hint_and_an_analysis_leave_each_other_alone(site: Site, open_page: Open) -> None:
    made = site.make("3^3", [{"holder": "me"}, {"holder": "me"}])
    page = open_page(made["urls"][0])
    ready(page)
    cell(page, 13).click()
    page.wait_for_selector(".cell[data-cell='13'] .stone:not(.ghost)")
    page.evaluate("window.oxoGame.toggle(true)")
    page.wait_for_function("window.oxoGame.found !== null")
    ask(page)
    page.wait_for_selector(".cell.hint .ghost")
    page.wait_for_function(KNOWN)
    page.wait_for_selector(".cell.worth")
    assert page.evaluate("window.oxoGame.toast") == ""
    assert page.locator(".cell.hint .ghost").count() == 1


def test_looking_ends_with_the_game(site: Site, open_page: Open) -> None:
    made = site.make("3^2", [{"holder": "me"}, {"name": "Bob"}])
    page = open_page(made["urls"][0])
    ready(page)
    page.evaluate("window.oxoGame.hinting = true")
    page.get_by_role("button", name="Looking…").wait_for()
    page.evaluate("window.oxoGame.$emit('resign', {})")
    page.get_by_role("button", name="Hint", exact=True).wait_for()
