"""Answers against a second judge, one numbered case after another: what `tools/soundness.py` runs.

A case of a part is the same for the same seed and number, whatever was run before.
"""

from __future__ import annotations

import multiprocessing
import random
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import pytest

import hyperoxo as ox
from hyperoxo.errors import LimitError, NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.kernels import state as k
from hyperoxo.proof import verify
from hyperoxo.solvers.arrays import state_of, symmetries_of, tables_of
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.exact.perft import perft
from hyperoxo.solvers.states import enumerate as counting
from tests.hyperoxo.kernels.test_state import assert_same
from tests.hyperoxo.proof.mutations import FALSE, MAKERS, fate
from tests.hyperoxo.solvers.test_all_ways import TWO_PLAYERS, WAYS, some_positions
from tests.oracle import Oracle, random_spec

ROOT = Path(__file__).parents[1]

MUTANTS_OF_ONE = 100
"""Spoilt copies of one proof, before another is made."""

GAMES_OF_ONE = 20
"""Games by the same rules, before others are drawn: to read rules takes as long as ten games."""

_WORKERS = (2, 3)


class FalseAnswerError(Exception):
    """An answer is false; with the file, if there is one."""

    def __init__(self, what: str, file: bytes = b"") -> None:
        super().__init__(what)
        self.file = file


@dataclass(frozen=True)
class Part:
    """A kind of answers, and how one case of it is tried."""

    about: str
    case: Callable[[int, int], Counter[str]]
    """By seed and number: how often what came out; a false answer raises."""
    cases: int | None = None
    """How many there are, where they have an end."""
    draws: bool = False
    """True if each case is of a game drawn from all options."""


def _spoilt_proof(kind: str, seed: int, number: int) -> Counter[str]:
    rng = random.Random(f"{kind} {seed} {number}")
    found, file = fate(kind, f"{seed} {number // MUTANTS_OF_ONE}", rng)
    if found in FALSE:
        raise FalseAnswerError(f"what a spoilt proof claims is accepted and {found}", file)
    return Counter({found: 1})


def _game(rng: random.Random, most_cells: int, *, two_players: bool = False) -> Game:
    while True:
        try:
            return Game(random_spec(rng, most_cells, two_players=two_players))
        except SpecError:
            continue


def _values(way: Callable[[Game, list[Position]], None], seed: int, number: int) -> Counter[str]:
    rng = random.Random(f"{way.__name__} {seed} {number}")
    game = _game(rng, WAYS[way][1], two_players=way in TWO_PLAYERS)
    positions = some_positions(game, rng)
    try:
        way(game, positions)
    except NotSupportedError:
        return Counter({"not supported": 1})
    except AssertionError as error:
        where = ", ".join(position.owners.hex() for position in positions)
        raise FalseAnswerError(f"{game}, one of the positions {where}: {error}") from error
    return Counter({"agree": 1})


def _rules(seed: int, number: int) -> Counter[str]:
    """Play random games by the compiled rules, the readable ones and the oracle, and undo them."""
    rng = random.Random(f"rules {seed} {number}")
    game = _game(rng, 16)
    oracle = Oracle(str(game))
    return Counter({"positions": sum(_played(game, oracle, rng) for _ in range(GAMES_OF_ONE))})


def _played(game: Game, oracle: Oracle, rng: random.Random) -> int:
    """Play one game; return the number of its positions."""
    oracle.clear()
    position = game.start()
    tables, state = tables_of(game), state_of(position)
    trail = [position]
    try:
        while True:
            assert_same(tables, state, position)
            over = oracle.result()
            assert (over is None) == (not position.is_over)
            if over is not None:
                assert position.outcome is not None
                assert frozenset(position.outcome.winners) == over[0]
                break
            assert oracle.legal() == {*position.legal_moves}
            assert oracle.mover() == position.to_move
            cell = rng.choice(position.legal_moves)
            position = position.play(cell)
            k.play(tables, state, cell)
            oracle.play(cell)
            trail.append(position)
        for before in reversed(trail[:-1]):
            k.undo(tables, state)
            assert_same(tables, state, before)
    except AssertionError as error:
        raise FalseAnswerError(f"{game} after {position.owners.hex()}: {error}") from error
    return len(trail)


def _symmetry(seed: int, number: int) -> Counter[str]:
    """Compare a position with its images: moves, result and the value of every seat."""
    rng = random.Random(f"symmetry {seed} {number}")
    game = _game(rng, 8)
    search, compared = ExactSearch(game), 0
    try:
        rows = symmetries_of(game).tolist()
    except LimitError:
        return Counter({"too many symmetries": 1})
    for position in some_positions(game, rng):
        for row in rng.sample(rows, min(3, len(rows))):
            owners = np.empty(len(row), np.uint8)
            owners[row] = np.frombuffer(position.owners, np.uint8)
            image = Position.from_owners(game, owners.tobytes())
            same = (
                image.is_over == position.is_over
                and {*image.legal_moves} == {row[cell] for cell in position.legal_moves}
                and all(
                    search.value(image, seat) == search.value(position, seat)
                    for seat in range(1, game.players + 1)
                )
            )
            if not same:
                what = f"{game}: {position.owners.hex()} and its image {image.owners.hex()}"
                raise FalseAnswerError(f"{what} differ")
            compared += 1
    return Counter({"images": compared})


Crew = ProcessPoolExecutor | None


@lru_cache
def _crew(workers: int) -> ProcessPoolExecutor:
    """Return this number of processes, kept from case to case: to start them takes longer."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


def _counts(game: Game, crew: Crew) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_LEAST", 5)  # else only large games are shared out
        found = counting.enumerate_states(game, executor=crew)
    return found.positions_by_ply, found.classes_by_ply, found.finals, found.games


def _sequences(game: Game, crew: Crew) -> object:
    return perft(game.start(), 6, executor=crew)


def _matches(game: Game, crew: Crew, agent: str, games: int, seed: int) -> object:
    agents = [agent, *["random"] * (game.players - 1)]
    found = ox.match(game, agents, games=games, seed=seed, executor=crew)
    return found.wins, found.draws


def _workers(seed: int, number: int) -> Counter[str]:
    """Share the same work out among several workers, and compare with what one finds."""
    rng, made = random.Random(f"workers {seed} {number}"), Counter[str]()
    game = _game(rng, 9)
    ways: dict[str, Callable[[Game, Crew], object]] = {
        "counts": _counts,
        "sequences": _sequences,
        "matches": partial(_matches, agent="greedy", games=2_000, seed=number),
        "slow matches": partial(_matches, agent="minimax:depth=1", games=40, seed=number),
    }
    for what, way in ways.items():
        try:
            alone = way(game, None)
        except NotSupportedError:
            continue
        for workers in _WORKERS:
            if (shared := way(game, _crew(workers))) != alone:
                raise FalseAnswerError(f"{game}: {alone} alone, {shared} by {workers} workers")
        made[what] += 1
    return made


@lru_cache
def committed() -> tuple[Path, ...]:
    """Return the proofs that are kept in the repository."""
    folders = ROOT / "src", ROOT / "tests"
    return tuple(sorted(file for folder in folders for file in folder.rglob("*.oxo")))


def _verdict(_seed: int, number: int) -> Counter[str]:
    file = committed()[number]
    verdict = verify(file.read_bytes())
    if not verdict.proved:
        raise FalseAnswerError(f"{file.relative_to(ROOT)} is not proved: {verdict.reason}")
    return Counter({"proved": 1})


PARTS: Mapping[str, Part] = {
    "verdicts": Part("every proof in the repository", _verdict, len(committed())),
    "rules": Part("compiled rules against readable ones and the oracle", _rules, draws=True),
    "symmetry": Part("images of a position have its value", _symmetry, draws=True),
    "workers": Part("the same results for any number of workers", _workers),
    **{
        f"values:{way.__name__.removeprefix('by_').replace('_', '-')}": Part(
            "values against the trying of every move", partial(_values, way), draws=True
        )
        for way in WAYS
    },
    **{
        f"proofs:{kind}": Part("what spoilt proofs make the checker accept is true", case)
        for kind, case in ((kind, partial(_spoilt_proof, kind)) for kind in MAKERS)
    },
}
