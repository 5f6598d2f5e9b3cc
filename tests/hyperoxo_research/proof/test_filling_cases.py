"""Cases by which no full board is a draw: the conditions of the checker, and what it rests on."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo.proof import check_proof, proof_size, verify
from hyperoxo.task import Task
from hyperoxo_research.draws.filling_cases import filling_by_cases
from hyperoxo_research.proof import filling_cases
from hyperoxo_research.proof.filling_cases import (
    Case,
    End,
    FillingCases,
    check_filling_cases,
    definite,
    filling_cases_text,
    outweighs,
    read_filling_cases,
)
from tests.expect import require
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_research.proof.split_fillings import FANO, lines_of, random_triples, some_cases

WIDER = FANO.replace("7{", "8{")
"""With a cell of no line, so that both have as many stones."""

UNIT = 8192  # that of the files


def test_the_form_counts_lines_where_stones_are_given() -> None:
    """What the constant and the form say of every full board of a case, against counting."""
    rng = random.Random(3)
    for _ in range(150):
        board = random_triples(rng, cells=(3, 6))
        game = Game(board=board)
        check = filling_cases._Check(FillingCases(game, ()))
        stones = np.array([rng.choice((0, 0, 1, -1)) for _ in range(board.cell_count)])
        free = [cell for cell in check.cells if not stones[cell]]
        one, two = rng.randint(1, 4), rng.randint(1, 4)
        sums = tuple(
            (rng.randint(1, 9), tuple((cell, rng.choice((1, -1))) for cell in sorted(chosen)))
            for chosen in (rng.sample(check.cells, 3) for _ in range(rng.randint(0, 3)))
        )
        weights = tuple(rng.randint(-50, 50) for _ in range(len(free) + 1))
        constant, form = check._form(End((one, two), weights, sums), stones, free)
        for signs in itertools.product((1, -1), repeat=len(free)):
            full = stones.copy()
            full[free] = signs
            counted = 0
            for line in lines_of(game):
                if len({int(full[cell]) for cell in line}) == 1:
                    mine = one if full[line[0]] > 0 else two
                    counted += mine if stones[line].any() else min(one, two)
            odd = sum(weight * sum(full[at] * sign for at, sign in of) ** 2 for weight, of in sums)
            much = int(full.sum()) - len(check.cells) % 2
            point = np.array([1, *signs])
            expected = UNIT * (8 * counted - constant) + sum(weights) - odd
            expected += filling_cases.SHARED * UNIT * (one + two) * much**2
            assert point @ form @ point == expected


def test_definite_forms_are_semidefinite() -> None:
    rng = np.random.default_rng(5)
    found = [0, 0]
    for _ in range(600):
        size = int(rng.integers(2, 7))
        root = rng.integers(-30, 31, (size, size - 1)) * 2 ** int(rng.integers(0, 10))
        form = root @ root.T
        form += int(rng.integers(-2, 3)) * (1 + int(form.max() >> 16)) * np.eye(size, dtype=int)
        least = np.linalg.eigvalsh(form.astype(float))[0]
        answer = definite(form)
        found[answer] += 1
        scale = max(1, int(np.abs(form).max()))
        assert not answer or least > -1e-9 * scale
        assert answer or least < 1e-4 * scale
    assert min(found) > 100


@pytest.mark.parametrize(
    "rows",
    [
        [[0]],
        [[-1]],
        [[1, 2], [2, 1]],
        [[4, 5], [5, 4]],
        [[2, 3, 0], [3, 2, 0], [0, 0, 9]],
        [[1, 0], [0, 0]],
        [[0, 0], [0, -5]],
        [[1, 1 << 30], [1 << 30, 1 << 40]],
        [[1 << 40, 1 << 40], [1 << 40, (1 << 40) - 1]],
    ],
)
def test_forms_that_are_not_definite(rows: list[list[int]]) -> None:
    assert not definite(np.array(rows, np.int64))


def test_large_forms_are_decomposed_without_overflow() -> None:
    for bits in range(0, 50, 7):
        form = (1 << bits) * (np.eye(90, dtype=np.int64) * 100 + 3)
        assert definite(form)
        form[0, 1] = form[1, 0] = (1 << bits) * 103
        assert not definite(form)


def test_entries_of_unlike_size_do_no_harm() -> None:
    near = (1 << 20) - 1
    assert definite(np.array([[1 << 40, near], [near, 1]]))
    assert definite(np.array([[1, near], [near, 1 << 40]]))
    assert definite(np.array([[1 << 40, 1, 0], [1, 3, 1], [0, 1, 5]]))
    assert not definite(np.array([[1 << 40, near + 2], [near + 2, 1]]))


def test_nothing_rests_on_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is decomposed, a form that is not semidefinite is not accepted."""
    rng = np.random.default_rng(9)
    right = np.linalg.cholesky
    wrong = [
        np.zeros_like,
        lambda form: np.diag(np.sqrt(np.abs(form.diagonal()))),
        lambda form: right(form + np.abs(form).sum() * np.eye(len(form))),
        lambda form: np.tril(rng.normal(size=form.shape)) * np.sqrt(np.abs(form).max()),
    ]
    for number in range(200):
        size = int(rng.integers(2, 6))
        form = rng.integers(-9, 10, (size, size))
        form = form + form.T + int(rng.integers(0, 40)) * np.eye(size, dtype=int)
        monkeypatch.setattr(np.linalg, "cholesky", wrong[number % len(wrong)])
        assert not definite(form) or np.linalg.eigvalsh(form)[0] > -1e-9


@pytest.mark.parametrize(
    ("rows", "holds"),
    [
        ([[0]], True),
        ([[2, 2], [2, 2]], True),
        ([[2, -2], [-2, 2]], True),
        ([[1, 2], [2, 3]], False),
        ([[2, 3], [3, 3]], False),
        ([[2, 1, 1], [1, 2, 1], [1, 1, 2]], True),
        ([[2, 1, 2], [1, 2, 1], [2, 1, 3]], False),
        ([[-1]], False),
        ([[(1 << 50) - 1]], True),
        ([[1 << 50]], False),
        ([[1 << 62, 1 << 62, 1 << 62], [1 << 62, 1 << 62, 0], [1 << 62, 0, 1 << 62]], False),
    ],
)
def test_diagonals_outweigh_their_rows(rows: list[list[int]], holds: bool) -> None:
    assert outweighs(np.array(rows, np.int64)) is holds


def some_cases_of(spec: str) -> FillingCases:
    """Return cases that begin with a stone, at the end of one of which there are sums."""
    game = Game(spec)
    for seed in range(1000):
        found = require(some_cases(game, random.Random(seed)))
        first, *rest = found.rows
        if isinstance(first, Case) and any(isinstance(row, End) and row.sums for row in rest):
            return found
    raise AssertionError("there are no such cases")


@cache
def drawn() -> FillingCases:
    return some_cases_of("3^3:blocked=centre")


def changed(at: int, row: Case | End) -> FillingCases:
    """Put another row in the place of one."""
    return replace(drawn(), rows=(*drawn().rows[:at], row, *drawn().rows[at + 1 :]))


def an_end() -> tuple[int, End]:
    """Return the first end that has sums, or any."""
    ends = [(at, row) for at, row in enumerate(drawn().rows) if isinstance(row, End)]
    return max(ends, key=lambda one: len(one[1].sums))


def test_cases_must_be_all_and_no_more() -> None:
    assert check_proof(drawn()).proved
    assert (
        "1 of the cases have no end" in check_proof(replace(drawn(), rows=drawn().rows[:-1])).reason
    )
    assert "1 of the cases have no end" in check_proof(replace(drawn(), rows=())).reason
    more = replace(drawn(), rows=(*drawn().rows, Case(0, 1)))
    assert f"row {len(drawn().rows) + 1}, 'case 0 1', is of no case" in check_proof(more).reason


@pytest.mark.parametrize("row", [Case(13, 1), Case(27, 1), Case(0, 0), Case(0, 3)])
def test_a_case_is_a_stone_on_a_free_cell(row: Case) -> None:
    assert f"row 1, '{row}': the stone of a case is not" in check_proof(changed(0, row)).reason


def test_a_cell_is_given_once_and_blocked_cells_never() -> None:
    first = drawn().rows[0]
    assert isinstance(first, Case)
    twice = replace(drawn(), rows=(first, first))
    assert "row 2, " in check_proof(twice).reason
    assert "the stone of a case is not on a free cell" in check_proof(twice).reason
    blocked = FillingCases(Game("3^2:blocked=4"), (Case(4, 1),))
    assert "the stone of a case is not on a free cell" in check_proof(blocked).reason


def test_ends_have_weights_that_are_enough() -> None:
    at, end = an_end()
    wrong = [
        (replace(end, weights=end.weights[1:]), "there are no weights of lines and of"),
        (replace(end, weights=(*end.weights, 1)), "there are no weights of lines and of"),
        (replace(end, lines=(0, 1)), "there are no weights of lines and of"),
        (replace(end, lines=(1, -1)), "there are no weights of lines and of"),
        (replace(end, lines=(1, 1 << 24)), "a weight is too large"),
        (replace(end, weights=(-(1 << 24), *end.weights[1:])), "a weight is too large"),
        (replace(end, sums=((1 << 24, ((0, 1),)),)), "a weight is too large"),
        (replace(end, sums=((0, ((0, 1),)),)), "a sum is not of an odd number of cells"),
        (replace(end, sums=((-1, ((0, 1),)),)), "a sum is not of an odd number of cells"),
        (replace(end, sums=((1, ((0, 1), (1, 1))),)), "a sum is not of an odd number of cells"),
        (replace(end, sums=((1, ()),)), "a sum is not of an odd number of cells"),
        (replace(end, sums=((1, ((2, 1), (1, 1), (3, 1))),)), "a sum is not of an odd number"),
        (replace(end, sums=((1, ((1, 1), (1, 1), (3, 1))),)), "a sum is not of an odd number"),
        (replace(end, sums=((1, ((1, 1), (2, 1), (13, 1))),)), "a sum is not of an odd number"),
        (replace(end, weights=(1 << 23, *end.weights[1:])), "leave both players below the target"),
        (replace(end, weights=(-(1 << 23), *end.weights[1:])), "do not make the form definite"),
    ]
    for row, reason in wrong:
        verdict = check_proof(changed(at, row))
        assert f"row {at + 1}, '" in verdict.reason
        assert reason in verdict.reason
    little = replace(end, sums=(*end.sums, (1, ((0, 1), (1, -1), (2, 1)))))
    assert check_proof(changed(at, little)).proved
    largest = replace(end, weights=((1 << 24) - 1, *end.weights[1:]))
    assert "leave both players below" in check_proof(changed(at, largest)).reason


@pytest.mark.more
def test_no_entry_of_a_form_is_too_large_for_a_word() -> None:
    """On large boards the numbers that are allowed would wrap around, and prove anything."""
    wide = FillingCases(Game("3000{0+1+2}"), (End((1 << 23, 1 << 23), (0,) * 3001),))
    assert "row 1, " in check_proof(wide).reason
    assert "too large for a word" in check_proof(wide).reason
    narrow = replace(wide, rows=(End((1, 1), (0,) * 3001),))
    assert "do not make the form definite" in check_proof(narrow).reason
    cells = tuple((cell, 1) for cell in range(2999))
    many = replace(wide, rows=(End((1, 1), (0,) * 3001, (((1 << 24) - 1, cells),) * 300),))
    assert "too large for a word" in check_proof(many).reason


@pytest.mark.parametrize(("spec", "lines", "target"), [(FANO, 7, 1), ("3^3:target=2", 49, 2)])
def test_just_enough_is_not_enough(spec: str, lines: int, target: int) -> None:
    """Weights that say that one player has the target, or not quite."""
    found = require(filling_by_cases(Game(spec), task=Task()))
    (end,) = found.rows
    assert isinstance(end, End)
    assert end.lines == (1, 1)
    total = UNIT * 2 * lines - sum(end.weights) + sum(weight for weight, _ in end.sums)
    total -= 8 * UNIT * 2 * (target - 1)
    assert total > 0
    exact = replace(end, weights=(end.weights[0] + total, *end.weights[1:]))
    assert (
        "leave both players below the target" in check_proof(replace(found, rows=(exact,))).reason
    )
    nearly = replace(end, weights=(end.weights[0] + total - 1, *end.weights[1:]))
    assert check_proof(replace(found, rows=(nearly,))).proved


def test_players_are_exchanged_only_where_both_have_as_many_stones() -> None:
    """On seven cells the first player has four; a stone's own cell is no image for the second."""
    for spec, both in ((FANO, False), (WIDER, True)):
        check = filling_cases._Check(FillingCases(Game(spec), ()))
        stones = np.zeros(check.game.board.cell_count, np.int64)
        cases = list(check._cases(Case(0, 1), stones))
        assert cases[0].tolist()[0] == 1
        assert np.count_nonzero(cases[0]) == 1
        # Where players are exchanged, one or the other image is there, and no second case.
        assert len(cases) == (1 if both else 2)
        assert both or cases[1].tolist() == [-1] * 7


def test_second_cases_exclude_all_images() -> None:
    """Against all symmetries that leave the given stones, players exchanged or not."""
    rng = random.Random(8)
    for spec in (FANO, WIDER, "3^2", "3^3:blocked=centre"):
        game = Game(spec)
        check = filling_cases._Check(FillingCases(game, ()))
        moves = game.symmetry.permutations().tolist()
        for _ in range(12):
            stones = np.zeros(game.board.cell_count, np.int64)
            for cell in rng.sample(check.cells, rng.randint(0, 3)):
                stones[cell] = rng.choice((1, -1))
            cell = rng.choice([one for one in check.cells if not stones[one]])
            player = rng.randint(1, 2)
            stone = 3 - 2 * player
            images = set()
            for sign, move in itertools.product((1, -1), moves):
                image = np.zeros_like(stones)
                image[move] = sign * stones
                if (image == stones).all() and (sign > 0 or len(check.cells) % 2 == 0):
                    images.add((move[cell], sign * stone))
            cases = list(check._cases(Case(cell, player), stones))
            assert [*np.flatnonzero(cases[0] - stones)] == [cell]
            assert cases[0][cell] == stone
            if (cell, -stone) in images:
                assert len(cases) == 1
            else:
                there = cases[1] - stones
                assert {(at, -int(there[at])) for at in np.flatnonzero(there)} == images


def test_cases_are_settled_by_shares_and_lines() -> None:
    check = filling_cases._Check(FillingCases(Game(FANO.replace("}", "}:target=2")), ()))
    stones = np.zeros(7, np.int64)
    stones[[0, 1, 2]] = 1
    assert check._open(stones)
    stones[3] = 1
    assert check._open(stones)
    stones[4] = 1
    assert not check._open(stones)
    assert check._open(-np.array([1, 1, 1, 0, 0, 0, 0]))
    assert not check._open(-np.array([1, 1, 1, 1, 0, 0, 0]))
    one = filling_cases._Check(FillingCases(Game(FANO), ()))
    for sign in (1, -1):
        assert not one._open(sign * np.array([1, 1, 1, 0, 0, 0, 0]))
        assert one._open(sign * np.array([1, 1, -1, 0, 0, 0, 0]))


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("4{0+1+2/2+3}", "not all lines of"),
        (f"{FANO}:players=3", "is not supported for"),
        # There player 2 has one stone more.
        (f"{FANO}:first=2", "is not supported for"),
        (f"{FANO}:bias=1+2", "is not supported for"),
    ],
)
def test_other_games(spec: str, reason: str) -> None:
    assert reason in check_proof(FillingCases(Game(spec), ())).reason
    assert filling_by_cases(Game(spec), task=Task()) is None


def _turned(row: Case | End) -> Case | End:
    """Turn the signs of all sums, which are squared."""
    if isinstance(row, Case):
        return row
    sums = tuple((weight, tuple((at, -sign) for at, sign in of)) for weight, of in row.sums)
    return replace(row, sums=sums)


def test_rows_have_one_spelling() -> None:
    text = filling_cases_text(drawn())
    assert read_filling_cases(text) == drawn()
    assert verify(text).proved
    plain = FillingCases(Game(FANO), (End((1, 2), (0, -1, 2)), Case(3, 2)))
    assert filling_cases_text(plain).endswith(b"\nrows 2\nend 1 2 0,-1,2\ncase 3 2\n")
    assert read_filling_cases(filling_cases_text(plain)) == plain
    assert b"3^3:blocked=centre" in text
    other = rehash(text.replace(b"3^3:blocked=centre", b"3^3:blocked=13"))
    assert "is not written the way" in verify(other).reason
    assert proof_size(drawn()) == f"{len(drawn().rows)} rows"
    head, _, _ = text.partition(b"\ncase ")
    for row in (
        *("case 0", "case 0 1 1", "case 00 1", "case 0 +1", "cases 0 1", "", "end 1 1", "end 1 1 "),
        *(
            "end 1 1 01",
            "end 1 1 +1",
            "end 01 1 0",
            "end 1 1 0 1",
            "end 1 1 0 1:",
            "end 1 1 0 1:+1",
        ),
        *("end 1 1 0 01:1", "end 1 1 0 1:1+", "end 1 1 0 1:01", "end 1 1 0 -1:1", "end 1 1 -0"),
        *(
            "end 1 1 0 1:1*2",
            "end 1 1 0  1:1",
            "end 1 1 0,",
            "end 1 1 1234567890",
            "end 1 1 0 1:12345",
        ),
    ):
        lines = head.decode("ascii").replace(f"rows {len(drawn().rows)}", "rows 1").split("\n")
        spoilt = rehash("\n".join([*lines, row, ""]).encode("ascii"))
        verdict = verify(spoilt)
        assert verdict.claim == ""
        assert not verdict.proved
        assert "is not written the way" not in verdict.reason
    again = rehash(text.replace(b"symmetries 48", b"symmetries 1"))
    assert "has 48 symmetries, not 1" in verify(again).reason
    turned = replace(drawn(), rows=tuple(_turned(row) for row in drawn().rows))
    assert turned != drawn()
    assert read_filling_cases(filling_cases_text(turned)) == turned
    assert check_proof(turned).proved


def test_progress_tells_of_rows() -> None:
    told: list[tuple[int, int]] = []
    check_filling_cases(drawn(), progress=lambda done, total: told.append((done, total)))
    assert told == [(at, len(drawn().rows)) for at in range(len(drawn().rows))]


def test_what_is_claimed() -> None:
    for target, lines in ((1, "a line"), (2, "2 lines"), (3, "3 lines")):
        board = f"on every full board of 3^3:target={target}" if target > 1 else "of 3^3"
        claim = FillingCases(Game(f"3^3:target={target}"), ()).statement
        assert board in claim
        assert claim.endswith(f"on which both have their share of stones one of them has {lines}")


def test_cases_by_chance_of_small_boards() -> None:
    """Also where a stone settles a case."""
    for seed in range(30):
        for spec in (FANO, WIDER):
            found = require(some_cases(Game(spec), random.Random(seed)))
            assert check_proof(found).proved


def test_of_a_board_with_too_many_symmetries_none_is_used() -> None:
    check = filling_cases._Check(FillingCases(Game("12{0+1+2}"), ()))
    assert check.images.tolist() == [list(range(12))]
