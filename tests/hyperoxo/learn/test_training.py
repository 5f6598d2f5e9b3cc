"""Training: the same run from the same seed, broken off or not; and the curve it leaves."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hyperoxo as ox
from hyperoxo.agents import agent
from hyperoxo.errors import HyperoxoError, SpecError
from hyperoxo.game import Position
from hyperoxo.kernels.td import count_lines, self_play
from hyperoxo.learn import rating
from hyperoxo.learn.td import TdLearner, _trainers
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.task import Task

pytestmark = pytest.mark.more

SPEC = "td:games=400,generations=4"


def _read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def test_a_run_broken_off_anywhere_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    run = ox.train("3^2", SPEC, out=whole, seed=3)
    assert run.finished
    assert all(0 < point["error"] < 0.5 for point in run.curve)
    assert [point["step"] for point in run.curve] == [3, 5, 8, 10, 12, 15, 17, 20, 22, 24]
    stop = threading.Event()
    for last in (1, 11, 22):
        task = Task(lambda done, _, last=last: stop.set() if done == last else None, stop)  # type: ignore[misc]
        part = ox.train("3^2", SPEC, out=broken, seed=3, task=task)
        assert (part.step, part.finished) == (last, False)
        stop.clear()
    again = ox.train("3^2", SPEC, out=broken, seed=3)
    assert again.finished
    assert [point["seconds"] is None for point in again.curve] == [True] * 9 + [False]
    assert whole.read_bytes() == broken.read_bytes()
    other = tmp_path / "other.json"
    ox.train("3^2", SPEC, out=other, seed=4)
    assert _read(whole)["tables"] != _read(other)["tables"]


def test_what_dies_in_the_middle_of_a_step_leaves_the_step_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = tmp_path / "whole.json", tmp_path / "broken.json"
    ox.train("3^2", SPEC, out=whole)
    advance = TdLearner.advance

    def dies(self: TdLearner) -> None:
        advance(self)
        if self.step == 7:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(TdLearner, "advance", dies)
        with pytest.raises(KeyboardInterrupt):
            ox.train("3^2", SPEC, out=broken)
    assert _read(broken)["training"]["step"] == 6
    ox.train("3^2", SPEC, out=broken)
    assert whole.read_bytes() == broken.read_bytes()


def test_files_of_other_runs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    ox.train("3^2", SPEC, out=path)
    for game, spec, seed, message in (
        ("3^2", SPEC, 1, "its seed is '0', not '1'"),
        ("3^2:misere", SPEC, 0, "its game is '3\\^2'"),
        ("4^2", SPEC, 0, "another board|its game"),
        ("3^2", "td:games=500", 0, "its options"),
    ):
        with pytest.raises(SpecError, match=message):
            ox.train(game, spec, out=path, seed=seed)
    content = path.read_bytes()
    for damaged in (content[:-300], content.replace(b"1", b"2", 1), b"", b"{}"):
        path.write_bytes(damaged)
        with pytest.raises(HyperoxoError, match=r"is damaged|is not a line table"):
            ox.train("3^2", SPEC, out=path)
        assert path.read_bytes() == damaged
    with pytest.raises(SpecError, match=r"must end in \.json"):
        ox.train("3^2", SPEC, out=tmp_path / "run.npz")


def test_what_is_learned_beats_what_is_not() -> None:
    run = ox.train("3^2", "td:games=2000", seed=1)
    assert run.curve[-1]["rating"] > 0
    assert {score["agent"] for score in run.ladder} == set(rating.LADDER)
    assert next(s for s in run.ladder if s["agent"] == "random")["losses"] <= 10


@pytest.mark.parametrize("spec", ["3^2", "3^2:players=3", "3^2:misere,players=3", "4^2:gravity"])
def test_compiled_games_and_others_count_alike(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ox.Game(spec)
    lowest = agent("greedy:ties=lowest")
    found = rating.against(game, lowest, lowest, 40)
    assert found.games == 40 * game.players
    assert found.wins + found.draws + found.losses == found.games
    monkeypatch.setattr(type(lowest), "seat", lambda *_: None)
    plain = rating.against(game, lowest, lowest, 40)
    # In every opening the seats share one point.
    assert found.score == pytest.approx(1 / game.players)
    assert plain.score == pytest.approx(1 / game.players)


@pytest.mark.parametrize("spec", ["3^2", "3^2:players=3", "4,3,3"])
def test_features_are_the_lines_by_stones(spec: str) -> None:
    game = ox.Game(spec)
    rng = np.random.default_rng(0)
    position = game.start()
    while not position.is_over:
        for player in range(game.players):
            kinds = np.zeros(game.board.line_count, dtype=np.int32)
            found = np.zeros((1, 4, 4), dtype=np.int32)
            count_lines(tables_of(game), state_of(position), player, kinds, found)
            assert np.array_equal(found[0], _features(position, player + 1).sum(axis=0))
        position = position.play(int(rng.choice(position.legal_moves)))


def _features(position: Position, player: int) -> NDArray[np.float64]:
    """Lines by their number, own and rivals' stones, that no two rivals share."""
    board = position.game.board
    found = np.zeros((board.line_count, 4, 4))
    for number in range(board.line_count):
        held = [position.owners[cell] for cell in board.line(number)]
        others = {owner for owner in held if owner not in (0, player)}
        if any(held) and len(others) <= 1:
            found[number, held.count(player), sum(owner in others for owner in held)] = 1
    return found


@pytest.mark.parametrize("spec", ["3^2", "3^2:players=3", "3^2:misere"])
def test_games_against_trainers_are_those_of_the_definition(spec: str) -> None:
    """Each line has a table of its own, so that no two moves are alike and chance plays no part."""
    game, games, rate, keep = ox.Game(spec), 12, 0.1, 0.7
    sign, players = -1.0 if game.misere else 1.0, game.players
    kinds = np.arange(8, dtype=np.int32)[None, :]
    start = np.random.default_rng(1).normal(size=(8, 4, 4)) / 8
    start[:, 0, 0] = 0.0  # empty lines are not learned from
    trainers = [agent("greedy:defend=2,ties=lowest"), agent("ising:ties=lowest")]
    found, total, full = start.copy(), np.zeros((8, 4, 4)), np.zeros((8, 4, 4))
    full[:, 3, 0] = 1e6
    schemes = _trainers(game, trainers, 8, kinds)
    arguments = (tables_of(game), kinds, found, full, total, *schemes)
    self_play(*arguments, sign, games, np.uint64(1), 0, 0, rate, keep, 0.0)
    weights = start.copy()
    for number in range(games):
        learner, rival = number % players, trainers[number // players % 2]
        position, made = game.start(), []
        while not position.is_over:
            if position.ply % players == learner:
                table = weights + full
                after = [
                    sign * (_features(position.play(cell), learner + 1) * table).sum()
                    for cell in position.legal_moves
                ]
                position = position.play(position.legal_moves[int(np.argmax(after))])
                made.append(_features(position, learner + 1))
                moved_last = True
            else:
                position = position.play(rival.choose(position, 0))
                moved_last = False
        assert position.outcome is not None
        reached = list(made[:-1] if moved_last else made)
        winners = position.outcome.winners
        goal = 0.0
        if winners and len(winners) == 1:
            goal = 1.0 if learner + 1 in winners else -1.0 / (players - 1)
        elif winners:
            goal = 1.0 / (players - 1) if learner + 1 in winners else -1.0
        before = weights.copy()
        for seen in reversed(reached):
            worth = np.tanh(sign * (seen * before).sum())
            norm = 1.0 + (seen**2).sum()
            weights += seen * sign * rate * (goal - worth) * (1 - worth**2) / norm
            goal = keep * goal + (1 - keep) * worth
    assert np.allclose(found, weights, atol=1e-9)
    assert not np.allclose(found, start, atol=1e-3)


def test_a_table_learns_against_agents(tmp_path: Path) -> None:
    spec, path = "td:games=2000,tune=off", tmp_path / "trained.json"
    trainers = ("greedy:defend=0", "greedy:attack=0", "random")
    run = ox.train("3^2", spec, against=trainers, out=path)
    assert run.options["against"] == list(trainers)
    assert next(one["score"] for one in run.ladder if one["agent"] == "random") > 0.8
    with pytest.raises(SpecError, match="is of another run: its options"):
        ox.train("3^2", spec, out=path)


@pytest.mark.parametrize("stages", [1, 3])
def test_one_game_moves_the_weights_towards_its_result(stages: int) -> None:
    game = ox.Game("3^2")
    weights, total, full = np.zeros((3, stages, 4, 4))
    full[:, 3, 0] = 1e6
    kinds = np.repeat(np.arange(stages, dtype=np.int32)[:, None], 8, axis=1)
    nobody = np.zeros((0, stages, 4, 4)), np.zeros(1, np.int64), np.zeros((0, 5))
    arguments = (tables_of(game), kinds, weights, full, total, *nobody, 1.0)
    self_play(*arguments, 200, np.uint64(1), 0, 4, 0.1, 1.0, 0.1)
    assert weights[:, 2, 0].max() > 0 > weights[:, 0, 2].min()
    assert not weights[:, 3].any()
    assert not weights[:, 0, 0].any()
    if stages > 1:
        # Among the first three stones a player meets one of the rival's at most.
        assert not weights[0, :, 2:].any()
        assert not np.array_equal(weights[1], weights[2])


def test_learners_are_measured_the_more_the_longer_they_learn() -> None:
    assert rating.opening_plies(ox.Game("3^2")) == 2
    assert rating.opening_plies(ox.Game("4^3:players=3")) == 6
