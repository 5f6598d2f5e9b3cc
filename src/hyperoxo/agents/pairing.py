"""Pairing-strategy agent: answers each stone of the rival on the second cell of its pair."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from hyperoxo.agents.base import Explanation, Randomness, ThinkingAgent, because, drawn, moves_of
from hyperoxo.errors import AgentError, CheckFailedError, NotationError, SpecError
from hyperoxo.game import FREE, Game, Position, Trait, Why, completing_cells
from hyperoxo.proof import check_proof, read_pairing
from hyperoxo.proof.envelope import read_bytes
from hyperoxo.proof.registry import kind_of_file
from hyperoxo.solvers.draws.pairing import PAIRING, may_pair, pairs_of
from hyperoxo.task import ALONE, Task


class _Pairs:
    """Pairs of cells, and the pair on each line, ``[L, 2]``, -1 for none."""

    def __init__(self, game: Game, pairs: tuple[tuple[int, int], ...]) -> None:
        board = game.board
        partners = np.full(board.cell_count, -1, np.int64)
        cells = np.array(pairs, np.int64).reshape(-1, 2)
        partners[cells[:, 0]], partners[cells[:, 1]] = cells[:, 1], cells[:, 0]
        # `cells`: the cells of all lines, one line after the other; line l starts at `begins[l]`.
        self.game, self.cells = game, board.line_cells
        self.begins = np.cumsum([0, *board.line_sizes])[:-1]
        # A cell of a line and its partner, which is on the line too if line and partner are there.
        rows = np.repeat(np.arange(board.line_count), board.line_sizes)
        has = np.flatnonzero(partners[self.cells] >= 0)
        # Line and cell as one number. None occurs twice, as `assume_unique` requires: a cell is on
        # a line once, and has one partner.
        there, wanted = rows * board.cell_count + self.cells, partners[self.cells[has]]
        both = has[np.isin(rows[has] * board.cell_count + wanted, there, assume_unique=True)]
        lines, first = np.unique(rows[both], return_index=True)
        self.pairs = np.full((board.line_count, 2), -1, np.int64)
        self.pairs[lines, 0] = self.cells[both][first]
        self.pairs[lines, 1] = partners[self.pairs[lines, 0]]

    def cells_to_answer(self, position: Position, seat: int) -> list[int] | None:
        """Return the cells where a seat has to answer; None if the pairs are broken."""
        # They are intact if each line that the rival may still complete has a pair with at most one
        # cell taken.
        owners = np.frombuffer(position.owners, np.uint8)
        if not len(self.pairs):
            return []
        left = self.pairs[~np.logical_or.reduceat(owners[self.cells] == seat, self.begins)]
        if (left < 0).any():
            return None
        taken = owners[left] != FREE
        if taken.all(axis=1).any():
            return None
        half = taken.any(axis=1)
        return sorted({*left[half][~taken[half]].tolist()})


@lru_cache(maxsize=4)
def _found(game: Game, seat: int) -> _Pairs | None:
    """Find pairs for a seat at the start of a game."""
    pairs = pairs_of(game.start(), seat) if may_pair(game, seat) else None
    return None if pairs is None else _Pairs(game, pairs)


@lru_cache(maxsize=4)
def _read(path: str) -> tuple[int, _Pairs]:
    """Read pairs, alone or as a part of the proof of a region, and check them."""
    data = read_bytes(path)
    try:
        kind = kind_of_file(data)
    except NotationError as error:
        raise SpecError(f"the file holds no pairing: {error}") from None
    files = (data, *kind.parts(kind.file.read_proof(data)))
    pairs = (one for one in files if one.startswith(b"hyperoxo-pairing 1\n"))
    found = next(map(read_pairing, pairs), None)
    if found is None:
        raise SpecError("the file holds no pairing")
    verdict = check_proof(found)
    if not verdict.proved:
        raise CheckFailedError(f"the pairing does not hold: {verdict.reason}")
    return found.seat, _Pairs(found.game, found.pairs)


class PairingAgent(ThinkingAgent):
    """Answers inside pairs of cells, one pair on each line: computed, or read from a file.

    The rival never completes a line. If no answer is needed the agent completes its own line or
    moves at random; so it does in a seat without pairs, and when the pairs are broken because
    earlier moves did not follow them.
    """

    name = "pairing"
    opponents = ()
    requires = PAIRING

    def __init__(self, pairs: str | None = None) -> None:
        self.pairs = pairs

    def check(self, game: Game) -> None:
        """Refuse a game for which there is no pairing; see :meth:`Agent.check`."""
        super().check(game)
        if self.pairs is not None:
            if _read(self.pairs)[1].game != game:
                raise AgentError(f"'{self.spec}' has no pairing for {game}")
        elif all(_found(game, seat) is None for seat in (2, 1)):
            raise AgentError(
                f"'pairing' has none for {game}: "
                "some lines have fewer than two cells for each between them"
            )

    def think(self, position: Position, rng: Randomness = None, task: Task = ALONE) -> Explanation:
        """Choose a move and explain it; see :meth:`Agent.think`."""
        self.check(position.game)
        game, seat = position.game, position.to_move
        wins = Trait.ONE_LINE in game.traits and game.convention.counts(seat)
        own = completing_cells(position, seat) if wins else ()
        asked = (
            None
            if position.is_over or position.opening_restricts
            else self._cells_to_answer(position)
        )
        if own:
            move, why = own[0], because(Why.COMPLETES, position, own[0])
        elif asked:
            move, why = asked[0], because(Why.PAIR_ANSWERS, position, asked[0])
        else:
            move = drawn(moves_of(position), rng)
            why = str(Why.PAIRS_SILENT() if asked is None else Why.PAIRS_FREE())
        return Explanation.of(move, why)

    def _cells_to_answer(self, position: Position) -> list[int] | None:
        """Return the cells where the player to move has to answer; None without intact pairs."""
        game, seat = position.game, position.to_move
        if self.pairs is not None:
            owner, found = _read(self.pairs)
            return found.cells_to_answer(position, seat) if owner == seat else None
        pairs = _found(game, seat)
        asked = None if pairs is None else pairs.cells_to_answer(position, seat)
        if asked is not None and len(asked) <= 1:
            return asked
        if not may_pair(game, seat):
            return None
        # Earlier moves did not follow the pairs of the start: match pairs for the present position,
        # or for the one before the rival's last move, which then gets its answer.
        earlier = [position.undo(1)] if position.history else []
        for begins in (position, *earlier):
            later = pairs_of(begins, seat)
            if later is not None:
                return _Pairs(game, later).cells_to_answer(position, seat)
        return None
