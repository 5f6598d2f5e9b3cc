"""Exact scores of positions, beside those that a test set names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hyperoxo.display import Result
from hyperoxo.errors import NotationError, SpecError
from hyperoxo.game import Game, Known, Position, Requires
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.notation import SCORE, Record
from hyperoxo.solvers.exact.seat_value import ExactSearch
from hyperoxo.task import Progress, Stop, Task

__all__ = ["ScoreCheck", "WrongScore", "check_scores"]

_SCORED = Requires("a score by stones left", {*Known.PLACEMENTS, *Known.OPENINGS})


@dataclass(frozen=True)
class WrongScore:
    """A score that is not that of its position."""

    line: int
    position: str
    score: int
    exact: int


@dataclass(frozen=True)
class ScoreCheck(Result):
    """Scores compared with exact ones.

    Attributes
    ----------
    game : Game
        The game.
    compared : int
        Scores that were compared.
    wrong : tuple of WrongScore
        Those that differ, by line.
    """

    game: Game
    compared: int
    wrong: tuple[WrongScore, ...]

    _text = """
{compared:#score} compared, {mistakes:,} wrong
|wrong| line | position | score | exact |
"""

    @property
    def mistakes(self) -> int:
        """How many scores differ."""
        return len(self.wrong)


def score_of(search: ExactSearch, position: Position) -> int | None:
    """Return the exact score of a running position, None where the search was stopped.

    It is positive where the player to move wins, and counts the stones that the winner still has,
    of all that a full board would have of theirs, the last one that is played among them.
    """
    value = search.value(position, position.to_move)
    if math.isnan(value):
        return None
    left = (search.game.cells + 2 - int(WIN - abs(value))) // 2
    return left if value > 0 else -left if value else 0


def check_scores(
    records: Sequence[Record],
    lines: Sequence[int] | None = None,
    *,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> ScoreCheck:
    r"""Compare the scores of a test set with exact ones.

    Parameters
    ----------
    records : sequence of Record
        Running positions of one game; those with the tag ``Score`` are compared.
    lines : sequence of int, optional
        Their lines in a file; by default they are numbered from 1.
    progress : callable, optional
        Called with (positions done, all positions).
    stop : Stop, optional
        An event that any thread may set to end the work early.

    Returns
    -------
    ScoreCheck
        The scores that differ.

    Raises
    ------
    SpecError
        If the positions are of several games, or there are none.
    NotationError
        If a game is over, and so has no score.
    NotSupportedError
        If scores are not defined for the game.
    KeyboardInterrupt
        After Ctrl-C, or when `stop` was set.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> check_scores(ox.read("44455554221 -15\n4455 17", "columns")).wrong
    (WrongScore(line=2, position='moves:3,10,4,11', score=17, exact=18),)
    """
    games = {record.game for record in records}
    if len(games) != 1:
        raise SpecError(f"scores are of one game, not of {len(games)}")
    [game] = games
    _SCORED.check(game)
    search, task = ExactSearch(game), Task(progress, stop)
    numbered = zip(lines or range(1, len(records) + 1), records, strict=True)
    scored = [(line, one) for line, one in numbered if one.tag(SCORE) is not None]
    wrong: list[WrongScore] = []

    def run() -> None:
        for done, (line, record) in enumerate(scored, start=1):
            if record.position.is_over:
                raise NotationError(f"line {line}: the game is over, and so has no score")
            exact, given = score_of(search, record.position), int(record.tag(SCORE) or 0)
            if exact is None or task.stopped:
                return
            if exact != given:
                moves = ",".join(map(str, record.moves))
                wrong.append(WrongScore(line, f"moves:{moves}", given, exact))
            task.tell(done, len(scored))

    if not task.run(run, search.stop_flag) or task.stopped:
        raise KeyboardInterrupt
    return ScoreCheck(game, len(scored), tuple(wrong))
