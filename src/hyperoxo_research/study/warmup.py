"""Kernels of the research package that `oxo warmup` compiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hyperoxo.agents import agent
from hyperoxo.game import Game
from hyperoxo.lab import match
from hyperoxo.solvers import solve
from hyperoxo_research.study.ising_program import program_games

STEPS: Mapping[str, Callable[[], object]] = {
    "plans for Breaker": lambda: solve(Game("8{0+1+5+6/0+1+3+4/0+1+2+7/3+4+7/2+6}"), method="plan"),
    "games of a published program": lambda: [
        program_games("3^2", 0.647, 0.8, 1),
        match("3^2", ["ising", "ising:reading=doubled"], games=1),
        agent("minimax:reading=published").choose(Game("2^2").start(), 0),
    ],
}
"""Calls that compile, by their subject."""
