"""Quiet depth of a position: the least number of quiet moves of a forced win.

A quiet move of the attacker neither wins nor blocks nor makes a threat, so that the defender may
answer anywhere. The *quiet depth* of a proof is the most quiet moves on any of its paths; that of
a position is the least of all its proofs. Moves already made do not count.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Position
from hyperoxo.jit import working_time
from hyperoxo.solvers.proofsearch.search import THREAT_LIMIT, ProofSearch, TableFiles
from hyperoxo.solvers.proofsearch.tree import ProofTree, proof_tree, tree_depth
from hyperoxo.task import Task

_FIRST_NODES = 100_000
_GROWTH = 5
_NARROW = 6
_ANY, _MOST = -1, 20
"""Quiet moves of a search without a limit on them, and the most that one is limited to."""


@dataclass
class QuietDepth:
    """Bounds of the quiet depth of a position."""

    attacker: int
    wins: bool | None = None
    at_least: int = 0
    at_most: int | None = None
    tree: ProofTree | None = None
    nodes: int = 0
    seconds: float = 0.0
    _data = "wins at_least at_most exact strategic quiet=tree.quiet nodes seconds:3"

    @property
    def strategic(self) -> int | None:
        """Strategic moves of the proof; None without one."""
        return None if self.tree is None else len(self.tree.moves)

    @property
    def depth(self) -> str:
        """The known bounds on the quiet depth, in words."""
        if self.wins is False:
            return "no win"
        if self.exact:
            return str(self.at_least)
        if self.at_most is None:
            return f"at least {self.at_least}"
        return f"{self.at_least} to {self.at_most}"

    @property
    def exact(self) -> bool:
        """True if the bounds meet."""
        return self.at_least == self.at_most


class QuietSearch:
    """Searches for quiet depths in one game; their tables serve all depths and positions.

    They are read from files that begin with the name `checkpoint`, if one is given, and written
    there again by `save`.
    """

    def __init__(
        self,
        game: Game,
        attacker: int = 1,
        megabytes: float = 512,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        self.attacker = attacker
        self._files = TableFiles(checkpoint)
        self._searches: dict[int, ProofSearch] = {}
        for width in (0, _NARROW):
            # A failure with all moves is a disproof, so forced wins are searched without a limit.
            limit = THREAT_LIMIT if width else 0
            self._searches[width] = ProofSearch(
                game, attacker, megabytes=megabytes, width=width, threat_limit=limit
            )
            self._files.load(self._searches[width])

    def save(self, interval: float = 0.0) -> None:
        """Write the tables, unless that was done in the last `interval` seconds."""
        self._files.save(self._searches.values(), interval)

    def depth(
        self, position: Position, task: Task, *, nodes: int = 0, threads: int = 1
    ) -> QuietDepth:
        """Find the quiet depth of a position, or bounds.

        At most `nodes` positions with the defender to move are opened, 0 for no limit. Reports are
        pairs of a depth and a `ProofProgress`.
        """
        if position.is_over:
            raise SpecError("the game is over in this position")
        found, begin = QuietDepth(self.attacker), working_time()

        # Table entries have the quiet moves left as part of their key, so one table serves all
        # depths.
        def attempt(depth: int, width: int, most: int) -> None:
            """Search with all moves (can disprove), or with the best ones (proves sooner)."""
            if nodes:
                left = nodes - found.nodes
                most = min(most, left) if most else left
            search = self._searches[width]
            search.quiet = depth
            inner = replace(task, on_report=lambda progress: task.report((depth, progress)))
            result = search.run(position, inner, nodes=most, threads=threads)
            found.nodes += result.nodes
            if result.status == "win":
                found.wins, found.tree = True, proof_tree(search, position)
                found.at_most = tree_depth(search, found.tree) if depth == _ANY else depth
            elif result.status == "failed" and not width:
                if depth == _ANY:
                    found.wins = False
                found.at_least = max(found.at_least, depth + 1)

        _deepen(found, attempt, lambda: task.over or 0 < nodes <= found.nodes)
        found.seconds = working_time() - begin
        return found


def _deepen(
    found: QuietDepth, attempt: Callable[[int, int, int], None], is_over: Callable[[], bool]
) -> None:
    """Iterative deepening and broadening: all open depths, with growing node limits."""

    def is_open(depth: int) -> bool:
        end = _MOST + 1 if found.at_most is None else found.at_most
        return found.at_least <= depth < end

    # A disproof at depth k raises `at_least` to k + 1, a proof lowers `at_most` to k. A depth that
    # runs out of nodes is left open for the next round, and deeper ones are tried before.
    nodes = _FIRST_NODES
    while not found.exact and found.at_least <= _MOST and not is_over():
        if found.at_least and found.at_most is None:
            attempt(_ANY, 0, nodes)
            if found.wins is False:
                return
        depth = found.at_least
        while is_open(depth):
            for width in (0, _NARROW):
                if is_over():
                    return
                if is_open(depth):
                    attempt(depth, width, nodes)
            depth += 1
        nodes *= _GROWTH
    if found.at_most is None and not is_over():
        attempt(_ANY, 0, 0)
