"""What players can force, by positions alone, and the strategies that do it."""

from __future__ import annotations

from collections.abc import Callable

from hyperoxo.game import FREE, Game, Position
from hyperoxo.proof import Strategy, ZonePlan, canonical_forms_of
from hyperoxo.proof.endgames import EndgameStrategy, urgent_move
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from tests.judge import forced

LEVELS = {"win": 1, "draw": 0}


def stands(strategy: Strategy | ZonePlan | KeyPlan) -> bool:
    """True if what a strategy claims is true of its game, however it plays."""
    return forced(strategy.position, strategy.seat) >= LEVELS[strategy.claim]


Urgent = Callable[[Position], int | None]


def walked(
    game: Game, seat: int, claim: str, free: int = 0, urgent: Urgent = lambda _: None
) -> dict[bytes, int] | None:
    """Walk through a strategy that keeps a claim; None where the claim is false.

    The walk ends where no more cells are free; moves that are urgent are not listed.
    """
    if forced(game.start(), seat) < LEVELS[claim]:
        return None
    forms = canonical_forms_of(game)
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        form, cells = forms.locate(position.owners)
        if form in seen or position.is_over or position.owners.count(FREE) <= free:
            continue
        seen.add(form)
        if position.to_move != seat:
            waiting += [position.play(cell) for cell in position.legal_moves]
            continue
        move = urgent(position)
        if move is None:
            move = max(position.legal_moves, key=lambda cell: forced(position.play(cell), seat))
            moves[form] = list(cells).index(move)
        waiting.append(position.play(move))
    return moves


def strategy(spec: str, seat: int, claim: str) -> Strategy | None:
    """Return a strategy that keeps a claim, or None where the claim is false."""
    moves = walked(Game(spec), seat, claim)
    return None if moves is None else Strategy(Game(spec), seat, claim, moves)


def endgames(spec: str, seat: int, claim: str, free: int) -> EndgameStrategy | None:
    """Return a strategy that leaves endgames to the checker, as in `strategy`."""
    moves = walked(Game(spec), seat, claim, free, urgent_move)
    return None if moves is None else EndgameStrategy(Game(spec), seat, claim, moves, free=free)
