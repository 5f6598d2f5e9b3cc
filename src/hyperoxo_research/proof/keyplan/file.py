"""A key plan as a file, and its verdict.

A state is the stones on the keys, Maker to move, and the number of Maker's stones elsewhere that
are *counted*. A state for some number of counted stones serves fewer, and symmetries of the lines
that keep the keys carry it over to its images. Each is listed once, in its greatest image: by
Maker's keys, then by Breaker's, read as numbers whose lowest bit is the first key. They ascend in
the same order, and each has just the number for which it is asked; one that is not asked for may
not be there. The envelope is that of all proof files (:mod:`hyperoxo.proof.envelope`); a row holds
the stones on the keys, the number counted, and ``pairs`` where the state is settled::

    hyperoxo-breaker 1
    sha256 1f0a...
    game 7^3
    position .......................................................................
    seat 2
    claim draw
    keys 0,6,42,48,...
    creator -
    symmetries 1152
    states 237
    ......................... 0
    ............2............ 1
    ............2.......2...2 3 pairs
    ...
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from hyperoxo.errors import NotationError, quoted
from hyperoxo.game import Game
from hyperoxo.proof.claim import Verdict, judged
from hyperoxo.proof.envelope import (
    Schema,
    creator_text,
    number,
    owners_text,
    read_bytes,
    text_creator,
    text_owners,
)
from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState

_MOST_COUNTED = 200
_FILES = Schema("breaker", "game position seat claim keys creator symmetries states")


def check_key_plan(
    plan: KeyPlan,
    *,
    begin: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Verdict:
    """Check a plan by its rules; `positions` counts its states."""
    from hyperoxo_research.proof.keyplan.check import check_plan

    return judged(plan.statement, partial(check_plan, plan, progress=progress), begin)


def plan_text(plan: KeyPlan, *, creator: str = "") -> bytes:
    """Write a plan as the content of a file."""
    rows = [
        f"{owners_text(state.stones, len(plan.keys))} {state.counts}{' pairs' * state.pairs}"
        for state in plan.states
    ]
    keys = ",".join(map(str, plan.keys))
    head = plan.game, plan.position.text, plan.seat, plan.claim, keys
    return _FILES.text((*head, creator_text(creator), len(plan.tables.images)), rows)


def read_plan(source: str | os.PathLike[str] | bytes) -> KeyPlan:
    """Read a plan; see `read_strategy`."""
    data = read_bytes(source)
    values, rows = _FILES.read(data)
    claim, creator = values[3], values[5]
    found = _without_states(values)
    found = replace(found, states=tuple(_state(row, len(found.keys)) for row in rows))
    if claim != found.claim:
        raise NotationError(f"the claim is {quoted(claim)}, not {quoted(found.claim)}")
    _FILES.check(data, plan_text(found, creator=text_creator(creator)))
    return found


def plan_without_states(data: bytes) -> KeyPlan:
    """Return the claim at the beginning of a plan's file; the hash is not checked."""
    return _without_states(_FILES.head(data))


def _without_states(values: Sequence[str]) -> KeyPlan:
    spec, position, seat, _, cells, *_ = values
    game = Game(spec)
    keys = tuple(number(cell, "a key") for cell in cells.split(","))
    return KeyPlan(game, number(seat, "the seat"), keys, (), game.position(position))


def _state(row: str, keys: int) -> PlanState:
    words = row.split(" ")
    pairs = words[-1] == "pairs"
    told = words[: len(words) - pairs]
    if len(told) not in (2, 4):
        raise NotationError(f"{quoted(row)} is not a row of a plan")
    counted = number(told[1], "the number of counted stones")
    near, warm = told[2:] or ("", "-")
    regions = _numbers(near, "the stones of a region") if near else ()
    lines = () if warm == "-" else _numbers(warm, "a warm line")
    if (most := max((*regions, counted))) > _MOST_COUNTED:
        raise NotationError(f"{most} stones cannot be counted")
    return PlanState(text_owners(told[0], keys), counted, pairs, regions, lines)


def _numbers(text: str, what: str) -> tuple[int, ...]:
    return tuple(number(one, what) for one in text.split(","))
