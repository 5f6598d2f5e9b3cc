from __future__ import annotations

import pytest

from hyperoxo_research.study import Bench, learners


def test_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learners, "AGENTS", ("greedy", "minimax"))
    monkeypatch.setattr(learners, "GAMES", ("3^2", "3^2:convention=maker-breaker", "3^3"))
    monkeypatch.setattr(learners, "_SAMPLES", {"3^3": (10, 20)})
    sections = list(learners.STUDY.sections(Bench()))
    assert [section.title for section in sections] == ["3^2", "3^2:convention=maker-breaker", "3^3"]
    whole, neither, sample = (section.tables[0].as_data()["rows"] for section in sections)
    assert [row["agent"] for row in whole] == ["greedy", "minimax"]
    assert whole[1]["kept, %"] == 100.0
    assert whole[0]["low"] is None
    assert neither == []
    assert sample[0]["low"] <= sample[0]["kept, %"] <= sample[0]["high"]
    assert "--positions 10 --seed 0" in sample[0]["command"]
    figure = sections[0].pictures[0].draw()
    assert not isinstance(figure, str)
    assert figure.axes[0].get_title() == "3^2"
