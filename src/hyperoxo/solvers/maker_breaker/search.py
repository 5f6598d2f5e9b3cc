"""Maker-Breaker and Avoider-Enforcer search by proof numbers, with zones and potentials."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hyperoxo.checkpoint import Form
from hyperoxo.errors import LimitError, NotSupportedError
from hyperoxo.files import DamagedFileError
from hyperoxo.game import FREE, Game, Known, Position, Requires, Trait
from hyperoxo.kernels import maker_breaker, maker_breaker_search
from hyperoxo.kernels.control import NODE_LIMIT, NODES, STOP
from hyperoxo.solvers.arrays import FEW_SYMMETRIES, symmetries_of
from hyperoxo.solvers.draws.pairing import TWO_SIDED
from hyperoxo.solvers.draws.potentials import root_above
from hyperoxo.solvers.threats.search import ThreatSearch
from hyperoxo.task import ALONE, Task
from hyperoxo.untrusted import memory_limit

MAKERS = Requires("Maker-Breaker search", {Trait.MAKER_BREAKER, *TWO_SIDED})
BREAKERS = Requires("Breaker search", {Trait.STRONG, Trait.MAKER_BREAKER, *TWO_SIDED})
"""In an ordinary game a Breaker win proves a draw at least, and a Maker win proves nothing."""
AVOIDERS = Requires("Avoider-Enforcer search", {Trait.AVOIDER_ENFORCER, *TWO_SIDED})
_SEARCHED = Requires("this search", BREAKERS.accepted | AVOIDERS.accepted)

MOST_CELLS = 400
MOST_LINES = 20_000

_SMALLEST_TABLE, _LARGEST_TABLE = 10, 21
"""Entries of a table, as powers of two."""


@dataclass(frozen=True)
class Found:
    """Result of a search: `maker_wins`, None if a limit came first, and the zone of the win.

    In Avoider-Enforcer play the "maker" is the Avoider, who loses by completing lines.
    """

    maker_wins: bool | None
    nodes: int
    zone: frozenset[int] = frozenset()


@dataclass(frozen=True)
class MakerProgress:
    """Progress of a search: (dis)proof numbers at the root, and rows of the proof being built.

    The proof number is for a win of Maker, the disproof number for one of Breaker.
    """

    nodes: int
    proof: int
    disproof: int
    rows: int
    seconds: float


def new_control(nodes: int = 0) -> NDArray[np.int64]:
    """Return limits and counters of a search; 0 nodes set no limit."""
    control = np.zeros(maker_breaker_search.CONTROL, dtype=np.int64)
    control[NODE_LIMIT] = nodes
    control[maker_breaker_search.PROOF] = control[maker_breaker_search.DISPROOF] = 1
    return control


def weights_of(maker: int, breaker: int, longest: int) -> list[int]:
    """Return (1 + b)^(-k/a) for k = 0, 1, ..., rounded up, in units of 2^-40."""
    return [root_above(maker_breaker.PART, maker, 1 + breaker, k) for k in range(longest + 1)]


def gains_of(maker: int, breaker: int) -> list[int]:
    """Return (1 + b)^(m/a) - 1 for m = 0, 1, ..., a, rounded up, in units of 2^-20."""
    most = (1 + breaker) * maker_breaker.FINE
    return [
        root_above(most, maker, 1 + breaker, maker - m) - maker_breaker.FINE
        for m in range(maker + 1)
    ]


def board_of(game: Game, maker: int, target: int) -> maker_breaker.MakerBoard:
    """Return the kernels' view of a game with one player as Maker."""
    board, turns = game.board, game.turns
    mine, other = turns.bias[maker - 1], turns.bias[2 - maker]
    longest = int(board.line_sizes.max(initial=1))
    avoids = AVOIDERS.accepts(game)
    plies = range(game.cells + 1)
    rng = np.random.default_rng(0x3A6)
    codes = rng.integers(0, 2**64, size=(5, board.cell_count), dtype=np.uint64)
    perms = symmetries_of(game, FEW_SYMMETRIES)
    arrays = (board.cell_ptr, board.cell_lines, board.line_ptr, board.line_cells)
    by, through, start, inside = (np.ascontiguousarray(one, dtype=np.int32) for one in arrays)
    return maker_breaker.MakerBoard(
        target=target,
        maker_cells=mine,
        breaker_cells=other,
        # Where lines are avoided the number of free cells matters, so the ply is part of the key.
        cycle=len(plies) if avoids else len(turns.cycle),
        avoids=avoids,
        movers=np.array([turns.mover(ply) != maker for ply in plies], np.uint8),
        left=np.array([turns.left(ply) for ply in plies], np.int32),
        gains=np.array(gains_of(mine, other)),
        weights=np.array(weights_of(*((1, 1) if avoids else (mine, other)), longest)),
        by=by,
        through=through,
        start=start,
        inside=inside,
        perms=np.array(perms),
        images=np.ascontiguousarray(codes[:2, perms].transpose(0, 2, 1)),
        checks=codes[2:].copy(),
    )


def state_of(
    game: Game, on: maker_breaker.MakerBoard, placed: bytes, ply: int, maker: int
) -> maker_breaker.MakerState:
    """Return the kernel state of a position after `ply` moves."""
    # By line: `lacks`, cells without a stone of Maker; `stopped`, cells with one of Breaker. By
    # cell: `live`, the lines through it that are alive. `sums` has the potential, then that of each
    # cell.
    board = game.board
    owners = np.frombuffer(placed, dtype=np.uint8)
    mine, free = owners == maker, owners == FREE
    line_of = np.repeat(np.arange(board.line_count), np.diff(board.line_ptr))
    lacks, stopped = np.zeros((2, board.line_count), np.int32)
    np.add.at(lacks, line_of, ~mine[board.line_cells])
    np.add.at(stopped, line_of, ~mine[board.line_cells] & ~free[board.line_cells])
    alive = stopped == 0
    live = np.zeros(board.cell_count, np.int32)
    np.add.at(live, board.line_cells[alive[line_of]], 1)
    owner = np.where(free, -1, ~mine).astype(np.int32)
    numbers = np.array([ply, ((lacks == 0) & alive).sum()], np.int32)
    worth = np.where(alive, on.weights[lacks], 0)
    sums = np.zeros(1 + board.cell_count, np.int64)
    sums[0] = worth.sum()
    np.add.at(sums[1:], board.line_cells, worth[line_of])
    short = np.bincount(lacks[alive], minlength=len(on.weights)).astype(np.int64)
    kinds = (
        on.images[maker_breaker.DEAD][live == 0],
        on.images[maker_breaker.MADE][mine & (live > 0)],
    )
    names = sum((kind.sum(axis=0, dtype=np.uint64) for kind in kinds), np.uint64(0))
    each = owner, live, np.full_like(live, -1), lacks, stopped
    return maker_breaker.MakerState(numbers, *each, short, sums, np.atleast_1d(names))


class MakerSearch:
    """Search of one game with one player as Maker; keeps its transposition table."""

    most_nodes = 1 << 40
    """Node limit for a position: no limit in practice."""

    def __init__(self, game: Game, maker: int, *, megabytes: float | None = None) -> None:
        _SEARCHED.check(game)
        board = game.board
        if not game.convention.counts(maker):
            raise NotSupportedError(f"lines of player {maker} do not count in {game}")
        if board.cell_count > MOST_CELLS or board.line_count > MOST_LINES:
            raise LimitError(
                f"Maker-Breaker search takes {MOST_CELLS} cells and {MOST_LINES:,} lines at most"
            )
        self.game, self.maker = game, maker
        self.target = 1 if Trait.STRONG in game.traits else game.target
        self._board = board_of(game, maker, self.target)
        # Work arrays of the kernels: for the leaf test by cell and line, and for the search by
        # level of the stack and move.
        cells, lines, deep = board.cell_count, board.line_count, game.cells + 1
        self._room = maker_breaker.MakerScratch(
            np.zeros(cells, np.uint8),
            np.zeros(cells, np.uint8),
            np.zeros(cells, np.int64),
            *(np.zeros(size, np.int32) for size in (cells, cells + 1, lines, lines, lines + 1)),
        )
        self._tree = maker_breaker_search.MakerTree(
            np.zeros((deep, cells), np.int32),
            np.zeros(deep, np.int64),
            np.zeros((deep, cells), np.int64),
            np.zeros((deep, cells), np.int64),
            np.zeros((deep, cells), np.uint8),
            np.zeros((deep, 2), np.uint64),
            np.zeros(deep, np.int64),
            np.zeros((deep, 2), np.int64),
            *(np.zeros(deep, np.int64) for _ in range(2)),
        )
        # An entry takes 16 + 12 + 8 bytes a word of its zone: halve the table until it fits.
        words = -(-board.cell_count // 64)
        most = memory_limit() // 4 if megabytes is None else int(megabytes * 2**20)
        bits = min(_LARGEST_TABLE, max(_SMALLEST_TABLE, 2 * game.cells))
        while (28 + 8 * words) << bits > most and bits > _SMALLEST_TABLE:
            bits -= 1
        self.table = maker_breaker_search.MakerTable(
            np.zeros((1 << bits, 2), dtype=np.uint64),
            np.zeros((1 << bits, 3), dtype=np.int32),
            np.zeros((1 << bits, words), dtype=np.uint64),
        )

    def find(self, position: Position, task: Task = ALONE, *, nodes: int = 0) -> Found:
        """Search a position until it is decided or a limit is reached."""
        if position.ply < self.game.opening_plies:
            raise NotSupportedError("Maker-Breaker search needs an opening that is over")
        control = new_control(nodes)
        work = partial(self.decide, position.owners, position.ply, control)
        return task.result(work, control[STOP : STOP + 1])

    def decide(self, owners: bytes, ply: int, control: NDArray[np.int64]) -> Found:
        """Search the position with these owners of cells, after `ply` moves.

        `control` holds the limit on nodes and the stop flag, and counts nodes.
        """
        zone = np.zeros(self.game.board.cell_count, dtype=np.uint8)
        state = state_of(self.game, self._board, owners, ply, self.maker)
        won = maker_breaker_search.prove(
            self._board, state, self._room, self.table, self._tree, control, zone
        )
        cells = frozenset(np.flatnonzero(zone).tolist()) if won else frozenset[int]()
        maker_wins = {maker_breaker.MAKER: True, maker_breaker.BREAKER: False}.get(int(won))
        return Found(maker_wins, int(control[NODES]), cells)

    def leaf_pairs(self, owners: bytes, ply: int) -> tuple[tuple[int, int], ...] | None:
        """Return the pairs of a leaf, which may be none, by which Breaker wins; else None."""
        state = state_of(self.game, self._board, owners, ply, self.maker)
        zone = np.zeros(len(owners), np.uint8)
        if maker_breaker.leaf(self._board, state, self._room, zone, True) != maker_breaker.BREAKER:
            return None
        pair_of = state.pair
        found = [np.flatnonzero(pair_of == line) for line in np.unique(pair_of[pair_of >= 0])]
        return tuple(sorted((int(pair[0]), int(pair[1])) for pair in found))


# Checkpoints.

_FORM = Form(
    "hyperoxo-maker-search",
    2,
    "a Maker-Breaker search",
    {"names": "<u8", "numbers": "<i4", "zones": "<u8"},
)


def save_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Write the table of a search that is not running into a file."""
    names, numbers, zones = search.table
    used = np.flatnonzero(numbers[:, maker_breaker_search.WORK])
    _FORM.save(path, _of(search), names=names[used], numbers=numbers[used], zones=zones[used])


def load_checkpoint(search: MakerSearch, path: str | os.PathLike[str]) -> None:
    """Fill the table of a search from a file."""
    found = _FORM.load(path, _of(search))
    names, numbers, zones = found["names"], found["numbers"], found["zones"]
    count, words = len(names), search.table.zones.shape[1]
    if (names.shape, numbers.shape, zones.shape) != ((count, 2), (count, 3), (count, words)):
        raise DamagedFileError(path)
    maker_breaker_search.take_over(names, numbers, zones, search.table)


def _of(search: MakerSearch) -> dict[str, object]:
    return {"game": str(search.game), "maker": search.maker}


# Wins of the Maker's by threats alone, one cell a turn, with either player to move.
#
# The Breaker completes nothing, so that a forced win of the Maker depends on its own cells alone:
# Breaker stones elsewhere change nothing. With the Breaker to move, a forced win after one move
# therefore answers every move outside its cells as well, and only those inside have to be tried.

MOST_CELLS_BY_THREATS = 2_000

BY_THREATS = Requires(
    "winning by threats as the Maker", {Trait.MAKER_BREAKER, *Known.STARTS, *Known.OPENINGS}
)
"""Not under gravity, where a stone elsewhere does matter."""

_NODES_OF_A_LINE = 50_000


class MakerThreats:
    """Threat-space search for Maker; same interface as `MakerSearch`, can only prove wins."""

    maker = 1
    most_nodes = 1 << 16
    """Node limit for a position: wins by threats are found with fewer, or not at all."""

    def __init__(self, game: Game) -> None:
        BY_THREATS.check(game)
        if game.board.cell_count > MOST_CELLS_BY_THREATS:
            raise LimitError(
                f"wins by threats take at most {MOST_CELLS_BY_THREATS:,} cells, unlike {game}"
            )
        self.game = game
        self._search = ThreatSearch(game)
        self._lines_through = np.diff(game.board.cell_ptr).tolist()

    def decide(self, owners: bytes, ply: int, control: NDArray[np.int64]) -> Found:
        """Search a position; see `MakerSearch.decide`."""
        position = Position.from_owners(self.game, owners, reached=True)
        assert position.ply == ply
        zone = self._zone(position, control)
        return Found(True if zone else None, int(control[NODES]), zone)

    def line(self, position: Position, control: NDArray[np.int64]) -> tuple[int, ...]:
        """Return a forced win of the Maker, to move, or an empty tuple."""
        left = min(_NODES_OF_A_LINE, int(control[NODE_LIMIT] - control[NODES]))
        if left <= 0 or control[STOP]:
            return ()
        found = self._search.forced_win(position, node_limit=left, shortest=True)
        control[NODES] += found.nodes
        return found.line

    def leaf_pairs(self, owners: bytes, ply: int) -> None:
        """Return pairs that show that the breaker wins: none are found here."""

    def _zone(self, position: Position, control: NDArray[np.int64]) -> frozenset[int]:
        """Return the zone of a win; empty where none is found."""
        if position.to_move == self.maker:
            return frozenset(self.line(position, control))
        zone = frozenset[int]()
        open_moves = set(position.legal_moves)
        # The move on most lines first: its refutation tends to leave the fewest moves open.
        while open_moves:
            move = max(open_moves, key=self._lines_through.__getitem__)
            cells = frozenset(self.line(position.play(move), control))
            if not cells:
                return cells
            open_moves &= cells - {move}
            zone |= cells
        return zone
