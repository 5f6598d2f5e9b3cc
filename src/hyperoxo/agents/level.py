"""Difficulty levels 1 to 8: weakened agents, full strength at the top.

The settings of each level were calibrated by matches. After a change, measure again with
``oxo study ladder --levels --out levels.json``; the result is part of the research package, and a
test compares its settings with these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hyperoxo.agents.base import (
    Agent,
    Explanation,
    Randomness,
    ThinkingAgent,
    because,
    drawn,
    generator,
    hurried,
    moves_of,
)
from hyperoxo.agents.expert import ExpertAgent
from hyperoxo.agents.mcts import MctsAgent, PuctAgent
from hyperoxo.agents.options import int_option
from hyperoxo.agents.scored import SCORING, IsingAgent, lines_at_hand
from hyperoxo.board import Board
from hyperoxo.game import Game, Position, Why
from hyperoxo.task import ALONE, Task

USUAL = 4
_PLAIN_SIMULATIONS = 100
# Simulations times cells of a move, so that levels stay quick on large boards; never fewer
# simulations than `_FEWEST`.
_MOST_STEPS = 400_000
_FEWEST = 20
# Most cells of a "tiny" board, and longest line of a "short" one; see `kind_of`.
_TINY = 36
_SHORT = 3


@dataclass(frozen=True)
class Level:
    """Name and description of an opponent for people, from 1 to 8; its settings are in `SKILLS`."""

    number: int
    name: str
    about: str

    @property
    def spec(self) -> str:
        """The agent spec."""
        return f"{LevelAgent.name}:{self.number}"

    @property
    def title(self) -> str:
        """Name in forms."""
        return f"Level {self.number}, {self.name}"


LEVELS = (
    Level(1, "Newcomer", "Plays almost by chance."),
    Level(2, "Beginner", "Sees a line now and then."),
    Level(3, "Learner", "Sees some lines, and few diagonals."),
    Level(4, "Casual player", "Sees many lines, and overlooks some."),
    Level(5, "Club player", "A match for people who know the game."),
    Level(6, "Strong player", "Punishes most mistakes."),
    Level(7, "Master", "Punishes nearly every mistake."),
    Level(8, "Expert", "The strongest; plays a stored proof where there is one."),
)
"""The opponents for people, in order of strength, as matches between neighbours confirm."""


class Skill(NamedTuple):
    """Settings that weaken an opponent for people.

    `sight` is the probability of noticing that a line along an axis lacks one stone; its square on
    diagonals of a plane, its cube on those of space, and the square root of these for own lines.
    `attention` is the probability that a free cell is considered, and `simulations` the size of the
    guided tree that ranks the cells; with 0 their lines rank them.
    """

    sight: float
    attention: float
    simulations: int


def _row(
    sight: tuple[float, ...], attention: tuple[float, ...], simulations: tuple[int, ...] = (0,) * 7
) -> tuple[Skill, ...]:
    """Make the settings of levels 1 to 7 from columns."""
    return tuple(map(Skill, sight, attention, simulations))


SKILLS: dict[str, tuple[Skill, ...]] = {
    "race": _row(
        sight=(0.04, 0.072, 0.105, 0.155, 0.215, 0.33, 0.8),
        attention=(0.015, 0.035, 0.055, 0.088, 0.13, 0.2, 0.48),
    ),
    "several": _row(
        sight=(0.05, 0.1, 0.16, 0.25, 0.34, 0.58, 0.8),
        attention=(0.02, 0.05, 0.09, 0.15, 0.21, 0.36, 0.48),
    ),
    "gravity": _row(
        sight=(0.13, 0.27, 0.49, 0.71, 0.9, 1.0, 1.0),
        attention=(0.08, 0.165, 0.3, 0.45, 0.46, 0.6, 0.88),
        simulations=(0, 0, 0, 0, 40, 100, 100),
    ),
    "misere": _row(
        sight=(0.28, 0.38, 0.53, 0.68, 1.0, 1.0, 1.0),
        attention=(0.17, 0.24, 0.33, 0.43, 0.46, 0.63, 0.81),
        simulations=(0, 0, 0, 0, 100, 100, 100),
    ),
    "tiny": _row(
        sight=(0.16, 0.38, 0.55, 0.69, 0.82, 0.89, 0.96),
        attention=(0.1, 0.24, 0.35, 0.44, 0.54, 0.6, 0.7),
    ),
    "wide": _row(
        sight=(0.28, 0.36, 0.46, 0.56, 0.69, 0.8, 0.9),
        attention=(0.17, 0.22, 0.29, 0.35, 0.43, 0.48, 0.46),
        simulations=(0, 0, 0, 0, 0, 0, 100),
    ),
    "short": _row(
        sight=(0.05, 0.1, 0.17, 0.28, 0.45, 0.66, 1.0),
        attention=(0.02, 0.05, 0.1, 0.17, 0.28, 0.42, 0.67),
        simulations=(0, 0, 0, 0, 0, 0, 100),
    ),
    "large": _row(
        sight=(0.13, 0.215, 0.37, 0.58, 0.82, 1.0, 1.0),
        attention=(0.08, 0.135, 0.23, 0.36, 0.51, 0.68, 0.97),
        simulations=(0, 0, 0, 0, 0, 100, 100),
    ),
}
"""Settings of levels 1 to 7 by kind of game; level 8 is the expert."""


def kind_of(game: Game) -> str:
    """Return the row of the settings for a game."""
    if game.target > 1:
        return "race"
    if game.players > 2:
        return "several"
    if game.gravity is not None:
        return "gravity"
    if not game.convention.reaching_wins:
        return "misere"
    if game.board.line_count < game.cells:
        return "tiny" if game.cells <= _TINY else "wide"
    return "short" if game.board.line_sizes.max(initial=0) <= _SHORT else "large"


def skill_of(game: Game, number: int) -> Skill | None:
    """Return the settings of a level for a game; None for the expert."""
    row = SKILLS[kind_of(game)]
    return row[number - 1] if number <= len(row) else None


class LevelAgent(ThinkingAgent):
    """An opponent for people, from 1, which overlooks much, to 8, the expert.

    1. It completes its own line, or stops a rival's, if it sees the line; in misère play it
       avoids the lines that it sees. It sees fewer of the diagonals.
    2. Otherwise it considers some of the free cells and takes the best of these.
    """

    name = "level"
    alone = "number"
    opponents = tuple((level.title, f"level:{level.number}") for level in LEVELS)

    def __init__(self, number: int | str = USUAL) -> None:
        self.level = LEVELS[int_option("level", number, 1, len(LEVELS)) - 1]

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        return self.level.spec

    @property
    def repeatable(self) -> bool:
        """True if the same seed gives the same move: at all levels but the expert."""
        return self.level != LEVELS[-1]

    def check(self, game: Game) -> None:
        """Refuse games that its ranking agent refuses."""
        self._judge(game).check(game)

    def quick(self, game: Game) -> bool:
        """True if every move is quick: if its ranking agent is."""
        return self._judge(game).quick(game)

    def _judge(self, game: Game) -> Agent:
        """Return the agent that ranks the moves."""
        skill = skill_of(game, self.level.number)
        if skill is None:
            return ExpertAgent()
        asked = skill.simulations
        most = max(_FEWEST, _MOST_STEPS // max(game.cells, 1))
        if not SCORING.accepts(game):
            return MctsAgent(simulations=min(asked or _PLAIN_SIMULATIONS, most))
        return PuctAgent(simulations=min(asked, most)) if asked else IsingAgent()

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move, and state the number of cells considered."""
        moves, random = moves_of(position), generator(rng)
        game = position.game
        skill, judge = skill_of(game, self.level.number), self._judge(game)
        if skill is None:
            return judge.think(position, random, task)
        # 1. A line that lacks one stone: complete it, stop it, or in misère play avoid it.
        seen, why, shunned = lines_at_hand(
            position, lambda cell, player: _sees(skill.sight, position, cell, player, random)
        )
        if seen:
            cell = drawn(seen, random)
            return Explanation.of(cell, because(why, position, cell), 1.0)
        # 2. The best of some cells. Those of overlooked lines are left out: their scores would
        # reveal the line.
        rest = [cell for cell in moves if cell not in shunned] or list(moves)
        looked = random.random(len(rest)) < skill.attention
        some = [cell for cell, at in zip(rest, looked, strict=True) if at] or [drawn(rest, random)]
        ranked = judge.think(position, random, task)
        listed = [(cell, worth) for cell, worth in ranked.candidates if cell in some]
        best = [cell for cell, worth in listed if worth == listed[0][1]]
        cell = ranked.move if ranked.move in some else drawn(best, random)
        reason = because(Why.BEST_OF_SOME, position, cell, looked=len(some), moves=len(moves))
        if position.game.convention.reaching_wins and (missed := shunned.difference((cell,))):
            reason += f" {because(Why.OVERLOOKS, position, min(missed))}"
        found = Explanation(cell, tuple(listed), reason)
        return hurried(found) if ranked.hurried else found


def _sees(
    sight: float, position: Position, cell: int, player: int, random: np.random.Generator
) -> bool:
    """Draw at random if a line that lacks only this cell is seen."""
    board, owners = position.game.board, position.owners
    # One draw for each line: a cell that completes two lines is noticed more often.
    for number in board.lines_through(cell):
        line = board.line(number).tolist()
        if all(owners[other] == player for other in line if other != cell):
            steps = _changing_axes(board, line) / (2 if player == position.to_move else 1)
            if random.random() < sight**steps:
                return True
    return False


def _changing_axes(board: Board, line: list[int]) -> int:
    """Return the number of coordinates that change along a line; 1 on boards without shape."""
    if board.shape is None or len(line) < 2:
        return 1
    ends = board.coordinates(line[0]), board.coordinates(line[1])
    return max(1, sum(a != b for a, b in zip(*ends, strict=True)))
