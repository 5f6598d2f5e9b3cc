"""Pages of the laboratory, simulated and in a real browser, and reports without scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.agents import LEVELS
from hyperoxo.errors import HyperoxoError
from hyperoxo.lab.results import ResultStore
from hyperoxo_research import study
from hyperoxo_research.lab.levels import LEVEL_GAMES
from hyperoxo_research.study import Finding
from hyperoxo_research.study.report import StudyReport, page
from hyperoxo_web.pages.lab_page import evaluation_of, run_request
from tests.hyperoxo_web.pages.conftest import Open, People
from tests.hyperoxo_web.pages.simulated import Table, table
from tests.hyperoxo_web.server.test_lab import report


async def finished(place: Table) -> dict[str, Any]:
    """Wait until the run that is watched is done."""
    news = await place.until("viewed", lambda news: news["view"]["state"] == "done")
    view: dict[str, Any] = news["view"]
    return view


@pytest.mark.more
async def test_a_run_is_begun_and_watched(place: Table) -> None:
    await place.open("/lab")
    assert place.props["entries"] == []
    levels = place.props["levels"]
    assert [row[0] for row in levels["rows"]] == [*LEVEL_GAMES]
    assert {len(row) for row in (levels["head"], *levels["rows"])} == {len(LEVELS)}
    for value in (
        {"kind": "match", "game": "3^2", "agents": ["ising", "wizard"], "games": 5},
        {"kind": "tournament", "game": "3^2", "agents": ["ising"], "games": 5},
        {"kind": "sweep", "game": "3^2", "agent": "ising", "vary": ["bias=2:1:1"],
         "versus": ["random"], "seat": 1, "games": 5},
        {"kind": "party", "game": "3^2", "games": 5, "seat": 1},
        {"kind": "match", "game": "3^2", "games": "many"},
        {},
    ):  # fmt: skip
        assert (await place.ask("begin", value, "failed", 60)).endswith(".")
    match = {"kind": "match", "game": "3^2", "agents": ["ising", "random"], "games": 50}
    assert await place.gone("begin", {**match, "swap": True, "seed": 4}) == "/run/1"
    assert place.props["view"]["title"] == "ising – random"
    view = await finished(place)
    assert view["games"] == 50
    assert await place.ask("resume", {}, "failed") == "Run 1 is finished."
    await place.open("/lab?again=1")
    again = place.props["again"]
    assert (again["kind"], again["options"]["swap"]) == ("match", True)
    until = {"question": "B>A", "alpha": 0.1, "beta": 0.05, "effect": 0.6}
    assert await place.gone("begin", {**match, "games": 2000, "until": until}) == "/run/2"
    test = (await finished(place))["match"]["test"]
    assert (test["verdict"], test["places"]) == ("no", [1, 0])
    await place.open("/lab?again=2")
    assert place.props["again"]["options"]["until"] == until
    place.send("find", {"kind": "sweep", "offset": 0, "asked": 1})
    assert (await place.heard("found"))["entries"] == []
    place.send("find", {"game": "3^", "offset": 0, "asked": 2})
    assert (await place.heard("found"))["trouble"].endswith(".")


@pytest.mark.more
async def test_a_sweep_is_looked_at_and_deleted(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "results.sqlite") as store:
        ox.sweep("3^2", "ising", "bias=0:1:0.25", "random", 2, 50, store=store)
    async with table(tmp_path) as place:
        await place.open("/run/1")
        place.send("evaluate", {"measure": "losses", "degree": 1})
        wanted = ("losses", 1)

        def looked(news: dict[str, Any]) -> bool:
            sweep = news["view"]["sweep"]
            return (sweep["measure"], sweep["degree"]) == wanted

        found = await place.until("viewed", looked)
        assert found["view"]["sweep"]["fit"]["degree"] == 1
        assert "not being played" in await place.ask("stop", {}, "failed")
        assert await place.gone("delete", {}) == "/lab"
        await place.open("/run/1")
        assert "There is no such run." in place.shown


@pytest.mark.more
async def test_studies_and_their_reports(tmp_path: Path) -> None:
    report(tmp_path / "reports", "mine", source="Of <old>.")
    async with table(tmp_path) as place:
        await place.open("/studies")
        props = place.props
        assert {"ising", "qubic"} <= {study["name"] for study in props["studies"]}
        assert [entry["name"] for entry in props["reports"]] == ["mine"]
        place.send("begin", {"study": "alchemy"})
        assert (await place.heard("failed")).startswith("The studies are")
        for odd in ({"scale": 2}, {"scale": "much"}, {"seed": "x"}, {"workers": None}):
            assert " must be " in await place.ask("begin", {"study": "qubic", **odd}, "failed")
        await place.open("/report/mine")
        assert "Of &lt;old&gt;." in place.shown
        assert '<td class="">&lt;b&gt;</td>' in place.shown
        strange: tuple[Any, ...] = (None, [1], {"a": 1})
        for number, rows in enumerate(strange):
            broken = {"name": "t", "title": "", "text": "", "columns": ["a"], "rows": rows}
            report(tmp_path / "reports", f"odd{number}", tables=[broken])
            await place.open(f"/report/odd{number}")
            assert "There is no such report." in place.shown
        await place.open("/report/other")
        assert "There is no such report." in place.shown


def test_what_a_page_sends_is_not_trusted() -> None:
    match = {"agents": ["random", "random"], "games": 5}
    test = {"question": "A>B"}
    for odd in ({}, {**test, "alpha": "0.1"}, {**test, "alpha": True}, {**test, "alpha": 7}, "A>B"):
        with pytest.raises(HyperoxoError, match=r"^until"):
            run_request("match", {**match, "until": odd})
    with pytest.raises(HyperoxoError, match="games must be a valid integer"):
        run_request("match", {**match, "games": True})
    with pytest.raises(HyperoxoError, match="vary must be a valid list"):
        run_request("sweep", {"agent": "ising", "vary": "x", "versus": [{}, "a" * 9]})
    with pytest.raises(HyperoxoError, match="a run is one of match"):
        run_request("program", {})
    assert run_request("match", {**match, "kind": "match"})[0]["options"]["until"] is None
    assert evaluation_of({"measure": ["wins"]}) is None
    look = {"measure": "wins", "fit": "polynomial", "degree": None}
    assert evaluation_of({"measure": "wins", "fit": "", "degree": None}) == look


def test_a_tournament_in_two_browsers(open_page: Open) -> None:
    page = open_page("/lab")
    assert page.locator(".pick img").evaluate(
        "async (one) => (await one.decode(), one.naturalWidth)"
    )
    page.get_by_label("Agent 3", exact=True).select_option("Other…")
    page.get_by_label("Agent 3, spelled").fill("greedy")
    page.fill("label:has-text('Games') input", "5000000")
    page.click("text=Start")
    page.wait_for_url("**/run/*", timeout=60_000)
    page.wait_for_selector(".rating-row", timeout=60_000)
    page.click("text=Stop")  # while it is played, it takes the processor from the browsers
    page.wait_for_selector("text=Resume", timeout=60_000)
    stopped = page.inner_text(".going b")
    other = open_page("/run/" + page.url.rpartition("/")[2], person="Bob")
    other.wait_for_selector(".pairing b", timeout=60_000)
    assert stopped == other.inner_text(".going b") != "0"
    other.click("text=Resume")
    for one in (page, other):
        one.wait_for_selector("button:has-text('Stop')", timeout=60_000)
        one.wait_for_function(
            "was => document.querySelector('.going b').innerText !== was", arg=stopped
        )
    page.click("text=Stop")
    for one in (page, other):
        one.wait_for_selector("text=Resume", timeout=60_000)
    assert page.inner_text(".going b") == other.inner_text(".going b")
    page.click("nav >> text=Lab")
    page.wait_for_selector(".entry.run .state.interrupted")
    page.click("button:has-text('Sweep')")
    page.fill("[aria-label='Option 1']", "beauty")
    page.click("text=Start")
    page.wait_for_selector(".trouble", timeout=60_000)
    assert "has no option 'beauty'" in page.inner_text(".trouble")


def test_a_test_is_asked_for_and_answered(open_page: Open) -> None:
    page = open_page("/lab", width=390, height=844)
    page.click("button:has-text('Match')")
    page.focus("label:has-text('Stop early') input")
    page.keyboard.press("Space")
    page.select_option("[aria-label='The stronger agent, perhaps']", "A")
    page.click("text=Start")
    page.wait_for_url("**/run/*", timeout=60_000)
    page.wait_for_selector(".answer.yes", timeout=60_000)
    assert page.inner_text(".answer") == "Yes: ising wins more games than random."
    meter = page.locator("[role=meter]")
    assert meter.get_attribute("aria-valuenow") == meter.get_attribute("aria-valuemax")
    assert "--until 'A>B' --alpha 0.05" in page.inner_text(".command")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("text=Another like this")
    page.wait_for_selector(".test-fields")


ROWS = study.Table(
    "long", "Long", ("name of the row", "value"), tuple((f"r{n}", n) for n in range(40))
)
WIDE = study.compared("wide", "Wide", [
    Finding(f"some quantity {n}", n, n, n, (0.0, n + 1.0), True, f"oxo {n}", "A remark.", "page 1")
    for n in range(3)
])  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "index.html"
    sections = (study.Section("One", "Text.", ROWS, WIDE),)
    small = study.Study("small", "Small", "Nowhere.", lambda _: iter(sections))
    path.write_text(page(StudyReport(small, False, 0, sections, path.parent), {}), "utf-8")
    return path


@pytest.mark.more
def test_folds_open_and_are_printed(browser: People, written: Path) -> None:
    tab = browser.page("reader", 390, 800, java_script_enabled=False)
    tab.goto(written.as_uri())
    last, command = tab.get_by_text("r39", exact=True), tab.get_by_text("oxo 1", exact=True)
    assert not last.is_visible()
    assert not command.is_visible()
    tab.emulate_media(media="print")
    assert last.is_visible()
    assert command.is_visible()
    tab.emulate_media(media="screen")
    tab.get_by_text("Show all 40 rows").click()
    assert last.is_visible()
    tab.get_by_text("Show fewer rows").click()
    tab.get_by_text("3 commands").click()
    assert command.is_visible()
    assert not last.is_visible()
    tab.goto(f"{written.as_uri()}#row-long-39")
    assert last.is_visible()
    tab.close()


@pytest.mark.more
def test_a_phone_needs_no_scrolling_sideways(browser: People, written: Path) -> None:
    tab = browser.page("phone", 320, 700)
    tab.goto(written.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    tab.close()
