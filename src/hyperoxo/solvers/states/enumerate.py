"""Counts of the positions of a game, up to symmetry or not, by any number of workers."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.checkpoint import Form
from hyperoxo.display import Result
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game, outcome_of
from hyperoxo.solvers.states import layers
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo.task import Progress, Task, slices

__all__ = ["Finals", "States", "enumerate_states"]

Words = NDArray[np.uint64]
Found = tuple[Words, Words, NDArray[np.int64]]
"""Keys, numbers of games and sizes of orbits of some positions."""

_LEAST = 1 << 12
"""Fewest positions of a shard: less costs more to send than to expand."""
_SHARDS = 4
"""Shards a worker, so that a slow one does not keep the others waiting."""
_FORM = Form(
    "hyperoxo-states",
    2,
    "oxo states",
    {"keys": "<u8", "games": "<u8", "orbit": "<i8"},
    ("ply", "counts"),
)


@dataclass(frozen=True)
class Finals:
    """Ends of games by winner."""

    wins: tuple[int, ...]
    draws: int


@dataclass(frozen=True)
class States(Result):
    """The number of positions of a game.

    Attributes
    ----------
    game : Game
        The game.
    positions_by_ply : tuple of int
        Legal positions of 0, 1, ... stones.
    classes_by_ply : tuple of int or None
        The same up to symmetry; None if the group is too large for canonical forms. As long
        as an opening restriction has moves to come, only symmetries that keep it count.
    finals : Finals
        Positions in which the game is over, by winner.
    games : Finals
        Complete games, that is different sequences of moves to the end.
    complete : bool
        Whether all positions are counted; False where `max_plies` bounds the count and some games
        go on.

    Examples
    --------
    >>> states = enumerate_states(Game("3^2"))
    >>> states.positions, states.classes
    (5478, 765)
    >>> states.finals
    Finals(wins=(626, 316), draws=16)
    >>> states.games
    Finals(wins=(131184, 77904), draws=46080)
    """

    game: Game
    positions_by_ply: tuple[int, ...]
    classes_by_ply: tuple[int, ...] | None
    finals: Finals
    games: Finals
    complete: bool
    _data = "game positions classes positions_by_ply classes_by_ply finals games complete"
    _text = """
|_plies| ply | positions | classes? |
?classes {positions:#position}, {classes:,} up to symmetry; {seconds:.2f} s
!classes {positions:#position}; {seconds:.2f} s
!classes no classes: the board has {_order} symmetries, over 100,000
*_ends {what}: {wins}, {draws:,} drawn
!complete some games go on beyond these plies
"""

    @property
    def _plies(self) -> list[dict[str, Any]]:
        classes = self.classes_by_ply or (None,) * len(self.positions_by_ply)
        rows = enumerate(zip(self.positions_by_ply, classes, strict=True))
        return [{"ply": ply, "positions": n, "classes": least} for ply, (n, least) in rows]

    @property
    def _ends(self) -> list[dict[str, Any]]:
        ends = {"final positions": self.finals, "complete games": self.games}
        return [
            {
                "what": what,
                "wins": [f"{count:,} won by {who}" for who, count in enumerate(one.wins, 1)],
                "draws": one.draws,
            }
            for what, one in ends.items()
        ]

    @property
    def _order(self) -> str:
        return self.game.symmetry.order_text

    @property
    def positions(self) -> int:
        """Legal positions in all."""
        return sum(self.positions_by_ply)

    @property
    def classes(self) -> int | None:
        """Legal positions up to symmetry in all."""
        return None if self.classes_by_ply is None else sum(self.classes_by_ply)

    def graph(self, *, symmetry: bool = True) -> StateGraph:
        """Return the positions themselves and the moves between them.

        Parameters
        ----------
        symmetry : bool
            Whether a node is a class of positions rather than one position.

        Returns
        -------
        StateGraph
            The graph.

        Examples
        --------
        >>> enumerate_states("3^2").graph(symmetry=False).to_networkx().number_of_nodes()
        5478
        """
        plies = None if self.complete else len(self.positions_by_ply) - 1
        return StateGraph(self.game, symmetry=symmetry, max_plies=plies)


@dataclass
class _Tally:
    """Counts so far."""

    positions: list[int] = field(default_factory=list)
    classes: list[int] = field(default_factory=list)
    final_wins: list[int] = field(default_factory=list)
    final_draws: int = 0
    game_wins: list[int] = field(default_factory=list)
    game_draws: int = 0

    def add(self, layer: layers.Layer, players: int, classes: int | None) -> None:
        """Count one layer more."""
        self.positions.append(int(layer.orbit.sum()))
        if classes is not None:
            self.classes.append(classes)
        if not self.final_wins:
            self.final_wins, self.game_wins = [0] * players, [0] * players
        for result in np.unique(layer.results).tolist():
            outcome = outcome_of(result, players)
            if outcome is None:
                continue
            here = layer.results == result
            ends, games = int(layer.orbit[here].sum()), layers.total_of(layer.games[here])
            if outcome.draw:
                self.final_draws += ends
                self.game_draws += games
            for player in outcome.winners:
                self.final_wins[player - 1] += ends
                self.game_wins[player - 1] += games


def enumerate_states(
    game: Game | str,
    *,
    symmetry: bool = True,
    max_plies: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
    workers: int = 1,
    executor: Executor | None = None,
) -> States:
    """Count all legal positions of a game, ply by ply.

    Parameters
    ----------
    game : Game or str
        The game.
    symmetry : bool
        Whether to list one position of each class and weigh it by the size of the class, which
        is quicker, rather than all positions one by one. Both ways count both.
    max_plies : int, optional
        Largest number of stones; it bounds games that are too large as a whole.
    checkpoint : str or Path, optional
        A file that holds the work done so far after every ply. If it exists, and belongs to the
        same count, the work resumes from it; at the end it is removed.
    progress : callable, optional
        Called with (work done, all work) many times a second.
    workers : int
        Processes that share every large layer; results do not depend on it. A script that asks
        for several needs ``if __name__ == "__main__":``.
    executor : concurrent.futures.Executor, optional
        Where the work runs, instead of processes that this call starts.

    Returns
    -------
    States

    Raises
    ------
    LimitError
        If the game is too large; the message gives size and time.
    SpecError
        If `max_plies` is negative.
    CheckFailedError
        If the checkpoint belongs to another count, or is damaged.

    Examples
    --------
    >>> enumerate_states("4^3", max_plies=3).positions_by_ply
    (1, 64, 4032, 124992)
    >>> enumerate_states("3^2", symmetry=False).classes
    765
    """
    game = Game(game) if isinstance(game, str) else game
    if max_plies is not None and max_plies < 0:
        raise SpecError(f"max_plies must be at least 0, not {max_plies}")
    # 1. Refuse a count that is too large; resume from a checkpoint, or begin at the empty board.
    limit = layers.most_positions(game, symmetry=symmetry, plies=max_plies)
    code, with_classes = _code_for(game, symmetry, max_plies)
    path = None if checkpoint is None else Path(checkpoint)
    purpose = {"game": str(game), "one_by_one": code.order == 1, "plies": code.plies}
    layer, tally = code.first(), _Tally()
    # An empty file was created to hold the checkpoint, and holds none yet.
    if path is not None and path.exists() and (path.stat().st_size or not path.is_file()):
        saved = _FORM.load(path, purpose)
        layer = code.layer(saved["ply"], saved["keys"], saved["games"], saved["orbit"])
        tally = _Tally(**saved["counts"])
    else:
        tally.add(layer, game.players, 1 if with_classes else None)
    # 2. Layer by layer, until all games are over: expand, count, save.
    bounds = layers.bounds_by_ply(game, code.plies)
    with Task.shared(progress, workers, executor) as task:
        while layer.ply < code.plies and (layer.results == 0).any():
            layer = _next(code, layer, _of_layer(task, bounds, layer.ply), limit)
            tally.add(layer, game.players, code.class_count(layer) if with_classes else None)
            if path is not None:
                more = {"ply": layer.ply, "counts": asdict(tally)}
                arrays = {"keys": layer.keys, "games": layer.games, "orbit": layer.orbit}
                _FORM.save(path, purpose, more, **arrays)
    if path is not None:
        path.unlink(missing_ok=True)
    return States(
        game,
        tuple(tally.positions),
        tuple(tally.classes) if with_classes else None,
        Finals(tuple(tally.final_wins), tally.final_draws),
        Finals(tuple(tally.game_wins), tally.game_draws),
        not (layer.results == 0).any(),
    )


def _code_for(game: Game, symmetry: bool, max_plies: int | None) -> tuple[layers.GameCode, bool]:
    """Return the game's code and whether classes can be counted."""
    try:
        code = layers.GameCode(game, symmetry=symmetry, max_plies=max_plies)
        if not symmetry or game.opening is not None:
            code.full_images  # noqa: B018 - finds out now whether canonical forms can be had
    except LimitError:
        return layers.GameCode(game, symmetry=False, max_plies=max_plies), False
    return code, True


def _of_layer(task: Task, bounds: tuple[int, ...], ply: int) -> Task:
    """Return the task of expanding one layer; progress is weighed by the bounds of all layers."""
    before, total = sum(bounds[:ply]), sum(bounds[:-1])

    def report(done: int, of: int) -> None:
        task.report_progress(before + bounds[ply] * done // of, total)

    return replace(task, progress=report)


# Many workers: each expands shards of a layer, and the results are merged.


def _next(code: layers.GameCode, layer: layers.Layer, task: Task, most: int | None) -> layers.Layer:
    """Return the layer with one more stone, computed by all workers."""
    # Shards share children, so their sorted lists are merged as they arrive; the order of arrival
    # does not matter, since numbers of games are added.
    parts = slices(len(layer), max(_LEAST, -(-len(layer) // (_SHARDS * task.width))))
    if not task.is_spread or len(parts) == 1:
        return code.next(layer, task, most)
    plan = code.game, code.symmetry, code.plies, layer.ply, most
    pieces = [(*plan, (layer.keys[at], layer.games[at], layer.orbit[at])) for at in parts]
    merged: Found | None = None
    for _, found in task.spread(_expanded, pieces, parts):
        merged = found if merged is None else _merged(merged, found)
        code.check_limit(layer, len(merged[0]), most)
    assert merged is not None
    return code.layer(layer.ply + 1, *merged)


@lru_cache(maxsize=4)
def _code(game: Game, symmetry: bool, plies: int) -> layers.GameCode:
    return layers.GameCode(game, symmetry=symmetry, max_plies=plies)


def _expanded(
    game: Game, symmetry: bool, plies: int, ply: int, limit: int | None, shard: Found, _: Task
) -> Found:
    """Expand a shard."""
    code = _code(game, symmetry, plies)
    # Arrays from another process may be read-only or not aligned: copy them for the kernels.
    keys, games, orbit = shard
    layer = code.layer(ply, np.array(keys), np.array(games), np.array(orbit))
    found = code.next(layer, limit=limit)
    return found.keys, found.games, found.orbit


def _merged(one: Found, other: Found) -> Found:
    """Merge the children of two shards; numbers of games of a common position are added."""
    order = layers.sorted_order(np.concatenate([one[0], other[0]]))
    keys, games, orbit = (np.concatenate(parts)[order] for parts in zip(one, other, strict=True))
    first = np.ones(len(keys), dtype=np.bool_)
    first[1:] = (keys[1:] != keys[:-1]).any(axis=1)
    total = games[first]
    # A position is in one shard once, so at most two rows are equal.
    twice = np.cumsum(first)[~first] - 1
    total[twice] = _sum(total[twice], games[~first])
    return keys[first], total, orbit[first]


def _sum(one: Words, other: Words) -> Words:
    """Add multi-word integers, uint64 ``[K, X]``, lowest word first."""
    # Words wrap around: a sum smaller than a term has a carry, and so has one that the carry below
    # makes wrap.
    total, carry = one + other, np.zeros(len(one), dtype=np.bool_)
    for word in range(one.shape[1]):
        wraps = total[:, word] < one[:, word]
        total[:, word] += carry
        carry = wraps | (carry & (total[:, word] == 0))
    return total
