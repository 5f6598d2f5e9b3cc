"""The least bias with which the Breaker wins on n^d, from both sides.

The Maker takes one cell a turn and begins, the Breaker takes b. A larger b never harms the Breaker,
so there is a least one, the *threshold*, at which the Breaker wins. `threshold` bounds it by:

- *Weights* (J. Beck 1982). With L lines, at most D of them through a cell, the Breaker wins where
  L + b D < (1 + b)^n.
- *Pairs.* With two cells of its own for each line the Breaker wins with b = 1; they are found by
  matching, and exist for odd n >= 3^d - 1 and even n >= 2^(d+1) - 2 (A. Hales, R. Jewett 1963).
- *The Maker's weights* (J. Beck). The Maker wins where L > b^2 (1 + b)^(n - 3) N, on N = n^d cells,
  n >= 3. Each line without a stone of the Breaker's weighs (1 + b)^-(free cells). The Maker takes
  the heaviest cell x, which adds b w(x). A cell y of the Breaker's weighs w(y) <= w(x), and b times
  what was on a line through both x and y besides: one line at the most, of weight (1 + b)^-2 at the
  most. So a stone of the Breaker's costs b (1 + b)^-2 on balance, all of the b N / (1 + b) stones
  cost b^2 N (1 + b)^-3, and where the lines weigh more at the beginning, one is left at the end.
- *Side 2.* Any two cells are a line: the Breaker must take all the others, b = 2^d - 1.
- *Fewer dimensions.* The Maker can stay in a part n^(d-1) of n^d.
- *An ordinary game that the first player wins* is won by the Maker with b = 1: stored proofs say so
  of 4^3, and 3^d has no draws.
- *Plans on key cells* of 6^3 and 7^3, which come with the program, and *search*, with a proof that
  `oxo verify` checks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game, Value
from hyperoxo.proof import ZonePlan, check_proof
from hyperoxo.proof.cubes import cube_lines
from hyperoxo.solvers.draws.pairing import pairs_of
from hyperoxo.solvers.makers.plans import plan_of
from hyperoxo.solvers.makers.search import MOST_CELLS, MakerSearch
from hyperoxo.solvers.sources import said_by_stored_proofs
from hyperoxo.task import Task
from hyperoxo_research.draws.published import hales_jewett

_MOST_LINES = 50_000


@dataclass(frozen=True)
class Threshold:
    """Bounds of the least b with which the Breaker wins n^d, and why each holds."""

    side: int
    dim: int
    low: int
    high: int
    why_low: str = "a bias is at least 1"
    why_high: str = ""
    plans: tuple[ZonePlan, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the bounds meet."""
        return self.low == self.high

    def at_least(self, low: int, why: str, *plans: ZonePlan) -> Threshold:
        """Return these bounds with a lower one, if it says more."""
        if low <= self.low:
            return self
        return replace(self, low=low, why_low=why, plans=self.plans + plans)

    def at_most(self, high: int, why: str, *plans: ZonePlan) -> Threshold:
        """Return these bounds with an upper one, if it says more."""
        if high >= self.high:
            return self
        return replace(self, high=high, why_high=why, plans=self.plans + plans)


def spelled(side: int, dim: int, bias: int) -> str:
    """Return the game of the Maker against a Breaker of some cells a turn."""
    return f"{side}^{dim}:convention=maker-breaker" + (f",bias=1+{bias}" if bias > 1 else "")


def by_theorems(side: int, dim: int) -> Threshold:
    """Bound the threshold of a board by counting, without building it."""
    cells = side**dim
    if side == 2:
        return Threshold(2, dim, cells - 1, cells - 1, "side 2", "side 2")
    lines = cube_lines(side, dim)
    degree = (3**dim - 1) // 2 if side % 2 else 2**dim - 1
    high = next(b for b in range(1, cells) if lines + b * degree < (1 + b) ** side)
    found = Threshold(side, dim, 1, high, why_high="weights")
    low = 1
    while lines > low**2 * (1 + low) ** (side - 3) * cells:
        low += 1
    found = found.at_least(low, "the Maker's weights")
    if hales_jewett(side, dim):
        found = found.at_most(1, "pairs")
    if side == 3 and dim >= 3:
        found = found.at_least(2, "no draw exists")
    return found


def threshold(
    side: int,
    dim: int,
    below: Threshold | None = None,
    *,
    seconds: float = 5.0,
) -> Threshold:
    """Bound the threshold of n^d, n >= 2; `below` is that of n^(d-1), `seconds` those of a search.

    Examples
    --------
    >>> found = threshold(3, 2)
    >>> found.low, found.high
    (2, 2)
    """
    found = by_theorems(side, dim)
    if below is not None:
        found = found.at_least(below.low, "fewer dimensions")
    if found.known:
        return found
    if found.low == 1 and cube_lines(side, dim) <= _MOST_LINES:
        start = Game(spelled(side, dim, 1)).start()
        if pairs_of(start, 2):
            return found.at_most(1, "pairs")
        said = said_by_stored_proofs(start).own
        if said.high is Value.LOSS:
            return found.at_most(1, "the stored plan of the ordinary game")
        if said.low is Value.WIN:
            found = found.at_least(2, "the stored proof of the ordinary game")
    if side**dim > MOST_CELLS:
        return found
    # From above until a search finds nothing, then from below.
    open_bias = 0
    while not found.known and open_bias != found.high - 1:
        open_bias = found.high - 1
        found = _by_search(found, open_bias, seconds)
    below_bias = open_bias
    while not found.known and below_bias != found.low:
        below_bias = found.low
        found = _by_search(found, below_bias, seconds)
    return found


def _by_search(found: Threshold, bias: int, seconds: float) -> Threshold:
    start = Game(spelled(found.side, found.dim, bias)).start()
    search = MakerSearch(start.game, 1)
    wins = search.find(start, Task.within(seconds)).maker_wins
    if wins is None:
        return found
    try:
        plan = plan_of(search, start, 1 if wins else 2, Task.within(10 * seconds))
    except HyperoxoError:
        return found
    if not check_proof(plan).proved:
        raise AssertionError(f"the plan for {plan.game} does not hold")
    by = "search", plan
    return found.at_least(bias + 1, *by) if wins else found.at_most(bias, *by)
