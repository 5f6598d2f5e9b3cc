from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hyperoxo.errors import NotSupportedError
from hyperoxo.game import CLASSIC, Game, Trait
from hyperoxo.proof import (
    KINDS,
    Dictionary,
    Mirroring,
    Pairing,
    Prevention,
    Proof,
    Strategy,
    Verdict,
    ZonePlan,
    check,
    check_mirroring,
    check_pairing,
    check_prevention,
    check_proof,
    check_zones,
    completes,
    contained,
    proof_size,
    read_strategy,
    registry,
    strategy_text,
    verify,
    write_proof,
)
from hyperoxo.proof.answers import pairing_text
from hyperoxo.proof.dictionary_check import check_dictionary
from hyperoxo.proof.tables import tables_of
from hyperoxo.proof.zones import Step
from hyperoxo_research.proof.keyplan.file import check_key_plan, plan_text
from hyperoxo_research.proof.keyplan.plan import PLANS, KeyPlan, PlanState
from hyperoxo_research.proof.table_bound import TableBound, check_bound
from tests.expect import require
from tests.hyperoxo.proof.brute import strategy
from tests.marks import more


def test_the_first_line_tells_the_kind(tmp_path: Path) -> None:
    found = require(strategy("2^2", 1, "win"))
    text = strategy_text(found)
    assert text.partition(b"\n")[0] in KINDS
    (tmp_path / "x").write_bytes(text)
    assert verify(tmp_path / "x").proved
    assert read_strategy(text).strategy == found


@pytest.mark.parametrize("data", [b"", b"\n", b"hyperoxo-strategy", b"hyperoxo-strategy 01\n"])
def test_other_first_lines_are_no_proof(data: bytes) -> None:
    verdict = verify(data)
    assert (verdict.verdict, verdict.reason) == ("rejected", "this is not a proof file")
    assert (verdict.claim, verdict.positions) == ("", 0)
    assert 0 <= verdict.seconds < 1000


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_says_what_is_wrong_and_never_raises(kind: bytes) -> None:
    for rest in (b"", b"\n", b"\nsha256 ", b"\n" + bytes(range(256))):
        verdict = verify(kind + rest)
        assert not verdict.proved
        assert verdict.reason


def claims() -> list[Proof | Dictionary]:
    """A claim of each kind that is proved."""
    won = require(strategy("2^2", 1, "win"))
    return [
        won,
        Prevention(Game("4^3:players=4"), 1, "no-win", {}),
        Pairing(Game("3{0+1}"), 2, ((0, 1),)),
        Mirroring(Game("3^2:misere"), 1, tuple(range(8, -1, -1))),
        Dictionary(Game("3^3"), 1, None, {bytes(27): 13}),
        TableBound(Game("2^2"), 2, 3, False, False, ("at 1...", "lost")),
        KeyPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), (PlanState(bytes(1), 0, True),)),
        ZonePlan(Game("6^2"), 2, "draw", {(bytes(36), 0): Step(None, ())}),
    ]


@pytest.mark.more
def test_what_is_written_is_the_proof_and_its_size(tmp_path: Path) -> None:
    sizes = []
    for claim in claims():
        if not isinstance(claim, Dictionary):
            write_proof(claim, tmp_path / "x", creator="a test")
            assert verify(tmp_path / "x").claim == claim.statement
            assert b"\ncreator a test\n" in (tmp_path / "x").read_bytes()
            sizes.append(proof_size(claim))
    assert sizes[1:] == ["0 replies", "1 pair", "5 answers", "2 steps", "1 state", "1 row"]
    assert sizes[0].endswith(" stored moves")


def verdict_of(claim: Proof | Dictionary) -> Verdict:
    return check_dictionary(claim) if isinstance(claim, Dictionary) else check_proof(claim)


@pytest.mark.parametrize(
    ("check_claim", "number"),
    [
        (check, 0),
        (check_prevention, 1),
        (check_pairing, 2),
        (check_mirroring, 3),
        pytest.param(check_dictionary, 4, marks=pytest.mark.more),
        pytest.param(check_bound, 5, marks=pytest.mark.more),
        pytest.param(check_key_plan, 6, marks=pytest.mark.more),
        (check_zones, 7),
    ],
)
def test_seconds_begin_when_they_are_said_to(
    check_claim: Callable[..., Verdict], number: int
) -> None:
    claim = claims()[number]
    assert 0 <= check_claim(claim).seconds < 1000
    early = check_claim(claim, begin=time.perf_counter() - 5000)
    assert 5000 <= early.seconds < 6000
    assert early.positions == check_claim(claim).positions > 0


@pytest.mark.parametrize("number", more(range(7), [5, 6]))
@pytest.mark.parametrize("trait", [t for t in Trait if t not in CLASSIC], ids=lambda t: t.name)
def test_rules_that_a_checker_does_not_know_are_not_supported(
    number: int, trait: Trait, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules of the game stay what they are, so that the claim would be proved."""
    claim = claims()[number]
    assert verdict_of(claim).proved
    # A strategy is walked by the rules of the game, whatever they are. Pairs stop longer rows too.
    if isinstance(claim, Strategy) or (isinstance(claim, KeyPlan) and trait in PLANS.accepted):
        return
    if isinstance(claim, Pairing) and trait is Trait.EXACT_ROWS:
        return
    others = frozenset(one for one in claim.game.traits if one.axis is not trait.axis)
    monkeypatch.setitem(vars(claim.game), "traits", others | {trait})
    tables_of.cache_clear()
    try:
        verdict = verdict_of(claim)
        assert verdict.verdict == "rejected"
        assert "is not supported for" in verdict.reason
    except NotSupportedError:
        assert isinstance(claim, Dictionary)
    finally:
        tables_of.cache_clear()


def test_completion_and_potential_are_not_used_where_they_do_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = Game("4^2:players=3").position("moves:0,4,12,1,5,13,2,6")
    weak = Game("4^3:players=4").position("moves:0")
    assert completes(position, 2)
    assert contained(weak, 1)
    for trait in Trait:
        if trait not in CLASSIC:
            for game in (position.game, weak.game):
                others = frozenset(one for one in game.traits if one.axis is not trait.axis)
                monkeypatch.setitem(vars(game), "traits", others | {trait})
            assert not completes(position, 2)
            assert not contained(weak, 1)
            monkeypatch.undo()


@pytest.mark.more
def test_long_checks_tell_how_far_they_are() -> None:
    plan = KeyPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), (PlanState(bytes(1), 0, True),))
    told: list[tuple[int, int]] = []
    assert verify(plan_text(plan), progress=lambda *one: told.append(one)).proved
    # While something is compiled the same is told again.
    assert told[-1] == (1, 1)
    assert set(told) <= {(0, 1), (1, 1)}
    told.clear()
    # Others are quick, and tell nothing.
    quick = pairing_text(Pairing(Game("3{0+1}"), 2, ((0, 1),)))
    assert verify(quick, progress=lambda *one: told.append(one)).proved
    assert not told
    slow = {kind.split()[0] for kind, found in registry.KINDS.items() if found.long}
    names = ("breaker", "dictionary", "endgames", "filling-cases")
    assert slow == {f"hyperoxo-{name}".encode() for name in names}


def test_which_kinds_are_about_boards() -> None:
    boards = {kind.split()[0] for kind, found in registry.KINDS.items() if not found.moves}
    names = ("filling", "filling-cases", "full-board", "no-draw", "no-pairing", "region")
    assert boards == {f"hyperoxo-{name}".encode() for name in names}
