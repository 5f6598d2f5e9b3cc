"""The study of thresholds of bias, on two sides and two dimensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.proof import verify
from hyperoxo.task import Task
from hyperoxo_research.study import Bench, bias
from hyperoxo_research.study.thresholds import threshold


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
    bias._Kept(tmp_path, 6.0).add(found)
    assert bias._Kept(tmp_path, 6.0).get(3, 2) == found
    assert bias._Kept(tmp_path, 6.0).get(3, 3) is None
    assert bias._Kept(tmp_path, 5.0).get(3, 2) is None
