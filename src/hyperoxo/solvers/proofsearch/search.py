"""Proof search: whether one player of a two-player strong game can force a win.

Depth-first proof-number search over positions up to symmetry; forced wins by threats decide
ahead of it, and only moves that matter are looked at (`hyperoxo.kernels.proof_search` tells how).
A search keeps its table between runs, so that a stopped one goes on where it was, and a solved
one hands out the strategy behind the proof.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hyperoxo.compiling import working_time
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.kernels import proof_search as kernel
from hyperoxo.kernels.canonical import CanonicalPlan, canonical_plan
from hyperoxo.kernels.cell_sets import CellSet, cells_of, words_for
from hyperoxo.kernels.control import NODES as THREAT_NODES
from hyperoxo.kernels.control import STOP
from hyperoxo.kernels.proof_children import canonical_words, rank_moves
from hyperoxo.kernels.proof_moves import LOST, WON, moves_of, replies_of
from hyperoxo.kernels.proof_table import (
    NO_MOVE,
    best_of,
    entry_words,
    fetch,
    pack,
    proof_of,
    store,
)
from hyperoxo.kernels.threat_bits import completions, new_bit_work
from hyperoxo.position import Position
from hyperoxo.rules import Game, Requires, Trait
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.solvers.proofsearch.front import Front, front_of
from hyperoxo.solvers.threats.search import MOST_CELLS, bit_board_of

__all__ = ["PROOF_SEARCH", "ProofProgress", "ProofResult", "ProofSearch", "Words", "words_of"]

Words = tuple[int, int]
"""The stones of the attacker and of the defender, bit c for cell c."""

PROOF_SEARCH = Requires(
    "proof search", {Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES}
)

_MEMO_BITS = 15
_TICK = 0.1
_KEEP = 31
_LEAST_BYTES = 1 << 16


@dataclass(frozen=True)
class ProofProgress:
    """How far a proof search has come."""

    proof: int
    disproof: int
    nodes: int
    threat_nodes: int
    entries: int
    capacity: int
    seconds: float
    remaining: int | None = None
    replies: int = 0
    replies_proved: int = 0


@dataclass(frozen=True)
class ProofResult:
    """What a proof search found."""

    status: str
    progress: ProofProgress
    width: int


class ProofSearch:
    """The proof search of one game for one attacker.

    References
    ----------
    L. V. Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; A. Nagai,
    Df-pn Algorithm for Searching AND/OR Trees, 2002; J. Pawlewicz, L. Lew, Improving
    Depth-First PN-Search: 1 + ε Trick, 2007.
    """

    def __init__(
        self,
        game: Game,
        attacker: int = 1,
        *,
        megabytes: float = 512,
        width: int = 10,
        epsilon: float = 0.5,
        quiet: int = -1,
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        PROOF_SEARCH.check(game)
        board = bit_board_of(game)
        if board is None:
            raise LimitError(f"the proof search takes at most {MOST_CELLS} cells; {game} has more")
        if attacker not in (1, 2):
            raise SpecError(f"the attacker is player 1 or 2, not {attacker}")
        self.game = game
        self.attacker = attacker
        self.width = width
        self.epsilon = epsilon
        self.quiet = quiet
        self.board = board
        self.rules = _rules_of(game, attacker)
        self.plan = _plan_of(game)
        self.weights = _doubling(game) if weights is None else np.array(weights, np.float64)
        self.entry_words = entry_words(words_for(game.board.cell_count))
        entries = max(int(megabytes * 2**20), _LEAST_BYTES) // (8 * self.entry_words)
        self.table: NDArray[np.uint64] = np.zeros(entries // 4 * 4 * self.entry_words, np.uint64)
        self.entries = 0

    def canonical(self, words: Words) -> Words:
        """Return the canonical image of a position."""
        return self.canonical_all([words])[0]

    def canonical_all(self, positions: list[Words]) -> list[Words]:
        """Return the canonical images of positions."""
        rows = _rows(positions, self.game.board.cell_count)
        forms = np.empty_like(rows)
        index = np.empty(len(rows), np.int64)
        canonical_words(self.plan, rows, forms, index, np.empty_like(index))
        return [_from_row(row) for row in forms]

    def suggest(self, moves: Mapping[Words, int]) -> None:
        """Look at some moves first; that orders the search and proves nothing."""
        for (own, other), move in moves.items():
            if self._numbers((own, other), self.quiet):
                continue
            hint = np.uint64(pack(1, 1, move, _KEEP, 0))
            sets = self.sets_of((own, other))
            none, _ = self.sets_of((0, 0))
            self.entries += int(store(self.table, *sets, self.quiet, hint, none))

    def is_proved(self, words: Words) -> bool:
        """Whether the table has it that a position, in any of its images, is won."""
        numbers = self._numbers(self.canonical(words), self.quiet)
        return bool(numbers) and proof_of(numbers) == 0

    def proved_move(self, words: Words, quiet: int | None = None) -> int | None:
        """Return the move that wins a canonical position, if the table has it."""
        numbers = self._numbers(words, self.quiet if quiet is None else quiet)
        if not numbers or proof_of(numbers) or best_of(numbers) == NO_MOVE:
            return None
        return int(best_of(numbers))

    def _numbers(self, words: Words, quiet: int) -> np.uint64:
        """Return what the table has on a canonical position, 0 for nothing."""
        numbers, _ = fetch(self.table, *self.sets_of(words), quiet)
        # Compiled functions return Python's int, which they do not take back as a word.
        return np.uint64(numbers)

    def sets_of(self, words: Words) -> tuple[CellSet, CellSet]:
        """Return the stones of both players as compiled functions take them."""
        cells = self.game.board.cell_count
        return cells_of(words[0], cells), cells_of(words[1], cells)

    def replies(self, words: Words) -> list[int]:
        """Return the replies of the defender that leave the attacker without a forced win."""
        _, moves = self._probe.replies(words)
        return [cell for cell in range(self.game.board.cell_count) if int(moves) >> cell & 1]

    def candidates(self, words: Words) -> list[int]:
        """Return the attacker's moves that no forced win of the defender refutes, best first."""
        return self._probe.candidates(words)

    def attacker_moves(self, words: Words) -> bool:
        """Return whose turn it is, which the numbers of stones tell."""
        mine, yours = words[0].bit_count(), words[1].bit_count()
        return mine == yours if self.attacker == 1 else mine < yours

    def attack(self, words: Words) -> tuple[str, int]:
        """Return what the attacker, to move, must do."""
        return self._probe.attack(words)

    def allowed_next(self, words: Words) -> int:
        """Return the cells, as bits, that the opening leaves to the defender's next move."""
        game, everything = self.game, (1 << self.game.board.cell_count) - 1
        if self.attacker == 1 or words[1].bit_count() >= game.opening_moves:
            return everything
        left = sum(1 << cell for cell in game.opening or ()) & ~(words[0] | words[1])
        return left or everything

    def threatens(self, words: Words, move: int) -> bool:
        """Whether a move of the attacker makes a threat."""
        return bool(completions(self.board, *self.sets_of((words[0] | 1 << move, words[1]))))

    @cached_property
    def _probe(self) -> _Worker:
        return _Worker(self, 0)

    def quick(self, words: Words, nodes: int) -> bool:
        """Whether a few nodes prove a canonical position with the attacker to move."""
        return self._probe.quick(words, nodes)

    def run(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        nodes: int = 0,
        threads: int = 1,
        watch: Callable[[ProofProgress], object] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> ProofResult:
        """Search until the position is decided or a limit is met."""
        words = words_of(position, self.attacker)
        return self.run_words(
            words,
            position.to_move == self.attacker,
            seconds=seconds,
            nodes=nodes,
            threads=threads,
            watch=watch,
            stop=stop,
        )

    def run_words(
        self,
        words: Words,
        attacker_moves: bool,
        *,
        seconds: float | None = None,
        nodes: int = 0,
        threads: int = 1,
        watch: Callable[[ProofProgress], object] | None = None,
        stop: Callable[[], bool] | None = None,
        quiet: int | None = None,
    ) -> ProofResult:
        """Search a position given as words, perhaps with other quiet moves left; see `run`."""
        root = self.canonical(words)
        left = self.quiet if quiet is None else quiet
        # No share may be rounded down to 0, which means no limit.
        share = -(-nodes // threads)
        workers = [_Worker(self, share) for _ in range(threads)]
        begin = time.perf_counter()
        end = None if seconds is None else working_time() + seconds
        before = self.entries

        def progress() -> ProofProgress:
            self.entries = before + sum(int(w.state[kernel.ENTRIES]) for w in workers)
            first = workers[0].state
            front = workers[0].front()
            return ProofProgress(
                proof=int(first[kernel.ROOT_PROOF]),
                disproof=int(first[kernel.ROOT_DISPROOF]),
                nodes=sum(int(w.state[kernel.AND_NODES]) for w in workers),
                threat_nodes=sum(int(w.control[THREAT_NODES]) for w in workers),
                entries=self.entries,
                capacity=len(self.table) // self.entry_words,
                seconds=time.perf_counter() - begin,
                remaining=front.remaining,
                replies=front.replies,
                replies_proved=front.replies_proved,
            )

        with ThreadPoolExecutor(threads) as pool:
            futures = [pool.submit(w.search, root, attacker_moves, left) for w in workers]
            try:
                _watch(futures, end, progress, watch, stop)
            finally:
                for worker in workers:
                    worker.control[STOP] = 1
        answers = {future.result() for future in futures}
        status = "win" if WON in answers else "failed" if LOST in answers else "unknown"
        return ProofResult(status, progress(), self.width)


class _Worker:
    """One thread's arrays."""

    def __init__(self, search: ProofSearch, nodes: int) -> None:
        # A search keeps a worker, and must not wait for the collector of cycles with its table.
        self._search = weakref.proxy(search)
        cells = search.game.board.cell_count
        levels = cells + 2
        self.control = np.zeros(3, np.int64)
        self.state = np.zeros(8, np.int64)
        self.state[kernel.NODE_LIMIT] = nodes
        self._work = new_bit_work(search.board, _MEMO_BITS)
        self._frames = np.zeros((levels, 8), np.int64)
        self._keys = np.zeros(levels * (3 + 2 * cells) * words_for(cells), np.uint64)
        self._numbers = np.zeros((levels, 4 * cells), np.int64)
        self._line = np.zeros(2 * (cells + 2), np.int32)

    def front(self) -> Front:
        """Return what is left to do, while the search goes on."""
        words = words_for(self._search.game.board.cell_count)
        return front_of(self._frames, self._keys, self._numbers, words)

    def replies(self, words: Words) -> tuple[int, int]:
        search = self._search
        own, other = search.sets_of(words)
        found = replies_of(
            search.board, self._work, self.control, search.rules, own, other, self._line
        )
        return int(found[0]), int(found[1])

    def quick(self, words: Words, nodes: int) -> bool:
        search = self._search
        self.state[:] = 0
        self.state[kernel.NODE_LIMIT] = nodes
        won = self.search(words, True, search.quiet) == WON
        search.entries += int(self.state[kernel.ENTRIES])
        return won

    def candidates(self, words: Words) -> list[int]:
        search = self._search
        own, other = search.sets_of(words)
        _, moves = moves_of(
            search.board, self._work, self.control, search.rules, own, other, False, self._line
        )
        scores = np.zeros(search.game.board.cell_count)
        tried, _ = search.sets_of((int(moves), 0))
        rank_moves(search.board, own, other, search.weights, tried, scores)
        cells = [cell for cell in range(len(scores)) if int(moves) >> cell & 1]
        return sorted(cells, key=lambda cell: -scores[cell])

    def attack(self, words: Words) -> tuple[str, int]:
        search = self._search
        own, other = search.sets_of(words)
        status, moves = moves_of(
            search.board, self._work, self.control, search.rules, own, other, True, self._line
        )
        if status == WON:
            return "win", int(self._line[0])
        danger = int(completions(search.board, other, own)) & search.allowed_next(words)
        # In an opening the moves are all that are legal, the block among them or not.
        if danger.bit_count() == 1 and danger & int(moves):
            return "block", danger.bit_length() - 1
        return "open", -1

    def search(self, root: Words, attacker_moves: bool, quiet: int) -> int:
        search = self._search
        own, other = search.sets_of(root)
        return int(
            kernel.search_proof(
                search.board,
                self._work,
                self.control,
                search.plan,
                search.table,
                search.rules,
                own,
                other,
                attacker_moves,
                search.weights,
                search.width or search.game.board.cell_count,
                search.epsilon,
                quiet,
                self._frames,
                self._keys,
                self._numbers,
                self._line,
                self.state,
            )
        )


def _watch(
    futures: list[Future[int]],
    end: float | None,
    progress: Callable[[], ProofProgress],
    watch: Callable[[ProofProgress], object] | None,
    stop: Callable[[], bool] | None,
) -> None:
    """Wait for the first thread to end, for the clock or for `stop`."""
    while True:
        done, _ = wait(futures, timeout=_TICK, return_when=FIRST_COMPLETED)
        if done:
            return
        if watch is not None:
            watch(progress())
        if stop is not None and stop():
            return
        if end is not None and working_time() >= end:
            return


def words_of(position: Position, attacker: int) -> Words:
    """Return the stones of an attacker and of the other player as words."""
    own = sum(1 << c for c, owner in enumerate(position.owners) if owner == attacker)
    other = sum(1 << c for c, owner in enumerate(position.owners) if owner == 3 - attacker)
    return own, other


def _rows(positions: list[Words], cells: int) -> NDArray[np.uint8]:
    size = -(-cells // 8)
    data = b"".join(number.to_bytes(size, "little") for pair in positions for number in pair)
    sets = np.frombuffer(data, np.uint8).reshape(-1, 2, size)
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


def _plan_of(game: Game) -> CanonicalPlan:
    """Tables for canonical forms under the symmetries; none are used if one moves the opening."""
    rows = np.arange(game.board.cell_count, dtype=np.int32)[None]
    with suppress(LimitError):
        kept = symmetries_of(game)
        rows = kept if len(kept) == game.symmetry.order else rows
    inverses = np.argsort(rows, axis=1).astype(np.int32)
    order = np.lexsort(inverses.T[::-1])
    return canonical_plan(np.ascontiguousarray(inverses[order]))


def _doubling(game: Game) -> NDArray[np.float64]:
    longest = game.board.line_sizes.max() if game.board.line_count else 1
    return np.tile(2.0 ** np.arange(int(longest) + 1), (2, 1))
