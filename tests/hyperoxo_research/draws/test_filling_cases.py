"""Cases by which no full board is a draw: what is found, resumed and refused."""

from __future__ import annotations

import itertools
import random
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.board import hypergraph
from hyperoxo.errors import CheckFailedError, NotationError, SpecError
from hyperoxo.game import Game
from hyperoxo.proof import check_proof, verify, write_proof
from hyperoxo.task import Task
from hyperoxo_research.draws import several_lines
from hyperoxo_research.draws.classify import classify
from hyperoxo_research.draws.filling_cases import filling_by_cases
from hyperoxo_research.draws.several_lines import by_several_lines
from hyperoxo_research.draws.stored import stored_cases
from hyperoxo_research.proof.filling_cases import (
    Case,
    End,
    FillingCases,
    filling_cases_text,
    read_filling_cases,
)
from hyperoxo_research.proof.full_board import DrawnBoard
from tests.expect import require
from tests.hyperoxo_research.proof.split_fillings import (
    lines_of,
    random_triples,
    shared_boards,
    some_cases,
)
from tests.marks import more

TESSERACT = Game("3^4:blocked=centre,target=11")


def many_triples(seed: int, target: int) -> Game:
    """Return a game with 60 lines by chance on 14 cells."""
    triples = list(itertools.combinations(range(14), 3))
    chosen = random.Random(seed).sample(triples, 60)
    return Game(board=hypergraph(14, sorted(chosen)), target=target)


def least_most_lines(game: Game) -> int:
    """Return the lines of the player who has more, the fewest on a full board."""
    sums = np.array([*shared_boards(game)])[:, lines_of(game)].sum(axis=2)
    return int(np.maximum((sums == 3).sum(axis=1), (sums == -3).sum(axis=1)).min())


@pytest.mark.more
def test_what_cases_prove_holds() -> None:
    """Cases with stones by chance, of boards by chance, against all full boards."""
    rng, proved, split = random.Random(1), 0, 0
    for _ in range(60):
        board = random_triples(rng)
        least = least_most_lines(Game(board=board))
        for target in (least, least + 1):
            game = Game(board=board, target=max(target, 1))
            found = some_cases(game, rng)
            if found is None:
                assert target > least or not least
                continue
            assert target <= least
            assert check_proof(found).proved
            assert read_filling_cases(filling_cases_text(found)) == found
            proved += 1
            split += any(isinstance(row, Case) for row in found.rows)
    assert proved > 20
    assert split > 10


def test_cases_are_resumed_to_the_same_rows(tmp_path: Path) -> None:
    """Stopped after the second end, resumed, and not stopped at all."""
    game, file, stop = many_triples(25, 2), tmp_path / "cases", threading.Event()
    ends: list[int] = []

    def tell(done: int, total: int) -> None:
        ends.append(done)
        if len(ends) == 2:
            stop.set()

    task = Task(progress=tell, stop=stop)
    assert filling_by_cases(game, task=task, checkpoint=file) is None
    some = read_filling_cases(file.read_bytes())
    assert sum(isinstance(row, End) for row in some.rows) == 2
    assert "of the cases have no end" in check_proof(some).reason
    resumed = require(filling_by_cases(game, task=Task(), checkpoint=file))
    assert len(resumed.rows) > 10
    assert resumed.rows[: len(some.rows)] == some.rows
    assert check_proof(resumed).proved
    assert resumed == filling_by_cases(game, task=Task())
    assert read_filling_cases(file.read_bytes()) == resumed
    # A whole file is not searched for again.
    assert filling_by_cases(game, task=Task.within(0), checkpoint=file) == resumed


@pytest.mark.more
def test_cases_are_found_exactly_where_no_board_is_a_draw() -> None:
    split = 0
    for seed in (9, 25, *range(5)):
        least = least_most_lines(many_triples(seed, 1))
        found = require(filling_by_cases(many_triples(seed, least), task=Task()))
        assert check_proof(found).proved
        split += len(found.rows) > 2
        assert filling_by_cases(many_triples(seed, least + 1), task=Task()) is None
    assert split > 1


def test_odd_sums_make_ends() -> None:
    found = require(filling_by_cases(Game("3^3:blocked=centre"), task=Task()))
    assert check_proof(found).proved
    assert any(isinstance(row, Case) for row in found.rows)
    assert any(isinstance(row, End) and row.sums for row in found.rows)


def test_checkpoints_of_something_else_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "cases"
    write_proof(FillingCases(TESSERACT, ()), file)
    with pytest.raises(SpecError, match=r"has cases of .*target=11,blocked=centre, not of 3"):
        filling_by_cases(Game("3^3:target=2"), task=Task(), checkpoint=file)
    file.write_bytes(filling_cases_text(FillingCases(TESSERACT, (Case(40, 1),))))
    with pytest.raises(CheckFailedError, match="row 1, 'case 40 1': the stone of a case is not"):
        filling_by_cases(TESSERACT, task=Task(), checkpoint=file)
    file.write_bytes(b"hyperoxo-filling-cases 1\n")
    with pytest.raises(NotationError, match="cases: this is not a filling-cases file"):
        filling_by_cases(TESSERACT, task=Task(), checkpoint=file)


@pytest.mark.parametrize(
    "spec",
    more(["3^3:target=3", "3^2:target=1", "3^3:blocked=centre,target=2"], but=["3^2:target=1"]),
)
def test_nothing_is_found_where_a_board_is_a_draw(spec: str) -> None:
    assert filling_by_cases(Game(spec), task=Task.within(2)) is None


@pytest.mark.more
def test_cases_prove_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_draw_by_bound", "odd_filling"):
        monkeypatch.setattr(several_lines, name, lambda *_, **__: None)
    monkeypatch.setattr(several_lines, "_MOST_EXCHANGING", 0.1)
    found = classify("3^3:target=2", seconds=60)
    assert found.draw is False
    assert set(found.regions) <= {1, 2}
    text = found.proof_text("a test")
    assert b"hyperoxo-filling-cases 1" in text
    assert verify(text).proved
    assert "(1997)" in next(one.source for one in found.evidence if b"-cases" in one.part)


@pytest.mark.more
def test_stored_cases_are_of_a_theorem() -> None:
    """3^4 without its centre has no draw to 12 lines; to 13 there is one."""
    game = Game("3^4:blocked=centre,target=12")
    found = classify(game, seconds=10)
    assert (found.regions, found.draw) == ((2,), False)
    cases = require(stored_cases(game))
    assert stored_cases(Game("3^4:blocked=centre,target=11")) is None
    other = replace(cases, game=Game("3^4:blocked=centre,target=13"))
    assert not check_proof(other).proved
    board = by_several_lines(other.game, task=Task.within(60))
    assert isinstance(board, DrawnBoard)
    assert check_proof(board).proved


def test_cases_hold_for_misere_too() -> None:
    cases = require(filling_by_cases(Game("3^3:target=2"), task=Task()))
    assert check_proof(replace(cases, game=Game("3^3:target=2,misere"))).proved
