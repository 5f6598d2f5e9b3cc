"""No draw exists: no full board of a game without a line of one player.

The clauses that a full board without such a line would make true are written from the game alone.
For two players, v says that cell v - 1 is player 1's, and -v that it is player 2's; for q players,
q·c + p says that cell c is player p's, and each cell has an owner. A line is never all of one
player's. The file lists steps by which these clauses contradict each other (:mod:`.rup`), in the
form of DRUP proofs without deletions: literals, and 0 at the end.

``stones any`` is about all full boards. That claim holds for every board that contains this one
too, such as n^(d+1) for n^d. ``stones shared`` adds that each player has no more stones than they
get in a game (C. Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, 2005)::

    hyperoxo-no-draw 1
    sha256 5d0c...
    game 3^3
    stones any
    creator -
    steps 32
    14 2 -8 0
    ...
    0
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hyperoxo.errors import NotationError, quoted
from hyperoxo.game import Game, Known, Requires, Trait
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.envelope import FileSchema
from hyperoxo_research.proof.rup import check_refutation

DRAWS = Requires(
    "full boards without a line",
    {Trait.STRONG, Trait.MISERE, *Known.PLAYERS, *Known.PLACEMENTS, *Known.OPENINGS},
)
_STONES = ("any", "shared")
_LITERAL = re.compile(r"-?[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class NoDraw:
    """Refutation of a full board without a line of one player.

    The steps are clauses, each of which follows from those before it; the last is empty. Stones are
    ``"any"`` or ``"shared"``, see the module.

    >>> check_no_draw(NoDraw(Game("2^2"), "any", ((1,), ()))).claim
    'every full board of 2^2 has a line of one player, so that none of its games is drawn'
    """

    game: Game
    stones: str
    steps: tuple[tuple[int, ...], ...]

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        shared = " on which all have their share of stones" if self.stones == "shared" else ""
        return (
            f"every full board of {self.game}{shared} has a line of one player, "
            "so that none of its games is drawn"
        )


def draw_clauses(game: Game, stones: str) -> Iterator[list[int]]:
    """Yield the clauses that hold for a full board without a line of one player."""
    DRAWS.check(game)
    cells = [int(cell) for cell in game.board.playable]
    players = range(1, game.players + 1)

    def owned(cell: int, player: int) -> int:
        if game.players == 2:
            return cell + 1 if player == 1 else -cell - 1
        return game.players * cell + player

    # Necessary conditions suffice: that no cell has two owners is left out for q > 2.
    if game.players != 2:
        yield from ([owned(cell, player) for player in players] for cell in cells)
    for at in range(game.board.line_count):
        line = game.board.line(at).tolist()
        yield from ([-owned(cell, player) for cell in line] for player in players)
    if stones == "shared":
        free = game.players * game.board.cell_count + 1
        for player in players:
            # Player p of q makes moves p, p + q, ...: ceil((N - p + 1) / q) stones on N cells.
            share = (len(cells) + game.players - player) // game.players
            literals = [owned(cell, player) for cell in cells]
            yield from _at_most(literals, share, free)
            free += len(literals) * share


def _at_most(literals: list[int], most: int, first: int) -> Iterator[list[int]]:
    """Yield Sinz's sequential counter for "at most `most` literals", variables from `first` on."""

    # Counter (i, j) holds if at least j of the literals 0..i do. Only this direction is needed:
    # a board within the bound satisfies all clauses with the true counts, so none is lost.
    def counted(at: int, number: int) -> int:
        return first + at * most + number - 1

    for at, literal in enumerate(literals):
        if not most:
            yield [-literal]
            continue
        yield [-literal, counted(at, 1)]
        if at:
            yield from ([-counted(at - 1, j), counted(at, j)] for j in range(1, most + 1))
            yield from ([-literal, -counted(at - 1, j), counted(at, j + 1)] for j in range(1, most))
            yield [-literal, -counted(at - 1, most)]


@Checker
def check_no_draw(found: NoDraw, _: set[bytes]) -> None:
    """Check every step."""
    check_refutation(draw_clauses(found.game, found.stones), found.steps)


def _put(found: NoDraw) -> tuple[dict[str, object], list[str]]:
    return {"stones": found.stones}, [" ".join(map(str, (*step, 0))) for step in found.steps]


def _take(head: dict[str, str], rows: list[str]) -> NoDraw:
    stones = head["stones"]
    if stones not in _STONES:
        raise NotationError(f"the stones are {quoted(stones)}, not 'any' or 'shared'")
    return NoDraw(Game(head["game"]), stones, tuple(map(_step, rows)))


def _step(row: str) -> tuple[int, ...]:
    *literals, end = row.split(" ")
    if end != "0" or not all(map(_LITERAL.fullmatch, literals)):
        raise NotationError(f"{quoted(row)} is not a clause")
    return tuple(map(int, literals))


FILE = FileSchema("no-draw", "game stones creator steps", _put, _take)
no_draw_text, read_no_draw = FILE.write, FILE.read_proof
