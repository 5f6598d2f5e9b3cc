"""How few losing leaves a line table has: the search, and the checker that trusts it in nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperoxo as ox
from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Game
from hyperoxo.heuristics import LineHeuristic
from hyperoxo.lab.guide import guide
from hyperoxo.proof import verify, write_proof
from hyperoxo.task import Task
from hyperoxo_research.learn.table_bound import BoundSearch, fewest_leaves, table_of_gains
from hyperoxo_research.proof.table_bound import bound_text, check_bound, read_bound
from tests.expect import require


def _losses(game: str, seat: int, heuristic: LineHeuristic, *, every: bool = True) -> int:
    player = ox.agent("greedy", heuristic=heuristic, ties="lowest")
    return guide(Game(game), seat, player, every_tie=every, losing_lines=0).losses


@pytest.mark.more
def test_no_table_has_fewer_than_16_losing_leaves_on_3_2_as_second_player(tmp_path: Path) -> None:
    found = fewest_leaves(Game("3^2"), 2)
    assert found.leaves == 16
    proof, gains = require(found.proof), require(found.gains)
    write_proof(proof, tmp_path / "x.proof", creator="a test")
    verdict = verify(tmp_path / "x.proof")
    assert (verdict.proved, verdict.claim) == (True, proof.statement)
    assert "at least 16 losing leaves in 3^2 as player 2, every tie tried" in verdict.claim
    assert _losses("3^2", 2, table_of_gains(Game("3^2"), gains).heuristic("t")) == 16


@pytest.mark.more
def test_no_table_is_lossless_with_ties_to_the_lowest_cell_or_one_for_each_ply() -> None:
    for lowest, by_ply, words in ((True, False, "lowest cell"), (False, True, "for each ply")):
        search = BoundSearch(Game("3^2"), 2, 1, lowest=lowest, by_ply=by_ply, task=Task())
        proof = require(search.run())
        assert words in proof.statement
        assert check_bound(proof).proved
        assert read_bound(bound_text(proof)) == proof


def test_a_lossless_table_needs_no_proof() -> None:
    found = fewest_leaves(Game("3^2"), 1)
    assert (found.leaves, found.proof) == (0, None)
    table = table_of_gains(Game("3^2"), require(found.gains))
    assert _losses("3^2", 1, table.heuristic("t")) == 0


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_random_tables_never_beat_the_bound(seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(4, 4))
    heuristic = ox.line_heuristic(lambda own, rivals: float(values[own, rivals]))
    assert _losses("3^2", 2, heuristic) >= 16
    assert _losses("3^2", 2, heuristic, every=False) >= 4


@pytest.mark.parametrize("game", ["3,2,2", "2^2"])
def test_the_fewest_are_those_of_the_table_that_is_found(game: str) -> None:
    found = fewest_leaves(Game(game), 2)
    table = table_of_gains(Game(game), require(found.gains))
    assert _losses(game, 2, table.heuristic("t")) == found.leaves
    assert found.proof is None or check_bound(found.proof).proved


def test_games_and_seats_that_it_does_not_know_are_refused() -> None:
    for game in ("3^2:misere", "3^2:players=3", "3^2:gravity", "3^2:target=2", "3^2:opening=poor"):
        with pytest.raises(NotSupportedError, match="a bound on line tables"):
            fewest_leaves(Game(game), 1)
    with pytest.raises(SpecError, match="seat"):
        fewest_leaves(Game("3^2"), 3)


def test_without_time_there_is_no_answer_but_what_is_proved() -> None:
    found = fewest_leaves(Game("3^2"), 2, task=Task.within(0.0))
    assert (found.leaves, found.gains, found.proof) == (0, None, None)
