"""A plan of Breaker's on the real board: games against Makers who try to get a line."""

from __future__ import annotations

from collections.abc import Iterator

from hyperoxo.game import Game
from hyperoxo.lab.games import Tally
from hyperoxo.lab.match import MatchResult
from hyperoxo_research.proof.keyplan.file import check_key_plan
from hyperoxo_research.proof.keyplan.stored import stored_plan
from hyperoxo_research.study.breaker_games import plan_games
from hyperoxo_research.study.parts import Bench, Cell, Section, Study, Table

GAME = "7^3"
COMPILED = {
    "random": (2_000, 40_000),
    "aimed:at=keys": (500, 13_000),
    "aimed:at=rich": (500, 13_000),
    "aimed:at=poor": (500, 13_000),
    "aimed:at=lines": (500, 13_000),
}
"""Makers of compiled games, and the games of a short run and of a full one."""
MAKERS = {
    "greedy": (100, 5_000),
    "ising": (50, 2_200),
    "greedy:threats=on": (50, 500),
    "mcts:simulations=100": (10, 300),
}
"""The same of agents; in a full run there are 10^5 games in all."""


def breaker(bench: Bench) -> Iterator[Section]:
    """Check the plan, and let every Maker play against it."""
    plan = stored_plan(Game(GAME))
    assert plan is not None
    verdict = check_key_plan(plan)
    rows: list[tuple[Cell, ...]] = []
    for maker, sizes in {**COMPILED, **MAKERS}.items():
        games = bench.size(*sizes)
        found: Tally | MatchResult
        if maker in COMPILED:
            found, command = bench.played(plan_games, GAME, maker, games)
            plies = found.plies / games
        else:
            found, command = bench.match(GAME, [maker, "breaker"], games)
            plies = found.plies
        lost, won = found.wins
        rows.append((maker, games, lost, found.draws, won, round(plies, 1), command))
    games, lost = (sum(int(row[at] or 0) for row in rows) for at in (1, 2))
    columns = ("Maker", "games", "lines of Maker's", "drawn", "won", "moves", "command")
    text = f"In {games:,} games Maker completed {lost:,} lines."
    yield Section(
        f"Games on {GAME}",
        f"{plan.statement}: {'proved' if verdict.proved else verdict.reason}. {_TEXT}",
        Table("games", "Breaker against several Makers", columns, tuple(rows), text),
    )


_TEXT = (
    "Breaker answers by the plan, and at random where it says nothing. Maker moves first: at "
    "random; at what the plan rests on, which `aimed` knows; to get the best lines; with threats "
    "searched for; or by simulated games. A line of Maker's would show that the plan, its checker "
    "or its player is wrong. Breaker may complete a line too, which is won."
)


STUDY = Study(
    "breaker",
    "Breaker's plan on the real board",
    "That 7^3 is a draw was published by Cain, Raymond and Kållersjö (2025); the plan and its "
    "games are ours.",
    breaker,
)
