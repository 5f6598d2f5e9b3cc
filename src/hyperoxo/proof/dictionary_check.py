"""Whether a dictionary of strategic moves wins against every defence.

The check walks from where the claim begins. The attacker plays by the four rules of
:mod:`hyperoxo.proof.dictionary`, the defender makes every move that is legal. Positions that are
images of each other are walked once. What the walk relies on beside the rules of the game:

- where the attacker threatens in two cells and the defender in none, he wins;
- where he threatens in one, any other reply loses at once;
- a reply is answered where a forced sequence, replayed with that reply on the board, wins; the
  sequences come from a search that need not be trusted.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_verdict import DictionaryVerdict, published_size
from hyperoxo.proof.dictionary_walk import Walk
from hyperoxo.proof.forced import NODES

__all__ = ["check_dictionary", "verdict_of", "walk_through"]

_OFTEN = 256


def check_dictionary(
    dictionary: Dictionary,
    *,
    nodes: int = NODES,
    examples: int = 5,
    progress: Callable[[int, int], object] | None = None,
    begin: float | None = None,
) -> DictionaryVerdict:
    """Check that a dictionary wins against every defence.

    Parameters
    ----------
    dictionary : Dictionary
        The dictionary.
    nodes : int
        Most positions searched for one forced sequence.
    examples : int
        Most failures described.
    progress : callable, optional
        Called now and then with the listed positions walked and their number in all.
    begin : float, optional
        When the clock started, as `time.perf_counter` told; now if it is not given.

    Returns
    -------
    DictionaryVerdict
        ``"proved"`` only if the attacker wins however the defender plays.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> found = check_dictionary(Dictionary(Game("3^2"), 1, None, {bytes(9): 4}))
    >>> found.reason
    'no move is listed and there is no forced win: 2...1...., reached by the moves 4,0'
    """
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
