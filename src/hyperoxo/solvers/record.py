"""Record of proved bounds on a position and its moves, and the question that asks for more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hyperoxo.board.limits import check_bytes
from hyperoxo.game import Bounds, Position, Reason, Value, Why, propagate
from hyperoxo.solvers.arrays import move_classes
from hyperoxo.solvers.exact.minimax import ExactSearch, outcome_value
from hyperoxo.solvers.limits import FEW, SHALLOW
from hyperoxo.solvers.maker_breaker.bounds import MakerBounds, MakerSettings, decides
from hyperoxo.solvers.solution import MoveValue, Question, Solution
from hyperoxo.solvers.sources import Stored
from hyperoxo.solvers.theorems import excludes_draws
from hyperoxo.task import Task

PROOFS = ("proof", "proof-search")
"""Sources that decide a value without a distance."""

_RANK = {"table": 4, "search": 3, "threats": 2, "theorem": 1, "proof": 1, "proof-search": 1}
"""Sources by their information: all distances, exact distance, upper bound of it, value only."""


@dataclass(kw_only=True)
class Found:
    """Proved bounds of a value, plies to the end, and the source that decided it.

    `remoteness` counts plies under best play, a move itself included; `within` is an upper bound of
    it, from a chain of threats. `narrowed_by` is the last source that narrowed the bounds.
    """

    known: Bounds
    remoteness: int | None = None
    within: int | None = None
    source: str = "none"
    narrowed_by: str = "none"

    def tighten(
        self,
        proved: Bounds,
        source: str,
        *,
        remoteness: int | None = None,
        within: int | None = None,
    ) -> None:
        """Record proved bounds; weaker ones than known change nothing."""
        # Intersect the bounds; an empty intersection means that a source is wrong.
        try:
            known = self.known & proved
        except AssertionError as error:
            raise AssertionError(f"{source} contradicts {self}") from error
        news = known != self.known
        if news:
            self.narrowed_by = source
        # Distances belong to decided values only, and the first exact one is kept.
        if known.decided and self.remoteness is None and remoteness is not None:
            self.remoteness, news = remoteness, True
        if known.decided and within is not None:
            self.within = min(within, self.within or within)
        # The source of a value is the one that decided it, or a later one with more information.
        better = proved.decided and _RANK.get(source, 0) > _RANK.get(self.source, 0)
        if known.decided and (news or better):
            self.source = source
        self.known = known

    @property
    def is_unmeasured(self) -> bool:
        """True if it is open, or was decided without a distance."""
        by_plies = self.remoteness is not None or self.within is not None
        return self.source in ("none", *PROOFS) and not by_plies


@dataclass(kw_only=True)
class FoundMove(Found):
    """Proved bounds of equivalent moves, for the player who makes them.

    `cell` is the least of them and leads to the position `after`. A search has found no end within
    `depth` plies after it, or that it is no better than the best measured move (`beaten`). It is
    `searched` unless theorems or a table gave its distance before.
    """

    cell: int
    after: Position
    depth: int = 0
    beaten: bool = False
    searched: bool = True

    def is_open(self, *, plies: bool = True) -> bool:
        """True if its value is unknown, or its distance, where `plies` asks for that."""
        return not self.known.decided or (plies and self.remoteness is None)


class Knowledge:
    """Proved bounds of a position and of its moves, for the player to move.

    All sources add to it by `bound` and `tighten`. Moves are grouped by `class_of`, the least
    equivalent move of each; one record is for all of a class.
    """

    def __init__(
        self,
        position: Position,
        *,
        concept: str = "exact",
        class_of: Mapping[int, int] | None = None,
    ) -> None:
        self.position = position
        self.game = position.game
        self.concept = concept
        self.mover = self.game.turns.mover(position.ply)
        self.free = self.game.cells - position.ply
        # With max^n, where all players play for themselves, the least value is a loss.
        self.least = Value.LOSS if concept == "maxn" else Value.least(self.game.players)
        self.own = Found(known=Bounds(self.least))
        self.moves: dict[int, FoundMove] = {}
        self.class_of: dict[int, int] = {}
        self.notes: list[Reason] = []
        self.joined: object = None
        """Snapshot of the bounds after the last propagation."""
        if position.is_over:
            self.bound(Bounds.exactly(self._outcome(position), Why.OVER()), "search", remoteness=0)
            return
        self.class_of = {**(move_classes(position) if class_of is None else class_of)}
        classes = dict.fromkeys(self.class_of.values())
        check_bytes(f"a record of all moves of {self.game}", len(classes) * len(position.owners))
        for first in classes:
            after = position.play(first)
            self.moves[first] = FoundMove(cell=first, after=after, known=Bounds(self.least))
            if after.is_over:
                source = "threats" if after.winning_lines else "search"
                self.tighten(first, Bounds.exactly(self._outcome(after)), source, remoteness=1)

    def _outcome(self, position: Position) -> Value:
        return Value.of(outcome_value(position, self.mover), least=self.least)

    def bound(self, proved: Bounds, source: str, **plies: int | None) -> None:
        """Record proved bounds of the position itself, and each reason once."""
        known = self.own.known.reasons
        new = tuple(why for why in proved.reasons if why not in known)
        self.own.tighten(replace(proved, reasons=new), source, **plies)

    def tighten(self, cell: int, proved: Bounds, source: str, **plies: int | None) -> None:
        """Record proved bounds of a move and of all equivalent ones."""
        self.of(cell).tighten(proved, source, **plies)

    def take_stored(self, said: Stored) -> None:
        """Record the bounds of stored proofs for the position and its moves."""
        self.bound(said.own, "proof")
        for cell, bounds in said.moves.items():
            self.tighten(cell, bounds, "proof")

    def of(self, cell: int) -> FoundMove:
        """Return the record of a move."""
        return self.moves[self.class_of[cell]]

    @property
    def evidence(self) -> tuple[Reason, ...]:
        """Reasons of all present knowledge."""
        return (*self.own.known.reasons, *self.notes) or self._of_moves()

    def note(self, *reasons: Reason) -> None:
        """Keep evidence that bounds nothing by itself, each reason once."""
        self.notes += [why for why in reasons if why not in self.notes]

    def join(self) -> None:
        """Let the bounds of position and moves tighten each other."""
        if self.joined == self.snapshot:
            return
        # The value is the best of the moves; bounds flow both ways. In games without draws "at
        # least a draw" is a win.
        drawless = excludes_draws(self.game, self.own.known.reasons)
        known = [move.known for move in self.moves.values()]
        self.own.known, known = propagate(self.own.known, known, drawless=drawless)
        for move, bounds in zip(self.moves.values(), known, strict=True):
            move.known = bounds
            if move.remoteness is None and self._lasts(bounds):
                move.remoteness = self.free
        self.joined = self.snapshot

    @property
    def snapshot(self) -> tuple[object, ...]:
        """Snapshot of all bounds and distances, for comparison."""
        moves = ((move.known, move.remoteness, move.within) for move in self.moves.values())
        return (self.own.known, self.plies(), *moves)

    def _lasts(self, bounds: Bounds) -> bool:
        """True if a value is known and is reached on the full board."""
        winner = bounds.winner(self.mover, self.game.players)
        return bounds.value is Value.DRAW or (
            bool(winner) and winner == self.game.convention.full_board
        )

    def plies(self) -> tuple[int | None, int | None]:
        """Return the remoteness of the position, or else a proved upper bound of it.

        The winner shortens the game, the loser prolongs it, and draws run to the full board.
        """
        # 1. Known itself, or a draw, which lasts until the board is full.
        own, value = self.own, self.own.known.value
        if value is None or own.remoteness is not None:
            return own.remoteness, None
        if value is Value.DRAW and self.concept == "exact":
            return self.free, None
        # 2. The best measured move of that value, if no other move can be better.
        won, reached = value is Value.WIN, self.reached()
        measured = [one.remoteness for one in reached if one.remoteness is not None]
        if measured:
            best = min(measured) if won else max(measured)
            if all(self._is_no_better(move, best if won else None) for move in self.moves.values()):
                return best, None
        # 3. An upper bound: one move suffices to bound a win, all of them a loss.
        most = [one.remoteness or one.within for one in reached]
        if won:
            return None, min((one for one in (*most, own.within) if one is not None), default=None)
        ends = [one for one in most if one is not None]
        return None, max(ends) if len(ends) == len(self.moves) else None

    def _is_no_better(self, move: FoundMove, win: int | None) -> bool:
        """True if a move is measured, or cannot be better than those that are."""
        # A move searched to some depth without a result can only win later than that.
        if move.remoteness is not None or move.beaten or not self.contends(move):
            return True
        return win is not None and move.depth + 2 >= win

    def contends(self, move: FoundMove) -> bool:
        """True if a move may have the value of the position."""
        return move.known.high >= self.own.known.low

    def reached(self) -> list[FoundMove]:
        """Return the moves with the value of the position, as far as known."""
        value = self.own.known.value
        return [move for move in self.moves.values() if move.known.value is value is not None]

    def answers(self, question: Question, *, plies: bool = True) -> bool:
        """True if a question is answered; without `plies`, as far as a proof can answer it."""
        if not self.own.known.decided or not self.moves:
            return not self.moves
        if question is Question.VALUE:
            return True
        if question is Question.BEST_MOVE:
            return bool(self.reached()) and (not plies or self.plies()[0] is not None)
        plies = plies and question is not Question.EVERY_VALUE
        return not any(move.is_open(plies=plies) for move in self.moves.values())

    def solution(self, *, reasons: tuple[Reason, ...] = (), **rest: Any) -> Solution:
        """Return the present knowledge as a solution, with more reasons and fields of a search."""
        self.join()
        why = (*self.own.known.reasons, *reasons, *self.notes) or self._of_moves()
        found = ((cell, self.moves[first]) for cell, first in self.class_of.items())
        return Solution(
            position=self.position,
            player=self.mover,
            known=replace(self.own.known, reasons=why),
            remoteness=self.plies()[0],
            moves=tuple(MoveValue(cell, move.known, move.remoteness) for cell, move in found),
            **rest,
        )

    def _of_moves(self) -> tuple[Reason, ...]:
        """Reasons of the moves that decide the value: one that wins, otherwise all."""
        winning = [move for move in self.moves.values() if move.known.value is Value.WIN][:1]
        deciding = winning or self.moves.values()
        found: list[Reason] = []
        for move in deciding:
            found += [why for why in move.known.reasons if why not in found]
        if not found and self.own.known.decided:
            found = [Why.ENDED_BY_MOVES()]
        return tuple(found)


@dataclass
class Inquiry:
    """A question about a position, the knowledge so far, and the limits of the search.

    `search` counts the positions visited by all sources but proof search, at most `nodes` (0 for no
    limit), and its flag stops them; `news` is called when more is known, and `line` has the cells
    of a win by threats.
    """

    known: Knowledge
    question: Question
    task: Task
    nodes: int = 0
    settings: MakerSettings | None = None
    news: Callable[[], object] | None = None
    granted: int | None = None
    """Positions that other moves may take, once a best one is known."""
    interrupted: bool = False
    released: int = 0
    """Positions visited by searches whose memory was given back."""
    line: tuple[int, ...] = ()
    _reported: object = None

    @cached_property
    def search(self) -> ExactSearch:
        """Exact search; other searches share its node count and stop flag."""
        return ExactSearch(self.known.game, self.nodes)

    @cached_property
    def maker_breaker(self) -> MakerBounds:
        """Maker-Breaker and Avoider-Enforcer search."""
        return MakerBounds(self.known.game, self.search, self.settings)

    @property
    def visited(self) -> int:
        """Positions visited by exact search and by proof search."""
        return self.released + (self.search.nodes if "search" in self.__dict__ else 0)

    @property
    def is_stopped(self) -> bool:
        """True if a search was ended from outside or has used up its positions."""
        return "search" in self.__dict__ and self.search.stopped

    @property
    def is_answered(self) -> bool:
        """True if the value is known, and distance and a best move if they are asked for."""
        value = self.question is Question.VALUE
        return self.known.answers(Question.VALUE if value else Question.BEST_MOVE)

    @property
    def who_only(self) -> bool:
        """True if only the winner is sought, as on large Maker–Breaker boards."""
        known = self.known
        return known.free > SHALLOW and decides(known.game) and known.own.known.decided

    def publish(self) -> None:
        """Propagate bounds, and report changes."""
        self.known.join()
        if self._reported is not self.known.joined:
            self._reported = self.known.joined
            done = sum(move.remoteness is not None for move in self.known.moves.values())
            self.task.report_progress(done, len(self.known.moves))
            self.announce()

    def announce(self, source: Source | None = None) -> None:
        """Report new knowledge, or the end of a source's work."""
        if source is None and self.news is not None:
            self.news()

    def wants(self, source: Source) -> bool:
        """True if a source may still add to the answer."""
        return True

    def release(self) -> None:
        """Give back the memory of the search, a hundred megabytes, before others begin."""
        self.released = self.visited
        for name, attribute in vars(Inquiry).items():
            if isinstance(attribute, cached_property):
                self.__dict__.pop(name, None)

    def run(self, work: Callable[[], object]) -> None:
        """Run work that watches the search's stop flag, in its own thread if it may be long."""
        if self.known.free > FEW:
            self.interrupted |= not self.task.run(work, self.search.stop_flag)
            return
        if self.task.over:
            self.search.stop_flag[0] = 1
        try:
            work()
        except KeyboardInterrupt:
            self.search.stop_flag[0] = 1
            self.interrupted = True


Source = Callable[[Inquiry], object]
"""A source of knowledge adds its results to the record of an inquiry, within its task."""
