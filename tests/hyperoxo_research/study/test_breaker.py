"""The study of a plan on the real board counts the lines that Makers complete."""

from __future__ import annotations

import pytest

from hyperoxo_research.study import Bench, breaker


@pytest.mark.more
def test_every_maker_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breaker, "COMPILED", {"random": (4, 8), "aimed:at=keys": (3, 6)})
    monkeypatch.setattr(breaker, "MAKERS", {"greedy": (1, 2)})
    (section,) = breaker.STUDY.sections(Bench())
    (table,) = section.tables
    assert "by a plan on 25 key cells: proved." in section.text
    assert [row[:3] for row in table.rows] == [
        ("random", 4, 0),
        ("aimed:at=keys", 3, 0),
        ("greedy", 1, 0),
    ]
    counts = [[int(str(cell)) for cell in row[1:5]] for row in table.rows]
    assert all(games == sum(results) for games, *results in counts)
    assert table.text == "In 8 games Maker completed 0 lines."


def test_full_runs_are_a_hundred_thousand_games() -> None:
    played = {**breaker.COMPILED, **breaker.MAKERS}
    assert sum(full for _, full in played.values()) == 100_000


def test_a_line_of_makers_would_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a player who follows no plan the Maker does complete lines."""
    monkeypatch.setattr(breaker, "COMPILED", {})
    monkeypatch.setattr(breaker, "MAKERS", {"aimed:at=lines": (2, 2)})
    played: list[list[str]] = []

    def match(self: Bench, game: str, agents: list[str], games: int) -> object:
        played.append(agents)
        return plain(self, game, [agents[0], "random"], games)

    plain = Bench.match
    monkeypatch.setattr(Bench, "match", match)
    (section,) = breaker.STUDY.sections(Bench())
    assert played == [["aimed:at=lines", "breaker"]]
    assert section.tables[0].text == "In 2 games Maker completed 2 lines."
