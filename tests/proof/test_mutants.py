"""Spoilt proofs: no raw damage gets through, and no honest-looking file proves what is false."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from hyperoxo.proof import Strategy, read_strategy, strategy_text, verify
from tests.proof.brute import stands, strategy
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
