"""`solve`: the exact value of a position and of each of its moves, and what proves it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from hyperoxo.compiling import working_time
from hyperoxo.errors import HyperoxoError, SpecError, quoted
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.position import Bounds, Position, Reason, Value, Why
from hyperoxo.proof import Proof, check_proof, proof_size, write_proof
from hyperoxo.proof.filling import Filling
from hyperoxo.proof.filling_cases import FillingCases
from hyperoxo.rules import Game, Requires
from hyperoxo.solvers.arrays import COMPILED, move_classes, position_of
from hyperoxo.solvers.certify import (
    ask,
    certificate_of_many,
    certificate_of_two,
    find_strategy,
    no_draw_by_lines,
)
from hyperoxo.solvers.coalition.search import COALITIONS, GOALS
from hyperoxo.solvers.coalition.search import WIN as FORCED_WIN
from hyperoxo.solvers.draws.solve_by_plan import solve_by_plan
from hyperoxo.solvers.draws.stored import stored_cases, stored_filling
from hyperoxo.solvers.exact.seat_value import ExactSearch, maxn_values, outcome_value
from hyperoxo.solvers.makers.bounds import MakerBounds, MakerSettings, decides
from hyperoxo.solvers.makers.search import MAKERS
from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof, suits
from hyperoxo.solvers.solution import MoveValue, Solution
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.stored import Stored, said_by_stored_proofs
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.task import Progress, Stop, Task

_SOLVING = Requires("solving", COMPILED.accepted)

CONCEPTS = ("exact", "maxn")
METHODS = ("auto", "exact", "proof", "plan")

_SHALLOW = 20
_STEP = 2
_FIRST_WORK = 100_000
"""Positions visited in the search for distances before it first asks who wins."""

Update = Callable[[Bounds, tuple[MoveValue, ...], int], object]


def solve(
    game: Game | Position | str,
    *,
    seconds: float | None = 30.0,
    nodes: int = 0,
    concept: str = "exact",
    method: str = "auto",
    proof: str | os.PathLike[str] | None = None,
    proof_seat: int | None = None,
    creator: str = "",
    progress: Progress | None = None,
    stop: Stop | None = None,
    update: Update | None = None,
    makers: MakerSettings | None = None,
) -> Solution:
    """Solve a game or a position: theorems first, then exact search.

    Parameters
    ----------
    game : Game, Position or str
        The game or position; a text is a game spec.
    seconds : float, optional
        Time limit of the search, and again of the proof.
    nodes : int
        Largest number of positions visited, 0 for no limit.
    concept : {"exact", "maxn"}
        With ``"maxn"`` each of three or more players plays for their own result only and takes
        the first of equal moves; this says nothing about what a player can force.
    method : {"auto", "exact", "proof", "plan"}
        Exact search, proof search, or a plan by which the player who is not to move keeps the
        other from any line; ``"auto"`` takes what the proofs say that come with the program, and
        proof search for large boards that it supports.
    proof : str or path-like, optional
        File for a strategy that proves the value, or where a theorem says who wins because no draw
        exists and no strategy is found, for a proof of that; it is checked immediately.
    proof_seat : int, optional
        The player whose strategy is written; if not given, the winner, player 1 in a draw of two
        players, or with more players the player to move.
    creator : str
        The program that the file names as its maker.
    progress : callable, optional
        Called with (moves decided, all moves).
    stop : Stop, optional
        An event that any thread may set to end the search early.
    update : callable, optional
        Called whenever more is known, perhaps in another thread: with `Bounds` of the position,
        the `MoveValue` of each move that has changed, and the number of positions visited so far.
    makers : hyperoxo.solvers.makers.bounds.MakerSettings, optional
        Memory, checkpoint and reports of the search that decides Maker-Breaker and
        Avoider-Enforcer games.

    Returns
    -------
    Solution
        The value, or its bounds where the limit came first or Ctrl-C was pressed.

    Raises
    ------
    SpecError
        If the game spec makes no sense, or the concept is unknown.
    NotSupportedError
        If the game has a rule that no search supports.

    Examples
    --------
    >>> solution = solve("3^2")
    >>> solution.value, solution.winner, solution.remoteness
    ('draw', 0, 9)
    >>> solve(Game("3^2").position("moves:0,1")).moves[0]
    MoveValue(cell=2, known=Bounds(low='draw', high='draw'), remoteness=7)
    """
    begin = working_time()
    position = position_of(game)
    _SOLVING.check(position.game)
    if concept not in CONCEPTS:
        raise SpecError(f"concept is 'exact' or 'maxn', not {quoted(concept)}")
    if method not in METHODS:
        raise SpecError(f"method is 'auto', 'exact', 'proof' or 'plan', not {quoted(method)}")
    if method == "plan":
        if concept != "exact":
            raise SpecError("a plan is for the concept 'exact'")
        return solve_by_plan(position, seconds=seconds, proof=proof, creator=creator, stop=stop)
    if concept == "exact" and (method == "proof" or (method == "auto" and suits(position))):
        return solve_by_proof(
            position,
            seconds=seconds,
            nodes=nodes,
            settings=ProofSettings(stored=method == "auto"),
            proof=proof,
            creator=creator,
            stop=stop,
        )
    search = ExactSearch(position.game, nodes)
    task = Task(progress, stop)
    says = (concept, method) == ("exact", "auto")
    stored = said_by_stored_proofs(position) if says else None
    solver = _Solver(position, search, concept, task, makers, update, stored)
    seat = _seat(position, proof_seat)
    with task.watched(search.stop_flag):
        with search.clock(seconds):
            finished = Task().run(solver.run, search.stop_flag)
        if proof is not None and finished and not task.stopped:
            # The search may have used up its time; the proof has as much again.
            search.stop_flag[0] = 0
            with search.clock(seconds):
                finished = Task().run(lambda: solver.prove(seat), search.stop_flag)
        solver.interrupted = not finished
    solver.makers.save()
    solution = solver.solution(working_time() - begin)
    found = solution.strategy or solver.no_draw
    if proof is None or found is None:
        return solution
    solution = _written(solution, found, proof, creator)
    return replace(solution, seconds=working_time() - begin)


def _seat(position: Position, seat: int | None) -> int | None:
    if seat is not None and not 1 <= seat <= position.game.players:
        raise SpecError(f"seat must be 1 to {position.game.players}, not {seat}")
    return seat


def _written(
    solution: Solution,
    found: Proof | Filling | FillingCases,
    proof: str | os.PathLike[str],
    creator: str,
) -> Solution:
    """Check the certificate and write it; one that does not hold is never written."""
    begin = working_time()
    verdict = check_proof(found)
    # The checker's own clock counts compiling.
    seconds = min(verdict.seconds, working_time() - begin)
    assert verdict.proved, verdict.reason
    write_proof(found, proof, creator=creator)
    why = Why.CERTIFICATE(
        statement=found.statement,
        size=proof_size(found),
        positions=verdict.positions,
        seconds=seconds,
    )
    return solution.because(why, proof=os.fspath(proof))


@dataclass
class _Branch:
    """What is known of one class of equivalent moves, for the player who makes them."""

    after: Position
    found: Bounds
    value: float | None = None
    depth: int = 0
    searched: bool = True
    least: Value = Value.LOSS

    @property
    def known(self) -> Bounds:
        """Bounds of the value, from the number that a search gave where there is one."""
        if self.value is None:
            return self.found
        return Bounds.exactly(Value.of(self.value, least=self.least))


@dataclass
class _Solver:
    """The work of one call of `solve`, so that what was found survives an interrupt."""

    position: Position
    search: ExactSearch
    concept: str
    task: Task
    settings: MakerSettings | None = None
    update: Update | None = None
    stored: Stored | None = None
    interrupted: bool = False
    who_only: bool = False
    strategy: Proof | None = None
    no_draw: Filling | FillingCases | None = None
    branches: dict[int, _Branch] = field(default_factory=dict)
    class_of: dict[int, int] = field(default_factory=dict)
    notes: list[Reason] = field(default_factory=list)
    heard: dict[int, tuple[Bounds, float | None]] = field(default_factory=dict)
    work_done: int = 0

    def __post_init__(self) -> None:
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
            self._force()
            if self.game.players == 2:
                self.bound &= self.makers.bounds(position, self.bound)
        self._classes()
        if self.concept == "maxn":
            self._by_maxn()
            return
        large = decides(self.game) and self.free > _SHALLOW
        self.who_only = large and self._bounds().decided
        if self.who_only:
            return
        steps: list[Callable[[_Branch], bool]] = [
            self._look_up,
            *(partial(self._deepen, depth=depth) for depth in self._depths()),
            self._find_sign,
            self._find_value,
        ]
        for step in steps:
            for branch in self.branches.values():
                if branch.value is None and not step(branch):
                    return
                self._tell()

    def _outcome(self, position: Position, reasons: tuple[Reason, ...]) -> Bounds:
        """Return what the end of a game is worth."""
        sign = outcome_value(position, self.player)
        return Bounds.exactly(Value.of(sign, least=self.least), *reasons)

    def _tell(self) -> None:
        done = sum(one.value is not None for one in self.branches.values())
        self.task.tell(done, len(self.branches))
        if self.update is None:
            return
        now = {least: (branch.known, branch.value) for least, branch in self.branches.items()}
        news = {least for least, known in now.items() if self.heard.get(least) != known}
        if news:
            self.heard = now
            moves = tuple(self._move(cell) for cell, c in self.class_of.items() if c in news)
            self.update(self._bounds(), moves, self.search.nodes)

    def _classes(self) -> None:
        """Group the moves that symmetries of the position turn into one another."""
        self.class_of = move_classes(self.position)
        for cell, least in self.class_of.items():
            if least not in self.branches:
                after = self.position.play(cell)
                bound = self._bound_after(after)
                if self.stored is not None:
                    bound &= self.stored.moves.get(cell, bound)
                if not after.is_over and self.concept == "exact" and self.game.players == 2:
                    own = after.to_move == self.player
                    other = bound if own else -bound
                    found = self.makers.bounds(after, other, move=True)
                    bound &= found if own else -found
                value = self._to_the_end(after, bound)
                self.branches[least] = _Branch(
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

    def _look_up(self, branch: _Branch) -> bool:
        """Take the value from the table of the game, where there is one."""
        found = lookup(branch.after)
        if found is not None:
            value, plies = found
            branch.value = -value.sign * (WIN - branch.after.ply - plies)
            branch.searched = False
            if Why.TABLE() not in self.notes:
                self.notes.append(Why.TABLE())
        return True

    def _deepen(self, branch: _Branch, depth: int) -> bool:
        """Look for a win or a loss within `depth`; return False when a limit ended the search."""
        self._find_winner()
        if branch.value is not None:
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
        waiting = [one for one in self.branches.values() if one.value is None]
        for branch in waiting:
            bound = branch.found & Bounds(self.least, self.bound.high)
            share = -(-work // len(waiting))
            branch.found = self._forced(branch.after, bound, share)
            if branch.found.value is Value.DRAW:
                branch.value = 0.0
        self.work_done = self.search.nodes

    def _find_sign(self, branch: _Branch) -> bool:
        """Decide between win, draw and loss, which is quicker than in how many plies."""
        if branch.found.decided:
            return True
        if self.game.players > 2 and COALITIONS.holds(self.game):
            branch.found = self._forced(branch.after, branch.found)
            if branch.found.value is Value.DRAW:
                branch.value = 0.0
            return branch.found.decided
        low, high = branch.found.low, branch.found.high
        value = self.search.value(branch.after, self.player, low=low.sign, high=high.sign)
        if math.isnan(value):
            return False
        found = Value.of(value, least=self.least)
        branch.found = Bounds.exactly(max(low, min(high, found)))
        if branch.found.value is Value.DRAW:
            branch.value = 0.0
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

    def _find_value(self, branch: _Branch) -> bool:
        """Find in how many plies a win or a loss is forced."""
        won = branch.found.low is Value.WIN
        low, high = (0.0, math.inf) if won else (-math.inf, 0.0)
        value = self.search.value(branch.after, self.player, low=low, high=high)
        if math.isnan(value):
            return False
        branch.value = value
        return True

    def _by_maxn(self) -> None:
        for branch in self.branches.values():
            values = maxn_values(self.search, branch.after)
            if values is None:
                return
            branch.value = values[self.player - 1]

    def prove(self, seat: int | None) -> None:
        """Find a strategy for the seat, or for the player who has most to prove."""
        bound = self._bounds()
        if seat is None:
            seat = self.player
            if self.game.players == 2 and bound.low < Value.WIN:
                lost = bound.value is Value.LOSS
                rival = lost or (not bound.decided and bound.high is Value.DRAW)
                seat = 3 - self.player if rival else 1 if bound.decided else self.player
        wins = bound.low is Value.WIN if seat == self.player else bound.value is Value.LOSS
        codes = {reason.code for reason in self.bound.reasons}
        by_lines = wins and not codes.isdisjoint({Why.NO_DRAW, Why.NO_DRAW_BY_CASES})
        if by_lines and (stored_filling(self.game) or stored_cases(self.game)):
            # Far too large for a strategy.
            self.no_draw = no_draw_by_lines(self.game)
            return
        try:
            self.strategy = found = self._certificate(seat, bound)
            if wins and found.claim != Value.WIN:
                self.notes.append(Why.NO_WINNING_STRATEGY())
        except HyperoxoError as error:
            self.no_draw = no_draw_by_lines(self.game) if by_lines else None
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
        if won and self._remoteness(bound) is not None:
            # Then the search knows the quickest win.
            return find_strategy(self.search, self.position, seat)
        return certificate_of_many(self.search, self.position, seat)

    def _bounds(self) -> Bounds:
        """What theorems and searched moves say together."""
        known = [branch.known for branch in self.branches.values()]
        return self.bound.with_moves(known) if known else self.bound

    def _remoteness(self, bound: Bounds) -> int | None:
        """Plies under best play, as far as they are established."""
        if self.position.is_over:
            return 0
        if not bound.decided:
            return None
        if bound.value is Value.DRAW and self.concept == "exact":
            return self.free
        values = [branch.value for branch in self.branches.values() if branch.value is not None]
        best = max(values, default=-math.inf)
        if not values or Value.of(best, least=self.least) != bound.low:
            return None
        plies = self._plies(best)
        waiting = [branch for branch in self.branches.values() if branch.value is None]
        # A move searched to some depth without a result can only win later than that.
        sure = all(bound.low is Value.WIN and branch.depth + 2 >= plies for branch in waiting)
        return plies if sure else None

    def _plies(self, value: float) -> int:
        return self.free if value == 0 else int(WIN - abs(value)) - self.position.ply

    def _move(self, cell: int) -> MoveValue:
        branch = self.branches[self.class_of[cell]]
        plies = None if branch.value is None else self._plies(branch.value)
        return MoveValue(cell, branch.known, plies)

    def solution(self, seconds: float) -> Solution:
        """Put together what is known."""
        bound = self._bounds()
        valued = all(branch.value is not None for branch in self.branches.values())
        known = all(branch.known.decided for branch in self.branches.values())
        complete = valued or (self.who_only and known)
        reasons = (*bound.reasons, *self._searched(complete), *self.notes)
        return Solution(
            position=self.position,
            player=self.player,
            known=replace(bound, reasons=reasons),
            remoteness=self._remoteness(bound),
            moves=tuple(map(self._move, self.class_of)),
            nodes=self.search.nodes,
            seconds=seconds,
            strategy=self.strategy,
            complete=complete and not self.interrupted,
            interrupted=self.interrupted,
        )

    def _searched(self, complete: bool) -> list[Reason]:
        """What was searched."""
        if not self.branches:
            return []
        searched = [one for one in self.branches.values() if one.searched]
        if not searched or self.who_only:
            theirs = self.game.convention.full_board > 0
            return [] if theirs or Why.TABLE() in self.notes else [Why.ALL_DRAWN()]
        count = sum(branch.known.decided for branch in searched)
        how = "Exact search"
        if self.concept == "maxn":
            how = "Max^n search, each player for themselves, the first of equal moves"
        elif self.game.players > 2:
            how = "Exact search, all others together against the player to move"
        end = "; interrupted" if self.interrupted else "; the limit came first"
        return [
            Why.SEARCH(
                how=how,
                decided=count,
                classes=len(searched),
                nodes=self.search.nodes,
                end="" if complete else end,
            )
        ]
