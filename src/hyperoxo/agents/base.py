"""Base class of agents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents.options import spelled
from hyperoxo.errors import AgentError
from hyperoxo.game import Game, Position, Requires, Why, cell_name
from hyperoxo.heuristics import LineHeuristic
from hyperoxo.task import ALONE, Task

Randomness = np.random.Generator | int | None

Move = TypeVar("Move")


@dataclass(frozen=True)
class Explanation:
    """Why a move was chosen.

    Attributes
    ----------
    move : int
        The cell chosen.
    candidates : tuple of (int, float)
        Cells with their scores to the player to move, best first.
    reason : str
        One sentence.
    hurried : bool
        Whether the agent was asked to move before it was done.
    """

    move: int
    candidates: tuple[tuple[int, float], ...]
    reason: str
    hurried: bool = field(default=False, kw_only=True)

    @classmethod
    def of(cls, move: int, reason: str, score: float = 0.0) -> Explanation:
        """Explain a move that is the only one considered."""
        return cls(move, ((move, score),), reason)


@dataclass(frozen=True)
class Thought:
    """Interim result of an agent that thinks: the cell that it would play now.

    `depth` is the search depth in plies, 0 for a tree search, and `games` counts its playouts or
    evaluated leaves.
    """

    best: int
    depth: int = 0
    games: int = 0


@dataclass(frozen=True)
class Seat:
    """Settings of an agent that scores moves by lines, for compiled games.

    Attributes
    ----------
    heuristic : LineHeuristic or None
        The line heuristic; None for random play.
    rival_weight : float
        Weight of each rival's gain by the same move.
    lowest : bool
        Whether ties go to the lowest cell instead of a random one.
    temperature : float
        Above 0, moves are drawn with probability in proportion to exp(value / temperature).
    """

    heuristic: LineHeuristic | None
    rival_weight: float = 0.0
    lowest: bool = False
    temperature: float = 0.0


class Agent(ABC):
    """A program that chooses moves.

    An agent carries nothing over from one game to the next and takes its randomness from the
    caller, so that games can be repeated. Subclasses define `name` and `choose`, and `spec`
    if they have options.

    Attributes
    ----------
    name : str
        The name in agent specs.
    title : str
        Its name in forms; `name` unless given.
    opponents : tuple of (str, str) or None
        Entries of forms, each a title and an agent spec; the plain agent unless given.
    alone : str
        The option that a value without a name sets, as in ``level:3``; empty for none.
    requires : Requires or None
        The games it plays, by their traits; None for all.

    Examples
    --------
    >>> from hyperoxo.agents import agent
    >>> agent("greedy:ties=lowest").choose(Game("3^2").start(), 0)
    4
    """

    name: ClassVar[str] = "agent"
    title: ClassVar[str] = ""
    opponents: ClassVar[tuple[tuple[str, str], ...] | None] = None
    alone: ClassVar[str] = ""
    requires: ClassVar[Requires | None] = None

    @property
    def spec(self) -> str:
        """The agent spec, options included; the name unless overridden."""
        return self.name

    @abstractmethod
    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a legal move.

        Parameters
        ----------
        position : Position
            The position; the game must not be over.
        rng : numpy.random.Generator or int, optional
            Source of randomness, or a seed.

        Returns
        -------
        int
            The cell to play.

        Raises
        ------
        AgentError
            If the agent cannot play this game.
        """

    def choose_many(
        self, positions: Sequence[Position], rng: Randomness = None
    ) -> NDArray[np.int32]:
        """Choose a move in each of many positions of one game.

        Agents that can do so choose in one compiled loop; the others position by position. If
        nothing is left to chance, as with ``ties=lowest``, the moves are those of `choose`.

        Parameters
        ----------
        positions : Positions or sequence of Position
            The positions, none of them over.
        rng : numpy.random.Generator or int, optional
            Source of randomness, or a seed; one for all positions, in their order.

        Returns
        -------
        numpy.ndarray
            The cells to play, int32 ``[K]``.

        Raises
        ------
        AgentError
            If a game is over, or the agent cannot play it.
        """
        drawn_from = generator(rng)
        chosen = [self.choose(position, drawn_from) for position in positions]
        return np.array(chosen, dtype=np.int32)

    def explain(self, position: Position, rng: Randomness = None) -> Explanation | None:
        """Choose a move and explain it; None if the agent gives no reasons.

        Parameters
        ----------
        position : Position
            Position to move in.
        rng : int, numpy.random.Generator or None, default None
            Seed or generator of random choices.

        Returns
        -------
        Explanation or None
            The move with its reasons.
        """
        return None

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and say why; report progress, and stop early on request.

        Agents that can be interrupted override this. Without an interrupt the same seed gives the
        same move as `choose`.

        Parameters
        ----------
        position : Position
            The position; the game must not be over.
        rng : numpy.random.Generator or int, optional
            Source of randomness, or a seed.
        task : Task
            Its stop asks for a move at once; it gets a `Thought` from time to time.

        Returns
        -------
        Explanation
            The move; without a reason where the agent has none.

        Raises
        ------
        AgentError
            If the agent cannot play this game.
        """
        found = self.explain(position, rng)
        return Explanation(self.choose(position, rng), (), "") if found is None else found

    def check(self, game: Game) -> None:
        """Refuse a game the agent cannot play.

        Parameters
        ----------
        game : Game
            The game.

        Raises
        ------
        NotSupportedError or AgentError
            With one sentence that says why.
        """
        if self.requires is not None:
            self.requires.check(game)

    def quick(self, game: Game) -> bool:
        """True if every move of `game` takes some ten milliseconds at most.

        Parameters
        ----------
        game : Game
            The game.

        Returns
        -------
        bool
            False if a move may take longer, or it is not known.
        """
        return False

    @property
    def repeatable(self) -> bool:
        """True if the same seed gives the same move; False with a time limit."""
        return self.seconds_a_move is None

    @property
    def seconds_a_move(self) -> float | None:
        """The time limit of a move in seconds, or None."""
        limit: float | None = getattr(self, "seconds", None)
        return limit

    def seat(self, game: Game) -> Seat | None:
        """Return the settings for compiled games; None if these cannot play the agent.

        Parameters
        ----------
        game : Game
            The game.

        Returns
        -------
        Seat or None
            The settings.
        """
        return None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec}>"


class HumanAgent(Agent):
    """Asks a person for each move."""

    name = "human"
    title = "Person"
    opponents = ()

    def __init__(self, ask: Callable[[Position], int] | None = None) -> None:
        if ask is not None and not callable(ask):
            raise AgentError("ask must be a function of a position")
        self.ask = ask

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Ask the person; see :meth:`Agent.choose`."""
        if self.ask is None:
            raise AgentError("'human' plays only where a person can answer, as in 'oxo play'")
        return self.ask(position)


class ThinkingAgent(Agent):
    """An agent that chooses by thinking, with a reason for every move.

    Parameters of its constructor are attributes of the same names, by which it is spelled.
    """

    @property
    def spec(self) -> str:
        """Spelling of the agent."""
        return spelled(self)

    @abstractmethod
    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and say why; see :meth:`Agent.think`."""

    def choose(self, position: Position, rng: Randomness = None) -> int:
        """Choose a move; see :meth:`Agent.choose`."""
        return self.think(position, rng).move

    def explain(self, position: Position, rng: Randomness = None) -> Explanation:
        """Choose a move and say why, without reports."""
        return self.think(position, rng)


def because(why: Why, position: Position, cell: int, **facts: object) -> str:
    """Say why a move is chosen, with its cell by name."""
    return str(why(cell=cell_name(position.game, cell), **facts))


def hurried(found: Explanation) -> Explanation:
    """Return an explanation with the remark that the search was interrupted."""
    return replace(found, hurried=True, reason=f"{found.reason} {Why.MOVED_AT_ONCE()}".strip())


def generator(rng: Randomness) -> np.random.Generator:
    """Return a NumPy generator from one, from a seed, or from fresh entropy."""
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(rng)


def drawn(best: Sequence[Move], rng: Randomness, ties: str = "random") -> Move:
    """Return one of several equal moves: a random one, or the first where ties are "lowest"."""
    if ties == "lowest" or len(best) == 1:
        return best[0]
    return best[int(generator(rng).integers(len(best)))]


def moves_of(position: Position) -> tuple[int, ...]:
    """Return the legal moves of a position that is not over."""
    if position.is_over:
        raise AgentError("the game is over; there is no move to choose")
    return position.legal_moves
