"""The study of thresholds of bias, on two sides and two dimensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.lab.study import Bench, bias
from hyperoxo.proof import verify


def test_table_and_proofs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bias, "_SIDES", (3, 3))
    monkeypatch.setattr(bias, "_DIMS", (2, 2))
    told: list[tuple[int, int]] = []
    (section,) = bias.STUDY.sections(Bench(progress=lambda done, total: told.append((done, total))))
    square, reasons, proofs = section.tables
    assert square.rows == ((2, "1", "3"), (3, "1", "2"))
    assert reasons.rows[3] == ("3^2", 2, "search", 2, "weights")
    assert [row[2] for row in proofs.rows] == ["proved"]
    (file,) = section.files
    file.write(tmp_path / file.name)
    assert verify(tmp_path / file.name).proved
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
