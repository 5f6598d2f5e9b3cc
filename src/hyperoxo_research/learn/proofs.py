"""Short proofs of the values of positions, as the texts of files that `oxo verify` reads."""

from __future__ import annotations

from hyperoxo.errors import LimitError
from hyperoxo.game import Position
from hyperoxo.proof import prevention_text, strategy_text
from hyperoxo.solvers.coalition.search import COALITIONS, GOALS, forcing, prevention_of, strategy_of

LONGEST = 4_000
"""Most characters of the proofs of one position together."""

_MOST_NODES = 200_000
_CREATOR = "oxo dataset"


def proofs_of(position: Position, value: int) -> list[str] | None:
    """Return proofs that together show a value, 1, 0 or -1, to the mover; None if they are long.

    What the mover can force is shown by a strategy, what they cannot by replies of all others.
    """
    if not COALITIONS.holds(position.game):
        return None
    seat, found = position.to_move, list[str]()
    most = LONGEST // (position.game.board.cell_count + len(" 0\n"))
    try:
        for goal, _ in GOALS:
            reached = goal.sign
            if value not in (reached, reached - 1):
                continue
            answer = forcing(position, seat, goal, nodes=_MOST_NODES)
            if answer.forced is not (value == reached):
                return None
            if answer.forced:
                text = strategy_text(strategy_of(answer, most), creator=_CREATOR)
            else:
                text = prevention_text(prevention_of(answer, most=most), creator=_CREATOR)
            found.append(text.decode())
    except LimitError:
        return None
    return found if sum(map(len, found)) <= LONGEST else None
