"""Searches for plans that are cut short, taken up again, or have too little room."""

from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError, LimitError, NotSupportedError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof import verify
from hyperoxo.task import Task
from hyperoxo_research.draws import key_plan_search
from hyperoxo_research.draws.key_plan_board import usual_keys
from hyperoxo_research.draws.key_plan_search import KeyPlanSearch, PlanProgress, find_key_plan
from hyperoxo_research.draws.key_plan_tables import larger
from hyperoxo_research.draws.solve_by_plan import solve_by_plan
from hyperoxo_research.kernels.atomic import PUBLISHED
from hyperoxo_research.kernels.key_plan_leaves import ALL_LINES, NOT_WIDE, OPEN, SOME_LINES
from hyperoxo_research.kernels.key_plan_table import PlanTable
from hyperoxo_research.proof.keyplan.file import check_key_plan
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from tests.expect import require

PLANNED = "8{0+1+5+6/0+1+3+4/0+1+2+7/3+4+7/2+6}"


@cache
def seven() -> KeyPlan:
    return require(find_key_plan("7^3"))


@pytest.mark.more
def test_a_search_goes_on_with_as_many_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of all but the plan itself: it is found again, and by the last step alone."""
    path, reached = tmp_path / "states", list[int]()
    deepen = KeyPlanSearch._deepen

    def noted(search: KeyPlanSearch, *given: Any) -> bool:
        reached.append(search._rounds)
        return deepen(search, *given)

    monkeypatch.setattr(KeyPlanSearch, "_deepen", noted)
    first = KeyPlanSearch(Game("7^3").start())
    assert first.run(Task()) is True
    assert reached == sorted(set(reached))
    first._table.won[first._progress()] = OPEN
    first._checkpoint = path
    first._save()
    last = reached.pop()
    assert reached
    reached.clear()
    assert KeyPlanSearch(Game("7^3").start(), checkpoint=path).run(Task()) is True
    assert reached == [last]


def test_what_is_won_is_searched_no_deeper(tmp_path: Path) -> None:
    """Where a leaf turns out to be none, that is."""
    path, position = tmp_path / "states", Game("7^3").start()
    first = KeyPlanSearch(position, checkpoint=path)
    assert first.run(Task()) is True
    again = KeyPlanSearch(position, checkpoint=path)
    assert again.run(Task()) is True
    assert again._rounds == first._rounds < 25


def test_a_search_cut_short_goes_on_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, stop = tmp_path / "states", threading.Event()
    first = KeyPlanSearch(Game("7^3").start(), checkpoint=path)
    seen: list[PlanProgress] = []

    def watch(progress: PlanProgress) -> None:
        seen.append(progress)
        if path.exists():
            stop.set()

    verdict = first.run(Task(stop=stop), on_progress=watch, interval=0.0)
    assert path.exists()
    assert verdict or seen
    # It takes no more memory than the search that wrote it.
    monkeypatch.setattr(key_plan_search, "_FIRST_SLOTS", 1)
    again = KeyPlanSearch(Game("7^3").start(), checkpoint=path)
    assert again.states == first.states > 0
    count = int(again._table.size[0])
    assert 8 * count <= 5 * len(again._table.used) <= 16 * count + 10
    assert again.run(Task()) is True


@pytest.mark.more
def test_what_rests_on_a_leaf_that_is_none_is_searched_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = Game("6^3").position("moves:31,35,34,43,60,64,91,92,155,123,8,151,58,152")
    # The tables stay the same.
    monkeypatch.setattr(key_plan_search, "_FIRST_SLOTS", 1 << 20)
    search = KeyPlanSearch(position, by_lines=True)
    assert search.run(Task()) is True
    table, easy, at = search._table, search._easy, search._progress()
    proof = require(search._listed(Task()))
    assert not proof.lacking
    inner = [place for place in proof.own.tolist() if table.won[place]]
    # An oversight: the state where it begins is taken for a leaf.
    table.won[at], table.lost[at] = 0, 0
    assert not search._verify_leaves(Task())
    assert table.won[at] == OPEN
    # What does not rest on it stays.
    assert all(table.won[place] != OPEN for place in inner if place != at)
    assert search.run(Task()) is True
    assert check_key_plan(search.plan()).proved
    # A beginning that has lost its answers, as after a search that was cut short.
    others = np.flatnonzero(table.used)
    table.won[others[others != at]] = OPEN
    broken = require(search._listed(Task()))
    assert broken.lacking == 1
    assert not search._verify_leaves(Task())
    assert table.won[at] == OPEN
    assert search.run(Task()) is True
    assert check_key_plan(search.plan()).proved
    # Leaves that are none.
    proof = require(search._listed(Task()))
    wrong = [place for place in proof.own.tolist() if table.won[place] and place != at][::3]
    assert len(wrong) > 3
    table.won[wrong] = table.lost[wrong] = 0
    easy.lost[easy.lost == NOT_WIDE] = SOME_LINES
    search._last = None
    while not search._verify_leaves(Task()):
        assert search.run(Task()) is True
    proof = require(search._proof)
    assert (table.won[wrong] != 0).all()
    leaves = proof.own[table.won[proof.own] == 0]
    assert (table.lost[leaves] == ALL_LINES).all()
    assert (easy.lost[proof.easy] == ALL_LINES).all()
    told: list[PlanProgress] = []
    search._on_progress = told.append
    plan = search.plan()
    assert "listing 1 of 1 states" in [one.after for one in told]
    assert len(told) > 1
    assert check_key_plan(plan).proved
    # Time that is over says nothing about the leaves.
    assert not search._verify_leaves(Task.within(0.0))


def test_what_was_listed_is_listed_again() -> None:
    """Also where other states are won in fewer rounds: so less is new at each look at leaves."""
    search = KeyPlanSearch(Game("7^3").start())
    assert search.run(Task()) is True
    first = require(search._listed(Task()))
    at, won = search._progress(), search._table.won
    later = [place for place in first.own.tolist() if won[place] and place != at]
    won[later] = OPEN - 1
    again = require(search._listed(Task()))
    assert set(again.own.tolist()) == set(first.own.tolist())
    search._last = None
    others = require(search._listed(Task()))
    assert not others.lacking
    assert set(others.own.tolist()) != set(first.own.tolist())


def test_nothing_is_said_after_a_limit(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="within the limits"):
        find_key_plan("7^3", seconds=0.0, checkpoint=tmp_path / "x")
    solution = ox.solve("7^3", method="plan", seconds=0.0)
    assert solution.value == "unknown"
    assert solution.evidence[-1].startswith("Search for a plan for player 2 on 25 key cells: not")
    assert not solution.complete


def test_a_file_belongs_to_one_search(tmp_path: Path) -> None:
    path = tmp_path / "states"
    KeyPlanSearch(Game(PLANNED).start(), (0, 1), checkpoint=path).run(Task())
    with pytest.raises(CheckFailedError, match="is of a search for plans with game"):
        KeyPlanSearch(Game("7^3").start(), checkpoint=path)
    with pytest.raises(CheckFailedError, match=r"with keys '\[0, 1\]', not '\[0, 2\]'"):
        KeyPlanSearch(Game(PLANNED).start(), (0, 2), checkpoint=path)


@pytest.mark.more
def test_the_table_grows_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_plan_search, "_FIRST_SLOTS", 1 << 12)
    assert find_key_plan("7^3") == seven()
    with pytest.raises(LimitError):
        find_key_plan("7^3", megabytes=0)


@pytest.mark.parametrize(
    ("megabytes", "full", "bits"),
    [
        (46, ["_table"], (18, 16)),
        (46, ["_table _easy"], (18, 18)),
        (59, ["_table", "_easy"], (19, 18)),
    ],
)
def test_memory_suffices_also_while_tables_grow(
    megabytes: int, full: list[str], bits: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One table after the other, or both; none is refused memory that is free."""
    search, most = KeyPlanSearch(Game(PLANNED).start(), megabytes=megabytes), [0]

    def noted(table: PlanTable) -> PlanTable:
        made = larger(table)
        parts = (*search._table, *search._easy, *made)  # and their caches, which do not count
        most.append(sum(part.nbytes for part in parts if isinstance(part, np.ndarray)))
        return made

    monkeypatch.setattr(key_plan_search, "larger", noted)
    for names in full:
        grown = True
        while grown:
            for name in names.split():
                table = getattr(search, name)
                table.size[0] = len(table.used)
            grown = search._grow()
            for table in search._table, search._easy:
                table.size[0] = 0
    assert (len(search._table.used), len(search._easy.used)) == (1 << bits[0], 1 << bits[1])
    assert max(most) <= megabytes << 20


def test_a_file_takes_no_more_memory_than_its_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, position = tmp_path / "states", Game(PLANNED).start()
    first = KeyPlanSearch(position)
    count = 5 * len(first._table.used) // 8
    first._table.used[:count] = PUBLISHED
    first._table.states[:, 0] = np.arange(len(first._table.used))
    first._table.won[:] = OPEN
    first._checkpoint = path
    first._save()
    again = KeyPlanSearch(position, checkpoint=path, megabytes=0)
    assert again._table.size[0] in (count, count + 1)
    assert len(again._table.used) == len(first._table.used)
    monkeypatch.setattr(key_plan_search, "_FIRST_SLOTS", 2)
    with pytest.raises(LimitError, match=f"the {count:,} states of '.*' take 4 MB of memory"):
        KeyPlanSearch(position, checkpoint=path, megabytes=3)


def test_keys() -> None:
    assert len(usual_keys(Game("7^3"))) == 25
    assert len(usual_keys(Game("6^3"))) == 24
    assert usual_keys(Game("3^2:blocked=centre")) == (0, 2, 6, 8)
    assert usual_keys(Game(PLANNED)) == (0, 1)
    for keys in ((), (0, 0), (9,), (-1,)):
        with pytest.raises(SpecError, match="key"):
            find_key_plan("3^2", keys=keys)


@pytest.mark.parametrize("spec", ["3^2:misere", "3^2:gravity", "3^2:players=3", "3^2:bias=1+2"])
def test_other_rules_are_not_supported(spec: str) -> None:
    with pytest.raises(NotSupportedError):
        find_key_plan(spec)


def test_solutions(tmp_path: Path) -> None:
    told: list[PlanProgress] = []
    drawn = solve_by_plan(Game(PLANNED).start(), proof=tmp_path / "x", on_progress=told.append)
    assert (drawn.value, drawn.winner) == ("draw", 0)
    assert isinstance(drawn.strategy, KeyPlan)
    count = len(drawn.strategy.states)
    assert told[-1].after == f"checking {count} of {count} states"
    assert {one.after.partition(" ")[0] for one in told} - {""} == {"listing", "checking"}
    assert verify(tmp_path / "x").proved
    assert ox.solve(f"{PLANNED}:convention=maker-breaker", method="plan").winner == 2
    none = ox.solve("3^2", method="plan", proof=tmp_path / "y")
    assert (none.value, none.proof) == ("unknown", None)
    assert "says nothing about the value" in none.evidence[-2]
    assert not (tmp_path / "y").exists()
    with pytest.raises(SpecError, match="concept"):
        ox.solve("3^2:players=3", method="plan", concept="maxn")


def test_the_stored_plan_tells_the_value() -> None:
    solution = ox.solve("7^3", seconds=0.0)
    assert solution.value == "draw"
    assert any(
        sentence.startswith("Plan: player 2 answers on 25") for sentence in solution.evidence
    )
