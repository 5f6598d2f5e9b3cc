"""Spoilt proofs: no raw damage gets through, and no honest-looking file proves what is false."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hyperoxo.proof import verify
from hyperoxo.proof.registry import proof_text
from tests.hyperoxo.proof.mutations import FALSE, MAKERS, damaged, fate, proof_of, raw_mutants
from tests.marks import more

SHARE = 40
"""Spoilt copies of one proof, before another is made."""

MANY = dict.fromkeys(("strategy", "endgames", "coalition", "dictionary", "zones"), 1_000)
"""Spoilt copies of a kind, 400 if it is not named."""

JUDGED = tuple(kind for kind in MAKERS if kind != "table-bound")
"""A bound takes minutes to judge; `test_soundness` does so a few times."""


@pytest.mark.parametrize("kind", more(JUDGED, but=["pairing", "mirroring"]))
def test_what_is_proved_all_the_same_is_true(kind: str) -> None:
    """With the hash, and as a rule the counts, put right."""
    rng = random.Random(kind)
    fates: Counter[str] = Counter()
    for number in range(MANY.get(kind, 400)):
        found, mutant = fate(kind, f"mutants {number // SHARE}", rng)
        assert found not in FALSE, (found, mutant)
        fates[found] += 1
    assert fates["rejected"] > fates.total() / 5, fates


def test_every_byte_of_a_file_counts() -> None:
    text = proof_text(proof_of("pairing", "raw"))
    assert verify(text).proved
    for mutant in raw_mutants(text):
        assert mutant == text or not verify(mutant).proved, mutant


@pytest.mark.parametrize("kind", more(MAKERS, but=["pairing", "mirroring", "strategy"]))
def test_raw_damage_is_noticed(kind: str) -> None:
    rng = random.Random(kind)
    for number in range(5):
        text = proof_text(proof_of(kind, f"raw {number}"))
        for _ in range(400):
            mutant = damaged(text, rng)
            assert mutant == text or not verify(mutant).proved, mutant
