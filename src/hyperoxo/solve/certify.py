"""Turning what an exact search knows into a strategy that can be checked."""

from __future__ import annotations

import math

from hyperoxo.errors import CheckFailedError, LimitError
from hyperoxo.kernels.minimax import WIN
from hyperoxo.position import Position
from hyperoxo.proof import Forms, Strategy, forms_of
from hyperoxo.solve.exact import ExactSearch

__all__ = ["find_strategy"]


def find_strategy(
    search: ExactSearch, position: Position, seat: int, claim: str | None = None
) -> Strategy:
    """Find a strategy with which a player keeps what he can force.

    Parameters
    ----------
    search : ExactSearch
        A search of the game.
    position : Position
        Where the strategy begins.
    seat : int
        The player who follows it.
    claim : {"win", "draw"}, optional
        What it shall force; the best that it can if not given.

    Returns
    -------
    Strategy
        The strategy; where it wins, it wins as soon as it can.

    Raises
    ------
    CheckFailedError
        If the player cannot force that.
    LimitError
        If a limit of the search was reached.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> start = Game("3^2").start()
    >>> find_strategy(ExactSearch(start.game), start, 2).statement
    'player 2 gets at least a draw in 3^2'
    """
    value = search.value(position, seat)
    if math.isnan(value):
        raise LimitError("the proof was not found within the limit")
    best = "win" if value > 0 else "draw"
    claim = claim or best
    if value < 0 or (claim == "win" and best == "draw"):
        raise CheckFailedError(f"player {seat} cannot force a {claim} against all others")
    forms = forms_of(position.game)
    moves = _walk(search, position, seat, claim, forms)
    return Strategy(position.game, seat, claim, moves, position)


def _walk(
    search: ExactSearch, position: Position, seat: int, claim: str, forms: Forms
) -> dict[bytes, int]:
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [position]
    while waiting:
        here = waiting.pop()
        form, cells = forms.locate(here.owners)
        if form in seen or here.is_over:
            continue
        seen.add(form)
        if here.to_move != seat:
            waiting += [here.play(cell) for cell in here.legal_moves]
            continue
        choose = _winning_move if claim == "win" else _drawing_move
        move = choose(search, here, seat)
        moves[form] = list(cells).index(move)
        waiting.append(here.play(move))
    return moves


def _by_degree(position: Position) -> list[int]:
    degrees = position.game.board.degrees
    return sorted(position.legal_moves, key=lambda cell: -int(degrees[cell]))


def _winning_move(search: ExactSearch, position: Position, seat: int) -> int:
    best, chosen = 0.0, -1
    for cell in _by_degree(position):
        value = _value(search, position.play(cell), seat, best, math.inf)
        if value > best:
            best, chosen = value, cell
        if best >= WIN - position.ply - 1:
            break
    assert chosen >= 0
    return chosen


def _drawing_move(search: ExactSearch, position: Position, seat: int) -> int:
    for cell in _by_degree(position):
        if _value(search, position.play(cell), seat, -1.0, 0.0) >= 0:
            return cell
    raise AssertionError("the search contradicts itself")


def _value(search: ExactSearch, after: Position, seat: int, low: float, high: float) -> float:
    value = search.value(after, seat, low=low, high=high)
    if math.isnan(value):
        raise LimitError("the proof was not found within the limit")
    return value
