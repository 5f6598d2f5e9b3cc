"""Proofs of lower bounds on the losing leaves of line tables.

An agent that plays by a line table makes the move whose lines gain most by it: for each line
through the cell the table says what one more own stone is worth, by the stones on the line. A full
own line beats everything. Losing leaves are the lines of play that the seat loses when it follows
the agent and the rival tries everything, either with every move followed that is as good as the
best, or with the lowest cell of those.

The proof goes through what the agent may do. At a position it plays one group of moves whose lines
hold the same stones, which no table tells apart; so one group gains more than each other one, or
as much where the lowest cell decides. (Where every tie is followed, a table by which two groups are
as good as each other has all the losing leaves of one that differs from it by very little and
prefers one of them.) Each group is given up for a reason, or followed to a further position:

- ``lost``: with what is decided so far there are enough losing leaves, whatever else is played;
- ``no 0.2*1 3.1*2``: comparison 2 of the first decision and twice comparison 1 of the fourth add up
  to nothing gained on either side, and one of them says that it is more than nothing;
- ``on``: a position follows.

With `by_ply` the numbers may be others at every ply.

The file has the envelope of all proof files (:mod:`hyperoxo.proof.envelope`)::

    hyperoxo-table-bound 1
    sha256 5d0c...
    game 3^2
    seat 2
    ties every
    tables one
    leaves 16
    creator -
    steps 83
    at 1........
    lost
    on
    at 1...2..1.
    no 0.1*1 1.2*1
    ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hyperoxo.errors import CheckFailedError, NotationError, SpecError, quoted
from hyperoxo.game import FREE, Game, Requires, Trait
from hyperoxo.proof.canonical import canonical_forms_of
from hyperoxo.proof.claim import Checker, Proof
from hyperoxo.proof.envelope import FileSchema, number, text_owners

TABLES = Requires(
    "a bound on line tables",
    {Trait.STRONG, Trait.TWO_PLAYERS, Trait.ONE_LINE, Trait.ANY_CELL, Trait.FREE_OPENING},
)
_TIES, _KINDS = ("every", "lowest"), ("one", "by-ply")

Gains = dict[tuple[int, int, int, int], int]
"""Counts of lines by kind of gain: ply (0 if one table serves all), size, own, rivals' stones."""
Comparison = tuple[Gains, bool]
"""A linear form in the gains that is above 0, or with False not below it."""


@dataclass(frozen=True)
class TableBound(Proof):
    """A proof that every line table has some losing leaves as a seat.

    Examples
    --------
    >>> TableBound(Game("3^2"), 2, 16, False, False, ()).statement
    'every line table has at least 16 losing leaves in 3^2 as player 2, every tie tried'
    """

    game: Game
    """A game of two players, won by the first line."""
    seat: int
    """The seat that plays by the table, 1 or 2."""
    leaves: int
    """Losing leaves that every table has at least."""
    lowest: bool
    """True if only the lowest of equal moves is followed."""
    by_ply: bool
    """True if the bound holds even for a separate table at every ply."""
    steps: tuple[str, ...]
    """The proof."""
    begins = None
    claim = "losses"
    claims = (claim,)

    def __post_init__(self) -> None:
        TABLES.check(self.game)
        super().__post_init__()
        if self.leaves < 1:
            raise SpecError(f"a bound is at least 1, not {self.leaves}")

    @property
    def statement(self) -> str:
        """The claim as a sentence."""
        tables = "every line table, even one for each ply," if self.by_ply else "every line table"
        ties = "ties to the lowest cell" if self.lowest else "every tie tried"
        leaves = "losing leaf" if self.leaves == 1 else "losing leaves"
        losses = f"at least {self.leaves} {leaves} in {self.game} as player {self.seat}"
        return f"{tables} has {losses}, {ties}"


@Checker
def check_bound(bound: TableBound, seen: set[bytes]) -> None:
    """Check a bound on line tables."""
    _Walk(bound, seen).check()


def _put(bound: TableBound) -> tuple[dict[str, object], tuple[str, ...]]:
    ties, tables = _TIES[bound.lowest], _KINDS[bound.by_ply]
    head = {"seat": bound.seat, "ties": ties, "tables": tables, "leaves": bound.leaves}
    return head, bound.steps


def _take(head: dict[str, str], steps: list[str]) -> TableBound:
    ties, tables = head["ties"], head["tables"]
    if ties not in _TIES or tables not in _KINDS:
        raise NotationError(f"the ties are {quoted(ties)} and the tables {quoted(tables)}")
    return TableBound(
        Game(head["game"]),
        number(head["seat"], "the seat"),
        number(head["leaves"], "the number of leaves"),
        ties == _TIES[1],
        tables == _KINDS[1],
        tuple(steps),
    )


FILE = FileSchema("table-bound", "game seat ties tables leaves creator steps", _put, _take)
bound_text, read_bound = FILE.write, FILE.read_proof


class _Walk:
    """The checker: walks through the steps of a proof, which are a decision tree in preorder."""

    def __init__(self, bound: TableBound, seen: set[bytes]) -> None:
        self.bound, self._seen = bound, seen
        board = bound.game.board
        lines = [board.line(i).tolist() for i in range(board.line_count)]
        self._through = [
            [line for line in lines if cell in line] for cell in range(board.cell_count)
        ]
        self._start = bound.game.start().owners
        self._forms = canonical_forms_of(bound.game)
        self._least: dict[bytes, int] = {}

    def check(self) -> None:
        """Raise `CheckFailedError` for the first fault of the proof."""
        TABLES.check(self.bound.game)
        steps = iter(self.bound.steps)
        self._position(steps, {}, [])
        if next(steps, None) is not None:
            raise CheckFailedError("the proof continues after its end")

    def _position(
        self,
        steps: Iterator[str],
        made: dict[bytes, tuple[int, ...]],
        held: list[list[Comparison]],
    ) -> None:
        """Check all choices of the agent at one position of the decision tree."""
        # `made`: the cells followed at each decided position. `held`: the comparisons that these
        # decisions imply, a list for each.
        # 1. A position where the seat chooses by the table; moves that gain the same are one group.
        word, _, text = _step(steps).partition(" ")
        if word != "at":
            raise CheckFailedError(f"expected a position, not {quoted(word)}")
        owners = text_owners(text, len(self._start))
        self._check_position(owners)
        name = self._name(owners)
        groups = self._groups(name)
        # 2. Whatever the table, one group gains most: each of them must be refuted or followed.
        for chosen, (cells, gains) in enumerate(groups):
            # The group gains more than each other one; if ties go to the lowest cell, more only
            # than groups with a lower first cell, and as much as the rest.
            compared = [
                (_minus(gains, theirs), not self.bound.lowest or others[0] < cells[0])
                for i, (others, theirs) in enumerate(groups)
                if i != chosen
            ]
            followed = cells[:1] if self.bound.lowest else cells
            decided = {**made, name: followed}
            # 3. The reason: enough losses, a contradiction of comparisons, or a further position.
            word, _, rest = _step(steps).partition(" ")
            if word == "lost":
                # A lower bound on losing leaves, with these moves decided.
                found = self._count(self._name(self._start), decided, {})
                if found < self.bound.leaves:
                    raise CheckFailedError(
                        f"at {text} cell {cells[0]} may lose only {found} leaves"
                    )
            elif word == "no":
                _check_contradiction([*held, compared], rest)
            elif word == "on":
                self._position(steps, decided, [*held, compared])
            else:
                raise CheckFailedError(f"{quoted(word)} is not a reason to give up a move")

    def _check_position(self, owners: bytes) -> None:
        """Check that the seat chooses among its moves by the table."""
        if [owner > 2 for owner in owners] != [owner > 2 for owner in self._start]:
            raise CheckFailedError("the blocked cells are not those of the game")
        ones, twos = owners.count(1), owners.count(2)
        if ones - twos not in (0, 1) or self._mover(owners) != self.bound.seat:
            raise CheckFailedError(f"player {self.bound.seat} is not to move")
        free = [cell for cell, owner in enumerate(owners) if owner == FREE]
        if not free or any(self._completes(owners, cell) for cell in free):
            raise CheckFailedError("the agent completes a line, or the board is full")

    def _groups(self, owners: bytes) -> list[tuple[tuple[int, ...], Gains]]:
        """Return the moves grouped by their gains, in the order of their lowest cells."""
        groups: list[tuple[list[int], Gains]] = []
        for cell, owner in enumerate(owners):
            if owner != FREE:
                continue
            gains = self._gains(owners, cell)
            same = [cells for cells, others in groups if others == gains]
            if same:
                same[0].append(cell)
            else:
                groups.append(([cell], gains))
        return [(tuple(cells), gains) for cells, gains in groups]

    def _gains(self, owners: bytes, cell: int) -> Gains:
        mover = self._mover(owners)
        ply = owners.count(1) + owners.count(2) if self.bound.by_ply else 0
        gains: Gains = {}
        for line in self._through[cell]:
            own = sum(owners[other] == mover for other in line)
            rivals = sum(owners[other] == 3 - mover for other in line)
            key = ply, len(line), own, rivals
            gains[key] = gains.get(key, 0) + 1
        return gains

    def _count(
        self, owners: bytes, made: dict[bytes, tuple[int, ...]], known: dict[bytes, int]
    ) -> int:
        # The rival tries everything, so leaves add up; at a decided position the seat follows its
        # moves; at any other one it is assumed to play best, which can only be fewer leaves.
        if owners in known:
            return known[owners]
        self._seen.add(owners)
        free = [cell for cell, owner in enumerate(owners) if owner == FREE]

        def below(cell: int) -> int:
            after = self._played(owners, cell)
            return self._count(self._name(after), made, known) if FREE in after else 0

        if self._mover(owners) != self.bound.seat:
            found = sum(1 if self._completes(owners, cell) else below(cell) for cell in free)
        elif any(self._completes(owners, cell) for cell in free):
            found = 0
        elif owners in made:
            found = sum(below(cell) for cell in made[owners])
        elif made:
            # Decisions below are ignored, so that all choices share what best play leaves.
            found = self._count(owners, {}, self._least)
        else:
            found = min(map(below, free))
        known[owners] = found
        return found

    def _completes(self, owners: bytes, cell: int) -> bool:
        mover = self._mover(owners)
        return any(
            all(other == cell or owners[other] == mover for other in line)
            for line in self._through[cell]
        )

    def _played(self, owners: bytes, cell: int) -> bytes:
        return owners[:cell] + bytes([self._mover(owners)]) + owners[cell + 1 :]

    @staticmethod
    def _mover(owners: bytes) -> int:
        return (owners.count(1) + owners.count(2)) % 2 + 1

    def _name(self, owners: bytes) -> bytes:
        """Equivalent positions are one, unless the lowest cell decides."""
        return owners if self.bound.lowest else self._forms.of(owners)


def _step(steps: Iterator[str]) -> str:
    found = next(steps, None)
    if found is None:
        raise CheckFailedError("the proof ends too early")
    return found


def _minus(ours: Gains, theirs: Gains) -> Gains:
    keys = {*ours, *theirs}
    return {key: ours.get(key, 0) - theirs.get(key, 0) for key in keys}


def _check_contradiction(held: list[list[Comparison]], text: str) -> None:
    """Check that positive multiples of comparisons add up to 0 > 0."""
    # A Farkas certificate: the gains cancel, and one comparison is strict, so no table fulfils all.
    total: Gains = {}
    strictly = False
    for part in text.split(" "):
        place, _, factor = part.partition("*")
        decision, _, other = place.partition(".")
        i, j = number(decision, "a decision"), number(other, "a comparison")
        times = number(factor, "a multiplier")
        if i >= len(held) or j >= len(held[i]) or not times:
            raise CheckFailedError(f"there is no comparison {quoted(part)}")
        gains, strict = held[i][j]
        strictly |= strict
        for key, count in gains.items():
            total[key] = total.get(key, 0) + times * count
    if not strictly or any(total.values()):
        raise CheckFailedError(f"the comparisons {quoted(text)} do not contradict each other")
