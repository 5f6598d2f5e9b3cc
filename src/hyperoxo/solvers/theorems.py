"""Bounds on the value of a position by theorems, without search.

Each theorem is a function that tests its conditions and then yields `Bounds` for the player to
move. `SOURCES` names the source of each. Other packages add theorems by
:mod:`hyperoxo.solvers.sources`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from hyperoxo.game import Bounds, Game, Known, Position, Reason, Requires, Trait, Value, Why
from hyperoxo.registry import Registry
from hyperoxo.solvers.draws.pairing import may_pair, mirroring_seat, pairs_of
from hyperoxo.solvers.draws.potentials import after_the_turn, exponents, is_light, sum_of
from hyperoxo.solvers.sources import NoDrawReason, sources

_MOST_LINES = 200_000
_SMALL_BOARD = 64
_CLOSE = 1.001
"""Sums below this in floating point are computed again in exact arithmetic."""

_STEALING = Requires("strategy stealing", {*Known.TARGETS, *Known.STARTS})
_RULES = {*Known.BIASES, *Known.STARTS, *Known.TARGETS, *Known.ROWS, *Known.OPENINGS}
_BREAKING = Requires("the theorems on breakers", {Trait.STRONG, Trait.MAKER_BREAKER, *_RULES})
_AVOIDING = Requires("the theorem on avoiders", {Trait.AVOIDER_ENFORCER, *_RULES})
_MAKING = Requires("a win of the Maker without draws", {Trait.MAKER_BREAKER, *Known.TARGETS})
_BREAKING_MANY = Requires(
    "the theorem on biased breakers",
    {Trait.SEVERAL_PLAYERS, *Known.TARGETS, *Known.ROWS, *Known.OPENINGS},
)
_NO_DRAW = Requires(
    "theorems that exclude draws",
    {Trait.STRONG, Trait.MISERE, *Known.PLACEMENTS, *Known.TARGETS, *Known.OPENINGS},
)

_GOLOMB_HALES = "S. Golomb and A. Hales, Hypercube tic-tac-toe, More Games of No Chance (2002)"
_HALES_JEWETT = "A. Hales and R. Jewett, Regularity and positional games, Trans. AMS 106 (1963)"
_ERDOS_SELFRIDGE = (
    "P. Erdős and J. Selfridge, On a combinatorial game, J. Combin. Theory A 14 (1973)"
)
_BECK = "J. Beck, Remarks on positional games, Acta Math. Acad. Sci. Hungar. 40 (1982)"

SOURCES = Registry(
    {
        Why.STEALING: _HALES_JEWETT,
        Why.MIRRORING_FIRST: _GOLOMB_HALES,
        Why.MIRRORING_SECOND: _GOLOMB_HALES,
        Why.POTENTIAL: _ERDOS_SELFRIDGE,
        Why.PAIRING: _HALES_JEWETT,
        Why.BIASED_POTENTIAL: _BECK,
        Why.BIAS: _BECK,
        Why.MAKING: _HALES_JEWETT,
        Why.NO_DRAW_OF_SIDE_3: _GOLOMB_HALES,
    },
    lambda: (source.references for source in sources()),
)
"""Publications of the theorems; those on the Avoider and on regions are proved in place."""

NO_DRAWS = frozenset({Why.NO_DRAW_OF_SIDE_3, Why.NO_DRAW, Why.NO_DRAW_BY_CASES})
"""Reasons why no draw exists."""


def excludes_draws(game: Game, reasons: Iterable[Reason]) -> bool:
    """True if no play of a game ends in a draw, by its rules or by a theorem among the reasons."""
    return game.convention.full_board > 0 or any(why.code in NO_DRAWS for why in reasons)


def bounds_by_theorems(position: Position) -> Bounds:
    """Bound the value for the player to move by every theorem that applies."""
    # Bounds of a few thousand positions of small boards are cached.
    return (_kept if position.game.board.cell_count <= _SMALL_BOARD else _bounds)(position)


def _bounds(position: Position) -> Bounds:
    game = position.game
    bounds = Bounds(Value.least(game.players), drawless=excludes_draws(game, ()))
    for theorem in (*_THEOREMS, *(source.bounds for source in sources())):
        for found in theorem(position):
            bounds &= found
    # A half-open bound, "at least" or "at most a draw", decides the value if no draw exists. The
    # search for that theorem takes longer, so it is tried only then.
    half_open = (bounds.low == Value.DRAW) != (bounds.high == Value.DRAW)
    if half_open and _NO_DRAW.accepts(game) and (drawless := no_draw(game)):
        bounds &= Bounds(reasons=(drawless.reason,), drawless=True)
    return bounds


_kept = lru_cache(maxsize=1 << 12)(_bounds)


def wins(position: Position, seat: int, why: Reason) -> Bounds:
    """Bounds of two players where `seat` can force a win."""
    return Bounds.exactly(Value.WIN if seat == position.to_move else Value.LOSS, why)


def never_loses(position: Position, seat: int, why: Why, /, **facts: Any) -> Bounds:
    """Bounds of two players where `seat` can at least draw, a win in games without draws."""
    # The reason also gets `ends`, since a Breaker wins by not losing.
    if position.game.convention.full_board > 0:
        return wins(position, seat, why(**facts, ends="wins"))
    reason = why(**facts, ends="never loses")
    if seat == position.to_move:
        return Bounds(low=Value.DRAW, reasons=(reason,))
    return Bounds(high=Value.DRAW, reasons=(reason,))


def _strategy_stealing(position: Position) -> Iterator[Bounds]:
    """Bound the first player's value by the strategy that could be stolen from the second."""
    # Suppose that the second player could win. The first places a stone anywhere and forgets it: on
    # the board without it they answer as the winner would, and where that answer is the forgotten
    # stone's cell they place another stone and forget that one. The thief has the cells of the
    # imagined board and possibly one more, the other player the same cells on both; so the thief
    # reaches the target no later, and the other no sooner, than imagined. On a full board the
    # forgotten cell, if one is left, is the other's next move in the imagined game; the thief wins
    # even then, thus also when that cell is the thief's. Both cannot win, so that the second player
    # could not.
    # It does not hold where an own stone may harm (misère play, exact rows), where the forgotten
    # stone would change which cells can be played on (gravity), or where the two do not move by the
    # same rules (an opening restriction).
    game = position.game
    if position.ply == 0 and _STEALING.accepts(game):
        yield Bounds(low=Value.DRAW, reasons=(Why.STEALING(),))


def _mirroring(position: Position) -> Iterator[Bounds]:
    seat = None if position.ply else mirroring_seat(position.game)
    if seat is not None:
        why = Why.MIRRORING_FIRST if seat == 1 else Why.MIRRORING_SECOND
        yield never_loses(position, seat, why)


def breakers(position: Position) -> Iterator[int]:
    """Players free to answer on any cell, so that theorems on Breaker apply to them."""
    game = position.game
    if not _BREAKING.accepts(game) or game.board.line_count > _MOST_LINES:
        return
    # The opening restricts the player who begins; the other is free, and so are both afterwards.
    for seat in (1, 2):
        restricted = seat == game.first and position.ply < game.opening_plies
        if game.convention.counts(3 - seat) and not restricted:
            yield seat


def _potential(position: Position) -> Iterator[Bounds]:
    # Erdős-Selfridge, or Beck with a bias: each player in turn as Breaker of the other's lines.
    turns = position.game.turns
    for seat in breakers(position):
        maker, mine = 3 - seat, position.to_move == seat
        bias = turns.bias[maker - 1], turns.bias[seat - 1]
        left = turns.left(position.ply)
        cases = after_the_turn(position, maker, bias[1], left, making=not mine)
        # Floating point first: most positions are far from the threshold, and exact sums are slow.
        shown = max(sum_of(lines, 1 + bias[1], bias[0]) for lines in cases)
        if shown < _CLOSE and all(is_light(lines, 1 + bias[1], bias[0]) for lines in cases):
            why = Why.POTENTIAL if turns.alternate else Why.BIAS
            yield never_loses(position, seat, why, maker=maker, breaker=seat, total=shown)


def _avoiding(position: Position) -> Iterator[Bounds]:
    """Bound the Avoider's value, who takes one cell a turn, by the cell of least weight."""
    # Lines without a stone of the Enforcer weigh 2^-(free cells). The Avoider takes the cell on the
    # lightest lines, which adds what these weigh; the Enforcer's next cell takes away at least as
    # much. So the weight after the Enforcer's answers never grows, and a full line, which weighs 1
    # and stays, is none as long as it is below 1. Only on the last cell of the board no answer may
    # follow: then half as much is allowed.
    game = position.game
    if not _AVOIDING.accepts(game) or game.bias[0] > 1 or game.board.line_count > _MOST_LINES:
        return
    if game.first == 1 and position.ply < game.opening_plies:
        return
    lines = exponents(position, 1, 1 if game.turns.mover(game.cells - 1) == 1 else 0)
    if is_light(lines, 2, 1):
        yield wins(position, 1, Why.AVOIDING(total=sum_of(lines, 2, 1)))


def _making(position: Position) -> Iterator[Bounds]:
    """Bound the Maker's value where the same board without roles is never drawn."""
    # There the first player has a winning strategy, for the second has none, and it wins as Maker
    # too: the lines that the other completes do not count.
    game = position.game
    if position.ply == 0 and _MAKING.accepts(game) and (found := no_draw(game)):
        yield Bounds(reasons=(found.reason,)) & wins(position, 1, Why.MAKING())


def _pairing(position: Position) -> Iterator[Bounds]:
    for seat in breakers(position):
        if may_pair(position.game, seat) and pairs_of(position, seat):
            yield never_loses(position, seat, Why.PAIRING, maker=3 - seat, breaker=seat)


def _beck(position: Position) -> Iterator[Bounds]:
    # Three or more players: the mover as Maker of one stone a round, all others together as Breaker
    # of q - 1 stones.
    game, mover = position.game, position.to_move
    if not _BREAKING_MANY.accepts(game) or game.board.line_count > _MOST_LINES:
        return
    if mover != 1 and position.ply < game.opening_plies:
        return
    others = game.players - 1
    cases = after_the_turn(position, mover, others, 1, making=True)
    if all(is_light(lines, 1 + others, 1) for lines in cases):
        total = max(sum_of(lines, 1 + others, 1) for lines in cases)
        why = Why.BIASED_POTENTIAL(maker=mover, total=total, others=others)
        yield Bounds(Value.NOTHING, Value.DRAW, (why,))


def no_draw(game: Game) -> NoDrawReason | None:
    """Return the reason why no draw exists, None if there may be one."""
    board = game.board
    cube = board.side == 3 and board.dim is not None and board.dim >= 3 and not board.blocked
    if cube and game.target == 1:
        return NoDrawReason(Why.NO_DRAW_OF_SIDE_3())
    return next((found for source in sources() if (found := source.no_draw(game))), None)


Theorem = Callable[[Position], Iterator[Bounds]]
_THEOREMS: tuple[Theorem, ...] = (
    *(_strategy_stealing, _mirroring, _potential, _pairing, _beck),
    *(_avoiding, _making),
)
