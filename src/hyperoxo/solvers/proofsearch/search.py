"""Proof search for a forced win of one player in a two-player strong game.

Depth-first proof-number search over positions up to symmetry; forced wins by threats are leaves,
and only moves that matter are tried (see `hyperoxo.kernels.proof_search`). A search keeps its
transposition table between runs, so that a stopped one resumes, and a solved one yields the
strategy behind the proof.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperoxo.checkpoint import Form
from hyperoxo.files import DamagedFileError
from hyperoxo.game import Game, Position
from hyperoxo.jit import working_time
from hyperoxo.kernels import proof_search as kernel
from hyperoxo.kernels.cell_sets import words_for
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.kernels.proof_children import AND, FIRST_CHILD, Search, new_images
from hyperoxo.kernels.proof_moves import EACH, LOST, WON
from hyperoxo.kernels.proof_table import (
    NO_MOVE,
    SOLVED,
    best_of,
    entry_words,
    fetch,
    pack,
    proof_of,
    refill,
    store,
)
from hyperoxo.solvers.proofsearch.view import ProofView, Words, words_of
from hyperoxo.task import ALONE, Task

WIDTH = 5
"""Attacker's moves tried in one position by the narrowest search."""

THREAT_LIMIT = 1000
"""Node limit of the search for one forced win."""

_EPSILON = 0.5
_TICK = 0.1
_KEEP = 31
_LEAST_BYTES = 1 << 16


@dataclass(frozen=True)
class ProofProgress:
    """Progress of a proof search; its status is ``win``, ``failed`` or ``unknown``."""

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
    status: str = "unknown"


class ProofSearch(ProofView):
    """The proof search of one game for one attacker.

    In each position it tries the attacker's `width` best moves, 0 for all, and gives the search for
    one forced win `threat_limit` positions, 0 for no limit.

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
        width: int = WIDTH,
        threat_limit: int = THREAT_LIMIT,
    ) -> None:
        super().__init__(game, attacker)
        self.width = width
        self.threat_limit = threat_limit
        self.quiet = -1
        self.entry_words = entry_words(words_for(game.board.cell_count))
        entries = max(int(megabytes * 2**20), _LEAST_BYTES) // (8 * self.entry_words)
        self.table: NDArray[np.uint64] = np.zeros(entries // 4 * 4 * self.entry_words, np.uint64)
        self.entries = 0

    def suggest(self, moves: Mapping[Words, int]) -> None:
        """Try some moves first; that orders the search and proves nothing."""
        for words, move in moves.items():
            if not self._numbers(words, self.quiet):
                self._store(words, pack(1, 1, move, _KEEP, 0))

    def begin_with(self, moves: Mapping[Words, int]) -> None:
        """Clear the table, and enter positions as proved with the moves that win there."""
        self.table[:] = 0
        self.entries = 0
        for words, move in moves.items():
            self._store(words, pack(0, SOLVED, move, _KEEP, 0))

    @property
    def filled(self) -> NDArray[np.uint64]:
        """The filled entries of the table, a row each."""
        rows = self.table.reshape(-1, self.entry_words)
        return np.ascontiguousarray(rows[rows[:, 2] != 0])

    def take_wins(self, other: ProofSearch) -> None:
        """Take over the proved positions of another search with the same game and attacker."""
        # Only wins carry over: a failure holds for the width of its search alone.
        rows = other.filled
        won = rows[rows[:, 2] & np.uint64(SOLVED) == 0]
        like, _ = self.sets_of((0, 0))
        self.entries += int(refill(self.table, won.ravel(), like))

    def _store(self, words: Words, numbers: int | np.uint64) -> None:
        none, _ = self.sets_of((0, 0))
        sets = self.sets_of(words)
        self.entries += int(store(self.table, *sets, self.quiet, np.uint64(numbers), none))

    def is_proved(self, words: Words) -> bool:
        """True if the table has a position, up to symmetry, as won."""
        numbers = self._numbers(self.canonical(words), self.quiet)
        return bool(numbers) and proof_of(numbers) == 0

    def proved_move(self, words: Words, quiet: int | None = None) -> int | None:
        """Return the move that wins a canonical position, if the table has it."""
        numbers = self._numbers(words, self.quiet if quiet is None else quiet)
        if not numbers or proof_of(numbers) or best_of(numbers) == NO_MOVE:
            return None
        return int(best_of(numbers))

    def _numbers(self, words: Words, quiet: int) -> np.uint64:
        """Return the packed entry of a canonical position, 0 if there is none."""
        numbers, _ = fetch(self.table, *self.sets_of(words), quiet)
        # Compiled functions return Python's int, which they do not take back as a word.
        return np.uint64(numbers)

    @cached_property
    def _quick(self) -> _Worker:
        return _Worker(self)

    def quick(self, words: Words, nodes: int) -> bool:
        """True if a few nodes prove a canonical position with the attacker to move."""
        worker = self._quick
        worker.state[:] = 0
        worker.state[kernel.NODE_LIMIT] = nodes
        won = worker.search(self, words, True, self.quiet) == WON
        self.entries += int(worker.state[kernel.ENTRIES])
        return won

    def run(
        self,
        position: Position | Words,
        task: Task = ALONE,
        *,
        nodes: int = 0,
        threads: int = 1,
        quiet: int | None = None,
    ) -> ProofProgress:
        """Search until a position is decided or a limit is met; reports are of `ProofProgress`.

        In one given as words the attacker is to move; `quiet` limits their quiet moves.
        """
        attacker_moves = True
        if isinstance(position, Position):
            attacker_moves = position.to_move == self.attacker
            position = words_of(position, self.attacker)
        root = self.canonical(position)
        left = self.quiet if quiet is None else quiet
        # No share may be rounded down to 0, which means no limit.
        share = -(-nodes // threads)
        workers = [_Worker(self, share) for _ in range(threads)]
        begin = working_time()
        before = self.entries

        def progress(status: str = "unknown") -> ProofProgress:
            self.entries = before + sum(int(w.state[kernel.ENTRIES]) for w in workers)
            first = workers[0].state
            words = words_for(self.game.board.cell_count)
            remaining, replies, replies_proved = front_of(*workers[0].stack[:3], words)
            return ProofProgress(
                proof=int(first[kernel.ROOT_PROOF]),
                disproof=int(first[kernel.ROOT_DISPROOF]),
                nodes=sum(int(w.state[kernel.AND_NODES]) for w in workers),
                threat_nodes=sum(int(w.control[NODES]) for w in workers),
                entries=self.entries,
                capacity=len(self.table) // self.entry_words,
                seconds=working_time() - begin,
                remaining=remaining,
                replies=replies,
                replies_proved=replies_proved,
                status=status,
            )

        # All threads search from the root on one table. Its entries count the threads below a
        # position, which spreads them over different branches. The first to finish stops the
        # others.
        with ThreadPoolExecutor(threads) as pool:
            futures = [pool.submit(w.search, self, root, attacker_moves, left) for w in workers]
            try:
                while not wait(futures, _TICK, FIRST_COMPLETED).done:
                    task.report(progress())
                    if task.over:
                        break
            finally:
                for worker in workers:
                    worker.control[STOP] = 1
        answers = {future.result() for future in futures}
        status = "win" if WON in answers else "failed" if LOST in answers else "unknown"
        return progress(status)


_FORM = Form("hyperoxo-proof-search", 4, "a proof search", {"entries": "<u8"})


def save_checkpoint(search: ProofSearch, path: str | os.PathLike[str]) -> int:
    """Write the table of a search, which may be running, into a file."""
    filled = search.filled
    _FORM.save(path, _of(search), entries=filled)
    return len(filled)


def load_checkpoint(search: ProofSearch, path: str | os.PathLike[str]) -> int:
    """Fill the table of a search from a file."""
    entries = _FORM.load(path, _of(search))["entries"]
    if entries.shape != (len(entries), search.entry_words):
        raise DamagedFileError(path)
    search.entries = int(refill(search.table, entries.ravel(), search.sets_of((0, 0))[0]))
    return len(entries)


def _of(search: ProofSearch) -> dict[str, object]:
    return {"game": str(search.game), "attacker": search.attacker, "width": search.width}


@dataclass
class TableFiles:
    """Checkpoints of searches, one for each attacker and width; their names begin with `name`.

    Such a file is a line of JSON with the game, the attacker, the width and the SHA-256 of the
    rest, the filled entries of the table. The width is part of it because a failure only means
    that the moves tried do not win.
    """

    name: str | os.PathLike[str] | None
    saved: float = field(default_factory=time.monotonic)

    def path(self, attacker: int, width: int) -> Path | None:
        """Return the file of one attacker and width."""
        return None if self.name is None else Path(f"{self.name}.{attacker}.{width or 'all'}")

    def load(self, search: ProofSearch) -> None:
        """Fill the table of a search from its file, if there is one."""
        path = self.path(search.attacker, search.width)
        if path is not None and path.exists():
            load_checkpoint(search, path)

    def save(self, searches: Iterable[ProofSearch], interval: float = 0.0) -> None:
        """Write tables, unless that was done in the last `interval` seconds."""
        if self.name is None or time.monotonic() - self.saved < interval:
            return
        for search in searches:
            path = self.path(search.attacker, search.width)
            assert path is not None
            save_checkpoint(search, path)
        self.saved = time.monotonic()


class _Worker:
    """One thread's arrays."""

    def __init__(self, view: ProofView, nodes: int = 0) -> None:
        cells = view.game.board.cell_count
        levels = cells + 2
        self.state = np.zeros(8, np.int64)
        self.state[kernel.NODE_LIMIT] = nodes
        self._field = view.new_field()
        self.control = self._field.control
        self.stack = kernel.Stack(
            np.zeros((levels, 8), np.int64),
            np.zeros(levels * (3 + 2 * cells) * words_for(cells), np.uint64),
            np.zeros((levels, 4 * cells), np.int64),
            self.state,
            new_images(cells),
            np.zeros(cells),
        )

    def search(self, search: ProofSearch, root: Words, attacker_moves: bool, quiet: int) -> int:
        """Search from a canonical position until it is decided or a limit is met."""
        width = search.width or search.game.board.cell_count
        self.control[EACH] = search.threat_limit
        searched = Search(self._field, search.plan, search.table, search.weights, width, _EPSILON)
        own, other = search.sets_of(root)
        return int(kernel.search_proof(searched, self.stack, own, other, attacker_moves, quiet))


# Columns of a frame of the stack: its kind, number of children, and the child being searched.
_KIND, _COUNT, _CHOICE = 0, 3, 4


def front_of(
    frames: NDArray[np.int64], keys: NDArray[np.uint64], numbers: NDArray[np.int64], size: int
) -> tuple[int | None, int, int]:
    """Return the proof number of a running search, the replies, and those of them proved."""
    # They are read from the stack while another thread writes to it: values may be slightly apart.
    # From the deepest level up, the number of the child in progress replaces the stored one.
    depth = _depth(frames, keys, size)
    left: int | None = None
    for level in range(depth, -1, -1):
        left = _proof(frames[level], numbers[level], left)
    # The defender moves at the root or one move after it.
    reply = 0 if frames[0, _KIND] == AND else 1
    if reply > depth:
        return left, 0, 0
    proofs = numbers[reply, : 4 * int(frames[reply, _COUNT]) : 4]
    return left, len(proofs), int((proofs == 0).sum())


def _depth(frames: NDArray[np.int64], keys: NDArray[np.uint64], size: int) -> int:
    """Return the deepest level that still belongs to the path from the root."""
    # Frames below the present level hold remains of earlier paths: a level is on the path if its
    # position is that of the chosen child above it.
    stride = len(keys) // len(frames)
    level = 0
    while level + 1 < len(frames) and frames[level + 1, _COUNT]:
        child = level * stride + (FIRST_CHILD + 2 * int(frames[level, _CHOICE])) * size
        below = (level + 1) * stride
        if not np.array_equal(keys[child : child + 2 * size], keys[below : below + 2 * size]):
            break
        level += 1
    return level


def _proof(frame: NDArray[np.int64], numbers: NDArray[np.int64], chosen: int | None) -> int | None:
    """Return the proof number of a position from those of its children."""
    proofs = numbers[: 4 * int(frame[_COUNT]) : 4].copy()
    if chosen is not None and frame[_CHOICE] < len(proofs):
        proofs[frame[_CHOICE]] = chosen
    if frame[_KIND] == AND:
        # AND node: the sum over the replies; OR node: the least over the moves.
        return int(proofs.sum()) if len(proofs) and (proofs < SOLVED).all() else None
    # Attacker's moves that were not tried have no number yet.
    tried = proofs[(proofs >= 0) & (proofs < SOLVED)]
    return int(tried.min()) if len(tried) else None
