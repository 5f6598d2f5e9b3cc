"""Whether a dictionary of strategic moves wins against every defence.

The check walks from where the claim begins. The attacker plays by the four rules of
:mod:`hyperoxo.proof.dictionary`, the defender makes every move that is legal. Positions that are
images of each other are walked once. What the walk relies on beside the rules of the game:

- an attacker who threatens in two cells wins where the defender threatens in none;
- where the attacker threatens in one cell, any reply elsewhere loses to the next move;
- a reply is answered where a forced sequence, replayed with that reply on the board, wins; the
  sequences come from a search that need not be trusted.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_walk import Walk
from hyperoxo.proof.forced import NODES

__all__ = ["check_dictionary", "verdict_of", "walk_through"]

_OFTEN = 256
_PUBLISHED = {"4^3": 2929}


def check_dictionary(
    dictionary: Dictionary,
    *,
    nodes: int = NODES,
    examples: int = 5,
    progress: Callable[[int, int], object] | None = None,
    begin: float | None = None,
) -> DictionaryVerdict:
    """Check that a dictionary wins against every defence; `nodes` limits each search."""
    begin = time.perf_counter() if begin is None else begin
    walk = Walk(dictionary, nodes=nodes, examples=examples)
    walk_through(walk, progress)
    return verdict_of(walk, begin)


def walk_through(walk: Walk, progress: Callable[[int, int], object] | None) -> None:
    """Run a walk to its end."""
    for walked in walk.run():
        if progress is not None and not walked % _OFTEN:
            progress(len(walk.used), len(walk.dictionary.moves))


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
    """Return how many strategic moves the proof in the literature has, if there is one."""
    if dictionary.begins is not None or dictionary.seat != 1:
        return None
    return _PUBLISHED.get(str(dictionary.game))
