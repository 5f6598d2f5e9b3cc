"""Search for key plans: Breaker's strategies on a few key cells that end in pairings.

The keys are few cells on many lines, on a cube n^d those of the space diagonals. A plan gives
Breaker's replies for each state of the keys and number of Maker's stones elsewhere; matchings take
care of all other cells. `docs/key-plans.md` has the rules and their proofs. The checker in
`hyperoxo_research.proof.keyplan` shares no code with this search.
"""
# `_search` deepens iteratively: `_deepen` runs the kernel to a number of rounds, several threads on
# one table. By lines a win rests on leaves that were tested in part, so `_leaves_hold` extracts the
# proof, tests its leaves in full and, if some fail, sets what rests on them to open and searches
# again. `plan` then lists the states of the proof.

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.jit import working_time
from hyperoxo.kernels.arrays import Bytes, Longs, Words
from hyperoxo.kernels.control import STOP
from hyperoxo.solvers.arrays import position_of
from hyperoxo.task import Stop, Task
from hyperoxo_research.draws.key_plan_board import check_keys, plan_board, scratch_for, usual_keys
from hyperoxo_research.draws.key_plan_listing import Given, listed, thinned
from hyperoxo_research.draws.key_plan_tables import (
    SLOT_BYTES,
    larger,
    load_tables,
    lookup,
    new_table,
    save_tables,
)
from hyperoxo_research.kernels.atomic import CLAIMED
from hyperoxo_research.kernels.key_plan_leaves import (
    ALL_LINES,
    CONTROL,
    LEAVES,
    MOST_KEYS,
    OPEN,
    PlanScratch,
    PlanTables,
    Work,
    enter_state,
)
from hyperoxo_research.kernels.key_plan_replies import follow, open_others
from hyperoxo_research.kernels.key_plan_search import (
    DONE,
    FRAME,
    FULL,
    TESTED,
    PlanStack,
    begin,
    search,
)
from hyperoxo_research.kernels.key_plan_states import (
    BREAKER,
    MAKER,
    MOST_LINES,
    MOST_STONES,
    NUMBERS,
    STATE,
    add_warm,
    all_stones,
    is_open,
    is_wide,
    one_stone_more,
    stones_in,
    warm_in,
)
from hyperoxo_research.kernels.key_plan_stones import MOST_KINDS
from hyperoxo_research.kernels.key_plan_table import (
    KEYS_ALONE,
    NEVER,
    Lookup,
    PlanTable,
    table_is_full,
)
from hyperoxo_research.proof.keyplan.board import tables_of
from hyperoxo_research.proof.keyplan.check import begins_well
from hyperoxo_research.proof.keyplan.plan import PLANS, KeyPlan

__all__ = ["find_key_plan"]

_FIRST_SLOTS, _FAILED = 1 << 16, 1 << 16
_ROUNDS = 0, 1, 2, 3, 4, 6, 9, 13, 19, 28, 42
_ROUNDS_BY_LINES = 4, 7, 10
# States that a thread takes at a time.
_AT_ONCE = 64
_THIN = 5_000
"""Most states of a plan from which single ones are taken away."""


@dataclass(frozen=True)
class PlanProgress:
    """Progress of a search."""

    rounds: int
    states: int
    leaves: int
    seconds: float
    after: str = ""
    """Progress of the work after the search, as text."""


ProgressCallback = Callable[[PlanProgress], object]


def find_key_plan(
    game: Game | Position | str,
    *,
    keys: tuple[int, ...] | None = None,
    by_lines: bool = False,
    seconds: float | None = None,
    megabytes: int = 512,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    stop: Stop | None = None,
) -> KeyPlan | None:
    """Find a key plan by which the player not to move keeps the other from any line.

    Parameters
    ----------
    game : Game, Position or str
        The game or position; a string is a game spec.
    keys : tuple of int, optional
        The key cells; if not given, those of the space diagonals of n^d, and on other boards those
        on the most lines.
    by_lines : bool
        Whether states say which lines bear many of Maker's stones, which proves more and takes
        longer.
    seconds : float, optional
        Time limit.
    megabytes : int
        Memory for the states, also while a table grows; 8 at least are taken.
    threads : int
        Threads that share the states, by lines; with several, another plan may be found.
    checkpoint : str or path-like, optional
        File that the states are saved to from time to time, and read from at the beginning.
    stop : Stop, optional
        An event that any thread may set to end the search early.

    Returns
    -------
    KeyPlan or None
        The plan; None if these keys have none by the rules that are used, which says nothing
        about the value of the game.

    Raises
    ------
    NotSupportedError
        If the game has a rule for which plans do not hold.
    LimitError
        If a limit came first.

    Examples
    --------
    >>> plan = find_key_plan("5{0+1+2/2+3+4}", keys=(2,))
    >>> plan.statement
    'player 2 gets at least a draw in 5{0+1+2/2+3+4} by a plan on 1 key cell'
    """
    found = KeyPlanSearch(
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


class KeyPlanSearch:
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
        self._most_slots = (megabytes << 20) // SLOT_BYTES
        self._checkpoint = None if checkpoint is None else Path(checkpoint)
        self._control = np.zeros(CONTROL, np.int64)
        self._rounds, self._done = 0, -1
        # The smaller searches without lines are the same each time.
        self._workers = [self._worker(one) for one in range(threads if self.by_lines else 1)]
        self._easy = new_table(_FIRST_SLOTS)
        self._table = new_table(_FIRST_SLOTS)
        self._wide = np.zeros((2, len(self.keys) + 1, MOST_KEYS + 1), np.int64)
        self._proof: _Proof | None = None
        self._last: Bytes | None = None
        self._on_progress: ProgressCallback | None = None
        self._interval = math.inf
        self._saved = self._began = working_time()
        if self._checkpoint is not None and self._checkpoint.exists():
            self._load(self._checkpoint)

    def _worker(self, number: int) -> _Worker:
        """Return the data of one thread; every other thread tries conditions in reverse."""
        # One frame for each round, and by lines one more for its easy or wide state.
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
            np.zeros((_FAILED, 3), np.uint64),
            number % 2,
        )
        scratch = scratch_for(self.board, len(self.position.owners))
        return _Worker(stack, scratch, lookup(), lookup(), np.zeros(STATE, np.uint64))

    def _beginning(self) -> Words:
        """Return the root state."""
        owners, regions = self.position.owners, self.board.regions
        state = np.zeros(STATE, np.uint64)
        for side, player in ((MAKER, self.maker), (BREAKER, 3 - self.maker)):
            places = (at for at, cell in enumerate(self.keys) if owners[cell] == player)
            state[side] = sum(1 << at for at in places)
        board, on = self.board, set(self.keys)
        stones = [c for c, owner in enumerate(owners) if owner == self.maker and c not in on]
        if len(stones) > MOST_STONES:
            raise SpecError(f"at most {MOST_STONES} stones off the keys are counted")
        if not self.by_lines:
            state[NUMBERS] = len(stones)
            return state
        borne = np.zeros(len(board.kinds), np.int64)
        live = (regions.home >= 0) & (board.masks & state[BREAKER] == 0)
        for cell in stones:
            lines = board.through[board.through_ptr[cell] : board.through_ptr[cell + 1]]
            borne[lines] += 1
            one_stone_more(state, regions.cell_home[cell] if live[lines].any() else -1)
        for line in np.flatnonzero(live & (borne >= regions.off - 2)):
            add_warm(state, regions.home[line], 1 << regions.bit[line])
        return state

    @property
    def states(self) -> int:
        """Number of states in the table, without entries for keys alone."""
        table = self._table
        if self.by_lines:
            return int(table.size[0])
        alone = table.states[:, NUMBERS] == KEYS_ALONE
        return int(np.count_nonzero(table.used.astype(bool) & ~alone))

    def run(
        self, task: Task, *, on_progress: ProgressCallback | None = None, interval: float = 60.0
    ) -> bool | None:
        """Search by iterative deepening; None if the task is over first, or memory is used up."""
        # False: the search ended without a plan. By counts the rules then allow none with these
        # keys; by lines one may exist, for the search asks for more than the rules.
        tables = tables_of(self.position, self.maker, self.keys)
        if not begins_well(tables, by_lines=self.by_lines):
            return False
        self._on_progress, self._interval = on_progress, interval
        verdict = self._search(task)
        self._save()
        return verdict

    def _search(self, task: Task) -> bool | None:
        free = len(self.keys) - int(self._root_state[MAKER] | self._root_state[BREAKER]).bit_count()
        # The steps grow, so the searches before the last one cost little in comparison.
        rounds = _ROUNDS_BY_LINES if self.by_lines else _ROUNDS
        for self._rounds in (*(one for one in rounds if self._done < one < free), free):
            verdict = self._root()
            while verdict is None or (verdict and not self._verify_leaves(task)):
                if self.interrupted or not self._deepen(task):
                    return None
                verdict = self._root()
                if verdict is None:
                    break
            if verdict is not None:
                return verdict
        return False

    def _verify_leaves(self, task: Task) -> bool:
        """Return whether the leaves of the plan found hold by all lines."""
        # Those that do not are set to open, and so are the states that rest on them alone.
        # 1. By counts every leaf was tested in full.
        self._proof = None
        if not self.by_lines:
            return True

        def report() -> None:
            # Threads change single bytes meanwhile; a file may hold the old or the new ones.
            if self._report("looking at the plan"):
                self._save()

        # 2. Extract the proof, which tests its leaves.
        if (proof := self._listed(task, report)) is None:
            return False
        if not proof.lacking:
            self._proof = proof
            return True
        # 3. Some failed. Each reply adds a key to Breaker's, so a state rests on states with one
        #    more alone: go down by that number, and recheck a level if one above it was opened.
        won = self._table.won
        inner = proof.own[won[proof.own] != 0]
        taken = np.bitwise_count(self._table.states[inner, BREAKER])

        def search_below(part: Longs, number: int) -> None:
            worker = self._workers[number]
            open_others(self.board, part, self._work(worker))

        for count in sorted(set(taken.tolist()), reverse=True):
            if not (won[inner[taken == count + 1]] == OPEN).any():
                continue
            level = inner[taken == count]
            parts = np.split(level, range(_AT_ONCE, len(level), _AT_ONCE))
            if not self._spread(task, parts, search_below, report):
                break
        return False

    def _work(self, worker: _Worker) -> Work:
        """Return the arguments of the kernels for a thread: shared tables, its own caches."""
        main, easy = self._table._replace(own=worker.main), self._easy._replace(own=worker.easy)
        tables = PlanTables(main, easy, self._wide)
        return Work(worker.scratch, tables, self._control, worker.found)

    def _spread(
        self,
        task: Task,
        parts: Sequence[Longs],
        search_part: Callable[[Longs, int], None],
        report: Callable[[], None] | None,
    ) -> bool:
        """Divide parts among the threads; return whether all were done."""
        self._control[STOP], count = 0, len(self._workers)

        def one(number: int) -> None:
            for part in parts[number::count]:
                if self._control[STOP]:
                    break
                search_part(part, number)

        def work() -> None:
            with ThreadPoolExecutor(count) as pool:
                list(pool.map(one, range(count)))

        self.interrupted = not task.run(work, self._control[STOP:], report)
        return not self._control[STOP]

    def _root(self) -> bool | None:
        """Return whether the root is won in these rounds; None if more may help."""
        at = self._progress()
        if self._table.won[at] <= self._rounds:
            return True
        return False if self._table.lost[at] == NEVER else None

    def _progress(self) -> int:
        work = self._work(self._workers[0])
        return enter_state(self.board, self._root_state.copy(), False, work)

    def _deepen(self, task: Task) -> bool:
        """Search to the number of rounds; return whether that was completed."""
        # All threads search the same root and meet in the table; the first to finish stops the
        # others, whose stacks stay, so that after a pause or a larger table all go on.
        for worker in self._workers:
            begin(self.board, self._root_state, self._rounds, worker.stack)
        while True:
            self._control[STOP] = 0
            ended: list[int] = []

            def report() -> None:
                # Tables are saved between runs only, when no thread writes to them.
                if self._report():
                    self._control[STOP] = 1

            run = partial(self._run, ended)
            self.interrupted = not task.run(run, self._control[STOP:], report)
            if self.interrupted or task.over:
                return False
            if DONE in ended:
                return True
            if FULL in ended and not self._grow():
                return False
            if FULL not in ended:
                self._save()

    def _run(self, ended: list[int]) -> None:
        """Run all threads until one of them returns; then stop the others."""

        def one(worker: _Worker) -> None:
            ended.append(search(self.board, worker.stack, self._work(worker)))
            self._control[STOP] = 1

        with ThreadPoolExecutor(len(self._workers)) as pool:
            list(pool.map(one, self._workers))

    def _grow(self) -> bool:
        """Double the tables that are full; return whether there is memory for it."""
        self._last = None
        slots = len(self._table.used) + len(self._easy.used)
        for table in filter(table_is_full, (self._table, self._easy)):
            # The old table is freed only after the new one is filled.
            if slots + 2 * len(table.used) > self._most_slots:
                return False
            slots += len(table.used)
        if table_is_full(self._table):
            self._table = larger(self._table)
        if table_is_full(self._easy):
            self._easy = larger(self._easy)
        for worker in self._workers:
            for one in (worker.main, worker.easy):
                # It holds indices of the old tables.
                one.recent.fill(~np.uint64(0))
        return True

    def progress(self, after: str = "") -> PlanProgress:
        """Return the progress so far."""
        seconds = working_time() - self._began
        return PlanProgress(self._rounds, self.states, int(self._control[LEAVES]), seconds, after)

    def _report(self, after: str = "") -> bool:
        """Report the progress; return whether it is time to save the states."""
        if self._on_progress is not None:
            self._on_progress(self.progress(after))
        return self._checkpoint is not None and working_time() - self._saved > self._interval

    def plan(self) -> KeyPlan:
        """Return the plan that was found, without states that are not needed."""
        proof = self._proof or self._listed(Task())
        assert proof is not None
        begins = self.position if self.position.ply else None
        regions = self.board.regions
        # A file has regions in the order of their least cells.
        firsts = [
            min(np.flatnonzero(regions.cell_home == one)) for one in range(regions.moved.shape[1])
        ]
        order = np.argsort(firsts).tolist() if self.by_lines else []
        states = itertools.chain(
            (self._row(self._table, at, order) for at in proof.own.tolist()),
            (self._row(self._easy, at, []) for at in proof.easy.tolist()),
        )
        plan = listed(
            *(self.position.game, 3 - self.maker, self.keys, states, begins),
            by_lines=self.by_lines,
            progress=self.reporting("listing"),
        )
        return plan if self.by_lines or len(plan.states) > _THIN else thinned(plan)

    def reporting(self, what: str) -> Callable[[int, int], object]:
        """Return a progress callback for one step of the work after the search."""
        return lambda done, count: self._report(f"{what} {done:,} of {count:,} states")

    def _listed(self, task: Task, report: Callable[[], None] | None = None) -> _Proof | None:
        """Extract a proof of the root, level by level; None if the task is over."""
        # 1. Marks for both tables, the easy one after the main one as in `rank_of`.
        slots, keys = len(self._table.used), len(self.keys)
        leaves = int(np.count_nonzero(self._easy.won[self._easy.used != 0] == 0))
        most = int(np.count_nonzero(self._table.used)) + leaves + 1
        chosen, known = np.zeros((2, slots + len(self._easy.used)), np.uint8)
        # 2. Prefer leaves already tested by all lines, and the states of the last proof: less is
        #    new each time.
        ends = 0
        for table in self._table, self._easy:
            begins, ends = ends, ends + len(table.used)
            known[begins:ends] = (table.won == 0) & (table.lost == ALL_LINES)
        if self._last is not None and len(self._last) == len(known):
            known |= self._last
        # 3. The list of each thread, with its length and failures. It is as long as all states,
        #    but pages that are not written take no memory.
        lists = [(np.zeros(most, np.int64), np.zeros(2, np.int64)) for _ in self._workers]

        def search_part(part: Longs, number: int) -> None:
            worker, (order, *slots) = self._workers[number], np.zeros((3, keys + 1), np.int64)
            given = part, *lists[number], chosen, known, order, worker.stack.kinds[-1], *slots
            follow(self.board, self._work(worker), *given)

        # 4. From the root on: the states that a level needs and that are not listed are the next.
        rows = [np.array([self._progress()])]
        chosen[rows[0]] = CLAIMED
        while len(rows[-1]):
            begun = [int(counts[0]) for _, counts in lists]
            parts = np.split(rows[-1], range(_AT_ONCE, len(rows[-1]), _AT_ONCE))
            if not self._spread(task, parts, search_part, report):
                return None
            fresh = [one[at : counts[0]] for at, (one, counts) in zip(begun, lists, strict=True)]
            rows.append(np.concatenate(fresh))
        self._last = chosen
        listed = np.concatenate(rows)
        lacking = sum(int(counts[1]) for _, counts in lists)
        return _Proof(listed[listed < slots], listed[listed >= slots] - slots, lacking)

    def _row(self, table: PlanTable, at: int, order: list[int]) -> Given:
        """Return a state in the form of `listed`, with regions in an order, or without."""
        state, regions = table.states[at], self.board.regions
        order = [] if is_wide(state) else order
        near = tuple(4 if is_open(state, one) else int(stones_in(state, one)) for one in order)
        warm = sorted(
            int(self.board.numbers[regions.lines[region, place]])
            for region in order
            for place in range(MOST_LINES if not is_open(state, region) else 0)
            if warm_in(state, region) >> place & 1
        )
        sides = int(state[MAKER]), int(state[BREAKER])
        return (*sides, all_stones(state), near, tuple(warm), bool(table.won[at] == 0))

    def _head(self) -> dict[str, object]:
        return {
            "game": str(self.position.game),
            "position": self.position.text,
            "keys": list(self.keys),
            "by_lines": self.by_lines,
        }

    def _save(self) -> None:
        """Write all states into the checkpoint, if there is one."""
        if self._checkpoint is not None:
            save_tables(self._checkpoint, self._head(), (self._table, self._easy))
            self._saved = working_time()

    def _load(self, path: Path) -> None:
        """Read a file of `_save`."""
        most = max(self._most_slots, 2 * _FIRST_SLOTS)
        self._table, self._easy = load_tables(path, self._head(), _FIRST_SLOTS, most)
        # A state won in n rounds was met in a deeper search, after that of n rounds had ended.
        table = self._table
        known = (table.used != 0) & (table.won != OPEN) & (table.states[:, NUMBERS] != KEYS_ALONE)
        self._done = int(table.won[known].max()) if known.any() else -1
        # If the root is won, its leaves are still untested, and may need the same rounds again.
        if table.won[at := self._progress()] != OPEN:
            self._done = min(self._done, int(table.won[at]) - 1)


class _Worker(NamedTuple):
    """Data of one thread."""

    stack: PlanStack
    scratch: PlanScratch
    main: Lookup
    easy: Lookup
    found: Words


class _Proof(NamedTuple):
    """Indices of the states that prove the root."""

    own: Longs
    easy: Longs
    """Leaves, in the table of the easy game."""
    lacking: int
    """Number of states that turned out unproved."""
