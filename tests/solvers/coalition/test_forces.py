"""What a seat can force against all others: against brute force, and on the boards of record."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import SpecError
from hyperoxo.position import Position
from hyperoxo.proof import check
from hyperoxo.rules import Game
from hyperoxo.solvers.coalition.forces import coalition, coalition_strategy
from hyperoxo.solvers.coalition.search import DRAW, WIN, forcing, listed_moves
from hyperoxo.solvers.coalition.table import tabulated
from tests.strategies import game_specs, play_at_random

NAMES = ("nothing", "draw", "win")


def worth(position: Position, player: int) -> int:
    assert position.outcome is not None
    return 2 if player in position.outcome.winners else int(position.outcome.draw)


class Brute:
    """Everything by looking at every position, with nothing but the reference rules."""

    def __init__(self) -> None:
        self.value = cache(self._value)
        self.maxn = cache(self._maxn)
        self.reach = cache(self._reach)

    def _value(self, position: Position, player: int) -> int:
        if position.is_over:
            return worth(position, player)
        values = [self.value(position.play(cell), player) for cell in position.legal_moves]
        return max(values) if position.to_move == player else min(values)

    def _maxn(self, position: Position) -> frozenset[str]:
        if position.outcome is not None:
            return frozenset({position.outcome.result})
        mover = position.to_move

        def gain(result: str) -> int:
            return 1 if result == "=" else 2 * (str(mover) in result.split("+"))

        found = [self.maxn(position.play(cell)) for cell in position.legal_moves]
        least = max(min(map(gain, results)) for results in found)
        return frozenset(x for results in found for x in results if gain(x) >= least)

    def _reach(self, position: Position) -> frozenset[Position]:
        if position.is_over:
            return frozenset({position})
        found = [self.reach(position.play(cell)) for cell in position.legal_moves]
        return frozenset({position}).union(*found)

    def is_kingmaker(self, position: Position) -> bool:
        if position.is_over or self.value(position, position.to_move) == 2:
            return False
        handed = [
            {p for p in players if p != position.to_move and self.value(child, p) == 2}
            for child in map(position.play, position.legal_moves)
            for players in [range(1, position.game.players + 1)]
        ]
        return any(
            a != b
            for i, first in enumerate(handed)
            for second in handed[i + 1 :]
            for a in first
            for b in second
        )


SMALL = [
    *(f"2^2:players={q}" for q in range(2, 6)),
    *(f"3^2:players={q}" for q in (2, 3)),
    *(f"2^3:players={q}" for q in (3, 4)),
    "2^2:players=3,misere",
    "3,2,2:players=3,misere",
    "3,2,3:players=3,gravity=1",
    "3,2,2:players=3,target=2",
    "2^3:players=3,target=3,blocked=0",
    "3^1:players=4",
    "1^2:players=3",
    "7{0+1+2/2+3+4/4+5/1+3+5/0+6}:players=3",
    "6{0+1/1+2/3+4+5}:players=5",
    "7{0+1+2/2+3+4/4+5+6/0+3+6}:players=3,misere",
    "7{0+1+2/2+3+4/4+5+6/0+3+6}:players=3,opening=0x2",
]


@pytest.mark.parametrize("spec", SMALL)
def test_forcing_kingmakers_and_maxn_are_those_of_brute_force(spec: str) -> None:
    start, brute = Game(spec).start(), Brute()
    found = coalition(start, kingmakers=10**6)
    players = range(1, start.game.players + 1)
    values = [brute.value(start, player) for player in players]
    assert [seat.forces for seat in found.seats] == [NAMES[value] for value in values]
    ends = [position for position in brute.reach(start) if position.is_over]
    everybody = all(any(worth(end, player) for end in ends) for player in players)
    assert found.interesting is (everybody and 2 not in values)
    assert found.table is not None
    assert set(found.table.maxn) == brute.maxn(start)
    assert found.table.wins == tuple(value == 2 for value in values)
    assert found.table.draws == tuple(value >= 1 for value in values)
    kings = [position for position in brute.reach(start) if brute.is_kingmaker(position)]
    if start.game.opening is None:
        forms = {start.game.symmetry.canonical(king.owners).tobytes() for king in kings}
        listed = [
            start.game.symmetry.canonical(king.owners).tobytes() for king in found.table.listed
        ]
        if start.game.symmetry.order <= 1_000:
            assert len(listed) == found.table.kingmakers == len(forms)
        assert set(listed) == forms
    assert all(brute.is_kingmaker(king) for king in found.table.listed)


@settings(max_examples=40, deadline=None)
@given(game_specs(hypercubes=("2^2", "3^1", "2^3", "3^2"), most_players=5), st.integers(0, 2**32))
def test_searches_of_random_games_are_brute_force(spec: str, seed: int) -> None:
    game = Game(spec)
    rng = random.Random(seed)
    start = play_at_random(game.start(), seed, max(0, game.cells - rng.randint(1, 6)))
    if start.is_over:
        return
    brute = Brute()
    for player in range(1, game.players + 1):
        value = brute.value(start, player)
        assert forcing(start, player, WIN).forced is (value == 2)
        assert forcing(start, player, DRAW).forced is (value >= 1)


@pytest.mark.parametrize(
    ("spec", "forces"),
    [
        ("3^2:players=3", ["draw"] * 3),  # the third player of 3^2 can force a draw
        ("2^2:players=3", ["win", "nothing", "nothing"]),  # won by the first, not the third
        ("2^2:players=4", ["draw"] * 4),
        ("2^3:players=5", ["win"] + ["nothing"] * 4),
        ("2^4:players=4", ["win"] + ["nothing"] * 3),
        ("4^2:players=3", ["draw"] * 3),
        ("4^2:players=4", ["draw"] * 4),
        ("4^2:players=5", ["draw"] * 5),
        ("3^3:players=3", ["nothing"] * 3),
        ("3^3:players=4", ["nothing"] * 4),
        ("4^3:players=3", ["nothing"] * 3),
        ("4^3:players=4", ["nothing"] * 4),
        ("4^3:players=5", ["nothing"] * 5),
    ],
)
def test_boards_of_record(spec: str, forces: list[str]) -> None:
    found = coalition(Game(spec))
    assert [seat.forces for seat in found.seats] == forces
    assert found.interesting is ("win" not in forces)


def test_beck_is_named_where_his_inequality_decides() -> None:
    seats = coalition(Game("4^3:players=4")).seats
    assert "76 + 3·7 < 4^4" in seats[0].evidence
    assert "76 + 0·7 < 4^4" in seats[3].evidence
    assert "search" in coalition(Game("4^3:players=3")).seats[0].evidence.split(".")[0]


@pytest.mark.parametrize(
    ("spec", "seat", "claim"),
    [
        ("3^2:players=3", 3, "draw"),
        ("2^2:players=3", 1, "win"),
        ("2^3:players=3", 1, "win"),
        ("3^2:players=3,gravity", 1, "draw"),
        ("3^2:players=3,misere", 2, "draw"),
        ("3^2:players=3,opening=0", 2, "draw"),
        ("7{0+1+2/2+3+4/4+5/1+3+5/0+6}:players=3", 1, "win"),
    ],
)
def test_strategies_pass_the_checker(spec: str, seat: int, claim: str) -> None:
    strategy = coalition_strategy(Game(spec), seat, claim)
    if Brute().value(Game(spec).start(), seat) < NAMES.index(claim):
        assert strategy is None
        return
    assert strategy is not None
    verdict = check(strategy)
    assert verdict.verdict == "proved", verdict.reason


def test_a_strategy_may_begin_anywhere() -> None:
    position = Game("3^2:players=3").position("moves:4,0")
    strategy = coalition_strategy(position, 3, "draw")
    assert strategy is not None
    assert strategy.begins == position
    assert check(strategy).verdict == "proved"


def refuted(position: Position, seat: int, moves: dict[bytes, int], seen: set[bytes]) -> None:
    """Follow the others' listed moves against every move of the seat, by the reference rules."""
    if position.outcome is not None:
        assert position.outcome.winners
        assert seat not in position.outcome.winners
        return
    symmetry = position.game.symmetry
    forms, index = symmetry.canonical_with(position.owners)
    form = forms.tobytes()
    if form in seen:
        return
    seen.add(form)
    if position.to_move == seat:
        for cell in position.legal_moves:
            refuted(position.play(cell), seat, moves, seen)
    else:
        perm = symmetry.permutations()[int(index)].tolist()
        refuted(position.play(perm.index(moves[form])), seat, moves, seen)


@pytest.mark.parametrize(
    "spec", ["3^3:players=3", pytest.param("4^3:players=3", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_the_others_beat_each_seat(spec: str, seat: int) -> None:
    start = Game(spec).start()
    moves = listed_moves(start, seat, DRAW, forcing(start, seat, DRAW))
    refuted(start, seat, moves, set())


def test_time_may_run_out() -> None:
    found = coalition(Game("5^3:players=3"), seconds=0.2)
    assert [seat.forces for seat in found.seats] == ["unknown"] * 3
    assert [seat.at_most for seat in found.seats] == ["draw"] * 3
    assert found.interesting is True
    assert found.table is None


def test_bad_requests_are_refused() -> None:
    over = Game("2^2:players=3").position("moves:0,1,2,3")
    with pytest.raises(SpecError, match="over"):
        coalition(over)
    with pytest.raises(SpecError, match="seconds"):
        coalition(Game("2^2"), seconds=-1.0)
    with pytest.raises(SpecError, match="seat"):
        coalition_strategy(Game("2^2"), 3, "win")


def test_a_table_that_would_be_too_large_is_not_made() -> None:
    assert tabulated(Game("3^2:players=3").start(), most=100) is None
    assert tabulated(Game("4^3:players=3").start()) is None
