"""A key plan as a value: the key cells, and the states that the file lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hyperoxo.errors import SpecError
from hyperoxo.game import Bounds, Game, Position, Requires, Trait, Value, Why
from hyperoxo.proof.claim import Proof
from hyperoxo.proof.envelope import owners_text

if TYPE_CHECKING:
    from hyperoxo_research.proof.keyplan.board import Tables

__all__ = ["PLANS", "KeyPlan", "PlanState", "bounds_of"]

PLANS = Requires(
    "a plan for Breaker",
    {
        *(Trait.STRONG, Trait.MAKER_BREAKER, Trait.ONE_LINE, Trait.SEVERAL_LINES),
        *(Trait.FREE_OPENING, Trait.RESTRICTED_FIRST_MOVE, Trait.RESTRICTED_MOVES),
        *(Trait.PLAYER_ONE_STARTS, Trait.ANOTHER_STARTS),
    },
)


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

    @property
    def counts(self) -> str:
        """The numbers of counted stones as a row of the file has them."""
        if not self.regions:
            return str(self.counted)
        warm = ",".join(map(str, self.warm)) or "-"
        return f"{self.counted} {','.join(map(str, self.regions))} {warm}"

    def __str__(self) -> str:
        stones = owners_text(self.stones, len(self.stones))
        return f"the state {stones} with {self.counts} counted"


@dataclass(frozen=True)
class KeyPlan(Proof):
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
    >>> KeyPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), pairs).statement
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
        super().__post_init__()

    @property
    def wins(self) -> bool:
        """True if the Breaker wins by the plan, false if it only draws."""
        return self.game.convention.full_board == self.seat

    @property
    def by_lines(self) -> bool:
        """True if states also record which lines bear many stones."""
        return any(state.regions for state in self.states)

    @property
    def claim(self) -> str:
        """The claim in one word, as for strategies."""
        return "win" if self.wins else "draw"

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        cells = "cell" if len(self.keys) == 1 else "cells"
        return f"{super().statement} by a plan on {len(self.keys)} key {cells}"

    @property
    def tables(self) -> Tables:
        """Lines and symmetries as arrays; CheckFailedError where the keys make no sense."""
        from hyperoxo_research.proof.keyplan.board import tables_of

        return tables_of(self.position, 3 - self.seat, self.keys)


def bounds_of(plan: KeyPlan) -> Bounds:
    """Bounds of the other player's value by a plan."""
    facts = {"maker": 3 - plan.seat, "breaker": plan.seat, "keys": len(plan.keys)}
    if plan.wins:
        return Bounds.exactly(Value.LOSS, Why.PLAN(**facts, ends="wins"))
    return Bounds(high=Value.DRAW, reasons=(Why.PLAN(**facts, ends="never loses"),))
