"""Check of unsatisfiability proofs by reverse unit propagation (RUP).

A clause is a row of numbers other than 0: v for "v holds", -v for "v does not hold". A step adds a
clause that follows: if all of its literals are false, clauses with only one literal left force
that literal, and so on, until a clause has none left ("reverse unit propagation"; A. Van Gelder,
Verifying RUP proofs of propositional unsatisfiability, 2008). The empty clause at the end shows
that the first clauses contradict each other. Two literals of each clause are watched: it is visited
only when one of them becomes false (M. Moskewicz et al., Chaff, 2001).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from hyperoxo.errors import CheckFailedError

Clause = Sequence[int]


class _Clauses:
    """Clause database with two watched literals, and the literals forced by units for good."""

    def __init__(self) -> None:
        # Clauses by watched literal. Each clause has its watched literals at indices 0 and 1; while
        # nothing is assumed, neither of them is false, or the clause is satisfied for good.
        self.watched: dict[int, list[list[int]]] = defaultdict(list)
        self.true: set[int] = set()
        self.contradiction = False

    def add(self, clause: Clause) -> None:
        """Add a clause, and propagate for good if it is a unit."""
        # Leave out literals that are false for good, and clauses that are true for good.
        free = list(dict.fromkeys(one for one in clause if -one not in self.true))
        if self.contradiction or any(one in self.true or -one in free for one in free):
            return
        if len(free) > 1:
            for one in free[:2]:
                self.watched[one].append(free)
        elif not free or not self.force(free):
            self.contradiction = True

    def follows(self, clause: Clause) -> bool:
        """True if a clause follows by unit propagation."""
        if self.contradiction:
            return True
        if any(one in self.true or -one in clause for one in clause):
            return True
        # Assume that all its literals are false. The watches need not be restored afterwards: each
        # literal watched by then is not false, or false only because of these assumptions.
        before = set(self.true)
        forced = self.force([-one for one in dict.fromkeys(clause) if -one not in self.true])
        self.true = before
        return not forced

    def force(self, literals: list[int]) -> bool:
        """Let literals hold, and all that they force; False if a clause has none left."""
        true, waiting = self.true, list(literals)
        true.update(waiting)
        while waiting:
            # Visit the clauses that watch the literal that has become false.
            false = -waiting.pop()
            watching = self.watched[false]
            at = 0
            while at < len(watching):
                # 1. Bring the false literal to index 1. If the other watch is true, all is well.
                clause = watching[at]
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                if clause[0] in true:
                    at += 1
                    continue
                # 2. Watch another literal that is not false, if there is one.
                other = next((i for i in range(2, len(clause)) if -clause[i] not in true), None)
                if other is not None:
                    clause[1], clause[other] = clause[other], false
                    self.watched[clause[1]].append(clause)
                    watching[at] = watching[-1]
                    watching.pop()
                    continue
                # 3. All but the other watch are false: it is forced, or the clause is violated.
                if -clause[0] in true:
                    return False
                true.add(clause[0])
                waiting.append(clause[0])
                at += 1
        return True


def check_refutation(clauses: Iterable[Clause], steps: Sequence[Clause]) -> None:
    """Check a refutation of clauses: steps that end in the empty clause."""
    known = _Clauses()
    for clause in clauses:
        known.add(clause)
    for number, step in enumerate(steps, 1):
        if not known.follows(step):
            quoted = " ".join(map(str, step)) or "the empty clause"
            raise CheckFailedError(f"step {number:,}, {quoted}, does not follow")
        known.add(step)
    if not steps or len(steps[-1]):
        raise CheckFailedError("the last step is not the empty clause")
