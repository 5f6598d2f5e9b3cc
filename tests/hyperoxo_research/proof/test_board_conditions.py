"""Proofs about boards: each condition of their checkers by itself."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from hyperoxo.errors import CheckFailedError, LimitError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof import Dictionary, Pairing, Prevention, check_proof, verify
from hyperoxo.proof.registry import proof_text
from hyperoxo_research.draws.stored import stored_no_draw
from hyperoxo_research.proof import full_board, region
from hyperoxo_research.proof.cubes import cube_lines, known_game
from hyperoxo_research.proof.filling import (
    Filling,
    OddSum,
    _form,
    filling_text,
    is_semidefinite,
    read_filling,
)
from hyperoxo_research.proof.full_board import (
    Codes,
    DrawnBoard,
    full_board_text,
    kinds_of_cells,
    read_full_board,
)
from hyperoxo_research.proof.no_draw import NoDraw, draw_clauses, no_draw_text
from hyperoxo_research.proof.no_pairing import NoPairing, no_pairing_text
from hyperoxo_research.proof.region import RegionProof, first_always_wins, region_text
from hyperoxo_research.proof.rup import check_refutation
from tests.hyperoxo.proof.brute import strategy
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo.proof.test_registry import claims
from tests.hyperoxo_research.proof.split_fillings import FANO
from tests.hyperoxo_research.proof.test_boards import CROWDED, filling


def weighed(spec: str, *weights: int | Fraction) -> Filling:
    game = Game(spec)
    return Filling(game, tuple(zip(range(len(weights)), map(Fraction, weights), strict=True)))


def test_a_spelling_is_the_canonical_one() -> None:
    assert known_game("3^2:misere") == "3^2:misere"
    with pytest.raises(SpecError, match="the game is spelled"):
        known_game("3^2:players=2")


@pytest.mark.parametrize(("weights", "least"), [((1, 0, 0), 1), ((2, 0, 0), 0), ((99, 0, 0), 0)])
def test_lines_that_weights_promise(weights: tuple[int, ...], least: int) -> None:
    assert weighed("3{0+1+2}", *weights).least_lines == least


def test_each_pair_of_cells_is_on_one_line_of_seven() -> None:
    """The sum over all pairs is a square with weights 1, and less with any other."""
    ones = weighed(FANO, *[1] * 7)
    assert ones.least_lines == 1
    assert check_proof(ones).proved
    assert check_proof(weighed(FANO.replace("7{", "8{"), *[1] * 7, 0)).proved
    for at in range(7):
        less = [1 - Fraction(one == at, 1000) for one in range(7)]
        assert "semidefinite" in check_proof(weighed(FANO, *less)).reason
    assert verify(filling_text(ones)).proved
    again = verify(rehash(filling_text(ones).replace(b"\n0 1\n", b"\n0 2/2\n")))
    assert "is not written the way" in again.reason


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (weighed("3{0+1+2}", 2, 2, 2), "0 lines are no more than 0 of each player"),
        (weighed("4{0+1+2/2+3}", 1, 1, 1, 1), "not all lines of"),
        (weighed(f"{FANO}:players=3", *[1] * 7), "is not supported for"),
    ],
)
def test_lines_of_full_boards_that_are_no_proof(found: Filling, reason: str) -> None:
    assert reason in check_proof(found).reason


def test_shares_of_stones_count_where_the_cells_are_odd_in_number() -> None:
    """With each share the sum of all stones is 1 or -1 there, and else 0."""
    for cells, least in ((5, 4), (4, 3)):
        found = weighed(f"{cells}{{0+1+2}}", -16, *[0] * (cells - 1))
        assert replace(found, shared=Fraction(-8)).least_lines == least
        assert found.least_lines == 3
    ones = weighed(FANO, *[1] * 7)
    shared = replace(ones, shared=Fraction(-1))
    assert check_proof(shared).proved
    assert "on which both have their share of stones at least 1 of" in shared.statement
    assert f"full board of {FANO} at least 1 of" in ones.statement
    assert "0 lines are no more" in check_proof(replace(ones, shared=Fraction(8))).reason
    assert "semidefinite" in check_proof(replace(ones, shared=Fraction(-2))).reason
    text = filling_text(shared)
    assert text.endswith(b"\n6 1\nshared -1\n")
    assert read_filling(text) == shared
    for one in (ones, shared):
        again = rehash(filling_text(one).replace(b"symmetries 168", b"symmetries 1"))
        assert "has 168 symmetries, not 1" in verify(again).reason


def test_odd_sums_may_weigh_nothing() -> None:
    ones = weighed(FANO, *[1] * 7)
    assert check_proof(replace(ones, odd=(OddSum(Fraction(0), ((0, 1),)),))).proved


@pytest.mark.parametrize("spec", ["4{0+1+2}", "4{0+1+2/1+2+3}:blocked=0", "12{0+1+2}"])
def test_forms_are_those_of_the_rows(spec: str) -> None:
    """Against the sums as they read; of a board with too many symmetries only one is used."""
    game = Game(spec)
    cells = game.board.playable.tolist()
    weights = tuple((cell, Fraction(at, 2)) for at, cell in enumerate(cells))
    odd = (
        OddSum(Fraction(2, 3), ((1, 2), (3, -1))),
        OddSum(Fraction(1, 4), ((1, 1), (2, 3), (3, 1))),
    )
    found = Filling(game, weights, odd, Fraction(-1, 5))
    lines = [game.board.line(at).tolist() for at in range(game.board.line_count)]
    moves = [range(12)] if len(cells) == 12 else game.symmetry.permutations().tolist()
    form = {(one, two): found.shared for one in cells for two in cells}
    for cell, weight in weights:
        form[cell, cell] += weight
    for one, two in (pair for line in lines for pair in itertools.permutations(line, 2)):
        form[one, two] += 1
    for one_sum, move in itertools.product(odd, moves):
        for (one, once), (two, twice) in itertools.product(one_sum.times, repeat=2):
            form[move[one], move[two]] -= one_sum.weight * once * twice
    assert _form(found) == [[int(60 * form[one, two]) for two in cells] for one in cells]


def test_forms_are_semidefinite_where_no_minor_is_negative() -> None:
    rng = random.Random(1)
    found = [0, 0]
    for _ in range(400):
        size = rng.randint(1, 4)
        rows = [[0] * size for _ in range(size)]
        for one, other in itertools.combinations_with_replacement(range(size), 2):
            most = 4 if one == other else 2
            rows[one][other] = rows[other][one] = rng.randint(one != other and -2, most)
        matrix = np.array(rows, float)
        expected = all(
            round(np.linalg.det(matrix[np.ix_(chosen, chosen)])) >= 0
            for count in range(1, size + 1)
            for chosen in map(list, itertools.combinations(range(size), count))
        )
        assert is_semidefinite(rows) is expected, rows
        found[expected] += 1
    assert min(found) > 50
    assert not is_semidefinite([[-1]])
    assert not is_semidefinite([[0, 1, 0], [1, 9, 0], [0, 0, 9]])
    assert not is_semidefinite([[0, 0], [0, -1]])
    assert is_semidefinite([[0, 0, 0], [0, 1, 1], [0, 1, 1]])


def test_parts_of_boards_without_a_pairing() -> None:
    assert check_proof(NoPairing("1^2", axes=1)).proved
    for wrong in (NoPairing("1^2", axes=0), NoPairing("3^2", CROWDED.lines, axes=2)):
        assert "is not a board with" in check_proof(wrong).reason
    cubes = NoPairing("9^8", axes=4)
    assert b"\naxes 4\n" in no_pairing_text(cubes)
    assert verify(no_pairing_text(cubes)).proved
    text = no_pairing_text(CROWDED)
    turned = text.replace(b"\n0 1 2\n0 3 6\n", b"\n0 3 6\n0 1 2\n")
    assert turned != text
    assert "is not written the way" in verify(rehash(turned)).reason


def test_clauses_are_those_of_the_files() -> None:
    """Steps name cells and counts by these numbers."""
    two = Game("3{0+1+2}")
    lines = [[-1, -2, -3], [1, 2, 3]]
    assert list(draw_clauses(two, "any")) == lines
    assert list(draw_clauses(two, "shared")) == [
        *lines,
        *([-1, 7], [-2, 9], [-7, 9], [-8, 10], [-2, -7, 10], [-2, -8]),
        *([-3, 11], [-9, 11], [-10, 12], [-3, -9, 12], [-3, -10]),
        *([1, 13], [2, 14], [-13, 14], [2, -13], [3, 15], [-14, 15], [3, -14]),
    ]
    assert list(draw_clauses(Game("1{0}"), "shared")) == [[-1], [1], [-1, 3], [1]]
    three = [[1, 2, 3], [4, 5, 6], [-1, -4], [-2, -5], [-3, -6]]
    assert list(draw_clauses(Game("2{0+1}:players=3"), "any")) == three


def test_what_is_no_refutation() -> None:
    text = no_draw_text(NoDraw(Game("2^2"), "any", ((1,), ())))
    assert verify(text).proved
    for old, new, reason in (
        (b"stones any", b"stones some", "the stones are 'some'"),
        (b"game 2^2", b"game 2^2:players=2", "is not written the way"),
        (b"\n1 0\n", b"\n1 5\n", "'1 5' is not a clause"),
    ):
        assert reason in verify(rehash(text.replace(old, new))).reason
    assert "the last step is not" in check_proof(NoDraw(Game("2^2"), "any", ())).reason
    for stones, shared in (("any", ""), ("shared", " on which all have their share of stones")):
        claim = NoDraw(Game("2^2"), stones, ()).statement
        assert claim.startswith(f"every full board of 2^2{shared} has")
    with pytest.raises(CheckFailedError, match="step 1, 1 2, does not follow"):
        check_refutation([[3, 4]], [(1, 2)])


@pytest.mark.parametrize("step", [(1, 2), (2, 1), (3, -3), (-4, 3, 4)])
def test_clauses_that_hold_anyway_follow(step: tuple[int, ...]) -> None:
    check_refutation([[1], [5, 6], [5, -6], [-5, 6], [-5, -6]], [step, (5,), ()])


def test_full_boards_are_written_in_rows_of_a_hundred() -> None:
    owners = "12" * 50 + "1"
    text = full_board_text(DrawnBoard("101{}", owners))
    assert text.endswith(f"\nrows 2\n{owners[:100]}\n1\n".encode())
    assert verify(text).proved
    split = text.replace(b"\nrows 2\n12", b"\nrows 3\n12\n")
    assert "is not written the way" in verify(rehash(split)).reason
    assert "are not owners" in verify(rehash(text.replace(b"\n1\n", b"\n.\n"))).reason


def test_kinds_of_cells_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is part of what is accepted."""
    assert full_board._MOST_KINDS == 2_000_000
    monkeypatch.setattr(full_board, "_MOST_KINDS", 6)
    assert len(list(kinds_of_cells(3, (2,)))) == 6
    monkeypatch.setattr(full_board, "_MOST_KINDS", 5)
    with pytest.raises(LimitError, match="6 kinds of cells are more than 5"):
        kinds_of_cells(3, (2,))


ROW_OF_TWO = "2222112111122211"


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (DrawnBoard("4{0/1/2/3}:target=2", "1212"), "player 1 has 2 lines"),
        (DrawnBoard("4{0/1/2/3}:target=3", "1212"), ""),
        (DrawnBoard("3^2", "112221113"), "player 2 has 3 stones, and not 4"),
        (DrawnBoard("3^2", "112221", (2, 0)), "the groups are not those"),
        (DrawnBoard("1^2", "1", (2,)), "the groups are not those"),
        (DrawnBoard("2^1", "12", (1,)), ""),
        (DrawnBoard("2^2", "132", (2,)), "the owners are not those"),
        (DrawnBoard("4^2", ROW_OF_TWO, (1, 1)), "is all of player 2"),
        (
            DrawnBoard("4^2", ROW_OF_TWO.translate(str.maketrans("12", "21")), (1, 1)),
            "is all of player 1",
        ),
    ],
)
def test_full_boards(found: DrawnBoard, reason: str) -> None:
    verdict = check_proof(found)
    assert verdict.proved is (reason == "")
    assert reason in verdict.reason
    assert verify(full_board_text(found)).verdict == verdict.verdict
    assert read_full_board(full_board_text(found)) == found


@pytest.mark.parametrize(
    ("side", "groups"), [(2, (1, 1, 1)), (3, (2, 1)), (4, (1, 2)), (5, (2, 2)), (3, (3, 2, 1))]
)
def test_each_kind_of_cells_has_a_code(side: int, groups: tuple[int, ...]) -> None:
    kinds = list(kinds_of_cells(side, groups))
    codes = Codes(side, groups)
    assert len({codes.of(kind) for kind in kinds}) == len(kinds)


@pytest.mark.parametrize(("side", "dim"), [(2, 2), (3, 3), (4, 2), (2, 4)])
def test_each_line_is_looked_at_once(side: int, dim: int) -> None:
    codes = Codes(side, (1,) * dim)
    assert sum(len(codes.lines(way)[0]) for way in codes.ways()) == cube_lines(side, dim)


def test_codes_are_numbers_of_the_processor() -> None:
    assert Codes(61, (1,)).weights[0][-1] == 2**60
    with pytest.raises(LimitError, match="boards of side 31 in 2 groups are too large"):
        Codes(31, (1, 1))


def later() -> bytes:
    """Player 2 holds the middle, which player 1 need not let them have."""
    game = Game("3{0+1/0+2}")
    return proof_text(Pairing(game, 2, (), game.position("moves:1,0")))


def by_seat(spec: str, seat: int, claim: str) -> Callable[[], bytes]:
    def text() -> bytes:
        found = strategy(spec, seat, claim)
        assert found is not None
        return proof_text(found)

    return text


@pytest.mark.parametrize(
    ("spec", "left", "part"),
    [
        ("3^4", (1, 2), lambda: no_draw_text(stored_no_draw())),
        ("2^4", (1,), lambda: no_draw_text(NoDraw(Game("2^3"), "any", ((1,), ())))),
        ("3^3:target=2", (1, 2), lambda: filling_text(filling())),
        (FANO, (2,), lambda: filling_text(weighed(FANO, *[1] * 7))),
        ("3^2", (3, 4, 5), lambda: full_board_text(DrawnBoard("3^2", "112221112"))),
        ("9^8", (1, 2, 3, 4), lambda: no_pairing_text(NoPairing("9^8", axes=4))),
        ("3^3", (1, 2, 3), lambda: proof_text(Dictionary(Game("3^3"), 1, None, {bytes(27): 13}))),
        ("3{0+1}", (5,), lambda: proof_text(Pairing(Game("3{0+1}"), 2, ((0, 1),)))),
        ("3{0+1/0+2}", (1, 2, 3), by_seat("3{0+1/0+2}", 1, "win")),
        ("3^2", (4, 5), by_seat("3^2", 2, "draw")),
        ("6^2", (4, 5), lambda: proof_text(Prevention(Game("6^2"), 1, "no-win", {}))),
        ("5{0+1+2/2+3+4}", (4, 5), lambda: proof_text(claims()[6])),
        ("6^2", (4, 5), lambda: proof_text(claims()[7])),
    ],
)
def test_what_one_part_leaves(spec: str, left: tuple[int, ...], part: Callable[[], bytes]) -> None:
    found = RegionProof(spec, left, (part(),))
    assert check_proof(found).reason == ""
    assert verify(region_text(found)).proved
    for other in itertools.chain.from_iterable(
        itertools.combinations(range(1, 6), count) for count in range(6)
    ):
        if other != left:
            assert not check_proof(RegionProof(spec, other, found.parts)).proved


@pytest.mark.parametrize(
    ("spec", "part", "reason"),
    [
        ("3^2", lambda: no_pairing_text(NoPairing("3^2", ())), "part 1: 0 lines have 0 cells"),
        ("3{0+1/0+2}", later, "part 1 does not restrict the region"),
        ("3^2", lambda: no_draw_text(stored_no_draw()), "part 1 does not restrict the region"),
        ("4^4", lambda: no_draw_text(stored_no_draw()), "part 1 does not restrict the region"),
        (FANO, lambda: no_draw_text(stored_no_draw()), "part 1 does not restrict the region"),
        (
            "3^2",
            lambda: no_draw_text(NoDraw(Game("2{0/1}"), "any", ((),))),
            "part 1 does not restrict the region",
        ),
        (
            "2^2",
            lambda: no_draw_text(NoDraw(Game("2^3"), "any", ((1,), ()))),
            "part 1 does not restrict the region",
        ),
    ],
)
def test_parts_about_something_else(spec: str, part: Callable[[], bytes], reason: str) -> None:
    assert reason in check_proof(RegionProof(spec, (1, 2), (part(),))).reason


@pytest.mark.parametrize(
    ("spec", "holds"),
    [("1^1", True), ("1^3", True), ("2^2", True), ("2^3", True), ("2^1", False), ("3^1", False)],
)
def test_boards_on_which_every_line_is_soon_full(spec: str, holds: bool) -> None:
    assert check_proof(RegionProof(spec, (1,))).proved is holds
    assert check_proof(RegionProof(spec, (1, 2, 3, 4, 5))).proved is not holds


def test_who_always_wins_is_worked_out_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert region._MOST_CHOICES == 50_000
    all_pairs = "4{0+1/0+2/0+3/1+2/1+3/2+3}"
    assert first_always_wins("4{0+1/2+3}")
    assert first_always_wins("2^2:target=2") is None
    monkeypatch.setattr(region, "_MOST_CHOICES", 6)
    assert first_always_wins(all_pairs)
    monkeypatch.setattr(region, "_MOST_CHOICES", 5)
    assert first_always_wins(all_pairs) is None


def test_parts_begin_with_their_first_line() -> None:
    text = region_text(RegionProof("2^5", (1,)))
    broken = verify(rehash(text.replace(b"lines 0\n", b"lines 1\nhello\n")))
    assert "the parts do not begin" in broken.reason
    spelled = verify(rehash(text.replace(b"creator -", b"creator  x")))
    assert "is not written the way" in spelled.reason
