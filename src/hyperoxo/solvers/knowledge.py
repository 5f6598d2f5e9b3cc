"""One pipeline of knowledge: the sources of values and the order in which they are asked.

Each source is a function that adds what it finds to the record of an `Inquiry`, within the time of
its task, and sees by itself whether it knows something of the game. `learn` asks those of `SOURCES`
to which a budget gives time; what is known is told after each. Moves that end the game are known
before any is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hyperoxo.game import Bounds, Value, Why
from hyperoxo.solvers.coalition.search import COALITIONS
from hyperoxo.solvers.draws.pairing import mirroring_move
from hyperoxo.solvers.exact.by_moves import MoveSearch, forced_bounds
from hyperoxo.solvers.limits import PROOF_MEGABYTES, PROOF_SECONDS, REPLY_NODES, WIN_SHARE
from hyperoxo.solvers.proofsearch.driver import ProofSettings, ProofSolver, suits
from hyperoxo.solvers.record import FoundMove, Inquiry, Knowledge, Source
from hyperoxo.solvers.solution import Question
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.stored import said_by_stored_proofs
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.solvers.threats.search import THREATS, ThreatSearch
from hyperoxo.task import Task

Budget = Mapping[Source, float | None]
"""Part of the time left that each source may take; with None it goes on for the one before it."""


def by_table(inquiry: Inquiry) -> None:
    """Take all values from the table of the game, if there is one."""
    known = inquiry.known
    found = None if known.answers(inquiry.question) else lookup(known.position)
    if found is None:
        return
    known.bound(Bounds.exactly(found[0]), "table", remoteness=found[1])
    for move in known.moves.values():
        after = lookup(move.after)
        assert after is not None
        move.settle(-Bounds.exactly(after[0]), "table", remoteness=after[1] + 1)
    known.note(Why.TABLE())


def by_theorems(inquiry: Inquiry) -> None:
    """Bound the position by theorems."""
    inquiry.known.bound(bounds_by_theorems(inquiry.known.position), "theorem")


def by_stored_proofs(inquiry: Inquiry) -> None:
    """Take in what the proofs say that come with the program."""
    inquiry.known.take_stored(said_by_stored_proofs(inquiry.known.position))


def by_coalition(inquiry: Inquiry) -> None:
    """Decide what one of three or more players can force, which bounds all moves."""
    known = inquiry.known
    if known.game.players == 2 or known.own.known.decided or not COALITIONS.holds(known.game):
        return

    def work() -> None:
        known.bound(forced_bounds(inquiry, known.position, known.own.known), "search")

    inquiry.run(work)


def by_makers(inquiry: Inquiry) -> None:
    """Search whether one of two players is kept from all lines."""
    known = inquiry.known
    if known.game.players > 2 or inquiry.is_answered:
        return

    def work() -> None:
        known.bound(inquiry.makers.bounds(known.position, known.own.known), "search")

    inquiry.run(work)


def of_each_move(inquiry: Inquiry) -> None:
    """Ask theorems, and shortly the search of lines, about the position after each move."""
    known = inquiry.known
    answered = inquiry.question is Question.VALUE and known.own.known.decided
    if known.game.players == 2 and not answered and not known.answers(Question.EVERY_VALUE):
        inquiry.run(lambda: _bound_moves(inquiry))


def _bound_moves(inquiry: Inquiry) -> None:
    known = inquiry.known
    for move in known.moves.values():
        if move.known.decided or inquiry.search.stopped:
            continue
        turn = move.after.to_move != known.mover  # with a bias the same player may go on
        found = bounds_by_theorems(move.after)
        move.settle(-found if turn else found, "theorem")
        other = -move.known if turn else move.known
        found = inquiry.makers.bounds(move.after, other, move=True)
        move.settle(-found if turn else found, "search")


def by_mirroring(inquiry: Inquiry) -> None:
    """Bound the move that mirrors the last one where that never loses."""
    mirrored = mirroring_move(inquiry.known.position)
    if mirrored is not None:
        inquiry.known.settle(mirrored, Bounds(low=Value.DRAW), "theorem")
        inquiry.known.note(Why.MIRRORING_MOVE())


def by_threats(inquiry: Inquiry) -> None:
    """Look for forced wins of the player to move, and of the rival after each move."""
    known, task = inquiry.known, inquiry.task
    if not THREATS.holds(known.game):
        return
    search = ThreatSearch(known.game)
    with task.share(WIN_SHARE).watched(search.stop_flag):
        found = search.forced_win(known.position, shortest=True)
    search.stop_flag[0] = 0
    if found.status == "win":
        plies, won = len(found.line), Bounds.exactly(Value.WIN)
        at_once = 1 if plies == 1 else None
        known.settle(found.line[0], won, "threats", remoteness=at_once, within=plies)
        why = Why.THREATS(plies=plies)
        known.bound(replace(won, reasons=(why,)), "threats", within=plies)
        inquiry.tell()
    inquiry.line = found.line
    threats_after_moves(inquiry, search, task, winning=found.status == "win")


def threats_after_moves(
    inquiry: Inquiry, search: ThreatSearch, task: Task, *, winning: bool = False
) -> None:
    """Look for forced wins of the rival after each move, and of the player if one is `winning`."""
    with task.watched(search.stop_flag):
        for move in inquiry.known.moves.values():
            if search.stop_flag[0]:
                break
            before = move.source
            if move.is_unmeasured:
                _try_threats(move, search, inquiry.known, winning=winning)
            if move.source != before:
                inquiry.tell()
    search.stop_flag[0] = 0


def _try_threats(move: FoundMove, search: ThreatSearch, known: Knowledge, *, winning: bool) -> None:
    """See whether a move begins a forced win, or allows one."""
    reply = search.forced_win(move.after, node_limit=REPLY_NODES)
    if reply.status == "win":
        plies = len(reply.line) + 1
        lost = Bounds.exactly(Value.LOSS)
        move.settle(lost, "threats", remoteness=2 if plies == 2 else None, within=plies)
    elif winning:
        begun = search.begun_by(known.position, move.cell, node_limit=REPLY_NODES)
        if begun.status == "win":
            move.settle(Bounds.exactly(Value.WIN), "threats", within=len(begun.line))


def by_proof_search(inquiry: Inquiry) -> None:
    """Look for wins and losses by proof search, where exact search would not end."""
    known, task = inquiry.known, inquiry.task
    if known.own.known.decided or task.left < PROOF_SECONDS or not suits(known.position):
        return
    settings = ProofSettings(megabytes=PROOF_MEGABYTES, asked=Question.EVERY_MOVE)
    stop = None if task.stop is None else task.stop.is_set
    solver = ProofSolver(
        known.position, settings, stop=stop, update=lambda _: inquiry.tell(), known=known
    )
    solver.run(seconds=task.left)
    known.note(*solver.evidence())
    inquiry.released += solver.nodes


def by_exact_search(inquiry: Inquiry) -> None:
    """Search every move to the end of the game, or until the question is answered."""
    inquiry.run(MoveSearch(inquiry).run)


SOURCES: tuple[Source, ...] = (
    by_stored_proofs,
    by_threats,
    by_proof_search,
    by_mirroring,
    by_theorems,
    by_coalition,
    by_makers,
    of_each_move,
    by_table,
    by_exact_search,
)
"""All sources in the order in which they are asked; a table comes late, as it gives no reason."""

SEARCHES = (by_coalition, by_makers, of_each_move, by_exact_search)
"""Sources that search for as long as they may."""

SOLVING: Budget = dict.fromkeys((by_stored_proofs, by_theorems, by_table, *SEARCHES), 1.0)
"""All of the time for what decides values and plies; threats would tell less than exact search."""

ANALYSING: Budget = {
    by_threats: 0.35,
    by_proof_search: 0.5,
    by_mirroring: 0.5,
    **dict.fromkeys((by_theorems, *SEARCHES)),
}
"""Something from each source that needs time, and some is left for estimates."""


def learn(inquiry: Inquiry, budget: Budget) -> None:
    """Ask the sources that have a part of the time, and tell what is known after each."""
    if inquiry.known.position.is_over:
        return
    whole = left = inquiry.task
    wanted = True
    inquiry.tell()
    for source in (one for one in SOURCES if one in budget):
        part = budget[source]
        if part is not None:
            wanted, left = inquiry.wants(source), whole.share(part)
        if wanted:
            inquiry.task = left
            source(inquiry)
            inquiry.task = whole
            inquiry.tell()
            inquiry.after(source)
