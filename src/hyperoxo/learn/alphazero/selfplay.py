"""Self-play and training steps in JAX: Gumbel search, exploring starts, averaged weights.

With three or more players a search is paranoid: the searching player maximises their own value,
all others minimise it. In games all play for themselves, so values are learned from each player's
own result: the network predicts those of the mover and of the next player.
"""
# Danihelka, Guez, Schrittwieser, Silver, "Policy improvement by planning with Gumbel", ICLR 2022.
#
# B boards, N cells, q players. Values exist in two orders: by seat (column p is player p + 1), in
# which rewards add up along a game, and in turn order (column 0 is the mover), as the network
# has them. `_seated` converts.

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.adapters.jax import State, make
from hyperoxo.errors import MissingExtraError
from hyperoxo.game import Game
from hyperoxo.jit import compile_events
from hyperoxo.learn.alphazero.network import Judge, Parameters, first_parameters, in_turn

try:
    import jax
    import jax.numpy as jnp
    import mctx
    import optax
except ImportError:
    raise MissingExtraError("rl", "learning by alphazero") from None

Learned = dict[str, Any]
"""Learning state: "network", "average" and "optimiser", each of arrays by name."""


_UNHURRIED = 1000.0
"""Updates after which the rate falls as the inverse root of their number."""


def _within(low: float, high: float, usual: float) -> Any:
    """Declare a setting by its least, greatest and usual value."""
    return field(default=usual, metadata={"low": low, "high": high})


@dataclass(frozen=True)
class Settings:
    """Hyperparameters, stored in checkpoints."""

    simulations: int = _within(2, 1000, 16)  # of a move's search in self-play
    considered: int = _within(2, 1000, 16)  # moves at the root among which a search chooses
    boards: int = _within(1, 100_000, 256)  # games played side by side
    plies: int = _within(1, 1000, 16)  # plies of each game before the next training
    batch: int = _within(1, 1_000_000, 256)  # positions of an update
    epochs: int = _within(1, 100, 3)  # times that each position is learned from
    rate: float = _within(1e-6, 1, 2e-3)  # of the optimiser, at first
    decay: float = _within(0, 1, 0.9995)  # of the weights' running average, an update
    trace: float = _within(0, 1, 0.9)  # lambda: what a later result counts against what is expected
    prior: float = _within(0, 1, 1.0)
    """Factor of the network's logits in a search. At 1 they grow without end, as each search adds
    what it finds to them; below 1 they tend to what searches find, over 1 less the factor."""
    explore: float = _within(0, 1, 0.75)  # share of the games that begin with random plies
    held_out: float = _within(0, 0.9, 0.05)  # share of the classes that are never learned from
    rounds: int = _within(0, 16, 2)  # how often cells and lines exchange messages


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Lessons:
    """Training targets, ``[boards * plies]``; `value` ``[…, q]`` in turn order, `weight` 0 or 1."""

    states: State
    policy: jax.Array
    value: jax.Array
    weight: jax.Array


class _Program:
    """A function that JAX compiles at its first call, which counts as compiling."""

    def __init__(self, function: Any) -> None:
        self._function = jax.jit(function)
        self._compiled: Any = None

    def __call__(self, *args: Any) -> Any:
        if self._compiled is None:
            with compile_events.another():
                self._compiled = self._function.lower(*args).compile()
        return self._compiled(*args)


class SelfPlay:
    """Self-play on one board; `play` and `learn` are compiled steps."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game, self.settings = game, settings
        self._env, self._judge = make(game), Judge(game)
        self._step = jax.vmap(self._bare_step)
        self._incidence = self._judge.incidence.astype(np.uint32)
        self._bound = np.uint32(settings.held_out * 2**32)
        self.optimiser = optax.adam(lambda count: settings.rate / jnp.sqrt(1 + count / _UNHURRIED))
        self.play = _Program(self._play)
        self.learn = _Program(self._learn)

    def first(self, seed: int, players: int) -> Learned:
        """Return the initial learning state for games of at most `players` players."""
        network = first_parameters(seed, self.settings.rounds, players)
        optimiser = self.optimiser.init(network)
        return {"network": network, "average": network, "optimiser": optimiser}

    def ended(self) -> State:
        """Return finished games, which `play` replaces by new ones."""
        shapes = jax.eval_shape(self._starts, jax.random.key(0))
        empty: State = jax.tree.map(lambda one: np.zeros(one.shape, one.dtype), shapes)
        return empty.replace(terminated=np.ones(self.settings.boards, bool))

    def _starts(self, key: jax.Array) -> State:
        """Return starting positions of all boards, after random plies."""
        started: State = jax.vmap(self._start)(jax.random.split(key, self.settings.boards))
        return started

    def held_out(self, owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return the mask of positions, uint8 ``[K, N]``, whose classes are held out."""
        stones = np.where(owners <= self.game.players, owners, 0).astype(np.int64)
        mover = (stones > 0).sum(1) % self.game.players
        held: NDArray[np.bool_] = self._held_out(np, stones, mover)
        return held

    def _held_out(self, xp: Any, owners: Any, mover: Any) -> Any:
        seen = (owners - 1 - mover[:, None]) % self.game.players + 1
        seen = xp.where(owners > 0, seen, 0)
        return class_numbers(xp, seen, self._incidence) < self._bound

    def _bare_step(self, state: State, action: jax.Array) -> State:
        """Play a move without updating the observation planes."""
        return self._env.step(state, action).replace(observation=state.observation)

    def _start(self, key: jax.Array) -> State:
        """Play random plies (none in a share of the games); the game goes on after them."""
        # A fixed number of loop turns, as JAX needs; turns beyond `plies`, or whose move would end
        # the game, keep the old state.
        whether, number, key = jax.random.split(key, 3)
        most = max(1, self.game.cells - 2)
        plies = jax.random.randint(number, (), 1, most + 1)
        plies *= jax.random.uniform(whether) < self.settings.explore
        first = self._env.init(key)
        first = first.replace(observation=first.observation[:0])

        def random_ply(ply: int, state: State) -> State:
            chances = jax.random.uniform(jax.random.fold_in(key, ply), (self._env.num_actions,))
            played = self._bare_step(state, (chances * state.legal_action_mask).argmax())
            going = (ply < plies) & ~played.terminated
            chosen: State = jax.tree.map(lambda new, old: jnp.where(going, new, old), played, state)
            return chosen

        started: State = jax.lax.fori_loop(0, most, random_ply, first)
        return started

    def _search(self, network: Parameters, key: jax.Array, state: State) -> Any:
        """Return the result of a Gumbel search, and the network's values of the root."""
        logits, worths = self._judge(network, state)
        root: Any = mctx.RootFnOutput(
            prior_logits=self.settings.prior * logits,
            value=worths[:, 0],
            embedding=(state, state.current_player),
        )
        transform = functools.partial(mctx.qtransform_completed_by_mix_value, use_mixed_value=True)
        found = mctx.gumbel_muzero_policy(
            network,
            key,
            root,
            self._imagine,
            self.settings.simulations,
            invalid_actions=~state.legal_action_mask,
            max_num_considered_actions=self.settings.considered,
            qtransform=transform,
        )
        return found, worths

    def _imagine(
        self, network: Parameters, key: jax.Array, action: jax.Array, place: tuple[State, jax.Array]
    ) -> Any:
        """Recurrent function of a paranoid search: play a move in the tree of one root player."""
        state, root = place
        played = self._step(state, action)
        logits, worths = self._judge(network, played)
        going, next_ = ~played.terminated, played.current_player
        # mctx backs values up from the view of the player to move. There are two sides: 1 if the
        # root player moves, -1 if another does. Reward and value are turned to the side that
        # moves, and the discount changes sign only when the side changes, not at every ply.
        side, next_side = (
            jnp.where(mover == root, 1.0, -1.0) for mover in (state.current_player, next_)
        )
        worth = _to((root - next_) % self.game.players, worths)
        output: Any = mctx.RecurrentFnOutput(
            reward=side * _to(root, played.rewards),
            discount=jnp.where(going, side * next_side, 0.0),
            prior_logits=self.settings.prior * logits,
            value=jnp.where(going, next_side * worth, 0.0),
        )
        return output, (played, root)

    def _play(self, network: Parameters, key: jax.Array, first: State) -> tuple[State, Lessons]:
        """Play some plies of all games; return their states and the training targets."""
        # Finished games are replaced by new ones.
        players = self.game.players

        def ply(state: State, key: jax.Array) -> tuple[State, tuple[Any, ...]]:
            # 1. Replace the games that ended at the ply before by new ones.
            searching, starting = jax.random.split(key)
            ended, fresh = state.terminated, self._starts(starting)
            state = jax.tree.map(
                lambda new, old: jnp.where(ended.reshape(-1, *[1] * (new.ndim - 1)), new, old),
                fresh,
                state,
            )
            # 2. Search and play. The expected value of the mover is that of the search, of the
            #    next player that of the network; by seat, for the results below.
            found, worths = self._search(network, searching, state)
            played = self._step(state, found.action)
            expected = in_turn(found.search_tree.summary().value, worths[:, 1], players)
            expected = self._seated(state, expected, 1)
            seen = (expected, played.rewards, played.terminated)
            return played, (state, found.action_weights, seen)

        def back(later: tuple[jax.Array, jax.Array], now: Any) -> tuple[Any, jax.Array]:
            # TD(lambda) backwards: the target of a ply is its reward plus, unless the game ends,
            # lambda times the next target and 1 - lambda times the next expected value.
            (result, expected), trace = later, self.settings.trace
            seen, rewards, ended = now
            mixed = trace * result + (1 - trace) * expected
            result = rewards + jnp.where(ended[:, None], 0.0, mixed)
            return (result, seen), result

        # 3. Play all plies; games still going on are bootstrapped by the network's value.
        last, lessons = jax.lax.scan(ply, first, jax.random.split(key, self.settings.plies))
        states, policy, seen = lessons
        _, worths = self._judge(network, last)
        worths = self._seated(last, worths, 1)
        _, results = jax.lax.scan(back, (worths, worths), seen, reverse=True)
        # 4. Flatten [plies, boards, …], turn values back to turn order, and give weight 0 to the
        #    classes held out (the last argument is a placeholder until then).
        flat = Lessons(states, policy, results, results)
        size = self.settings.boards * self.settings.plies
        flat = jax.tree.map(lambda array: array.reshape(size, *array.shape[2:]), flat)
        weight = ~self._held_out(jnp, flat.states.owners, flat.states.current_player)
        value = self._seated(flat.states, flat.value, -1)
        return last, Lessons(flat.states, flat.policy, value, weight)

    def _seated(self, state: State, worths: jax.Array, way: int) -> jax.Array:
        """Convert values in turn order to values by seat (`way` 1), or back (-1)."""
        players = self.game.players
        order = jnp.arange(players) - way * state.current_player[:, None]
        return jnp.take_along_axis(worths, order % players, axis=1)

    def _loss(self, network: Parameters, lessons: Lessons) -> tuple[jax.Array, tuple[Any, ...]]:
        logits, worths = self._judge(network, lessons.states)
        chances = jax.nn.log_softmax(logits)
        policy = -jnp.where(lessons.policy > 0, lessons.policy * chances, 0).sum(1)
        # The last worth follows from the others, as all sum to 0.
        squared = jnp.square(worths - lessons.value)[:, :-1].mean(1)
        parts = tuple((part * lessons.weight).mean() for part in (policy, squared))
        return sum(parts, jnp.float32(0)), parts

    def _learn(self, learned: Learned, key: jax.Array, lessons: Lessons) -> tuple[Learned, Any]:
        """Update the weights by all targets in random order; return the mean losses too."""
        size = len(lessons.value)
        orders = [
            jax.random.permutation(part, size)
            for part in jax.random.split(key, self.settings.epochs)
        ]
        batches = jnp.concatenate(orders).reshape(-1, min(self.settings.batch, size))

        def update(learned: Learned, chosen: jax.Array) -> tuple[Learned, Any]:
            batch = jax.tree.map(lambda array: array[chosen], lessons)
            grads, losses = jax.grad(self._loss, has_aux=True)(learned["network"], batch)
            steps, optimiser = self.optimiser.update(grads, learned["optimiser"])
            network = optax.apply_updates(learned["network"], steps)
            count = learned["optimiser"][0].count
            # The running average forgets faster at first, or else it would keep random weights.
            decay = jnp.minimum(self.settings.decay, (1 + count) / (10 + count))
            average = jax.tree.map(
                lambda old, new: decay * old + (1 - decay) * new, learned["average"], network
            )
            changed = {"network": network, "average": average, "optimiser": optimiser}
            return learned | changed, losses

        learned, losses = jax.lax.scan(update, learned, batches)
        return learned, jax.tree.map(jnp.mean, losses)


def _to(player: jax.Array, rewards: jax.Array) -> jax.Array:
    """Return each game's reward to one player."""
    return jnp.take_along_axis(rewards, player[:, None], axis=1)[:, 0]


def class_numbers(xp: Any, owners: Any, incidence: Any) -> Any:
    """Return a symmetry-invariant hash of each position, uint32 ``[B]`` (colour refinement)."""
    # `owners` int `[B, N]` has 0 for free, 1 for the mover, 2 on for rivals; `xp` is NumPy or
    # `jax.numpy`. Cells and lines exchange numbers by sums, which do not depend on an order.
    cells = _mixed(xp, owners.astype(xp.uint32))
    for _ in range(3):
        lines = _mixed(xp, cells @ incidence)
        cells = _mixed(xp, cells * xp.uint32(31) + lines @ incidence.T)
    return _mixed(xp, cells.sum(1, dtype=xp.uint32))


def _mixed(xp: Any, numbers: Any) -> Any:
    """Scramble numbers of 32 bits (the finaliser of MurmurHash3)."""
    for factor, shift in ((0x85EBCA6B, 16), (0xC2B2AE35, 13)):
        numbers = (numbers ^ (numbers >> xp.uint32(shift))) * xp.uint32(factor)
    return numbers ^ (numbers >> xp.uint32(16))
