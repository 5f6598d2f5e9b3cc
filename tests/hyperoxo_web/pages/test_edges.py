"""Nothing ends at an edge without a sign, and pages load little."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.hyperoxo_web.pages.conftest import Open, Site


def test_a_wide_table_fades_at_its_edge_and_is_scrolled_by_keys(
    site: Site, open_page: Open
) -> None:
    body = {"game": "3^2", "agents": ["random", "ising", "greedy", "minimax"], "games": 5}
    answer = httpx.post(f"{site.url}/api/tournaments", json=body, timeout=60)
    address = answer.raise_for_status().json()["url"]
    page = open_page(address, person="phone", width=390, height=844)
    page.wait_for_selector(".state.done")
    table = page.locator(".scroll", has=page.locator("table.cross"))
    page.wait_for_function("document.querySelector('.scroll:has(.cross)').tabIndex === 0")
    assert table.get_attribute("role") == "region"
    assert table.get_attribute("aria-label") == "First seat by row, second by column"
    assert table.get_attribute("class") == "scroll after"
    table.evaluate("table => (table.scrollLeft = 40)")
    page.wait_for_selector(".scroll.before.after .cross")
    table.evaluate("table => (table.scrollLeft = table.scrollWidth)")
    page.wait_for_selector(".scroll.before:not(.after) .cross")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wide = open_page(address, width=1280)
    wide.wait_for_selector(".cross")
    assert wide.locator(".scroll:has(.cross)").get_attribute("tabindex") is None


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_all_of_the_menu_is_in_sight(open_page: Open, width: int) -> None:
    page = open_page("/how-to-play", person="menu", width=width, height=800)
    links = page.locator("header nav a").all()
    assert len(links) >= 8
    for link in links:
        box = link.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 24


def test_the_last_row_of_the_moves_is_whole(play: Open) -> None:
    moves = ",".join(map(str, range(20)))
    page = play("5^3", position=f"moves:{moves}", width=1280, height=800)
    page.keyboard.press("m")
    page.locator(".moves .ply.cur").wait_for()
    row, below = page.evaluate(
        """() => {
            const list = document.querySelector(".moves");
            const last = [...list.querySelectorAll(".ply")].at(-1);
            return [last.getBoundingClientRect().bottom, list.getBoundingClientRect().bottom];
        }"""
    )
    assert row <= below


MOST = 250_000
"""Bytes of a page with a board, compressed and with headers."""


def test_a_page_with_a_board_is_light_until_space_is_wanted(site: Site, open_page: Open) -> None:
    made = site.make("4^3", [{"holder": "me"}, {"holder": "me"}])
    page = open_page("/how-to-play", person="light")
    loaded: dict[str, float] = {}
    address: dict[str, str] = {}

    def begins(event: dict[str, Any]) -> None:
        address[event["requestId"]] = event["request"]["url"]

    def ends(event: dict[str, Any]) -> None:
        # what the page before asked for may end only now
        if event["requestId"] in address:
            loaded[address[event["requestId"]]] = event["encodedDataLength"]

    page.wait_for_load_state("networkidle")
    wire = page.context.new_cdp_session(page)
    wire.on("Network.requestWillBeSent", begins)
    wire.on("Network.loadingFinished", ends)
    wire.send("Network.enable")
    page.goto(site.url + made["urls"][0])
    page.wait_for_selector(".flat-board .cell.legal")
    page.wait_for_selector(".still polygon")
    page.wait_for_load_state("networkidle")
    assert sum(loaded.values()) < MOST
    assert 0 < len(loaded) < 12
    assert not any(one.endswith("/three.js") for one in loaded)
    page.locator(".still polygon").nth(21).click(force=True)
    page.wait_for_function("window.oxoGame.s.moves.length === 1")
    page.wait_for_selector(".space[data-ready] canvas")
    assert any(one.endswith("/three.js") for one in loaded)
    assert page.locator(".still").count() == 0
