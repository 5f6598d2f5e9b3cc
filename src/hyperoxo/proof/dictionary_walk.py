"""Exhaustive walk over the defender's replies to a dictionary of strategic moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hyperoxo.game import FREE, Game, spelled
from hyperoxo.proof.claim import Failure
from hyperoxo.proof.dictionary import Dictionary, Leaves, Sequences
from hyperoxo.proof.dictionary_loops import answer, invariants, mark_completing, sift, table_of
from hyperoxo.proof.envelope import with_stone
from hyperoxo.proof.forced import search_of
from hyperoxo.proof.forced_loops import OUT_OF_NODES, longest, replay, search
from hyperoxo.proof.images import Cells, locate
from hyperoxo.proof.tables import Stones, Tables, Words, stones_of

UNDECIDED = "the search for a forced win ran out of positions"
MISSING = "no move is listed and there is no forced win"
NOT_STORED = "no move is listed and no stored sequence wins"

# Kinds of a reply (`sift`), and two fates (`answer`).
LISTED = 1
THREATENS = 2
FORKS = 3
NONE_FOUND = -1
GAVE_UP = -2


@dataclass(slots=True)
class Node:
    """A position of the walk, the one before it, and the cell played there."""

    owners: bytes
    before: Node | None = None
    cell: int = -1

    def played(self, cell: int, player: int) -> Node:
        """Return the position after one more stone."""
        return Node(with_stone(self.owners, cell, player), self, cell)

    @property
    def line(self) -> tuple[int, ...]:
        """Cells played since the walk began."""
        cells, node = [], self
        while node.before is not None:
            cells.append(node.cell)
            node = node.before
        return tuple(reversed(cells))


class Walk:
    """Breadth-first walk over all defences; collects failures instead of raising them."""

    def __init__(
        self,
        dictionary: Dictionary,
        *,
        nodes: int,
        examples: int = 5,
        leaves: Leaves | None = None,
    ) -> None:
        self.dictionary = dictionary
        self.game: Game = dictionary.game
        self.attacker = dictionary.seat
        self.defender = 3 - dictionary.seat
        self.nodes = nodes if leaves is None else 0
        self.leaves = leaves
        self.found: dict[bytes, Sequences] = {}
        self.blocks: dict[bytes, int] = {}
        self.examples = examples
        self.seen: set[bytes] = set()
        self.used: set[bytes] = set()
        self.failures: list[Failure] = []
        self.quiet = self.failed = self.missing = self.replies = 0
        self.search = search_of(self.game)
        # Forms already counted as missing, so that each is reported once.
        self._lost: set[bytes] = set()
        # Attacker's moves still to follow: position, its form, cell of the position under each
        # cell of the form, and the move as a cell of the position.
        self._waiting: deque[tuple[Node, bytes, Cells, int]] = deque()
        cells = self.game.board.cell_count
        self._longest = longest(self.search.tables)
        self._listed = _table(dictionary, self.search.tables)
        # Scratch of the compiled loops. The forced sequences of one attacker's move are rows
        # 0..`_known`-1 of `_sequences`, of `_lengths` moves each; `_needed` has the rows that won.
        # At most one row is added by a reply and one by a pass, so N + 2 rows suffice.
        self._found = np.zeros((2, cells), np.uint8)
        self._kinds = np.zeros(cells, np.int8)
        self._fates = np.zeros(cells, np.int16)
        self._sequences = np.zeros((cells + 2, self._longest + 2), np.int16)
        self._lengths = np.zeros(cells + 2, np.int64)
        self._known = 0
        self._needed: set[int] = set()

    def run(self) -> Iterator[int]:
        """Walk; yield the number of attacker's moves followed so far."""
        begins = self.dictionary.position
        start = Node(begins.owners)
        if begins.outcome is not None:
            if self.attacker not in begins.outcome.winners:
                self._fail(start, "the game is over")
            return
        # The first position has no attacker's move before it; its sequences have the key b"".
        as_it_is = np.arange(len(begins.owners), dtype=np.uint16)
        self._take_sequences(b"", as_it_is)
        if begins.to_move == self.attacker:
            self._attack(start)
        else:
            self._defend(start, listed=False)
        self._keep_sequences(start, b"", as_it_is)
        walked = 0
        while self._waiting:
            node, form, cells, move = self._waiting.popleft()
            after = node.played(move, self.attacker)
            self._take_sequences(form, cells)
            self._defend(after, listed=form in self.used)
            self._keep_sequences(after, form, cells)
            walked += 1
            yield walked

    def _take_sequences(self, form: bytes, cells: Cells) -> None:
        """Make the stored sequences of a position those that are tried first."""
        stored = () if self.leaves is None else self.leaves.get(form, ())
        self._known = 0
        self._needed.clear()
        for sequence in stored:
            if len(sequence) > self._longest or self._known == len(cells):
                break
            # A number that is not a cell becomes -1, which the replay refuses.
            moved = [int(cells[move]) if 0 <= move < len(cells) else -1 for move in sequence]
            self._sequences[self._known, : len(moved)] = moved
            self._lengths[self._known] = len(moved)
            self._known += 1

    def _keep_sequences(self, node: Node, form: bytes, cells: Cells) -> None:
        """Record the sequences that were needed; stored ones must all be."""
        if self.leaves is not None:
            if len(self._needed) < len(self.leaves.get(form, ())):
                self._fail(node, "a stored sequence is not needed")
            return
        # `cells` maps cells of the form to cells of the position; sequences are kept in the form.
        place = np.empty(len(cells), np.int64)
        place[cells] = np.arange(len(cells))
        self.found[form] = tuple(
            tuple(place[self._sequences[known, : self._lengths[known]]].tolist())
            for known in sorted(self._needed)
        )

    def _attack(self, node: Node) -> None:
        """Let the attacker move by the four rules."""
        stones = stones_of(self.search.tables, node.owners, self.attacker)
        mine, theirs = self._completing(stones)
        allowed = opening_cells(self.game, node.owners, self.attacker)
        # 1. The attacker completes a line, and the branch is won.
        if mine and (allowed is None or allowed & {*mine}):
            return
        bound = opening_cells(self.game, node.owners, self.defender)
        # 2. The defender threatens: the block is the only move that does not lose at once. It needs
        # no listed move: a forced sequence that begins with it wins, or the walk continues after
        # it. Lines that the opening keeps the defender from completing next need no block.
        theirs = [cell for cell in theirs if bound is None or cell in bound]
        if len(theirs) > 1:
            self._fail(node, "the defender has two threats")
        elif theirs and allowed is not None and theirs[0] not in allowed:
            self._fail(node, "the opening forbids the block of the defender's threat")
        elif theirs:
            if allowed is not None or self._forced(stones) <= 0:
                self._follow_block(node, *locate(self.game, node.owners), theirs[0])
        else:
            # 3. The listed move, followed once for all images of the position; 4. else a forced
            # sequence. A sequence assumes free choice, so under the opening a move must be listed.
            form, cells = locate(self.game, node.owners)
            move = self.dictionary.moves.get(form)
            if move is not None:
                self._listed_move(node, form, cells, move, allowed)
            elif allowed is not None:
                self._miss(node, form, "no move is listed")
            elif (length := self._forced(stones)) <= 0:
                self._miss(node, form, self._nothing(gave_up=length == OUT_OF_NODES))

    def _follow_block(self, node: Node, form: bytes, cells: Cells, cell: int) -> None:
        if self.leaves is not None and form not in self.leaves:
            self._miss(node, form, "a block is not listed and no stored sequence wins")
            return
        self.blocks[form] = int((cells == cell).argmax())
        self._follow(node, form, cells, cell)

    def _nothing(self, *, gave_up: bool) -> str:
        if self.leaves is not None:
            return NOT_STORED
        return UNDECIDED if gave_up else MISSING

    def _forced(self, stones: Stones) -> int:
        """Length of a forced sequence that holds, else 0 or OUT_OF_NODES."""
        tables, workspace, known = self.search.tables, self.search.workspace, self._known
        # A sequence counts only where the replay, which searches nothing, confirms it here.
        for number in range(known):
            if replay(tables, stones, self._sequences[number], self._lengths[number]):
                self._needed.add(number)
                return int(self._lengths[number])
        if not self.nodes:
            return 0
        length = int(search(tables, workspace, stones, self.nodes, self._sequences[known]))
        if length > 0:
            if not replay(tables, stones, self._sequences[known], length):
                return 0
            self._lengths[known] = length
            self._needed.add(known)
            self._known += 1
        return length

    def _listed_move(
        self,
        node: Node,
        form: bytes,
        cells: Cells,
        move: int,
        allowed: frozenset[int] | None,
    ) -> None:
        cell = int(cells[move]) if 0 <= move < len(cells) else -1
        if cell < 0 or node.owners[cell] != FREE or (allowed is not None and cell not in allowed):
            self._fail(node, f"the listed move, {move} in the form of the position, is not legal")
        else:
            self.used.add(form)
            self._follow(node, form, cells, cell)

    def _follow(self, node: Node, form: bytes, cells: Cells, move: int) -> None:
        """Queue a move of the attacker for the walk."""
        if form not in self.seen:
            self.seen.add(form)
            self._waiting.append((node, form, cells, move))

    def _defend(self, node: Node, *, listed: bool) -> None:
        """Make every reply of the defender, to move."""
        stones = stones_of(self.search.tables, node.owners, self.attacker)
        mine, theirs = self._completing(stones)
        self.quiet += listed and not mine
        free = [cell for cell, owner in enumerate(node.owners) if owner == FREE]
        allowed = opening_cells(self.game, node.owners, self.defender)
        if allowed is not None:
            free = [cell for cell in free if cell in allowed]
        winning = [cell for cell in theirs if cell in free]
        # 1. The attacker's move overlooked a line of the defender, or left no cell.
        if winning:
            self._fail(node, f"the defender completes a line in {winning[0]}")
        elif not free:
            self._fail(node, "the board is full")
        # 2. Every reply by the four rules, one by one: the compiled loops assume that the defender
        # has no threat and that no opening restricts what follows.
        elif theirs or self._opening_lasts(node.owners):
            for cell in free:
                self._attack(node.played(cell, self.defender))
        # 3. No threat on either side: the many replies of a quiet move, sifted at once.
        elif not mine:
            self._answer(node, stones, free)
        # 4. One threat: every reply but the block loses to the next move. Two threats, or one that
        # the opening forbids the defender to block, win: nothing is left to check.
        elif len(mine) == 1 and mine[0] in free:
            self._attack(node.played(mine[0], self.defender))

    def _answer(self, node: Node, stones: Stones, free: list[int]) -> None:
        """Answer every reply to a quiet move; neither side has a threat."""
        tables, kinds = self.search.tables, self._kinds
        # 1. Sift the replies. The invariant of `sift` may take a position for a listed one, never
        # the other way round, so only the positions of kind LISTED are brought into their form.
        replies = np.zeros(len(kinds), np.uint8)
        replies[free] = 1
        self.replies += len(free)
        sift(tables, stones, replies, self._listed, kinds)
        for cell in np.flatnonzero(kinds == LISTED).tolist():
            child = node.played(cell, self.defender)
            form, cells = locate(self.game, child.owners)
            move = self.dictionary.moves.get(form)
            if move is not None:
                kinds[cell] = -1
                self._listed_move(child, form, cells, move, None)
        if (kinds < 0).all():
            return
        # 2. Rule 4 before rule 2: a forced sequence that answers a threatening reply begins with
        # its block, so both rules give the same move.
        fates = self._fates
        self._known = answer(
            tables,
            self.search.workspace,
            stones,
            kinds,
            self.nodes,
            self._sequences,
            self._lengths,
            self._known,
            fates,
        )
        self._needed.update(fates[fates >= 0].tolist())
        # 3. Replies that no sequence answers: a fork has won for the defender, a threat is blocked
        # and the block followed, and any other reply is a gap in the dictionary.
        unanswered = np.flatnonzero((fates == NONE_FOUND) | (fates == GAVE_UP)).tolist()
        for cell, kind, fate in [(cell, int(kinds[cell]), fates[cell]) for cell in unanswered]:
            child = node.played(cell, self.defender)
            if kind == FORKS:
                self._fail(child, "the defender has two threats")
                continue
            form, cells = locate(self.game, child.owners)
            if kind == THREATENS:
                after = stones_of(tables, child.owners, self.attacker)
                threat = self._completing(after)[1][0]
                self._follow_block(child, form, cells, threat)
            else:
                self._miss(child, form, self._nothing(gave_up=fate == GAVE_UP))

    def _completing(self, stones: Stones) -> tuple[list[int], list[int]]:
        """Completing cells of the attacker and of the defender."""
        mark_completing(self.search.tables, stones, self._found)
        if not self._found.any():
            return [], []
        mine, theirs = self._found
        return np.flatnonzero(mine).tolist(), np.flatnonzero(theirs).tolist()

    def _opening_lasts(self, owners: bytes) -> bool:
        """True if the opening may restrict a move after the reply that is to be made."""
        first = owners.count(1) + (self.defender == 1)
        return first < self.game.opening_moves

    def _miss(self, node: Node, form: bytes, reason: str) -> None:
        if form not in self._lost:
            self._lost.add(form)
            self.missing += 1
            self._fail(node, reason)

    def _fail(self, node: Node, reason: str) -> None:
        self.failed += 1
        if len(self.failures) < self.examples:
            self.failures.append(Failure(reason, spelled(node.owners), node.line))


def opening_cells(game: Game, owners: bytes, player: int) -> frozenset[int] | None:
    """Return the cells that the opening allows for a player's next move, None for all."""
    if game.opening is None or player != 1 or owners.count(1) >= game.opening_moves:
        return None
    return frozenset(cell for cell in game.opening if owners[cell] == FREE) or None


def _table(dictionary: Dictionary, tables: Tables) -> Words:
    """Hash set of the invariants of listed positions, a filter without false negatives."""
    size = dictionary.game.board.cell_count
    rows = b"".join(owners for owners in dictionary.moves if len(owners) == size)
    owners = np.frombuffer(rows, np.uint8).reshape(-1, size)
    numbers = np.zeros(len(owners), np.uint64)
    blank = stones_of(tables, bytes(size), dictionary.seat)
    invariants(tables, owners, dictionary.seat, blank, numbers)
    # Open addressing, at most a quarter full; 0 marks an empty slot, and no invariant is 0.
    table = np.zeros(4 << len(numbers).bit_length(), np.uint64)
    table_of(numbers, table)
    return table
