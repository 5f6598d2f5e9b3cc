"""`solve`: the exact value of a position and of each of its moves, with the evidence."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from typing import Any

from hyperoxo.errors import SpecError, quoted
from hyperoxo.game import Game, Position, Requires, Why
from hyperoxo.jit import working_time
from hyperoxo.kernels.control import NODE_LIMIT
from hyperoxo.methods import METHODS, added_method
from hyperoxo.proof import Proof, check_proof, proof_size, write_proof
from hyperoxo.proof.claim import BoardProof
from hyperoxo.solvers import knowledge
from hyperoxo.solvers.arrays import COMPILED, position_of
from hyperoxo.solvers.limits import FEW, suits
from hyperoxo.solvers.maker_breaker.bounds import MakerSettings
from hyperoxo.solvers.record import Inquiry, Knowledge
from hyperoxo.solvers.solution import Question, Solution, SolutionCallback, because
from hyperoxo.task import ALONE, Progress, Stop, Task

_SOLVING = Requires("solving", COMPILED.accepted)

CONCEPTS = ("exact", "maxn")
_MOMENT = 1.0
"""Time limit in seconds that suffices for positions of few free cells."""


def solve(
    game: Game | Position | str,
    *,
    seconds: float | None = 30.0,
    nodes: int = 0,
    concept: str = "exact",
    method: str = "auto",
    value_only: bool = False,
    moves: bool | None = None,
    proof: str | os.PathLike[str] | None = None,
    proof_seat: int | None = None,
    creator: str = "",
    progress: Progress | None = None,
    stop: Stop | None = None,
    update: SolutionCallback | None = None,
    makers: MakerSettings | None = None,
) -> Solution:
    """Solve a game or a position: by theorems and stored proofs, then exact or proof search.

    Parameters
    ----------
    game : Game, Position or str
        The game or position; a string is a game spec.
    seconds : float, optional
        Time limit of the search, and again of the proof.
    nodes : int
        Largest number of positions visited, 0 for no limit.
    concept : {"exact", "maxn"}
        With ``"maxn"`` each of three or more players plays for their own result only and takes
        the first of equal moves; this says nothing about what a player can force.
    method : {"auto", "exact", "proof", "plan"}, or one of another package
        Exact search, proof search, or a plan by which the player who is not to move keeps the
        other from any line; ``"auto"`` uses the stored proofs that come with the program, and
        proof search for large boards that it supports.
    value_only : bool
        Stop as soon as the value is known.
    moves : bool, optional
        Whether to decide every move; if False, stop when the value, the plies and a best move are
        known. If not given, other moves may then take as many more positions as were visited by
        then, at least 300,000. Moves that were not examined are ``"unknown"``, with the implied
        bounds.
    proof : str or path-like, optional
        File for a strategy that proves the value; or, if a theorem gives the winner because no
        draw exists and no strategy is found, for a proof of that. It is checked immediately.
    proof_seat : int, optional
        The player whose strategy is written; if not given, the winner, player 1 in a draw of two
        players, or with more players the player to move.
    creator : str
        The program that the file names as its creator.
    progress : callable, optional
        Called with (moves decided, all moves).
    stop : Stop, optional
        An event that any thread may set to end the search early.
    update : callable, optional
        Called with the `Solution` so far whenever more is known, possibly in another thread.
    makers : hyperoxo.solvers.maker_breaker.bounds.MakerSettings, optional
        Memory, checkpoint and reports of the search that decides Maker-Breaker and
        Avoider-Enforcer games.

    Returns
    -------
    Solution
        The value, or its bounds where the limit came first or Ctrl-C was pressed.

    Raises
    ------
    SpecError
        If the game spec makes no sense, or the concept is unknown.
    NotSupportedError
        If the game has a rule that no search supports.

    Examples
    --------
    >>> solution = solve("3^2")
    >>> solution.value, solution.winner, solution.remoteness
    ('draw', 0, 9)
    >>> solve(Game("3^2").position("moves:0,1")).moves[0]
    MoveValue(cell=2, known=Bounds(low='draw', high='draw'), remoteness=7)
    """
    begin = working_time()
    position = position_of(game)
    _SOLVING.check(position.game)
    if concept not in CONCEPTS:
        raise SpecError(f"concept is 'exact' or 'maxn', not {quoted(concept)}")
    added = None if method in METHODS else added_method(method)
    asked = Question.of(value_only=value_only, moves=moves)
    if added is not None:
        if concept != "exact":
            raise SpecError(f"{added.sought} is for the concept 'exact'")
        solution = added.solve(position, seconds=seconds, proof=proof, creator=creator, stop=stop)
        assert isinstance(solution, Solution)
        return solution
    # 1. Proof search, on request and for boards that it suits: `PROOF_CELLS` or more are free,
    #    and no theorem decides them (`suits` of limits.py). 5^3 is one; the steps are those of
    #    `ProofSolver.run` in proofsearch/driver.py.
    if concept == "exact" and (method == "proof" or (method == "auto" and suits(position))):
        from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof

        return solve_by_proof(
            position,
            seconds=seconds,
            nodes=nodes,
            settings=ProofSettings(asked=asked, stored=method == "auto"),
            proof=proof,
            creator=creator,
            stop=stop,
            update=update,
        )
    if proof_seat is not None and not 1 <= proof_seat <= position.game.players:
        raise SpecError(f"seat must be 1 to {position.game.players}, not {proof_seat}")
    # 2. Positions of few free cells have a cache, unless options ask for more than the answer.
    default = (concept, method, nodes) == ("exact", "auto", 0)
    alone = all(one is None for one in (progress, stop, update, makers, proof))
    moment = seconds is None or seconds >= _MOMENT
    if default and alone and moment and position.game.cells - position.ply <= FEW:
        return replace(_cached(position, asked), position=position, seconds=working_time() - begin)

    def so_far(**more: Any) -> Solution:
        return _solution(inquiry, begin, **more)

    # 3. The pipeline of sources. Stored proofs are for "auto" alone.
    news = None if update is None else lambda: update(so_far())
    known = Knowledge(position, concept=concept)
    task = replace(Task.within(seconds, stop), progress=progress)
    inquiry = Inquiry(known, asked, task, nodes, makers, news)
    # Refuse an unusable checkpoint before any other work.
    saved = makers is not None and makers.checkpoint is not None and inquiry.maker_breaker
    unasked = () if method == "auto" else (knowledge.by_stored_proofs,)
    sources = [source for source in knowledge.SOLVING if source not in unasked]
    budget = dict.fromkeys(sources if concept == "exact" else [knowledge.by_exact_search], 1.0)
    try:
        knowledge.learn(inquiry, budget)
    except KeyboardInterrupt:
        inquiry.interrupted = True
    # 4. The certificate.
    proofs: list[tuple[Proof | None, BoardProof | None]] = []
    if proof is not None and not (inquiry.interrupted or inquiry.task.stopped):
        from hyperoxo.solvers.certify import certify

        # The search may have used up its time; the proof has as much again.
        inquiry.search.stop_flag[0] = 0
        inquiry.search.control[NODE_LIMIT] = nodes
        inquiry.task = Task.within(seconds, stop)
        inquiry.run(lambda: proofs.append(certify(inquiry, proof_seat)))
    if saved:
        saved.save()
    inquiry.news = None  # break the reference cycle that would keep the table alive
    strategy, no_draw = proofs[0] if proofs else (None, None)
    solution, found = so_far(strategy=strategy), strategy or no_draw
    if proof is None or found is None:
        return solution
    solution = _written(solution, found, proof, creator)
    return replace(solution, seconds=working_time() - begin)


@lru_cache(maxsize=1 << 12)
def _cached(position: Position, asked: Question) -> Solution:
    """Answer a question about a position of few free cells, with a cache of answers."""
    # A table of the game, if any, answers everything; theorems would cost ten times as much.
    inquiry = Inquiry(Knowledge(position), asked, ALONE)
    knowledge.by_table(inquiry)
    if inquiry.known.notes:
        for move in inquiry.known.moves.values():
            move.searched = False
    else:
        knowledge.learn(inquiry, knowledge.SOLVING)
    if inquiry.interrupted:
        raise KeyboardInterrupt
    return _solution(inquiry, working_time())


def _solution(inquiry: Inquiry, begin: float, **more: Any) -> Solution:
    return inquiry.known.solution(
        reasons=knowledge.searched(inquiry),
        nodes=inquiry.visited,
        seconds=working_time() - begin,
        complete=knowledge.is_complete(inquiry) and not inquiry.interrupted,
        interrupted=inquiry.interrupted,
        **more,
    )


def _written(
    solution: Solution,
    found: BoardProof,
    proof: str | os.PathLike[str],
    creator: str,
) -> Solution:
    """Check the certificate and write it; one that does not hold is never written."""
    begin = working_time()
    verdict = check_proof(found)
    # The checker's own clock counts compiling.
    seconds = min(verdict.seconds, working_time() - begin)
    assert verdict.proved, verdict.reason
    write_proof(found, proof, creator=creator)
    why = Why.CERTIFICATE(
        statement=found.statement,
        size=proof_size(found),
        positions=verdict.positions,
        seconds=seconds,
    )
    return because(solution, why, proof=os.fspath(proof))
