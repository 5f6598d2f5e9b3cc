"""Lines and weights of plans with zones: what a position comes to, worked out in fractions."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hyperoxo.game import Game
from hyperoxo.proof.zones import Lines, Step, ZonePlan, _root_above, by_lines, check_zones, lines_of
from tests.hyperoxo.solvers.maker_breaker.test_search import worth


def lines_in(
    cells: int, lines: str, *, bias: str = "1+1", maker: int = 1, target: int = 1
) -> Lines:
    return Lines(Game(f"{cells}{{{lines}}}:bias={bias}"), maker, target)


def sets(*cells: str) -> list[frozenset[int]]:
    return [frozenset(map(int, one)) for one in cells]


def test_who_makes_lines_and_how_many_cells_a_turn() -> None:
    for maker, cells, others in ((1, 2, 3), (2, 3, 2)):
        lines = lines_in(3, "0+1", bias="2+3", maker=maker)
        assert (lines.cells, lines.breaker_cells) == (cells, others)
    assert ZonePlan(Game("4^2"), 1, "draw", {}).maker == 2
    assert ZonePlan(Game("4^2"), 2, "draw", {}).maker == 1
    for seat in (1, 2):
        assert ZonePlan(Game("4^2:convention=maker-breaker"), seat, "win", {}).maker == 1
    several = Game("3^2:target=2")
    assert lines_of(ZonePlan(several, 2, "draw", {})).target == 1
    made = Game("3^2:target=2,convention=maker-breaker")
    assert lines_of(ZonePlan(made, 2, "win", {})).target == 2


@pytest.mark.parametrize(
    ("owners", "maker", "live", "given"),
    [
        ("00000", 1, sets("012", "23"), "00002"),
        ("01020", 1, sets("02"), "01022"),
        ("10200", 1, [], "22222"),
        ("11110", 1, sets("", ""), "11112"),
        ("00000", 2, sets("012", "23"), "00001"),
        ("20010", 2, sets("12"), "20011"),
        ("02120", 2, [], "11111"),
    ],
)
def test_cells_on_no_live_line_are_given_away(
    owners: str, maker: int, live: list[frozenset[int]], given: str
) -> None:
    lines = lines_in(5, "0+1+2/2+3", maker=maker)
    found = lines.live_lines(bytes(map(int, owners)))
    assert found == (live, bytes(map(int, given)))


def test_blocked_cells_stay_blocked() -> None:
    lines = Lines(Game("4{0+1/2+3}:blocked=3"), 1, 1)
    assert lines.live_lines(bytes([0, 0, 0, 255])) == (sets("01"), bytes([0, 0, 2, 255]))


def test_threats_complete_the_last_line() -> None:
    lines = lines_in(9, "0+1", target=2)
    assert lines.missing(sets("", "0", "12")) == 1
    assert lines.missing(sets("0", "12")) == 2
    assert lines.threats(sets("", "34", "2", "1", "567"), 2) == sets("1", "2", "34")
    assert lines.threats(sets("", "34", "2", "1", "567"), 1) == sets("1", "2")
    assert lines.threats(sets("34", "2"), 2) == []
    assert lines.threats(sets("", "", "2"), 2) == []


def by_floats(
    live: list[frozenset[int]],
    pairs: tuple[tuple[int, int], ...],
    bias: tuple[int, int],
    turn: tuple[bool, int],
    target: int,
) -> set[int] | None:
    """The zone of a leaf, by the words of the module."""
    (a, b), (making, left) = bias, turn
    inside = set().union(*live)
    cells = [cell for pair in pairs for cell in pair]
    if len(set(cells)) < len(cells) or not set(cells) <= inside or (a > 1 and pairs):
        return None
    root = (1 + b) ** (1 / a)
    total, on, zone = 0.0, Counter[int](), set(cells)
    for one in live:
        if not any(set(pair) <= one for pair in pairs):
            rest = one - set(cells)
            whole = making and len(rest) < left
            total += 1 if whole else root ** -len(rest)
            zone |= rest
            on.update(dict.fromkeys(rest, 0 if whole else root ** -len(rest)))
    times = root**left - 1 if making else b - left
    return zone if total + times * max(on.values(), default=0) < target - 1e-12 else None


def test_leaves_hold_where_the_weights_are_small_enough() -> None:
    rng = random.Random(1)
    fates: Counter[tuple[bool, bool, bool]] = Counter()
    for _ in range(2000):
        a, b, target = rng.choice((1, 1, 2, 3)), rng.randint(1, 3), rng.randint(1, 3)
        live = [
            frozenset(rng.sample(range(7), rng.randint(0, 4))) for _ in range(rng.randint(0, 5))
        ]
        cells = rng.sample(range(7), 4) if rng.random() < 0.8 else rng.choices(range(7), k=4)
        pairs = ((cells[0], cells[1]), (cells[2], cells[3]))[: rng.randint(0, 2)]
        making = rng.random() < 0.5
        turn = making, rng.randint(1, a if making else b)
        lines = lines_in(7, "0+1", bias=f"{a}+{b}", target=target)
        found = lines.leaf_zone(live, *turn, pairs)
        assert found == by_floats(live, pairs, (a, b), turn, target), (live, pairs, a, b, turn)
        fates[a > 1, making, found is not None] += 1
    assert len(fates) == 8
    assert min(fates.values()) > 40


@pytest.mark.more
def test_whoever_is_to_move_leaves_keep_the_maker_from_the_target() -> None:
    """By all placements, with the cells outside the zone given to the maker."""
    rng = random.Random(2)
    sizes = (1, 2, 2, 3, 3, 4)
    held: Counter[tuple[bool, bool, bool, bool]] = Counter()
    for _ in range(6000):
        a, b, target = rng.choice((1, 1, 2, 3)), rng.randint(1, 3), rng.randint(1, 2)
        chosen = {frozenset(rng.sample(range(7), rng.choice(sizes))) for _ in range(4)}
        shape = "/".join("+".join(map(str, sorted(one))) for one in chosen)
        spec = f"7{{{shape}}}:convention=maker-breaker,bias={a}+{b},target={target}"
        game = Game(spec)
        ply = rng.randrange(a + b)
        making, left = game.turns.mover(ply) == 1, game.turns.left(ply)
        owners = bytes(rng.choice((0, 0, 0, 0, 1, 2)) for _ in range(7))
        lines = Lines(game, 1, target)
        live, _ = lines.live_lines(owners)
        inside = sorted(set().union(*live))
        rng.shuffle(inside)
        pairs = tuple(zip(inside[::2], inside[1::2], strict=False))[: rng.randint(0, 2)]
        zone = lines.leaf_zone(live, making, left, pairs)
        if zone is None or not any(live):
            continue
        given = tuple(1 if not own and at not in zone else own for at, own in enumerate(owners))
        assert not worth(game, given, ply, {}), (spec, owners, ply, pairs)
        held[a > 1, making, left == (a if making else b), bool(pairs)] += 1
    # Not with pairs for a maker of several cells, nor in the middle of a turn of one.
    assert len(held) == 10, held
    assert min(held.values()) > 20, held


def test_weights_are_no_fractions_of_the_processor() -> None:
    """They are 1 + 4/3 + 2/3 = 3, and two more of the four lines are made; floats say less."""
    lines = lines_in(7, "0+1", bias="1+2", target=3)
    assert lines.leaf_zone(sets("", "0", "1", "2", "3"), True, 1, ()) is None
    assert lines.leaf_zone(sets("", "0", "1", "2"), True, 1, ()) == frozenset({0, 1, 2})


def test_roots_are_rounded_up() -> None:
    for part in (1, 10, 1 << 64):
        for degree in (1, 2, 3):
            for base in (2, 3):
                for k in (0, 1, 2, 5):
                    root = _root_above(part, degree, base, k)
                    assert root**degree * base**k >= part**degree
                    assert root == 1 or (root - 1) ** degree * base**k < part**degree


def test_small_parts() -> None:
    assert [str(one) for one in (Step(), Step(4), Step(4, ()), Step(None, ((0, 1), (2, 3))))] == [
        *("*", "4", "4:", ":0+1,2+3"),
    ]
    assert by_lines({3, 1, 2}, sets("12", "2", "3")) == [2, 1, 3]


def test_plans_begin_after_the_opening() -> None:
    game = Game("6^2:opening=0x2")
    plan = ZonePlan(game, 2, "draw", {})
    assert "when the opening restricts no more moves" in check_zones(plan).reason
