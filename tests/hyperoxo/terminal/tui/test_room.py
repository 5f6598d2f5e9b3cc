"""The board comes first where a window has little room."""

from __future__ import annotations

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import Footer

from hyperoxo.terminal.tui.app import HyperoxoApp
from tests.hyperoxo.terminal.tui.test_app import board, history, play, until


@pytest.mark.more
@pytest.mark.parametrize("spec", ["4^3", "4^4"])
def test_lists_below_the_board_fold_where_it_needs_the_room(spec: str) -> None:
    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        view, side = board(app), app.query_one("#side")
        assert view.plan.height <= view.size.height
        assert not side.display
        await pilot.press("enter")
        await until(pilot, lambda: history(app) != ())
        assert not side.display
        await pilot.press("m")
        await until(pilot, lambda: side.display and side.size.height >= 5)
        await pilot.press("m")
        await until(pilot, lambda: not side.display)
        assert view.plan.height <= view.size.height
        keys = app.query_one(Footer).children
        assert len(keys) > 8
        for key in keys:
            assert key.region.right <= app.size.width

    play(scene, spec, size=(80, 24))


@pytest.mark.more
def test_lists_are_shown_where_the_board_leaves_room() -> None:
    async def scene(app: HyperoxoApp, pilot: Pilot[None]) -> None:
        side = app.query_one("#side")
        assert not side.display
        await pilot.press("enter")
        await until(pilot, lambda: side.display)
        assert board(app).plan.height <= board(app).size.height

    play(scene, "3^4", size=(80, 24))
