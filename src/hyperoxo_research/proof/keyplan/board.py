"""The lines of a plan, their regions, blocks and symmetries, as arrays for compiled loops."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.game import BLOCKED, Position
from hyperoxo.proof.canonical import moves_a_line

Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
Flags = NDArray[np.bool_]

MAIN, RICH, POOR = range(3)
"""Lines of keys alone, of keys and other cells, and without a key."""
MOST_KEYS = 56
MOST_LINES = 16
"""Most rich lines of a region: every set of them is looked at."""
_MOST_CELLS = 60_000
_MOST_SYMMETRIES = 100_000
_NEVER = 10_000
"""u where no two pairs cross."""


class Lines(NamedTuple):
    """The lines of a plan."""

    starts: Longs
    cells: Longs
    """The cells of line i are those from ``starts[i]`` to ``starts[i + 1]``."""
    kinds: Longs
    keys_on: Words
    """The keys on each line, one bit each."""
    keys: Longs
    """The cells of the keys."""


class Regions(NamedTuple):
    """Sets of rich lines that share cells off the keys; a set of them is a number of bits."""

    of_line: Longs
    """Of each rich line its region, else -1."""
    bit: Longs
    """Of each rich line its bit among those of its region."""
    members: Longs
    """The lines of each region by their bits, -1 where there is none, ``[regions, bits]``."""
    of_cell: Longs
    """Of each cell its region, else -1."""
    on_cell: Longs
    """Of each cell, the lines of its region through it."""
    spare: Longs
    """f₀ of each set of lines, ``[regions, sets]``."""
    apart: Longs
    """|A| - X(A) of each set."""
    loose: Longs
    """v, the greatest `apart` of a part of each set."""
    moved: Longs
    """Image of each region under each symmetry, ``[symmetries, regions]``."""
    moved_bits: Longs
    """Image of each region's lines under each symmetry, ``[symmetries, regions, bits]``."""


class Blocks(NamedTuple):
    """Sets of poor and rich lines that bear no more stones than they have spare cells."""

    inside: Flags
    """The lines of each, ``[blocks, lines]``."""
    cells: Flags
    """Its cells off the keys, ``[blocks, cells]``."""
    keys: Words
    """The keys on its lines, one bit each."""
    spare: Longs
    """f where no key is taken."""
    rich: Longs
    """Its rich lines by regions, as bits, ``[blocks, regions]``."""
    beside: Longs
    """c_P: cells of its poor lines in each region on no rich one, ``[blocks, regions]``."""
    elsewhere: Longs
    """The lesser of d and f₀ of its poor lines."""


class Board(NamedTuple):
    """Everything that the compiled rules know of the board; by counts without regions."""

    lines: Lines
    off: Longs
    """Number of cells off the keys on each line."""
    is_key: Flags
    crossing: Longs
    """The pairs of a poor and a rich line that cross, ``[pairs, 2]``."""
    shared: NDArray[np.int16]
    """Number of cells off the keys that two rich lines share, ``[lines, lines]``."""
    least: int
    """u: the least spare cells of two pairs of crossing lines with different rich lines."""
    regions: Regions
    blocks: Blocks
    images: Words
    """Images of every eight keys under each symmetry, ``[symmetries, eights, 256]``."""
    by_lines: bool


class Tables:
    """The lines of a plan on which Breaker has no stone off the keys, and its first state.

    `blocks` are the lines of its blocks, by default those of `hyperplanes`.
    """

    def __init__(
        self,
        position: Position,
        maker: int,
        keys: tuple[int, ...],
        blocks: Sequence[Sequence[int]] | None = None,
    ) -> None:
        board, owners = position.game.board, position.owners
        self.position, self.keys, self.board, self._blocks = position, keys, board, blocks
        places = {cell: place for place, cell in enumerate(keys)}
        if list(keys) != sorted(places) or not 0 < len(keys) <= MOST_KEYS:
            raise CheckFailedError(f"a plan needs 1 to {MOST_KEYS} keys in ascending order")
        if keys[-1] >= len(owners) or any(owners[cell] == BLOCKED for cell in keys):
            raise CheckFailedError("a key is not a playable cell")
        if len(owners) > _MOST_CELLS:
            raise CheckFailedError(f"plans are for boards of at most {_MOST_CELLS:,} cells")
        # Cells off the keys with stones of Breaker, which stop lines, and of Maker, which count.
        self.stopped, self.counted = (
            [cell for cell, owner in enumerate(owners) if owner == player and cell not in places]
            for player in (3 - maker, maker)
        )
        dead = set(self.stopped)
        every = [board.line(at).tolist() for at in range(board.line_count)]
        self.numbers = [at for at, line in enumerate(every) if not dead & set(line)]
        self.rows = [every[at] for at in self.numbers]
        self.off = [set(row).difference(keys) for row in self.rows]
        on = [sum(1 << places[cell] for cell in row if cell in places) for row in self.rows]
        kinds = [
            POOR if not bits else RICH if cells else MAIN
            for bits, cells in zip(on, self.off, strict=True)
        ]
        self.lines = Lines(
            np.cumsum([0, *map(len, self.rows)]),
            np.array([cell for row in self.rows for cell in row], np.int64),
            np.array(kinds, np.int64),
            np.array(on, np.uint64),
            np.array(keys, np.int64),
        )
        self.maker = _word(owners[cell] == maker for cell in keys)
        self.breaker = _word(owners[cell] == 3 - maker for cell in keys)

    @cached_property
    def by_counts(self) -> Board:
        """The board where stones are only counted."""
        return self._made((), (), self.images, np.zeros((len(self.images), 0), np.int64))

    @cached_property
    def by_lines(self) -> Board:
        """The board where stones are counted by regions."""
        rich = [line for row in self.members for line in row]
        others = sorted({line for own in self.chosen for line in own}.difference(rich))
        images, moved = self._images_with_lines(rich + others)
        place = {line: at for at, line in enumerate(rich + others)}
        blocks = set(map(tuple, self.chosen))
        for own in self.chosen:
            sets = np.unique(np.sort(moved[:, [place[line] for line in own]], axis=1), axis=0)
            if not blocks.issuperset(map(tuple, sets.tolist())):
                raise CheckFailedError("a symmetry moves a block to cells that are not a block")
        return self._made(self.members, self.chosen, images, moved, by_lines=True)

    @cached_property
    def groups(self) -> list[set[int]]:
        """The cells of each region, in the order of their least cells."""
        found: list[set[int]] = []
        for line in np.flatnonzero(self.lines.kinds == RICH).tolist():
            joined = [group for group in found if group & self.off[line]]
            found = [group for group in found if not group & self.off[line]]
            found.append(self.off[line].union(*joined))
        return sorted(found, key=min)

    @cached_property
    def members(self) -> list[list[int]]:
        """The lines of each region."""
        rich = np.flatnonzero(self.lines.kinds == RICH).tolist()
        found = [[line for line in rich if self.off[line] <= group] for group in self.groups]
        if (most := max(map(len, found), default=0)) > MOST_LINES:
            raise CheckFailedError(f"a region has {most} rich lines, and at most {MOST_LINES} may")
        return found

    @cached_property
    def chosen(self) -> list[list[int]]:
        """The lines of each block."""
        given = hyperplanes(self) if self._blocks is None else self._blocks
        return [sorted(own) for own in given]

    @cached_property
    def images(self) -> Words:
        """Images of every eight keys under the symmetries that keep keys and lines."""
        return self._images_with_lines([])[0]

    def _made(
        self,
        members: Sequence[Sequence[int]],
        chosen: Sequence[Sequence[int]],
        images: Words,
        moved: Longs,
        *,
        by_lines: bool = False,
    ) -> Board:
        count, cells = len(self.rows), len(self.position.owners)
        # Lines that share cells off the keys with rich ones.
        through: list[list[int]] = [[] for _ in range(cells)]
        for line, own in enumerate(self.off):
            for cell in own:
                through[cell].append(line)
        pairs, shared = [], np.zeros((count, count) if by_lines else (0, 0), np.int16)
        for line in np.flatnonzero(self.lines.kinds == RICH).tolist():
            met = Counter(other for cell in self.off[line] for other in through[cell])
            pairs += [(one, line) for one in met if self.lines.kinds[one] == POOR]
            if by_lines:
                shared[line, list(met)] = shared[list(met), line] = list(met.values())
        is_key = np.zeros(cells, np.bool_)
        is_key[list(self.keys)] = True
        regions = self._regions(members, moved)
        return Board(
            lines=self.lines,
            off=np.array(list(map(len, self.off)), np.int64),
            is_key=is_key,
            crossing=np.array(sorted(pairs), np.int64).reshape(-1, 2),
            shared=shared,
            least=self._least(pairs) if by_lines else _NEVER,
            regions=regions,
            blocks=self._block_tables(chosen, regions),
            images=images,
            by_lines=by_lines,
        )

    def _regions(self, members: Sequence[Sequence[int]], moved: Longs) -> Regions:
        """Return the regions; `moved`: images of all their lines, ``[symmetries, lines]``."""
        width, cells = max(map(len, members), default=0), len(self.position.owners)
        listed = np.full((len(members), width), -1, np.int64)
        of_line, bit = (np.full(len(self.rows), -1, np.int64) for _ in range(2))
        of_cell, on_cell = np.full(cells, -1, np.int64), np.zeros(cells, np.int64)
        for region, row in enumerate(members):
            listed[region, : len(row)] = row
            of_line[row], bit[row] = region, range(len(row))
            for place, line in enumerate(row):
                of_cell[list(self.off[line])] = region
                on_cell[list(self.off[line])] |= 1 << place
        # 1. Of each set A of a region's lines: f₀(A), |A| - X(A), and v(A).
        spare, all_apart, loose = np.zeros((3, len(members), 1 << width), np.int64)
        for region, row in enumerate(members):
            for some in range(1, 1 << len(row)):
                lines = [line for at, line in enumerate(row) if some >> at & 1]
                on = len(set().union(*(self.off[line] for line in lines)))
                apart = len(lines) - (sum(len(self.off[line]) for line in lines) - on)
                without = (some & ~(1 << at) for at in range(len(row)) if some >> at & 1)
                spare[region, some], all_apart[region, some] = on - 2 * len(lines), apart
                loose[region, some] = max(apart, *(int(loose[region, one]) for one in without))
        # 2. Images of regions and of their lines under each symmetry.
        regions = np.zeros((len(moved), len(members)), np.int64)
        bits = np.zeros((len(moved), len(members), width), np.int64)
        at = 0
        for region, row in enumerate(members):
            for place, _ in enumerate(row):
                regions[:, region] = of_line[moved[:, at]]
                bits[:, region, place] = bit[moved[:, at]]
                at += 1
        lines_of = of_line, bit, listed, of_cell, on_cell
        return Regions(*lines_of, spare, all_apart, loose, regions, bits)

    def _block_tables(self, chosen: Sequence[Sequence[int]], regions: Regions) -> Blocks:
        count, cells = len(chosen), len(self.position.owners)
        inside, on = np.zeros((count, len(self.rows)), np.bool_), np.zeros((count, cells), np.bool_)
        keys = np.zeros(count, np.uint64)
        rich, beside = np.zeros((2, count, len(regions.members)), np.int64)
        spare, elsewhere = np.zeros((2, count), np.int64)
        for block, own in enumerate(chosen):
            poor = [line for line in own if self.lines.kinds[line] == POOR]
            others = [line for line in own if self.lines.kinds[line] == RICH]
            every = set().union(*(self.rows[line] for line in own))
            poor_cells = set().union(*(self.off[line] for line in poor))
            apart = poor_cells.difference(*(self.off[line] for line in others))
            inside[block, list(own)] = True
            on[block, list(every.difference(self.keys))] = True
            keys[block] = _word(key in every for key in self.keys)
            spare[block] = len(every) - 2 * len(own)
            for line in others:
                rich[block, regions.of_line[line]] |= 1 << int(regions.bit[line])
            for cell in apart:
                if regions.of_cell[cell] >= 0:
                    beside[block, regions.of_cell[cell]] += 1
            elsewhere[block] = min(len(apart), len(poor_cells) - 2 * len(poor))
        return Blocks(inside, on, keys, spare, rich, beside, elsewhere)

    def _least(self, crossing: Iterable[tuple[int, int]]) -> int:
        """Return u: the least spare cells of two pairs that cross, with different rich lines."""
        pairs = [
            (sum(1 << cell for cell in self.off[one] | self.off[two]), one, two)
            for one, two in crossing
        ]
        return min(
            (
                (first | second).bit_count() - 2 * (4 - (one == three))
                for (first, one, two), (second, three, four) in itertools.combinations(pairs, 2)
                if two != four
            ),
            default=_NEVER,
        )

    def _images_with_lines(self, some: list[int]) -> tuple[Words, Longs]:
        """Images of every eight keys, and of some lines, under the same symmetries."""
        width = len(self.keys)
        rows = self._symmetries()
        place = {frozenset(row): at for at, row in enumerate(self.rows if some else [])}
        images = [
            [place[frozenset(image)] for image in rows[:, self.rows[line]].tolist()]
            for line in some
        ]
        moved = np.column_stack([rows[:, list(self.keys)], *images])
        moved = np.unique(moved, axis=0)
        identity = (moved == [*self.keys, *some]).all(axis=1)
        moved = np.concatenate([moved[identity], moved[~identity]])
        places = np.searchsorted(self.keys, moved[:, :width]).astype(np.uint64)
        count = len(places)
        ones = np.zeros((count, -(-width // 8) * 8), np.uint64)
        ones[:, :width] = np.uint64(1) << places
        bits = (np.arange(256)[None] >> np.arange(8)[:, None] & 1).astype(np.uint64)
        table: Words = ones.reshape(count, -1, 8) @ bits
        return table, np.ascontiguousarray(moved[:, width:])

    def _symmetries(self) -> Longs:
        """Permutations of the cells, each of them checked."""
        identity = np.arange(len(self.position.owners))[None]
        symmetry = self.board.symmetry
        try:
            if symmetry.order > _MOST_SYMMETRIES:
                return identity
            rows: Longs = symmetry.permutations().astype(np.int64)
        except LimitError:
            return identity
        for kept in (list(self.keys), self.stopped):
            rows = rows[(np.sort(rows[:, kept], axis=1) == kept).all(axis=1)]
        if (np.sort(rows, axis=1) != identity).any():
            raise CheckFailedError("a symmetry is not a permutation of the cells")
        longest = max(map(len, self.rows), default=0)
        padded = np.array([row + [-1] * (longest - len(row)) for row in self.rows], np.int64)
        if moves_a_line(np.column_stack([rows, np.full(len(rows), -1)]), padded):
            raise CheckFailedError("a symmetry moves a line to cells that are not a line")
        return rows


def hyperplanes(tables: Tables) -> list[list[int]]:
    """Return the lines of each hyperplane of n^d in which no line has keys alone."""
    # Not of 2^d, whose symmetries do not keep them.
    board = tables.board
    if board.side is None or board.dim is None or board.side < 3:
        return []
    found = []
    for axis in range(board.dim):
        step = board.side**axis
        for value in range(board.side):
            own = [
                line
                for line, row in enumerate(tables.rows)
                if all(cell // step % board.side == value for cell in row)
            ]
            if own and all(tables.lines.kinds[line] != MAIN for line in own):
                found.append(own)
    return found


@lru_cache(maxsize=8)
def tables_of(position: Position, maker: int, keys: tuple[int, ...]) -> Tables:
    """Return the lines of a plan; they take long with many symmetries."""
    return Tables(position, maker, keys)


def _word(chosen: Iterable[bool]) -> np.uint64:
    return np.uint64(sum(1 << place for place, one in enumerate(chosen) if one))
