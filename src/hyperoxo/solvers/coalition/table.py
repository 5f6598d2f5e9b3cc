"""All positions of a small game in one table: forced results, max^n, and kingmakers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.game import CLASSIC, FREE, Game, Position, Requires, Trait
from hyperoxo.kernels import coalition_table as kernel
from hyperoxo.kernels.canonical import Canonicalizer, canonical_forms, canonicalizer_of
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.solvers.arrays import state_of, symmetries_of, tables_of
from hyperoxo.solvers.coalition.search import COALITIONS, keys_of
from hyperoxo.task import ALONE, Task
from hyperoxo.untrusted import memory_limit

_LEAST_BITS = 12
_BYTES = 8 + 4 * kernel.FIELDS
_CHUNK = 1 << 12


@dataclass(frozen=True)
class Tabulated:
    """The results of a table of all positions."""

    symmetric: bool  # whether `classes`, `kingmakers` and `listed` count equivalent positions once
    classes: int
    wins: tuple[bool, ...]
    draws: tuple[bool, ...]
    can_win_or_draw: tuple[bool, ...]
    maxn: tuple[str, ...]
    careful: tuple[str, ...]  # where all prefer a sure draw to any risk of losing
    kingmakers: int
    listed: tuple[Position, ...]
    torn: int | None = None  # those by threats; None where a threat does not lead to a win
    torn_listed: tuple[Position, ...] = ()


class ForcedTable:
    """Table of the values of every player against all others, for all positions of a game."""

    def __init__(self, game: Game) -> None:
        COALITIONS.check(game)
        self.game = game
        self._keys = keys_of(game)
        self._names, self._entries, _ = _table(game.start(), largest_table(), ALONE)

    def move_values(
        self, owners: NDArray[np.uint8], values: NDArray[np.int8], _plies: NDArray[np.int16]
    ) -> int:
        """Write the values of all legal moves; see `hyperoxo.kernels.coalition_table`."""
        keys = (self._keys.codes, self._keys.perms, self._names, self._entries)
        return int(kernel.values_in_table(tables_of(self.game), owners, *keys, values))


def _results(outcomes: int, players: int) -> tuple[str, ...]:
    found = [str(player) for player in range(1, players + 1) if outcomes >> (player - 1) & 1]
    for loser in range(1, players + 1):
        if outcomes >> (players + loser - 1) & 1:
            winners = [str(p) for p in range(1, players + 1) if p != loser]
            found.append("+".join(winners))
    return (*found, "=") if outcomes >> (2 * players) & 1 else tuple(found)


def _owners_of(position: Position, keys: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Decode exact keys: owners ``[K, N]``, blocked cells 255."""
    game = position.game
    base = np.uint64(game.players + 1)
    owners = np.full((len(keys), game.board.cell_count), 255, dtype=np.uint8)
    rest = keys.copy()
    for cell in game.board.playable[::-1]:
        owners[:, cell] = rest % base
        rest //= base
    return owners


def largest_table() -> int:
    """Return the most classes of positions that a table within the memory limit holds."""
    # A power of two of slots, filled to three quarters.
    return 3 * (1 << max(_LEAST_BITS, (memory_limit() // _BYTES).bit_length() - 1)) // 4


def tabulated(
    position: Position, task: Task = ALONE, *, most: int = 1 << 21, listed: int = 10
) -> Tabulated:
    """Tabulate all reachable positions, each once; `LimitError` if there are more than `most`."""
    # Positions of large groups are not merged by the kernel: reduce its results to classes
    # afterwards.
    game = position.game
    COALITIONS.check(game)
    keys = keys_of(game)
    names, entries, classes = _table(position, most, task)
    filled = entries[:, kernel.PLAYS] != 0
    root = entries[filled & (names == keys.names(position).min())][0]
    every = names[filled]
    plan = None if keys.complete else _canonicalizer(game)
    if plan is not None:
        classes = len(_one_of_each(position, every, plan))
    kings = _one_of_each(position, names[entries[:, kernel.KING] != 0], plan)
    torn_names = None
    if THREATS_WIN.accepts(game):
        among = every[torn(game, _owners_of(position, every))]
        torn_names = _one_of_each(position, among, plan)
    players = range(game.players)
    drawn = bool(root[kernel.PLAYS] >> (2 * game.players) & 1)
    return Tabulated(
        keys.complete or plan is not None,
        classes,
        tuple(bool(root[kernel.WINS] >> p & 1) for p in players),
        tuple(bool(root[kernel.DRAWS] >> p & 1) for p in players),
        tuple(drawn or _wins_some(int(root[kernel.PLAYS]), game.players, p) for p in players),
        _results(int(root[kernel.MAXN]), game.players),
        _results(int(root[kernel.CAREFUL]), game.players),
        len(kings),
        _first(position, kings, listed),
        None if torn_names is None else len(torn_names),
        () if torn_names is None else _first(position, torn_names, listed),
    )


def _first(position: Position, names: NDArray[np.uint64], count: int) -> tuple[Position, ...]:
    """Return the positions with the fewest stones."""
    owners = _owners_of(position, names)
    stones = ((owners > 0) & (owners < 255)).sum(axis=1)
    order = np.lexsort((names, stones))[:count]
    return tuple(
        Position.from_owners(position.game, owners[i].tobytes(), reached=True) for i in order
    )


def _canonicalizer(game: Game) -> Canonicalizer | None:
    """Canonicalisation under a group too large for the search; None if it is not even listed."""
    try:
        rows = symmetries_of(game)
    except LimitError:
        return None
    return canonicalizer_of(rows[np.lexsort(rows.T[::-1])])


def _one_of_each(
    position: Position, names: NDArray[np.uint64], plan: Canonicalizer | None
) -> NDArray[np.uint64]:
    """Keep the least name of each class of equivalent positions; all without a plan."""
    if plan is None:
        return names
    names = np.sort(names)
    forms = canonical_forms(_owners_of(position, names), plan)
    return names[np.unique(forms, axis=0, return_index=True)[1]]


def _wins_some(outcomes: int, players: int, player: int) -> bool:
    others = (((1 << players) - 1) & ~(1 << player)) << players
    return bool(outcomes >> player & 1 or outcomes & others)


def _table(
    position: Position, most: int, task: Task
) -> tuple[NDArray[np.uint64], NDArray[np.int32], int]:
    """Return keys, entries and number of all classes, in a table of sufficient size."""
    # The kernel returns -1 once three quarters are full: start again with a table 8 times as large.
    bits, keys = _LEAST_BITS, keys_of(position.game)
    if not keys.exact:
        raise LimitError("the board is too large for a table of all positions")
    control = np.zeros(4, dtype=np.int64)
    while True:
        names = np.zeros(1 << bits, dtype=np.uint64)
        entries = np.zeros((1 << bits, kernel.FIELDS), dtype=np.int32)
        control[:] = 0
        work = partial(
            kernel.tabulate_all,
            *(tables_of(position.game), state_of(position), keys.codes, keys.perms),
            *(names, entries, control),
        )
        flag = control[STOP : STOP + 1]
        classes = task.result(work, flag, lambda: task.report_progress(int(control[NODES]), most))
        if classes >= 0:
            return names, entries, classes
        if (1 << bits) * 3 // 4 >= most or task.stopped:
            how = " up to symmetry" if keys.complete else ", counted without symmetry"
            raise LimitError(f"there are more than {most:,} positions{how}")
        bits = min(bits + 3, (4 * most // 3).bit_length())


# Kingmakers by threats: two rivals are about to win, and the mover can stop only one of them.
#
# The mover completes no line; at least two rivals each threaten to complete theirs in one cell, and
# these cells differ. It does not matter if a rival moves before the threatened win and blocks it.

THREATS_WIN = Requires(
    "kingmakers by threats",
    CLASSIC
    - {
        Trait.MISERE,
        Trait.GRAVITY,
        Trait.SEVERAL_LINES,
        Trait.RESTRICTED_FIRST_MOVE,
        Trait.RESTRICTED_MOVES,
    },
)
"""Games with immediate threats: the last free cell of a line can be played and wins."""


def torn(game: Game, owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return whether the mover is such a kingmaker, for positions uint8 ``[K, N]``."""
    found = [_torn(game, owners[i : i + _CHUNK]) for i in range(0, len(owners), _CHUNK)]
    return np.concatenate(found) if found else np.zeros(0, dtype=bool)


def _torn(game: Game, owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
    # Lines are padded with -1. `there` is ``[K, L, size]``, the owners along each line.
    lines, sizes = game.board.lines, game.board.line_sizes
    real = lines >= 0
    there = owners[:, lines]
    rows = np.arange(len(owners))
    stones = ((owners > 0) & (owners <= game.players)).sum(axis=1)
    movers = stones % game.players + 1
    # The only threatened cell of each rival, -1 for none or several: one move cannot stop two.
    single = np.zeros((len(owners), game.players), dtype=np.int64)
    lacks = np.zeros(len(owners), dtype=bool)
    for player in range(1, game.players + 1):
        own = ((there == player) & real).sum(axis=2)
        ready = (own == sizes - 1)[..., None] & (there == FREE) & real
        cells = np.zeros(owners.shape, dtype=bool)
        where = np.nonzero(ready)
        cells[where[0], lines[where[1], where[2]]] = True
        count, cell = cells.sum(axis=1), cells.argmax(axis=1)
        mine = movers == player
        lacks |= mine & (count > 0)
        single[rows, player - 1] = np.where(mine | (count != 1), -1, cell)
    # Torn: some rival has one cell and another rival a different one.
    most = single.max(axis=1)
    other = np.where(single >= 0, single, most[:, None]).min(axis=1)
    found: NDArray[np.bool_] = ~lacks & (most >= 0) & (other != most)
    return found
