"""Results of an analysis: frozen values that can be pickled, and lines of play."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hyperoxo.display import Result
from hyperoxo.game import Bounds, Position, Value, cell_name, completing_cells, lacking_cells
from hyperoxo.game.messages import enumerated, short
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.solvers.exact.minimax import ExactSearch, outcome_value
from hyperoxo.solvers.record import PROOFS
from hyperoxo.solvers.solution import Valued
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.task import Task

_MOST_NAMED = 3

SOURCES = (
    "table",
    "theorem",
    "search",
    "threats",
    "proof",
    "proof-search",
    "estimate",
    "none",
)
"""Sources of a value. All but the last two prove it. They are a table of all positions, a theorem,
exact search, a chain of threats (a completed line is the shortest), a proof that comes with the
program and that ``oxo verify`` checks, and proof search. An ``estimate`` by a search tree or a
heuristic proves nothing; with ``none`` nothing is known yet."""

VERDICTS = ("best", "lost", "forced", "mistake", "doubtful", "open")
"""Verdicts on a move that was played. ``best`` is proved to keep the value of its position,
``mistake`` to give up some of it; ``lost`` is a move in a position proved lost, ``forced`` the only
legal move; ``doubtful`` is estimated far below another move, which proves nothing; of an ``open``
move none of these is known."""


_WORTH = "value bounds remoteness within source score"


@dataclass(frozen=True, kw_only=True)
class Assessment(Valued):
    """Proved bounds and an estimate of the value of a position, or of a move for its player.

    `known` is proved, `remoteness` counts plies to the end under best play, a move itself included,
    and `within` is what a chain of threats proves instead: at most that number of plies. `source`
    is one of `SOURCES`, and `score` the estimated points of the player while the value is open.
    """

    known: Bounds = field(default_factory=Bounds)
    remoteness: int | None = None
    within: int | None = None
    source: str = "none"
    score: float | None = None

    @property
    def proved(self) -> bool:
        """True if the value is proved."""
        return self.known.decided

    @property
    def share(self) -> float | None:
        """Points of the player, 0 to 1: proved or estimated; None where unknown."""
        return self.score if self.known.value is None else self.known.value.points

    @property
    def endless(self) -> bool:
        """True if it is decided by a proof without a number of plies."""
        return self.source in PROOFS and self.remoteness is None and self.within is None


@dataclass(frozen=True)
class MoveAnalysis(Assessment):
    """Analysis of one legal move, for the player who makes it.

    `visits` counts the tries of a search tree that began with it; `maxn` is how the game of three
    or more players ends for the mover if all play for themselves alone, the first of equal
    moves.
    """

    cell: int
    visits: int = 0
    maxn: str | None = None

    _data = f"{_WORTH} cell visits maxn"

    @property
    def order(self) -> tuple[float, ...]:
        """Sort key, greater for better moves: proved values first, then estimates."""
        far = 10_000
        plies = self.remoteness or self.within or far
        value = self.known.value
        # Ranks: 4 won, 3 open and hopeful, 2 drawn, 1 open, 0 lost.
        if value is Value.WIN:
            return (4, -plies)
        if value is Value.DRAW:
            return (2, 0)
        if value is not None:
            # A move that no chain of threats refutes is the hardest to answer.
            return (0, plies if plies < far or self.endless else 0)
        hopeful = self.known.low is Value.DRAW or (self.score is not None and self.score > 0.5)
        rank = 3 if hopeful and self.known.high is Value.WIN else 1
        return (rank, self.visits, self.score or 0.0)


@dataclass(frozen=True)
class PlayerThreats:
    """Cells where a player would complete a line with the next stone, now or later.

    They are dangers in misère play. `later` are those that gravity or the opening forbids now.
    """

    player: int
    cells: tuple[int, ...]
    later: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """One move of a line of play: player, cell, and its effect in a few words."""

    player: int
    cell: int
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Analysis(Assessment):
    """Analysis of a position for the player to move, 0 when the game is over.

    `winner` is 0 if no player can force a win and None if not known; `moves` come best first;
    `forced` is a forced win of either player step by step, where the loser's moves are one choice
    of several; `variation` is the line of play expected where no win is forced.
    """

    game: str
    position: str
    history: tuple[int, ...]
    ply: int
    player: int
    winner: int | None
    moves: tuple[MoveAnalysis, ...] = ()
    best: int | None = None
    reason: str
    forced: tuple[Step, ...] = ()
    variation: tuple[int, ...] = ()
    threats: tuple[PlayerThreats, ...] = ()
    evidence: tuple[str, ...] = ()
    nodes: int = 0
    simulations: int = 0
    seconds: float
    finished: bool
    stopped: bool = False

    _data = (
        f"{_WORTH} game position history ply player winner moves best reason forced variation "
        "threats evidence nodes simulations seconds:6 finished stopped points=share"
    )

    def move(self, cell: int) -> MoveAnalysis | None:
        """Return the analysis of one move, or None if it is not legal."""
        return next((move for move in self.moves if move.cell == cell), None)


@dataclass(frozen=True, kw_only=True)
class PlyAnalysis(Assessment):
    """One move of a game, and the value to its player of the position before it.

    Besides what was found there, what is proved of later positions is used. `best` is the move
    advised instead, or this one; `right` are moves proved to keep what the player had, the best
    first, where there was something to lose; `points` are those of each player before the move,
    with three or more players only of the player to move.
    """

    number: int
    player: int
    cell: int
    played: MoveAnalysis
    best: int
    best_move: MoveAnalysis | None
    right: tuple[int, ...]
    verdict: str
    sentence: str
    points: tuple[float | None, ...]

    _data = f"{_WORTH} number player cell played best best_move right verdict sentence points"


@dataclass(frozen=True)
class LastChance:
    """Last chance to hold of a player who did not win, or lost.

    `number` and `cell` are None if the game was lost from the start; `holding` are moves proved
    to have held; `proved` says that the player held before that move and was lost after it.
    """

    player: int
    number: int | None
    cell: int | None
    value: str
    holding: tuple[int, ...]
    proved: bool
    sentence: str


@dataclass(frozen=True)
class Mistake:
    """A move proved to give something up.

    The player had at least `had` before it and at most `left` after it; `right` are moves proved to
    have kept it, the best first, none where it is only known that there are some.
    """

    number: int
    player: int
    cell: int
    had: Value
    left: Value
    right: tuple[int, ...]
    sentence: str


@dataclass(frozen=True)
class Accuracy:
    """Number of a player's moves that are proved to keep the value.

    `judged` are those of all `moves` that are proved right or wrong; it leaves out moves without a
    choice and those in positions that are proved lost already.
    """

    player: int
    kept: int
    judged: int
    moves: int
    sentence: str


@dataclass(frozen=True)
class GameReport:
    """Report of a game, from proved values alone.

    `ending` says how the game was decided where no loser's move did; `undecided` are numbers of
    moves that were looked at and could not be judged, and `gaps` says so. `sentences` are all but
    those of the mistakes.
    """

    held: tuple[LastChance, ...]
    mistakes: tuple[Mistake, ...]
    accuracy: tuple[Accuracy, ...]
    ending: str
    undecided: tuple[int, ...]
    gaps: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class RecordAnalysis(Result):
    """Analysis of a whole game, made from its end.

    `points` are those of each player after 0, 1, ... moves; `final` is the position after the last
    move of an unfinished game.
    """

    game: str
    setup: str | None
    moves: tuple[int, ...]
    players: tuple[str, ...]
    result: str | None
    plies: tuple[PlyAnalysis, ...]
    points: tuple[tuple[float | None, ...], ...]
    held: tuple[LastChance, ...]
    report: GameReport
    final: Analysis | None
    seconds: float
    finished: bool
    stopped: bool

    _data = "* seconds:6 mistakes"

    @property
    def mistakes(self) -> tuple[int, ...]:
        """Numbers of the moves that are proved to have given something up."""
        return tuple(ply.number for ply in self.plies if ply.verdict == "mistake")


def steps_of(position: Position, cells: Sequence[int]) -> tuple[Step, ...]:
    """Annotate a line of play with the effect of each move."""
    steps = []
    for cell in cells:
        player = position.to_move
        steps.append(Step(player, cell, _note(position, cell)))
        position = position.play(cell)
    return tuple(steps)


def _note(position: Position, cell: int) -> str:
    """Describe a move in a few words; empty in misère play."""
    game, player = position.game, position.to_move
    if game.misere:
        return ""
    after = position.play(cell)
    if after.lines_owned[player - 1] > position.lines_owned[player - 1]:
        return "completes a line"
    others = (other for other in range(1, game.players + 1) if other != player)
    blocks = any(cell in lacking_cells(position, other) for other in others)
    does = ["blocks"] if blocks else []
    aims = () if after.is_over else threats_of(after)[player - 1].cells
    if aims:
        named = [cell_name(game, aim) for aim in aims[:_MOST_NAMED]]
        more = len(aims) - len(named)
        does.append("threatens " + enumerated([*named, f"{more} more"] if more else named))
    return " and ".join(does)


def forced_by_table(position: Position) -> tuple[int, ...]:
    """Return best play to the end by the table of the game; empty without a winner."""
    found = lookup(position)
    if found is None or found[0] is Value.DRAW:
        return ()
    seat = position.to_move if found[0] is Value.WIN else 3 - position.to_move

    def score(after: Position) -> float:
        value, plies = lookup(after) or (Value.DRAW, 0)
        sign = value.sign if after.ply % 2 + 1 == seat else -value.sign
        return sign * (WIN - after.ply - plies)

    return _walk(position, seat, score)


def forced_by_search(position: Position, seat: int, task: Task) -> tuple[int, ...]:
    """Return best play to the end of a seat's forced win, by exact search."""
    search = ExactSearch(position.game)
    with task.watched(search.stop_flag):
        return _walk(position, seat, lambda after: search.value(after, seat))


def _walk(position: Position, seat: int, worth: Callable[[Position], float]) -> tuple[int, ...]:
    """Follow best play for and against a seat; empty unless it ends in a win of the seat."""
    # Values are for the seat and greater for a sooner win, so the maximum is the quickest win and
    # the minimum the longest defence; ties go to the lowest cell. NaN is a search that was stopped.
    cells: list[int] = []
    while not position.is_over:
        mine = position.to_move == seat
        values = [(worth(position.play(cell)), cell) for cell in position.legal_moves]
        if any(math.isnan(value) for value, _ in values):
            return ()
        value, cell = min(values, key=lambda found: (-found[0] if mine else found[0], found[1]))
        if value <= 0:
            return ()
        cells.append(cell)
        position = position.play(cell)
    return tuple(cells) if outcome_value(position, seat) > 0 else ()


def threats_of(position: Position) -> tuple[PlayerThreats, ...]:
    """Return the cells at which each player would complete a line; empty after the end."""
    if position.is_over:
        return ()
    found = []
    for player in range(1, position.game.players + 1):
        now = completing_cells(position, player)
        later = (cell for cell in lacking_cells(position, player) if cell not in now)
        found.append(PlayerThreats(player, now, tuple(later)))
    return tuple(found)


def short_value(found: Assessment) -> str:
    """Write a value in a few characters: ``W 5``, ``=``, ``L 4``, ``56 %``, ``?``."""
    return short(found.value, found.remoteness, found.within, found.score)
