"""Energy of the board: the value of a position, and of each line, under a heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hyperoxo.agents.options import number_option
from hyperoxo.board import neighbour_pairs
from hyperoxo.display import Result
from hyperoxo.game import Position
from hyperoxo.heuristics import LineHeuristic, PositionHeuristic, as_heuristic, kinds_of
from hyperoxo.kernels.scored import stage_of

__all__ = ["Energy", "LineEnergy", "energy"]


@dataclass(frozen=True)
class LineEnergy:
    """Value of one line, or one pair of neighbours, to each player."""

    cells: tuple[int, ...]
    players: tuple[float, ...]


@dataclass(frozen=True)
class Energy(Result):
    """Value of a position under a heuristic.

    Attributes
    ----------
    heuristic : str
        Its name.
    players : tuple of float
        Value to each player; infinite with a full line that outweighs everything.
    lines : tuple of LineEnergy
        The lines, in the order of the board; empty for a heuristic of whole positions.
    spins : tuple of int
        Own stones less those of all others, for each player.
    coupling, field : float
        Factors of the sum over lines and of the spins.
    """

    heuristic: str
    players: tuple[float, ...]
    lines: tuple[LineEnergy, ...]
    spins: tuple[int, ...]
    coupling: float = 1.0
    field: float = 0.0

    _data = "heuristic players spins coupling field lines"


def energy(
    position: Position,
    heuristic: str | LineHeuristic | PositionHeuristic = "ising",
    *,
    coupling: float = 1.0,
    field: float = 0.0,
) -> Energy:
    """Return the value of a position and of each of its lines under a heuristic.

    With ``"ising"`` that is the energy of the report on the Ising model with the sign turned, so
    that more is better: ``coupling`` times the sum over lines plus ``field`` times the player's
    spin, which counts +1 for each own stone and -1 for each stone of another player.

    Parameters
    ----------
    position : Position
        The position, finished or not.
    heuristic : str, LineHeuristic or PositionHeuristic
        A name, or a heuristic of your own.
    coupling, field : float
        Factors of the lines and of the spin.

    Returns
    -------
    Energy
        The value of the position to each player, and that of each line.

    Raises
    ------
    SpecError
        If the name is not known.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> found = ox.energy(ox.Game("3^2").position("moves:4,0"), "traps")
    >>> found.players
    (3.0, 2.0)
    >>> found.lines[0]
    LineEnergy(cells=(0, 1, 2), players=(0.0, 1.0))
    """
    coupling, field = number_option("coupling", coupling), number_option("field", field)
    game = position.game
    owners = position.owners
    seats = range(1, game.players + 1)
    stones = [owners.count(seat) for seat in seats]
    spins = tuple(2 * own - sum(stones) for own in stones)
    lines: tuple[LineEnergy, ...] = ()
    if isinstance(heuristic, PositionHeuristic):
        sums = _of_position(position, heuristic)
    else:
        heuristic = as_heuristic(heuristic)
        lines = tuple(_lines(position, heuristic))
        sums = [sum(line.players[seat - 1] for line in lines) for seat in seats]
    players = tuple(
        # Without coupling no line counts, not even an infinite one.
        float(coupling * worth + field * spin if coupling else field * spin)
        for worth, spin in zip(sums, spins, strict=True)
    )
    return Energy(heuristic.name, players, lines, spins, coupling, field)


def _of_position(position: Position, heuristic: PositionHeuristic) -> list[float]:
    """Return the values of a heuristic of whole positions to the players."""
    board, seats = position.game.board, range(1, position.game.players + 1)
    owners = np.frombuffer(position.owners, dtype=np.uint8).astype(np.int32)
    # Rows of `lines` are padded with -1, which as an index would read the last cell.
    there = np.where(board.lines >= 0, owners[board.lines], 0)
    counts = np.stack([(there == seat).sum(axis=1, dtype=np.int32) for seat in seats], axis=1)
    sizes = board.line_sizes.astype(np.int32)
    return [float(heuristic.compiled(owners, counts, sizes, seat)) for seat in seats]


def _lines(position: Position, heuristic: LineHeuristic) -> list[LineEnergy]:
    game, owners = position.game, position.owners
    board = neighbour_pairs(game.board) if heuristic.on_neighbours else game.board
    known, kinds = kinds_of(board, heuristic.classes, heuristic.stages)
    tables = [heuristic.table(size, game.players, number, at) for at, size, number in known]
    stage = stage_of(position.ply, game.cells, heuristic.stages)
    found = []
    for number, kind in enumerate(kinds[stage]):
        cells, table = board.line(number).tolist(), tables[kind]
        held = [owners[cell] for cell in cells]
        found.append(
            LineEnergy(
                tuple(cells),
                tuple(float(_line_value(held, seat, table, heuristic.by_ends))
                      for seat in range(1, game.players + 1)),
            )
        )  # fmt: skip
    return found


def _line_value(held: Sequence[int], seat: int, table: Any, by_ends: bool) -> float:
    """Return the value of a line with these owners to a player."""
    if by_ends:
        return sum(_scanned(row, seat, table) for row in (held, held[::-1]))
    others = {owner for owner in held if owner not in (0, seat)}
    if len(others) > 1:
        return 0.0
    own = held.count(seat)
    return float(table[own, len(held) - own - held.count(0)])


def _scanned(held: Sequence[int], seat: int, table: Any) -> float:
    """Return the value of a scan from one end: own stones up to the first gap after the end."""
    own = 0
    for place, owner in enumerate(held):
        if owner == seat:
            own += 1
        elif owner:
            return 0.0
        elif place:
            break
    return float(table[own, 0])
