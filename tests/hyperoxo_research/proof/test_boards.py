"""Proofs about boards, against brute force, and spoilt in every way that we can think of."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from hyperoxo.board import hypergraph
from hyperoxo.errors import CheckFailedError, NotationError
from hyperoxo.game import Game, Position
from hyperoxo.proof import check_proof, verify
from hyperoxo_research.draws.classify import classify
from hyperoxo_research.draws.several_lines import no_draw_by_bound
from hyperoxo_research.draws.stored import stored_filling, stored_no_draw
from hyperoxo_research.proof.cubes import cube_lines, known_game, plain_cube
from hyperoxo_research.proof.filling import FILE, Filling, OddSum, filling_text, read_filling
from hyperoxo_research.proof.full_board import (
    DrawnBoard,
    cells_of_kind,
    full_board_text,
    kinds_of_cells,
)
from hyperoxo_research.proof.no_draw import NoDraw, draw_clauses, no_draw_text
from hyperoxo_research.proof.no_pairing import NoPairing, no_pairing_text
from hyperoxo_research.proof.region import RegionProof, first_always_wins, region_text
from hyperoxo_research.proof.rup import check_refutation
from tests.expect import require
from tests.hyperoxo.proof.test_file import rehash

CROWDED = NoPairing("3^2", ((0, 1, 2), (0, 3, 6), (0, 4, 8), (2, 4, 6), (2, 5, 8)))


def refuted(clauses: list[list[int]], steps: list[tuple[int, ...]]) -> bool:
    try:
        check_refutation(clauses, steps)
    except CheckFailedError:
        return False
    return True


def satisfiable(clauses: list[list[int]], variables: int) -> bool:
    return any(
        all(
            any((literal > 0) == values[abs(literal) - 1] for literal in clause)
            for clause in clauses
        )
        for values in itertools.product((False, True), repeat=variables)
    )


def random_clauses(rng: random.Random, variables: int) -> list[list[int]]:
    return [
        [rng.choice((-1, 1)) * v for v in rng.sample(range(1, variables + 1), rng.randint(1, 3))]
        for _ in range(rng.randint(4, 30))
    ]


def test_no_steps_refute_what_can_hold() -> None:
    rng = random.Random(5)
    fates: Counter[tuple[bool, bool]] = Counter()
    for _ in range(600):
        clauses = random_clauses(rng, 5)
        steps = [tuple(clause) for clause in random_clauses(rng, 5)]
        steps.append(())
        fates[satisfiable(clauses, 5), refuted(clauses, steps)] += 1
    assert not fates[True, True]
    assert fates[True, False] > 30
    assert fates[False, True] > 30


def test_what_cannot_hold_is_refuted_by_enough_steps() -> None:
    rng = random.Random(6)
    for _ in range(60):
        clauses = random_clauses(rng, 4)[:14]
        # All clauses of four literals, then of three, and so on, follow one after another.
        steps = [
            clause
            for size in (4, 3, 2, 1, 0)
            for chosen in itertools.combinations((1, 2, 3, 4), size)
            for signs in itertools.product((1, -1), repeat=size)
            for clause in [tuple(v * s for v, s in zip(chosen, signs, strict=True))]
        ]
        kept = [
            step
            for step in steps
            if not satisfiable([*clauses, *([-literal] for literal in step)], 4)
        ]
        assert refuted(clauses, kept) == (not satisfiable(clauses, 4))


def random_game(rng: random.Random, players: int = 2) -> Game:
    cells = rng.randint(2, 7)
    lines = {
        tuple(sorted(rng.sample(range(cells), rng.randint(1, min(3, cells)))))
        for _ in range(rng.randint(1, 9))
    }
    return Game(board=hypergraph(cells, sorted(lines)), players=players)


def drawn_boards(game: Game, *, shared: bool) -> Iterator[tuple[int, ...]]:
    """All full boards without a line of one player."""
    cells, players = game.board.cell_count, range(1, game.players + 1)
    lines = [game.board.line(at).tolist() for at in range(game.board.line_count)]
    for owners in itertools.product(players, repeat=cells):
        stones = Counter(owners)
        balanced = all(
            stones[p] == sum(turn % game.players == p - 1 for turn in range(cells)) for p in players
        )
        if (balanced or not shared) and all(len({owners[c] for c in line}) > 1 for line in lines):
            yield owners


@pytest.mark.parametrize(
    ("players", "stones"), [(2, "any"), (2, "shared"), (3, "any"), (3, "shared")]
)
def test_clauses_hold_exactly_for_drawn_boards(players: int, stones: str) -> None:
    rng = random.Random(f"{players}{stones}")
    solvers = pytest.importorskip("pysat.solvers")
    fates: Counter[bool] = Counter()
    for _ in range(60):
        game = random_game(rng, players)
        there = next(drawn_boards(game, shared=stones == "shared"), None) is not None
        clauses = list(draw_clauses(game, stones))
        with solvers.Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as solver:
            assert solver.solve() == there
            fates[there] += 1
            rows = [] if there else solver.get_proof()
        if there:
            assert not check_proof(NoDraw(game, stones, ((),))).proved
        else:
            steps = [tuple(map(int, row.split()[:-1])) for row in rows if row[0] != "d"]
            whole_proof = NoDraw(game, stones, (*steps, ()))
            assert verify(no_draw_text(whole_proof)).proved
    assert min(fates.values()) > 5


def expanded(found: DrawnBoard) -> DrawnBoard:
    """The same board, with an owner for each cell."""
    side, dim = plain_cube(found.game) or (0, 0)
    owner = dict(zip(kinds_of_cells(side, found.groups), found.owners, strict=True))
    owners = ""
    for cell in itertools.product(range(side), repeat=dim):
        rest, kind = list(cell), []
        for size in found.groups:
            kind.append(tuple(sorted(rest[:size])))
            rest = rest[size:]
        owners += owner[tuple(kind)]
    return DrawnBoard(found.game, owners)


@pytest.mark.parametrize(
    ("spec", "groups"),
    [
        ("3^2", (2,)),
        ("3^2", (1, 1)),
        ("4^3", (2, 1)),
        ("4^3", (3,)),
        ("3^3", (2, 1)),
        ("2^2", (2,)),
    ],
)
def test_kinds_of_cells_and_cells_are_judged_alike(spec: str, groups: tuple[int, ...]) -> None:
    rng = random.Random(f"{spec}{groups}")
    side, dim = plain_cube(spec) or (0, 0)
    kinds = list(kinds_of_cells(side, groups))
    assert sum(map(cells_of_kind, kinds)) == side**dim
    fates: Counter[bool] = Counter()
    for _ in range(400):
        firsts = [rng.random() < 0.5 for _ in kinds]
        found = DrawnBoard(spec, "".join("1" if one else "2" for one in firsts), groups)
        proved = check_proof(found).proved
        assert proved == check_proof(expanded(found)).proved
        fates[proved] += 1
    assert fates[False]


def test_a_board_in_groups_is_a_board() -> None:
    found = DrawnBoard("4^3", "12112212222211121112", (3,))
    assert check_proof(expanded(found)).proved
    assert verify(full_board_text(found)).claim == found.statement
    turned = found.owners.translate(str.maketrans("12", "21"))
    assert check_proof(DrawnBoard("4^3", turned, (3,))).proved
    for at in range(20):
        spoilt = found.owners[:at] + "21"[int(found.owners[at]) - 1] + found.owners[at + 1 :]
        assert not check_proof(DrawnBoard("4^3", spoilt, (3,))).proved


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (DrawnBoard("3^2", "111221221"), "the line 0-1-2 is all of player 1"),
        (DrawnBoard("3^2", "222112112"), "player 1 has 4 stones, and not 5"),
        (DrawnBoard("3^2", "11222112"), "the owners are not those of the cells of 3^2"),
        (DrawnBoard("3^2", "1122#1112"), "the owners are not those of the cells of 3^2"),
        (DrawnBoard("3^2", "112221112", (3,)), "the groups are not those of the axes of 3^2"),
        (DrawnBoard("3^2:misere", "1122", (2,)), "the groups are not those of the axes"),
        (DrawnBoard("3^2", "112221", (1, 1)), "the owners are not those of 9 kinds of cells"),
        (DrawnBoard("3^2:gravity", "112221112"), "is not supported for 3^2:gravity"),
        (NoPairing("3^2", ((0, 1, 2), (0, 1, 2))), "a line is listed twice"),
        (NoPairing("3^2", ((0, 1, 3),)), "0-1-3 is not a line of 3^2"),
        (NoPairing("3^2", ()), "0 lines have 0 cells between them"),
        (NoPairing("5^2", axes=2), "12 lines have 25 cells between them"),
        (NoPairing("5^2", axes=3), "5^2 is not a board with 3 axes"),
        (NoPairing("3{0+1}", axes=1), "3{0+1} is not a board with 1 axes"),
        (NoDraw(Game("3^3"), "any", ((),)), "step 1, the empty clause, does not follow"),
        (NoDraw(Game("2^2"), "any", ((1,),)), "the last step is not the empty clause"),
        (NoDraw(Game("2^2:target=2"), "any", ((),)), "is not supported for 2^2:target=2"),
        (RegionProof("3^2", (4,)), "the parts leave 1, 2, 3, 4, 5"),
        (RegionProof("3^2", (2, 3, 4, 5), (), (0, 1)), "not a whole game"),
        (RegionProof("3^2", (2, 3, 4, 5), (), (0, 1, 3, 2, 6)), "not a whole game"),
        (RegionProof("3^2:misere", (1,)), "it needs normal play"),
        (RegionProof("3^2", (5,), (b"hyperoxo-mirroring 1\n",)), "does not restrict regions"),
        (RegionProof("4^2", (1, 2, 3, 4), (no_pairing_text(CROWDED),)), "not restrict the region"),
    ],
)
def test_what_is_wrong_is_said(found: DrawnBoard | NoPairing | NoDraw, reason: str) -> None:
    verdict = check_proof(found)
    assert verdict.verdict == "rejected"
    assert reason in verdict.reason


def test_lines_of_cubes_are_counted() -> None:
    for spec in ("1^3", "2^4", "3^3", "5^2"):
        side, dim = plain_cube(spec) or (0, 0)
        assert cube_lines(side, dim) == Game(spec).board.line_count
    assert plain_cube("3^2:misere") is None
    assert known_game("12^8") == "12^8"


def test_a_part_of_a_board_proves_no_draw_and_no_pairing_of_the_whole() -> None:
    steps = stored_no_draw()
    game = Game("3^4")
    second = (0, 3, 1, 4, 6, 5)
    assert check_proof(RegionProof("3^4", (2,), (no_draw_text(steps),), second)).proved
    assert not check_proof(RegionProof("4^4", (2,), (no_draw_text(steps),))).proved
    assert not check_proof(RegionProof("3^2", (1, 2), (no_draw_text(steps),))).proved
    shared = NoDraw(steps.game, "shared", steps.steps)
    assert check_proof(shared).proved
    assert not check_proof(RegionProof(str(game), (2,), (no_draw_text(shared),), second)).proved
    assert check_proof(NoPairing("9^8", axes=4)).proved


@cache
def filling() -> Filling:
    return require(no_draw_by_bound(Game("3^3:target=2")))


def test_lines_of_full_boards_are_counted_exactly() -> None:
    found = filling()
    assert found.least_lines == 3
    assert check_proof(found).proved
    assert not check_proof(replace(found, game=Game("3^3:target=3"))).proved
    for at, (cell, weight) in enumerate(found.weights):
        less = (*found.weights[:at], (cell, weight - 2), *found.weights[at + 1 :])
        assert not check_proof(replace(found, weights=less)).proved
    assert not check_proof(replace(found, weights=found.weights[1:])).proved
    lines = check_proof(replace(found, game=Game("4^2"), weights=found.weights[:16]))
    assert "three cells" in lines.reason


def test_bounds_on_lines_hold_on_all_full_boards() -> None:
    rng = random.Random(3)
    proved = 0
    for _ in range(40):
        triples = list(itertools.combinations(range(6), 3))
        lines = sorted(rng.sample(triples, rng.randint(10, 20)))
        game = Game(board=hypergraph(6, lines), target=rng.randint(1, 2))
        found = no_draw_by_bound(game)
        least = min(
            sum(len({owners[cell] for cell in line}) == 1 for line in lines)
            for owners in itertools.product((1, 2), repeat=6)
        )
        if found is not None:
            proved += 1
            assert check_proof(found).proved
            assert found.least_lines <= least
            assert least > 2 * (game.target - 1)
    assert proved


@cache
def odd_filling_of_four() -> Filling:
    return require(stored_filling(Game("3^4:target=15")))


@pytest.mark.more
def test_odd_sums_bound_the_lines_of_3_to_the_4() -> None:
    """Known: boards with 30 lines exist, 15 of each player."""
    found = odd_filling_of_four()
    assert found.least_lines == 29
    assert check_proof(found).proved
    assert read_filling(filling_text(found)) == found
    assert not check_proof(replace(found, game=Game("3^4:target=16"))).proved
    assert not check_proof(replace(found, odd=found.odd[100:])).proved
    more = replace(found.odd[0], weight=found.odd[0].weight + 1)
    reason = check_proof(replace(found, odd=(more, *found.odd[1:]))).reason
    assert "semidefinite" in reason


def test_images_of_a_sum_count_once_for_each_symmetry() -> None:
    """With each distinct image counted once, the same weights bound fewer lines."""
    found = odd_filling_of_four()
    rows = found.game.symmetry.permutations()
    lines = []
    for distinct in (False, True):
        total = -sum(weight for _, weight in found.weights)
        for odd in found.odd:
            images = [100 * rows[:, cell] + count for cell, count in odd.times]
            each = np.sort(np.column_stack(images), axis=1)
            total += odd.weight * len(np.unique(each, axis=0) if distinct else each)
        lines.append(found.game.board.line_count / 4 + float(total) / 8)
    assert [round(one, 2) for one in lines] == [28.0, 22.71]
    assert found.least_lines == math.ceil(lines[0])


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (OddSum(Fraction(-1), ((0, 1),)), "is not a weight and an odd sum"),
        (OddSum(Fraction(1), ((0, 1), (1, 1))), "is not a weight and an odd sum"),
        (OddSum(Fraction(1), ((1, 1), (0, 2))), "does not list playable cells in ascending order"),
        (OddSum(Fraction(1), ((0, 1), (0, 2))), "does not list playable cells in ascending order"),
        (OddSum(Fraction(1), ((13, 1),)), "does not list playable cells in ascending order"),
        (OddSum(Fraction(1), ((27, 1),)), "does not list playable cells in ascending order"),
    ],
)
def test_sums_that_are_not_odd_are_refused(odd: OddSum, reason: str) -> None:
    game = Game("3^3:blocked=centre,target=2")
    weights = tuple((int(cell), Fraction(9)) for cell in game.board.playable)
    assert reason in check_proof(Filling(game, weights, (odd,) * 100)).reason


@pytest.mark.parametrize("row", ["odd 1 0:0", "odd x 0:1", "odd 1 0", "odd 1/0 0:1", "shared x"])
def test_rows_of_fillings_have_one_spelling(row: str) -> None:
    found = replace(odd_filling_of_four(), shared=Fraction(3))
    rows = filling_text(found).decode("ascii").splitlines()[6:]
    text = FILE.text((found.game, "-", 384), [*rows[:-1], row])
    with pytest.raises(NotationError):
        read_filling(text)


@pytest.mark.more
def test_odd_sums_hold_on_all_full_boards() -> None:
    """Random sums and weights, as large as the form allows, and shares of stones."""
    rng, proved = random.Random(5), 0
    for _ in range(25):
        size = rng.randint(5, 7)
        triples = list(itertools.combinations(range(size), 3))
        lines = sorted(rng.sample(triples, rng.randint(6, len(triples))))
        game = Game(board=hypergraph(size, lines), target=1)
        odd = []
        for _ in range(rng.randint(1, 3)):
            cells = sorted(rng.sample(range(size), rng.choice((3, 5))))
            odd.append(
                OddSum(Fraction(1, 40), tuple((cell, rng.choice((1, -1))) for cell in cells))
            )
        shared = Fraction(rng.choice((-1, 0, 2)))
        boards = [
            owners
            for owners in itertools.product((1, 2), repeat=size)
            if not shared or abs(2 * owners.count(1) - size) <= 1
        ]
        least = min(
            sum(len({owners[cell] for cell in line}) == 1 for line in lines) for owners in boards
        )
        for quarter in range(60):
            weights = tuple((cell, Fraction(quarter, 4)) for cell in range(size))
            found = Filling(game, weights, tuple(odd), shared)
            if check_proof(found).proved:
                proved += 1
                assert found.least_lines <= least
                break
    assert proved


def test_targets_of_several_lines() -> None:
    drawn = classify("3^3:target=3")
    assert drawn.draw
    assert verify(drawn.proof_text()).proved
    owners = "".join(random.Random(1).sample("12" * 13 + "1", 27))
    assert not check_proof(DrawnBoard("3^3:target=2", owners)).proved
    none = classify("3^3:target=2")
    assert none.regions == (2,)
    assert verify(none.proof_text()).proved


def brute_region(game: Game) -> int:
    """The region by trying all games and all pairings."""
    values: dict[bytes, int] = {}
    winners = set[int]()
    drawn = False

    def value(position: Position) -> int:
        nonlocal drawn
        owners, outcome = position.owners, position.outcome
        if owners in values:
            return values[owners]
        if outcome is not None:
            drawn |= outcome.draw
            winners.add(outcome.winner or 0)
            found = {1: 1, 2: -1}.get(outcome.winner or 0, 0)
        else:
            after = [value(position.play(cell)) for cell in position.legal_moves]
            found = max(after) if position.to_move == 1 else min(after)
        values[owners] = found
        return found

    root = value(game.start())
    lines = [game.board.line(at).tolist() for at in range(game.board.line_count)]

    def paired(at: int, used: frozenset[int]) -> bool:
        return at == len(lines) or any(
            paired(at + 1, used | set(pair))
            for pair in itertools.combinations([c for c in lines[at] if c not in used], 2)
        )

    if winners == {1}:
        return 1
    if not drawn:
        return 2
    if root > 0:
        return 3
    return 5 if paired(0, frozenset()) else 4


@pytest.mark.more
def test_regions_of_random_games_are_those_by_brute_force() -> None:
    rng = random.Random(8)
    fates: Counter[int] = Counter()
    for _ in range(60):
        game = random_game(rng)
        region = brute_region(game)
        fates[region] += 1
        found = classify(game)
        assert found.regions == (region,), (game, found)
        assert found.draw in {region > 2, None}
        data = found.proof_text()
        assert verify(data).proved, (game, verify(data))
        for other in {1, 2, 3, 4, 5} - {region}:
            line = f"\nregions {region}\n".encode()
            mutant = rehash(data.replace(line, f"\nregions {other}\n".encode(), 1))
            assert not verify(mutant).proved
    assert len(fates) == 5


def test_who_always_wins() -> None:
    assert first_always_wins("2{0/1}")
    assert first_always_wins("4{0+1/0+2/0+3/1+2/1+3/2+3}")
    assert not first_always_wins("4{0+1/2+3/0+2/1+3/0+3}")
    assert first_always_wins("6^3") is None


def test_a_region_file_is_read_as_it_is_written() -> None:
    text = region_text(RegionProof("2^5", (1,)))
    assert verify(text).proved
    assert not verify(rehash(text.replace(b"regions 1", b"regions 01"))).proved
    assert not verify(rehash(text.replace(b"lines 0\n", b"lines 1\nhello\n"))).proved
