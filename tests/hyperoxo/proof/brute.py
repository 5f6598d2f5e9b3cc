"""What players can force, by positions alone, and the strategies that do it."""

from __future__ import annotations

from hyperoxo.game import FREE, Game
from hyperoxo.proof import Strategy, ZonePlan, forms_of
from hyperoxo.proof.endgames import EndgameStrategy, urgent_move
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from tests.judge import judge_of

LEVELS = {"win": 1, "draw": 0}


class Table:
    """For each position 1 if the seat can force a win, 0 a draw, else -1."""

    def __init__(self, spec: str, seat: int) -> None:
        self.values, self.seat = judge_of(Game(spec)).values, seat

    def __getitem__(self, owners: bytes) -> int:
        stones = self.values.read(owners, self.values.players)
        return int(self.values.value(stones, self.seat - 1)[0])


def table(spec: str, seat: int) -> Table:
    return Table(spec, seat)


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


def endgames(spec: str, seat: int, claim: str, free: int) -> EndgameStrategy | None:
    """Walk through a strategy that leaves endgames to the checker, as in `strategy`."""
    game = Game(spec)
    values, forms, level = table(spec, seat), forms_of(game), LEVELS[claim]
    if values[game.start().owners] < level:
        return None
    moves: dict[bytes, int] = {}
    waiting = [game.start()]
    seen: set[bytes] = set()
    while waiting:
        position = waiting.pop()
        form, cells = forms.locate(position.owners)
        if form in seen or position.is_over or position.owners.count(FREE) <= free:
            continue
        seen.add(form)
        if position.to_move != seat:
            waiting += [position.play(cell) for cell in position.legal_moves]
            continue
        move = urgent_move(position)
        if move is None:
            move = max(position.legal_moves, key=lambda cell: values[position.play(cell).owners])
            moves[form] = list(cells).index(move)
        waiting.append(position.play(move))
    return EndgameStrategy(game, seat, claim, moves, free=free)
