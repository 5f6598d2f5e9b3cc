"""One moment of a game: immutable, legal by construction, the reference of the rules.

The rules, in the words of the code below:

- Players 1..q take turns to put a stone on a free cell; with a bias each takes several cells
  a turn, and another than player 1 may start.
- A player owns a line when all its cells hold that player's stones; by `exact` no stone of theirs
  may follow on either side, so that a player can also lose a line.
- A player who owns `target` lines wins immediately (misère: loses, and all others win).
- On a full board the highest number of lines wins (misère: the lowest); an equal
  best score is a draw.
- Maker-Breaker: player 1 wins with `target` lines, player 2 on a full board. Avoider-Enforcer:
  player 1 loses with `target` lines and wins on a full board. Lines of player 2 do not count.
- Gravity: a stone may lie on the floor, on a blocked cell or on another stone.
- Opening: the first moves of the player who starts go to the given cells, as long as one
  of them can be played.

Cells are numbered row by row and layer by layer, so ``text`` of 3^2 after 4, 0, 2 is::

    2 . 1
    . 1 .   ->  "2.1.1...."
    . . .
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np

from hyperoxo.board import full_lines
from hyperoxo.display import Drawn, text_of
from hyperoxo.errors import IllegalMoveError, SpecError
from hyperoxo.game.conventions import DRAWN
from hyperoxo.game.game import Game
from hyperoxo.game.names import read_move
from hyperoxo.game.setup import BLOCKED, FREE, check_setup, restricts, scores_of, spelled

_IS_FREE = bytes(owner == FREE for owner in range(256))


@dataclass(frozen=True)
class Outcome:
    """Result of a finished game.

    Attributes
    ----------
    winner : int or None
        The one player who won; None in a draw, and when several share the win
        because one player lost (misère with three or more players).
    loser : int or None
        The one player who lost against all others: in misère play the player who
        reached the target, and with two players the opponent of the winner.
    winners : tuple of int
        All players who won, ascending; empty in a draw.

    Examples
    --------
    >>> Outcome(winner=1, loser=2, winners=(1,)).result
    '1'
    >>> Outcome(winner=None, loser=2, winners=(1, 3)).result
    '1+3'
    >>> Outcome(winner=None, loser=None, winners=()).result
    '='
    """

    winner: int | None
    loser: int | None
    winners: tuple[int, ...]

    @property
    def draw(self) -> bool:
        """True if no player won."""
        return not self.winners

    @property
    def result(self) -> str:
        """Players who won joined by ``+``, or ``=`` for a draw."""
        return "+".join(map(str, self.winners)) or "="


def outcome_of(result: int, players: int) -> Outcome | None:
    """Return the outcome for the result of a `Convention`; None while the game goes on."""
    if result == 0:
        return None
    if result == DRAWN:
        return Outcome(None, None, ())
    player = abs(result)
    others = tuple(other for other in range(1, players + 1) if other != player)
    opponent = others[0] if players == 2 else None
    return Outcome(player, opponent, (player,)) if result > 0 else Outcome(opponent, player, others)


class Position(Drawn):
    """A position of a game, reached by legal moves.

    Parameters
    ----------
    game : Game
        The game; the position is the one before the first move.

    Attributes
    ----------
    game : Game
        The game played.
    owners : bytes
        One byte per cell, length N: 0 free, 1..q stones, 255 blocked.
    history : tuple of int
        Cells played since the start, or since the setup.
    setup : bytes or None
        The owners it was set up from, where the moves before are not known.
    ply : int
        Number of stones on the board.
    lines_owned : tuple of int
        Full lines of each player; entry 0 is player 1.

    Examples
    --------
    >>> position = Game("3^2").start().play(4).play(0)
    >>> position.to_move, position.legal_moves
    (1, (1, 2, 3, 5, 6, 7, 8))
    >>> position.play(3).play(1).play(5).outcome.winner
    1
    """

    game: Game
    owners: bytes
    history: tuple[int, ...]
    setup: bytes | None
    ply: int
    lines_owned: tuple[int, ...]

    def __init__(self, game: Game) -> None:
        owners = bytearray(game.board.cell_count)
        for cell in game.blocked:
            owners[cell] = BLOCKED
        start = bytes(owners)
        self.__dict__.update(game=game, owners=start, history=(), setup=None, ply=0)
        self.__dict__["lines_owned"] = (0,) * game.players

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Position cannot be changed (attribute '{name}')")

    @classmethod
    def from_owners(cls, game: Game, owners: bytes, *, reached: bool = False) -> Position:
        """Set up a position from the owner of each cell.

        Parameters
        ----------
        game : Game
            The game.
        owners : bytes
            One byte per cell: 0 free, 1..q stones, 255 blocked.
        reached : bool
            True if play has reached it, so that no order of its moves need be searched for.

        Returns
        -------
        Position
            With empty history and `setup` equal to `owners`.

        Raises
        ------
        NotationError
            If no legal play leads to the position.

        Examples
        --------
        >>> Position.from_owners(Game("3^2"), bytes([1, 2, 0, 0, 0, 0, 0, 0, 0])).to_move
        1
        """
        position = cls(game)
        stones = sum(1 for owner in owners if owner not in (FREE, BLOCKED))
        position.__dict__.update(
            lines_owned=(scores_of if reached else check_setup)(game, owners),
            owners=bytes(owners),
            setup=bytes(owners) if stones else None,
            ply=stones,
        )
        return position

    @cached_property
    def outcome(self) -> Outcome | None:
        """Outcome of the game, or None while it goes on."""
        game = self.game
        full = self.ply == game.cells
        result = game.convention.result(self.lines_owned, game.target, full=full)
        return outcome_of(result, game.players)

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.outcome is not None

    @property
    def to_move(self) -> int:
        """Player to move, 1..q; 0 when the game is over."""
        return 0 if self.is_over else self.game.turns.mover(self.ply)

    @property
    def last_move(self) -> int | None:
        """Cell of the last move, or None if none is known."""
        return self.history[-1] if self.history else None

    @property
    def opening_restricts(self) -> bool:
        """True if the opening restriction applies to the next move."""
        return restricts(self.game, self.ply)

    @cached_property
    def legal_moves(self) -> tuple[int, ...]:
        """Cells that may be played now, ascending; empty when the game is over."""
        if self.is_over:
            return ()
        landing = self.landing_cells
        # The restriction lapses for a move if none of its cells can be played.
        if self.opening_restricts:
            allowed = self.game.opening or frozenset()
            return tuple(cell for cell in landing if cell in allowed) or landing
        return landing

    @cached_property
    def landing_cells(self) -> tuple[int, ...]:
        """Cells where a stone may come to lie, no matter whose turn it is, ascending."""
        free = tuple(compress(range(len(self.owners)), self.owners.translate(_IS_FREE)))
        return free if self.game.below is None else tuple(filter(self._rests, free))

    def _rests(self, cell: int) -> bool:
        below = self.game.below
        return below is None or below[cell] < 0 or self.owners[below[cell]] != FREE

    def play(self, cell: int | str | Sequence[int]) -> Position:
        """Return the position after the player to move plays `cell`.

        Parameters
        ----------
        cell : int, str or sequence of int
            A legal move: the number of a cell, its name for people such as ``"3a4"``, or its
            0-based coordinates.

        Returns
        -------
        Position
            The next position; this one is unchanged.

        Raises
        ------
        IllegalMoveError
            If the move is not legal; the message says why.

        Examples
        --------
        >>> Game("3^3").start().play(13).play("2a3").play((0, 0, 1)).history
        (13, 9, 1)
        >>> Game("3^2").start().play(4).play(4)
        Traceback (most recent call last):
        ...
        hyperoxo.errors.IllegalMoveError: cell 4 is taken
        """
        # The cell was free, so the full lines through it are exactly those completed by this move.
        # The new position is filled directly: it is legal because this one and the move are.
        number = self._checked(cell)
        mover = self.to_move
        owners = bytearray(self.owners)
        owners[number] = mover
        scores = list(self.lines_owned)
        scores[mover - 1] += self.game.board.count_full(owners, number)
        position = object.__new__(Position)
        position.__dict__.update(
            game=self.game,
            owners=bytes(owners),
            history=(*self.history, number),
            setup=self.setup,
            ply=self.ply + 1,
            lines_owned=tuple(scores),
        )
        return position

    def _checked(self, cell: int | str | Sequence[int]) -> int:
        """Return the number of a cell that the player may take, or raise IllegalMoveError."""
        number = cell.__index__() if hasattr(cell, "__index__") else self._named(cell)
        if isinstance(cell, bool):
            raise IllegalMoveError(f"a move is a cell number, not {cell!r}")
        if self.is_over:
            raise IllegalMoveError("the game is over")
        if not 0 <= number < len(self.owners):
            raise IllegalMoveError(
                f"there is no cell {number}; cells are 0 to {len(self.owners) - 1}"
            )
        if self.owners[number] == BLOCKED:
            raise IllegalMoveError(f"cell {number} is blocked")
        if self.owners[number] != FREE:
            raise IllegalMoveError(f"cell {number} is taken")
        if not self._rests(number):
            raise IllegalMoveError(
                f"a stone on cell {number} would fall; the cell under it is free"
            )
        if self.opening_restricts and number not in self.legal_moves:
            raise IllegalMoveError(f"cell {number} is not allowed by the opening restriction")
        return number

    def _named(self, cell: object) -> int:
        """Return the cell of a name or of coordinates."""
        if isinstance(cell, str):
            return read_move(self, cell)
        if not isinstance(cell, tuple | list) or not all(hasattr(at, "__index__") for at in cell):
            raise IllegalMoveError(f"a move is a cell number, a name or coordinates, not {cell!r}")
        try:
            return self.game.board.cell([at.__index__() for at in cell])
        except SpecError as error:
            raise IllegalMoveError(str(error)) from None

    def undo(self, plies: int = 1) -> Position:
        """Return the position `plies` moves earlier.

        Parameters
        ----------
        plies : int, default 1
            Number of moves to take back.

        Returns
        -------
        Position
            The earlier position.

        Raises
        ------
        IllegalMoveError
            If fewer moves are known.

        Examples
        --------
        >>> Game("3^2").start().play(4).play(0).undo().history
        (4,)
        """
        if not 0 <= plies <= len(self.history):
            raise IllegalMoveError(f"cannot take back {plies} of {len(self.history)} known moves")
        remaining = self.history[: len(self.history) - plies]
        position = Position(self.game)
        if self.setup is not None:
            position = Position.from_owners(self.game, self.setup, reached=True)
        for cell in remaining:
            position = position.play(cell)
        return position

    def owned_lines(self, player: int) -> tuple[int, ...]:
        """Return the numbers of the lines that `player` (1..q) owns, ascending.

        Parameters
        ----------
        player : int
            The player, from 1.

        Returns
        -------
        tuple of int
            Numbers of the lines.

        Examples
        --------
        >>> position = Game("3^2").position("11122....")
        >>> position.owned_lines(1), position.owned_lines(2)
        ((0,), ())
        """
        return tuple(full_lines(self.game.board, self.owners, player).tolist())

    @cached_property
    def winning_lines(self) -> tuple[int, ...]:
        """Full lines that ended the game: all lines of the player who reached the target."""
        game = self.game
        reached = game.convention.result(self.lines_owned, game.target, full=False)
        return self.owned_lines(abs(reached)) if reached else ()

    @cached_property
    def text(self) -> str:
        """One character per cell: ``.`` free, ``1``-``8`` stones, ``#`` blocked."""
        return spelled(self.owners)

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= 100 else self.text[:97] + "..."
        return f"<Position {self.game} {text}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position) and self.owners == other.owners and self.game == other.game
        )

    def __hash__(self) -> int:
        return hash((self.game, self.owners))


def cells_of_lines(position: Position, lines: Iterable[int]) -> frozenset[int]:
    """Return all cells of some lines."""
    board = position.game.board
    return frozenset(int(cell) for line in lines for cell in board.line(line))


def playable_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells where a player may put the next stone, unless they are taken first.

    While the opening restricts that stone and another player is to move, these are opening cells
    only: the move between may uncover one.
    """
    if player == position.to_move:
        return position.legal_moves
    # The restriction counts moves of the first player, whose next stone has the number of those on
    # the board.
    game, landing, opening = position.game, position.landing_cells, position.game.opening
    used_up = position.owners.count(player) >= game.opening_moves
    if opening is None or player != game.first or used_up:
        return landing
    return tuple(cell for cell in landing if cell in opening)


def lacking_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells that would complete a line of a player that counts, playable or not."""
    game, board = position.game, position.game.board
    if not board.line_count or not game.convention.counts(player):
        return ()
    if position.owners.count(player) + 1 < board.line_sizes.min():
        return ()
    # `lines` ``[L, width]`` pads shorter lines with -1, which indexes the last cell: `real` masks
    # these entries. A line with all stones but one lacks the cell that is not the player's, if
    # that is free.
    lines = board.lines
    owners = np.frombuffer(position.owners, np.uint8)
    there = owners[lines]
    real = lines >= 0
    own = ((there == player) & real).sum(axis=1)
    near = np.flatnonzero(own == board.line_sizes - 1)
    if board.exact:
        beyond = board.beyond[near]
        near = near[~((owners[beyond] == player) & (beyond >= 0)).any(axis=1)]
    lacking = there[near] != player
    free = lacking & real[near] & (there[near] == FREE)
    return tuple(sorted({*lines[near][free].tolist()}))


def completing_cells(position: Position, player: int) -> tuple[int, ...]:
    """Return the cells where a player may complete a line with the next stone."""
    lacking = lacking_cells(position, player)
    playable = set(playable_cells(position, player)) if lacking else set()
    return tuple(cell for cell in lacking if cell in playable)
