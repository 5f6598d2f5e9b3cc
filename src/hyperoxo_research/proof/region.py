"""Proofs of the region of a two-player game, one of the five of S. Golomb and A. Hales.

1. The first player wins, whatever the two play.
2. No draw exists (and 1 is not so).
3. Draws exist, and the first player can force a win.
4. The second player can force a draw, and no pairing exists.
5. A pairing exists: two cells of its own for each line, by which the second player draws.

Each game of two players in which an additional stone does no harm is in exactly one of them, by
strategy stealing. A file is a concatenation of other proof files, each beginning with its own
first line. The checker compares the regions that they leave with those that the file claims:

- a pairing at the start leaves only 5; that there is none rules 5 out;
- that no draw exists leaves 1 and 2, also where it is about a board n^k within n^d;
- a full board without a line rules 1 and 2 out;
- a forced win of player 1 leaves 1 to 3; a draw of player 2, by a strategy, Breaker's key plan or
  one with zones, or that player 1 cannot force a win, leaves 4 and 5;
- a whole game that player 1 does not win (``play``) rules 1 out. That 1 is so the checker sees
  itself where no draw exists and there are few cells, and on boards of side 1 or 2, where every
  cell, or every two cells, are a line.

::

    hyperoxo-region 1
    sha256 5d0c...
    game 3^5
    regions 2
    play 0,3,1,4,6,5
    creator -
    lines 74
    hyperoxo-no-draw 1
    sha256 91ab...
    game 3^3
    ...
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from hyperoxo.errors import CheckFailedError, NotationError, quoted
from hyperoxo.game import Game, Requires, Trait
from hyperoxo.proof.answers import Pairing
from hyperoxo.proof.claim import Checker
from hyperoxo.proof.coalition import Prevention
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.envelope import FileSchema, number
from hyperoxo.proof.registry import KINDS
from hyperoxo.proof.strategy import Strategy
from hyperoxo.proof.zones import ZonePlan
from hyperoxo_research.proof.cubes import known_game, plain_cube
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.filling_cases import FillingCases
from hyperoxo_research.proof.full_board import DrawnBoard
from hyperoxo_research.proof.keyplan.plan import KeyPlan
from hyperoxo_research.proof.no_draw import NoDraw
from hyperoxo_research.proof.no_pairing import NoPairing

REGIONS = Requires(
    "the sorting into regions of Golomb and Hales", {Trait.ONE_LINE, Trait.SEVERAL_LINES}
)
"""The games that are in exactly one region."""

_ALL = frozenset({1, 2, 3, 4, 5})
_MOST_CHOICES = 50_000


@dataclass(frozen=True)
class RegionProof:
    """Proof files that together leave only some regions.

    Examples
    --------
    >>> check_region(RegionProof("2^3", (1,))).claim
    '2^3 is in region 1'
    """

    game: str
    """The game in its canonical spelling; a plain n^d may be of any size."""
    regions: tuple[int, ...]
    """Those that are left, ascending."""
    parts: tuple[bytes, ...] = ()
    """Proof files."""
    play: tuple[int, ...] = ()
    """Moves of a game that player 1 does not win; empty for none."""

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        return f"{self.game} is in region {' or '.join(map(str, self.regions))}"


@Checker
def check_region(found: RegionProof, _: set[bytes]) -> None:
    """Check all parts, and that they leave the regions claimed."""
    cube = plain_cube(found.game)
    if cube is None:
        REGIONS.check(Game(found.game))
    # 1. Each part that is proved leaves some regions; the intersection remains.
    left: frozenset[int] | set[int] = _ALL
    for place, part in enumerate(found.parts, 1):
        left &= _left_by_part(found.game, part, place)
    # 2. Region 1: ruled out by a game, or in by side 1 or 2, or else decided here if few cells.
    if found.play:
        game = Game(found.game)
        end = game.start()
        for cell in found.play:
            end = end.play(cell)
        if end.outcome is None or end.outcome.winner == 1:
            raise CheckFailedError("the play is not a whole game that player 1 does not win")
        left = left - {1}
    elif cube is not None and cube[0] <= 2 and (cube[0] == 1 or cube[1] > 1):
        left = left & {1}
    elif left == {1, 2}:
        always = first_always_wins(found.game)
        left = left if always is None else {1} if always else {2}
    if not left or tuple(sorted(left)) != found.regions:
        regions = ", ".join(map(str, sorted(left))) or "no region"
        raise CheckFailedError(f"the parts leave {regions}")


def _left_by_part(game: str, part: bytes, place: int) -> frozenset[int]:
    """Check one part, and return the regions that it leaves."""
    first = part.partition(b"\n")[0]
    kind = KINDS.get(first)
    if kind is None or kind.value not in _TELLING:
        named = quoted(first.decode("ascii"))
        raise CheckFailedError(f"part {place} is {named}, which does not restrict regions")
    value = kind.file.read_proof(part)
    verdict = kind.check(value)
    if not verdict.proved:
        raise CheckFailedError(f"part {place}: {verdict.reason}")
    left = _left_by(game, value)
    if left is None:
        raise CheckFailedError(f"part {place} does not restrict the region of {game}")
    return left


def _left_by(game: str, value: object) -> frozenset[int] | None:
    """Return the regions that a proof leaves; None if it is about something else."""
    # A full board of n^d without a line has one of n^k within it, so "no draw" of n^k carries over.
    # Shares of stones do not: such a proof must hold for any numbers of stones.
    if isinstance(value, NoDraw) and value.stones == "any" and _within(str(value.game), game):
        return _LEFT[NoDraw, None, None]
    named = str(getattr(value, "game", ""))
    begins = getattr(value, "position", None)
    if named != game or (begins is not None and begins.ply):
        return None
    key = type(value), getattr(value, "seat", None), getattr(value, "claim", None)
    return _LEFT.get(key)


_LEFT: dict[tuple[type, int | None, str | None], frozenset[int]] = {
    (NoDraw, None, None): frozenset({1, 2}),
    (Filling, None, None): frozenset({1, 2}),
    (FillingCases, None, None): frozenset({1, 2}),
    (DrawnBoard, None, None): frozenset({3, 4, 5}),
    (NoPairing, None, None): frozenset({1, 2, 3, 4}),
    (Dictionary, 1, "win"): frozenset({1, 2, 3}),
    (Pairing, 2, "draw"): frozenset({5}),
    (Strategy, 1, "win"): frozenset({1, 2, 3}),
    (Strategy, 2, "draw"): frozenset({4, 5}),
    (Prevention, 1, "no-win"): frozenset({4, 5}),
    (KeyPlan, 2, "draw"): frozenset({4, 5}),
    (ZonePlan, 2, "draw"): frozenset({4, 5}),
}
_TELLING = {value for value, _, _ in _LEFT}
"""The values of the kinds of proofs that say something of regions."""


def _within(part: str, whole: str) -> bool:
    """Return whether a plain board is a subcube n^k of another n^d; its lines are lines there."""
    one, other = plain_cube(part), plain_cube(whole)
    return bool(one and other and one[0] == other[0] and one[1] <= other[1])


def first_always_wins(spec: str) -> bool | None:
    """Return whether player 1 wins a game to one line without draws, whatever the two play.

    None if that would take too long, and for several lines.
    """
    # Player 2 can be first with a line of k cells if and only if player 1 can have k cells outside
    # of it without a line among them: the two play these in turn.
    game = Game(spec)
    if game.target > 1:
        return None
    board = game.board
    lines = [frozenset(board.line(at).tolist()) for at in range(board.line_count)]
    cells = [int(cell) for cell in board.playable]
    if sum(math.comb(len(cells) - len(line), len(line)) for line in lines) > _MOST_CHOICES:
        return None
    for line in lines:
        outside = [cell for cell in cells if cell not in line]
        for chosen in map(set, itertools.combinations(outside, len(line))):
            if not any(other <= chosen for other in lines):
                return False
    return True


def _put(found: RegionProof) -> tuple[dict[str, object], list[str]]:
    rows = [row for part in found.parts for row in part.decode("ascii").split("\n")[:-1]]
    play = ",".join(map(str, found.play)) or "-"
    return {"regions": ",".join(map(str, found.regions)), "play": play}, rows


def _take(head: dict[str, str], rows: list[str]) -> RegionProof:
    starts = [at for at, row in enumerate(rows) if row.startswith("hyperoxo-")]
    if starts[:1] != [0] and rows:
        raise NotationError("the parts do not begin with the first line of a proof file")
    parts = tuple(
        "".join(f"{row}\n" for row in rows[begin:end]).encode("ascii")
        for begin, end in zip(starts, [*starts, len(rows)][1:], strict=True)
    )
    regions = tuple(number(one, "a region") for one in head["regions"].split(","))
    play = head["play"]
    moves = () if play == "-" else tuple(number(one, "a move") for one in play.split(","))
    return RegionProof(known_game(head["game"]), regions, parts, moves)


FILE = FileSchema("region", "game regions play creator lines", _put, _take)
region_text, read_region = FILE.write, FILE.read_proof
