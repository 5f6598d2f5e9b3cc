"""Batches of boards against positions, on games of every kind, both ways of keeping a board."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.adapters import batch as module
from hyperoxo.adapters.batch import NOWHERE, Arrays, Batch
from hyperoxo.adapters.running import rewards_of
from hyperoxo.errors import IllegalMoveError, SpecError
from hyperoxo.game import Game, Position
from tests.judge import planes
from tests.strategies import games

BOARDS = 3


@pytest.fixture(params=[64, 0], ids=["small", "large"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", request.param)


def agree(seen: Arrays, board: int, position: Position) -> None:
    mover = position.game.turns.mover(position.ply) - 1
    assert seen.observations is not None
    assert seen.masks is not None
    assert seen.players[board] == mover
    assert (seen.observations[board] == planes(position, mover)).all()
    assert tuple(np.flatnonzero(seen.masks[board])) == position.legal_moves


def play_beside(game: Game, seed: int, *, auto_reset: bool) -> None:
    batch = Batch(game, BOARDS, seed=seed, auto_reset=auto_reset)
    rng = np.random.default_rng(seed)
    positions = [game.start()] * BOARDS
    ended = [False] * BOARDS
    for board in range(BOARDS):
        agree(batch.out, board, positions[board])
    for _ in range(2 * game.cells + 2):
        actions = batch.sample().copy()
        for board, position in enumerate(positions):
            assert actions[board] in (position.legal_moves or (NOWHERE,)) or ended[board]
        # 1. Now and then any number at all.
        wild = rng.random(BOARDS) < 0.1
        actions[wild] = rng.integers(-2, game.board.cell_count + 2, wild.sum())
        seen = batch.step(actions)
        for board, action in enumerate(actions.tolist()):
            position, rewards = positions[board], [0.0] * game.players
            mover = game.turns.mover(position.ply) - 1
            # 2. The reference plays the same move, or loses by it.
            if action in position.legal_moves and not ended[board]:
                position = position.play(action)
                rewards = rewards_of(position.outcome, game.players)
                ended[board] = position.is_over
            elif not ended[board]:
                rewards = [1 / (game.players - 1)] * game.players
                rewards[mover] = -1
                ended[board] = True
            assert np.allclose(seen.rewards[board], rewards, atol=1e-6)
            assert seen.done[board] == ended[board]
            # 3. A new game, where they are played without end.
            if ended[board] and auto_reset:
                position, ended[board] = game.start(), False
            positions[board] = position
            if ended[board]:
                assert seen.masks is not None
                assert not seen.masks[board].any()
            else:
                agree(seen, board, position)
            assert batch.position(board) == position


SPECS = (
    "3^2:players=3,misere",
    "2^3:gravity=1,target=2,opening=0+4+1x2,first=2",
    "3^2:gravity,blocked=3,target=2,misere",
    "6{0+1/1+2+3/4/0+5}:convention=avoider-enforcer,target=2,bias=2+1,blocked=3",
    "4^3",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("auto_reset", [True, False])
def test_plays_as_positions_do(spec: str, auto_reset: bool, way: None) -> None:
    play_beside(Game(spec), 1, auto_reset=auto_reset)


@pytest.mark.more
@pytest.mark.parametrize("most_cells", [64, 0])
@settings(max_examples=40, deadline=None)
@given(games(new_rules=True), st.integers(0, 2**32), st.booleans())
def test_random_games_of_all_rules(
    most_cells: int, game: Game, seed: int, auto_reset: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_CELLS", most_cells)
        play_beside(game, seed, auto_reset=auto_reset)


def test_a_large_board_is_played_too() -> None:
    play_beside(Game("5^3:players=3"), 2, auto_reset=True)


def test_a_player_may_hold_all_64_cells() -> None:
    game = Game("4^3:bias=64+1,target=77")
    batch = Batch(game, 1)
    for cell in range(64):
        seen = batch.step(np.array([cell]))
    assert seen.rewards.tolist() == [[1, -1]]


def test_every_legal_move_is_as_likely(way: None) -> None:
    batch = Batch("3^2:blocked=2", boards=8000)
    counts = np.bincount(batch.sample(), minlength=9)
    assert counts[2] == 0
    assert (abs(np.delete(counts, 2) - 1000) < 200).all()


def test_a_seed_belongs_to_a_board(way: None) -> None:
    def play(batch: Batch) -> list[list[int]]:
        return [batch.step(batch.sample()).players.tolist() + batch.sample().tolist() for _ in "12"]

    many = Batch("4^2", 6, seed=3, random_plies=(0, 4))
    few = Batch("4^2", 4, seed=3, random_plies=(0, 4))
    assert [many.position(board) for board in range(4)] == [few.position(b) for b in range(4)]
    alone = Batch("4^2", 3, seed=[5, 9, 5], random_plies=3)
    assert alone.position(0) == alone.position(2) != alone.position(1)
    assert play(Batch("4^2", 2, seed=8)) == play(Batch("4^2", 2, seed=8))
    before = many.position(0), many.position(1)
    many.reset()
    assert (many.position(0), many.position(1)) != before
    many.reset(seed=3)
    assert (many.position(0), many.position(1)) == before


def test_openings_are_random_plies_that_end_no_game(way: None) -> None:
    batch = Batch("3^2", 2000, random_plies=(2, 4))
    plies = [batch.position(board).ply for board in range(2000)]
    assert {*plies} == {2, 3, 4}
    assert max(abs(plies.count(number) - 667) for number in (2, 3, 4)) < 120
    long = Batch("3^2:misere", 50, random_plies=9)
    assert not any(long.position(board).is_over for board in range(50))
    after = Batch("3^2", 50, random_plies=1)
    while not after.step(after.sample()).done[0]:
        pass
    assert after.position(0).ply == 1


@pytest.mark.parametrize(
    ("action", "why"),
    [(4, "cell 4 is taken"), (9, "there is no cell 9"), (-1, "there is no cell -1")],
)
def test_an_illegal_action_may_be_refused(action: int, why: str, way: None) -> None:
    batch = Batch("3^2", 3, illegal="raise")
    batch.step(np.array([4, 4, 4]))
    with pytest.raises(IllegalMoveError, match=f"board 1: {why}"):
        batch.step(np.array([0, action, 0]))
    assert batch.position(0).ply == 1
    batch.step(np.array([0, 1, 2]))


def test_steps_write_where_the_caller_wants() -> None:
    batch = Batch("3^2", 5, masks=False, observations=False)
    assert batch.out.masks is batch.out.observations is None
    storage = np.ones((4, 5, 9, 2), np.bool_)
    for turn in range(4):
        out = batch.arrays(observations=storage[turn], masks=None)
        assert batch.step(np.full(5, turn, np.int32), out) is out
    assert storage.sum(axis=(1, 2, 3)).tolist() == [5, 10, 15, 20]


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        ("arrays", {"rewards": np.zeros((2, 2))}, r"writeable array of float32 \[2, 2\]"),
        ("arrays", {"masks": np.zeros((2, 8), np.bool_)}, "masks must be a contiguous"),
        ("arrays", {"masks": np.zeros((9, 2), np.bool_).T}, "masks must be"),
        ("arrays", {"done": None}, "done must be"),
        ("arrays", {"mask": None}, "a step does not write 'mask', only rewards, done"),
        *(
            ("step", {"actions": actions}, "actions must be an array of 2 whole numbers")
            for actions in (
                *([0, 0], np.zeros(3, int), np.zeros(2)),
                *(np.zeros((2, 1), int), np.zeros(2, bool)),
            )
        ),
        ("position", {"board": 2}, "there is no board 2; boards are 0 to 1"),
        ("sample", {"out": np.zeros(3, np.int64)}, "an array of 2 int64"),
        ("__init__", {"boards": 0}, "at least 1 board, not 0"),
        ("__init__", {"illegal": "ignore"}, "illegal must be one of lose, raise, not 'ignore'"),
        ("__init__", {"random_plies": 10}, "random_plies must be 0 to 9, not 10"),
        ("__init__", {"random_plies": (3, 2)}, "random_plies must be"),
        ("__init__", {"seed": [1, 2, 3]}, "seed must be a whole number, or 2 of them"),
        ("__init__", {"seed": 0.5}, "seed must be"),
    ],
)
def test_what_makes_no_sense_is_refused(call: str, arguments: dict[str, Any], message: str) -> None:
    game = {"game": "3^2", "boards": 2}
    with pytest.raises(SpecError, match=message):
        getattr(Batch("3^2", 2), call)(**(game | arguments if call == "__init__" else arguments))
