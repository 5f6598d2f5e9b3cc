"""Agents that the person who starts the server offers by names of their own."""

from __future__ import annotations

import pytest

from hyperoxo.heuristics.tables import shipped_tables
from tests.hyperoxo_web.pages.conftest import Open, Site, cell, ready


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A learned table under the name "mine"."""
    table = tmp_path_factory.mktemp("tables") / "learned.json"
    table.write_bytes(next(t for t in shipped_tables() if t.game == "3^2").to_bytes())
    return ["--opponent", f"mine=td:checkpoint={table}"]


def test_an_offered_opponent_is_chosen_by_its_name_and_plays(site: Site, open_page: Open) -> None:
    page = open_page("/?game=3^2")
    page.wait_for_selector(".flat-board .cell")
    page.get_by_label("Seat 2", exact=True).select_option("mine")
    cell(page, 4).click()
    page.wait_for_function("window.oxoGame !== undefined")
    ready(page)
    page.wait_for_function("window.oxoGame.s.moves.length >= 2")
    assert "mine" in page.inner_text(".far")
    state = site.state(page.url.rpartition("/")[2])
    assert state["seats"][1] == {"player": 2, "name": "mine", "agent": "mine"}
    assert len(state["moves"]) == 2
