from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import LimitError, NotSupportedError
from hyperoxo.game import Game, Position
from hyperoxo.proof.forced import forced_win, search_of, wins
from tests.hyperoxo.proof.dictionaries import WIN, completing, has_forced_win, threats, won_by
from tests.judge import forced
from tests.strategies import hypergraph_specs, play_at_random

BOARDS = ("3^2", "4,3,3", "4,4,3", "3^3", "4^2", "2^3", "5,3,3", "4^3", "3^3:blocked=0+5")
SMALL = ("3^2", "4,3,3", "2^3", "5,3,3:blocked=7", "3,3,2")


@st.composite
def open_positions(draw: st.DrawFn, boards: tuple[str, ...] = BOARDS) -> Position:
    kinds = st.one_of(st.sampled_from(boards), hypergraph_specs())
    game = Game(draw(kinds))
    return play_at_random(game.start(), draw(st.integers(0, 2**32)), draw(st.integers(0, 14)))


@pytest.mark.more
@given(open_positions())
def test_found_exactly_where_there_are_some(position: Position) -> None:
    if position.is_over:
        assert forced_win(position) is None
        return
    sequence = forced_win(position)
    assert (sequence is not None) == has_forced_win(position)
    if sequence is not None:
        assert won_by(position, sequence)
        assert wins(position, sequence)


@pytest.mark.more
@given(open_positions(SMALL), st.lists(st.integers(-1, 16), max_size=4), st.booleans())
def test_what_is_replayed_wins(position: Position, moves: list[int], found: bool) -> None:
    """Spoilt and random sequences hold exactly where the reference says so; then it is a win."""
    if position.is_over:
        return
    sequence = forced_win(position) if found else None
    tried = tuple(moves) if sequence is None else (*sequence, *moves[:1])
    held = wins(position, tried)
    assert held == won_by(position, tried)
    if held or sequence is not None:
        assert forced(position, position.to_move) == WIN


def threatening_moves(position: Position, rng: random.Random) -> tuple[int, ...]:
    """A sequence of moves, most of which threaten."""
    moves: list[int] = []
    while not position.is_over and len(moves) < 6:
        choices = sorted(threats(position, position.to_move))
        if not choices or rng.random() < 0.1:
            choices = list(position.legal_moves)
        moves.append(rng.choice(choices))
        position = position.play(moves[-1])
        if not position.is_over:
            must = completing(position, 3 - position.to_move)
            position = position.play(rng.choice(sorted(must) or list(position.legal_moves)))
    return tuple(moves)


@pytest.mark.more
def test_random_threats_hold_as_the_reference_says() -> None:
    rng = random.Random(1)
    held = 0
    for _ in range(800):
        game = Game(rng.choice(["3^3", "4,4,3", "4^3", "5,5,4"]))
        position = play_at_random(game.start(), rng.randrange(2**32), rng.randint(4, 20))
        if position.is_over:
            continue
        moves = threatening_moves(position, rng)
        assert wins(position, moves) == won_by(position, moves)
        held += wins(position, moves)
    assert held > 20


@pytest.mark.more
def test_one_search_serves_many_positions() -> None:
    rng = random.Random(2)
    game = Game("4^3")
    shared = search_of(game)
    found = 0
    for _ in range(400):
        position = play_at_random(game.start(), rng.randrange(2**32), 2 * rng.randint(5, 10))
        if position.is_over:
            continue
        sequence = forced_win(position, search_in=shared)
        assert (sequence is None) == (forced_win(position) is None)
        found += sequence is not None
    assert 100 < found < 390


@pytest.mark.more
@pytest.mark.parametrize(
    ("board", "least", "most"),
    [("3^4", 2, 9), ("5^3", 50, 80), ("6^3", 150, 190)],
)
def test_larger_boards(board: str, least: int, most: int) -> None:
    game = Game(board)
    rng = random.Random(3)
    found = 0
    for _ in range(100):
        position = play_at_random(game.start(), rng.randrange(2**32), rng.randint(least, most))
        if position.is_over:
            continue
        try:
            sequence = forced_win(position, nodes=60)
        except LimitError:
            continue
        if sequence is None:
            assert not has_forced_win(position)
        else:
            assert won_by(position, sequence)
            found += 1
    assert found > 20


def test_lines_between_cells_of_any_number() -> None:
    game = Game("1300{0+1+127/1+2+126/64+65+127/3+255+1299}")
    assert forced_win(game.position("moves:255,9,1299,10")) == (3,)
    position = game.position("moves:127,5,0,6")
    assert forced_win(position) == (1,)
    assert forced_win(game.position("moves:127,5,3,6")) is None
    assert forced_win(game.position("moves:127,5,64,6,4,7")) == (65,)


def test_what_is_no_sequence_of_moves_wins_nothing() -> None:
    game = Game("3^2")
    open_ = game.position("moves:0,3,1,4")
    assert wins(open_, (2,))
    for sequence in ((-1,), (9,), (2 + (1 << 16),), (2 - (1 << 16),), (1 << 40, 2), ()):
        assert not wins(open_, sequence)
    # Player 1 has won, though player 2 could complete a line as well.
    assert not wins(open_.play(2), (5,))


def test_limits_and_other_games() -> None:
    with pytest.raises(LimitError, match="1 positions do not tell"):
        forced_win(Game("4^3").position("moves:0,4,3,8,12,16"), nodes=1)
    for spec in ("3^2:misere", "3^2:gravity", "3^2:players=3", "3^2:target=2"):
        with pytest.raises(NotSupportedError, match="proving wins by threats is not supported"):
            forced_win(Game(spec).start())
    with pytest.raises(LimitError, match="at most 2,000 cells, unlike 13"):
        forced_win(Game("13^3").start())
