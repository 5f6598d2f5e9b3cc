"""Ranges of games: the same games however they are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.game import Game
from hyperoxo.lab.compiled import chunk_size
from hyperoxo.lab.games import Seating, Tally, entrants, play_range, seating_of
from tests.marks import more
from tests.strategies import games

SEATINGS = [
    Seating("3^2", ("random", "random"), 1),
    Seating("3^2", ("random", "random"), 1, "report"),
    Seating("3^2", ("ising", "random"), 2),
    Seating("3^2:players=3,misere", ("greedy", "random", "ising"), 3),
    Seating("3^2:target=2", ("random", "random"), 4),
    Seating("3^2", ("mcts:simulations=10", "random"), 5),
    Seating("3^2", ("ising", "random"), 2, "rules", 6, 4),
    Seating("3^2", ("mcts:simulations=10", "random"), 5, "rules", 6, 4),
]


def counts(tally: Tally) -> tuple[object, ...]:
    return tally.games, tally.wins, tally.draws, tally.plies


@pytest.mark.parametrize(
    "seating",
    more(SEATINGS, [seating for seating in SEATINGS if seating.agents[0].startswith("mcts")]),
    ids=lambda s: f"{s.game} {s.agents[0]} {s.scoring}",
)
@given(cuts=st.sets(st.integers(1, 59), max_size=4))
@settings(max_examples=10)
def test_cuts_do_not_matter(seating: Seating, cuts: set[int]) -> None:
    ends = [0, *sorted(cuts), 60]
    parts = [play_range(seating, *pair) for pair in pairwise(ends)]
    players = len(seating.agents)
    assert counts(sum(parts, Tally.none(players))) == counts(play_range(seating, 0, 60))


def test_cuts_across_chunks() -> None:
    seating = SEATINGS[2]
    size = chunk_size(Game("3^2"))
    whole = play_range(seating, 0, 2 * size + 50)
    left = play_range(seating, 0, size + 7)
    right = play_range(seating, size + 7, 2 * size + 50)
    assert counts(left + right) == counts(whole)


@given(games())
@settings(max_examples=20)
def test_every_game_is_counted(game: Game) -> None:
    seating = seating_of(game, entrants(["random"] * game.players, game), seed=3)
    tally = play_range(seating, 0, 20)
    assert tally.games == 20
    won = 20 - tally.draws
    # A line in a misère game leaves the win to all others, a full board to those with fewest lines.
    most = game.players - 1 if game.misere and game.players > 2 else 1
    assert won <= sum(tally.wins) <= won * most
    assert game.target > 1 or sum(tally.wins) == won * most


def test_seeds_tell_seatings_apart() -> None:
    game = Game("3^2")
    pair = entrants(["random", "ising"], game)
    seeds = {
        seating_of(game, pair, 0).seed,
        seating_of(game, pair[::-1], 0).seed,
        seating_of(game, pair, 1).seed,
        seating_of(game, pair, 0, copy=1).seed,
        seating_of(Game("3^2:misere"), pair, 0).seed,
    }
    assert len(seeds) == 5
    assert seating_of(game, pair, 0) == seating_of(game, entrants(["random", "ising"], game), 0)


def test_tallies_tell_losses_and_scores() -> None:
    tally = Tally(10, (6, 1), 3, 70)
    assert (tally.losses(1), tally.losses(2)) == (1, 6)
    assert (tally.score(1), tally.score(2)) == (0.75, 0.25)
    assert Tally.none(2).score(1) == 0.0


def test_chunks_are_small_on_large_boards() -> None:
    sizes = [chunk_size(Game(spec)) for spec in ("3^2", "4^3", "5^3", "5^4", "3^8")]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 4096
    assert sizes[-1] == 1
