"""The study of the stored proofs of Qubic."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.lab.study import Bench, find_study, study
from hyperoxo.lab.study import qubic as module
from hyperoxo.lab.study.qubic_proofs import examine, first_moves


def test_both_classes_of_first_moves_win() -> None:
    rich, poor = sorted(first_moves(), key=lambda found: len(found[0]))
    assert (len(rich[0]), rich[1]) == (16, "win")
    assert (len(poor[0]), poor[1]) == (48, "win")
    assert [value for _, value in first_moves("3^3")] == ["unknown"] * 4
    assert len(first_moves("4^3:opening=poor")) == 1


def test_only_stored_proofs_can_be_examined() -> None:
    with pytest.raises(CheckFailedError, match="no proof of 3\\^3 is stored"):
        examine("3^3", check=False)


def test_the_proof_is_smaller_than_the_published_one_and_checked() -> None:
    found = examine("4^3", check=True)
    assert found.verdict is not None
    assert found.verdict.positions == len(found.graph.nodes)
    assert found.verdict.quiet == found.quiet
    assert found.verdict.strategic == len(found.dictionary.moves) < 2929
    assert found.blocks == found.verdict.positions - found.verdict.strategic
    assert found.depth == 1 + max(one.depth for one in found.replies)


def test_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the small proof in both places, one weak rival, and little time."""
    monkeypatch.setattr(module, "POOR", "4^3")
    monkeypatch.setattr(module, "RIVALS", ("random",))
    monkeypatch.setattr(module, "_SECONDS", (0.05, 0.05))
    report = study("qubic", tmp_path)
    tables = {table.name: table for table in report.tables}
    assert tables["size"].rows[0][1:3] == (2929, len(examine("4^3", check=False).dictionary.moves))
    assert all(row[2] == 100 for row in tables["play-rich"].rows)
    for reply, ours, least, most, exact in tables["least"].rows:
        assert isinstance(least, int)
        assert isinstance(most, int)
        assert isinstance(ours, int)
        assert least <= most <= ours, reply
        assert exact == (least == most)
    histogram = tables["depths-rich"]
    strategic = {row[0]: row[3] for row in tables["replies-rich"].rows}
    for row in histogram.rows:
        assert sum(int(cell or 0) for cell in row[1:]) == strategic[row[0]]
    assert (tmp_path / "figures" / "depths-rich.svg").stat().st_size > 1000
    assert "2,929" in (tmp_path / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_the_whole_study() -> None:
    tables = {table.name for one in find_study("qubic").sections(Bench()) for table in one.tables}
    assert {"size", "first", "replies-poor", "depths-poor", "least", "play-poor"} <= tables
