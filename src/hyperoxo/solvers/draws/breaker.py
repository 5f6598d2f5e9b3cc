"""Breaker's plans: pairings prepared on a few key cells, found by search.

The keys are few cells on many lines, on a cube n^d those of the space diagonals. A plan says for
each state of the keys, and each number of Maker's stones elsewhere, which key Breaker takes;
matchings take care of all other cells. `docs/breaker.md` has the rules and their proofs. What is
found here is proved by the checker in `hyperoxo.proof`, which shares nothing with this search.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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
    SIDES,
    PlanRoom,
    PlanStack,
    begin,
    look,
    search,
)
from hyperoxo.kernels.breaker_counts import MOST_STONES
from hyperoxo.kernels.breaker_follow import follow, no_leaves
from hyperoxo.kernels.breaker_table import KEYS_ALONE, NEVER, PlanTable, move_over
from hyperoxo.kernels.control import NODES, STOP
from hyperoxo.position import Position
from hyperoxo.proof.breaker import PLANS, BreakerPlan
from hyperoxo.proof.breaker_check import listed, tables_of
from hyperoxo.proof.breaker_regions import listed_by_regions, region_tables
from hyperoxo.rules import Game
from hyperoxo.solvers.arrays import position_of
from hyperoxo.solvers.draws.breaker_board import (
    check_keys,
    leaves_for,
    plan_board,
    room_for,
    sets_for,
    usual_keys,
)
from hyperoxo.solvers.draws.breaker_thin import thinned
from hyperoxo.task import Stop, Task

__all__ = ["breaker_plan"]

_FORM = Form(
    "hyperoxo-breaker-search", 4, "a search for plans", ("game", "position", "keys", "by_regions")
)
_FIRST_SLOTS = 1 << 16
_SLOT_BYTES = 40
_ROW_BYTES = 26
_ROUNDS = 0, 1, 2, 3, 4, 6, 9, 13, 19, 28, 42
_ROUNDS_BY_REGIONS = 4, 8, 11
_POOL = 1 << 22
_LEAVES_AT_ONCE = 256
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
    by_regions: bool = False,
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
    by_regions : bool
        Whether states say in which region of rich lines Maker's stones are, which proves more and
        takes longer.
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
    found = BreakerSearch(
        position_of(game), keys, by_regions=by_regions, megabytes=megabytes, checkpoint=checkpoint
    )
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
        by_regions: bool = False,
        megabytes: int = 512,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        PLANS.check(position.game)
        if position.is_over:
            raise SpecError("the game is over in this position")
        self.position, self.maker = position, position.to_move
        self.keys = usual_keys(position.game) if keys is None else tuple(sorted(keys))
        check_keys(position, self.keys)
        self.board = plan_board(position, self.keys, self.maker, by_regions=by_regions)
        # Without rich lines there are no regions to tell apart.
        self.by_regions = self.board.moved.shape[1] > 0
        self.interrupted = False
        owners = position.owners
        mine, theirs = (
            np.uint64(sum(1 << at for at, cell in enumerate(self.keys) if owners[cell] == player))
            for player in (self.maker, 3 - self.maker)
        )
        counted = [
            int(self.board.cell_region[cell])
            for cell, owner in enumerate(owners)
            if owner == self.maker and cell not in set(self.keys)
        ]
        if self.by_regions and len(counted) > MOST_STONES:
            raise SpecError(f"at most {MOST_STONES} stones off the keys are counted by regions")
        self._root_state = mine, theirs, sum(1 << 4 * region for region in counted)
        self._most_slots = max(_FIRST_SLOTS, 1 << ((megabytes << 20) // _SLOT_BYTES).bit_length())
        self._checkpoint = None if checkpoint is None else Path(checkpoint)
        self._control = np.zeros(CONTROL, np.int64)
        self._control[DEPTH] = -1
        self._found = np.zeros(3, np.uint64)
        self._rounds = 0
        depth = len(self.keys) + 2
        cells = len(owners)
        self._room = PlanRoom(
            room_for(self.board, cells), sets_for(self.board, cells), leaves_for(self.board)
        )
        self._stack = PlanStack(
            np.zeros((depth, FRAME), np.int64),
            np.zeros((depth, SIDES), np.uint64),
            np.zeros((depth, depth), np.int64),
            np.zeros((depth, 3 * depth), np.uint64),
        )
        self._table = _table(_FIRST_SLOTS)
        self._saved = self._began = working_time()
        if self._checkpoint is not None and self._checkpoint.exists():
            self._load(self._checkpoint)

    @property
    def states(self) -> int:
        """Number of states met."""
        table = self._table
        return int(np.count_nonzero(table.used[table.counts != KEYS_ALONE]))

    def run(self, task: Task, *, watch: Watch | None = None, interval: float = 60.0) -> bool | None:
        """Search deeper and deeper; None where the task is over first, or memory is used up.

        False says that no plan with these keys exists by the rules of the search.
        """
        tables = tables_of(self.position, self.maker, self.keys)
        if not (region_tables(tables) if self.by_regions else tables).begins_well():
            return False
        verdict = self._search(task, watch, interval)
        if self._checkpoint is not None:
            self._save(self._checkpoint)
        return verdict

    def _search(self, task: Task, watch: Watch | None, interval: float) -> bool | None:
        mine, theirs, _ = self._root_state
        free = len(self.keys) - int(mine | theirs).bit_count()
        # More rounds at each step: the last search is not much longer than all before it.
        rounds = _ROUNDS_BY_REGIONS if self.by_regions else _ROUNDS
        for self._rounds in (*(one for one in rounds if one < free), free):
            verdict = self._root()
            while verdict is None or (verdict and not self._leaves_hold(task)):
                if not self._deepen(task, watch, interval):
                    return None
                verdict = self._root()
                if verdict is None:
                    break
            if verdict is not None:
                return verdict
        return None

    def _leaves_hold(self, task: Task) -> bool:
        """Whether the leaves of the plan found hold by all lines; those that do not are opened."""
        if not self.by_regions:
            return True
        rows, failed, at = self._listed(), 0, 0
        while at < len(rows) and not task.over:
            some = rows[at : at + _LEAVES_AT_ONCE]
            failed += no_leaves(self.board, self._table, self._room, some, len(some), self._found)
            at += len(some)
        return not failed and at >= len(rows)

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
        table, rows = self._table, self._listed()
        begins = self.position if self.position.ply else None
        given = self.position.game, 3 - self.maker, self.keys
        if self.by_regions:
            by_regions = (
                (
                    *(int(table.makers[at]), int(table.breakers[at])),
                    *(self._counts(int(table.counts[at])), bool(table.won[at] == 0)),
                )
                for at in rows
            )
            return listed_by_regions(*given, by_regions, begins)
        states = (
            (
                *(int(table.makers[at]), int(table.breakers[at]), int(table.counts[at])),
                bool(table.won[at] == 0),
            )
            for at in rows
        )
        plan = listed(*given, states, begins)
        return thinned(plan) if len(plan.states) <= _THIN else plan

    def _listed(self) -> Longs:
        """Return the places of states that prove the beginning."""
        table = self._table
        chosen = np.zeros(len(table.used), np.uint8)
        rows = np.zeros(self.states + 1, np.int64)
        rows[0] = self._look()
        order = np.zeros(len(self.keys) + 1, np.int64)
        count = follow(self.board, table, self._room, rows, chosen, self._found, order)
        return rows[:count]

    def _counts(self, word: int) -> tuple[int, ...]:
        """Return the stones in the regions, in the order of their least cells, and elsewhere."""
        count = self.board.moved.shape[1]
        order = sorted(range(count), key=self.board.cell_region.tolist().index)
        return (*(word >> 4 * region & 15 for region in order), word >> 4 * count)

    def _head(self) -> dict[str, object]:
        return {
            "game": str(self.position.game),
            "position": self.position.text,
            "keys": list(self.keys),
            "by_regions": self.by_regions,
        }

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
            np.zeros(count, np.int32),
            recent,
            *_cosets(),
        )
        self._table = _table(max(_FIRST_SLOTS, 2 << (2 * count).bit_length()))
        move_over(kept, self._table)
        self._control[NODES] = count


def _table(slots: int) -> PlanTable:
    used, won, lost = (np.zeros(slots, np.uint8) for _ in range(3))
    makers, breakers, counts = (np.zeros(slots, np.uint64) for _ in range(3))
    first, recent = np.zeros(slots, np.int32), np.full((1 << 18, 4), ~np.uint64(0))
    return PlanTable(makers, breakers, counts, used, won, lost, first, recent, *_cosets())


def _cosets() -> tuple[Words, Longs]:
    """Return room for the symmetries that give Maker's keys their least image."""
    pool = np.zeros(_POOL, np.int64)
    pool[0] = 1
    return np.zeros((1 << 16, 4), np.uint64), pool
