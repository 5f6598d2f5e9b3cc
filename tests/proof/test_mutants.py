"""Spoilt proofs: no raw damage gets through, and no honest-looking file proves what is false."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from hyperoxo.errors import HyperoxoError
from hyperoxo.proof import (
    KINDS,
    BreakerPlan,
    Strategy,
    ZonePlan,
    read_strategy,
    strategy_text,
    verify,
)
from hyperoxo.proof.filling import Filling
from hyperoxo.proof.full_board import DrawnBoard
from hyperoxo.proof.kinds import proof_text
from hyperoxo.proof.no_draw import NoDraw
from hyperoxo.proof.no_pairing import NoPairing
from hyperoxo.proof.region import RegionProof, region_text
from hyperoxo.rules import Game
from hyperoxo.solvers.draws.breaker import breaker_plan
from tests.proof import test_zones
from tests.proof.brute import stands, strategy
from tests.proof.judges import JUDGES
from tests.proof.test_checker import GAMES
from tests.proof.test_file import rehash

EACH = 640
"""Semantic mutants of each game; 10,880 in all."""

SMALL = tuple(spec for spec in GAMES if not spec.startswith("2^3"))


def raw_mutants(text: bytes) -> Iterator[bytes]:
    """Every file that differs by one byte: changed, dropped or added."""
    for at in range(len(text)):
        yield text[:at] + text[at + 1 :]
        for byte in range(256):
            if byte != text[at]:
                yield text[:at] + bytes([byte]) + text[at + 1 :]
    for at in range(len(text) + 1):
        for byte in range(256):
            yield text[:at] + bytes([byte]) + text[at:]


def test_every_raw_mutant_is_rejected() -> None:
    found = strategy("2^2", 1, "win")
    assert found is not None
    text = strategy_text(found, creator="a test")
    assert verify(text).proved
    mutants = 0
    for mutant in raw_mutants(text):
        if mutant == text:
            continue
        mutants += 1
        assert not verify(mutant).proved, mutant
    assert mutants > 90_000


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


def change_move(found: Strategy, rng: random.Random) -> Strategy:
    key = rng.choice(sorted(found.moves))
    return replace(found, moves={**found.moves, key: rng.randrange(len(key))})


def drop_entry(found: Strategy, rng: random.Random) -> Strategy:
    key = rng.choice(sorted(found.moves))
    return replace(found, moves={k: move for k, move in found.moves.items() if k != key})


def add_entry(found: Strategy, rng: random.Random) -> Strategy:
    key = bytearray(rng.choice(sorted(found.moves)))
    at = rng.randrange(len(key))
    if key[at] != 255:
        key[at] = rng.randint(0, found.game.players)
    return replace(found, moves={bytes(key): rng.randrange(len(key)), **found.moves})


def strengthen_claim(found: Strategy, rng: random.Random) -> Strategy:
    return replace(found, claim="win")


def swap_seat(found: Strategy, rng: random.Random) -> Strategy:
    return replace(found, seat=found.seat % found.game.players + 1)


def change_start(found: Strategy, rng: random.Random) -> Strategy:
    position = found.game.start()
    for _ in range(rng.randint(1, 3)):
        if not position.is_over:
            position = position.play(rng.choice(position.legal_moves))
    return replace(found, begins=position)


MUTATIONS = (change_move, drop_entry, add_entry, strengthen_claim, swap_seat, change_start)
WEIGHTS = (6, 2, 2, 1, 1, 1)


@pytest.mark.parametrize("spec", SMALL)
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


FANO = "7{0+1+2/0+3+4/0+5+6/1+3+5/1+4+6/2+3+6/2+4+5}"
FEW = "8{0+1+5+6/0+1+3+4/0+1+2+7/3+4+7/2+6}"
CROWDED = NoPairing("3^2", ((0, 1, 2), (0, 3, 6), (0, 4, 8), (2, 4, 6), (2, 5, 8)))
OTHERS = ("3^2", "3{0+1/0+2}", "4{0+1/2+3}", "3^2:target=2", "3^2:convention=maker-breaker", FANO)
COUNTED = re.compile(r"(rows|states|lines|steps|weights|moves|pairs|replies) (\d+)")


def no_draw_of_seven() -> NoDraw:
    """Whatever four cells belong to whom, what is forced then contradicts itself."""
    tried = itertools.chain.from_iterable(
        itertools.product(*[(cell, -cell) for cell in range(1, most + 1)])
        for most in range(4, -1, -1)
    )
    return NoDraw(Game(FANO), "any", tuple(tried))


def plan_with_keys(spec: str) -> BreakerPlan:
    found = breaker_plan(Game(spec), keys=(0, 1))
    assert found is not None
    return found


def region_of_three() -> RegionProof:
    second = strategy("3^2", 2, "draw")
    assert second is not None
    parts = second, CROWDED, DrawnBoard("3^2", "112221112")
    return RegionProof("3^2", (4,), tuple(proof_text(part) for part in parts))


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
    "full board": lambda: DrawnBoard("3^2", "112221112"),
    "full board of kinds": lambda: DrawnBoard("4^3", "12112212222211121112", (3,)),
    "region": region_of_three,
}
"""A proof of each newer kind, of a game that a second judge can take in."""


def change_rows(text: bytes, rng: random.Random) -> bytes:
    """Leave out, repeat, exchange or change rows of a file, and put its count and hash right."""
    lines = text.decode("ascii").split("\n")[:-1]
    head = next(
        at
        for at, line in enumerate(lines, 1)
        if (found := COUNTED.fullmatch(line)) and int(found[2]) == len(lines) - at
    )
    begin = head if len(lines) > head and rng.random() < 0.9 else 3
    at, other = rng.randrange(begin, len(lines)), rng.randrange(begin, len(lines))
    do = rng.randrange(5)
    if do == 0 and begin == head:
        del lines[at]
    elif do == 1 and begin == head:
        lines.insert(at, lines[other])
    elif do == 2 and begin == head:
        lines[at], lines[other] = lines[other], lines[at]
    elif do == 3 and (numbers := list(re.finditer(r"\d+", lines[at]))):
        one = rng.choice(numbers)
        number = max(0, int(one[0]) + rng.choice((-1, 1)))
        lines[at] = f"{lines[at][: one.start()]}{number}{lines[at][one.end() :]}"
    else:
        place = rng.randrange(len(lines[at]) + 1)
        sign = rng.choice(".120345678:+,- ")
        lines[at] = lines[at][:place] + sign + lines[at][place + rng.randint(0, 1) :]
    name = lines[head - 1].split(" ")[0]
    lines[head - 1] = f"{name} {len(lines) - head}" if begin == head else lines[head - 1]
    return rehash("".join(f"{line}\n" for line in lines).encode("ascii"))


def change_claim(found: Any, rng: random.Random) -> bytes:
    """Claim the same of another game, seat or region, or more of the same."""
    changes: list[dict[str, Any]] = []
    spec = rng.choice(OTHERS)
    changes.append({"game": spec if isinstance(found.game, str) else Game(spec)})
    if hasattr(found, "seat"):
        changes.append({"seat": 3 - found.seat})
    if isinstance(found, ZonePlan):
        changes.append({"claim": "win" if found.claim == "draw" else "draw"})
    if isinstance(found, RegionProof):
        changes += [{"regions": (region,)} for region in range(1, 6)]
        changes.append(
            {"parts": tuple(rng.sample(found.parts, rng.randint(0, min(2, len(found.parts)))))}
        )
    return proof_text(replace(found, **rng.choice(changes)))


def mutant_of(found: Any, rng: random.Random) -> bytes:
    """Spoil a proof in one way; within a region also one of its parts."""
    if rng.random() < 0.2:
        return change_claim(found, rng)
    if isinstance(found, RegionProof) and rng.random() < 0.8:
        parts = list(found.parts)
        at = rng.randrange(len(parts))
        parts[at] = change_rows(parts[at], rng)
        return region_text(replace(found, parts=tuple(parts)))
    return change_rows(proof_text(found), rng)


@pytest.mark.parametrize("name", NEWER)
def test_newer_kinds_prove_nothing_false(name: str) -> None:
    """Whatever is changed under a right hash: what is proved all the same must be true."""
    rng, found = random.Random(name), NEWER[name]()
    text = proof_text(found)
    assert verify(text).proved, verify(text)
    kind = KINDS[text.partition(b"\n")[0]]
    assert JUDGES[kind.value](found)
    fates: Counter[bool] = Counter()
    for _ in range(200):
        try:
            mutant = mutant_of(found, rng)
        except HyperoxoError:
            continue
        verdict = verify(mutant)
        fates[verdict.proved] += 1
        if verdict.proved:
            value = kind.read(mutant)
            assert JUDGES[kind.value](value), (mutant, verdict)
    assert fates[False] > 60, fates


@pytest.mark.parametrize("name", NEWER)
def test_raw_damage_of_newer_kinds(name: str) -> None:
    """Without a right hash nothing is proved."""
    rng, text = random.Random(name), proof_text(NEWER[name]())
    for _ in range(200):
        at = rng.randrange(len(text))
        mutant = text[:at] + rng.randbytes(rng.randint(0, 2)) + text[at + 1 :]
        assert mutant == text or not verify(mutant).proved
