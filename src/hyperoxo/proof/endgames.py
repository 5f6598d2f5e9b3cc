"""Strategies that list moves down to endgames; the checker searches those to the end.

A full strategy for a long game would consist mostly of endgames. This kind lists moves only where
more than a number of cells are free and the player has a choice. The player plays the first of
these that is possible:

1. a cell that completes a line;
2. the cell in which the other would complete one;
3. the move that is listed.

The checker walks through all replies, and decides each endgame by its own exhaustive search
(:mod:`hyperoxo.proof.endgame_loops`), which a limit bounds. At the end of the walk every listed
move must have been used.

The file is that of a strategy (:mod:`hyperoxo.proof.strategy`) with one more field::

    hyperoxo-endgames 1
    ...
    symmetries 2
    free 22                 positions with at most this many free cells are searched
    moves 81819
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from hyperoxo.errors import CheckFailedError, LimitError, SpecError
from hyperoxo.game import FREE, Game, Known, Position, Requires, Trait, completing_cells
from hyperoxo.proof import endgame_loops
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.envelope import ClaimSchema, move_rows, rows_moves
from hyperoxo.proof.strategy import Strategy, fulfils, walk

ENDGAME_SEARCH = Requires("searching endgames", {Trait.STRONG, *Known.PLACEMENTS})
MOST_FREE = 26
"""Free cells of an endgame at most; files that leave more to the checker are refused."""
_MOST_NODES = 1_000_000_000


@dataclass(frozen=True)
class EndgameStrategy(Strategy):
    """A strategy without its endgames, positions with at most `free` free cells.

    Attributes
    ----------
    free : int
        Free cells of an endgame, at most 26.

    Raises
    ------
    SpecError
        If a strategy of these values is refused, or `free` is out of range.

    Examples
    --------
    >>> strategy = EndgameStrategy(Game("4,4,4:gravity"), 2, "draw", {}, free=16)
    >>> strategy.statement, check_endgames(strategy).verdict
    ('player 2 gets at least a draw in 4,4,4:gravity', 'proved')
    """

    free: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.free <= MOST_FREE:
            raise SpecError(f"endgames have 0 to {MOST_FREE} free cells, not {self.free}")

    def is_endgame(self, position: Position) -> bool:
        """Return whether a position is left to the checker."""
        return position.owners.count(FREE) <= self.free

    def reply(self, position: Position) -> int | None:
        """Return the move of the seat, in an endgame one that a search finds; None if unknown."""
        if position.to_move != self.seat:
            return None
        move = urgent_move(position)
        if move is not None or not self.is_endgame(position):
            return super().reply(position) if move is None else move
        search = _search(self.game, self.seat, self.claim)
        # The search only decides positions: try the moves until one keeps the claim.
        for cell in position.legal_moves:
            after = position.play(cell)
            ends = after.outcome
            if fulfils(self.claim, self.seat, ends) if ends else search.is_forced(after):
                return cell
        return None


class EndgameSearch:
    """Exhaustive search for one seat and claim, with one memory for all positions."""

    def __init__(self, game: Game, seat: int, claim: str) -> None:
        ENDGAME_SEARCH.check(game)
        if game.board.cell_count > endgame_loops.MOST_CELLS:
            raise LimitError(
                f"endgames are searched on at most {endgame_loops.MOST_CELLS} cells, unlike {game}"
            )
        self.seat, self.claim = seat, claim
        self._masks, self._memory = endgame_loops.masks_of(game), endgame_loops.memory_of(game)

    def is_forced(self, position: Position) -> bool:
        """Return whether the seat can force its claim from a running position."""
        owners, mover = np.frombuffer(position.owners, np.uint8), position.to_move
        own, other = (
            np.uint64(sum(1 << int(cell) for cell in np.flatnonzero(owners == player)))
            for player in (mover, 3 - mover)
        )
        # The loop decides for the player to move: the seat needs a line if it claims a win, and the
        # other needs one if the seat claims a draw.
        ours = mover == self.seat
        found = endgame_loops.reaches_goal(
            self._masks, self._memory, own, other, ours == (self.claim == "win"), _MOST_NODES
        )
        if found == endgame_loops.OUT_OF_NODES:
            raise CheckFailedError(f"the endgame {position.text} takes too long to search")
        return bool(found) == ours


@Checker
def check_endgames(
    strategy: EndgameStrategy,
    seen: set[bytes],
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Check a strategy that is in memory."""
    search = EndgameSearch(strategy.game, strategy.seat, strategy.claim)
    walk(strategy, seen, search.is_forced, urgent_move, progress)


def urgent_move(position: Position) -> int | None:
    """Return a move that completes a line or stops one, if there is one."""
    mover = position.to_move
    cells = completing_cells(position, mover) or completing_cells(position, 3 - mover)
    return cells[0] if cells else None


@lru_cache(maxsize=4)
def _search(game: Game, seat: int, claim: str) -> EndgameSearch:
    return EndgameSearch(game, seat, claim)


FILE = ClaimSchema(
    "endgames",
    "game position seat claim creator symmetries free moves",
    EndgameStrategy,
    lambda strategy: move_rows(strategy.game, strategy.moves),
    rows_moves,
    free="the number of free cells",
)
