"""What the view in space shows: stones behind plates, values, and cubes as large as they can be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hyperoxo_web.pages.conftest import (
    Open,
    in_space,
    point_in_space,
    press_in_space,
    stone,
)

PIXELS = """() => {
    const { renderer, fill } = oxoSpace;
    const gl = renderer.getContext();
    const [wide, high] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const drawn = (plates) => {
        fill.mesh.visible = plates;
        oxoSpace.frame();
        const pixels = new Uint8Array(4 * wide * high);
        gl.readPixels(0, 0, wide, high, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return pixels;
    };
    const [bare, seen] = [drawn(false), drawn(true)];
    const blue = (pixels, i) => pixels[i + 2] - pixels[i];
    const found = [];
    for (let i = 0; i < bare.length; i += 4)
        if (blue(bare, i) > 110 && blue(seen, i) < blue(bare, i) - 20) found.push(blue(seen, i));
    return found.sort((a, b) => a - b);
}"""
"""How blue the dots of Cross's stones are that lie behind a plate, the palest first."""

ANALYSED = """() => {
    const { node, position } = oxoGame;
    const moves = position.legal.map((cell) =>
        ({ cell, text: `L ${cell + 100}`, kind: 'loss', words: '', said: '' }));
    oxoGame.analyses[node] = { node, moves, best: 0, forced: [], player: 1, kind: 'loss' };
    oxoGame.overlay = 'values';
}"""

WRITTEN = """() => {
    oxoSpace.frame();
    const { eye, size: { width, height }, words: { list, places: { array } } } = oxoSpace;
    const pen = new OffscreenCanvas(1, 1).getContext('2d');
    pen.font = '600 42px ' + getComputedStyle(oxoSpace.root).fontFamily;
    return list.flatMap(({ text, rank }, i) => {
        const [x, y, z, size] = array.subarray(4 * i, 4 * i + 4);
        if (rank == null || !size) return [];
        const [right, up, away] = eye.project(x, y, z);
        const unit = (size * (height / 2)) / (away * Math.tan((2.5 * Math.PI) / 180));
        const wide = (pen.measureText(text).width / 64) * unit;
        return [[text, right * width / 2, up * height / 2, wide, 0.45 * unit]];
    });
}"""
"""The values that are seen: text, place of the middle, width and height in points of the screen."""


def test_a_stone_shows_through_the_plate_before_it(play: Open) -> None:
    page = play("4^3")
    page.evaluate("oxoGame.$emit('play', { cell: 0, node: oxoGame.node }), 0")
    stone(page, 0)
    in_space(page)
    point_in_space(page, 0)
    covered = page.evaluate(PIXELS)
    assert len(covered) > 100
    assert covered[len(covered) // 10] > 60


@pytest.mark.parametrize(("game", "side"), [("3^4", 3), ("4^4", 4)])
def test_on_a_phone_cubes_are_set_out_to_be_large(play: Open, game: str, side: int) -> None:
    page = play(game, width=390, height=844)
    in_space(page)
    point_in_space(page, 0)
    cells = page.evaluate("1 / oxoSpace.eye.dot")
    row = """side => {
        oxoSpace.places.setOut(side);
        oxoSpace.aim();
        return 1 / oxoSpace.eye.dot;
    }"""
    assert cells > 1.3 * page.evaluate(row, side)
    page.evaluate("oxoSpace.shaped = null, oxoSpace.size = null, oxoSpace.resize()")
    last = side**4 - 1
    press_in_space(page, last)
    stone(page, last)


def test_cubes_stay_in_a_row_where_the_window_is_wide(play: Open) -> None:
    page = play("3^4", width=1280, height=800)
    in_space(page)
    point_in_space(page, 0)
    assert page.evaluate("oxoSpace.places.outer.map(({ side }) => side)") == [3]


def overlapping(words: list[Any]) -> list[tuple[str, str]]:
    return [
        (a[0], b[0])
        for i, a in enumerate(words)
        for b in words[:i]
        if abs(a[1] - b[1]) < 0.9 * (a[3] + b[3]) / 2 and abs(a[2] - b[2]) < (a[4] + b[4]) / 2
    ]


def test_values_in_space_do_not_overlap_and_the_best_is_seen(play: Open) -> None:
    page = play("4^3")
    in_space(page)
    point_in_space(page, 0)
    page.evaluate(ANALYSED)
    page.wait_for_function("oxoSpace.words.list.some(({ rank }) => rank === 1)")
    first = page.evaluate(WRITTEN)
    assert len(first) == 64
    assert overlapping(first) == []
    page.evaluate("oxoSpace.rotate(0, 0.03 - oxoSpace.view.tilt)")
    low = page.evaluate(WRITTEN)
    assert 8 <= len(low) < 64
    assert overlapping(low) == []
    assert "L 100" in [text for text, *_ in low]
    (hidden, *_) = {one[0] for one in first} - {one[0] for one in low}
    page.evaluate("cell => oxoBoards.hover(cell)", int(hidden.removeprefix("L ")) - 100)
    page.wait_for_function("oxoSpace.words.list.some(({ rank }) => rank === 2)")
    assert hidden in [text for text, *_ in page.evaluate(WRITTEN)]
