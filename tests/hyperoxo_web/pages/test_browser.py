"""The pages in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.hyperoxo_web.pages.conftest import (
    HOT,
    Open,
    Site,
    called,
    cell,
    in_space,
    point_in_space,
    press_in_space,
    put,
    ready,
    said,
    stone,
)


def test_both_views_take_presses_and_the_large_one_changes(play: Open) -> None:
    page = play("3^3")
    assert page.locator(".layer").all_inner_texts() == ["1", "2", "3"]
    assert page.locator(".seat small").all_inner_texts() == ["you", "to move · you"]
    cell(page, 13).click()
    in_space(page)
    press_in_space(page, 2)
    stone(page, 2)
    page.get_by_role("button", name="Larger flat board").click()
    put(page, 4, 0, 22)
    said(page, "Cross won: three straight through the layers")
    assert page.locator(".cell.glow").count() == 3
    assert page.locator(".strokes .stroke.p1").count() == 1


def test_a_press_anywhere_in_a_column_drops_the_stone(site: Site, play: Open) -> None:
    page = play("4^3:gravity")
    for number in (15, 31):
        cell(page, 63).click()
        stone(page, number)
    cell(page, 15).click()
    stone(page, 47)
    cell(page, 0).click()
    page.wait_for_function("window.oxoGame.s.moves.length === 4")
    assert site.state(page)["moves"] == [15, 31, 47, 0]


SIZES = [(1920, 1080), (1440, 900), (1024, 768), (844, 390), (390, 844)]
SHARES = {(1440, 900): {"3^2": 0.47, "3^3": 0.35, "4^3": 0.45, "6^3": 0.4}}


def sized(page: Any) -> Iterator[tuple[int, int]]:
    """Yield each size of a window that is as upright as that of a page, which has it then."""
    # Some of a page is laid out once for the way up in which it was loaded.
    upright = page.evaluate("innerWidth < innerHeight")
    for width, height in SIZES:
        if (width < height) == upright:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(done)))")
            yield width, height


@pytest.mark.parametrize("start", [(1920, 1080), (390, 844)])
def test_the_board_fills_the_window(play: Open, start: tuple[int, int]) -> None:
    for game in ("3^2", "3^3", "4^3", "6^3"):
        page = play(game, person="Bea", width=start[0], height=start[1])
        for width, height in sized(page):
            page.wait_for_function("oxoProbe.settled()")
            left, top, right, bottom, *whole = page.evaluate("oxoProbe.board()")
            assert whole == [width, height]
            assert left >= 0
            assert right <= width
            assert top >= (0 if height < 560 else 56)
            assert bottom <= height - 48
            least = SHARES.get((width, height), {}).get(game, 0.3)
            assert (right - left) * (bottom - top) >= least * width * height
            assert page.locator("aside").count() == 0


@pytest.mark.parametrize("path", ["/", "/proof", "/analyse"])
def test_a_page_shows_its_board_without_scrolling(open_page: Open, path: str) -> None:
    for start in (SIZES[0], SIZES[-1]):
        # A board that plays by itself would go on at the cost of the others.
        page = open_page(path, width=start[0], height=start[1], reduced_motion="reduce")
        board = page.locator(".demo, .boards .large").first
        board.wait_for()
        for width, height in sized(page):
            box = board.bounding_box()
            shown = min(height, box["y"] + box["height"]) - max(0, box["y"])
            assert box["width"] * shown >= 0.25 * width * height, (path, width, height)


def test_the_board_of_all_positions_is_in_sight_on_a_phone(open_page: Open) -> None:
    for width, height in ((844, 390), (390, 844)):
        page = open_page("/states", width=width, height=height)
        board = page.locator(".states .flat-board")
        board.wait_for()
        box = board.bounding_box()
        assert box["y"] + box["height"] <= height, (width, height)
        assert box["height"] >= 0.6 * min(width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("game", "least"), [("4^3", 0.45), ("3^3", 0.35)])
def test_the_board_in_space_fills_the_window(play: Open, game: str, least: float) -> None:
    page = play(game, width=1440, height=900)
    in_space(page)
    point_in_space(page, 0)
    assert page.evaluate("oxoProbe.share()") >= least
    cells = len(page.evaluate("window.oxoSpace.layout.sizes"))
    found = "cells => cells.map(oxoProbe.point).map((point) => oxoSpace.cellAt(...point))"
    assert page.evaluate(found, [*range(cells)]) == [*range(cells)]


def test_a_whole_game_by_keyboard(site: Site, play: Open) -> None:
    page = play("3^2")
    cell(page, 0).focus()
    moves = {"Right": 1, "Left": -1, "Down": 3, "Up": -3}
    at = 0
    for keys in ("", "Right", "Down", "Left", "Down", "Right", "Right", "Up", "Up"):
        if keys:
            page.keyboard.press(f"Arrow{keys}")
            at += moves[keys]
        assert page.evaluate("document.activeElement.dataset.cell") == str(at)
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert label == f"Cell {'abc'[at % 3]}{3 - at // 3}, free"
        page.keyboard.press("Enter")
        if at == 8:
            break
        stone(page, at)
    assert site.state(page)["moves"][:4] == [0, 1, 4, 3]
    said(page, "Cross won: three on a diagonal")
    page.keyboard.press("Backspace")
    said(page, "Looking at move 6 of 7.")
    page.keyboard.press("Escape")
    said(page, "Cross won: three on a diagonal")
    page.keyboard.press("u")
    page.wait_for_function("window.oxoGame.s.moves.length === 6")
    page.keyboard.press("r")
    page.wait_for_function("window.oxoGame.s.moves.length === 7")
    page.keyboard.press("u")
    page.wait_for_function("window.oxoGame.s.moves.length === 6")
    page.keyboard.press("x")
    page.get_by_role("button", name="Resign", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open] .keys")


def test_moves_are_said_and_a_rematch_is_seen_by_both(pair: Open) -> None:
    ada, bob = pair("3^3")
    cell(ada, 13).click()
    bob.wait_for_function(
        "document.querySelector('.status [role=status]').innerText.includes("
        "'Cross plays 2b2. Your move.')"
    )
    called(bob, "More", "Resign…")
    bob.get_by_role("button", name="Resign", exact=True).click()
    said(ada, "You won: Ring resigned")
    said(bob, "You lost: you resigned")
    ada.get_by_role("button", name="Rematch").click()
    ada.wait_for_function("window.oxoGame?.s.moves.length === 0")
    said(bob, "Ada wants to play again.")
    bob.get_by_role("button", name="Play again").click()
    bob.wait_for_function("window.oxoGame?.s.moves.length === 0")
    assert ada.evaluate("window.oxoGame.s.id") == bob.evaluate("window.oxoGame.s.id")
    assert bob.evaluate("window.oxoGame.you") == [2]


def test_a_solution_that_was_shown_counts_for_no_streak(open_page: Open) -> None:
    page = open_page("/puzzles")
    page.get_by_role("button", name="Solution").click()
    page.wait_for_function("document.querySelectorAll('.cell .stone').length > 0")
    before = page.locator(".flat-board .stone").count()
    page.wait_for_function(
        "before => document.querySelectorAll('.flat-board .stone').length > before", arg=before
    )
    page.get_by_role("button", name="Again").click()
    page.wait_for_timeout(1500)  # what was under way must not go on
    assert page.locator(".flat-board .stone").count() <= before
    assert page.inner_text(".streak b") == "0"
    assert "Solved" not in page.inner_text(".status")


def test_a_lost_connection_comes_back(pair: Open) -> None:
    ada, bob = pair("3^2")
    bob.evaluate("window.oxoSocket.close()")
    bob.locator("#lost").wait_for(state="visible")
    cell(ada, 4).click()
    stone(bob, 4)
    cell(bob, 0).click()
    stone(ada, 0)
    bob.reload()
    ready(bob)
    said(bob, "Cross's move.")
    assert bob.locator(".cell .stone").count() == 2


def test_a_tesseract_for_four(site: Site, play: Open) -> None:
    page = play("3^4:blocked=centre,target=9,players=4", [HOT, "greedy", "ising", "random"])
    assert page.locator(".cell").count() == 81
    assert page.locator(".cell.blocked").count() == 1
    for played in (4, 8, 12):
        page.locator(".cell.legal").nth(7).click()
        page.wait_for_function("count => window.oxoGame.s.moves.length === count", arg=played)
        said(page, "Your move.")
    called(page, "View", "My lines")
    page.wait_for_selector(".status .text")
    assert "Cross has" in page.inner_text(".status .text")
    before = site.state(page)["ply"]
    page.get_by_role("button", name="Back", exact=True).click()
    page.wait_for_function("before => window.oxoGame.s.moves.length < before", arg=before)
    assert site.state(page)["ply"] == before - 4
    in_space(page)
    called(page, "View", "Tesseract")
    page.wait_for_function("window.oxoSpace.view.mode === 'tesseract'")
    press_in_space(page, free := page.evaluate("window.oxoGame.s.legal_moves[3]"))
    stone(page, free)


def test_moves_that_are_sent_at_once_take_nothing_back(site: Site, play: Open) -> None:
    """The second is not sent before the first is shown."""
    page = play("3^2")
    page.evaluate("window.oxoGame.play(4); window.oxoGame.play(0)")
    stone(page, 4)
    put(page, 8)
    assert site.state(page)["moves"] == [4, 8]


def test_what_the_tesseract_essay_shows(site: Site, play: Open) -> None:
    """History with numbers of cells, a field for a number that was sent, and lines apart."""
    moves = "39,43,58,22,46,67,76,13,60,56,31,62,49,73,19,38,20,29,65,11,74,2,41,44,12,66,45,47,17"
    game = "3^4:blocked=centre,target=9,players=3"
    position = f"moves:{moves},53,35,71,26,80,32,27,61"
    page = play(game, [HOT] * 3, position=position, height=420)
    called(page, "More", "Moves")
    last = page.locator(".moves .ply").last
    assert last.inner_text().split() == ["3.1b1"]
    for number in ("2.3c2", "2,1,0,0", "0210"):
        page.fill("[aria-label='Cell to play']", number)
        page.click(".typed >> text=Go")
        page.wait_for_function("document.querySelector('.typed input').value === ''")
    stone(page, 21)
    assert site.state(page)["moves"][-3:] == [50, 63, 21]
    inside = """() => { const list = document.querySelector("aside");
        const all = list.querySelectorAll(".ply");
        const seen = all[all.length - 1].getBoundingClientRect();
        const box = list.getBoundingClientRect();
        return list.scrollTop > 0 && seen.top >= box.top - 1 && seen.bottom <= box.bottom + 1; }"""
    page.wait_for_function(inside)
    for wrong, words in (("99", "There is no cell 99; cells are 0 to 80."), ("21", "is taken")):
        page.fill("[aria-label='Cell to play']", wrong)
        page.click(".typed >> text=Go")
        page.wait_for_selector(f".toast.visible >> text={words}")
    page.locator(".seat").nth(1).click()
    page.wait_for_function("document.querySelectorAll('.cell .of-lines').length > 3")
    numbered = page.locator(".cell .of-lines").all_inner_texts()
    assert {"1", "2"} <= {number for text in numbered for number in text.split()}


def test_analysis_of_qubic_lies_over_the_board(play: Open) -> None:
    page = play("4^3", position="moves:0,3,60,21,15,51,12,63")
    page.keyboard.press("a")
    page.wait_for_selector(".cell .value.best")
    page.wait_for_selector(".forced")
    assert page.locator(".cell .value").count() > 20
    assert "Cross wins" in page.inner_text(".headline")
    page.click("[aria-label='Next step']")
    page.wait_for_selector(".cell .ghost")
    called(page, "View", "Threats")
    page.wait_for_function("!document.querySelector('.cell .value')")


def test_a_proof_search_goes_on(play: Open) -> None:
    page = play("4^3:opening=poor")
    called(page, "More", "Analysis")
    page.click("text=Prove who wins")
    page.get_by_role("button", name="Search", exact=True).click()
    for told in (0, 1):
        page.wait_for_selector(".prove .proof-figures", timeout=120_000)
        assert page.locator("text=going on from the search before").count() == told
        page.click(".prove >> text=Stop")
        page.wait_for_selector("text=Not decided in this time.", timeout=60_000)
        page.get_by_role("button", name="Search longer").click()
        page.wait_for_selector(".prove >> text=Stop")
    page.wait_for_selector("text=going on from the search before", timeout=120_000)


def test_a_proof_search_with_marked_moves(site: Site, play: Open) -> None:
    page = play("4^3", position="moves:0,3,60,21,15,51,12,63")
    called(page, "More", "Analysis")
    page.click("text=Prove who wins")
    page.get_by_role("button", name="Mark moves").click()
    cell(page, 56).click()
    page.wait_for_selector(".cell[data-cell='56'] .ghost")
    cell(page, 50).click()  # one move a position: this one instead
    page.wait_for_selector(".cell[data-cell='50'] .ghost")
    assert page.locator(".marked-move").count() == 1
    assert site.state(page)["ply"] == 8
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_selector(".prove .certainty.proved", timeout=120_000)
    assert "Cross wins" in page.inner_text(".prove .headline")
    page.wait_for_selector(".cell .value.best")
    page.get_by_role("button", name="Forget").click()
    page.wait_for_selector(".marked-move", state="detached")
    put(page, 50)


def test_a_game_without_help_has_it_after_its_end(site: Site, play: Open) -> None:
    page = play("4^3", [{"name": "Ada"}, {"name": "Bob"}], analysis="after")
    assert page.get_by_role("button", name="Hint", exact=True).count() == 0
    called(page, "More", "Analysis")
    assert page.locator("aside >> text=Best moves").count() == 0
    called(page, "View", "Values")
    page.wait_for_selector(".toast.visible")
    called(page, "More", "Resign…")
    page.click("text=Play on")
    assert not site.state(page)["over"]
    called(page, "More", "Resign…")
    page.get_by_role("button", name="Resign", exact=True).click()
    said(page, "You lost: you resigned")
    page.locator("aside >> text=Best moves").wait_for()


def test_the_first_page_plays_by_itself_until_it_is_touched(open_page: Open) -> None:
    page = open_page("/", person="watcher")
    stones = "document.querySelectorAll('.demo .stone').length"
    page.wait_for_function(f"{stones} >= 2")
    first = page.locator(".demo polygon").first.get_attribute("points")
    page.wait_for_function(
        "first => document.querySelector('.demo polygon').getAttribute('points') !== first",
        arg=first,
    )
    assert page.inner_text("h1") == "Four in a row. In three dimensions."
    page.locator(".demo").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".flat-board .cell")
    assert page.locator(".flat-board .stone").count() == 0
    still = open_page("/", person="calm", reduced_motion="reduce")
    still.wait_for_selector(".demo polyline.p1")
    assert still.evaluate(stones) == 19


def test_the_level_is_2_then_remembered_then_suggested(open_page: Open) -> None:
    page = open_page("/", person="learner")
    chosen = page.locator(".level-dots input:checked")
    chosen.wait_for()
    assert chosen.get_attribute("value") == "level:2"
    page.get_by_role("radio", name="Level 1, Newcomer").check()
    page.reload()
    chosen.wait_for()
    assert chosen.get_attribute("value") == "level:1"
    page.evaluate("""localStorage.setItem('oxo:level', '{"level":"level:1","row":2}')""")
    page.reload()
    page.get_by_role("button", name="You won twice: level 2?").click()
    assert chosen.get_attribute("value") == "level:2"


def test_the_first_game_has_a_coach_and_an_opponent_who_says_why(open_page: Open) -> None:
    page = open_page("/?game=4^3", person="new")
    cell(page, 21).click()
    page.get_by_text("It can lie in one layer.").wait_for()
    assert page.locator(".strokes path").count() > 0
    page.locator(".seat .remark").wait_for()
    page.get_by_role("button", name="Got it").click()
    page.wait_for_selector(".coach", state="detached")
    page.locator("summary", has_text="4^3").click()
    page.get_by_text("The first to have four in a row wins").wait_for()
    page.goto(page.url.partition("/game/")[0] + "/?game=4^3")
    cell(page, 21).click()
    page.wait_for_function("window.oxoGame?.s.moves.length === 2")
    ready(page)
    assert page.locator(".coach").count() == 0


def test_how_to_play_has_boards_that_end_with_a_line(open_page: Open) -> None:
    page = open_page("/about", person="reader", reduced_motion="reduce")
    page.wait_for_selector(".rule")
    drawn = page.locator(".rule").evaluate_all(
        "rules => rules.map((rule) => rule.querySelectorAll('polyline, .glow').length > 0)"
    )
    assert drawn == [True] * 4


def test_rules_of_ones_own_and_cells_blocked_by_pressing(open_page: Open) -> None:
    page = open_page("/")
    page.wait_for_selector(".begin")
    page.click("text=Your own rules")
    page.get_by_role("button", name="Misère").click()
    page.wait_for_function("location.search === '?game=3^3:misere'")
    page.fill("input[aria-invalid]", "3^")
    page.wait_for_selector(".trouble")
    assert page.locator(".begin").is_disabled()
    page.fill("input[aria-invalid]", "3^3:gravity")
    page.wait_for_function("window.oxoPage.g.game === '3^3:gravity'")
    page.get_by_label("Block cells").check()
    cell(page, 2).click()
    page.wait_for_selector(".cell.blocked[data-cell='2']")
    assert "blocked=2" in page.input_value("input[aria-invalid]")
    cell(page, 2).click()
    page.wait_for_selector(".cell.blocked", state="detached")
    page.get_by_label("Block cells").uncheck()
    page.select_option("[aria-label='Seat 2']", "random")
    page.click(".begin")
    ready(page)
    page.locator(".cell.legal").first.click()
    page.wait_for_function("window.oxoGame.s.moves.length === 2")
    assert page.locator(".cell.legal").count() in (8, 9)


def test_a_friend_gets_one_link_and_says_a_name_before_the_board_is_shown(
    site: Site, open_page: Open
) -> None:
    ada = open_page("/")
    ada.wait_for_selector(".begin")
    ada.get_by_role("button", name="Friend").click()
    ada.wait_for_selector("dialog .codes img")
    assert ada.get_by_text("Send this link to a friend").count() == 1
    assert ada.get_by_text("oxo serve --host 0.0.0.0").count() == 1  # nobody else reaches it yet
    assert ada.get_by_role("button", name="Hint", exact=True).count() == 0  # no help between people
    own = ada.evaluate("JSON.parse(sessionStorage[`oxo:${window.oxoGame.s.id}`]).seat")
    visible = [one.input_value() for one in ada.locator("dialog input:visible").all()]
    assert len(visible) == 1
    assert own not in visible[0]
    ada.get_by_text("Other links").click()
    others = [one.input_value() for one in ada.locator("dialog .links input").all()]
    assert any(own in link for link in others)
    bob = open_page(visible[0].removeprefix(site.url), person="Bob")
    field = bob.get_by_label("Your name")
    field.wait_for()
    assert bob.locator(".cell").count() == 0
    assert field.evaluate("one => one === document.activeElement")
    bob.keyboard.type("Bob")
    bob.get_by_role("button", name="Join game").click()
    ready(bob)
    ada.wait_for_selector("dialog", state="detached")
    ada.wait_for_function("document.querySelector('.seats').innerText.includes('Bob')")
    bob.reload()
    ready(bob)


def test_a_position_has_an_address_and_is_no_game(site: Site, open_page: Open) -> None:
    page = open_page("/p/4^3/0,21,42")
    ready(page)
    assert page.locator(".cell .stone").count() == 3
    cell(page, 63).click()
    page.wait_for_function("decodeURI(location.pathname) === '/p/4^3/0,21,42,63'")
    page.reload()
    ready(page)
    assert page.locator(".cell .stone").count() == 4
    page.get_by_role("button", name="Back", exact=True).click()
    page.wait_for_function("decodeURI(location.pathname) === '/p/4^3/0,21,42'")
    page.goto(site.url + "/p/3^2:blocked=4/1..2%230...")
    page.get_by_text("There is no such position").wait_for()
    page.goto(site.url + "/p/3^2/1...2....")
    ready(page)
    cell(page, 8).click()
    page.wait_for_function("decodeURI(location.pathname) === '/p/3^2/1...2...1'")
    listed = httpx.get(f"{site.url}/api/games", timeout=60).json()["games"]
    assert not [one for one in listed if one["game"] in ("4^3", "3^2") and one["ply"] in (3, 4)]
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_function("window.oxoGame && location.pathname.startsWith('/game/')")
    page.wait_for_function("window.oxoGame.s.moves.length >= 1")


def test_the_list_of_games_has_pictures_and_results_in_words(site: Site, open_page: Open) -> None:
    ada, bob = {"name": "Ada", "holder": "x"}, {"name": "Bob", "holder": "y"}
    for moves, words in (("0,3,1,4,2", "You won in 5 moves"), ("0,2,1", "3 moves so far")):
        made = site.make("3^2", [ada, bob], position=f"moves:{moves}")
        page = open_page(made["urls"][0])
        ready(page)
        page.wait_for_function("window.oxoGame.s.you.length")
        page.goto(f"{site.url}/games?query={made['id']}")
        entry = page.locator(".entry.game")
        assert entry.locator("b").inner_text() == words
        page.wait_for_function("document.querySelector('.entry img')?.naturalWidth > 0")
    page = open_page(f"/games?query={made['id']}", person="Carl")
    assert page.locator(".entry .names").inner_text().split() == ["Ada", "Bob"]


@pytest.mark.parametrize(
    "path", ["/", "/games", "/analyse", "/matches", "/states", "/how-to-play", "/class"]
)
def test_every_page_fits_a_phone(open_page: Open, path: str) -> None:
    page = open_page(path, width=360, height=740, color_scheme="dark")
    # A page that waits until this one is compiled has a heading as well, and then goes away.
    page.wait_for_selector(".states h1" if path == "/states" else "h1")
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("header a[aria-current='page']").count() == 1


@pytest.mark.parametrize("game", ["4^3", "3^5", "7,6,4:gravity"])
def test_a_game_fits_a_phone(play: Open, game: str) -> None:
    page = play(game, width=360, height=740, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".cell.legal").last.tap()
    if game == "3^5":  # cells smaller than a finger: the first press shows where the stone goes
        page.wait_for_selector(".cell .ghost")
        assert page.evaluate("window.oxoGame.s.moves.length") == 0
        page.locator(".cell.legal").last.tap()
    page.wait_for_function("window.oxoGame.s.moves.length === 1")


def test_the_board_stays_where_it_is_while_an_agent_thinks(play: Open) -> None:
    page = play("4^3", [HOT, "random"], width=390, height=844, has_touch=True)
    show = """thought => {
        Object.assign(window.oxoGame.s, { to_move: 2, thinking: 2 });
        window.oxoGame.think(thought);
    }"""
    top = "document.querySelector('.flat-board').getBoundingClientRect().top"
    page.evaluate(show, None)
    page.get_by_text("Ring thinks.").last.wait_for()
    before = page.evaluate(top)
    for more in ({"best": 21, "depth": 12}, {"preparing": {"done": 37, "needed": 120}}):
        page.evaluate(show, {"player": 2, "seconds": 9.0, "best": None, **more})
        page.wait_for_selector(".status .thought")
        assert page.evaluate(top) == before
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.evaluate(show, None)
        page.wait_for_selector(".status:not(:has(.thought))")


def test_a_large_board_is_drawn_turned_and_pointed_at(play: Open) -> None:
    page = play("5^4")
    in_space(page)
    page.evaluate("for (let cell = 0; cell < 40; cell++) window.oxoBoards.hover(cell)")
    page.evaluate("for (let turn = 0; turn < 20; turn++) window.oxoSpace.rotate(0.05, 0)")
    assert page.evaluate("window.oxoGame.s.moves.length") == 0


def test_a_double_press_in_space_plays_once(play: Open) -> None:
    page = play("4^3")
    in_space(page)
    before = page.evaluate("[window.oxoSpace.view.turn, window.oxoSpace.view.tilt]")
    x, y = point_in_space(page, 42)
    page.mouse.dblclick(x, y)
    stone(page, 42)
    assert page.evaluate("window.oxoGame.s.moves") == [42]
    assert page.evaluate("document.querySelector('.toast.visible')") is None
    assert page.evaluate("[window.oxoSpace.view.turn, window.oxoSpace.view.tilt]") == before


def test_space_shows_the_stone_that_a_press_would_play(play: Open) -> None:
    """Under gravity it lies at the bottom of the column, and a press anywhere there plays it."""
    page = play("4^3:gravity", reduced_motion="reduce")
    in_space(page)
    x, y = point_in_space(page, 53)
    page.mouse.move(x, y)
    page.wait_for_function("window.oxoSpace.targeted === 5")
    assert page.evaluate("window.oxoSpace.ghosts[0].mesh.count") == 1
    page.mouse.click(x, y)
    stone(page, 5)
    assert page.evaluate("window.oxoSpace.tweens.length") == 0


def test_a_finger_turns_both_ways(play: Open) -> None:
    page = play("4^3", width=390, height=844, has_touch=True, reduced_motion="reduce")
    in_space(page)
    page.locator(".space canvas").scroll_into_view_if_needed()
    turn, tilt = page.evaluate("[window.oxoSpace.view.turn, window.oxoSpace.view.tilt]")
    after = page.evaluate("oxoProbe.drag()")
    assert after[0] < turn - 0.2
    assert after[1] > tilt + 0.1
    assert (
        page.evaluate("getComputedStyle(window.oxoSpace.renderer.domElement).touchAction") == "none"
    )
    called(page, "View", "Home")
    page.wait_for_function("tilt => window.oxoSpace.view.tilt === tilt", arg=tilt)
    page.locator(".space canvas").press("1")
    page.wait_for_function("window.oxoSpace.view.tilt === 1.5")
    called(page, "View", "Larger")
    assert page.evaluate("window.oxoSpace.view.zoom") > 1


def test_the_lines_of_the_cell_under_the_pointer_are_strokes_that_go(play: Open) -> None:
    page = play("3^2")
    ground = "getComputedStyle(document.querySelector('[data-cell=\"1\"]')).backgroundColor"
    before = page.evaluate(ground)
    cell(page, 4).hover()
    page.wait_for_selector(".guides rect")
    assert page.locator(".guides path.live").count() == 4
    assert page.evaluate(ground) == before
    page.mouse.move(2, 2)
    page.wait_for_selector(".guides rect", state="detached")
    put(page, 4, 0, 3, 5)
    page.wait_for_selector(".cell.last[data-cell='5'] .stone")


def test_connect_four_looks_like_the_toy(play: Open) -> None:
    page = play("7,6,4:gravity")
    cell(page, 38).hover()
    page.wait_for_selector(".toy .column:not([hidden])")
    box, column = cell(page, 3).bounding_box(), page.locator(".toy .column").bounding_box()
    assert box["x"] <= column["x"] + 1 <= box["x"] + 2
    cell(page, 38).click()
    page.wait_for_selector("[data-cell='3'] .stone.falls")
    drop = page.evaluate(
        "document.querySelector('[data-cell=\"3\"]').style.getPropertyValue('--drop')"
    )
    assert drop == "6"


def test_a_cell_that_would_lose_pulses_against_the_first_levels(play: Open) -> None:
    for level, warned in ((3, 1), (4, 0)):
        page = play("3^2", [HOT, f"level:{level}"], position="moves:0,3,8,4")
        assert page.locator(".cell.danger").count() == warned
