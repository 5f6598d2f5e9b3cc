"""The study of square boards: its table, and that its proofs are those of its values."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.game import Game
from hyperoxo.proof import verify
from hyperoxo.task import Task
from hyperoxo_research.study import Bench, squares
from tests.hyperoxo.solvers.maker_breaker.test_search import brute


@pytest.mark.more
def test_table_and_proofs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(squares, "_SIDES", (3, 3))
    told: list[tuple[int, int]] = []
    bench = Bench(task=Task(lambda done, total: told.append((done, total))))
    (section,) = squares.STUDY.sections(bench)
    table, proofs = section.tables
    assert [row[1] for row in table.rows] == ["first", "first", "draw"]
    for row in table.rows:
        for found, (_, options) in zip(row[2:], squares._GAMES[1:], strict=True):
            wins = brute(Game(f"{row[0]}^2:{options}").start(), {})
            assert (found in ("Maker", "Avoider")) == wins
    assert len(section.files) == len(proofs.rows) == 21
    for file in section.files:
        file.write(tmp_path / file.name)
        verdict = verify(tmp_path / file.name)
        assert (verdict.verdict, verdict.claim) == ("proved", file.caption)
    assert "player 2 gets at least a draw in 3^2" in [file.caption for file in section.files]
    assert told[-1] == (33, 33)


def test_what_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squares, "_SIDES", (8, 8))
    monkeypatch.setattr(squares, "_GAMES", (("Maker 2+1", "convention=maker-breaker,bias=2+1"),))
    (section,) = squares.STUDY.sections(Bench(scale=0.01))
    assert section.tables[0].rows[-1] == (8, "open")
