"""Proofs that a dictionary of strategic moves wins, ready to be stored and checked again.

A proof with *leaves derived* holds the strategic moves alone; its checker finds the forced
sequences anew. One with *leaves stored* also holds the forced sequences, and the positions in
which the attacker only blocks; its checker replays and searches nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.dictionary import Dictionary

__all__ = ["DictionaryProof", "Sequences", "check_proof", "pack"]

Sequences = tuple[tuple[int, ...], ...]
_NOTHING: Mapping[bytes, int] = MappingProxyType({})


@dataclass(frozen=True)
class DictionaryProof:
    """A dictionary and, where its leaves are stored, how every reply is answered."""

    dictionary: Dictionary
    leaves: Mapping[bytes, Sequences] | None = None
    blocks: Mapping[bytes, int] = field(default_factory=lambda: _NOTHING)

    @property
    def game(self) -> Game:
        """The game."""
        return self.dictionary.game

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        return self.dictionary.statement

    @property
    def stored(self) -> bool:
        """Whether leaves are stored."""
        return self.leaves is not None

    @property
    def sequences(self) -> int:
        """Number of stored sequences."""
        return sum(map(len, (self.leaves or {}).values()))


def pack(
    dictionary: Dictionary,
    *,
    stored: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[DictionaryProof, DictionaryVerdict]:
    """Check a dictionary, and make a proof of it; moves that are not needed are left out."""
    from hyperoxo.proof.dictionary_check import verdict_of, walk_through
    from hyperoxo.proof.dictionary_walk import Walk
    from hyperoxo.proof.forced import NODES

    begin = time.perf_counter()
    walk = Walk(dictionary, nodes=NODES)
    walk_through(walk, progress)
    verdict = verdict_of(walk, begin)
    if not verdict.proved:
        raise CheckFailedError(f"the dictionary does not win: {verdict.reason}")
    moves = {form: move for form, move in dictionary.moves.items() if form in walk.used}
    kept = Dictionary(dictionary.game, dictionary.seat, dictionary.begins, moves)
    if not stored:
        return DictionaryProof(kept), verdict
    return DictionaryProof(kept, walk.found, walk.blocks), verdict


def check_proof(
    proof: DictionaryProof,
    *,
    begin: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> DictionaryVerdict:
    """Check a proof."""
    from hyperoxo.proof.dictionary_check import verdict_of, walk_through
    from hyperoxo.proof.dictionary_walk import Walk
    from hyperoxo.proof.forced import NODES

    begin = time.perf_counter() if begin is None else begin
    walk = Walk(proof.dictionary, nodes=NODES, leaves=proof.leaves)
    walk_through(walk, progress)
    spare = ""
    if walk.used != proof.dictionary.moves.keys():
        spare = f"{len(proof.dictionary.moves) - len(walk.used)} listed moves are not needed"
    elif proof.leaves is None and proof.blocks:
        spare = "blocks are stored where leaves are not"
    elif proof.leaves is not None and walk.seen | {b""} != proof.leaves.keys() | {b""}:
        spare = "sequences are stored for positions that are not reached"
    elif proof.leaves is not None and walk.blocks != proof.blocks:
        spare = "a stored block is not the block of the defender's threat"
    return verdict_of(walk, begin, spare)
