"""Playing games number `first` to `last` of a seating, in whichever process that is.

Compiled games come in chunks with a random stream each, other games have a generator each, so
that a range of games is the same however the work is cut. A range that begins within a chunk is
what the longer piece of the chunk gives, less the shorter.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from hyperoxo.agents import Agent, agent
from hyperoxo.agents.base import Seat
from hyperoxo.errors import AgentError
from hyperoxo.lab.compiled import ChunkPlayer, chunk_player
from hyperoxo.lab.games.seating import OwnSeating, Seating
from hyperoxo.lab.games.tally import Tally
from hyperoxo.rules import Game

__all__ = ["chunk_of", "chunk_size", "is_compiled", "play_range"]

_STEPS = 50_000_000
_MOST = 4096

Player = Callable[[int, int, int], Tally]

# Agents may keep something between moves, so in one process one game is played at a time.
_PYTHON = threading.Lock()

_warm: set[tuple[str, str]] = set()


def chunk_size(game: Game) -> int:
    """Games of one random stream: a power of two, fewer on larger boards."""
    touched = int((game.board.line_sizes.astype(np.int64) ** 2).sum())
    steps = (game.cells**2 + 2 * touched) * game.players
    wanted = max(1, min(_MOST, _STEPS // max(steps, 1)))
    return 1 << (wanted.bit_length() - 1)


def is_compiled(seating: Seating) -> bool:
    """Whether all games of a seating run in compiled loops."""
    if isinstance(seating, OwnSeating):
        return True
    return _seats(seating) is not None


def chunk_of(seating: Seating) -> int:
    """Return of what ranges of games of a seating had better begin and end at multiples."""
    if isinstance(seating, OwnSeating):
        return seating.chunk
    return chunk_size(_game(seating.game)) if is_compiled(seating) else 1


def play_range(seating: Seating, first: int, last: int) -> Tally:
    """Play games `first` to `last` - 1 of a seating."""
    if isinstance(seating, OwnSeating):
        return seating.play(first, last)
    player = _player(seating) if seating.players is None else _make_player(seating)
    return player(seating.seed, first, last)


# Between processes games and agents are text; within one, each text is read once.
_game = lru_cache(maxsize=16)(Game)


@lru_cache(maxsize=256)
def _seat(game: str, spec: str) -> Seat | None:
    """How an agent plays in compiled loops; None where it does not."""
    return agent(spec).seat(_game(game))


def _seats(seating: Seating) -> list[Seat] | None:
    game = seating.game
    if seating.players is None:
        found = [_seat(game, spec) for spec in seating.agents]
    else:
        found = [player.seat(_game(game)) for player in seating.players]
    compiled = [seat for seat in found if seat is not None]
    return compiled if len(compiled) == len(found) else None


def _player(seating: Seating) -> Player:
    return _kept_player(Seating(seating.game, seating.agents, 0, seating.scoring))


@lru_cache(maxsize=32)
def _kept_player(seating: Seating) -> Player:
    return _make_player(seating)


def _make_player(seating: Seating) -> Player:
    game = _game(seating.game)
    seats = _seats(seating)
    report = seating.scoring == "report"
    if seats is not None:
        chunks = chunk_player(game, seats, last_cell_draws=report)
        chunks(0, 0, 1)  # compiles, so that the clock measures play alone
        return _compiled_player(game, chunks)
    # Players keep something between moves, so each seat has one of its own.
    players = seating.players or tuple(agent(spec) for spec in seating.agents)
    _warm_up(game, players)
    return _plain_player(game, players, last_cell_draws=report)


def _warm_up(game: Game, players: Sequence[Agent]) -> None:
    for player in players:
        kind = (str(game), player.name)
        if kind not in _warm:
            player.choose(game.start(), np.random.default_rng(0))
            _warm.add(kind)


def _compiled_player(game: Game, chunks: ChunkPlayer) -> Player:
    size = chunk_size(game)

    def play(seed: int, first: int, last: int) -> Tally:
        begin = time.perf_counter()
        results = np.zeros(2 * game.players + 1, dtype=np.int64)
        lengths = np.zeros(game.cells + 1, dtype=np.int64)
        for number in range(first // size, -(-last // size)):
            start = number * size
            pieces = [(1, min(last, start + size) - start)]
            if first > start:
                pieces.append((-1, first - start))
            for sign, games in pieces:
                part = chunks(seed, number, games)
                results += sign * part[0]
                lengths += sign * part[1]
        losses = results[game.players : 2 * game.players]
        wins = results[: game.players] + losses.sum() - losses
        return Tally(
            last - first,
            tuple(int(won) for won in wins),
            int(results[-1]),
            int(lengths @ np.arange(len(lengths))),
            time.perf_counter() - begin,
        )

    return play


def _plain_player(game: Game, players: Sequence[Agent], *, last_cell_draws: bool) -> Player:
    def play(seed: int, first: int, last: int) -> Tally:
        with _PYTHON:
            return counted(seed, first, last)

    def counted(seed: int, first: int, last: int) -> Tally:
        begin = time.perf_counter()
        wins = [0] * game.players
        draws = plies = 0
        for number in range(first, last):
            winners, length = _one_game(game, players, np.random.default_rng([seed, number]))
            if last_cell_draws and length == game.cells:
                winners = ()
            for winner in winners:
                wins[winner - 1] += 1
            draws += not winners
            plies += length
        return Tally(last - first, tuple(wins), draws, plies, time.perf_counter() - begin)

    return play


def _one_game(
    game: Game, seated: Sequence[Agent], rng: np.random.Generator
) -> tuple[tuple[int, ...], int]:
    position = game.start()
    while (outcome := position.outcome) is None:
        player = seated[position.to_move - 1]
        move = player.choose(position, rng)
        if move not in position.legal_moves:
            raise AgentError(f"{player.spec} chose {move!r}, which is not a legal move")
        position = position.play(move)
    return outcome.winners, position.ply
