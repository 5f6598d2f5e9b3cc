"""The checker: plays a strategy against everything, by the reference rules and nothing else.

It walks from the first position of the claim. Where the strategy's player is to move it plays
the stored move; where others are, it tries every legal move. Positions that are images of each
other under a symmetry of the game (checked in :mod:`hyperoxo.proof.forms`) are walked once. At
every end the claim must hold, and at the end of the walk every stored move must have been used.
Nothing that searches or that is compiled takes part.
"""

from __future__ import annotations

import time

from hyperoxo.errors import CheckFailedError, HyperoxoError
from hyperoxo.position import Position
from hyperoxo.proof.forms import forms_of
from hyperoxo.proof.strategy import Strategy, holds
from hyperoxo.proof.verdict import Verdict
from hyperoxo.rules import CLASSIC, Requires

__all__ = ["check", "walk"]

_STRATEGIES = Requires("checking strategies", CLASSIC)


def check(strategy: Strategy, *, begin: float | None = None) -> Verdict:
    """Check a strategy that is already in memory.

    Parameters
    ----------
    strategy : Strategy
        The strategy.
    begin : float, optional
        When the clock started, as `time.perf_counter` told; now if it is not given.

    Returns
    -------
    Verdict
        The verdict.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> check(Strategy(Game("2^2"), 1, "win", {})).reason
    'no move is stored for position ....'
    """
    begin = time.perf_counter() if begin is None else begin
    seen: set[bytes] = set()
    verdict, reason = "proved", ""
    try:
        walk(strategy, seen)
    except HyperoxoError as error:
        verdict, reason = "rejected", str(error)
    seconds = time.perf_counter() - begin
    return Verdict(strategy.statement, verdict, reason, len(seen), seconds)


def walk(strategy: Strategy, seen: set[bytes]) -> None:
    """Walk through everything that can happen against a strategy."""
    _STRATEGIES.check(strategy.game)
    forms = forms_of(strategy.game)
    used: set[bytes] = set()
    waiting = [strategy.position]
    while waiting:
        position = waiting.pop()
        form, cells = forms.locate(position.owners)
        if form in seen:
            continue
        seen.add(form)
        if position.outcome is not None:
            if not holds(strategy.claim, strategy.seat, position.outcome):
                raise CheckFailedError(f"the claim fails at the end {_played(position)}")
        elif position.to_move != strategy.seat:
            waiting += [position.play(cell) for cell in position.legal_moves]
        else:
            used.add(form)
            waiting.append(position.play(_stored(strategy, position, form, cells)))
    if len(used) < len(strategy.moves):
        spare = next(key for key in strategy.moves if key not in used)
        count = len(strategy.moves) - len(used)
        moves = "move is" if count == 1 else "moves are"
        raise CheckFailedError(f"{count} stored {moves} never needed, for {_text(spare)}")


def _stored(strategy: Strategy, position: Position, form: bytes, cells: bytes | range) -> int:
    """Return the stored move as a cell of the position itself."""
    move = strategy.moves.get(form)
    if move is None:
        raise CheckFailedError(f"no move is stored for position {_text(form)}")
    if not 0 <= move < len(cells) or cells[move] not in position.legal_moves:
        raise CheckFailedError(f"the move stored for position {_text(form)}, {move}, is not legal")
    return cells[move]


def _played(position: Position) -> str:
    return f"{position.text}, reached by the moves {','.join(map(str, position.history))}"


def _text(owners: bytes) -> str:
    signs = {0: ".", 255: "#"}
    return "".join(signs.get(owner, str(owner)) for owner in owners)
