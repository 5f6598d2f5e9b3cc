"""What the proofs that come with the program say of a position and of its moves."""

from __future__ import annotations

from dataclasses import dataclass, field

from hyperoxo.position import Bounds, Position, Value, Why
from hyperoxo.proof.breaker_stored import stored_claim
from hyperoxo.proof.coverage import Coverage, coverages
from hyperoxo.solvers.draws.solve_by_plan import bounds_of


@dataclass
class Stored:
    """Bounds of a position, with each proof that says something, and of the moves decided."""

    own: Bounds = field(default_factory=Bounds)
    moves: dict[int, Bounds] = field(default_factory=dict)


def said_by_stored_proofs(position: Position) -> Stored:
    """Look a position and its moves up in all stored proofs that hold for its game."""
    said = Stored(Bounds(Value.least(position.game.players)))
    for coverage in () if position.is_over else coverages(position.game):
        attacks = position.to_move == coverage.attacker
        decided = Bounds.exactly(Value.WIN if attacks else Value.LOSS)
        won = coverage.wins(position)
        moves = _decided_moves(coverage, position, won=won)
        said.moves |= dict.fromkeys(moves, decided)
        if won or moves:
            dictionary = coverage.dictionary
            why = Why.STORED_PROOF(statement=dictionary.statement, moves=len(dictionary.moves))
            said.own &= Bounds(reasons=(why,))
        if won or (attacks and moves):
            said.own &= decided
    plan = stored_claim(position.game)
    if plan is not None and position.owners == plan.position.owners:
        said.own &= bounds_of(plan)
    return said


def _decided_moves(coverage: Coverage, position: Position, *, won: bool) -> tuple[int, ...]:
    """Return the moves that win for the attacker, or lose for the defender."""
    if position.to_move == coverage.attacker:
        return coverage.winning_moves(position)
    moves = position.legal_moves
    return moves if won else tuple(cell for cell in moves if coverage.wins(position.play(cell)))
