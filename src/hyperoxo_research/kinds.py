"""The kinds of proofs of research: key plans, fillings, full boards, regions, bounds on tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hyperoxo.display import number_of
from hyperoxo.proof.kinds import Kind
from hyperoxo_research.proof.filling import Filling, check_filling, filling_text, read_filling
from hyperoxo_research.proof.filling_cases import (
    FillingCases,
    check_filling_cases,
    filling_cases_text,
    read_filling_cases,
)
from hyperoxo_research.proof.full_board import (
    DrawnBoard,
    check_full_board,
    full_board_text,
    read_full_board,
)
from hyperoxo_research.proof.keyplan.file import check_key_plan, plan_text, read_plan
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.keyplan.stored import STORED_PLANS
from hyperoxo_research.proof.region import RegionProof, check_region, read_region, region_text
from hyperoxo_research.proof.table_bound import TableBound, bound_text, check_bound, read_bound


def _reader_of_plan(plan: KeyPlan) -> Any:
    from hyperoxo_research.play.plan_readers import BreakerReader

    return BreakerReader(plan)


def _losing_lines(found: TableBound, name: str) -> str:
    lines = number_of(found.leaves, "line of play|lines of play")
    return f"By a table of line values alone, {name} loses in at least {lines}."


KINDS: Mapping[bytes, Kind] = {
    b"hyperoxo-table-bound 1": Kind(
        TableBound,
        read_bound,
        check_bound,
        bound_text,
        lambda found: (len(found.steps), "step", "steps"),
        theorem="Every choice that a line table can make is followed or excluded by inequalities.",
        words=_losing_lines,
        facts=lambda found: {"steps": len(found.steps)},
    ),
    b"hyperoxo-breaker 1": Kind(
        KeyPlan,
        read_plan,
        check_key_plan,
        plan_text,
        lambda found: (len(found.states), "state", "states"),
        long=True,
        theorem=(
            "After the listed answers on the key cells every line has two cells of its own, and "
            "spare ones for the stones elsewhere; the checker finds these matchings again."
        ),
        facts=lambda found: {"keys": list(found.keys), "states": len(found.states)},
        reader=_reader_of_plan,
        stored=STORED_PLANS,
        package="hyperoxo_research",
    ),
    b"hyperoxo-filling 1": Kind(
        Filling,
        read_filling,
        check_filling,
        filling_text,
        lambda found: (len(found.weights), "weight", "weights"),
        moves=False,
    ),
    b"hyperoxo-filling-cases 1": Kind(
        FillingCases,
        read_filling_cases,
        check_filling_cases,
        filling_cases_text,
        lambda found: (len(found.rows), "row", "rows"),
        moves=False,
        long=True,
    ),
    b"hyperoxo-full-board 1": Kind(
        DrawnBoard,
        read_full_board,
        check_full_board,
        full_board_text,
        lambda found: (len(found.owners), "owner", "owners"),
        moves=False,
    ),
    b"hyperoxo-region 1": Kind(
        RegionProof,
        read_region,
        check_region,
        region_text,
        lambda found: (len(found.parts), "part", "parts"),
        moves=False,
        parts=lambda found: found.parts,
    ),
}
