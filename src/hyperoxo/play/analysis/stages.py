"""The searches of an analysis, each of which adds to what is known until its time is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from hyperoxo.agents.tree_search import SearchTree, TreeSettings, grow_tree
from hyperoxo.play.analysis.knowledge import DRAW, LOSS, WIN, Knowledge
from hyperoxo.solvers import Solution, solve
from hyperoxo.solvers.draws.mirroring import mirroring_move
from hyperoxo.solvers.exact.maxn import maxn_values
from hyperoxo.solvers.exact.seat_value import ExactSearch
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.solvers.threats.search import THREATS, ThreatSearch, immediate_wins
from hyperoxo.task import Stop, Task

__all__ = [
    "Clock",
    "by_maxn",
    "by_search",
    "by_simulation",
    "by_table",
    "by_theorems",
    "by_threats",
    "expected_line",
]

_TABLE = "Table: values of all positions by retrograde analysis."
_MIRRORING = "Mirroring (Golomb and Hales): whoever mirrors never loses."
_SIGNS = {"win": WIN, "draw": DRAW, "loss": LOSS, "nothing": LOSS}
_REPLY_NODES = 100_000
_NODES = 1_000_000
_RAVE, _RAVE_CELLS = 100.0, 27
_MOST_MAXN = 14


@dataclass(frozen=True)
class Clock:
    """When an analysis ends, and who may end it sooner."""

    end: float
    stop: Stop | None

    @property
    def stopped(self) -> bool:
        """Whether it was ended from outside."""
        return self.stop is not None and self.stop.is_set()

    @property
    def left(self) -> float:
        """Seconds left, 0 when it was ended."""
        return 0.0 if self.stopped else max(self.end - time.perf_counter(), 0.0)

    def share(self, part: float) -> Clock:
        """Return a clock that ends after a part of the time left."""
        return replace(self, end=time.perf_counter() + part * self.left)


Tell = Callable[[], None]


def by_table(known: Knowledge) -> bool:
    """Take all values from the table of the game; return False where there is none."""
    found = lookup(known.position)
    if found is None:
        return False
    value = _SIGNS[found[0]]
    known.bound(value, value, "table")
    known.remoteness = found[1]
    for cell, move in known.moves.items():
        after = lookup(known.position.play(cell))
        assert after is not None
        value = -_SIGNS[after[0]]
        move.settle(value, value, "table", remoteness=after[1] + 1)
    known.note(_TABLE)
    return True


def by_theorems(known: Knowledge) -> None:
    """Bound the position by theorems alone, where the board is too large for more."""
    bound = bounds_by_theorems(known.position)
    known.bound(bound.low, bound.high, "theorem")
    known.note(*bound.evidence)


def by_threats(known: Knowledge, clock: Clock, tell: Tell) -> tuple[int, ...]:
    """Look for forced wins of the mover, and of his rival after each move."""
    position = known.position
    if not THREATS.holds(position.game):
        return ()
    search = ThreatSearch(position.game)
    flag = search.control[2:3]
    with Task.within(0.4 * clock.left, clock.stop).watched(flag):
        found = search.forced_win(position, shortest=True)
    flag[0] = 0
    if found.status == "win":
        plies = len(found.line)
        known.moves[found.line[0]].settle(
            WIN, WIN, "threats", remoteness=1 if plies == 1 else None, within=plies
        )
        known.within = plies
        known.note(f"Threats: a forced win in at most {plies} plies.")
        tell()
    with Task.within(clock.left, clock.stop).watched(flag):
        for cell in [c for c, move in known.moves.items() if not move.decided or move.endless]:
            if flag[0]:
                break
            _try_threats(known, cell, search, winning=found.status == "win")
            tell()
    return found.line


def _try_threats(known: Knowledge, cell: int, search: ThreatSearch, *, winning: bool) -> None:
    """See whether a move begins a forced win, or allows one."""
    move, after = known.moves[cell], known.position.play(cell)
    mover, rival = known.position.to_move, after.to_move
    reply = search.forced_win(after, node_limit=_REPLY_NODES)
    if reply.status == "win":
        plies = len(reply.line) + 1
        move.settle(LOSS, LOSS, "threats", remoteness=2 if plies == 2 else None, within=plies)
        return
    if not winning or immediate_wins(after, rival):
        return
    answers = immediate_wins(after, mover)
    if len(answers) > 1:
        move.settle(WIN, WIN, "threats", within=3)
    elif answers and answers[0] in after.legal_moves:
        then = search.forced_win(after.play(answers[0]), node_limit=_REPLY_NODES)
        if then.status == "win":
            move.settle(WIN, WIN, "threats", within=len(then.line) + 2)


def by_search(known: Knowledge, clock: Clock, tell: Tell) -> int:
    """Decide moves by theorems and exact search; return the positions visited."""
    mirrored = mirroring_move(known.position)
    if mirrored is not None:
        known.moves[mirrored].settle(DRAW, WIN, "theorem")
        known.note(_MIRRORING)

    def take(solution: Solution) -> None:
        _learn(known, solution)
        tell()

    solution = solve(
        known.position, seconds=clock.left, method="exact", stop=clock.stop, update=take
    )
    _learn(known, solution)
    known.remoteness = solution.remoteness if known.remoteness is None else known.remoteness
    known.note(*solution.evidence)
    return solution.nodes


def _learn(known: Knowledge, solution: Solution) -> None:
    source = "search" if solution.nodes else "theorem"
    known.bound(_SIGNS[solution.bounds[0]], _SIGNS[solution.bounds[1]], source)
    for found in solution.moves:
        low, high = (_SIGNS[word] for word in found.bounds)
        decided = low == high and found.remoteness is not None
        known.moves[found.cell].settle(
            low, high, source, remoteness=found.remoteness if decided else None
        )


def by_maxn(known: Knowledge, clock: Clock) -> None:
    """Play out every move of three or more players who each care for themselves."""
    position = known.position
    if position.game.players == 2 or position.game.cells - position.ply > _MOST_MAXN:
        return
    search = ExactSearch(position.game)
    with Task.within(clock.left, clock.stop).watched(search.stop_flag):
        for cell, move in known.moves.items():
            values = maxn_values(search, position.play(cell))
            if values is None:
                return
            worth = values[position.to_move - 1]
            move.maxn = "win" if worth > 0 else "draw" if worth == 0 else "loss"


def by_simulation(
    known: Knowledge,
    clock: Clock,
    tell: Tell,
    seed: int,
    *,
    moves: list[int] | None = None,
    base: SearchTree | None = None,
) -> SearchTree:
    """Simulate games from every move, or those named, until the time is over."""
    position = known.position
    rave = _RAVE if position.game.cells > _RAVE_CELLS else 0.0
    settings = TreeSettings(simulations=None, seconds=clock.left, rave=rave, nodes=_NODES)

    def watch(tree: SearchTree) -> bool:
        _estimate(known, tree)
        tell()
        return clock.stopped

    tree = grow_tree(position, settings, seed, moves=moves, base=base, watch=watch)
    _estimate(known, tree)
    return tree


def _estimate(known: Knowledge, tree: SearchTree) -> None:
    """Take in scores and, with two players, what the tree has proved."""
    two = known.position.game.players == 2
    free = known.position.game.cells - known.position.ply
    for found in tree.moves():
        move = known.moves[found.cell]
        move.visits = found.visits
        if found.visits or found.proven:
            move.score = round(found.value, 6)
        if found.proven and two:
            value = round(2 * found.value) - 1
            plies = {DRAW: free}.get(value)
            within = found.distance + 1 if value else None
            move.settle(value, value, "search", remoteness=plies, within=within)


def expected_line(tree: SearchTree | None, first: int | None) -> tuple[int, ...]:
    """Return the line of play that a tree expects after a move."""
    if tree is None or first is None or tree.child(0, first) is None:
        return () if first is None else (first,)
    return tree.variation(first)
