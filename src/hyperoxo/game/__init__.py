"""Games and positions: rules, traits, game specs, layouts, and positions legal by construction."""

from hyperoxo.game.drawn import LETTERS
from hyperoxo.game.game import Game
from hyperoxo.game.layout import Layout, fitted_layout, layout_of
from hyperoxo.game.many import Positions
from hyperoxo.game.messages import Why
from hyperoxo.game.names import cell_name, move_name
from hyperoxo.game.position import (
    Outcome,
    Position,
    cells_of_lines,
    completing_cells,
    lacking_cells,
    outcome_of,
)
from hyperoxo.game.reading import owners_of
from hyperoxo.game.setup import BLOCKED, FREE, restricts, spelled
from hyperoxo.game.spec import MAX_PLAYERS
from hyperoxo.game.traits import ALL_RULES, CLASSIC, Axis, Known, Requires, Trait
from hyperoxo.game.values import Bounds, Reason, Value, propagate

__all__ = [
    "ALL_RULES",
    "BLOCKED",
    "CLASSIC",
    "FREE",
    "LETTERS",
    "MAX_PLAYERS",
    "Axis",
    "Bounds",
    "Game",
    "Known",
    "Layout",
    "Outcome",
    "Position",
    "Positions",
    "Reason",
    "Requires",
    "Trait",
    "Value",
    "Why",
    "cell_name",
    "cells_of_lines",
    "completing_cells",
    "fitted_layout",
    "lacking_cells",
    "layout_of",
    "move_name",
    "outcome_of",
    "owners_of",
    "propagate",
    "restricts",
    "spelled",
]
