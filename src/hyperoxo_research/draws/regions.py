"""Regions: independent components of a Maker-Breaker position, and the winner in each.

Seen from one player, the *maker*, only the lines count on which the other, the *breaker*, has no
stone, and of these only the free cells. If these lines split into regions, each region is a
separate game: the maker wins it by taking all cells of a line, the breaker by preventing that. A
move elsewhere never harms its player there, so two facts about each region decide the whole game:
the winner if the maker begins in it, and the winner if the breaker does.

- The maker to move wins the whole if and only if they win a region that they begin: else the
  breaker answers every move in the region where it is made.
- The breaker to move can defend one region by beginning in it. So the maker wins if they win a
  region that the breaker begins, or at least two that they begin themselves, and not otherwise.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Position, Requires, Trait
from hyperoxo.solvers.draws.pairing import open_lines

__all__ = ["REGIONS", "Region", "falls_apart", "regions", "whole"]

REGIONS = Requires(
    "regions",
    {
        *(Trait.STRONG, Trait.MAKER_BREAKER, Trait.ALTERNATE),
        *(Trait.ONE_LINE, Trait.SEVERAL_LINES, Trait.PLAYER_ONE_STARTS, Trait.ANOTHER_STARTS),
        *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
    },
)

_Line = frozenset[int]
_Lines = frozenset[_Line]


@dataclass(frozen=True)
class Region:
    """A part of a position that no open line of the maker leaves.

    Attributes
    ----------
    cells : tuple of int
        Free cells of its lines, ascending.
    lines : tuple of tuple of int
        Free cells of each line that the maker could complete in it, the longer ones that hold a
        shorter one left out.
    maker_first : bool or None
        Whether the maker completes a line of it if they begin there; None if a limit came first.
    breaker_first : bool or None
        Whether the maker does even if the breaker begins there.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> first, second = ox.regions(ox.Game("5{0/1+2/2+3+4}").start(), 1)
    >>> first.cells, first.maker_first, first.breaker_first
    ((0,), True, False)
    >>> second.lines
    ((1, 2), (2, 3, 4))
    """

    cells: tuple[int, ...]
    lines: tuple[tuple[int, ...], ...]
    maker_first: bool | None
    breaker_first: bool | None


class _LimitError(Exception):
    """The limit of positions is reached."""


def regions(position: Position, maker: int, *, most: int = 1_000) -> tuple[Region, ...]:
    """Return the regions of a position for one of two players, and who wins in each.

    Parameters
    ----------
    position : Position
        Position of a game of two players who take a cell each in turn, on any free cell.
    maker : int
        The player, 1 or 2, whose lines are counted; the other one prevents them.
    most : int, default 1,000
        Most positions to look at in a region.

    Returns
    -------
    tuple of Region
        In the order of their lowest cells; none where the maker can complete no line.

    Raises
    ------
    SpecError
        If the maker is neither player 1 nor player 2.
    NotSupportedError
        If a move in one part may matter in another: with gravity, in misère play, with several
        players or several cells a turn, or while the opening still restricts moves.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> position = ox.Game("3^2").position("moves:4,0,8")
    >>> [(region.cells, region.maker_first) for region in ox.regions(position, 2)]
    [((1, 2), False), ((3, 6), False)]
    """
    REGIONS.check(position.game)
    if maker not in (1, 2):
        raise SpecError(f"the maker is player 1 or 2, not {maker}")
    if not position.game.convention.counts(maker):
        raise NotSupportedError(f"lines of player {maker} do not count in {position.game}")
    if position.ply < position.game.opening_plies:
        raise NotSupportedError("regions need a position without opening restriction")
    found = []
    for part in _parts_of(position, maker):
        known: dict[tuple[_Lines, bool], bool] = {}
        values: list[bool | None] = []
        for begins in (True, False):
            try:
                values.append(_maker_wins(part, begins, known, most))
            except _LimitError:
                values.append(None)
        cells = tuple(sorted(frozenset().union(*part)))
        shapes = tuple(sorted(tuple(sorted(line)) for line in part))
        found.append(Region(cells, shapes, *values))
    return tuple(sorted(found, key=lambda region: region.cells))


def falls_apart(position: Position, maker: int, most_cells: int = 12) -> bool:
    """Return whether there are several regions, none of more than `most_cells` cells."""
    parts = _parts_of(position, maker)
    return len(parts) > 1 and all(len(frozenset().union(*part)) <= most_cells for part in parts)


def _parts_of(position: Position, maker: int) -> list[_Lines]:
    return _parts(_least(frozenset(map(frozenset, open_lines(position, maker)))))


def whole(parts: Iterable[Region], maker_to_move: bool) -> bool | None:
    """Return whether the maker completes a line in one of the regions; None if not known."""
    first = [part.maker_first for part in parts]
    if maker_to_move:
        return True if True in first else None if None in first else False
    second = [part.breaker_first for part in parts]
    if True in second or first.count(True) > 1:
        return True
    unknown = None in second or first.count(True) + first.count(None) > 1
    return None if unknown else False


def _least(lines: _Lines) -> _Lines:
    """Return the minimal lines: those without another one as a subset."""
    # Shorter lines come first, and each is indexed by one of its cells: a line that holds it has
    # that cell. Taking all of a superset takes all of the subset, so the superset never matters.
    least: set[_Line] = set()
    known: defaultdict[int | None, list[_Line]] = defaultdict(list)
    for line in sorted(lines, key=len):
        if not any(other <= line for cell in (None, *line) for other in known[cell]):
            least.add(line)
            known[next(iter(line), None)].append(line)
    return frozenset(least)


def _parts(lines: _Lines) -> list[_Lines]:
    """Return the components of lines by shared cells (union-find without ranks)."""
    joined: dict[int | None, int | None] = {}

    def end(cell: int | None) -> int | None:
        while (after := joined.setdefault(cell, cell)) != cell:
            cell = after
        return cell

    for line in lines:
        ends = {end(cell) for cell in line}
        joined |= dict.fromkeys((*ends, *line), next(iter(ends), None))
    parts: defaultdict[int | None, set[_Line]] = defaultdict(set)
    for line in lines:
        parts[end(next(iter(line), None))].add(line)
    return [frozenset(part) for part in parts.values()]


def _maker_wins(
    lines: _Lines, maker_first: bool, known: dict[tuple[_Lines, bool], bool], most: int
) -> bool:
    """Return whether the maker completes one of the minimal lines."""
    # 1. Breaker wins by Erdős-Selfridge (each weight doubled if the maker moves first); the maker
    #    wins with a line that is full, or that one move fills.
    if sum(Fraction(1 + maker_first, 2 ** len(line)) for line in lines) < 1:
        return False
    if min(map(len, lines)) <= maker_first:
        return True
    key = lines, maker_first
    if key not in known:
        if len(known) >= most:
            raise _LimitError
        known[key] = _by_moves(lines, maker_first, known, most)
    return known[key]


def _by_moves(
    lines: _Lines, maker_first: bool, known: dict[tuple[_Lines, bool], bool], most: int
) -> bool:
    # 2. The maker's move shortens the lines through its cell, the breaker's removes them. Cells on
    #    most lines come first, and a line that lacks one cell forces the breaker's reply.
    cells = [cell for cell, _ in Counter(cell for line in lines for cell in line).most_common()]
    if maker_first:
        return any(
            _maker_wins(_least(frozenset(line - {cell} for line in lines)), False, known, most)
            for cell in cells
        )
    lacking = next((line for line in lines if len(line) == 1), cells)
    return all(
        _maker_wins(frozenset(line for line in lines if cell not in line), True, known, most)
        for cell in lacking
    )
