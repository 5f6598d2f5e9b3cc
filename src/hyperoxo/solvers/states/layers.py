"""The positions of a game in layers by the number of stones, with values by retrograde analysis.

The cost of an enumeration is estimated first, and too large ones are refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hyperoxo.board.board import MAX_ELEMENTS
from hyperoxo.errors import LimitError
from hyperoxo.game import CLASSIC, Game, Requires, Trait, Value
from hyperoxo.kernels.classes import Code, Found, canonical_keys, expand, rehash, results_of
from hyperoxo.kernels.playout import random_games
from hyperoxo.kernels.retrograde import back_up, link
from hyperoxo.solvers.arrays import COMPILED, symmetries_of, tables_of
from hyperoxo.task import ALONE, Task
from hyperoxo.untrusted import memory_limit

STATES = Requires("listing positions", COMPILED.accepted)
VALUES = Requires(
    "a table of values",
    (CLASSIC | {Trait.MAKER_BREAKER, Trait.AVOIDER_ENFORCER, Trait.EXACT_ROWS})
    - {Trait.SEVERAL_PLAYERS},
)

LONGEST = 6 * 3600.0
"""Seconds of work above which an enumeration is refused."""

MOST_TABLED = 64
"""Tables of values are for fewer cells."""

_CHUNK = 1 << 15
_FIRST_ROOM = 1 << 10
_IMAGES_LIMIT = 1 << 28
_SMALL = 20_000
_SAMPLES = 4_000
_SAMPLED_PLIES = 2_000_000
_MANY_CELLS = 10_000
_HOPELESS = 10**100
_UNITS = ((1, 1e-3, "ms"), (60, 1, "s"), (3600, 60, "minutes"), (2 * 86400, 3600, "hours"),
          (730 * 86400, 86400, "days"), (math.inf, 365.25 * 86400, "years"))  # fmt: skip


@dataclass(frozen=True)
class Layer:
    """All positions, or classes of them, with the same number of stones."""

    # `keys` ``[K, W]``, packed positions, ascending; `games` ``[K, X]``, sequences of moves that
    # lead to each, lowest word first; `orbit` ``[K]``, size of its class; `results` ``[K]``, 0
    # while the game goes on.
    ply: int
    keys: NDArray[np.uint64]
    games: NDArray[np.uint64]
    orbit: NDArray[np.int64]
    results: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.keys)


class GameCode:
    """Packed keys of the positions of a game, and its rules as arrays for the kernels."""

    def __init__(self, game: Game, *, symmetry: bool = True, max_plies: int | None = None) -> None:
        STATES.check(game)
        self.game = game
        self.symmetry = symmetry
        self.cells: NDArray[np.int64] = game.board.playable.astype(np.int64)
        self.plies = len(self.cells) if max_plies is None else min(max_plies, len(self.cells))
        # 1. The key: one field of `bits` bits a playable cell, the first cell in the highest bits,
        # so that keys compare like rows of owners. Cell k is in word where[k], `shift[k]` bits up.
        # No field crosses a word.
        self.bits = game.players.bit_length()
        per_word = 64 // self.bits
        count = len(self.cells)
        self.words = max(1, -(-count // per_word))
        self.game_words = max(1, -(-math.perm(count, self.plies).bit_length() // 64))
        numbers = np.arange(count)
        self.where: NDArray[np.int64] = (numbers // per_word).astype(np.int64)
        in_word = min(count, per_word) if self.words == 1 else per_word
        places = self.bits * (in_word - 1 - numbers % per_word)
        self.shift: NDArray[np.uint64] = places.astype(np.uint64)
        # 2. The rules. Playable cells are renumbered 0..N-1; -1 for none.
        convention = game.convention
        rules = (game.players, game.target, not convention.reaching_wins, game.opening_plies)
        ends = (convention.maker_only, convention.full_board)
        movers = [game.turns.mover(ply) for ply in range(count + 1)]
        self.rules: NDArray[np.int64] = np.array(
            [*rules, self.bits, *ends, *movers], dtype=np.int64
        )
        renumbered = np.full(game.board.cell_count + 1, -1, dtype=np.int64)
        renumbered[self.cells] = numbers
        self.below: NDArray[np.int64] = np.full(count, -1, dtype=np.int64)
        if game.below is not None:
            self.below[:] = renumbered[game.below[self.cells]]
        self.opening: NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        if game.opening is not None:
            self.opening[renumbered[sorted(game.opening)]] = 1
        self._renumbered = renumbered[:-1]
        # 3. The symmetries that keep the opening. One array entry per cell and symmetry: a 1 in the
        # field of the image, to multiply by the owner and sum.
        permutations = np.arange(game.board.cell_count, dtype=np.int32)[None]
        if symmetry:
            permutations = symmetries_of(game)
        self.order = len(permutations)
        self.images = self.images_of(permutations)
        self.arrays = Code(
            *(self.rules, self.cells, self.where, self.shift, self.below, self.opening),
            *(self._line_ones(), renumbered[game.board.beyond], self.images),
        )

    def _line_ones(self) -> NDArray[np.uint64]:
        board = self.game.board
        ones = np.zeros((board.line_count, self.words), dtype=np.uint64)
        line = np.repeat(np.arange(board.line_count), np.diff(board.line_ptr))
        cell = self._renumbered[board.line_cells]
        np.bitwise_or.at(ones, (line, self.where[cell]), np.uint64(1) << self.shift[cell])
        return ones

    def images_of(self, permutations: NDArray[np.int32]) -> NDArray[np.uint64]:
        """Tables uint64 ``[N, W, G]`` of permutations of all cells, int32 ``[G, cells]``."""
        count, order = len(self.cells), len(permutations)
        size = 8 * count * self.words * order
        if size > _IMAGES_LIMIT:
            raise LimitError(
                f"the {order:,} symmetries of {self.game} would take {size / 2**20:,.0f} MiB, "
                f"over {_IMAGES_LIMIT / 2**20:,.0f} MiB"
            )
        images = np.zeros((count, self.words, order), dtype=np.uint64)
        goal = self._renumbered[permutations[:, self.cells]].T
        number, element = np.indices(goal.shape)
        images[number, self.where[goal], element] = np.uint64(1) << self.shift[goal]
        return images

    @cached_property
    def full_images(self) -> NDArray[np.uint64]:
        """Tables of all symmetries, also of those that move an opening restriction."""
        return self.images_of(self.game.symmetry.permutations())

    def first(self) -> Layer:
        """Return the layer of the empty board."""
        keys = np.zeros((1, self.words), dtype=np.uint64)
        games = np.zeros((1, self.game_words), dtype=np.uint64)
        games[0, 0] = 1
        return self.layer(0, keys, games, np.ones(1, dtype=np.int64))

    def layer(
        self,
        ply: int,
        keys: NDArray[np.uint64],
        games: NDArray[np.uint64],
        orbit: NDArray[np.int64],
    ) -> Layer:
        """Make a layer of sorted keys; its results are found here."""
        results = np.empty(len(keys), dtype=np.int32)
        results_of(keys, self.arrays, ply, results)
        return Layer(ply, keys, games, orbit, results)

    def next(self, layer: Layer, task: Task = ALONE, limit: int | None = None) -> Layer:
        """Return the layer with one more stone."""
        # Children are collected in arrays under a hash table (`slots`, at most half full). `expand`
        # stops before a parent whose children might not fit; then double the arrays and go on.
        count, done, cells = 0, 0, len(self.cells)
        found = np.empty((max(_FIRST_ROOM, 2 * cells), self.words), dtype=np.uint64)
        games = np.empty((len(found), self.game_words), dtype=np.uint64)
        orbit = np.empty(len(found), dtype=np.int64)
        slots = _slots_for(found, 0)
        while done < len(layer):
            before = done
            done, count = expand(
                self.arrays, layer.keys, layer.games, layer.results, layer.ply,
                done, min(done + _CHUNK, len(layer)), Found(found, games, orbit, slots), count,
            )  # fmt: skip
            self.check_limit(layer, count, limit)
            task.report_progress(done, len(layer))
            if done - before < _CHUNK and done < len(layer):
                parts = (found, games, orbit)
                found, games, orbit = (np.concatenate([p, np.empty_like(p)]) for p in parts)
                slots = _slots_for(found, count)
        order = sorted_order(found[:count])
        return self.layer(layer.ply + 1, found[order], games[order], orbit[order])

    def check_limit(self, layer: Layer, count: int, limit: int | None) -> None:
        """Refuse more positions after a layer than `limit`."""
        if limit is not None and count > limit:
            raise LimitError(
                f"{self.game} has more than {limit:,} positions of {layer.ply + 1} stones; "
                f"a smaller number of plies bounds it"
            )

    def class_count(self, layer: Layer) -> int:
        """Count the classes among the positions of a layer."""
        # Once the opening is over all symmetries count, also those by which layers are not merged
        # because they move the opening: then canonicalise again.
        used_up = layer.ply >= self.game.opening_plies
        if used_up and not self._full_group_acts:
            images = self.full_images
        elif self.symmetry:
            return len(layer)
        else:
            images = self.images_of(symmetries_of(self.game))
        forms = layer.keys.copy()
        same = np.empty(len(forms), dtype=np.int64)
        canonical_keys(forms, self.arrays._replace(images=images), same)
        if self._full_group_acts:
            # All images of every position are here, and one of them is the form itself.
            return int((forms == layer.keys).all(axis=1).sum())
        return len(np.unique(forms, axis=0))

    @cached_property
    def _full_group_acts(self) -> bool:
        return len(symmetries_of(self.game)) == self.game.symmetry.order

    def owners(self, keys: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Unpack keys into owners of all cells, uint8 ``[K, N]``; 255 on blocked cells."""
        digits = keys[:, self.where] >> self.shift & np.uint64((1 << self.bits) - 1)
        rows = np.full((len(keys), self.game.board.cell_count), 255, dtype=np.uint8)
        rows[:, self.cells] = digits
        return rows


def all_layers(code: GameCode, limit: int, task: Task = ALONE) -> tuple[Layer, ...]:
    """List the layers of a game, up to the plies of the code or the end of all games."""
    layers = [code.first()]
    bounds = bounds_by_ply(code.game, code.plies)
    while layers[-1].ply < code.plies and (layers[-1].results == 0).any():
        layers.append(code.next(layers[-1], limit=limit))
        task.report_progress(sum(bounds[: len(layers)]), sum(bounds))
    return tuple(layers)


@dataclass(frozen=True)
class Edges:
    """Moves from the positions of one layer to those of the next."""

    # CSR: moves of source k are at ends[k]..ends[k + 1] - 1 of `targets`, places in the next layer,
    # and `cells`.
    ends: NDArray[np.int64]
    targets: NDArray[np.int64]
    cells: NDArray[np.int32]


def layer_edges(code: GameCode, layers: tuple[Layer, ...], ply: int) -> Edges:
    """Find the moves from one layer to the next; from the last one there are none."""
    layer = layers[ply]
    if ply + 1 == len(layers):
        none = np.zeros(len(layer) + 1, dtype=np.int64)
        return Edges(none, none[:0], np.zeros(0, dtype=np.int32))
    most = len(layer) * (len(code.cells) - layer.ply)
    ends = np.empty(len(layer) + 1, dtype=np.int64)
    targets = np.empty(most, dtype=np.int64)
    cells = np.empty(most, dtype=np.int32)
    arrays = ends, targets, cells
    link(code.arrays, layer.keys, layer.results, ply, layers[ply + 1].keys, *arrays)
    count = int(ends[-1])
    return Edges(ends, targets[:count], code.cells[cells[:count]].astype(np.int32))


def layer_values(code: GameCode, layers: tuple[Layer, ...]) -> tuple[NDArray[np.uint8], ...]:
    """Retrograde analysis: values of two players, in layers that reach the end of all games."""
    following: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
    found = []
    for ply in reversed(range(len(layers))):
        layer, edges = layers[ply], layer_edges(code, layers, ply)
        out = np.empty(len(layer), dtype=np.uint8)
        back_up(layer.results, edges.ends, edges.targets, following, ply, len(code.cells), out)
        found.append(out)
        following = out
    return tuple(reversed(found))


def value_of(byte: int) -> tuple[Value, int]:
    """Return value and remoteness, for the player whose turn it is, from a value byte."""
    return Value.of((byte & 3) - 1), byte >> 2


def total_of(games: NDArray[np.uint64]) -> int:
    """Add up numbers of games uint64 ``[K, X]`` into one exact integer."""
    half = np.uint64(32)
    low = (games & np.uint64(2**32 - 1)).sum(axis=0, dtype=np.uint64)
    high = (games >> half).sum(axis=0, dtype=np.uint64)
    return sum((int(low[w]) + (int(high[w]) << 32)) << (64 * w) for w in range(games.shape[1]))


def _slots_for(found: NDArray[np.uint64], count: int) -> NDArray[np.int32]:
    slots: NDArray[np.int32] = np.empty(1 << (2 * len(found) - 1).bit_length(), dtype=np.int32)
    rehash(found, count, slots)
    return slots


def sorted_order(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the sorting order of packed keys."""
    if keys.shape[1] == 1:
        return np.argsort(keys[:, 0], kind="stable")
    order: NDArray[np.int64] = np.lexsort(keys.T[::-1])
    return order


# Estimated cost.


@dataclass(frozen=True)
class Estimate:
    """The cost of an enumeration."""

    entries_by_ply: tuple[int, ...]
    seconds: float
    memory: int

    @property
    def entries(self) -> int:
        """Positions, or classes, in all."""
        return sum(self.entries_by_ply)


def entry_bytes(game: Game) -> int:
    """Return the bytes of a position in a layer, with its share of the hash table."""
    return 8 * -(-game.cells * game.players.bit_length() // 64) + 40


def bounds_by_ply(game: Game, plies: int | None = None) -> tuple[int, ...]:
    """Count the placements of the stones of 0, 1, ... plies, those of finished games included."""
    # Sets of occupied cells times colourings of them: an upper bound of the legal positions.
    last = game.cells if plies is None else min(plies, game.cells)
    piles = _piles(game, last) if game.below is not None and game.cells <= _MANY_CELLS else None
    bounds: list[int] = []
    colourings = 1
    for ply in range(last + 1):
        if ply:
            # One stone more, of the player who now has this many.
            colourings = colourings * ply // game.turns.made(game.turns.mover(ply - 1), ply)
        shapes = math.comb(game.cells, ply) if piles is None else piles[ply]
        bounds.append(shapes * colourings)
        if bounds[-1] > _HOPELESS:
            break
    return tuple(bounds)


def _piles(game: Game, most: int) -> list[int]:
    """Count sets of cells that piles of stones fill under gravity, by their size."""
    # Product of the generating functions 1 + x + ... + x^height of all columns.
    assert game.below is not None
    above = {int(under): cell for cell, under in enumerate(game.below) if under >= 0}
    counts = [1]
    for floor in game.first_landing_cells:
        height, cell = 1, int(floor)
        while cell in above:
            cell = above[cell]
            height += 1
        grown = [0] * min(len(counts) + height, most + 1)
        for filled, ways in enumerate(counts):
            for total in range(filled, min(filled + height, most) + 1):
                grown[total] += ways
        counts = grown
    return counts


def estimate(game: Game, *, symmetry: bool = True, plies: int | None = None) -> Estimate:
    """Estimate the cost of an enumeration."""
    # Placements, thinned by the share of random games that last so long, divided by the order of
    # the group. Time is measured per child: a canonical form costs about 4 ns a symmetry and word.
    bounds = bounds_by_ply(game, plies)
    order = game.symmetry.order if symmetry else 1
    if sum(bounds) > _SMALL and game.cells <= _MANY_CELLS:
        results, lengths = np.zeros(2 * game.players + 1, int), np.zeros(game.cells + 1, int)
        samples = min(_SAMPLES, _SAMPLED_PLIES // game.cells)
        random_games(tables_of(game), samples, np.uint64(0), 0, results, lengths)
        lasting = zip(bounds, lengths[::-1].cumsum()[::-1].tolist(), strict=False)
        bounds = tuple(bound * count // samples for bound, count in lasting)
    entries = tuple(max(1, bound // order) if bound else 0 for bound in bounds)
    words = -(-game.cells * game.players.bit_length() // 64)
    cost = 1e-7 + (4e-9 * min(order, 10**5) * words if symmetry else 5e-8)
    children = sum(count * (game.cells - ply) for ply, count in enumerate(entries))
    largest = max((a + 2 * b for a, b in pairwise(entries)), default=1)
    return Estimate(entries, cost * children, largest * entry_bytes(game))


def check_size(game: Game, guess: Estimate) -> None:
    """Refuse an enumeration that would take hours or more memory than the budget."""
    budget = memory_limit()
    if guess.memory <= budget and guess.seconds <= LONGEST:
        return
    raise LimitError(
        f"{game} has about {_rounded(guess.entries)} positions to list, which would take "
        f"{_rounded(guess.memory / 2**30)} GiB and {_duration(guess.seconds)} (the limits are "
        f"{_rounded(budget / 2**30)} GiB and {_duration(LONGEST)}); "
        "a smaller number of plies bounds it"
    )


def has_at_most(game: Game, most: int) -> bool:
    """True if a table of all positions can be built, and has at most `most` entries."""
    try:
        guess = estimate(game)
        check_size(game, guess)
    except LimitError:
        return False
    return guess.entries <= most and game.cells < MOST_TABLED


def most_positions(game: Game, *, symmetry: bool, plies: int | None) -> int:
    """Check the size of an enumeration; return the most positions of a layer."""
    possible = symmetry and game.symmetry.order <= MAX_ELEMENTS
    check_size(game, estimate(game, symmetry=possible, plies=plies))
    return memory_limit() // entry_bytes(game)


def _rounded(number: float) -> str:
    if number < 1e6:
        return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"
    return f"{number:.1e}".replace("e+", "e")


def _duration(seconds: float) -> str:
    for limit, unit, name in _UNITS:
        if seconds < limit:
            return f"{_rounded(seconds / unit)} {name}"
    raise AssertionError
