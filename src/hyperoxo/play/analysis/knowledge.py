"""What an analysis has found out so far: bounds of every move, put together step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from hyperoxo.play.analysis.findings import MoveAnalysis
from hyperoxo.position import Position
from hyperoxo.solvers.exact.seat_value import outcome_value

__all__ = ["DRAW", "LOSS", "WIN", "Knowledge", "Move"]

LOSS, DRAW, WIN = -1, 0, 1

_RANK = {"table": 4, "search": 3, "threats": 2, "theorem": 1, "proof": 1, "proof-search": 1}
_PROOFS = ("proof", "proof-search")


@dataclass
class Move:
    """What is known of one move; see `MoveAnalysis`."""

    cell: int
    low: int = LOSS
    high: int = WIN
    remoteness: int | None = None
    within: int | None = None
    source: str = "none"
    score: float | None = None
    visits: int = 0
    maxn: str | None = None

    @property
    def decided(self) -> bool:
        """Whether the value is proved."""
        return self.low == self.high

    @property
    def endless(self) -> bool:
        """Whether it is decided by a proof that does not tell in how many plies."""
        return self.source in _PROOFS and self.remoteness is None and self.within is None

    def settle(
        self,
        low: int,
        high: int,
        source: str,
        *,
        remoteness: int | None = None,
        within: int | None = None,
    ) -> None:
        """Take in what was proved; what is less than known already changes nothing."""
        decides = low == high
        low, high = max(low, self.low), min(high, self.high)
        if low > high:
            raise AssertionError(f"cell {self.cell}: {source} contradicts {self.source}")
        news = (low, high) != (self.low, self.high)
        self.low, self.high = low, high
        if remoteness is not None and self.remoteness is None and self.decided:
            self.remoteness, news = remoteness, True
        if within is not None and self.decided:
            self.within = within if self.within is None else min(within, self.within)
        better = decides and _RANK.get(source, 0) > _RANK.get(self.source, 0)
        if self.decided and (news or better):
            self.source = source

    @property
    def order(self) -> tuple[float, ...]:
        """The greater, the better the move: what is proved first, then what is estimated."""
        far = 10_000
        plies = self.remoteness or self.within or far
        if self.low == WIN:
            return (4, -plies)
        if self.high == LOSS:
            # Where no chain of threats refutes a move, it is the hardest to answer.
            return (0, plies if plies < far or self.endless else 0)
        hopeful = self.low >= DRAW or (self.score is not None and self.score > 0.5)
        if self.low == self.high == DRAW:
            return (2, 0)
        rank = 3 if hopeful and self.high == WIN else 1
        return (rank, self.visits, self.score or 0.0)


@dataclass
class Knowledge:
    """What is known of a position and its moves, as bounds for the player to move."""

    position: Position
    low: int = LOSS
    high: int = WIN
    source: str = "none"
    remoteness: int | None = None
    within: int | None = None
    moves: dict[int, Move] = field(default_factory=dict)
    evidence: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, position: Position) -> Knowledge:
        """Begin with the moves that end the game at once."""
        known = cls(position)
        mover = position.to_move
        for cell in position.legal_moves:
            move = known.moves[cell] = Move(cell)
            after = position.play(cell)
            if after.is_over:
                value = outcome_value(after, mover)
                completed = max(after.lines_owned) >= after.game.target
                source = "threats" if completed else "search"
                move.settle(value, value, source, remoteness=1)
        return known

    def bound(self, low: int, high: int, source: str) -> None:
        """Take in proved bounds of the position itself."""
        low, high = max(low, self.low), min(high, self.high)
        if (low, high) != (self.low, self.high):
            self.low, self.high, self.source = low, high, source

    def note(self, *sentences: str) -> None:
        """Keep evidence, each sentence once."""
        self.evidence += [told for told in sentences if told not in self.evidence]

    @property
    def bounds(self) -> tuple[int, int]:
        """What the position's own bounds and its moves say together."""
        low = max(self.low, *(move.low for move in self.moves.values()))
        high = min(self.high, max(move.high for move in self.moves.values()))
        return low, high

    @property
    def decided(self) -> bool:
        """Whether the value of the position is proved."""
        low, high = self.bounds
        return low == high

    @property
    def complete(self) -> bool:
        """Whether the value of every move is proved."""
        return all(move.decided for move in self.moves.values())

    @property
    def unmeasured(self) -> bool:
        """Whether a proof decides the position, and nothing tells in how many plies."""
        by_proof = self.source in _PROOFS or any(move.endless for move in self.moves.values())
        return by_proof and self.decided and self.plies() == (None, None)

    @property
    def undecided(self) -> list[int]:
        """Moves whose value is not proved."""
        return [cell for cell, move in self.moves.items() if not move.decided]

    def ranked(self, first: int | None = None) -> list[Move]:
        """Return the moves, the best first; equals by cell, but `first` before its equals."""

        def key(move: Move) -> tuple[float, ...]:
            return (*(-x for x in move.order), move.cell != first, move.cell)

        return sorted(self.moves.values(), key=key)

    def plies(self) -> tuple[int | None, int | None]:
        """Return the remoteness of the position, and plies that it is proved to last at most."""
        low, high = self.bounds
        if low < high:
            return None, None
        if low == DRAW and self.position.game.players == 2:
            return self.position.game.cells - self.position.ply, None
        if self.remoteness is not None:
            return self.remoteness, None
        return self._plies_of_moves(low)

    def _plies_of_moves(self, value: int) -> tuple[int | None, int | None]:
        """Plies of a won or lost position as far as those of its moves tell them."""
        reached = [move for move in self.moves.values() if move.low == move.high == value]
        most = [plies for move in reached if (plies := move.remoteness or move.within) is not None]
        if value == WIN:
            known = [*most, *([] if self.within is None else [self.within])]
            least = min(known, default=None)
            return (1, None) if least == 1 else (None, least)
        if len(most) < len(self.moves):
            return None, None
        exact = all(move.remoteness is not None for move in reached)
        return (max(most), None) if exact else (None, max(most))

    def word(self, value: int) -> str:
        """Name a value."""
        worst = "loss" if self.position.game.players == 2 else "nothing"
        return (worst, "draw", "win")[value + 1]

    def findings(self, first: int | None = None) -> tuple[MoveAnalysis, ...]:
        """Return what is known of the moves as values, ranked as by `ranked`."""
        _, high = self.bounds
        found = []
        for move in self.ranked(first):
            top = max(move.low, min(move.high, high))
            decided = move.low == top
            score = None if decided else move.score
            source = move.source if move.decided else self.source if decided else "none"
            found.append(
                MoveAnalysis(
                    move.cell,
                    self.word(top) if decided else "unknown",
                    (self.word(move.low), self.word(top)),
                    move.remoteness,
                    None if move.remoteness is not None else move.within,
                    source if decided else "estimate" if score is not None else "none",
                    score,
                    move.visits,
                    move.maxn,
                )
            )
        return tuple(found)
