"""What a page needs to draw a board; sent once, since it never changes."""

from __future__ import annotations

from typing import Any

from hyperoxo.play.words import rules_sentences
from hyperoxo.rules import Game


def geometry_of(game: Game) -> dict[str, Any]:
    """Return a board as plain values."""
    board = game.board
    lines = [board.line(number).tolist() for number in range(board.line_count)]
    return {
        "game": str(game),
        "cells": board.cell_count,
        "shape": None if board.shape is None else list(board.shape),
        "lines": lines,
        "names": None if board.names is None else list(board.names),
        "blocked": list(board.blocked),
        "gravity": game.gravity,
        "opening": None
        if game.opening is None
        else {
            "player": game.first,
            "moves": game.opening_moves,
            "cells": sorted(game.opening),
        },
        "players": game.players,
        "turns": list(game.turns.cycle),
        "target": game.target,
        "misere": game.misere,
        "rules": rules_sentences(game),
    }
