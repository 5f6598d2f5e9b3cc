"""Matches: many games of the same agents, counted."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from hyperoxo.agents import Agent
from hyperoxo.agents.games import random_opening
from hyperoxo.display import Result, as_data, as_text
from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.games import Tally, check_amount, entrants, is_compiled, seating_of
from hyperoxo.lab.requests import RunRequest
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.runs import Run
from hyperoxo.lab.sequential import Comparison, SequentialTest, check_test, interim_counts, judge
from hyperoxo.task import Progress, Task

__all__ = ["MatchResult", "counted", "match"]


@dataclass(frozen=True)
class MatchResult(Result):
    """The result of a match."""

    game: str
    agents: tuple[str, ...]
    games: int
    wins: tuple[int, ...]
    """By seat or, where the seats rotate, by agent; all who share a win have it."""
    draws: int
    plies: float
    """Mean length of a game."""
    seconds: float
    """Time of play by the clock, without compilation and the start of processes."""
    seed: int
    swap: bool
    compiled: bool = field(default=False)
    workers: int = 1
    scoring: str = "rules"
    random_plies: int = 0
    run: int = 0
    """Number of the run in the store; 0 without one."""
    test: Comparison | None = None

    @property
    def games_per_second(self) -> float:
        """Speed of the match."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def counts(self) -> tuple[int, int, int]:
        """Games that the first of two players won, drew and lost."""
        return self.wins[0], self.draws, self.wins[1]

    @property
    def interval(self) -> tuple[tuple[float, float], ...]:
        """95 % Wilson interval of each win rate."""
        return tuple(wilson_interval(won, self.games) for won in self.wins)

    _data = (
        "game agents swap games wins draws seconds:6 games_per_second:3 interval plies seed "
        "compiled workers scoring random_plies run|None test?"
    )
    _text = """
|_rows| {_by}={name} | ={agent} | wins | %={wins/games:.1p} | 95 % interval={interval:.1p; to } |
{games:#game} in {seconds:.2f} s, {games_per_second:,.0f} a second, {plies:.1f} moves a game, \
seed {seed}
?test {_verdict}
"""

    @property
    def _by(self) -> str:
        return "agent" if self.swap else "seat"

    @property
    def _rows(self) -> list[dict[str, Any]]:
        names = "ABCDEFGH" if self.swap else "12345678"
        rows: list[Any] = [*zip(names, self.agents, self.wins, self.interval, strict=False)]
        rows.append(("", "draw", self.draws, None))
        return [dict(zip(("name", "agent", "wins", "interval"), row, strict=True)) for row in rows]

    @property
    def _verdict(self) -> str:
        return as_text(self.test)


def match(
    game: Game | str,
    agents: Sequence[Agent | str],
    games: int = 100,
    seed: int = 0,
    *,
    swap: bool = False,
    scoring: str = "rules",
    random_plies: int = 0,
    until: SequentialTest | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    store: ResultStore | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Play a match.

    Parameters
    ----------
    game : Game or str
        The game.
    agents : sequence of Agent or str
        One agent per player; the first takes seat 1.
    games : int
        Number of games; with a test, the largest number.
    seed : int
        Seed; the same seed gives the same games for any `workers`, unless a clock decides the
        moves of an agent.
    swap : bool
        Rotate the seats from game to game, and count by agent.
    scoring : {"rules", "report"}
        ``"report"`` counts a win on the last free cell as a draw, as a published program did.
    random_plies : int
        The first plies of each game, drawn at random. With `swap`, each opening is played once in
        every rotation of the seats.
    until : SequentialTest, optional
        End as soon as the test is decided.
    workers : int
        Number of games played in parallel: by threads if all agents run in compiled loops,
        otherwise by processes. A script that asks for processes needs
        ``if __name__ == "__main__":``.
    executor : concurrent.futures.Executor, optional
        Executor of the games, instead of workers that this call starts: any pool, or
        :class:`hyperoxo.ClusterExecutor`. If `workers` is 1 the executor's own number counts.
    store : ResultStore, optional
        Store of the results. An unfinished match is resumed.
    progress : callable, optional
        Called with (games done, games). The end of a `Task` interrupts the match.

    Returns
    -------
    MatchResult
        Wins, draws, intervals and speed.

    Raises
    ------
    SpecError
        If the number of agents, games or workers is wrong.
    AgentError
        If an agent cannot play the game.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> result = ox.match("3^2", ["ising", "random"], games=1000, seed=0)
    >>> result.games, result.wins[0] > 900
    (1000, True)
    """
    game = game if isinstance(game, Game) else Game(game)
    players = entrants(agents, game)
    check_amount(games, seed)
    if not 0 <= random_plies < game.cells:
        raise SpecError(f"random plies must be 0 to {game.cells - 1}, not {random_plies}")
    # Raises here, before any game, if no play of the game lasts longer than that.
    random_opening(game, random_plies, [seed])
    # One seating for each rotation: in turn t agent (seat + t) mod q has the seat. Game k of the
    # match is of rotation k mod q, and game k of every rotation has the same random opening.
    seatings = [
        seating_of(game, players[turn:] + players[:turn], seed, turn, scoring, random_plies)
        for turn in range(len(players) if swap else 1)
    ]
    specs = [player.spec for player in players]
    if until is not None:
        check_test(until, specs)
    asked = {
        "agents": specs,
        "games": games,
        "swap": swap,
        "scoring": scoring,
        **({"random_plies": random_plies} if random_plies else {}),
        "until": None if until is None else as_data(until),
    }
    request = RunRequest("match", str(game), asked, seed)
    comparison = None
    with Task.shared(progress, workers, executor) as task, Run(request, store, task) as run:
        if until is None:
            count = len(seatings)
            tallies = run.play(
                [(one, len(range(turn, games, count))) for turn, one in enumerate(seatings)]
            )
        else:
            # Equally many games of each rotation before every look, as the bounds of the test need.
            # `Run.play` plays only the games that are missing.
            for each in interim_counts(games, len(seatings)):
                tallies = run.play([(seating, each) for seating in seatings])
                comparison = judge(until, specs, counted(tallies))
                if comparison.verdict != "undecided":
                    break
    fields = {"run": run.number, "workers": run.workers, "compiled": is_compiled(seatings[0])}
    return result_of(request, tallies, test=comparison, **fields)


def result_of(
    request: RunRequest, tallies: Sequence[Tally], workers: int = 1, **more: Any
) -> MatchResult:
    """Return the result of a match from the tallies of its rotations."""
    asked, total = request.options, counted(tallies)
    return MatchResult(
        request.game,
        tuple(asked["agents"]),
        total.games,
        total.wins,
        total.draws,
        total.plies / max(total.games, 1),
        total.seconds / workers,
        request.seed,
        asked["swap"],
        workers=workers,
        scoring=asked["scoring"],
        random_plies=asked.get("random_plies", 0),
        **more,
    )


def counted(tallies: Sequence[Tally]) -> Tally:
    """Sum up the rotations by agent: in turn t, agent (seat + t) mod q sits on a seat."""
    total = Tally.none(len(tallies[0].wins))
    for turn, tally in enumerate(tallies):
        wins = tally.wins[-turn:] + tally.wins[:-turn] if turn else tally.wins
        total += Tally(tally.games, wins, tally.draws, tally.plies, tally.seconds)
    return total
