"""Draws that a rule of answering proves: pairings, and mirroring in misère play.

Their checkers play no games: a theorem reduces each claim to conditions on the cells and lines.

*Pairing.* Each line that the rival could still complete holds a pair of free cells of its own.
Whenever the rival plays on one cell of a pair the seat plays on the other, so that the rival
completes no line, and does not win.

*Mirroring* (after S. Golomb and A. Hales, "Hypercube tic-tac-toe", 2002). In misère play to one
line the seat answers each move on the cell that a permutation gives. The permutation swaps
cells in pairs. Player 2 needs one that keeps no playable cell in its place. Player 1 needs one
that keeps exactly one, and begins there. Each line either holds both cells of some pair, so that
it can never be all the seat's, or avoids the cell of that first move and is sent to another line:
by the time the seat would complete the first, the rival has completed the second, and lost.

Both have the envelope of all proof files (:mod:`hyperoxo.proof.envelope`). A pairing lists its
pairs, the lesser cell first, ascending; mirroring lists the same way the cells that answer each
other, and the cells that answer themselves alone on their rows::

    hyperoxo-pairing 1                      hyperoxo-mirroring 1
    sha256 5d0c...                          sha256 91ab...
    game 5^2                                game 3^2:misere
    position .........................      seat 1
    seat 2                                  claim draw
    claim draw                              creator -
    creator -                               answers 5
    pairs 12                                0 8
    0 1                                     1 7
    2 12                                    2 6
    ...                                     3 5
                                            4
"""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.errors import CheckFailedError, NotationError, SpecError, quoted
from hyperoxo.game import FREE, Game, Known, Position, Requires, Trait
from hyperoxo.proof.claim import Checker, Proof
from hyperoxo.proof.envelope import ClaimSchema, number

_PAIRING = Requires("pairing", {*Known.TARGETS, *Known.ROWS, *Known.OPENINGS})
_MIRRORING = Requires("mirroring", {Trait.MISERE})


class _Answers(Proof):
    """A draw at least, by answers to the moves of one other player."""

    claim = "draw"

    def __post_init__(self) -> None:
        if (players := self.game.players) != 2:
            raise SpecError(f"such an answer is for two players, and {self.game} has {players}")
        super().__post_init__()


@dataclass(frozen=True)
class Pairing(_Answers):
    """Pairing strategy: pairs of cells that secure a draw for a seat.

    Attributes
    ----------
    game : Game
        A game of two players.
    seat : int
        The player who answers inside the pair, 1 or 2.
    pairs : tuple of (int, int)
        The pairs.
    begins : Position or None
        First position; None for the start of the game.

    Raises
    ------
    SpecError
        If there are not two players, or no such seat.

    Examples
    --------
    >>> Pairing(Game("3{0+1}"), 2, ((0, 1),)).statement
    'player 2 gets at least a draw in 3{0+1} by pairing'
    """

    game: Game
    seat: int
    pairs: tuple[tuple[int, int], ...]
    begins: Position | None = None
    how = " by pairing"


@dataclass(frozen=True)
class Mirroring(_Answers):
    """Mirroring strategy: a permutation that secures at least a draw in a misère game.

    Attributes
    ----------
    game : Game
        A misère game of two players.
    seat : int
        The player who mirrors, 1 or 2.
    images : tuple of int
        The cell that each cell is answered with; for player 1 the one playable cell that is its
        own image is the first move.

    Raises
    ------
    SpecError
        If there are not two players, or no such seat.

    Examples
    --------
    >>> Mirroring(Game("3^2:misere"), 1, tuple(range(8, -1, -1))).statement
    'player 1 gets at least a draw in 3^2:misere by mirroring'
    """

    game: Game
    seat: int
    images: tuple[int, ...]
    begins = None
    how = " by mirroring"


@Checker
def check_pairing(pairing: Pairing, seen: set[bytes]) -> None:
    """Check a pairing in the position that it begins with."""
    game, position, seat = pairing.game, pairing.position, pairing.seat
    seen.add(position.owners)
    _PAIRING.check(game)
    if position.is_over:
        raise CheckFailedError(f"the game is over at {position.text}")
    # 1. The answer must be legal at once, so no opening may restrict the seat. A restricted rival
    # only has fewer moves.
    moved = -(-position.ply // 2)
    if seat == 1 and moved < game.opening_moves:
        raise CheckFailedError("player 1 cannot answer everywhere while the opening is restricted")
    # 2. Pairs are disjoint and free: `other` maps each paired cell to its partner.
    other: dict[int, int] = {}
    for one, two in pairing.pairs:
        for cell in (one, two):
            if not 0 <= cell < len(position.owners) or position.owners[cell] != FREE:
                raise CheckFailedError(f"cell {cell} is not free")
        if one == two or one in other or two in other:
            raise CheckFailedError(f"the pair {one}-{two} shares a cell with itself or another")
        other[one], other[two] = two, one
    # 3. Every line holds a stone of the seat, or both cells of a pair.
    for at in range(game.board.line_count):
        line = game.board.line(at).tolist()
        if any(position.owners[cell] == seat for cell in line):
            continue
        if not any(other.get(cell) in line for cell in line):
            raise CheckFailedError(f"the line {_joined(line)} holds no pair")


@Checker
def check_mirroring(mirroring: Mirroring, seen: set[bytes]) -> None:
    """Check that answering by a permutation never loses; see `check_pairing`."""
    game, images, blocked = mirroring.game, mirroring.images, set(mirroring.game.blocked)
    seen.add(mirroring.position.owners)
    _MIRRORING.check(game)
    # 1. An involution that keeps the blocked cells: the answer to a move is always free.
    cells = range(game.board.cell_count)
    if sorted(images) != list(cells) or any(images[images[cell]] != cell for cell in cells):
        raise CheckFailedError("the permutation does not swap cells in pairs")
    for cell in cells:
        if (cell in blocked) != (images[cell] in blocked):
            raise CheckFailedError(f"cell {cell} and its answer are not both playable")
    # 2. Player 1 begins on the one fixed cell; player 2 could not answer a move on such a cell.
    fixed = [cell for cell in cells if images[cell] == cell and cell not in blocked]
    if len(fixed) != 2 - mirroring.seat:
        raise CheckFailedError(_fixed_cells_sentence(fixed))
    # 3. A line with a swapped pair gets stones of both. Any other must avoid the fixed cell and
    # have a line as its image: the rival owns that one first, and loses.
    board = game.board
    lines = {frozenset(board.line(number).tolist()) for number in range(board.line_count)}
    for line in sorted(map(sorted, lines)):
        both = any(images[cell] in line for cell in line if images[cell] != cell)
        avoids = not any(cell in line for cell in fixed)
        if not both and not (avoids and frozenset(images[cell] for cell in line) in lines):
            raise CheckFailedError(
                f"the line {_joined(line)} may become all player {mirroring.seat}'s"
            )


def _fixed_cells_sentence(fixed: list[int]) -> str:
    if len(fixed) == 1:
        return f"cell {fixed[0]} is its own answer"
    return f"{len(fixed) or 'no'} cells are their own answers"


def _joined(line: list[int]) -> str:
    return "-".join(map(str, line))


def _image_rows(mirroring: Mirroring) -> list[str]:
    return [
        str(cell) if cell == image else f"{cell} {image}"
        for cell, image in enumerate(mirroring.images)
        if cell <= image
    ]


def _read_images(game: Game, rows: list[str]) -> tuple[int, ...]:
    answers: dict[int, int] = {}
    for row in rows:
        cells = _cells(row, 2 if " " in row else 1)
        answers[cells[0]], answers[cells[-1]] = cells[-1], cells[0]
    if sorted(answers) != list(range(game.board.cell_count)):
        raise NotationError(f"the file does not list each cell of {game}")
    return tuple(answers[cell] for cell in range(len(answers)))


def _cells(row: str, count: int) -> list[int]:
    words = row.split(" ")
    if len(words) != count:
        raise NotationError(f"{quoted(row)} is not a row of cells")
    return [number(word, "a cell") for word in words]


PAIRINGS = ClaimSchema(
    "pairing",
    "game position seat claim creator pairs",
    lambda game, seat, _, pairs, begins: Pairing(game, seat, pairs, begins),
    lambda pairing: [f"{one} {two}" for one, two in sorted(map(sorted, pairing.pairs))],
    lambda _, rows: tuple((one, two) for one, two in (_cells(row, 2) for row in rows)),
    ("draw",),
)
MIRRORINGS = ClaimSchema(
    "mirroring",
    "game seat claim creator answers",
    lambda game, seat, _, images, __: Mirroring(game, seat, images),
    _image_rows,
    _read_images,
    ("draw",),
)
pairing_text, read_pairing = PAIRINGS.write, PAIRINGS.read_proof
mirroring_text, read_mirroring = MIRRORINGS.write, MIRRORINGS.read_proof
