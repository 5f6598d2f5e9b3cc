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

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from hyperoxo.errors import NotationError, quoted
from hyperoxo.game import Game
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.envelope import FileSchema, number, owners_text, text_owners
from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState

_MOST_COUNTED = 200


@Checker
def check_key_plan(
    plan: KeyPlan, seen: set[bytes], progress: Callable[[int, int], object] | None = None
) -> None:
    """Check a plan by its rules; `positions` counts its states."""
    from hyperoxo_research.proof.keyplan.check import check_plan

    check_plan(plan, seen, progress)


def _put(plan: KeyPlan) -> tuple[dict[str, object], list[str]]:
    rows = [
        f"{owners_text(state.stones, len(plan.keys))} {state.counts}{' pairs' * state.pairs}"
        for state in plan.states
    ]
    head = {"position": plan.position.text, "seat": plan.seat, "claim": plan.claim}
    head |= {"keys": ",".join(map(str, plan.keys)), "symmetries": len(plan.tables.images)}
    return head, rows


def _take(head: dict[str, str], rows: list[str]) -> KeyPlan:
    found = _without_states(head)
    if head["claim"] != found.claim:
        raise NotationError(f"the claim is {quoted(head['claim'])}, not {quoted(found.claim)}")
    return replace(found, states=tuple(_state(row, len(found.keys)) for row in rows))


def plan_without_states(data: bytes) -> KeyPlan:
    """Return the claim at the beginning of a plan's file; the hash is not checked."""
    return _without_states(dict(zip(FILE.fields, FILE.head(data), strict=True)))


def _without_states(head: dict[str, str]) -> KeyPlan:
    game = Game(head["game"])
    keys = tuple(number(cell, "a key") for cell in head["keys"].split(","))
    seat = number(head["seat"], "the seat")
    return KeyPlan(game, seat, keys, (), game.position(head["position"]))


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


# Large plans have the same few numbers again and again.
@lru_cache(1 << 14)
def _numbers(text: str, what: str) -> tuple[int, ...]:
    return tuple(number(one, what) for one in text.split(","))


FILE = FileSchema(
    "breaker",
    "game position seat claim keys creator symmetries states",
    _put,
    _take,
    in_forms=False,  # but those that keep the keys
)
plan_text, read_plan = FILE.write, FILE.read_proof
