"""All forced wins of a position: the shortest, and every move that begins one."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from functools import partial

from hyperoxo.display import Result
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.jit import working_time
from hyperoxo.pictures import drawn
from hyperoxo.proof import Dictionary, check_proof, write_proof
from hyperoxo.proof.claim import BoardProof
from hyperoxo.solvers.arrays import position_of
from hyperoxo.solvers.maker_breaker.plans import plan_of_line
from hyperoxo.solvers.maker_breaker.search import MAKERS
from hyperoxo.solvers.threats.search import ThreatResult, ThreatSearch, begun_by, immediate_wins
from hyperoxo.task import Progress, Task

__all__ = ["ForcedWins", "WinningMove", "forced_wins", "write_win"]


@dataclass(frozen=True)
class WinningMove:
    """A first move of forced wins."""

    cell: int
    length: int
    line: tuple[int, ...]


@dataclass(frozen=True)
class ForcedWins(Result):
    """Forced wins of the player to move, as far as known.

    Attributes
    ----------
    position : Position
        The position searched.
    status : str
        ``win``, ``none``, or ``unknown`` where a limit came first or an opening restriction still
        applies to a later move.
    length : int or None
        Threat moves of `line`, the completing stone not counted; None without a win.
    shortest : bool
        Whether no forced win has fewer threat moves than `line`.
    line : tuple of int
        A forced win: attacker and defender in turn, ending with the completing stone.
    moves : tuple of WinningMove
        Every first move found to begin a forced win, ascending.
    undecided : tuple of int
        Moves that may also begin one, or a shorter one than was found.
    forced : tuple of int
        Cells where the opponent threatens to complete a line.
    immediate : tuple of int
        Cells where the player to move completes a line now.
    nodes : int
        Positions searched.
    seconds : float
        Time taken.
    interrupted : bool
        Whether Ctrl-C ended the search.
    """

    position: Position
    status: str
    length: int | None
    shortest: bool
    line: tuple[int, ...]
    moves: tuple[WinningMove, ...]
    undecided: tuple[int, ...]
    forced: tuple[int, ...]
    immediate: tuple[int, ...]
    nodes: int
    seconds: float
    interrupted: bool = False

    def _repr_svg_(self) -> str | None:
        """Draw the position, with the forced win numbered move by move."""
        return drawn(self.position, {cell: str(at) for at, cell in enumerate(self.line, start=1)})

    @property
    def complete(self) -> bool:
        """True if every move was decided and every length is the shortest."""
        return self.status == "none" or (self.shortest and not self.undecided)

    _data = (
        "game=position.game position.text player=position.to_move status length shortest line "
        "moves undecided complete forced immediate nodes seconds:6"
    )


def forced_wins(
    position: Position | Game | str,
    *,
    nodes: int = 0,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> ForcedWins:
    """Find the shortest forced win of the player to move, and all moves that begin one.

    Parameters
    ----------
    position : Position, Game or str
        A position; a game, or its spec, means the empty board.
    nodes : int
        Largest number of positions searched, 0 for no limit.
    seconds : float, optional
        Time limit of the search; None for none.
    progress : callable, optional
        Called with (moves examined, all moves).

    Returns
    -------
    ForcedWins
        A win holds against every defence; without a win by threats there may still be other ways
        to win.

    Raises
    ------
    NotSupportedError
        If the game is not for two, has a bias, needs several lines, or is neither in normal nor
        in Maker-Breaker play.

    Examples
    --------
    >>> found = forced_wins(Game("3^3").position("moves:13,0"))
    >>> found.status, found.length, found.line
    ('win', 2, (12, 14, 3, 23, 21))
    >>> [(move.cell, move.length) for move in found.moves][:3]
    [(1, 2), (2, 3), (3, 2)]
    """
    position = position_of(position)
    if seconds is not None and math.isnan(seconds):
        raise SpecError("seconds must be a number")
    begin = working_time()
    finder = _Finder(position, ThreatSearch(position.game), nodes)
    flag = finder.search.stop_flag
    finished = Task.within(seconds).run(lambda: finder.run(Task(progress)), flag)
    return finder.answer(working_time() - begin, not finished)


def write_win(found: ForcedWins, path: str | os.PathLike[str], *, creator: str = "") -> None:
    """Write a proof of the win: a dictionary without entries, and the sequence."""
    # In Maker-Breaker play it is a plan.
    position = found.position
    if not found.line:
        raise CheckFailedError("there is no forced win to prove")
    proof: BoardProof
    if MAKERS.accepts(position.game):
        proof = plan_of_line(position, found.line)
    else:
        # A line that is completed at once needs no sequence.
        threats = (found.line[:-1:2],) if found.length else ()
        proof = Dictionary(position.game, position.to_move, position, {}, {b"": threats})
    verdict = check_proof(proof)
    if not verdict.proved:
        raise CheckFailedError(f"the proof does not hold: {verdict.reason}")
    write_proof(proof, path, creator=creator)


@dataclass
class _Finder:
    """One search and its results so far."""

    position: Position
    search: ThreatSearch
    limit: int
    spent: int = 0
    first: ThreatResult | None = None
    shortest: bool = False
    moves: dict[int, WinningMove] = field(default_factory=dict)
    undecided: set[int] = field(default_factory=set)

    def run(self, task: Task) -> None:
        """Search for a win, then for a shortest one, then for wins that begin with each move."""
        # 1. Any win. Only moves that complete a line, or stop all lines of the rival, can begin
        # one.
        self.first = self._search(self.position)
        threatened, moves = {*self.first.forced}, self.first.immediate or self.position.legal_moves
        self.undecided = {cell for cell in moves if self.first.immediate or threatened <= {cell}}
        if self.first.immediate:
            self.moves = {cell: WinningMove(cell, 0, (cell,)) for cell in self.first.immediate}
        if self.first.immediate or self.first.status != "win":
            self.shortest = bool(self.first.immediate)
            if self.shortest or self.first.status == "none":
                self.undecided.clear()
            return
        # 2. The shortest win, by iterative deepening within the length of the first.
        self._record(self.first.line)
        best = self._search(self.position, len(self.first.line) // 2)
        if best.status != "win":
            return
        self.first, self.shortest = best, True
        # 3. Each candidate: a win, and then a shorter one with the same first move.
        candidates = sorted(self.undecided)
        for done, cell in enumerate(candidates):
            self._try_move(cell)
            task.report_progress(done + 1, len(candidates))

    def _search(self, position: Position, shortest_within: int | None = None) -> ThreatResult:
        """Search for any forced win, or for a shortest one within a known length."""
        left = self.limit - self.spent if self.limit else None
        if self.search.stop_flag[0] or (left is not None and left <= 0):
            return ThreatResult("unknown", (), 0, (), ())
        found = self.search.forced_win(
            position,
            node_limit=left,
            shortest=shortest_within is not None,
            most_threats=shortest_within,
        )
        self.spent += found.nodes
        return found

    def _try_move(self, cell: int) -> None:
        """Decide if a forced win begins with a move, and find the shortest."""
        found = begun_by(self.position, cell, self._search)
        if found.status == "none":
            self.undecided.discard(cell)
        elif found.status == "win":
            self._record(found.line)
            within = partial(self._search, shortest_within=len(found.line) // 2 - 1)
            best = begun_by(self.position, cell, within)
            if best.status == "win":
                self._record(best.line)
                self.undecided.discard(cell)

    def _record(self, line: tuple[int, ...]) -> None:
        """Keep a win, unless a shorter one with the same first move is known."""
        known = self.moves.get(line[0])
        if known is None or len(line) < len(known.line):
            self.moves[line[0]] = WinningMove(line[0], len(line) // 2, line)

    def answer(self, seconds: float, interrupted: bool) -> ForcedWins:
        """Return the results."""
        first = self.first or ThreatResult("unknown", (), 0, (), immediate_wins(self.position))
        won = first.status == "win"
        return ForcedWins(
            self.position,
            first.status,
            len(first.line) // 2 if won else None,
            self.shortest,
            first.line,
            tuple(self.moves[cell] for cell in sorted(self.moves)),
            tuple(sorted(self.undecided)),
            first.forced,
            first.immediate,
            self.spent,
            seconds,
            interrupted,
        )
