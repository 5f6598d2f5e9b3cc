"""Pipeline of the sources of values: stored proofs, threats, theorems, tables, searches.

Each source is a function that adds its results to the record of an `Inquiry`, within the time of
its task, and returns at once if it does not support the game. `learn` runs those of `SOURCES` to
which a budget gives time, and reports progress. Moves that end the game are known before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from hyperoxo.game import Bounds, Position, Reason, Value, Why
from hyperoxo.kernels.control import NODE_LIMIT
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.solvers.coalition.search import COALITIONS, GOALS, run_forcing
from hyperoxo.solvers.draws.pairing import mirroring_move
from hyperoxo.solvers.exact.minimax import ExactSearch, maxn_values, outcome_value
from hyperoxo.solvers.limits import (
    DEPTH_STEP,
    FIRST_WORK,
    OTHER_MOVES,
    PROOF_MEGABYTES,
    PROOF_SECONDS,
    REPLY_NODES,
    SHALLOW,
    WIN_SHARE,
    suits,
)
from hyperoxo.solvers.maker_breaker.bounds import may_bound
from hyperoxo.solvers.record import FoundMove, Inquiry, Knowledge, Source
from hyperoxo.solvers.solution import Question
from hyperoxo.solvers.sources import bounds_by_stored_proofs
from hyperoxo.solvers.states.tables import table_of
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.task import Task

if TYPE_CHECKING:
    from hyperoxo.solvers.threats.search import ThreatSearch

Budget = Mapping[Source, float | None]
"""Share of the remaining time for each source; None: the rest of its predecessor's share."""


def by_table(inquiry: Inquiry) -> None:
    """Take all values from the table of the game, if there is one."""
    known = inquiry.known
    is_explained = known.answers(inquiry.question) and known.evidence
    # A value that is known with its reasons gains nothing from a table, which has none.
    table = None if is_explained else table_of(known.game)
    found = None if table is None else table.lookup(known.position)
    if table is None or found is None:
        return
    known.bound(Bounds.exactly(found[0]), "table", remoteness=found[1])
    for move in known.moves.values():
        after = table.lookup(move.after)
        assert after is not None
        move.tighten(-Bounds.exactly(after[0]), "table", remoteness=after[1] + 1)
    known.note(Why.TABLE())


def by_theorems(inquiry: Inquiry) -> None:
    """Bound the position by theorems."""
    inquiry.known.bound(bounds_by_theorems(inquiry.known.position), "theorem")


def by_stored_proofs(inquiry: Inquiry) -> None:
    """Take the values of the stored proofs that come with the program."""
    inquiry.known.take_stored(bounds_by_stored_proofs(inquiry.known.position))


def by_coalition(inquiry: Inquiry) -> None:
    """Decide the value of the mover, of three or more players, which bounds all moves."""
    known = inquiry.known
    here, own = known.position, known.own.known
    if known.game.players > 2 and not own.decided and COALITIONS.accepts(known.game):
        inquiry.run(lambda: known.bound(forced_bounds(inquiry, here, own), "search"))


def by_maker_breaker(inquiry: Inquiry) -> None:
    """Bound the value by Maker-Breaker and Avoider-Enforcer search."""
    known = inquiry.known
    here, own = known.position, known.own.known
    if known.game.players == 2 and may_bound(here) and not inquiry.is_answered:
        inquiry.run(lambda: known.bound(inquiry.maker_breaker.bounds(here, own), "search"))


def of_each_move(inquiry: Inquiry) -> None:
    """Apply theorems, and a short Maker-Breaker search, to the position after each move."""
    known = inquiry.known
    answered = inquiry.question is Question.VALUE and known.own.known.decided
    if known.game.players == 2 and not answered and not known.answers(Question.EVERY_VALUE):
        inquiry.run(lambda: _bound_moves(inquiry))


def _bound_moves(inquiry: Inquiry) -> None:
    known = inquiry.known
    for move in known.moves.values():
        if move.known.decided or inquiry.is_stopped:
            continue
        # Negate bounds where the rival moves next; with a bias the same player may go on.
        turn = move.after.to_move != known.mover
        found = bounds_by_theorems(move.after)
        move.tighten(-found if turn else found, "theorem")
        if may_bound(move.after):
            other = -move.known if turn else move.known
            found = inquiry.maker_breaker.bounds(move.after, other, move=True)
            move.tighten(-found if turn else found, "search")


def by_mirroring(inquiry: Inquiry) -> None:
    """Bound the mirroring move, if mirroring never loses."""
    mirrored = mirroring_move(inquiry.known.position)
    if mirrored is not None:
        inquiry.known.tighten(mirrored, Bounds(low=Value.DRAW), "theorem")
        inquiry.known.note(Why.MIRRORING_MOVE())


def by_threats(inquiry: Inquiry) -> None:
    """Search for forced wins of the player to move, and of the rival after each move."""
    from hyperoxo.solvers.threats.search import THREATS, ThreatSearch

    known, task = inquiry.known, inquiry.task
    if not THREATS.accepts(known.game):
        return
    # A share of the time for a win of the player to move, the rest for the moves: each either
    # allows the rival a forced win, and loses, or may begin one of its own.
    search = ThreatSearch(known.game)
    with task.share(WIN_SHARE).watched(search.stop_flag):
        found = search.forced_win(known.position, shortest=True)
    search.stop_flag[0] = 0
    if found.status == "win":
        plies, won = len(found.line), Bounds.exactly(Value.WIN)
        at_once = 1 if plies == 1 else None
        known.tighten(found.line[0], won, "threats", remoteness=at_once, within=plies)
        why = Why.THREATS(plies=plies)
        known.bound(replace(won, reasons=(why,)), "threats", within=plies)
        inquiry.publish()
    inquiry.line = found.line
    threats_after_moves(inquiry, search, task, winning=found.status == "win")


def threats_after_moves(
    inquiry: Inquiry,
    search: ThreatSearch,
    task: Task,
    *,
    moves: Iterable[FoundMove] | None = None,
    winning: bool = False,
) -> None:
    """Look for forced wins of the rival after each move, and of the player if one is `winning`."""
    with task.watched(search.stop_flag):
        for move in inquiry.known.moves.values() if moves is None else moves:
            if search.stop_flag[0]:
                break
            before = move.source
            if move.is_unmeasured:
                _try_threats(move, search, inquiry.known, winning=winning)
            if move.source != before:
                inquiry.publish()
    search.stop_flag[0] = 0


def _try_threats(move: FoundMove, search: ThreatSearch, known: Knowledge, *, winning: bool) -> None:
    """Test a move: it may allow a forced win, or begin one."""
    reply = search.forced_win(move.after, node_limit=REPLY_NODES)
    if reply.status == "win":
        plies = len(reply.line) + 1
        lost = Bounds.exactly(Value.LOSS)
        move.tighten(lost, "threats", remoteness=2 if plies == 2 else None, within=plies)
    elif winning:
        from hyperoxo.solvers.threats.search import begun_by

        limited = partial(search.forced_win, node_limit=REPLY_NODES)
        begun = begun_by(known.position, move.cell, limited)
        if begun.status == "win":
            move.tighten(Bounds.exactly(Value.WIN), "threats", within=len(begun.line))


def by_proof_search(inquiry: Inquiry) -> None:
    """Search for wins and losses by proof search on boards too large for exact search."""
    known, task = inquiry.known, inquiry.task
    if known.own.known.decided or task.left < PROOF_SECONDS or not suits(known.position):
        return
    from hyperoxo.solvers.proofsearch.driver import ProofSettings, ProofSolver

    settings = ProofSettings(megabytes=PROOF_MEGABYTES, asked=Question.EVERY_MOVE)
    solver = ProofSolver(
        known.position, settings, stop=task.stop, update=lambda _: inquiry.publish(), known=known
    )
    solver.run(seconds=task.left)
    known.note(*solver.evidence())
    inquiry.released += solver.nodes


def by_exact_search(inquiry: Inquiry) -> None:
    """Search every move to the end of the game, or until the question is answered."""
    inquiry.run(MoveSearch(inquiry).run)


SOURCES: tuple[Source, ...] = (
    by_stored_proofs,
    by_threats,
    by_proof_search,
    by_mirroring,
    by_theorems,
    by_coalition,
    by_maker_breaker,
    of_each_move,
    by_table,
    by_exact_search,
)
"""All sources in the order of their calls; a table comes late, as it gives no reason."""

SEARCHES = (by_coalition, by_maker_breaker, of_each_move, by_exact_search)
"""Sources that search for as long as they may."""

SOLVING: Budget = dict.fromkeys((by_stored_proofs, by_theorems, by_table, *SEARCHES), 1.0)
"""All of the time for sources of values and distances; threats would add less than exact search."""

ANALYSING: Budget = {
    by_threats: 0.35,
    by_proof_search: 0.5,
    by_mirroring: 0.5,
    **dict.fromkeys((by_theorems, *SEARCHES)),
}
"""Something from each source that needs time, and some is left for estimates."""


def learn(inquiry: Inquiry, budget: Budget) -> None:
    """Run the sources that have a share of the time, and report after each."""
    if inquiry.known.position.is_over:
        return
    whole = left = inquiry.task
    wanted = True
    inquiry.publish()
    for source in (one for one in SOURCES if one in budget):
        # Sources with a share of None run only if their predecessor was wanted, on the same task.
        part = budget[source]
        if part is not None:
            wanted, left = inquiry.wants(source), whole.share(part)
        if wanted:
            inquiry.task = left
            source(inquiry)
            inquiry.task = whole
            inquiry.publish()
            inquiry.announce(source)


# Exact search, move by move.


def forced_bounds(inquiry: Inquiry, position: Position, known: Bounds, most: int = 0) -> Bounds:
    """Bound the player's value against all others together, beyond the known bounds."""
    # Each question is given `most` positions, 0 for no limit. With two players the second one is
    # about a win of the rival: without it the player has a draw.
    player, game = inquiry.known.mover, inquiry.known.game
    bound = replace(known, reasons=())
    if position.is_over:
        return Bounds.exactly(Value.of(outcome_value(position, player), least=inquiry.known.least))
    questions = [(player, goal, goal, below) for goal, below in GOALS]
    if game.players == 2:
        questions[1] = (3 - player, Value.WIN, Value.DRAW, Value.LOSS)
    for seat, goal, value, below in questions:
        if not bound.low < value <= bound.high or inquiry.search.stopped:
            continue
        found = run_forcing(inquiry.search, position, seat, goal, most)
        if found.forced is None:
            continue
        reached = found.forced == (seat == player)
        bound = replace(bound, low=value) if reached else replace(bound, high=below)
        bound = replace(bound, reasons=(*bound.reasons, found.reason()))
    return bound


@dataclass
class MoveSearch:
    """Exact search in steps, each applied to every move before the next begins.

    The steps are iterative deepening for short wins and losses, the sign of the values (win, draw,
    loss) as far as it decides the position, and then distances.
    """

    inquiry: Inquiry
    work_done: int = 0

    def __post_init__(self) -> None:
        self.known = self.inquiry.known
        self.moves = [*self.known.moves.values()]
        if self.known.game.gravity is not None:
            # Deciding a move at the edge can take longer than winning by one on more lines.
            degrees = self.known.game.board.degrees
            self.moves.sort(key=lambda move: -degrees[move.cell])
        self.plies = self.inquiry.question is not Question.EVERY_VALUE

    @property
    def search(self) -> ExactSearch:
        """The search, created on first use."""
        return self.inquiry.search

    def run(self) -> None:
        """Take one step after the other until the question is answered, or a limit is met."""
        for move in self.moves:
            move.searched = move.remoteness is None or move.after.is_over
        if self.inquiry.who_only or not any(map(self._is_open, self.moves)):
            return
        for step in self._steps():
            for move in self.moves:
                if self._is_done:
                    return
                if not self._is_open(move):
                    continue
                going_on = step(move)
                self.inquiry.publish()
                if not going_on:
                    return

    def _steps(self) -> Sequence[Callable[[FoundMove], bool]]:
        """Steps of the search; each returns False at a limit."""
        if self.known.concept == "maxn":
            return [self._by_maxn]
        deepening = [partial(self._deepen, depth=depth) for depth in self._depths()]
        return [*deepening, self._find_best, self._measure, self._find_sign, self._find_value]

    def _depths(self) -> list[int]:
        """Depths of iterative deepening below the moves; draws take longest and come last."""
        if not self.search.in_turn or self.known.free <= SHALLOW:
            return []
        return [*range(DEPTH_STEP, min(self.known.free - 1, self.search.deepest + 1), DEPTH_STEP)]

    @property
    def _is_done(self) -> bool:
        """True if the question is answered, and other moves need no search."""
        # If these are neither requested nor excluded, they get some work.
        if not self.inquiry.is_answered:
            return False
        question = self.inquiry.question
        if question is Question.CHEAP_MOVES and self.inquiry.granted is None:
            self.inquiry.granted = max(OTHER_MOVES, self.search.nodes)
            end, limit = self.search.nodes + self.inquiry.granted, self.search.control[NODE_LIMIT]
            self.search.control[NODE_LIMIT] = min(end, int(limit) or end)
        return question in (Question.VALUE, Question.BEST_MOVE)

    def _is_open(self, move: FoundMove) -> bool:
        """True if a move must be searched now: it may be best, or a best one is known already."""
        contends = self.inquiry.is_answered or self.known.contends(move)
        return contends and move.is_open(plies=self.plies)

    def _value(
        self, move: FoundMove, low: float, high: float, depth: int | None = None
    ) -> float | None:
        """Search a move within a window; None at a limit."""
        value = self.search.value(move.after, self.known.mover, depth=depth, low=low, high=high)
        return None if math.isnan(value) else value

    def _take(self, move: FoundMove, value: float) -> bool:
        """Record the exact value of a move."""
        plies = int(WIN - abs(value)) - self.known.position.ply if value else self.known.free
        proved = Bounds.exactly(Value.of(value, least=self.known.least))
        move.tighten(proved, "search", remoteness=plies)
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
        """Search for the winner alone, here and after each move, with half of the work so far."""
        # That is often much quicker than a distance, and a draw has no distance to be found.
        work = self.search.nodes // 2
        if work < max(self.work_done, FIRST_WORK) or not COALITIONS.accepts(self.known.game):
            return
        # First the position itself, then the moves that are still open, in equal shares.
        position, own = self.known.position, self.known.own.known
        self.known.bound(forced_bounds(self.inquiry, position, own, work), "search")
        self.inquiry.publish()
        done = self.inquiry.question is Question.VALUE and self.known.own.known.decided
        waiting = [move for move in self.moves if not done and self._is_open(move)]
        for move in waiting:
            most = -(-work // len(waiting))
            move.tighten(forced_bounds(self.inquiry, move.after, move.known, most), "search")
        self.inquiry.publish()
        self.work_done = self.search.nodes

    def _find_best(self, move: FoundMove) -> bool:
        """Decide the value of the position and one move that has it, no more."""
        if self.known.reached():
            return True
        return self._find_sign(move, self.known.own.known.low)

    def _find_sign(self, move: FoundMove, enough: Value | None = None) -> bool:
        """Decide between win, draw and loss; quicker than finding a distance."""
        # A move that is not better than `enough` gets that as its upper bound only.
        if move.known.decided:
            return True
        if self.known.game.players > 2 and COALITIONS.accepts(self.known.game):
            move.tighten(forced_bounds(self.inquiry, move.after, move.known), "search")
            return move.known.decided
        # Scores of wins and losses are far outside a window between -1, 0 and 1, so that it only
        # separates the three values. A fail-low proves `floor` as the upper bound, which suffices.
        low, high = move.known.low, move.known.high
        floor = low if enough is None else max(low, enough)
        if floor >= high:
            return True
        value = self._value(move, floor.sign, high.sign)
        if value is None:
            return False
        found = Value.of(value, least=self.known.least)
        proved = Bounds.exactly(min(high, found)) if found > floor else Bounds(low, floor)
        move.tighten(proved, "search")
        return True

    def _measure(self, move: FoundMove) -> bool:
        """Search for a quicker win, or a slower loss, than the best move measured so far."""
        if self.inquiry.is_answered:
            return True
        won = self.known.own.known.low is Value.WIN
        plies = [one.remoteness for one in self.known.reached() if one.remoteness is not None]
        best, depth = -math.inf, None
        if plies:
            soonest = min(plies) if won else max(plies)
            best = (WIN - self.known.position.ply - soonest) * (1 if won else -1)
            # A quicker win ends at least two plies before the best one, which limits the depth.
            depth = soonest - 2 if won else None
        low, high = (max(best, 0.0), math.inf) if won else (best, 0.0)
        value = self._value(move, low, high, depth)
        if value is None:
            return False
        if value > low:
            return self._take(move, value)
        # A fail-low: a measured move is as good or better. With none measured the window began at
        # 0, and this move does not win.
        if plies:
            move.beaten = True
        else:
            move.tighten(Bounds(self.known.least, Value.DRAW), "search")
        return True

    def _find_value(self, move: FoundMove) -> bool:
        """Find the distance of a win or a loss."""
        if move.known.value is Value.DRAW:
            return self._take(move, 0.0)
        won = move.known.low is Value.WIN
        value = self._value(move, *((0.0, math.inf) if won else (-math.inf, 0.0)))
        return value is not None and self._take(move, value)

    def _by_maxn(self, move: FoundMove) -> bool:
        values = maxn_values(self.search, move.after)
        return values is not None and self._take(move, values[self.known.mover - 1])


def is_complete(inquiry: Inquiry) -> bool:
    """True if the question is answered; distances of large Maker–Breaker games are not asked."""
    known = inquiry.known
    winners = inquiry.who_only and known.answers(Question.EVERY_VALUE)
    return known.answers(inquiry.question) or winners


def searched(inquiry: Inquiry) -> tuple[Reason, ...]:
    """Reasons that state the extent of the search."""
    known, nodes = inquiry.known, inquiry.visited
    moves = [move for move in known.moves.values() if move.searched]
    if not moves or inquiry.who_only:
        drawn = known.moves and not nodes and known.game.convention.full_board == 0
        return (Why.ALL_DRAWN(),) if drawn and Why.TABLE() not in known.notes else ()
    # Wins by threats or by proof search are not findings of this search.
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
