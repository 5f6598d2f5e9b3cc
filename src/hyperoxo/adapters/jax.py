"""The rules as arrays in JAX, with the interface of Pgx: every board, option and number of players.

`make` gives an environment whose `init` and `step` work on one game; ``jax.vmap`` makes them
work on many, ``jax.jit`` compiles them, and ``jax.lax.scan`` plays them on. Needs the extra ``rl``.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.options import choice_option
from hyperoxo.board import Board
from hyperoxo.errors import MissingExtraError, SpecError
from hyperoxo.files import replace_file
from hyperoxo.game import BLOCKED, Game, Position, Requires, restricts
from hyperoxo.game.conventions import MOST
from hyperoxo.solvers.arrays import COMPILED

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    raise MissingExtraError("rl", "the rules in JAX") from None

__all__ = ["Environment", "State", "auto_reset", "make"]

_SUPPORTED = Requires("JAX", COMPILED.accepted)
_FORMS = ("cells", "image")
# 2^32 over the golden ratio: its multiples differ in their high bits, cell by cell.
_GOLDEN = np.uint32(0x9E3779B9)
_MIXING = ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1))
"""Shifts and factors of a hash of 32 bits with little bias, by C. Wellons."""
_SIDE = 240
"""Pixels of a board in a picture."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class State:
    """State of a game, or of a batch of games under ``jax.vmap``.

    Attributes
    ----------
    current_player : int32
        The player to move, counted from 0; once the game is over, who would move next or, after
        an illegal action, who made it.
    observation : bool ``[N, q]``, or ``[rows, columns, planes]``
        Stones as planes, seen by `current_player`: plane 0 holds their own stones, plane k those
        of the player k seats after them.
    rewards : float32 ``[q]``
        Reward of the last step for each player.
    terminated : bool
        Whether the game is over.
    truncated : bool
        Always False.
    legal_action_mask : bool ``[N]``
        Legal moves; all True once the game is over, so that a policy stays finite.
    ply : int32
        Stones on the board.
    owners : int8 ``[N]``
        0 for a free or blocked cell, 1..q for a stone.
    counts : int8 or int16 ``[q, L]``
        Stones of each player on each line.
    lines_owned : int32 ``[q]``
        Full lines of each player.
    """

    current_player: jax.Array
    observation: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    legal_action_mask: jax.Array
    # Pgx's test allows no other public fields than those above.
    _ply: jax.Array
    _owners: jax.Array
    _counts: jax.Array
    _lines_owned: jax.Array
    _game: Game = field(metadata={"static": True})

    ply = _step_count = property(attrgetter("_ply"))
    owners = property(attrgetter("_owners"))
    counts = property(attrgetter("_counts"))
    lines_owned = property(attrgetter("_lines_owned"))

    @property
    def env_id(self) -> str:
        """The id of the environment, ``"hyperoxo-"`` and the game."""
        return _listed(f"hyperoxo-{self._game}")

    def replace(self, **changes: Any) -> State:
        """Return the state with some attributes changed."""
        return replace(self, **changes)

    def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
        """Draw the board, or all of a batch, ``"light"``, ``"dark"`` or as the reader prefers."""
        from hyperoxo.pictures import picture
        from hyperoxo.pictures.svg import document

        owners = np.asarray(self._owners).astype(np.uint8).reshape(-1, self._owners.shape[-1])
        owners[:, list(self._game.blocked)] = BLOCKED
        side, across = round(_SIDE * (scale or 1)), math.ceil(math.sqrt(len(owners)))
        boards = []
        for number, board in enumerate(owners):
            position = Position.from_owners(self._game, board.tobytes(), reached=True)
            place = f'<svg x="{number % across * side}" y="{number // across * side}" '
            drawn = picture(position, size=side, theme=color_theme).decode()
            boards.append(drawn.replace("<svg ", place, 1))
        height = side * -(-len(owners) // across)
        return document(side * across, height, str(self._game), boards)

    def save_svg(self, filename: str | os.PathLike[str], **options: Any) -> None:
        """Write the drawing of `to_svg`, which has the options, to a file."""
        replace_file(filename, self.to_svg(**options).encode())

    def _repr_html_(self) -> str:
        return self.to_svg()


class Environment:
    """A game in JAX.

    An action is a cell. An illegal one (taken, blocked, floating, against the opening, off the
    board) puts no stone down and ends the game: the player who made it gets -1, the others share 1.
    A step after the end changes nothing and gives no rewards.

    Parameters
    ----------
    game : Game
        The game, of whatever rules.
    observation : {"cells", "image"}
        ``"cells"`` has the shape ``[N, q]``. ``"image"`` is for convolutions: rows and columns are
        the last two axes of the board, and planes all others, the players' innermost.

    Attributes
    ----------
    game : Game
        The game.
    id, version : str
        Name and version for Pgx: ``"hyperoxo-"`` and the game, and ``"v0"``.
    num_players, num_actions : int
        Players q, and cells N of the board.
    observation_shape : tuple of int
        ``(N, q)``, or ``(rows, columns, planes)``.

    Examples
    --------
    >>> import jax
    >>> env = make("3^2:players=3")
    >>> state = env.init(jax.random.key(0))
    >>> for action in (0, 4, 1, 2):
    ...     state = env.step(state, action)
    >>> int(state.current_player), state.observation[:5].astype(int).tolist()
    (1, [[0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 0, 0]])
    >>> state = env.step(state, 4)
    >>> bool(state.terminated), state.rewards.tolist()
    (True, [0.5, -1.0, 0.5])
    """

    version = "v0"

    def __init__(self, game: Game, observation: str = "cells") -> None:
        _SUPPORTED.check(game)
        self.game = game
        board = game.board
        self.num_players, self.num_actions = game.players, board.cell_count
        self._image = choice_option("observation", observation, _FORMS) == "image"
        if self._image and board.shape is None:
            raise SpecError(f"the board of {game} has no rows and columns to make an image of")
        self._size = board.line_sizes
        small = board.line_sizes.max(initial=0) <= np.iinfo(np.int8).max
        # ``[N, L]``, 1 where the cell is on the line; the type is that of `State.counts`.
        self._incidence = incidence_of(board).astype(np.int8 if small else np.int16)
        # By ply, with an entry for the full board, which steps compute too: ``[M + 1]`` each.
        self._movers = np.array([game.turns.mover(ply) - 1 for ply in range(game.cells + 1)])
        self._restricts = np.array([restricts(game, ply) for ply in range(game.cells + 1)])
        self._playable = np.isin(np.arange(board.cell_count), board.playable)
        self._opening = np.isin(np.arange(board.cell_count), sorted(game.opening or ()))
        self.observation_shape: tuple[int, ...] = jax.eval_shape(self.init).observation.shape

    @property
    def id(self) -> str:
        """The id of the environment."""
        return _listed(f"hyperoxo-{self.game}")

    def init(self, key: jax.Array | None = None) -> State:
        """Return the state before the first move; nothing in it is random, so no key is needed."""
        players, lines = self.num_players, self._incidence.shape[1]
        return self._seen(
            current_player=jnp.asarray(self._movers, jnp.int32)[0],
            rewards=jnp.zeros(players, jnp.float32),
            terminated=jnp.bool_(False),
            _ply=jnp.int32(0),
            _owners=jnp.zeros(self.num_actions, jnp.int8),
            _counts=jnp.zeros((players, lines), self._incidence.dtype),
            _lines_owned=jnp.zeros(players, jnp.int32),
        )

    def step(self, state: State, action: jax.Array | int, key: jax.Array | None = None) -> State:
        """Return the state after the player to move takes a cell; the key is ignored."""
        action = jnp.asarray(action, jnp.int32)
        seats, cells = jnp.arange(self.num_players), jnp.arange(self.num_actions)
        mover = state.current_player
        # 1. Validity. Everything below is computed in any case, as JAX traces no branches; `legal`
        #    and `going` mask what must not change.
        here = cells == action
        going = ~state.terminated
        legal = going & (here & state.legal_action_mask).any()
        # 2. The stone, and the lines through its cell.
        owners = jnp.where(here & legal, (mover + 1).astype(jnp.int8), state.owners)
        through = jnp.asarray(self._incidence)[action] * legal
        mine = state.counts[mover] + through
        # The last entry is that of no cell.
        own = jnp.append(owners == mover + 1, False)
        full = (mine == self._size) & ~own[self.game.board.beyond].any(axis=1)
        counts = jnp.where((seats == mover)[:, None], mine, state.counts)
        lines_owned = jnp.where(seats == mover, full.sum(dtype=jnp.int32), state.lines_owned)
        ply = state.ply + legal
        # 3. Result and rewards; an illegal action loses.
        ended, payoff = self._result(lines_owned, mover, ply)
        lost = self._payoff(seats == mover, jnp.float32(-1))
        rewards = jnp.where(going, jnp.where(legal, payoff, lost), 0)
        terminated = state.terminated | ~legal | ended
        # 4. Observation and mask of the next player.
        turn = jnp.asarray(self._movers, jnp.int32)[ply]
        return self._seen(
            current_player=jnp.where(legal, turn, mover),
            rewards=rewards,
            terminated=terminated,
            _ply=ply,
            _owners=owners,
            _counts=counts,
            _lines_owned=lines_owned,
        )

    def sample(self, state: State, key: jax.Array) -> jax.Array:
        """Draw a legal action, each with the same probability.

        Cells are ranked by hashes of one random word: on 42 cells in a fourth of the time that a
        random number for each cell takes.
        """
        word = jax.random.bits(key) ^ jnp.arange(self.num_actions, dtype=jnp.uint32) * _GOLDEN
        for shift, factor in _MIXING:
            word = (word ^ word >> shift) * jnp.uint32(factor)
        # The set bit puts every legal cell above the others, which have 0.
        return jnp.where(state.legal_action_mask, word | 1, 0).argmax()

    def _seen(self, **fields: jax.Array) -> State:
        """Return a state with the observation and mask of the player to move."""
        owners, legal = fields["_owners"], self._legal(fields["_owners"], fields["_ply"])
        return State(
            observation=self._planes(owners, fields["current_player"]),
            legal_action_mask=fields["terminated"] | legal,
            truncated=jnp.bool_(False),
            _game=self.game,
            **fields,
        )

    def observe(self, state: State, player: jax.Array | int | None = None) -> jax.Array:
        """Return the observation of a player (from 0; None for the one to move)."""
        player = state.current_player if player is None else player
        return self._planes(state.owners, jnp.asarray(player, jnp.int32))

    def _planes(self, owners: jax.Array, player: jax.Array) -> jax.Array:
        seats = (player + jnp.arange(self.num_players)) % self.num_players
        planes = owners[:, None] == seats + 1
        if not self._image:
            return planes
        rows, columns = (1, 1, *(self.game.board.shape or ()))[-2:]
        layers = planes.reshape(-1, rows, columns, self.num_players)
        return jnp.moveaxis(layers, 0, 2).reshape(rows, columns, -1)

    def _legal(self, owners: jax.Array, ply: jax.Array) -> jax.Array:
        """Return the cells that may be taken if the game is not over."""
        landing = (owners == 0) & self._playable
        if (below := self.game.below) is not None:
            landing &= (below < 0) | (owners[below] != 0)
        if self.game.opening is None:
            return landing
        inside = landing & self._opening
        return jnp.where(jnp.asarray(self._restricts)[ply] & inside.any(), inside, landing)

    def _result(
        self, owned: jax.Array, mover: jax.Array, ply: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """Return the end of the game after a legal move, bool, and the rewards."""
        convention, seats = self.game.convention, jnp.arange(self.num_players)
        reached = owned[mover] >= self.game.target
        if convention.maker_only:
            reached &= mover == 0
        full = ply == self.game.cells
        # A full board is won by the player whom the rules name, or else by the most or fewest
        # lines; a tie is a draw.
        if convention.full_board > 0:
            last = self._payoff(seats == convention.full_board - 1, jnp.float32(1))
        else:
            best = owned == (owned.max() if convention.full_board == MOST else owned.min())
            last = jnp.where(best.sum() == 1, self._payoff(best, jnp.float32(1)), 0)
        sign = jnp.float32(1 if convention.reaching_wins else -1)
        first = self._payoff(seats == mover, sign)
        return reached | full, jnp.where(reached, first, jnp.where(full, last, 0))

    def _payoff(self, who: jax.Array, sign: jax.Array) -> jax.Array:
        """Return the rewards if one player alone wins (`sign` 1) or loses (-1)."""
        return sign * jnp.where(who, jnp.float32(1), jnp.float32(-1 / (self.num_players - 1)))


def incidence_of(board: Board) -> NDArray[np.bool_]:
    """Return the incidence matrix of cells and lines, bool ``[N, L]``."""
    incidence = np.zeros((board.cell_count, board.line_count), np.bool_)
    through = np.repeat(np.arange(board.cell_count), np.diff(board.cell_ptr))
    incidence[through, board.cell_lines] = True
    return incidence


def _listed(name: str) -> str:
    """Return an id, and add it to those that Pgx's test accepts, for which Pgx has no call."""
    for module in ("pgx.core", "pgx._src.api_test"):
        known = getattr(sys.modules.get(module), "EnvId", None)
        if known is not None and name not in get_args(known):
            sys.modules[module].EnvId = Literal[*get_args(known), name]  # type: ignore[attr-defined]
    return name


def make(spec: str | Game, observation: str = "cells") -> Environment:
    """Return the environment of a game.

    Parameters
    ----------
    spec : str or Game
        The game; every board and option that compiled play knows.
    observation : {"cells", "image"}
        The shape of observations; see `Environment`.

    Returns
    -------
    Environment
        With `init` and `step`.

    Examples
    --------
    Sixteen games, a random move in each:

    >>> import jax
    >>> env = make("4^3:gravity")
    >>> keys = jax.random.split(jax.random.key(0), 16)
    >>> states = jax.vmap(env.init)(keys)
    >>> actions = jax.vmap(env.sample)(states, keys)
    >>> states = jax.jit(jax.vmap(env.step))(states, actions)
    >>> states.observation.shape, states.ply.tolist() == [1] * 16
    ((16, 64, 2), True)
    """
    return Environment(spec if isinstance(spec, Game) else Game(spec), observation)


def auto_reset(step: Callable[..., State], init: Callable[..., State]) -> Callable[..., State]:
    """Return a step that starts a new game where one ends.

    The state that it returns then is that of the new game, with the rewards and the `terminated`
    of the old one; the next step plays on.

    Parameters
    ----------
    step, init : callable
        Those of an environment; a game starts as `init` says, which may play random first moves.

    Returns
    -------
    callable
        Takes a state, an action and a key.

    Examples
    --------
    >>> import jax
    >>> env = make("3^2")
    >>> step = auto_reset(env.step, env.init)
    >>> key = jax.random.key(0)
    >>> state = env.init(key)
    >>> for action in (0, 3, 1, 4, 2):
    ...     state = step(state, action, key)
    >>> bool(state.terminated), state.rewards.tolist(), int(state.ply)
    (True, [1.0, -1.0], 0)
    >>> bool(step(state, 8, key).terminated)
    False
    """

    def stepped(state: State, action: jax.Array, key: jax.Array) -> State:
        stepping, starting = jax.random.split(key)
        # The flag may be that of the last game, but the board is that of the new one: clear it,
        # since a step after the end would change nothing.
        state = step(state.replace(terminated=jnp.zeros_like(state.terminated)), action, stepping)
        fresh = init(starting).replace(rewards=state.rewards, terminated=state.terminated)
        over = state.terminated
        chosen: State = jax.tree.map(lambda new, old: jnp.where(over, new, old), fresh, state)
        return chosen

    return stepped
