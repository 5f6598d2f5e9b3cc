"""Claims about play from some position on."""

from __future__ import annotations

from hyperoxo.errors import SpecError
from hyperoxo.position import Position
from hyperoxo.rules import Game

__all__ = ["BeginsSomewhere"]


class BeginsSomewhere:
    """What all claims share that may begin at the start of a game or later."""

    game: Game
    begins: Position | None

    @property
    def position(self) -> Position:
        """Where the claim begins."""
        return self.game.start() if self.begins is None else self.begins

    @property
    def _from(self) -> str:
        """What a sentence about the claim says of it, after a space; empty at the start."""
        return f" from {self.begins.text}" if self.begins is not None else ""

    def _check_beginning(self) -> None:
        """Refuse positions of other games, and spell the start in one way."""
        if self.begins is not None and self.begins.game != self.game:
            raise SpecError(f"the position is one of {self.begins.game}, not of {self.game}")
        if self.begins is not None and not self.begins.ply:
            object.__setattr__(self, "begins", None)
