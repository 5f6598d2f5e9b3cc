"""A game from the attacker's side: forced moves, replies that matter, canonical images.

Positions are the stones of both players; wins, losses and relevant moves follow from threats
alone, so that no table is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import BLOCKED, FREE, Game, Known, Position, Requires
from hyperoxo.kernels.canonical import Canonicalizer, canonicalizer_of
from hyperoxo.kernels.cell_sets import CellSet, cells_of
from hyperoxo.kernels.proof_children import Images, canonical_words, rank_moves
from hyperoxo.kernels.proof_moves import CONTROL, LOST, WON, Field, moves_of, replies_of
from hyperoxo.kernels.threat_bits import completions, new_bit_work
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.solvers.threats.search import WIDEST, bit_board_of, words_of_owners

Words = tuple[int, int]
"""The stones of the attacker and of the defender, bit c for cell c."""

PROOF_SEARCH = Requires("proof search", Known.OPENINGS)

MEMO_BITS = 15
"""Size, as a power of two, of the table of the threat search within a proof search."""


class ProofView:
    """A game and one attacker."""

    def __init__(self, game: Game, attacker: int = 1) -> None:
        PROOF_SEARCH.check(game)
        board = bit_board_of(game)
        if board is None:
            raise LimitError(f"the proof search takes at most {WIDEST:,} cells; {game} has more")
        if attacker not in (1, 2):
            raise SpecError(f"the attacker is player 1 or 2, not {attacker}")
        self.game = game
        self.attacker = attacker
        self.board = board
        self.rules = _rules_of(game, attacker)
        self.plan = _canonicalizer_of(game)
        longest = int(game.board.line_sizes.max(initial=1))
        # Move order: 2^k for a line with k stones of one side, ``[2, longest + 1]``.
        self.weights = np.tile(2.0 ** np.arange(longest + 1), (2, 1))

    def canonical(self, words: Words) -> Words:
        """Return the canonical image of a position."""
        return self.canonical_all([words])[0]

    def canonical_all(self, positions: list[Words]) -> list[Words]:
        """Return the canonical images of positions."""
        rows = _rows(positions, self.game.board.cell_count)
        forms = np.empty_like(rows)
        index = np.empty(len(rows), np.int64)
        images = Images(rows, forms, index, np.empty_like(index))
        canonical_words(self.plan, images, len(rows))
        return [_from_row(row) for row in forms]

    def sets_of(self, words: Words) -> tuple[CellSet, CellSet]:
        """Return the stones of both players as cell sets of the kernels."""
        cells = self.game.board.cell_count
        return cells_of(words[0], cells), cells_of(words[1], cells)

    def attacker_moves(self, words: Words) -> bool:
        """Return whether the attacker is to move, by the numbers of stones."""
        mine, yours = words[0].bit_count(), words[1].bit_count()
        return mine == yours if self.attacker == 1 else mine < yours

    def allowed_next(self, words: Words) -> int:
        """Return the cells, as bits, that the opening allows for the defender's next move."""
        game, everything = self.game, (1 << self.game.board.cell_count) - 1
        if self.attacker == 1 or words[1].bit_count() >= game.opening_moves:
            return everything
        left = sum(1 << cell for cell in game.opening or ()) & ~(words[0] | words[1])
        return left or everything

    def threatens(self, words: Words, move: int) -> bool:
        """True if a move of the attacker makes a threat."""
        return bool(completions(self.board, *self.sets_of((words[0] | 1 << move, words[1]))))

    def new_field(self) -> Field:
        """Allocate a threat search of the game."""
        line = np.zeros(2 * (self.game.board.cell_count + 2), np.int32)
        work, control = new_bit_work(self.board, MEMO_BITS), np.zeros(CONTROL, np.int64)
        return Field(self.board, work, control, self.rules, line)

    @cached_property
    def _field(self) -> Field:
        return self.new_field()

    def replies(self, words: Words) -> list[int]:
        """Return the replies of the defender that leave the attacker without a forced win."""
        _, moves = replies_of(self._field, *self.sets_of(words))
        return [cell for cell in range(self.game.board.cell_count) if int(moves) >> cell & 1]

    def refuted(self, words: Words) -> bool:
        """True if the defender, to move, has a reply that no move of the attacker stops."""
        return bool(replies_of(self._field, *self.sets_of(words))[0] == LOST)

    def after(self, words: Words) -> list[Words]:
        """Return the positions after these replies, each class once, as canonical images."""
        # Replies that leave a forced win are answered by it, and need no node of the proof.
        own, other = words
        found = [(own, other | 1 << cell) for cell in self.replies(words)]
        return list(dict.fromkeys(self.canonical_all(found))) if found else []

    def classes(self, position: Position) -> dict[int, list[int]]:
        """Group the legal moves that lead to images of one position, by the first of each."""
        moves = position.legal_moves
        images = self.canonical_all([words_of(position.play(c), self.attacker) for c in moves])
        found: dict[Words, list[int]] = {}
        for cell, image in zip(moves, images, strict=True):
            found.setdefault(image, []).append(cell)
        return {cells[0]: cells for cells in found.values()}

    def candidates(self, words: Words) -> list[int]:
        """Return the attacker's moves that no forced win of the defender refutes, best first."""
        # Moves that leave the defender a forced win lose; the kernel removes those it finds.
        own, other = self.sets_of(words)
        _, moves = moves_of(self._field, own, other, False)
        scores = np.zeros(self.game.board.cell_count)
        tried, _ = self.sets_of((int(moves), 0))
        rank_moves(self.board, own, other, self.weights, tried, scores)
        cells = [cell for cell in range(len(scores)) if int(moves) >> cell & 1]
        return sorted(cells, key=lambda cell: -scores[cell])

    def attack(self, words: Words) -> tuple[str, int]:
        """Return the attacker's forced move: ``win`` or ``block`` with its cell, else ``open``."""
        own, other = self.sets_of(words)
        status, moves = moves_of(self._field, own, other, True)
        if status == WON:
            return "win", int(self._field.line[0])
        danger = int(completions(self.board, other, own)) & self.allowed_next(words)
        # The block counts only if it is legal: an opening may forbid it.
        if danger.bit_count() == 1 and danger & int(moves):
            return "block", danger.bit_length() - 1
        return "open", -1


def words_of(position: Position, attacker: int) -> Words:
    """Return the stones of an attacker and of the other player as words."""
    return words_of_owners(position.owners, attacker)


def bytes_of_words(words: Iterable[Words], cells: int) -> NDArray[np.uint8]:
    """Pack words of `cells` cells into bytes ``[n, 2, bytes]``, for files."""
    size = -(-cells // 8)
    text = b"".join(one.to_bytes(size, "little") for pair in words for one in pair)
    return np.frombuffer(text, np.uint8).reshape(-1, 2, size)


def words_of_bytes(data: NDArray[np.uint8]) -> list[Words]:
    """Return the words that `bytes_of_words` was given."""
    return [(int.from_bytes(own, "little"), int.from_bytes(other, "little")) for own, other in data]


def owners_of(game: Game, seat: int, words: Words) -> bytes:
    """Return a position of an attacker's view as owners of all cells."""

    def owner(cell: int) -> int:
        if words[0] >> cell & 1:
            return seat
        if words[1] >> cell & 1:
            return 3 - seat
        return BLOCKED if cell in game.blocked else FREE

    return bytes(map(owner, range(game.board.cell_count)))


def _rows(positions: list[Words], cells: int) -> NDArray[np.uint8]:
    sets = bytes_of_words(positions, cells)
    bits = np.unpackbits(sets, axis=2, count=cells, bitorder="little")
    return bits[:, 0] + np.uint8(2) * bits[:, 1]


def _from_row(row: NDArray[np.uint8]) -> Words:
    own, other = np.packbits([row == 1, row == 2], axis=1, bitorder="little")
    return int.from_bytes(own.tobytes(), "little"), int.from_bytes(other.tobytes(), "little")


def _rules_of(game: Game, attacker: int) -> NDArray[np.uint64]:
    cells = sum(1 << c for c in range(game.board.cell_count) if c not in game.blocked)
    opening = sum(1 << cell for cell in game.opening or ())
    moves = game.opening_moves if game.opening is not None else 0
    sets = np.ravel([cells_of(number, game.board.cell_count) for number in (cells, opening)])
    return np.append(np.array([moves, attacker == 1], np.uint64), sets)


def _canonicalizer_of(game: Game) -> Canonicalizer:
    """Canonicalisation under the symmetries by which proofs merge positions."""
    rows = np.arange(game.board.cell_count, dtype=np.int32)[None]
    if canonical_forms_of(game).count > 1:
        rows = symmetries_of(game)
    # A group has all inverses of its elements.
    return canonicalizer_of(rows[np.lexsort(rows.T[::-1])])
