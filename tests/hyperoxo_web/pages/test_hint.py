"""Hints on the board, in a real browser."""

from __future__ import annotations

from typing import Any

from tests.hyperoxo_web.pages.conftest import Open, cell, put

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
    lines = "window.oxoGame.shown.lines.map((line) => window.oxoGame.geometry.lines[line])"
    assert page.evaluate(lines) == [[0, 3, 6]]
    page.get_by_text("Cross completes this line next: stop it.").wait_for()
    cell(page, 6).click()
    page.wait_for_selector(".cell.hint", state="detached")
    assert page.evaluate("window.oxoGame.shown") is None


def test_a_hint_and_an_analysis_leave_each_other_alone(play: Open) -> None:
    page = play("3^3")
    put(page, 13)
    page.evaluate("window.oxoGame.toggle(true)")
    page.wait_for_function("window.oxoGame.found !== null")
    ask(page)
    page.wait_for_selector(".cell.hint .ghost")
    page.wait_for_function(KNOWN)
    page.wait_for_selector(".cell.worth")
    assert page.locator(".toast.seen").count() == 0
    assert page.locator(".cell.hint .ghost").count() == 1


def test_looking_ends_with_the_game(play: Open) -> None:
    page = play("3^2", [{"name": "Ada", "holder": "me"}, {"name": "Bob"}])
    page.evaluate("window.oxoGame.hinting = true")
    page.get_by_role("button", name="Looking…").wait_for()
    page.evaluate("window.oxoGame.$emit('resign', {})")
    page.get_by_role("button", name="Hint", exact=True).wait_for()
