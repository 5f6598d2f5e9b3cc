"""Guided trees: against a plain walk through positions, and the counts of the draft's tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.agents import Agent, agent
from hyperoxo.agents.base import Randomness
from hyperoxo.agents.scored import ScoredAgent
from hyperoxo.errors import AgentError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.lab.guide import guide, guided_strategy
from hyperoxo.proof import check
from tests.expect import message_of, require
from tests.marks import more
from tests.strategies import game_specs

Choices = Callable[[Position], Sequence[int]]


def plain_tree(game: Game, seat: int, choices: Choices, *, merge: bool = False) -> list[int]:
    """Count every line of play, one by one.

    With `merge` every position is replaced by its least image, and of equal replies one is tried.
    """
    counts = [0, 0, 0]
    perms = game.symmetry.permutations() if merge else [np.arange(game.board.cell_count)]

    def least(position: Position) -> bytes:
        owners = np.frombuffer(position.owners, np.uint8)
        images: list[bytes] = [owners[perm].tobytes() for perm in perms]
        return min(images)

    def walk(position: Position) -> None:
        if position.outcome is not None:
            won, drawn = seat in position.outcome.winners, position.outcome.draw
            counts[0 if won else 1 if drawn else 2] += 1
            return
        ours = position.to_move == seat
        cells = choices(position) if ours else position.legal_moves
        images = [least(position.play(cell)) for cell in cells]
        for image in {*images} if merge and not ours else images:
            walk(Position.from_owners(game, image))

    walk(game.start())
    return counts


def lowest(player: Agent) -> Choices:
    return lambda position: (player.choose(position, 0),)


@pytest.mark.parametrize(
    ("spec", "seat", "counts"),
    [
        ("3^2", 1, (18, 1, 0)),
        ("3^2", 2, (53, 22, 6)),
        ("3^2:players=3", 1, (84, 148, 0)),
        ("3^2:players=3", 2, (258, 449, 21)),
        ("3^2:players=3", 3, (321, 1604, 60)),
    ],
)
def test_greedy_rows_of_the_draft(spec: str, seat: int, counts: tuple[int, int, int]) -> None:
    # Its program takes 1/d off for a rival's line, not 1/(d (q - 1)): defend = q - 1 here.
    game = Game(spec)
    tree = guide(game, seat, f"greedy:defend={game.players - 1}", merge=True)
    assert (tree.wins, tree.draws, tree.losses) == counts
    assert tree.leaves == sum(counts)


@pytest.mark.parametrize(
    ("spec", "player"),
    more(
        [
            *product(["3^2", "3^2:misere"], ["greedy", "ising", "minimax:depth=2"]),
            *product(["3,2,2:players=3", "3^2:gravity,players=3"], ["greedy", "ising"]),
        ],
        [("3^2", "minimax:depth=2"), ("3^2:misere", "minimax:depth=2")],
    ),
)
def test_counts_are_those_of_a_plain_walk(spec: str, player: str) -> None:
    game = Game(spec)
    chosen = agent(f"{player}{',' if ':' in player else ':'}ties=lowest")
    for seat in range(1, game.players + 1):
        tree = guide(game, seat, player)
        assert [tree.wins, tree.draws, tree.losses] == plain_tree(game, seat, lowest(chosen))
        if player != "minimax:depth=2":
            merged = guide(game, seat, player, merge=True)
            counts = plain_tree(game, seat, lowest(chosen), merge=True)
            assert [merged.wins, merged.draws, merged.losses] == counts


class Wrapped(Agent):
    """An agent that compiled loops do not know."""

    name = "wrapped"

    def __init__(self, inner: Agent) -> None:
        self.inner = inner

    def choose(self, position: Position, rng: Randomness = None) -> int:
        return self.inner.choose(position, rng)


@pytest.mark.more
@settings(max_examples=25, deadline=None)
@given(game_specs(hypercubes=("2^2", "3^1", "2^3"), most_players=4), st.booleans(), st.data())
def test_compiled_and_plain_walks_agree(spec: str, merge: bool, data: st.DataObject) -> None:
    game = Game(spec)
    if game.cells > 7:
        return
    seat = data.draw(st.integers(1, game.players))
    greedy = agent("greedy:ties=lowest")
    fast = guide(game, seat, greedy, merge=merge)
    slow = guide(game, seat, Wrapped(greedy), merge=merge)
    assert (fast.wins, fast.draws, fast.losses) == (slow.wins, slow.draws, slow.losses)
    assert fast.losing_lines == slow.losing_lines
    assert fast.positions == slow.positions


@pytest.mark.parametrize("merge", [False, True])
def test_losing_lines_can_be_replayed(merge: bool) -> None:
    game, player = Game("3^2"), agent("greedy:ties=lowest")
    tree = guide(game, 2, "greedy", merge=merge, losing_lines=100)
    assert tree.verdict == "loses"
    assert len(tree.losing_lines) == len(set(tree.losing_lines)) == tree.losses
    for line in tree.losing_lines:
        position = game.start()
        for cell in line:
            if position.to_move == 2 and not merge:
                assert cell == player.choose(position)
            position = position.play(cell)
        assert require(position.outcome).winner == 1
    assert len(guide(game, 2, "greedy", losing_lines=3).losing_lines) == 3


def test_verdicts() -> None:
    assert guide(Game("3^2"), 1, "greedy").verdict == "never loses"
    assert guide(Game("2^2"), 1, "random").verdict == "wins"
    assert guide(Game("2^2"), 2, "random").verdict == "loses"


def test_an_agent_that_plays_at_random_is_asked_once_in_each_position() -> None:
    first, again = (guide(Game("3^2"), 1, "random", seed=4) for _ in range(2))
    assert first == again
    assert first != guide(Game("3^2"), 1, "random", seed=5)
    assert guide(Game("3^2"), 1, "greedy:ties=random", seed=1).agent == "greedy"


@pytest.mark.slow
def test_trees_of_more_than_a_hundred_million_leaves() -> None:
    tree = guide(Game("4^2:players=3"), 1, "greedy")
    assert tree.leaves > 10**8
    assert tree.wins + tree.draws + tree.losses == tree.leaves


@pytest.mark.parametrize(
    ("spec", "seat", "player"),
    [
        ("3^2", 1, "greedy"),
        ("2^2", 1, "expert"),
        ("2^2:players=3", 1, "random"),
        ("3^2:misere", 1, "minimax:depth=9"),
    ],
)
def test_what_the_tree_proves_passes_the_checker(spec: str, seat: int, player: str) -> None:
    assert check(require(guided_strategy(Game(spec), seat, player))).verdict == "proved"


def test_a_strategy_that_loses_proves_nothing() -> None:
    assert guided_strategy(Game("3^2"), 2, "greedy") is None


def test_bad_requests_are_refused() -> None:
    assert "seat" in message_of(SpecError, guide, Game("3^2"), 3, "greedy")
    assert "unknown agent" in message_of(SpecError, guide, Game("3^2"), 1, "nobody")
    assert "not legal" in message_of(AgentError, guide, Game("3^2"), 2, Stubborn())


class Stubborn(Agent):
    """Plays cell 0, taken or not."""

    name = "stubborn"

    def choose(self, position: Position, rng: Randomness = None) -> int:
        return 0


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("spec", ["3^2", "3^2:misere", "3^2:blocked=1"])
def test_every_tie_is_followed(spec: str, merge: bool) -> None:
    game, player = Game(spec), agent("ising")
    assert isinstance(player, ScoredAgent)
    tree = guide(game, 2, player, merge=merge, every_tie=True)
    counts = plain_tree(game, 2, player.best_moves, merge=merge)
    assert [tree.wins, tree.draws, tree.losses] == counts
    losing = guide(game, 2, player, merge=merge, every_tie=True, losing_lines=10**6).losing_lines
    assert len(losing) == len(set(losing)) == tree.losses


@pytest.mark.parametrize("spec", ["random", "minimax:depth=1", "ising:temperature=1"])
def test_ties_of_agents_that_do_not_score_are_refused(spec: str) -> None:
    with pytest.raises(SpecError, match="does not draw among moves"):
        guide(Game("3^2"), 1, spec, every_tie=True)
