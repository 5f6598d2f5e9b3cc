"""What players can force, by positions alone, and the strategies that do it."""

from __future__ import annotations

from functools import cache

from hyperoxo.game import Game, Position
from hyperoxo.proof import Strategy, ZonePlan, forms_of
from hyperoxo_research.proof.keyplan.plan import KeyPlan

LEVELS = {"win": 1, "draw": 0}


@cache
def table(spec: str, seat: int) -> dict[bytes, int]:
    """For each reachable position 1 if the seat can force a win, 0 a draw, else -1."""
    values: dict[bytes, int] = {}

    def value(position: Position) -> int:
        known = values.get(position.owners)
        if known is not None:
            return known
        if position.outcome is not None:
            winners = position.outcome.winners
            found = 1 if seat in winners else -1 if winners else 0
        else:
            after = [value(position.play(cell)) for cell in position.legal_moves]
            found = max(after) if position.to_move == seat else min(after)
        values[position.owners] = found
        return found

    value(Game(spec).start())
    return values


def stands(strategy: Strategy | ZonePlan | KeyPlan) -> bool:
    """Whether what a strategy claims is true of its game, however it plays."""
    values = table(str(strategy.game), strategy.seat)
    return values[strategy.position.owners] >= LEVELS[strategy.claim]


def strategy(spec: str, seat: int, claim: str) -> Strategy | None:
    """Walk through a strategy that keeps a claim, or None where the claim is false."""
    game = Game(spec)
    values, forms, level = table(spec, seat), forms_of(game), LEVELS[claim]
    if values[game.start().owners] < level:
        return None
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        form, cells = forms.locate(position.owners)
        if form in seen or position.is_over:
            continue
        seen.add(form)
        if position.to_move != seat:
            waiting += [position.play(cell) for cell in position.legal_moves]
            continue
        best = max(position.legal_moves, key=lambda cell: values[position.play(cell).owners])
        moves[form] = list(cells).index(best)
        waiting.append(position.play(best))
    return Strategy(game, seat, claim, moves)
