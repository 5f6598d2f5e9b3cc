"""The player of a network that learned from games against itself."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.base import Agent, Explanation, Randomness, generator, moves_of
from hyperoxo.agents.network import NETWORK, Network, stored_network
from hyperoxo.agents.options import choice_option, spelled
from hyperoxo.agents.scored import TIES
from hyperoxo.position import Position, Positions, Why
from hyperoxo.rules import Game

_ALIKE = 1e-3
"""Difference of logits below which moves are equal; images by symmetry differ by rounding."""


class AlphazeroAgent(Agent):
    """Plays the move that a network likes best, without looking ahead.

    A checkpoint of ``oxo train GAME alphazero`` plays every board, that of another game too: its
    weights belong to cells and lines. Without one it plays the networks that come with this
    package. It needs no JAX.
    """

    name = "alphazero"
    title = "Network"
    requires = NETWORK

    def __init__(
        self, checkpoint: str | os.PathLike[str] | Network | None = None, ties: str = "random"
    ) -> None:
        self.checkpoint: str | None = None
        self._network: Network | None = None
        if isinstance(checkpoint, Network):
            self._network = checkpoint
        elif checkpoint is not None:
            self.checkpoint, self._network = os.fspath(checkpoint), Network.read(checkpoint)
        self.ties = choice_option("ties", ties, TIES)

    @property
    def spec(self) -> str:
        """How the agent is spelled."""
        return spelled(self)

    def quick(self, game: Game) -> bool:
        """Whether every move is quick: it is one look at the board."""
        return True

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move; see :meth:`Agent.choose`."""
        return int(self.choose_many([position], rng)[0])

    def choose_many(
        self, positions: Sequence[Position], rng: Randomness = None
    ) -> NDArray[np.int32]:
        """Choose a move in each position; see :meth:`Agent.choose_many`."""
        given = Positions.of(positions)
        logits, values = self._network_of(given.game).judge(given.game, given.owners)
        over = np.isnan(values)
        if over.any():
            moves_of(given[int(over.argmax())])
        best = logits >= logits.max(axis=1, keepdims=True) - _ALIKE
        if self.ties == "random":
            best = best * generator(rng).random(best.shape)
        chosen: NDArray[np.int32] = best.argmax(axis=1).astype(np.int32)
        return chosen

    def explain(self, position: Position, rng: Randomness = None) -> Explanation:
        """Choose a move and give the probabilities of all."""
        moves = moves_of(position)
        logits, value = self._network_of(position.game).judge_position(position)
        chances = np.exp(logits - logits.max())
        chances /= chances.sum()
        order = np.argsort(-chances, kind="stable")
        move = self.choose(position, rng)
        why = Why.NETWORK(cell=move, chance=chances[moves.index(move)], value=value)
        candidates = tuple((moves[int(i)], float(chances[i])) for i in order)
        return Explanation(move, candidates, str(why))

    def _network_of(self, game: Game) -> Network:
        """Return the network; a game that it does not judge is refused."""
        NETWORK.check(game)
        return stored_network(str(game)) if self._network is None else self._network
