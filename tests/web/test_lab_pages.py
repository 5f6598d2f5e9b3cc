"""Pages of the laboratory: their logic with a simulated browser, and one story in a real one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hyperoxo as ox
from hyperoxo.errors import HyperoxoError
from hyperoxo.lab.results import ResultStore
from hyperoxo.web.component import LabElement, ReportElement, RunElement, StudiesElement
from hyperoxo.web.lab_page import asked, look_of
from tests.server.test_lab import report
from tests.web.simulated import run, table


def test_a_run_is_begun_and_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with table(tmp_path, monkeypatch) as place:
            await place.user.open("/lab")
            assert place.element(LabElement).props["runs"] == []
            for value in (
                {"kind": "match", "game": "3^2", "agents": ["ising", "wizard"], "games": 5},
                {"kind": "tournament", "game": "3^2", "agents": ["ising"], "games": 5},
                {"kind": "sweep", "game": "3^2", "agent": "ising", "vary": ["bias=2:1:1"],
                 "versus": ["random"], "seat": 1, "games": 5},
                {"kind": "party", "game": "3^2", "games": 5, "seat": 1},
                {"kind": "match", "game": "3^2", "games": "many"},
                {},
            ):  # fmt: skip
                place.send(LabElement, "begin", value)
                assert (await place.heard("failed", 60)).endswith(".")
            match = {"kind": "match", "game": "3^2", "agents": ["ising", "random"], "games": 50}
            place.send(LabElement, "begin", {**match, "swap": True, "seed": 4})
            assert await place.gone_to(2) == "/run/1"
            element = place.element(RunElement)
            assert element.props["view"]["title"] == "ising – random"
            while element.props["view"]["state"] != "done":
                await place.heard("viewed", 60)
            assert element.props["view"]["games"] == 50
            place.send(RunElement, "resume", {})
            assert await place.heard("failed") == "Run 1 is finished."
            await place.user.open("/lab?again=1")
            again = place.element(LabElement).props["again"]
            assert (again["kind"], again["options"]["swap"]) == ("match", True)
            until = {"question": "B>A", "alpha": 0.1, "beta": 0.05, "effect": 0.6}
            place.send(LabElement, "begin", {**match, "games": 2000, "until": until})
            assert await place.gone_to(4) == "/run/2"
            element = place.element(RunElement)
            while element.props["view"]["state"] != "done":
                await place.heard("viewed", 60)
            test = element.props["view"]["match"]["test"]
            assert (test["verdict"], test["places"]) == ("no", [1, 0])
            await place.user.open("/lab?again=2")
            assert place.element(LabElement).props["again"]["options"]["until"] == until
            place.send(LabElement, "find", {"kind": "sweep", "offset": 0, "asked": 1})
            assert (await place.heard("found"))["runs"] == []
            place.send(LabElement, "find", {"game": "3^", "offset": 0, "asked": 2})
            assert (await place.heard("found"))["trouble"].endswith(".")

    run(work())


def test_a_sweep_is_looked_at_and_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        with ResultStore(tmp_path / "results.sqlite") as store:
            ox.sweep("3^2", "ising", "bias=0:1:0.25", "random", 2, 50, store=store)
        async with table(tmp_path, monkeypatch) as place:
            await place.user.open("/run/1")
            place.send(RunElement, "look", {"measure": "losses", "degree": 1})
            wanted = ("losses", 1)

            def looked(news: dict[str, Any]) -> bool:
                sweep = news["view"]["sweep"]
                return (sweep["measure"], sweep["degree"]) == wanted

            found = await place.until("viewed", looked)
            assert found["view"]["sweep"]["fit"]["degree"] == 1
            place.send(RunElement, "stop", {})
            assert "not being played" in await place.heard("failed")
            place.send(RunElement, "delete", {})
            assert await place.gone_to(2) == "/lab"
            await place.user.open("/run/1")
            await place.user.should_see("There is no such run.")

    run(work())


def test_studies_and_their_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        report(tmp_path / "reports", "mine", source="Of <old>.")
        async with table(tmp_path, monkeypatch) as place:
            await place.user.open("/studies")
            props = place.element(StudiesElement).props
            assert {"ising", "qubic"} <= {study["name"] for study in props["studies"]}
            assert [entry["name"] for entry in props["reports"]] == ["mine"]
            place.send(StudiesElement, "begin", {"study": "alchemy"})
            assert (await place.heard("failed")).startswith("There are the studies")
            for odd in ({"scale": 2}, {"scale": "much"}, {"seed": "x"}, {"workers": None}):
                place.send(StudiesElement, "begin", {"study": "qubic", **odd})
                assert "must be a" in await place.heard("failed")
            await place.user.open("/report/mine")
            assert place.element(ReportElement).props["report"]["source"] == "Of <old>."
            await place.user.open("/report/other")
            await place.user.should_see("There is no such report.")

    run(work())


def test_what_a_page_sends_is_not_trusted() -> None:
    match = {"kind": "match", "games": 5}
    for test in ({"question": "A>B"}, {"alpha": "0.1"}, {"alpha": True}, {"alpha": 7}):
        with pytest.raises(HyperoxoError, match="must be a number from 0 to 1"):
            asked({**match, "until": test})
    assert "until" not in asked({**match, "until": "A>B"})["options"]
    with pytest.raises(HyperoxoError, match="games must be a whole number"):
        asked({"kind": "match", "games": True})
    odd = asked({"kind": "sweep", "games": 1, "seat": 1, "vary": "x", "versus": [{}, "a" * 9]})
    assert odd["options"]["vary"] == []
    assert look_of({"measure": ["wins"]}) is None


@pytest.mark.browser
def test_a_tournament_in_two_browsers(open_page: Callable[..., Any]) -> None:
    page = open_page("/lab")
    page.locator(".field-list input").nth(2).fill("greedy")
    page.fill("label:has-text('Games') input", "5000000")
    page.click("text=Start")
    page.wait_for_url("**/run/*", timeout=60_000)
    page.wait_for_selector(".rating-row", timeout=60_000)
    other = open_page("/run/" + page.url.rpartition("/")[2], person="Bob")
    other.wait_for_selector(".pairing b", timeout=60_000)
    page.click("text=Stop")
    for one in (page, other):
        one.wait_for_selector("text=Resume", timeout=60_000)
    stopped = page.inner_text(".going b")
    assert stopped == other.inner_text(".going b") != "0"
    other.click("text=Resume")
    page.wait_for_selector("button:has-text('Stop')", timeout=60_000)
    page.wait_for_function(
        "was => document.querySelector('.going b').innerText !== was", arg=stopped, timeout=60_000
    )
    page.click("text=Stop")
    page.wait_for_selector("text=Resume", timeout=60_000)
    page.click("nav >> text=Lab")
    page.wait_for_selector(".entry.run .state.interrupted")
    page.click("button:has-text('Sweep')")
    page.fill("[aria-label='Option 1']", "beauty")
    page.click("text=Start")
    page.wait_for_selector(".trouble", timeout=60_000)
    assert "has no option 'beauty'" in page.inner_text(".trouble")


@pytest.mark.browser
def test_a_test_is_asked_for_and_answered(open_page: Callable[..., Any]) -> None:
    page = open_page("/lab", width=390, height=844)
    page.click("button:has-text('Match')")
    page.focus("label:has-text('Until it is clear') input")
    page.keyboard.press("Space")
    page.select_option("[aria-label='The agent that may be better']", "A")
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
