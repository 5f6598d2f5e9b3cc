"""Learned and other agents against exact values, on small games.

Nothing was published of these measurements; they serve to compare agents with each other. Another
agent is one entry more in `AGENTS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hyperoxo.agents import agent
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game
from hyperoxo.lab.plots.figures import truth_figure
from hyperoxo.learn.truth import Truth, truth
from hyperoxo_research.study.parts import Bench, Picture, Section, Study, Table

AGENTS = (
    "random",
    "greedy",
    "ising",
    "td",
    "minimax:depth=2",
    "mcts:simulations=100",
    "puct:simulations=100",
    "alphazero",
    "alphazero:simulations=20",
)
"""The agents that are measured, wherever they play."""

GAMES = ("3^2", "3^2:misere", "3^2:players=3", "4,3,3:gravity", "3^3")
"""The games; those with a sample are in `_SAMPLES`."""

_SAMPLES = {"3^3": (200, 10_000)}
"""Positions of a sample: of a short run and of a full one."""


def _agents_of(game: Game) -> list[str]:
    """Return the agents that play a game."""
    found = []
    for spec in AGENTS:
        try:
            agent(spec).check(game)
        except HyperoxoError:
            continue
        found.append(spec)
    return found


def _table(number: int, result: Truth, command: str) -> Table:
    rows = tuple(
        (
            mark.agent,
            None if mark.kept is None else 100 * mark.kept,
            None if mark.interval is None else 100 * mark.interval[0],
            None if mark.interval is None else 100 * mark.interval[1],
            mark.seconds,
            command,
        )
        for mark in result.marks
    )
    columns = ("agent", "kept, %", "low", "high", "seconds", "command")
    return Table(f"kept-{number}", f"Value kept in {result.game}, % of positions", columns, rows)


def _sections(bench: Bench) -> Iterator[Section]:
    for number, spec in enumerate(GAMES, start=1):
        game = Game(spec)
        specs = _agents_of(game)
        count = bench.size(*_SAMPLES[spec]) if spec in _SAMPLES else None
        result = truth(game, *specs, positions=count, seed=bench.seed, progress=bench.task)
        sample = "" if count is None else f" --positions {count}"
        command = f"oxo truth {spec} {' '.join(specs)}{sample} --seed {bench.seed}"
        what = "positions of random games" if result.exam.sampled else "positions"
        yield Section(
            spec,
            f"{result.exam.count:,} {what} in which the move matters; "
            f"{result.exam.left_out:,} in which every move keeps the value are left out.",
            _table(number, result, command),
            Picture(
                f"by-ply-{number}",
                f"{spec}: value kept, by the number of stones",
                partial(truth_figure, result),
            ),
        )


STUDY = Study(
    "learners",
    "Agents against exact values",
    "Measurements of this program alone: how often the move of an agent keeps the exact value of "
    "the position.",
    _sections,
)
