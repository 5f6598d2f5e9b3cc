"""Moves of a dictionary: what it answers to every move, and by which of its means."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import lru_cache

from hyperoxo.errors import LimitError
from hyperoxo.game import Game, Position, completing_cells
from hyperoxo.play.explorer.answer import Answer
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_play import dictionary_move
from hyperoxo.proof.forced import Search, forced_win, search_of

_NODES = 2_000_000
_one_at_a_time = threading.Lock()


def answer_of(dictionary: Dictionary, position: Position) -> Answer | None:
    """Return what the proof plays, or None where it is not its turn or it has no answer."""
    with _one_at_a_time:
        search = _search(str(dictionary.game))
        cell = dictionary_move(dictionary, position, search_in=search, nodes=_NODES)
        if cell is None:
            return None
        seat = dictionary.seat
        if cell in completing_cells(position, seat):
            return Answer(cell, "line")
        if cell in completing_cells(position, 3 - seat):
            return Answer(cell, "block")
        sequence = forced_win(position, search_in=search, nodes=_NODES)
        if sequence is not None and sequence[0] == cell:
            return Answer(cell, "forced", tuple(int(move) for move in sequence))
        return Answer(cell, "listed")


def forced_in(position: Position) -> tuple[int, ...] | None:
    """Return a forced sequence that wins for the player to move, if one is found."""
    with _one_at_a_time, suppress(LimitError):
        return forced_win(position, search_in=_search(str(position.game)), nodes=_NODES)
    return None


@lru_cache(maxsize=4)
def _search(spec: str) -> Search:
    return search_of(Game(spec))
