"""Monte-Carlo tree search: growing, reading and reusing trees (UCT and RAVE, or PUCT)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Thought, moves_of
from hyperoxo.agents.network import NETWORK, Network
from hyperoxo.errors import AgentError
from hyperoxo.game import CLASSIC, Game, Outcome, Position, Requires, Trait, outcome_of
from hyperoxo.heuristics import LineHeuristic, tabulate
from hyperoxo.jit import working_time
from hyperoxo.kernels import tree as fields
from hyperoxo.kernels.guided import grow_guided
from hyperoxo.kernels.mcts import grow, plant
from hyperoxo.kernels.network import CHANNELS
from hyperoxo.kernels.threat_bits import new_bit_work
from hyperoxo.kernels.threats import new_work
from hyperoxo.solvers.arrays import COMPILED, packed_increments, state_of, tables_of
from hyperoxo.solvers.draws.pairing import line_possible
from hyperoxo.solvers.threats.search import THREATS, bit_board_of
from hyperoxo.task import ALONE, Task

_TREES = Requires("tree search", COMPILED.accepted)
SCORED_TREES = Requires("tree search with a line heuristic", CLASSIC | {Trait.EXACT_ROWS})


def check_trees(game: Game, settings: TreeSettings) -> None:
    """Refuse a game that tree search, or its guide, does not support."""
    if isinstance(settings.guide, Network):
        NETWORK.check(game)
        return
    plain = settings.playout is None and settings.guide is None
    (_TREES if plain else SCORED_TREES).check(game)
    for heuristic in (settings.playout, settings.guide):
        if heuristic is not None:
            tabulate(heuristic, game.board, game.players)


# Simulations of the first slice; later ones are sized by the speed measured.
_FIRST_SLICE = 32
_SLICE_SECONDS = 0.02
_MOST_SIMULATIONS = 10**9
_TELL_SECONDS = 0.25
_RIVAL_WEIGHT = 1.0
_ROOT_THREATS = 1000
"""Factor of the threat-search limit at the root, relative to leaves."""
# Binary logarithm of the entries in the memory of threat searches, which has 3 words an entry.
_MEMO_BITS = 14
_WORD = 64
_NO_NETWORK = np.zeros((0, CHANNELS), dtype=np.float32)
_NO_NETWORK.flags.writeable = False


@dataclass(frozen=True)
class TreeSettings:
    """Settings of a tree search."""

    simulations: int | None = 10_000
    seconds: float | None = None
    exploration: float = 0.5
    rave: float = 0.0
    playout: LineHeuristic | None = None
    randomness: float = 0.1
    nodes: int = 4_000_000
    guide: LineHeuristic | Network | None = None
    """Source of priors and leaf values, in place of playouts."""
    temperature: float = 1.0
    """Gain that multiplies a prior by e, in units of `_unit`, or in logits of a network."""
    threats: int = 100
    """Positions of the search for a win by threats at each leaf of a guided tree."""


@dataclass(frozen=True)
class RootMove:
    """Statistics of one move at the root: visit count, value, and distance if proven."""

    cell: int
    visits: int
    value: float
    proven: bool
    distance: int


@dataclass(frozen=True, eq=False)
class SearchTree:
    """A tree grown from a position."""

    position: Position
    # ``[fields, nodes]``, one column a node, the root first; children of a node are adjacent, from
    # FIRST on, COUNT of them. In guided trees SCORE holds float32 bits.
    nodes: NDArray[np.int32]
    control: NDArray[np.int64]  # nodes in use, simulations, random state
    guided: bool = False

    @property
    def simulations(self) -> int:
        """Simulations run by this search."""
        return int(self.control[1])

    @property
    def visits(self) -> int:
        """Simulations through the root, with those of the tree that it grew from."""
        return int(self.nodes[fields.VISITS, 0])

    @property
    def size(self) -> int:
        """Nodes in use."""
        return int(self.control[0])

    @property
    def outcome(self) -> Outcome | None:
        """Proven outcome among the root moves searched, None if open."""
        return outcome_of(int(self.nodes[fields.RESULT, 0]), self.position.game.players)

    def moves(self, node: int = 0, depth: int = 0) -> list[RootMove]:
        """Return the moves at a node `depth` plies below the root, the best first."""
        first, count = self.nodes[fields.FIRST, node], self.nodes[fields.COUNT, node]
        mover = self.position.game.turns.mover(self.position.ply + depth) - 1
        scores = (self.nodes.view(np.float32) if self.guided else self.nodes)[fields.SCORE]
        found = []
        for child in range(first, first + count):
            visits = int(self.nodes[fields.VISITS, child])
            result = int(self.nodes[fields.RESULT, child])
            score = fields.points(result, mover) if result else scores[child]
            tries = 1 if result else visits
            # Scores count half points: 2 for a win, 1 for a draw.
            value = float(score) / 2 / tries if tries else 0.5
            distance = int(self.nodes[fields.DISTANCE, child]) if result else 0
            cell = int(self.nodes[fields.CELL, child])
            found.append(RootMove(cell, visits, value, result != 0, distance))
        rank = _ranking(found)
        return sorted(found, key=lambda move: (rank(move), -move.cell), reverse=True)

    def variation(self, first_move: int) -> tuple[int, ...]:
        """Return the principal variation that begins with a root move."""
        line = [first_move]
        node = self.child(0, first_move)
        while node is not None and (moves := self.moves(node, len(line))):
            line.append(moves[0].cell)
            node = self.child(node, moves[0].cell)
        return tuple(line)

    def child(self, node: int, cell: int) -> int | None:
        """Return the child of a node by its move, None where it has none."""
        first, count = self.nodes[fields.FIRST, node], self.nodes[fields.COUNT, node]
        places = np.flatnonzero(self.nodes[fields.CELL, first : first + count] == cell)
        return int(first + places[0]) if len(places) else None

    def node_of(self, position: Position) -> int | None:
        """Return the node of a position reached from the root's; None if it is not in the tree."""
        start = self.position
        plies = len(start.history)
        begun = position.game, position.setup, position.history[:plies]
        if begun != (start.game, start.setup, start.history):
            return None
        node: int | None = 0
        for cell in position.history[plies:]:
            node = None if node is None else self.child(node, cell)
        return node


def thoughtful(task: Task) -> Task:
    """Return a task for growing a tree that reports a `Thought` several times a second."""
    if task.on_report is None:
        return task
    reported = working_time()

    def on_tree(tree: SearchTree) -> None:
        nonlocal reported
        if working_time() - reported >= _TELL_SECONDS:
            reported = working_time()
            task.report(Thought(tree.moves()[0].cell, games=tree.simulations))

    return replace(task, on_report=on_tree)


def hopeful_moves(
    tree: SearchTree,
    settings: TreeSettings,
    seed: int,
    begin: float,
    moves: Sequence[int] | None = None,
    task: Task = ALONE,
) -> list[RootMove]:
    """Return the leading moves, or in a lost position those that are hardest to refute."""
    # The rival may not see what the tree has proved. So the tree is grown again with a tenth of the
    # threat search, then a hundredth, finally without any, as long as all moves are proved lost and
    # time is left. `begin` is the start of the time limit.
    leading = same_rank(tree.moves())
    threats = settings.threats if tree.guided and THREATS.accepts(tree.position.game) else 0
    while threats and leading[0].proven and leading[0].value == 0.0 and not task.stopped:
        threats //= 10
        left = settings.seconds
        if left is not None and (left := left - (working_time() - begin)) <= 0:
            break
        blinder = replace(settings, threats=threats, seconds=left)
        again = grow_tree(tree.position, blinder, seed, moves=moves, task=task)
        leading = same_rank(again.moves())
    cells = {move.cell for move in leading}
    return [move for move in tree.moves() if move.cell in cells]


def same_rank(moves: Sequence[RootMove]) -> list[RootMove]:
    """Return the moves of a ranking that tie with the first."""
    rank = _ranking(moves)
    return [move for move in moves if rank(move) == rank(moves[0])]


def _ranking(moves: Sequence[RootMove]) -> Callable[[RootMove], tuple[float, float, float]]:
    """Return the sort key of moves; a proven draw ranks by the value of the most visited one."""
    # Proven wins (3), soonest first; open moves (2) by visit count; proven losses (0), latest
    # first. A proven draw comes after the open moves if the most visited of them promises more than
    # a draw.
    tried = max((move for move in moves if not move.proven), key=lambda m: m.visits, default=None)
    draw = 1.5 if tried is not None and tried.value > 0.5 else 2.5

    def rank(move: RootMove) -> tuple[float, float, float]:
        if not move.proven:
            return (2.0, move.visits, move.value)
        if move.value == 1.0:
            return (3.0, -move.distance, 0.0)
        return (draw if move.value == 0.5 else 0.0, move.distance, 0.0)

    return rank


def grow_tree(
    position: Position,
    settings: TreeSettings,
    seed: int,
    *,
    moves: Sequence[int] | None = None,
    base: SearchTree | None = None,
    task: Task = ALONE,
) -> SearchTree:
    """Grow a tree from a position; the task gets the tree as its report, and may stop it."""
    # 1. Check, and allocate nodes: the limit, or fewer if the simulations cannot add that many.
    game = position.game
    check_trees(game, settings)
    legal = moves_of(position)
    cells = legal if moves is None else sorted({*moves})
    assert set() < {*cells} <= {*legal}
    if len(cells) >= settings.nodes:
        raise AgentError(f"{len(cells):,} moves do not fit into a tree of {settings.nodes:,} nodes")
    t, root = tables_of(game), state_of(position)
    wanted = settings.nodes
    if settings.simulations is not None:
        known_nodes = 0 if base is None else base.size
        # Each simulation expands one node at most. No later position has more moves than this one,
        # of which `moves` may be a part, except where an opening restricts it.
        widest = game.cells if position.opening_restricts else len(legal)
        wanted = min(wanted, known_nodes + 1 + len(cells) + widest * settings.simulations)
    guided = settings.guide is not None
    more = guided or settings.rave > 0
    nodes = np.empty((fields.MORE_FIELDS if more else fields.FIELDS, wanted), dtype=np.int32)
    control = np.zeros(3, dtype=np.int64)
    # 2. Plant the root with its children. Packed line counters serve uniform playouts alone.
    increments = packed_increments(game)
    if guided or settings.playout is not None:
        increments = np.zeros((0, 1), dtype=np.uint64)
    scratch = np.empty(game.cells, dtype=np.int32)
    scratch[: len(cells)] = cells
    plant(t, root, increments, nodes, scratch, len(cells), control)
    control[fields.RANDOM] = seed
    # 3. Graft the subtree of an earlier tree of the same layout.
    known = None if base is None else base.node_of(position)
    alike = base is not None and (len(base.nodes), base.guided) == (len(nodes), guided)
    if known is not None and base is not None and alike:
        fields.graft(base.nodes, base.size, known, nodes, position.to_move - 1, control)
    if guided:
        simulate = _guided(game, settings, t, root, nodes, control)
    else:
        simulate = _playouts(game, settings, t, root, increments, nodes, control)
    # 4. Grow; the first call sets up the root. A single call does if nothing can end it early.
    tree = SearchTree(position, nodes, control, guided)
    if settings.seconds is None and task.is_alone:
        simulate(settings.simulations or 0)
    else:
        _until(tree, simulate, settings, task)
    return tree


Simulate = Callable[[int], object]
"""Adds simulations to a planted tree."""
_Array = NDArray[Any]


def _playouts(
    game: Game,
    settings: TreeSettings,
    t: _Array,
    root: _Array,
    increments: _Array,
    nodes: _Array,
    control: _Array,
) -> Simulate:
    """Return the function that adds playouts."""
    weights, kinds, by_ends = _line_tables(game, settings.playout)
    numbers = np.array([settings.exploration, settings.rave, settings.randomness])
    return lambda count: grow(
        t, root, increments, nodes, count, numbers, weights, kinds, control, by_ends
    )


def _guided(
    game: Game, settings: TreeSettings, t: _Array, root: _Array, nodes: _Array, control: _Array
) -> Simulate:
    """Return the function that adds evaluated leaves, with a threat search at each."""
    network, heuristic, temperature = _NO_NETWORK, None, settings.temperature
    if isinstance(settings.guide, Network):
        network = settings.guide.weights
    else:
        heuristic = settings.guide
    lines = _line_tables(game, heuristic)
    if heuristic is not None:
        temperature *= _unit(lines[0])
    numbers = np.array([settings.exploration, temperature, _RIVAL_WEIGHT])
    searched = settings.threats if THREATS.accepts(game) else 0
    limits = np.array([searched, min(_ROOT_THREATS * searched, 2**40)])
    small = game.board.cell_count <= _WORD
    board = bit_board_of(game) if searched and small else None
    stack = np.zeros(0, dtype=np.int64)
    if board is not None:
        memory = new_bit_work(board, _MEMO_BITS)
    else:
        board, memory = np.zeros(0, dtype=np.uint64), np.zeros(3 << _MEMO_BITS, dtype=np.uint64)
        # Numba compiles again for arrays of another kind, and boards are read-only.
        board.flags.writeable = False
        stack = new_work(t)
    return lambda count: grow_guided(
        t, root, nodes, count, numbers, *lines, network, limits, board, memory, stack, control
    )


def _unit(weights: NDArray[np.float64]) -> float:
    """Return the gain of the stone that leaves a line one short, on the longest lines."""
    size = weights.shape[1] - 1
    gain = float((weights[:, size - 1, 0] - weights[:, size - 2, 0]).max()) if size > 1 else 0.0
    return gain if gain > 0 else 1.0


def _until(tree: SearchTree, simulate: Simulate, settings: TreeSettings, task: Task) -> None:
    """Simulate in slices until the time is over, the root proven or the simulations done."""
    # A slice lasts about `_SLICE_SECONDS` by the rate so far, and near the end at most 0.8 of the
    # time left, so that a slow one does not exceed the limit.
    # The first slice sets up the root, so it runs however short the time. With a clock it is all if
    # no line can be completed any more: every move is then worth the same.
    seconds = math.inf
    if settings.seconds is not None:
        seconds = settings.seconds if line_possible(tree.position) else 0.0
    most = _MOST_SIMULATIONS if settings.simulations is None else settings.simulations
    start, size = working_time(), _FIRST_SLICE
    while tree.simulations < most and tree.outcome is None:
        simulate(min(size, most - tree.simulations))
        task.report(tree)
        spent = working_time() - start
        if task.stopped or spent >= seconds:
            return
        rate = tree.simulations / max(spent, 1e-6)
        size = max(1, int(rate * min(_SLICE_SECONDS, 0.8 * (seconds - spent))))


def _line_tables(
    game: Game, heuristic: LineHeuristic | None
) -> tuple[NDArray[np.float64], NDArray[np.int32], int]:
    if heuristic is None:
        return np.zeros((0, 1, 1)), np.zeros((1, 0), dtype=np.int32), 0
    tables = tabulate(heuristic, game.board, game.players)
    return tables.weights, tables.kinds, int(tables.by_ends)
