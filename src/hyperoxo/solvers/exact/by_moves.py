"""Exact search of a position, move by move, until the question about it is answered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from hyperoxo.game import Bounds, Position, Reason, Value, Why
from hyperoxo.kernels.control import NODE_LIMIT
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.solvers.certify import ask
from hyperoxo.solvers.coalition.search import COALITIONS, GOALS
from hyperoxo.solvers.coalition.search import WIN as FORCED_WIN
from hyperoxo.solvers.exact.seat_value import maxn_values, outcome_value
from hyperoxo.solvers.limits import DEPTH_STEP, FIRST_WORK, OTHER_MOVES, SHALLOW
from hyperoxo.solvers.record import FoundMove, Inquiry
from hyperoxo.solvers.solution import Question


def forced_bounds(inquiry: Inquiry, position: Position, known: Bounds, most: int = 0) -> Bounds:
    """Bound what the player can force against all others together, as far as it is not known.

    Each question is given `most` positions, 0 for all it needs. A player who cannot force a win
    leaves the other of two a draw.
    """
    player, game = inquiry.known.mover, inquiry.known.game
    bound = replace(known, reasons=())
    if position.is_over:
        return Bounds.exactly(Value.of(outcome_value(position, player), least=inquiry.known.least))
    questions = [(player, *goal) for goal in GOALS]
    if game.players == 2:
        questions[1] = (3 - player, FORCED_WIN, Value.DRAW, Value.LOSS)
    for seat, goal, value, below in questions:
        if not bound.low < value <= bound.high or inquiry.search.stopped:
            continue
        found = ask(inquiry.search, position, seat, goal, most)
        if found.forced is None:
            continue
        code = Why.CAN_FORCE if found.forced else Why.CANNOT_FORCE
        what = "a win" if goal == FORCED_WIN else "at least a draw"
        why = code(seat=seat, goal=what, how=Why.LINES_SEARCHED(nodes=found.nodes))
        reached = found.forced == (seat == player)
        bound = replace(bound, low=value) if reached else replace(bound, high=below)
        bound = replace(bound, reasons=(*bound.reasons, why))
    return bound


@dataclass
class MoveSearch:
    """Steps of an exact search, each taken for every move before the next begins."""

    inquiry: Inquiry
    work_done: int = 0

    def __post_init__(self) -> None:
        self.known, self.search = self.inquiry.known, self.inquiry.search
        self.moves = [*self.known.moves.values()]
        self.plies = self.inquiry.question is not Question.EVERY_VALUE

    def run(self) -> None:
        """Take one step after the other until the question is answered, or a limit is met."""
        for move in self.moves:
            move.searched = move.remoteness is None or move.after.is_over
        if self.inquiry.who_only:
            return
        if self.inquiry.is_part:
            self._search_each()
            return
        for step in self._steps():
            for move in self.moves:
                if self._is_done:
                    return
                if not self._is_open(move):
                    continue
                going_on = step(move)
                self.inquiry.tell()
                if not going_on:
                    return

    def _search_each(self) -> None:
        """Search all moves one by one: of many positions, each takes less time than its news."""
        for move in self.moves:
            if not (self._find_sign(move) and (not self.plies or self._find_plies(move))):
                return

    def _find_plies(self, move: FoundMove) -> bool:
        if move.known.value is Value.DRAW:
            return self._take(move, 0.0)
        return move.remoteness is not None or self._find_value(move)

    def _steps(self) -> list[Callable[[FoundMove], bool]]:
        """Steps of the search; they return False at a limit."""
        if self.known.concept == "maxn":
            return [self._by_maxn]
        deepening = [partial(self._deepen, depth=depth) for depth in self._depths()]
        if not self.plies:
            return [*deepening, self._find_best, self._find_sign]
        return [*deepening, self._find_best, self._measure, self._find_sign, self._find_value]

    def _depths(self) -> list[int]:
        """Depths to search below the moves: wins and losses come before draws are proved."""
        if not self.search.in_turn or self.known.free <= SHALLOW:
            return []
        return [*range(DEPTH_STEP, self.known.free - 1, DEPTH_STEP)]

    @property
    def _is_done(self) -> bool:
        """True if the question is answered, and other moves are not to be searched.

        Where they are neither asked for nor excluded, they get some work.
        """
        if not self.inquiry.is_answered:
            return False
        question = self.inquiry.question
        if question is Question.CHEAP_MOVES and self.inquiry.granted is None:
            self.inquiry.granted = max(OTHER_MOVES, self.search.nodes)
            end, limit = self.search.nodes + self.inquiry.granted, self.search.control[NODE_LIMIT]
            self.search.control[NODE_LIMIT] = min(end, int(limit) or end)
        return question in (Question.VALUE, Question.BEST_MOVE)

    def _is_open(self, move: FoundMove) -> bool:
        """True if a move is to be searched now: it may be best, or a best one is known already."""
        contends = self.inquiry.is_answered or self.known.contends(move)
        return contends and move.is_open(plies=self.plies)

    def _value(
        self, move: FoundMove, low: float, high: float, depth: int | None = None
    ) -> float | None:
        """Search a move within a window; None at a limit."""
        value = self.search.value(move.after, self.known.mover, depth=depth, low=low, high=high)
        return None if math.isnan(value) else value

    def _take(self, move: FoundMove, value: float, source: str = "search") -> bool:
        """Take in the exact value of a move."""
        plies = int(WIN - abs(value)) - self.known.position.ply if value else self.known.free
        proved = Bounds.exactly(Value.of(value, least=self.known.least))
        move.settle(proved, source, remoteness=plies)
        return True

    def _deepen(self, move: FoundMove, depth: int) -> bool:
        """Look for a win or a loss within `depth`."""
        self._find_winner()
        if move.remoteness is not None or self._is_done:
            return True
        value = self._value(move, -math.inf, math.inf, depth)
        if value is None:
            return False
        move.depth = depth
        return self._take(move, value) if abs(value) > WIN / 2 else True

    def _find_winner(self) -> None:
        """Ask who wins, here and after each move, with about as much work as distances took so far.

        A search for that alone is often much quicker, and a draw has no distance to be found.
        """
        work = self.search.nodes // 2
        if work < max(self.work_done, FIRST_WORK):
            return
        position, own = self.known.position, self.known.own.known
        self.known.bound(forced_bounds(self.inquiry, position, own, work), "search")
        self.inquiry.tell()
        done = self.inquiry.question is Question.VALUE and self.known.own.known.decided
        waiting = [move for move in self.moves if not done and self._is_open(move)]
        for move in waiting:
            most = -(-work // len(waiting))
            move.settle(forced_bounds(self.inquiry, move.after, move.known, most), "search")
        self.inquiry.tell()
        self.work_done = self.search.nodes

    def _find_best(self, move: FoundMove) -> bool:
        """Decide only what tells the value of the position, and a move that has it."""
        if self.known.reached():
            return True
        return self._find_sign(move, self.known.own.known.low)

    def _find_sign(self, move: FoundMove, enough: Value | None = None) -> bool:
        """Decide between win, draw and loss, which is quicker than in how many plies.

        Of a move that is not better than `enough` it need not be known by how much.
        """
        if move.known.decided:
            return True
        several = self.known.game.players > 2 and not self.inquiry.is_part
        if several and COALITIONS.holds(self.known.game):
            move.settle(forced_bounds(self.inquiry, move.after, move.known), "search")
            return move.known.decided
        low, high = move.known.low, move.known.high
        floor = low if enough is None else max(low, enough)
        value = self._value(move, floor.sign, high.sign)
        if value is None:
            return False
        found = Value.of(value, least=self.known.least)
        proved = Bounds.exactly(min(high, found)) if found > floor else Bounds(low, floor)
        move.settle(proved, "search")
        return True

    def _measure(self, move: FoundMove) -> bool:
        """See whether a move wins sooner, or loses later, than all that are measured."""
        if self.inquiry.is_answered:
            return True
        won = self.known.own.known.low is Value.WIN
        plies = [one.remoteness for one in self.known.reached() if one.remoteness is not None]
        best, depth = -math.inf, None
        if plies:
            soonest = min(plies) if won else max(plies)
            best = (WIN - self.known.position.ply - soonest) * (1 if won else -1)
            # What would be a quicker win ends before the best one does.
            depth = soonest - 2 if won else None
        low, high = (max(best, 0.0), math.inf) if won else (best, 0.0)
        value = self._value(move, low, high, depth)
        if value is None:
            return False
        if value > low:
            return self._take(move, value)
        if plies:
            move.beaten = True
        else:
            move.settle(Bounds(self.known.least, Value.DRAW), "search")
        return True

    def _find_value(self, move: FoundMove) -> bool:
        """Find in how many plies a win or a loss is forced."""
        won = move.known.low is Value.WIN
        value = self._value(move, *((0.0, math.inf) if won else (-math.inf, 0.0)))
        return value is not None and self._take(move, value)

    def _by_maxn(self, move: FoundMove) -> bool:
        values = maxn_values(self.search, move.after)
        return values is not None and self._take(move, values[self.known.mover - 1])


def is_complete(inquiry: Inquiry) -> bool:
    """True if all that was asked is known; plies of a large Maker–Breaker game are not asked."""
    known = inquiry.known
    winners = inquiry.who_only and known.answers(Question.EVERY_VALUE)
    return known.answers(inquiry.question) or winners


def searched(inquiry: Inquiry) -> tuple[Reason, ...]:
    """Reasons that state what was searched."""
    known, nodes = inquiry.known, inquiry.search.nodes
    moves = [move for move in known.moves.values() if move.searched]
    if not moves or inquiry.who_only:
        drawn = known.moves and not nodes and known.game.convention.full_board == 0
        return (Why.ALL_DRAWN(),) if drawn and Why.TABLE() not in known.notes else ()
    # Wins by threats or by proof search are no findings of this search.
    count = sum(
        move.known.decided and (move.remoteness is not None or move.source not in _OTHERS)
        for move in moves
    )
    complete = is_complete(inquiry)
    if complete and not count and not nodes:
        return ()
    how = "Exact search"
    if known.concept == "maxn":
        how = "Max^n search, each player for themselves, the first of equal moves"
    elif known.game.players > 2:
        how = "Exact search, all others together against the player to move"
    left = inquiry.granted is not None and not (complete or inquiry.interrupted)
    end = "; interrupted" if inquiry.interrupted else "; the limit came first"
    why = Why.SEARCH(
        how=how,
        decided=count,
        classes=len(moves),
        nodes=nodes,
        end="" if complete or left else end,
    )
    return (why, Why.MOVES_LEFT_OPEN(nodes=inquiry.granted)) if left else (why,)


_OTHERS = ("threats", "proof-search")
