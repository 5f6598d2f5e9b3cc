"""Every place has an address: reloading and going back keep it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.web.conftest import Site

pytestmark = pytest.mark.browser

HOT = {"name": "", "holder": "me"}
Open = Callable[..., Any]


def cell(page: Any, number: int) -> Any:
    return page.locator(f".flat-board .cell[data-cell='{number}']")


def stones(page: Any, expected: str) -> None:
    """Wait until the board shows these stones."""
    page.wait_for_function(
        """expected => {
            const cells = [...document.querySelectorAll(".flat-board .cell")];
            const stone = (one) => one.querySelector(".stone:not(.ghost)")?.classList[1]?.slice(1);
            const blocked = (one) => (one.classList.contains("blocked") ? "#" : ".");
            const shown = cells.map((one) => stone(one) ?? blocked(one));
            return shown.join("") === expected;
        }""",
        arg=expected,
    )


def at(page: Any, path: str) -> None:
    """Wait until the address is this path, as one reads it."""
    page.wait_for_function(
        "path => decodeURIComponent(location.pathname + location.search + location.hash) === path",
        arg=path,
    )


def test_a_position_is_set_up_and_keeps_its_address(site: Site, open_page: Open) -> None:
    page = open_page("/analyse/3^2")
    stones(page, ".........")
    for number in (4, 0, 8):
        cell(page, number).click()
    stones(page, "2...1...1")
    at(page, "/analyse/3^2/2...1...1")
    page.get_by_role("button", name="Stones of Cross").click()
    cell(page, 1).click()
    page.get_by_text("Cross has 3 stones and Ring has 1 stone").first.wait_for()
    assert page.locator("button.go", has_text="Analyse").is_disabled()
    at(page, "/analyse/3^2/21..1...1")
    page.reload()
    stones(page, "21..1...1")
    page.get_by_text("Cross has 3 stones and Ring has 1 stone").first.wait_for()
    # By keyboard: take a stone away, block a cell, and undo both.
    cell(page, 1).focus()
    page.keyboard.press("Delete")
    stones(page, "2...1...1")
    cell(page, 2).focus()
    page.keyboard.press("#")
    at(page, "/analyse/3^2:blocked=2/2.#.1...1")
    page.keyboard.press("Control+z")
    at(page, "/analyse/3^2/2...1...1")
    cell(page, 3).focus()
    page.keyboard.press("2")
    at(page, "/analyse/3^2/2..21...1")
    # Ring has as many stones: either may be to move.
    page.get_by_role("button", name="Ring is to move").click()
    at(page, "/analyse/3^2:first=2/2..21...1")
    page.get_by_role("link", name="Analyse", exact=True).last.click()
    page.wait_for_url(re.compile("/p/"))
    at(page, "/p/3^2:first=2/2..21...1#show=values")
    page.wait_for_selector(".cell.worth")
    page.go_back()
    stones(page, "2..21...1")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url(re.compile("/game/"))
    games = httpx.get(f"{site.url}/api/games", timeout=60).json()["games"]
    assert [game["game"] for game in games] == ["3^2:first=2"]


def test_a_drawn_board_is_pasted(site: Site, open_page: Open) -> None:
    page = open_page("/analyse")
    text = page.get_by_label("Position or game")
    put = page.get_by_role("button", name="Put on the board")
    text.fill("X.O\n.X.\n..O")
    put.click()
    stones(page, "1.2.1...2")
    at(page, "/analyse/3^2/1.2.1...2")
    text.fill("X0.\n.X.\n..O")
    put.click()
    page.get_by_text("0 may be a free cell or a ring").wait_for()
    page.get_by_role("button", name="Undo").click()
    at(page, "/analyse/4^3")
    text.fill("3^2 4-0-8")
    put.click()
    page.get_by_role("button", name="Analyse the whole game").click()
    page.wait_for_url(re.compile("review=1"))
    stones(page, "2...1...1")


def test_a_branch_of_a_game_has_an_address(site: Site, open_page: Open) -> None:
    made = site.make("3^2", [HOT, HOT])
    page = open_page(made["urls"][0])
    path = f"/game/{made['id']}"
    for number in (4, 0):
        cell(page, number).click()
        page.wait_for_selector(f".cell[data-cell='{number}'] .stone:not(.ghost)")
    page.keyboard.press("[")
    at(page, f"{path}#move=1")
    cell(page, 1).click()
    stones(page, ".2..1....")
    at(page, path)
    page.locator(".variants .ply").click()
    at(page, f"{path}#branch=4,0")
    stones(page, "2...1....")
    page.get_by_role("button", name="Numbers").click()
    at(page, f"{path}#branch=4,0&show=numbers")
    page.reload()
    stones(page, "2...1....")
    page.wait_for_selector(".cell .number")
    page.goto("about:blank")
    page.go_back()
    stones(page, "2...1....")
    page.evaluate("location.hash = '#move=9'")
    page.locator(".toast", has_text="This game has 2 moves so far.").wait_for()
    at(page, f"{path}#branch=4,0")
