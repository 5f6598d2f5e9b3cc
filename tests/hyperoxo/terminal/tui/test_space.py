"""The board comes first where a window has little room."""

from __future__ import annotations

import pytest

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import Footer

from hyperoxo.terminal.tui.app import HyperoxoApp
from hyperoxo.terminal.tui.palette import DARK, LIGHT
from tests.hyperoxo.terminal.tui.test_app import board, history, play, scene, until


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
@scene("3^4", size=(80, 24))
async def test_lists_are_shown_where_the_board_leaves_room(
    app: HyperoxoApp, pilot: Pilot[None]
) -> None:
    side = app.query_one("#side")
    assert not side.display
    await pilot.press("enter")
    await until(pilot, lambda: side.display)
    assert board(app).plan.height <= board(app).size.height


@pytest.mark.parametrize("spec", ["3^2", "4^3", "3^4"])
def test_free_cells_are_seen(spec: str) -> None:
    async def scene(app: HyperoxoApp, _: Pilot[None]) -> None:
        view = board(app)
        rows = [view.render_line(y).text for y in range(view.size.height)]
        assert "".join(rows).count(view.picture.style.free) == app.session.game.cells

    play(scene, spec, size=(120, 40))
    assert contrast(DARK.tile, DARK.ground) > 1.5
    assert contrast(DARK.dim, DARK.other_tile) > 3 < contrast(LIGHT.dim, LIGHT.other_tile)


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return sum(share * x for share, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
