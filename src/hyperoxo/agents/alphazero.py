"""AlphaZero agent: a network trained by self-play, alone or guiding a tree search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Explanation, Randomness, because, generator, moves_of
from hyperoxo.agents.mcts import GUIDE, GUIDED_EXPLORATION, PuctAgent
from hyperoxo.agents.network import NETWORK, STORED, Network, stored_network
from hyperoxo.agents.tree_search import TreeSettings
from hyperoxo.game import Game, Position, Positions, Why
from hyperoxo.task import ALONE, Task

_ALIKE = 1e-3
"""Difference of logits below which moves are equal; equivalent moves differ by rounding."""
_QUICK_CELLS = 15_000
"""Cells evaluated in ten milliseconds."""


class AlphazeroAgent(PuctAgent):
    """Plays the move of highest prior, or the best move of a tree search guided by the network.

    A checkpoint of ``oxo train GAME alphazero`` plays every board, not only that of its game: its
    weights belong to cells and lines. Without one it plays the networks that come with this
    package. It needs no JAX.
    """

    name = "alphazero"
    title = "Network"
    opponents = (("Network", "alphazero"),)
    requires = NETWORK
    usual = None

    def __init__(
        self,
        checkpoint: str | Network | None = None,
        simulations: int | str | None = None,
        seconds: float | str | None = None,
        c: float | str = GUIDED_EXPLORATION,
        temperature: float | str = 1.0,
        leaf: int | str = TreeSettings.threats,
        nodes: int | str = TreeSettings.nodes,
        reuse: str = "off",
        ties: str = "random",
    ) -> None:
        # `GUIDE` is a placeholder: `settings_for` puts the network of the game in its place.
        super().__init__(simulations, seconds, GUIDE, c, temperature, leaf, nodes, reuse, ties)
        self._searches = simulations is not None or seconds is not None
        self.checkpoint = "(unsaved)" if isinstance(checkpoint, Network) else checkpoint
        self._network = Network.read(checkpoint) if isinstance(checkpoint, str) else checkpoint

    def check(self, game: Game) -> None:
        """Refuse a game that the network does not support; see :meth:`Agent.check`."""
        super().check(game)
        self._network_of(game)

    def settings_for(self, game: Game) -> TreeSettings:
        """Return the tree settings of a game, guided by its network."""
        return replace(self.settings, guide=self._network_of(game))

    def quick(self, game: Game) -> bool:
        """True if every move is quick: with one evaluation of the board, or a few."""
        few = (self.settings.simulations or 0) * game.cells <= _QUICK_CELLS
        return few and self.settings.seconds is None

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move; see :meth:`Agent.choose`."""
        if self._searches:
            return super().choose(position, rng)
        return int(self.choose_many([position], rng)[0])

    def choose_many(
        self, positions: Sequence[Position], rng: Randomness = None
    ) -> NDArray[np.int32]:
        """Choose a move in each position; see :meth:`Agent.choose_many`."""
        if self._searches:
            return super().choose_many(positions, rng)
        given = Positions.of(positions)
        logits, values = self._network_of(given.game).judge(given.game, given.owners)
        # A finished game has no value: `moves_of` raises for the first of them.
        if (over := np.isnan(values)).any():
            moves_of(given[int(over.argmax())])
        # Equivalent moves tie; a random number for each breaks the ties.
        best = logits >= logits.max(axis=1, keepdims=True) - _ALIKE
        if self.ties == "random":
            best = best * generator(rng).random(best.shape)
        chosen: NDArray[np.int32] = best.argmax(axis=1).astype(np.int32)
        return chosen

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and give the priors of all, or the result of a search."""
        if self._searches:
            return super().think(position, rng, task)
        moves = moves_of(position)
        game, owners = position.game, np.frombuffer(position.owners, dtype=np.uint8)[None]
        (of_cells,), (worth,) = self._network_of(game).judge(game, owners)
        logits, value = of_cells[list(moves)], float(worth)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        order = np.argsort(-chances, kind="stable")
        move = self.choose(position, rng)
        candidates = tuple((moves[int(i)], float(chances[i])) for i in order)
        why = because(Why.NETWORK, position, move, chance=chances[moves.index(move)], value=value)
        return Explanation(move, candidates, why)

    def _network_of(self, game: Game) -> Network:
        """Return the network for a game; refuse unsupported games."""
        NETWORK.check(game)
        if self._network is not None:
            return self._network
        STORED.check(game)
        return stored_network(str(game))
