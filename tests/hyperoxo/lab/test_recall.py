"""Runs read back from the store, and gone on with by their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import hyperoxo as ox
from hyperoxo.errors import SpecError
from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.recall import Evaluation, recall
from hyperoxo.lab.requests import RunRequest, carry_out, command_of, request_of, variation_of
from hyperoxo.lab.results import ResultStore, run_infos
from hyperoxo.lab.results.listing import Filter
from hyperoxo.lab.results.store import end_run, parts_of
from hyperoxo.lab.runs import RunInterrupted
from hyperoxo.lab.sequential import SequentialTest, interim_counts
from hyperoxo.lab.sweep import SweepResult
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo.task import Task


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResultStore]:
    with ResultStore(tmp_path / "results.sqlite") as opened:
        yield opened


def counts(result: object) -> object:
    """Return what does not depend on how long it took."""
    if isinstance(result, TournamentResult):
        return [(row.places, row.seed, row.tally.wins, row.tally.draws) for row in result.table]
    if isinstance(result, SweepResult):
        return result.points
    assert isinstance(result, MatchResult)
    return result.wins, result.draws, result.plies


def test_a_match_is_counted_by_agent_again(store: ResultStore) -> None:
    played = ox.match("3^2", ["ising", "random"], 101, seed=3, swap=True, store=store)
    assert counts(recall(store, played.run)) == counts(played)


def test_a_tournament_has_its_ratings_again(store: ResultStore) -> None:
    agents = ["random", "greedy", "ising", "ising:bias=0.2"]
    played = ox.tournament("3^2:players=3", agents, 8, distinct=True, store=store)
    found = recall(store, played.run)
    assert isinstance(found, TournamentResult)
    assert found.table == played.table
    assert found.model == played.model


@pytest.mark.parametrize(
    "vary",
    ["bias=0:1:0.25", pytest.param(["attack=0:2:1", "defend=0:1:0.5"], marks=pytest.mark.more)],
)
def test_a_sweep_is_looked_at_in_another_way(store: ResultStore, vary: str | list[str]) -> None:
    agent = "ising" if isinstance(vary, str) else "greedy"
    played = ox.sweep("3^2", agent, vary, "random", 2, 40, seed=5, measure="losses", store=store)
    same = recall(store, played.run, Evaluation("losses"))
    other = recall(store, played.run)
    assert isinstance(same, SweepResult)
    assert isinstance(other, SweepResult)
    assert same.points == other.points == played.points
    assert same.fit.as_data() == played.fit.as_data()
    assert other.measure == "score"
    assert other.versus == played.versus


REQUESTS = [
    RunRequest(
        "match", "3^2", {"agents": ["ising", "random"], "games": 2000, "swap": True}, seed=1
    ),
    RunRequest(
        "match",
        "3^2",
        {
            "agents": ["ising", "random"],
            "games": 40_000,
            "until": {"question": "A>B", "alpha": 0.01, "beta": 0.05, "effect": 0.55},
        },
        seed=2,
    ),
    RunRequest("tournament", "3^2", {"agents": ["ising", "random"], "games": 2000}, seed=3),
    RunRequest(
        "sweep",
        "3^2",
        {
            "agent": "ising",
            "vary": ["bias=0.1:0.9:0.1"],
            "versus": ["random"],
            "seat": 2,
            "games": 1000,
            "adaptive": True,
            "measure": "losses",
        },
        seed=4,
    ),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.kind)
def test_a_run_that_was_left_goes_on_by_its_number(
    store: ResultStore, request_: RunRequest
) -> None:
    def leave(games: int, wanted: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(RunInterrupted) as left:
        carry_out(request_, store, task=Task(leave))
    (info,) = run_infos(store)
    assert (info.run, info.state) == (left.value.run, "interrupted")
    assert 0 < info.games < 40_000
    again = request_of(info)
    assert command_of(again).startswith(f"oxo {request_.kind} ")
    assert command_of(replace(again, seed=9)).endswith("--seed 9")
    carry_out(again, store)
    (info,) = run_infos(store)
    assert info.state == "done"
    with ResultStore(store.path.with_name("other.sqlite")) as other:
        carry_out(request_, other)
        assert counts(recall(other, 1)) == counts(recall(store, 1))


def test_only_the_run_that_is_asked_for_goes_on(store: ResultStore) -> None:
    purpose = RunRequest("match", "3^2", {"n": 1}, 0)
    first = store.begin(purpose)
    end_run(store, first, done=False)
    with pytest.raises(SpecError, match="cannot be resumed"):
        store.begin(purpose, first + 1)
    with pytest.raises(SpecError, match="cannot be resumed"):
        store.begin(replace(purpose, seed=1), first)
    assert store.begin(purpose, first) == first


def test_a_run_whose_process_died_was_interrupted(store: ResultStore) -> None:
    run = store.begin(RunRequest("match", "3^2", {}, 0))
    assert run_infos(store)[0].state == "running"
    dead = "UPDATE runs SET owner = replace(owner, substr(owner, instr(owner, ':')), ':4194305')"
    store.query(dead)
    (info,) = run_infos(store)
    assert (info.run, info.state) == (run, "interrupted")


def test_parts_of_a_study_are_told_apart(store: ResultStore) -> None:
    study = store.begin(RunRequest("study", "", {"study": "x", "full": False}, 0))
    ox.match("3^2", ["ising", "random"], 10, store=store.part_of(study))
    ox.match("3^2", ["ising", "random"], 10, store=store)
    assert [info.kind for info in run_infos(store, Filter(part_of=0))] == ["match", "study"]
    (part,) = run_infos(store, Filter(part_of=study))
    assert counts(recall(store, part.run)) == counts(recall(store, part.run + 1))
    with pytest.raises(SpecError, match="is a part of run"):
        request_of(part)
    assert len(run_infos(store, limit=1, offset=1)) == 1


def test_what_cannot_be_read_back_is_refused(store: ResultStore) -> None:
    with pytest.raises(SpecError, match="there is no run 7"):
        recall(store, 7)
    study = store.begin(RunRequest("study", "", {"study": "x", "full": False}, 0))
    with pytest.raises(SpecError, match="consists of other runs"):
        recall(store, study)
    with pytest.raises(SpecError, match="bad variation"):
        variation_of("bias=a,b..c")
    with pytest.raises(SpecError, match="there are runs of"):
        carry_out(RunRequest("party", "3^2"), store)


def test_a_sequential_test_is_told_again_with_its_verdict(store: ResultStore) -> None:
    for until, games in (
        (SequentialTest("A>B"), 10_000),
        (SequentialTest("B>A", alpha=0.2, beta=0.01, effect=0.6), 10_000),
        (SequentialTest("A>B"), 20),
    ):
        played = ox.match("3^2", ["ising", "random"], games, 7, swap=True, until=until, store=store)
        found = recall(store, played.run)
        assert isinstance(found, MatchResult)
        assert found.test == played.test
        (info, *_) = run_infos(store)
        again = command_of(request_of(info))
        assert f"--until '{until.question}'" in again.replace('"', "'")
        assert f"--beta {until.beta} --effect {until.effect}" in again


def test_a_test_that_was_left_stands_where_it_was_last_looked_at(store: ResultStore) -> None:
    def leave(games: int, _: int) -> None:
        if games >= 60:
            raise KeyboardInterrupt

    agents, until = ["mcts:simulations=3", "mcts:simulations=4"], SequentialTest("A>B")
    with pytest.raises(RunInterrupted):
        ox.match("3^2", agents, 5000, 1, swap=True, until=until, store=store, progress=leave)
    (info,) = run_infos(store)
    left = recall(store, info.run)
    assert isinstance(left, MatchResult)
    assert left.test is not None
    assert left.test.verdict == "undecided"
    assert 0 < left.test.won + left.test.lost < left.games
    tallies = parts_of(store, info.run)
    looked = max(each for each in interim_counts(5000, 2) if 2 * each <= left.games)
    firsts = [sum(p.tally.games for p in row if p.last <= looked) for row in tallies.values()]
    assert firsts == [looked, looked]


def test_a_run_remembers_how_many_played_at_once(store: ResultStore) -> None:
    ox.match("3^2", ["ising", "random"], 10, workers=2, store=store)
    assert run_infos(store)[0].workers == 2


def test_studies_are_spelled_with_their_scale() -> None:
    asked = {"study": "ising", "full": False, "scale": 0.1}
    assert command_of(RunRequest("study", "", asked)) == "oxo study ising --scale 0.1 --seed 0"
