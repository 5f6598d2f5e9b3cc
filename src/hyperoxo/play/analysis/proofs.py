"""Stages of an analysis that rest on proofs: stored ones, and those that proof search finds."""

from __future__ import annotations

from collections.abc import Sequence

from hyperoxo.play.analysis.knowledge import DRAW, LOSS, WIN, Knowledge
from hyperoxo.play.analysis.stages import Clock, Tell, by_theorems
from hyperoxo.position import Position
from hyperoxo.proof.coverage import Coverage
from hyperoxo.solvers.proofsearch.by_proof import solve_by_proof, suits
from hyperoxo.solvers.proofsearch.driver import ProofSettings

__all__ = ["by_proof_search", "by_stored_proofs"]

_MEGABYTES = 64
_LEAST_SECONDS = 0.05
_SIGNS = {"win": WIN, "draw": DRAW, "loss": LOSS}


def by_stored_proofs(known: Knowledge, coverages: Sequence[Coverage]) -> bool:
    """Take in what the proofs that come with the program say; return whether they say anything."""
    found = False
    for coverage in coverages:
        if _by_coverage(known, coverage):
            found = True
            dictionary = coverage.dictionary
            known.note(
                f"Stored proof: {dictionary.statement}, by {len(dictionary.moves):,} strategic "
                "moves; 'oxo verify' checks it."
            )
    return found


def _by_coverage(known: Knowledge, coverage: Coverage) -> bool:
    position = known.position
    attacks = position.to_move == coverage.attacker
    won = coverage.wins(position)
    if won:
        value = WIN if attacks else LOSS
        known.bound(value, value, "proof")
    for cell in _decided_moves(coverage, position, won=won):
        value = WIN if attacks else LOSS
        known.moves[cell].settle(value, value, "proof")
        won = True
    return won


def _decided_moves(coverage: Coverage, position: Position, *, won: bool) -> tuple[int, ...]:
    """Return the moves that win for the attacker, or lose for the defender."""
    if position.to_move == coverage.attacker:
        return coverage.winning_moves(position)
    moves = position.legal_moves
    return moves if won else tuple(cell for cell in moves if coverage.wins(position.play(cell)))


def by_proof_search(known: Knowledge, clock: Clock, tell: Tell) -> int:
    """Look for wins and losses by proof search, on boards too large for exact search."""
    position = known.position
    if known.decided or clock.left < _LEAST_SECONDS or not suits(position):
        return 0
    by_theorems(known)
    settings = ProofSettings(megabytes=_MEGABYTES, every_move=True)
    found = solve_by_proof(position, seconds=clock.left, settings=settings, stop=clock.stop)
    known.bound(_SIGNS[found.bounds[0]], _SIGNS[found.bounds[1]], "proof-search")
    for move in found.moves:
        low, high = (_SIGNS[word] for word in move.bounds)
        known.moves[move.cell].settle(low, high, "proof-search")
    known.note(*found.evidence)
    tell()
    return found.nodes
