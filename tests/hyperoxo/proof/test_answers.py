from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.proof import (
    Mirroring,
    Pairing,
    check_mirroring,
    check_pairing,
    read_mirroring,
    read_pairing,
)
from hyperoxo.proof.registry import proof_text, verify, write_proof
from tests.judge import forced
from tests.strategies import play_at_random

PAIRED = "8{0+1+2/2+3+4/0+5+6/1+6+7}"
PAIRS = ((0, 5), (1, 6), (3, 4))
MIRRORED = (
    ("3^2:misere", 1),
    ("2^2:misere", 2),
    ("3^2:misere,blocked=0+8", 1),
    ("2^3:misere", 2),
    ("9{0+1+2/3+4+5/6+7+8/0+3/5+8}:misere", 1),
)


def reverse(game: Game) -> tuple[int, ...]:
    return tuple(range(game.board.cell_count - 1, -1, -1))


def paired() -> Pairing:
    """Four lines; the first two pairs serve the second line and the last one no other."""
    return Pairing(Game(PAIRED), 2, ((0, 2), (3, 4), (5, 6), (1, 7)))


@pytest.mark.parametrize("seat", [1, 2])
def test_pairs_draw(seat: int, tmp_path: Path) -> None:
    found = replace(paired(), seat=seat)
    write_proof(found, tmp_path / "x", creator="a test")
    verdict = verify(tmp_path / "x")
    assert verdict.proved, verdict
    assert verdict.claim == found.statement
    assert set(map(frozenset, read_pairing(tmp_path / "x").pairs)) == set(
        map(frozenset, found.pairs)
    )
    assert forced(found.position, seat) >= 0


@pytest.mark.more
def test_pairs_hold_only_where_brute_force_agrees() -> None:
    rng = random.Random(3)
    proved = 0
    games = [Game(PAIRED), Game("3^2"), Game("2^2"), Game("3^2:opening=0x2"), Game("6{0+1/2+3}")]
    games += [Game("3^2:gravity"), Game("3^2:misere"), Game("3^2:target=2")]
    for _ in range(10_000):
        game = rng.choice(games)
        begins = play_at_random(game.start(), rng, rng.randint(0, 4))
        free = [cell for cell, owner in enumerate(begins.owners) if owner == 0]
        rng.shuffle(free)
        pairs = tuple(zip(free[::2], free[1::2], strict=False))
        found = Pairing(game, rng.choice((1, 2)), pairs, begins)
        if verify(proof_text(found)).proved:
            proved += 1
            assert forced(begins, found.seat) >= 0, found
    assert proved > 300


def test_a_line_with_a_stone_of_the_seat_needs_no_pair() -> None:
    game = Game("6{0+1+2/3+4}")
    broken = Pairing(game, 2, ((3, 4),), game.position("moves:0,1"))
    assert check_pairing(broken).proved
    found = check_pairing(replace(broken, begins=game.position("moves:0,5")))
    assert found.reason == "the line 0-1-2 holds no pair"


@pytest.mark.parametrize(("spec", "seat"), MIRRORED)
def test_mirroring_never_loses(spec: str, seat: int, tmp_path: Path) -> None:
    game = Game(spec)
    found = Mirroring(game, seat, reverse(game))
    write_proof(found, tmp_path / "x", creator="a test")
    verdict = verify(tmp_path / "x")
    assert verdict.proved, verdict
    assert verdict.claim == found.statement
    assert verdict.positions == 1
    assert read_mirroring(tmp_path / "x") == found
    assert forced(game.start(), seat) >= 0
    assert not check_mirroring(replace(found, seat=3 - seat)).proved


@pytest.mark.more
def test_permutations_hold_only_where_brute_force_agrees() -> None:
    rng = random.Random(4)
    proved = 0
    specs = [spec for spec, _ in MIRRORED] + ["3^2", "3^2:misere,gravity", "6{0+1/2+3/4+5}:misere"]
    specs += ["2^2:misere,blocked=0+3", "3^2:misere,target=2", "3^2:misere,opening=4"]
    games = [Game(spec) for spec in specs]
    for _ in range(10_000):
        game = rng.choice(games)
        cells = list(range(game.board.cell_count))
        images = list(reverse(game)) if rng.random() < 0.5 else cells[:]
        for _ in range(rng.randint(0, 3)):
            a, b = rng.sample(cells, 2)
            if rng.random() < 0.8:
                images[images[a]], images[images[b]] = images[a], images[b]
            images[a], images[b] = b, a
        found = Mirroring(game, rng.choice((1, 2)), tuple(images))
        if check_mirroring(found).proved:
            proved += 1
            assert verify(proof_text(found)).proved
            assert forced(game.start(), found.seat) >= 0, found
    assert proved > 500


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (((0, 2), (3, 4), (5, 6)), "the line 1-6-7 holds no pair"),
        (((0, 2), (0, 4)), "the pair 0-4 shares a cell"),
        (((0, 0),), "the pair 0-0 shares a cell"),
        (((0, 8),), "cell 8 is not free"),
        (((0, -1),), "cell -1 is not free"),
    ],
)
def test_what_is_wrong_with_pairs_is_said(pairs: tuple[tuple[int, int], ...], message: str) -> None:
    verdict = check_pairing(replace(paired(), pairs=pairs))
    assert verdict.verdict == "rejected"
    assert message in verdict.reason


@pytest.mark.parametrize(
    ("spec", "seat", "message"),
    [
        ("3^2:misere", 2, "it needs normal play"),
        ("3^2:gravity", 2, "it needs no gravity"),
        ("3^2:opening=0", 1, "the opening is restricted"),
    ],
)
def test_where_pairs_prove_nothing(spec: str, seat: int, message: str) -> None:
    assert message in check_pairing(Pairing(Game(spec), seat, ())).reason


def test_pairs_of_a_game_that_is_over() -> None:
    over = Game("2^2").position("moves:0,1,2")
    assert check_pairing(Pairing(over.game, 1, (), over)).reason == "the game is over at 121."
    with pytest.raises(SpecError, match="belongs to 2\\^2"):
        Pairing(Game("3^2"), 1, (), over)


@pytest.mark.parametrize(
    ("spec", "images", "message"),
    [
        ("2^2", (3, 2, 1, 0), "mirroring is not supported for 2^2: it needs misère play"),
        ("2^2:misere,target=2", (3, 2, 1, 0), "it needs a target of one line"),
        ("2^2:misere,gravity", (3, 2, 1, 0), "it needs no gravity"),
        ("2^2:misere", (1, 2, 3, 0), "does not swap"),
        ("2^2:misere", (0, 0, 0, 0), "does not swap"),
        ("2^2:misere", (3, 2, 1, 9), "does not swap"),
        ("2^2:misere", (9, 2, 1, 0), "does not swap"),
        ("2^2:misere", (3, 2, 1, 0, 4), "does not swap"),
        ("2^2:misere", (1, 2, 0, 3), "does not swap"),
        ("2^2:misere,opening=0", (3, 2, 1, 0), "it needs no opening restriction"),
        ("2^2:misere", (0, 1, 3, 2), "2 cells are their own answers"),
        ("2^2:misere,blocked=0+3", (1, 0, 3, 2), "cell 0 and its answer are not both playable"),
        ("4{0+1/0+2+3}:misere", (2, 3, 0, 1), "the line 0-1 may become all player 2's"),
    ],
)
def test_what_is_wrong_with_mirroring_is_said(
    spec: str, images: tuple[int, ...], message: str
) -> None:
    verdict = check_mirroring(Mirroring(Game(spec), 2, images))
    assert verdict.verdict == "rejected"
    assert message in verdict.reason


@pytest.mark.parametrize(
    ("spec", "images", "reason"),
    [
        ("5{1+2+3+4}:misere", (1, 0, 3, 2, 4), ""),
        ("3{0+2}:misere", (2, 1, 0), ""),
        ("3{0+1+2}:misere", (2, 1, 0), ""),
        # They begin on 0, and may own 1 and 3 as well, or all of a line and its image.
        ("5{0+1+3}:misere", (0, 2, 1, 4, 3), "the line 0-1-3 may become all player 1's"),
        ("5{0+1+3/0+2+4}:misere", (0, 2, 1, 4, 3), "the line 0-1-3 may become all player 1's"),
        ("5{1+3/2+3}:misere", (0, 2, 1, 4, 3), "the line 1-3 may become all player 1's"),
        ("5{1+3/2+4}:misere", (0, 2, 1, 4, 3), ""),
        ("2^2:misere", (3, 2, 1, 0), "no cells are their own answers"),
    ],
)
def test_player_one_mirrors_about_the_cell_of_the_first_move(
    spec: str, images: tuple[int, ...], reason: str
) -> None:
    game = Game(spec)
    found = check_mirroring(Mirroring(game, 1, images))
    assert found.reason == reason
    assert reason or forced(game.start(), 1) >= 0


def test_blocked_cells_need_no_answer_and_one_pair_in_a_line_is_enough() -> None:
    assert check_mirroring(
        Mirroring(Game("3^2:misere,blocked=centre"), 2, tuple(range(8, -1, -1)))
    ).proved
    assert check_mirroring(Mirroring(Game("4{0+1+2}:misere"), 2, (1, 0, 3, 2))).proved
    assert check_mirroring(Mirroring(Game("3^2:misere"), 2, tuple(range(8, -1, -1)))).reason == (
        "cell 4 is its own answer"
    )


@pytest.mark.parametrize(
    ("moves", "proved"), [("", False), ("2", False), ("2,3", False), ("2,3,4", True)]
)
def test_a_restricted_player_answers_only_after_the_opening(moves: str, proved: bool) -> None:
    game = Game("7{0+1}:opening=2+4x2")
    position = game.position(f"moves:{moves}") if moves else game.start()
    assert check_pairing(Pairing(game, 1, ((0, 1),), position)).proved == proved
    assert check_pairing(Pairing(game, 2, ((0, 1),), position)).proved
    longer = Game("7{0+1}:opening=2+4+5x3")
    assert not check_pairing(Pairing(longer, 1, ((0, 1),), longer.position("moves:2,3,4,6"))).proved


def test_pairs_are_of_free_cells_of_their_own() -> None:
    game = Game("5{0+1/2+3}")
    begins = game.position("moves:4")
    for pairs, message in (
        (((0, 4), (0, 1), (2, 3)), "cell 4 is not free"),
        (((0, 1), (2, 3), (4, -1)), "cell 4 is not free"),
        (((0, 1), (2, 3), (-1, 2)), "cell -1 is not free"),
        (((0, 1), (2, 0)), "the pair 2-0 shares a cell"),
        (((0, 1), (1, 2)), "the pair 1-2 shares a cell"),
    ):
        assert message in check_pairing(Pairing(game, 2, pairs, begins)).reason
    found = check_pairing(Pairing(game, 2, ((0, 1), (2, 3)), begins))
    assert (found.verdict, found.positions) == ("proved", 1)


def test_each_answer_stands_once() -> None:
    """As the description of the file says."""
    rows = proof_text(Mirroring(Game("3^2:misere"), 1, reverse(Game("3^2")))).split(b"\n")
    assert rows[-7:] == [b"answers 5", b"0 8", b"1 7", b"2 6", b"3 5", b"4", b""]
    rows = proof_text(replace(paired(), pairs=((7, 1), (3, 4), (6, 5), (0, 2)))).split(b"\n")
    assert rows[-6:] == [b"pairs 4", b"0 2", b"1 7", b"3 4", b"5 6", b""]


def test_they_are_for_two_players() -> None:
    with pytest.raises(SpecError, match="for two players"):
        Pairing(Game("3^2:players=3"), 1, ())
    with pytest.raises(SpecError, match="seat must be"):
        Mirroring(Game("3^2:misere"), 3, ())
