"""Nothing ends at an edge without a sign: wide tables, long lists, and the menu on a phone."""

from __future__ import annotations

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
