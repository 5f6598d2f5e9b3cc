"""The least bias with which the Breaker wins on n^d: a table from both sides, with proofs.

What is found of each board is kept in the folder of the report until the table is whole, so that a
study that was interrupted goes on with the next board.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import numpy as np

from hyperoxo import __version__
from hyperoxo.checkpoint import Form
from hyperoxo.errors import CheckFailedError
from hyperoxo.proof import KINDS, ZonePlan, check_proof, proof_size
from hyperoxo.proof.kinds import proof_text
from hyperoxo.untrusted import parse_json
from hyperoxo_research.study.parts import Bench, Cell, Section, Study, Table, proof_file
from hyperoxo_research.study.thresholds import Threshold, threshold

_SIDES, _DIMS = (10, 16), (6, 8)
_SECONDS = 6.0, 120.0
_UNFINISHED = "unfinished.json"
_FORM = Form("hyperoxo-bias", 1, "the study of bias", {"rows": "u1"})


def thresholds(bench: Bench) -> Iterator[Section]:
    """Measure the table, a row of sides at a time."""
    seconds = bench.size(*_SECONDS)
    last_side = _SIDES[bench.full]
    found: list[Threshold] = []
    kept = _Kept(bench.folder, seconds)
    total = (last_side - 1) * _DIMS[bench.full]
    for side in range(2, last_side + 1):
        below = None
        for dim in range(1, _DIMS[bench.full] + 1):
            known = kept.get(side, dim)
            below = threshold(side, dim, below, seconds=seconds) if known is None else known
            found.append(below)
            if known is None:
                kept.add(below)
            bench.task.tell(len(found), total)
    kept.done()
    proofs = [plan for one in found for plan in one.plans]
    yield Section(
        "Thresholds of bias",
        _TEXT,
        _square(found),
        _reasons(found),
        _certificates(proofs),
        *(proof_file(f"{_name(plan)}.oxo", plan) for plan in proofs),
    )


class _Kept:
    """Thresholds that were found with the same limit of time, by side and dimension."""

    def __init__(self, folder: Path | None, seconds: float) -> None:
        self.path = None if folder is None else folder / _UNFINISHED
        self.of = {"program": __version__, "seconds": seconds}
        self.rows: list[dict[str, Any]] = []
        if self.path is not None and self.path.exists():
            with suppress(CheckFailedError):  # then the table begins anew
                self.rows = parse_json(_FORM.load(self.path, self.of)["rows"].tobytes())

    def get(self, side: int, dim: int) -> Threshold | None:
        """Return what is kept of a board."""
        row = next((row for row in self.rows if [row["side"], row["dim"]] == [side, dim]), None)
        if row is None:
            return None
        files = [text.encode() for text in row["plans"]]
        plans = (KINDS[data.partition(b"\n")[0]].file.read_proof(data) for data in files)
        return Threshold(**{**row, "plans": tuple(cast(ZonePlan, plan) for plan in plans)})

    def add(self, one: Threshold) -> None:
        """Keep what was found of a board."""
        if self.path is None:
            return
        plans = [proof_text(plan).decode() for plan in one.plans]
        self.rows.append({**vars(one), "plans": plans})
        _FORM.save(self.path, self.of, rows=np.frombuffer(json.dumps(self.rows).encode(), np.uint8))

    def done(self) -> None:
        """Keep nothing any more: the report holds it all."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _square(found: list[Threshold]) -> Table:
    """Lay the thresholds out by side and dimension."""
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
