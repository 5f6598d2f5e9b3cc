"""Analysis of positions: what is proved agrees with brute force, and nothing else is claimed."""

from __future__ import annotations

import json
import pickle
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import SpecError
from hyperoxo.game import Bounds, Game, Position, Value, propagate
from hyperoxo.play.analysis import Analysis, analyse_position, short_value
from hyperoxo.play.analysis.findings import SOURCES, threats_of
from hyperoxo.play.analysis.position import Study
from hyperoxo.solvers import Solution, solve
from hyperoxo.solvers.states.tables import lookup
from tests.expect import require
from tests.judge import forced
from tests.strategies import game_specs

MOST_FREE = 7


def analyse_until(position: Position, holds: Callable[[Analysis], object]) -> Analysis:
    """Analyse a position until something holds of what is found, however long that takes."""
    stop = threading.Event()

    def see(found: Analysis) -> None:
        if holds(found):
            stop.set()

    return analyse_position(position, seconds=600, on_progress=see, stop=stop)


def check_against_brute_force(position: Position, found: Analysis) -> None:
    seat, lost = position.to_move, "loss" if position.game.players == 2 else "nothing"
    value = {"win": 1, "draw": 0, lost: -1}
    exact = forced(position, seat)
    assert value[found.bounds[0]] <= exact <= value[found.bounds[1]]
    assert found.value == "unknown" or value[found.value] == exact
    assert {move.cell for move in found.moves} == set(position.legal_moves)
    for move in found.moves:
        worth = forced(position.play(move.cell), seat)
        assert value[move.bounds[0]] <= worth <= value[move.bounds[1]]
        assert move.source in SOURCES
        if move.proved:
            assert value[move.value] == worth
            assert move.source not in ("estimate", "none")
            assert move.score is None
        else:
            assert move.source in ("estimate", "none")


@pytest.mark.more
@settings(max_examples=60)
@given(spec=game_specs(most_players=4), data=st.data())
def test_what_is_proved_is_so(spec: str, data: st.DataObject) -> None:
    position = Game(spec).start()
    while not position.is_over and (
        position.game.cells - position.ply > MOST_FREE or data.draw(st.booleans())
    ):
        position = position.play(data.draw(st.sampled_from(position.legal_moves)))
    if position.is_over:
        return
    found = analyse_position(position, seconds=data.draw(st.sampled_from([0, 0.1])))
    check_against_brute_force(position, found)
    # Few cells are decided, however little time there is.
    assert all(move.proved for move in found.moves)
    assert found.evidence
    assert all(move.maxn for move in found.moves) == (position.game.players > 2)
    for step in found.forced:
        assert step.player == position.to_move
        position = position.play(step.cell)
    if found.forced:
        assert found.winner in require(position.outcome).winners


@pytest.mark.parametrize("moves", ["", "4", "4,1", "0,4,8", "0,1,4,8"])
def test_tables_give_everything(moves: str) -> None:
    position = Game("3^2").position(f"moves:{moves}")
    found = analyse_position(position, seconds=1)
    assert (found.value, found.remoteness) == lookup(position)
    assert found.source == "table"
    assert found.finished
    assert not found.stopped
    for move in found.moves:
        known = require(lookup(position.play(move.cell)))
        assert move.remoteness == known[1] + 1


def test_best_moves_come_first_and_the_reason_says_why() -> None:
    found = analyse_position(Game("3^2").position("moves:0,1,4,8"), seconds=1)
    assert found.best == found.moves[0].cell == 3
    assert found.moves[0].value == "win"
    assert found.moves[-1].value != "win"
    assert "wins in 3 moves" in found.reason
    assert [step.cell for step in found.forced][-1] in (5, 6)


@pytest.mark.more
def test_a_forced_win_by_threats_is_written_out() -> None:
    position = Game("4^3").position("moves:0,21,3,22,12,37,15,38")
    found = analyse_until(position, lambda found: bool(found.forced))
    assert found.value == "win"
    assert found.source in {"threats", "search"}
    assert found.within is not None or found.remoteness is not None
    assert found.forced[-1].note == "completes a line"
    assert {step.player for step in found.forced} == {1, 2} or len(found.forced) == 1
    for step in found.forced:
        position = position.play(step.cell)
    assert require(position.outcome).winner == 1


def test_estimates_are_called_estimates() -> None:
    position = Game("5^3").position("moves:62")
    found = analyse_until(position, lambda found: any(move.visits for move in found.moves))
    assert found.value == "unknown"
    assert found.bounds == ("loss", "win")
    assert found.source == "estimate"
    assert found.winner is None
    assert found.simulations > 0
    assert "an estimate" in found.reason
    assert sum(move.visits for move in found.moves) > 0
    assert all(0 <= move.score <= 1 for move in found.moves if move.score is not None)


@pytest.mark.more
@pytest.mark.parametrize(
    ("spec", "played"), [("3^3", [4, 0]), ("33^2:target=60", range(33**2 - 5))]
)
def test_few_cells_are_decided_without_time(spec: str, played: Sequence[int]) -> None:
    position = Game(spec).position("moves:" + ",".join(map(str, played)))
    found = analyse_position(position, seconds=0)
    assert len(found.moves) == position.game.cells - len(played)
    assert all(move.proved for move in found.moves)


def test_theorems_decide_without_search() -> None:
    found = analyse_position(Game("4^2").start(), seconds=60)
    assert found.value == "draw"
    assert any("Selfridge" in sentence for sentence in found.evidence)


def test_a_stored_proof_decides_where_it_says_something() -> None:
    game = Game("4^3")
    start = analyse_position(game.start(), seconds=0)
    assert (start.value, start.source, start.winner) == ("win", "proof", 1)
    assert len([move for move in start.moves if move.source == "proof"]) >= 16
    assert all(move.value == "win" for move in start.moves if move.proved)
    assert start.reason.endswith("It wins: proved by the stored proof.")
    assert any("'oxo verify'" in told for told in start.evidence)
    lost = analyse_position(game.position("moves:0"), seconds=0)
    assert (lost.value, lost.source, lost.winner) == ("loss", "proof", 1)
    assert {(move.value, move.source) for move in lost.moves} == {("loss", "proof")}
    for reply in (1, 21, 63):
        won = analyse_position(game.position(f"moves:0,{reply}"), seconds=0)
        assert (won.value, won.source) == ("win", "proof")
        assert won.moves[0].source == "proof"
        after = require(won.best)
        follow = analyse_position(game.position(f"moves:0,{reply},{after}"), seconds=0)
        assert (follow.value, follow.source) == ("loss", "proof")


def test_moves_that_lose_to_a_stored_proof() -> None:
    """Some replies in an open position lead to what is decided, others do not."""
    found = analyse_position(Game("4^3").position("moves:0,21,42"), seconds=0)
    assert found.value == "unknown"
    losing = {move.cell for move in found.moves if move.value == "loss"}
    assert losing
    assert losing < {move.cell for move in found.moves}


def test_threats_tell_how_long_what_a_stored_proof_decides_takes() -> None:
    position = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    found = analyse_until(position, lambda found: found.within == 11)
    assert (found.value, found.within) == ("win", 11)
    assert any(said.startswith("Threats: a forced win in at most 11") for said in found.evidence)


@pytest.mark.more
def test_proof_search_decides_large_boards() -> None:
    """Four in a row on 7 by 7: no chain of threats wins yet, and few simulations prove nothing."""
    found = analyse_until(Game("7,7,4").start(), lambda found: found.value == "win")
    assert found.value == "win"
    # Simulated games may prove it first; exact search may find the number of plies afterwards.
    assert found.source in {"proof-search", "search"}
    assert found.nodes or found.simulations
    best = require(found.move(found.best if found.best is not None else -1))
    assert best.value == "win"
    assert best.source in {"proof-search", "search"}


def test_bounds_that_meet_by_themselves_have_the_source_of_one() -> None:
    """A theorem about a move and one about the position decide together what neither does."""
    study = Study(Game("4^3:misere").position("moves:0"), 0.0, None, None, 0)
    study.known.bound(Bounds(high=Value.DRAW), "theorem")
    study.known.tighten(63, Bounds(low=Value.DRAW), "theorem")
    study.known.join()
    found = study.analysis(finished=True)
    assert (found.value, found.source, found.best) == ("draw", "theorem", 63)
    assert found.reason.endswith("It keeps a draw: proved by a theorem.")


@pytest.mark.more
def test_mirroring_is_advised_in_misere_play() -> None:
    found = analyse_position(Game("4^3:misere").position("moves:0"), seconds=1)
    mirrored = require(found.move(63))
    assert mirrored.bounds[0] == "draw"


def test_several_players_get_max_n_beside_what_they_can_force() -> None:
    found = analyse_position(Game("3^2:players=3").position("moves:4,0"), seconds=60)
    assert found.value == "draw"
    assert {move.maxn for move in found.moves} <= {"win", "draw", "loss"}


def test_the_last_cell_decides_and_evidence_says_so() -> None:
    found = analyse_position(Game("4^2").position("112122121212211."), seconds=0)
    assert (found.value, found.remoteness) == (Value.DRAW, 1)
    assert found.evidence == ("Moves that end the game decide it.",)


def test_a_finished_game_has_no_moves() -> None:
    found = analyse_position(Game("3^2").position("moves:0,1,4,2,8"), seconds=1)
    assert found.player == 0
    assert found.moves == ()
    assert found.best is None
    assert found.winner == 1


def test_large_boards_are_advised_by_an_agent() -> None:
    found = analyse_position(Game("40^2").position("moves:0"), seconds=60)
    assert found.best is not None
    assert found.simulations == 0
    assert "kutner" in found.reason


def test_threats_under_gravity_tell_what_can_be_reached() -> None:
    position = Game("3^2:gravity").position("11.22....")
    first, second = threats_of(position)
    assert (first.cells, first.later) == ((2,), ())
    assert (second.cells, second.later) == ((), (5,))


def test_updates_come_while_it_thinks() -> None:
    seen: list[Analysis] = []
    enough = threading.Event()

    def see(found: Analysis) -> None:
        seen.append(found)
        if found.simulations and len(seen) >= 3:
            enough.set()

    last = analyse_position(
        Game("4^3").position("moves:0,21"), seconds=600, on_progress=see, stop=enough
    )
    assert len(seen) >= 3
    assert not any(found.finished for found in seen)
    assert last.finished
    assert seen[0].seconds < seen[-1].seconds < last.seconds
    assert last.simulations > 0


def test_it_can_be_stopped() -> None:
    stop = threading.Event()
    position = Game("4^3").position("moves:0,21")
    found = analyse_position(position, seconds=600, stop=stop, on_progress=lambda _: stop.set())
    assert found.stopped
    assert found.best is not None


def test_it_is_plain_values() -> None:
    found = analyse_position(Game("4^3:gravity").position("moves:0"), seconds=0.2)
    assert pickle.loads(pickle.dumps(found)) == found
    plain = json.loads(json.dumps(found.as_data(), allow_nan=False))
    assert plain["best"] == found.best
    assert plain["moves"][0]["cell"] == found.moves[0].cell
    assert plain["threats"] == [
        {"player": 1, "cells": [], "later": []},
        {"player": 2, "cells": [], "later": []},
    ]
    assert plain["points"] == found.share


def test_the_same_seed_gives_the_same_where_no_clock_decides() -> None:
    position = Game("3^2:players=4").position("moves:4,0")
    one, other = (analyse_position(position, seconds=5, seed=3) for _ in range(2))
    assert [(m.cell, m.value) for m in one.moves] == [(m.cell, m.value) for m in other.moves]


def test_negative_time_is_refused() -> None:
    with pytest.raises(SpecError, match="seconds"):
        analyse_position(Game("3^2").start(), seconds=-1)


def test_short_values() -> None:
    found = analyse_position(Game("3^2").position("moves:0,1,4,8"), seconds=1)
    assert short_value(found) == "W 3"
    assert {short_value(move) for move in found.moves} > {"W 3"}


def test_news_of_a_search_are_of_moves_that_are_known_better() -> None:
    told: list[Solution] = []
    solution = solve(Game("4,3,3").position("moves:0"), update=told.append)
    assert told[-1].moves == solution.moves
    for before, after in pairwise(told):
        news = [(one.known, one.remoteness, one.moves) for one in (before, after)]
        assert news[0] != news[1]
    for found in told:
        known = [move.known for move in found.moves]
        assert propagate(found.known, known) == (found.known, known)
    assert len(told) <= 3 * len(solution.moves)


def test_memory_of_searches_is_given_back() -> None:
    study = Study(Game("3^2:convention=maker-breaker").start(), 0.0, None, None, 0)
    searches = study.search, study.maker_breaker
    study.release()
    assert study.search is not searches[0]
    assert study.maker_breaker is not searches[1]
