"""Key plans from the states that a search found, reduced to those that the checker needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from hyperoxo.game import FREE, Game, Position
from hyperoxo.jit import njit_or_python as njit
from hyperoxo.processes import cores
from hyperoxo_research.proof.keyplan.board import Board, Longs, Tables
from hyperoxo_research.proof.keyplan.check import Progress, States, live_lines, row_of
from hyperoxo_research.proof.keyplan.matching import scratch_for
from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState
from hyperoxo_research.proof.keyplan.states import (
    ANY,
    Listed,
    State,
    find,
    form_of,
    images_of,
    open_up,
)
from hyperoxo_research.proof.keyplan.stones import are_enough_by_counts

_BIT = np.uint64(1)

Given = tuple[int, int, int, tuple[int, ...], tuple[int, ...], bool]
"""Bits of Maker's and Breaker's keys, the number of stones, the numbers of the regions (4 for open
ones), the warm lines of the others, and a mark of leaves."""


def listed(
    game: Game,
    seat: int,
    keys: tuple[int, ...],
    states: Iterable[Given],
    begins: Position | None = None,
    *,
    by_lines: bool = False,
    progress: Progress | None = None,
) -> KeyPlan:
    """Return a plan of given states, in any image and order, that lists only needed states."""
    # Left out are states that the checker never asks for, and by lines wide leaves. A state without
    # regions is wide. `progress` starts again at each level.
    plan = KeyPlan(game, seat, keys, (), begins)
    tables = plan.tables
    board = tables.by_lines if by_lines else tables.by_counts
    count = len(board.regions.members)
    place = {number: at for at, number in enumerate(tables.numbers)}
    # 1. One row for each canonical form. A form without its number of stones may be given several
    #    times: the one with most stones stands for the others.
    best: dict[tuple[int, ...], tuple[int, bool]] = {}
    for maker, breaker, counted, near, warm, pairs in states:
        row = np.array([0])
        if by_lines:
            row = row_of(tables, counted, near or (ANY,) * count, (place[one] for one in warm))
        state = State(np.uint64(maker), np.uint64(breaker), row)
        open_up(board, state)
        form = form_of(board, state)
        key = (int(form.maker), int(form.breaker), *form.row.tolist())
        best[key] = max(best.get(key, (-1, False)), (counted, bool(pairs)))
    while True:
        # 2. Run the checker from the root, and keep the states that it asks for: the proof may need
        #    fewer than were found, since the checker takes the first answer that will do.
        order = sorted(best)
        rows = tuple(_plan_state(tables, seat, form, *best[form]) for form in order)
        found = States(replace(plan, states=rows), by_lines=by_lines)
        found.begin()
        asked, ended = found.listed.asked, found.listed.leaves.copy()
        while len(fresh := np.flatnonzero((asked >= 0) & ~ended)):
            found.examine_all(fresh.tolist(), cores(), progress)
            ended[fresh] = True
        needed = np.flatnonzero(asked >= 0).tolist()
        wanted = tuple(rows[at]._replace(counted=int(asked[at])) for at in needed)
        if by_lines or wanted == rows:
            break
        # 3. By counts a state is listed with the most stones it is asked for, so its own answers
        #    may need fewer: repeat until nothing changes.
        best = {order[at]: (int(asked[at]), best[order[at]][1]) for at in needed}
    # 4. The checker finds wide leaves itself; but a plan without any state with regions would be
    #    read as one by counts, so then all are listed.
    listed_states = tuple(state for state in wanted if state.regions or not state.pairs)
    shorter = replace(plan, states=listed_states)
    return shorter if shorter.by_lines else replace(plan, states=wanted)


def _plan_state(
    tables: Tables, seat: int, form: tuple[int, ...], counted: int, pairs: bool
) -> PlanState:
    """Return the row of a canonical form; a wide one has no regions."""
    maker, breaker, _, *rest = form
    count = len(rest) // 2
    owners = (
        3 - seat if maker >> key & 1 else seat if breaker >> key & 1 else FREE
        for key in range(len(tables.keys))
    )
    near, sets = tuple(rest[:count]), rest[count:]
    live = live_lines(tables, breaker) if count else []
    if all(n == ANY for n, lines in zip(near, live, strict=True) if lines):
        return PlanState(bytes(owners), counted, pairs)
    warm = sorted(
        tables.numbers[line]
        for n, row, some in zip(near, tables.members, sets, strict=True)
        for at, line in enumerate(row)
        if n < ANY and some >> at & 1
    )
    return PlanState(bytes(owners), counted, pairs, near, tuple(warm))


def thinned(plan: KeyPlan) -> KeyPlan:
    """Return an irreducible plan by counts of the same claim: no single state can be dropped."""
    while True:
        smaller = _once(plan)
        if len(smaller.states) == len(plan.states):
            return smaller
        plan = smaller


def _once(plan: KeyPlan) -> KeyPlan:
    # 1. All answers of each inner state, by key and reply: row `width` is for a stone elsewhere.
    states = States(plan)
    board, (makers, breakers, rows, leaves, _) = states.board, states.listed
    width, here = len(plan.keys), len(plan.states)
    inner = np.flatnonzero(~leaves)
    after = np.full((len(inner), width + 1, width), -1)
    for row, place in enumerate(inner.tolist()):
        _find_answers(board, states.listed, place, after[row])
    # The last entry stands for an answer that is not listed: found -1 gives kept[-1], False.
    stays = np.ones(here + 1, bool)
    stays[-1] = False
    scratch = scratch_for(len(states.tables.position.owners))

    def is_won(row: int) -> bool:
        place, found = inner[row], stays[after[row]]
        taken = int(makers[place] | breakers[place])
        free = [key for key in range(width) if not taken >> key & 1]
        replies = sum(1 << key for key in free if found[width, key])
        state = State(makers[place], breakers[place], rows[place])
        return bool(found[free].any(axis=1).all()) and are_enough_by_counts(
            board, state, np.uint64(replies), scratch
        )

    # 2. Try to drop each state, those with most stones first: every state that has it among its
    #    answers must do without.
    asking = [np.flatnonzero((after == place).any(axis=(1, 2))) for place in range(here)]
    for place in np.argsort(rows[:, 0], kind="stable")[::-1]:
        # Only the root answers no state; it stays.
        if len(asking[place]):
            stays[place] = False
            stays[place] = not all(is_won(row) for row in asking[place] if stays[inner[row]])
    found = (
        (int(makers[at]), int(breakers[at]), int(rows[at, 0]), (), (), bool(leaves[at]))
        for at in np.flatnonzero(stays[:-1])
    )
    return listed(plan.game, plan.seat, plan.keys, found, plan.begins)


@njit(nogil=True)
def _find_answers(board: Board, listed: Listed, place: int, found: Longs) -> None:
    """Write the indices of the answers of a state into ``found[key, reply]``, -1 if not listed."""
    # The last row is for a stone elsewhere.
    maker, breaker, last = listed.makers[place], listed.breakers[place], len(board.lines.keys)
    for key in range(last + 1):
        bit = _BIT << np.uint64(key) if key < last else np.uint64(0)
        row = listed.rows[place].copy()
        row[0] += key == last
        images = images_of(board.images, maker | bit)
        for other in range(last):
            reply = _BIT << np.uint64(other)
            if not (maker | breaker) & (bit | reply) and bit != reply:
                found[key, other] = find(
                    board, listed, images, State(maker | bit, breaker | reply, row)
                )
