"""What checking a dictionary of strategic moves gives."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.verdict import Verdict

__all__ = ["DictionaryVerdict", "Failure", "published_size"]

_PUBLISHED = {"4^3": 2929}


@dataclass(frozen=True)
class Failure:
    """A place where a dictionary does not win.

    Attributes
    ----------
    reason : str
        What is wrong there.
    position : str
        The position, one character a cell.
    line : tuple of int
        Cells played from where the claim begins to this position.

    Examples
    --------
    >>> print(Failure("no move is listed", "1...2....", (0, 4)))
    no move is listed: 1...2...., reached by the moves 0,4
    """

    reason: str
    position: str
    line: tuple[int, ...]

    def __str__(self) -> str:
        reached = f", reached by the moves {','.join(map(str, self.line))}" if self.line else ""
        return f"{self.reason}: {self.position}{reached}"


@dataclass(frozen=True)
class DictionaryVerdict(Verdict):
    """What checking a dictionary found.

    Attributes
    ----------
    strategic : int
        Listed positions that the walk came to.
    quiet : int
        Those in which the listed move makes no threat. (Such moves neither win nor block.)
    unused : int
        Listed positions that the walk did not come to; nothing is said about their moves.
    failed : int
        Places where the dictionary does not win.
    missing : int
        Those among them where no move is listed and no forced sequence was found.
    failures : tuple of Failure
        The first few of these places.
    nodes : int
        Replies looked at, and positions of the search for forced sequences.
    published : int or None
        Strategic moves of the proof in the literature, where there is one for this claim.

    Examples
    --------
    >>> from hyperoxo.proof.dictionary_check import check_dictionary
    >>> from hyperoxo.rules import Game
    >>> found = check_dictionary(Dictionary(Game("3^3"), 1, None, {bytes(27): 13}))
    >>> found.verdict, found.strategic, found.quiet
    ('proved', 1, 1)
    """

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

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> published_size(Dictionary(Game("4^3"), 1, None, {}))
    2929
    """
    if dictionary.begins is not None or dictionary.seat != 1:
        return None
    return _PUBLISHED.get(str(dictionary.game))
