"""Proofs to be spoilt, and ways to spoil them.

A spoilt file has its hash, and as a rule its counts, put right, so that only the checker can tell.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from hyperoxo.game import Game
from hyperoxo.proof import Prevention, Strategy, ZonePlan
from hyperoxo.proof.kinds import proof_text
from hyperoxo.proof.no_pairing import NoPairing
from hyperoxo_research.proof.full_board import DrawnBoard
from hyperoxo_research.proof.region import RegionProof, region_text
from tests.hyperoxo.proof.brute import strategy
from tests.hyperoxo.proof.test_file import rehash

Spoilt = TypeVar("Spoilt", Strategy, Prevention)

FANO = "7{0+1+2/0+3+4/0+5+6/1+3+5/1+4+6/2+3+6/2+4+5}"
CROWDED = NoPairing("3^2", ((0, 1, 2), (0, 3, 6), (0, 4, 8), (2, 4, 6), (2, 5, 8)))
OTHERS = ("3^2", "3{0+1/0+2}", "4{0+1/2+3}", "3^2:target=2", "3^2:convention=maker-breaker", FANO)
_COUNT = re.compile(r"([a-z]+) (\d+)")


def raw_mutants(text: bytes) -> Iterator[bytes]:
    """Every file that differs by one byte: changed, dropped or added."""
    for at in range(len(text)):
        yield text[:at] + text[at + 1 :]
        for byte in range(256):
            if byte != text[at]:
                yield text[:at] + bytes([byte]) + text[at + 1 :]
    for at in range(len(text) + 1):
        for byte in range(256):
            yield text[:at] + bytes([byte]) + text[at:]


def region_of_three() -> RegionProof:
    second = strategy("3^2", 2, "draw")
    assert second is not None
    parts = second, CROWDED, DrawnBoard("3^2", "112221112")
    return RegionProof("3^2", (4,), tuple(proof_text(part) for part in parts))


def change_move(found: Strategy, rng: random.Random) -> Strategy:
    key = rng.choice(sorted(found.moves))
    return replace(found, moves={**found.moves, key: rng.randrange(len(key))})


def drop_entry(found: Strategy, rng: random.Random) -> Strategy:
    key = rng.choice(sorted(found.moves))
    return replace(found, moves={k: move for k, move in found.moves.items() if k != key})


def add_entry(found: Strategy, rng: random.Random) -> Strategy:
    key = bytearray(rng.choice(sorted(found.moves)))
    at = rng.randrange(len(key))
    if key[at] != 255:
        key[at] = rng.randint(0, found.game.players)
    return replace(found, moves={bytes(key): rng.randrange(len(key)), **found.moves})


def strengthen_claim(found: Strategy, rng: random.Random) -> Strategy:
    return replace(found, claim="win")


def swap_seat(found: Spoilt, rng: random.Random) -> Spoilt:
    return replace(found, seat=found.seat % found.game.players + 1)


def change_start(found: Spoilt, rng: random.Random) -> Spoilt:
    position = found.game.start()
    for _ in range(rng.randint(1, 3)):
        if not position.is_over:
            position = position.play(rng.choice(position.legal_moves))
    return replace(found, begins=position)


MUTATIONS = (change_move, drop_entry, add_entry, strengthen_claim, swap_seat, change_start)
WEIGHTS = (6, 2, 2, 1, 1, 1)


def change_claim(found: Any, rng: random.Random) -> bytes:
    """Claim the same of another game, seat or region, or more of the same."""
    changes: list[dict[str, Any]] = []
    spec = rng.choice(OTHERS)
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


def spoil_rows(text: bytes, rng: random.Random) -> bytes:
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


def spoil_file(found: Any, rng: random.Random) -> bytes:
    """Spoil rows of a proof; of a region most often those of one of its parts."""
    if isinstance(found, RegionProof) and rng.random() < 0.8:
        parts = list(found.parts)
        at = rng.randrange(len(parts))
        parts[at] = spoil_rows(parts[at], rng)
        return region_text(replace(found, parts=tuple(parts)))
    return spoil_rows(proof_text(found), rng)
