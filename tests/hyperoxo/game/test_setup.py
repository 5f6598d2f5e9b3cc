"""A position can be set up exactly if play can reach it: all colourings of small boards."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.game import BLOCKED, Game, Position
from tests.expect import message_of
from tests.marks import more
from tests.strategies import games

OPENINGS = (
    "",
    "opening=poor",
    "opening=richx2",
    "opening=0+1x2",
    "opening=1+3x2",
    "opening=0+1+2x3",
)


def reachable(game: Game) -> set[bytes]:
    """Owners of every position that play leads to."""
    start = game.start()
    seen, waiting = {start.owners}, [start]
    while waiting:
        position = waiting.pop()
        for cell in position.legal_moves:
            following = position.play(cell)
            if following.owners not in seen:
                seen.add(following.owners)
                waiting.append(following)
    return seen


def accepted(game: Game) -> set[bytes]:
    """Owners of every position that can be set up, among all colourings."""
    marks = [
        (BLOCKED,) if cell in game.blocked else tuple(range(game.players + 1))
        for cell in range(game.board.cell_count)
    ]
    return {owners for owners in map(bytes, product(*marks)) if can_be_set_up(game, owners)}


def can_be_set_up(game: Game, owners: bytes) -> bool:
    try:
        position = Position.from_owners(game, owners)
    except NotationError:
        return False
    return position.owners == owners


def mixes(board: str) -> list[str]:
    """All mixes of options on a board that make a game."""
    found: dict[str, None] = {}
    for options in product(
        ("", "players=3"),
        ("", "target=2"),
        ("", "misere"),
        ("", "gravity", "gravity=1"),
        ("", "blocked=0", "blocked=3"),
        OPENINGS,
    ):
        chosen = ",".join(filter(None, options))
        try:
            found[str(Game(f"{board}:{chosen}" if chosen else board))] = None
        except HyperoxoError:
            continue
    return list(found)


@pytest.mark.parametrize("board", more(["2^2", "2,3,2", "3,1,2"], but=["3,1,2"]))
def test_all_mixes_of_options_on_boards_of_a_few_cells(board: str) -> None:
    specs = mixes(board)
    assert len(specs) > 20
    for spec in specs:
        assert accepted(Game(spec)) == reachable(Game(spec)), spec


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("3^2", marks=pytest.mark.more),
        pytest.param("3^2:misere", marks=pytest.mark.more),
        pytest.param("3^2:target=2", marks=pytest.mark.more),
        "3^2:gravity",
        pytest.param("3^2:opening=poorx2", marks=pytest.mark.more),
        "3^2:blocked=centre,target=2,opening=1+3x2",
        "3^2:gravity=1,opening=1+3x2",
        "3^2:gravity,target=2,opening=0+1+2x3",
        "3^2:misere,gravity=1,blocked=3,opening=0+1x2",
        "3^2:players=3,blocked=0+1,gravity",
        "3^2:players=3,blocked=1+8,misere,opening=0+4x2",
        pytest.param("3,3,2:exact,target=2,opening=0+4x2", marks=pytest.mark.more),
        pytest.param("3,3,2:exact,misere,target=3", marks=pytest.mark.more),
        "4,2,3:exact,gravity=1,opening=0+1+2x3",
        "8,1,2:exact,opening=0+3+6x2",
        "6,1,2:exact,players=3,target=2",
        "6{0+1/1+2+3/3+4/5}:target=2,opening=1+5x2",
        pytest.param("3^2:convention=maker-breaker,bias=1+2,opening=0+4x2", marks=pytest.mark.more),
        "3^2:convention=avoider-enforcer,first=2,gravity,opening=0+1x2",
        pytest.param("3,3,2:bias=2+1,first=2,opening=0+4+8x3", marks=pytest.mark.more),
    ],
)
def test_mixes_of_options_on_nine_cells(spec: str) -> None:
    game = Game(spec)
    assert accepted(game) == reachable(game)


SMALL = games(hypercubes=("2^2", "3^1", "2^1", "5^1"), most_players=4, new_rules=True).filter(
    lambda game: (game.players + 1) ** game.cells <= 4**6
)


@pytest.mark.more
@settings(max_examples=60)
@given(SMALL)
def test_random_small_games(game: Game) -> None:
    assert accepted(game) == reachable(game)


@pytest.mark.more
@settings(max_examples=100)
@given(games(new_rules=True), st.data())
def test_any_bytes_are_accepted_or_refused(game: Game, data: st.DataObject) -> None:
    size = game.board.cell_count
    marks = st.sampled_from([0, 1, 2, 3, 9, 255])
    owners = bytes(data.draw(st.lists(marks, min_size=max(0, size - 1), max_size=size + 1)))
    if can_be_set_up(game, owners):
        assert Position.from_owners(game, owners).ply <= game.cells


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("6,5,4:exact,target=2,bias=2+1,opening=12+14+21+28x4", "1.222.21.1111111121..11.1.2112"),
        (
            "6,5,4:exact,target=2,bias=2+2,opening=8+19+21+25+26+27",
            "211111112221121221222221122111",
        ),
        ("5,5,4:exact,target=3,bias=2+1,opening=6+13+16+19x4", "2111211222121111111112211"),
        (
            "5,5,3:exact,target=3,misere,bias=3+2,first-turn=1,opening=5+14+20x4",
            "211111221.112112122112..2",
        ),
    ],
)
def test_an_order_of_many_moves_is_found(spec: str, text: str) -> None:
    position = Game(spec).position(text)
    assert position.text == text
    assert Position.from_owners(position.game, position.owners, reached=True) == position


@pytest.mark.parametrize(
    ("spec", "text", "message"),
    [
        ("3^2", "11.......", "player 1 has 2 of 2 stones, not 1"),
        ("3^2", ".2.......", "player 1 has 0 of 1 stones, not 1"),
        ("3^2", "111222...", "the game was over before its last move"),
        ("3^2", "11122.2..", "the game was over before its last move"),
        ("3^2:target=2", "111222111", "player 1 has 6 of 9 stones, not 5"),
        ("3^2:gravity", "...1.....", "the stone on cell 3 rests on nothing"),
        ("3^2:opening=poor", "1........", "player 1 did not keep to the opening restriction"),
        ("3^2:gravity,opening=0", ".1.......", "no legal order of moves leads there"),
    ],
)
def test_what_is_refused(spec: str, text: str, message: str) -> None:
    assert message in message_of(NotationError, Game(spec).position, text)


def test_a_position_needs_all_cells() -> None:
    with pytest.raises(NotationError, match="position has 8 cells, the board 9"):
        Position.from_owners(Game("3^2"), bytes(8))
    with pytest.raises(NotationError, match="cell 0 holds a stone of player 3"):
        Position.from_owners(Game("3^2"), bytes([3]) + bytes(8))


def test_a_double_line_may_end_a_game() -> None:
    assert (
        Game("3^2").position("111122122").outcome
        == Game("3^2").position("moves:1,4,2,5,3,7,6,8,0").outcome
    )
