"""Accuracy of agents by exact values: the share of moves that keep the value."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents import Agent, agent
from hyperoxo.agents.spec import file_stamps, is_spelled
from hyperoxo.display import Result, as_data
from hyperoxo.errors import LimitError, NotationError, NotSupportedError, SpecError
from hyperoxo.game import Game, Known, Position, Positions, Requires
from hyperoxo.intervals import wilson_interval
from hyperoxo.jit import working_time
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.learn.splits import split_number, splits_of
from hyperoxo.notation import SCORE, Record
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.move_values import move_values
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo.solvers.states.layers import estimate
from hyperoxo.task import Progress, Stop, Task, slices

__all__ = ["Exam", "Mark", "PlyShare", "ScoreCheck", "Truth", "check_scores", "exam", "truth"]

_QUICK_CHUNK, _SLOW_CHUNK = 1 << 12, 1 << 4
_TRIES, _HOPELESS = 100, 1000
_LISTED_SECONDS, _LISTED_POSITIONS = 1.0, 20_000
_SAMPLED_CELLS, _SAMPLED_POSITIONS = 27, 2000
_BY_SEARCH = Requires("a quick exam by search")
_SCORED = Requires("a score by stones left", {*Known.PLACEMENTS, *Known.OPENINGS})


@dataclass(frozen=True)
class PlyShare:
    """The share of positions with a number of stones in which the value is kept."""

    ply: int
    positions: int
    kept: float
    interval: tuple[float, float] | None
    """95 % Wilson interval of the share; None if all positions are counted."""


@dataclass(frozen=True)
class Mark:
    """Accuracy of one agent in an exam.

    Attributes
    ----------
    agent : str
        The agent.
    kept : float or None
        The share of positions in which its move keeps the value; None if there are none.
    kept_by_class : float or None
        The same with every class of positions counted once; None for a sample.
    interval : tuple of float or None
        95 % Wilson interval of `kept`; None if all positions are counted.
    by_ply : tuple of PlyShare
        The share by number of stones.
    seconds : float
        Time the agent took for all its moves.
    """

    agent: str
    kept: float | None
    kept_by_class: float | None
    interval: tuple[float, float] | None
    by_ply: tuple[PlyShare, ...]
    seconds: float


@dataclass(frozen=True)
class Exam:
    """Positions with exact values in which some move keeps the value and another does not.

    Made by `exam`; positions in which every move keeps the value are left out.

    Attributes
    ----------
    positions : Positions
        The positions: one of each class, or those of the sample.
    keeps : numpy.ndarray
        Whether a move keeps the value, bool ``[K, N]``.
    weights : numpy.ndarray
        Positions that each stands for, int64 ``[K]``: the size of its class, 1 in a sample.
    left_out : int
        Positions in which every move keeps the value.
    sampled : bool
        Whether the positions are a sample.
    given : bool
        Whether the caller gave the positions.
    """

    positions: Positions
    keeps: NDArray[np.bool_]
    weights: NDArray[np.int64]
    left_out: int
    sampled: bool
    given: bool = False

    @property
    def count(self) -> int:
        """Positions in all, each of a class counted."""
        return int(self.weights.sum())

    def mark(
        self,
        player: Agent | str,
        seed: int = 0,
        *,
        progress: Progress | None = None,
        stop: Stop | None = None,
    ) -> Mark:
        """Let an agent choose a move in every position, and see which keep the value.

        Parameters
        ----------
        player : Agent or str
            The agent, also by its spec.
        seed : int
            Seed of its random choices.
        progress, stop
            As in `truth`.

        Returns
        -------
        Mark
            The shares.

        Raises
        ------
        KeyboardInterrupt
            When `stop` was set.
        """
        asked = agent(player) if isinstance(player, str) else player
        asked.check(self.positions.game)
        task = Task.of(progress, stop)
        if task.is_spread and not is_spelled(asked):
            raise SpecError(
                f"no spec describes {asked.spec} completely, so it plays with one worker only"
            )
        together = type(asked).choose_many is not Agent.choose_many
        quick = together and asked.quick(self.positions.game)
        size = _QUICK_CHUNK if quick else _SLOW_CHUNK
        kept, seconds = np.zeros(len(self.positions), dtype=np.bool_), 0.0
        parts = slices(len(kept), size)
        who = asked.spec if task.is_spread else asked
        pieces = [(who, self.positions[part], [seed, at]) for at, part in enumerate(parts)]
        for number, (chosen, spent) in task.spread(_chosen, pieces, parts):
            keeps = self.keeps[parts[number]]
            kept[parts[number]] = keeps[np.arange(len(chosen)), chosen]
            seconds += spent
        return self._marked(asked.spec, kept, seconds)

    def _marked(self, spec: str, kept: NDArray[np.bool_], seconds: float) -> Mark:
        if not len(kept):
            return Mark(spec, None, None, None, (), seconds)

        def share(among: Any) -> tuple[int, float, tuple[float, float] | None]:
            total, good = int(self.weights[among].sum()), int(self.weights[among & kept].sum())
            return total, good / total, wilson_interval(good, total) if self.sampled else None

        plies = self.positions.plies
        by_ply = tuple(PlyShare(ply, *share(plies == ply)) for ply in np.unique(plies).tolist())
        _, whole, interval = share(plies >= 0)
        by_class = None if self.sampled else float(kept.mean())
        return Mark(spec, whole, by_class, interval, by_ply, seconds)


# Agents may have state between moves, so each process works on one piece at a time.
_ONE = threading.Lock()
_kept_agent = lru_cache(maxsize=2)(lambda spec, _: agent(spec))


def _chosen(
    who: Agent | str, positions: Positions, seed: list[int], _: Task
) -> tuple[NDArray[np.int32], float]:
    """Return an agent's moves in some positions, and the seconds they took."""
    with _ONE:
        asked = _kept_agent(who, file_stamps(who)) if isinstance(who, str) else who
        begin = working_time()
        return asked.choose_many(positions, np.random.default_rng(seed)), working_time() - begin


def exam(
    game: Game | str,
    positions: int | Sequence[Position] | None = None,
    *,
    split: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Exam:
    """Collect positions of a game with exact values, to measure agents by.

    A sample has one position from each of that many random games, at a ply drawn from those at
    which the game is unfinished.

    Parameters
    ----------
    game : Game or str
        The game.
    positions : int or sequence of Position, optional
        Size of a sample, or the positions to take; all positions of the game by default.
    split, seed, progress, stop
        As in `truth`.

    Returns
    -------
    Exam
        The positions in which the move matters, with the moves that keep the value.

    Raises
    ------
    LimitError
        If the positions are too many to list, or an exact value is out of reach.
    """
    played = Game(game) if isinstance(game, str) else game
    given = isinstance(positions, Sequence)
    if positions is None:
        asked, weights = all_classes(played)
    else:
        if isinstance(positions, Sequence):
            asked = Positions.of([one for one in positions if not one.is_over])
        else:
            asked = random_positions(played, positions, split, np.random.default_rng(seed))
        weights = np.ones(len(asked), dtype=np.int64)
        if asked.game != played:
            raise SpecError(f"the positions belong to {asked.game}, not to {played}")
    # Random positions are drawn from the split already; others are filtered.
    if split is not None and (given or positions is None):
        here = splits_of(asked) == split_number(split)
        asked, weights = asked[here], weights[here]
    found = move_values(asked, remoteness=False, progress=progress, stop=stop)
    left_out = int(weights[~found.matters].sum())
    whole = Exam(asked, found.keeps, weights, left_out, positions is not None, given)
    return part_of(whole, found.matters)


@lru_cache(maxsize=8)
def quick_exam(game: Game) -> Exam | None:
    """Return an exam that takes a few seconds, possibly a sample; None if out of reach."""
    try:
        if estimate(game).seconds <= _LISTED_SECONDS:
            return _some(exam(game), _LISTED_POSITIONS)
        if _BY_SEARCH.accepts(game) and game.cells <= _SAMPLED_CELLS:
            return exam(game, _SAMPLED_POSITIONS)
    except (LimitError, NotSupportedError):
        pass
    return None


def _some(whole: Exam, count: int) -> Exam:
    """Return a sample of an exam, drawn with probabilities proportional to the weights."""
    # Drawn with replacement in proportion to class sizes, so each draw has weight 1.
    if len(whole.positions) <= count:
        return whole
    rng = np.random.default_rng(0)
    chosen = rng.choice(len(whole.weights), count, p=whole.weights / whole.count)
    alike = np.ones(count, np.int64)
    return replace(part_of(whole, chosen), weights=alike, left_out=0, sampled=True)


def part_of(whole: Exam, chosen: NDArray[Any]) -> Exam:
    """Return some positions of an exam, by their indices or a mask."""
    return replace(
        whole,
        positions=whole.positions[chosen],
        keeps=whole.keeps[chosen],
        weights=whole.weights[chosen],
    )


def all_classes(game: Game) -> tuple[Positions, NDArray[np.int64]]:
    """Return one position of each class of unfinished positions, and the sizes of the classes."""
    try:
        graph = StateGraph(game)
    except LimitError as error:
        reason = str(error).partition("; a smaller")[0]
        raise LimitError(f"{reason}; a number of positions gives a sample of them") from None
    goes_on = [layer.results == 0 for layer in graph.layers]
    rows = [graph.owners(ply)[here] for ply, here in enumerate(goes_on)]
    sizes = [layer.orbit[here] for layer, here in zip(graph.layers, goes_on, strict=True)]
    return Positions(game, np.concatenate(rows)), np.concatenate(sizes)


def random_positions(
    game: Game, count: int, split: str | None, rng: np.random.Generator
) -> Positions:
    """Return one position from each of `count` random games, of one split if given."""
    if count < 1:
        raise SpecError(f"the number of positions must be positive, not {count}")
    if split is None:
        return _drawn(game, count, rng)
    number = split_number(split)
    found = np.zeros((0, game.board.cell_count), np.uint8)
    for tries in range(_TRIES):
        # On tiny boards a split may have no position at all.
        if not len(found) and tries * count >= _HOPELESS:
            break
        drawn = _drawn(game, count, rng)
        found = np.concatenate([found, drawn.owners[splits_of(drawn) == number]])
        if len(found) >= count:
            return Positions(game, found[:count])
    raise LimitError(f"random games of {game} rarely lead to positions of split '{split}'")


def _drawn(game: Game, count: int, rng: np.random.Generator) -> Positions:
    """Return a position of each of some random games."""
    rows = np.empty((count, game.board.cell_count), dtype=np.uint8)
    for row in rows:
        position, path = game.start(), []
        while not position.is_over:
            path.append(position.owners)
            moves = position.legal_moves
            position = position.play(moves[int(rng.integers(len(moves)))])
        row[:] = np.frombuffer(path[int(rng.integers(len(path)))], np.uint8)
    return Positions(game, rows)


_BY_CLASS = "by class>={kept_by_class:.2p}"
_REST = (
    "{left_out:,} left out, in which every move keeps the value; columns are stones on the board, "
    "seed {seed}"
)


@dataclass(frozen=True)
class Truth(Result):
    """Agents measured by exact values.

    Attributes
    ----------
    game : Game
        The game.
    exam : Exam
        The positions.
    split : str or None
        The split that they are of.
    seed : int
        Seed of the sample and of the agents.
    marks : tuple of Mark
        One for each agent.
    """

    game: Game
    exam: Exam
    split: str | None
    seed: int
    marks: tuple[Mark, ...]

    _data = (
        "game sample=exam.sampled split seed positions=exam.count classes left_out=exam.left_out "
        "agents=marks"
    )

    @property
    def _plies(self) -> list[int]:
        return sorted({one.ply for mark in self.marks for one in mark.by_ply})

    @property
    def _text(self) -> str:
        """A column for each number of stones."""
        columns = "".join(f" | {ply}>={{at.{ply}:.2p}}" for ply in self._plies)
        more = "95 % interval={interval:.2p; to }" if self.exam.sampled else _BY_CLASS
        how = "positions of random games" if self.exam.sampled else "positions, {classes:,} classes"
        how = "positions" if self.exam.given else how
        kept = "kept, %>={kept:.2p}"
        return f"|_rows| agent | {kept} | {more}{columns} |\n{{positions:,}} {how}; {_REST}"

    @property
    def _rows(self) -> list[dict[str, Any]]:
        """Data of each agent: its shares by the number of stones."""
        return [
            {**as_data(mark), "at": {str(one.ply): one.kept for one in mark.by_ply}}
            for mark in self.marks
        ]

    @property
    def classes(self) -> int | None:
        """Classes of positions; None for a sample."""
        return None if self.exam.sampled else len(self.exam.positions)


def truth(
    game: Game | str,
    *agents: Agent | str,
    positions: int | Sequence[Position] | None = None,
    split: str | None = None,
    seed: int = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    begun: Callable[[str], object] | None = None,
    stop: Stop | None = None,
) -> Truth:
    """Measure agents by exact values: the share of positions in which their move keeps the value.

    Positions in which every move keeps the value are left out. Each agent chooses in one position
    of each class under the symmetries of the game, which counts as many times as the class has
    positions; or in a sample of one position from each of that many random games.

    With two players the value is win, draw or loss, with more what the mover can force against all
    others together: win, draw or nothing.

    Parameters
    ----------
    game : Game or str
        The game.
    *agents : Agent or str
        Agents, also by their specs.
    positions : int or sequence of Position, optional
        Size of a sample, or the positions to take; all positions of the game by default.
    split : {"train", "validation", "test"}, optional
        Only positions of this split: a fixed choice by class, the same in data sets, so that no
        position of one split is one of another in a different orientation.
    seed : int
        Seed of the sample and of the agents' random choices.
    workers, executor
        Where the work runs, as in `enumerate_states`; the shares do not depend on it.
    progress : callable, optional
        Called with (positions done, all positions), for the exact values and for each agent.
    begun : callable, optional
        Called with what is done next: ``"exact values"`` or the spec of an agent.
    stop : Stop, optional
        An event that any thread may set to end the work early.

    Returns
    -------
    Truth
        A mark for each agent.

    Raises
    ------
    SpecError
        If a spec or a number makes no sense.
    LimitError
        If the positions are too many to list, or an exact value is out of reach.
    NotSupportedError
        If an agent does not play the game, or no search supports it.

    Examples
    --------
    >>> found = truth("3^2", "minimax")
    >>> found.marks[0].kept, found.exam.count
    (1.0, 3191)
    """
    asked = [agent(one) if isinstance(one, str) else one for one in agents]
    played = Game(game) if isinstance(game, str) else game
    for one in asked:
        one.check(played)
    tell = begun or (lambda _: None)
    marks = []
    with Task.shared(progress, workers, executor, stop) as task:
        tell("exact values")
        made = exam(played, positions, split=split, seed=seed, progress=task)
        for one in asked:
            tell(one.spec)
            marks.append(made.mark(one, seed, progress=task))
    return Truth(played, made, split, seed, tuple(marks))


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
        """Number of scores that differ."""
        return len(self.wrong)


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
    progress, stop
        As in `truth`.

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
    search, task = ExactSearch(game), Task.of(progress, stop)
    numbered = zip(lines or range(1, len(records) + 1), records, strict=True)
    scored = [(line, one) for line, one in numbered if one.tag(SCORE) is not None]
    wrong: list[WrongScore] = []

    def run() -> None:
        for done, (line, record) in enumerate(scored, start=1):
            if record.position.is_over:
                raise NotationError(f"line {line}: the game is over, and so has no score")
            value = search.value(record.position, record.position.to_move)
            if math.isnan(value) or task.stopped:
                return
            # A value is WIN minus the stones on the board at the end. The score is that of Connect
            # Four solvers: the winner's stones left of a full board's, with the last one played.
            left = (game.cells + 2 - int(WIN - abs(value))) // 2
            exact, given = left * int(np.sign(value)), int(record.tag(SCORE) or 0)
            if exact != given:
                moves = ",".join(map(str, record.moves))
                wrong.append(WrongScore(line, f"moves:{moves}", given, exact))
            task.report_progress(done, len(scored))

    if not task.run(run, search.stop_flag) or task.stopped:
        raise KeyboardInterrupt
    return ScoreCheck(game, len(scored), tuple(wrong))
