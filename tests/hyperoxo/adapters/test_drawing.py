"""What environments render."""

from __future__ import annotations

import numpy as np
import pytest

from hyperoxo.adapters.drawing import Picture, check_mode, render
from hyperoxo.errors import SpecError
from hyperoxo.game import Game

TEXTS = {
    "3^2 moves:4,0,8": "O · ·\n· X ·\n· · X\nRing to move",
    "3^2:gravity moves:0": "· · ·\n· · ·\nX · ·\nRing to move",
    "2^3:players=4 moves:0,7": "X ·   · ·\n· ·   · O\nTriangle to move",
    "2^4:blocked=0 moves:15": "· ·   · ·\n· ·   · X\n\n# ·   · ·\n· ·   · ·\nRing to move",
    "3^2:players=3,misere moves:0,1,2,3,4,5,6": "X O △\nX O △\nX · ·\nRing and Triangle win",
    "5{0+1} moves:0,2,1": "X X O\n· ·\nCross wins",
    "2{0+1} moves:0,1": "X O\nA draw",
}


@pytest.mark.parametrize("named", TEXTS)
def test_text(named: str, capsys: pytest.CaptureFixture[str]) -> None:
    spec, moves = named.split()
    position = Game(spec).position(moves)
    assert render(position, "ansi") == TEXTS[named]
    assert render(position, "human") is None
    assert capsys.readouterr().out == TEXTS[named] + "\n\n"


def drawn(spec: str, moves: str = "") -> Picture:
    game = Game(spec)
    picture = render(game.position(f"moves:{moves}") if moves else game.start(), "rgb_array")
    assert isinstance(picture, np.ndarray)
    assert picture.dtype == np.uint8
    return picture


def test_a_picture_shows_every_stone_in_its_cell() -> None:
    picture = drawn("3^2:players=8,blocked=8", "0,1,2,3,4,5,6,7")
    margin = (len(picture) - 3 * 48) // 2
    inside = [
        picture[margin + 48 * row + 2 : margin + 48 * (row + 1) - 2, margin + 48 * column + 2 :][
            :, :44
        ]
        for row in range(3)
        for column in range(3)
    ]
    assert len({cell.tobytes() for cell in inside}) == 9
    assert (inside[8] == inside[8][0, 0]).all()
    assert not np.array_equal(drawn("3^2:players=8"), picture)


def test_a_winning_line_is_marked_and_the_last_move_tinted() -> None:
    won, going_on = (drawn("3^2", f"0,3,1,4,{last}") for last in (2, 8))
    corner = {place: (18 + 48 * (place // 3), 18 + 48 * (place % 3)) for place in range(9)}
    assert len({tuple(won[corner[cell]].tolist()) for cell in (0, 1, 2)}) == 1
    assert won[corner[0]].tolist() != won[corner[3]].tolist()
    assert going_on[corner[8]].tolist() != going_on[corner[0]].tolist()


def test_large_boards_give_pictures_of_a_thousand_pixels() -> None:
    assert 900 < len(drawn("40^2:connect=5")) < 1000


def test_modes() -> None:
    assert check_mode(None) is None
    with pytest.raises(SpecError, match="render_mode must be one of"):
        check_mode("video")
    with pytest.warns(UserWarning, match="render_mode"):
        assert render(Game("3^2").start(), None) is None
