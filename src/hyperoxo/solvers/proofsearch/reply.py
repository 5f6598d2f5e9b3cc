"""The search of one reply, with a table of its own, in whichever process that is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from hyperoxo.position import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.solvers.proofsearch.search import ProofProgress, ProofSearch, Words
from hyperoxo.solvers.proofsearch.tree import proof_tree, tree_of
from hyperoxo.workers import given_up

__all__ = ["Attempt", "ReplyTask", "try_reply", "try_reply_until"]


@dataclass(frozen=True)
class ReplyTask:
    """One search of one reply, as another process takes it."""

    position: Position
    cell: int
    width: int
    nodes: int
    megabytes: float
    threads: int
    suggestions: Dictionary | None = None


@dataclass(frozen=True)
class Attempt:
    """What a search of a reply came to."""

    status: str
    nodes: int
    seconds: float
    moves: dict[Words, int] = field(repr=False, default_factory=dict)


def try_reply(
    task: ReplyTask,
    seconds: float | None = None,
    watch: Callable[[ProofProgress], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Attempt:
    """Search one reply with an empty table, in whichever process that is."""
    game, attacker = task.position.game, 3 - task.position.to_move
    search = ProofSearch(game, attacker, megabytes=task.megabytes, width=task.width)
    if task.suggestions is not None:
        search.suggest(tree_of(search, task.suggestions).moves)
    after = task.position.play(task.cell)
    result = search.run(
        after,
        seconds=seconds,
        nodes=task.nodes,
        threads=task.threads,
        watch=watch,
        stop=lambda: given_up() or (stop is not None and stop()),
    )
    moves = proof_tree(search, after).moves if result.status == "win" else {}
    return Attempt(result.status, result.progress.nodes, result.progress.seconds, moves)


def try_reply_until(task: ReplyTask, end: float | None = None) -> Attempt:
    """Search one reply until a time, in seconds since the epoch."""
    return try_reply(task, None if end is None else max(0.0, end - time.time()))
