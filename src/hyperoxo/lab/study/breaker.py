"""A plan of Breaker's on the real board: games against Makers who try to get a line."""

from __future__ import annotations

from collections.abc import Iterator

from hyperoxo.lab.study.parts import Bench, Cell, Section, Study, Table
from hyperoxo.proof.breaker import check_breaker
from hyperoxo.proof.breaker_stored import stored_plan
from hyperoxo.rules import Game

GAME = "7^3"
MAKERS = {
    "random": (1_000, 60_000),
    "greedy": (300, 18_000),
    "aimed:at=keys": (100, 4_500),
    "aimed:at=rich": (100, 4_500),
    "aimed:at=poor": (100, 4_500),
    "aimed:at=lines": (100, 4_500),
    "greedy:threats=on": (50, 3_000),
    "mcts:simulations=10": (20, 1_000),
}
"""Who plays Maker, and the games of a short run and of a full one, of which there are 10^5."""


def breaker(bench: Bench) -> Iterator[Section]:
    """Check the plan, and let every Maker play against it."""
    plan = stored_plan(Game(GAME))
    assert plan is not None
    verdict = check_breaker(plan)
    rows: list[tuple[Cell, ...]] = []
    for maker, sizes in MAKERS.items():
        found, command = bench.match(GAME, [maker, "breaker"], bench.size(*sizes))
        lost, won = found.wins
        rows.append((maker, found.games, lost, found.draws, won, round(found.plies, 1), command))
    games, lost = (sum(int(row[at] or 0) for row in rows) for at in (1, 2))
    columns = ("Maker", "games", "lines of Maker's", "drawn", "won", "moves", "command")
    text = f"In {games:,} games Maker completed {lost:,} lines."
    yield Section(
        f"Games on {GAME}",
        f"{plan.statement}: {'proved' if verdict.proved else verdict.reason}. {_TEXT}",
        (Table("games", "Breaker against several Makers", columns, tuple(rows), text),),
    )


_TEXT = (
    "The agent `breaker` answers by the plan, and at random where it says nothing. Maker moves "
    "first: at random; to get the best lines; at what the plan rests on, which `aimed` knows; with "
    "threats searched for; or by simulated games. A line of Maker's would show that the plan, its "
    "checker or the agent is wrong. Breaker may complete a line too, which is won."
)


STUDY = Study(
    "breaker",
    "Breaker's plan on the real board",
    "That 7^3 is a draw was published by Cain, Raymond and Kållersjö (2025); the plan and its "
    "games are ours.",
    breaker,
)
