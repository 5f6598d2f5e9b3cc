"""The search for the value of a position, of its moves, and for what proves it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Bounds, Position, Reason, Value, Why, propagate
from hyperoxo.jit import working_time
from hyperoxo.kernels.control import NODE_LIMIT
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.proof import Proof
from hyperoxo.proof.kinds import BoardProof
from hyperoxo.solvers.arrays import move_classes
from hyperoxo.solvers.certify import (
    ask,
    certificate_of_many,
    certificate_of_two,
    find_strategy,
)
from hyperoxo.solvers.coalition.search import COALITIONS, GOALS
from hyperoxo.solvers.coalition.search import WIN as FORCED_WIN
from hyperoxo.solvers.exact.seat_value import ExactSearch, maxn_values, outcome_value
from hyperoxo.solvers.makers.bounds import MakerBounds, MakerSettings, decides
from hyperoxo.solvers.makers.search import MAKERS
from hyperoxo.solvers.solution import MoveValue, Question, Solution, Update
from hyperoxo.solvers.sources import Stored
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.theorems import NO_DRAWS, bounds_by_theorems, excludes_draws, no_draw
from hyperoxo.task import Task

_SHALLOW = 20
_STEP = 2
_FIRST_WORK = 100_000
"""Positions visited in the search for distances before it first asks who wins."""

_OTHER_MOVES = 300_000
"""Positions that other moves are searched for once a best move is known; more if that took more."""


@dataclass
class Branch:
    """Bounds on one class of equivalent moves, for the player who makes them."""

    after: Position
    found: Bounds
    value: float | None = None
    depth: int = 0
    searched: bool = True
    beaten: bool = False
    """True if a search has shown it no better than the best measured move."""
    least: Value = Value.LOSS

    @property
    def known(self) -> Bounds:
        """Bounds of the value, from the number that a search gave where there is one."""
        if self.value is None:
            return self.found
        return Bounds.exactly(Value.of(self.value, least=self.least))


@dataclass
class PositionSolver:
    """The work of one call of `solve`, so that what was found survives an interrupt."""

    position: Position
    search: ExactSearch
    concept: str
    task: Task
    settings: MakerSettings | None = None
    update: Update | None = None
    stored: Stored | None = None
    asked: Question = Question.EVERY_MOVE
    interrupted: bool = False
    who_only: bool = False
    granted: int | None = None
    """Positions that other moves may take, once a best one is known."""
    strategy: Proof | None = None
    no_draw: BoardProof | None = None
    branches: dict[int, Branch] = field(default_factory=dict)
    class_of: dict[int, int] = field(default_factory=dict)
    notes: list[Reason] = field(default_factory=list)
    heard: object = None
    work_done: int = 0

    def __post_init__(self) -> None:
        self.begin = working_time()
        self.game = self.position.game
        self.player = self.game.turns.mover(self.position.ply)
        self.free = self.game.cells - self.position.ply
        # Of three or more players who each care for themselves, the least is a loss.
        self.least = Value.LOSS if self.concept == "maxn" else Value.least(self.game.players)
        self.bound = Bounds(self.least)
        self.makers = MakerBounds(self.game, self.search, self.settings)

    def run(self) -> None:
        """Apply the theorems, then decide move by move."""
        position = self.position
        if position.is_over:
            self.bound = self._outcome(position, (Why.OVER(),))
            return
        if self.concept == "exact":
            self.bound = bounds_by_theorems(position)
            if self.stored is not None:
                self.bound &= self.stored.own
            self._tell()
            if not self._is_answered:
                self._force()
            if self.game.players == 2 and not self._is_answered:
                self.bound &= self.makers.bounds(position, self.bound)
        self._classes()
        self._tell()
        large = decides(self.game) and self.free > _SHALLOW
        self.who_only = large and self.bound.decided
        if self.who_only:
            return
        for step in self._steps():
            for branch in self.branches.values():
                if self._is_answered and not self._may_go_on():
                    return
                going_on = not self._is_open(branch) or step(branch)
                self._tell()
                if not going_on:
                    return

    def _steps(self) -> list[Callable[[Branch], bool]]:
        """Steps of the search, each taken for every move; they return False at a limit."""
        if self.concept == "maxn":
            return [self._by_maxn]
        return [
            self._look_up,
            *(partial(self._deepen, depth=depth) for depth in self._depths()),
            self._find_best,
            self._measure,
            self._find_sign,
            self._find_value,
        ]

    @property
    def _is_answered(self) -> bool:
        """True once the value is known, and the plies and a best move where they are asked for."""
        if not self.bound.decided or self.position.is_over:
            return self.position.is_over
        if self.asked is Question.VALUE:
            return True
        return bool(self._reached()) and self._remoteness() is not None

    def _is_open(self, branch: Branch) -> bool:
        """Return whether to search a move now: it may be best, and no best one is known."""
        return branch.value is None and (self._is_answered or self._contends(branch))

    def _contends(self, branch: Branch) -> bool:
        """Return whether a move may have the value of the position."""
        return branch.known.high >= self.bound.low

    def _may_go_on(self) -> bool:
        """Return whether to search other moves, within some work if they were not asked for."""
        if self.asked is Question.CHEAP_MOVES and self.granted is None:
            self.granted = max(_OTHER_MOVES, self.search.nodes)
            end, limit = self.search.nodes + self.granted, int(self.search.control[NODE_LIMIT])
            self.search.control[NODE_LIMIT] = min(end, limit or end)
        return self.asked in (Question.CHEAP_MOVES, Question.EVERY_MOVE)

    def _reached(self) -> list[Branch]:
        """Return the moves that are known to have the value of the position."""
        return [one for one in self.branches.values() if one.known.value is self.bound.value]

    def _outcome(self, position: Position, reasons: tuple[Reason, ...]) -> Bounds:
        """Return what the end of a game is worth."""
        sign = outcome_value(position, self.player)
        return Bounds.exactly(Value.of(sign, least=self.least), *reasons)

    def _tell(self) -> None:
        """Let bounds of all moves and of the position tighten each other, and pass news on."""
        if not self._join():
            return
        done = sum(one.value is not None for one in self.branches.values())
        self.task.tell(done, len(self.branches))
        if self.update is not None:
            self.update(self.solution(working_time() - self.begin))

    def _join(self) -> bool:
        """Apply what follows from each other's bounds; return whether anything is new."""
        if self.heard == self._all_known():
            return False
        branches = [*self.branches.values()]
        drawless = excludes_draws(self.game, self.bound.reasons)
        known = [one.known for one in branches]
        self.bound, known = propagate(self.bound, known, drawless=drawless)
        for one, bounds in zip(branches, known, strict=True):
            one.found = bounds
            if one.value is None:
                one.value = self._to_the_end(one.after, bounds)
        self.heard = self._all_known()
        return True

    def _all_known(self) -> tuple[object, ...]:
        """Return what is known, to be compared with what was known before."""
        moves = ((branch.known, branch.value) for branch in self.branches.values())
        return (self.bound, self._remoteness(), *moves)

    def _classes(self) -> None:
        """Group the moves that symmetries of the position turn into one another."""
        self.class_of = move_classes(self.position)
        done = self.asked is Question.VALUE and self.bound.decided
        for cell, least in self.class_of.items():
            if least not in self.branches:
                after = self.position.play(cell)
                bound = Bounds(self.least) if done else self._bound_after(after)
                if self.stored is not None:
                    bound &= self.stored.moves.get(cell, bound)
                two = self.concept == "exact" and self.game.players == 2
                if two and not (done or after.is_over):
                    own = after.to_move == self.player
                    other = bound if own else -bound
                    found = self.makers.bounds(after, other, move=True)
                    bound &= found if own else -found
                value = self._to_the_end(after, bound)
                self.branches[least] = Branch(
                    after, bound, value, searched=value is None, least=self.least
                )

    def _to_the_end(self, after: Position, bound: Bounds) -> float | None:
        """Return the number of a value that is known and comes with the full board."""
        if bound.value is Value.DRAW:
            return 0.0
        winner = bound.winner(self.player, self.game.players)
        if after.is_over or not winner or winner != self.game.convention.full_board:
            return None
        return bound.low.sign * (WIN - self.game.cells)

    def _bound_after(self, after: Position) -> Bounds:
        """Bounds of a move: no better than the best, and theorems about where it leads."""
        best = Bounds(self.least, self.bound.high)
        if after.is_over or self.game.players > 2 or self.concept == "maxn" or self.search.stopped:
            return best
        found = bounds_by_theorems(after)
        return best & (found if after.to_move == self.player else -found)

    def _depths(self) -> list[int]:
        """Depths to search below the moves: wins and losses come before draws are proved."""
        if not self.search.in_turn or self.free <= _SHALLOW:
            return []
        return [*range(_STEP, self.free - 1, _STEP)]

    def _look_up(self, branch: Branch) -> bool:
        """Take the value from the end of the game, or from its table where there is one."""
        if branch.after.is_over:
            branch.value = self.search.value(branch.after, self.player)
            return True
        found = lookup(branch.after)
        if found is not None:
            value, plies = found
            branch.value = -value.sign * (WIN - branch.after.ply - plies)
            branch.searched = False
            if Why.TABLE() not in self.notes:
                self.notes.append(Why.TABLE())
        return True

    def _deepen(self, branch: Branch, depth: int) -> bool:
        """Look for a win or a loss within `depth`; return False when a limit ended the search."""
        self._find_winner()
        if branch.value is not None or (self._is_answered and not self._may_go_on()):
            return True
        value = self.search.value(branch.after, self.player, depth=depth)
        if math.isnan(value):
            return False
        branch.depth = depth
        if abs(value) > WIN / 2:
            branch.value = value
        return True

    def _find_winner(self) -> None:
        """Ask who wins, here and after each move, with about as much work as distances took so far.

        A search for that alone is often much quicker, and a draw has no distance to be found.
        """
        work = self.search.nodes // 2
        if work < max(self.work_done, _FIRST_WORK):
            return
        self.bound = self._forced(self.position, self.bound, work)
        self._tell()
        done = self.asked is Question.VALUE and self.bound.decided
        waiting = [one for one in self.branches.values() if not done and self._is_open(one)]
        for branch in waiting:
            branch.found = self._forced(branch.after, branch.found, -(-work // len(waiting)))
        self._tell()
        self.work_done = self.search.nodes

    def _find_best(self, branch: Branch) -> bool:
        """Decide only what tells the value of the position, and a move that has it."""
        if self.bound.decided and self._reached():
            return True
        return self._find_sign(branch, self.bound.low)

    def _find_sign(self, branch: Branch, enough: Value | None = None) -> bool:
        """Decide between win, draw and loss, which is quicker than in how many plies.

        Of a move that is not better than `enough` it need not be known by how much.
        """
        if branch.found.decided:
            return True
        if self.game.players > 2 and COALITIONS.holds(self.game):
            branch.found = self._forced(branch.after, branch.found)
            return branch.found.decided
        low, high = branch.found.low, branch.found.high
        floor = low if enough is None else max(low, enough)
        value = self.search.value(branch.after, self.player, low=floor.sign, high=high.sign)
        if math.isnan(value):
            return False
        found = Value.of(value, least=self.least)
        branch.found &= Bounds.exactly(min(high, found)) if found > floor else Bounds(low, floor)
        return True

    def _forced(self, position: Position, bound: Bounds, most: int = 0) -> Bounds:
        """Tighten the bounds of what the player can force against all others together.

        Each question is given `most` positions, 0 for all it needs. A player who cannot force a win
        leaves the other of two a draw.
        """
        if position.is_over:
            return self._outcome(position, bound.reasons)
        questions = [(self.player, *goal) for goal in GOALS]
        if self.game.players == 2:
            rival = 3 - self.player
            questions[1] = (rival, FORCED_WIN, Value.DRAW, Value.LOSS)
        for seat, goal, value, below in questions:
            if not bound.low < value <= bound.high or self.search.stopped:
                continue
            found = ask(self.search, position, seat, goal, most)
            if found.forced is None:
                continue
            code = Why.CAN_FORCE if found.forced else Why.CANNOT_FORCE
            what = "a win" if goal == FORCED_WIN else "at least a draw"
            why = code(seat=seat, goal=what, how=Why.LINES_SEARCHED(nodes=found.nodes))
            reached = found.forced == (seat == self.player)
            known = replace(bound, low=value) if reached else replace(bound, high=below)
            bound = replace(known, reasons=(*bound.reasons, why))
        return bound

    def _force(self) -> None:
        """Decide the position itself first, which bounds all its moves."""
        if self.game.players == 2 or self.bound.decided or not COALITIONS.holds(self.game):
            return
        self.bound = self._forced(self.position, self.bound)

    def _measure(self, branch: Branch) -> bool:
        """See whether a move wins sooner, or loses later, than all that are measured."""
        if self._is_answered:
            return True
        won = self.bound.low is Value.WIN
        best = max(
            (one.value for one in self._reached() if one.value is not None), default=-math.inf
        )
        low, high = (max(best, 0.0), math.inf) if won else (best, 0.0)
        # What would be a quicker win ends before the best one does.
        depth = self._plies(best) - 2 if won and best > 0 else None
        value = self.search.value(branch.after, self.player, depth=depth, low=low, high=high)
        if math.isnan(value):
            return False
        if value > low:
            branch.value = value
        elif best > -math.inf:
            branch.beaten = True
        else:
            branch.found &= Bounds(self.least, Value.DRAW)
        return True

    def _find_value(self, branch: Branch) -> bool:
        """Find in how many plies a win or a loss is forced."""
        won = branch.found.low is Value.WIN
        low, high = (0.0, math.inf) if won else (-math.inf, 0.0)
        value = self.search.value(branch.after, self.player, low=low, high=high)
        if math.isnan(value):
            return False
        branch.value = value
        return True

    def _by_maxn(self, branch: Branch) -> bool:
        values = maxn_values(self.search, branch.after)
        if values is None:
            return False
        branch.value = values[self.player - 1]
        return True

    def prove(self, seat: int | None) -> None:
        """Find a strategy for the seat, or for the player who has most to prove."""
        bound = self.bound
        if seat is None:
            seat = self.player
            if self.game.players == 2 and bound.low < Value.WIN:
                lost = bound.value is Value.LOSS
                rival = lost or (not bound.decided and bound.high is Value.DRAW)
                seat = 3 - self.player if rival else 1 if bound.decided else self.player
        wins = bound.low is Value.WIN if seat == self.player else bound.value is Value.LOSS
        codes = {reason.code for reason in self.bound.reasons}
        drawless = None if not wins or codes.isdisjoint(NO_DRAWS) else no_draw(self.game)
        if drawless is not None and drawless.large:
            self.no_draw = drawless.proof()
            return
        try:
            self.strategy = found = self._certificate(seat, bound)
            if wins and found.claim != Value.WIN:
                self.notes.append(Why.NO_WINNING_STRATEGY())
        except HyperoxoError as error:
            self.no_draw = None if drawless is None else drawless.proof()
            why = Why.NO_PROOF(problem=error)
            self.notes.append(why if self.no_draw is None else Why.NO_WINNING_STRATEGY())

    def _certificate(self, seat: int, bound: Bounds) -> Proof:
        if self.game.players == 2:
            known = bound if seat == self.player else -bound
            wins = known.low is Value.WIN
            found = MAKERS.holds(self.game) and self.makers.plan(self.position, seat, wins=wins)
            if found:
                return found
            kept = partial(self.makers.plan, self.position, seat)
            return certificate_of_two(self.search, self.position, seat, known, kept)
        won = seat == self.player and bound.low is Value.WIN
        if won and self._remoteness() is not None:
            # Then the search knows the quickest win.
            return find_strategy(self.search, self.position, seat)
        return certificate_of_many(self.search, self.position, seat)

    def _remoteness(self) -> int | None:
        """Plies under best play, as far as they are established."""
        if self.position.is_over:
            return 0
        if not self.bound.decided:
            return None
        if self.bound.value is Value.DRAW and self.concept == "exact":
            return self.free
        best = max((one.value for one in self._reached() if one.value is not None), default=None)
        if best is None:
            return None
        plies, won = self._plies(best), self.bound.low is Value.WIN
        for one in self.branches.values():
            if one.value is not None or one.beaten or not self._contends(one):
                continue
            # A move searched to some depth without a result can only win later than that.
            if not won or one.depth + 2 < plies:
                return None
        return plies

    def _plies(self, value: float) -> int:
        return self.free if value == 0 else int(WIN - abs(value)) - self.position.ply

    def _move(self, cell: int) -> MoveValue:
        branch = self.branches[self.class_of[cell]]
        plies = None if branch.value is None else self._plies(branch.value)
        return MoveValue(cell, branch.known, plies)

    def solution(self, seconds: float) -> Solution:
        """Put together what is known."""
        self._join()
        valued = all(branch.value is not None for branch in self.branches.values())
        known = all(branch.known.decided for branch in self.branches.values())
        first = self.asked in (Question.VALUE, Question.BEST_MOVE) and self._is_answered
        complete = valued or (self.who_only and known) or first
        reasons = (*self.bound.reasons, *self._searched(complete), *self.notes)
        return Solution(
            position=self.position,
            player=self.player,
            known=replace(self.bound, reasons=reasons),
            remoteness=self._remoteness(),
            moves=tuple(map(self._move, self.class_of)),
            nodes=self.search.nodes,
            seconds=seconds,
            strategy=self.strategy,
            complete=complete and not self.interrupted,
            interrupted=self.interrupted,
        )

    def _searched(self, complete: bool) -> list[Reason]:
        """Reasons that state what was searched."""
        if not self.branches:
            return []
        searched = [one for one in self.branches.values() if one.searched]
        if not searched or self.who_only:
            theirs = self.game.convention.full_board > 0
            return [] if theirs or Why.TABLE() in self.notes else [Why.ALL_DRAWN()]
        count = sum(branch.known.decided for branch in searched)
        if complete and not count and not self.search.nodes:
            return []
        how = "Exact search"
        if self.concept == "maxn":
            how = "Max^n search, each player for themselves, the first of equal moves"
        elif self.game.players > 2:
            how = "Exact search, all others together against the player to move"
        left = self.granted is not None and not (complete or self.interrupted)
        end = "; interrupted" if self.interrupted else "; the limit came first"
        return [
            Why.SEARCH(
                how=how,
                decided=count,
                classes=len(searched),
                nodes=self.search.nodes,
                end="" if complete or left else end,
            ),
            *([Why.MOVES_LEFT_OPEN(nodes=self.granted)] if left else []),
        ]
