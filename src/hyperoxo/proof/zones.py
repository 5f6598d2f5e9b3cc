"""Plans of Maker-Breaker games, with a row only where the rival's move makes a difference.

One player, the *maker*, wants whole lines, the *breaker* wants to prevent that; another stone never
harms either. So each part of a plan has a *zone*, free cells that it rests on: it holds even if all
other free cells are the rival's. A move outside the zone of what refutes another move is refuted
by the same plan, and need not be listed.

The checker computes zones itself, from the ends of the plan upwards:

- *A move* of the plan: its cell, and the zone of the position after it.
- *The rival to move:* every free cell on a live line must lie outside the zone of some listed
  reply's plan, or be such a reply. The zone is all of these zones together.
- *A threat.* A line that the maker completes in their next turn is a zone by itself: the breaker's
  move is in it. With one cell left of the turn it is in all such lines.
- *A leaf* of a breaker's plan, either player to move: pairs of free cells are listed; the breaker
  answers inside the pair. With a maker of a cells a turn and a breaker of b, lines that hold no
  pair weigh r^-(free cells in no pair) each, r^a = 1 + b. With l cells left of the breaker's turn
  their sum, and b - l times the largest part of it that one cell is on, is below the target; with m
  cells left of the maker's turn r^m - 1 times that part, where lines with fewer than m free cells
  count whole and are not part of it: the breaker takes the cells that weigh most (P. Erdős and J.
  Selfridge 1973; J. Beck 1982). For a maker of several cells a turn no pairs are listed.

Cells on no live line play no part; positions are listed as if the breaker had them, by the form of
:mod:`hyperoxo.proof.canonical`, and by the place in the round of turns. A row is a position, that
place, and what the plan does there::

    hyperoxo-zones 1
    sha256 0d3f...
    game 4,4,3:convention=maker-breaker
    position ................
    seat 1
    claim win
    creator -
    symmetries 8
    rows 9
    ................ 0 5             the plan's move
    ...1.2.......... 0 9:0+1         the plan's move; from then on these pairs, and weights
    ....1........... 1 *             the rival moves, and this is listed as the reply to a move
    ................ 0 :0+1,2+3      from here on these pairs, and weights

No search and no compiled code takes part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from hyperoxo.errors import CheckFailedError, NotationError, quoted
from hyperoxo.game import FREE, Game, Known, Position, Requires, Trait, spelled
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.claim import Checker, Proof
from hyperoxo.proof.envelope import ClaimSchema, number, owners_text, text_owners, with_stone

_TURNS = {*Known.BIASES, *Known.STARTS, *Known.TARGETS, *Known.OPENINGS}
_WINS = Requires("checking plans that win", {Trait.MAKER_BREAKER, *_TURNS})
_DRAWS = Requires("checking plans that draw", {Trait.STRONG, *_TURNS})
_DOES = re.compile(r"(\*)|(\d+)?(?::((?:\d+\+\d+(?:,\d+\+\d+)*)?))?")


class Step(NamedTuple):
    """A plan's entry for a position: a move or None, and the pairs of a leaf or None."""

    move: int | None = None
    pairs: tuple[tuple[int, int], ...] | None = None

    def __str__(self) -> str:
        if self == Step():
            return "*"
        pairs = "" if self.pairs is None else ":" + ",".join(f"{a}+{b}" for a, b in self.pairs)
        return ("" if self.move is None else str(self.move)) + pairs


@dataclass(frozen=True)
class ZonePlan(Proof):
    """Plan of a player to complete lines, or to keep the rival from any line.

    It claims a ``"win"`` in Maker-Breaker play, and in normal play a ``"draw"`` at least, where it
    keeps the other player from completing any line. The steps are what it does, by the form of a
    position and the place in the round of turns.

    >>> plan = ZonePlan(Game("2^2:convention=maker-breaker"), 1, "win", {})
    >>> plan.statement
    'player 1 wins 2^2:convention=maker-breaker'
    """

    game: Game
    seat: int
    claim: str
    steps: Mapping[tuple[bytes, int], Step]
    begins: Position | None = None

    @property
    def maker(self) -> int:
        """The player who wants lines."""
        return 1 if self.claim == "win" else 3 - self.seat


class Lines:
    """Maker's live lines in a position, as sets of free cells."""

    def __init__(self, game: Game, maker: int, target: int) -> None:
        self.game, self.maker, self.target = game, maker, target
        board = game.board
        self.lines = [frozenset(board.line(i).tolist()) for i in range(board.line_count)]
        self.cells, self.breaker_cells = game.turns.bias[maker - 1], game.turns.bias[2 - maker]

    def live_lines(self, owners: bytes) -> tuple[list[frozenset[int]], bytes]:
        """Return the free cells of each live line, and the position with dead cells given away."""
        own_or_free = {FREE, self.maker}
        live = [line for line in self.lines if all(owners[cell] in own_or_free for cell in line)]
        inside = frozenset[int]().union(*live)
        given = bytearray(owners)
        for cell, owner in enumerate(owners):
            if owner in own_or_free and cell not in inside:
                given[cell] = 3 - self.maker
        return [frozenset(c for c in line if owners[c] == FREE) for line in live], bytes(given)

    def missing(self, live: list[frozenset[int]]) -> int:
        """Return the number of lines Maker still needs."""
        return self.target - sum(not free for free in live)

    def threats(self, live: list[frozenset[int]], cells: int) -> list[frozenset[int]]:
        """Return the lines that are completed, as the last one needed, by this many cells."""
        if self.missing(live) != 1:
            return []
        return sorted((f for f in live if 0 < len(f) <= cells), key=lambda f: (len(f), sorted(f)))

    def leaf_zone(
        self,
        live: list[frozenset[int]],
        making: bool,
        left: int,
        pairs: tuple[tuple[int, int], ...],
    ) -> frozenset[int] | None:
        """Return the zone of a leaf, None if it fails.

        It is the maker's turn, or else the breaker's, with some cells left of it.
        """
        # 1. Pairs must be disjoint, and free cells on live lines. Breaker answers inside the pair
        # at once, so that a Maker of one stone a turn gets at most one cell of each.
        cells = [cell for pair in pairs for cell in pair]
        inside = frozenset[int]().union(*live)
        if len(set(cells)) < len(cells) or not inside.issuperset(cells):
            return None
        if self.cells > 1 and pairs:
            return None
        # 2. Integer arithmetic in units of 1/part; roots are rounded up, against the claim. Weights
        # are r^-(free cells) with r^a = base = 1 + b: a turn of Maker, a stones, raises the sum by
        # at most b times the heaviest cell, and a turn of Breaker, b stones, lowers it as much.
        paired = frozenset(cells)
        base, longest = 1 + self.breaker_cells, max(map(len, live), default=0)
        part = base**longest << 64
        total, on_cell = 0, dict.fromkeys(paired, 0)
        for free in live:
            # 3. A line that holds a pair is safe. Of any other, Maker may get all paired cells, so
            # only unpaired ones count as free. In Maker's turn, one with fewer of them than stones
            # left counts as complete: its weight is 1 and grows no more.
            if any(a in free and b in free for a, b in pairs):
                continue
            rest = free - paired
            whole = making and len(rest) < left
            worth = part if whole else _root_above(part, self.cells, base, len(rest))
            total += worth
            for cell in rest:
                on_cell[cell] = on_cell.get(cell, 0) + (0 if whole else worth)
        # 4. Most that the sum may gain until Breaker's next turn begins. In Breaker's turn with
        # `left` of b stones to come, Maker's next turn outweighs the b - left stones that are
        # missing; in Maker's, `left` stones multiply by r^left the lines that hold them all, and by
        # convexity the gain is at most (r^left - 1) times the heaviest cell. A final sum below the
        # target means fewer completed lines than that, since each of them weighs 1.
        heaviest = max(on_cell.values(), default=0)
        gain = part * (self.breaker_cells - left)
        if making:
            gain = _root_above(part * base, self.cells, base, self.cells - left) - part
        holds = part * total + gain * heaviest < self.target * part**2
        return frozenset(on_cell) if holds else None


@lru_cache(maxsize=1024)
def _root_above(part: int, degree: int, base: int, k: int) -> int:
    """Return the least whole number that is at least part * base^(-k/degree)."""
    low, high = 1, part
    while low < high:
        middle = (low + high) // 2
        if middle**degree * base**k >= part**degree:
            high = middle
        else:
            low = middle + 1
    return low


def lines_of(plan: ZonePlan) -> Lines:
    """Return Maker's lines for a plan; refuse unsupported rules."""
    (_WINS if plan.claim == "win" else _DRAWS).check(plan.game)
    if plan.position.ply < plan.game.opening_plies:
        raise CheckFailedError("a plan begins when the opening restricts no more moves")
    return Lines(plan.game, plan.maker, plan.game.target if plan.claim == "win" else 1)


@Checker
def check_zones(plan: ZonePlan, seen: set[bytes]) -> None:
    """Check a plan that is in memory; positions are those walked through, by their forms."""
    walker = Walker(plan, lines_of(plan))
    walker.zone(plan.position.owners, plan.position.ply)
    seen.update(form + b"%d" % place for form, place in walker.known)
    spare = [key for key in plan.steps if key not in walker.used]
    if spare:
        are = "row is" if len(spare) == 1 else "rows are"
        raise CheckFailedError(f"{len(spare)} {are} never needed, for {spelled(spare[0][0])}")


class Walker:
    """Computes the zones of a plan, once for each form: for the position first met."""

    def __init__(self, plan: ZonePlan, lines: Lines) -> None:
        self.plan, self.lines, self.steps = plan, lines, plan.steps
        self.turns = plan.game.turns
        self.forms = canonical_forms_of(plan.game)
        # Zones as cells of the form, the position where each form was first met, and the rows used;
        # keys are the form and the place in the round of turns.
        self.known: dict[tuple[bytes, int], frozenset[int]] = {}
        self.first: dict[tuple[bytes, int], bytes] = {}
        self.used: set[tuple[bytes, int]] = set()

    def zone(self, owners: bytes, ply: int) -> frozenset[int]:
        """Return the cells that the plan rests on here."""
        # Live lines decide everything, so positions that differ in dead cells alone share a key. An
        # image of a zone is a zone of the image, if not the one that the image itself would get.
        live, given = self.lines.live_lines(owners)
        form, cells = self.forms.locate(given)
        key = form, ply % len(self.turns.cycle)
        if key not in self.known:
            self.first[key] = owners
            step = self.steps.get(key)
            if step is not None:
                self.used.add(key)
                step = on_board(step, cells)
            zone = self._zone(owners, ply, live, step)
            at = {cell: i for i, cell in enumerate(cells)}
            self.known[key] = frozenset(at[cell] for cell in zone)
        return frozenset(cells[cell] for cell in self.known[key])

    def _zone(
        self, owners: bytes, ply: int, live: list[frozenset[int]], step: Step | None
    ) -> frozenset[int]:
        lines, seat = self.lines, self.plan.seat
        making = self.turns.mover(ply) == lines.maker
        left = self.turns.left(ply)
        # 1. Decided: Maker has the lines needed, no line is live, or Maker completes the last line
        # in this turn, which needs the cells of that line.
        if lines.missing(live) <= 0:
            return self._settled(seat == lines.maker, owners)
        if not any(live):
            return self._settled(seat != lines.maker, owners)
        if making and (threats := lines.threats(live, left)):
            return self._settled(seat == lines.maker, owners) | threats[0]
        # 2. The plan's own move, or the rival's moves.
        if self.turns.mover(ply) == seat:
            return self._own(owners, ply, live, step)
        if step is not None and step.move is not None:
            raise CheckFailedError(f"a move is stored where the rival moves, in {spelled(owners)}")
        if step is not None and step.pairs is not None:
            return self._leaf(owners, ply, step.pairs)
        return self._rivals(owners, ply, live, left)

    def _settled(self, well: bool, owners: bytes) -> frozenset[int]:
        if not well:
            raise CheckFailedError(f"the claim fails in {spelled(owners)}")
        return frozenset()

    def _own(
        self, owners: bytes, ply: int, live: list[frozenset[int]], step: Step | None
    ) -> frozenset[int]:
        if step is not None and step.move is None and step.pairs is not None:
            return self._leaf(owners, ply, step.pairs)
        if step is None or step.move is None:
            raise CheckFailedError(f"no move is stored for position {spelled(owners)}")
        if not any(step.move in free for free in live):
            raise CheckFailedError(
                f"the move stored for position {spelled(owners)}, {step.move}, "
                "is not a free cell on a live line"
            )
        after = with_stone(owners, step.move, self.plan.seat)
        if step.pairs is not None:
            return self._leaf(after, ply + 1, step.pairs) | {step.move}
        return self.zone(after, ply + 1) | {step.move}

    def _leaf(self, owners: bytes, ply: int, pairs: tuple[tuple[int, int], ...]) -> frozenset[int]:
        lines = self.lines
        live, _ = lines.live_lines(owners)
        zone = None
        if self.plan.seat != lines.maker:
            making = self.turns.mover(ply) == lines.maker
            zone = lines.leaf_zone(live, making, self.turns.left(ply), pairs)
        if zone is None:
            raise CheckFailedError(f"pairs and weights do not hold in {spelled(owners)}")
        return zone

    def _rivals(
        self, owners: bytes, ply: int, live: list[frozenset[int]], left: int
    ) -> frozenset[int]:
        """Find for every move of the rival a listed reply to it or to another that refutes it."""
        # `open_moves` are the moves not refuted yet; moves on dead cells change nothing.
        open_moves = set[int]().union(*live)
        zone = set[int]()
        if self.plan.seat == self.lines.maker:
            # 1. Breaker must take a cell of each line that Maker completes next turn. With one
            # stone left it has to be on all of them. With more, the order of the stones within a
            # turn is free, so the first may be taken to hit one of these lines, but not two.
            threats = self.lines.threats(live, self.lines.cells)
            for line in threats if left == 1 else threats[:1]:
                open_moves &= line
                zone |= line
        # 2. Follow the listed replies, those to moves on many lines first. The plan after `move`
        # holds even if all free cells outside its zone are the rival's; so it refutes every move
        # outside it, too, where the rival has that cell instead of `move`.
        for move in by_lines(open_moves, live):
            after = with_stone(owners, move, 3 - self.plan.seat)
            if move in open_moves and self.listed(after, ply + 1):
                found = self.zone(after, ply + 1)
                open_moves = (open_moves & found) - {move}
                zone |= found
        self._answered(owners, ply, live, open_moves, zone)
        return frozenset(zone)

    def _answered(
        self,
        owners: bytes,
        ply: int,
        live: list[frozenset[int]],
        open_moves: set[int],
        zone: set[int],
    ) -> None:
        """Refuse a plan that leaves moves of the rival unanswered."""
        if not open_moves:
            return
        missed = ",".join(map(str, sorted(open_moves)[:5]))
        raise CheckFailedError(f"nothing answers the moves {missed} in {spelled(owners)}")

    def listed(self, owners: bytes, ply: int) -> bool:
        """True if a position after a move of the rival is listed, or needs no row."""
        live, given = self.lines.live_lines(owners)
        form, _ = self.forms.locate(given)
        if (form, ply % len(self.turns.cycle)) in self.steps:
            return True
        # Decided positions, and threats that Maker carries out, need no row.
        if self.plan.seat == self.lines.maker:
            making = self.turns.mover(ply) == self.lines.maker
            return making and bool(self.lines.threats(live, self.turns.left(ply)))
        return not any(live)


def by_lines(cells: Iterable[int], live: list[frozenset[int]]) -> list[int]:
    """Sort cells by the number of live lines through them, most first."""
    count = Counter(cell for free in live for cell in free)
    return sorted(cells, key=lambda cell: (-count[cell], cell))


def on_board(step: Step, cells: bytes | range) -> Step:
    """Return a step of a form on the cells of the position itself."""
    listed = [cell for pair in step.pairs or () for cell in pair]
    if step.move is not None:
        listed.append(step.move)
    if any(cell >= len(cells) for cell in listed):
        raise CheckFailedError(f"the step '{step}' names a cell that does not exist")
    pairs = step.pairs
    if pairs is not None:
        pairs = tuple((cells[a], cells[b]) for a, b in pairs)
    return Step(None if step.move is None else cells[step.move], pairs)


def _rows(plan: ZonePlan) -> list[str]:
    """Write positions, their places in the round and steps, ascending."""
    size = plan.game.board.cell_count
    return [
        f"{owners_text(form, size)} {place} {step}"
        for (form, place), step in sorted(plan.steps.items())
    ]


def _steps(game: Game, rows: list[str]) -> dict[tuple[bytes, int], Step]:
    """Inverse of `_rows`."""
    steps = {}
    for row in rows:
        position, _, rest = row.partition(" ")
        place, _, does = rest.partition(" ")
        read = _DOES.fullmatch(does)
        if read is None or not does:
            raise NotationError(f"{quoted(does)} is not a step of a plan")
        _, move, listed = read.groups()
        pairs = None
        if listed is not None:
            halves = [pair.split("+") for pair in listed.split(",")] if listed else []
            pairs = tuple((number(a, "a cell"), number(b, "a cell")) for a, b in halves)
        step = Step(None if move is None else number(move, "a move"), pairs)
        owners = text_owners(position, game.board.cell_count)
        steps[owners, number(place, "a place in the round")] = step
    if len(steps) != len(rows):
        raise NotationError("a position is listed twice")
    return steps


FILE = ClaimSchema(
    "zones", "game position seat claim creator symmetries rows", ZonePlan, _rows, _steps
)
zones_text, read_zones = FILE.write, FILE.read_proof
