"""What a proof plays in a position."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """What a proof plays, and by what means; without a cell, why it need not play any more.

    Where play goes on `by` is `listed` or `block`. Else it is what settles the game: `line`,
    `forced` with its `sequence`, `over`, `completion` or `potential`; for pairings, mirroring and
    plans every answer is `listed`, `pair`, `image` or `free`.
    """

    cell: int | None
    by: str
    sequence: tuple[int, ...] = ()
