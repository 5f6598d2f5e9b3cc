"""Boards given as lists of cells: free hypergraphs and their text form.

The text form has one line of the board a row, as names of cells between blanks::

    # anything after a '#' that is not a section name is a comment
    #cells
    a b c d
    #lines
    a b c
    b d

``#cells`` fixes the order of the cells; without it names count in order of
appearance, and whole numbers stand for themselves. ``#blocked`` lists cells that
cannot be played. Files of the positional-game kind are understood as far as they describe a
strong game: ``#positions`` is ``#cells``, ``#blackwins`` is ``#lines``, ``#whitewins``
must repeat them, ``#times``, ``#blackturns`` and ``#whiteturns`` are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

import numpy as np

from hyperoxo.board.board import Board
from hyperoxo.board.limits import MAX_LISTED_CELLS
from hyperoxo.errors import LimitError, NotationError, SpecError

_SECTIONS = {
    "#cells": "cells",
    "#positions": "cells",
    "#lines": "lines",
    "#blackwins": "lines",
    "#whitewins": "whitewins",
    "#blocked": "blocked",
    "#blackinitials": "initials",
    "#whiteinitials": "initials",
    "#times": "skip",
    "#blackturns": "skip",
    "#whiteturns": "skip",
    "#version": "skip",
}

Rows = list[tuple[int, list[str]]]


def hypergraph(
    cell_count: int,
    lines: Iterable[Sequence[int]],
    *,
    names: Sequence[str] | None = None,
    blocked: Iterable[int] = (),
) -> Board:
    """Make a board from its lines, each a list of cell numbers.

    Parameters
    ----------
    cell_count : int
        Number of cells, at least 1.
    lines : iterable of sequence of int
        One sequence of distinct cells a line; lengths may differ.
    names : sequence of str, optional
        One name per cell, kept for the text form.
    blocked : iterable of int, optional
        Cells that cannot be played; lines through them are dropped.

    Returns
    -------
    Board
        Board whose lines are sorted lexicographically.

    Raises
    ------
    SpecError
        If a line is empty, repeated, repeats a cell or names a cell that does not exist.
    LimitError
        If there are more than 10^6 cells.

    Examples
    --------
    >>> triangle = hypergraph(3, [(0, 1), (1, 2), (2, 0)])
    >>> triangle.lines.tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    if cell_count < 1:
        raise SpecError("a board needs at least one cell")
    if cell_count > MAX_LISTED_CELLS:
        raise LimitError(f"board has {cell_count:,} cells; the limit is {MAX_LISTED_CELLS:,}")
    if names is not None and (len(names) != cell_count or len(set(names)) != cell_count):
        raise SpecError(f"names must be {cell_count} distinct words, one per cell")
    seen: dict[tuple[int, ...], int] = {}
    for number, line in enumerate(lines):
        cells = tuple(sorted(int(cell) for cell in line))
        if not cells:
            raise SpecError(f"line {number} has no cell")
        if len(set(cells)) != len(cells):
            raise SpecError(f"line {number} names a cell twice")
        if cells[0] < 0 or cells[-1] >= cell_count:
            wrong = cells[0] if cells[0] < 0 else cells[-1]
            raise SpecError(f"line {number}: there is no cell {wrong}")
        if cells in seen:
            raise SpecError(f"line {number} repeats line {seen[cells]}")
        seen[cells] = number
    ordered = sorted(seen)
    sizes = np.array([len(line) for line in ordered], dtype=np.int64)
    flat = np.array([cell for line in ordered for cell in line], dtype=np.int32)
    pointers = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes)))
    cell_names = tuple(names) if names is not None else None
    board = Board(cell_count, pointers, flat, names=cell_names)
    stopped = tuple(blocked)
    return board.without(stopped) if stopped else board


def read_hypergraph(text: str) -> Board:
    r"""Read a board from its text form (see the module).

    Parameters
    ----------
    text : str
        The rows.

    Returns
    -------
    Board
        The board, with the names of its cells unless they are 0, 1, 2, ...

    Raises
    ------
    NotationError
        If a row cannot be read; the message names the row.

    Examples
    --------
    >>> read_hypergraph("a b c\nc d\n").lines.tolist()
    [[0, 1, 2], [2, 3, -1]]
    """
    sections = _split_sections(text)
    if any(words for _, words in sections["initials"]):
        row = next(row for row, words in sections["initials"] if words)
        raise NotationError(f"row {row}: stones on the board at the start are not supported")
    numbering = _cell_numbers(sections)
    lines = _cell_rows(sections["lines"], numbering)
    if sections["whitewins"]:
        other = _cell_rows(sections["whitewins"], numbering)
        if {tuple(sorted(line)) for line in other} != {tuple(sorted(line)) for line in lines}:
            row = sections["whitewins"][0][0]
            raise NotationError(f"row {row}: both players must have the same lines")
    blocked = [cell for cells in _cell_rows(sections["blocked"], numbering) for cell in cells]
    names = list(numbering)
    plain = names == [str(number) for number in range(len(names))]
    first: dict[tuple[int, ...], int] = {}
    for (row, _), line in zip(sections["lines"], lines, strict=True):
        key = tuple(sorted(line))
        if key in first:
            raise NotationError(f"row {row} repeats the line of row {first[key]}")
        first[key] = row
    try:
        return hypergraph(len(names), lines, names=None if plain else names, blocked=blocked)
    except (SpecError, LimitError) as error:
        raise NotationError(f"not a board: {error}") from None


def write_hypergraph(board: Board) -> str:
    """Write a board in the text form that :func:`read_hypergraph` reads.

    Parameters
    ----------
    board : Board
        Any board; an n^d board loses its coordinates.

    Returns
    -------
    str
        The rows, ending in a newline.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> print(write_hypergraph(ox.hypercube(2, 1)), end="")
    #cells
    0 1
    #lines
    0 1
    """
    names = board.names or tuple(str(cell) for cell in range(board.cell_count))
    rows = ["#cells", " ".join(names)]
    if board.blocked:
        rows += ["#blocked", " ".join(names[cell] for cell in board.blocked)]
    rows.append("#lines")
    for number in range(board.line_count):
        rows.append(" ".join(names[cell] for cell in board.line(number)))
    return "\n".join(rows) + "\n"


def _split_sections(text: str) -> dict[str, Rows]:
    sections: dict[str, Rows] = {name: [] for name in {*_SECTIONS.values()}}
    current = "lines"
    for row, content in enumerate(text.splitlines(), start=1):
        words = content.split()
        if words and words[0].lower() in _SECTIONS:
            current = _SECTIONS[words.pop(0).lower()]
        if words := [*takewhile(lambda word: not word.startswith("#"), words)]:
            sections[current].append((row, words))
    return sections


def _cell_numbers(sections: dict[str, Rows]) -> dict[str, int]:
    # 1. Cells are listed: they count in that order.
    named = sections["cells"]
    if named:
        numbering: dict[str, int] = {}
        for row, words in named:
            for word in words:
                if word in numbering:
                    raise NotationError(f"row {row}: cell {word[:40]!r} is listed twice")
                numbering[word] = len(numbering)
        return numbering
    # 2. All names in the lines are numbers: they stand for themselves, so that gaps are cells too.
    # 3. Otherwise names count in order of appearance.
    found = [word for _, words in sections["lines"] for word in words]
    if not found:
        raise NotationError("no cells and no lines")
    if all(word.isascii() and word.isdigit() and len(word) <= 9 for word in found):
        highest = max(int(word) for word in found)
        if highest >= MAX_LISTED_CELLS:
            raise NotationError(f"cell {highest} is beyond the limit of {MAX_LISTED_CELLS:,} cells")
        return {str(number): number for number in range(highest + 1)}
    return {word: number for number, word in enumerate(dict.fromkeys(found))}


def _cell_rows(rows: Rows, numbering: dict[str, int]) -> list[list[int]]:
    result = []
    for row, words in rows:
        cells = []
        for word in words:
            number = word not in numbering and word.isdecimal() and len(word) <= 9
            key = str(int(word)) if number else word
            if key not in numbering:
                raise NotationError(f"row {row}: unknown cell {word[:40]!r}")
            cells.append(numbering[key])
        if len(set(cells)) != len(cells):
            raise NotationError(f"row {row}: a cell appears twice")
        result.append(cells)
    return result
