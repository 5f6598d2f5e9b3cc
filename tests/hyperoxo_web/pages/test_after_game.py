"""What a page shows when a game is over: the course of its value, and the report."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hyperoxo_web.pages.conftest import Open, Site

PEOPLE = [{"name": "Ada", "holder": "a"}, {"name": "Bob", "holder": "b"}]
LOST = "moves:4,1,0,8,3,5,6"


def reported(page: Any) -> Any:
    page.wait_for_selector(".review .accuracy")
    return page.locator(".review")


def test_who_lost_is_told_where_and_tries_again_from_there(play: Open) -> None:
    page = play("3^2", PEOPLE, 1, position=LOST)
    assert page.inner_text(".now") == "You lost: Cross has three in a column"
    page.get_by_role("button", name="Why?").first.click()
    card = reported(page)
    assert "After move 2, b3, Ring was lost" in card.inner_text()
    assert "4 of 4" in card.inner_text()
    assert "0 of 1" in card.inner_text()
    card.get_by_role("button", name="Show the position before move 2").click()
    page.wait_for_function("window.oxoGame.ply === 1")
    page.get_by_role("button", name="Back to the game").click()
    page.get_by_role("button", name="Try from move 2").click()
    page.wait_for_url(lambda url: "/game/" in url and "#" not in url)
    page.wait_for_function("window.oxoGame?.s.moves.length === 1 && window.oxoGame.you.length")
    assert page.evaluate("window.oxoGame.you") == [2]


def test_the_report_is_there_again_after_a_reload(play: Open) -> None:
    page = play("3^2", PEOPLE, 0, position=LOST)
    assert page.inner_text(".now") == "You won: three in a column"
    page.get_by_role("button", name="Report").first.click()
    before = reported(page).inner_text()
    page.wait_for_function("!window.oxoGame.reviewing")
    page.reload()
    assert reported(page).inner_text() == before
    page.keyboard.press("m")
    page.locator(".ply.mistake").wait_for()


def test_the_course_is_walked_by_keys_and_by_presses(play: Open) -> None:
    page = play("3^2", PEOPLE, 0, position=LOST)
    page.get_by_role("button", name="Report").first.click()
    reported(page)
    course = page.get_by_role("slider", name="Course of the game")
    course.focus()
    assert course.get_attribute("aria-valuetext").endswith("Cross wins, the result")
    page.keyboard.press("Home")
    page.wait_for_function("window.oxoGame.ply === 0")
    assert course.get_attribute("aria-valuetext") == (
        "After the start: A draw under best play, proved"
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("window.oxoGame.ply === 2")
    assert "Cross wins" in page.inner_text(".course .reading")
    box = page.locator(".course circle.proved").nth(4).bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.move(*middle)
    page.wait_for_function(
        "document.querySelector('.course .reading').innerText.includes('after move 4')"
    )
    page.mouse.click(*middle)
    page.wait_for_function("window.oxoGame.ply === 4")
    assert page.locator(".course circle.proved").count() == 8
    assert page.locator(".course circle.guess").count() == 0
    page.locator(".course summary").click()
    page.wait_for_selector(".course table tr")
    rows = page.locator(".course table tr").all_inner_texts()
    assert len(rows) == 9
    assert rows[1].split("\t") == ["the start", "A draw under best play", "proved"]


def test_the_report_fits_a_phone_and_comes_into_view(play: Open) -> None:
    page = play("3^2", PEOPLE, 1, position=LOST, width=390, height=844)
    page.get_by_role("button", name="Why?").first.click()
    card = reported(page)
    assert page.evaluate("document.activeElement.id") == "review-title"
    box = card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("size", [(1440, 900), (1280, 900), (1024, 768), (844, 390), (390, 844)])
def test_the_sentence_of_a_win_leaves_the_board_free(play: Open, size: tuple[int, int]) -> None:
    """Also beside a drawer, where there is little room for it."""
    width, height = size
    page = play("3^2", PEOPLE, 0, position=LOST, width=width, height=height)
    for drawer in ("", "Report"):
        if drawer:
            page.get_by_role("button", name=drawer).first.click()
            reported(page)
        page.wait_for_function("oxoProbe.settled()")
        _, top, right, bottom, *_ = page.evaluate("oxoProbe.board()")
        box = page.locator(".sentence").bounding_box()
        assert box["y"] >= bottom or box["x"] + box["width"] <= right - (bottom - top)
        assert box["y"] + box["height"] <= height - 48
        assert bottom - top >= 0.45 * min(width, height)


def test_a_win_has_a_rematch_with_a_score_and_a_next_level(site: Site, open_page: Open) -> None:
    seats = [{"name": "Ada", "holder": "a"}, "level:2"]
    made = site.make("3^2", seats, position="moves:4,1,0,8,3,5")
    page = open_page(f"{made['urls'][0]}&host={made['host']}", person="Champion")
    page.locator(".cell[data-cell='6']").click()
    page.wait_for_selector(".stage.ended")
    assert page.inner_text(".now") == "You won: three in a column"
    assert page.locator(".cell.near").count() == 0  # though the mouse rests on the board
    large = "parseFloat(getComputedStyle(document.querySelector('.now')).fontSize)"
    assert page.evaluate(large) > 24
    assert page.locator(".score").count() == 0
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_function("window.oxoGame?.s.moves.length === 0 && window.oxoGame.s.present")
    page.evaluate(
        """() => { const { s } = window.oxoGame; window.oxoGame.show({ ...s, over: true,
            result: "1", winners: [1], winning_lines: [], said: "Cross wins." }); }"""
    )
    page.get_by_text("2 : 0", exact=True).wait_for()
    page.get_by_role("button", name="Next level").click()
    page.wait_for_function("window.oxoGame?.s.seats[1].agent === 'level:3'")


def test_a_drawer_is_remembered_and_gives_its_room_back(play: Open) -> None:
    page = play("3^2", PEOPLE, 0, position=LOST, person="Reader")
    wide = "document.querySelector('.stage').clientWidth"
    before = page.evaluate(wide)
    page.keyboard.press("m")
    page.locator("aside .moves").wait_for()
    assert page.evaluate(wide) == before - 360
    page.reload()
    page.locator("aside .moves").wait_for()
    page.keyboard.press("a")
    page.locator("aside .advice").wait_for()
    page.keyboard.press("Escape")
    page.locator("aside").wait_for(state="detached")
    assert page.evaluate(wide) == before


def test_keys_begin_a_game_and_go_on_walking_the_board(open_page: Open) -> None:
    page = open_page("/", person="Walker")
    page.get_by_role("button", name="Classic").click()
    page.wait_for_function("window.oxoPage.g.game === '3^2'")
    page.locator(".cell[data-cell='4']").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("window.oxoGame?.s.moves.length === 2")
    assert page.evaluate("[window.oxoGame.s.moves[0], window.oxoGame.you]") == [4, [1]]
    page.wait_for_function("document.activeElement.className.includes('flat-board')")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.classList.contains('cell')")
