"""Two fingers on a board: the flat one is magnified with its page, the one in space by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.hyperoxo_web.pages.conftest import Open, called, in_space, point_in_space

Touch = Callable[..., None]


def phone(play: Open, game: str) -> tuple[Any, Touch]:
    """Return a phone at a game, and what puts fingers on it."""
    page = play(
        game, width=390, height=844, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    wire = page.context.new_cdp_session(page)

    def touch(kind: str, *fingers: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    return page, touch


def spread(touch: Touch, x: float, y: float) -> None:
    touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in range(25, 140, 5):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")


def tap(touch: Touch, *fingers: tuple[float, float]) -> None:
    touch("touchStart", *fingers)
    touch("touchEnd")


STILL = """() => {
    const { scale, offsetLeft, offsetTop } = window.visualViewport;
    const before = window.lastSeen;
    window.lastSeen = [scale, offsetLeft, offsetTop].join();
    return window.lastSeen === before;
}"""
GHOST = """document.querySelector(".cell[data-cell='62'] .ghost") !== null"""


def press(page: Any, touch: Touch, place: Callable[[], tuple[float, float]], then: str) -> None:
    """Press a place, up to six times: on a slow machine a press may be held too long to be one."""
    for at in range(1200):
        if not at % 200:
            tap(touch, place())
        if page.evaluate(then):
            return
        page.wait_for_timeout(100)
    raise AssertionError(then)


def test_two_fingers_zoom_and_a_press_goes_to_its_cell(play: Open) -> None:
    page, touch = phone(play, "5^4")
    # Fingers are put where they are on the screen, in points of the page.
    where = """number => {
        const cell = document.querySelector(`.flat-board [data-cell='${number}']`);
        const { x, y, width, height } = cell.getBoundingClientRect();
        const { offsetLeft, offsetTop } = window.visualViewport;
        return [x + width / 2 - offsetLeft, y + height / 2 - offsetTop];
    }"""
    spread(touch, *page.evaluate(where, 62))
    page.wait_for_function("window.visualViewport.scale > 1.4")
    page.wait_for_function(STILL, polling=250)
    press(page, touch, lambda: page.evaluate(where, 62), GHOST)
    press(page, touch, lambda: page.evaluate(where, 62), "window.oxoGame.s.moves.join() === '62'")


def test_two_fingers_zoom_in_space_and_play_nothing(play: Open) -> None:
    page, touch = phone(play, "4^3")
    in_space(page)
    page.locator(".space canvas").scroll_into_view_if_needed()
    x, y = point_in_space(page, 21)
    before = page.evaluate("({ ...window.oxoSpace.view })")
    spread(touch, x, y)
    page.wait_for_function("window.oxoSpace.view.zoom > 1.5")
    after = page.evaluate("({ ...window.oxoSpace.view })")
    assert (after["turn"], after["tilt"]) == (before["turn"], before["tilt"])
    assert page.evaluate("window.visualViewport.scale") == 1
    called(page, "View", "Home")  # all cells are in sight again
    page.wait_for_function("window.oxoSpace.view.zoom === 1")
    x, y = point_in_space(page, 42)
    tap(touch, (x, y), (x + 30, y))
    tap(touch, point_in_space(page, 21))
    page.wait_for_function("window.oxoGame.s.moves.length > 0")
    assert page.evaluate("window.oxoGame.s.moves.join()") == "21"
