"""What checking a dictionary of strategic moves gives."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.verdict import Verdict

__all__ = ["DictionaryVerdict", "Failure", "published_size"]

_PUBLISHED = {"4^3": 2929}


@dataclass(frozen=True)
class Failure:
    """A place where a dictionary does not win."""

    reason: str
    position: str
    line: tuple[int, ...]

    def __str__(self) -> str:
        reached = f", reached by the moves {','.join(map(str, self.line))}" if self.line else ""
        return f"{self.reason}: {self.position}{reached}"


@dataclass(frozen=True)
class DictionaryVerdict(Verdict):
    """What checking a dictionary found."""

    strategic: int
    quiet: int
    unused: int
    failed: int
    missing: int
    failures: tuple[Failure, ...]
    nodes: int
    published: int | None = None


def published_size(dictionary: Dictionary) -> int | None:
    """Return how many strategic moves the proof in the literature has, if there is one.

    References
    ----------
    O. Patashnik, Qubic: 4 x 4 x 4 Tic-Tac-Toe, Mathematics Magazine 53, 1980: 2929 strategic moves.
    """
    if dictionary.begins is not None or dictionary.seat != 1:
        return None
    return _PUBLISHED.get(str(dictionary.game))
