"""Thresholds of bias against search and brute force, and the study on two sides and dimensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.game import Game
from hyperoxo.proof import check_proof, verify
from hyperoxo.solvers.maker_breaker.search import MakerSearch
from hyperoxo.task import Task
from hyperoxo_research.study import Bench, bias
from hyperoxo_research.study.bias import by_theorems, spelled, threshold
from tests.hyperoxo.solvers.maker_breaker.test_search import brute


@pytest.mark.more
def test_table_and_proofs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bias, "_SIDES", (3, 3))
    monkeypatch.setattr(bias, "_DIMS", (2, 2))
    told: list[tuple[int, int]] = []
    (section,) = bias.STUDY.sections(
        Bench(task=Task(lambda done, total: told.append((done, total))))
    )
    square, reasons, proofs = section.tables
    assert square.rows == ((2, "1", "3"), (3, "1", "2"))
    assert reasons.rows[3] == ("3^2", 2, "search", 2, "weights")
    assert [row[2] for row in proofs.rows] == ["proved"]
    (file,) = section.files
    file.write(tmp_path / file.name)
    assert verify(tmp_path / file.name).proved
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_interrupted_table_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bias, "_SIDES", (3, 3))
    monkeypatch.setattr(bias, "_DIMS", (2, 2))
    asked: list[tuple[int, int]] = []
    most = [4]

    def counted(side: int, dim: int, *more: object, seconds: float) -> object:
        if len(asked) == most[0]:
            raise KeyboardInterrupt
        asked.append((side, dim))
        return threshold(side, dim, *more, seconds=seconds)  # type: ignore[arg-type]

    monkeypatch.setattr(bias, "threshold", counted)
    kept = tmp_path / "unfinished.json"

    def run(times: int, seconds: float = 6.0) -> list[tuple[int, int]]:
        asked.clear()
        most[0] = times
        monkeypatch.setattr(bias, "_SECONDS", (seconds, seconds))
        with pytest.raises(KeyboardInterrupt):
            list(bias.STUDY.sections(Bench(folder=tmp_path)))
        return [*asked]

    assert run(3) == [(2, 1), (2, 2), (3, 1)]
    data = kept.read_bytes()
    for spoilt in (data[:-1], data.replace(b'"low": 1', b'"low": 2', 1), b"[]"):
        kept.write_bytes(spoilt)
        assert run(1) == [(2, 1)]
    kept.write_bytes(data)
    assert run(1, seconds=7.0) == [(2, 1)]
    kept.write_bytes(data)
    asked.clear()
    most[0] = 9
    monkeypatch.setattr(bias, "_SECONDS", (6.0, 6.0))
    (section,) = bias.STUDY.sections(Bench(folder=tmp_path))
    assert asked == [(3, 2)]
    assert not kept.exists()
    assert section.as_data() == next(bias.STUDY.sections(Bench())).as_data()


def test_plans_are_kept_as_they_are(tmp_path: Path) -> None:
    found = threshold(3, 2)
    assert found.plans
    bias._ThresholdCheckpoint(tmp_path, 6.0).add(found)
    assert bias._ThresholdCheckpoint(tmp_path, 6.0).get(3, 2) == found
    assert bias._ThresholdCheckpoint(tmp_path, 6.0).get(3, 3) is None
    assert bias._ThresholdCheckpoint(tmp_path, 5.0).get(3, 2) is None


@pytest.mark.parametrize(("side", "dim", "least"), [(2, 1, 1), (2, 2, 3), (2, 3, 7), (3, 2, 2)])
def test_small_boards_by_brute_force(side: int, dim: int, least: int) -> None:
    found = threshold(side, dim)
    assert (found.low, found.high) == (least, least)
    for cells in range(1, least + 1):
        assert brute(Game(spelled(side, dim, cells)).start(), {}) == (cells < least)


@pytest.mark.parametrize(("side", "dim"), [(3, 2), (3, 3), (4, 2), (5, 2), (4, 3)])
def test_counting_is_never_refuted_by_search(side: int, dim: int) -> None:
    found = by_theorems(side, dim)
    for cells in {found.low - 1, found.high} - {0}:
        game = Game(spelled(side, dim, cells))
        wins = MakerSearch(game, 1).find(game.start(), nodes=2_000).maker_wins
        assert wins in (None, cells < found.low)


@pytest.mark.parametrize(
    ("side", "dim", "bounds"),
    [
        (3, 5, (3, 14)), (4, 4, (2, 4)), (8, 3, (1, 1)), (8, 6, (1, 4)), (11, 4, (1, 2)),
        (30, 4, (1, 1)), (26, 3, (1, 1)), (3, 12, (16, 668)),
    ],
)  # fmt: skip
def test_bounds_by_counting(side: int, dim: int, bounds: tuple[int, int]) -> None:
    found = by_theorems(side, dim)
    assert (found.low, found.high) == bounds


def test_proofs_of_what_was_searched() -> None:
    found = threshold(3, 2)
    assert (found.why_low, found.why_high) == ("search", "weights")
    assert [check_proof(plan).claim for plan in found.plans] == [
        "player 1 wins 3^2:convention=maker-breaker"
    ]


@pytest.mark.more
def test_fewer_dimensions_and_key_cells() -> None:
    below = threshold(3, 2)
    above = threshold(3, 6, below, seconds=0)
    assert above.low >= below.low
    assert threshold(4, 3, seconds=0).why_low == "the stored proof of the ordinary game"
    six = threshold(6, 3, seconds=0)
    assert (six.low, six.high, six.why_high) == (1, 1, "the stored plan of the ordinary game")
    assert threshold(11, 4, seconds=0).why_high == "pairs"
