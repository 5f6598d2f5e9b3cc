"""All positions of a small game in one table: forced results, max^n, and kingmakers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hyperoxo.kernels.coalition_table import (
    DRAWS,
    FIELDS,
    KING,
    MAXN,
    PLAYS,
    WINS,
    tabulate_all,
)
from hyperoxo.position import Position
from hyperoxo.solve.arrays import state_of, tables_of
from hyperoxo.solve.coalition_search import keys_of
from hyperoxo.solve.stopping import run_stoppable

__all__ = ["Tabulated", "tabulated"]

_LEAST_BITS = 12


@dataclass(frozen=True)
class Tabulated:
    """What a table of all positions tells.

    Attributes
    ----------
    classes : int
        Positions where the game goes on, up to symmetry.
    wins, draws : tuple of bool
        Whether each player can force a win, at least a draw, against all others together.
    can_win_or_draw : tuple of bool
        Whether each player wins or draws in some play.
    maxn : tuple of str
        Results that max^n gives, over all ways in which players choose among moves that are
        equally good to them.
    kingmakers : int
        Classes of positions whose mover is kingmaker.
    listed : tuple of Position
        The first of them, those with the fewest stones first.
    """

    classes: int
    wins: tuple[bool, ...]
    draws: tuple[bool, ...]
    can_win_or_draw: tuple[bool, ...]
    maxn: tuple[str, ...]
    kingmakers: int
    listed: tuple[Position, ...]


def _results(outcomes: int, players: int) -> tuple[str, ...]:
    found = [str(player) for player in range(1, players + 1) if outcomes >> (player - 1) & 1]
    for loser in range(1, players + 1):
        if outcomes >> (players + loser - 1) & 1:
            winners = [str(p) for p in range(1, players + 1) if p != loser]
            found.append("+".join(winners))
    return (*found, "=") if outcomes >> (2 * players) & 1 else tuple(found)


def _owners_of(position: Position, keys: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Undo the naming of positions: owners ``[K, N]``, blocked cells 255."""
    game = position.game
    base = np.uint64(game.players + 1)
    owners = np.full((len(keys), game.board.cell_count), 255, dtype=np.uint8)
    rest = keys.copy()
    for cell in game.board.playable[::-1]:
        owners[:, cell] = rest % base
        rest //= base
    return owners


def tabulated(position: Position, *, most: int = 1 << 21, listed: int = 10) -> Tabulated | None:
    """Walk through all positions that can follow, each once.

    Parameters
    ----------
    position : Position
        Where to begin; the game must not be over.
    most : int
        Most classes of positions.
    listed : int
        Most kingmaker positions that are listed.

    Returns
    -------
    Tabulated or None
        None where there are more classes, or names of positions would not be exact.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> table = tabulated(Game("2^2:players=3").start())
    >>> table.wins, table.maxn, table.kingmakers
    ((True, False, False), ('1',), 0)
    """
    game = position.game
    keys = keys_of(game)
    if not keys.exact:
        return None
    bits = _LEAST_BITS
    while True:
        names = np.zeros(1 << bits, dtype=np.uint64)
        entries = np.zeros((1 << bits, FIELDS), dtype=np.int32)
        classes = _fill(position, names, entries)
        if classes >= 0:
            break
        if (1 << bits) * 3 // 4 >= most:
            return None
        bits += 3
    root = entries[(entries[:, PLAYS] != 0) & (names == _root_name(position))][0]
    kings = names[entries[:, KING] != 0]
    owners = _owners_of(position, kings)
    stones = ((owners > 0) & (owners < 255)).sum(axis=1)
    order = np.lexsort((kings, stones))[:listed]
    players = range(game.players)
    drawn = bool(root[PLAYS] >> (2 * game.players) & 1)
    return Tabulated(
        classes,
        tuple(bool(root[WINS] >> p & 1) for p in players),
        tuple(bool(root[DRAWS] >> p & 1) for p in players),
        tuple(drawn or _wins_some(int(root[PLAYS]), game.players, p) for p in players),
        _results(int(root[MAXN]), game.players),
        len(kings),
        tuple(Position.from_owners(game, owners[i].tobytes()) for i in order),
    )


def _wins_some(outcomes: int, players: int, player: int) -> bool:
    others = (((1 << players) - 1) & ~(1 << player)) << players
    return bool(outcomes >> player & 1 or outcomes & others)


def _fill(position: Position, names: NDArray[np.uint64], entries: NDArray[np.int32]) -> int:
    keys = keys_of(position.game)
    control = np.zeros(4, dtype=np.int64)
    found = [-1]

    def work() -> None:
        tables, state = tables_of(position.game), state_of(position)
        found[0] = tabulate_all(tables, state, keys.codes, keys.perms, names, entries, control)

    if not run_stoppable(work, control):
        raise KeyboardInterrupt
    return found[0]


def _root_name(position: Position) -> np.uint64:
    keys = keys_of(position.game)
    owners = np.frombuffer(position.owners, dtype=np.uint8)
    stones = np.flatnonzero((owners > 0) & (owners < 255))
    images = keys.codes[owners[stones], keys.perms[:, stones]]
    return np.uint64(images.sum(axis=1, dtype=np.uint64).min())
