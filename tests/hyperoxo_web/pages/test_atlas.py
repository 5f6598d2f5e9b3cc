"""The page of the atlas: its logic with a simulated browser, over HTTP, and in a real one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hyperoxo.proof import verify
from tests.hyperoxo_web.pages.conftest import Open, Site
from tests.hyperoxo_web.pages.simulated import Table

WRONG = ["4^5", "4^6", "4^7", "5^7", "5^8"]


@pytest.mark.more
async def test_every_board_and_its_steps(place: Table) -> None:
    await place.open("/atlas?board=7^3")
    assert place.props["chosen"] == "7^3"
    found = {one["game"]: one for one in place.props["entries"]}
    assert len(found) == 96
    assert [name for name, one in found.items() if one["contradicted"]] == WRONG
    opens = [(step["part"], step["opens"]) for step in found["7^3"]["evidence"]]
    assert opens == [("no-pairing", False), ("full-board", False), ("breaker", True)]
    assert found["12^4"]["evidence"][0]["part"] == "pairing"
    assert not found["12^4"]["evidence"][0]["opens"], "more cells than the server shows"
    slow = [name for name, one in found.items() if not one["made"]]
    assert slow == ["6^3"], "a plan that takes hours to find"
    assert not any(step["opens"] for step in found["6^3"]["evidence"])
    assert not any("file" in step for one in found.values() for step in one["evidence"])
    await place.open("/atlas?board=13^3")
    assert place.status == 404
    assert "The atlas has no such board." in place.shown


@pytest.mark.more
async def test_a_step_is_opened_in_the_explorer(place: Table) -> None:
    await place.open("/atlas")
    odd: list[dict[str, Any]] = [
        {"board": "3^2", "step": 0},
        {"board": "3^2", "step": 99},
        {"board": "3^2"},
        {"board": "x", "step": 0},
        {"board": "12^4", "step": 0},
        {"board": "6^3", "step": 2},
    ]
    for value in odd:
        assert (await place.ask("explore", value, "failed")).endswith(".")
    assert (await place.gone("explore", {"board": "3^2", "step": 2})).startswith("/proof/")
    assert place.props["summary"]["claim"] == "player 2 gets at least a draw in 3^2"


@pytest.mark.more
async def test_over_http(place: Table) -> None:
    entries = (await place.http.get("/api/atlas")).json()["entries"]
    assert len(entries) == 96
    one = (await place.http.get("/api/atlas/5^2")).json()
    assert one in entries
    assert (one["region"], one["status"], one["published"]) == (5, "proved", 5)
    proof = await place.http.get("/api/atlas/5^2/proof")
    assert verify(proof.content).claim == "5^2 is in region 5"
    assert 'filename="5-2.oxo"' in proof.headers["content-disposition"]
    slow = await place.http.get("/api/atlas/6^3/proof")
    assert slow.json()["error"]["code"] == "limit"
    assert "`oxo classify 6^3 --proof FILE` does" in slow.json()["error"]["message"]
    for path in ("13^3", "x", "13^3/proof"):
        answer = await place.http.get(f"/api/atlas/{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-proof")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_an_entry_is_read_by_mouse_and_keys(
    site: Site, open_page: Open, width: int, height: int
) -> None:
    page = open_page("/lab", width=width, height=height)
    page.click(".lab-tabs >> text=Atlas")
    page.wait_for_url("**/atlas")
    page.wait_for_selector("button.region")  # the page is drawn after its address has changed
    assert page.locator("button.region").count() == 96
    assert page.locator("button.region.against").count() == len(WRONG)
    assert page.locator("span.region.published.against").count() >= len(WRONG)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("[data-board='5^7']")
    page.wait_for_url("**/atlas?board=5^7")
    assert "published: 2" in page.inner_text("section:has(.steps) p[role=status]")
    page.focus("[data-board='5^7']")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url("**/atlas?board=4^6")
    assert page.locator("button.region[tabindex='0']").get_attribute("data-board") == "4^6"
    page.go_back()
    page.wait_for_selector("h2:text-is('5^7')")
    # A proof that is too large has its commands, and nothing to download.
    page.click("[data-board='6^3']")
    page.wait_for_selector("h2:text-is('6^3')")
    said = page.inner_text("section:has(.steps)")
    assert "oxo classify 6^3 --proof 6-3.oxo" in said
    assert page.locator("text=Download the proof").count() == 0
    page.click("[data-board='5^2']")
    with page.expect_download(timeout=60_000) as download:
        page.click("text=Download the proof")
    assert verify(Path(download.value.path())).proved
    assert "oxo verify 5-2.oxo" in page.inner_text("section:has(.steps)")
    page.click("text=Open the proof")
    page.wait_for_url("**/proof/*", timeout=60_000)
    page.wait_for_selector("h1:has-text('need never lose')")
