"""What an analysis has found out so far: bounds of every move, put together step by step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hyperoxo.game import Bounds, Position, Reason, Value, propagate
from hyperoxo.play.analysis.findings import MoveAnalysis
from hyperoxo.solvers.arrays import move_classes
from hyperoxo.solvers.exact.seat_value import outcome_value
from hyperoxo.solvers.theorems import excludes_draws


@dataclass
class Knowledge:
    """What is known of a position and its moves, as bounds for the player to move."""

    position: Position
    own: Bounds = field(default_factory=Bounds)
    source: str = "none"
    remoteness: int | None = None
    within: int | None = None
    moves: dict[int, MoveAnalysis] = field(default_factory=dict)
    alike: dict[int, list[int]] = field(default_factory=dict)
    evidence: list[Reason] = field(default_factory=list)

    @classmethod
    def of(cls, position: Position) -> Knowledge:
        """Begin with the moves that end the game."""
        least = Value.least(position.game.players)
        known = cls(position, Bounds(least))
        classes: dict[int, list[int]] = {}
        for cell, first in move_classes(position).items():
            known.alike[cell] = classes.setdefault(first, [])
            known.alike[cell].append(cell)
        for cell in position.legal_moves:
            known.moves[cell] = MoveAnalysis(cell, known=Bounds(least))
        for cell in known.moves:
            after = position.play(cell)
            if after.is_over:
                value = Value.of(outcome_value(after, position.to_move), least=least)
                completed = bool(after.winning_lines)
                source = "threats" if completed else "search"
                known.settle(cell, Bounds.exactly(value), source, remoteness=1)
        return known

    def settle(self, cell: int, proved: Bounds, source: str, **plies: int | None) -> None:
        """Take in what was proved of a move, and so of those alike; see `MoveAnalysis.settle`."""
        for like in self.alike[cell]:
            self.moves[like] = self.moves[like].settle(proved, source, **plies)

    def note_move(self, cell: int, **changes: Any) -> None:
        """Take in what is no proof: an estimate, or max^n."""
        self.moves[cell] = replace(self.moves[cell], **changes)

    def bound(self, proved: Bounds, source: str) -> None:
        """Take in proved bounds of the position itself."""
        known = replace(self.own & proved, reasons=())
        if known != self.own:
            self.own, self.source = known, source

    def note(self, *reasons: Reason) -> None:
        """Keep evidence, each reason once."""
        self.evidence += [why for why in reasons if why not in self.evidence]

    def _joined(self) -> tuple[Bounds, dict[int, Bounds]]:
        """Bounds of the position and of its moves by cell, each narrowed by the others."""
        firsts = [cell for cell, alike in self.alike.items() if cell == alike[0]]
        drawless = excludes_draws(self.position.game, self.evidence)
        known = [self.moves[cell].known for cell in firsts]
        own, known = propagate(self.own, known, drawless=drawless)
        by_class = zip(firsts, known, strict=True)
        return own, {cell: one for first, one in by_class for cell in self.alike[first]}

    @property
    def bounds(self) -> Bounds:
        """What the position's own bounds and its moves say together."""
        return self._joined()[0]

    @property
    def decided(self) -> bool:
        """Whether the value of the position is proved."""
        return self.bounds.decided

    @property
    def complete(self) -> bool:
        """Whether the value of every move is proved."""
        return not self.undecided

    @property
    def unmeasured(self) -> bool:
        """Whether a proof decides the position, and nothing tells in how many plies."""
        by_proof = self.source.startswith("proof")
        by_proof = by_proof or any(move.endless for move in self.moves.values())
        return by_proof and self.decided and self.plies() == (None, None)

    @property
    def undecided(self) -> list[int]:
        """Moves whose value is not proved."""
        known = self._joined()[1]
        return [cell for cell in self.moves if not known[cell].decided]

    def ranked(self, first: int | None = None) -> list[MoveAnalysis]:
        """Return the moves, the best first; equals by cell, but `first` before its equals."""

        def key(move: MoveAnalysis) -> tuple[float, ...]:
            return (*(-x for x in move.order), move.cell != first, move.cell)

        known = self._joined()[1]
        return sorted((self._finding(m, known[m.cell]) for m in self.moves.values()), key=key)

    def plies(self) -> tuple[int | None, int | None]:
        """Return the remoteness of the position, and plies that it is proved to last at most."""
        value = self.bounds.value
        if value is None:
            return None, None
        if value is Value.DRAW and self.position.game.players == 2:
            return self.position.game.cells - self.position.ply, None
        if self.remoteness is not None:
            return self.remoteness, None
        return self._plies_of_moves(value)

    def _plies_of_moves(self, value: Value) -> tuple[int | None, int | None]:
        """Plies of a won or lost position as far as those of its moves tell them."""
        reached = [move for move in self.moves.values() if move.known.value is value]
        most = [plies for move in reached if (plies := move.remoteness or move.within) is not None]
        if value is Value.WIN:
            known = [*most, *([] if self.within is None else [self.within])]
            least = min(known, default=None)
            return (1, None) if least == 1 else (None, least)
        if len(most) < len(self.moves):
            return None, None
        exact = all(move.remoteness is not None for move in reached)
        return (max(most), None) if exact else (None, max(most))

    def _finding(self, move: MoveAnalysis, known: Bounds) -> MoveAnalysis:
        """Return a move with the bounds that follow from all that is known."""
        score = None if known.decided else move.score
        source = "none" if score is None else "estimate"
        if known.decided:
            source = move.source if move.proved else self._source_of_all
        plies = move.remoteness
        if known.value is Value.DRAW and self.position.game.players == 2:
            plies = self.position.game.cells - self.position.ply
        within = None if plies is not None else move.within
        return replace(
            move, known=known, remoteness=plies, within=within, source=source, score=score
        )

    @property
    def _source_of_all(self) -> str:
        """The source of the position's value, where a move is all that is left or has it too."""
        sources = [self.source, *(move.source for move in self.moves.values() if move.proved)]
        return next((one for one in sources if one != "none"), "none")
