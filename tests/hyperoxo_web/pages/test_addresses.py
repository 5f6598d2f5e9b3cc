"""Every place has an address: reloading and going back keep it."""

from __future__ import annotations

import re
from typing import Any

import httpx

from tests.hyperoxo_web.pages.conftest import HOT, Open, Site, cell, put


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
    page.wait_for_selector(".cell.toned")
    page.get_by_role("link", name="Edit").click()
    at(page, "/analyse/3^2:first=2/2..21...1")
    page.go_back()
    page.wait_for_selector(".cell.toned")
    page.go_back()
    stones(page, "2..21...1")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url(re.compile("/game/"))
    games = httpx.get(f"{site.url}/api/games", timeout=60).json()["games"]
    assert games[0]["game"] == "3^2:first=2"


def test_stones_that_rest_on_nothing_are_ringed(open_page: Open) -> None:
    page = open_page("/analyse/3^2:gravity")
    for number in (3, 4, 0):
        cell(page, number).click()
    page.get_by_text("The stone on cell b2 rests on nothing. A ring marks it.").wait_for()
    ringed = page.locator(".flat-board .cell.wrong")
    assert ringed.evaluate_all("cells => cells.map((one) => one.dataset.cell)") == ["4"]
    assert "rests on nothing" in cell(page, 4).get_attribute("aria-label")
    cell(page, 1).click()
    page.wait_for_selector(".flat-board:not(:has(.wrong))")
    page.get_by_text("Cross is to move.").wait_for()


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


def test_a_branch_of_a_game_has_an_address(play: Open) -> None:
    page = play("3^2")
    path = page.evaluate("location.pathname")
    put(page, 4, 0)
    page.keyboard.press("[")
    at(page, f"{path}#move=1")
    cell(page, 1).click()
    stones(page, ".2..1....")
    at(page, path)
    page.keyboard.press("m")
    page.locator(".variants .ply").click()
    at(page, f"{path}#branch=4,0")
    stones(page, "2...1....")
    page.keyboard.press("n")
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


def test_a_walk_through_all_positions(open_page: Open) -> None:
    page = open_page("/states")
    cell(page, 4).click()
    at(page, "/states/3^2/4")
    cell(page, 0).click()
    at(page, "/states/3^2/4,0")
    page.reload()
    stones(page, "2...1....")
    page.go_back()
    stones(page, "....1....")
    page.get_by_role("button", name="Misère").click()
    at(page, "/states/3^2:misere")
    page.go_back()
    stones(page, "....1....")
    at(page, "/states/3^2/4")
    page.go_forward()
    stones(page, ".........")


def test_a_puzzle_that_was_made_can_be_shown_again(site: Site, open_page: Open) -> None:
    page = open_page("/puzzles/7,6,4:gravity/2/1")
    page.get_by_text("Force a win: 2 threats").wait_for()
    first = shown(page)
    page.get_by_role("button", name="A puzzle of 2 threats").click()
    page.wait_for_url(re.compile(r"/puzzles/4(\^|%5E)3/2/[0-9]+"))
    page.wait_for_function("document.querySelectorAll('.flat-board .cell').length === 64")
    address, second = page.url, shown(page)
    page.reload()
    page.wait_for_selector(".flat-board .stone:not(.ghost)")
    assert (page.url, shown(page)) == (address, second)
    page.go_back()
    stones(page, first)
    # A wrong move costs nothing, and a way out leads on.
    for path in ("/puzzles/yesterday", "/puzzles/2001-01-01", "/puzzles/9^9/2/1"):
        page.goto(site.url + path)
        page.get_by_role("heading", name="There is no such puzzle.").wait_for()
        assert page.locator("main .tools a").count() == 4


def test_moves_that_were_tried_are_part_of_the_address(site: Site, open_page: Open) -> None:
    page = open_page("/puzzles/7,6,4:gravity/2/1", width=1024, height=768)
    page.get_by_text("Force a win: 2 threats").wait_for()
    page.wait_for_selector(".flat-board .stone:not(.ghost)")
    # Board and buttons are seen without scrolling.
    lowest = """Math.max(...[...document.querySelectorAll(".cell, .left .tools button")]
        .map((one) => one.getBoundingClientRect().bottom))"""
    assert page.evaluate(lowest) <= 768
    assert page.evaluate("document.documentElement.scrollHeight") <= 768
    before, address = shown(page), page.url
    page.get_by_role("button", name="Hint").click()
    page.locator(".cell.hint").click()
    page.wait_for_url(re.compile("#[0-9]+,[0-9]+$"))
    stones(page, after := shown(page))
    assert sum(one != two for one, two in zip(before, after, strict=True)) == 2
    page.reload()
    stones(page, after)
    page.go_back()
    stones(page, before)
    page.go_forward()
    stones(page, after)
    page.get_by_role("button", name="Again").click()
    stones(page, before)
    assert page.url == address
    # What cannot be played is not shown, and leaves the address.
    for moves in ("0", "0,0", "99999,1", "x"):
        page.goto("about:blank")
        page.goto(f"{address}#{moves}")
        page.wait_for_function("location.hash === ''")
        stones(page, before)


def shown(page: Any) -> str:
    """Return the stones on the board."""
    return "".join(
        page.locator(".flat-board .cell").evaluate_all(
            """cells => cells.map((one) =>
                one.querySelector(".stone:not(.ghost)")?.classList[1]?.slice(1) ?? ".")"""
        )
    )


def test_lists_and_runs_keep_what_was_chosen(site: Site, open_page: Open) -> None:
    asked = {"game": "4,3,3", "games": 4, "seed": 1}
    varied = {"agent": "ising", "vary": ["bias=0:1:0.5"], "versus": ["random"], "seat": 2}
    for path, body in (("sweeps", varied), ("matches", {"agents": ["random", "greedy"]})):
        answer = httpx.post(f"{site.url}/api/{path}", json={**asked, **body}, timeout=60)
        answer.raise_for_status()
    page = open_page("/lab?game=4,3,3")
    runs = page.locator(".list li")
    page.wait_for_function("document.querySelectorAll('.list li').length === 2")
    page.get_by_label("Kind").last.select_option("sweep")
    at(page, "/lab?kind=sweep&game=4,3,3")
    page.wait_for_function("document.querySelectorAll('.list li').length === 1")
    page.get_by_label("Only this game").fill("4^3")
    at(page, "/lab?kind=sweep&game=4^3")
    page.get_by_text("Nothing found.").wait_for()
    page.get_by_label("Only this game").fill("4,3,3")
    page.wait_for_function("document.querySelectorAll('.list li').length === 1")
    page.reload()
    page.wait_for_function("document.querySelectorAll('.list li').length === 1")
    page.go_back()
    page.wait_for_function("document.querySelectorAll('.list li').length === 2")
    page.go_forward()
    page.wait_for_function("document.querySelectorAll('.list li').length === 1")
    runs.locator("a").first.click()
    page.wait_for_url(re.compile("/run/"))
    page.get_by_role("button", name="Wins").click()
    page.wait_for_url(re.compile("measure=wins"))
    page.get_by_label("Curve").select_option("spline")
    page.wait_for_url(re.compile("fit=spline"))
    page.reload()
    page.locator("button.on", has_text="Wins").wait_for()
    assert page.get_by_label("Curve").input_value() == "spline"
    page.go_back()
    page.wait_for_function("document.querySelector('[aria-label=Curve]')?.value === 'polynomial'")


def test_the_list_of_games_keeps_what_was_looked_for(site: Site, open_page: Open) -> None:
    site.make("3^2", [HOT, HOT], title="Semi-final")
    site.make("3^3", [HOT, HOT], title="Final of cubes")
    page = open_page("/games?query=cubes")
    found = page.locator(".list li", has_text="Final of cubes")
    found.wait_for()
    assert page.locator(".list li", has_text="Semi-final").count() == 0
    page.get_by_role("button", name="Over").click()
    at(page, "/games?query=cubes&status=over")
    page.get_by_text("Nothing found.").wait_for()
    page.reload()
    page.get_by_text("Nothing found.").wait_for()
    page.go_back()
    found.wait_for()


def test_the_value_of_the_best_move_stands_at_the_edge_of_the_board(open_page: Open) -> None:
    page = open_page("/p/3^2/0,1#show=values")
    page.wait_for_selector(".value-bar.p1 i[style*='height: 100%']")
    bar = page.locator(".value-bar")
    assert bar.get_attribute("aria-label").startswith("For the player to move: wins")
    assert "guess" not in bar.get_attribute("class")
    edge = page.locator(".view.large").bounding_box()["x"]
    assert abs(bar.bounding_box()["x"] - edge) < 12
    page.goto(page.url.partition("/p/")[0] + "/p/3^2/0,4#show=values")
    page.wait_for_selector(".value-bar.p1 i[style*='height: 50%']")


def test_long_names_of_four_players_stand_on_a_line_each(site: Site, open_page: Open) -> None:
    seats = [{"name": f"{name} of Hohenstaufen-Wittelsbach"} for name in ("A", "B", "C", "D")]
    made = site.make("4^3:players=4", seats)
    page = open_page(made["urls"][0], width=1024, height=768)
    page.wait_for_selector(".seat")
    heights = page.eval_on_selector_all(".nick", "all => all.map((one) => one.clientHeight)")
    assert len(heights) == 4
    assert max(heights) < 24
    shown = page.eval_on_selector_all(".nick", "all => all.map((one) => one.title)")
    assert shown == [seat["name"] for seat in seats[1:] + seats[:1]]
