"""The learner `td`: line weights by temporal differences, then tuned by an evolution strategy.

Only the gains of lines by a stone decide the moves of an agent that does not look ahead, and only
up to a factor. So tables are tuned by their gains, as one vector of unit length.

- On the guided tree of a small game, a (1+1) strategy: a child replaces its parent unless it has
  more losing leaves over all seats, every tie tried. Its steps are of all sizes, so that the
  search leaves plateaus.
- On games, a (mu/mu, lambda) strategy: the best of each generation are averaged. Fitness is the
  score against the opponents, for all after the same random openings, new in each generation.
"""
# Weights are float64 ``[K, W, W]``: kind of line, own stones, rivals' stones; W is the longest
# line plus one. Entries with more stones than the line has cells are unused and stay 0.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents import Agent, agent
from hyperoxo.agents.options import choice_option, int_option, number_option
from hyperoxo.agents.scored import SCORING, TdAgent, seat_arrays
from hyperoxo.errors import SpecError, quoted
from hyperoxo.game import Game
from hyperoxo.heuristics import LineHeuristic, kinds_of, tabulate
from hyperoxo.heuristics.line import MOST_STAGES
from hyperoxo.heuristics.tables import LineTable, table_from_bytes, tables_of_weights
from hyperoxo.kernels.coalition import Named
from hyperoxo.kernels.guide import Scorer, count_guided
from hyperoxo.kernels.table import find_slot
from hyperoxo.kernels.td import self_play
from hyperoxo.learn.rating import against
from hyperoxo.learn.truth import Exam, quick_exam
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.coalition.search import keys_of

Floats = NDArray[np.float64]

ROUNDS = 20
_FEW_CELLS, _MORE_CELLS = 9, 27
"""Two players: up to the first the guided tree is small, up to the second a table learns enough
from games against itself, and what beats weak agents spoils it."""
_TREE_CHILDREN = 25
_CHILDREN, _OPENINGS = 16, 100
_TREE_BITS = 14
_SMALLEST, _LARGEST = 0.01, 3.0
_WIDE, _NARROW = 0.6, 0.1
OPPONENTS = ("greedy", "ising")
"""Agents against which tables are tuned."""


class TdLearner:
    """Learns a line table by TD(lambda), and tunes it by evolution.

    The first steps are rounds of self-play, or of games `against` agents that score moves by
    lines, in each seat in turn; the weights of the later rounds are averaged. Later steps are
    generations, on the guided tree of a small game or on games against other agents.
    """

    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    known: ClassVar[tuple[str, ...]] = (
        "classes", "stages", "games", "rate", "keep", "epsilon", "tune", "generations", "against",
    )  # fmt: skip

    def __init__(
        self,
        game: Game,
        seed: int,
        classes: str = "off",
        stages: int | str = 1,
        games: int | str = 20_000,
        rate: float | str = 0.1,
        keep: float | str = 0.8,
        epsilon: float | str = 0.1,
        tune: str = "auto",
        generations: int | str = 40,
        against: Sequence[str] = (),
    ) -> None:
        SCORING.check(game)
        self.game, self.seed = game, seed
        chosen = choice_option("classes", classes, ("off", "on", "orbits", "axes"))
        self.classes = {"off": "", "on": "orbits"}.get(chosen, chosen)
        self.stages = int_option("stages", stages, 1, MOST_STAGES)
        self.games = int_option("games", games, ROUNDS, 10**9)
        self.rate = number_option("rate", rate, 0.0, 1.0)
        self.keep = number_option("keep", keep, 0.0, 1.0)
        self.epsilon = number_option("epsilon", epsilon, 0.0, 1.0)
        self.tune = choice_option("tune", tune, ("auto", "tree", "games", "off"))
        small = game.players == 2 and game.cells <= _FEW_CELLS
        if self.tune == "auto":
            far = game.players > 2 or game.cells > _MORE_CELLS
            self.tune = "games" if far else "off" if against else "tree" if small else "off"
        if self.tune == "tree" and not small:
            raise SpecError(f"tune=tree is for two players on up to {_FEW_CELLS} cells")
        self.generations = int_option("generations", generations, 0, 10**6)
        if self.tune == "off":
            self.generations = 0
        names = ("classes", "games", "rate", "keep", "epsilon", "tune", "generations")
        self.options: dict[str, Any] = {name: getattr(self, name) for name in names}
        if self.stages > 1:
            self.options["stages"] = self.stages
        self._opponents = [agent(spec) for spec in against or OPPONENTS]
        if against:
            self.options["against"] = [one.spec for one in self._opponents]
        known, self._kinds = kinds_of(game.board, self.classes, self.stages)
        width = int(game.board.line_sizes.max(initial=1)) + 1
        self._weights = np.zeros((max(len(known), 1), width, width))
        self._trainers = _trainers(
            game, self._opponents if against else (), len(known), self._kinds
        )
        self._total = np.zeros_like(self._weights)
        self._full = np.zeros_like(self._weights)
        for kind, (_, size, _) in enumerate(known):
            self._full[kind, size, 0] = 1e6
        self._gains: Floats | None = None
        self.step, self.steps = 0, ROUNDS + self.generations

    def advance(self) -> None:
        """Play the games of one round, or breed one generation."""
        if self.step < ROUNDS:
            self._play()
        else:
            self._breed()
        self.step += 1

    def _play(self) -> None:
        """Play one round of self-play."""
        t = tables_of(self.game)
        games = self.games // ROUNDS
        # `_total` sums the weights after each game. It restarts at half-time, so that the mean
        # (Polyak-Ruppert averaging) leaves out the early weights. The rate falls linearly from 1.05
        # to 0.1 times that asked for.
        if self.step == ROUNDS // 2:
            self._total[:] = 0.0
        rate = self.rate * (1.05 - self.step / ROUNDS)
        sign = -1.0 if self.game.misere else 1.0
        most = min(2 * self.game.players, self.game.cells // 2)
        self_play(
            t, self._kinds, self._weights, self._full, self._total, *self._trainers, sign, games,
            np.uint64(self.seed % 2**64), self.step, most, rate, self.keep, self.epsilon,
        )  # fmt: skip

    def _breed(self) -> None:
        """Tune the gains of the table."""
        generation = self.step - ROUNDS
        vectors = self._vectors()
        gains = vectors.of_table() if self._gains is None else self._gains
        rng = np.random.default_rng([self.seed, generation])

        def losses(child: Floats) -> int:
            table = self._table(vectors.table(child))
            return losing_leaves(self.game, table.heuristic("child"))

        if self.tune == "tree":
            self._gains = next_on_tree(gains, losses, rng, _TREE_CHILDREN)
            return
        seed = int(rng.integers(2**63))

        def score(child: Floats) -> float:
            player = TdAgent(self._table(vectors.table(child)))
            scores = [against(self.game, player, one, _OPENINGS, seed) for one in self._opponents]
            return sum(one.score for one in scores)

        done = generation / self.generations
        self._gains = next_by_games(gains, score, rng, _CHILDREN, done)

    def _mean(self) -> Floats:
        """Return the mean of the weights, over the second half of the rounds once begun."""
        rounds = min(self.step, ROUNDS)
        rounds -= ROUNDS // 2 if rounds > ROUNDS // 2 else 0
        return self._total / max(rounds * (self.games // ROUNDS), 1)

    def weights(self) -> Floats:
        """Return the weights learned so far, ``[K, W, W]``."""
        if self._gains is None:
            return self._mean()
        return self._vectors().table(self._gains)

    def _vectors(self) -> Gains:
        return Gains(self.game, self.classes, self._mean(), self.stages)

    def agent(self) -> Agent:
        """Return the current player."""
        return TdAgent(self._table(self.weights()))

    def exam(self) -> Exam | None:
        """Return positions with exact values; no hold-out: a table cannot memorise positions."""
        return quick_exam(self.game)

    def to_bytes(self, log: Mapping[str, Any]) -> bytes:
        """Return the checkpoint."""
        arrays = {"weights": self._weights, "total": self._total, "gains": self._gains}
        state = {key: None if one is None else one.tolist() for key, one in arrays.items()}
        return self._table(self.weights(), {**log, "state": state}).to_bytes()

    def restore(self, content: bytes, name: str) -> Mapping[str, Any]:
        """Resume from a checkpoint; return its log."""
        table = table_from_bytes(content, name)
        log = dict(table.training)
        try:
            state = log.pop("state")
            found = [np.array(state[key], dtype=np.float64) for key in ("weights", "total")]
            gains = None if state["gains"] is None else np.array(state["gains"], dtype=np.float64)
            self.step = int(log["step"])
        except (KeyError, TypeError, ValueError):
            raise SpecError(f"{quoted(name)} is a line table without a run to resume") from None
        if any(array.shape != self._weights.shape for array in found):
            raise SpecError(f"{quoted(name)} was learned on another board")
        self._weights, self._total = found
        self._gains = gains
        return log

    def _table(self, weights: Floats, training: Mapping[str, Any] | None = None) -> LineTable:
        game, classes, stages = self.game, self.classes, self.stages
        tables = tables_of_weights(game.board, weights, classes, stages)
        rules = str(game), game.players, game.misere
        return LineTable(*rules, classes, tables, stages, training or {})


def _trainers(
    game: Game, agents: Sequence[Agent], count: int, kinds: NDArray[np.int32]
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Return the schemes and seats of agents by the kinds of lines of a table."""
    seats = []
    for one in agents:
        one.check(game)
        seat = one.seat(game)
        if seat is None:
            raise SpecError(f"{one.spec} cannot train: it does not score moves by lines alone")
        seats.append(seat)
    weights, their_kinds, by_ends, rows, _, _ = seat_arrays(game, seats)
    if not agents:
        weights, by_ends = weights[:0], by_ends[:0]
    stages, rest = divmod(len(kinds), len(their_kinds))
    their_kinds = np.repeat(their_kinds, stages, axis=0)
    found = np.zeros((len(weights), max(count, 1), *weights.shape[2:]))
    for kind in range(count if agents else 0):
        same = np.unique(their_kinds[kinds == kind]) if not rest else their_kinds[:0, 0]
        if len(same) != 1:
            raise SpecError("a trainer with tables by classes or stages needs a learner with them")
        found[:, kind] = weights[:, same[0]]
    return found, np.concatenate([np.zeros(1, np.int64), by_ends]), rows.reshape(-1, 5)


class Gains:
    """Bijection between the gains of line tables ``[K, W, W]`` and vectors."""

    def __init__(self, game: Game, classes: str, weights: Floats, stages: int = 1) -> None:
        known, _ = kinds_of(game.board, classes, stages)
        own, rivals = np.indices((weights.shape[1] - 1, weights.shape[2]))
        # Gain [k, own, rivals] = weight [k, own + 1, rivals] - weight [k, own, rivals]. Free ones
        # are those of lines with room for another stone; a gain that completes the line is left
        # out, since agents complete lines in any case.
        self._base = weights
        self._places = np.zeros((len(weights), *own.shape), dtype=np.bool_)
        for kind, (_, size, _) in enumerate(known):
            self._places[kind] = (own < size - 1) & (own + rivals < size)

    def of_table(self) -> Floats:
        """Return the gains of the table it was made of."""
        return _unit(np.diff(self._base, axis=1)[self._places])

    def table(self, gains: Floats) -> Floats:
        """Return a table with these gains; lines without own stones keep their weights."""
        weights = np.zeros_like(self._base)
        weights[:, 0] = self._base[:, 0]
        weights[:, 1:][self._places] = gains
        weights = weights.cumsum(axis=1)
        weights[:, 1:][~self._places] = 0.0
        return weights


def losing_leaves(game: Game, heuristic: LineHeuristic) -> int:
    """Count the losing leaves of the guided trees of all seats, every tie tried."""
    tables, keys = tabulate(heuristic, game.board, game.players), keys_of(game)
    sign = -1.0 if game.misere else 1.0
    scorer = Scorer(tables.weights, tables.kinds, int(tables.by_ends), 0.0, sign, False)
    losses = 0
    for seat in range(game.players):
        names, used = np.zeros(1 << _TREE_BITS, np.uint64), np.zeros(1 << _TREE_BITS, np.uint8)
        leaves = np.zeros((1 << _TREE_BITS, 3), dtype=np.int64)
        start, stop = (tables_of(game), state_of(game.start())), np.zeros(1, dtype=np.int64)
        named = Named(keys.codes, keys.perms[:1], names, used)
        count_guided(*start, seat, scorer, named, leaves, stop)
        root = np.uint64(keys.names(game.start(), 1).min())
        losses += int(leaves[find_slot(names, used, root), 2])
    return losses


def next_on_tree(
    gains: Floats, losses: Callable[[Floats], int], rng: np.random.Generator, children: int
) -> Floats:
    """Return the table after `children` steps of a (1+1) evolution strategy."""
    # Equal children are accepted too: on a plateau the search walks. Step sizes are log-uniform.
    least = losses(gains)
    for _ in range(children):
        if not least:
            break
        size = _single(np.exp(rng.uniform(np.log(_SMALLEST), np.log(_LARGEST))))
        child = _unit(gains + size * _single(rng.normal(size=len(gains))))
        found = losses(child)
        if found <= least:
            gains, least = child, found
    return gains


def next_by_games(
    gains: Floats,
    score: Callable[[Floats], float],
    rng: np.random.Generator,
    children: int,
    done: float,
) -> Floats:
    """Return the mean of the best quarter of a generation; `done` is the share of the run done."""
    # Steps shrink during the run, and are wider for large gains. The parent competes as well.
    step = (_WIDE + (_NARROW - _WIDE) * done) * (0.5 * np.abs(gains) + 0.2)
    drawn = (_single(rng.normal(size=len(gains))) for _ in range(children))
    family = [gains, *(gains + step * one for one in drawn)]
    scores = [score(member) for member in family]
    best = np.argsort(-np.array(scores), kind="stable")[: max(children // 4, 1)]
    return _unit(np.mean([family[i] for i in best], axis=0))


def _single(values: Any) -> Floats:
    """Round to single precision."""
    # The last bits of NumPy's exponentials, and of the tails of its normal distribution, depend on
    # the processor and the C library; single precision does not keep them.
    return np.asarray(np.float32(values), dtype=np.float64)


def _unit(gains: Floats) -> Floats:
    size = np.sqrt((gains**2).mean())
    return gains / size if size > 0 else gains
