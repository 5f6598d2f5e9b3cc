"""How much pages load."""

from __future__ import annotations

from typing import Any

from tests.hyperoxo_web.pages.conftest import Open, Site

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
