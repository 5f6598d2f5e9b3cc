"""A rule that nobody has thought of is refused by every part, on every axis, and never wrong."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import pytest

from hyperoxo.agents import agent
from hyperoxo.errors import NotSupportedError
from hyperoxo.game import Axis, Game, Trait
from hyperoxo.heuristics import kutner_heuristic
from hyperoxo.lab import match
from hyperoxo.lab.compiled import random_play
from hyperoxo.lab.guide import guide, guided_strategy
from hyperoxo.lab.puzzle import daily_puzzle, make_puzzle
from hyperoxo.notation import Record, write
from hyperoxo.notation.sequence import forced_part
from hyperoxo.play.analysis import analyse_position, analyse_record
from hyperoxo.solvers import solve
from hyperoxo.solvers.arrays import packed_increments, tables_of
from hyperoxo.solvers.exact.minimax import ExactSearch, MinimaxSearch
from hyperoxo.solvers.exact.perft import perft
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo_research.plots.map import draw_map


@dataclass(frozen=True)
class NewTrait:
    """A trait that no part can know."""

    axis: Axis
    words: str = "a rule that is new"


class NewGame(Game):
    """A game that has the new trait of one axis, and a spelling of its own."""

    axis: Axis
    plain: Game

    @classmethod
    def on(cls, axis: Axis, spec: str) -> NewGame:
        game = cls(spec)
        game.__dict__.update(axis=axis, plain=Game(spec))
        return game

    @cached_property
    def traits(self) -> frozenset[Trait]:
        kept = {trait for trait in self.plain.traits if trait.axis is not self.axis}
        return frozenset({*kept, cast(Trait, NewTrait(self.axis))})

    @cached_property
    def _spelling(self) -> str:
        return f"{self.plain} (new {self.axis.value})"


REFUSE: dict[str, Callable[[Game], object]] = {
    "solving": solve,
    "solving a position": lambda game: solve(game.start().play(0)),
    "max^n": lambda game: solve(game, concept="maxn"),
    "exact search": ExactSearch,
    "minimax": lambda game: MinimaxSearch(game.start(), kutner_heuristic()),
    "max^n minimax": lambda game: MinimaxSearch(game.start(), kutner_heuristic(), maxn=True),
    "compiled rules": tables_of,
    "perft": lambda game: perft(game.start(), 1),
    "random games": lambda game: random_play(game, 1),
    "guided trees": lambda game: guide(game, 1, "random"),
    "guided strategies": lambda game: guided_strategy(game, 1, "random"),
    "puzzles": lambda game: make_puzzle(game, 1, 1, games=1),
    "daily puzzles": lambda game: daily_puzzle(game, dt.date(2024, 1, 1)),
    "analysis": lambda game: analyse_position(game.start(), seconds=0),
    "analysis of records": lambda game: analyse_record(Record(game, (0,)), seconds=0),
    "maps": draw_map,
    "scoring as in a report": lambda game: match(game, ["random"] * 2, 1, scoring="report"),
    "greedy": lambda game: agent("greedy").check(game),
    "ising": lambda game: agent("ising").choose(game.start(), 1),
    "the minimax agent": lambda game: agent("minimax").check(game),
    "mcts": lambda game: agent("mcts").check(game),
    "expert": lambda game: agent("expert").choose(game.start(), 1),
    "SGF": lambda game: write([Record(game, (0,))], "sgf"),
}


@pytest.mark.parametrize("axis", Axis)
@pytest.mark.parametrize("consumer", REFUSE)
def test_a_new_rule_is_refused(consumer: str, axis: Axis) -> None:
    with pytest.raises(NotSupportedError) as caught:
        REFUSE[consumer](NewGame.on(axis, "3^2"))
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("axis", Axis)
@pytest.mark.parametrize("spec", ["3^2", "3^2:misere", "5^2", "8^2:players=3", "3^3"])
def test_no_theorem_speaks_of_a_new_rule(axis: Axis, spec: str) -> None:
    assert bounds_by_theorems(Game(spec).start()).reasons
    assert not bounds_by_theorems(NewGame.on(axis, spec).start()).reasons


@pytest.mark.parametrize("axis", Axis)
def test_what_serves_some_games_only_does_not_serve_a_new_rule(axis: Axis) -> None:
    game = NewGame.on(axis, "3^2")
    assert not len(packed_increments(game))
    won = [Record(one, (0, 3, 1, 6, 4)).positions() for one in (Game("3^2"), game)]
    assert [forced_part(positions) for positions in won] == [4, 5]
