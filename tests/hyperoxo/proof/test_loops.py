"""The compiled loops of the checker, against sets of cells."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from numpy.typing import NDArray

from hyperoxo.game import Game
from hyperoxo.proof import dictionary_loops
from hyperoxo.proof.dictionary_loops import (
    answer,
    invariant,
    invariants,
    mark_completing,
    sift,
    table_of,
)
from hyperoxo.proof.forced import search_of
from hyperoxo.proof.forced_loops import (
    NONE,
    SEVERAL,
    Workspace,
    longest,
    replay,
    search,
    threat,
    threat_through,
)
from hyperoxo.proof.tables import ATTACKER, DEFENDER, Stones, Tables, Words, stones_of, tables_of
from tests.marks import more

Cells = frozenset[int]


@dataclass(frozen=True)
class Case:
    """A board with stones on it."""

    game: Game
    lines: list[Cells]
    owners: bytes
    mine: Cells
    theirs: Cells

    @cached_property
    def free(self) -> Cells:
        return frozenset(range(len(self.owners))) - self.mine - self.theirs - {*self.game.blocked}

    @property
    def stones(self) -> Stones:
        return stones_of(tables_of(self.game), self.owners, 1)


def cases(seed: int, count: int = 25, *, dense: bool = False) -> Iterator[Case]:
    """Boards of few lines or many; on the larger ones cells with large numbers are used."""
    rng = random.Random(seed)
    for _ in range(count):
        boards = [(7, [*range(7)]), (70, [0, 1, 2, 62, 63, 64, 65, 69]), (73, [*range(64, 73)])]
        boards.append((1_000, [0, 130, 254, 255, 256, 257, 511, 999]))
        if dense:
            boards = [(14, [*range(14)]), (90, [*range(57, 71)]), (90, [*range(70, 84)])]
        size, used = rng.choice(boards)
        sizes = (3, 3, 3, 4) if dense else (2, 3, 3, 4)
        lines = {frozenset(rng.sample(used, rng.choice(sizes))) for _ in range(14 if dense else 8)}
        rows = "/".join(sorted("+".join(map(str, sorted(line))) for line in lines))
        blocked = rng.choice(["", "", f":blocked={used[-1]}"])
        game = Game(f"{size}{{{rows}}}{blocked}")
        owners = bytearray(game.start().owners)
        for cell in used:
            if not owners[cell]:
                owners[cell] = rng.choice((0, 0, 0, 0, 1, 2) if dense else (0, 0, 1, 2))
        left = [frozenset(game.board.line(n).tolist()) for n in range(game.board.line_count)]
        mine, theirs = (frozenset(c for c, o in enumerate(owners) if o == p) for p in (1, 2))
        if not any(line <= mine or line <= theirs for line in left):
            yield Case(game, left, bytes(owners), mine, theirs)


def completing(lines: list[Cells], own: Cells, other: Cells) -> Cells:
    short = [line - own for line in lines if line.isdisjoint(other)]
    return frozenset(cell for line in short if len(line) == 1 for cell in line)


def wins(case: Case, mine: Cells, theirs: Cells, sequence: list[int]) -> bool:
    """What a forced sequence is, as its definition says."""
    for at, move in enumerate(sequence):
        last = at == len(sequence) - 1
        if move not in case.free or move in mine or move in theirs:
            return False
        if move in completing(case.lines, mine, theirs):
            return last
        if completing(case.lines, theirs, mine) - {move}:
            return False
        mine |= {move}
        answers = completing(case.lines, mine, theirs)
        if len(answers) != 1:
            return last and len(answers) > 1
        theirs |= answers
    return False


def sequences(case: Case, rng: random.Random) -> Iterator[list[int]]:
    """Found sequences, spoilt ones and any."""
    found, cells = search_of(case.game), [*range(len(case.owners))]
    length = search(found.tables, found.workspace, case.stones, 10_000, found.sequence)
    best = found.sequence[: max(length, 0)].tolist()
    yield best
    for _ in range(6):
        spoilt = [*best, *rng.sample(cells, rng.randint(0, 2))]
        if spoilt:
            spoilt[rng.randrange(len(spoilt))] = rng.choice([*cells, -1, len(case.owners)])
        yield spoilt
        yield rng.sample(cells, rng.randint(1, 3))
    yield best[:-1]
    yield best[1:]
    for cell in case.game.blocked:
        yield [cell]
    yield [*best, *rng.sample(cells, 1)]


@pytest.mark.more
@pytest.mark.parametrize("seed", range(4))
def test_cells_that_complete_a_line(seed: int) -> None:
    for case in cases(seed):
        tables, found = search_of(case.game).tables, np.ones((2, len(case.owners)), np.uint8)
        stones = case.stones
        mark_completing(tables, stones, found)
        sides = ((ATTACKER, case.mine, case.theirs), (DEFENDER, case.theirs, case.mine))
        for side, own, other in sides:
            expected = completing(case.lines, own, other)
            assert np.flatnonzero(found[side]).tolist() == sorted(expected)
            assert threat(tables, stones, side) == only(expected)
            for cell in range(len(case.owners)):
                through = [line for line in case.lines if cell in line]
                expected = completing(through, own, other)
                assert threat_through(tables, stones, side, cell) == only(expected)


def only(cells: Cells) -> int:
    """The only cell of a set, or why there is none."""
    return NONE if not cells else SEVERAL if len(cells) > 1 else min(cells)


def alike(one: Stones, two: Stones) -> bool:
    """True if two positions hold the same."""
    return bool((one.owners == two.owners).all() and (one.lines == two.lines).all())


def replayed(case: Case, sequence: list[int]) -> bool:
    """Replay a sequence, as the definition has it; the stones are back afterwards."""
    stones, moves = case.stones, np.array([*sequence, 0], np.int16)
    expected = wins(case, case.mine, case.theirs, sequence)
    found = replay(tables_of(case.game), stones, moves, len(sequence))
    assert found == expected, (case, sequence)
    assert alike(stones, case.stones)
    return expected


@pytest.mark.parametrize("seed", range(4))
def test_replayed_sequences(seed: int) -> None:
    rng, held = random.Random(seed), 0
    for case in cases(seed, 40):
        for sequence in sequences(case, rng):
            held += replayed(case, sequence)
    assert held > 10


def test_no_number_below_0_is_a_cell() -> None:
    """Not even where two lines can be completed, and the last cell is free."""
    game = Game("3^2")
    stones = stones_of(tables_of(game), game.position("moves:0,3,1,5,4,6").owners, 1)
    for move, holds in ((8, True), (-1, False), (9, False)):
        assert replay(tables_of(game), stones, np.array([move], np.int16), 1) == holds


def threats(case: Case, rng: random.Random) -> Iterator[int]:
    """Moves that threaten or complete something, most of them, with the answers made."""
    mine, theirs = case.mine, case.theirs
    for _ in range(rng.randint(1, 6)):
        free = sorted(case.free - mine - theirs)
        if not free:
            return
        now = {cell: completing(case.lines, mine | {cell}, theirs) for cell in free}
        best = [cell for cell in free if now[cell]] or free
        danger = sorted(completing(case.lines, theirs, mine) & {*best})
        move = rng.choice(rng.choice([danger or best, best, free]))
        yield move
        mine |= {move}
        theirs |= frozenset(rng.sample(sorted(now[move]), min(1, len(now[move]))))


@pytest.mark.more
@pytest.mark.parametrize("seed", range(4))
def test_replayed_threats(seed: int) -> None:
    """Dense boards, so that sequences are long and answers threaten themselves."""
    rng, lengths = random.Random(seed), set()
    for case in cases(seed, 40, dense=True):
        for _ in range(25):
            sequence = [*threats(case, rng)]
            lengths.add(len(sequence) if replayed(case, sequence) else 0)
    assert lengths >= {0, 1, 2}


def numbers_of(case: Case, rows: list[bytes]) -> Words:
    numbers = np.zeros(len(rows), np.uint64)
    owners = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, len(case.owners))
    invariants(search_of(case.game).tables, owners, 1, case.stones, numbers)
    return numbers


@pytest.mark.parametrize("seed", more(range(4), but=[3]))
def test_replies_told_apart(seed: int) -> None:
    rng, kinds_seen = random.Random(seed), set()
    for case in cases(seed, 80):
        tables = search_of(case.game).tables
        if not case.free or completing(case.lines, case.theirs, case.mine):
            continue
        after = {cell: _with(case.owners, cell) for cell in case.free}
        among = [cell for cell in sorted(case.free) if rng.random() < 0.8]
        listed = [cell for cell in sorted(case.free) if rng.random() < 0.4]
        numbers = numbers_of(case, [after[cell] for cell in listed])
        table = np.zeros(4 << len(numbers).bit_length(), np.uint64)
        table_of(numbers, table)
        assert {*table.tolist()} - {0} == {*numbers.tolist()}
        replies = np.zeros(len(case.owners), np.uint8)
        replies[among] = 1
        kinds, stones = np.full(len(case.owners), 9, np.int8), case.stones
        sift(tables, stones, replies, table, kinds)
        assert alike(stones, case.stones)
        known = {*numbers.tolist()}
        for cell in range(len(case.owners)):
            expected = -1
            if cell in among:
                threats = len(completing(case.lines, case.theirs | {cell}, case.mine))
                same = int(numbers_of(case, [after[cell]])[0]) in known
                assert same or cell not in listed
                expected = min(threats + 1, 3) if threats else int(same)
            assert kinds[cell] == expected, (case, cell)
            kinds_seen.add(expected)
        number = invariant(tables, case.stones)
        assert number
        assert number == numbers_of(case, [case.owners])[0]
    assert kinds_seen == {-1, 0, 1, 2, 3}


def _with(owners: bytes, cell: int) -> bytes:
    return owners[:cell] + b"\2" + owners[cell + 1 :]


@pytest.mark.more
@pytest.mark.parametrize("seed", range(4))
def test_answers_to_replies(seed: int) -> None:
    """Each reply is answered by the first sequence that holds, or by none."""
    rng, fates_seen = random.Random(seed), set()
    for case in cases(seed):
        found, size = search_of(case.game), len(case.owners)
        most = longest(found.tables)
        asked = [cell for cell in sorted(case.free) if rng.random() < 0.7]
        kinds = np.full(size, -1, np.int8)
        kinds[asked] = 0
        for limit in (0, 1, 10_000):
            rows, lengths = (np.zeros((size + 2, most + 2), np.int16), np.zeros(size + 2, np.int64))
            count = 0
            for known in sequences(case, rng):
                if known and count < 3:
                    rows[count, : len(known)], lengths[count] = known, len(known)
                    count += 1
            first, fates = count, np.full(size, 7, np.int16)
            tables, space, stones = found.tables, found.workspace, case.stones
            count = answer(tables, space, stones, kinds, limit, rows, lengths, count, fates)
            assert alike(stones, case.stones)
            # New is the win as if the defender passed, then what answers a reply: each needed.
            passed = np.zeros(most + 2, np.int16)
            length = search(tables, space, stones, limit, passed) if limit else 0
            held = wins(case, case.mine, case.theirs, passed[: max(length, 0)].tolist())
            new = {first} if held else set()
            assert not held or rows[first, : lengths[first]].tolist() == passed[:length].tolist()
            assert {*range(first, count)} == new | {
                fate for fate in fates.tolist() if fate >= first
            }
            known_rows = [rows[k, : lengths[k]].tolist() for k in range(count)]
            for cell in range(size):
                if cell not in asked:
                    assert fates[cell] == -3
                    continue
                holding = [
                    k
                    for k, one in enumerate(known_rows)
                    if wins(case, case.mine, case.theirs | {cell}, one)
                ]
                fate = int(fates[cell])
                fates_seen.add(min(fate, 0))
                if fate < 0:
                    assert fate == -1 or limit == 1
                    assert not [k for k in holding if k < first]
                    assert limit < 10_000 or not holding
                    after = stones_of(tables, _with(case.owners, cell), 1)
                    if limit == 10_000 and not completing(case.lines, case.theirs, case.mine):
                        assert search(tables, space, after, limit, rows[-1]) == 0
                else:
                    assert fate == holding[0]
    assert fates_seen >= {0, -1, -2}


@pytest.mark.parametrize("spec", ["1^1", "2{}", "3^2", "4^3", "5^3", "6^3"])
def test_the_longest_sequence(spec: str) -> None:
    """Each move but the last fills two cells, so that no board has room for a longer one."""
    game = Game(spec)
    most = longest(tables_of(game))
    assert 2 * (most - 1) < game.board.cell_count <= 2 * most


def test_a_search_that_lies_answers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def lies(t: Tables, w: Workspace, s: Stones, limit: int, sequence: NDArray[np.int16]) -> int:
        sequence[0] = 8
        return 1

    monkeypatch.setattr(dictionary_loops, "search", lies)
    found = search_of(Game("3^2"))
    kinds, fates = np.zeros(9, np.int8), np.zeros(9, np.int16)
    kinds[0] = -1
    rows, lengths = np.zeros((11, 7), np.int16), np.zeros(11, np.int64)
    plain = getattr(answer, "py_func", answer)
    stones = stones_of(found.tables, b"\1" + bytes(8), 1)
    count = plain(found.tables, found.workspace, stones, kinds, 9, rows, lengths, 0, fates)
    assert (count, fates.tolist()) == (0, [-3, *[-1] * 8])
