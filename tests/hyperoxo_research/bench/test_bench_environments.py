"""The benchmark of environments: every row, beside the peers that are installed."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from hyperoxo_research.bench import bench
from hyperoxo_research.bench import environments as bench_environments


def test_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_environments, "_SECONDS", 0.0)
    monkeypatch.setattr(bench_environments, "_ROUNDS", 1)
    monkeypatch.setattr(bench_environments, "_BOARDS", 8)
    rows = list(bench.run(("environments",), peers=True))
    assert [row.name.partition(" ")[0] for row in rows] == [
        *["PettingZoo"] * 3,
        *["Gymnasium"] * 2,
        "OpenSpiel",
    ]
    assert all(row.ours > 0 for row in rows)
    assert [row.peer is not None for row in rows] == [True, True, False, True, True, True]
    assert len(list(bench.run(("environments",)))) == len(rows)


def test_the_peer_is_loaded_without_its_pictures() -> None:
    here = sys.modules.get("pygame")
    game = bench_environments._tictactoe()
    assert sys.modules.get("pygame") is here
    assert game.raw_env().possible_agents == ["player_1", "player_2"]


def test_without_the_libraries_there_are_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not list(bench.run(("environments",)))
