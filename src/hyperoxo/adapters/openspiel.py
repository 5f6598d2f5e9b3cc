"""Games in OpenSpiel, our agents as its bots, and its bots as our agents.

Importing this module registers the game ``python_hyperoxo`` with one parameter, `spec`: how the
game is spelled here. OpenSpiel reads names of games such as ``python_hyperoxo(spec=3^2)`` and has
other uses for the signs ``=`` and ``,``, so that these are percent-encoded in such names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from hyperoxo import agents
from hyperoxo.adapters.drawing import draw_text
from hyperoxo.adapters.running import Running, first_of, position_of
from hyperoxo.agents import Agent
from hyperoxo.agents.base import Randomness, generator, moves_of
from hyperoxo.errors import AgentError, IllegalMoveError, MissingExtraError, SpecError, quoted
from hyperoxo.game import MAX_PLAYERS, Game, Position
from hyperoxo.notation import Record, record_to_dict

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError:
    raise MissingExtraError("adapters", "OpenSpiel") from None

__all__ = ["NAME", "BoardGame", "BoardState", "agent", "bot", "load"]

NAME = "python_hyperoxo"

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Generalised tic-tac-toe",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"spec": "3^2"},
)


class BoardGame(pyspiel.Game):  # type: ignore[misc]
    """A game; `rules` is the `Game` that it plays."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.rules = Game(unquote(str((params or {}).get("spec", "3^2"))))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.board.cell_count,
            max_chance_outcomes=0,
            num_players=self.rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.cells,
        )
        super().__init__(_TYPE, info, {"spec": encoded(self.rules)})

    def new_initial_state(self, given: Any = None) -> BoardState:
        """Return the start of a game, or the given position, also from text.

        Text is ``"moves:4,0"`` or ``"1.2......"``, or what `to_json`, `to_dict` or `to_struct` of
        a state returned.
        """
        state = BoardState(self)
        if isinstance(given, pyspiel.StateStruct):
            given = given.to_json()
        if given is not None:
            position = position_of(self.rules, given)
            if position.setup is not None:
                state.running = Running(position.undo(len(position.history)))
            for cell in position.history:
                state.apply_action(cell)
        return state

    def make_py_observer(self, kind: Any = None, params: Any = None) -> Any:
        """Return an observer."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return BoardObserver(self.rules)
        return IIGObserverForPublicInfoGame(kind, params)


class BoardState(pyspiel.State):  # type: ignore[misc]
    """A moment of a game; an action is the number of a cell."""

    def __init__(self, game: BoardGame) -> None:
        super().__init__(game)
        self.running = Running(first_of(game.rules))

    def current_player(self) -> int:
        """Return the player to move, from 0, or the terminal player id."""
        running = self.running
        return pyspiel.PlayerId.TERMINAL if running.is_over else running.mover

    def _legal_actions(self, player: int) -> list[int]:
        running = self.running
        return running.legal_moves if player == running.mover else []

    def _apply_action(self, action: int) -> None:
        self.running.play(action, strict=True)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player + 1}:{action}"

    def is_terminal(self) -> bool:
        """Return True if the game has ended."""
        return self.running.is_over

    def returns(self) -> list[float]:
        """Return the rewards: 1/k for each of k winners, -1/(q-k) for each other, 0 in a draw."""
        return self.running.rewards

    def __str__(self) -> str:
        return draw_text(self.running.position)

    def _to_struct(self) -> dict[str, Any]:
        """Return the record of the game, as JSON has it; `to_json` and `to_dict` ask for it."""
        return record_to_dict(Record.of(self.running.position))

    def undo_action(self, player: int, action: int) -> None:
        """Take back the last action, which this player made."""
        made = self.running.undo()
        if (made, self.running.mover) != (action, player):
            self.running.play(made)
            raise IllegalMoveError(f"player {player} did not play {action} last, {made} was played")

    # OpenSpiel's own list of actions only grows, so that it is wrong once one is undone.

    def history(self) -> list[int]:
        """Return the actions made since the initial state."""
        return list(self.running.position.history)

    def history_str(self) -> str:
        """Return the actions made, as text."""
        return ", ".join(map(str, self.history()))

    def full_history(self) -> list[Any]:
        """Return the actions made, with their players."""
        state = self.get_game().new_initial_state(self.running.position)
        return list(pyspiel.State.full_history(state))

    def move_number(self) -> int:
        """Return the number of actions made."""
        return len(self.history())

    def is_initial_state(self) -> bool:
        """True if no action was made."""
        return not self.history()


class BoardObserver:
    """Observer: stones as planes, float32 ``[N, q]``, the observing player's first."""

    def __init__(self, rules: Game) -> None:
        cells, players = rules.board.cell_count, rules.players
        self.tensor = np.zeros(cells * players, np.float32)
        self.dict = {"observation": self.tensor.reshape(cells, players)}

    def set_from(self, state: BoardState, player: int) -> None:
        """Write a player's observation into `tensor`."""
        self.dict["observation"][:] = state.running.observe(player)[0]

    def string_from(self, state: BoardState, player: int) -> str:
        """Return a player's observation as text, one character per cell."""
        return state.running.position.text


def encoded(rules: Game) -> str:
    """Spell a game so that OpenSpiel reads it as one parameter."""
    return quote(str(rules), safe="^:+")


@lru_cache(maxsize=16)
def load(spec: str | Game) -> BoardGame:
    """Load a game of OpenSpiel by our spelling.

    Parameters
    ----------
    spec : str or Game
        The game.

    Returns
    -------
    pyspiel.Game
        The same as ``pyspiel.load_game("python_hyperoxo", {"spec": ...})``.

    Examples
    --------
    >>> from hyperoxo.adapters import openspiel
    >>> print(openspiel.load("3^3:players=3,misere"))
    python_hyperoxo(spec=3^3:players%3D3%2Cmisere)
    """
    rules = spec if isinstance(spec, Game) else Game(spec)
    found: BoardGame = pyspiel.load_game(NAME, {"spec": str(rules)})
    return found


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """A hyperoxo agent as a bot."""

    def __init__(self, player: Agent, seed: Randomness) -> None:
        super().__init__()
        self._agent = player
        self._rng = generator(seed)

    def step(self, state: BoardState) -> int:
        """Choose an action."""
        if not isinstance(state, BoardState):
            raise SpecError(f"{self._agent.spec} plays {NAME}, not {state.get_game()}")
        return int(self._agent.choose(state.running.position, self._rng))

    def restart_at(self, state: BoardState) -> None:
        """Do nothing: an agent looks at the position alone."""


def bot(player: str | Agent, seed: Randomness = None) -> AgentBot:
    """Make a bot of OpenSpiel from an agent.

    Parameters
    ----------
    player : str or Agent
        The agent, or its spec.
    seed : int or numpy.random.Generator, optional
        Source of its random choices.

    Returns
    -------
    pyspiel.Bot
        A bot for any seat of ``python_hyperoxo``.

    Examples
    --------
    >>> from hyperoxo.adapters import openspiel
    >>> openspiel.bot("greedy").step(openspiel.load("3^2").new_initial_state())
    4
    """
    return AgentBot(player if isinstance(player, Agent) else agents.agent(player), seed)


MakeBot = Callable[[Any, int, np.random.RandomState], Any]


class BotAgent(Agent):
    """A bot of OpenSpiel as an agent; a new one is made for every move."""

    def __init__(self, make: MakeBot, name: str) -> None:
        self._make = make
        self._name = name

    @property
    def spec(self) -> str:
        """Name of the agent."""
        return self._name

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Let a new bot choose; see :meth:`Agent.choose`."""
        moves_of(position)
        state = load(position.game).new_initial_state(position)
        seed = int(generator(rng).integers(2**32))
        player = position.to_move - 1
        chooser = self._make(state.get_game(), player, np.random.RandomState(seed))
        if not isinstance(chooser, pyspiel.Bot):
            raise AgentError(f"'{self._name}' makes {quoted(chooser)}, which is not a pyspiel.Bot")
        # `step` of these two lets other threads run while it reads Python's objects, which ends
        # the process with any game written in Python; the same search in this call does not.
        if isinstance(chooser, pyspiel.MCTSBot | pyspiel.ISMCTSBot):
            return int(chooser.step_with_policy(state)[1])
        return int(chooser.step(state))


def agent(make: MakeBot, name: str = "openspiel") -> Agent:
    """Make an agent from bots of OpenSpiel.

    Parameters
    ----------
    make : callable
        Makes a bot from a game (pyspiel.Game), the number of a player, counted from 0, and a
        source of randomness (numpy.random.RandomState). A new bot is made for every move and
        chooses by the state alone, so that nothing is carried over from game to game.
    name : str
        Name of the agent in results.

    Returns
    -------
    Agent
        For matches and everything else that takes an agent.

    Examples
    --------
    >>> import hyperoxo as ox
    >>> from open_spiel.python.algorithms import mcts
    >>> from hyperoxo.adapters import openspiel
    >>> def make(game, player, rng):
    ...     return mcts.MCTSBot(game, 2, 100, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    >>> ox.match("3^2", [openspiel.agent(make, "python-mcts"), "random"], games=4).games
    4
    """
    return BotAgent(make, name)


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_TYPE, BoardGame)
