"""A class on its pages: without a browser, and a teacher and three pupils, each with one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hyperoxo_web.server.classroom import NewClass
from tests.hyperoxo_web.pages.conftest import Open, Site, cell, ready, said
from tests.hyperoxo_web.pages.simulated import Table


@pytest.mark.more
async def test_the_puzzle_of_the_day_for_a_class(place: Table) -> None:
    await place.open("/class?game=nonsense")
    assert place.props["game"] == "4^3"
    path = await place.gone("make", {"game": "puzzle", "opponent": None, "boards": 3})
    room = await place.core.classes.open(path.partition("?")[0].rpartition("/")[2])
    assert (room.new.game, room.new.opponent, room.new.boards) == ("4^3", "level:8", 3)
    assert room.new.position is not None
    assert room.new.position.startswith("moves:")
    assert room.players == 2


async def test_only_the_teacher_is_shown_boards(place: Table) -> None:
    room = await place.core.classes.create(NewClass(game="3^2", opponent=None))
    await place.core.classes.join(room.code, "Ada")
    await place.open(f"/class/{room.code}")
    assert room.teacher not in place.shown
    await place.ask("hello", {"teacher": "guess", "origin": "http://x"}, "role")
    for event, value in (
        ("announce", {"words": "x"}),
        ("fill", {"number": 0}),
        ("drop", {"number": 0}),
        ("close", {}),
    ):
        place.send(event, value)
        with pytest.raises(AssertionError, match="Only the teacher"):
            await place.heard("never", 5)
    await place.core.classes.join(room.code, "Bob")
    await asyncio.sleep(0)
    assert not place.client.missed(place._read)
    taught = await place.ask("hello", {"teacher": room.teacher, "origin": "http://x"}, "teach")
    assert taught["desks"][0]["names"] == ["Ada", "Bob"]
    assert (await place.heard("desk"))["number"] == 0


def join(open_page: Open, path: str, name: str) -> Any:
    """Return the page of a pupil who has come by the link, at the board."""
    page = open_page(path, person=name, width=390, height=844, has_touch=True)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").tap()
    page.wait_for_function("location.pathname.startsWith('/game/') && window.oxoGame")
    ready(page)
    assert "seat=" not in page.url
    return page


def test_a_teacher_and_three_pupils(site: Site, open_page: Open) -> None:
    teacher = open_page("/class?game=3^2", person="Teacher")
    teacher.get_by_label("each other").check()
    teacher.get_by_label("Title").fill("6b")
    teacher.get_by_role("button", name="Open the class").click()
    teacher.get_by_text("No pupil has joined yet.").wait_for()
    assert "teacher=" not in teacher.url
    path = teacher.url.removeprefix(site.url)
    assert teacher.locator(".class-picture").get_attribute("src").startswith("data:image/svg")

    ada = join(open_page, path, "Ada")
    teacher.get_by_text("1 pupil, 1 board.").wait_for()
    bob = join(open_page, path, "Bob")
    cid = join(open_page, path, "Cid")
    teacher.get_by_text("3 pupils, 2 boards.").wait_for()
    desks = teacher.locator(".desk")
    assert "Ada\nBob" in desks.nth(0).inner_text()
    assert ada.locator(".line.tools button").all_inner_texts() == ["Back", "View", "More"]
    assert ada.locator("#more > button").all_text_contents() == [
        "Moves", "Redo", "Offer a draw", "Resign…", "Keys",
    ]  # fmt: skip
    assert "Free seat" in desks.nth(1).inner_text()

    for number, mover in ((0, ada), (8, bob), (1, ada), (7, bob)):
        mover.wait_for_selector(f".cell[data-cell='{number}'].legal")
        cell(mover, number).tap()
    ada.wait_for_selector(".cell[data-cell='2'].legal")
    teacher.get_by_text("Ada to move, 4 moves so far").wait_for()
    assert desks.nth(0).locator(".mini .stone").count() == 4

    teacher.get_by_label("Message to all boards").fill("Look at the corners.")
    teacher.get_by_role("button", name="Send to all").click()
    for page in (ada, bob, cid):
        said(page, "Your teacher: Look at the corners.")
        page.get_by_role("button", name="OK").tap()
        page.wait_for_selector(".request", state="detached")

    cell(ada, 2).tap()
    teacher.get_by_text("Ada wins after 5 moves").wait_for()
    teacher.get_by_text("3 pupils, 2 boards, 1 finished.").wait_for()
    desks.nth(1).get_by_role("button", name="Let the computer play").click()
    cell(cid, 4).tap()
    cid.wait_for_function("window.oxoGame.s.moves.length === 2")
    assert "Cid\nComputer" in desks.nth(1).inner_text()

    ada.get_by_role("button", name="Rematch").tap()
    ada.wait_for_function("window.oxoGame?.s.moves.length === 0")
    teacher.get_by_text("Ada to move, 0 moves so far, Bob is away").wait_for()

    teacher.get_by_role("button", name="Remove board 2").click()
    teacher.get_by_role("button", name="Remove", exact=True).click()
    teacher.get_by_text("2 pupils, 1 board.").wait_for()
    said(cid, "Your teacher removed this board.")

    teacher.get_by_role("button", name="Close the class…").click()
    teacher.get_by_role("button", name="Close the class", exact=True).click()
    teacher.get_by_text("The class is closed.").wait_for()
    teacher.reload()
    teacher.get_by_text("2 pupils, 1 board. The class is closed.").wait_for()
    late = open_page(path, person="Dan")
    late.get_by_text("This class is closed.").wait_for()


def test_a_class_is_found_by_its_code_and_fits_a_phone(site: Site, open_page: Open) -> None:
    teacher = open_page("/class", width=360, height=740, color_scheme="dark")
    teacher.get_by_role("button", name="Open the class").click()
    teacher.wait_for_selector(".class-code")
    assert teacher.evaluate("document.documentElement.scrollWidth") <= 360
    code = teacher.url.rpartition("/")[2]
    page = open_page("/class", person="Pupil")
    page.get_by_label("Code").fill("222 222")
    page.get_by_role("button", name="Join").click()
    page.get_by_text("There is no class with this code.").wait_for()
    page.get_by_label("Code").fill(f"{code[:3]} {code[3:]}".lower())
    page.get_by_role("button", name="Join").click()
    page.get_by_label("Your name").fill("<b>Ada</b>")
    page.get_by_role("button", name="Join").click()
    page.wait_for_function("location.pathname.startsWith('/game/') && window.oxoGame")
    ready(page)
    teacher.wait_for_selector(".desk")
    assert "<b>Ada</b>" in teacher.inner_text(".desk")
    assert teacher.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto(f"{site.url}/class/{code}")
    page.get_by_role("link", name="Continue on your board").click()
    page.wait_for_function("window.oxoGame?.you.length === 1")
