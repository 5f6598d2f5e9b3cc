"""No pairing: lines that have fewer than two cells each between them.

A pairing gives each line of a board two cells of its own. If some lines have fewer cells between
them than twice their number, there is none, and by Hall's theorem (P. Hall, On representatives of
subsets, 1935) there are such lines wherever there is none. The checker looks up that each is a line
of the board, and counts.

On n^d the lines may also be all that lie in the part where only the first k axes vary, which is a
board n^k: ((n+2)^k - n^k)/2 lines between n^k cells. Nothing is listed then::

    hyperoxo-no-pairing 1           hyperoxo-no-pairing 1
    sha256 5d0c...                  sha256 91ab...
    game 3^2                        game 9^8
    axes -                          axes 4
    creator -                       creator -
    lines 4                         lines 0
    0 1 2
    ...
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Axis, Game, Requires
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.envelope import FileSchema, number
from hyperoxo_research.proof.cubes import cube_lines, known_game, plain_cube

_ANY = Requires("counting cells of lines", Axis)


@dataclass(frozen=True)
class NoPairing:
    """Lines, each with its cells ascending, that have too few cells between them for two each.

    Instead of listed lines they may be all those of n^d along the first `axes` only. The game is
    spelled canonically; a plain n^d may be of any size.

    >>> found = NoPairing("3^2", ((0, 1, 2), (0, 3, 6), (0, 4, 8), (2, 4, 6), (2, 5, 8)))
    >>> check_no_pairing(found).claim
    'there are no two cells for each line of 3^2 alone'
    """

    game: str
    lines: tuple[tuple[int, ...], ...] = ()
    axes: int | None = None

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        return f"there are no two cells for each line of {self.game} alone"


@Checker
def check_no_pairing(found: NoPairing, _: set[bytes]) -> None:
    """Check that the lines are lines, and too many for their cells."""
    # Hall's condition: a pairing would need 2 * lines different cells among these.
    lines, cells = _count(found)
    if 2 * lines <= cells:
        raise CheckFailedError(f"{lines:,} lines have {cells:,} cells between them")


def _count(found: NoPairing) -> tuple[int, int]:
    """Count the lines and the cells on them."""
    # Lines along the first k axes through a fixed point of the others form a board n^k, whose lines
    # and cells a formula counts; so boards too large to build are covered.
    if found.axes is not None:
        cube = plain_cube(found.game)
        if cube is None or found.lines or not 1 <= found.axes <= cube[1]:
            raise CheckFailedError(f"{found.game} is not a board with {found.axes} axes")
        return cube_lines(cube[0], found.axes), cube[0] ** found.axes
    game = Game(found.game)
    _ANY.check(game)
    # Of the lines of a large board, millions, only those that begin in a listed cell.
    firsts = game.board.line_cells[game.board.line_ptr[:-1]]
    near = np.isin(firsts, [cell for line in found.lines for cell in line])
    known = {tuple(game.board.line(at).tolist()) for at in np.flatnonzero(near).tolist()}
    for line in found.lines:
        if line not in known:
            raise CheckFailedError(f"{'-'.join(map(str, line))} is not a line of {game}")
    # A line listed twice would count twice against the same cells.
    if len(set(found.lines)) < len(found.lines):
        raise CheckFailedError("a line is listed twice")
    return len(found.lines), len(set().union(*found.lines))


def _put(found: NoPairing) -> tuple[dict[str, object], list[str]]:
    axes = "-" if found.axes is None else found.axes
    return {"axes": axes}, [" ".join(map(str, line)) for line in sorted(found.lines)]


def _take(head: dict[str, str], rows: list[str]) -> NoPairing:
    lines = tuple(tuple(number(word, "a cell") for word in row.split(" ")) for row in rows)
    axes = head["axes"]
    count = None if axes == "-" else number(axes, "the number of axes")
    return NoPairing(known_game(head["game"]), lines, count)


FILE = FileSchema("no-pairing", "game axes creator lines", _put, _take)
no_pairing_text, read_no_pairing = FILE.write, FILE.read_proof
