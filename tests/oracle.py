"""A second, slow reading of the rules, from their description and from nothing else.

It takes the canonical spec apart by itself and shares no code with the rooms it checks.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import product


class Oracle:
    """A game in progress: stones by cell, moves by player in turn."""

    def __init__(self, spec: str) -> None:
        head, _, tail = spec.partition(":")
        options: dict[str, str] = {}
        for option in filter(None, tail.split(",")):
            name, _, options[name] = option.partition("=")
        self.players = int(options.get("players", 2))
        self.target = int(options.get("target", 1))
        self.misere = "misere" in options
        self.convention = options.get("convention", "")
        bias = list(map(int, options.get("bias", "+".join("1" * self.players)).split("+")))
        self.first = int(options.get("first", 1))
        seats = [*range(self.first, self.players + 1), *range(1, self.first)]
        self.cycle: list[int] = [seat for seat in seats for _ in range(bias[seat - 1])]
        self.coordinates, lines = board_of(head, options)
        count = len(self.coordinates)
        blocked = options.get("blocked", "")
        self.blocked = {count // 2} if blocked == "centre" else numbers(blocked)
        self.lines = [line for line in lines if not line & self.blocked]
        self.axis = int(options["gravity"] or 0) if "gravity" in options else None
        self.free = set(range(count)) - self.blocked
        self.stones: dict[int, int] = {}
        self.opening, self.opening_moves = self._opening(options.get("opening", ""))

    def _opening(self, text: str) -> tuple[set[int], int]:
        cells, _, moves = text.partition("x")
        if cells not in ("poor", "rich"):
            return numbers(cells), int(moves or 1)
        degree = {cell: sum(cell in line for line in self.lines) for cell in self.free}
        wanted = min(degree.values()) if cells == "poor" else max(degree.values())
        return {cell for cell in self.free if degree[cell] == wanted}, int(moves or 1)

    @property
    def ply(self) -> int:
        return len(self.stones)

    def scores(self) -> list[int]:
        return [
            sum(all(self.stones.get(cell) == player for cell in line) for line in self.lines)
            for player in range(1, self.players + 1)
        ]

    def result(self) -> tuple[frozenset[int], int | None] | None:
        """Winners and, in misère with more than two or any two-player win, the loser."""
        everybody = frozenset(range(1, self.players + 1))
        scores = self.scores()
        if self.convention:
            reached = scores[0] >= self.target
            if not reached and self.free:
                return None
            winner = 1 if reached == (self.convention == "maker-breaker") else 2
            return frozenset({winner}), 3 - winner
        for player, score in enumerate(scores, 1):
            if score >= self.target:
                winners = everybody - {player} if self.misere else frozenset({player})
                return winners, self._loser(winners)
        if self.free:
            return None
        best = min(scores) if self.misere else max(scores)
        top = frozenset(player for player in everybody if scores[player - 1] == best)
        winners = top if len(top) == 1 else frozenset()
        return winners, self._loser(winners)

    def _loser(self, winners: frozenset[int]) -> int | None:
        losers = set(range(1, self.players + 1)) - winners
        alone = winners and len(losers) == 1
        return losers.pop() if alone and (self.players == 2 or self.misere) else None

    def lands(self, cell: int) -> bool:
        if self.axis is None:
            return True
        here = self.coordinates[cell]
        if here[self.axis] == 0:
            return True
        under = (*here[: self.axis], here[self.axis] - 1, *here[self.axis + 1 :])
        return self.coordinates.index(under) not in self.free

    def legal(self) -> set[int]:
        if self.result() is not None:
            return set()
        landing = {cell for cell in self.free if self.lands(cell)}
        mine = list(self.stones.values()).count(self.first)
        if self.opening and self.mover() == self.first and mine < self.opening_moves:
            return landing & self.opening or landing
        return landing

    def mover(self) -> int:
        return self.cycle[self.ply % len(self.cycle)]

    def play(self, cell: int) -> None:
        self.stones[cell] = self.mover()
        self.free.remove(cell)


def numbers(text: str) -> set[int]:
    return {int(word) for word in text.split("+") if word}


def board_of(
    head: str, options: dict[str, str]
) -> tuple[list[tuple[int, ...]], list[frozenset[int]]]:
    """Coordinates of the cells (empty tuples for a free hypergraph) and the lines."""
    if match := re.fullmatch(r"(\d+)\{(.*)\}", head):
        rows = match[2].split("/") if match[2] else []
        return [()] * int(match[1]), [frozenset(numbers(row)) for row in rows]
    if "^" in head:
        side, dim = map(int, head.split("^"))
        shape, length = (side,) * dim, int(options.get("connect", side))
    else:
        columns, rows_, length = map(int, head.split(","))
        shape = (rows_, columns)
    every = set(range(len(shape))) if "wrap" in options else set()
    return grid(shape, length, numbers(options.get("wrap", "")) or every)


def grid(
    shape: tuple[int, ...], length: int, wrap: Collection[int] = ()
) -> tuple[list[tuple[int, ...]], list[frozenset[int]]]:
    """Every run of `length` cells in a straight line inside a box, some of whose axes wrap."""
    cells = list(product(*map(range, shape)))
    where = {cell: number for number, cell in enumerate(cells)}
    lines = set()
    for cell in cells:
        for step in product((-1, 0, 1), repeat=len(shape)):
            run = [
                tuple(
                    (x + k * s) % n if axis in wrap else x + k * s
                    for axis, (x, s, n) in enumerate(zip(cell, step, shape, strict=True))
                )
                for k in range(length)
            ]
            if len(set(run)) == length and all(point in where for point in run):
                lines.add(frozenset(where[point] for point in run))
    return cells, sorted(lines, key=sorted)
