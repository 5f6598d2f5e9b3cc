"""Setting up a position: validation in words, and the possible players to move."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from hyperoxo.board import full_lines
from hyperoxo.display import number_of
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import BLOCKED, FREE, Game, Position, cell_name, spelled
from hyperoxo.game.messages import enumerated
from hyperoxo.pictures.alt_text import name_of
from hyperoxo.play.describe import as_sentence

_NAMED = 6  # at most this many wrong cells are named


@dataclass(frozen=True)
class Setup:
    """Stones on a board, legal or not.

    `movers` maps each possible player to move to the first player implied; `cells` are wrong.
    """

    game: Game
    owners: bytes
    position: Position | None
    trouble: str
    cells: tuple[int, ...]
    movers: dict[int, int]

    @property
    def text(self) -> str:
        """One character per cell."""
        return spelled(self.owners)


def set_up(game: Game, owners: bytes) -> Setup:
    """Validate stones that were set up."""
    movers = _movers(game, owners)
    floating = _floating(game, owners)
    try:
        position = Position.from_owners(game, owners)
    except HyperoxoError as error:
        plain = str(error).removeprefix("position: ")
        named = re.sub(r"player ([1-8])", lambda one: name_of(int(one[1])), plain)
        words = _trouble(game, owners, movers, floating) or as_sentence(named)
        return Setup(game, owners, None, words, floating, movers)
    return Setup(game, owners, position, "", (), movers)


def _trouble(game: Game, owners: bytes, movers: dict[int, int], floating: tuple[int, ...]) -> str:
    """Explain why no play leads there; empty if the error itself is the best explanation."""
    # In the order in which a person would notice: floating stones, counts of stones, then lines.
    if floating:
        names = [cell_name(game, cell) for cell in floating[:_NAMED]]
        if len(floating) == 1:
            return f"The stone on cell {names[0]} rests on nothing."
        if len(floating) > _NAMED:
            names.append(f"{len(floating) - _NAMED} more")
        return f"The stones on cells {enumerated(names)} rest on nothing."
    stones = _stones(game, owners)
    due = {player: game.turns.made(player, sum(stones.values())) for player in stones}
    if stones == due:
        return _trouble_of_lines(game, owners, stones)
    has = enumerated([f"{name_of(p)} has {number_of(n, 'stone')}" for p, n in stones.items()])
    want = enumerated([str(n) for n in due.values()])
    said = f"{has}; if {name_of(game.first)} began it would be {want}."
    return f"{said} Choose who is to move." if movers else said


def _trouble_of_lines(game: Game, owners: bytes, stones: dict[int, int]) -> str:
    """Explain why the game was over earlier, if it was."""
    counted = [player for player in stones if game.convention.counts(player)]
    full = [p for p in counted if len(full_lines(game.board, owners, p)) >= game.target]
    what = "a full line" if game.target == 1 else number_of(game.target, "full line")
    if len(full) > 1:
        names = enumerated([name_of(player) for player in full])
        return f"{names} have {what} each, but the first would have ended the game."
    if not full:
        return ""
    name, last = name_of(full[0]), game.turns.mover(sum(stones.values()) - 1)
    if full[0] != last:
        return f"{name} has {what}, but {name_of(last)} moved last: the game was over before."
    return f"{name} has too many lines: no last stone completes all of them."


def _stones(game: Game, owners: bytes) -> dict[int, int]:
    counts = Counter(owners)
    return {player: counts[player] for player in range(1, game.players + 1)}


def _movers(game: Game, owners: bytes) -> dict[int, int]:
    """Map each possible player to move to the first player, the game's own if possible."""
    stones = _stones(game, owners)
    ply = sum(stones.values())
    found: dict[int, int] = {}
    others = [] if game.first_turn else [player for player in stones if player != game.first]
    for first in [game.first, *others]:
        turns = replace(game.turns, first=first)
        if all(count == turns.made(player, ply) for player, count in stones.items()):
            found.setdefault(turns.mover(ply), first)
    return found


def _floating(game: Game, owners: bytes) -> tuple[int, ...]:
    """Return the cells of stones without support."""
    below = game.below
    if below is None:
        return ()
    return tuple(
        cell
        for cell, owner in enumerate(owners)
        if owner not in (FREE, BLOCKED) and below[cell] >= 0 and owners[int(below[cell])] == FREE
    )
