"""Coalition proofs: all others together keep one seat from a win or a draw.

The checker walks through all positions that arise when the others reply as stored and the seat
moves freely. It closes a branch only where it verifies the claim itself:

- The game is over, and the seat has not won (``no-win``), or another player has (``no-draw``).
- *Completion.* One of the others completes a line before the seat moves again, and those who
  move before that player have other free cells to play on.
- *Potential*, for ``no-win`` only, where no move is stored: the others have all their q - 1
  moves to come, and the sum of q^-(free cells) over the lines without a stone of theirs is
  below 1 (J. Beck 1982; for two players P. Erdős and J. Selfridge 1973). The sum is taken in
  integers.

No search and no compiled code takes part.

Files are those of strategies (:mod:`hyperoxo.proof.strategy`) except for the first line,
``hyperoxo-coalition 1``: the seat is the player who is kept from the claim, ``no-win`` or
``no-draw``, and the moves are replies of the others. Positions that the checker can close itself
are not listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import CLASSIC, FREE, Game, Known, Outcome, Position, Requires, spelled
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.claim import Checker, Proof
from hyperoxo.proof.envelope import ClaimSchema, move_rows, rows_moves
from hyperoxo.proof.strategy import check_used, stored_move

PREVENTIONS = ("no-win", "no-draw")

_COALITIONS = Requires("checking coalitions", CLASSIC)
_COMPLETION = Requires("completion", {*Known.PLAYERS, *Known.OPENINGS})
_POTENTIAL = Requires("the potential", {*Known.PLAYERS, *Known.TARGETS, *Known.OPENINGS})


@dataclass(frozen=True)
class Prevention(Proof):
    """Replies of all the others together that keep a seat from a win or a draw.

    Attributes
    ----------
    game : Game
        The game.
    seat : int
        The player who is kept from it, 1..q.
    claim : {"no-win", "no-draw"}
        ``"no-win"``: the seat does not win. ``"no-draw"``: another player wins, so that the seat
        does not even draw.
    moves : mapping of bytes to int
        Replies of the others by the owners of the position, in the form that
        `canonical_forms_of` gives it; the cell is a cell of that form. Every position that is
        needed is listed, and no other.
    begins : Position or None
        First position; None for the start of the game.

    Raises
    ------
    SpecError
        If there is no such seat or claim, or the position belongs to another game.

    Examples
    --------
    >>> Prevention(Game("4^3:players=4"), 1, "no-win", {}).statement
    'player 1 cannot force a win in 4^3:players=4 against all others together'
    """

    game: Game
    seat: int
    claim: str
    moves: Mapping[bytes, int]
    begins: Position | None = None
    claims = PREVENTIONS

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        what = "a win" if self.claim == "no-win" else "even a draw"
        others = "player " + str(3 - self.seat) if self.game.players == 2 else "all others together"
        return f"player {self.seat} cannot force {what} in {self.game}{self._from} against {others}"


@Checker
def check_prevention(claimed: Prevention, seen: set[bytes]) -> None:
    """Check a prevention; `positions` counts those walked, without the ends of branches."""
    _COALITIONS.check(claimed.game)
    forms = canonical_forms_of(claimed.game)
    used: set[bytes] = set()
    # A position is made when its turn comes: a large board has many, and a claim may fail early.
    waiting: list[Callable[[], Position]] = [lambda: claimed.position]
    while waiting:
        position = waiting.pop()()
        # 1. Close the branch where the game is over, or where one of the others completes a line
        # before the seat moves again: that ends the game with the seat without win or draw.
        if position.outcome is not None:
            if not _is_prevented(claimed, position.outcome):
                raise CheckFailedError(
                    f"the claim fails at the end {position.text}, reached by the moves "
                    f"{','.join(map(str, position.history))}"
                )
            continue
        if completes(position, claimed.seat):
            continue
        # 2. Walk one position of each class.
        form, cells = forms.locate(position.owners)
        if form in seen:
            continue
        seen.add(form)
        # 3. Every move of the seat that does not lose to a completion; one stored move of another.
        # Without one, only the potential may close the branch, and it never gives a player a line.
        if position.to_move == claimed.seat:
            waiting += [partial(position.play, cell) for cell in replies(position, claimed.seat)]
        elif form in claimed.moves:
            used.add(form)
            waiting += [partial(position.play, stored_move(claimed.moves, position, form, cells))]
        elif claimed.claim == "no-draw" or not contained(position, claimed.seat):
            raise CheckFailedError(f"no move is stored for position {spelled(form)}")
    check_used(claimed.moves, used)


def _is_prevented(claimed: Prevention, outcome: Outcome) -> bool:
    """True if the others reach their goal at the end of a game."""
    if claimed.claim == "no-win":
        return claimed.seat not in outcome.winners
    return bool(outcome.winners) and claimed.seat not in outcome.winners


def completes(position: Position, seat: int) -> bool:
    """Return whether another player is to move and one can complete a line before `seat` moves."""
    return position.to_move != seat and bool(_threatened(position, seat))


def replies(position: Position, seat: int) -> tuple[int, ...]:
    """Return the moves of a seat, without those that allow the others a completion at once."""
    threatened = _threatened(position, seat)
    if not threatened:
        return position.legal_moves
    # Any other move is answered by a completion. With one threatened cell the seat may take it;
    # with two or more one of them remains. Or the seat completes a line first.
    allowed = _last_cells(position.game, position.owners, seat)
    if len(threatened) == 1:
        allowed |= threatened
    return tuple(cell for cell in position.legal_moves if cell in allowed)


def _threatened(position: Position, seat: int) -> set[int]:
    """Cells that complete a line of another player before the seat's next move."""
    # If the seat is to move it moves first. None in games where a completed line does not end the
    # game in favour of its owner, or where not every free cell may be played on.
    game, owners, found = position.game, position.owners, set[int]()
    if not _COMPLETION.accepts(game) or not _opening_is_over(position):
        return found
    free = owners.count(FREE)
    for ahead in range(int(position.to_move == seat), game.players):
        player = (position.ply + ahead) % game.players + 1
        # Those who move before need a free cell each, besides the one that completes the line.
        if player == seat or free <= ahead:
            break
        found |= _last_cells(game, owners, player)
    return found


def _last_cells(game: Game, owners: bytes, player: int) -> set[int]:
    """Cells that complete a line of a player."""
    lines = game.board.lines[_cells_short(game, owners, player) == 1]
    return {cell for line in lines.tolist() for cell in line if cell >= 0 and owners[cell] == FREE}


def contained(position: Position, seat: int) -> bool:
    """Return whether the potential proves that a seat completes no line at all.

    False also where the theorem does not apply, or where the others do not have all their moves
    to make.
    """
    # The potential needs a full turn of the q - 1 others ahead: the seat has just moved.
    game, owners = position.game, position.owners
    if position.to_move != seat % game.players + 1:
        return False
    if not _POTENTIAL.accepts(game) or not _opening_is_over(position):
        return False
    # Multiplied by q^longest: a line without a stone of the others and with k free cells weighs
    # q^(longest - k), and the sum must stay below q^longest. Python integers do not overflow.
    longest = int(game.board.line_sizes.max(initial=0))
    short = _cells_short(game, owners, seat)
    lines = np.bincount(short[short < _LOST], minlength=longest + 1)
    weights = [game.players ** (longest - free) for free in range(longest + 1)]
    total = sum(count * weight for count, weight in zip(lines.tolist(), weights, strict=True))
    return bool(total < weights[0])


def _opening_is_over(position: Position) -> bool:
    """True if the first player has made all moves that the opening restricts."""
    moved = -(-position.ply // position.game.players)
    return moved >= position.game.opening_moves


_LOST, _PADDING = 1 << 20, 254


def _cells_short(game: Game, owners: bytes, player: int) -> NDArray[np.int64]:
    """Free cells of each line without a stone of the others; `_LOST` or more for other lines."""
    # One term for each owner; a stone of the others outweighs any number of free cells.
    worth = np.full(256, _LOST, dtype=np.int64)
    worth[FREE], worth[player], worth[_PADDING] = 1, 0, 0
    # Shorter lines are padded with -1, which is the last entry.
    found = worth[np.frombuffer(owners + bytes([_PADDING]), dtype=np.uint8)]
    free: NDArray[np.int64] = found[game.board.lines].sum(axis=1)
    return free


FILE = ClaimSchema(
    "coalition",
    "game position seat claim creator symmetries moves",
    Prevention,
    lambda prevention: move_rows(prevention.game, prevention.moves),
    rows_moves,
    PREVENTIONS,
)
prevention_text, read_prevention = FILE.write, FILE.read_proof
