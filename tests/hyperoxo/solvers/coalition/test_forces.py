"""What a seat can force against all others: against brute force, and on the boards of record."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game, Position, Value, completing_cells
from hyperoxo.solvers.coalition.forces import alliances, coalition
from hyperoxo.solvers.coalition.search import forcing, listed_moves
from hyperoxo.solvers.coalition.table import tabulated
from tests.expect import message_of, require
from tests.hyperoxo.kernels.test_mcts import max_n, worth
from tests.judge import forced
from tests.marks import more
from tests.states_oracle import walk
from tests.strategies import game_specs, hypergraph_specs, play_at_random

NAMES = ("nothing", "draw", "win")


class Brute:
    """Everything by looking at every position, with nothing but the reference rules."""

    def __init__(self) -> None:
        self.careful, self.after = cache(self._careful), cache(self._after)

    @staticmethod
    def value(position: Position, player: int) -> int:
        return forced(position, player) + 1

    @staticmethod
    def maxn(position: Position) -> set[str]:
        return {"+".join(map(str, sorted(who))) or "=" for who in max_n(position, {})}

    def _careful(self, position: Position) -> frozenset[str]:
        if position.outcome is not None:
            return frozenset({position.outcome.result})
        mover = position.to_move

        def care(results: frozenset[str]) -> tuple[int, int]:
            gains = [1 if x == "=" else 2 * (str(mover) in x.split("+")) for x in results]
            return min(gains), max(gains)

        found = [self.careful(child) for child in self.after(position)]
        best = max(map(care, found))
        return frozenset[str]().union(*(results for results in found if care(results) == best))

    @staticmethod
    def _after(position: Position) -> list[Position]:
        return [position.play(cell) for cell in position.legal_moves]

    @staticmethod
    def reach(position: Position) -> list[Position]:
        return [one for layer in walk(position).layers for one in layer.values()]

    def is_kingmaker(self, position: Position) -> bool:
        if position.is_over or self.value(position, position.to_move) == 2:
            return False
        handed = [
            {p for p in players if p != position.to_move and self.value(child, p) == 2}
            for child in self.after(position)
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


def test_careful_players_leave_a_win_that_may_be_a_loss() -> None:
    position, brute = Game("4,3,3:players=3").position(".1.2...13.32"), Brute()
    found = tabulated(position)
    assert set(found.maxn) == brute.maxn(position) == {"1", "="}
    assert set(found.careful) == brute.careful(position) == {"="}


@pytest.mark.parametrize(
    "spec",
    more(
        SMALL,
        [
            "3^2:players=2",
            "3^2:players=3",
            "2^3:players=3",
            "2^3:players=4",
            "2^3:players=3,target=3,blocked=0",
            "7{0+1+2/2+3+4/4+5/1+3+5/0+6}:players=3",
            "7{0+1+2/2+3+4/4+5+6/0+3+6}:players=3,misere",
        ],
    ),
)
def test_forcing_kingmakers_and_maxn_are_those_of_brute_force(spec: str) -> None:
    start, brute = Game(spec).start(), Brute()
    found = coalition(start, kingmakers=10**6)
    players = range(1, start.game.players + 1)
    values = [brute.value(start, player) for player in players]
    assert [seat.forces for seat in found.seats] == [NAMES[value] for value in values]
    ends = [frozenset(one.outcome.winners) for one in brute.reach(start) if one.outcome]
    everybody = all(any(worth(end, player) for end in ends) for player in players)
    assert found.interesting is (everybody and 2 not in values)
    assert found.table is not None
    assert set(found.table.maxn) == brute.maxn(start)
    assert set(found.table.careful) == brute.careful(start)
    assert found.table.wins == tuple(value == 2 for value in values)
    assert found.table.draws == tuple(value >= 1 for value in values)
    kings = [position for position in brute.reach(start) if brute.is_kingmaker(position)]
    if start.game.opening is None:
        forms = {start.game.symmetry.canonical(king.owners).tobytes() for king in kings}
        listed = [
            start.game.symmetry.canonical(king.owners).tobytes() for king in found.table.listed
        ]
        assert len(listed) == found.table.kingmakers == len(forms)
        assert set(listed) == forms
    assert found.table.symmetric
    assert all(brute.is_kingmaker(king) for king in found.table.listed)


def symmetries_one_by_one(game: Game) -> NDArray[np.int64]:
    """Try all permutations of the cells: those that keep everything that the rules speak of."""
    lines = {frozenset(line[line >= 0].tolist()) for line in game.board.lines}
    kept = []
    for images in permutations(game.board.playable.tolist()):
        row = np.arange(game.board.cell_count)
        row[game.board.playable] = images
        below = [] if game.below is None else game.board.playable.tolist()
        under = game.below if game.below is not None else row
        if (
            {frozenset(row[list(line)].tolist()) for line in lines} == lines
            and all(
                under[row[cell]] == (row[under[cell]] if under[cell] >= 0 else -1) for cell in below
            )
            and (game.opening is None or {*row[sorted(game.opening)].tolist()} == {*game.opening})
        ):
            kept.append(row)
    return np.array(kept)


def classes_one_by_one(positions: Iterable[Position], rows: NDArray[np.int64]) -> set[int]:
    """Name the class of each position by its least image."""
    weights = 256 ** np.arange(rows.shape[1])
    images = (np.frombuffer(position.owners, np.uint8)[rows] for position in positions)
    return {int((image @ weights).min()) for image in images}


@pytest.mark.more
@settings(max_examples=40, deadline=None)
@given(
    st.one_of(
        st.sampled_from(["6^1:players=3", "6{}:players=3", "6{0+1/0+2/0+3/0+4/0+5}:misere"]),
        game_specs(hypercubes=("2^2", "3^1", "5^1"), most_players=5),
        hypergraph_specs(6).map(lambda spec: f"{spec}:players=3,misere"),
    ),
    st.integers(0, 2**32),
)
def test_kingmakers_of_random_games_are_counted_once_in_each_class(spec: str, seed: int) -> None:
    start, brute = play_at_random(Game(spec).start(), seed, seed % 3), Brute()
    if start.is_over or start.game.cells > 6 or start.game.board.cell_count > 7:
        return
    table = tabulated(start, listed=10**6)
    assert table.symmetric
    rows = symmetries_one_by_one(start.game)
    running = [position for position in brute.reach(start) if not position.is_over]
    names = classes_one_by_one(filter(brute.is_kingmaker, running), rows)
    assert table.classes == len(classes_one_by_one(running, rows))
    assert table.kingmakers == len(table.listed) == len(names)
    assert classes_one_by_one(table.listed, rows) == names


@pytest.mark.parametrize(
    ("spec", "moves", "kept"),
    [
        pytest.param("2^3:misere,players=4", "", (), marks=pytest.mark.more),
        ("2^3:misere,players=3,opening=0+1", "", (0, 1)),
        pytest.param("2^3:players=3,target=3", "moves:4", (), marks=pytest.mark.more),
        ("7^1:players=3", "", ()),
        ("7{}:players=2", "moves:1,2", ()),
    ],
)
def test_kingmakers_under_more_symmetries_than_the_search_uses(
    spec: str, moves: str, kept: tuple[int, ...]
) -> None:
    start, brute = Game(spec).position(moves or "moves:"), Brute()
    assert start.game.symmetry.order > 1_000

    def name(position: Position) -> tuple[list[int], list[int]]:  # all cells but `kept` are alike
        rest = [owner for cell, owner in enumerate(position.owners) if cell not in kept]
        return sorted(position.owners[cell] for cell in kept), sorted(rest)

    table = tabulated(start, listed=10**6)
    assert table.symmetric
    running = [position for position in brute.reach(start) if not position.is_over]
    kings = {str(name(position)) for position in running if brute.is_kingmaker(position)}
    assert table.classes == len({str(name(position)) for position in running})
    assert table.kingmakers == len(table.listed) == len(kings)
    assert {str(name(position)) for position in table.listed} == kings


def test_kingmakers_under_a_group_too_large_to_be_listed_are_counted_one_by_one() -> None:
    start, brute = Game("2^4:players=2,misere,blocked=0+1+2+3+4+5").start(), Brute()
    assert start.game.symmetry.order > 100_000
    table = tabulated(start, listed=10**6)
    assert not table.symmetric
    kings = {king for king in brute.reach(start) if brute.is_kingmaker(king)}
    assert {king.owners for king in table.listed} == {king.owners for king in kings}
    assert table.kingmakers == len({king.owners for king in kings})
    assert table.classes == len({at.owners for at in brute.reach(start) if not at.is_over})


@pytest.mark.parametrize(
    ("spec", "forces"),
    [
        ("3^2:players=3", ["draw"] * 3),  # the third player of 3^2 can force a draw
        ("2^2:players=3", ["win", "nothing", "nothing"]),  # won by the first, not the third
        ("2^2:players=4", ["draw"] * 4),
        ("2^3:players=5", ["win"] + ["nothing"] * 4),
        ("2^4:players=4", ["win"] + ["nothing"] * 3),
        pytest.param("4^2:players=3", ["draw"] * 3, marks=pytest.mark.more),
        pytest.param("4^2:players=4", ["draw"] * 4, marks=pytest.mark.slow),
        pytest.param("4^2:players=5", ["draw"] * 5, marks=pytest.mark.more),
        ("3^3:players=3", ["nothing"] * 3),
        ("3^3:players=4", ["nothing"] * 4),
        ("4^3:players=3", ["nothing"] * 3),
        ("4^3:players=4", ["nothing"] * 4),
        pytest.param("4^3:players=5", ["nothing"] * 5, marks=pytest.mark.more),
    ],
)
def test_boards_of_record(spec: str, forces: list[str]) -> None:
    found = coalition(Game(spec))
    assert [seat.forces for seat in found.seats] == forces
    assert found.interesting is ("win" not in forces)


@pytest.mark.more
def test_beck_is_named_where_his_inequality_decides() -> None:
    seats = coalition(Game("4^3:players=4")).seats
    assert "76 + 3·7 < 4^4" in seats[0].evidence
    assert "76 + 0·7 < 4^4" in seats[3].evidence
    assert "search" in coalition(Game("4^3:players=3")).seats[0].evidence.split(".")[0]


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
    moves = listed_moves(forcing(start, seat, Value.DRAW))
    refuted(start, seat, moves, set())


@pytest.mark.more
def test_time_may_run_out() -> None:
    found = coalition(Game("5^3:players=3"), seconds=0.2)
    assert [seat.forces for seat in found.seats] == ["unknown"] * 3
    assert [seat.known.high for seat in found.seats] == ["draw"] * 3
    assert found.interesting is True
    assert found.table is None


def test_bad_requests_are_refused() -> None:
    over = Game("2^2:players=3").position("moves:0,1,2,3")
    assert "over" in message_of(SpecError, coalition, over)
    assert "seconds" in message_of(SpecError, coalition, Game("2^2"), seconds=-1.0)


def test_a_table_that_would_be_too_large_is_not_made() -> None:
    with pytest.raises(LimitError, match="there are more than 100 positions up to symmetry"):
        tabulated(Game("3^2:players=3").start(), most=100)
    with pytest.raises(LimitError, match="too large for a table"):
        tabulated(Game("4^3:players=3").start())


@pytest.mark.parametrize(
    "spec",
    more(
        ["3^2:players=3", "3^2", "2,3,2:players=4", "3^2:players=4"], but=["3^2", "2,3,2:players=4"]
    ),
)
def test_kingmakers_by_threats_are_counted_as_in_the_rules(spec: str) -> None:
    game = Game(spec)
    seen: set[bytes] = set()
    kings: set[bytes] = set()
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        name = game.symmetry.canonical(position.owners).tobytes()
        if position.is_over or name in seen:
            continue
        seen.add(name)
        players = range(1, game.players + 1)
        threats = {p: completing_cells(position, p) for p in players}
        mine = threats.pop(position.to_move)
        one = {cells[0] for cells in threats.values() if len(cells) == 1}
        if not mine and len(one) > 1:
            kings.add(name)
        waiting += [position.play(cell) for cell in position.legal_moves]
    found = coalition(game)
    assert found.table is not None
    assert found.table.torn == len(kings)
    listed = {game.symmetry.canonical(p.owners).tobytes() for p in found.table.torn_listed}
    assert len(listed) == min(10, len(kings))
    assert listed <= kings


def test_kingmakers_by_threats_need_threats_to_win() -> None:
    assert require(coalition("2^2:players=3,misere").table).torn is None


def test_what_one_seat_forces_needs_no_search_for_the_others() -> None:
    first, *others = coalition("2^2:players=3").seats
    assert (first.forces, first.nodes > 0) == ("win", True)
    for seat in others:
        assert (seat.forces, seat.nodes) == ("nothing", 0)
        assert seat.evidence.endswith("can force nothing, as player 1 can force a win.")
    assert [seat.forces for seat in coalition("3^2").seats] == ["draw", "draw"]
    # All but the loser win together.
    found = coalition("2^2:players=3,misere").seats
    assert all(" as player " not in seat.evidence for seat in found)


# Alliances against one player: the sum of all is nothing, and the lot is fair.


@pytest.mark.parametrize("spec", ["2^2:players=3", "2^2:players=4", "2^2", "3^2:players=3"])
def test_all_payoffs_sum_to_nothing(spec: str) -> None:
    found = coalition(spec)
    players = found.position.game.players
    for one, seat in zip(alliances(found, 6), found.seats, strict=True):
        assert one.seat is not None
        assert one.ally is not None
        assert one.seat + (players - 1) * one.ally == 0
        wins = {"win": 6, "draw": 0, "nothing": Fraction(-6, players - 1)}
        assert one.seat == wins[seat.forces]
        if seat.forces == "nothing":
            # By lot one ally wins 6, and the other q - 2 lose 6 / (q - 1) each.
            lot = [Fraction(6), *[Fraction(-6, players - 1)] * (players - 2)]
            assert one.ally == sum(lot) / (players - 1)


def test_what_is_unknown_has_no_payoff() -> None:
    unknown = alliances(coalition("5^3:players=3", seconds=0))
    assert all(one.seat is None or one.ally is not None for one in unknown)
    assert any(one.seat is None for one in unknown)
    assert [one.against for one in unknown] == [1, 2, 3]
