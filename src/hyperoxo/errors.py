"""The errors of hyperoxo; each message is one line that names the fault and its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import ClassVar

__all__ = [
    "AgentError",
    "CheckFailedError",
    "HyperoxoError",
    "IllegalMoveError",
    "LimitError",
    "MissingExtraError",
    "NotSupportedError",
    "NotationError",
    "SpecError",
    "quoted",
]


def meant(name: str, known: Iterable[str]) -> str:
    """Return ``did you mean 'gravity'?`` for a misspelled name; empty if none is close."""
    from difflib import get_close_matches

    found = get_close_matches(name, [*known], n=1)
    return f"did you mean '{found[0]}'?" if found else ""


class HyperoxoError(ValueError):
    """Base class of the errors of hyperoxo, and a `ValueError`.

    Attributes
    ----------
    exit_code : int
        Exit code of the ``oxo`` command when it ends in this error: 2 for an invalid request, 1
        for a valid one that failed.

    Examples
    --------
    >>> try:
    ...     raise SpecError("side is missing at character 0 of '^2'")
    ... except HyperoxoError as error:
    ...     print(error)
    side is missing at character 0 of '^2'
    """

    exit_code: ClassVar[int] = 2

    def __str__(self) -> str:
        return one_line(super().__str__())


class SpecError(HyperoxoError):
    """The description of a game, a board, an agent or a heuristic is invalid.

    Examples
    --------
    >>> issubclass(SpecError, ValueError)
    True
    """


class IllegalMoveError(HyperoxoError):
    """The move is not allowed here: the cell is taken, blocked, floating, or the game is over.

    Examples
    --------
    >>> str(IllegalMoveError("cell 4 is taken"))
    'cell 4 is taken'
    """


class NotationError(HyperoxoError):
    """The text of a position, a game record or an export string cannot be read.

    Examples
    --------
    >>> str(NotationError("unknown stone 'x' at character 3"))
    "unknown stone 'x' at character 3"
    """


class NotSupportedError(HyperoxoError):
    """The request is not supported under the rules of this game.

    Examples
    --------
    >>> str(NotSupportedError("mirroring is not supported for 3^2: it needs misère play"))
    'mirroring is not supported for 3^2: it needs misère play'
    """


class LimitError(HyperoxoError):
    """The answer would need more memory or time than the stated limit; the message gives the size.

    Examples
    --------
    >>> str(LimitError("9^9 would need 21.6 GiB, the limit is 4 GiB"))
    '9^9 would need 21.6 GiB, the limit is 4 GiB'
    """


class AgentError(HyperoxoError):
    """An agent broke its contract: it chose an illegal move, or no move.

    Examples
    --------
    >>> AgentError("agent 'mine' chose cell 9 of 9 cells").exit_code
    1
    """

    exit_code = 1


class CheckFailedError(HyperoxoError):
    """A requested check did not pass.

    Examples
    --------
    >>> CheckFailedError("3 of 20 counts differ").exit_code
    1
    """

    exit_code = 1


class MissingExtraError(HyperoxoError):
    """An optional part of hyperoxo is not installed.

    Parameters
    ----------
    extra : str
        Name of the extra, as in ``pip install "hyperoxo[plot]"``.
    purpose : str, optional
        Purpose of the extra; the message begins with it.

    Attributes
    ----------
    extra : str
        Name of the extra.

    Examples
    --------
    >>> str(MissingExtraError("plot", "drawing figures"))
    'drawing figures needs the extra "plot": pip install "hyperoxo[plot]"'
    """

    exit_code = 1

    def __init__(self, extra: str, purpose: str = "this") -> None:
        self.extra = extra
        super().__init__(f'{purpose} needs the extra "{extra}": pip install "hyperoxo[{extra}]"')


def quoted(value: object, longest: int = 60) -> str:
    """Quote user input so that it fits on one line of a message."""
    text = str(value)
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")


_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters that control a terminal or hide text: control and bidi characters, surrogates."""


def displayed(text: str, escape: Callable[[str], str] | None = None) -> str:
    r"""Escape characters that would control a terminal, as Python does: ``\x1b``, ``\u202e``.

    Line feeds and tabs stay, and so do the joiners within emoji and ligatures.
    """
    return _HIDDEN.sub(lambda found: (escape or _escaped)(found[0]), text)


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode()


def one_line(text: str) -> str:
    r"""Escape characters that would break a line, as Python does: ``\n``, ``\x1b``, ``\u202e``."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escaped(one) for one in text)
