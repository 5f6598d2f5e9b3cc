"""Quiet moves and a forced sequence: ``4^3 0-3-60-21-15-51-12-63 4x8x5x10``.

::

    sequence = [game " "] (quiet [" " forced] | forced)
    quiet    = cell {"-" cell}
    forced   = cell {"x" cell}             alone, it has at least two cells

The notation comes from articles on Qubic: moves that nothing forces are joined by ``-``. From
the first threat on, moves are joined by ``x``: a threat, the answer that it forces, the next
threat, up to a double threat, or on to the stone that completes a line. The default game is
4^3. A file holds one sequence per line; empty lines and lines that begin with ``#``
and a blank are skipped.

Which moves are joined by ``x`` follows from the moves, so a record does not store it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hyperoxo.errors import NotationError, quoted
from hyperoxo.game import Game, Known, Position, Requires, completing_cells
from hyperoxo.notation.record import Record, check_only_moves, read_each, rows_of, taken_game

SEQUENCE = re.compile(r"[0-9]+(-[0-9]+)*( [0-9]+(x[0-9]+)*)?|[0-9]+(x[0-9]+)+")
"""The moves of a sequence, words separated by one blank."""

_DEFAULT = "4^3"
_LONGEST_NUMBER = 9
_FORCED = Requires("a forced sequence", {*Known.PLACEMENTS, *Known.OPENINGS})


@dataclass(frozen=True)
class MoveSequence:
    """Quiet moves and the forced sequence after them, as they are written; not yet played."""

    game: Game
    quiet: tuple[int, ...]
    forced: tuple[int, ...]

    @property
    def moves(self) -> tuple[int, ...]:
        """All cells in the order played."""
        return self.quiet + self.forced

    def __str__(self) -> str:
        parts = ("-".join(map(str, self.quiet)), "x".join(map(str, self.forced)))
        return " ".join([str(self.game), *filter(None, parts)])


def parse_sequence(text: str, game: Game | str | None = None) -> MoveSequence:
    """Read one sequence, without playing it."""
    words = text.split()
    chosen = taken_game(words, game) or Game(_DEFAULT)
    moves = " ".join(words)
    if moves and not SEQUENCE.fullmatch(moves):
        raise NotationError(
            f"{quoted(moves)} is not a sequence: quiet moves are joined by '-', then after a "
            "blank forced ones by 'x'"
        )
    forced = words.pop() if words and ("x" in words[-1] or len(words) == 2) else ""
    quiet = words.pop() if words else ""
    return MoveSequence(chosen, _cells(quiet, "-"), _cells(forced, "x"))


def read_sequences(text: str, *, game: Game | str | None = None) -> list[Record]:
    """Read a file of sequences."""

    def read(line: str) -> Record:
        parsed = parse_sequence(line, game)
        return Record(parsed.game, parsed.moves)

    return read_each("line", rows_of(text), read)


def write_sequences(records: Iterable[Record]) -> str:
    """Write games as sequences, one per line."""
    lines = []
    for record in records:
        check_only_moves(record, "a sequence")
        begin = forced_part(record.positions())
        sequence = MoveSequence(record.game, record.moves[:begin], record.moves[begin:])
        lines.append(f"{sequence}\n")
    return "".join(lines)


def forced_part(positions: list[Position]) -> int:
    """Count the moves before the forced sequence that ends a game."""
    # Walk back from the end by pairs of plies: as long as the attacker's stone makes a threat and
    # the answer blocks it, the pair belongs to the sequence. A lone completing move is none.
    moves = len(positions) - 1
    game, last = positions[-1].game, positions[-1]
    if not moves or not _FORCED.accepts(game):
        return moves
    attacker = positions[-2].to_move
    if not last.is_over and _threats(last, attacker) <= 1:
        return moves
    if last.is_over and last.outcome is not None and last.outcome.winner != attacker:
        return moves
    begin = moves - 1
    while begin >= 2 and _answered(positions[begin - 1], positions[begin], attacker):
        begin -= 2
    return moves if last.is_over and begin == moves - 1 else begin


def _threats(position: Position, attacker: int) -> int:
    """Count the attacker's threats; none if the other side can complete a line first."""
    if completing_cells(position, 3 - attacker):
        return 0
    return len(completing_cells(position, attacker))


def _answered(position: Position, after: Position, attacker: int) -> bool:
    """Return True if the attacker threatens in `position`, and the next stone stops a threat."""
    stopped = after.last_move in completing_cells(position, attacker)
    return stopped and _threats(position, attacker) > 0


def _cells(word: str, joint: str) -> tuple[int, ...]:
    cells = word.split(joint) if word else []
    for number, cell in enumerate(cells, start=1):
        if len(cell) > _LONGEST_NUMBER:
            raise NotationError(f"move {number}: {cell[:20]!r} is not a cell number")
    return tuple(map(int, cells))
