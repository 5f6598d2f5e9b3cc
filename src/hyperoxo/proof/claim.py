"""What all kinds of proofs share: what is claimed, where it begins, and a checker's verdict."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from hyperoxo.display import Result, number_of
from hyperoxo.errors import HyperoxoError, NotationError, SpecError, quoted
from hyperoxo.game import Game, Position

CLAIMS = ("win", "draw")
"""What a player may be said to force against all others; a draw is the least that they get."""


def check_claim(claim: str, seat: int, game: Game, claims: tuple[str, ...] = CLAIMS) -> None:
    """Refuse words that are no claim, and seats that a game has not."""
    if claim not in claims:
        raise SpecError(f"a claim is {' or '.join(map(repr, claims))}, not {quoted(claim)}")
    if not 1 <= seat <= game.players:
        raise SpecError(f"seat must be 1 to {game.players}, not {seat}")


def text_claim(text: str, claims: tuple[str, ...] = CLAIMS) -> str:
    """Read a claim from a file."""
    if text not in claims:
        neither = "neither" if len(claims) > 1 else "not"
        raise NotationError(
            f"the claim is {quoted(text)}, {neither} {' nor '.join(map(repr, claims))}"
        )
    return text


def promised(seat: int, claim: str, game: Game) -> str:
    """Say what a player forces in a game."""
    does = "wins" if claim == "win" else "gets at least a draw in"
    return f"player {seat} {does} {game}"


class BeginsSomewhere:
    """What all claims share that may begin at the start of a game or later."""

    game: Game
    begins: Position | None

    @property
    def position(self) -> Position:
        """First position of the claim."""
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


@dataclass(frozen=True)
class Verdict(Result):
    """What a checker found: `verdict` is "proved" or "rejected", and `reason` says why it is not.

    `claim` is a sentence, empty where the file cannot even be read; `positions` counts those
    walked through.
    """

    claim: str
    verdict: str
    reason: str
    positions: int
    seconds: float
    _data = "claim verdict reason positions seconds:6"
    _text = "{verdict}: {_told} ({_counted}{seconds:.2f} s)"

    @property
    def _told(self) -> str:
        return self.claim if self.proved else ": ".join(filter(None, (self.claim, self.reason)))

    @property
    def _counted(self) -> str:
        return f"{number_of(self.positions, 'position')}, " if self.positions else ""

    @property
    def proved(self) -> bool:
        """Whether the claim was proved."""
        return self.verdict == "proved"


def judged(claim: str, walk: Callable[[set[bytes]], None], begin: float | None) -> Verdict:
    """Run a check that raises what is wrong, and collects the positions that it walks through."""
    begin = time.perf_counter() if begin is None else begin
    seen: set[bytes] = set()
    verdict, reason = "proved", ""
    try:
        walk(seen)
    except HyperoxoError as error:
        verdict, reason = "rejected", str(error)
    return Verdict(claim, verdict, reason, len(seen), time.perf_counter() - begin)


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
    _data = f"{Verdict._data} strategic quiet published?"

    @property
    def _counted(self) -> str:
        known = "" if self.published is None else f" (published: {self.published:,})"
        moves = f"{number_of(self.strategic, 'strategic move')}, {self.quiet:,} quiet{known}; "
        return moves + super()._counted
