"""One pipeline of knowledge: the sources of values and the order in which they are asked.

Each source is a function that adds what it finds to the record of an `Inquiry`, and sees by itself
whether it knows something of the game. `learn` asks one after the other; what is known is told
after each. Moves that end the game are known before any source is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hyperoxo.game import Bounds, Why
from hyperoxo.solvers.coalition.search import COALITIONS
from hyperoxo.solvers.exact.by_moves import MoveSearch, forced_bounds
from hyperoxo.solvers.record import Inquiry
from hyperoxo.solvers.solution import Question
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.stored import said_by_stored_proofs
from hyperoxo.solvers.theorems import bounds_by_theorems

Source = Callable[[Inquiry], object]


def by_table(inquiry: Inquiry) -> None:
    """Take all values from the table of the game, if there is one."""
    known = inquiry.known
    found = lookup(known.position)
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
    known.bound(forced_bounds(inquiry, known.position, known.own.known), "search")


def by_makers(inquiry: Inquiry) -> None:
    """Search whether one of two players is kept from all lines."""
    known = inquiry.known
    if known.game.players == 2 and not inquiry.is_answered:
        known.bound(inquiry.makers.bounds(known.position, known.own.known), "search")


def of_each_move(inquiry: Inquiry) -> None:
    """Ask theorems, and shortly the search of lines, about the position after each move."""
    known = inquiry.known
    answered = inquiry.question is Question.VALUE and known.own.known.decided
    if known.game.players > 2 or answered:
        return
    for move in known.moves.values():
        if move.known.decided or inquiry.search.stopped:
            continue
        turn = move.after.to_move != known.mover  # with a bias the same player may go on
        found = bounds_by_theorems(move.after)
        move.settle(-found if turn else found, "theorem")
        other = -move.known if turn else move.known
        found = inquiry.makers.bounds(move.after, other, move=True)
        move.settle(-found if turn else found, "search")


def by_exact_search(inquiry: Inquiry) -> None:
    """Search every move to the end of the game, or until the question is answered."""
    MoveSearch(inquiry).run()


SEARCHES: tuple[Source, ...] = (by_coalition, by_makers, of_each_move, by_exact_search)
"""Sources that search for as long as they may."""


def learn(inquiry: Inquiry, sources: Iterable[Source]) -> None:
    """Ask one source after the other, and tell what is known after each."""
    if inquiry.known.position.is_over:
        return
    inquiry.tell()
    for source in sources:
        source(inquiry)
        inquiry.tell()
