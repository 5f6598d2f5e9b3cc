"""Reproducible games of a seating, played and tallied range by range.

A seating (agents by seat, game, seed) determines a row of games. Compiled games come in chunks
with a random stream each, other games have a generator each: game number k is the same on every
machine, with any number of workers, however the ranges are cut.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from hyperoxo.agents import Agent, Seat, agent
from hyperoxo.agents.games import play_out, random_opening
from hyperoxo.agents.spec import file_stamps, is_spelled
from hyperoxo.errors import SpecError, quoted
from hyperoxo.game import CLASSIC, Game, Requires
from hyperoxo.intervals import wilson_interval
from hyperoxo.jit import working_time
from hyperoxo.lab.compiled import ChunkPlayer, chunk_player, chunk_size, play_chunks
from hyperoxo.run_options import SCORINGS


@dataclass(frozen=True)
class Tally:
    """The results of some games; tallies of different games are added."""

    games: int
    wins: tuple[int, ...]
    draws: int
    plies: int
    seconds: float = 0.0

    @staticmethod
    def none(players: int) -> Tally:
        """Return the tally of no games."""
        return Tally(0, (0,) * players, 0, 0)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            tuple(a + b for a, b in zip(self.wins, other.wins, strict=True)),
            self.draws + other.draws,
            self.plies + other.plies,
            self.seconds + other.seconds,
        )

    @property
    def interval(self) -> tuple[tuple[float, float], ...]:
        """95 % Wilson interval of each seat's win rate."""
        return tuple(wilson_interval(won, self.games) for won in self.wins)

    def losses(self, seat: int) -> int:
        """Games that seat `seat` (from 1) neither won nor drew."""
        return self.games - self.draws - self.wins[seat - 1]

    def score(self, seat: int) -> float:
        """Share of the points of seat `seat` (from 1), a draw counting half; 0 without games."""
        return (self.wins[seat - 1] + self.draws / 2) / max(self.games, 1)


def check_amount(games: int, seed: int) -> None:
    """Refuse a run of no games, or with a negative seed."""
    if games < 1:
        raise SpecError(f"the number of games must be at least 1, not {games}")
    if seed < 0:
        raise SpecError(f"a seed must be at least 0, not {seed}")


@dataclass(frozen=True)
class Entrant:
    """A participating agent, and whether its spec describes it completely."""

    spec: str
    agent: Agent = field(compare=False)
    spelled: bool = True


def entrants(named: Sequence[Agent | str], game: Game) -> list[Entrant]:
    """Make entrants from agents and specs; check that they can play."""
    if isinstance(named, str) or not isinstance(named, Sequence):
        raise SpecError(f"agents are a list, as in ['expert', 'random'], not {quoted(named)}")
    made = [one if isinstance(one, Agent) else agent(one) for one in named]
    for one in made:
        one.check(game)
    spelled = (isinstance(given, str) or is_spelled(given) for given in named)
    return [Entrant(one.spec, one, whole) for one, whole in zip(made, spelled, strict=True)]


@dataclass(frozen=True)
class Seating:
    """Agents on the seats of a game, and the seed of the games they play there.

    The first `random_plies` of each game are drawn at random by a separate seed, the same
    wherever the agents sit.
    """

    game: str
    agents: tuple[str, ...]
    seed: int
    scoring: str = "rules"
    random_plies: int = 0
    opening_seed: int = 0
    players: tuple[Agent, ...] | None = field(default=None, compare=False)
    # Of the files that its agents are read from: each version is read once in a process.
    stamps: tuple[object, ...] = ()


class OwnSeating(Seating):
    """A seating with its own compiled loop instead of agents."""

    @property
    def chunk(self) -> int:
        """Preferred alignment of ranges, in games."""
        raise NotImplementedError

    def play(self, first: int, last: int) -> Tally:
        """Play games `first` to `last` - 1, the same wherever the range is cut."""
        raise NotImplementedError


def seating_of(
    game: Game,
    seated: Sequence[Entrant],
    seed: int,
    copy: int = 0,
    scoring: str = "rules",
    random_plies: int = 0,
) -> Seating:
    """Seat entrants; their seed is derived from the seed of the run, game, agents and `copy`."""
    if len(seated) != game.players:
        raise SpecError(f"{game} takes {game.players} agents, not {len(seated)}")
    if scoring not in SCORINGS:
        raise SpecError(f"scoring must be {' or '.join(SCORINGS)}, not {quoted(scoring)}")
    if scoring == "report":
        _REPORT.check(game)
    specs = tuple(entrant.spec for entrant in seated)
    spelled = all(entrant.spelled for entrant in seated)
    return Seating(
        str(game),
        specs,
        derived_seed(seed, str(game), *specs, str(copy)),
        scoring,
        random_plies,
        derived_seed(seed, str(game), "opening", str(random_plies)) if random_plies else 0,
        None if spelled else tuple(entrant.agent for entrant in seated),
        tuple(map(file_stamps, specs)),
    )


def derived_seed(seed: int, *words: str) -> int:
    """Derive a 64-bit seed from a seed and words for its purpose."""
    # SHA-256, and not `hash`, which Python salts anew in each process.
    text = "\n".join([str(seed), *words])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


_REPORT = Requires("scoring as in the report", CLASSIC)

Player = Callable[[int, int, int], Tally]

# Agents may have state between moves, so each process plays one of their games at a time.
_PYTHON = threading.Lock()

_warm: set[tuple[str, str]] = set()


def is_compiled(seating: Seating) -> bool:
    """Return True if all games of a seating run in compiled loops."""
    return isinstance(seating, OwnSeating) or _seats(seating) is not None


def chunk_of(seating: Seating) -> int:
    """Return the preferred alignment of ranges of a seating, in games."""
    if isinstance(seating, OwnSeating):
        return seating.chunk
    return chunk_size(_game(seating.game)) if is_compiled(seating) else 1


def play_range(seating: Seating, first: int, last: int) -> Tally:
    """Play games `first` to `last` - 1 of a seating."""
    if isinstance(seating, OwnSeating):
        return seating.play(first, last)
    # Players are kept by all but the seed: rotations and points of a sweep share compiled loops.
    own = seating.players is not None
    player = _make_player(seating) if own else _kept_player(replace(seating, seed=0))
    return player(seating.seed, first, last)


# Between processes games and agents are text; within one, each text is read once.
_game = lru_cache(maxsize=16)(Game)


@lru_cache(maxsize=256)
def _seat(game: str, spec: str, _: tuple[object, ...]) -> Seat | None:
    """Return the compiled form of an agent whose files have these stamps, or None."""
    return agent(spec).seat(_game(game))


def _seats(seating: Seating) -> list[Seat] | None:
    # Random openings are played by the loop of scored games, which knows classic rules alone.
    if seating.random_plies and not _game(seating.game).traits <= CLASSIC:
        return None
    if seating.players is None:
        found = [_seat(seating.game, spec, seating.stamps) for spec in seating.agents]
    else:
        found = [player.seat(_game(seating.game)) for player in seating.players]
    compiled = [seat for seat in found if seat is not None]
    return compiled if len(compiled) == len(found) else None


def _make_player(seating: Seating) -> Player:
    game = _game(seating.game)
    seats = _seats(seating)
    report = seating.scoring == "report"
    if seats is not None:
        chunks = chunk_player(
            game,
            seats,
            last_cell_draws=report,
            random_plies=seating.random_plies,
            opening_seed=seating.opening_seed,
        )
        chunks(0, 0, 1)  # compiles, so that the clock measures play alone
        return _compiled_player(game, chunks)
    # Agents may have state between moves, so each seat has its own instance. Their first
    # move, which may compile, is made here, so that the clock measures play alone.
    players = seating.players or tuple(agent(spec) for spec in seating.agents)
    for player in players:
        kind = (str(game), player.name)
        if kind not in _warm:
            player.choose(game.start(), np.random.default_rng(0))
            _warm.add(kind)
    return _plain_player(game, players, seating)


_kept_player = lru_cache(maxsize=32)(_make_player)


def _compiled_player(game: Game, chunks: ChunkPlayer) -> Player:
    def play(seed: int, first: int, last: int) -> Tally:
        begin = working_time()
        batch = play_chunks(game, chunks, seed, first, last)
        seconds = working_time() - begin
        return Tally(last - first, tuple(batch.wins.tolist()), batch.draws, batch.plies, seconds)

    return play


def _plain_player(game: Game, players: Sequence[Agent], seating: Seating) -> Player:
    last_cell_draws = seating.scoring == "report"

    def play(seed: int, first: int, last: int) -> Tally:
        with _PYTHON:
            begin = working_time()
            wins = [0] * game.players
            draws = plies = 0
            for number in range(first, last):
                rng = np.random.default_rng([seed, number])
                # Its seed names no agents: game k of every rotation has the same opening.
                start = random_opening(game, seating.random_plies, [seating.opening_seed, number])
                winners, length = play_out(start, players, rng)
                if last_cell_draws and length == game.cells:
                    winners = ()
                for winner in winners:
                    wins[winner - 1] += 1
                draws += not winners
                plies += length
            return Tally(last - first, tuple(wins), draws, plies, working_time() - begin)

    return play
