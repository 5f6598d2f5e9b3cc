"""The benchmarks of forced wins and of proof search measure what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from hyperoxo.game import Game
from hyperoxo_research.bench import bench
from hyperoxo_research.bench.bench import _position, middle_games
from hyperoxo_research.bench.rows import Row


def test_middle_games_are_positions() -> None:
    for spec in ("4^3", "5^3"):
        game = Game(spec)
        for pair in middle_games(game, 30):
            position = _position(game, pair)
            assert not position.is_over
            signs = {position.to_move: pair[0], 3 - position.to_move: pair[1]}
            for cell, owner in enumerate(position.owners):
                assert [player for player in signs if signs[player] >> cell & 1] == (
                    [owner] if owner else []
                )


def test_long_cases_run_by_name_or_with_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    def only(name: str) -> Callable[[bool], Iterator[Row]]:
        return lambda _peers: iter([Row(name, 1, "s")])

    for name in bench.CASES:
        monkeypatch.setitem(bench.CASES, name, only(name))
    assert "qubic" in bench.LONG
    assert {row.name for row in bench.run()} == set(bench.CASES) - set(bench.LONG)
    assert {row.name for row in bench.run(peers=True)} == set(bench.CASES)
    assert [row.name for row in bench.run(("qubic",))] == ["qubic"]


def test_memory_saves_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_PROVED", ("moves:0,27,63,42,21,1",))
    wins, nodes, opened = bench.run(("memory",))
    assert (wins.unit, opened.unit) == ("ms", "positions")
    assert nodes.ratio is not None
    assert nodes.ratio > 5
    assert opened.peer is not None
    assert opened.peer >= opened.ours
    assert "few subtrees are met twice" in opened.cells[-1]


@pytest.mark.slow
def test_the_proof_of_qubic() -> None:
    rows = {row.name: row for row in bench.run(("qubic",))}
    assert 2000 < rows["proof of 4^3, strategic moves"].ours < 6000
    assert rows["proof of 4^3, table filled"].met
