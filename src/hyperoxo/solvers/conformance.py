"""Conformance test of any game: all parts of the program play it by the same rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from hyperoxo.display import Result
from hyperoxo.errors import CheckFailedError, HyperoxoError, LimitError, NotSupportedError
from hyperoxo.game import Game, Position, Value, outcome_of
from hyperoxo.kernels import state
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.notation import FORMATS, Record, read, write
from hyperoxo.solvers.arrays import state_of, tables_of
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.exact.perft import perft
from hyperoxo.solvers.states.enumerate import enumerate_states
from hyperoxo.solvers.states.layers import VALUES
from hyperoxo.solvers.states.tables import lookup
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.solvers.values import solve

__all__ = ["GameCheck", "check_game"]

_FREE = 6
"""Free cells at which values are computed by brute force."""

_PLIES = 3


@dataclass
class GameCheck(Result):
    """Result of `check_game`: checks passed, and parts that do not support the game.

    Attributes
    ----------
    game : Game
        The game.
    positions : int
        Positions in which compiled play agreed with the reference.
    checked : tuple of str
        Names of the checks that the game passed.
    refused : dict of str to str
        Checks, or notations, that do not support the game, with their message.
    """

    game: Game
    positions: int = 0
    checked: tuple[str, ...] = ()
    refused: dict[str, str] = field(default_factory=dict)


def check_game(game: Game | str, *, games: int = 5, seed: int = 0) -> GameCheck:
    """Check that all parts of the program play a game by the same rules.

    Random games are played by the readable reference, `Position`, and compared with

    - compiled play, move by move, and taken back again;
    - their images under random symmetries of the game;
    - every notation, written and read again;
    - theorems, exact search, `solve` and tables of values, against brute force over positions near
      the end of each game; and counts of move sequences and of positions near its start.

    Checks that do not support the game count as passed, and are listed.

    Parameters
    ----------
    game : Game or str
        Any game; up to a few hundred cells it takes seconds.
    games : int
        Number of games played.
    seed : int
        Seed of their moves.

    Returns
    -------
    GameCheck
        What was checked, and what does not support the game.

    Raises
    ------
    CheckFailedError
        At the first disagreement; the message says where.

    Examples
    --------
    >>> found = check_game("3^2:convention=maker-breaker,bias=1+2")
    >>> found.checked
    ('spelling', 'compiled play', 'symmetry', 'notations', 'counts', 'values', 'theorems')
    >>> found.refused["table of values"]
    'a table of values is not supported for 3^2:convention=maker-breaker,bias=1+2: it needs ...'
    """
    game = Game(game) if isinstance(game, str) else game
    found = GameCheck(game)
    rng = np.random.default_rng(seed)
    again = Game(str(game))
    if again != game or again.traits != game.traits:
        raise CheckFailedError(f"{game} is not the game that its spelling names")
    played = [_random_game(game, rng) for _ in range(games)]
    checks: dict[str, Callable[[Position], None]] = {
        "compiled play": lambda final: _check_compiled(final, found),
        "symmetry": lambda final: _check_images(final, rng, found),
        "notations": lambda final: _check_notations(final, rng, found),
        "counts": lambda final: _check_counts(final.undo(len(final.history)), found),
        "values": lambda final: _check_values(_near_end(final), found),
        "theorems": lambda final: _check_theorems(_near_end(final)),
    }
    passed = ["spelling"]
    for name, check in checks.items():
        for final in played[: 1 if name == "counts" else None]:
            check(final)
        passed.append(name)
    found.checked = tuple(passed)
    return found


def _random_game(game: Game, rng: np.random.Generator) -> Position:
    position = game.start()
    while not position.is_over:
        position = position.play(int(rng.choice(position.legal_moves)))
    return position


def _near_end(final: Position) -> Position:
    """Go back until a few cells are free."""
    back = _FREE - (final.game.cells - final.ply)
    return final.undo(min(len(final.history), max(0, back)))


def _fail(position: Position, what: str) -> None:
    raise CheckFailedError(
        f"{position.game} after {','.join(map(str, position.history)) or '-'}: {what}"
    )


def _attempt(found: GameCheck, name: str, work: Callable[[], object]) -> object:
    """Call a part that may not support the game; None if it refuses."""
    try:
        return work()
    except NotSupportedError as refusal:
        found.refused[name] = str(refusal)
        return None


def _check_compiled(final: Position, found: GameCheck) -> None:
    """Play a game in compiled code, and take it back."""
    game = final.game
    position = game.start()
    t, s = tables_of(game), state_of(position)
    moves = np.empty(max(1, game.cells), np.int32)

    def compare(position: Position) -> None:
        owners = [0 if owner == 255 else owner for owner in position.owners]
        count = 0 if position.is_over else int(state.legal_moves(t, s, moves))
        same = (
            s[t[state.S_OWNER] : t[state.S_COUNT]].tolist() == owners
            and tuple(s[t[state.S_OWNED] : t[state.S_LEGAL]].tolist()) == position.lines_owned
            and outcome_of(int(s[state.RESULT]), game.players) == position.outcome
            and tuple(sorted(moves[:count].tolist())) == position.legal_moves
        )
        if not same:
            _fail(position, "compiled play differs from the reference")
        found.positions += 1

    trail = [position]
    compare(position)
    for cell in final.history:
        state.play(t, s, cell)
        trail.append(trail[-1].play(cell))
        compare(trail[-1])
    for position in trail[-2::-1]:
        state.undo(t, s)
        compare(position)


def _check_images(final: Position, rng: np.random.Generator, found: GameCheck) -> None:
    """Play the image of a game under a symmetry that keeps the opening."""
    game = final.game
    try:
        group = game.symmetry.permutations()
    except LimitError as refusal:
        found.refused["symmetry"] = str(refusal)
        return
    # Symmetries of the board need not keep the opening; then play the identity.
    opening = game.opening or frozenset()
    image = group[int(rng.integers(len(group)))].tolist()
    if {image[cell] for cell in opening} != opening:
        image = list(range(game.board.cell_count))
    here, there = game.start(), game.start()
    for cell in final.history:
        if tuple(sorted(image[move] for move in here.legal_moves)) != there.legal_moves:
            _fail(here, "a symmetry does not keep the legal moves")
        here, there = here.play(cell), there.play(image[cell])
    if (here.outcome, here.lines_owned) != (there.outcome, there.lines_owned):
        _fail(here, "a symmetry does not keep the result")


def _check_notations(final: Position, rng: np.random.Generator, found: GameCheck) -> None:
    """Write a game, whole and cut short, in every notation, and read it again."""
    cut = final.undo(int(rng.integers(len(final.history) + 1)))
    for position in (final, cut):
        for text in (position.text, f"moves:{','.join(map(str, position.history))}"):
            again = position.game.position(text)
            if again != position or again.outcome != position.outcome:
                _fail(position, f"{text!r} is read as another position")
        record = Record.of(position)
        for name in FORMATS:
            try:
                text = write([record], name)
            except HyperoxoError as refusal:
                found.refused[name] = str(refusal)
                continue
            (back,) = read(text, name)
            same = back.game == record.game and back.position == record.position
            if not same or back.position.outcome != position.outcome:
                _fail(position, f"the notation {name} does not give the game back")


def _check_counts(start: Position, found: GameCheck) -> None:
    """Count sequences and positions of the first plies."""
    game = start.game
    # Layers of different positions by owners, each with the number of move sequences that lead to
    # it: perft counts the sequences, enumeration the positions.
    layers = [{start.owners: (start, 1)}]
    while len(layers) <= _PLIES and len(layers[-1]) * game.cells <= 20_000:
        layer: dict[bytes, tuple[Position, int]] = {}
        for position, ways in layers[-1].values():
            for cell in position.legal_moves:
                after = position.play(cell)
                layer[after.owners] = (after, ways + layer.get(after.owners, (after, 0))[1])
        if not layer:
            break
        layers.append(layer)
    plies = len(layers) - 1
    sequences = tuple(sum(ways for _, ways in layer.values()) for layer in layers)
    if perft(start, plies).sequences_by_ply[: plies + 1] != sequences:
        _fail(start, f"perft does not count {sequences} sequences")
    listed = _attempt(
        found,
        "list of positions",
        lambda: enumerate_states(game, symmetry=False, max_plies=plies).positions_by_ply,
    )
    if listed is not None and listed != tuple(map(len, layers)):
        _fail(start, f"there are {tuple(map(len, layers))} positions by ply, not {listed}")


def _brute(position: Position, seat: int, known: dict[bytes, int]) -> int:
    """Value of a seat against all others: 1000 less the last ply for a win, or the negative."""
    outcome = position.outcome
    if outcome is not None:
        worth = 1000 - position.ply
        return 0 if outcome.draw else worth if seat in outcome.winners else -worth
    if position.owners not in known:
        values = [_brute(position.play(cell), seat, known) for cell in position.legal_moves]
        known[position.owners] = max(values) if position.to_move == seat else min(values)
    return known[position.owners]


def _check_values(position: Position, found: GameCheck) -> None:
    """Compare the value of a position near the end, and of its moves, with brute force."""
    if position.is_over or position.game.cells - position.ply > _FREE:
        return
    game, mover = position.game, position.to_move

    # Brute force and exact search encode distances by different constants: 1000 and WIN, less the
    # ply of the end.
    def exactly(seat: int) -> float:
        return ExactSearch(game).value(position, seat)

    least = Value.least(game.players)
    for seat in range(1, game.players + 1):
        worth = _brute(position, seat, {})
        exact = _attempt(found, "exact search", partial(exactly, seat))
        if isinstance(exact, float) and exact:
            exact = np.copysign(1000 - (WIN - abs(exact)), exact)
        if exact is not None and exact != worth:
            _fail(position, f"exact search gives player {seat} {exact}, and brute force {worth}")
    known: dict[bytes, int] = {}
    value = Value.of(_brute(position, mover, known), least=least)
    solved = _attempt(found, "solving", lambda: solve(position, seconds=None, value_only=True))
    if solved is not None and solved.value != value:  # type: ignore[attr-defined]
        _fail(position, f"solving gives {solved.value}, not {value}")  # type: ignore[attr-defined]
    if not VALUES.accepts(game):
        _attempt(found, "table of values", lambda: VALUES.check(game))
    elif (entry := lookup(position)) is not None and entry[0] != value:
        _fail(position, f"the table of values has {entry[0]}, not {value}")


def _check_theorems(position: Position) -> None:
    """Compare the bounds by theorems near the end with brute force."""
    while not position.is_over and position.game.cells - position.ply <= _FREE:
        bounds = bounds_by_theorems(position)
        worth = _brute(position, position.to_move, {})
        value = Value.of(worth, least=Value.least(position.game.players))
        if not bounds.low <= value <= bounds.high:
            _fail(position, f"theorems say {bounds.pair}, and brute force says {value}")
        position = position.play(position.legal_moves[0])
