"""Spoilt proofs of every kind, of random small games, and a second judge for what is accepted.

A spoilt file has its hash, and as a rule its counts, put right, so that only the checker can tell.
What it accepts must be true by brute force.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hyperoxo.errors import HyperoxoError, LimitError
from hyperoxo.game import Game
from hyperoxo.proof import (
    KINDS,
    Dictionary,
    Mirroring,
    Pairing,
    Prevention,
    Strategy,
    ZonePlan,
    verify,
)
from hyperoxo.proof.dictionary import Sequences
from hyperoxo.proof.dictionary_check import pack
from hyperoxo.proof.endgames import EndgameStrategy
from hyperoxo.proof.envelope import text_creator
from hyperoxo.proof.registry import proof_text
from hyperoxo.solvers.draws.pairing import crowded_lines, pairs_of
from hyperoxo.task import Task
from hyperoxo_research.draws.classify import classify
from hyperoxo_research.draws.filling import least_weights
from hyperoxo_research.draws.key_plan_search import find_key_plan
from hyperoxo_research.draws.no_draw import draw_or_none
from hyperoxo_research.proof.filling import Filling
from hyperoxo_research.proof.filling_cases import FillingCases
from hyperoxo_research.proof.full_board import DrawnBoard
from hyperoxo_research.proof.no_draw import NoDraw
from hyperoxo_research.proof.no_pairing import NoPairing
from hyperoxo_research.proof.region import RegionProof, region_text
from hyperoxo_research.proof.table_bound import TableBound, bound_text, read_bound
from tests.hyperoxo.proof import brute, test_coalition, test_zones
from tests.hyperoxo.proof.dictionaries import BOARDS, WIN, dictionaries
from tests.hyperoxo.proof.judges import JUDGES
from tests.hyperoxo.proof.small_games import small_game, some_position, won_dictionaries
from tests.hyperoxo.proof.test_answers import MIRRORED, reverse
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_research.proof.split_fillings import random_triples, some_cases
from tests.hyperoxo_research.proof.test_table_bound import losses
from tests.judge import forced
from tests.oracle import random_spec

FANO = "7{0+1+2/0+3+4/0+5+6/1+3+5/1+4+6/2+3+6/2+4+5}"
CROWDED = NoPairing("3^2", ((0, 1, 2), (0, 3, 6), (0, 4, 8), (2, 4, 6), (2, 5, 8)))

MOST_CELLS = 9
"""Cells of the largest game of which everything is tried."""

_LEAVES = Path(__file__).parents[2] / "truth" / "leaves"
_SMALL_BOARDS = tuple(spec for spec in BOARDS if Game(spec).cells <= MOST_CELLS)


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


def _endgames(rng: random.Random) -> EndgameStrategy | None:
    game, seat, claim = _game(rng, two=True), rng.randint(1, 2), rng.choice(("draw", "win"))
    return brute.endgames(str(game), seat, claim, rng.randint(0, 4))


def _prevention(rng: random.Random) -> Prevention | None:
    game = _game(rng)
    seat, claim = rng.randint(1, game.players), rng.choice(("no-win", "no-draw"))
    if forced(game.start(), seat) > test_coalition.LEVELS[claim]:
        return None
    return test_coalition.prevention(str(game), seat, claim)


def _dictionary(rng: random.Random) -> Dictionary | None:
    found = list(won_dictionaries(small_game(rng), rng))
    if rng.random() < 0.2:
        found = list(dictionaries(rng.choice(_SMALL_BOARDS)))
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
    keys = rng.choice(((0,), (0, 1)))
    return find_key_plan(Game(f"{game}{ending}"), keys=keys, by_lines=rng.random() < 0.4)


def _no_pairing(rng: random.Random) -> NoPairing | None:
    if rng.random() < 0.2:
        return rng.choice((CROWDED, NoPairing("3^2", axes=2)))
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


def _region_of_three() -> RegionProof:
    second = brute.strategy("3^2", 2, "draw")
    assert second is not None
    parts = second, CROWDED, DrawnBoard("3^2", "112221112")
    return RegionProof("3^2", (4,), tuple(proof_text(part) for part in parts))


def _region(rng: random.Random) -> RegionProof | None:
    if rng.random() < 0.3:
        return _region_of_three()
    found = classify(small_game(rng, cells=(4, 6), opening=False), seconds=None)
    data = found.proof_text()
    return KINDS[data.partition(b"\n")[0]].file.read_proof(data) if found.regions else None


MAKERS: Mapping[str, Callable[[random.Random], Any]] = {
    "strategy": _strategy,
    "endgames": _endgames,
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

_OTHERS = ("3^2", "3{0+1/0+2}", "4{0+1/2+3}", "3^2:target=2", "3^2:convention=maker-breaker", FANO)
_MISERE = (
    "3^2:misere,gravity", "3^2:misere,target=2", "3^2:misere,opening=4", "3^2",
    "2^2:misere,blocked=0+3", "2^3", "2^3:misere,opening=0x2", "3^2:misere,opening=0+8x3",
)  # fmt: skip
_COUNT = re.compile(r"([a-z]+) (\d+)")


def raw_mutants(text: bytes) -> Iterator[bytes]:
    """Every file that differs by one byte: changed, dropped or added."""
    for at in range(len(text) + 1):
        if at < len(text):
            yield text[:at] + text[at + 1 :]
        for byte in range(256):
            yield text[:at] + bytes([byte]) + text[at:]
            yield text[:at] + bytes([byte]) + text[at + 1 :]


def damaged(text: bytes, rng: random.Random) -> bytes:
    """Flip, drop or add a few bytes, cut the file, double it, or move a piece of it."""
    at, piece = rng.randrange(len(text)), rng.randbytes(rng.randint(0, 8))
    end = min(len(text), at + rng.randint(0, 9))
    return rng.choice(
        (
            text[:at] + piece + text[end:],
            text[:at] + piece + text[at + len(piece) :],
            text[:at],
            text[:at] + text[end:] + text[at:end],
            text[:end] + text[at:],
            text + text,
        )
    )


def _spoil_moves(found: Any, rng: random.Random, claims: tuple[str, str]) -> Any:
    """Change, drop or add the move of a position, or change the claim, the seat or the start."""
    moves = dict(found.moves)
    do = rng.choices(range(6), (6, 2, 2, 1, 1, 1))[0]
    if do == 3:
        return replace(found, claim=rng.choice(claims))
    if do == 4:
        return replace(found, seat=found.seat % found.game.players + 1)
    if do == 5:
        return replace(found, begins=some_position(found.game, rng))
    key = rng.choice(sorted(moves)) if moves else some_position(found.game, rng).owners
    if do == 0:
        moves[key] = rng.randrange(len(key))
    elif do == 1:
        moves.pop(key, None)
    else:
        at = rng.randrange(len(key))
        owner = key[at] if key[at] == 255 else rng.randint(0, found.game.players)
        moves.setdefault(key[:at] + bytes([owner]) + key[at + 1 :], rng.randrange(len(key)))
    return replace(found, moves=moves)


def _spoil_value(found: Any, rng: random.Random) -> bytes:
    """Change what is meant, in the way of its kind."""
    if isinstance(found, Strategy):
        return proof_text(_spoil_moves(found, rng, ("win", "draw")))
    if isinstance(found, Prevention):
        return proof_text(_spoil_moves(found, rng, ("no-win", "no-draw")))
    if isinstance(found, Dictionary):
        return proof_text(_spoil_dictionary(found, rng))
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
    return _change_claim(found, rng)


def _spoil_dictionary(found: Dictionary, rng: random.Random) -> Dictionary:
    moves, blocks, leaves = dict(found.moves), dict(found.blocks), found.leaves
    keys = sorted({*moves, *blocks})
    key = rng.choice(keys) if keys else b""
    do = rng.choices(range(5), (5, 3, 1, 2, 5))[0]
    if do == 0 and keys:
        listed = moves if key in moves else blocks
        listed[key] = rng.randrange(len(key))
    elif do == 1:
        moves.pop(key, None)
        blocks.pop(key, None)
        if leaves is not None and rng.random() < 0.7:
            leaves = {form: sequences for form, sequences in leaves.items() if form != key}
    elif do == 2:
        found = replace(found, seat=3 - found.seat)
    elif do == 3:
        begins = some_position(found.game, rng, 5)
        if found.begins is not None and rng.random() < 0.5:
            begins = found.begins.undo(rng.randint(0, len(found.begins.history)))
        found = replace(found, begins=begins)
    elif leaves and (known := sorted(form for form, sequences in leaves.items() if sequences)):
        form, cell = rng.choice(known), rng.randrange(found.game.board.cell_count)
        leaves = {**leaves, form: _spoil_sequences(leaves[form], cell, rng)}
    return replace(found, moves=moves, leaves=leaves, blocks=blocks)


def _spoil_sequences(found: Sequences, cell: int, rng: random.Random) -> Sequences:
    """Cut, prolong or alter a forced sequence, drop one, double one, or change their order."""
    sequences, at = list(found), rng.randrange(len(found))
    here, place = found[at], rng.randrange(len(found[at]))
    changed = here[:-1], (*here, cell), (*here[:place], cell, *here[place + 1 :])
    do = rng.randrange(6)
    if do < len(changed):
        sequences[at] = changed[do] or here
    elif do == 3:
        del sequences[at]
    elif do == 4:
        sequences.insert(rng.randint(0, len(found)), here)
    else:
        rng.shuffle(sequences)
    return tuple(sequences)


def _change_claim(found: Any, rng: random.Random) -> bytes:
    """Claim the same of another game, seat or region, or more of the same."""
    changes: list[dict[str, Any]] = []
    spec = rng.choice(_OTHERS)
    changes.append({"game": spec if isinstance(found.game, str) else Game(spec)})
    if hasattr(found, "seat"):
        changes.append({"seat": 3 - found.seat})
    if isinstance(found, ZonePlan):
        changes.append({"claim": "win" if found.claim == "draw" else "draw"})
    if isinstance(found, RegionProof):
        changes += [{"regions": (region,)} for region in range(1, 6)]
        changes.append(
            {"parts": tuple(rng.sample(found.parts, rng.randint(0, min(2, len(found.parts)))))}
        )
    return proof_text(replace(found, **rng.choice(changes)))


def _spoil_rows(text: bytes, rng: random.Random) -> bytes:
    """Leave out, repeat, exchange or change lines of a file; put its last count and hash right."""
    lines = text.decode("ascii").split("\n")[:-1]
    counts = [
        at
        for at, line in enumerate(lines)
        if (found := _COUNT.fullmatch(line)) and int(found[2]) == len(lines) - at - 1
    ]
    head = counts[0] if counts else None
    first = 2 if head is None or head + 1 == len(lines) or rng.random() < 0.15 else head + 1
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at, other = (rng.randrange(first, len(lines)) for _ in range(2))
        do = rng.randrange(6)
        if do == 0 and at != head and len(lines) > first + 1:
            del lines[at]
        elif do == 1:
            lines.insert(at, lines[other])
        elif do == 2:
            lines[at], lines[other] = lines[other], lines[at]
        elif do in (3, 4) and (numbers := list(re.finditer(r"\d+", lines[at]))):
            one = rng.choice(numbers)
            number = max(0, int(one[0]) + rng.choice((-1, 1)))
            lines[at] = f"{lines[at][: one.start()]}{number}{lines[at][one.end() :]}"
        else:
            place = rng.randrange(len(lines[at]) + 1)
            sign = rng.choice(".120345678:+,-*/ #x")
            lines[at] = lines[at][:place] + sign + lines[at][place + rng.randint(0, 1) :]
    if head is not None and head < len(lines) and (found := _COUNT.fullmatch(lines[head])):
        lines[head] = f"{found[1]} {len(lines) - head - 1}"
    return rehash("".join(f"{line}\n" for line in lines).encode("ascii"))


def _spoil_file(found: Any, rng: random.Random) -> bytes:
    """Spoil rows of a proof; of a region most often those of one of its parts."""
    if isinstance(found, RegionProof) and rng.random() < 0.8:
        parts = list(found.parts)
        at = rng.randrange(len(parts))
        parts[at] = _spoil_rows(parts[at], rng)
        return region_text(replace(found, parts=tuple(parts)))
    return _spoil_rows(proof_text(found), rng)


def _spoil_bytes(found: Any, rng: random.Random) -> bytes:
    """Change a byte of what the hash is of, or cut off some rows."""
    text = proof_text(found, creator="a test")
    if rng.random() < 0.1:
        rows = text.split(b"\n")[:-1]
        return rehash(b"\n".join(rows[: rng.randint(3, len(rows))]) + b"\n")
    at = rng.randrange(text.index(b"\ngame ") + 1, len(text))
    piece = bytes([rng.choice(b".123#\n 0456789:ax-/,+")])
    return rehash(text[:at] + piece + text[at + rng.randint(0, 1) :])


def spoilt(found: Any, rng: random.Random) -> bytes | None:
    """Return the proof, spoilt in one of many ways; None where that makes no file."""
    way = rng.choices((_spoil_value, _spoil_file, _spoil_bytes), (4, 4, 2))[0]
    try:
        return way(found, rng)
    except (HyperoxoError, UnicodeError):
        return None


# Judging.


def _no_loss(found: Pairing | Mirroring) -> bool:
    return forced(found.position, found.seat) >= 0


def _won(found: Dictionary) -> bool:
    return forced(found.position, found.seat) == WIN


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
    Prevention: test_coalition.true_of,
    Dictionary: _won,
    TableBound: _no_table_loses_less,
}


def is_true(found: Any) -> bool | None:
    """True if what a proof claims is true by brute force; None where the game is too large."""
    try:
        game = Game(str(found.game))
    except LimitError:
        return None
    if game.board.cell_count > MOST_CELLS and not isinstance(found, DrawnBoard | NoPairing):
        return None
    judge = JUDGES.get(type(found)) or _MORE[type(found)]
    return judge(found)


def fate(kind: str, seed: str, rng: random.Random) -> tuple[str, bytes]:
    """Spoil a proof once: what became of it, and the file.

    The fates in `FALSE` must never come up; ``"same"`` is the file as it was.
    """
    found = proof_of(kind, seed)
    mutant = spoilt(found, rng)
    if mutant is None:
        return "no file", b""
    if mutant in (proof_text(found), proof_text(found, creator="a test")):
        return "same", mutant
    if not verify(mutant).proved:
        return "rejected", mutant
    read = KINDS[mutant.partition(b"\n")[0]].file.read_proof(mutant)
    _, _, rest = mutant.partition(b"\ncreator ")
    creator = rest.partition(b"\n")[0].decode()
    if proof_text(read, creator=text_creator(creator)) != mutant:
        return "another spelling", mutant
    return {True: "true", False: "false", None: "too large"}[is_true(read)], mutant


FALSE = ("false", "too large", "another spelling")
"""Fates of which a single one shows that the reader or the checker is wrong."""
