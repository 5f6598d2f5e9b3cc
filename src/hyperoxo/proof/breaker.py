"""Breaker's plans: a player, Breaker, keeps the other, Maker, from completing any line.

*Keys* are some cells of the board. A state is the stones on the keys, Maker to move, and the number
of Maker's stones elsewhere that are *counted*. The file lists states; the checker looks up in them
which keys Breaker may take, and shows by matchings that they are enough. The rules, each with its
proof, are those of ``docs/breaker.md``:

- *Pairs.* A state is settled where every live line (one without a key of Breaker's) has two cells
  of its own off the keys that are taken, and every connected set of lines with a poor one (without
  a key) and a rich one (with keys and other cells) has in addition as many cells as are counted.
- *Keys.* Else each key that Maker may take needs another that Breaker takes, to a listed state.
- *Stones elsewhere.* And there must be keys that Breaker takes after a counted stone, to listed
  states with one more of them, on every set of live rich lines with too few cells off the keys.

Plans by lines, which say where stones are, need not list a state that pairs settle wherever they
are: the checker sees that itself.

A state for some number of counted stones serves fewer, and symmetries of the lines that keep the
keys carry it over to its images. Each is listed once, in its greatest image: by Maker's keys, then
by Breaker's, read as numbers whose lowest bit is the first key. They ascend in the same order, and
each has just the number for which it is asked; one that is not asked for may not be there. The
envelope is that of all proof files (:mod:`hyperoxo.proof.envelope`); a row holds the stones on the
keys, the number counted, and ``pairs`` where the state is settled::

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
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hyperoxo.errors import NotationError, SpecError, quoted
from hyperoxo.files import replace_file
from hyperoxo.position import Position
from hyperoxo.proof.claim import BeginsSomewhere, Verdict, judged, promised
from hyperoxo.proof.envelope import (
    Schema,
    creator_text,
    number,
    owners_text,
    read_bytes,
    text_creator,
    text_owners,
)
from hyperoxo.rules import Game, Requires, Trait

if TYPE_CHECKING:
    from hyperoxo.proof.breaker_check import Tables

__all__ = [
    "BreakerPlan",
    "PlanState",
    "check_breaker",
    "plan_text",
    "plan_without_states",
    "read_plan",
]

_MOST_COUNTED = 200

PLANS = Requires(
    "a plan of Breaker's",
    {
        *(Trait.STRONG, Trait.MAKER_BREAKER, Trait.ONE_LINE, Trait.SEVERAL_LINES),
        *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
        *(Trait.PLAYER_ONE_STARTS, Trait.ANOTHER_STARTS),
    },
)
_FILES = Schema("breaker", "game position seat claim keys creator symmetries states")


class PlanState(NamedTuple):
    """A state of a plan: the owners of the keys, the number counted, and whether it is settled.

    By lines, also the stones of each region, 3 for three or more and 4 for an open one, and the
    warm lines of the others, as the board numbers them; neither in a wide state, which stands for
    all with its keys.
    """

    stones: bytes
    counted: int
    pairs: bool
    regions: tuple[int, ...] = ()
    warm: tuple[int, ...] = ()


def state_name(state: PlanState) -> str:
    """Name a state in a sentence."""
    return f"the state {owners_text(state.stones, len(state.stones))} with {_counts(state)} counted"


def _counts(state: PlanState) -> str:
    if not state.regions:
        return str(state.counted)
    warm = ",".join(map(str, state.warm)) or "-"
    return f"{state.counted} {','.join(map(str, state.regions))} {warm}"


@dataclass(frozen=True)
class BreakerPlan(BeginsSomewhere):
    """A plan by which one of two players keeps the other from completing any line.

    Attributes
    ----------
    game : Game
        A game of two players.
    seat : int
        The player who follows it, 1 or 2.
    keys : tuple of int
        The key cells, ascending.
    states : tuple of PlanState
        The states that prove it, in the order and form of the file; see `listed`.
    begins : Position or None
        Where it begins, with the other player to move; None at the start of the game.

    Examples
    --------
    >>> pairs = (PlanState(bytes(1), 0, True),)
    >>> BreakerPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), pairs).statement
    'player 2 gets at least a draw in 5{0+1+2/2+3+4} by a plan on 1 key cell'
    """

    game: Game
    seat: int
    keys: tuple[int, ...]
    states: tuple[PlanState, ...]
    begins: Position | None = None

    def __post_init__(self) -> None:
        if self.game.players != 2 or self.seat not in (1, 2):
            raise SpecError(f"a plan is for player 1 or 2 of two, not for player {self.seat}")
        self._check_beginning()

    @property
    def wins(self) -> bool:
        """Whether Breaker wins by it, and does not only draw."""
        return self.game.convention.full_board == self.seat

    @property
    def by_lines(self) -> bool:
        """Whether it knows which lines bear many stones."""
        return any(state.regions for state in self.states)

    @property
    def claim(self) -> str:
        """What is proved, as for strategies."""
        return "win" if self.wins else "draw"

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        cells = "cell" if len(self.keys) == 1 else "cells"
        how = f"by a plan on {len(self.keys)} key {cells}"
        return f"{promised(self.seat, self.claim, self.game)}{self._from} {how}"

    @property
    def tables(self) -> Tables:
        """Lines and symmetries as arrays; CheckFailedError where the keys make no sense."""
        from hyperoxo.proof.breaker_check import tables_of

        return tables_of(self.position, 3 - self.seat, self.keys)


def check_breaker(
    plan: BreakerPlan,
    *,
    begin: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Verdict:
    """Check a plan by its rules; `positions` counts its states."""
    from hyperoxo.proof.breaker_check import holds

    return judged(plan.statement, partial(holds, plan, progress=progress), begin)


def plan_text(plan: BreakerPlan, *, creator: str = "") -> bytes:
    """Write a plan as the content of a file."""
    rows = [
        f"{owners_text(state.stones, len(plan.keys))} {_counts(state)}{' pairs' * state.pairs}"
        for state in plan.states
    ]
    keys = ",".join(map(str, plan.keys))
    head = plan.game, plan.position.text, plan.seat, plan.claim, keys
    return _FILES.text((*head, creator_text(creator), len(plan.tables.images)), rows)


def write_plan(plan: BreakerPlan, path: str | os.PathLike[str], *, creator: str = "") -> None:
    """Write a plan into a file."""
    replace_file(path, plan_text(plan, creator=creator))


def read_plan(source: str | os.PathLike[str] | bytes) -> BreakerPlan:
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


def plan_without_states(data: bytes) -> BreakerPlan:
    """Return what the beginning of a plan's file promises, whose hash is not looked at."""
    return _without_states(_FILES.head(data))


def _without_states(values: Sequence[str]) -> BreakerPlan:
    """Return a plan by the fields of the header."""
    spec, position, seat, _, cells, *_ = values
    game = Game(spec)
    keys = tuple(number(cell, "a key") for cell in cells.split(","))
    return BreakerPlan(game, number(seat, "the seat"), keys, (), game.position(position))


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
