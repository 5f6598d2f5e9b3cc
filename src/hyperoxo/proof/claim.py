"""Claims and verdicts, common to all kinds of proofs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Generic, Protocol, TypeVar

from hyperoxo.display import Result, number_of
from hyperoxo.errors import HyperoxoError, NotationError, SpecError, quoted
from hyperoxo.game import Game, Position

CLAIMS = ("win", "draw")
"""Claims for a player against all others; ``"draw"`` means at least a draw."""


def text_claim(text: str, claims: tuple[str, ...] = CLAIMS) -> str:
    """Read a claim from a file."""
    if text not in claims:
        neither = "neither" if len(claims) > 1 else "not"
        raise NotationError(
            f"the claim is {quoted(text)}, {neither} {' nor '.join(map(repr, claims))}"
        )
    return text


class BoardProof(Protocol):
    """A proof about a board, or about a player."""

    @property
    def game(self) -> Game | str:
        """The game, or its spelling."""

    @property
    def statement(self) -> str:
        """The claim as a sentence."""


class Proof:
    """A proof about a player, `seat`, from the start of a game or from a later position.

    `claims` are the words that its claim may be, and `how` ends its sentence.
    """

    game: Game
    seat: int
    begins: Position | None
    claims: ClassVar[tuple[str, ...]] = CLAIMS
    how: ClassVar[str] = ""

    if TYPE_CHECKING:

        @property
        def claim(self) -> str:
            """The claim in one word: a field, or the same for all proofs of a kind."""

    def __post_init__(self) -> None:
        """Refuse invalid claims, and normalise the start."""
        if self.claim not in self.claims:
            known = " or ".join(map(repr, self.claims))
            raise SpecError(f"a claim is {known}, not {quoted(self.claim)}")
        if not 1 <= self.seat <= self.game.players:
            raise SpecError(f"seat must be 1 to {self.game.players}, not {self.seat}")
        if self.begins is not None and self.begins.game != self.game:
            raise SpecError(f"the position belongs to {self.begins.game}, not to {self.game}")
        if self.begins is not None and not self.begins.ply:
            object.__setattr__(self, "begins", None)

    @property
    def position(self) -> Position:
        """First position of the claim."""
        return self.game.start() if self.begins is None else self.begins

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        does = "wins" if self.claim == "win" else "gets at least a draw in"
        return f"player {self.seat} {does} {self.game}{self._from}{self.how}"

    @property
    def _from(self) -> str:
        """Clause of the statement that names the first position; empty at the start."""
        return f" from {self.begins.text}" if self.begins is not None else ""


@dataclass(frozen=True)
class Verdict(Result):
    """Result of a check: `verdict` is "proved" or "rejected", with the `reason` of a rejection.

    `claim` is a sentence, empty where the file cannot even be read; `positions` counts those
    walked through.
    """

    claim: str
    verdict: str
    reason: str
    positions: int
    seconds: float
    _data = "claim verdict reason positions seconds:6"
    _text = "{verdict}: {_claim_and_reason} ({_counted}{seconds:.2f} s)"

    @property
    def _claim_and_reason(self) -> str:
        return self.claim if self.proved else ": ".join(filter(None, (self.claim, self.reason)))

    @property
    def _counted(self) -> str:
        return f"{number_of(self.positions, 'position')}, " if self.positions else ""

    @property
    def proved(self) -> bool:
        """True if the claim was proved."""
        return self.verdict == "proved"


def judged(claim: str, walk: Callable[[set[bytes]], None], begin: float | None) -> Verdict:
    """Run a check that raises on failure and collects the positions that it walks through."""
    begin = time.perf_counter() if begin is None else begin
    seen: set[bytes] = set()
    verdict, reason = "proved", ""
    try:
        walk(seen)
    except HyperoxoError as error:
        verdict, reason = "rejected", str(error)
    return Verdict(claim, verdict, reason, len(seen), time.perf_counter() - begin)


_Claimed = TypeVar("_Claimed", bound=BoardProof)


class Checker(Generic[_Claimed]):
    """Checker of proofs in memory, made of a walk; `begin` is when the clock started."""

    def __init__(self, walk: Callable[Concatenate[_Claimed, set[bytes], ...], None]) -> None:
        self._walk = walk
        update_wrapper(self, walk)

    def __call__(self, found: _Claimed, *, begin: float | None = None, **options: Any) -> Verdict:
        """Check a proof; options, such as a callback for progress, are those of the walk."""
        return judged(found.statement, partial(self._walk, found, **options), begin)


@dataclass(frozen=True)
class Failure:
    """A gap in a dictionary: reason, position, and the moves to it."""

    reason: str
    position: str
    line: tuple[int, ...]

    def __str__(self) -> str:
        reached = f", reached by the moves {','.join(map(str, self.line))}" if self.line else ""
        return f"{self.reason}: {self.position}{reached}"


@dataclass(frozen=True)
class DictionaryVerdict(Verdict):
    """Verdict on a dictionary, with the counts of its walk."""

    strategic: int
    quiet: int
    unused: int
    failed: int
    missing: int
    failures: tuple[Failure, ...]
    nodes: int
    published: int | None = None
    _data = f"{Verdict._data} strategic quiet published?"

    @property
    def _counted(self) -> str:
        known = "" if self.published is None else f" (published: {self.published:,})"
        moves = f"{number_of(self.strategic, 'strategic move')}, {self.quiet:,} quiet{known}; "
        return moves + super()._counted
