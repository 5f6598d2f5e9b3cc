"""Values of each seat against the coalition of all the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from hyperoxo.display import Result
from hyperoxo.errors import LimitError, SpecError, quoted
from hyperoxo.game import Bounds, Game, Position, Reason, Value, Why
from hyperoxo.jit import working_time
from hyperoxo.kernels.playout import random_games
from hyperoxo.proof import CLAIMS, PREVENTIONS, Prevention, Strategy
from hyperoxo.solvers.arrays import position_of, tables_of, wins_of
from hyperoxo.solvers.coalition.search import (
    GOALS,
    forcing,
    prevention_of,
    strategy_of,
)
from hyperoxo.solvers.coalition.table import Tabulated, largest_table, tabulated
from hyperoxo.task import Progress, Task
from hyperoxo.untrusted import memory_limit

__all__ = ["Coalition", "SeatForces", "coalition", "coalition_proof"]

_RANDOM_GAMES = 2_000
_TABLE_CELLS = 12
_TABLE_CLASSES = 1 << 20


@dataclass(frozen=True)
class SeatForces:
    """Value of one seat against all others together."""

    player: int
    known: Bounds
    nodes: int
    _data = "player forces bounds=known.pair evidence nodes"

    @property
    def forces(self) -> str:
        """``"win"``, ``"draw"``, ``"nothing"`` or ``"unknown"``."""
        return self.known.word

    @property
    def evidence(self) -> str:
        """Why, in sentences."""
        return " ".join(map(str, self.known.reasons))


@dataclass(frozen=True)
class Coalition(Result):
    """Values of all seats, each against all the others together.

    Attributes
    ----------
    position : Position
        Where play begins.
    seats : tuple of SeatForces
        By seat.
    interesting : bool or None
        Whether every player can win or draw in some line of play and no player can force a win;
        None if that is not known.
    table : Tabulated or None
        Kingmakers and max^n values, where all positions were examined. max^n answers another
        question than `seats`: what happens if all players play only for themselves.
    no_table : str
        Why there is no table, else empty.
    seconds : float
        Time it took.
    interrupted : bool
        Whether Ctrl-C ended it early.
    """

    position: Position
    seats: tuple[SeatForces, ...]
    interesting: bool | None
    table: Tabulated | None
    no_table: str
    seconds: float
    interrupted: bool = False

    _data = (
        "game=position.game position.text seats interesting kingmakers maxn=table.maxn no_table "
        "seconds:6 kingmakers_by_threats? classes=table.classes? up_to_symmetry=table.symmetric?"
    )
    _text = """
|seats| player | forces | evidence |
interesting: {interesting:?unknown}
?kingmakers kingmaker positions {_how}: {kingmakers.classes:,}
*kingmakers.positions   {}
?kingmakers_by_threats where the mover can stop one of two rivals only: \
{kingmakers_by_threats.classes:,}
*kingmakers_by_threats.positions   {}
?kingmakers results by max^n: {maxn}
?careful results of careful players: {careful}
!kingmakers kingmakers and max^n: not searched; {no_table} (see --most)
*alliances all others allied against player {against}: player {against} gets {seat:.4g}, \
each of them {ally:.4g} by lot
*proofs player {player}, {claim}: {moves:#move}, checked over {positions:#position}, in {file}
"""

    @property
    def _how(self) -> str:
        symmetric = self.table is not None and self.table.symmetric
        return "up to symmetry" if symmetric else "(counted without symmetry)"

    @property
    def kingmakers(self) -> dict[str, Any] | None:
        """Kingmaker positions, counted and listed; None without a table."""
        found = self.table
        return None if found is None else {"classes": found.kingmakers, "positions": found.listed}

    @property
    def kingmakers_by_threats(self) -> dict[str, Any] | None:
        """Positions in which the mover can stop one of two rivals only; None if not counted."""
        found = self.table
        if found is None or found.torn is None:
            return None
        return {"classes": found.torn, "positions": found.torn_listed}


def coalition(
    game: Game | Position | str,
    *,
    seconds: float | None = 60.0,
    kingmakers: int = 10,
    most: int | None = None,
    progress: Progress | None = None,
    table_progress: Progress | None = None,
) -> Coalition:
    """Determine the value of each seat against all the others together.

    Parameters
    ----------
    game : Game, Position or str
        The game from its start, also by its spec, or a position of it.
    seconds : float, optional
        Time limit for each seat and goal; None for none.
    kingmakers : int
        Largest number of kingmaker positions listed.
    most : int, optional
        Largest number of positions, up to symmetry, for which all are examined for kingmakers
        and max^n; if not given, a million, on at most twelve free cells.
    progress : callable, optional
        Called with (seats done, seats).
    table_progress : callable, optional
        Called with (positions examined, `most`).

    Returns
    -------
    Coalition
        What was proved; after Ctrl-C, what was proved by then.

    Raises
    ------
    SpecError
        If the game is over, or a number is out of range.
    LimitError
        If a table of `most` positions would take too much memory.

    Examples
    --------
    >>> found = coalition(Game("3^2:players=3"))
    >>> [seat.forces for seat in found.seats], found.interesting
    (['draw', 'draw', 'draw'], True)
    >>> [seat.forces for seat in coalition(Game("2^2:players=3")).seats]
    ['win', 'nothing', 'nothing']
    """
    begin = working_time()
    position = position_of(game)
    if position.is_over:
        raise SpecError("the game is over; no player can force anything")
    if seconds is not None and not seconds >= 0:
        raise SpecError(f"seconds must be at least 0, not {seconds}")
    free = position.game.cells - position.ply
    largest = _table_size(free, most)
    seats: list[SeatForces] = []
    table, no_table = None, f"there are {free} free cells, more than {_TABLE_CELLS}"
    task, interrupted = Task(progress), False
    try:
        for player in range(1, position.game.players + 1):
            seats.append(_seat(position, player, seconds, _by_others(position, player, seats)))
            # A new value bounds the earlier seats, too.
            seats = [_with_others(position, seat, seats) for seat in seats]
            task.report_progress(player, position.game.players)
        if largest:
            try:
                task = Task(table_progress)
                table, no_table = tabulated(position, task, most=largest, listed=kingmakers), ""
            except LimitError as error:
                no_table = str(error)
    except KeyboardInterrupt:
        interrupted, no_table = True, "it was interrupted"
    seats += [
        SeatForces(player, Bounds(Value.NOTHING, Value.WIN, (Why.INTERRUPTED(),)), 0)
        for player in range(len(seats) + 1, position.game.players + 1)
    ]
    return Coalition(
        position,
        tuple(seats),
        _interesting(position, seats, table),
        table,
        no_table,
        working_time() - begin,
        interrupted,
    )


def _table_size(free: int, most: int | None) -> int:
    """Return the most classes of positions to tabulate; 0 for no table."""
    if most is None:
        return min(_TABLE_CLASSES, largest_table()) if free <= _TABLE_CELLS else 0
    if most < 1:
        raise SpecError(f"most must be at least 1, not {most}")
    if most > largest_table():
        raise LimitError(
            f"a table of {most:,} positions is too large: {memory_limit() / 2**30:.3g} GiB hold "
            f"{largest_table():,} (HYPEROXO_MEMORY sets the limit, in bytes)"
        )
    return most


def coalition_proof(
    game: Game | Position | str, seat: int, claim: str, *, seconds: float | None = 60.0
) -> Strategy | Prevention | None:
    """Return a proof that a seat can, or cannot, force something against all others together.

    Parameters
    ----------
    game : Game, Position or str
        The game from its start, also by its spec, or a position of it.
    seat : int
        The seat, 1..q.
    claim : {"win", "draw", "no-win", "no-draw"}
        What the seat forces, or what the others prevent.
    seconds : float, optional
        Time limit, for the search and again for the proof.

    Returns
    -------
    Strategy, Prevention or None
        The seat's strategy, or the replies of all the others; None if the claim is false or was
        not decided within the limit.

    Raises
    ------
    LimitError
        If it has too many positions to list, or time runs out while listing them.

    Examples
    --------
    >>> from hyperoxo.proof import check_prevention
    >>> found = coalition_proof("4^3:players=3", 3, "no-win")
    >>> check_prevention(found).proved
    True
    """
    position = position_of(game)
    if not 1 <= seat <= position.game.players:
        raise SpecError(f"seat must be 1 to {position.game.players}, not {seat}")
    if claim not in (*CLAIMS, *PREVENTIONS):
        raise SpecError(f"a claim is {', '.join((*CLAIMS, *PREVENTIONS))}, not {quoted(claim)}")
    found = forcing(position, seat, Value(claim.removeprefix("no-")), Task.within(seconds))
    if claim in CLAIMS:
        return strategy_of(found) if found.forced else None
    return prevention_of(found, Task.within(seconds)) if found.forced is False else None


def _by_others(position: Position, player: int, seats: Sequence[SeatForces]) -> Bounds:
    """Bound the value of a seat by those of others, in games with at most one winner."""
    # Two forced wins contradict each other, and with two players the values add up to 0. In misère
    # play of three or more all but the loser win, so that nothing follows.
    known, game = Bounds(Value.NOTHING), position.game
    if game.misere and game.players > 2:
        return known
    for other in seats:
        low, high = other.known.low, other.known.high
        if other.player == player:
            continue
        found: list[tuple[Bounds, str, str]] = []
        if low is Value.WIN:
            found = [(Bounds.exactly(Value.NOTHING), "can force nothing", "can force a win")]
        elif low is Value.DRAW:
            most = Bounds(Value.NOTHING, Value.DRAW)
            found = [(most, "cannot force a win", "can force at least a draw")]
        if game.players == 2 and high is Value.NOTHING:
            won = Bounds.exactly(Value.WIN)
            found.append((won, "can force a win", "cannot force at least a draw"))
        elif game.players == 2 and high is Value.DRAW:
            least = Bounds(Value.DRAW)
            found.append((least, "can force at least a draw", "cannot force a win"))
        for bounds, can, does in found:
            why = Why.OTHER_SEAT(seat=player, can=can, other=other.player, does=does)
            known &= replace(bounds, reasons=(why,))
    return known


def _with_others(position: Position, seat: SeatForces, seats: Sequence[SeatForces]) -> SeatForces:
    """Tighten the bounds of a seat by those of the others."""
    known = seat.known & _by_others(position, seat.player, seats)
    return seat if known == seat.known else replace(seat, known=known)


def _seat(position: Position, player: int, seconds: float | None, known: Bounds) -> SeatForces:
    """Search first for a win, then for a draw, as far as they are not known."""
    nodes = 0
    for goal, below in GOALS:
        if not known.low < goal <= known.high:
            continue
        found = forcing(position, player, goal, Task.within(seconds))
        # A search that fails at its root node was refuted by a bound; the reason names it.
        at_once = found.nodes == 1 and found.forced is False and goal is Value.WIN
        why = found.reason(_at_once(position, player) if at_once else None)
        low = goal if found.forced else known.low
        high = below if found.forced is False else known.high
        known = Bounds(low, high, (*known.reasons, why))
        nodes += found.nodes
    return SeatForces(player, known, nodes)


def _at_once(position: Position, player: int) -> Reason:
    """Return the bound that refuted a win at the root."""
    game, board = position.game, position.game.board
    sizes = set(board.line_sizes.tolist())
    if position.ply or len(sizes) != 1:
        return Why.NO_LINE_LEFT()
    lines, degree, size = board.line_count, int(board.degrees.max()), sizes.pop()
    spare, players = game.players - player, game.players
    if lines + spare * degree < players**size:
        return Why.BECK_INEQUALITY(
            lines=lines, spare=spare, degree=degree, players=players, size=size
        )
    return Why.MOVES_LEFT()


def _interesting(
    position: Position, seats: list[SeatForces], table: Tabulated | None
) -> bool | None:
    # A forced win makes a game uninteresting at once. Else a table decides who can win at all;
    # without one, random games may show it for all players, and never the contrary.
    if any(seat.known.low is Value.WIN for seat in seats):
        return False
    if table is not None:
        everybody: bool | None = all(table.can_win_or_draw)
    else:
        everybody = True if _all_seen(position) else None
    if everybody is False:
        return False
    if any(seat.known.high is Value.WIN for seat in seats):
        return None
    return everybody


def _all_seen(position: Position) -> bool:
    """True if random games from the start show a win or a draw for every player."""
    game = position.game
    if position.ply:
        return False
    results = np.zeros(2 * game.players + 1, dtype=np.int64)
    lengths = np.zeros(game.cells + 1, dtype=np.int64)
    random_games(tables_of(game), _RANDOM_GAMES, np.uint64(1), 0, results, lengths)
    return bool(results[2 * game.players] or wins_of(results, game.players).all())


# Payoffs: the winner gains s, and the others lose s / (q - 1) each.


@dataclass(frozen=True)
class Alliance:
    """Payoff of a seat, and expected payoff of each ally if lots decide which of them wins.

    None if the value of the seat is not known.
    """

    against: int
    seat: Fraction | None
    ally: Fraction | None


def alliances(found: Coalition, stake: Fraction | int = 1) -> tuple[Alliance, ...]:
    """Value the alliance of all others against each seat.

    A seat that forces a win gains the stake. One that forces a draw keeps all at nothing,
    as allies cannot share a win that they cannot force. One that forces nothing loses its part,
    s / (q - 1), which its q - 1 allied rivals share: s / (q - 1)^2 each.

    Examples
    --------
    >>> [(str(a.seat), str(a.ally)) for a in alliances(coalition("2^2:players=3"))]
    [('1', '-1/2'), ('-1/2', '1/4'), ('-1/2', '1/4')]
    """
    stake, others = Fraction(stake), found.position.game.players - 1
    worth: dict[str, tuple[Fraction | None, Fraction | None]] = {
        "win": (stake, -stake / others),
        "draw": (Fraction(0), Fraction(0)),
        "nothing": (-stake / others, stake / others**2),
    }
    return tuple(
        Alliance(seat.player, *worth.get(seat.forces, (None, None))) for seat in found.seats
    )
