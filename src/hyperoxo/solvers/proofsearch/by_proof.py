"""`solve` by proof search: when it is used, and the certificate of what it found."""

from __future__ import annotations

import os

from hyperoxo.position import Position, Why
from hyperoxo.proof.dictionary import Dictionary, dictionary_of
from hyperoxo.proof.dictionary_file import write_proof
from hyperoxo.proof.dictionary_proof import pack
from hyperoxo.proof.tables import MOST_CELLS
from hyperoxo.rules import Game
from hyperoxo.solvers.proofsearch.driver import ProofSettings, ProofSolver, Watch
from hyperoxo.solvers.proofsearch.tree import ProofTree, proof_tree
from hyperoxo.solvers.proofsearch.view import PROOF_SEARCH, owners_of
from hyperoxo.solvers.solution import Solution
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.solvers.threats.search import bit_board_of
from hyperoxo.task import Stop

__all__ = ["PATASHNIK", "certificate_of", "dictionary_of_tree", "solve_by_proof", "suits"]

PATASHNIK = 2929
"""Strategic moves of the first proof of 4^3: O. Patashnik, "Qubic: 4x4x4 Tic-Tac-Toe", Mathematics
Magazine 53 (1980)."""

_EXACT_CELLS = 36


def suits(position: Position) -> bool:
    """Whether a position is one for proof search: supported, and too large for exact search."""
    game = position.game
    if not PROOF_SEARCH.holds(game) or bit_board_of(game) is None or position.is_over:
        return False
    if game.cells - position.ply < _EXACT_CELLS:
        return False
    return not bounds_by_theorems(position).decided


def certificate_of(solver: ProofSolver, seat: int) -> Dictionary:
    """Return the strategy of a proved win as a dictionary of strategic moves."""
    tree = proof_tree(solver.attacking(seat), solver.position)
    return dictionary_of_tree(solver.position, seat, tree)


def dictionary_of_tree(position: Position, seat: int, tree: ProofTree) -> Dictionary:
    """Return a proof tree of a position as a dictionary."""
    game = position.game
    entries = ((owners_of(game, seat, here), move) for here, move in tree.moves.items())
    return dictionary_of(game, seat, position, entries)


def solve_by_proof(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int = 0,
    settings: ProofSettings | None = None,
    proof: str | os.PathLike[str] | None = None,
    stored: bool = False,
    creator: str = "",
    watch: Watch | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Solve a position by proof search, without remoteness, which a proof does not tell.

    With `proof`, a certificate of a win that was found is checked and then written there; where
    `stored`, with the forced sequences too, so that its checker searches nothing.
    """
    asked = None if stop is None else stop.is_set
    solver = ProofSolver(position, settings or ProofSettings(), watch, asked)
    solver.run(seconds=seconds, nodes=nodes)
    solution = solver.solution()
    if proof is None or solver.interrupted:
        return solution
    if not solution.winner:
        problem = "certificates of proof search are for wins, and none was found"
        return solution.because(Why.NO_PROOF(problem=problem))
    if position.game.board.cell_count > MOST_CELLS:
        problem = f"they are checked on boards of at most {MOST_CELLS} cells"
        return solution.because(Why.NO_PROOF(problem=problem))
    return _certified(solver, solution, proof, creator, stored=stored)


def _certified(
    solver: ProofSolver,
    solution: Solution,
    proof: str | os.PathLike[str],
    creator: str,
    *,
    stored: bool,
) -> Solution:
    """Check the proof and write it; one that does not hold is never written."""
    packed, verdict = pack(certificate_of(solver, solution.winner or 0), stored=stored)
    write_proof(packed, proof, creator=creator)
    published = ""
    if solver.position.game == Game("4^3") and not solver.position.ply:
        published = f" (Patashnik 1980: {PATASHNIK:,})"
    why = Why.STRATEGIC_CERTIFICATE(
        statement=packed.dictionary.statement,
        moves=verdict.strategic,
        published=published,
        quiet=verdict.quiet,
        seconds=verdict.seconds,
    )
    return solution.because(why, proof=os.fspath(proof))
