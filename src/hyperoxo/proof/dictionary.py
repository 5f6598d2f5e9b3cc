"""Dictionaries of strategic moves: winning strategies by threats, with few stored moves.

The player who follows a dictionary, the *attacker*, plays the first of these that is possible:

1. a cell that completes a line;
2. the cell in which the defender would complete one;
3. the move that the dictionary lists;
4. the first move of a forced sequence (see :mod:`hyperoxo.proof.forced`).

A *strategic position* is one that needs a listed move.

A dictionary with *leaves derived* holds the strategic moves alone; its checker finds the forced
sequences again. One with *leaves stored* also holds the forced sequences, and the positions in
which the attacker only blocks; its checker replays and searches nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof.claim import Proof
from hyperoxo.proof.envelope import with_stone

Sequences = tuple[tuple[int, ...], ...]
Leaves = Mapping[bytes, Sequences]
"""Forced sequences after the attacker's move in a position, in the order of trial."""


@dataclass(frozen=True)
class Dictionary(Proof):
    """Strategic moves claimed to force a win for the attacker, `seat`, from `begins`.

    Positions are in the form that `canonical_forms_of` gives them, and moves are cells of that
    form. The leaves are None if they are derived.
    """

    game: Game
    seat: int
    begins: Position | None
    moves: Mapping[bytes, int]
    leaves: Leaves | None = None
    blocks: Mapping[bytes, int] = field(default_factory=dict)
    claim = "win"

    def __post_init__(self) -> None:
        from hyperoxo.proof.tables import tables_of

        tables_of(self.game)
        super().__post_init__()

    @property
    def stored(self) -> bool:
        """True if leaves are stored."""
        return self.leaves is not None

    @property
    def sequences(self) -> int:
        """Number of stored sequences."""
        return sum(map(len, (self.leaves or {}).values()))


class Collected(NamedTuple):
    """Entries brought into their form."""

    moves: dict[bytes, int]
    duplicates: int
    contradictions: int


def collect(game: Game, entries: Iterable[tuple[bytes, int]]) -> Collected:
    """Bring entries into the canonical form of dictionaries."""
    from hyperoxo.proof.images import locate

    moves: dict[bytes, int] = {}
    duplicates = contradictions = 0
    for owners, cell in entries:
        if len(owners) != game.board.cell_count or not 0 <= cell < len(owners) or owners[cell]:
            raise SpecError(f"a move to {cell} is listed where that cell of {game} is not free")
        # The same position may be listed in several images, with moves that a symmetry of the
        # position maps to each other: those are duplicates. Different moves contradict, and the
        # first is kept.
        key, cells = locate(game, owners)
        move = int((cells == cell).argmax())
        if key not in moves:
            moves[key] = move
        elif _after(game, key, moves[key]) == _after(game, key, move):
            duplicates += 1
        else:
            contradictions += 1
    return Collected(moves, duplicates, contradictions)


def _after(game: Game, owners: bytes, move: int) -> bytes:
    """Form of a position with `move` marked; equal for equivalent moves."""
    from hyperoxo.proof.images import locate

    return locate(game, with_stone(owners, move, 3))[0]


def dictionary_of(
    game: Game, seat: int, begins: Position | None, entries: Iterable[tuple[bytes, int]]
) -> Dictionary:
    """Make a dictionary of positions in any image; of several moves for one, keep the first."""
    return Dictionary(game, seat, begins, collect(game, entries).moves)
