"""Threshold biases of the Maker-Breaker game on n^d: lower and upper bounds with proofs.

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

The results are kept in the folder of the report until the table is complete, so an interrupted
study resumes with the next board.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from hyperoxo import __version__
from hyperoxo.checkpoint import Form
from hyperoxo.errors import CheckFailedError, HyperoxoError
from hyperoxo.game import Game, Value
from hyperoxo.proof import KINDS, ZonePlan, check_proof, proof_size
from hyperoxo.proof.registry import proof_text
from hyperoxo.solvers.draws.pairing import pairs_of
from hyperoxo.solvers.maker_breaker.plans import plan_of
from hyperoxo.solvers.maker_breaker.search import MOST_CELLS, MakerSearch
from hyperoxo.solvers.sources import bounds_by_stored_proofs
from hyperoxo.task import Task
from hyperoxo.untrusted import parse_json
from hyperoxo_research.draws.published import hales_jewett
from hyperoxo_research.proof.cubes import cube_lines
from hyperoxo_research.study.parts import Bench, Cell, Section, Study, Table, proof_file

_MOST_LINES = 50_000


@dataclass(frozen=True)
class Threshold:
    """Bounds of the least b with which the Breaker wins n^d, with their reasons."""

    side: int
    dim: int
    low: int
    high: int
    why_low: str = "a bias is at least 1"
    why_high: str = ""
    plans: tuple[ZonePlan, ...] = ()

    @property
    def known(self) -> bool:
        """True if the bounds meet."""
        return self.low == self.high

    def at_least(self, low: int, why: str, *plans: ZonePlan) -> Threshold:
        """Return these bounds with a lower bound, if it is sharper."""
        if low <= self.low:
            return self
        return replace(self, low=low, why_low=why, plans=self.plans + plans)

    def at_most(self, high: int, why: str, *plans: ZonePlan) -> Threshold:
        """Return these bounds with an upper bound, if it is sharper."""
        if high >= self.high:
            return self
        return replace(self, high=high, why_high=why, plans=self.plans + plans)


def spelled(side: int, dim: int, bias: int) -> str:
    """Return the spec of the game with a Breaker of `bias` cells a turn."""
    return f"{side}^{dim}:convention=maker-breaker" + (f",bias=1+{bias}" if bias > 1 else "")


def by_theorems(side: int, dim: int) -> Threshold:
    """Bound the threshold of a board by counting, without building it."""
    cells = side**dim
    if side == 2:
        return Threshold(2, dim, cells - 1, cells - 1, "side 2", "side 2")
    lines = cube_lines(side, dim)
    # Most lines through a cell: through the centre where the side is odd, else through a corner.
    degree = (3**dim - 1) // 2 if side % 2 else 2**dim - 1
    high = next(b for b in range(1, cells) if lines + b * degree < (1 + b) ** side)
    found = Threshold(side, dim, 1, high, why_high="weights")
    low = 1
    while lines > low**2 * (1 + low) ** (side - 3) * cells:
        # The Maker wins with this b, so that the threshold is above it.
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
        said = bounds_by_stored_proofs(start).own
        if said.high is Value.LOSS:
            return found.at_most(1, "the stored plan of the ordinary game")
        if said.low is Value.WIN:
            found = found.at_least(2, "the stored proof of the ordinary game")
    if side**dim > MOST_CELLS:
        return found
    # Bisection would meet the hard games near the threshold first, so search from both ends: from
    # above until a search decides nothing, then from below.
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


_SIDES, _DIMS = (10, 16), (6, 8)
_SECONDS = 6.0, 120.0
_UNFINISHED = "unfinished.json"
_FORM = Form("hyperoxo-bias", 1, "the study of bias", {"rows": "u1"})


def thresholds(bench: Bench) -> Iterator[Section]:
    """Measure the table, a row of sides at a time."""
    seconds = bench.size(*_SECONDS)
    last_side = _SIDES[bench.full]
    found: list[Threshold] = []
    checkpoint = _ThresholdCheckpoint(bench.folder, seconds)
    total = (last_side - 1) * _DIMS[bench.full]
    for side in range(2, last_side + 1):
        below = None
        for dim in range(1, _DIMS[bench.full] + 1):
            known = checkpoint.get(side, dim)
            below = threshold(side, dim, below, seconds=seconds) if known is None else known
            found.append(below)
            if known is None:
                checkpoint.add(below)
            bench.task.report_progress(len(found), total)
    checkpoint.done()
    proofs = [plan for one in found for plan in one.plans]
    yield Section(
        "Thresholds of bias",
        _TEXT,
        _square(found),
        _reasons(found),
        _certificates(proofs),
        *(proof_file(f"{_name(plan)}.oxo", plan) for plan in proofs),
    )


class _ThresholdCheckpoint:
    """Checkpoint of thresholds found with the same time limit, by side and dimension."""

    def __init__(self, folder: Path | None, seconds: float) -> None:
        self.path = None if folder is None else folder / _UNFINISHED
        self.of = {"program": __version__, "seconds": seconds}
        self.rows: list[dict[str, Any]] = []
        if self.path is not None and self.path.exists():
            with suppress(CheckFailedError):  # then the table starts again
                self.rows = parse_json(_FORM.load(self.path, self.of)["rows"].tobytes())

    def get(self, side: int, dim: int) -> Threshold | None:
        """Return the stored threshold of a board, or None."""
        row = next((row for row in self.rows if [row["side"], row["dim"]] == [side, dim]), None)
        if row is None:
            return None
        files = [text.encode() for text in row["plans"]]
        plans = (KINDS[data.partition(b"\n")[0]].file.read_proof(data) for data in files)
        return Threshold(**{**row, "plans": tuple(cast(ZonePlan, plan) for plan in plans)})

    def add(self, one: Threshold) -> None:
        """Store the threshold of a board."""
        if self.path is None:
            return
        plans = [proof_text(plan).decode() for plan in one.plans]
        self.rows.append({**vars(one), "plans": plans})
        _FORM.save(self.path, self.of, rows=np.frombuffer(json.dumps(self.rows).encode(), np.uint8))

    def done(self) -> None:
        """Delete the checkpoint: the report has all of it."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _square(found: list[Threshold]) -> Table:
    """Return the thresholds as a table by side and dimension."""
    by = {
        (one.side, one.dim): str(one.low) if one.known else f"{one.low} to {one.high}"
        for one in found
    }
    dims = sorted({one.dim for one in found})
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (side, *(by[side, dim] for dim in dims)) for side in sorted({s for s, _ in by})
    )
    return Table(
        "thresholds", "Least b by side and dimension", ("n", *(f"d = {d}" for d in dims)), rows
    )


def _reasons(found: list[Threshold]) -> Table:
    rows = tuple(
        (f"{one.side}^{one.dim}", one.low, one.why_low, one.high, one.why_high) for one in found
    )
    columns = ("board", "at least", "by", "at most", "by which")
    return Table("reasons", "Both bounds, and what proves each", columns, rows)


def _certificates(proofs: list[ZonePlan]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for plan in proofs:
        verdict = check_proof(plan)
        rows.append((f"{_name(plan)}.oxo", verdict.claim, verdict.verdict, proof_size(plan)))
    return Table(
        "proofs", "Proofs that were checked", ("file", "claim", "verdict", "size"), tuple(rows)
    )


def _name(plan: ZonePlan) -> str:
    board = plan.game.board.spelling or "board"
    return f"{board}-{'-'.join(map(str, plan.game.bias))}"


_TEXT = (
    "The Maker takes one cell a turn and begins, the Breaker takes b cells. A larger b never harms "
    "the Breaker, so that for each board there is a least one with which the Breaker wins: the "
    "threshold. Each bound is proved: by weights of lines (P. Erdős and J. Selfridge 1973, J. Beck "
    "1982), by pairs, by proofs that come with the program, because the Maker can stay in fewer "
    "dimensions, or by search, with a proof that 'oxo verify' checks. A range says what is left "
    "open; more time narrows it. No published table of these thresholds is known to us."
)


STUDY = Study(
    "bias",
    "Thresholds of bias",
    "J. Beck, Remarks on positional games, Acta Math. Acad. Sci. Hungar. 40 (1982), has the "
    "criteria; the table is ours.",
    thresholds,
)
