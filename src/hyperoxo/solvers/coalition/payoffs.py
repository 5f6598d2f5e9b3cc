"""What alliances are worth where the winner gains s and the others lose s / (q - 1) each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hyperoxo.solvers.coalition.forces import Coalition


@dataclass(frozen=True)
class Alliance:
    """What all others together get against one seat.

    Attributes
    ----------
    against : int
        The seat.
    seat, ally : Fraction or None
        What the seat gets, and what each ally is to expect if a fair draw of lots decides which
        of them wins; None where it is not known what the seat forces.
    """

    against: int
    seat: Fraction | None
    ally: Fraction | None


def alliances(found: Coalition, stake: Fraction | int = 1) -> tuple[Alliance, ...]:
    """Value the alliance of all others against each seat.

    A seat that forces a win gains the stake. One that forces a draw keeps everybody at nothing,
    as allies cannot share a win that they cannot force. One that forces nothing loses its part,
    s / (q - 1), which its q - 1 allied rivals share: s / (q - 1)^2 each.

    Examples
    --------
    >>> from hyperoxo.solvers.coalition.forces import coalition
    >>> [(str(a.seat), str(a.ally)) for a in alliances(coalition("2^2:players=3"))]
    [('1', '-1/2'), ('-1/2', '1/4'), ('-1/2', '1/4')]
    """
    stake, others = Fraction(stake), found.position.game.players - 1
    worth: dict[str, tuple[Fraction | None, Fraction | None]] = {
        "win": (stake, -stake / others),
        "draw": (Fraction(0), Fraction(0)),
        "nothing": (-stake / others, stake / others**2),
    }
    return tuple(
        Alliance(seat.player, *worth.get(seat.forces, (None, None))) for seat in found.seats
    )
