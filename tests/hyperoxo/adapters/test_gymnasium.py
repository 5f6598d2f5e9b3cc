"""The Gymnasium environments: the official check, and every rule against positions."""

from __future__ import annotations

import pickle
import random
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hyperoxo.adapters.gymnasium import ID, SeatEnv, SeatVectorEnv
from hyperoxo.adapters.running import rewards_of
from hyperoxo.agents import Agent, agent
from hyperoxo.agents.base import Randomness
from hyperoxo.errors import AgentError, HyperoxoError, IllegalMoveError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.kernels.rng import advance, below, mix, stream
from hyperoxo.kernels.state import legal_moves
from hyperoxo.kernels.step import OVER
from tests.hyperoxo.lab.test_guide import Stubborn
from tests.judge import planes
from tests.strategies import games


class Noted(Agent):
    """Plays like another agent and keeps what it saw."""

    name = "noted"

    def __init__(self, spec: str) -> None:
        self.agent = agent(spec)
        self.seen: list[Position] = []

    def choose(self, position: Position, rng: Randomness = None) -> int:
        self.seen.append(position)
        return self.agent.choose(position, rng)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"spec": "3^2:players=3", "seat": None, "opponent": ["greedy", "random"]},
        {"spec": "3^3:gravity", "seat": 2, "opponent": "greedy"},
        {"spec": "4,3,3:misere,players=3,bias=1+2+1", "seat": 3},
        {"spec": "1^1", "seat": 2},
    ],
)
def test_the_official_check_passes_without_a_warning(options: dict[str, Any]) -> None:
    check_env(gym.make(ID, **options).unwrapped)


@settings(max_examples=40, deadline=None)
@given(games(new_rules=True), st.integers(0, 2**31), st.booleans())
def test_random_games_of_random_rules(game: Game, seed: int, drawn: bool) -> None:
    rng = random.Random(seed)
    opponents = [Noted("random") for _ in range(game.players - 1)]
    chosen = None if drawn else rng.randint(1, game.players)
    env = SeatEnv(game, opponent=opponents, seat=chosen)
    seen, info = env.reset(seed=seed)
    over, reward = False, 0.0
    assert env.seat is not None
    while not over:
        assert (info["action_mask"] == seen["action_mask"]).all()
        position = env.position
        assert (seen["observation"] == planes(position, env.seat - 1)).all()
        assert position.to_move in (env.seat, 0)
        assert tuple(np.flatnonzero(seen["action_mask"])) == position.legal_moves
        action = rng.choice(position.legal_moves) if not position.is_over else 0
        seen, reward, over, truncated, info = env.step(action)
        assert not truncated
        assert over or reward == 0
    last = env.position
    assert (seen["observation"] == planes(last, env.seat - 1)).all()
    assert reward == rewards_of(last.outcome, game.players)[env.seat - 1]
    for seats, player in enumerate(opponents, start=1):
        assert {one.to_move for one in player.seen} <= {(env.seat - 1 + seats) % game.players + 1}


def test_random_opponents_draw_as_the_agent_does() -> None:
    games = []
    for opponent in ("random", Noted("random")):
        env = SeatEnv("3^3:players=3", opponent=opponent, seat=2)
        over = bool(env.reset(seed=3)[1].get("over"))
        while not over:
            over = env.step(env.position.legal_moves[0])[2]
        games.append(env.position.history)
    assert games[0] == games[1]


def play(env: Any, seed: int) -> list[Any]:
    rng = np.random.default_rng(0)
    seen, _ = env.reset(seed=seed)
    found = [seen]
    for _ in range(12):
        mask = seen["action_mask"]
        seen, *rest, _ = env.step((rng.random(mask.shape) * mask).argmax(axis=-1))
        found += [seen, *rest]
        if not getattr(env, "num_envs", 0) and rest[1]:
            break
    return found


@pytest.mark.parametrize(
    "make",
    [
        lambda: gym.make(ID, spec="4^2", opponent="greedy", seat=None),
        lambda: gym.make_vec(ID, num_envs=5, spec="4^2", seat=None),
        lambda: gym.make_vec(ID, num_envs=2, spec="4^2", opponent="greedy"),
    ],
)
def test_a_seed_decides_everything(make: Any) -> None:
    env = make()
    first, again, other = play(env, 1), play(make(), 1), play(env, 2)
    assert str(play(env, 1)) == str(first) == str(again) != str(other)


def test_an_illegal_move_loses_or_raises() -> None:
    env = SeatEnv("3^2:players=3", seat=2)
    env.reset(seed=0, options={"position": "moves:4"})
    seen, reward, over, _, info = env.step(np.int64(4))
    assert (reward, over, info["illegal_move"]) == (-1.0, True, 4)
    assert not seen["action_mask"].any()
    strict = SeatEnv("3^2", illegal="raise")
    strict.reset(options={"position": "moves:4,0"})
    with pytest.raises(IllegalMoveError, match="cell 4 is taken"):
        strict.step(4)
    assert strict.position.history == (4, 0)
    env.reset()
    with pytest.raises(IllegalMoveError, match="no cell 9"):
        env.step(9)


def test_an_agent_that_plays_an_illegal_move_is_named() -> None:
    env = SeatEnv("3^2", opponent=Stubborn())
    env.reset()
    with pytest.raises(AgentError, match="stubborn chose 0, which is not a legal move"):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "seat must be 1 to 2"),
        ({"seat": "1"}, "seat must be 1 to 2"),
        ({"opponent": ["random", "greedy"]}, "opponent takes 1 for .*, not 2"),
        ({"opponent": "nobody"}, "unknown agent"),
        ({"spec": "3^2:convention=maker-breaker", "opponent": "greedy"}, "scoring moves by lines"),
        ({"illegal": "skip"}, "illegal must be one of"),
        ({"render_mode": "video"}, "render_mode must be one of"),
    ],
)
def test_bad_options_are_refused_in_one_line(options: dict[str, Any], message: str) -> None:
    for make in (SeatEnv, lambda **options: gym.make_vec(ID, num_envs=2, **options).reset()):
        with pytest.raises(HyperoxoError, match=message) as refused:
            make(**options)
        assert "\n" not in str(refused.value)


def test_rendering() -> None:
    env = gym.make(ID, render_mode="ansi")
    env.reset(options={"position": "moves:4,0"})
    assert env.render() == "O · ·\n· X ·\n· · ·\nCross to move"
    many = gym.make_vec(ID, num_envs=2, spec="3^2:blocked=8", render_mode="rgb_array")
    many.reset(options={"position": "moves:4,0"})
    drawn = np.array(many.render())
    single = SeatEnv("3^2:blocked=8", render_mode="rgb_array")
    single.reset(options={"position": "moves:4,0"})
    # The order of the moves is lost, and with it which was the last.
    assert drawn.shape == (2, *np.array(single.render()).shape)
    assert np.array_equal(drawn[0], drawn[1])


class Stream(np.random.Generator):
    """Draws as the compiled boards do."""

    def __init__(self, seed: int) -> None:
        super().__init__(np.random.PCG64(0))
        self.word = stream(np.uint64(seed), 0)

    def integers(self, most: int) -> int:  # type: ignore[override]
        self.word = np.uint64(advance(np.uint64(self.word)))
        return int(below(np.uint64(mix(self.word)), most))


class StreamedEnv(SeatEnv):
    """One seat whose opponents draw as those on the compiled boards."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is not None:
            self.np_random = Stream(seed)
        return super().reset(options=options)

    def _reply(self) -> None:
        running, seat = self._running, self.seat or 0
        while running.mover not in (seat - 1, OVER):
            # Compiled boards list legal moves in an order of their own.
            cells = np.empty(self.game.board.cell_count, np.int32)
            count = legal_moves(running._tables, running._state, cells)
            assert running.play(cells[self.np_random.integers(count)])


def same(ours: Any, theirs: Any) -> bool:
    """Return whether nested results are equal, types of arrays included."""
    if isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[key], theirs[key]) for key in theirs)
    if isinstance(theirs, tuple) or (isinstance(theirs, np.ndarray) and theirs.dtype == object):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, np.ndarray):
        return bool(ours.dtype == theirs.dtype and np.array_equal(ours, theirs))
    return bool(ours == theirs)


MODES = gym.vector.AutoresetMode


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=15, deadline=None)
@given(games(new_rules=True), st.integers(0, 2**31), st.booleans())
@example(Game("3^2"), 7, False)
@example(Game("2^2:bias=3+1"), 7, True)
def test_boards_of_a_vector_are_those_of_gymnasium(
    mode: MODES, game: Game, seed: int, drawn: bool
) -> None:
    """One seat is tested against positions above, so that the compiled boards are as well."""
    boards, draw = 3, np.random.default_rng(seed)
    seat = None if drawn else seed % game.players + 1
    ours: Any = gym.make_vec(ID, num_envs=boards, spec=game, autoreset_mode=mode, seat=seat)
    theirs: Any = gym.vector.SyncVectorEnv(
        [lambda: StreamedEnv(game, seat=seat)] * boards, autoreset_mode=mode
    )
    assert isinstance(ours, SeatVectorEnv)
    for name in ("metadata", "observation_space", "action_space"):
        assert getattr(ours, name) == getattr(theirs, name)
    found = ours.reset(seed=seed)
    assert same(found, theirs.reset(seed=seed))
    for _ in range(12):
        chances = draw.random(found[0]["action_mask"].shape) * found[0]["action_mask"]
        actions = chances.argmax(1)
        wild = draw.random(boards) < 0.05
        actions[wild] = draw.integers(chances.shape[1], size=wild.sum())
        step = ours.step(actions)
        assert same(step, theirs.step(actions))
        found, over = (step[0], step[4]), step[2]
        assert ("final_obs" in found[1]) == (mode is MODES.SAME_STEP and over.any())
        if mode is MODES.DISABLED and over.any():
            with pytest.raises(IllegalMoveError, match=f"board {over.argmax()} is over"):
                ours.step(actions)
            seeds = [None, 3, None]
            found = ours.reset(seed=seeds, options={"reset_mask": over})
            assert same(found, theirs.reset(seed=seeds, options={"reset_mask": over.copy()}))


def test_illegal_moves_on_boards_of_a_vector() -> None:
    env = SeatVectorEnv(3, "3^2:players=3")
    env.reset(seed=0, options={"position": "moves:4,0,1"})
    _, rewards, over, _, info = env.step(np.array([4, 8, 2]))
    assert (rewards.tolist(), over.tolist()) == ([-1, 0, 0], [True, False, False])
    assert info["illegal_move"].tolist() == [4, 0, 0]
    with pytest.raises(IllegalMoveError, match="0 to 8"):
        env.step(np.array([0, 9, 0]))
    with pytest.raises(IllegalMoveError, match="3 boards"):
        env.step(np.array([0, 1]))
    strict = SeatVectorEnv(2, "3^2", illegal="raise")
    first, _ = strict.reset(seed=0, options={"position": "moves:4,0"})
    with pytest.raises(IllegalMoveError, match="cell 4 is not a legal move on board 1"):
        strict.step(np.array([8, 4]))
    assert (strict._see()[0]["observation"] == first["observation"]).all()


def test_vectors_that_make_no_sense() -> None:
    with pytest.raises(SpecError, match="at least 1"):
        SeatVectorEnv(0)
    for opponent in ("random", "greedy"):
        with pytest.raises(SpecError, match="autoreset_mode must be one of NextStep, SameStep"):
            gym.make_vec(ID, num_envs=2, opponent=opponent, autoreset_mode="never")
    for mask in ([True, False], np.array([1, 0]), np.zeros(2, bool), np.ones(3, bool)):
        with pytest.raises(SpecError, match="reset_mask must"):
            SeatVectorEnv(2).reset(options={"reset_mask": mask})


def test_learners_that_mask_and_act_in_batches_of_one() -> None:
    seat = SeatEnv("3^2")
    seat.reset(seed=1)
    seat.step(np.array([4]))
    masks = seat.action_masks()
    assert masks.dtype == bool
    assert not masks[4]
    assert masks.sum() == 7
    again = pickle.loads(pickle.dumps(seat))
    assert (again.action_masks() == masks).all()
    cell = int(masks.argmax())
    assert seat.step(cell)[1:4] == again.step(np.array(cell))[1:4]
    assert (seat.action_masks() == again.action_masks()).all()
    lost = seat.step(np.array([4]))
    assert lost[4]["illegal_move"] == 4
