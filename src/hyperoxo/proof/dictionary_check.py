"""Checker of dictionaries: the strategic moves win against every defence.

The check walks from where the claim begins. The attacker plays by the four rules of
:mod:`hyperoxo.proof.dictionary`, the defender makes every move that is legal. Positions that are
images of each other are walked once. The walk relies on the rules of the game and on these facts:

- an attacker who threatens in two cells wins where the defender threatens in none;
- where the attacker threatens in one cell, any reply elsewhere loses to the next move;
- a reply is answered where a forced sequence, replayed with that reply on the board, wins; the
  sequences come from a search that need not be trusted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from hyperoxo.errors import CheckFailedError
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_walk import Node, Walk
from hyperoxo.proof.forced import NODES
from hyperoxo.proof.images import Cells

_OFTEN = 256
_PUBLISHED = {"4^3": 2929}

Progress = Callable[[int, int], object] | None
Edges = Mapping[bytes, tuple[bytes, ...]]
"""Successors of each position, as forms; the key `b""` is the beginning."""


def check_dictionary(
    dictionary: Dictionary,
    *,
    nodes: int = NODES,
    examples: int = 5,
    progress: Progress = None,
    begin: float | None = None,
) -> DictionaryVerdict:
    """Check that listed moves win against every defence; `nodes` limits each search."""
    begin = time.perf_counter() if begin is None else begin
    walk = Walk(dictionary, nodes=nodes, examples=examples)
    return verdict_of(_walked(walk, progress), begin)


def check_proof(
    proof: Dictionary, *, begin: float | None = None, progress: Progress = None
) -> DictionaryVerdict:
    """Check a proof: a dictionary with all entries that it needs, and no others."""
    begin = time.perf_counter() if begin is None else begin
    walk = _walked(Walk(proof, nodes=NODES, leaves=proof.leaves), progress)
    # A proof holds exactly what its walk needs, so that each dictionary has one file.
    spare = ""
    if walk.used != proof.moves.keys():
        spare = f"listed moves that are not needed: {len(proof.moves) - len(walk.used)}"
    elif proof.leaves is None and proof.blocks:
        spare = "blocks are stored where leaves are not"
    elif proof.leaves is not None and walk.seen | {b""} != proof.leaves.keys() | {b""}:
        spare = "sequences are stored for positions that are not reached"
    elif proof.leaves is not None and walk.blocks != proof.blocks:
        spare = "a stored block is not the block of the defender's threat"
    return verdict_of(walk, begin, spare)


def pack(
    dictionary: Dictionary, *, stored: bool = False, progress: Progress = None
) -> tuple[Dictionary, DictionaryVerdict]:
    """Check a dictionary, and make a proof of it; moves that are not needed are left out."""
    begin = time.perf_counter()
    walk = _walked(Walk(dictionary, nodes=NODES), progress)
    verdict = verdict_of(walk, begin)
    if not verdict.proved:
        raise CheckFailedError(f"the dictionary does not win: {verdict.reason}")
    moves = {form: move for form, move in dictionary.moves.items() if form in walk.used}
    leaves, blocks = (walk.found, walk.blocks) if stored else (None, {})
    return replace(dictionary, moves=moves, leaves=leaves, blocks=blocks), verdict


def _walked(walk: Walk, progress: Progress) -> Walk:
    """Run a walk to its end."""
    for walked in walk.run():
        if progress is not None and not walked % _OFTEN:
            progress(len(walk.used), len(walk.dictionary.moves))
    return walk


class _EdgeWalk(Walk):
    """The checker's walk, with a record of successors."""

    def __init__(self, proof: Dictionary) -> None:
        super().__init__(proof, nodes=NODES, leaves=proof.leaves)
        self.after: dict[bytes, dict[bytes, None]] = {}
        self._here = b""

    def _take_sequences(self, form: bytes, cells: Cells) -> None:
        self._here = form
        self.after[form] = {}
        super()._take_sequences(form, cells)

    def _follow(self, node: Node, form: bytes, cells: Cells, move: int) -> None:
        self.after[self._here][form] = None
        super()._follow(node, form, cells, move)


def dictionary_edges(proof: Dictionary, progress: Progress = None) -> Edges:
    """Return the successors of each entry; `CheckFailedError` if the dictionary does not win."""
    walk = _EdgeWalk(proof)
    _walked(walk, progress)
    if walk.failures:
        raise CheckFailedError(str(walk.failures[0]))
    return {form: tuple(after) for form, after in walk.after.items()}


def verdict_of(walk: Walk, begin: float, spare: str = "") -> DictionaryVerdict:
    """Sum up a walk."""
    reason = spare
    if walk.failures:
        more = f"; {walk.failed:,} such places in all" if walk.failed > 1 else ""
        reason = f"{walk.failures[0]}{more}"
    return DictionaryVerdict(
        walk.dictionary.statement,
        "rejected" if reason else "proved",
        reason,
        len(walk.seen),
        time.perf_counter() - begin,
        len(walk.used),
        walk.quiet,
        len(walk.dictionary.moves) - len(walk.used),
        walk.failed,
        walk.missing,
        tuple(walk.failures),
        walk.replies + int(walk.search.workspace.nodes[0]),
        published_size(walk.dictionary),
    )


def published_size(dictionary: Dictionary) -> int | None:
    """Return the number of strategic moves of the published proof, if there is one."""
    if dictionary.begins is not None or dictionary.seat != 1:
        return None
    return _PUBLISHED.get(str(dictionary.game))
