"""Strategy readers: the move of each kind of proof in a position, or the reason at a leaf."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from hyperoxo.errors import LimitError, NotationError
from hyperoxo.game import FREE, Game, Position, completing_cells
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
from hyperoxo.proof.dictionary_play import dictionary_move
from hyperoxo.proof.endgames import EndgameStrategy
from hyperoxo.proof.forced import Search, forced_win, search_of, wins
from hyperoxo.proof.images import locate
from hyperoxo.proof.registry import ProofKind, kind_of_file
from hyperoxo.proof.zones_play import PLAYED, TrackedBoard, ZonePlay

Progress = Callable[[int, int], object]
ABOUT_A_BOARD = "this proof is about a board, which has no moves to show"
Moves = tuple[int, ...]
Found = tuple[int | None, str]

_NODES = 2_000_000
_KEPT = 5_000


@dataclass(frozen=True)
class Answer:
    """Move of a proof and its means; without a cell, the reason that none is needed.

    At inner nodes `by` is `listed` or `block`. At leaves it is `line`, `forced` with its
    `sequence`, `endgame`, `over`, `completion` or `potential`; for pairings, mirroring and plans
    every answer is `listed`, `pair`, `image` or `free`.
    """

    cell: int | None
    by: str
    sequence: Moves = ()


class Reader(ABC):
    """Strategy view of a proof for one seat.

    `listed` are the moves in its file, by canonical form. With `own_cells` the answer depends on
    the cell of a reply (as in a pairing), so that equivalent replies are not merged.
    """

    own_cells: ClassVar[bool] = False
    details: ClassVar[dict[str, str]] = {}
    """Descriptions of the means of answers, where they differ from the usual ones."""

    def __init__(self, proof: Any) -> None:
        self.start: Position = proof.position
        self.seat: int = proof.seat
        self.listed: Mapping[bytes, int] = {}

    def ours(self, position: Position) -> bool:
        """Return True if the proof's side is to move."""
        return position.to_move == self.seat

    @abstractmethod
    def answer(self, position: Position) -> Answer | None:
        """Return the proof's move, or the reason that the claim holds; None if unknown."""

    def leaf_answer(self, position: Position) -> Answer | None:
        """Return the answer at a leaf."""
        return self.answer(position)

    def goes_on(self, position: Position) -> bool:
        """Return True if a position is an inner node in which the proof must know its move."""
        return self.ours(position) and not position.is_over

    def replies(self, position: Position) -> tuple[int, ...]:
        """Return the replies that the proof has to answer."""
        return position.legal_moves

    def ahead(
        self, position: Position, needed: Callable[[bytes, Position], bool]
    ) -> dict[bytes, Position]:
        """Return the next decisions of the proof after all replies, by canonical form."""
        # With a coalition, several replies may come in a row; each class is expanded once.
        found: dict[bytes, Position] = {}
        seen, waiting = set[bytes](), [position]
        while waiting:
            here = waiting.pop()
            form = locate(here.game, here.owners)[0]
            if here.is_over or form in seen:
                continue
            seen.add(form)
            if not self.ours(here):
                waiting += [here.play(cell) for cell in self.replies(here)]
            elif needed(form, here):
                found[form] = here
        return found

    def edges(self, progress: Progress | None) -> Edges | None:
        """Return the edges between decisions; None for a proof that is not a tree."""
        return None

    def plan_state(self, position: Position) -> dict[str, Any] | None:
        """Return the state of a plan before a reply; None for other proofs."""
        return None


class _DictionaryReader(Reader):
    """Reader of dictionaries: listed moves, blocks and forced sequences."""

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
        with suppress(LimitError), _one_at_a_time:
            found = self._played(position)
            if found is not None:
                return found
        stored = self._stored(position)
        return None if stored is None else Answer(stored[0], "forced", stored)

    def _played(self, position: Position) -> Answer | None:
        """Return the proof's move, or None if it is not its turn or it has none."""
        # A dictionary plays, in this order: a win, the block of a threat, the listed move, a forced
        # win. The move comes from the checker's own function; here only its kind is found out.
        search = _search(str(self.proof.game))
        cell = dictionary_move(self.proof, position, search_in=search, nodes=_NODES)
        if cell is None:
            return None
        if cell in completing_cells(position, self.seat):
            return Answer(cell, "line")
        if cell in completing_cells(position, 3 - self.seat):
            return Answer(cell, "block")
        sequence = forced_win(position, search_in=search, nodes=_NODES)
        if sequence is not None and sequence[0] == cell:
            return Answer(cell, "forced", tuple(int(move) for move in sequence))
        return Answer(cell, "listed")

    def leaf_answer(self, position: Position) -> Answer | None:
        """Return the answer at a leaf: the forced win, even if its first move also blocks."""
        found = self.answer(position)
        if found is None or found.by != "block":
            return found
        sequence = None
        with suppress(LimitError), _one_at_a_time:
            search = _search(str(position.game))
            sequence = forced_win(position, search_in=search, nodes=_NODES)
        sequence = sequence or self._stored(position)
        return found if sequence is None else Answer(sequence[0], "forced", sequence)

    def edges(self, progress: Progress | None) -> Edges | None:
        return dictionary_edges(self.proof, progress)

    def _stored(self, position: Position) -> Moves | None:
        """Return the stored winning sequence, if the file has such leaves."""
        # Sequences are stored by the last decision before them (two plies back), up to symmetry;
        # of several replies to it, the sequence that wins here is found by trying.
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


# The cached searches keep their tables between calls, so threads take turns.
_one_at_a_time = threading.Lock()


@lru_cache(maxsize=4)
def _search(spec: str) -> Search:
    return search_of(Game(spec))


class _StoredReader(Reader):
    """Reader of strategies: a move for each position of the player."""

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

    def edges(self, progress: Progress | None) -> Edges | None:
        found: dict[bytes, tuple[bytes, ...]] = {}
        first = self.ahead(self.start, self._needs)
        found[b""] = tuple(first)
        waiting = list(first.items())
        while waiting:
            form, position = waiting.pop()
            if form in found:
                continue
            answer = self.answer(position)
            assert answer is not None
            assert answer.cell is not None
            following = self.ahead(position.play(answer.cell), self._needs)
            found[form] = tuple(following)
            waiting += following.items()
            if progress is not None:
                progress(len(found) - 1, len(self.listed))
        return found

    def _needs(self, _: bytes, position: Position) -> bool:
        return self.goes_on(position)


class _EndgameReader(_StoredReader):
    """Reader of strategies that list moves only while many cells are free."""

    def __init__(self, strategy: EndgameStrategy) -> None:
        super().__init__(strategy)
        self.strategy = strategy

    def goes_on(self, position: Position) -> bool:
        if position.is_over or self.strategy.is_endgame(position):
            return False
        answer = self.answer(position)
        return answer is not None and answer.by != "line"

    def answer(self, position: Position) -> Answer | None:
        if position.is_over:
            return Answer(None, "over")
        cell = self.strategy.reply(position)
        if cell is None:
            return None
        if cell in completing_cells(position, self.seat):
            return Answer(cell, "line")
        if self.strategy.is_endgame(position):
            return Answer(cell, "endgame")
        stops = cell in completing_cells(position, 3 - self.seat)
        return Answer(cell, "block" if stops else "listed")


class _PreventionReader(_StoredReader):
    """Reader of proofs that a coalition prevents one seat's win or draw."""

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


class CellReader(Reader):
    """Reader of proofs that answer each move on a partner cell, or else any free one."""

    own_cells = True

    def answer(self, position: Position) -> Answer | None:
        """See `Reader`."""
        if position.is_over:
            return Answer(None, "over")
        cell, by = self._found(position)
        if cell is None or cell not in position.legal_moves:
            return Answer(position.legal_moves[0], "free")
        return Answer(cell, by)

    @abstractmethod
    def _found(self, position: Position) -> Found:
        """Return the cell that answers the last move, and the means."""


class _PartnerReader(CellReader):
    """Reader of pairings and mirroring: each cell has a partner."""

    def __init__(self, proof: Pairing | Mirroring) -> None:
        super().__init__(proof)
        self.by = "pair" if isinstance(proof, Pairing) else "image"
        pairs = proof.pairs if isinstance(proof, Pairing) else tuple(enumerate(proof.images))
        blocked = proof.game.blocked
        self.partners = {cell: at for cell, at in pairs if cell not in blocked}
        if isinstance(proof, Pairing):
            self.partners |= {two: one for one, two in pairs}

    def _found(self, position: Position) -> Found:
        if position.history:
            return self.partners.get(position.history[-1]), self.by
        # The first move of a mirroring is the cell that is its own image.
        return next((cell for cell, at in self.partners.items() if cell == at), None), self.by


class FollowedReader(CellReader):
    """Reader of plans with a state, replayed move by move.

    States are cached by the moves up to the last answer.
    """

    details: ClassVar[dict[str, str]] = {
        "listed": "the plan lists what is reached by this move, or an image of it",
        "pair": "the other cell of a pair, or the cell that weighs most on the lines without one",
    }

    def __init__(self, plan: Proof) -> None:
        super().__init__(plan)
        self._known: dict[Moves, Any] = {}

    @abstractmethod
    def plan_state(self, position: Position) -> dict[str, Any]:
        """Return the state of the plan before a reply, as plain values."""

    def _remember(self, moves: Moves, state: Any) -> None:
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[moves] = state

    def _moves(self, position: Position) -> Moves:
        return position.history[len(self.start.history) :]


class ZoneReader(FollowedReader):
    """Reader of zone plans: answers inside the zone, and the remaining pairs."""

    def __init__(self, plan: ZonePlan) -> None:
        super().__init__(plan)
        self.play = ZonePlay(plan)

    def _found(self, position: Position) -> Found:
        moves = self._moves(position)
        if not moves:
            cell, after = self.play.move(self.play.begin(), position.owners)
            self._remember((), after)
            return cell, "listed"
        before = self._board(position.undo(1))
        cell, after = self.play.answer(before, position.owners, moves[-1])
        self._remember(moves, after)
        return cell, "listed" if after.pairs is None or after.pairs != before.pairs else "pair"

    def _board(self, position: Position) -> TrackedBoard:
        """Return the plan's state before a reply."""
        moves = self._moves(position)
        if not moves:
            return self.play.begin()
        if moves[:-1] not in self._known:
            self._found(position.undo(1))
        found: TrackedBoard = self._known[moves[:-1]]
        return found

    def plan_state(self, position: Position) -> dict[str, Any]:
        """Return the free cells of the zone, and the pairs that are left."""
        board, owners = self._board(position), position.owners
        pairs = board.pairs or ()
        held = [list(pair) for pair in pairs if all(owners[cell] == FREE for cell in pair)]
        zone = self.play.zone(board, owners)
        return {
            "zone": sorted(cell for cell in zone if owners[cell] == FREE),
            "settled": board.pairs is not None,
            "pairs": held,
        }


_READERS: dict[type, Callable[[Any], Reader | None]] = {
    Dictionary: _DictionaryReader,
    EndgameStrategy: _EndgameReader,
    Strategy: _StoredReader,
    Prevention: _PreventionReader,
    Pairing: _PartnerReader,
    Mirroring: _PartnerReader,
    ZonePlan: lambda plan: ZoneReader(plan) if PLAYED.accepts(plan.game) else None,
}


def reader_of(proof: Proof, kind: ProofKind) -> Reader | None:
    """Return the reader of a proof, or None if it has no positions to show."""
    make = _READERS.get(kind.value, kind.reader)
    return None if make is None else make(proof)


def read_any(data: bytes) -> Proof:
    """Read a proof file of any kind, without verifying its claim."""
    kind = kind_of_file(data)
    if not kind.moves:
        raise NotationError(ABOUT_A_BOARD)
    found: Proof = kind.file.read_proof(data)
    return found
