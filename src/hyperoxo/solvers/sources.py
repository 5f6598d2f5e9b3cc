"""Sources of knowledge that other packages add to the theorems, stored proofs and tables here.

An entry point of the group ``hyperoxo.sources`` names a `Source`. Each of its methods may look at
any game and has to see by itself whether it says something of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Bounds, Game, Position, Reason, Why
from hyperoxo.proof.kinds import BoardProof, Proof
from hyperoxo.registry import loaded


@dataclass
class Stored:
    """Bounds of a position, with each proof that says something, and of the moves decided."""

    own: Bounds = field(default_factory=Bounds)
    moves: dict[int, Bounds] = field(default_factory=dict)


@dataclass(frozen=True)
class Drawless:
    """Why no play of a game ends in a draw, and the proof of that, which is checked.

    `large` games are those of which a strategy would be far too large to be looked for.
    """

    reason: Reason
    proof: Callable[[], BoardProof | None] = lambda: None
    large: bool = False


@dataclass(frozen=True)
class FullBoard:
    """A full board without a line of one player; None with `exhausted` where there is none."""

    owners: tuple[int, ...] | None
    exhausted: bool


class Source:
    """Knowledge that needs no search; a subclass has those methods of which it knows something."""

    references: Mapping[Why, str] = MappingProxyType({})
    """Publications of its theorems."""

    def bounds(self, position: Position) -> Iterable[Bounds]:
        """Bound what the player to move can force, by theorems."""
        return ()

    def stored(self, position: Position) -> Stored | None:
        """Bound a position and its moves by proofs that come with the package."""

    def no_draw(self, game: Game) -> Drawless | None:
        """Return why a game has no draw; None where it may have one."""

    def full_board(self, game: Game, seed: int) -> FullBoard | None:
        """Look for a full board without a line of one player."""

    def prove(self, position: Position, seat: int) -> Proof | None:
        """Return a certificate of at least a draw for a seat."""


@cache
def sources() -> tuple[Source, ...]:
    """Return the sources of other packages."""
    return tuple(found for _, found in loaded("hyperoxo.sources"))


def full_board(game: Game, seed: int = 0) -> FullBoard:
    """Look for a full board without a line of one player, by the first source that can."""
    for source in sources():
        if (found := source.full_board(game, seed)) is not None:
            return found
    raise CheckFailedError("full boards are sought by hyperoxo_research, which is not installed")
