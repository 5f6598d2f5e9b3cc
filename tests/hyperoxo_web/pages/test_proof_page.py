"""The tree of a proof in a browser: by mouse and keys, in the address, and as an opponent."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hyperoxo.proof.zones import zones_text
from hyperoxo_research.draws.key_plan_search import find_key_plan
from hyperoxo_research.proof.keyplan.file import plan_text
from tests.expect import require
from tests.hyperoxo.play.explorer.test_explorer import checked, part, stored_strategy
from tests.hyperoxo.proof.test_zones import plan as zone_plan
from tests.hyperoxo_web.pages.conftest import Open, Site, called


def upload(page: Any, tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "some.proof"
    file.write_bytes(data)
    page.set_input_files(".drop input[type=file]", str(file))


def explored(open_page: Open, tmp_path: Path, data: bytes) -> Any:
    """Return the page of a proof from a file, once its branches have sizes."""
    page = open_page("/proof")
    upload(page, tmp_path, data)
    page.wait_for_url(re.compile("/proof/[0-9a-f]{20}"))
    page.wait_for_selector(".branch progress")
    return page


def at(page: Any, moves: str) -> None:
    """Wait until the page shows a position, and its address says so."""
    page.wait_for_function("(hash) => window.location.hash === hash", arg=f"#{moves}")
    cell = moves.rpartition(",")[2]
    page.wait_for_selector(f".flat-board .cell.last[data-cell='{cell}']")


def test_a_file_is_opened_branch_by_branch(open_page: Open, tmp_path: Path) -> None:
    page = explored(open_page, tmp_path, part())
    assert "Cross can always win" in page.inner_text("h1")
    first = page.evaluate("location.hash")
    assert re.fullmatch("#[0-9]+", first)
    assert re.search(r"\d+ positions left to answer", page.inner_text("aside"))

    # By mouse: the largest branch stands first; the answer comes at once.
    reply = page.get_attribute(".branch >> nth=0", "data-reply")
    size = page.inner_text(".branch >> nth=0 >> .n")
    page.click(".branch >> nth=0")
    page.wait_for_selector(f".flat-board .cell[data-cell='{reply}'] .stone:not(.ghost)")
    page.wait_for_function("window.location.hash.split(',').length === 3")
    assert page.evaluate("location.hash").startswith(f"{first},{reply},")
    # The answer itself needs no further answer.
    left = require(re.search(r"(\d+) positions? left", page.inner_text("aside")))
    assert int(left[1]) == int(size) - 1

    # The address is kept by reload, and the browser's own buttons go back and forth.
    here = page.evaluate("location.hash.slice(1)")
    page.reload()
    at(page, here)
    page.go_back()
    at(page, first[1:])
    page.go_forward()
    at(page, here)

    # By keys: down and up the list, into a branch, back, and to the end of the hardest one.
    page.wait_for_selector(".branch")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("document.activeElement.classList.contains('branch')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "(n) => window.location.hash.split(',').length > n", arg=here.count(",") + 2
    )
    page.keyboard.press("ArrowLeft")
    at(page, here)
    page.keyboard.press("Home")
    at(page, first[1:])
    page.keyboard.press("End")
    page.wait_for_function("window.location.hash.split(',').length > 8")
    page.wait_for_function("document.querySelector('aside').innerText.includes('Nothing is left')")

    # Every reply here loses to threats, which can be stepped through.
    page.click(".branch >> nth=0")
    page.wait_for_selector(".settled .pair")
    page.get_by_label("One move more").click()
    page.wait_for_selector(".flat-board .ghost >> nth=1")
    page.click(".settled summary")
    assert "forced sequence" in page.inner_text(".settled")


def test_a_game_against_the_proof_from_a_branch(open_page: Open) -> None:
    page = open_page("/proof/4%5E3#0,21,48")
    at(page, "0,21,48")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_function("window.location.hash === '#play=0,21,48'")
    page.wait_for_selector("text=Your move. You are Ring.")
    assert page.locator(".branch").count() == 0
    page.click(".flat-board .cell[data-cell='63']")
    page.wait_for_function("window.location.hash.split(',').length === 5")
    page.wait_for_selector(".flat-board .cell[data-cell='63'] .stone.p2:not(.ghost)")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("window.location.hash === '#play=0,21,48'")
    page.get_by_role("button", name="Show the branches").click()
    page.wait_for_selector(".branch")
    assert page.evaluate("location.hash") == "#0,21,48"


def test_the_way_to_the_branches_waits_for_the_position(open_page: Open) -> None:
    page = open_page("/proof/4%5E3#0,21,48,63,3")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_selector("text=Your move. You are Ring.")
    page.click(".flat-board .cell:not([disabled])[data-cell='60']")
    page.wait_for_function("window.location.hash.split(',').length === 7")
    page.wait_for_selector("text=Your move. You are Ring.")
    # No answer from the server can come between these two.
    page.evaluate(
        """async () => {
          const named = (name) => [...document.querySelectorAll('.tools button')].find(
            (button) => button.textContent === name);
          named('Take back').click();
          await Promise.resolve();
          named('Show the branches').click();
        }"""
    )
    page.wait_for_selector("text=Your move. You are Ring.")
    assert page.evaluate("location.hash") == "#play=0,21,48,63,3"


def test_the_proof_of_a_search_is_explored(play: Open) -> None:
    explorer = checked(part())
    moves = explorer.hardest([])[:8]
    played = ",".join(map(str, [0, 60, 3, 22, *moves]))
    page = play("4^3", position=f"moves:{played}")
    called(page, "More", "Analysis")
    page.click("text=Prove who wins")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("button", name="Explore the proof").click(timeout=300_000)
    page.wait_for_url(re.compile("/proof/[0-9a-f]{20}"), timeout=120_000)
    page.wait_for_selector(".branch progress")
    assert "Cross can always win" in page.inner_text("h1")


def test_files_that_do_not_hold_are_not_shown(open_page: Open, tmp_path: Path) -> None:
    page = open_page("/proof")
    page.wait_for_selector(".branch")
    upload(page, tmp_path, b"something else")
    page.wait_for_selector(".trouble >> text=not a proof file")
    assert page.url.partition("#")[0].endswith("/proof")


def test_a_strategy_of_a_small_game(site: Site, open_page: Open, tmp_path: Path) -> None:
    page = explored(open_page, tmp_path, stored_strategy("3^2", 2, "draw"))
    assert "Ring need never lose, whatever Cross plays." in page.inner_text("h1")
    assert page.locator(".branch").count() == 3
    page.click(".flat-board .cell[data-cell='4']")
    page.wait_for_function("/^#4,[0-9]$/.test(window.location.hash)")


def test_a_plan_shows_its_key_cells(open_page: Open, tmp_path: Path) -> None:
    plan = require(find_key_plan("6^2"))
    page = open_page("/proof")
    upload(page, tmp_path, plan_text(plan))
    page.wait_for_selector("text=1 state of 12 marked cells")
    page.wait_for_function("document.querySelector('.flat-board').textContent.includes('•')")
    page.wait_for_selector("text=From here on 14 pairs do the rest")
    page.click(".branch[data-reply='1']")
    page.wait_for_function("/^#1,[0-9]+$/.test(window.location.hash)")
    page.wait_for_selector("text=From here on 13 pairs do the rest")


def test_a_plan_with_zones_is_followed(open_page: Open, tmp_path: Path) -> None:
    page = open_page("/proof")
    upload(page, tmp_path, zones_text(zone_plan("3^2:convention=maker-breaker")))
    page.wait_for_url(re.compile("/proof/[0-9a-f]{20}"))
    page.wait_for_selector("text=marked cells can matter")
    assert "Cross can always win" in page.inner_text("h1")
    assert page.locator(".branch").count() == 8
    page.click("text=Play from here")
    for _ in range(4):
        if page.locator("text=Cross has won, as proved.").count():
            break
        page.locator(".flat-board .cell.legal").first.click()
        page.wait_for_function(
            "!document.querySelector('.status').innerText.includes('The proof answers.')"
        )
    page.wait_for_selector("text=Cross has won, as proved.")
