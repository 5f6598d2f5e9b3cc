"""Conversion of games and positions to the flat arrays of the kernels."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import LimitError
from hyperoxo.game import ALL_RULES, CLASSIC, Game, Known, Position, Requires, Trait
from hyperoxo.heuristics import HeuristicTables
from hyperoxo.kernels.state import build_tables, load, new_state, play

COMPILED = Requires("compiled play", ALL_RULES)
"""Games that the kernels play, and so do all methods that leave the rules to them."""

FEW_SYMMETRIES, SYMMETRY_WORK = 1_000, 4_000
"""Limits of searches with images: order of the group, and stones times symmetries. Deeper down,
images cost more than they save."""

_PACKED = Requires(
    "packed line counters", {Trait.STRONG, Trait.MISERE, *Known.PLAYERS, *Known.PLACEMENTS}
)

_FIELDS_PER_WORD = 16
_LARGEST_FIELD = 7
_MOST_WORDS = 24

_NEVER = 2**31 - 1
"""A target that no number of lines reaches."""


def position_of(given: Game | Position | str) -> Position:
    """Return a position, or the start of a game, also by its spec."""
    if isinstance(given, Position):
        return given
    return (given if isinstance(given, Game) else Game(given)).start()


def above_of(game: Game) -> NDArray[np.int32]:
    """Return the cell that can be played once each cell is taken, int32 ``[N]``, or -1."""
    above = np.full(game.board.cell_count, -1, dtype=np.int32)
    if game.below is not None:
        resting = np.flatnonzero(game.below >= 0)
        above[game.below[resting]] = resting
    return above


@lru_cache(maxsize=32)
def tables_of(game: Game) -> NDArray[np.int32]:
    """Return the rule tables of a game."""
    COMPILED.check(game)
    board = game.board
    opening = np.zeros(board.cell_count, dtype=np.uint8)
    if game.opening is not None:
        opening[sorted(game.opening)] = 1
    numbers = (
        *(game.players, game.target, not game.convention.reaching_wins),
        *(game.opening_moves, game.cells),
    )
    movers = [game.turns.mover(ply) - 1 for ply in range(game.cells + 1)]
    convention = game.convention
    rules = (
        game.opening_plies,
        convention.maker_only,
        convention.full_board,
        game.traits <= CLASSIC | {Trait.EXACT_ROWS},
        game.exact,
    )
    tables: NDArray[np.int32] = build_tables(
        numbers,
        board.cell_ptr,
        board.cell_lines,
        board.line_ptr,
        board.line_cells,
        game.first_landing_cells,
        above_of(game),
        opening,
        np.array(movers, dtype=np.int32),
        board.beyond.ravel(),
        rules,
    )
    tables.flags.writeable = False
    return tables


@lru_cache(maxsize=32)
def symmetries_of(game: Game, most: int | None = None) -> NDArray[np.int32]:
    """Return the symmetries that keep the opening restriction too, int32 ``[G, N]``."""
    # With `most` only the identity, if there are more or the board is large. Never writeable:
    # kernels are compiled once for each kind of array.
    cells = np.arange(game.board.cell_count, dtype=np.int32)
    if most is not None and (game.cells > 256 or game.symmetry.order > most):
        rows = cells[None]
    else:
        rows = game.symmetry.permutations()
        if game.opening is not None:
            inside = np.isin(cells, sorted(game.opening))
            rows = rows[(inside[rows] == inside).all(axis=1)]
    rows = np.ascontiguousarray(rows)
    rows.flags.writeable = False
    return rows


@lru_cache(maxsize=32)
def zobrist_of(game: Game) -> NDArray[np.uint64]:
    """Return random numbers by player and cell, uint64 ``[q, N]``; a position is their XOR."""
    rng = np.random.default_rng(0x0E0)
    return rng.integers(0, 2**64, size=(game.players, game.board.cell_count), dtype=np.uint64)


def move_classes(position: Position) -> dict[int, int]:
    """Return for each legal move the least of its orbit under the stabiliser of the position."""
    game, moves = position.game, position.legal_moves
    # The stabiliser is the group of symmetries that keep this colouring of the cells.
    colours = np.frombuffer(position.owners, np.uint8).astype(np.int64)
    if game.opening is not None and position.ply < game.opening_plies:
        # Cells that the opening allows get separate colours.
        colours[sorted(game.opening)] += game.players + 1
    try:
        least = game.symmetry.representatives_of(colours)[list(moves)].tolist()
    except LimitError:
        least = moves
    return dict(zip(moves, least, strict=True))


def state_of(position: Position) -> NDArray[np.int32]:
    """Return the kernel state of a position."""
    tables = tables_of(position.game)
    state: NDArray[np.int32] = new_state(tables)
    if position.setup is not None:
        load(tables, state, np.frombuffer(position.setup, dtype=np.uint8))
    for cell in position.history:
        play(tables, state, cell)
    return state


def evaluation_arrays(
    position: Position, tables: HeuristicTables
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return tables and state of the structure that a heuristic weighs."""
    game = position.game
    if tables.structure == game.board:
        return tables_of(game), state_of(position)
    twin = Game(
        board=tables.structure,
        players=game.players,
        target=_NEVER,
        bias=game.bias,
        first=game.first,
        first_turn=game.first_turn,
    )
    t = tables_of(twin)
    s: NDArray[np.int32] = new_state(t)
    load(t, s, np.frombuffer(position.owners, dtype=np.uint8))
    return t, s


def wins_of(results: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """Return each player's wins, shared ones too, from games counted by the kernels' results."""
    losses = results[players : 2 * players]
    wins: NDArray[np.int64] = results[:players] + losses.sum() - losses
    return wins


@lru_cache(maxsize=16)
def packed_increments(game: Game) -> NDArray[np.uint64]:
    """Return the increments of packed line counters; no rows where these do not apply."""
    # uint64 ``[N + 1, W]``, 16 counters of four bits a word: row c adds a stone on cell c to its
    # lines, the last row has the starts. See `hyperoxo.kernels.packed`.
    board = game.board
    words = max(1, -(-board.line_count // _FIELDS_PER_WORD))
    longest = int(board.line_sizes.max(initial=0))
    if not _PACKED.accepts(game) or words > _MOST_WORDS or longest > _LARGEST_FIELD:
        return np.zeros((0, 1), dtype=np.uint64)
    # Counters begin at 8 - size, so that a full line sets the top bit of its field, and one mask
    # finds all completed lines of a word.
    increments = np.zeros((board.cell_count + 1, words), dtype=np.uint64)
    for line in range(board.line_count):
        word, place = divmod(line, _FIELDS_PER_WORD)
        increments[board.line(line), word] += np.uint64(1 << (4 * place))
        increments[-1, word] += np.uint64((8 - int(board.line_sizes[line])) << (4 * place))
    return increments
