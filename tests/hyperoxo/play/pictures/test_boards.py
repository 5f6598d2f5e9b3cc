"""Boards as text, compared with stored drawings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.board import hypercube, hypergraph
from hyperoxo.game import Game, Position
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.pictures.boards import MAX_DRAWN, draw_board, to_ansi
from hyperoxo.solvers import solve
from tests.strategies import play_at_random

GOLDEN = Path(__file__).parent / "golden"

NAMED = hypergraph(7, [(0, 1, 2), (2, 3), (4, 5, 6)], names=list("abcdefg"))


def after(game: Game | str, moves: str) -> Position:
    chosen = Game(game) if isinstance(game, str) else game
    return chosen.position(f"moves:{moves}")


def through_the_centre() -> str:
    game = Game("3^3")
    lines = game.board.lines_through(13).tolist()
    marked = {int(cell) for line in lines for cell in game.board.line(line)} - {0, 26}
    return draw_board(game.start(), marked=marked, chosen=[13]).plain


CASES: dict[str, tuple[Game | str, str, BoardStyle]] = {
    "row": ("5^1", "1,4", BoardStyle.of(2)),
    "square_won": ("3^2", "4,0,5,1,3", BoardStyle.of(2)),
    "square_numbers": ("3^2", "4", BoardStyle.of(2, numbers=True)),
    "cube": ("4^3", "21,63,22", BoardStyle.of(2)),
    "cube_narrow": ("4^3", "21,63,22", BoardStyle.of(2, numbers=True, width=44)),
    "tesseract": ("3^4:blocked=centre,target=9,players=3", "0,80,26,13", BoardStyle.of(3)),
    "five_axes": ("2^5", "0,31", BoardStyle.of(2, width=60)),
    "six_axes": ("2^6:players=8", "0,1,2,4,8,16,32,63", BoardStyle.of(8)),
    "columns_ascii": ("7,6,4:gravity", "3,4,10,5,17,6,24", BoardStyle.of(2, ascii_only=True)),
    "wide": ("25,2,2", "0,49", BoardStyle.of(2, width=40, numbers=True)),
    "named": (Game(board=NAMED), "0,3,1", BoardStyle.of(2)),
    "icons": ("3^2", "4,0", BoardStyle.of(2, icons=["@", "猫"])),
}


def drawn(name: str) -> str:
    if name == "through_a_cell":
        return through_the_centre()
    game, moves, look = CASES[name]
    return draw_board(after(game, moves), look).plain


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_drawings(path: Path) -> None:
    assert drawn(path.stem) + "\n" == path.read_text(encoding="utf-8")


def test_every_case_has_its_drawing() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*CASES, "through_a_cell"}


@pytest.mark.parametrize(
    "spec",
    ["1^1", "2^2", "3^2", "5^3", "4^4", "3^5:gravity", "2^7", "9,4,3:gravity=1", "60,60,5", "15^3"],
)
@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("width", [16, 47, 80, 133])
def test_everything_is_drawn_once_within_the_width(spec: str, numbers: bool, width: int) -> None:
    game = Game(spec)
    position = play_at_random(game.start(), 1, 6)
    text = draw_board(position, BoardStyle.of(2, width=width, numbers=numbers)).plain
    assert max(map(len, text.split("\n"))) <= width
    assert text.count("X") + text.count("O") == position.ply
    if not numbers:
        assert text.count("·") == game.cells - position.ply


@given(st.data())
def test_the_floor_is_below(data: st.DataObject) -> None:
    game = Game(data.draw(st.sampled_from(["5,4,3:gravity", "3^2:gravity", "2^4:gravity=2"])))
    position = game.start()
    for _ in range(3):
        if not position.is_over:
            position = position.play(data.draw(st.sampled_from(position.legal_moves)))
    rows = [row for row in draw_board(position).plain.split("\n") if "·" in row or "X" in row]
    if game.dim is None or game.dim == 2:
        assert not any(sign in rows[0] for sign in "XO") or position.ply >= len(rows)
        assert any(sign in rows[-1] for sign in "XO")


def test_print_draws_the_board() -> None:
    position = after("3^2", "4,0")
    assert str(position) == drawn_with(position, {})
    assert repr(position) == "<Position 3^2 2...1....>"
    solution = solve(position)
    notes = dict.fromkeys(position.legal_moves, "=")
    assert str(solution).startswith(f"{drawn_with(position, notes)}\n\nplayer 1, to move, can")
    assert repr(solution) == (
        "<Solution 3^2: player 1 can force a draw and no more, 7 moves to the end>"
    )


def drawn_with(position: Position, labels: dict[int, str]) -> str:
    return draw_board(position, labels=labels).plain


def test_large_boards_are_told() -> None:
    position = after("70^2", "70,4899,0")
    assert position.game.board.cell_count > MAX_DRAWN
    assert draw_board(position).plain == (
        "The board has 4,900 cells, too many to draw.\nLast move: a70.\nX  a70, a69\nO  br1"
    )


def test_many_stones_on_a_large_board_are_cut_short() -> None:
    stones = bytes([1, 2] * 300) + bytes(10**4 - 600)
    position = Position.from_owners(Game(board=hypercube(10**4, 1)), stones)
    text = draw_board(position).plain
    assert text.count("and 100 more") == 2
    assert max(map(len, text.split("\n"))) <= 80


def test_colour_is_an_addition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = draw_board(after("3^2", "4,0"))
    coloured = to_ansi(text, colour=True)
    assert "\x1b[" in coloured
    assert to_ansi(text, colour=False) == text.plain
    assert "\x1b[" not in text.plain
    monkeypatch.setenv("TERM", "dumb")
    assert to_ansi(text, colour=True) == text.plain
