from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.agents import LEVELS, opponents
from hyperoxo.agents.expert import ExpertAgent
from hyperoxo.agents.level import LevelAgent
from hyperoxo.game import Game, Position, completing_cells
from tests.strategies import games, play_at_random, positions

BELOW = st.integers(1, 7)


@settings(max_examples=60)
@given(positions(games(new_rules=True)), BELOW, st.integers(0, 2**32))
def test_moves_are_legal_and_the_same_seed_gives_the_same(
    position: Position, number: int, seed: int
) -> None:
    assume(not position.is_over)
    player = LevelAgent(number)
    found = player.explain(position, seed)
    assert found == player.explain(position, seed)
    assert player.choose(position, seed) == found.move
    assert {found.move, *(cell for cell, _ in found.candidates)} <= {*position.legal_moves}


@pytest.mark.parametrize("spec", ["5,5,4", "4^3", "4^3:gravity"])
@pytest.mark.parametrize("number", [6, 7])
def test_from_level_6_on_no_line_of_two_players_is_missed(spec: str, number: int) -> None:
    lines = 0
    for seed in range(12):
        position = play_at_random(Game(spec).start(), seed, 4 + seed)
        while not position.is_over:
            cells = [{*completing_cells(position, p)} for p in (1, 2)]
            own, rival = cells if position.to_move == 1 else cells[::-1]
            due = own or rival.intersection(position.legal_moves)
            if due:
                assert LevelAgent(number).choose(position, seed) in due
                lines += 1
            position = play_at_random(position, seed, 1)
    assert lines > 5


def seen(moves: str, wanted: int) -> int:
    """Count how often level 3 plays a cell."""
    position, rng = Game("4^3").position(f"moves:{moves}"), np.random.default_rng(1)
    return Counter(LevelAgent(3).choose(position, rng) for _ in range(300))[wanted]


@pytest.mark.more
def test_lines_of_space_are_overlooked_more_often_and_own_ones_less() -> None:
    axis = seen("0,50,1,34,2,24", 3), seen("0,50,1,34,2", 3)
    space = seen("0,50,21,34,42,24", 63), seen("0,50,21,34,42", 63)
    assert axis[0] > axis[1] > space[0] > space[1] > 10
    position = Game("4^3").position("moves:0,50,21,34,42")
    reasons = {LevelAgent(2).explain(position, seed).reason for seed in range(300)}
    assert any(
        "Cell 4d1, where a line lacks one stone, was overlooked." in said for said in reasons
    )
    assert "Cell 4d1 stops a line." in reasons


def test_misere_lines_that_are_seen_are_kept_away_from() -> None:
    position = Game("3^2:misere").position("moves:0,3,1,4")
    assert all(LevelAgent(5).choose(position, seed) != 2 for seed in range(40))


@pytest.mark.parametrize("spec", ["3^2", pytest.param("4^3", marks=pytest.mark.more), "3^2:misere"])
def test_level_8_is_the_expert(spec: str) -> None:
    start = Game(spec).start()
    assert LevelAgent(8).explain(start, 5) == ExpertAgent().explain(start, 5)
    assert not LevelAgent(8).repeatable
    assert LevelAgent(7).repeatable


def test_names_and_spelling() -> None:
    assert [level.number for level in LEVELS] == [*range(1, 9)]
    assert len({level.name for level in LEVELS}) == len({level.about for level in LEVELS}) == 8
    assert opponents()[:8] == tuple((level.title, level.spec) for level in LEVELS)
    assert ox.agent("level").spec == ox.agent("level:number=4").spec == "level:4"
    assert ox.agent("level:4,threats=on").spec == "level:4,threats=on"


@pytest.mark.more
def test_the_next_level_wins_more() -> None:
    for number in range(1, 6):
        result = ox.match("3^3", [f"level:{number + 1}", f"level:{number}"], 60, 1, swap=True)
        assert result.wins[0] > result.wins[1]
