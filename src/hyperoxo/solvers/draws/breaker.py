"""Breaker's plans: pairings prepared on a few key cells, found by search.

The keys are few cells on many lines, on a cube n^d those of the space diagonals. A plan says for
each state of the keys, and each number of Maker's stones elsewhere, which key Breaker takes;
matchings take care of all other cells. `docs/breaker.md` has the rules and their proofs. What is
found here is proved by the checker in `hyperoxo.proof`, which shares nothing with this search.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperoxo.checkpoint import Form
from hyperoxo.compiling import working_time
from hyperoxo.errors import CheckFailedError, LimitError, SpecError, quoted
from hyperoxo.files import DamagedFileError
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo.kernels.breaker import (
    CONTROL,
    DEPTH,
    FRAME,
    FULL,
    LEAVES,
    MOST_KEYS,
    SIDES,
    PlanStack,
    begin,
    follow,
    look,
    search,
)
from hyperoxo.kernels.breaker_rules import MAIN, POOR, RICH, Matching, PlanBoard
from hyperoxo.kernels.breaker_table import KEYS_ALONE, NEVER, PlanTable, move_over
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.position import BLOCKED, Position
from hyperoxo.proof.breaker import PLANS, BreakerPlan
from hyperoxo.proof.breaker_check import listed, tables_of
from hyperoxo.rules import Game
from hyperoxo.solvers.arrays import position_of
from hyperoxo.solvers.draws.breaker_thin import thinned
from hyperoxo.task import Stop, Task

__all__ = ["breaker_plan"]

_FORM = Form("hyperoxo-breaker-search", 2, "a search for plans", ("game", "position", "keys"))
_FIRST_SLOTS = 1 << 16
_SLOT_BYTES = 36
_ROW_BYTES = 26
_ROUNDS = 0, 1, 2, 3, 4, 6, 9, 13, 19, 28, 42
_POOL = 1 << 22
_THIN = 5_000
"""Most states of a plan from which single ones are taken away."""


@dataclass(frozen=True)
class PlanProgress:
    """How far a search has come."""

    rounds: int
    states: int
    leaves: int
    seconds: float


Watch = Callable[[PlanProgress], object]


def breaker_plan(
    game: Game | Position | str,
    *,
    keys: tuple[int, ...] | None = None,
    seconds: float | None = None,
    megabytes: int = 512,
    checkpoint: str | os.PathLike[str] | None = None,
    stop: Stop | None = None,
) -> BreakerPlan | None:
    """Find a plan by which the player who is not to move keeps the other from any line.

    Parameters
    ----------
    game : Game, Position or str
        The game or position; a text is a game spec.
    keys : tuple of int, optional
        The key cells; if not given, those of the space diagonals of n^d, and on other boards those
        on the most lines.
    seconds : float, optional
        Time limit.
    megabytes : int
        Memory for the states.
    checkpoint : str or path-like, optional
        File that the states are saved to from time to time, and read from at the beginning.
    stop : Stop, optional
        An event that any thread may set to end the search early.

    Returns
    -------
    BreakerPlan or None
        The plan; None where these keys have none by the rules that are used, which says nothing
        about the value of the game.

    Raises
    ------
    NotSupportedError
        If the game has a rule for which plans do not hold.
    LimitError
        If a limit came first.

    Examples
    --------
    >>> plan = breaker_plan("5{0+1+2/2+3+4}", keys=(2,))
    >>> plan.statement
    'player 2 gets at least a draw in 5{0+1+2/2+3+4} by a plan on 1 key cell'
    """
    found = BreakerSearch(position_of(game), keys, megabytes=megabytes, checkpoint=checkpoint)
    if (won := found.run(Task.within(seconds, stop))) is None:
        raise LimitError(f"no plan was found within the limits: {found.states:,} states")
    return found.plan() if won else None


class BreakerSearch:
    """The search for a plan from one position."""

    def __init__(
        self,
        position: Position,
        keys: tuple[int, ...] | None = None,
        *,
        megabytes: int = 512,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        PLANS.check(position.game)
        if position.is_over:
            raise SpecError("the game is over in this position")
        self.position, self.maker = position, position.to_move
        self.keys = usual_keys(position.game) if keys is None else tuple(sorted(keys))
        _check_keys(position, self.keys)
        self.board = plan_board(position, self.keys, self.maker)
        self.interrupted = False
        owners = position.owners
        mine, theirs = (
            np.uint64(sum(1 << at for at, cell in enumerate(self.keys) if owners[cell] == player))
            for player in (self.maker, 3 - self.maker)
        )
        self._root_state = mine, theirs, owners.count(self.maker) - int(mine).bit_count()
        self._most_slots = max(_FIRST_SLOTS, 1 << ((megabytes << 20) // _SLOT_BYTES).bit_length())
        self._checkpoint = None if checkpoint is None else Path(checkpoint)
        self._control = np.zeros(CONTROL, np.int64)
        self._control[DEPTH] = -1
        self._found = np.zeros(3, np.uint64)
        self._rounds = 0
        cells, lines, depth = len(owners), len(self.board.kinds), len(self.keys) + 2
        self._room = Matching(
            *(np.zeros(cells, np.int64), np.zeros(cells, np.int64)),
            *(np.zeros(lines, np.int64), np.zeros(lines, np.int64)),
            *(np.zeros(lines, np.int64), np.zeros(lines, np.int64)),
            np.full(cells, -1, np.int64),
            np.zeros(1, np.uint64),
            np.zeros(1, np.int64),
        )
        self._stack = PlanStack(
            np.zeros((depth, FRAME), np.int64),
            np.zeros((depth, SIDES), np.uint64),
            np.zeros((depth, depth), np.int64),
            np.zeros((depth, 2 * depth), np.uint64),
        )
        self._table = _table(_FIRST_SLOTS)
        self._saved = self._began = working_time()
        if self._checkpoint is not None and self._checkpoint.exists():
            self._load(self._checkpoint)

    @property
    def states(self) -> int:
        """Number of states met."""
        table = self._table
        return int(np.count_nonzero(table.used[table.counts < KEYS_ALONE]))

    def run(self, task: Task, *, watch: Watch | None = None, interval: float = 60.0) -> bool | None:
        """Search deeper and deeper; None where the task is over first, or memory is used up.

        False says that no plan with these keys exists by the rules of the search.
        """
        if not tables_of(self.position, self.maker, self.keys).begins_well():
            return False
        mine, theirs, _ = self._root_state
        free = len(self.keys) - int(mine | theirs).bit_count()
        verdict = None
        # More rounds at each step: the last search is not much longer than all before it.
        for self._rounds in (*(one for one in _ROUNDS if one < free), free):
            verdict = self._root()
            if verdict is None and not self._deepen(task, watch, interval):
                break
            verdict = self._root() if verdict is None else verdict
            if verdict is not None:
                break
        if self._checkpoint is not None:
            self._save(self._checkpoint)
        return verdict

    def _root(self) -> bool | None:
        """Whether the beginning is won within the rounds; None where more may help."""
        at = self._look()
        if self._table.won[at] <= self._rounds:
            return True
        return False if self._table.lost[at] == NEVER else None

    def _look(self) -> int:
        mine, theirs, counted = self._root_state
        given = self._table, self._room, self._control, self._found
        return look(self.board, mine, theirs, counted, *given)

    def _deepen(self, task: Task, watch: Watch | None, interval: float) -> bool:
        """Search to the number of rounds; return whether it came to an end."""
        mine, theirs, counted = self._root_state
        begin(self.board, mine, theirs, counted, self._rounds, self._stack, self._control)
        while True:
            self._control[STOP] = 0
            ended: list[int] = []

            def work(ended: list[int] = ended) -> None:
                ended.append(
                    search(
                        *(self.board, self._table, self._stack, self._room),
                        *(self._control, self._found),
                    )
                )

            def tell() -> None:
                if watch is not None:
                    watch(self.progress())
                if self._checkpoint is not None and working_time() - self._saved > interval:
                    # What is being changed cannot be saved.
                    self._control[STOP] = 1

            self.interrupted = not task.run(work, self._control[STOP:], tell)
            if self.interrupted or task.over:
                return False
            if ended[0] == FULL:
                if 2 * len(self._table.used) > self._most_slots:
                    return False
                larger = _table(2 * len(self._table.used))
                move_over(self._table, larger)
                self._table = larger
            elif self._control[DEPTH] < 0:
                return True
            elif self._checkpoint is not None:
                self._save(self._checkpoint)

    def progress(self) -> PlanProgress:
        """How far it has come."""
        seconds = working_time() - self._began
        return PlanProgress(self._rounds, self.states, int(self._control[LEAVES]), seconds)

    def plan(self) -> BreakerPlan:
        """Return the plan that was found."""
        table = self._table
        chosen = np.zeros(len(table.used), np.uint8)
        rows = np.zeros(self.states + 1, np.int64)
        rows[0] = self._look()
        order = np.zeros(len(self.keys) + 1, np.int64)
        count = follow(self.board, table, self._room, rows, chosen, self._found, order)
        states = (
            (
                *(int(table.makers[at]), int(table.breakers[at]), int(table.counts[at])),
                bool(table.won[at] == 0),
            )
            for at in rows[:count]
        )
        begins = self.position if self.position.ply else None
        plan = listed(self.position.game, 3 - self.maker, self.keys, states, begins)
        return thinned(plan) if len(plan.states) <= _THIN else plan

    def _head(self) -> dict[str, object]:
        position = self.position
        return {"game": str(position.game), "position": position.text, "keys": list(self.keys)}

    def _save(self, path: Path) -> None:
        """Write all states into a file."""
        used = np.flatnonzero(self._table.used)
        table = self._table
        parts = table.makers, table.breakers, table.counts, table.won, table.lost
        ordered = (part[used].astype(part.dtype.newbyteorder("<"), copy=False) for part in parts)
        _FORM.save(path, self._head(), *(part.tobytes() for part in ordered))
        self._saved = working_time()

    def _load(self, path: Path) -> None:
        """Read what `_save` has written."""
        head, data = _FORM.load(path)
        if head != self._head():
            name = quoted(os.fspath(path))
            raise CheckFailedError(f"checkpoint {name} is of another game, position or keys")
        count, rest = divmod(len(data), _ROW_BYTES)
        if rest:
            raise DamagedFileError(path)
        recent = np.zeros((0, 4), np.uint64)
        words = np.frombuffer(data[: 24 * count], "<u8").astype(np.uint64).reshape(3, count)
        rounds = np.frombuffer(data[24 * count :], np.uint8).reshape(2, count)
        (makers, breakers, counts), (won, lost) = words, rounds
        used = np.ones(count, np.uint8)
        kept = PlanTable(
            *(makers.copy(), breakers.copy(), counts.copy(), used, won.copy(), lost.copy()),
            recent,
            *_cosets(),
        )
        self._table = _table(max(_FIRST_SLOTS, 2 << (2 * count).bit_length()))
        move_over(kept, self._table)
        self._control[NODES] = count


def _table(slots: int) -> PlanTable:
    used, won, lost = (np.zeros(slots, np.uint8) for _ in range(3))
    makers, breakers, counts = (np.zeros(slots, np.uint64) for _ in range(3))
    recent = np.full((1 << 18, 4), ~np.uint64(0))
    return PlanTable(makers, breakers, counts, used, won, lost, recent, *_cosets())


def _cosets() -> tuple[Words, Longs]:
    """Return room for the symmetries that give Maker's keys their least image."""
    pool = np.zeros(_POOL, np.int64)
    pool[0] = 1
    return np.zeros((1 << 16, 4), np.uint64), pool


def usual_keys(game: Game) -> tuple[int, ...]:
    """Return the cells of the space diagonals of n^d, or elsewhere those on the most lines."""
    board = game.board
    if board.side is not None and board.dim is not None:
        last = board.side - 1
        points = enumerate(itertools.product(range(board.side), repeat=board.dim))
        cells = [at for at, point in points if len({min(x, last - x) for x in point}) == 1]
    else:
        cells = np.flatnonzero(board.degrees == board.degrees.max(initial=0)).tolist()
    blocked = set(board.blocked)
    return tuple(cell for cell in cells if cell not in blocked)


def _check_keys(position: Position, keys: tuple[int, ...]) -> None:
    if not 0 < len(set(keys)) == len(keys) <= MOST_KEYS:
        raise SpecError(f"a plan has 1 to {MOST_KEYS} different key cells, not {len(keys)}")
    for cell in keys:
        if not 0 <= cell < len(position.owners) or position.owners[cell] == BLOCKED:
            raise SpecError(f"key {cell} is not a cell of {position.game} that can be played on")


def plan_board(position: Position, keys: tuple[int, ...], maker: int) -> PlanBoard:
    """Return lines, keys and symmetries as arrays, without the lines that are dead off the keys."""
    board = position.game.board
    on_keys = set(keys)
    dead = {
        cell
        for cell, owner in enumerate(position.owners)
        if owner == 3 - maker and cell not in on_keys
    }
    lines = [board.line(number).tolist() for number in range(board.line_count)]
    lines = [line for line in lines if not dead & set(line)]
    place_of = {cell: place for place, cell in enumerate(keys)}
    masks = [sum(1 << place_of[cell] for cell in line if cell in place_of) for line in lines]
    kinds = [
        POOR if not mask else MAIN if mask.bit_count() == len(line) else RICH
        for mask, line in zip(masks, lines, strict=True)
    ]
    rich = [(number, set(lines[number])) for number, kind in enumerate(kinds) if kind == RICH]
    crossing = [
        [number for number, cells in rich if kind == POOR and cells & set(line)]
        for kind, line in zip(kinds, lines, strict=True)
    ]
    return PlanBoard(
        *_ragged(lines),
        np.array(kinds, np.int64),
        np.array(masks, np.uint64),
        np.array(keys, np.int64),
        _images(_key_symmetries(position, keys, dead)),
        *_ragged(crossing),
    )


def _ragged(rows: list[list[int]]) -> tuple[Longs, Longs]:
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return ends, np.array([one for row in rows for one in row], np.int64)


def _key_symmetries(position: Position, keys: tuple[int, ...], dead: set[int]) -> NDArray[np.intp]:
    """Where symmetries of the board that keep the keys move them, by their places."""
    identity = np.arange(len(keys))[None]
    try:
        rows = position.game.board.symmetry.permutations()
    except LimitError:
        return identity
    for kept in (sorted(keys), sorted(dead)):
        rows = rows[(np.sort(rows[:, kept], axis=1) == kept).all(axis=1)]
    order = np.argsort(keys)
    moved = order[np.searchsorted(np.array(keys)[order], rows[:, list(keys)])]
    return np.unique(moved, axis=0)


def _images(moved: NDArray[np.intp]) -> Words:
    """Images of every eight keys under each symmetry."""
    count, width = moved.shape
    eights = -(-width // 8)
    bits = np.zeros((count, 8 * eights), np.uint64)
    bits[:, :width] = np.uint64(1) << moved.astype(np.uint64)
    images = np.zeros((count, eights, 256), np.uint64)
    for value in range(256):
        for bit in range(8):
            if value >> bit & 1:
                images[:, :, value] |= bits[:, bit::8]
    return np.ascontiguousarray(images.transpose(1, 2, 0))
