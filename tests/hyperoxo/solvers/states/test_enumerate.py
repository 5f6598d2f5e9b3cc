from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError, LimitError, SpecError
from hyperoxo.game import Game
from hyperoxo.solvers.states import layers as states_layers
from hyperoxo.solvers.states.enumerate import States, enumerate_states
from tests.marks import more
from tests.states_oracle import Walked, finals, walk
from tests.strategies import games

SPECS = (
    "1^1",
    "2^2",
    "3^2",
    "3^2:misere",
    "3^2:target=2",
    "3^2:gravity",
    "3^2:gravity=1,misere,blocked=4",
    "3^2:blocked=centre,players=3",
    "3^2:opening=poor",
    "3^2:opening=0",
    "3^2:opening=1+2x2,players=3",
    "3^2:gravity,opening=0x2",
    "3,3,2:players=3,misere,target=2",
    "4,2,3:target=2",
    "2^3:players=3",
    "7{0+1+2/2+3+4/4+5+6/0+6}",
    "5{}:players=4",
    "8{0+1/2+3/4+5/6+7}:players=7,target=2",
)


def class_counts(game: Game, found: Walked) -> list[int]:
    """Classes by ply, from images one by one."""
    everything = game.symmetry.permutations()
    opening = game.opening or frozenset()
    keeping = [g for g in everything if {int(g[cell]) for cell in opening} == opening]
    counts = []
    for ply, layer in enumerate(found.layers):
        restricted = game.opening is not None and ply <= (game.opening_moves - 1) * game.players
        left = set(layer)
        group = keeping if restricted else everything
        counts.append(0)
        while left:
            owners = np.frombuffer(left.pop(), np.uint8)
            counts[-1] += 1
            left -= {owners[g].tobytes() for g in group}
    return counts


def check(game: Game, states: States, found: Walked) -> None:
    assert list(states.positions_by_ply) == [len(layer) for layer in found.layers]
    assert (states.finals.wins, states.finals.draws) == finals(found, game.players, by_games=False)
    assert (states.games.wins, states.games.draws) == finals(found, game.players, by_games=True)
    assert states.classes_by_ply is not None
    assert list(states.classes_by_ply) == class_counts(game, found)


@pytest.mark.parametrize(
    "spec",
    more(
        SPECS,
        [
            "3^2",
            "3^2:misere",
            "3^2:opening=poor",
            "3^2:target=2",
            "3^2:opening=1+2x2,players=3",
            "3,3,2:players=3,misere,target=2",
            "2^3:players=3",
            "8{0+1/2+3/4+5/6+7}:players=7,target=2",
        ],
    ),
)
def test_both_ways_agree_with_walking(spec: str) -> None:
    game = Game(spec)
    found = walk(game)
    for symmetry in (True, False):
        states = enumerate_states(game, symmetry=symmetry)
        check(game, states, found)
        assert states.complete


@settings(max_examples=40, deadline=None)
@given(games(hypercubes=("1^1", "3^1", "2^2", "3^2", "2^3")), st.booleans(), st.integers(0, 4))
def test_any_game_agrees_with_walking(game: Game, symmetry: bool, plies: int) -> None:
    if game.symmetry.order > 5000 or game.cells > 16:
        return
    check(game, enumerate_states(game, symmetry=symmetry, max_plies=plies), walk(game, plies))


@pytest.mark.parametrize(
    ("spec", "plies"), [("3^3:players=5", 2), ("7,6,4:gravity", 4), ("4^3", 2), ("3^4", 2)]
)
def test_keys_of_several_words(spec: str, plies: int) -> None:
    game = Game(spec)
    found = walk(game, plies)
    for symmetry in (True, False):
        states = enumerate_states(game, symmetry=symmetry, max_plies=plies)
        check(game, states, found)
        assert not states.complete


@pytest.mark.more
def test_four_by_four() -> None:
    states = enumerate_states("4^2")
    assert (states.positions, states.classes) == (9_722_011, 307_639)
    # The number of ways to lay out the first six stones, none of which can end the game.
    assert states.positions_by_ply[:7] == tuple(
        math.comb(16, k) * math.comb(k, k // 2) for k in range(7)
    )


def test_numbers_of_games_beyond_64_bits() -> None:
    code = states_layers.GameCode(Game("5^2"), max_plies=20)
    first = code.first()
    assert first.games.shape == (1, 2)
    layer = replace(first, games=np.array([[2**64 - 1, 3]], dtype=np.uint64))
    for _ in range(3):
        layer = code.next(layer)
    assert states_layers.total_of(layer.games) == (2**66 - 1) * 25 * 24 * 23


@pytest.mark.more
def test_large_groups_have_no_classes() -> None:
    states = enumerate_states("2^4")
    assert states.classes_by_ply is None
    assert states.positions_by_ply == (1, 16, 240, 1680)
    assert enumerate_states("2^6").positions_by_ply == (1, 64, 64 * 63, 64 * 63 * 31)


@pytest.mark.more
def test_large_boards_are_refused_with_size_and_time() -> None:
    for spec in ("4^3", "3^3", "7,6,4:gravity", "6^3", "40^3", "5^5:gravity"):
        with pytest.raises(LimitError, match=r"has about .* GiB and .*; a smaller number of plies"):
            enumerate_states(spec)
    assert enumerate_states("6^3", max_plies=1).positions_by_ply == (1, 216)


def test_a_layer_never_outgrows_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPEROXO_MEMORY", "40000")
    code = states_layers.GameCode(Game("3^2"), symmetry=False)
    layer = code.next(code.first())
    with pytest.raises(LimitError, match="more than 50 positions of 2 stones"):
        code.next(layer, limit=50)
    with pytest.raises(LimitError, match="has about"):
        enumerate_states("3^2", symmetry=False)


def test_negative_plies_are_refused() -> None:
    with pytest.raises(SpecError, match="max_plies"):
        enumerate_states("3^2", max_plies=-1)


def test_progress_rises_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    enumerate_states("3^2", progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert len({total for _, total in seen}) == 1
    assert seen[-1][0] == seen[-1][1]


class Stop(BaseException):
    """What Ctrl-C does, at a moment of our choosing."""


def interrupted(path: Path, ply: int, *, symmetry: bool) -> None:
    seen: set[int] = set()

    def stop(done: int, total: int) -> None:
        seen.add(done)
        if len(seen) > ply:
            raise Stop

    with pytest.raises(Stop):
        enumerate_states("3^2:target=2", symmetry=symmetry, checkpoint=path, progress=stop)


@pytest.mark.parametrize("symmetry", [True, False])
def test_an_interrupted_count_goes_on(tmp_path: Path, symmetry: bool) -> None:
    path = tmp_path / "count"
    whole = enumerate_states("3^2:target=2", symmetry=symmetry)
    interrupted(path, 6, symmetry=symmetry)
    first: list[int] = []
    resumed = enumerate_states(
        "3^2:target=2",
        symmetry=symmetry,
        checkpoint=path,
        progress=lambda done, total: first.append(done),
    )
    assert resumed == whole
    assert first[0] > 1000
    assert not list(tmp_path.iterdir())


def test_an_empty_file_is_a_checkpoint_without_work(tmp_path: Path) -> None:
    path = tmp_path / "count"
    path.write_bytes(b"")
    assert enumerate_states("3^2:target=2", checkpoint=path) == enumerate_states("3^2:target=2")


def test_checkpoints_of_other_counts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "count"
    interrupted(path, 6, symmetry=True)
    with pytest.raises(
        CheckFailedError, match=r"is of oxo states with game '3\^2:target=2', not '3\^2'"
    ):
        enumerate_states("3^2", checkpoint=path)
    text = tmp_path / "notes.txt"
    text.write_text("mine")
    with pytest.raises(CheckFailedError, match="not a checkpoint of oxo states"):
        enumerate_states("3^2", checkpoint=text)
    assert text.read_text() == "mine"
