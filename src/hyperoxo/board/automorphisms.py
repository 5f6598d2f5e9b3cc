"""Automorphism group of any structure of cells and lines, by individualisation and refinement.

One cell after another is individualised, and colours are refined after each, until every cell has
a different colour. From the last of these base points back to the first, the search then seeks
automorphisms that fix the earlier base points and move this one to each cell of its colour,
skipping cells in an orbit already settled. By the orbit-stabiliser theorem the order of the group
is the product of the sizes of these orbits. Every automorphism is checked cell by cell, so the
answer is exact even if colours collide.
"""
# Order of reading: `automorphism_group` (twins first, then the quotient), `Structure.refine`,
# `_Search.run` (Schreier-Sims from the last base point up), `_Search._automorphism` (backtracking).
# The method is that of nauty (McKay 1981; McKay and Piperno, "Practical graph isomorphism, II",
# 2014), without its canonical labelling. Colours are 64-bit hashes that depend on the structure
# and not on cell numbers, so equal histories give equal colours, and colours of two branches of
# the search can be compared directly.

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.groups import Cells, Group, Move, block_group, merge_orbits
from hyperoxo.errors import LimitError

if TYPE_CHECKING:
    from hyperoxo.board.board import Board

Colours = NDArray[np.uint64]
"""One colour a cell, uint64 ``[N]``. Cells that a symmetry could exchange have equal colours."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    values = (values ^ (values >> _SHIFT)) * _ODD
    return (values ^ (values >> _SHIFT)) * np.uint64(0xBF58476D1CE4E5B9)


class Structure:
    """Coloured cells, lines and supports: all that an automorphism must keep."""

    def __init__(
        self,
        board: Board,
        kinds: NDArray[np.int64],
        below: Cells | None = None,
        work_limit: int = 10**9,
    ) -> None:
        self.cell_count = cell_count = board.cell_count
        self._cells, self._lines = board.line_cells, board.cell_lines
        self._starts = board.line_ptr[:-1]
        self._line_of = np.repeat(np.arange(board.line_count), board.line_sizes)
        self._touched = np.flatnonzero(board.degrees)
        self._cell_starts = board.cell_ptr[self._touched]
        self._kinds = kinds
        self.first_colours = _mix(kinds.astype(np.uint64) + _ODD)
        self._below = below
        self._resting = np.flatnonzero(below >= 0) if below is not None else np.arange(0)
        self._support = below[self._resting] if below is not None else np.arange(0)
        self._incidence = self._line_of * np.int64(cell_count) + self._cells
        self._work_left = work_limit
        self._work_limit = work_limit
        self._step = cell_count + 2 * len(self._cells)
        # `_keys` are the sorted sums of the weights on each line: a line is found by its sum in
        # log L steps. `_incidence` lists all pairs (line, cell), line * N + cell, ascending.
        self._weights, self._keys, self._key_order = self._line_keys()

    def _line_keys(self) -> tuple[Colours, Colours, NDArray[np.intp]]:
        """Random weights of the cells, chosen so that no two lines have the same sum."""
        for seed in range(100):
            rng = np.random.default_rng(seed)
            weights = rng.integers(0, 2**64, self.cell_count, dtype=np.uint64)
            keys = self._line_sums(weights)
            order = np.argsort(keys)
            keys = keys[order]
            if not (keys[1:] == keys[:-1]).any():
                return weights, keys, order
        raise AssertionError("two lines are equal")

    def _line_sums(self, values: NDArray[np.uint64]) -> NDArray[np.uint64]:
        if not len(self._starts):
            return np.zeros(0, np.uint64)
        return np.add.reduceat(values[self._cells], self._starts)

    def spend(self, steps: int) -> None:
        """Count elementary steps of the search."""
        self._work_left -= steps
        if self._work_left < 0:
            raise LimitError(
                f"the symmetry of this board is too hard to find: more than {self._work_limit:,} "
                f"steps on {self.cell_count:,} kinds of cells"
            )

    def single_out(self, colours: Colours, cell: int) -> Colours:
        """Individualise a cell: copy of `colours` with a new colour there, made from the old."""
        result = colours.copy()
        result[cell] = _mix(result[cell : cell + 1] + np.uint64(1))[0]
        return result

    def refine(self, colours: Colours) -> tuple[Colours, int]:
        """Refine colours by those on lines, above and below until the partition is stable."""
        # A round never merges classes, bar collisions of hashes. Rounds end when the number of
        # classes stays: the partition is equitable then.
        classes = len(np.unique(colours))
        while True:
            self.spend(self._step)
            finer = self._refine_once(colours)
            count = len(np.unique(finer))
            if count <= classes:
                return finer, count
            colours, classes = finer, count

    def _refine_once(self, colours: Colours) -> Colours:
        mixed = _mix(colours)
        result = colours * _ODD
        if len(self._starts):
            line_colours = _mix(self._line_sums(mixed))
            result[self._touched] += np.add.reduceat(line_colours[self._lines], self._cell_starts)
        if len(self._resting):
            result[self._resting] += _mix(mixed[self._support] + np.uint64(2))
            np.add.at(result, self._support, _mix(mixed[self._resting] + np.uint64(3)))
        return _mix(result)

    def is_automorphism(self, images: NDArray[np.int32]) -> bool:
        """Return True if a permutation of the cells keeps kinds, lines and supports."""
        self.spend(self._step)
        if not np.array_equal(self._kinds[images], self._kinds):
            return False
        if self._below is not None:
            under = self._below[images]
            if not np.array_equal(under[self._resting], images[self._support]):
                return False
            if np.count_nonzero(under >= 0) != len(self._resting):
                return False
        if not len(self._keys):
            return True
        keys = self._line_sums(self._weights[images])
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        if not np.array_equal(self._keys[places], keys):
            return False
        # Sums may agree by chance, so the images of the lines are compared cell by cell.
        lines = self._key_order[places][self._line_of]
        return np.array_equal(
            np.sort(lines * np.int64(self.cell_count) + images[self._cells]), self._incidence
        )


_MAX_PATH_ENTRIES = 1 << 26


@dataclass(frozen=True)
class _Level:
    """One step of the first path: colours before it, and the base point individualised."""

    colours: Colours
    base: int
    target: np.uint64


@dataclass
class _Frame:
    """A search node: images of the first base points, and candidates for the next one."""

    images: list[int]
    colours: Colours
    waiting: Cells


class _Search:
    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.moves: list[Move] = []
        self.found: list[int] = []
        """Generators known when each level was finished, from the first level on."""
        self.orbit_sizes: list[int] = []
        self.path, self.last = self._first_path()

    def _first_path(self) -> tuple[list[_Level], Colours]:
        structure = self.structure
        path: list[_Level] = []
        colours, count = structure.refine(structure.first_colours)
        while count < structure.cell_count:
            if (len(path) + 1) * structure.cell_count > _MAX_PATH_ENTRIES:
                raise LimitError(
                    f"the symmetry of this board is too hard to find: more than {len(path):,} base "
                    f"cells among {structure.cell_count:,}"
                )
            # The largest class first: it has most cells to tell apart. `argmax` takes the least
            # colour of several, so that the choice does not depend on cell numbers.
            values, firsts, sizes = np.unique(colours, return_index=True, return_counts=True)
            largest = int(sizes.argmax())
            base = int(firsts[largest])
            path.append(_Level(colours, base, values[largest]))
            colours, count = structure.refine(structure.single_out(colours, base))
        return path, colours

    def run(self) -> None:
        # `labels` are the orbits of the group G_depth of all automorphisms found so far: going up,
        # all of them fix the base points before `depth`.
        labels = np.arange(self.structure.cell_count, dtype=np.int32)
        for depth in reversed(range(len(self.path))):
            # 1. An automorphism that fixes the earlier base points keeps the colours refined
            #    from them, so the image of this one lies in its class.
            level = self.path[depth]
            members = np.flatnonzero(level.colours == level.target).astype(np.int32)
            failed: list[int] = []
            while True:
                # 2. One cell decides for its whole orbit under G_depth: were base -> c' possible
                #    and h in G_depth with h(c') = c, then h after it gives base -> c.
                settled = np.append(labels[failed], labels[level.base])
                waiting = members[~np.isin(labels[members], settled)]
                if not len(waiting):
                    break
                image = int(waiting[0])
                move = self._automorphism(depth, image)
                if move is None:
                    failed.append(image)
                else:
                    self.moves.append(move)
                    labels = merge_orbits(labels, [move])
            # 3. G_depth is complete now; its order is that of the next deeper group times the size
            #    of this orbit.
            self.orbit_sizes.append(int(np.count_nonzero(labels == labels[level.base])))
            self.found.append(len(self.moves))
        self.found.reverse()
        self.orbit_sizes.reverse()

    def _automorphism(self, depth: int, image: int) -> Move | None:
        """Find an automorphism that fixes `depth` base points and maps the next one to `image`."""
        # Depth-first: the images of the base points are chosen one by one, refining after each as
        # on the first path. The stack holds the branch that is being explored.
        fixed = [level.base for level in self.path[:depth]]
        stack = [_Frame(fixed, self.path[depth].colours, np.array([image], np.int32))]
        while stack:
            frame = stack[-1]
            if not len(frame.waiting):
                stack.pop()
                if stack:
                    self._drop_failed(stack[-1])
                continue
            chosen = int(frame.waiting[0])
            images = [*frame.images, chosen]
            colours, _ = self.structure.refine(self.structure.single_out(frame.colours, chosen))
            ours = self.path[len(images)].colours if len(images) < len(self.path) else self.last
            # Colours that do not match those of the first path rule this branch out; otherwise
            # the guess by equal colours may already be an automorphism, long before every cell
            # has its own colour. If it is not, the next base point gets an image.
            move = self._match(ours, colours, images)
            if isinstance(move, tuple):
                return move
            if move and len(images) < len(self.path):
                level = self.path[len(images)]
                waiting = np.flatnonzero(colours == level.target).astype(np.int32)
                # The base point itself first: most automorphisms move few cells.
                waiting = waiting[np.argsort(waiting != level.base, kind="stable")]
                stack.append(_Frame(images, colours, waiting))
            else:
                self._drop_failed(frame)
        return None

    def _match(self, ours: Colours, theirs: Colours, images: list[int]) -> Move | bool:
        """Return an automorphism that maps equal colours, True if one is possible, else False."""
        # Cells with one colour in both map to themselves, the others are paired by their colours.
        # Different multisets of colours exclude any automorphism of this branch.
        rest = np.flatnonzero(ours != theirs).astype(np.int32)
        sources = rest[np.argsort(ours[rest], kind="stable")]
        targets = rest[np.argsort(theirs[rest], kind="stable")]
        if not np.array_equal(ours[sources], theirs[targets]):
            return False
        full = np.arange(self.structure.cell_count, dtype=np.int32)
        full[sources] = targets
        bases = [level.base for level in self.path[: len(images)]]
        if np.array_equal(full[bases], images) and self.structure.is_automorphism(full):
            moved = sources != targets
            return sources[moved], targets[moved]
        return True

    def _drop_failed(self, frame: _Frame) -> None:
        """Discard the candidate just tried, and its orbit under known automorphisms."""
        # Only those that fix all images chosen so far: composed with one of them, an automorphism
        # that reaches another cell of the orbit would have reached the failed one.
        failed, frame.waiting = frame.waiting[0], frame.waiting[1:]
        fixing = [move for move in self.moves if not np.isin(frame.images, move[0]).any()]
        if fixing and len(frame.waiting):
            labels = np.arange(self.structure.cell_count, dtype=np.int32)
            labels = merge_orbits(labels, fixing)
            frame.waiting = frame.waiting[labels[frame.waiting] != labels[failed]]

    def transversals(self) -> Iterator[Cells]:
        """For each level, one automorphism for every image of its base point, identity first."""
        # A breadth-first walk of the orbit by the generators of this level's stabiliser: those
        # found at this level and at deeper ones.
        identity = np.arange(self.structure.cell_count, dtype=np.int32)
        for level, found in zip(self.path, self.found, strict=True):
            generators = [_dense(identity, move) for move in self.moves[:found]]
            reached = {level.base: identity}
            queue = [level.base]
            for cell in queue:
                for generator in generators:
                    image = int(generator[cell])
                    if image not in reached:
                        reached[image] = generator[reached[cell]]
                        queue.append(image)
            yield np.array([reached[cell] for cell in queue])


def _dense(identity: Cells, move: Move) -> Cells:
    image = identity.copy()
    image[move[0]] = move[1]
    return image


def automorphism_group(
    board: Board,
    below: Cells | None = None,
    *,
    colours: NDArray[np.int64] | None = None,
    work_limit: int = 10**9,
) -> Group:
    """All permutations of the playable cells that keep lines, colours and supports."""
    # Twins (cells on the same lines) are interchangeable whatever the rest does. The group is the
    # product of their symmetric groups and that of the quotient, on which the search is small.
    cell_count = board.cell_count
    if colours is None:
        colours = np.zeros(cell_count, np.int64)
    classes = _twins(board, below, colours)
    structure = _quotient(board, classes, below, colours, work_limit)
    search = _Search(structure)
    search.run()
    families = [members[:, None] for members in classes if len(members) > 1]
    twins = block_group(cell_count, families)
    lifted = tuple(_lift(classes, move) for move in search.moves)
    identity = np.arange(cell_count, dtype=np.int32)

    def factors() -> Iterator[Cells]:
        for rows in search.transversals():
            places = np.arange(structure.cell_count, dtype=np.int32)
            yield np.array([_dense(identity, _lift(classes, (places, row))) for row in rows])
        yield from twins.factors()

    return Group(math.prod(search.orbit_sizes), twins.degrees, lifted + twins.moves, factors)


def _twins(board: Board, below: Cells | None, colours: NDArray[np.int64]) -> list[Cells]:
    """Twin classes: cells of one colour on the same lines; cells in a column are single."""
    cell_count, playable = board.cell_count, board.playable
    alone = np.ones(cell_count, bool)
    if below is not None:
        resting = playable[below[playable] >= 0]
        alone[resting] = False
        alone[below[resting]] = False
    classes: dict[tuple[int, bytes | int], list[int]] = {}
    for cell in playable.tolist():
        key = board.lines_through(cell).tobytes() if alone[cell] else cell
        classes.setdefault((int(colours[cell]), key), []).append(cell)
    return [np.array(cells, np.int32) for cells in classes.values()]


def _quotient(
    board: Board,
    classes: list[Cells],
    below: Cells | None,
    colours: NDArray[np.int64],
    work_limit: int,
) -> Structure:
    """Quotient structure on the twin classes, coloured by size and colour."""
    # Each class is represented by its first cell. A line contains a class or misses it, so lines
    # stay distinct when only the representatives are kept.
    owner = np.full(board.cell_count, -1, np.int32)
    for number, cells in enumerate(classes):
        owner[cells] = number
    firsts = np.array([cells[0] for cells in classes], np.int32)
    keep = np.zeros(len(owner), bool)
    keep[firsts] = True
    selected = keep[board.line_cells]
    ends = np.concatenate(([0], np.cumsum(selected)))[board.line_ptr]
    under = None
    if below is not None:
        under = below[firsts]
        under = np.where(under >= 0, owner[under], -1).astype(np.int32)
    kinds = np.array([len(cells) for cells in classes], np.int64)
    kinds += (len(owner) + 1) * colours[firsts]
    cells = owner[board.line_cells[selected]]
    lines = np.repeat(np.arange(board.line_count), np.diff(ends))
    cells = cells[np.lexsort((cells, lines))]
    return Structure(type(board)(len(classes), ends, cells), kinds, under, work_limit)


def _lift(classes: list[Cells], move: Move) -> Move:
    """Lift a permutation of the twin classes to the cells."""
    pairs = [(classes[a], classes[b]) for a, b in zip(*map(np.ndarray.tolist, move), strict=True)]
    if not pairs:
        return move
    sources, targets = zip(*pairs, strict=True)
    return np.concatenate(sources), np.concatenate(targets)
