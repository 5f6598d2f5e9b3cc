"""Certificates for solved positions: theorems first, then stored strategies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial

from hyperoxo.errors import CheckFailedError, HyperoxoError, LimitError
from hyperoxo.game import FREE, Bounds, Position, Trait, Value, Why, lacking_cells
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.proof import Mirroring, Pairing, Prevention, Proof, Strategy, check_proof
from hyperoxo.proof.claim import BoardProof
from hyperoxo.proof.endgames import ENDGAME_SEARCH, EndgameStrategy, urgent_move
from hyperoxo.solvers.coalition.search import (
    COALITIONS,
    GOALS,
    listed,
    prevention_of,
    run_forcing,
    strategy_of,
)
from hyperoxo.solvers.draws.pairing import mirroring_seat, pairs_of
from hyperoxo.solvers.exact.gravity import searches_columns
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.maker_breaker.plans import plan_by_weights
from hyperoxo.solvers.maker_breaker.search import BREAKERS, MAKERS
from hyperoxo.solvers.record import Inquiry
from hyperoxo.solvers.sources import sources
from hyperoxo.solvers.theorems import NO_DRAWS, no_draw
from hyperoxo.task import ALONE, Task

_SMALL = 12
"""Most free cells of a position with a short strategy."""

_LARGE, _LEAST_NODES = 20, 1_000_000
"""Fewest free cells to search replies up to a potential first, and fewest nodes for that."""

_MANY, _LISTED, _ENDGAME = 20, 8, 22
"""Under gravity: free cells from which a strategy leaves endgames to the checker, fewest plies
before them, and most free cells of an endgame, which the checker searches in milliseconds."""


def certify(inquiry: Inquiry, seat: int | None) -> tuple[Proof | None, BoardProof | None]:
    """Prove the value for a seat, or for the player with the strongest claim."""
    # The second proof is that no draw exists, from which a theorem infers the winner; it is given
    # where no strategy is found.
    # 1. The seat: of two players the one who wins; in a draw player 1, but for bounds that are only
    # a draw at most, the rival, who is known to draw.
    known, bound = inquiry.known, inquiry.known.own.known
    if seat is None:
        seat = known.mover
        if known.game.players == 2 and bound.low < Value.WIN:
            lost = bound.value is Value.LOSS
            rival = lost or (not bound.decided and bound.high is Value.DRAW)
            seat = 3 - known.mover if rival else 1 if bound.decided else known.mover
    wins = bound.low is Value.WIN if seat == known.mover else bound.value is Value.LOSS
    # 2. If strategy stealing depends on the absence of draws, the certificate of that is the
    # fallback; a large board has no other.
    codes = {reason.code for reason in bound.reasons}
    drawless = None if not wins or codes.isdisjoint(NO_DRAWS) else no_draw(known.game)
    if drawless is not None and drawless.large:
        return None, drawless.proof()
    try:
        found = _certificate(inquiry, seat, bound)
    except HyperoxoError as error:
        proof = None if drawless is None else drawless.proof()
        known.note(Why.NO_PROOF(problem=error) if proof is None else Why.NO_WINNING_STRATEGY())
        return None, proof
    if wins and found.claim != Value.WIN:
        known.note(Why.NO_WINNING_STRATEGY())
    return found, None


def _certificate(inquiry: Inquiry, seat: int, bound: Bounds) -> Proof:
    known, search, maker_breaker = inquiry.known, inquiry.search, inquiry.maker_breaker
    if known.game.players == 2:
        mine = bound if seat == known.mover else -bound
        wins = mine.low is Value.WIN
        plan = MAKERS.accepts(known.game) and maker_breaker.plan(known.position, seat, wins=wins)
        if plan:
            return plan
        find_plan = partial(maker_breaker.plan, known.position, seat)
        return certificate_of_two(search, known.position, seat, mine, find_plan, inquiry.task)
    if seat == known.mover and bound.low is Value.WIN and known.plies()[0] is not None:
        # Then the search knows the quickest win.
        return find_strategy(search, known.position, seat)
    return certificate_of_many(search, known.position, seat)


def certificate_of_two(
    search: ExactSearch,
    position: Position,
    seat: int,
    known: Bounds,
    plan: Callable[[], Proof | None],
    task: Task = ALONE,
) -> Proof:
    """Prove the value of a two-player game for a seat."""
    # `plan` searches for a plan with zones by which the rival completes no line.
    if known.high is Value.LOSS:
        raise CheckFailedError(f"player {seat} cannot force a draw against all others")
    # From the shortest certificate to the longest: a theorem; a plan with zones, or replies whose
    # branches end by the potential; a stored move for every reachable position.
    by_theorem = draw_by_theorem(position, seat)
    if by_theorem is not None and (known.low < Value.WIN or by_theorem.claim == Value.WIN):
        return by_theorem
    if known.low < Value.WIN and known.high > Value.LOSS and not _endgame(position):
        found = plan() if position.game.cells - position.ply > _SMALL else None
        if found is not None:
            return found
        replies = _replies_that_draw(search, position, seat)
        if replies is not None:
            return replies
    try:
        return find_strategy(search, position, seat, task=task)
    except LimitError:
        if by_theorem is None:
            raise
        return by_theorem


def _replies_that_draw(search: ExactSearch, position: Position, seat: int) -> Prevention | None:
    """Return replies that keep the other from a win; their ends by potential make them fewer."""
    if position.game.cells - position.ply <= _LARGE or not COALITIONS.accepts(position.game):
        return None
    found = run_forcing(search, position, 3 - seat, Value.WIN, max(_LEAST_NODES, search.nodes))
    if found.forced is not False:
        return None
    try:
        return prevention_of(found, Task(stop=search))
    except LimitError:
        return None


def draw_by_theorem(position: Position, seat: int) -> Proof | None:
    """Return a certificate of a source, or a pairing, mirroring or weights, of at least a draw."""
    game = position.game
    found = [*filter(None, (source.prove(position, seat) for source in sources()))]
    if position.ply == 0 and mirroring_seat(game) == seat:
        found.append(Mirroring(game, seat, tuple(range(game.board.cell_count - 1, -1, -1))))
    pairs = pairs_of(position, seat)
    if pairs is not None:
        found.append(Pairing(game, seat, pairs, position))
    free_choice = position.ply >= game.opening_plies and game.convention.counts(3 - seat)
    if Trait.BIASED not in game.traits:
        found.append(Prevention(game, 3 - seat, "no-win", {}, position))
    elif BREAKERS.accepts(game) and free_choice:
        found.append(plan_by_weights(position, seat))
    return next((one for one in found if check_proof(one).proved), None)


def certificate_of_many(search: ExactSearch, position: Position, seat: int) -> Proof:
    """Prove the value of a game of three or more players for a seat."""
    decided = None
    for goal, _ in GOALS:
        found = run_forcing(search, position, seat, goal)
        if found.forced:
            return strategy_of(found)
        if found.forced is False:
            decided = found
    if decided is None:
        raise LimitError("the proof was not found within the limit")
    return prevention_of(decided, Task(stop=search))


def find_strategy(
    search: ExactSearch,
    position: Position,
    seat: int,
    claim: str | None = None,
    task: Task = ALONE,
) -> Strategy:
    """Find a strategy that keeps a player's value."""
    # Long ones under gravity leave their endgames to the checker.
    # With endgames only win, draw or loss matters, so a window of +-1 suffices; else the search
    # finds distances as well, and the strategy wins as quickly as possible.
    endgame = _endgame(position)
    bound = 1.0 if endgame else math.inf
    value = search.value(position, seat, low=-bound, high=bound)
    if math.isnan(value):
        raise LimitError("the proof was not found within the limit")
    best = "win" if value > 0 else "draw"
    claim = claim or best
    if value < 0 or (claim == "win" and best == "draw"):
        raise CheckFailedError(f"player {seat} cannot force a {claim} against all others")

    def expand(here: Position) -> int | Iterable[int]:
        if here.owners.count(FREE) <= endgame:
            return ()
        if here.to_move != seat:
            return here.legal_moves
        urgent = urgent_move(here) if endgame else None
        if urgent is not None:
            return (urgent,)
        return _keeping_move(search, here, seat, claim, quickest=not endgame)

    moves = listed(position, expand, task=task)
    if endgame:
        return EndgameStrategy(position.game, seat, claim, moves, position, endgame)
    return Strategy(position.game, seat, claim, moves, position)


def _endgame(position: Position) -> int:
    """Return the most free cells of an endgame, 0 if none is left to the checker."""
    game, free = position.game, position.owners.count(FREE)
    leaves = free >= _MANY and ENDGAME_SEARCH.accepts(game) and searches_columns(game)
    return min(_ENDGAME, free - _LISTED) if leaves else 0


def _keeping_move(
    search: ExactSearch, position: Position, seat: int, claim: str, *, quickest: bool
) -> int:
    """Return the quickest win, or the first move that keeps the claim, those with threats first."""
    best, enough = (0.0, 1.0) if claim == "win" else (-1.0, 0.0)
    most, chosen = enough, -1
    if claim == "win" and quickest:
        # Values are WIN less the ply of the end: a win with this very move ends the loop.
        enough, most = WIN - position.ply - 1, math.inf
    degrees = position.game.board.degrees

    def order(cell: int) -> tuple[int, int]:
        threats = 0 if quickest else len(lacking_cells(position.play(cell), seat))
        return -threats, -int(degrees[cell])

    for cell in sorted(position.legal_moves, key=order):
        value = search.value(position.play(cell), seat, low=best, high=most)
        if math.isnan(value):
            raise LimitError("the proof was not found within the limit")
        if value > best:
            best, chosen = value, cell
        if best >= enough:
            break
    assert chosen >= 0, "the search contradicts itself"
    return chosen
