"""What an analysis says, as frozen plain values that can be pickled and written as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["SOURCES", "Analysis", "MoveAnalysis", "PlayerThreats", "Step", "plain"]

SOURCES = (
    "table",
    "theorem",
    "search",
    "threats",
    "proof",
    "proof-search",
    "estimate",
    "none",
)
"""Where a value comes from. All but the last two are proved: by a table of all positions, a
theorem, exact search, a chain of threats (a completed line is the shortest), a proof that comes
with the program and that ``oxo verify`` checks, or proof search. ``estimate`` is a share of
simulated games or a heuristic and proves nothing; ``none`` is nothing known yet."""


@dataclass(frozen=True)
class MoveAnalysis:
    """What is known of one legal move, for the player who makes it.

    Attributes
    ----------
    cell : int
        The move.
    value : str
        ``"win"``, ``"draw"``, ``"loss"`` (``"nothing"`` with three or more players: what the
        mover can force against all the others together), or ``"unknown"``. Only what was proved.
    bounds : tuple of str
        Lowest and highest value still possible.
    remoteness : int or None
        Plies to the end under best play, this move included; None where not established.
    within : int or None
        A proved win or loss comes in at most so many plies, this move included, where a chain of
        threats proves it; best play may be shorter.
    source : str
        One of `SOURCES`: where the value comes from, or the score where no value is proved.
    score : float or None
        Estimated points of the mover, 0 to 1, a draw half; only where the value is not proved.
    visits : int
        Simulated games that began with this move.
    maxn : str or None
        With three or more players, how the game ends for the mover if everybody cares for
        himself alone (``"win"``, ``"draw"``, ``"loss"``), the first of equal moves being
        played; None where that was not searched to the end.
    """

    cell: int
    value: str
    bounds: tuple[str, str]
    remoteness: int | None = None
    within: int | None = None
    source: str = "none"
    score: float | None = None
    visits: int = 0
    maxn: str | None = None

    @property
    def proved(self) -> bool:
        """Whether the value is proved."""
        return self.value != "unknown"


@dataclass(frozen=True)
class PlayerThreats:
    """Where a player would complete a line with one stone.

    Attributes
    ----------
    player : int
        The player, 1..q.
    cells : tuple of int
        Cells where the next stone may go, ascending. In misère play these are dangers to the
        player.
    later : tuple of int
        Cells that complete a line but cannot be played yet, under gravity or in a restricted
        opening.
    """

    player: int
    cells: tuple[int, ...]
    later: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """One move of a line of play.

    Attributes
    ----------
    player : int
        Who moves.
    cell : int
        Where.
    note : str
        What the move does, in a few words.
    """

    player: int
    cell: int
    note: str = ""


@dataclass(frozen=True)
class Analysis:
    """What is known of a position, and of each of its moves.

    Attributes
    ----------
    game : str
        Spec of the game.
    position : str
        One character a cell.
    history : tuple of int
        Moves that led there, as far as known.
    ply : int
        Stones on the board.
    player : int
        Player to move; 0 when the game is over.
    value, bounds, remoteness, within
        Of the position, for the player to move, as those of `MoveAnalysis`.
    winner : int or None
        Who wins under best play; 0 where nobody can force a win; None where not known.
    source : str
        One of `SOURCES`.
    score : float or None
        Estimated points of the player to move, 0 to 1; None where the value is proved.
    moves : tuple of MoveAnalysis
        Every legal move, the best first.
    best : int or None
        The move that is advised; None when the game is over.
    reason : str
        Why, in a sentence or two, with how sure that is.
    forced : tuple of Step
        A forced win of either player, step by step to its end; the loser's moves are one
        choice of several where his steps are not forced. Empty where none is known.
    variation : tuple of int
        The line of play that is expected where no win is forced.
    threats : tuple of PlayerThreats
        One entry a player.
    evidence : tuple of str
        Each theorem, table and search used, a sentence each.
    nodes, simulations : int
        Positions searched, and games simulated.
    seconds : float
        Time it took.
    finished : bool
        Whether the analysis has come to its end.
    stopped : bool
        Whether it was ended from outside.
    """

    game: str
    position: str
    history: tuple[int, ...]
    ply: int
    player: int
    value: str
    bounds: tuple[str, str]
    remoteness: int | None
    within: int | None
    winner: int | None
    source: str
    score: float | None
    moves: tuple[MoveAnalysis, ...]
    best: int | None
    reason: str
    forced: tuple[Step, ...]
    variation: tuple[int, ...]
    threats: tuple[PlayerThreats, ...]
    evidence: tuple[str, ...]
    nodes: int
    simulations: int
    seconds: float
    finished: bool
    stopped: bool

    @property
    def proved(self) -> bool:
        """Whether the value of the position is proved."""
        return self.value != "unknown"

    @property
    def points(self) -> float | None:
        """Points of the player to move, 0 to 1: proved or estimated; None where unknown."""
        known = {"win": 1.0, "draw": 0.5, "loss": 0.0, "nothing": 0.0}
        return known.get(self.value, self.score)

    def move(self, cell: int) -> MoveAnalysis | None:
        """Return what is known of one move, None where it is not legal."""
        return next((move for move in self.moves if move.cell == cell), None)

    def to_json(self) -> dict[str, Any]:
        """Return the analysis as plain values; the keys are the attributes' names.

        Returns
        -------
        dict
            Every attribute under its own name; `moves`, `threats` and `forced` are lists of
            objects with the attributes of `MoveAnalysis`, `PlayerThreats` and `Step`; besides
            them `points`.

        Examples
        --------
        >>> from hyperoxo.play.analysis import analyse_position
        >>> from hyperoxo.rules import Game
        >>> found = analyse_position(Game("3^2").position("moves:4,1"), seconds=0.2).to_json()
        >>> found["value"], found["remoteness"], found["moves"][0]["source"]
        ('win', 5, 'table')
        """
        found: dict[str, Any] = plain(asdict(self))
        found["seconds"] = round(self.seconds, 6)
        found["points"] = self.points
        return found


def plain(value: Any) -> Any:
    """Turn tuples within a value into lists, as JSON has them."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
