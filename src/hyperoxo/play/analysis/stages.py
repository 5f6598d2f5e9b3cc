"""The searches of an analysis, each of which adds to what is known until its time is over."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from hyperoxo.agents.puct import PuctAgent
from hyperoxo.agents.tree_search import SCORED_TREES, SearchTree, TreeSettings, grow_tree
from hyperoxo.game import Bounds, Position, Value, Why, lacking_cells, playable_cells
from hyperoxo.game.sentences import enumerated
from hyperoxo.game.words import cell_name
from hyperoxo.kernels.evaluation import WIN as WORTH
from hyperoxo.play.analysis.findings import PlayerThreats, Step
from hyperoxo.play.analysis.knowledge import Knowledge
from hyperoxo.solvers import MoveValue, Solution, solve
from hyperoxo.solvers.draws.pairing import mirroring_move
from hyperoxo.solvers.exact.seat_value import MAXN, ExactSearch, maxn_values, outcome_value
from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof, suits
from hyperoxo.solvers.solution import Question
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.stored import said_by_stored_proofs
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.solvers.threats.search import THREATS, ThreatSearch, immediate_wins
from hyperoxo.task import Task

_WON, _LOST = Bounds.exactly(Value.WIN), Bounds.exactly(Value.LOSS)
_REPLY_NODES = 100_000
_NODES = 1_000_000
_GUIDED, _PLAIN = PuctAgent().settings, TreeSettings(rave=100.0)
_MOST_MAXN, _SURE_MAXN = 14, 8
_FEW_CELLS, _SURE_NODES = 27, 250_000
_MEGABYTES, _LEAST_SECONDS = 64, 0.05
_MOST_NAMED = 3


Tell = Callable[[], None]


def by_table(known: Knowledge) -> bool:
    """Take all values from the table of the game; return False where there is none."""
    found = lookup(known.position)
    if found is None:
        return False
    known.bound(Bounds.exactly(found[0]), "table")
    known.remoteness = found[1]
    for cell in known.moves:
        after = lookup(known.position.play(cell))
        assert after is not None
        known.settle(cell, Bounds.exactly(-after[0]), "table", remoteness=after[1] + 1)
    known.note(Why.TABLE())
    return True


def by_theorems(known: Knowledge) -> None:
    """Bound the position by theorems alone, where the board is too large for more."""
    bound = bounds_by_theorems(known.position)
    known.bound(bound, "theorem")
    known.note(*bound.reasons)


def by_threats(known: Knowledge, task: Task, tell: Tell) -> tuple[int, ...]:
    """Look for forced wins of the player to move, and of the rival after each move."""
    position = known.position
    if not THREATS.holds(position.game):
        return ()
    search = ThreatSearch(position.game)
    flag = search.stop_flag
    with task.share(0.4).watched(flag):
        found = search.forced_win(position, shortest=True)
    flag[0] = 0
    if found.status == "win":
        plies = len(found.line)
        at_once = 1 if plies == 1 else None
        known.settle(found.line[0], _WON, "threats", remoteness=at_once, within=plies)
        known.within = plies
        known.note(Why.THREATS(plies=plies))
        tell()
    with task.watched(flag):
        for cell in [c for c, move in known.moves.items() if not move.proved or move.endless]:
            if flag[0]:
                break
            _try_threats(known, cell, search, winning=found.status == "win")
            tell()
    return found.line


def _try_threats(known: Knowledge, cell: int, search: ThreatSearch, *, winning: bool) -> None:
    """See whether a move begins a forced win, or allows one."""
    after = known.position.play(cell)
    mover, rival = known.position.to_move, after.to_move
    reply = search.forced_win(after, node_limit=_REPLY_NODES)
    if reply.status == "win":
        plies = len(reply.line) + 1
        at_once = 2 if plies == 2 else None
        known.settle(cell, _LOST, "threats", remoteness=at_once, within=plies)
        return
    if not winning or immediate_wins(after, rival):
        return
    answers = immediate_wins(after, mover)
    if len(answers) > 1:
        known.settle(cell, _WON, "threats", within=3)
    elif answers and answers[0] in after.legal_moves:
        then = search.forced_win(after.play(answers[0]), node_limit=_REPLY_NODES)
        if then.status == "win":
            known.settle(cell, _WON, "threats", within=len(then.line) + 2)


def has_few_cells(position: Position) -> bool:
    """Whether some positions are searched however little time there is: few cells are decided."""
    return position.game.cells - position.ply <= _FEW_CELLS


def by_search(known: Knowledge, task: Task, tell: Tell) -> int:
    """Decide moves by theorems and exact search; return the positions visited."""
    mirrored = mirroring_move(known.position)
    if mirrored is not None:
        known.settle(mirrored, Bounds(low=Value.DRAW), "theorem")
        known.note(Why.MIRRORING_MOVE())

    taken: set[MoveValue] = set()

    def take(found: Solution) -> None:
        source = "search" if found.nodes else "theorem"
        known.bound(found.known, source)
        for move in set(found.moves) - taken:
            taken.add(move)
            plies = move.remoteness if move.known.decided else None
            known.settle(move.cell, move.known, source, remoteness=plies)
        tell()

    def search(seconds: float | None, nodes: int = 0) -> Solution:
        found = solve(
            known.position,
            seconds=seconds,
            nodes=nodes,
            method="exact",
            moves=True,
            stop=task.stop,
            update=take,
        )
        take(found)
        return found

    solution = search(task.left)
    cut_short = not solution.complete and solution.nodes < _SURE_NODES
    if cut_short and has_few_cells(known.position) and not task.stopped:
        solution = search(None, _SURE_NODES)
    known.remoteness = solution.remoteness if known.remoteness is None else known.remoteness
    known.note(*solution.known.reasons)
    return solution.nodes


def by_maxn(known: Knowledge, task: Task) -> None:
    """Play out every move of three or more players who each care for themselves."""
    position = known.position
    if (
        position.game.players == 2
        or not MAXN.holds(position.game)
        or position.game.cells - position.ply > _MOST_MAXN
    ):
        return
    search = ExactSearch(position.game)
    few = position.game.cells - position.ply <= _SURE_MAXN
    with (Task(stop=task.stop) if few else task).watched(search.stop_flag):
        for cell in known.moves:
            values = maxn_values(search, position.play(cell))
            if values is None:
                return
            known.note_move(cell, maxn=str(Value.of(values[position.to_move - 1])))


def by_simulation(
    known: Knowledge,
    task: Task,
    tell: Tell,
    seed: int,
    *,
    moves: list[int] | None = None,
    base: SearchTree | None = None,
) -> SearchTree:
    """Grow a tree from every move, or those named, until the time is over."""
    position = known.position
    best = _GUIDED if SCORED_TREES.holds(position.game) else _PLAIN
    settings = replace(best, simulations=None, seconds=task.left, nodes=_NODES)

    def look(tree: SearchTree) -> None:
        _estimate(known, tree)
        tell()

    watched = Task(stop=task.stop, on_report=look)
    tree = grow_tree(position, settings, seed, moves=moves, base=base, task=watched)
    _estimate(known, tree)
    return tree


def _estimate(known: Knowledge, tree: SearchTree) -> None:
    """Take in scores and, with two players, what the tree has proved."""
    two = known.position.game.players == 2
    free = known.position.game.cells - known.position.ply
    for found in tree.moves():
        known.note_move(found.cell, visits=found.visits)
        if found.visits or found.proven:
            known.note_move(found.cell, score=round(found.value, 6))
        if found.proven and two:
            value = Value.of(found.value - 0.5)
            plies = free if value is Value.DRAW else None
            within = found.distance + 1 if value.sign else None
            proved = Bounds.exactly(value)
            known.settle(found.cell, proved, "search", remoteness=plies, within=within)


def expected_line(tree: SearchTree | None, first: int | None) -> tuple[int, ...]:
    """Return the line of play that a tree expects after a move."""
    if tree is None or first is None or tree.child(0, first) is None:
        return () if first is None else (first,)
    return tree.variation(first)


def by_stored_proofs(known: Knowledge) -> None:
    """Take in what the proofs that come with the program say."""
    said = said_by_stored_proofs(known.position)
    known.bound(said.own, "proof")
    known.note(*said.own.reasons)
    for cell, bounds in said.moves.items():
        known.settle(cell, bounds, "proof")


def by_proof_search(known: Knowledge, task: Task, tell: Tell) -> int:
    """Look for wins and losses by proof search, on boards too large for exact search."""
    position = known.position
    if known.decided or task.left < _LEAST_SECONDS or not suits(position):
        return 0
    by_theorems(known)
    settings = ProofSettings(megabytes=_MEGABYTES, asked=Question.EVERY_MOVE)
    found = solve_by_proof(position, seconds=task.left, settings=settings, stop=task.stop)
    known.bound(found.known, "proof-search")
    for move in found.moves:
        known.settle(move.cell, move.known, "proof-search")
    known.note(*found.known.reasons)
    tell()
    return found.nodes


def steps_of(position: Position, cells: Sequence[int]) -> tuple[Step, ...]:
    """Write a line of play as steps that say what each move does."""
    steps = []
    for cell in cells:
        player = position.to_move
        steps.append(Step(player, cell, _note(position, cell)))
        position = position.play(cell)
    return tuple(steps)


def _note(position: Position, cell: int) -> str:
    """Say what a move does, in a few words; nothing in misère play."""
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
    """Return best play to the end by the table of the game; empty where nobody wins."""
    found = lookup(position)
    if found is None or found[0] is Value.DRAW:
        return ()
    seat = position.to_move if found[0] is Value.WIN else 3 - position.to_move

    def worth(after: Position) -> float:
        value, plies = lookup(after) or (Value.DRAW, 0)
        sign = value.sign if after.ply % 2 + 1 == seat else -value.sign
        return sign * (WORTH - after.ply - plies)

    return _walk(position, seat, worth)


def forced_by_search(position: Position, seat: int, task: Task) -> tuple[int, ...]:
    """Return play to the end in which a seat that can force a win does so at best."""
    search = ExactSearch(position.game)
    with task.watched(search.stop_flag):
        return _walk(position, seat, lambda after: search.value(after, seat))


def _walk(position: Position, seat: int, worth: Callable[[Position], float]) -> tuple[int, ...]:
    """Follow best play for and against a seat; empty unless it ends in a win of the seat."""
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
    """Return where each player would complete a line; nothing when the game is over."""
    if position.is_over:
        return ()
    found = []
    for player in range(1, position.game.players + 1):
        cells = lacking_cells(position, player)
        playable = set(playable_cells(position, player)) if cells else set()
        now = tuple(cell for cell in cells if cell in playable)
        found.append(PlayerThreats(player, now, tuple(c for c in cells if c not in playable)))
    return tuple(found)
