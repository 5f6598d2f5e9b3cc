"""Strategies: a player's move in every position that their own play can reach; checker and file.

The checker walks from the first position of the claim. For the strategy's player it plays the
stored move; for others it tries every legal move. Positions that are images of each other under a
symmetry of the game (checked in :mod:`hyperoxo.proof.canonical`) are walked
once. At every end the
claim must hold, and at the end of the walk every stored move must have been
used. No search and no
compiled code takes part.

A strategy file is ASCII text; every line ends in one line feed, also the last::

    hyperoxo-strategy 1
    sha256 5d0c...                          64 hexadecimal digits, lower case
    game 3^2                                canonical spelling
    position .........                      where the strategy begins
    seat 1
    claim draw                              win or draw
    creator oxo solve 3^2 --proof x.proof   what made it, on one line, or - for nothing
    symmetries 8                            symmetries under which positions are merged
    moves 29                                lines that follow
    ......... 4
    ...                                     position, space, cell; positions ascending

First line and hash are those of all proof files (:mod:`hyperoxo.proof.envelope`). Positions are
written as everywhere (``.`` free, ``1``-``8`` stones, ``#`` blocked), in the form that
:class:`~hyperoxo.proof.canonical.CanonicalForms` gives them, and in ascending order of their
owners (free before stones before blocked). A strategy has exactly one file for each creator.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from hyperoxo.errors import CheckFailedError
from hyperoxo.files import replace_file
from hyperoxo.game import Axis, Game, Outcome, Position, Requires, spelled
from hyperoxo.proof import envelope
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.claim import Checker, Proof


@dataclass(frozen=True)
class Strategy(Proof):
    """One player's strategy, and its claim against all others together.

    Attributes
    ----------
    game : Game
        The game.
    seat : int
        The player who follows the strategy, 1..q.
    claim : {"win", "draw"}
        ``"win"``: the player wins, whatever the others do. ``"draw"``: no other player wins, so
        that with two players this one does not lose.
    moves : mapping of bytes to int
        The move, by the owners of the position (0 free, 1..q stones, 255 blocked). Each position
        is in the form that `canonical_forms_of` gives it, and the cell is a cell of that form.
        Every position where the player is to move and that this strategy can lead to is listed,
        and no other.
    begins : Position or None
        First position; None for the start of the game.

    Raises
    ------
    SpecError
        If there is no such seat or claim, or the position belongs to another game.

    Examples
    --------
    >>> strategy = Strategy(Game("2^2"), 1, "win", {})
    >>> strategy.statement
    'player 1 wins 2^2'
    """

    game: Game
    seat: int
    claim: str
    moves: Mapping[bytes, int]
    begins: Position | None = None

    def is_endgame(self, position: Position) -> bool:
        """Return whether a position is left to the checker; none is here.

        Parameters
        ----------
        position : Position
            A position of the game.

        Returns
        -------
        bool
            False, except for strategies of other kinds.
        """
        return False

    def reply(self, position: Position) -> int | None:
        """Return the stored move of the seat.

        Parameters
        ----------
        position : Position
            A position with the seat to move.

        Returns
        -------
        int or None
            The cell; None if no move is stored for the position or an image of it.
        """
        form, cells = canonical_forms_of(self.game).locate(position.owners)
        move = self.moves.get(form)
        return None if move is None else cells[move]


def fulfils(claim: str, seat: int, outcome: Outcome) -> bool:
    """Return whether an outcome fulfils a claim for a seat."""
    return seat in outcome.winners or (claim == "draw" and outcome.draw)


_STRATEGIES = Requires("checking strategies", Axis)


def walk(
    strategy: Strategy,
    seen: set[bytes],
    is_forced: Callable[[Position], bool] = lambda _: False,
    urgent_move: Callable[[Position], int | None] = lambda _: None,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Walk through all positions that can arise against a strategy.

    `is_forced` decides whether the claim holds in an endgame, and `urgent_move` returns a move that
    is not listed.
    """
    _STRATEGIES.check(strategy.game)
    forms = canonical_forms_of(strategy.game)
    used: set[bytes] = set()
    # A position is made when its turn comes: a large board has many, and a claim may fail early.
    waiting: list[Callable[[], Position]] = [lambda: strategy.position]
    while waiting:
        # 1. Take one position of each class: symmetries keep legal moves and results, and the
        # stones determine the player to move.
        position = waiting.pop()()
        form, cells = forms.locate(position.owners)
        if form in seen:
            continue
        seen.add(form)
        # 2. A finished game must confirm the claim, an endgame by the checker's own search.
        if position.outcome is not None:
            if not fulfils(strategy.claim, strategy.seat, position.outcome):
                raise CheckFailedError(f"the claim fails at the end {_played(position)}")
        elif strategy.is_endgame(position):
            if not is_forced(position):
                raise CheckFailedError(f"the claim fails in the endgame {_played(position)}")
        # 3. All replies of the others, who may act together against the seat.
        elif position.to_move != strategy.seat:
            waiting += [partial(position.play, cell) for cell in position.legal_moves]
        # 4. The seat's own move: one, by rule or by the list.
        else:
            move = urgent_move(position)
            if move is None:
                move = stored_move(strategy.moves, position, form, cells)
                used.add(form)
                if progress is not None:
                    progress(len(used), len(strategy.moves))
            waiting.append(partial(position.play, move))
    # Unused moves are harmless, but with them a strategy would have more than one file.
    check_used(strategy.moves, used)


check = Checker(walk)
"""Checker of a strategy that is already in memory."""


def check_used(moves: Mapping[bytes, int], used: set[bytes]) -> None:
    """Check that a walk has used every stored move."""
    spare = [form for form in moves if form not in used]
    if spare:
        are = "move is" if len(spare) == 1 else "moves are"
        raise CheckFailedError(f"{len(spare)} stored {are} never needed, for {spelled(spare[0])}")


def stored_move(
    moves: Mapping[bytes, int], position: Position, form: bytes, cells: bytes | range
) -> int:
    """Return the stored move as a cell of the position itself."""
    move = moves.get(form)
    if move is None:
        raise CheckFailedError(f"no move is stored for position {spelled(form)}")
    if not 0 <= move < len(cells) or cells[move] not in position.legal_moves:
        raise CheckFailedError(
            f"the move stored for position {spelled(form)}, {move}, is not legal"
        )
    return cells[move]


def _played(position: Position) -> str:
    return f"{position.text}, reached by the moves {','.join(map(str, position.history))}"


FILE = envelope.ClaimSchema(
    "strategy",
    "game position seat claim creator symmetries moves",
    Strategy,
    lambda strategy: envelope.move_rows(strategy.game, strategy.moves),
    envelope.rows_moves,
)
strategy_text = FILE.write


@dataclass(frozen=True)
class ProofFile:
    """Content of a strategy file; reading it proves nothing."""

    strategy: Strategy
    creator: str
    sha256: str


def write_strategy(
    strategy: Strategy, path: str | os.PathLike[str], *, creator: str = ""
) -> ProofFile:
    r"""Write a strategy into a file.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    path : str or path-like
        Name of the file; it is replaced if it exists.
    creator : str
        What made it, such as a command line; anything but printable ASCII becomes ``?``.

    Returns
    -------
    ProofFile
        What was written.

    Examples
    --------
    >>> import tempfile
    >>> strategy = Strategy(Game("1^1"), 1, "win", {b"\0": 0})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_strategy(strategy, folder + "/one.proof", creator="by hand")
    ...     read_strategy(folder + "/one.proof") == written
    True
    """
    text = strategy_text(strategy, creator=creator)
    replace_file(path, text)
    return read_strategy(text)


def read_strategy(source: str | os.PathLike[str] | bytes) -> ProofFile:
    """Read a strategy file; `verify` checks its claim.

    Raises `NotationError` if anything is not exactly as `write_strategy` would write it.
    """
    data = envelope.read_bytes(source)
    return ProofFile(*FILE.read_file(data), envelope.file_hash(data))
