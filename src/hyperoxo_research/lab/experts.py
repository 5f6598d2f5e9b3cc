"""Matches of `expert` against other agents at equal time per move.

Each game begins with a random ply of every player, each opening is played from every seat, and a
match ends as soon as a sequential test decides whether the rival wins more of the decided games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hyperoxo.display import Result
from hyperoxo.game import Game
from hyperoxo.lab.match import match
from hyperoxo.lab.sequential import SequentialTest
from hyperoxo.task import Progress, Task
from hyperoxo_research.lab.league import refusal
from hyperoxo_research.lab.stored_answers import Measurements, place_of

EXPERT_GAMES = (
    *("3^3", "4^3", "5^3", "4^4", "3^4", "7,6,4:gravity", "4^3:gravity", "15,15,5"),
    *("3^4:players=3", "4^2:misere", "9^2:convention=maker-breaker"),
)
"""The games on which `expert` is measured: each kind that it plays in its own way."""

RIVALS = ("puct", "mcts", "minimax", "alphazero")
"""Agents with a time limit per move."""

_TEST = SequentialTest("B>A", effect=0.6)


@dataclass(frozen=True)
class Bout(Result):
    """A match of `expert` against a rival with as much time per move."""

    game: str
    rival: str
    seconds: float
    games: int
    won: int
    drawn: int
    lost: int
    """Games that the first of the rivals won."""
    verdict: str
    """Verdict on "the rival wins more of the decided games": yes, no or undecided."""

    current = True

    @property
    def holds(self) -> bool:
        """True unless `expert` is the weaker one by the test."""
        return self.verdict != "yes"

    @property
    def key(self) -> tuple[str, str, float]:
        """Game, rival and seconds, unique in a file."""
        return self.game, self.rival, self.seconds

    _data = "* holds"


def bouts(
    games: Sequence[str] = (),
    *,
    seconds: float = 0.1,
    count: int = 200,
    seed: int = 0,
    out: Path | None = None,
    progress: Progress | None = None,
) -> list[Bout]:
    """Play `expert` against each rival that plays the game, except matches in the file `out`.

    A match ends after `count` games, or as soon as the test decides it; the file gets it then.
    """
    wanted = [
        (str(game), rival, seconds)
        for game in map(Game, games or EXPERT_GAMES)
        for rival in RIVALS
        if not refusal(f"{rival}:seconds=1", game)
    ]
    return BOUTS.measure(_bout, wanted, (count, seed), out, progress)


def _bout(spec: str, rival: str, seconds: float, count: int, seed: int, _: Task) -> Bout:
    """Play a match."""
    game = Game(spec)
    time = f":seconds={seconds:g}"
    agents = [f"expert{time}", *[f"{rival}{time}"] * (game.players - 1)]
    found = match(game, agents, count, seed, swap=True, random_plies=game.players, until=_TEST)
    assert found.test is not None
    test = found.test
    return Bout(
        *(spec, rival, seconds),
        # The test is of the first rival, B, against `expert`, A: what B lost, A won.
        *(found.games, test.lost, found.draws, test.won),
        test.verdict,
    )


BOUTS = Measurements(
    "experts.json",
    "matches of expert",
    lambda row: Bout(**row),
    lambda bout: (bout.seconds, place_of(bout.game, EXPERT_GAMES), place_of(bout.rival, RIVALS)),
)
"""Matches in files, and those that come with the package."""


def bouts_table(found: Sequence[Bout]) -> tuple[list[str], list[list[str]]]:
    """Return the header and a row for each game and time: won, drawn and lost by rival."""
    cells = {bout.key: bout for bout in found}
    rows = []
    for game, seconds in dict.fromkeys((bout.game, bout.seconds) for bout in found):
        row = [cells.get((game, rival, seconds)) for rival in RIVALS]
        rows.append([game, f"{seconds:g} s", *("" if one is None else _cell(one) for one in row)])
    return ["game", "a move", *RIVALS], rows


def _cell(bout: Bout) -> str:
    weaker = "" if bout.holds else " (weaker)"
    return f"{bout.won} : {bout.drawn} : {bout.lost}{weaker}"
