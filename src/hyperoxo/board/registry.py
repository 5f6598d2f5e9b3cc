"""Registry of the kinds of boards in game specs: spelling, size and constructor of each.

A new kind is one module with its `BoardKind`, and an entry in `KINDS`. It computes the size of a
board in advance; boards beyond `hyperoxo.board.limits.allowing` are not built.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from hyperoxo.board.board import Board
from hyperoxo.board.grid import hypercube, mnk, most_lines
from hyperoxo.board.hypergraph import hypergraph
from hyperoxo.board.limits import Size, check_allowed
from hyperoxo.errors import SpecError


@dataclass(frozen=True)
class BoardSpec:
    """A board as spelled: kind, sizes, lines of a hypergraph, and options on lines."""

    kind: str
    sizes: tuple[int, ...]
    lines: tuple[tuple[int, ...], ...] = ()
    connect: int | None = None
    wrap: tuple[int, ...] | None = None
    """Axes along which lines continue over the edge; none of them named stands for all."""
    exact: bool = False
    """True if longer rows than a line do not count."""


@dataclass(frozen=True)
class Field:
    """A size of a board as forms offer it: its name, its label, and the numbers between."""

    name: str
    label: str
    low: int
    high: int
    value: int


@dataclass(frozen=True)
class BoardKind:
    """One way to spell a board: a pattern of sizes, optionally with a last group `lines`.

    Attributes
    ----------
    form : str
        The spelling as messages show it.
    pattern : str
        Regular expression of the whole spelling; its groups are the sizes.
    size : callable
        Computes the size of a board of any size from its spec, without building it.
    build : callable
        Makes the board from its spec.
    options : frozenset of str
        Options of this kind of board that not all kinds have.
    label : str
        Label in forms.
    fields : tuple of Field
        Inputs in forms; empty if forms do not offer this kind.
    template : str
        The spelling, with `{}` for each field.
    """

    form: str
    pattern: str
    size: Callable[[BoardSpec], Size]
    build: Callable[[BoardSpec], Board]
    options: frozenset[str] = frozenset()
    label: str = ""
    fields: tuple[Field, ...] = ()
    template: str = ""


def _grid_size(shape: tuple[int, ...], length: int, spec: BoardSpec) -> Size:
    axes = range(len(shape)) if spec.wrap == () else spec.wrap or ()
    lines = most_lines(shape, length, [axis for axis in axes if axis < len(shape)])
    return Size(math.prod(shape), lines)


def _cube_size(spec: BoardSpec) -> Size:
    side, dim = min(spec.sizes[0], 10**6), min(spec.sizes[1], 64)
    if dim == 64:  # more axes than any board has, also of one cell
        side = max(side, 2)
    return _grid_size((side,) * dim, min(spec.connect or side, side), spec)


def _wrap(spec: BoardSpec) -> bool | tuple[int, ...]:
    return spec.wrap == () or spec.wrap or False


KINDS: dict[str, BoardKind] = {
    "hypercube": BoardKind(
        "SIDE^DIM such as 3^2",
        r"([0-9]+)\^([0-9]+)",
        _cube_size,
        lambda spec: hypercube(
            *spec.sizes, connect=spec.connect, wrap=_wrap(spec), exact=spec.exact
        ),
        frozenset({"connect", "wrap", "exact", "gravity"}),
        "Side and dimension",
        (Field("side", "Side", 1, 20, 3), Field("dim", "Dimension", 1, 6, 2)),
        "{}^{}",
    ),
    "mnk": BoardKind(
        "M,N,K such as 7,6,4",
        r"([0-9]+),([0-9]+),([0-9]+)",
        lambda spec: _grid_size((spec.sizes[1], spec.sizes[0]), spec.sizes[2], spec),
        lambda spec: mnk(*spec.sizes, wrap=_wrap(spec), exact=spec.exact),
        frozenset({"wrap", "exact", "gravity"}),
        "Columns and rows",
        (
            Field("columns", "Columns", 1, 40, 7),
            Field("rows", "Rows", 1, 40, 6),
            Field("run", "In a row", 1, 20, 4),
        ),
        "{},{},{}",
    ),
    "lines": BoardKind(
        "",
        r"([0-9]+)\{(?P<lines>[0-9+/]*)\}",
        lambda spec: Size(spec.sizes[0], len(spec.lines)),
        lambda spec: hypergraph(spec.sizes[0], spec.lines),
    ),
}
"""All kinds, by their names."""


def size_of(spec: BoardSpec) -> Size:
    """Return the size of a board before it is built."""
    return KINDS[spec.kind].size(spec)


def build(spec: BoardSpec) -> Board:
    """Build a board from its spec, unless it is larger than allowed."""
    check_options(spec)
    check_allowed(size_of(spec))
    board = _built(spec)
    check_allowed(Size(board.cell_count, board.line_count))  # a kind may be mistaken
    return board


@lru_cache(maxsize=32)
def _built(spec: BoardSpec) -> Board:
    return KINDS[spec.kind].build(spec)


def check_options(spec: BoardSpec) -> None:
    """Refuse options that the kind of board does not support."""
    for option in ("connect", "wrap", "exact"):
        known = {name: kind.form for name, kind in KINDS.items() if option in kind.options}
        if getattr(spec, option) not in (None, False) and spec.kind not in known:
            raise SpecError(f"{option} needs a board {' or '.join(known.values())}")
