"""The positions of a game, layer by layer: all with k stones, then all with k + 1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.kernels.classes import canonical_keys, expand, rehash, results_of
from hyperoxo.rules import CLASSIC, Game, Requires, Trait
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.task import Progress

STATES = Requires(
    "listing positions",
    CLASSIC | {Trait.MAKER_BREAKER, Trait.AVOIDER_ENFORCER, Trait.BIASED, Trait.ANOTHER_STARTS},
)

_CHUNK = 1 << 15
_FIRST_ROOM = 1 << 10
_IMAGES_LIMIT = 1 << 28


@dataclass(frozen=True)
class Layer:
    """All positions, or classes of them, with the same number of stones."""

    ply: int
    keys: NDArray[np.uint64]
    games: NDArray[np.uint64]
    orbit: NDArray[np.int64]
    results: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.keys)


class GameCode:
    """A game as arrays for layers of packed keys."""

    def __init__(self, game: Game, *, symmetry: bool = True, max_plies: int | None = None) -> None:
        STATES.check(game)
        self.game = game
        self.symmetry = symmetry
        self.cells: NDArray[np.int64] = game.board.playable.astype(np.int64)
        self.plies = len(self.cells) if max_plies is None else min(max_plies, len(self.cells))
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
        self.ones = self._line_ones()
        permutations = (
            symmetries_of(game)
            if symmetry
            else np.arange(game.board.cell_count, dtype=np.int32)[None]
        )
        self.order = len(permutations)
        self.images = self.images_of(permutations)

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
        results_of(keys, self.rules, self.ones, len(self.cells), ply, results)
        return Layer(ply, keys, games, orbit, results)

    def next(self, layer: Layer, tick: Progress | None = None, room: int | None = None) -> Layer:
        """Return the layer with one stone more."""
        count, done, cells = 0, 0, len(self.cells)
        found = np.empty((max(_FIRST_ROOM, 2 * cells), self.words), dtype=np.uint64)
        games = np.empty((len(found), self.game_words), dtype=np.uint64)
        orbit = np.empty(len(found), dtype=np.int64)
        slots = _slots_for(found, 0)
        while done < len(layer):
            before = done
            done, count = expand(
                self.rules, self.where, self.shift, self.below, self.opening, self.images,
                layer.keys, layer.games, layer.results, layer.ply,
                done, min(done + _CHUNK, len(layer)),
                found, games, orbit, slots, count,
            )  # fmt: skip
            if room is not None and count > room:
                raise LimitError(
                    f"{self.game} has more than {room:,} positions of {layer.ply + 1} stones; "
                    f"a smaller number of plies bounds it"
                )
            if tick is not None:
                tick(done, len(layer))
            if done - before < _CHUNK and done < len(layer):
                size = 2 * len(found)
                found, games, orbit = (_grown(part, size) for part in (found, games, orbit))
                slots = _slots_for(found, count)
        order = sorted_order(found[:count])
        return self.layer(layer.ply + 1, found[order], games[order], orbit[order])

    def class_count(self, layer: Layer) -> int:
        """Count the classes among the positions of a layer."""
        used_up = layer.ply >= self.game.opening_plies
        if used_up and not self._full_group_acts:
            images = self.full_images
        elif self.symmetry:
            return len(layer)
        else:
            images = self.images_of(symmetries_of(self.game))
        forms = layer.keys.copy()
        same = np.empty(len(forms), dtype=np.int64)
        canonical_keys(forms, images, self.where, self.shift, self.bits, same)
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


def _grown(part: Any, size: int) -> Any:
    larger = np.empty((size, *part.shape[1:]), dtype=part.dtype)
    larger[: len(part)] = part
    return larger


def sorted_order(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the order in which packed keys ascend."""
    if keys.shape[1] == 1:
        return np.argsort(keys[:, 0], kind="stable")
    order: NDArray[np.int64] = np.lexsort(keys.T[::-1])
    return order
