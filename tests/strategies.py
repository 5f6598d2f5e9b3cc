"""Hypothesis strategies that every room's tests share: games, positions, records, broken texts."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st

from hyperoxo.errors import HyperoxoError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.notation import Record

HYPERCUBES = ("1^1", "2^1", "3^1", "5^1", "2^2", "3^2", "4^2", "2^3", "3^3", "2^4", "1^3")


@st.composite
def mnk_specs(draw: st.DrawFn, longest: int = 5) -> str:
    columns, rows = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    return f"{columns},{rows},{draw(st.integers(1, longest))}"


@st.composite
def hypergraph_specs(draw: st.DrawFn, most_cells: int = 9) -> str:
    cells = draw(st.integers(1, most_cells))
    line = st.frozensets(st.integers(0, cells - 1), min_size=1, max_size=4)
    lines = draw(st.sets(line, max_size=8))
    rows = sorted("+".join(map(str, sorted(line))) for line in lines)
    return f"{cells}{{{'/'.join(rows)}}}"


@st.composite
def _new_rules(draw: st.DrawFn, players: int) -> list[str]:
    """Draw a convention, a bias, who starts and the first turn, as options."""
    options = []
    conventions = st.sampled_from(["", "maker-breaker", "avoider-enforcer"])
    if players == 2 and (convention := draw(conventions)):
        options.append(f"convention={convention}")
    bias = draw(st.lists(st.integers(1, 3), min_size=players, max_size=players))
    first = draw(st.integers(1, players)) if draw(st.booleans()) else 1
    if draw(st.booleans()):
        options.append("bias=" + "+".join(map(str, bias)))
        if draw(st.booleans()):
            options.append(f"first-turn={draw(st.integers(1, bias[first - 1]))}")
    return [*options, f"first={first}"]


@st.composite
def game_specs(
    draw: st.DrawFn,
    *,
    hypercubes: tuple[str, ...] = HYPERCUBES,
    others: bool = True,
    most_players: int = 8,
    new_rules: bool = False,
) -> str:
    """Draw a spec of a small game over all boards and options, spelled in any order.

    Conventions, biases, another player to start and exact rows are among them with `new_rules`.
    """
    kinds: list[st.SearchStrategy[str]] = [st.sampled_from(hypercubes)]
    if others:
        kinds += [mnk_specs(), hypergraph_specs()]
    head = draw(st.one_of(kinds))
    board = Game(head).board
    players = draw(st.integers(2, most_players)) if draw(st.booleans()) else 2
    options: list[str] = draw(_new_rules(players)) if new_rules else []
    if players != 2 or draw(st.booleans()):
        options.append(f"players={players}")
    wrapped: list[int] = []
    if board.side is not None and others and draw(st.booleans()):
        options.append(f"connect={draw(st.integers(1, board.side))}")
    if board.shape is not None and others and draw(st.integers(0, 3)) == 3:
        axes = list(range(len(board.shape)))
        wrapped = sorted(draw(st.sets(st.sampled_from(axes), min_size=1)))
        options.append(
            "wrap" if len(wrapped) == len(axes) else "wrap=" + "+".join(map(str, wrapped))
        )
    single = 1 in board.line_sizes or "connect=1" in options
    if new_rules and board.shape is not None and not wrapped and not single and draw(st.booleans()):
        options.append("exact")
    if draw(st.booleans()):
        options.append(f"target={draw(st.integers(1, 4))}")
    if not any("convention" in option for option in options) and draw(st.booleans()):
        options.append("misere")
    floors = [axis for axis in range(len(board.shape or ())) if axis not in wrapped]
    if len(floors) > 0 and draw(st.booleans()):
        axis = draw(st.sampled_from(floors))
        options.append(f"gravity={axis}" if axis or draw(st.booleans()) else "gravity")
    cell = st.integers(0, board.cell_count - 1)
    most = min(3, board.cell_count - 1)
    blocked = draw(st.frozensets(cell, max_size=most)) if most and draw(st.booleans()) else None
    if blocked:
        options.append("blocked=" + "+".join(map(str, blocked)))
    options = draw(st.permutations(options))
    plain = f"{head}:{','.join(options)}" if options else head
    if not draw(st.booleans()):
        return plain
    playable = [cell for cell in range(board.cell_count) if cell not in (blocked or ())]
    some = st.sets(st.sampled_from(playable), min_size=1, max_size=3)
    listed = some.map(lambda cells: "+".join(map(str, cells)))
    opening = draw(st.one_of(st.just("poor"), st.just("rich"), listed))
    opening += draw(st.sampled_from(["", "x1", "x2", "x3"]))
    spec = f"{plain}{',' if options else ':'}opening={opening}"
    try:
        Game(spec)
    except SpecError:  # gravity keeps the first stone out of every opening cell
        return plain
    return spec


def games(
    *,
    hypercubes: tuple[str, ...] = HYPERCUBES,
    others: bool = True,
    most_players: int = 8,
    new_rules: bool = False,
) -> st.SearchStrategy[Game]:
    """Draw a small game."""
    specs = game_specs(
        hypercubes=hypercubes, others=others, most_players=most_players, new_rules=new_rules
    )
    return specs.map(Game)


def play_at_random(
    position: Position,
    chance: int | random.Random | np.random.Generator,
    plies: int | None = None,
    *,
    running: bool = False,
) -> Position:
    """Play random moves, so many or to the end; with `running`, up to one that ends the game."""
    rng = random.Random(chance) if isinstance(chance, int) else chance
    for _ in range(position.game.cells if plies is None else plies):
        if position.is_over:
            break
        following = position.play(int(rng.choice(position.legal_moves)))
        if running and following.is_over:
            break
        position = following
    return position


@st.composite
def positions(
    draw: st.DrawFn, game: st.SearchStrategy[Game] | None = None, *, finished: bool = False
) -> Position:
    """Draw a legal position, reached by random play; its history is known."""
    chosen = draw(games() if game is None else game)
    plies = chosen.cells if finished else draw(st.integers(0, chosen.cells))
    return play_at_random(chosen.start(), draw(st.integers(0, 2**32)), plies)


def running_positions(
    game: st.SearchStrategy[Game] | None = None,
) -> st.SearchStrategy[Position]:
    """Draw a position from which play goes on."""
    return positions(game).filter(lambda position: not position.is_over)


CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(
    st.one_of(st.sampled_from('ab"\\[]{}()\n\t;:.1*='), CHARACTERS),
    max_size=12,
)


@st.composite
def records(
    draw: st.DrawFn, game: st.SearchStrategy[Game] | None = None, *, setups: bool = True
) -> Record:
    """Draw a record with any of its fields filled."""
    position = draw(positions(game))
    players = position.game.players
    seed = draw(st.integers(0, 2**32))
    if setups and draw(st.booleans()):
        position = Position.from_owners(position.game, position.owners)
        position = play_at_random(position, seed, draw(st.integers(0, 5)))
    names = st.lists(TEXTS, min_size=players, max_size=players)
    icons = st.lists(TEXTS, min_size=players, max_size=players + 2)
    resigned = result = None
    if not position.is_over:
        resigned = draw(st.none() | st.integers(1, players))
        result = None if resigned else draw(st.sampled_from([None, "=", "1", str(players)]))
    tag = st.from_regex(r"[A-Z][a-z]{2,6}_[0-9]", fullmatch=True)
    plies = st.integers(0, len(position.history))
    return Record.of(
        position,
        players=draw(st.just([]) | names),
        icons=draw(st.just([]) | icons),
        free_icon=draw(st.none() | TEXTS),
        result=result,
        resigned=resigned,
        tags=draw(st.dictionaries(tag, TEXTS, max_size=2)),
        comments=draw(st.dictionaries(plies, TEXTS, max_size=3)),
    )


def only_our_errors(read: Callable[[str], object], text: str) -> HyperoxoError | None:
    """Read a text; whatever is raised must be one of our errors, one short line long."""
    try:
        read(text)
    except HyperoxoError as error:
        message = str(error)
        assert message == " ".join(message.splitlines()), message
        assert len(message) < 600, message
        return error
    return None
