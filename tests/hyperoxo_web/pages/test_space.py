"""What the view in space shows: stones behind plates, values, and cubes as large as they can be."""

from __future__ import annotations

import pytest

from tests.hyperoxo_web.pages.conftest import Open, in_space, point_in_space, press_in_space, put


def test_a_stone_shows_through_the_plate_before_it(play: Open) -> None:
    page = play("4^3")
    put(page, 0)
    in_space(page)
    point_in_space(page, 0)
    covered = page.evaluate("oxoProbe.covered()")
    assert len(covered) > 100
    assert covered[len(covered) // 10] > 60


@pytest.mark.parametrize(("width", "across"), [(390, 2), (1280, 3)])
def test_cubes_are_set_out_for_the_window(play: Open, width: int, across: int) -> None:
    page = play("3^4", width=width, height=844)
    in_space(page)
    press_in_space(page, 80)
    page.wait_for_function("oxoGame.s.moves.join() === '80'")
    assert page.evaluate("oxoSpace.layout.outer[0].side") == across


def test_values_in_space_do_not_overlap_and_the_best_is_seen(play: Open) -> None:
    page = play("4^3")
    in_space(page)
    point_in_space(page, 0)
    page.evaluate("oxoProbe.analyse()")
    page.wait_for_function("oxoSpace.labels.list.some(({ rank }) => rank === 1)")
    first = {one["text"] for one in page.evaluate("oxoProbe.written()")}
    assert len(first) == 64
    assert page.evaluate("oxoProbe.overlapping()") == []
    page.evaluate("oxoSpace.rotate(0, 0.03 - oxoSpace.view.tilt)")
    low = {one["text"] for one in page.evaluate("oxoProbe.written()")}
    assert 8 <= len(low) < 64
    assert page.evaluate("oxoProbe.overlapping()") == []
    assert "L 100" in low
    hidden = min(first - low)
    page.evaluate("cell => oxoBoards.hover(cell)", int(hidden.removeprefix("L ")) - 100)
    page.wait_for_function("oxoSpace.labels.list.some(({ rank }) => rank === 2)")
    assert hidden in [one["text"] for one in page.evaluate("oxoProbe.written()")]
