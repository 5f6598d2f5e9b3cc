"""Games as PettingZoo environments, in which agents take turns (AEC)."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np

from hyperoxo.adapters.running import ILLEGAL_MOVES, Running, start_of
from hyperoxo.agents.options import choice_option
from hyperoxo.errors import MissingExtraError
from hyperoxo.game import Game

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from hyperoxo.adapters.drawing import METADATA, Picture, check_mode, render, space_of
except ImportError:
    raise MissingExtraError("adapters", "PettingZoo") from None

__all__ = ["TurnEnv", "env", "raw_env"]

_FORMS = ("dict", "array")


class TurnEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game as a PettingZoo environment.

    Agents are ``player_1`` to ``player_q`` and move in the order of the game; an action is the
    number of a cell. Rewards are 0 while the game goes on; at its end k winners get 1/k each and
    the others -1/(q-k) each, and in a draw all get 0.

    Parameters
    ----------
    spec : str or Game
        The game.
    illegal : {"lose", "raise"}
        Effect of an illegal move: the game ends, the player who made it gets -1 and each other
        1/(q-1), and the entry ``"illegal_move"`` of their info is the cell; or `IllegalMoveError`
        is raised and nothing changes. A number that is not a cell always raises it.
    observation : {"dict", "array"}
        ``"dict"`` has entries ``"observation"``, int8 ``[N, q]``, and ``"action_mask"``, int8
        ``[N]``. ``"array"`` is one array ``[N, q + 1]`` with the mask as last column, and the mask
        of the player to move is in their info too. Column 0 holds the stones of the player who
        observes, column k those of the player k seats after them; only the player to move has
        ones in their mask.
    render_mode : {"human", "ansi", "rgb_array"}, optional
        Result of `render`: text written to standard output, after every move too; text; or a
        picture, uint8 ``[height, width, 3]``.

    Examples
    --------
    >>> from hyperoxo.adapters import pettingzoo
    >>> turns = pettingzoo.env("3^3:players=3", render_mode="ansi")
    >>> turns.reset(seed=0)
    >>> for agent in turns.agent_iter():
    ...     observation, reward, terminated, truncated, info = turns.last()
    ...     over = terminated or truncated
    ...     turns.step(None if over else int(observation["action_mask"].argmax()))
    >>> print(turns.render())
    X O △   · · ·   · · ·
    X O △   · · ·   · · ·
    X · ·   · · ·   · · ·
    Cross wins
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "hyperoxo_v0",
        "is_parallelizable": False,
        **METADATA,
    }

    def __init__(
        self,
        spec: str | Game = "3^2",
        *,
        illegal: str = "lose",
        observation: str = "dict",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = spec if isinstance(spec, Game) else Game(spec)
        self.illegal = choice_option("illegal", illegal, ILLEGAL_MOVES)
        self.observation = choice_option("observation", observation, _FORMS)
        self.render_mode = check_mode(render_mode)
        cells, players = self.game.board.cell_count, self.game.players
        self.possible_agents = [f"player_{player + 1}" for player in range(players)]
        self.agents: list[str] = []
        array = spaces.Box(0, 1, (cells, players + 1), np.int8)
        seen = array if self.observation == "array" else space_of(self.game)
        self.observation_spaces = {name: deepcopy(seen) for name in self.possible_agents}
        self.action_spaces = {name: spaces.Discrete(cells) for name in self.possible_agents}
        self.state_space = spaces.Box(0, 1, (cells, players), np.int8)
        self._running = Running(self.game.start())

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the numbers of the cells."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game; the option ``"position"`` (text or Position) names another start.

        Nothing is random in a game, so that the seed changes nothing.
        """
        self._running.restart(start_of(self.game, options))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._skip_agent_selection = None
        self._hand_over()

    def step(self, action: Any) -> None:
        """Play a cell for the agent selected, or None once the game is over."""
        name = self.agent_selection
        if self.terminations[name]:
            self._was_dead_step(action)
            return
        running = self._running
        if not running.play(action, strict=self.illegal == "raise"):
            running.forfeit()
            self.infos[name]["illegal_move"] = np.asarray(action).item()
        if running.is_over:
            self.rewards = dict(zip(self.agents, running.rewards, strict=True))
            # The only call: rewards are 0 until here, so no sum needs a reset after a turn.
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
        self._hand_over()

    def _hand_over(self) -> None:
        """Select the next agent, or the first one once the game is over."""
        running = self._running
        self.agent_selection = self.possible_agents[max(running.mover, 0)]
        if self.observation == "array":
            for name in self.agents:
                self.infos[name].pop("action_mask", None)
            self.infos[self.agent_selection]["action_mask"] = running.observe(running.mover)[1]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Any:
        """Return the present observation of an agent."""
        stones, mask = self._running.observe(self.possible_agents.index(agent))
        if self.observation == "array":
            return np.column_stack([stones, mask])
        return {"observation": stones, "action_mask": mask}

    def state(self) -> Any:
        """Return the stones of each player, int8 ``[N, q]``, in the order of the players."""
        return self._running.observe(0)[0]

    def render(self) -> str | Picture | None:
        """Draw the position as the render mode says."""
        return render(self._running.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: no window is open."""


raw_env = TurnEnv


def env(spec: str | Game = "3^2", **options: Any) -> OrderEnforcingWrapper[str, Any, Any]:
    """Make a `TurnEnv`, with the same options, that refuses calls in the wrong order."""
    return OrderEnforcingWrapper(TurnEnv(spec, **options))
