"""A first start on a machine: nothing is compiled yet, and the pages say so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hyperoxo_web.pages.conftest import Open, Site

pytestmark = pytest.mark.slow

SEATS = [{"name": "Ada", "holder": "me"}, "level:5"]


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Begin the server with an empty folder of compiled code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(tmp_path_factory.mktemp("kernels")))
        yield []


def test_a_board_is_prepared_before_the_eyes_of_who_waits(site: Site, open_page: Open) -> None:
    made = site.make("4,4,4:misere", SEATS)
    page = open_page(made["urls"][0])
    page.set_default_timeout(900_000)
    page.locator(".flat-board .cell[data-cell='5']").click()
    page.get_by_text("Preparing this board (once).").first.wait_for()
    page.wait_for_function("document.querySelector('.status progress')?.max >= 1")
    page.wait_for_function("document.querySelector('.status progress')?.value >= 1")
    page.wait_for_selector(".flat-board .stone.p2:not(.ghost)")
    state = site.state(page)
    assert (state["ply"], state["to_move"], state["thought"]) == (2, 1, None)
    # The next answer comes without a word of that.
    free = next(cell for cell in state["legal_moves"] if cell != 5)
    page.locator(f".flat-board .cell[data-cell='{free}']").click()
    page.wait_for_function("window.oxoGame.s.ply === 4")
    assert page.get_by_text("Preparing this board").count() == 0
