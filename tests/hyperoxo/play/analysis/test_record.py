"""Analysis of whole games: mistakes only where proved, and the last move that held."""

from __future__ import annotations

import json
import pickle
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.notation import Record
from hyperoxo.play.analysis import RecordAnalysis, analyse_record
from hyperoxo.solvers.states.tables import lookup

SIGN = {"win": 1, "draw": 0, "loss": -1}


@pytest.mark.more
@settings(max_examples=30)
@given(data=st.data(), spec=st.sampled_from(["3^2", "3^2:misere", "2^3:target=2", "3^2:gravity"]))
def test_mistakes_are_what_the_table_says(data: st.DataObject, spec: str) -> None:
    position = Game(spec).start()
    expected = []
    while not position.is_over:
        cell = data.draw(st.sampled_from(position.legal_moves))
        before, after = lookup(position), lookup(position.play(cell))
        assert before is not None
        assert after is not None
        if -SIGN[after[0]] < SIGN[before[0]]:
            expected.append(position.ply + 1)
        position = position.play(cell)
    found = analyse_record(Record.of(position), seconds=1)
    assert list(found.mistakes) == expected
    assert found.finished
    check_held(found, position.outcome is not None and position.outcome.draw)


def check_held(found: RecordAnalysis, drawn: bool) -> None:
    if drawn:
        assert found.held == ()
        return
    assert len(found.held) == 1
    held = found.held[0]
    own = [ply for ply in found.plies if ply.player == held.player]
    holding = [ply.number for ply in own if ply.value != "loss"]
    assert held.number == max(holding, default=None)
    assert held.proved


def test_the_value_history_has_an_entry_for_every_position() -> None:
    found = analyse_record(Record(Game("3^2"), (4, 1, 0, 8, 3, 5, 6)))
    assert found.points[0] == (0.5, 0.5)
    assert found.points[2] == (1.0, 0.0)
    assert found.points[-1] == (1.0, 0.0)
    assert len(found.points) == 8


@pytest.mark.more
def test_no_mistake_is_claimed_without_proof() -> None:
    record = Record(Game("4^3"), (0, 1, 21, 2, 42, 3, 63))
    found = analyse_record(record, seconds=0.15)
    for ply in found.plies:
        if ply.verdict == "mistake":
            assert ply.played.proved
        if ply.verdict == "doubtful":
            assert not (ply.proved and ply.played.proved)
    assert found.held[0].player == 2
    last = found.plies[-1]
    assert (last.value, last.remoteness, last.verdict) == ("win", 1, "best")


def test_three_players() -> None:
    found = analyse_record(Record(Game("3^2:players=3"), (4, 0, 1, 2, 8, 7, 3, 5, 6)), seconds=1)
    assert 7 in found.mistakes
    assert found.points[-1] == (0.5, 0.5, 0.5)
    assert found.points[0][1:] == (None, None)


def test_an_unfinished_game_ends_with_the_position_it_stands_at() -> None:
    found = analyse_record(Record(Game("3^2"), (4, 1, 0)), seconds=1)
    assert found.final is not None
    assert found.final.value == "loss"
    assert found.points[-1] == (1.0, 0.0)
    assert [ply.verdict for ply in found.plies] == ["best", "mistake", "best"]
    assert found.held == ()


def test_a_resignation_is_a_loss() -> None:
    found = analyse_record(Record(Game("3^2"), (4, 1), resigned=1), seconds=1)
    assert found.final is None
    assert found.held[0].player == 1
    assert found.points[-1] == (0.0, 1.0)


def test_it_can_be_stopped_and_keeps_what_it_knows() -> None:
    stop = threading.Event()
    seen: list[int] = []

    def update(so_far: RecordAnalysis) -> None:
        seen.append(len(so_far.plies))
        if len(so_far.plies) == 3:
            stop.set()

    found = analyse_record(
        Record(Game("3^2"), (4, 1, 0, 8, 3, 5, 6)), stop=stop, on_progress=update
    )
    assert seen == [1, 2, 3]
    assert [ply.number for ply in found.plies] == [5, 6, 7]
    assert found.stopped
    assert not found.finished
    assert found.report.sentences[-1] == "Moves 1 to 4 were not looked at."


def test_it_is_plain_values() -> None:
    found = analyse_record(Record(Game("3^2"), (4, 1, 0)), seconds=1)
    assert pickle.loads(pickle.dumps(found)) == found
    plain = json.loads(json.dumps(found.as_data(), allow_nan=False))
    assert plain["mistakes"] == [2]
    assert plain["final"]["points"] == 0.0
    assert plain["plies"][1]["best_move"]["value"] == "draw"


def test_negative_time_is_refused() -> None:
    with pytest.raises(SpecError):
        analyse_record(Record(Game("3^2")), seconds=-1)
