"""Small two-player games for proof search, as they are and spread over wide boards."""

from __future__ import annotations

import random

from hypothesis import assume
from hypothesis import strategies as st

from hyperoxo.game import Game, Position
from tests.strategies import hypergraph_specs, mnk_specs, play_at_random

HEADS = ("3^2", "4^2", "2^3", "3,3,3", "4,3,3", "4,4,3", "5,2,3")


@st.composite
def strong_specs(draw: st.DrawFn) -> str:
    """Two players, one line to win; often with blocked cells and a restricted opening."""
    head = draw(st.one_of(st.sampled_from(HEADS), hypergraph_specs(), mnk_specs(4)))
    cells = st.integers(0, Game(head).board.cell_count - 1)
    blocked = draw(st.frozensets(cells, max_size=3)) if draw(st.booleans()) else frozenset()
    opening = draw(st.frozensets(cells, min_size=1, max_size=4)) if draw(st.booleans()) else None
    options = []
    if blocked and len(blocked) < Game(head).board.cell_count:
        options.append("blocked=" + "+".join(map(str, sorted(blocked))))
    else:
        blocked = frozenset()
    if opening and not opening <= blocked:
        names = "+".join(map(str, sorted(opening - blocked)))
        options.append(f"opening={names}x{draw(st.integers(1, 3))}")
    return head + (":" + ",".join(options) if options else "")


def spread(game: Game, cells: int, rng: random.Random) -> Game:
    """Put a game on some cells of a board of `cells` cells, and block all others."""
    board = game.board
    places = sorted(rng.sample(range(cells), board.cell_count))
    lines = [[places[cell] for cell in board.line(line)] for line in range(board.line_count)]
    blocked = [cell for cell in range(cells) if cell not in places]
    blocked += [places[cell] for cell in game.blocked]
    options = ["blocked=" + "+".join(map(str, sorted(blocked)))]
    if game.opening is not None:
        names = "+".join(str(places[cell]) for cell in sorted(game.opening))
        options.append(f"opening={names}x{game.opening_moves}")
    rows = "/".join("+".join(map(str, line)) for line in lines)
    return Game(f"{cells}{{{rows}}}:{','.join(options)}")


def some_position(game: Game, rng: random.Random, *, most_free: int) -> Position:
    """Return a position after random moves, not over unless the game is, with few cells free."""
    while True:
        start = game.start()
        wanted = rng.randint(0, len(start.legal_moves))
        plies = max(wanted, start.owners.count(0) - most_free)
        position = play_at_random(start, rng, plies, running=True)
        if position.owners.count(0) <= most_free or position.is_over:
            return position


def running_position(game: Game, rng: random.Random, *, most_free: int) -> Position:
    """Return such a position for an example of Hypothesis, from which play goes on."""
    position = some_position(game, rng, most_free=most_free)
    assume(not position.is_over)
    return position
