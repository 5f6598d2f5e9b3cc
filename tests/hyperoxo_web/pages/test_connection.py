"""A connection that breaks off, and friends who come by a link, in a real browser."""

from __future__ import annotations

from typing import Any

from tests.hyperoxo_web.pages.conftest import HOT, Open, Site, cell, put, ready, said


def test_silence_is_said_and_a_press_shows_its_stone_at_once(site: Site, open_page: Open) -> None:
    """The network takes what the page sends, and nothing comes back: nobody closes anything."""
    made = site.make("3^2", [HOT, HOT])
    page = open_page("/about")
    lines: list[dict[str, bool]] = []

    def between(ours: Any) -> None:
        lines.append(line := {"cut": False})
        server = ours.connect_to_server()
        ours.on_message(lambda text: None if line["cut"] else server.send(text))
        server.on_message(lambda text: None if line["cut"] else ours.send(text))

    page.route_web_socket("**/live/*", between)
    page.goto(site.url + made["urls"][0])
    ready(page)
    assert page.locator("#lost").is_hidden()
    lines[-1]["cut"] = True
    cell(page, 4).click()
    page.mouse.move(0, 0)
    page.wait_for_selector(".cell[data-cell='4'] .ghost.p1")
    said(page, "Sending…")
    page.locator("#lost").wait_for(state="visible")
    assert site.state(page)["moves"] == []
    # The page gives the silent connection up and makes another: the move can be made again.
    page.wait_for_function("!window.oxoGame.sent")
    page.locator("#lost").wait_for(state="hidden")
    put(page, 4)


def test_being_offline_is_said_at_once(site: Site, open_page: Open) -> None:
    page = open_page(site.make("3^2", [HOT, HOT])["urls"][0], person="Traveller")
    ready(page)
    page.context.set_offline(True)
    page.locator("#lost").wait_for(state="visible")
    page.context.set_offline(False)
    page.locator("#lost").wait_for(state="hidden")
