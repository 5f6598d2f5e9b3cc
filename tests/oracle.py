"""A second, slow reading of the rules, from their description and from nothing else.

It takes the canonical spec apart by itself and shares no code with the rooms it checks.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from functools import cache
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
        lacking = bias[self.first - 1] - int(options.get("first-turn", bias[self.first - 1]))
        self.cycle = self.cycle[lacking:] + self.cycle[:lacking]
        self.coordinates, lines = board_of(head, options)
        count = len(self.coordinates)
        blocked = options.get("blocked", "")
        self.blocked = {count // 2} if blocked == "centre" else numbers(blocked)
        self.lines = [line for line in lines if not line & self.blocked]
        longer = board_of(head, options, 1)[1] if "exact" in options else []
        self.longer = {line: [row for row in longer if line < row] for line in self.lines}
        self.axis = int(options["gravity"] or 0) if "gravity" in options else None
        self.free = set(range(count)) - self.blocked
        self.stones: dict[int, int] = {}
        self.playable = frozenset(self.free)
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
        def owned(player: int, row: frozenset[int]) -> bool:
            return all(self.stones.get(cell) == player for cell in row)

        return [
            sum(
                owned(player, line) and not any(owned(player, row) for row in self.longer[line])
                for line in self.lines
            )
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

    def clear(self) -> None:
        """Begin anew."""
        self.stones, self.free = {}, {*self.playable}

    def play(self, cell: int) -> None:
        self.stones[cell] = self.mover()
        self.free.remove(cell)


MOST_PLIES = 79
DRAW, WIN = MOST_PLIES + 1, 3 * MOST_PLIES + 2
"""Scores: the ply of the end for a loss, DRAW plus it for a draw, WIN minus it for a win."""


class Values:
    """What one seat can force against all others together, by trying every move.

    A position is the stones of each player as bits. Its value is 1, 0 or -1 for a win, a draw or
    less, and the ply on which the game ends: who wins hastens, who loses delays.
    """

    def __init__(self, spec: str) -> None:
        oracle = Oracle(spec)
        self.players, self.target, self.misere = oracle.players, oracle.target, oracle.misere
        self.convention = oracle.convention
        self.first, self.cycle = oracle.first - 1, [seat - 1 for seat in oracle.cycle]
        self.free = bits(oracle.free)
        self.lines = [(bits(one), [*map(bits, rows)]) for one, rows in oracle.longer.items()]
        self.opening, self.opening_moves = bits(oracle.opening), oracle.opening_moves
        # A cell and what must be taken before a stone stays on it.
        self.cells = [(1 << cell, self._under(oracle, cell)) for cell in sorted(oracle.free)]
        self.start = (0,) * self.players
        self.scores, self.owned = cache(self._scores), cache(self._owned)
        self.sign = cache(self._sign)

    @staticmethod
    def _under(oracle: Oracle, cell: int) -> int:
        if oracle.lands(cell):
            return 0
        here = list(oracle.coordinates[cell])
        assert oracle.axis is not None
        here[oracle.axis] -= 1
        return 1 << oracle.coordinates.index(tuple(here))

    @staticmethod
    def read(owners: bytes, players: int) -> tuple[int, ...]:
        """Stones of each player from one byte per cell."""
        return tuple(
            sum([1 << cell for cell, owner in enumerate(owners) if owner == player])
            for player in range(1, players + 1)
        )

    def _owned(self, own: int) -> int:
        return sum(
            line & own == line and not any(row & own == row for row in longer)
            for line, longer in self.lines
        )

    def winners(self, stones: tuple[int, ...]) -> set[int] | None:
        """Winning players of a finished game, counted from 0; None while it goes on."""
        owned = [self.owned(own) for own in stones]
        if self.convention:
            reached = owned[0] >= self.target
            if not reached and sum(stones) != self.free:
                return None
            return {0 if reached == (self.convention == "maker-breaker") else 1}
        for player, lines in enumerate(owned):
            if lines >= self.target:
                return set(range(self.players)) - {player} if self.misere else {player}
        if sum(stones) != self.free:
            return None
        best = min(owned) if self.misere else max(owned)
        return {owned.index(best)} if owned.count(best) == 1 else set()

    def mover(self, stones: tuple[int, ...]) -> int:
        return self.cycle[sum(stones).bit_count() % len(self.cycle)]

    def moves(self, stones: tuple[int, ...]) -> list[int]:
        """Legal moves, each as one bit."""
        taken = sum(stones)
        landing = [cell for cell, under in self.cells if not cell & taken and under & ~taken == 0]
        made = stones[self.first].bit_count()
        if made < self.opening_moves and self.mover(stones) == self.first:
            return [cell for cell in landing if cell & self.opening] or landing
        return landing

    def play(self, stones: tuple[int, ...], cell: int) -> tuple[int, ...]:
        mover = self.mover(stones)
        return (*stones[:mover], stones[mover] | cell, *stones[mover + 1 :])

    def value(self, stones: tuple[int, ...], seat: int) -> tuple[int, int]:
        """Value for a seat, and the ply of the end."""
        score = self.scores(stones)[seat]
        if score < DRAW:
            return -1, score
        return (0, score - DRAW) if score <= DRAW + MOST_PLIES else (1, WIN - score)

    def _scores(self, stones: tuple[int, ...]) -> list[int]:
        """A number per seat: the seat wants the greatest, all others the least."""
        winners = self.winners(stones)
        if winners is not None:
            ply = sum(stones).bit_count()
            drawn = ply if winners else DRAW + ply
            return [WIN - ply if seat in winners else drawn for seat in range(self.players)]
        mover = self.mover(stones)
        after = [self.scores(self.play(stones, cell)) for cell in self.moves(stones)]
        scores = [*map(min, zip(*after, strict=True))]
        scores[mover] = max([found[mover] for found in after])
        return scores

    def _sign(self, stones: tuple[int, ...]) -> int:
        """Value for player 1 of two alone, without the ply: the first best move is enough."""
        winners = self.winners(stones)
        if winners is not None:
            return (0 in winners) - (1 in winners)
        sign, after = 1 - 2 * self.mover(stones), -1
        for cell in self.moves(stones):
            after = max(after, sign * self.sign(self.play(stones, cell)))
            if after == 1:
                break
        return sign * after


def bits(cells: set[int] | frozenset[int]) -> int:
    return sum(1 << cell for cell in cells)


def random_board(rng: random.Random, most_cells: int) -> tuple[str, int, int, list[str]]:
    """A board: its spelling, cells, axes, and options of its lines."""
    kind = rng.choice(("mnk", "mnk", "free", "cube"))
    if kind == "free":
        cells = rng.randint(3, most_cells)
        lines = {
            tuple(sorted(rng.sample(range(cells), rng.randint(2, min(4, cells)))))
            for _ in range(rng.randint(1, cells))
        }
        head = f"{cells}{{{'/'.join('+'.join(map(str, line)) for line in sorted(lines))}}}"
        return head, cells, 0, []
    options = []
    if kind == "cube":
        side, axes = rng.choice([(2, 2), (3, 2), (2, 3), (4, 1), (6, 1)])
        head, cells = f"{side}^{axes}", side**axes
        if rng.random() < 0.3:
            options.append(f"connect={rng.randint(2, side)}")
    else:
        columns = rng.randint(2, most_cells)
        rows, axes = rng.randint(1, max(1, most_cells // columns)), 2
        head, cells = f"{columns},{rows},{rng.choice((2, 2, 3, 3, 4))}", columns * rows
    if rng.random() < 0.2:
        options.append(f"wrap={rng.randrange(axes)}" if rng.random() < 0.5 else "wrap")
    return head, cells, axes, options


def random_spec(rng: random.Random, most_cells: int, *, two_players: bool = False) -> str:
    """A game with a random board and any mix of options, valid or not."""
    head, cells, axes, options = random_board(rng, most_cells)
    several = (3, 3, 4, 4, 5, 6, 7, 8)
    players = 2 if two_players or rng.random() < 0.65 else rng.choice(several)
    if players > 2:
        options.append(f"players={players}")
    if rng.random() < 0.2:
        options.append(f"target={rng.randint(2, 3)}")
    convention = rng.choice(
        ("", "", "", "", "misere", "misere", "maker-breaker", "avoider-enforcer")
    )
    if convention:
        options.append(convention if convention == "misere" else f"convention={convention}")
    if rng.random() < 0.15:
        bias = "+".join(str(rng.choice((1, 1, 2, 2, 3))) for _ in range(players))
        options.append(f"bias={bias}")
    if rng.random() < 0.15:
        options.append(f"first={rng.randint(1, players)}")
    if "bias" in "".join(options) and rng.random() < 0.5:
        options.append(f"first-turn={rng.randint(1, 2)}")
    if axes and rng.random() < 0.25:
        options.append(f"gravity={rng.randrange(axes)}")
    if rng.random() < 0.2:
        blocked = "+".join(map(str, sorted(rng.sample(range(cells), rng.randint(1, 2)))))
        centred = axes and cells % 2 and rng.random() < 0.3
        options.append(f"blocked={'centre' if centred else blocked}")
    if rng.random() < 0.6:
        some = sorted(rng.sample(range(cells), rng.randint(1, max(1, cells // 2))))
        where = rng.choice(("poor", "rich", "+".join(map(str, some))))
        options.append(f"opening={where}x{rng.randint(1, 4)}")
    if axes and rng.random() < 0.2:
        options.append("exact")
    return head + (":" + ",".join(options) if options else "")


def numbers(text: str) -> set[int]:
    return {int(word) for word in text.split("+") if word}


def board_of(
    head: str, options: dict[str, str], more: int = 0
) -> tuple[list[tuple[int, ...]], list[frozenset[int]]]:
    """Coordinates of the cells (empty tuples for a free hypergraph) and the lines.

    Each line of a grid has some cells `more`.
    """
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
    return grid(shape, length + more, numbers(options.get("wrap", "")) or every)


def grid(
    shape: tuple[int, ...], length: int, wrap: Collection[int] = ()
) -> tuple[list[tuple[int, ...]], list[frozenset[int]]]:
    """Every run of `length` cells in a straight line inside a box, some of whose axes wrap."""
    cells = list(product(*map(range, shape)))
    where = {cell: number for number, cell in enumerate(cells)}
    lines = set()
    # An axis of one cell has no steps: 1^31, of a spoilt proof, would have 3^31.
    steps = [(-1, 0, 1) if side > 1 else (0,) for side in shape]
    for cell in cells:
        for step in product(*steps):
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
