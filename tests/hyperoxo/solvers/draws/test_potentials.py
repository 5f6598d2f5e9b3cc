"""Weights of lines: against sums worked out otherwise, and against all that a maker can do."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations
from math import isqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hyperoxo.game import FREE, Game, Position, Value
from hyperoxo.solvers.draws.pairing import open_lines
from hyperoxo.solvers.draws.potentials import (
    after_the_turn,
    exponents,
    is_light,
    root_above,
    sum_of,
)
from hyperoxo.solvers.theorems import bounds_by_theorems
from tests.judge import forced
from tests.strategies import play_at_random


def after_one_cell(position: Position, maker: int, others: int, left: int) -> Fraction:
    """What lines weigh at the most after one cell of a maker, in fractions."""
    cases = after_the_turn(position, maker, others, left or 1, making=not left)
    return max(
        sum((Fraction(count, (1 + others) ** k) for k, count in lines.items()), Fraction(0))
        for lines in cases
    )


_SPECS = ["3^2", "4^2:bias=1+2", "3^3", "5,4,3", "4^2:opening=0", "4^2:opening=1"]


@pytest.mark.more
@given(st.sampled_from(_SPECS), st.randoms())
@example("4^2:opening=1", random.Random(2))
def test_one_cell_a_turn_by_its_definition(spec: str, rng: random.Random) -> None:
    position = play_at_random(Game(spec).start(), rng, rng.randrange(6))
    if position.is_over:
        return
    for maker in (1, 2):
        lines = [*open_lines(position, maker)]
        for b in (1, 2, 3):
            total = sum((Fraction(1, (1 + b) ** len(free)) for free in lines), Fraction(0))
            on = {
                cell: sum(Fraction(cell in free, (1 + b) ** len(free)) for free in lines)
                for cell in range(position.game.board.cell_count)
                if position.owners[cell] == FREE
            }
            assert after_one_cell(position, maker, b, b) == total
            moves = max(on[cell] for cell in position.legal_moves)
            assert after_one_cell(position, maker, b, 0) == total + b * moves
            if b > 1:
                found = after_one_cell(position, maker, b, 1)
                assert found == total + (b - 1) * max(on.values())
        for left in (0, 1, 2):
            counted = [len(free) - left for free in lines]
            assert exponents(position, maker, left) == {k: counted.count(k) for k in counted}


@pytest.mark.parametrize("bias", [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_the_turn_of_a_maker_of_several_cells(bias: tuple[int, int]) -> None:
    """No cells that the maker can take weigh more afterwards, nor less what the breaker takes."""
    (a, b), rng = bias, random.Random(3)
    root = (1 + b) ** (1 / a)

    def weight(position: Position, more: tuple[int, ...], taken: tuple[int, ...] = ()) -> float:
        lines = (free for free in open_lines(position, 1) if not set(taken) & set(free))
        return math.fsum(root ** -len(set(free) - set(more)) for free in lines)

    for _ in range(20):
        position = play_at_random(Game("3^2").start(), rng, rng.randrange(4))
        free, total = position.legal_moves, weight(position, ())
        heaviest = total - min(weight(position, (), (cell,)) for cell in free)
        for left in range(1, a + 1):
            cases = after_the_turn(position, 1, b, left, making=True)
            most = max(sum_of(lines, 1 + b, a) for lines in cases)
            assert most == pytest.approx(total + (root**left - 1) * heaviest)
            reached = max(weight(position, more) for more in combinations(free, left))
            assert reached <= most + 1e-9
        for left in range(1, b + 1):
            cases = after_the_turn(position, 1, b, left, making=False)
            most = max(sum_of(lines, 1 + b, a) for lines in cases)
            assert most == pytest.approx(total + (b - left) * heaviest)
            taken: tuple[int, ...] = ()
            for _ in range(left):
                rest = [cell for cell in free if cell not in taken]
                taken += (min(rest, key=lambda cell: weight(position, (), (*taken, cell))),)
            rest = [cell for cell in free if cell not in taken]
            reached = max(weight(position, more, taken) for more in combinations(rest, a))
            assert reached <= most + 1e-9


def test_an_opening_is_about_one_cell_of_a_turn() -> None:
    """With two cells left, the heaviest cell need not be the first."""
    position = Game("3^2:opening=0").start()
    one, two = (after_the_turn(position, 1, 2, left, making=True) for left in (1, 2))
    assert one == [{3: 5, 2: 3}]
    assert {3: 4, 1: 4} in two


@given(
    st.dictionaries(st.integers(0, 12), st.integers(1, 60), max_size=5),
    st.sampled_from([2, 3, 4, 8, 9, 16, 27]),
    st.integers(1, 6),
)
def test_light_as_floating_point_says_where_it_can(
    lines: dict[int, int], base: int, root: int
) -> None:
    total = sum_of(lines, base, root)
    if abs(total - 1) > 1e-9:
        assert is_light(lines, base, root) == (total < 1)


@given(st.integers(1, 40), st.integers(1, 4), st.integers(2, 5), st.integers(0, 6))
@example(8, 1, 2, 3)
@example(40, 1, 2, 2)
def test_roots_are_rounded_up_by_nothing_more(part: int, root: int, base: int, k: int) -> None:
    """The least whole number c with c^root >= part^root / base^k."""
    enough = [c for c in range(part + 1) if Fraction(c**root) >= Fraction(part**root, base**k)]
    assert root_above(part, root, base, k) == enough[0]


def test_light_where_floating_point_cannot_tell() -> None:
    # Each is exactly 1, by roots that are whole after all.
    for lines, base, root in (
        ({1: 8}, 8, 1),
        ({1: 2}, 8, 3),
        ({1: 1, 2: 2}, 4, 2),
        ({2: 2, 1: 1}, 8, 3),
        ({0: 1}, 2, 5),
    ):
        assert sum_of(lines, base, root) == pytest.approx(1)
        assert not is_light(lines, base, root)
    # Just light, by roots that are whole after all.
    assert is_light({3: 7}, 4, 2)
    assert is_light({2: 3}, 8, 3)
    # A hair below and above: 40 is a whole power, 41 is not.
    assert is_light({40: 2**20 - 1}, 2, 2)
    assert not is_light({40: 2**20 - 1, 41: 2}, 2, 2)
    assert is_light({40: 2**20 - 2, 41: 1}, 2, 2)
    assert is_light({1: 1}, 2, 2)
    assert not is_light({0: 1, 1: 1}, 2, 2)
    # Closer to 1 than a part of 2^64: 3^(1/2) / 9 = 0.19245..., and the rest in parts of 3^60.
    rest = 3**60 - isqrt(3**117) - 1
    assert is_light({3: 1, 120: rest}, 3, 2)
    assert not is_light({3: 1, 120: rest + 1}, 3, 2)
    assert not is_light({-1: 1}, 4, 2)
    assert is_light({}, 2, 3)


@pytest.mark.parametrize("bias", ["1+1", "1+2", "1+3", "2+1", "2+2", "2+3", "3+2"])
@pytest.mark.parametrize("start", [1, 2])
def test_whom_the_weights_keep_from_lines_completes_none(bias: str, start: int) -> None:
    """Whatever the Maker does, by all placements, on random boards of seven cells."""
    rng = random.Random(f"{bias} {start}")
    triples = [
        "+".join(map(str, line)) for size in (2, 3, 4) for line in combinations(range(7), size)
    ]
    spoken = 0
    for _ in range(60):
        lines = "/".join(rng.sample(triples, rng.randrange(1, 6)))
        spec = f"7{{{lines}}}:convention=maker-breaker,bias={bias},first={start}"
        position = play_at_random(Game(spec).start(), rng, rng.randrange(4))
        if position.is_over:
            continue
        bounds = bounds_by_theorems(position)
        if any(why.code.name == "BIAS" and why.facts["ends"] == "wins" for why in bounds.reasons):
            spoken += 1
            wins = forced(position, position.to_move) == 1
            assert bounds.value is (Value.WIN if wins else Value.LOSS)
    assert spoken or bias == "1+1"


def test_without_a_line_nothing_weighs_anything() -> None:
    closed = Game("4{0+1}").position("moves:0,1")
    assert [after_one_cell(closed, maker, 2, 0) for maker in (1, 2)] == [0, 0]
