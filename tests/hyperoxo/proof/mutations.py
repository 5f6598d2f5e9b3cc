"""Spoilt proofs of every kind, of random small games, and a second judge for what is accepted.

A spoilt file has its hash, and as a rule its counts, put right, so that only the checker can tell.
What it accepts must be true by brute force.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hyperoxo.errors import HyperoxoError, LimitError
from hyperoxo.game import Game
from hyperoxo.proof import KINDS, Mirroring, Pairing, Prevention, Strategy, verify
from hyperoxo.proof.dictionary_proof import DictionaryProof, pack
from hyperoxo.proof.kinds import proof_text
from hyperoxo.proof.no_draw import NoDraw
from hyperoxo.proof.no_pairing import NoPairing
from hyperoxo.solvers.draws.pairing import crowded_lines, pairs_of
from hyperoxo.task import Task
from hyperoxo_research.draws.breaker import breaker_plan
from hyperoxo_research.draws.classify import classify
from hyperoxo_research.draws.filling import least_weights
from hyperoxo_research.draws.no_draw import draw_or_none
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.filling_cases import FillingCases
from hyperoxo_research.proof.full_board import DrawnBoard
from hyperoxo_research.proof.region import RegionProof
from hyperoxo_research.proof.table_bound import TableBound, bound_text, read_bound
from tests.hyperoxo.proof import brute, test_coalition, test_zones
from tests.hyperoxo.proof.dictionaries import WIN, value
from tests.hyperoxo.proof.judges import JUDGES
from tests.hyperoxo.proof.small_games import small_game, some_position, won_dictionaries
from tests.hyperoxo.proof.spoiling import (
    CROWDED,
    FANO,
    MUTATIONS,
    WEIGHTS,
    change_claim,
    change_start,
    region_of_three,
    spoil_file,
    swap_seat,
)
from tests.hyperoxo.proof.test_answers import MIRRORED, reverse
from tests.hyperoxo_research.proof.split_fillings import random_triples, some_cases
from tests.hyperoxo_research.proof.test_table_bound import losses
from tests.oracle import random_spec

MOST_CELLS = 9
"""Cells of the largest game of which everything is tried."""

_LEAVES = Path(__file__).parents[2] / "truth" / "leaves"
_LEVELS = {"no-win": 0, "no-draw": -1}


# Proofs to be spoilt, of games drawn at random; a maker may find none.


def _game(rng: random.Random, most: int = 7, *, two: bool = False) -> Game:
    while True:
        try:
            return Game(random_spec(rng, most, two_players=two))
        except HyperoxoError:
            continue


def _strategy(rng: random.Random) -> Strategy | None:
    game = _game(rng)
    seat = rng.randint(1, game.players)
    return brute.strategy(str(game), seat, rng.choice(("draw", "win")))


def _prevention(rng: random.Random) -> Prevention | None:
    game = _game(rng)
    seat, claim = rng.randint(1, game.players), rng.choice(("no-win", "no-draw"))
    values = brute.table(str(game), seat)
    if values[game.start().owners] > _LEVELS[claim]:
        return None
    return test_coalition.prevention(str(game), seat, claim)


def _dictionary(rng: random.Random) -> DictionaryProof | None:
    found = list(won_dictionaries(small_game(rng), rng))
    return pack(rng.choice(found), stored=rng.random() < 0.5)[0] if found else None


def _pairing(rng: random.Random) -> Pairing | None:
    position = some_position(_game(rng, 8, two=True), rng)
    if position.is_over:
        return None
    seat = rng.randint(1, 2)
    pairs = pairs_of(position, seat)
    return None if pairs is None else Pairing(position.game, seat, pairs, position)


def _mirroring(rng: random.Random) -> Mirroring:
    spec, seat = rng.choice(MIRRORED)
    return Mirroring(Game(spec), seat, reverse(Game(spec)))


def _bound(rng: random.Random) -> TableBound:
    name = rng.choice(("every-tie", "by-ply", "lowest-cell"))
    return read_bound((_LEAVES / f"{name}.oxo").read_bytes())


def _zones(rng: random.Random) -> Any:
    game = small_game(rng, cells=(4, 7), opening=False)
    options = ["", "convention=maker-breaker", "convention=maker-breaker,bias=1+2"]
    options += ["convention=maker-breaker,bias=2+1", "convention=maker-breaker,first=2"]
    chosen = rng.choice(options)
    return test_zones.plan(f"{game}:{chosen}" if chosen else str(game))


def _breaker(rng: random.Random) -> Any:
    game = small_game(rng, cells=(5, 8), opening=False)
    ending = rng.choice(("", ":convention=maker-breaker"))
    return breaker_plan(Game(f"{game}{ending}"), keys=(0, 1))


def _no_pairing(rng: random.Random) -> NoPairing | None:
    if rng.random() < 0.2:
        return CROWDED
    game = small_game(rng, opening=False)
    found = crowded_lines(game.start(), 2)
    return None if found is None else NoPairing(str(game), tuple(map(tuple, found[0])))


def _no_draw(rng: random.Random) -> NoDraw | None:
    found = draw_or_none(small_game(rng, cells=(4, 7), opening=False), task=Task())
    return found if isinstance(found, NoDraw) else None


def _full_board(rng: random.Random) -> DrawnBoard | None:
    if rng.random() < 0.1:
        return DrawnBoard("4^3", "12112212222211121112", (3,))
    found = draw_or_none(small_game(rng, cells=(4, 8), opening=False), task=Task())
    return found if isinstance(found, DrawnBoard) else None


def _filling(rng: random.Random) -> Filling | None:
    spec = rng.choice((FANO, str(small_game(rng, cells=(4, 7), opening=False))))
    game = Game(spec)
    return Filling(game, tuple(sorted(least_weights(game.board).items())))


def _filling_cases(rng: random.Random) -> FillingCases | None:
    game = Game(board=random_triples(rng), target=rng.choice((1, 1, 2)))
    return some_cases(Game(str(game)), rng)


def _region(rng: random.Random) -> RegionProof | None:
    if rng.random() < 0.3:
        return region_of_three()
    found = classify(small_game(rng, cells=(4, 6), opening=False), seconds=None)
    data = found.proof_text()
    return KINDS[data.partition(b"\n")[0]].read(data) if found.regions else None


MAKERS: Mapping[str, Callable[[random.Random], Any]] = {
    "strategy": _strategy,
    "dictionary": _dictionary,
    "pairing": _pairing,
    "mirroring": _mirroring,
    "coalition": _prevention,
    "table-bound": _bound,
    "zones": _zones,
    "breaker": _breaker,
    "no-pairing": _no_pairing,
    "no-draw": _no_draw,
    "filling": _filling,
    "filling-cases": _filling_cases,
    "full-board": _full_board,
    "region": _region,
}
"""By the names of the kinds."""


@lru_cache(maxsize=16)
def proof_of(kind: str, seed: str) -> Any:
    """Return a proof of a kind that its checker accepts, the same one for the same seed."""
    rng = random.Random(f"{kind} {seed}")
    for _ in range(400):
        try:
            found = MAKERS[kind](rng)
        except HyperoxoError:
            continue
        if found is not None and verify(proof_text(found)).proved:
            return found
    raise AssertionError(f"no proof of the kind {kind} comes from the seed {seed}")


# Spoiling.


def _spoil_value(found: Any, rng: random.Random) -> bytes:
    """Change what is meant, in the way of its kind."""
    if isinstance(found, Strategy) and found.moves:
        change = rng.choices(MUTATIONS, WEIGHTS)[0]
        return proof_text(change(found, rng))
    if isinstance(found, Prevention) and found.moves:
        changes = (
            test_coalition.change_move, test_coalition.drop_entry, test_coalition.add_entry,
            test_coalition.strengthen_claim, swap_seat, change_start,
        )  # fmt: skip
        return proof_text(rng.choice(changes)(found, rng))
    if isinstance(found, DictionaryProof):
        spoilt_one: Any = _spoil_dictionary(found, rng)
        return proof_text(spoilt_one)
    if isinstance(found, Pairing):
        cells = list(range(found.game.board.cell_count))
        pairs = list(found.pairs)
        if pairs and rng.random() < 0.7:
            one, other = sorted(rng.sample(cells, 2))
            pairs[rng.randrange(len(pairs))] = one, other
        seat = rng.choice((1, 2))
        begins = rng.choice((found.begins, some_position(found.game, rng)))
        return proof_text(replace(found, pairs=tuple(sorted(pairs)), seat=seat, begins=begins))
    if isinstance(found, Mirroring):
        images = list(found.images)
        for _ in range(rng.randint(0, 2)):
            one, two = rng.sample(range(len(images)), 2)
            images[images[one]], images[images[two]] = images[two], images[one]
        spec = rng.choice(_MISERE)
        games = [game for game in (found.game, Game(spec)) if game.board.cell_count == len(images)]
        mutant = replace(found, game=rng.choice(games), images=tuple(images))
        return proof_text(replace(mutant, seat=rng.choice((1, 2))))
    if isinstance(found, TableBound):
        changed = rng.choice(
            ({"leaves": found.leaves + rng.choice((-1, 1, 2))}, {"seat": 3 - found.seat},
             {"lowest": not found.lowest}, {"by_ply": not found.by_ply})
        )  # fmt: skip
        return bound_text(replace(found, **changed))
    return change_claim(found, rng)


_MISERE = (
    "3^2:misere,gravity", "3^2:misere,target=2", "3^2:misere,opening=4", "3^2",
    "2^2:misere,blocked=0+3", "2^3", "2^3:misere,opening=0x2", "3^2:misere,opening=0+8x3",
)  # fmt: skip


def _spoil_dictionary(found: DictionaryProof, rng: random.Random) -> DictionaryProof:
    dictionary = found.dictionary
    moves = dict(dictionary.moves)
    do = rng.randrange(5)
    if do == 0 and moves:
        moves[rng.choice(sorted(moves))] = rng.randrange(dictionary.game.board.cell_count)
    elif do == 1 and moves:
        del moves[rng.choice(sorted(moves))]
    elif do == 2:
        return replace(found, dictionary=replace(dictionary, seat=3 - dictionary.seat))
    elif do == 3:
        begins = some_position(dictionary.game, rng)
        return replace(found, dictionary=replace(dictionary, begins=begins))
    elif found.leaves:
        leaves = dict(found.leaves)
        key = rng.choice(sorted(leaves))
        sequences = [list(one) for one in leaves[key]]
        if sequences and rng.random() < 0.7 and (one := rng.choice(sequences)):
            one[rng.randrange(len(one))] = rng.randrange(dictionary.game.board.cell_count)
            leaves[key] = tuple(map(tuple, sequences))
        else:
            del leaves[key]
        return replace(found, leaves=leaves)
    return replace(found, dictionary=replace(dictionary, moves=moves))


def spoilt(found: Any, rng: random.Random) -> bytes | None:
    """Return the proof, spoilt in one of many ways; None where that makes no file."""
    try:
        if rng.random() < 0.4:
            return _spoil_value(found, rng)
        return spoil_file(found, rng)
    except (HyperoxoError, UnicodeError):
        return None


# Judging.


def _no_loss(found: Pairing | Mirroring) -> bool:
    return brute.table(str(found.game), found.seat)[found.position.owners] >= 0


def _prevented(found: Prevention) -> bool:
    values = brute.table(str(found.game), found.seat)
    return values[found.position.owners] <= _LEVELS[found.claim]


def _won(found: DictionaryProof) -> bool:
    return value(found.dictionary.position, found.dictionary.seat) == WIN


def _no_table_loses_less(found: TableBound) -> bool:
    return _fewest(str(found.game), found.seat, found.lowest, found.by_ply) >= found.leaves


@cache
def _fewest(spec: str, seat: int, lowest: bool, by_ply: bool) -> int:
    """Losing leaves of the best of some tables, by chance and by rounded chance."""
    rng, game = np.random.default_rng(1), Game(spec)
    asked = TableBound(game, seat, lowest=lowest, by_ply=by_ply, leaves=1, steps=())
    side = max(len(game.board.line(at)) for at in range(game.board.line_count))
    tables = rng.normal(size=(40, game.cells + 1, side + 1, side + 1))
    tables[::2] = tables[::2].round()
    return min(losses(game.start(), asked, table) for table in tables)


_MORE: Mapping[type, Callable[[Any], bool]] = {
    Pairing: _no_loss,
    Mirroring: _no_loss,
    Prevention: _prevented,
    DictionaryProof: _won,
    TableBound: _no_table_loses_less,
}


def is_true(found: Any) -> bool | None:
    """Whether what a proof claims is true by brute force; None where the game is too large."""
    game = found.dictionary.game if isinstance(found, DictionaryProof) else found.game
    try:
        game = Game(game) if isinstance(game, str) else game
    except LimitError:
        return None
    if game.board.cell_count > MOST_CELLS and not isinstance(found, DrawnBoard | NoPairing):
        return None
    judge = JUDGES.get(type(found)) or _MORE[type(found)]
    return judge(found)


def fate(kind: str, seed: str, rng: random.Random) -> tuple[str, bytes]:
    """Spoil a proof once: what became of it, and the file.

    ``"false"`` and ``"too large"`` must never come up; ``"same"`` is the file as it was.
    """
    found = proof_of(kind, seed)
    mutant = spoilt(found, rng)
    if mutant is None:
        return "no file", b""
    if mutant == proof_text(found):
        return "same", mutant
    if not verify(mutant).proved:
        return "rejected", mutant
    read = KINDS[mutant.partition(b"\n")[0]].read(mutant)
    return {True: "true", False: "false", None: "too large"}[is_true(read)], mutant
