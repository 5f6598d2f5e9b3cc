"""The kinds of proofs of research: key plans, pairings, draws, regions, bounds on tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hyperoxo.display import number_of
from hyperoxo.proof.registry import ProofKind, by_first_line
from hyperoxo_research.proof import (
    filling,
    filling_cases,
    full_board,
    no_draw,
    no_pairing,
    region,
    table_bound,
)
from hyperoxo_research.proof.keyplan import file as key_plans
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.keyplan.stored import STORED_PLANS
from hyperoxo_research.proof.table_bound import TableBound


def _reader_of_plan(plan: KeyPlan) -> Any:
    from hyperoxo_research.play.plan_readers import KeyPlanReader

    return KeyPlanReader(plan)


def _losing_lines(found: TableBound, name: str) -> str:
    lines = number_of(found.leaves, "line of play|lines of play")
    return f"By a table of line values alone, {name} loses in at least {lines}."


KINDS: Mapping[bytes, ProofKind] = by_first_line(
    ProofKind(
        TableBound,
        table_bound.FILE,
        table_bound.check_bound,
        lambda found: (len(found.steps), "step", "steps"),
        theorem="Every choice that a line table can make is followed or excluded by inequalities.",
        words=_losing_lines,
        facts=lambda found: {"steps": len(found.steps)},
    ),
    ProofKind(
        KeyPlan,
        key_plans.FILE,
        key_plans.check_key_plan,
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
    ProofKind(
        no_pairing.NoPairing,
        no_pairing.FILE,
        no_pairing.check_no_pairing,
        lambda found: (len(found.lines), "line", "lines"),
        moves=False,
    ),
    ProofKind(
        no_draw.NoDraw,
        no_draw.FILE,
        no_draw.check_no_draw,
        lambda found: (len(found.steps), "step", "steps"),
        moves=False,
    ),
    ProofKind(
        filling.Filling,
        filling.FILE,
        filling.check_filling,
        lambda found: (len(found.weights), "weight", "weights"),
        moves=False,
    ),
    ProofKind(
        filling_cases.FillingCases,
        filling_cases.FILE,
        filling_cases.check_filling_cases,
        lambda found: (len(found.rows), "row", "rows"),
        moves=False,
        long=True,
    ),
    ProofKind(
        full_board.DrawnBoard,
        full_board.FILE,
        full_board.check_full_board,
        lambda found: (len(found.owners), "owner", "owners"),
        moves=False,
    ),
    ProofKind(
        region.RegionProof,
        region.FILE,
        region.check_region,
        lambda found: (len(found.parts), "part", "parts"),
        moves=False,
        parts=lambda found: found.parts,
    ),
)
