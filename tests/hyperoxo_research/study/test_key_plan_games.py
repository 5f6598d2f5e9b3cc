"""Compiled games against a plan are games by the rules; the study counts the lines in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.task import Task
from hyperoxo_research.agents.adversary import aims_of
from hyperoxo_research.agents.key_plan import KeyPlanAgent
from hyperoxo_research.kernels.incidence import Incidence
from hyperoxo_research.kernels.plan_games import any_cell, best_cell, line_values
from hyperoxo_research.study import Bench, key_plan_games
from hyperoxo_research.study.key_plan_games import COMPILED, PlanContest, PlanSeating, plan_games
from hyperoxo_research.study.parts import python_command
from tests.marks import more


@pytest.fixture(scope="module")
def seven() -> PlanContest:
    return PlanContest(Game("7^3"))


@pytest.mark.parametrize("maker", COMPILED)
def test_games_are_those_of_the_rules(maker: str, seven: PlanContest) -> None:
    """Each is replayed; Breaker's moves are the agent's wherever the plan asks for one."""
    game, asked = Game("7^3"), 0
    for number in range(3):
        winner, moves = seven.game(maker, 7, number)
        position, breaker = game.start(), KeyPlanAgent()
        for move in moves.tolist():
            assert position.outcome is None
            if position.to_move == 2:
                told = breaker.explain(position, 0)
                if "the answer of a plan" in told.reason:
                    assert told.move == move
                    asked += 1
            position = position.play(move)
        assert position.outcome is not None
        assert (position.outcome.winners or (0,)) == (winner,)
    assert asked > 100


@pytest.mark.parametrize("maker", more(COMPILED, ["adversary:at=keys"]))
def test_makers_play_as_they_are_told(maker: str, seven: PlanContest) -> None:
    """The first moves are keys or none; at random all cells are as likely as others."""
    keys = set(seven.play.plan.keys)
    first = [int(seven.game(maker, 3, number)[1][0]) for number in range(60)]
    if maker == "random":
        assert len(set(first)) > 45
    elif maker in ("adversary:at=keys", "adversary:at=lines"):
        assert set(first) <= keys
    else:
        assert not set(first) & keys


def test_lines_of_makers_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pairs, or with the plan's answers on the wrong cells, Maker wins."""
    table = PlanContest(Game("7^3"))
    books = table.play.begin()
    monkeypatch.setattr(table.play, "begin", lambda: replace(books, partners={}))
    assert [table.game("adversary:at=lines", 1, number)[0] for number in range(4)] == [1] * 4
    monkeypatch.setattr(table.play, "begin", lambda: books)
    monkeypatch.setattr(table.play, "answer", lambda books, cell: (cell, books))
    with pytest.raises(CheckFailedError, match="the plan answers cell"):
        table.game("random", 1, 0)


def test_ranges_are_the_same_however_they_are_cut() -> None:
    seating = PlanSeating("7^3", ("adversary:at=lines", "breaker"), 5)
    whole, parts = seating.play(0, 12), seating.play(0, 5) + seating.play(5, 12)
    assert (whole.wins, whole.draws, whole.plies) == (parts.wins, parts.draws, parts.plies)
    assert whole.games == 12
    assert whole.wins[0] == 0
    games = plan_games("7^3", "random", 10, 2)
    with Task.shared(None, workers=2) as task:
        again = plan_games("7^3", "random", 10, 2, task=task)
    assert (games.wins, games.draws, games.plies) == (again.wins, again.draws, again.plies)
    command = python_command(plan_games, "7^3", "random", 10, 2)
    assert "key_plan_games import plan_games as p; print(p('7^3', 'random', 10, 2))" in command


def test_no_plan_no_games() -> None:
    with pytest.raises(SpecError, match="no plan of player 2 is stored for 4"):
        plan_games("4^3", "random", 1, 0)


@pytest.mark.parametrize("spec", ["3^2", "4^3", "7{0+1/1+2+3/3+4+5/0+4/2+6}"])
def test_worth_of_cells_by_its_definition(spec: str) -> None:
    board, rng = ox.Game(spec).board, np.random.default_rng(1)
    every = Incidence(board.line_ptr, board.line_cells, board.cell_ptr, board.cell_lines)
    for _ in range(30):
        owners = rng.choice(np.array([0, 0, 0, 1, 2], np.uint8), board.cell_count)
        wanted = rng.random(board.line_count) < 0.7
        worth, mover = np.ones(board.cell_count), int(rng.integers(1, 3))
        line_values(every, wanted, owners, mover, 3.0, worth)
        for cell in range(board.cell_count):
            lines = [board.line(line) for line in board.lines_through(cell) if wanted[line]]
            mine = [
                (owners[line] == mover).sum() for line in lines if (3 - mover) not in owners[line]
            ]
            assert worth[cell] == (0 if owners[cell] else sum(3.0 ** int(k) for k in mine))


def test_cells_are_drawn_from_all_that_are_free() -> None:
    owners, state = np.array([1, 0, 2, 0, 0], np.uint8), np.array([9], np.uint64)
    drawn = np.bincount([any_cell(owners, 3, state) for _ in range(3_000)], minlength=5)
    assert drawn[[0, 2]].tolist() == [0, 0]
    assert (drawn[[1, 3, 4]] > 900).all()
    worth = np.array([0.0, 1.0, 0.0, 1.0, 0.5])
    best = np.bincount([best_cell(worth, state) for _ in range(1_000)], minlength=5)
    assert best[[0, 2, 4]].tolist() == [0, 0, 0]
    assert (best[[1, 3]] > 400).all()
    assert best_cell(np.zeros(3), state) == -1


def test_kinds_of_lines() -> None:
    """Lines of keys alone are neither rich nor poor."""
    aim = aims_of(Game("6{0+1/1+2/2+3+4/4+5}"), (0, 1, 4))
    assert aim.lines["rich"].tolist() == [False, True, True, True]
    assert aim.lines["poor"].tolist() == [False, False, False, False]
    assert aims_of(Game("6{0+1/1+2/2+3+4/4+5}"), (0, 1)).lines["poor"].tolist() == [
        *(False, False, True, True),
    ]
    assert aims_of(Game("3{}"), (0,)).lines["lines"].tolist() == []


@pytest.mark.more
def test_every_maker_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_plan_games, "COMPILED", {"random": (4, 8), "adversary:at=keys": (3, 6)})
    monkeypatch.setattr(key_plan_games, "MAKERS", {"greedy": (1, 2)})
    (section,) = key_plan_games.STUDY.sections(Bench())
    (table,) = section.tables
    assert "by a plan on 25 key cells: proved." in section.text
    assert [row[:3] for row in table.rows] == [
        ("random", 4, 0),
        ("adversary:at=keys", 3, 0),
        ("greedy", 1, 0),
    ]
    counts = [[int(str(cell)) for cell in row[1:5]] for row in table.rows]
    assert all(games == sum(results) for games, *results in counts)
    assert table.text == "In 8 games Maker completed 0 lines."


def test_full_runs_are_a_hundred_thousand_games() -> None:
    played = {**key_plan_games.COMPILED, **key_plan_games.MAKERS}
    assert sum(full for _, full in played.values()) == 100_000


def test_a_line_of_makers_would_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a player who follows no plan the Maker does complete lines."""
    monkeypatch.setattr(key_plan_games, "COMPILED", {})
    monkeypatch.setattr(key_plan_games, "MAKERS", {"adversary:at=lines": (2, 2)})
    played: list[list[str]] = []

    def match(self: Bench, game: str, agents: list[str], games: int) -> object:
        played.append(agents)
        return plain(self, game, [agents[0], "random"], games)

    plain = Bench.match
    monkeypatch.setattr(Bench, "match", match)
    (section,) = key_plan_games.STUDY.sections(Bench())
    assert played == [["adversary:at=lines", "breaker"]]
    assert section.tables[0].text == "In 2 games Maker completed 2 lines."
