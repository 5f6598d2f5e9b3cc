"""A plan with zones wins, or does not lose, whatever the rival plays."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import NotSupportedError
from hyperoxo.game import FREE, Position
from hyperoxo.proof.zones import ZonePlan, check_zones
from hyperoxo.proof.zones_play import TrackedBoard, ZonePlay
from hyperoxo.solvers.maker_breaker.plans import plan_by_weights, plan_of
from hyperoxo.solvers.maker_breaker.search import MakerSearch
from tests.hyperoxo.proof.test_zones import plan
from tests.hyperoxo.solvers.maker_breaker.test_search import GAMES, drawn
from tests.marks import more

SPECS = (
    *("3^2:convention=maker-breaker", "4^2:convention=maker-breaker", "4^2", "5,4,4:target=2"),
    *("5,4,4:convention=maker-breaker", "3^3:convention=maker-breaker", "5,4,4", "5^2"),
)


def ended(made: ZonePlan, end: Position) -> None:
    """Check that a game has ended as claimed."""
    assert end.outcome is not None
    if made.claim == "win":
        assert end.outcome.winner == made.seat
    else:
        assert end.outcome.winner != 3 - made.seat


def own(play: ZonePlay, found: int | None, position: Position) -> Position:
    """Play the answer, or the lowest free cell where any does."""
    assert found is None or position.owners[found] in (FREE, play.plan.seat)
    cell = found if found in position.legal_moves else position.legal_moves[0]
    return position.play(cell)


def every_game(play: ZonePlay, position: Position, board: TrackedBoard) -> int:
    """Try all moves of the rival; count the ends."""
    ends = 0
    for cell in position.legal_moves:
        after = position.play(cell)
        if not after.is_over:
            found, later = play.answer(board, after.owners, cell)
            after = own(play, found, after)
            if not after.is_over:
                ends += every_game(play, after, later)
                continue
        ended(play.plan, after)
        ends += 1
    return ends


def begun(play: ZonePlay) -> tuple[Position, TrackedBoard]:
    position, board = play.plan.position, play.begin()
    if position.to_move == play.plan.seat:
        found, board = play.move(board, position.owners)
        position = own(play, found, position)
    return position, board


def every_game_by(made: ZonePlan) -> None:
    """Play a plan in every game, from where it begins."""
    play = ZonePlay(made)
    start, board = begun(play)
    if start.is_over:
        ended(made, start)
    else:
        every_game(play, start, board)


ALTERNATE = GAMES.map(lambda spec: re.sub(r"bias=\d\+\d,", "", spec))
STRONG = ALTERNATE.map(lambda spec: spec.replace("convention=maker-breaker,", ""))


@pytest.mark.more
@settings(max_examples=100)
@given(ALTERNATE | STRONG, st.data())
def test_every_game_of_random_plans(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    search = MakerSearch(position.game, 1)
    maker_wins = search.find(position).maker_wins
    if maker_wins and "maker-breaker" not in spec:
        return
    made = plan_of(search, position, 1 if maker_wins else 2)
    assert check_zones(made).proved
    every_game_by(made)


@pytest.mark.more
@settings(max_examples=200)
@given(ALTERNATE | STRONG, st.data())
def test_every_game_of_weights_and_pairs_alone(spec: str, data: st.DataObject) -> None:
    made = plan_by_weights(drawn(data, spec), 2)
    if check_zones(made).proved:
        every_game_by(made)


@pytest.mark.parametrize("spec", more(SPECS, ["5,4,4:target=2", "5,4,4"]))
def test_games_at_random(spec: str) -> None:
    made, rng = plan(spec), random.Random(1)
    play = ZonePlay(made)
    for _ in range(25):
        position, board = begun(play)
        while not position.is_over:
            cell = rng.choice(position.legal_moves)
            if board.pairs is None:
                assert play.zone(board, position.owners) <= {
                    at for at, owner in enumerate(position.owners) if owner == FREE
                }
            position = position.play(cell)
            if not position.is_over:
                found, board = play.answer(board, position.owners, cell)
                position = own(play, found, position)
        ended(made, position)


def test_turns_of_several_cells_are_not_played() -> None:
    with pytest.raises(NotSupportedError, match="one cell a turn"):
        ZonePlay(plan("3^2:convention=maker-breaker,bias=1+2"))
