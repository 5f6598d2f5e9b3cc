"""Compiled games and ranges of games: exact rates, every rule, the same however they are cut."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.agents.base import Seat
from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Position
from hyperoxo.lab import random_play
from hyperoxo.lab.compiled import Batch, _packed_tables, _tally, chunk_size, play_batch
from hyperoxo.lab.games import Seating, Tally, entrants, play_range, seating_of
from tests.marks import more
from tests.strategies import games

RANDOM = Seat(None)


def exact_rates(game: Game) -> tuple[list[Fraction], Fraction]:
    """Win rates by seat and draw rate of random play, by walking all positions."""
    rates = _rates(game.start())
    return list(rates[:-1]), rates[-1]


@cache
def _rates(position: Position) -> tuple[Fraction, ...]:
    outcome = position.outcome
    players = position.game.players
    if outcome is not None:
        shares = [Fraction(p in outcome.winners) for p in range(1, players + 1)]
        return (*shares, Fraction(outcome.draw))
    moves = position.legal_moves
    children = [_rates(position.play(cell)) for cell in moves]
    return tuple(sum(column, Fraction(0)) / len(moves) for column in zip(*children, strict=True))


def assert_close(batch: Batch, wins: list[Fraction], draws: Fraction) -> None:
    for count, rate in [*zip(batch.wins, wins, strict=True), (batch.draws, draws)]:
        p = float(rate)
        assert abs(count / batch.games - p) <= 5 * sqrt(p * (1 - p) / batch.games) + 1e-12


@pytest.mark.more
def test_the_known_rates_of_three_squared() -> None:
    wins, draws = exact_rates(Game("3^2"))
    assert wins == [Fraction(737, 1260), Fraction(121, 420)]
    assert draws == Fraction(8, 63)
    assert_close(random_play(Game("3^2"), 1_000_000, seed=3), wins, draws)


@pytest.mark.parametrize(
    "spec",
    [
        "3^2:misere",
        "3^2:gravity",
        "3^2:gravity=1,misere",
        pytest.param("3^2:players=3", marks=pytest.mark.more),
        pytest.param("3^2:players=3,misere", marks=pytest.mark.more),
        pytest.param("3^2:target=2", marks=pytest.mark.more),
        "3^2:target=2,misere,blocked=0",
        pytest.param("3^2:opening=poor", marks=pytest.mark.more),
        "3^2:opening=0x2",
        pytest.param("2^3:players=4", marks=pytest.mark.more),
        "3,3,2:gravity",
        "5{0+1+2/2+3/4}",
        "8,1,8",
    ],
)
def test_random_play_has_the_exact_rates(spec: str) -> None:
    game = Game(spec)
    assert_close(random_play(game, 40_000, seed=11), *exact_rates(game))


@pytest.mark.parametrize("spec", ["3^2", "3^3", "4^2:gravity", "3^2:players=5,misere", "7,6,4"])
def test_packed_counters_and_line_counters_agree(spec: str) -> None:
    game = Game(spec)
    assert _packed_tables(game) is not None
    packed = random_play(game, 50_000, seed=1)
    slow = _with_line_counters(game, 50_000)
    for a, b in zip([*packed.wins, packed.draws], [*slow.wins, slow.draws], strict=True):
        assert abs(a - b) <= 5 * sqrt(a + b + 1)


def _with_line_counters(game: Game, count: int) -> Batch:
    from hyperoxo.kernels.playout import random_games
    from hyperoxo.solvers.arrays import tables_of

    results = np.zeros(2 * game.players + 1, dtype=np.int64)
    lengths = np.zeros(game.cells + 1, dtype=np.int64)
    random_games(tables_of(game), count, np.uint64(5), 0, results, lengths)
    losses = results[game.players : -1]
    return Batch(results[: game.players] + losses.sum() - losses, int(results[-1]), lengths)


def test_lengths_are_counted() -> None:
    batch = random_play(Game("3^2"), 10_000, seed=1)
    assert batch.lengths[:5].sum() == 0
    assert batch.lengths.sum() == batch.wins.sum() + batch.draws == 10_000


def test_tally_counts_every_code() -> None:
    assert _tally(np.array([1, 2, 2, -1, -2, 99]), 2).tolist() == [1, 2, 1, 1, 1]


def test_seats_must_fit_the_players() -> None:
    with pytest.raises(SpecError, match="has 2 players, not 1"):
        play_batch(Game("3^2"), [RANDOM], 10)


def test_boards_of_many_cells_and_few_lines() -> None:
    """Packed counters number cells by 16 bits; larger boards must not use them."""
    game = Game("40000{39998+39999}:players=8")
    assert _packed_tables(game) is None
    assert _packed_tables(Game("30000{29998+29999}")) is not None
    batch = random_play(Game("40000{39998+39999}"), 3, seed=1)
    assert batch.games == 3
    assert (np.flatnonzero(batch.lengths) <= 40000).all()


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
