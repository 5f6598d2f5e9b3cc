"""Spoilt proofs: no raw damage gets through, and no honest-looking file proves what is false."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from hyperoxo.errors import HyperoxoError
from hyperoxo.game import Game
from hyperoxo.proof import (
    KINDS,
    Mirroring,
    Pairing,
    Strategy,
    prevention_text,
    read_strategy,
    strategy_text,
    verify,
)
from hyperoxo.proof.kinds import proof_text
from hyperoxo.proof.no_draw import NoDraw
from hyperoxo.proof.no_pairing import NoPairing
from hyperoxo_research.draws.breaker import breaker_plan
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.full_board import DrawnBoard
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from tests.hyperoxo.proof import test_zones
from tests.hyperoxo.proof.brute import stands, strategy
from tests.hyperoxo.proof.mutations import is_true
from tests.hyperoxo.proof.spoiling import (
    CROWDED,
    FANO,
    MUTATIONS,
    WEIGHTS,
    add_entry,
    change_claim,
    raw_mutants,
    region_of_three,
    spoil_file,
)
from tests.hyperoxo.proof.test_checker import GAMES
from tests.hyperoxo.proof.test_coalition import prevention
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_research.proof.split_fillings import some_cases
from tests.marks import more

EACH = 640
"""Semantic mutants of each game; 10,880 in all."""

SMALL = tuple(spec for spec in GAMES if not spec.startswith("2^3"))


def strategy_of_two() -> Strategy:
    found = strategy("2^2", 1, "win")
    assert found is not None
    return found


RAW: dict[str, tuple[int, Callable[[], bytes]]] = {
    "strategy": (90_000, lambda: strategy_text(strategy_of_two(), creator="a test")),
    "pairing": (60_000, lambda: proof_text(Pairing(Game("3{0+1}"), 2, ((0, 1),)))),
    "mirroring": (
        60_000,
        lambda: proof_text(Mirroring(Game("2^2:misere"), 2, (3, 2, 1, 0))),
    ),
    "coalition": (
        100_000,
        lambda: prevention_text(prevention("2^2:players=3", 3, "no-draw"), creator="a test"),
    ),
}
"""Files of several kinds, each with a number of raw mutants that it has at least."""


@pytest.mark.parametrize("name", more(RAW, but=["strategy"]))
def test_every_raw_mutant_is_rejected(name: str) -> None:
    least, write = RAW[name]
    text = write()
    assert verify(text).proved
    mutants = 0
    for mutant in raw_mutants(text):
        if mutant != text:
            mutants += 1
            assert not verify(mutant).proved, mutant
    assert mutants > least


@pytest.mark.more
def test_raw_damage_of_a_larger_proof() -> None:
    found = strategy("3^2:players=3", 2, "draw") or strategy("3^2", 2, "draw")
    assert found is not None
    text = strategy_text(found)
    rng = random.Random(1)
    for _ in range(2000):
        at, length = rng.randrange(len(text)), rng.randint(0, 8)
        piece = rng.choice([b"", rng.randbytes(length), text[at : at + length] * 2])
        mutant = text[:at] + piece + text[at + length :]
        assert mutant == text or not verify(mutant).proved


@cache
def true_strategies(spec: str) -> tuple[Strategy, ...]:
    players = strategy_players(spec)
    found = [
        strategy(spec, seat, claim) for seat in range(1, players + 1) for claim in ("draw", "win")
    ]
    return tuple(one for one in found if one is not None and one.moves)


def strategy_players(spec: str) -> int:
    return int(spec.split("players=")[1][0]) if "players=" in spec else 2


@pytest.mark.parametrize(
    "spec",
    more(SMALL, but=["1^1", "2^2", "2^2:players=3", "2^2:players=4,misere"]),
)
def test_semantic_mutants(spec: str) -> None:
    """With hash and counts put right; what is proved all the same must be true."""
    rng = random.Random(spec)
    fates: Counter[tuple[str, bool]] = Counter()
    for _ in range(EACH):
        original = rng.choice(true_strategies(spec))
        mutation = rng.choices(MUTATIONS, WEIGHTS)[0]
        mutant = mutation(original, rng)
        verdict = verify(strategy_text(mutant))
        fates[mutation.__name__, verdict.proved] += 1
        if verdict.proved:
            assert stands(mutant), (mutant, verdict)
            if mutation is add_entry:
                assert mutant.moves == original.moves, mutant
    assert fates.total() == EACH
    assert sum(count for (_, proved), count in fates.items() if not proved) > EACH / 5
    assert not fates["drop_entry", True]


@pytest.mark.more
def test_bytes_changed_under_a_right_hash() -> None:
    """Spoil the text anywhere and recompute the hash: what is proved must be true."""
    rng = random.Random(2)
    proved = 0
    for spec in SMALL[::3]:
        for _ in range(120):
            text = strategy_text(rng.choice(true_strategies(spec)), creator="a test")
            at = rng.randrange(92, len(text))
            piece = bytes([rng.choice(b".123#\n 0456789:ax")])
            mutant = rehash(text[:at] + piece + text[at + rng.randint(0, 1) :])
            verdict = verify(mutant)
            if verdict.proved:
                found = read_strategy(mutant)
                assert stands(found.strategy)
                assert strategy_text(found.strategy, creator=found.creator) == mutant
                proved += mutant != text
    assert proved


FEW = "8{0+1+5+6/0+1+3+4/0+1+2+7/3+4+7/2+6}"


def no_draw_of_seven() -> NoDraw:
    """Whatever four cells belong to whom, what is forced then contradicts itself."""
    tried = itertools.chain.from_iterable(
        itertools.product(*[(cell, -cell) for cell in range(1, most + 1)])
        for most in range(4, -1, -1)
    )
    return NoDraw(Game(FANO), "any", tuple(tried))


def plan_with_keys(spec: str) -> KeyPlan:
    found = breaker_plan(Game(spec), keys=(0, 1))
    assert found is not None
    return found


NEWER: dict[str, Callable[[], Any]] = {
    "maker wins": lambda: test_zones.plan("3^2:convention=maker-breaker"),
    "breaker wins": lambda: test_zones.plan("3^2:convention=maker-breaker,bias=1+2"),
    "breaker draws": lambda: test_zones.plan("6{0+1+2/1+3/1+4+5}"),
    "keys": lambda: plan_with_keys(FEW),
    "keys that win": lambda: plan_with_keys(f"{FEW}:convention=maker-breaker"),
    "no pairing": lambda: CROWDED,
    "no pairing by axes": lambda: NoPairing("3^2", axes=2),
    "no draw": no_draw_of_seven,
    "weights": lambda: Filling(Game(FANO), tuple((cell, Fraction(1)) for cell in range(7))),
    "cases": lambda: some_cases(Game(FANO), random.Random(4)),
    "full board": lambda: DrawnBoard("3^2", "112221112"),
    "full board of kinds": lambda: DrawnBoard("4^3", "12112212222211121112", (3,)),
    "region": region_of_three,
}
"""A proof of each newer kind, of a game that a second judge can take in."""

LONGER = (
    "keys",
    "keys that win",
    "weights",
    "cases",
    "full board",
    "full board of kinds",
    "region",
)
"""Kinds whose searches and checkers take long to compile."""


@pytest.mark.parametrize("name", more(NEWER, LONGER))
def test_newer_kinds_prove_nothing_false(name: str) -> None:
    """Whatever is changed under a right hash: what is proved all the same must be true."""
    rng, found = random.Random(name), NEWER[name]()
    text = proof_text(found)
    assert verify(text).proved, verify(text)
    kind = KINDS[text.partition(b"\n")[0]]
    assert is_true(found)
    fates: Counter[bool] = Counter()
    for _ in range(200):
        try:
            mutant = (change_claim if rng.random() < 0.2 else spoil_file)(found, rng)
        except HyperoxoError:
            continue
        verdict = verify(mutant)
        fates[verdict.proved] += 1
        if verdict.proved:
            value = kind.read(mutant)
            assert is_true(value) is not False, (mutant, verdict)
    assert fates[False] > 60, fates


@pytest.mark.parametrize("name", more(NEWER, LONGER))
def test_raw_damage_of_newer_kinds(name: str) -> None:
    """Without a right hash nothing is proved."""
    rng, text = random.Random(name), proof_text(NEWER[name]())
    for _ in range(200):
        at = rng.randrange(len(text))
        mutant = text[:at] + rng.randbytes(rng.randint(0, 2)) + text[at + 1 :]
        assert mutant == text or not verify(mutant).proved
