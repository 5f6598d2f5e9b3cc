"""What each theorem says, by numbers worked out by hand, and where it has to be silent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from hyperoxo.game import Bounds, Game, Position, Reason, Value, Why
from hyperoxo.solvers import theorems
from hyperoxo.solvers.theorems import (
    SOURCES,
    _avoiding,
    _beck,
    _making,
    _mirroring,
    _pairing,
    _potential,
    _strategy_stealing,
    bounds_by_theorems,
    breakers,
    no_draw,
)
from tests.expect import require
from tests.hyperoxo.solvers.draws.test_potentials import after_one_cell
from tests.hyperoxo.solvers.test_values import FANO, TRIPLES

NEVER = "never loses"
MAKER, AVOIDER = "convention=maker-breaker", "convention=avoider-enforcer"
LOSS, NOTHING, DRAW, WIN = Value.LOSS, Value.NOTHING, Value.DRAW, Value.WIN
# Every filling of six cells by two has two triples of one colour or more.
SIX = f"6{{{'/'.join('+'.join(map(str, line)) for line in combinations(range(6), 3))}}}"
Said = tuple[Value, Value, tuple[Reason, ...]]


def at(spec: str, moves: str = "") -> Position:
    return Game(spec).position(f"moves:{moves}")


def said(theorem: Callable[[Position], Iterator[Bounds]], position: Position) -> list[Said]:
    return [(bound.low, bound.high, bound.reasons) for bound in theorem(position)]


def test_strategy_stealing() -> None:
    for spec in ("3^2", "3^2:first=2", "3^2:target=2"):
        assert said(_strategy_stealing, at(spec)) == [(DRAW, WIN, (Why.STEALING(),))]
    for option in ("misere", "gravity", "opening=0", "bias=1+2", "players=3", MAKER, AVOIDER):
        assert said(_strategy_stealing, at(f"3^2:{option}")) == []
    assert said(_strategy_stealing, at("3^2", "4")) == []


def test_mirroring() -> None:
    first, second = (Why.MIRRORING_FIRST(ends=NEVER),), (Why.MIRRORING_SECOND(ends=NEVER),)
    assert said(_mirroring, at("3^2:misere")) == [(DRAW, WIN, first)]
    assert said(_mirroring, at("4^2:misere")) == [(LOSS, DRAW, second)]
    assert said(_mirroring, at("4^2:misere", "0,15")) == []
    for spec in ("3^2", "3^2:misere,blocked=0", "3^2:misere,wrap", "3^2:misere,first=2"):
        assert said(_mirroring, at(spec)) == []


@pytest.mark.parametrize(
    ("spec", "moves", "seats"),
    [
        ("3^2", "", [1, 2]),
        ("3^2:bias=1+2", "", [1, 2]),
        (f"3^2:{MAKER}", "", [2]),
        (f"3^2:{AVOIDER}", "", []),
        ("3^2:misere", "", []),
        ("3^2:gravity", "", []),
        ("3^2:players=3", "", []),
        ("3^2:opening=poor", "", [2]),
        ("3^2:opening=poor", "1", [1, 2]),
        ("3^2:opening=poorx2", "1,0", [2]),
        ("3^2:opening=poorx2", "1,0,3", [1, 2]),
        ("3^2:opening=poor,first=2", "", [1]),
        ("3^2:opening=poor,first=2", "1", [1, 2]),
        ("3^2:opening=poorx2,bias=1+2", "1,0,4", [2]),
        ("3^2:opening=poorx2,bias=1+2", "1,0,4,3", [1, 2]),
    ],
)
def test_a_player_who_answers_everywhere_may_break(spec: str, moves: str, seats: list[int]) -> None:
    assert [*breakers(at(spec, moves))] == seats


@pytest.mark.parametrize(
    ("theorem", "spec", "lines"),
    [
        (_potential, "4^2", 10),
        (_avoiding, f"4^2:{AVOIDER}", 10),
        (_beck, "4^3:players=4", 76),
    ],
)
def test_boards_of_too_many_lines_are_left_out(
    theorem: Callable[[Position], Iterator[Bounds]],
    spec: str,
    lines: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(theorems, "_MOST_LINES", lines)
    assert said(theorem, at(spec))
    monkeypatch.setattr(theorems, "_MOST_LINES", lines - 1)
    assert not said(theorem, at(spec))


def test_the_potential_counts_the_next_move_of_the_maker() -> None:
    start = at("3^2")
    assert after_one_cell(start, 2, 1, 1) == 8 / 8
    assert after_one_cell(start, 1, 1, 0) == 8 / 8 + 4 / 8
    assert after_one_cell(start, 1, 3, 0) == 8 / 64 + 3 * 4 / 64
    assert after_one_cell(at("3^2:opening=0"), 1, 1, 0) == 8 / 8 + 3 / 8
    assert after_one_cell(at("3^2", "4,0"), 1, 1, 0) == 3 / 4 + 2 / 8 + 3 / 8
    assert after_one_cell(at("3^2", "4,0"), 2, 1, 1) == 2 / 4 + 2 / 8


def test_potential() -> None:
    start, corner = 10 / 16, 3 / 16
    first = Why.POTENTIAL(maker=2, breaker=1, total=start, ends=NEVER)
    second = Why.POTENTIAL(maker=1, breaker=2, total=start + corner, ends=NEVER)
    assert said(_potential, at("4^2")) == [(DRAW, WIN, (first,)), (LOSS, DRAW, (second,))]
    # After a move to a corner player 1 has 3 lines of 3 free cells, and player 2 has 7 of 4.
    first = Why.POTENTIAL(maker=2, breaker=1, total=7 / 16 + 3 / 16, ends=NEVER)
    second = Why.POTENTIAL(maker=1, breaker=2, total=3 / 8 + 7 / 16, ends=NEVER)
    assert said(_potential, at("4^2", "0")) == [(LOSS, DRAW, (first,)), (DRAW, WIN, (second,))]
    wins = Why.POTENTIAL(maker=1, breaker=2, total=start + corner, ends="wins")
    assert said(_potential, at(f"4^2:{MAKER}")) == [(LOSS, LOSS, (wins,))]


def test_a_potential_of_one_is_too_much() -> None:
    """The Breaker begins and takes a cell of two lines; the Maker wins on the other two."""
    start = at(f"6{{0+1/0+2/3+4/3+5}}:{MAKER},first=2")
    assert after_one_cell(start, 1, 1, 1) == 1
    assert said(_potential, start) == []
    won = start.play(0).play(3).play(4).play(5)
    assert require(won.outcome).winners == (1,)
    # The Maker begins, and only one of two cells is on the line.
    alone = at(f"2{{0}}:{MAKER}")
    assert after_one_cell(alone, 1, 1, 0) == 1
    assert said(_potential, alone) == []


def test_potential_of_a_bias() -> None:
    # The Maker takes one cell a turn, the breaker three: each free cell weighs 1/4.
    total = 8 * 4**-3
    second = Why.BIAS(maker=1, breaker=2, total=total + 3 * 4 * 4**-3, ends=NEVER)
    assert said(_potential, at("3^2:bias=1+3")) == [(LOSS, DRAW, (second,))]
    second = Why.BIAS(maker=1, breaker=2, total=3 * 4**-2 + 5 * 4**-3, ends=NEVER)
    assert said(_potential, at("3^2:bias=1+3", "0")) == [(DRAW, WIN, (second,))]
    # With two cells left of its turn the breaker takes the heaviest, 0's third line or a corner.
    second = Why.BIAS(maker=1, breaker=2, total=2 * 4**-2 + 2 * 4**-3 + 4**-2 + 4**-3, ends=NEVER)
    assert said(_potential, at("3^2:bias=1+3", "0,4")) == [(DRAW, WIN, (second,))]
    first = Why.BIAS(maker=2, breaker=1, total=total, ends=NEVER)
    assert said(_potential, at("3^2:bias=3+1")) == [(DRAW, WIN, (first,))]
    wins = Why.BIAS(maker=1, breaker=2, total=total + 3 * 4 * 4**-3, ends="wins")
    assert said(_potential, at(f"3^2:bias=1+3,{MAKER}")) == [(LOSS, LOSS, (wins,))]


def test_the_heaviest_cell_counts() -> None:
    # Five lines of three cells weigh 5/8, and as much again with the cell that they share.
    star = "11{" + "/".join(f"0+{cell}+{cell + 1}" for cell in range(1, 10, 2)) + "}"
    assert [low for low, _, _ in said(_potential, at(star))] == [DRAW]
    assert [low for low, _, _ in said(_potential, at(star, "0,1"))] == [DRAW]


def test_potential_of_a_maker_who_takes_several_cells() -> None:
    # Third root of 8: each free cell weighs 1/2. A corner is on three lines; the Maker adds 7 times
    # that.
    second = Why.BIAS(maker=1, breaker=2, total=(18 + 7 * 3) * 2**-8, ends=NEVER)
    assert said(_potential, at("8^2:bias=3+7")) == [(LOSS, DRAW, (second,))]
    # With two cells left of the turn it adds 3 times what another corner weighs.
    after = Why.BIAS(maker=1, breaker=2, total=(15 + 3 * 2 + 3 * 4) * 2**-8, ends=NEVER)
    assert said(_potential, at("8^2:bias=3+7", "0")) == [(LOSS, DRAW, (after,))]
    # The breaker to move, with its whole turn: the first row has 5 free cells, four lines have 7.
    after = Why.BIAS(maker=1, breaker=2, total=2**-5 + 4 * 2**-7 + 13 * 2**-8, ends=NEVER)
    assert said(_potential, at("8^2:bias=3+7", "0,1,2")) == [(DRAW, WIN, (after,))]
    # It has six of its seven cells left, and 9 is on a column of the Maker's and the diagonal.
    broken = Why.BIAS(maker=1, breaker=2, total=(12 + 4 * 2 + 5) * 2**-8, ends=NEVER)
    assert said(_potential, at("8^2:bias=3+7", "0,1,2,3")) == [(DRAW, WIN, (broken,))]
    # One cell less a turn would be too few.
    start, few = at("8^2:bias=3+3"), (18 + 3 * 3) * 4 ** (-8 / 3)
    _, (low, high, (found,)) = said(_potential, start)
    assert (low, high, found.facts["total"]) == (LOSS, DRAW, pytest.approx(few))
    assert [low for low, _, _ in said(_potential, at("8^2:bias=3+2"))] == [DRAW]
    # Here it is 12 / 32 and 7 times the centre's 4 / 32, of which nothing is known.
    assert said(_potential, at("5^2:bias=3+7")) == []


def test_avoiding() -> None:
    # The last cell of 16 is the Enforcer's.
    assert said(_avoiding, at(f"4^2:{AVOIDER}")) == [(WIN, WIN, (Why.AVOIDING(total=10 / 16),))]
    corner = Why.AVOIDING(total=3 / 8 + 7 / 16)
    assert said(_avoiding, at(f"4^2:{AVOIDER}", "0")) == [(LOSS, LOSS, (corner,))]
    # The last of 25 is the Avoider's, unless the other one begins or takes two cells a turn.
    double, single = Why.AVOIDING(total=2 * 12 / 32), Why.AVOIDING(total=12 / 32)
    assert said(_avoiding, at(f"5^2:{AVOIDER}")) == [(WIN, WIN, (double,))]
    assert said(_avoiding, at(f"5^2:{AVOIDER},first=2")) == [(LOSS, LOSS, (single,))]
    assert said(_avoiding, at(f"5^2:{AVOIDER},bias=1+2")) == [(WIN, WIN, (double,))]
    assert said(_avoiding, at(f"5^2:{AVOIDER},bias=1+3")) == [(WIN, WIN, (double,))]
    assert said(_avoiding, at(f"5^2:{AVOIDER},bias=1+4")) == [(WIN, WIN, (single,))]
    assert said(_avoiding, at(f"4^2:{AVOIDER},first=2")) == []
    assert said(_avoiding, at(f"3^2:{AVOIDER},first=2")) == []
    for spec in (f"5^2:{AVOIDER},bias=2+1", "5^2", f"5^2:{MAKER}", f"5^2:{AVOIDER},gravity"):
        assert said(_avoiding, at(spec)) == []


def test_an_avoider_needs_a_free_choice() -> None:
    opening = f"5^2:{AVOIDER},opening=poorx2"
    for moves, speaks in (("", False), ("1,0", False), ("1,0,3", True)):
        assert bool(said(_avoiding, at(opening, moves))) == speaks
    assert said(_avoiding, at(f"{opening},first=2"))


def test_making() -> None:
    won = (Why.NO_DRAW_OF_SIDE_3(), Why.MAKING())
    assert said(_making, at(f"3^3:{MAKER}")) == [(WIN, WIN, won)]
    assert said(_making, at(f"3^3:{MAKER}", "0")) == []
    for spec in (f"3^2:{MAKER}", "3^3", f"3^3:{MAKER},first=2", f"3^3:{MAKER},bias=1+2"):
        assert said(_making, at(spec)) == []


def test_pairing() -> None:
    first = Why.PAIRING(maker=2, breaker=1, ends=NEVER)
    second = Why.PAIRING(maker=1, breaker=2, ends=NEVER)
    assert said(_pairing, at("5^2")) == [(DRAW, WIN, (first,)), (LOSS, DRAW, (second,))]
    # Inside a pair one cell is answered, not two.
    assert said(_pairing, at("5^2:bias=1+2")) == [(LOSS, DRAW, (second,))]
    assert said(_pairing, at("5^2:bias=2+1")) == [(DRAW, WIN, (first,))]
    assert said(_pairing, at("5^2:bias=2+2")) == []
    assert said(_pairing, at("4^2")) == []
    wins = Why.PAIRING(maker=1, breaker=2, ends="wins")
    assert said(_pairing, at(f"5^2:{MAKER}")) == [(LOSS, LOSS, (wins,))]


def test_potential_against_several_players() -> None:
    total = 76 / 4**4 + 3 * 7 / 4**4
    why = Why.BIASED_POTENTIAL(maker=1, total=total, others=3)
    assert said(_beck, at("4^3:players=4")) == [(NOTHING, DRAW, (why,))]
    for spec in ("4^3:players=3", "4^2", "4^3:players=4,gravity", "4^3:players=4,misere"):
        assert said(_beck, at(spec)) == []
    # Three others are too few here: the player in the centre has four lines left.
    star = at("5{0+1/0+2/0+3/0+4}:players=4")
    assert after_one_cell(star, 1, 3, 0) == 1
    assert said(_beck, star) == []
    won = star.play(0).play(1).play(2).play(3).play(4)
    assert require(won.outcome).winners == (1,)


def test_others_need_a_free_choice() -> None:
    """Player 1, whom the opening restricts, is one of the others for those who follow."""
    spec = "4^3:players=4,opening=poorx2"
    for moves, speaks in (("", True), ("1", False), ("1,22", False), ("1,22,25,26", True)):
        assert bool(said(_beck, at(spec, moves))) == speaks, moves
    assert said(_beck, at(spec, "1,22,25,26,2"))
    assert said(_beck, at("4^3:players=4", "1"))


@pytest.mark.parametrize("spec", ["3^3", "3^4"])
def test_no_draw_of_side_3(spec: str, core_alone: None) -> None:
    found = require(no_draw(Game(spec)))
    assert (found.reason, found.proof(), found.large) == (Why.NO_DRAW_OF_SIDE_3(), None, False)


@pytest.mark.parametrize("spec", ["3^3:blocked=0", "3^3:target=2", TRIPLES, "3^2", "2^3", "4^3"])
def test_no_draw_of_others_is_known_elsewhere(spec: str, core_alone: None) -> None:
    assert no_draw(Game(spec)) is None


def test_bounds_are_joined() -> None:
    """Half a value becomes a whole one where no draw exists, for two players only."""
    assert bounds_by_theorems(at("3^2")) == Bounds(DRAW, WIN)
    assert bounds_by_theorems(at("4^2")) == Bounds(DRAW, DRAW)
    assert bounds_by_theorems(at(FANO)) == Bounds(WIN, WIN)
    assert bounds_by_theorems(at(FANO, "0")) == Bounds(LOSS, LOSS)
    assert bounds_by_theorems(at(f"{FANO}:players=3")) == Bounds(NOTHING, DRAW)
    assert bounds_by_theorems(at("2^2:players=3")) == Bounds(NOTHING, WIN)
    silent = bounds_by_theorems(at("3^3:gravity"))
    assert (silent, silent.reasons) == (Bounds(), ())


@pytest.mark.parametrize(
    ("spec", "low", "high", "names"),
    [
        ("3^2", 0, 1, ["Strategy stealing"]),
        ("3^2:misere", 0, 1, ["Mirroring"]),
        ("4^2:misere", -1, 0, ["Mirroring"]),
        ("6^3:misere", -1, 0, ["Mirroring"]),
        ("3^2:misere,blocked=0", -1, 1, []),
        ("4^2:misere,blocked=0+15", -1, 0, ["Mirroring"]),
        ("3^2:misere,blocked=centre", -1, 1, []),
        ("3^2:misere,target=2", -1, 1, []),
        ("3^3", 1, 1, ["Strategy stealing", "No draw"]),
        ("3^4", 1, 1, ["Strategy stealing", "No draw"]),
        ("3^3:misere", 1, 1, ["Mirroring", "No draw"]),
        ("3^3:gravity", -1, 1, []),
        ("3^3:players=3", -1, 1, []),
        ("3^4:blocked=centre,target=9", 1, 1, ["Strategy stealing", "No draw"]),
        ("3^4:blocked=centre,target=10", 0, 1, ["Strategy stealing"]),
        ("3^4:blocked=centre,target=9,opening=poor", -1, 1, []),
        ("3^4:blocked=centre,target=9,misere", -1, 1, []),
        ("3^4:blocked=centre,target=9,gravity", -1, 1, []),
        ("3^3:target=2", 1, 1, ["Strategy stealing", "No draw"]),
        ("3^3:target=3", 0, 1, ["Strategy stealing"]),
        (FANO, 1, 1, ["Strategy stealing", "Erdős–Selfridge", "No draw"]),
        (f"{TRIPLES}:target=3", 1, 1, ["Strategy stealing", "No draw"]),
        (f"{TRIPLES}:target=4", 0, 1, ["Strategy stealing"]),
        ("4^2", 0, 0, ["Strategy stealing", "Erdős–Selfridge"]),
        ("5^2", 0, 0, ["Strategy stealing", "Erdős–Selfridge", "Pairing"]),
        ("8^3", 0, 0, ["Strategy stealing", "Erdős–Selfridge", "Pairing"]),
        ("5^2:gravity", -1, 1, []),
        ("5^2:opening=poor", -1, 0, ["Erdős–Selfridge", "Pairing"]),
        ("4^3", 0, 1, ["Strategy stealing"]),
        ("4^3:players=4", -1, 0, ["Beck"]),
        ("4^3:players=3", -1, 1, []),
    ],
)
def test_which_theorems_apply(spec: str, low: int, high: int, names: list[str]) -> None:
    bound = bounds_by_theorems(Game(spec).start())
    assert (bound.low.sign, bound.high.sign) == (low, high)
    said = [*map(str, bound.reasons)]
    assert all(SOURCES[Why(reason.code)].endswith(")") for reason in bound.reasons)
    for name in names:
        assert any(sentence.startswith(name) for sentence in said), said
    for sentence in said:
        assert any(sentence.startswith(name) for name in names), sentence


def test_theorems_of_the_start_hold_at_the_start_only() -> None:
    position = Game("3^2:misere").position("moves:0,4")
    assert bounds_by_theorems(position).reasons == ()
    position = Game("3^3").position("moves:0,13")
    assert bounds_by_theorems(position) == Bounds()
