"""Regions: every value against the trying of all moves on the whole board."""

from __future__ import annotations

import random
from functools import cache

import pytest

import hyperoxo as ox
from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo_research.draws.regions import Region, falls_apart, regions, whole
from hyperoxo_research.sources import SOURCE
from tests.oracle import Values

MAKER = "convention=maker-breaker"


def made(position: Position, maker: int, maker_to_move: bool) -> bool:
    """True if the maker can complete a line, by the trying of all moves."""
    board, owners = position.game.board, position.owners
    free = frozenset(cell for cell, owner in enumerate(owners) if owner == 0)
    lines = [frozenset(board.line(number).tolist()) for number in range(board.line_count)]
    own = frozenset(cell for cell, owner in enumerate(owners) if owner == maker)

    @cache
    def wins(own: frozenset[int], free: frozenset[int], begins: bool) -> bool:
        if any(line <= own for line in lines):
            return True
        if begins:
            return any(wins(own | {cell}, free - {cell}, False) for cell in free)
        return bool(free) and all(wins(own, free - {cell}, True) for cell in free)

    return wins(own, free, maker_to_move)


def some_board(rng: random.Random, sizes: tuple[int, ...]) -> str:
    """A board of parts of these sizes, each with a few lines, and cells on no line."""
    lines, start = [], 0
    for size in sizes:
        cells = range(start, start + size)
        longest = min(3, size)
        lines += [rng.sample(cells, rng.randint(1, longest)) for _ in range(rng.randint(1, 2))]
        lines += [rng.sample(cells, longest) for _ in range(rng.randint(0, size))]
        lines += [rng.sample(cells, min(2, size)) for _ in range(rng.randint(0, size))]
        start += size
    shapes = {"+".join(map(str, sorted(line))) for line in lines}
    return f"{start + rng.randint(0, 1)}{{{'/'.join(sorted(shapes))}}}"


def positions(rng: random.Random, sizes: tuple[int, ...], option: str = "") -> list[Position]:
    """The positions of a random game that are not over."""
    position = Game(some_board(rng, sizes) + option).start()
    found = []
    while not position.is_over:
        found.append(position)
        position = position.play(rng.choice(position.legal_moves))
    return found


@pytest.mark.parametrize(
    "sizes",
    [
        (7,),
        pytest.param((5, 3), marks=pytest.mark.more),
        pytest.param((3, 3, 2), marks=pytest.mark.more),
    ],
)
def test_the_whole_is_worth_what_its_regions_say(sizes: tuple[int, ...]) -> None:
    rng = random.Random(7)
    for position in (one for _ in range(40) for one in positions(rng, sizes)):
        for maker in (1, 2):
            parts = regions(position, maker)
            cells = [cell for part in parts for cell in part.cells]
            assert len(cells) == len(set(cells))
            for begins in (True, False):
                assert whole(parts, begins) == made(position, maker, begins), (position, maker)


@pytest.mark.parametrize(
    "option",
    [
        "",
        pytest.param(f":{MAKER}", marks=pytest.mark.more),
        pytest.param(f":{MAKER},first=2", marks=pytest.mark.more),
        ":first=2",
        ":target=2",
    ],
)
def test_the_theorem_agrees_with_brute_force(option: str) -> None:
    spoken = 0
    for seed in range(60):
        for position in positions(random.Random(seed), (4, 3), option):
            found = [*SOURCE.bounds(position)]
            if not found:
                continue
            spoken += 1
            values = Values(str(position.game))
            stones = values.read(position.owners, 2)
            value, _ = values.value(stones, position.to_move - 1)
            for bound in found:
                assert bound.low.sign <= value <= bound.high.sign, (position, bound)
                if option.startswith(f":{MAKER}"):
                    assert bound.low == bound.high
    assert spoken > 15


def test_regions_of_a_position() -> None:
    parts = regions(Game("3^2").position("moves:4,0,8"), 2)
    assert parts == (
        Region((1, 2), ((1, 2),), maker_first=False, breaker_first=False),
        Region((3, 6), ((3, 6),), maker_first=False, breaker_first=False),
    )
    # A line that holds a shorter one adds nothing, and a cell of its own is a region.
    first, second = regions(Game("5{0/0+1/2+3/3+4}").start(), 1)
    assert first == Region((0,), ((0,),), maker_first=True, breaker_first=False)
    assert second == Region((2, 3, 4), ((2, 3), (3, 4)), maker_first=True, breaker_first=False)
    assert whole((first, second), maker_to_move=False)
    assert not whole((first,), maker_to_move=False)
    assert regions(Game("3^2").position("moves:4,0,8,2,1,7,3,5"), 2) == ()
    assert not whole((), maker_to_move=True)


def test_where_a_position_falls_apart() -> None:
    start = Game("7{0+1/1+2/2+3/4+5/5+6}").start()
    assert falls_apart(start, 1)
    assert falls_apart(start, 1, most_cells=4)
    assert not falls_apart(start, 1, most_cells=3)
    assert not falls_apart(Game("3^2").start(), 1)
    assert not falls_apart(Game("1{0}").start(), 1)


def test_what_is_not_known_is_not_said() -> None:
    start = Game("10{0+1+2/1+2+3/2+3+4/0+3+4/5+6}").start()
    unknown = regions(start, 1, most=0)
    assert [part.maker_first for part in unknown] == [None, False]
    assert whole(unknown, maker_to_move=True) is None
    assert whole(unknown, maker_to_move=False) is False
    won = Region((0,), ((0,),), maker_first=True, breaker_first=True)
    assert whole((*unknown, won), maker_to_move=True)
    assert whole((*unknown, won), maker_to_move=False)
    maybe = Region((8, 9), (), maker_first=None, breaker_first=False)
    lost = Region((8, 9), (), maker_first=False, breaker_first=False)
    assert whole((maybe, lost), maker_to_move=False) is False
    assert whole((maybe, maybe), maker_to_move=False) is None
    begun = Region((8, 9), (), maker_first=True, breaker_first=False)
    assert whole((begun, maybe), maker_to_move=False) is None
    assert whole((begun, lost), maker_to_move=False) is False
    open_ended = Region((8, 9), (), maker_first=True, breaker_first=None)
    assert whole((open_ended, lost), maker_to_move=False) is None


@pytest.mark.parametrize(
    "spec", ["3^2:gravity", "3^2:misere", "3^2:players=3", "3^2:bias=1+2", "3^2:opening=poor"]
)
def test_where_parts_are_no_games_of_their_own(spec: str) -> None:
    with pytest.raises(NotSupportedError):
        ox.regions(Game(spec).start(), 1)
    assert [*SOURCE.bounds(Game(spec).start())] == []


def test_the_lines_must_count() -> None:
    with pytest.raises(SpecError, match="player 1 or 2, not 3"):
        ox.regions(Game("3^2").start(), 3)
    with pytest.raises(NotSupportedError, match="lines of player 2 do not count"):
        ox.regions(Game(f"3^2:{MAKER}").start(), 2)


def test_an_opening_that_is_over_restricts_nothing() -> None:
    position = Game("3^2:opening=poorx2").position("moves:1,4,3")
    assert ox.regions(position, 1)
