"""One seat of a game against agents, as a Gymnasium environment, alone or many at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.adapters.running import ILLEGAL_MOVES, Running, first_of, start_of
from hyperoxo.agents import Agent, agent
from hyperoxo.agents.base import drawn
from hyperoxo.agents.options import choice_option
from hyperoxo.agents.scored import RandomAgent
from hyperoxo.errors import AgentError, IllegalMoveError, MissingExtraError, SpecError, quoted
from hyperoxo.game import BLOCKED, Game, Position
from hyperoxo.kernels.rng import stream
from hyperoxo.kernels.seats import begin_games, observe_games, step_games
from hyperoxo.kernels.state import S_OWNER
from hyperoxo.kernels.step import OVER
from hyperoxo.solvers.arrays import state_of, tables_of

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, SyncVectorEnv
    from gymnasium.vector.utils import batch_space

    from hyperoxo.adapters.drawing import METADATA, check_mode, render, space_of
except ImportError:
    raise MissingExtraError("adapters", "Gymnasium") from None

__all__ = ["ID", "SeatEnv", "SeatVectorEnv", "vector_env"]

ID = "hyperoxo/Game-v0"

Opponents = str | Agent | Sequence[str | Agent]
Seen = dict[str, NDArray[np.int8]]


class SeatEnv(gymnasium.Env[Any, Any]):
    """A game in which one player is the learner and agents are the others.

    An action is the number of a cell. An observation has entries ``"observation"``, int8
    ``[N, q]``, with the learner's stones in column 0 and those of the player k seats after them
    in column k, and ``"action_mask"``, int8 ``[N]``; the mask is in the info as well. The reward
    is 0 while the game goes on; at its end each of k winners gets 1/k and the others -1/(q-k).

    If a game ends before the learner's first move, which takes a bias or a very small board,
    the first step gives its end, whatever the action.

    Parameters
    ----------
    spec : str or Game
        The game.
    opponent : str, Agent, or sequence of these
        Agents on the other seats: one for all, or one for each in the order in which they move
        after the learner.
    seat : int, optional
        The learner's seat, 1 to q; None to draw one for each game.
    illegal : {"lose", "raise"}
        Effect of an illegal move: the game ends with -1 for the learner and the info names the move
        as ``"illegal_move"``; or `IllegalMoveError` is raised and nothing changes. A number that is
        not a cell always raises it.
    render_mode : {"human", "ansi", "rgb_array"}, optional
        Result of `render`: text written to standard output, after every step too; text; or a
        picture, uint8 ``[height, width, 3]``.

    Examples
    --------
    >>> import gymnasium as gym
    >>> import hyperoxo.adapters.gymnasium
    >>> seat = gym.make("hyperoxo/Game-v0", spec="3^2", opponent="greedy", seat=2)
    >>> seen, info = seat.reset(seed=0)
    >>> int(seen["observation"][:, 0].sum()), int(seen["observation"][:, 1].sum())
    (0, 1)
    >>> _ = seat.action_space.seed(0)
    >>> over = False
    >>> while not over:
    ...     action = seat.action_space.sample(mask=info["action_mask"])
    ...     seen, reward, over, truncated, info = seat.step(action)
    >>> reward
    -1.0
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]

    def __init__(
        self,
        spec: str | Game = "3^2",
        *,
        opponent: Opponents = "random",
        seat: int | None = 1,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.game = spec if isinstance(spec, Game) else Game(spec)
        self.opponents = _seated(opponent, self.game)
        self.seat = _checked_seat(seat, self.game)
        self.illegal = choice_option("illegal", illegal, ILLEGAL_MOVES)
        self.render_mode = check_mode(render_mode)
        self.observation_space = space_of(self.game)
        self.action_space = spaces.Discrete(self.game.board.cell_count)
        self._drawn_seat = self.seat is None
        self._place = (self.seat or 1) - 1
        self._running = Running(self.game.start())

    @property
    def position(self) -> Position:
        """The position reached."""
        return self._running.position

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a game; the option ``"position"`` (text or Position) names another start.

        The seed decides what the opponents draw, and the seat where that is drawn.
        """
        super().reset(seed=seed)
        self._running.restart(start_of(self.game, options))
        if self._drawn_seat:
            self._place = int(self.np_random.integers(self.game.players))
            self.seat = self._place + 1
        self._reply()
        return self._see()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play a cell for the learner, and let the opponents move."""
        running = self._running
        lost: dict[str, Any] = {}
        if not running.is_over:
            if not running.play(action, strict=self.illegal == "raise"):
                running.forfeit()
                lost = {"illegal_move": np.asarray(action).item()}
            self._reply()
        seen, info = self._see()
        return seen, running.rewards[self._place], running.is_over, False, info | lost

    def _reply(self) -> None:
        running = self._running
        while running.mover not in (self._place, OVER):
            player = self.opponents[(running.mover - self._place - 1) % self.game.players]
            if isinstance(player, RandomAgent):
                cell = drawn(running.legal_moves, self.np_random)
            else:
                cell = player.choose(running.position, self.np_random)
            if not running.play(cell):
                raise AgentError(f"{player.spec} chose {cell!r}, which is not a legal move")

    def _see(self) -> tuple[Seen, dict[str, Any]]:
        stones, mask = self._running.observe(self._place)
        if self.render_mode == "human":
            self.render()
        return {"observation": stones, "action_mask": mask}, {"action_mask": mask.copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal moves, bool ``[N]``, as sb3-contrib's MaskablePPO expects it."""
        masks: NDArray[np.bool_] = self._running.observe(self._place)[1].astype(bool)
        return masks

    def render(self) -> Any:
        """Draw the position as the render mode says."""
        return render(self.position, self.render_mode)


class SeatVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games in which one player is the learner and the others play at random, compiled.

    Everything is as in Gymnasium's `SyncVectorEnv` of `SeatEnv`. Board b of ``reset(seed=n)`` has
    its own random stream, that of seed n + b, which differs from that of `SeatEnv`.

    Parameters
    ----------
    num_envs : int
        Number of boards B.
    spec, seat, illegal, render_mode
        As for `SeatEnv`. If an illegal move on one board raises, no board moves.
    autoreset_mode : str or gymnasium.vector.AutoresetMode
        When a board whose game has ended begins a new one: at the next step, whatever the action
        (``"NextStep"``); in the same step, with ``"final_obs"`` and ``"final_info"`` of the old
        game in the info (``"SameStep"``); or not before a `reset` with the option ``"reset_mask"``
        (``"Disabled"``).

    Examples
    --------
    >>> import gymnasium as gym
    >>> import hyperoxo.adapters.gymnasium
    >>> seats = gym.make_vec("hyperoxo/Game-v0", num_envs=3, spec="3^2")
    >>> seen, info = seats.reset(seed=0)
    >>> seen, rewards, over, truncated, info = seats.step(seen["action_mask"].argmax(axis=1))
    >>> seen["observation"].shape, seen["observation"].sum(axis=(1, 2)).tolist()
    ((3, 9, 2), [2, 2, 2])
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 1,
        spec: str | Game = "3^2",
        *,
        seat: int | None = 1,
        illegal: str = "lose",
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.game = spec if isinstance(spec, Game) else Game(spec)
        if num_envs < 1:
            raise SpecError(f"the number of environments must be at least 1, not {num_envs}")
        self.num_envs = num_envs
        self.illegal = choice_option("illegal", illegal, ILLEGAL_MOVES)
        self.render_mode = check_mode(render_mode)
        self._autoreset = _mode_of(autoreset_mode)
        modes = {"autoreset_mode": self._autoreset}
        self.metadata = self.metadata | modes  # type: ignore[misc]
        self.single_observation_space = space_of(self.game)
        self.single_action_space = spaces.Discrete(self.game.board.cell_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        # From 0; -1 to draw a seat for each game.
        self._fixed = (_checked_seat(seat, self.game) or 0) - 1
        states = np.tile(state_of(self.game.start()), (num_envs, 1))
        self._random = np.zeros(num_envs, np.uint64)
        # Rules, states ``[B, S]``, the learner's seats ``[B]``, random streams ``[B]``.
        self._games = tables_of(self.game), states, np.zeros(num_envs, np.int64), self._random
        self._over = np.zeros(num_envs, np.bool_)
        self._masks = np.zeros((num_envs, self.game.board.cell_count), np.int8)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin games; option ``"position"`` names another start, ``"reset_mask"`` some boards."""
        every = np.ones(self.num_envs, np.bool_)
        chosen = (options or {}).get("reset_mask", every)
        if not isinstance(chosen, np.ndarray) or chosen.dtype != bool or not chosen.any():
            raise SpecError("reset_mask must be an array of bool with at least one true entry")
        if chosen.shape != every.shape:
            raise SpecError(f"reset_mask must have {self.num_envs} entries in one dimension")
        self._seed(seed, chosen)
        self._begin(start_of(self.game, options), chosen)
        seen, info = self._see()
        info["action_mask"][~chosen] = 0
        return seen, info | {"_action_mask": chosen.copy()}

    def _seed(self, seed: int | Sequence[int | None] | None, chosen: NDArray[np.bool_]) -> None:
        """Seed the random streams of the chosen boards that have a seed."""
        seeds: Sequence[int | None] = ()
        if isinstance(seed, int):
            super().reset(seed=seed)
            seeds = range(seed, seed + self.num_envs)
        elif seed is not None:
            seeds = seed
        # A stream of 0 has never been seeded: a first reset without a seed.
        elif not self._random.all():
            seeds = self.np_random.integers(2**63, size=self.num_envs).tolist()
        for board, own in enumerate(seeds):
            if own is not None and chosen[board]:
                self._random[board] = stream(np.uint64(own), 0)

    def _begin(self, start: Position, chosen: NDArray[np.bool_]) -> None:
        begin_games(*self._games, state_of(start), self._fixed, chosen)
        self._over[chosen] = False

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play a cell on each board and let the others reply; games begin as the mode says."""
        # Boards that were over before this step begin a new game in it, whatever their action
        # (NEXT_STEP): `going` is false for them, and they are not played on.
        played = np.asarray(actions, np.int64)
        going = ~self._over
        self._check(played, going)
        rewards, illegal = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        self._begin_anew()
        step_games(*self._games, played, going, rewards, self._over, illegal)
        over = self._over.copy()
        seen, info = self._see()
        if illegal.any():
            info |= {"illegal_move": np.where(illegal, played, 0), "_illegal_move": illegal}
        if self._autoreset is AutoresetMode.SAME_STEP and over.any():
            last = np.full(self.num_envs, None, dtype=object)
            for board in np.flatnonzero(over):
                last[board] = {name: array[board] for name, array in seen.items()}
            # The final observation is copied before the board is reset; nothing is legal there.
            ended = info | {"action_mask": np.zeros_like(self._masks), "_action_mask": over.copy()}
            self._begin_anew()
            seen, info = self._see()
            info |= {"final_obs": last, "_final_obs": over.copy()}
            info |= {"final_info": ended, "_final_info": over.copy()}
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), info

    def _begin_anew(self) -> None:
        """Begin new games where they are over."""
        if self._over.any():
            self._begin(first_of(self.game), self._over)

    def _check(self, played: NDArray[np.int64], going: NDArray[np.bool_]) -> None:
        """Refuse actions that are not cells and, in the mode "raise", illegal moves."""
        cells = self.game.board.cell_count
        if played.shape != (self.num_envs,):
            raise IllegalMoveError(f"{self.num_envs} boards need as many moves, in one dimension")
        if ((played < 0) | (played >= cells)).any():
            raise IllegalMoveError(f"a board has cells 0 to {cells - 1}, and no others")
        if self._autoreset is AutoresetMode.DISABLED and not going.all():
            board = int(going.argmin())
            raise IllegalMoveError(f"the game on board {board} is over; reset(options) begins one")
        if self.illegal == "raise":
            legal = self._masks[np.arange(self.num_envs), played]
            # `_masks` are those that the learner saw last. A board without a legal move ended
            # before the learner's first one, so that any action will do.
            wrong = np.flatnonzero(going & (legal == 0) & self._masks.any(axis=1))
            if len(wrong):
                board = int(wrong[0])
                raise IllegalMoveError(f"cell {played[board]} is not a legal move on board {board}")

    def _see(self) -> tuple[Seen, dict[str, Any]]:
        stones = np.zeros((*self._masks.shape, self.game.players), np.int8)
        self._masks = np.zeros_like(self._masks)
        observe_games(*self._games[:3], stones, self._masks)
        every = np.ones(self.num_envs, np.bool_)
        if self.render_mode == "human":
            self.render()
        return (
            {"observation": stones, "action_mask": self._masks.copy()},
            {"action_mask": self._masks.copy(), "_action_mask": every},
        )

    def render(self) -> tuple[Any, ...]:
        """Draw each board as the render mode says."""
        tables, states, *_ = self._games
        owners = states[:, tables[S_OWNER] :][:, : self.game.board.cell_count].astype(np.uint8)
        owners[:, list(self.game.blocked)] = BLOCKED
        return tuple(
            render(Position.from_owners(self.game, board.tobytes(), reached=True), self.render_mode)
            for board in owners
        )


def vector_env(
    num_envs: int = 1,
    spec: str | Game = "3^2",
    *,
    opponent: Opponents = "random",
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    **options: Any,
) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    """Make many games at a time: compiled against random play, one by one against other agents."""
    game = spec if isinstance(spec, Game) else Game(spec)
    if all(isinstance(player, RandomAgent) for player in _seated(opponent, game)):
        return SeatVectorEnv(num_envs, game, autoreset_mode=autoreset_mode, **options)
    return SyncVectorEnv(
        [lambda: SeatEnv(game, opponent=opponent, **options)] * num_envs,
        autoreset_mode=_mode_of(autoreset_mode),
    )


def _mode_of(given: str | AutoresetMode) -> AutoresetMode:
    known = tuple(mode.value for mode in AutoresetMode)
    mode = given.value if isinstance(given, AutoresetMode) else given
    return AutoresetMode(choice_option("autoreset_mode", mode, known))


def _seated(opponent: Opponents, game: Game) -> list[Agent]:
    """Return the agents on the other seats, in the order in which they move after the learner."""
    others = game.players - 1
    named = [opponent] * others if isinstance(opponent, str | Agent) else [*opponent]
    if len(named) != others:
        raise SpecError(f"opponent takes {others} for {game}, not {len(named)}")
    agents = [one if isinstance(one, Agent) else agent(one) for one in named]
    for one in agents:
        one.check(game)
    return agents


def _checked_seat(seat: int | None, game: Game) -> int | None:
    if seat is not None and not (type(seat) is int and 1 <= seat <= game.players):
        raise SpecError(f"seat must be 1 to {game.players}, or None, not {quoted(seat)}")
    return seat


if ID not in gymnasium.registry:
    gymnasium.register(
        ID, entry_point=f"{__name__}:SeatEnv", vector_entry_point=f"{__name__}:vector_env"
    )
