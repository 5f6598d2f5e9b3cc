"""The protocol of learners, and their registry: names to classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from hyperoxo.errors import CheckFailedError, MissingExtraError, SpecError, meant, quoted
from hyperoxo.extensions import Extension, extensions, missing
from hyperoxo.registry import Registry

if TYPE_CHECKING:
    from hyperoxo.agents import Agent
    from hyperoxo.game import Game
    from hyperoxo.learn.truth import Exam

__all__ = ["Learner", "learner_class", "learner_names"]

LEARNERS = {
    "td": Extension("td", "hyperoxo.learn.td:TdLearner"),
    "alphazero": Extension("alphazero", "hyperoxo.learn.alphazero.learner:AlphazeroLearner"),
}
"""The learners of this package; others come from the entry-point group."""
_RESEARCH = ("ppo",)
"""Learners of hyperoxo_research, which is to be named where it is missing."""


class Learner(Protocol):
    """A learner of one game, for `train`, ``oxo train`` and the league.

    It needs no base class. Packages register theirs by entry points of the group
    ``hyperoxo.learners``: a name, and a class with these members. A learner that needs libraries of
    its own imports them in the constructor, so that the error reaches those alone who ask for it.

    Parameters
    ----------
    game : Game
        The game; the constructor raises `NotSupportedError` if it cannot learn that.
    seed : int
        Seed of all random choices.
    **options
        Values of options in `known`, as text where they come from a spec.

    Attributes
    ----------
    known : tuple of str
        Names of its options. `train` passes its own ``against``, ``start`` and ``device`` to
        learners that list these; the league sets ``steps``, if listed, and stops by the clock.
    suffixes : tuple of str
        Suffixes of its checkpoints, the usual one first.
    options : dict
        All options with their values, as JSON has them.
    step, steps : int
        Steps done, and those of a whole run.

    Notes
    -----
    A step takes a few seconds at most. It depends on the game, the seed, the options and the steps
    before alone, so that a run resumed from a checkpoint ends like one that never stopped.

    Examples
    --------
    ``docs/extending.md`` has a whole learner and its entry point. The registry has its class:

    >>> from hyperoxo import Game
    >>> learner = learner_class("td")(Game("3^2"), seed=0, games="200")
    >>> learner.advance()
    >>> learner.step, learner.agent().name, learner.suffixes
    (1, 'td', ('.json',))
    """

    known: ClassVar[tuple[str, ...]]
    suffixes: ClassVar[tuple[str, ...]]
    options: dict[str, Any]
    step: int
    steps: int

    def __init__(self, game: Game, seed: int, **options: Any) -> None: ...

    def advance(self) -> None:
        """Make one step."""

    def agent(self) -> Agent:
        """Return the current player."""

    def exam(self) -> Exam | None:
        """Return the test positions with exact values for the player, or None."""

    def to_bytes(self, log: Mapping[str, Any]) -> bytes:
        """Return the checkpoint, with all that the next step depends on.

        Parameters
        ----------
        log : mapping
            The run so far, to be kept for `restore`.

        Returns
        -------
        bytes
            The content of the file.
        """

    def restore(self, content: bytes, name: str) -> Mapping[str, Any]:
        """Resume from a checkpoint; where its log is of another game, nothing needs to be restored.

        Parameters
        ----------
        content : bytes
            The content of the file.
        name : str
            Its name, for messages.

        Returns
        -------
        mapping
            The log.
        """


_MEMBERS = ("known", "suffixes", *(name for name in vars(Learner) if name[0] != "_"))


def _registered() -> Mapping[str, Extension]:
    return Registry(LEARNERS, lambda: [extensions("hyperoxo.learners")])


def learner_names() -> tuple[str, ...]:
    """Return the names of all learners, those of other packages last."""
    return tuple(_registered())


def learner_class(name: str) -> type[Learner]:
    """Return a learner's class; errors name what is wrong with the name or its package."""
    names = learner_names()
    if name not in names:
        if name in _RESEARCH:
            raise CheckFailedError(missing(f"the learner '{name}'"))
        listed = meant(name, names) or f"known are {', '.join(names)}"
        raise SpecError(f"unknown learner {quoted(name)}; {listed}")
    try:
        found: type[Learner] = _registered()[name].load()
    except CheckFailedError as error:
        if isinstance(error.__cause__, MissingExtraError):
            raise error.__cause__ from None
        raise
    if lacking := [member for member in _MEMBERS if not hasattr(found, member)]:
        raise CheckFailedError(f"'{name}' is no learner: it lacks {', '.join(lacking)}")
    return found
