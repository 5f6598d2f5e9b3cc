"""Maker-Breaker search against brute force, and that zones are what they are said to be."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hyperoxo.errors import LimitError, NotSupportedError
from hyperoxo.game import FREE, Game, Position
from hyperoxo.kernels.maker_breaker import MakerState, put, take
from hyperoxo.proof import verify
from hyperoxo.solvers import solve
from hyperoxo.solvers.maker_breaker.bounds import MakerSettings
from hyperoxo.solvers.maker_breaker.search import (
    MAKERS,
    MakerSearch,
    board_of,
    state_of,
    weights_of,
)
from hyperoxo.task import Task
from tests.strategies import hypergraph_specs, play_at_random

GAMES = st.builds(
    lambda head, a, b, first, target, blocked: (
        f"{head}:convention=maker-breaker,bias={a}+{b},first={first},target={target}" + blocked
    ),
    st.one_of(st.sampled_from(["2^2", "3^2", "3,3,2", "4,2,3", "2^3"]), hypergraph_specs(8)),
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(1, 3),
    st.sampled_from(["", ",blocked=0"]),
)
AVOIDERS = GAMES.map(lambda spec: spec.replace("maker-breaker", "avoider-enforcer"))


def brute(position: Position, known: dict[bytes, bool]) -> bool:
    """True if player 1 wins, by trying everything."""
    if position.outcome is not None:
        return 1 in position.outcome.winners
    if position.owners not in known:
        choose = any if position.to_move == 1 else all
        known[position.owners] = choose(
            brute(position.play(cell), known) for cell in position.legal_moves
        )
    return known[position.owners]


def drawn(data: st.DataObject, spec: str) -> Position:
    """A position of the game after a few random moves."""
    assume(not spec.startswith("1{") or "blocked" not in spec)
    game = Game(spec)
    assume(game.cells <= 9)
    plies, seed = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 2**32))
    position = play_at_random(game.start(), seed, plies)
    assume(not position.is_over)
    return position


@pytest.mark.more
@settings(max_examples=400)
@given(GAMES, st.data())
def test_search_agrees_with_brute_force(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    found = MakerSearch(position.game, 1).find(position)
    assert found.maker_wins == brute(position, {})
    assert all(position.owners[cell] == FREE for cell in found.zone)


def worth(game: Game, owners: tuple[int, ...], ply: int, known: dict[object, bool]) -> bool:
    """True if player 1 still wins, by the order of turns alone, whatever stones lie there."""
    key = owners, ply % len(game.turns.cycle)
    if key not in known:
        lines = [game.board.line(i).tolist() for i in range(game.board.line_count)]
        done = sum(all(owners[cell] == 1 for cell in line) for line in lines)
        free = [cell for cell, owner in enumerate(owners) if owner == FREE]
        if done >= game.target or not free:
            known[key] = done >= game.target
        else:
            who = game.turns.mover(ply)
            choose = any if who == 1 else all
            known[key] = choose(
                worth(game, (*owners[:cell], who, *owners[cell + 1 :]), ply + 1, known)
                for cell in free
            )
    return known[key]


@pytest.mark.more
@settings(max_examples=200)
@given(GAMES, st.data())
def test_the_winner_needs_the_zone_only(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    found = MakerSearch(position.game, 1).find(position)
    loser = 2 if found.maker_wins else 1
    owners = tuple(
        loser if owner == FREE and cell not in found.zone else owner
        for cell, owner in enumerate(position.owners)
    )
    assert worth(position.game, owners, position.ply, {}) == found.maker_wins


@pytest.mark.more
@pytest.mark.parametrize("games", [GAMES, AVOIDERS])
@settings(max_examples=150)
@given(st.data())
def test_a_dominated_move_is_no_better(games: st.SearchStrategy[str], data: st.DataObject) -> None:
    position = drawn(data, data.draw(games))
    board, owners = position.game.board, position.owners
    lines = [set(board.line(number).tolist()) for number in range(board.line_count)]
    live = [line for line in lines if all(owners[cell] in (FREE, 1) for cell in line)]
    through = {
        cell: {number for number, line in enumerate(live) if cell in line}
        for cell in position.legal_moves
    }
    known: dict[bytes, bool] = {}
    worth = {cell: brute(position.play(cell), known) for cell in through}
    for cell, other in itertools.permutations(through, 2):
        if through[cell] <= through[other]:
            better = other if games is GAMES else cell
            mover_wins = (position.to_move == 1) == worth[better]
            assert mover_wins or worth[cell] == worth[other]


def content(state: MakerState) -> list[list[int]]:
    """All numbers of a position."""
    return [part.tolist() for part in state]


@pytest.mark.more
@settings(max_examples=100)
@given(GAMES, st.data())
def test_stones_keep_counts_and_weights(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    game = position.game
    board = board_of(game, 1, game.target)
    state = state_of(game, board, position.owners, position.ply, 1)
    before = content(state)
    played = []
    while not position.is_over and data.draw(st.booleans()):
        cell = data.draw(st.sampled_from(position.legal_moves))
        position = position.play(cell)
        played.append(cell)
        put(board, state, cell)
        anew = state_of(game, board, position.owners, position.ply, 1)
        assert content(state) == content(anew)
    for cell in reversed(played):
        take(board, state, cell)
    assert content(state) == before


@pytest.mark.parametrize(
    ("spec", "wins"),
    [
        ("2^2", True), ("3^2", True), ("4^2", False), ("5^2", False), ("6^2", False),
        ("9^2", False), ("3^2:bias=1+2", False), ("4^2:bias=2+1", True), ("3^3", True),
        ("3^3:bias=1+2", True), ("3^3:bias=1+3", False), ("4^3:bias=1+2", False),
        ("5^3:bias=1+2", False), ("4^2:first=2", False),
    ],
)  # fmt: skip
def test_known_games(spec: str, wins: bool) -> None:
    head, _, options = spec.partition(":")
    game = Game(f"{head}:convention=maker-breaker" + (f",{options}" if options else ""))
    assert MakerSearch(game, 1).find(game.start(), Task.within(60)).maker_wins is wins


def test_a_rival_of_an_ordinary_game_completes_no_line() -> None:
    game = Game("4^2")
    for maker in (1, 2):
        assert MakerSearch(game, maker).find(game.start()).maker_wins is False
    assert MakerSearch(Game("3^2"), 2).find(Game("3^2").start()).maker_wins is False


def test_limits() -> None:
    game = Game("4^3:convention=maker-breaker")
    assert MakerSearch(game, 1).find(game.start(), nodes=20).maker_wins is None
    assert MakerSearch(game, 1).find(game.start(), Task.within(0)).maker_wins is None


@pytest.mark.parametrize("spec", ["4^3:gravity", "3^2:misere", "3^2:players=3"])
def test_rules_under_which_nothing_is_said(spec: str) -> None:
    with pytest.raises(NotSupportedError):
        MakerSearch(Game(spec), 1)


def test_lines_that_do_not_count_and_boards_that_are_too_large() -> None:
    with pytest.raises(NotSupportedError, match="do not count"):
        MakerSearch(Game("3^2:convention=maker-breaker"), 2)
    with pytest.raises(LimitError):
        MakerSearch(Game("21^2"), 1)
    assert not MAKERS.accepts(Game("3^2"))


def test_weights_are_rounded_up() -> None:
    for maker, breaker in ((1, 1), (2, 1), (3, 2)):
        for k, weight in enumerate(weights_of(maker, breaker, 6)):
            assert weight**maker * (1 + breaker) ** k >= 2 ** (40 * maker)
            assert (weight - 1) ** maker * (1 + breaker) ** k < 2 ** (40 * maker)


# Avoider-Enforcer search against brute force, with any bias, target, start and blocked cells.


@pytest.mark.more
@settings(max_examples=150)
@given(AVOIDERS, st.data())
def test_avoiders_agree_with_brute_force(spec: str, data: st.DataObject) -> None:
    position = drawn(data, spec)
    found = MakerSearch(position.game, 1).find(position)
    assert found.maker_wins is not brute(position, {})


@pytest.mark.parametrize(
    ("spec", "wins"),
    [
        ("3^2", False), ("4^2", True), ("4^2:bias=1+2", True), ("4^2:bias=2+1", False),
        ("4,4,3", False), ("5,4,4", True), ("3,3,2:target=2", False),
    ],
)  # fmt: skip
def test_known_games_of_avoiders(spec: str, wins: bool) -> None:
    game = Game(f"{spec}{',' if ':' in spec else ':'}convention=avoider-enforcer")
    assert MakerSearch(game, 1).find(game.start(), Task.within(60)).maker_wins is not wins


@pytest.mark.more
def test_what_solve_says(tmp_path: Path) -> None:
    path = tmp_path / "x"
    game = "4^2:convention=avoider-enforcer,bias=2+1"
    found = solve(game, makers=MakerSettings(checkpoint=str(path)))
    assert (found.value, found.complete, path.exists()) == ("loss", True, True)
    assert found.evidence[0].startswith("Avoider-Enforcer search: player 1 is forced to the target")


def test_avoiders_that_are_not_supported() -> None:
    with pytest.raises(NotSupportedError):
        MakerSearch(Game("3^3:convention=avoider-enforcer,gravity"), 1)
    with pytest.raises(NotSupportedError, match="do not count"):
        MakerSearch(Game("3^2:convention=avoider-enforcer"), 2)


def test_a_strategy_is_written(tmp_path: Path) -> None:
    found = solve("3^2:convention=avoider-enforcer,bias=1+2", proof=tmp_path / "proof")
    verdict = verify(tmp_path / "proof")
    assert verdict.proved
    assert verdict.claim == f"player {found.winner} wins {found.position.game}"
