"""Pictures read by another program, and by eye of cells."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest
from PIL import Image

import hyperoxo as ox
from hyperoxo.pictures import described
from hyperoxo.pictures.colours import DARK, LIGHT, tone_of
from hyperoxo.pictures.pixels import Canvas
from tests.strategies import play_at_random

WON = "moves:0,3,1,4,2"
SPECS = [
    "3^2", "4^3", "3^4:blocked=centre,players=4", "2^5", "7,6,4:gravity", "4^2:wrap",
    "3^2:players=8", "5{0+1}", "12^1",
]  # fmt: skip


def opened(data: bytes) -> Any:
    return Image.open(io.BytesIO(data))


def pixels(picture: Any) -> np.ndarray[Any, Any]:
    return np.asarray(picture.convert("RGB"))


def some(spec: str, seed: int = 1) -> ox.Position:
    return play_at_random(ox.Game(spec).start(), np.random.default_rng(seed))


@pytest.mark.parametrize("spec", SPECS)
def test_png_and_the_last_frame_of_gif_show_what_was_drawn(spec: str) -> None:
    position = some(spec)
    easel = Canvas.fitted(position.game, 300)
    drawn = pixels(easel.draw(position))
    png = opened(ox.picture(position, "png", size=300))
    assert max(png.size) <= 300
    assert np.array_equal(pixels(png), drawn)
    gif = opened(ox.picture(position, "gif", size=300))
    gif.seek(gif.n_frames - 1)
    off = np.abs(pixels(gif).astype(int) - drawn)
    # A frame has at most 256 colours.
    assert off.mean() < 1
    assert gif.info["duration"] >= 2900
    assert gif.info["loop"] == 0


def test_an_animated_picture_shows_every_move_in_its_cell() -> None:
    position = ox.Game("3^2").position("moves:4,0,2,6")
    gif = opened(ox.picture(position, "gif", size=200, seconds=0.1))
    assert gif.n_frames == 1 + 2 * 4 - 1  # one before a move, one after, and none before the first
    easel = Canvas.fitted(position.game, 200)
    seen = []
    for number in range(gif.n_frames):
        gif.seek(number)
        seen.append(pixels(gif).tobytes())
    for moves in range(5):
        assert easel.draw(position.undo(4 - moves)).tobytes() in seen
    slow = opened(ox.picture(position, "gif", size=200, seconds=0.5))
    assert slow.n_frames > gif.n_frames


def test_a_long_game_takes_about_a_minute() -> None:
    position = some("15^2:connect=15")
    assert len(position.history) == 225
    gif = opened(ox.picture(position, "gif", size=128, seconds=10))
    total = 0.0
    for number in range(gif.n_frames):
        gif.seek(number)
        total += gif.info["duration"] / 1000
    assert 50 < total < 70


def test_an_easel_shows_what_each_cell_holds() -> None:
    position = ox.Game("3^2:players=3,blocked=8").position("moves:0,1,2")
    easel = Canvas.fitted(position.game, 200)
    drawn = pixels(easel.draw(position))
    step = easel.cell
    cells = [
        drawn[easel.top + step * row + 1 :, easel.left + step * column + 1 :][
            : step - 1, : step - 1
        ]
        for row in range(3)
        for column in range(3)
    ]
    for owner, cell in zip(position.owners, cells, strict=True):
        inks = {f"#{r:02x}{g:02x}{b:02x}" for r, g, b in cell.reshape(-1, 3).tolist()}
        held = [player for player in (1, 2, 3) if LIGHT.stones[player - 1] in inks]
        assert held == ([owner] if owner in (1, 2, 3) else [])
        assert (LIGHT.card in inks) == (owner == 0 or owner in (1, 2))


@pytest.mark.parametrize("spec", SPECS)
def test_pictures_keep_within_their_size_and_use_it(spec: str) -> None:
    game = ox.Game(spec)
    for size in [*range(200, 1000, 13), 960, 640]:
        easel = Canvas.fitted(game, size, largest=2000)
        assert max(easel.width, easel.height) <= size
        assert max(easel.width, easel.height) > 0.7 * size
        wide = Canvas.fitted(game, (size, size // 2), largest=2000)
        assert (wide.width, wide.height) == (size, size // 2)


def test_neighbours_share_a_border_in_every_size() -> None:
    game = ox.Game("3^4")
    for size in range(120, 400, 7):
        easel = Canvas.fitted(game, size)
        empty = pixels(easel.empty(game))
        rule = [int(LIGHT.rule[i : i + 2], 16) for i in (1, 3, 5)]
        row = (empty[easel.top + easel.cell // 2] == rule).all(-1)
        assert row.sum() == 3 * 4, size
        column = (empty[:, easel.left + easel.cell // 2] == rule).all(-1)
        assert column.sum() == 3 * 4, size


def test_svg_has_the_same_geometry_and_says_what_it_shows() -> None:
    position = ox.Game("3^2").position(WON)
    root = ET.fromstring(ox.picture(position, size=300))
    easel = Canvas.fitted(position.game, 300)
    assert (root.get("width"), root.get("height")) == (str(easel.width), str(easel.height))
    space = "{http://www.w3.org/2000/svg}"
    assert root.findtext(f"{space}title") == "3^2: 3×3, Cross wins, 5 stones"
    groups = [group for group in root.iter(f"{space}g") if group.get("class") == "line"]
    assert len(groups) == 1
    stones = [use.get("href") for use in root.iter(f"{space}use")]
    assert stones.count("#p1") == 3
    assert stones.count("#p2") == 2


def test_themes() -> None:
    position = ox.Game("3^2").start()
    both = ox.picture(position).decode()
    dark = ox.picture(position, theme="dark").decode()
    assert "prefers-color-scheme" in both
    assert "prefers-color-scheme" not in dark
    assert DARK.ground in dark
    assert LIGHT.ground not in dark
    assert ox.picture(position, "png", theme="light") == ox.picture(position, "png")
    assert ox.picture(position, "png", theme="dark") != ox.picture(position, "png")


def test_a_picture_of_given_sides_has_the_board_in_the_middle() -> None:
    drawn = pixels(opened(ox.picture(some("3^2"), "png", size=(1200, 630))))
    assert drawn.shape == (630, 1200, 3)
    busy = np.flatnonzero((drawn != drawn[0, 0]).any((0, 2)))
    assert abs((busy[0] + busy[-1]) - 1199) <= 1


def test_a_record_is_drawn_as_its_last_position() -> None:
    record = ox.Record(ox.Game("3^2"), (4, 0, 2))
    assert ox.picture(record, "gif") == ox.picture(record.position, "gif")


def test_what_cannot_be_drawn_is_refused() -> None:
    position = ox.Game("3^2").start()
    for given in ({"kind": "bmp"}, {"size": 10}, {"size": (200, 9000)}, {"theme": "red"}):
        with pytest.raises(ox.SpecError):
            ox.picture(position, **given)
    with pytest.raises(ox.SpecError):
        ox.picture(position, "gif", seconds=0)
    with pytest.raises(ox.LimitError, match="4,225"):
        ox.picture(ox.Game("65^2:connect=5").start(), "png")
    with pytest.raises(ox.LimitError, match="does not fit"):
        ox.picture(ox.Game("40^2:connect=5").start(), "png", size=100)


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("4^3 moves:0,21,42,63,1,2,3", "4×4×4, Ring to move, 7 stones"),
        ("3^2 moves:0", "3×3, Ring to move, 1 stone"),
        ("3^2 " + WON, "3×3, Cross wins, 5 stones"),
        ("3^2:players=3,misere moves:0,1,2,3,4,5,6", "3×3, Ring and Triangle win, 7 stones"),
        ("2{0+1} moves:0,1", "2 cells, A draw, 2 stones"),
        ("3^1 moves:0", "3 in a row, Ring to move, 1 stone"),
    ],
)
def test_words(named: str, words: str) -> None:
    spec, moves = named.split()
    assert described(ox.Game(spec).position(moves)) == words


def test_notes_stand_in_free_cells_of_svg_alone() -> None:
    position = ox.Game("3^2").position("moves:4")
    assert b">W 5</text>" in ox.picture(position, notes={0: "W 5"})
    for cell in (4, 9, -1):
        with pytest.raises(ox.SpecError, match=f"free cell, and cell {cell} is not free"):
            ox.picture(position, notes={cell: "?"})
    with pytest.raises(ox.SpecError, match="only SVG has notes"):
        ox.picture(position, "png", notes={0: "?"})


def test_values_colour_their_cells_and_estimates_have_stripes() -> None:
    position = ox.Game("3^2").position("moves:4")
    drawn = ox.picture(position, notes={0: "W 5", 1: "L 2", 2: "=", 3: "74 %", 5: "?"}).decode()
    for tone in ("win4", "loss5", "draw", "win3"):
        assert f'class="cell {tone}"' in drawn
        assert f".{tone}{{fill:" in drawn
    assert drawn.count('class="guess"') == 1
    assert "win4" not in ox.picture(position).decode()


@pytest.mark.parametrize(
    ("notes", "tones"),
    [
        ("W 1,W 3,W 7,W 13,W 25", "win5,win4,win3,win2,win1"),
        ("L 2,L 4,L 10,L 20,L 30", "loss5,loss4,loss3,loss2,loss1"),
        ("W,=,100 %,49 %,40 %,?", "win3,draw,win5,draw,loss1,"),
    ],
)
def test_tones_tell_five_distances_apart(notes: str, tones: str) -> None:
    assert ",".join(map(tone_of, notes.split(","))) == tones
