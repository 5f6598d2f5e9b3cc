"""What each kind of proof plays in a position, or why nothing more is needed there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from hyperoxo.errors import LimitError, NotationError
from hyperoxo.game import BLOCKED, FREE, Game, Position
from hyperoxo.play.explorer.answer import Answer, CellReader, SeatReader
from hyperoxo.play.explorer.dictionary import answer_of, forced_in
from hyperoxo.play.explorer.followed import ZoneReader
from hyperoxo.proof import (
    Dictionary,
    Mirroring,
    Pairing,
    Prevention,
    Proof,
    Strategy,
    ZonePlan,
    completes,
    contained,
    replies,
)
from hyperoxo.proof.dictionary_check import Edges, dictionary_edges
from hyperoxo.proof.forced import wins
from hyperoxo.proof.images import locate
from hyperoxo.proof.kinds import Kind, kind_of_file
from hyperoxo.proof.zones_play import PLAYED

Progress = Callable[[int, int], object]
ABOUT_A_BOARD = "this proof is about a board, and there are no moves in it to be looked at"


class Reader(Protocol):
    """One proof.

    A reader may also have moves that are `listed`, and `own_cells`, true where a move is answered
    on cells that belong to it, so that replies which are images of each other are not one.
    """

    start: Position
    seat: int
    statement: str

    def ours(self, position: Position) -> bool:
        """Whether the proof's side is to move."""

    def answer(self, position: Position) -> Answer | None:
        """Return what the proof plays, or why the claim holds; None where it says nothing."""

    def goes_on(self, position: Position) -> bool:
        """Whether the proof needs a move of its own in a position, its side being to move."""

    def edges(self, progress: Progress | None) -> Edges | None:
        """Return which positions follow which; None for a proof that is no tree."""


class _DictionaryReader(SeatReader):
    """Listed moves, blocks and forced sequences."""

    def __init__(self, proof: Dictionary) -> None:
        super().__init__(proof)
        self.proof = proof
        self.listed = proof.moves

    def goes_on(self, position: Position) -> bool:
        answer = self.answer(position)
        return answer is not None and answer.by in ("listed", "block")

    def answer(self, position: Position) -> Answer | None:
        if position.is_over:
            return Answer(None, "over")
        with suppress(LimitError):
            found = answer_of(self.proof, position)
            if found is not None:
                return found
        stored = self._stored(position)
        return None if stored is None else Answer(stored[0], "forced", stored)

    def settled(self, position: Position) -> Answer | None:
        """Return the answer where nothing follows, although the cell also stops a line."""
        found = self.answer(position)
        if found is None or found.by != "block":
            return found
        sequence = forced_in(position) or self._stored(position)
        return found if sequence is None else Answer(sequence[0], "forced", sequence)

    def edges(self, progress: Progress | None) -> Edges | None:
        return dictionary_edges(self.proof, progress)

    def _stored(self, position: Position) -> tuple[int, ...] | None:
        """Return the stored sequence that wins, where the file holds those."""
        if self.proof.leaves is None or position.to_move != self.seat:
            return None
        played = len(position.history) - len(self.start.history)
        rows = [(b"", np.arange(len(position.owners), dtype=np.uint16))]
        if played >= 2:
            rows.append(locate(position.game, position.undo(2).owners))
        for form, cells in rows:
            for sequence in self.proof.leaves.get(form, ()):
                moved = tuple(int(cells[move]) for move in sequence)
                if wins(position, moved):
                    return moved
        return None


class _StoredReader(SeatReader):
    """A strategy: a move for each position of its player."""

    def __init__(self, strategy: Strategy | Prevention) -> None:
        super().__init__(strategy)
        self.listed, self.game = strategy.moves, strategy.game

    def goes_on(self, position: Position) -> bool:
        return not position.is_over and locate(self.game, position.owners)[0] in self.listed

    def answer(self, position: Position) -> Answer | None:
        if position.is_over:
            return Answer(None, "over")
        form, cells = locate(self.game, position.owners)
        move = self.listed.get(form)
        return None if move is None else Answer(int(cells[move]), "listed")

    def replies(self, position: Position) -> tuple[int, ...]:
        return position.legal_moves

    def edges(self, progress: Progress | None) -> Edges | None:
        found: dict[bytes, tuple[bytes, ...]] = {}
        first = self._next([self.start])
        found[b""] = tuple(first)
        waiting = list(first.items())
        while waiting:
            form, position = waiting.pop()
            if form in found:
                continue
            answer = self.answer(position)
            assert answer is not None
            assert answer.cell is not None
            following = self._next([position.play(answer.cell)])
            found[form] = tuple(following)
            waiting += following.items()
            if progress is not None:
                progress(len(found) - 1, len(self.listed))
        return found

    def _next(self, positions: list[Position]) -> dict[bytes, Position]:
        """Play all replies up to where the proof needs its next move."""
        found: dict[bytes, Position] = {}
        seen: set[bytes] = set()
        while positions:
            position = positions.pop()
            form = locate(self.game, position.owners)[0]
            if position.is_over or form in seen:
                continue
            seen.add(form)
            if not self.ours(position):
                positions += [position.play(cell) for cell in self.replies(position)]
            elif self.goes_on(position):
                found[form] = position
        return found


class _PreventionReader(_StoredReader):
    """What all the others together keep one seat from."""

    def ours(self, position: Position) -> bool:
        return position.to_move != self.seat

    def goes_on(self, position: Position) -> bool:
        return super().goes_on(position) and not completes(position, self.seat)

    def answer(self, position: Position) -> Answer | None:
        if not position.is_over and completes(position, self.seat):
            return Answer(None, "completion")
        found = super().answer(position)
        if found is None and contained(position, self.seat):
            return Answer(None, "potential")
        return found

    def replies(self, position: Position) -> tuple[int, ...]:
        return replies(position, self.seat)


class _PartnerReader(CellReader):
    """Pairings and mirroring: the answer to a cell is another cell."""

    def __init__(self, proof: Pairing | Mirroring) -> None:
        super().__init__(proof)
        self.proof = proof

    @cached_property
    def partners(self) -> dict[int, int]:
        """The answer to each cell that has one, itself for the first move of a mirroring."""
        if isinstance(self.proof, Mirroring):
            blocked = self.proof.game.blocked
            return {cell: at for cell, at in enumerate(self.proof.images) if cell not in blocked}
        pairs = self.proof.pairs
        return {**dict(pairs), **{two: one for one, two in pairs}}

    def _found(self, position: Position) -> tuple[int | None, str]:
        by = "pair" if isinstance(self.proof, Pairing) else "image"
        if position.history:
            return self.partners.get(position.history[-1]), by
        centres = (cell for cell, at in self.partners.items() if cell == at)
        return next(centres, None), by


_READERS: dict[type, Callable[[Any], Reader | None]] = {
    Dictionary: _DictionaryReader,
    Strategy: _StoredReader,
    Prevention: _PreventionReader,
    Pairing: _PartnerReader,
    Mirroring: _PartnerReader,
    ZonePlan: lambda plan: ZoneReader(plan) if PLAYED.holds(plan.game) else None,
}


def reader_of(proof: Proof, kind: Kind) -> Reader | None:
    """Return what reads a proof; None for one of which no position can be shown."""
    make = _READERS.get(kind.value, kind.reader)
    return None if make is None else make(proof)


def read_any(data: bytes) -> Proof:
    """Read a proof file of any kind; whether its claim is true is for `verify` to say."""
    kind = kind_of_file(data)
    if not kind.moves:
        raise NotationError(ABOUT_A_BOARD)
    found: Proof = kind.file.read_proof(data)
    return found


def potential(position: Position, seat: int) -> Fraction:
    """Return the sum of q^-(free cells) over the lines that a seat may still complete."""
    game: Game = position.game
    owners, total = position.owners, Fraction(0)
    for number in range(game.board.line_count):
        line = [owners[cell] for cell in game.board.line(number).tolist()]
        if all(owner in (FREE, seat) for owner in line) and BLOCKED not in line:
            total += Fraction(1, game.players ** line.count(FREE))
    return total
