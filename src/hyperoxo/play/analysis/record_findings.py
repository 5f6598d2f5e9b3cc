"""What the analysis of a whole game says, as frozen plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hyperoxo.play.analysis.findings import Analysis, MoveAnalysis, plain

__all__ = ["VERDICTS", "Held", "PlyAnalysis", "RecordAnalysis"]

VERDICTS = ("best", "lost", "forced", "mistake", "doubtful", "open")
"""What is said of a move that was played: ``best``, proved to keep the value of its position;
``lost``, in a position that is proved lost; ``forced``, the only legal move; ``mistake``, proved to
give up some of that value; ``doubtful``, estimated far below another move, which proves nothing;
``open``, nothing of these is known."""


@dataclass(frozen=True)
class PlyAnalysis:
    """One move of a game, and the position it was played in.

    Attributes
    ----------
    number : int
        1 for the first move of the record.
    player, cell : int
        Who played, and where.
    value, bounds, remoteness, within, source, score
        Of the position before the move, for this player, as in `Analysis`; besides what was found
        there, what is proved of later positions is used.
    played : MoveAnalysis
        What is known of the move.
    best : int
        The move that was advised instead, or this one.
    best_move : MoveAnalysis or None
        What is known of that move.
    verdict : str
        One of `VERDICTS`.
    sentence : str
        The verdict in words.
    points : tuple of float or None
        Points of each player before the move, 0 to 1, proved or estimated; with three or more
        players only those of the player to move.
    """

    number: int
    player: int
    cell: int
    value: str
    bounds: tuple[str, str]
    remoteness: int | None
    within: int | None
    source: str
    score: float | None
    played: MoveAnalysis
    best: int
    best_move: MoveAnalysis | None
    verdict: str
    sentence: str
    points: tuple[float | None, ...]

    @property
    def proved(self) -> bool:
        """Whether the value of the position is proved."""
        return self.value != "unknown"


@dataclass(frozen=True)
class Held:
    """Where a player who did not win, or lost, could hold on for the last time.

    Attributes
    ----------
    player : int
        Who.
    number : int or None
        His last move at which he was not proved lost; None where he was lost from the start.
    cell : int or None
        What he played there.
    value : str
        Value of that position for him; ``"unknown"`` where he is merely not proved lost.
    holding : tuple of int
        Moves proved to have held, the best first.
    proved : bool
        Whether it is proved that he held before that move, and was lost after it.
    sentence : str
        All this in words.
    """

    player: int
    number: int | None
    cell: int | None
    value: str
    holding: tuple[int, ...]
    proved: bool
    sentence: str


@dataclass(frozen=True)
class RecordAnalysis:
    """What is known of a whole game.

    Attributes
    ----------
    game : str
        Spec of the game.
    setup : str or None
        Position it began from, None for the empty board.
    moves : tuple of int
        The moves.
    players : tuple of str
        Names, or empty.
    result : str or None
        As in a record.
    plies : tuple of PlyAnalysis
        Every move that was looked at, in order. The end of the game is looked at first.
    points : tuple of (tuple of (float or None))
        Points of each player after 0, 1, ... moves: the value history. None where unknown.
    held : tuple of Held
        For every player who lost: where he could have held on for the last time.
    final : Analysis or None
        Of the position after the last move, where the game is not over.
    seconds : float
        Time it took.
    finished, stopped : bool
        Whether all moves were looked at, and whether it was ended from outside.
    """

    game: str
    setup: str | None
    moves: tuple[int, ...]
    players: tuple[str, ...]
    result: str | None
    plies: tuple[PlyAnalysis, ...]
    points: tuple[tuple[float | None, ...], ...]
    held: tuple[Held, ...]
    final: Analysis | None
    seconds: float
    finished: bool
    stopped: bool

    @property
    def mistakes(self) -> tuple[int, ...]:
        """Numbers of the moves that are proved to have given something up."""
        return tuple(ply.number for ply in self.plies if ply.verdict == "mistake")

    def to_json(self) -> dict[str, Any]:
        """Return the analysis as plain values; the keys are the attributes' names.

        Returns
        -------
        dict
            Every attribute under its own name; `plies` and `held` are lists of objects with the
            attributes of `PlyAnalysis` and `Held`, `final` is as `Analysis.to_json`; besides them
            `mistakes`.

        Examples
        --------
        >>> from hyperoxo.play.analysis import analyse_record
        >>> from hyperoxo.notation import Record
        >>> from hyperoxo.rules import Game
        >>> found = analyse_record(Record(Game("3^2"), (4, 1, 0, 8, 3, 5, 6))).to_json()
        >>> found["mistakes"], found["held"][0]["number"]
        ([2], 2)
        """
        found: dict[str, Any] = plain(asdict(self))
        found["seconds"] = round(self.seconds, 6)
        found["mistakes"] = list(self.mistakes)
        found["final"] = None if self.final is None else self.final.to_json()
        return found
