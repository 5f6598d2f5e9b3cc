from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof.dictionary_check import check_dictionary
from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree
from hyperoxo.solvers.proofsearch.quiet_depth import _MOST, QuietDepth, QuietSearch, _deepen
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.tree import tree_depth
from hyperoxo.solvers.threats.sequence import is_quiet
from hyperoxo.task import ALONE, Task
from tests.strategies import hypergraph_specs, mnk_specs, play_at_random


def quiet_depth(position: Position, task: Task = ALONE, **options: int) -> QuietDepth:
    return QuietSearch(position.game, megabytes=16).depth(position, task, **options)


@lru_cache(maxsize=200_000)
def forces(position: Position, attacker: int, left: int) -> bool:
    """True if the attacker wins with so many quiet moves, by the definition alone."""
    if position.outcome is not None:
        return position.outcome.winner == attacker
    if position.to_move != attacker:
        return all(forces(position.play(cell), attacker, left) for cell in position.legal_moves)
    return any(
        forces(position.play(cell), attacker, left - is_quiet(position, cell))
        for cell in position.legal_moves
        if left >= is_quiet(position, cell)
    )


def by_definition(position: Position, attacker: int) -> int | None:
    for depth in range(len(position.legal_moves) + 1):
        if forces(position, attacker, depth):
            return depth
    return None


@pytest.mark.more
@settings(max_examples=60)
@given(data=st.data())
def test_against_the_definition(data: st.DataObject) -> None:
    game = Game(data.draw(st.one_of(hypergraph_specs(8), mnk_specs(3))))
    attacker, plies = data.draw(st.integers(1, 2)), data.draw(st.integers(0, 3))
    position = play_at_random(game.start(), data.draw(st.integers(0, 2**32)), plies)
    if position.is_over or len(position.legal_moves) > 8:
        return
    found = QuietSearch(game, attacker, 0.1).depth(position, ALONE)
    expected = by_definition(position, attacker)
    assert found.wins == (expected is not None)
    assert found.at_most == expected
    if expected is not None:
        assert found.exact
        assert found.tree is not None
        dictionary = dictionary_of_tree(position, attacker, found.tree)
        assert check_dictionary(dictionary).proved
        search = ProofSearch(game, attacker, megabytes=0.1)
        assert tree_depth(search, found.tree) <= expected


def test_boards_with_a_known_depth() -> None:
    assert quiet_depth(Game("3^3").start()).at_most == 1
    found = quiet_depth(Game("3^2").start())
    assert (found.wins, found.at_most, found.tree) == (False, None, None)


@pytest.mark.more
def test_a_limit_leaves_bounds() -> None:
    found = quiet_depth(Game("4^3").position("moves:0,1"), Task.within(1.0))
    assert found.at_least >= 1
    assert not found.exact
    assert found.at_most is None or found.at_most > found.at_least
    few = quiet_depth(Game("4^3").position("moves:0,1"), nodes=500)
    assert not few.exact
    assert 0 < few.nodes < 2_000
    assert quiet_depth(Game("4^3").start(), Task.within(0.0)).at_least == 0


def test_finished_games_have_no_depth() -> None:
    with pytest.raises(SpecError, match="over"):
        quiet_depth(Game("3^2").position("11122...."))


@pytest.mark.more
def test_tables_serve_other_positions_and_the_next_run(tmp_path: Path) -> None:
    start = Game("4^3").position("moves:0,27,63,42,21,1")
    name = str(tmp_path / "tables")
    search = QuietSearch(start.game, 1, 8, name)
    first = search.depth(start, ALONE)
    assert first.exact
    again = search.depth(start, ALONE)
    search.save()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tables.1.6", "tables.1.all"]
    resumed = QuietSearch(start.game, 1, 8, name).depth(start, ALONE)
    for found in (again, resumed):
        assert (found.at_least, found.at_most) == (first.at_least, first.at_most)
        assert found.nodes < first.nodes / 10
    search.save(3600)
    with pytest.raises(CheckFailedError, match=r"is of a proof search with "):
        QuietSearch(Game("3^3"), 1, 8, name)


def searches(limit: int, disproved: int) -> int:
    """Searches of `_deepen` with a limit, where so many depths are disproved and others open."""
    found, begun = QuietDepth(1), list[int]()

    def attempt(depth: int, width: int, nodes: int) -> None:
        begun.append(nodes)
        if not width and 0 <= depth < disproved:
            found.at_least = depth + 1

    _deepen(found, attempt, lambda: len(begun) >= limit)
    return len(begun)


@pytest.mark.parametrize("disproved", [0, 1, _MOST + 1])
def test_no_search_begins_once_the_limit_is_reached(disproved: int) -> None:
    for limit in range(3 * _MOST):
        assert searches(limit, disproved) <= limit
