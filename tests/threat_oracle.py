"""Forced wins by their definition, on positions alone; slow, and shares nothing with the search."""

from __future__ import annotations

import random
from collections.abc import Callable

from hyperoxo.game import Game, Position
from hyperoxo.solvers.threats.forced_wins import ForcedWins
from tests.strategies import play_at_random


class TooLongError(Exception):
    """The definition would take too long to follow here."""


class ThreatOracle:
    """Fewest threats of a forced win, by trying every playable cell."""

    def __init__(self, game: Game, most: int = 1000) -> None:
        board = game.board
        self.lines = [
            sum(1 << int(cell) for cell in board.line(line)) for line in range(board.line_count)
        ]
        self.below = game.below
        self.playable = [int(cell) for cell in board.playable]
        self.maker_only = game.convention.maker_only
        self.most = most
        self.looked = 0
        self.known: dict[tuple[int, int, int], bool | None] = {}

    def landing(self, taken: int) -> list[int]:
        return [
            cell
            for cell in self.playable
            if not taken >> cell & 1
            and (self.below is None or self.below[cell] < 0 or taken >> int(self.below[cell]) & 1)
        ]

    def completing_stones(self, own: int, other: int) -> list[int]:
        """Playable cells that would give the owner of `own` a line."""
        lacking = {line & ~own for line in self.lines if not line & other}
        single = {cells for cells in lacking if cells.bit_count() == 1}
        return [cell for cell in self.landing(own | other) if 1 << cell in single] if single else []

    def completing(self, position: Position, player: int) -> list[int]:
        if player == 2 and self.maker_only:
            return []
        own, other = stones(position, player), stones(position, 3 - player)
        return self.completing_stones(own, other)

    def fewest(self, position: Position) -> int | None:
        """Threat moves of the shortest forced win; None where there is none."""
        me = position.to_move
        if me == 2 and self.maker_only:
            return None
        self.looked = 0
        self.known.clear()
        own, other = stones(position, me), stones(position, 3 - me)
        for threats in range(len(position.owners)):
            answer = self.within(own, other, threats)
            if answer is not None:
                return threats if answer else None
        raise AssertionError("threats without end")

    def starts_win(self, position: Position, cell: int) -> bool:
        """True if a forced win begins on `cell`."""
        me = position.to_move
        own, other = stones(position, me), stones(position, 3 - me)
        return self.beginning(own, other, cell, len(position.owners)) is True

    def shortest_from(self, position: Position, cell: int) -> int | None:
        """Threats of the shortest forced win that begins on a cell, by trying everything."""
        me = position.to_move
        if me == 2 and self.maker_only:
            return None
        own, other = stones(position, me), stones(position, 3 - me)
        if position.play(cell).is_over:
            return 0 if position.play(cell).lines_owned[me - 1] else None
        self.looked = 0
        self.known.clear()
        for most in range(len(position.owners)):
            answer = self.beginning(own, other, cell, most)
            if answer is not None:
                return most if answer else None
        raise AssertionError("threats without end")

    def within(self, own: int, other: int, most: int) -> bool | None:
        """True if a win by at most `most` threats exists; None: not, but longer ones may."""
        key = own, other, most
        if key not in self.known:
            self.looked += 1
            if self.looked > self.most:
                raise TooLongError
            answers: list[bool | None] = [True] if self.completing_stones(own, other) else []
            for cell in self.landing(own | other) if not answers else []:
                answers.append(self.beginning(own, other, cell, most))
                if answers[-1]:
                    break
            self.known[key] = True if True in answers else None if None in answers else False
        return self.known[key]

    def beginning(self, own: int, other: int, cell: int, most: int) -> bool | None:
        """True if a win by at most `most` threats begins on `cell`."""
        own |= 1 << cell
        answers = self.completing_stones(own, other)
        if not answers or (not self.maker_only and self.completing_stones(other, own)):
            return False
        if most == 0:
            return None
        if len(answers) >= 2:
            return True
        return self.within(own, other | 1 << answers[0], most - 1)


def compare(oracle: ThreatOracle, found: ForcedWins) -> dict[int, int] | None:
    """See that all first moves of forced wins are found, and return the threats after each.

    None where the definition would take too long to follow.
    """
    position = found.position
    try:
        lengths = {cell: oracle.shortest_from(position, cell) for cell in position.legal_moves}
    except TooLongError:
        return None
    if found.immediate:
        lengths = {cell: length for cell, length in lengths.items() if length == 0}
    expected = {cell: length for cell, length in lengths.items() if length is not None}
    assert {move.cell: move.length for move in found.moves} == expected
    assert found.status == ("win" if expected else "none")
    assert found.length == min(expected.values(), default=None)
    return expected


def stones(position: Position, player: int) -> int:
    return sum(1 << cell for cell, owner in enumerate(position.owners) if owner == player)


def random_position(game: Game, plies: int, rng: random.Random) -> Position:
    """Return a position that is not over after at most `plies` random moves."""
    return play_at_random(game.start(), rng, plies, running=True)


def survives_everything(position: Position, attack: Callable[[Position], int]) -> bool:
    """True if `attack` wins for the player to move against every legal defence."""
    attacker = position.to_move
    after = position.play(attack(position))
    if after.outcome is not None:
        return after.outcome.winner == attacker
    return all(
        not (following := after.play(reply)).is_over and survives_everything(following, attack)
        for reply in after.legal_moves
    )
