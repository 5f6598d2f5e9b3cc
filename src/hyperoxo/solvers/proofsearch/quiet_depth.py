"""The least number of quiet moves with which a win can be forced.

A quiet move of the attacker neither wins nor blocks nor makes a threat, so that the defender may
answer anywhere. The *quiet depth* of a proof is the most quiet moves on any of its paths; that of
a position is the least of all its proofs. Moves already made do not count.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Position
from hyperoxo.jit import working_time
from hyperoxo.solvers.proofsearch.driver import load_checkpoint, save_checkpoint
from hyperoxo.solvers.proofsearch.search import THREAT_LIMIT, ProofSearch
from hyperoxo.solvers.proofsearch.tree import ProofTree, proof_tree, tree_depth
from hyperoxo.task import Task

_FIRST_NODES = 100_000
_GROWTH = 5
_NARROW = 6
_ANY = -1


@dataclass(frozen=True)
class QuietDepth:
    """Bounds of the quiet depth of a position."""

    attacker: int
    wins: bool | None
    at_least: int
    at_most: int | None
    tree: ProofTree | None
    nodes: int
    seconds: float
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
        """Whether the bounds meet."""
        return self.at_least == self.at_most


def quiet_depth(
    position: Position,
    attacker: int = 1,
    *,
    task: Task | None = None,
    nodes: int = 0,
    most: int = 20,
    megabytes: float = 512,
    threads: int = 1,
    tables: QuietTables | None = None,
) -> QuietDepth:
    """Find the quiet depth of a position, or bounds; `tables` keep what is found for others.

    At most `nodes` positions with the defender to move are opened, 0 for no limit. Reports are
    pairs of a depth and a `ProofProgress`; without a task a minute is the limit.
    """
    if position.is_over:
        raise SpecError("the game is over in this position")
    tables = tables or QuietTables(position.game, attacker, megabytes)
    work = _Work(position, attacker, most, nodes, tables, threads, task or Task.within(60.0))
    begin = working_time()
    work.run()
    wins = None if work.high is None and not work.lost else not work.lost
    seconds = working_time() - begin
    return QuietDepth(attacker, wins, work.low, work.high, work.tree, work.nodes, seconds)


class QuietTables:
    """The tables of searches of all depths and from several positions, one for each width.

    They are read from files that begin with the name `checkpoint`, if one is given, and written
    there again by `save`.
    """

    def __init__(
        self,
        game: Game,
        attacker: int,
        megabytes: float = 512,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        self.checkpoint = checkpoint
        self._searches: dict[int, ProofSearch] = {}
        for width in (0, _NARROW):
            # Failing with all moves is a proof of its own: it uses no limit on forced wins.
            limit = THREAT_LIMIT if width else 0
            search = ProofSearch(
                game, attacker, megabytes=megabytes, width=width, threat_limit=limit
            )
            self._searches[width] = search
            path = self._path(width)
            if path is not None and path.exists():
                load_checkpoint(search, path)
        self._saved = time.monotonic()

    def search(self, depth: int, width: int) -> ProofSearch:
        """Return the search of one width, set to a number of quiet moves."""
        search = self._searches[width]
        search.quiet = depth
        return search

    def save(self, interval: float = 0.0) -> None:
        """Write the tables, unless that was done in the last `interval` seconds."""
        if self.checkpoint is None or time.monotonic() - self._saved < interval:
            return
        for width, search in self._searches.items():
            path = self._path(width)
            assert path is not None
            save_checkpoint(search, path)
        self._saved = time.monotonic()

    def _path(self, width: int) -> Path | None:
        name = self.checkpoint
        attacker = self._searches[width].attacker
        return None if name is None else Path(f"{name}.{attacker}.{width or 'all'}")


@dataclass
class _Work:
    """Searches of all depths that are open, with more and more nodes."""

    position: Position
    attacker: int
    most: int
    limit: int
    tables: QuietTables
    threads: int
    task: Task
    low: int = 0
    high: int | None = None
    lost: bool = False
    tree: ProofTree | None = None
    nodes: int = 0

    def run(self) -> None:
        nodes = _FIRST_NODES
        while self.high != self.low and self.low <= self.most:
            if self.low and self.high is None:
                self._try(_ANY, 0, nodes)
                if self.lost:
                    return
            depth = self.low
            while depth <= self.most and (self.high is None or depth < self.high):
                for width in (0, _NARROW):
                    if self.task.over or 0 < self.limit <= self.nodes:
                        return
                    self._try(depth, width, nodes)
                depth += 1
            nodes *= _GROWTH
        if self.high is None:
            self._try(_ANY, 0, 0)

    def _try(self, depth: int, width: int, nodes: int) -> None:
        """Search with all moves, which may disprove, or with the best ones, to prove quicker."""
        if depth != _ANY and not self.low <= depth < (self.high or self.most + 1):
            return
        if self.limit:
            left = max(1, self.limit - self.nodes)
            nodes = min(nodes, left) if nodes else left
        search = self.tables.search(depth, width)
        task = replace(self.task, on_report=lambda found: self.task.report((depth, found)))
        result = search.run(self.position, task, nodes=nodes, threads=self.threads)
        self.nodes += result.progress.nodes
        if result.status == "win":
            self.tree = proof_tree(search, self.position)
            self.high = tree_depth(search, self.tree) if depth == _ANY else depth
        elif result.status == "failed" and not width:
            self.lost = depth == _ANY
            self.low = max(self.low, depth + 1)
