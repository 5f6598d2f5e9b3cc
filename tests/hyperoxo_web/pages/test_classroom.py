"""A class on its pages: a teacher and three pupils, each with a browser."""

from __future__ import annotations

from typing import Any

from tests.hyperoxo_web.pages.conftest import Open, Site, cell, ready, said


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
        page.wait_for_selector(".asked", state="detached")

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
