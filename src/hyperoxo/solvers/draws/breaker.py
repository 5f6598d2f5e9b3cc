"""Breaker's plans: pairings prepared on a few key cells, found by search.

The keys are few cells on many lines, on a cube n^d those of the space diagonals. A plan says for
each state of the keys, and each number of Maker's stones elsewhere, which key Breaker takes;
matchings take care of all other cells. `docs/breaker.md` has the rules and their proofs. What is
found here is proved by the checker in `hyperoxo.proof`, which shares nothing with this search.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hyperoxo.checkpoint import Form
from hyperoxo.compiling import working_time
from hyperoxo.errors import CheckFailedError, LimitError, SpecError, quoted
from hyperoxo.files import DamagedFileError
from hyperoxo.kernels.arrays import Longs, Words
from hyperoxo.kernels.atomic import PUBLISHED
from hyperoxo.kernels.breaker import DONE, FRAME, FULL, TESTED, PlanStack, begin, search
from hyperoxo.kernels.breaker_follow import WIDE, follow, look_at_leaves, open_others
from hyperoxo.kernels.breaker_look import (
    CONTROL,
    LEAVES,
    OPEN,
    PlanRoom,
    PlanTables,
    look,
)
from hyperoxo.kernels.breaker_states import (
    BREAKER,
    MAKER,
    MOST_LINES,
    MOST_STONES,
    NUMBERS,
    STATE,
    add_warm,
    all_stones,
    one_stone_more,
    stones_in,
    warm_in,
)
from hyperoxo.kernels.breaker_stones import MOST_KINDS
from hyperoxo.kernels.breaker_table import (
    KEYS_ALONE,
    NEVER,
    Lookup,
    PlanTable,
    move_over,
    table_is_full,
)
from hyperoxo.kernels.control import STOP
from hyperoxo.position import Position
from hyperoxo.proof.breaker import PLANS, BreakerPlan
from hyperoxo.proof.breaker_check import listed, tables_of
from hyperoxo.proof.breaker_lines import line_tables, listed_by_lines
from hyperoxo.rules import Game
from hyperoxo.solvers.arrays import position_of
from hyperoxo.solvers.draws.breaker_board import (
    check_keys,
    plan_board,
    room_for,
    usual_keys,
)
from hyperoxo.solvers.draws.breaker_thin import thinned
from hyperoxo.task import Stop, Task

__all__ = ["breaker_plan"]

_FORM = Form(
    "hyperoxo-breaker-search", 5, "a search for plans", ("game", "position", "keys", "by_lines")
)
_FIRST_SLOTS = 1 << 16
_SLOT_BYTES = 43
_ROW_BYTES = 42
_ROUNDS = 0, 1, 2, 3, 4, 6, 9, 13, 19, 28, 42
_ROUNDS_BY_LINES = 4, 7, 10
_POOL = 1 << 20
_AT_ONCE = 64
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
    by_lines: bool = False,
    seconds: float | None = None,
    megabytes: int = 512,
    threads: int = 1,
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
    by_lines : bool
        Whether states say which lines bear many of Maker's stones, which proves more and takes
        longer.
    seconds : float, optional
        Time limit.
    megabytes : int
        Memory for the states.
    threads : int
        Threads that share the states, by lines; with several, another plan may be found.
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
        position_of(game),
        keys,
        by_lines=by_lines,
        megabytes=megabytes,
        threads=threads,
        checkpoint=checkpoint,
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
        by_lines: bool = False,
        megabytes: int = 512,
        threads: int = 1,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        PLANS.check(position.game)
        if position.is_over:
            raise SpecError("the game is over in this position")
        self.position, self.maker = position, position.to_move
        self.keys = usual_keys(position.game) if keys is None else tuple(sorted(keys))
        check_keys(position, self.keys)
        self.board = plan_board(position, self.keys, self.maker, by_lines=by_lines)
        # Without rich lines there are no regions to tell apart.
        self.by_lines = self.board.regions.moved.shape[1] > 0
        self.interrupted = False
        self._root_state = self._beginning()
        self._most_slots = max(_FIRST_SLOTS, 1 << ((megabytes << 20) // _SLOT_BYTES).bit_length())
        self._checkpoint = None if checkpoint is None else Path(checkpoint)
        self._control = np.zeros(CONTROL, np.int64)
        self._found = np.zeros(STATE, np.uint64)
        self._rounds, self._done = 0, -1
        # The smaller searches without lines are the same each time.
        self._workers = [self._worker(one) for one in range(threads if self.by_lines else 1)]
        self._room = self._workers[0].room
        self._easy = _table(_FIRST_SLOTS)
        self._table = _table(_FIRST_SLOTS)
        self._saved = self._began = working_time()
        if self._checkpoint is not None and self._checkpoint.exists():
            self._load(self._checkpoint)

    def _worker(self, number: int) -> _Worker:
        """Return what a thread has for itself; every other one works from the last condition on."""
        depth = len(self.keys) + 2 + len(self.keys) * self.by_lines
        width = len(self.keys) + 2
        stack = PlanStack(
            np.zeros((depth, FRAME), np.int64),
            np.zeros((depth, STATE), np.uint64),
            np.zeros((depth, width), np.int64),
            np.zeros((depth, STATE * width), np.uint64),
            np.zeros((depth, MOST_KINDS if self.by_lines else 1), np.int64),
            np.zeros((depth, TESTED), np.uint64),
            np.full(1, -1),
            number % 2,
        )
        room = room_for(self.board, len(self.position.owners))
        return _Worker(stack, room, _lookup(), _lookup(), np.zeros(STATE, np.uint64))

    def _beginning(self) -> Words:
        """Return the state of the beginning."""
        owners, regions = self.position.owners, self.board.regions
        state = np.zeros(STATE, np.uint64)
        for side, player in ((MAKER, self.maker), (BREAKER, 3 - self.maker)):
            places = (at for at, cell in enumerate(self.keys) if owners[cell] == player)
            state[side] = sum(1 << at for at in places)
        on = set(self.keys)
        stones = [c for c, owner in enumerate(owners) if owner == self.maker and c not in on]
        if len(stones) > MOST_STONES:
            raise SpecError(f"at most {MOST_STONES} stones off the keys are counted")
        if not self.by_lines:
            state[NUMBERS] = len(stones)
            return state
        borne = np.zeros(len(self.board.kinds), np.int64)
        for cell in stones:
            near = False
            for at in range(self.board.through_ptr[cell], self.board.through_ptr[cell + 1]):
                line = self.board.through[at]
                borne[line] += 1
                near |= regions.home[line] >= 0 and not self.board.masks[line] & state[BREAKER]
            one_stone_more(state, regions.cell_home[cell] if near else -1)
        for line in np.flatnonzero(regions.home >= 0):
            full = borne[line] >= regions.off[line] - 2
            if full and not self.board.masks[line] & state[BREAKER]:
                add_warm(state, regions.home[line], 1 << regions.bit[line])
        return state

    @property
    def states(self) -> int:
        """Number of states met."""
        table = self._table
        if self.by_lines:
            return int(table.size[0])
        alone = table.states[:, NUMBERS] == KEYS_ALONE
        return int(np.count_nonzero(table.used.astype(bool) & ~alone))

    def run(self, task: Task, *, watch: Watch | None = None, interval: float = 60.0) -> bool | None:
        """Search deeper and deeper; None where the task is over first, or memory is used up.

        False says that the search came to its end without a plan. By numbers alone no plan with
        these keys exists then by the rules; by lines one may, for the search asks for more.
        """
        tables = tables_of(self.position, self.maker, self.keys)
        if not (line_tables(tables) if self.by_lines else tables).begins_well():
            return False
        verdict = self._search(task, watch, interval)
        if self._checkpoint is not None:
            self._save(self._checkpoint)
        return verdict

    def _search(self, task: Task, watch: Watch | None, interval: float) -> bool | None:
        free = len(self.keys) - int(self._root_state[MAKER] | self._root_state[BREAKER]).bit_count()
        # More rounds at each step: the last search is not much longer than all before it.
        rounds = _ROUNDS_BY_LINES if self.by_lines else _ROUNDS
        for self._rounds in (*(one for one in rounds if self._done < one < free), free):
            verdict = self._root()
            while verdict is None or (verdict and not self._leaves_hold(task)):
                if self.interrupted or not self._deepen(task, watch, interval):
                    return None
                verdict = self._root()
                if verdict is None:
                    break
            if verdict is not None:
                return verdict
        return False

    def _leaves_hold(self, task: Task) -> bool:
        """Whether the leaves of the plan found hold by all lines.

        Those that do not are opened, and so are the states of the plan that rest on them alone.
        """
        if not self.by_lines:
            return True
        table, rows = self._table, self._listed(task)
        if rows is None:
            return False
        # 1. Leaves; of those with the same keys, the one with the most stones first.
        leaves = rows[table.won[rows] == 0]
        maker, breaker, numbers, *_ = table.states[leaves].T
        order = np.lexsort((~(numbers & np.uint64(255)), breaker, maker))
        leaves, maker, breaker = leaves[order], maker[order], breaker[order]
        others = np.flatnonzero((maker[1:] != maker[:-1]) | (breaker[1:] != breaker[:-1])) + 1
        failed: list[int] = []

        def look_at(part: Longs, worker: _Worker) -> None:
            failed.append(look_at_leaves(self.board, table, part, worker.room))

        if not self._spread(task, np.split(leaves, others[_AT_ONCE::_AT_ONCE]), look_at):
            return False
        if not any(failed):
            return True
        # 2. What rests on those that fail, the latest states first.
        inner = rows[(table.won[rows] != 0) & (table.won[rows] != OPEN)]
        taken = np.bitwise_count(table.states[inner, BREAKER])
        chosen = np.zeros(len(table.used), np.uint8)

        def look_below(part: Longs, worker: _Worker) -> None:
            own = table._replace(own=worker.main)
            order, slots = (
                np.zeros(len(self.keys) + 1, np.int64),
                np.zeros(len(self.keys), np.int64),
            )
            given = worker.room, worker.found, order, worker.stack.kinds[-1], slots, chosen
            open_others(self.board, own, part, *given)

        for count in sorted(set(taken.tolist()), reverse=True):
            level = inner[taken == count]
            parts = np.split(level, range(_AT_ONCE, len(level), _AT_ONCE))
            if not self._spread(task, parts, look_below):
                break
        return False

    def _spread(
        self, task: Task, parts: Sequence[Longs], look: Callable[[Longs, _Worker], None]
    ) -> bool:
        """Let the workers look at parts, each at some; return whether they came to the end."""
        self._control[STOP], count = 0, len(self._workers)

        def one(number: int) -> None:
            for part in parts[number::count]:
                if self._control[STOP]:
                    break
                look(part, self._workers[number])

        def work() -> None:
            with ThreadPoolExecutor(count) as pool:
                list(pool.map(one, range(count)))

        self.interrupted = not task.run(work, self._control[STOP:])
        return not self._control[STOP]

    def _root(self) -> bool | None:
        """Whether the beginning is won within the rounds; None where more may help."""
        at = self._look()
        if self._table.won[at] <= self._rounds:
            return True
        return False if self._table.lost[at] == NEVER else None

    def _look(self) -> int:
        tables = PlanTables(self._table, self._easy)
        given = tables, self._room, self._control, self._found
        return look(self.board, self._root_state.copy(), False, *given)

    def _deepen(self, task: Task, watch: Watch | None, interval: float) -> bool:
        """Search to the number of rounds; return whether it came to an end."""
        for worker in self._workers:
            begin(self.board, self._root_state, self._rounds, worker.stack)
        while True:
            self._control[STOP] = 0
            ended: list[int] = []

            def tell() -> None:
                if watch is not None:
                    watch(self.progress())
                if self._checkpoint is not None and working_time() - self._saved > interval:
                    # What is being changed cannot be saved.
                    self._control[STOP] = 1

            work = partial(self._work, ended)
            self.interrupted = not task.run(work, self._control[STOP:], tell)
            if self.interrupted or task.over:
                return False
            if DONE in ended:
                return True
            if FULL in ended and not self._grow():
                return False
            if FULL not in ended and self._checkpoint is not None:
                self._save(self._checkpoint)

    def _work(self, ended: list[int]) -> None:
        """Let the workers search until one of them is done or must stop."""

        def one(worker: _Worker) -> None:
            tables = PlanTables(
                self._table._replace(own=worker.main), self._easy._replace(own=worker.easy)
            )
            given = worker.stack, worker.room, self._control, worker.found
            ended.append(search(self.board, tables, *given))
            self._control[STOP] = 1

        with ThreadPoolExecutor(len(self._workers)) as pool:
            list(pool.map(one, self._workers))

    def _grow(self) -> bool:
        """Make the tables larger that are full; return whether there is memory for it."""
        if 2 * (len(self._table.used) + len(self._easy.used)) > self._most_slots:
            return False
        if table_is_full(self._table):
            self._table = _larger(self._table)
        if table_is_full(self._easy):
            self._easy = _larger(self._easy)
        for worker in self._workers:
            for lookup in (worker.main, worker.easy):
                # Places in the old tables.
                lookup.recent.fill(~np.uint64(0))
        return True

    def progress(self) -> PlanProgress:
        """How far it has come."""
        seconds = working_time() - self._began
        return PlanProgress(self._rounds, self.states, int(self._control[LEAVES]), seconds)

    def plan(self) -> BreakerPlan:
        """Return the plan that was found."""
        table, rows = self._table, self._listed(Task())
        assert rows is not None
        begins = self.position if self.position.ply else None
        given = self.position.game, 3 - self.maker, self.keys
        if self.by_lines:
            regions = self.board.regions
            # The file has them in the order of their least cells.
            order = np.argsort(
                [
                    min(np.flatnonzero(regions.cell_home == one))
                    for one in range(regions.moved.shape[1])
                ]
            ).tolist()
            wide = (table.won[rows] == 0) & (table.lost[rows] == WIDE)
            # That where it begins says that regions are told apart.
            wide[0] = False
            states = (
                self._row(at, [] if anywhere else order)
                for at, anywhere in zip(rows.tolist(), wide.tolist(), strict=True)
            )
            return listed_by_lines(*given, states, begins)
        counted = (
            (
                int(table.states[at, MAKER]),
                int(table.states[at, BREAKER]),
                int(table.states[at, NUMBERS]),
                bool(table.won[at] == 0),
            )
            for at in rows
        )
        plan = listed(*given, counted, begins)
        return thinned(plan) if len(plan.states) <= _THIN else plan

    def _listed(self, task: Task) -> Longs | None:
        """Return the places of states that prove the beginning; None where the task is over."""
        table, kinds = self._table, self._workers[0].stack.kinds[-1]
        order, slots = np.zeros((2, len(self.keys) + 1), np.int64)
        chosen = np.zeros(len(table.used), np.uint8)
        rows = np.zeros(int(np.count_nonzero(table.used)) + 1, np.int64)
        rows[0] = self._look()
        chosen[rows[0]] = 1
        length, done = 1, 0
        while done < length:
            if task.over:
                return None
            length, done = (
                follow(
                    *(self.board, table, self._room, rows, length, chosen),
                    *(self._found, order, kinds, slots, done, _AT_ONCE),
                ),
                min(length, done + _AT_ONCE),
            )
        return rows[:length]

    def _row(
        self, at: int, order: list[int]
    ) -> tuple[int, int, int, tuple[int, ...], tuple[int, ...], bool]:
        """Return a state as `listed_by_lines` wants it, with regions in an order, or without."""
        state, regions = self._table.states[at], self.board.regions
        warm = sorted(
            int(self.board.numbers[regions.lines[region, place]])
            for region in order
            for place in range(MOST_LINES)
            if warm_in(state, region) >> place & 1
        )
        near = tuple(int(stones_in(state, region)) for region in order)
        sides = int(state[MAKER]), int(state[BREAKER])
        return (*sides, all_stones(state), near, tuple(warm), bool(self._table.won[at] == 0))

    def _head(self) -> dict[str, object]:
        return {
            "game": str(self.position.game),
            "position": self.position.text,
            "keys": list(self.keys),
            "by_lines": self.by_lines,
        }

    def _save(self, path: Path) -> None:
        """Write all states into a file."""
        parts: list[bytes] = []
        counts = []
        for table in (self._table, self._easy):
            used = np.flatnonzero(table.used)
            counts.append(len(used))
            parts += [
                table.states[used].astype("<u8", copy=False).tobytes(),
                table.won[used].tobytes(),
                table.lost[used].tobytes(),
            ]
        _FORM.save(path, self._head(), np.array(counts, "<i8").tobytes(), *parts)
        self._saved = working_time()

    def _load(self, path: Path) -> None:
        """Read what `_save` has written."""
        head, data = _FORM.load(path)
        if head != self._head():
            name = quoted(os.fspath(path))
            raise CheckFailedError(f"checkpoint {name} is of another game, position or keys")
        if len(data) < 16:
            raise DamagedFileError(path)
        counts = np.frombuffer(data[:16], "<i8").tolist()
        if min(counts) < 0 or len(data) != 16 + _ROW_BYTES * sum(counts):
            raise DamagedFileError(path)
        first = 16
        tables = []
        for count in counts:
            ends = np.cumsum([first, 8 * STATE * count, count, count])
            words, won, lost = (data[a:b] for a, b in itertools.pairwise(ends))
            kept = _table(1)._replace(
                states=np.frombuffer(words, "<u8").astype(np.uint64).reshape(count, STATE),
                used=np.full(count, PUBLISHED, np.uint8),
                won=np.frombuffer(won, np.uint8).copy(),
                lost=np.frombuffer(lost, np.uint8).copy(),
            )
            tables.append(_table(max(_FIRST_SLOTS, 1 << (2 * count).bit_length())))
            move_over(kept, tables[-1])
            first = int(ends[-1])
        self._table, self._easy = tables
        # A state won in n rounds was met in a deeper search, after that of n rounds had ended.
        table = self._table
        known = (table.used != 0) & (table.won != OPEN) & (table.states[:, NUMBERS] != KEYS_ALONE)
        self._done = int(table.won[known].max()) if known.any() else -1


class _Worker(NamedTuple):
    """What a thread has for itself."""

    stack: PlanStack
    room: PlanRoom
    main: Lookup
    easy: Lookup
    found: Words


def _lookup() -> Lookup:
    pool = np.zeros(_POOL, np.int64)
    pool[0] = 1
    return Lookup(
        np.full((1 << 18, STATE + 1), ~np.uint64(0)),
        *(np.zeros((1 << 16, 4), np.uint64), pool, np.zeros(STATE, np.uint64)),
    )


def _table(slots: int) -> PlanTable:
    used, won, lost = (np.zeros(slots, np.uint8) for _ in range(3))
    size = np.zeros(1, np.int64)
    return PlanTable(np.zeros((slots, STATE), np.uint64), used, won, lost, size, _lookup())


def _larger(table: PlanTable) -> PlanTable:
    """Return a table of twice the size with the same states."""
    made = _table(2 * len(table.used))
    move_over(table, made)
    return made
