"""Bounds on line tables: stored proofs, what they say by brute force, and false ones rejected."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hyperoxo.errors import NotationError, NotSupportedError, SpecError
from hyperoxo.game import Game, Position, completing_cells
from hyperoxo.proof import verify
from hyperoxo_research.proof.table_bound import TableBound, bound_text, check_bound, read_bound
from tests.hyperoxo.proof.test_file import rehash
from tests.marks import more

FOLDER = Path(__file__).parents[2] / "truth" / "leaves"
NAMES = ("every-tie", "by-ply", "lowest-cell")
PROOFS = {name: read_bound((FOLDER / f"{name}.oxo").read_bytes()) for name in NAMES}
ONE = PROOFS["every-tie"]


def losses(position: Position, bound: TableBound, gains: NDArray[np.float64]) -> int:
    """Leaves that the seat loses by a table, counted move by move."""
    if position.outcome is not None:
        return int(position.outcome.winner == 3 - bound.seat)
    moves = position.legal_moves
    if position.to_move == bound.seat:
        if completing_cells(position, bound.seat):
            return 0
        board, owners = position.game.board, position.owners
        table = gains[position.ply if bound.by_ply else 0]

        def gain(cell: int) -> float:
            through = [line for line in board.lines.tolist() if cell in line]
            stones = [[owners[other] for other in line] for line in through]
            return float(
                sum(table[on.count(bound.seat), on.count(3 - bound.seat)] for on in stones)
            )

        best = max(map(gain, moves))
        moves = tuple(cell for cell in moves if gain(cell) >= best - 1e-9)
        moves = moves[:1] if bound.lowest else moves
    return sum(losses(position.play(cell), bound, gains) for cell in moves)


@pytest.mark.parametrize(
    ("name", "leaves", "positions"),
    [("every-tie", 16, 618), ("by-ply", 8, 618), ("lowest-cell", 3, 4478)],
)
def test_stored_proofs_hold(name: str, leaves: int, positions: int) -> None:
    verdict = verify(FOLDER / f"{name}.oxo")
    assert verdict.proved, verdict.reason
    bound = PROOFS[name]
    assert (str(bound.game), bound.seat, bound.leaves) == ("3^2", 2, leaves)
    assert (bound.lowest, bound.by_ply) == (name == "lowest-cell", name == "by-ply")
    assert (bound.claim, bound.position) == ("losses", bound.game.start())
    assert check_bound(bound).positions == verdict.positions == positions


def test_statements() -> None:
    seat, ties = "in 3^2 as player 2", "every tie tried"
    assert [PROOFS[name].statement for name in NAMES] == [
        f"every line table has at least 16 losing leaves {seat}, {ties}",
        f"every line table, even one for each ply, has at least 8 losing leaves {seat}, {ties}",
        f"every line table has at least 3 losing leaves {seat}, ties to the lowest cell",
    ]
    assert "at least 1 losing leaf in" in replace(ONE, leaves=1).statement


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", more(range(4), [1, 3]))
def test_no_table_has_fewer(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    gains = rng.normal(size=(10, 4, 4))
    if seed % 2:
        gains = np.round(gains)  # so that there are ties
    bound = PROOFS[name]
    assert losses(bound.game.start(), bound, gains) >= bound.leaves


def changed(bound: TableBound) -> Iterator[TableBound]:
    """The proof with one step dropped, doubled or made another."""
    steps = bound.steps
    for i, step in enumerate(steps):
        others = ["lost", "on", *{other for other in steps if other[:3] == step[:3]}]
        if step.startswith("no "):
            others += [step + " 0.0*1", step.rpartition(" ")[0], step[:-1] + "7"]
        for new in ([], [step, step], *([other] for other in others if other != step)):
            yield replace(bound, steps=(*steps[:i], *new, *steps[i + 1 :]))


@pytest.mark.more
@pytest.mark.parametrize("name", ["every-tie", "by-ply"])
def test_no_change_of_a_step_proves_one_leaf_more(name: str) -> None:
    # A table with exactly that many leaves exists, so the claim is false, whatever the steps are.
    false = list(changed(replace(PROOFS[name], leaves=PROOFS[name].leaves + 1)))
    for bound in random.Random(0).sample(false, 60):
        assert not check_bound(bound).proved


@pytest.mark.parametrize("name", more(NAMES, ["lowest-cell"]))
def test_most_changes_of_steps_are_rejected(name: str) -> None:
    mutants = random.Random(1).sample(list(changed(PROOFS[name])), 20)
    proved = sum(check_bound(bound).proved for bound in mutants)
    assert proved <= len(mutants) // 4


def test_claims_that_the_steps_do_not_prove() -> None:
    steps = PROOFS["lowest-cell"].steps
    for bound in (
        replace(ONE, seat=1),
        replace(ONE, by_ply=True),
        replace(ONE, lowest=True),
        replace(PROOFS["by-ply"], leaves=9),
        replace(ONE, steps=steps),
        replace(PROOFS["lowest-cell"], leaves=4),
        replace(ONE, game=Game("3^2:blocked=centre")),
        replace(ONE, game=Game("3,3,2")),
    ):
        assert not check_bound(bound).proved


def at(place: int, step: str) -> tuple[str, ...]:
    return (*ONE.steps[:place], step, *ONE.steps[place + 1 :])


FIRST_NO = next(i for i, step in enumerate(ONE.steps) if step.startswith("no "))
PART = ONE.steps[FIRST_NO].split()[1]


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((), "the proof ends too early"),
        (ONE.steps[:-1], "the proof ends too early"),
        ((*ONE.steps, "lost"), "the proof continues after its end"),
        (at(0, "lost"), "expected a position, not 'lost'"),
        (at(0, "at 12.12...1"), "the agent completes a line, or the board is full"),
        (at(0, "at 121122211"), "the agent completes a line, or the board is full"),
        (at(0, "at #1......."), "the blocked cells are not those of the game"),
        (at(0, "at ........."), "player 2 is not to move"),
        (at(0, "at 11......."), "player 2 is not to move"),
        (at(0, "at 11.1....."), "player 2 is not to move"),
        (at(0, "at 31......."), "the blocked cells are not those of the game"),
        (at(0, "at 1.2.1.2.1.1"), "not a position"),
        (at(1, "so"), "'so' is not a reason to give up a move"),
        (at(1, "lost"), "at ....1.... cell 0 may lose only"),
        (at(FIRST_NO, "lost"), "may lose only"),
        (at(FIRST_NO, "no x"), "not a number"),
        (at(FIRST_NO, "no 9.0*1"), "there is no comparison '9.0*1'"),
        (at(FIRST_NO, "no 0.9*1"), "there is no comparison '0.9*1'"),
        (at(FIRST_NO, f"no {PART.split('*')[0]}*0"), "there is no comparison"),
        (at(FIRST_NO, "no 0.0*1"), "do not contradict each other"),
        (at(FIRST_NO, "no "), "a number"),
    ],
)
def test_what_is_wrong_is_said(steps: tuple[str, ...], reason: str) -> None:
    verdict = check_bound(replace(ONE, steps=steps))
    assert not verdict.proved
    assert reason in verdict.reason


def test_comparisons_that_say_no_more_than_equal_contradict_nothing() -> None:
    # After the first move at cell 0 the table may prefer cells 1 and 3 to cells 2, 6 and 8, which
    # gain as much and one empty line more; after that at cell 2, cells 0, 6 and 8 to 1 and 5, which
    # gain one empty line less. Empty lines that gain nothing do both, as the lowest cell decides.
    steps = ("at 1........", "on", "at ..1......", "no 0.0*1 1.0*1")
    assert "do not contradict" in check_bound(replace(PROOFS["lowest-cell"], steps=steps)).reason
    # Where every tie is followed, one of the two gains more.
    steps = ("at 1........", "on", "at ....1....", "no 0.0*1 1.0*1")
    assert "too early" in check_bound(replace(ONE, steps=steps)).reason


def fewest(position: Position, seat: int, made: dict[bytes, int], known: dict[bytes, int]) -> int:
    """Leaves lost at least, with these moves made and the best ones elsewhere, move by move."""
    if position.outcome is not None:
        return int(position.outcome.winner == 3 - seat)
    if position.owners not in known:
        moves = position.legal_moves
        if position.to_move == seat and completing_cells(position, seat):
            found = 0
        elif position.owners in made:
            found = fewest(position.play(made[position.owners]), seat, made, known)
        else:
            ends = [fewest(position.play(cell), seat, made, known) for cell in moves]
            found = min(ends) if position.to_move == seat else sum(ends)
        known[position.owners] = found
    return known[position.owners]


@pytest.mark.parametrize("seed", range(36))
def test_the_leaves_that_decided_moves_lose(seed: int) -> None:
    rng = random.Random(seed)
    seat = 1 + seed % 2
    bound = TableBound(Game("3,3,3" if seed % 3 else "4,2,3"), seat, 10**6, True, False, ())
    position = bound.game.start()
    made: dict[bytes, int] = {}
    steps: list[str] = []
    while True:
        if position.to_move != seat:
            open_ones = [c for c in position.legal_moves if not position.play(c).is_over]
            if not open_ones:
                break
            position = position.play(rng.choice(open_ones))
        elif completing_cells(position, seat):
            break
        else:
            # The first group has the lowest free cell, which is followed.
            made[position.owners] = position.legal_moves[0]
            text = "at " + "".join(".12"[owner] for owner in position.owners)
            steps += ["on", text] if steps else [text]
            position = position.play(position.legal_moves[0])
            if position.is_over:
                break
    reason = check_bound(replace(bound, steps=(*steps, "lost"))).reason
    assert reason.endswith(f"may lose only {fewest(bound.game.start(), seat, made, {})} leaves")


def test_moves_are_told_apart_by_the_stones_of_both() -> None:
    # After 0 and 1: cell 2, 3, 4, 5, 6 with 8, and 7; five comparisons for the first.
    bound = TableBound(Game("3^2"), 1, 1, True, False, ("at 12.......", "no 0.4*1"))
    assert "do not contradict" in check_bound(bound).reason
    assert "no comparison" in check_bound(replace(bound, steps=("at 12.......", "no 0.5*1"))).reason


def test_files_read_back_and_damage_is_refused() -> None:
    for name in NAMES:
        data = (FOLDER / f"{name}.oxo").read_bytes()
        assert bound_text(PROOFS[name], creator="x") != data
        assert read_bound(bound_text(PROOFS[name])) == PROOFS[name]
        for old, new, reason in (
            (b"ties ", b"ties so-", "the ties are"),
            (b"tables ", b"tables so-", "and the tables"),
            (b"seat 2", b"seat 3", "seat must be 1 to 2, not 3"),
            (b"seat 2", b"seat 0", "seat must be 1 to 2, not 0"),
            (b"seat 2", b"seat x", "the seat"),
        ):
            verdict = verify(rehash(data.replace(old, new)))
            assert not verdict.proved
            assert reason in verdict.reason
        assert not verify(rehash(data.replace(b"seat 2", b"seat 02"))).proved
        assert not verify(rehash(data.replace(b"game 3^2", b"game 3^2:players=2"))).proved
        with pytest.raises(NotationError):
            read_bound(rehash(data.replace(b"tables ", b"tables so-")))


def test_what_no_bound_is_about_is_refused() -> None:
    for game in ("3^2:misere", "3^2:players=3", "3^2:gravity", "3^2:target=2", "3^2:opening=poor"):
        with pytest.raises(NotSupportedError, match="a bound on line tables"):
            replace(ONE, game=Game(game))
    for seat in (0, 3):
        with pytest.raises(SpecError, match="seat must be 1 to 2"):
            replace(ONE, seat=seat)
    with pytest.raises(SpecError, match="a bound is at least 1"):
        replace(ONE, leaves=0)
