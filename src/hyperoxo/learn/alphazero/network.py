"""The cell–line message-passing network in JAX; `hyperoxo.kernels.network` defines it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.adapters.jax import State, incidence_of
from hyperoxo.agents.network import NETWORK, NEXT
from hyperoxo.game import Game
from hyperoxo.kernels.network import (
    CHANNELS,
    DEAD,
    DISTANCES,
    EMPTY,
    KINDS,
    LATER,
    OWN,
    RIVAL,
    RULES,
    block_sizes,
)
from hyperoxo.solvers.arrays import above_of

# After the adapter, whose error names the extra where JAX is missing.
import jax  # isort: skip
import jax.numpy as jnp  # isort: skip

Parameters = dict[str, jax.Array]

_QUIET = 0.1
"""Factor of the last layers at first, so that all moves begin alike."""


def first_parameters(seed: int, rounds: int, players: int) -> dict[str, NDArray[np.float32]]:
    """Return random weights for games of at most `players` players."""
    # Biases, and weights of features that training never shows, are 0.
    rng = np.random.default_rng(seed)
    found = {}
    for name, rows in block_sizes(rounds).items():
        inputs = {"cell.lines": 8, "pool": 3 * CHANNELS, "policy": 2 * CHANNELS}.get(name, CHANNELS)
        block = rng.normal(0, inputs**-0.5, (rows, CHANNELS)).astype(np.float32)
        last = name.rpartition(".")[2]
        if last in ("rules", "bias", "above"):
            block[:] = 0
        elif last in ("lines", "kinds"):
            block.reshape(-1, KINDS, CHANNELS)[:, LATER:DEAD] = 0
        elif last in ("pool", "policy"):
            block[inputs:] = 0
        elif last in ("move", "value"):
            block *= _QUIET
            block[1:] = 0
        found[name] = block
    if players > 2:
        found[NEXT] = np.zeros((2, CHANNELS), np.float32)
    return found


def in_turn(mover: jax.Array, following: jax.Array, players: int) -> jax.Array:
    """Return the values of all players in turn order, float ``[B, q]``, the mover's first."""
    # They sum to 0: the others share the rest equally.
    if players == 2:
        return jnp.stack([mover, -mover], axis=1)
    others = -(mover + following)[:, None] / (players - 2)
    return jnp.concatenate(
        [mover[:, None], following[:, None], others.repeat(players - 2, axis=1)], axis=1
    )


class Judge:
    """Forward pass on the board of one game, for any weights."""

    def __init__(self, game: Game) -> None:
        NETWORK.check(game)
        self.game = game
        board = game.board
        self.incidence = incidence_of(board).astype(np.float32)
        self._degree = 1 / np.sqrt(np.maximum(board.degrees, 1)).astype(np.float32)[:, None]
        self._playable = np.isin(np.arange(board.cell_count), board.playable)
        self._above = above_of(game)

    def _kinds(self, state: State) -> jax.Array:
        """Return the kind of each line as `line_kind` does, int ``[B, L]``."""
        players = self.game.players
        seats = (state.current_player[:, None] + jnp.arange(players)) % players
        counts = jnp.take_along_axis(state.counts, seats[..., None], axis=1).astype(jnp.int32)
        free = self.game.board.line_sizes - counts.sum(1)
        owners = (counts > 0).sum(1)
        nearest = jnp.minimum(free, DISTANCES) - 1
        kind = jnp.where(counts[:, 1] > 0, RIVAL, LATER)
        kind = jnp.where(counts[:, 0] > 0, OWN, kind)
        kind = jnp.where(owners == 0, EMPTY, kind)
        return jnp.where((owners > 1) | (free == 0), DEAD, kind + nearest)

    def _rules(self, state: State) -> jax.Array:
        """Return the features of `rule_features`, float ``[B, RULES]``."""
        game, players = self.game, self.game.players
        own = jnp.arange(players) == state.current_player[:, None]
        fixed = (float(game.misere), float(game.gravity is not None), 1 - 2 / players)
        features = [jnp.full(own.shape[0], value) for value in (*fixed, 1 - 1 / game.target)]
        features += [
            jnp.where(mask, state.lines_owned, 0).max(1) / game.target for mask in (own, ~own)
        ]
        features += [state.ply / game.cells, (game.cells - state.ply) % 2]
        return jnp.stack(features, axis=1).astype(jnp.float32)

    def __call__(self, parameters: Parameters, state: State) -> tuple[jax.Array, jax.Array]:
        """Return logits float ``[B, N]``, -1e9 if illegal, and values `in_turn` ``[B, q]``."""
        # Shapes: kinds [B, L, KINDS], cells [B, N, CHANNELS], lines [B, L, CHANNELS].
        p = {name: _folded(name, block) for name, block in parameters.items()}
        kinds = jax.nn.one_hot(self._kinds(state), KINDS)
        living = 1 - kinds[..., DEAD]
        rules = self._rules(state)
        free = (state.owners == 0) & self._playable
        legal = state.legal_action_mask & free
        mask = free[..., None].astype(jnp.float32)
        # 1. Initial features of free cells: counts of the lines through them by kind (scaled), and
        #    whether there are at least one and at least two of a kind (wins, double threats).
        seen = jnp.einsum("nl,blk->bnk", self.incidence, kinds)
        any_two = [(seen > least).astype(jnp.float32) for least in (0, 1)]
        cells = jnp.concatenate([seen * self._degree, *any_two], axis=2) @ p["cell.lines"]
        common = rules @ p["cell.rules"][:RULES] + p["cell.rules"][RULES + 1]
        cells += common[:, None] + legal[..., None] * p["cell.rules"][RULES]
        cells = jax.nn.relu(cells) * mask
        # 2. Message passing: free cells to living lines and back, with residual updates. Sums are
        #    divided by square roots of degrees, so that their scale is that of other boards too.
        on_line = jnp.einsum("nl,bn->bl", self.incidence, mask[..., 0])
        spread = (living / jnp.sqrt(jnp.maximum(on_line, 1)))[..., None]
        lines = jnp.zeros((*living.shape, CHANNELS))
        for number in range(sum(name.endswith(".kinds") for name in p)):
            part = {name: p[f"round{number}.{name}"] for name in _ROUND_BLOCKS}
            got = jnp.einsum("nl,bnh->blh", self.incidence, cells) * spread
            lines = jax.nn.relu(kinds @ part["kinds"] + got @ part["to_line"]) * living[..., None]
            heard = jnp.einsum("nl,blh->bnh", self.incidence, lines) * self._degree
            change = cells @ part["stay"] + heard @ part["to_cell"] + part["bias"]
            if self.game.below is not None:
                change += _shifted(cells, self._above) @ part["above"]
            cells = (cells + jax.nn.relu(change)) * mask
        # 3. Mean and maximum over cells, mean over lines; from the pool the values and a term
        #    common to all moves, from each cell its logit.
        counted = cells * (self.game.board.degrees > 0)[:, None]
        number_free = (mask[..., 0] * (self.game.board.degrees > 0)).sum(1, keepdims=True)
        number_open = living.sum(1, keepdims=True)
        pooled = [
            counted.sum(1) / jnp.maximum(number_free, 1),
            counted.max(1),
            lines.sum(1) / jnp.maximum(number_open, 1),
            rules,
        ]
        pool = jax.nn.relu(jnp.concatenate(pooled, axis=1) @ p["pool"][:-1] + p["pool"][-1])
        common = pool @ p["policy"][CHANNELS:-1] + p["policy"][-1]
        hidden = jax.nn.relu(cells @ p["policy"][:CHANNELS] + common[:, None])
        logits = jnp.where(legal, hidden @ p["move"][0], -1e9)
        mover, following = (
            jnp.tanh(pool @ p[name][0] + p[name][1, 0]) if name in p else jnp.zeros(len(pool))
            for name in ("value", NEXT)
        )
        return logits, in_turn(mover, following, self.game.players)


_ROUND_BLOCKS = ("kinds", "to_line", "stay", "to_cell", "above", "bias")


def _folded(name: str, block: jax.Array) -> jax.Array:
    """Add rows of rivals' lines to those of later rivals, as `Network.weights` does."""
    if name != "cell.lines" and not name.endswith(".kinds"):
        return block
    split = block.reshape(-1, KINDS, CHANNELS)
    rivals = split[:, RIVAL : RIVAL + DISTANCES]
    return split.at[:, LATER:DEAD].add(rivals).reshape(block.shape)


def _shifted(cells: jax.Array, above: Any) -> jax.Array:
    """Return the features of the cell above each cell, 0 without one (index -1)."""
    padded = jnp.concatenate([cells, jnp.zeros_like(cells[:, :1])], axis=1)
    return padded[:, above]
