"""Stones of one's own, and blocks of text."""

from __future__ import annotations

import pytest

from hyperoxo.errors import SpecError
from hyperoxo.notation.stones import ICONS
from hyperoxo.play.board_style import ASCII_ICONS, BoardStyle
from tests.expect import message_of


def test_eight_shapes_and_eight_letters() -> None:
    assert len({*ICONS}) == len({*ASCII_ICONS}) == 8
    assert "".join(ASCII_ICONS).isascii()
    names = [BoardStyle.of(8).name(player) for player in range(1, 9)]
    assert names[0] == "Cross"
    assert names[7] == "Star"
    assert len({BoardStyle.of(8).colour(player) for player in range(1, 9)}) == 8


@pytest.mark.parametrize(
    ("icons", "message"),
    [
        (["X"], "2 players need 2 icons, not 1"),
        (["X", "X"], "two players have the same icon"),
        (["X", "ABC"], "icon 'ABC' must be one or two columns wide"),
        (["X", "\n"], "icon '\\n' must be one or two columns wide"),
        (["X", "·"], "icon '·' is the sign of a free or blocked cell"),
    ],
)
def test_icons_that_will_not_do(icons: list[str], message: str) -> None:
    assert message_of(SpecError, BoardStyle.of, 2, icons=icons) == message


def test_a_narrow_screen_still_has_some_width() -> None:
    assert BoardStyle.of(2, width=3).width == 16
