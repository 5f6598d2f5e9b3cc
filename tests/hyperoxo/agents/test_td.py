"""Agents that play learned tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.agents.scored import move_values
from hyperoxo.errors import SpecError
from hyperoxo.heuristics.tables import LineTable, tables_of_weights
from hyperoxo.lab.guide import guide


def _file(path: Path, game: str, classes: str = "", sign: int = 1) -> str:
    kinds = 3 if classes else 1
    weights = sign * np.random.default_rng(1).normal(size=(kinds, 4, 4))
    chosen = ox.Game(game)
    tables = tables_of_weights(chosen.board, weights, classes)
    table = LineTable(game, chosen.players, chosen.misere, classes, tables)
    path.write_bytes(table.to_bytes())
    return str(path)


@pytest.mark.parametrize("game", ["3^2", "4^3", "3^4", "3^3:players=3", "4^3:misere", "7,6,4"])
def test_shipped_tables_play_many_games(game: str) -> None:
    position = ox.Game(game).start()
    agent = ox.agent("td")
    assert agent.spec == "td"
    agent.check(position.game)
    assert agent.choose(position, 1) in position.legal_moves
    assert ox.match(game, ["td"] * position.game.players, games=4, seed=1).compiled


def test_what_is_shipped_for_3_2_never_loses() -> None:
    for seat in (1, 2):
        assert guide(ox.Game("3^2"), seat, "td", every_tie=True, losing_lines=0).losses == 0


def test_games_without_a_table_are_one_line() -> None:
    with pytest.raises(SpecError, match="no line table for lines of 9 cells among 2 players"):
        ox.agent("td").check(ox.Game("9^2"))


def test_a_checkpoint_values_moves_by_its_table(tmp_path: Path) -> None:
    path = _file(tmp_path / "t.json", "3^2", "orbits")
    agent = ox.agent(f"td:checkpoint={path},ties=lowest")
    assert agent.spec == f"td:checkpoint={path},ties=lowest"
    position = ox.Game("3^2").position("moves:4,0")
    found = agent.think(position, 0)
    greedy = ox.agent(f"greedy:heuristic={path},ties=lowest")
    assert found == greedy.explain(position, 0)
    values = move_values(position, greedy.heuristic, 0.0)  # type: ignore[attr-defined]
    assert found.candidates[0][1] == values.max()


def test_a_checkpoint_that_was_written_again_is_read_again(tmp_path: Path) -> None:
    wins, marks = [], []
    for sign in (1, -1):
        spec = f"td:checkpoint={_file(tmp_path / 't.json', '3^2', sign=sign)}"
        wins.append(ox.match("3^2", [spec, "random"], 100).wins)
        marks.append(ox.truth("3^2", spec).marks[0].kept)
    assert wins[0] != wins[1]
    assert marks[0] != marks[1]


def test_checkpoints_of_other_games_are_one_line(tmp_path: Path) -> None:
    path = _file(tmp_path / "t.json", "3^2", "orbits")
    for game in ("3^3", "3^2:players=3", "3^2:misere"):
        with pytest.raises(SpecError, match=r"learned on 3\^2|of the lines of 3\^2"):
            ox.agent(f"td:checkpoint={path}").check(ox.Game(game))
    plain = _file(tmp_path / "p.json", "3^2")
    ox.agent(f"td:checkpoint={plain}").check(ox.Game("3^4"))
    assert ox.agent("td", checkpoint=Path(plain)).spec == f"td:checkpoint={plain}"
