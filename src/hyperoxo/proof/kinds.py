"""The kinds of proofs: what each is in memory and in a file, and how it is checked.

A file's first line tells its kind. To add one, write a module with a value, a reader, a writer and
a checker, and put a line into `KINDS`:

- the reader turns the bytes of the whole file into the value, and raises an error of
  :mod:`hyperoxo.errors` where anything is not exactly as the writer would write it;
- the checker takes that value, and by name ``begin`` the time when the clock started, and where
  the kind is `long` also ``progress``, which `verify` explains; it returns a
  :class:`~hyperoxo.proof.claim.Verdict`, never raises for a proof that fails, and states which
  rules it holds for.

All must be code that a reader can follow, and import nothing that searches. Modules that are
slow to import are imported inside their functions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hyperoxo.errors import HyperoxoError
from hyperoxo.files import replace_file
from hyperoxo.proof import dictionary_file, dictionary_proof
from hyperoxo.proof.answers import (
    Mirroring,
    Pairing,
    answers_text,
    check_mirroring,
    check_pairing,
    read_mirroring,
    read_pairing,
)
from hyperoxo.proof.breaker import BreakerPlan, check_breaker, plan_text, read_plan
from hyperoxo.proof.claim import Verdict
from hyperoxo.proof.coalition import Prevention, check_prevention, prevention_text, read_prevention
from hyperoxo.proof.dictionary_proof import DictionaryProof
from hyperoxo.proof.envelope import read_bytes
from hyperoxo.proof.filling import Filling, check_filling, filling_text, read_filling
from hyperoxo.proof.filling_cases import (
    FillingCases,
    check_filling_cases,
    filling_cases_text,
    read_filling_cases,
)
from hyperoxo.proof.full_board import (
    DrawnBoard,
    check_full_board,
    full_board_text,
    read_full_board,
)
from hyperoxo.proof.no_draw import NoDraw, check_no_draw, no_draw_text, read_no_draw
from hyperoxo.proof.no_pairing import (
    NoPairing,
    check_no_pairing,
    no_pairing_text,
    read_no_pairing,
)
from hyperoxo.proof.region import RegionProof, check_region, read_region, region_text
from hyperoxo.proof.strategy import Strategy, check, read_strategy, strategy_text
from hyperoxo.proof.table_bound import TableBound, bound_text, check_bound, read_bound
from hyperoxo.proof.zones import ZonePlan, check_zones, read_zones, zones_text

Proof = Strategy | Prevention | Pairing | Mirroring | TableBound | BreakerPlan | ZonePlan
"""What proves something of a player."""

BoardProof = NoPairing | NoDraw | Filling | FillingCases | DrawnBoard | RegionProof
"""What proves something of a board."""


class Kind(NamedTuple):
    """One kind of proof: its value, reader, checker and writer, and what it is a number of."""

    value: type
    read: Callable[[bytes], Any]
    check: Callable[..., Verdict]
    text: Callable[..., bytes]
    size: Callable[[Any], tuple[int, str, str]]
    moves: bool = True
    """Whether it says what somebody plays, or how the game goes on; else it is about a board."""
    long: bool = False
    """Whether the check may take long, and tells how far it is."""


KINDS: Mapping[bytes, Kind] = MappingProxyType(
    {
        b"hyperoxo-strategy 1": Kind(
            Strategy,
            lambda data: read_strategy(data).strategy,
            check,
            strategy_text,
            lambda found: (len(found.moves), "stored move", "stored moves"),
        ),
        b"hyperoxo-dictionary 1": Kind(
            DictionaryProof,
            lambda data: dictionary_file.read_proof(data).proof,
            dictionary_proof.check_proof,
            dictionary_file.proof_text,
            lambda found: (len(found.dictionary.moves), "strategic move", "strategic moves"),
            long=True,
        ),
        b"hyperoxo-pairing 1": Kind(
            Pairing,
            read_pairing,
            check_pairing,
            answers_text,
            lambda found: (len(found.pairs), "pair", "pairs"),
        ),
        b"hyperoxo-mirroring 1": Kind(
            Mirroring,
            read_mirroring,
            check_mirroring,
            answers_text,
            lambda found: (sum(i <= j for i, j in enumerate(found.images)), "answer", "answers"),
        ),
        b"hyperoxo-coalition 1": Kind(
            Prevention,
            read_prevention,
            check_prevention,
            prevention_text,
            lambda found: (len(found.moves), "reply", "replies"),
        ),
        b"hyperoxo-table-bound 1": Kind(
            TableBound,
            read_bound,
            check_bound,
            bound_text,
            lambda found: (len(found.steps), "step", "steps"),
        ),
        b"hyperoxo-zones 1": Kind(
            ZonePlan,
            read_zones,
            check_zones,
            zones_text,
            lambda found: (len(found.steps), "row", "rows"),
        ),
        b"hyperoxo-breaker 1": Kind(
            BreakerPlan,
            read_plan,
            check_breaker,
            plan_text,
            lambda found: (len(found.states), "state", "states"),
            long=True,
        ),
        b"hyperoxo-no-pairing 1": Kind(
            NoPairing,
            read_no_pairing,
            check_no_pairing,
            no_pairing_text,
            lambda found: (len(found.lines), "line", "lines"),
            moves=False,
        ),
        b"hyperoxo-no-draw 1": Kind(
            NoDraw,
            read_no_draw,
            check_no_draw,
            no_draw_text,
            lambda found: (len(found.steps), "step", "steps"),
            moves=False,
        ),
        b"hyperoxo-filling 1": Kind(
            Filling,
            read_filling,
            check_filling,
            filling_text,
            lambda found: (len(found.weights), "weight", "weights"),
            moves=False,
        ),
        b"hyperoxo-filling-cases 1": Kind(
            FillingCases,
            read_filling_cases,
            check_filling_cases,
            filling_cases_text,
            lambda found: (len(found.rows), "row", "rows"),
            moves=False,
            long=True,
        ),
        b"hyperoxo-full-board 1": Kind(
            DrawnBoard,
            read_full_board,
            check_full_board,
            full_board_text,
            lambda found: (len(found.owners), "owner", "owners"),
            moves=False,
        ),
        b"hyperoxo-region 1": Kind(
            RegionProof,
            read_region,
            check_region,
            region_text,
            lambda found: (len(found.parts), "part", "parts"),
            moves=False,
        ),
    }
)
"""Kinds of proofs by the first line of their files, without its line feed."""


def verify(
    path: str | os.PathLike[str] | bytes,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> Verdict:
    """Check a proof file of any kind.

    Parameters
    ----------
    path : str or path-like, or bytes
        Name of the file, or its content.
    progress : callable, optional
        Called now and then with the number of parts that were checked and that of all, by kinds
        that may take long.

    Returns
    -------
    Verdict
        Also where the file is damaged; it says so.

    Raises
    ------
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> verify(b"something else").reason
    'this is not a proof file'
    """
    begin = time.perf_counter()
    data = read_bytes(path)
    kind = KINDS.get(data.partition(b"\n")[0])
    reason = "this is not a proof file"
    if kind is not None:
        try:
            told = {"progress": progress} if kind.long else {}
            return kind.check(kind.read(data), begin=begin, **told)
        except HyperoxoError as error:
            reason = str(error)
    return Verdict("", "rejected", reason, 0, time.perf_counter() - begin)


def _kind_of(found: Proof | BoardProof) -> Kind:
    return next(kind for kind in KINDS.values() if isinstance(found, kind.value))


def check_proof(found: Proof | BoardProof) -> Verdict:
    """Check a proof that is in memory.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> check_proof(Pairing(Game("3{0+1}"), 2, ((0, 1),))).proved
    True
    """
    return _kind_of(found).check(found)


def write_proof(
    found: Proof | BoardProof, path: str | os.PathLike[str], *, creator: str = ""
) -> None:
    """Write a proof into a file of its kind.

    Parameters
    ----------
    found : Proof or BoardProof
        What is written.
    path : str or path-like
        Name of the file; it is replaced if it exists.
    creator : str
        What made it, such as a command line; anything but printable ASCII becomes ``?``.

    Raises
    ------
    SpecError
        If a move is stored for something that is no position of the game.

    Examples
    --------
    >>> import tempfile
    >>> from hyperoxo.rules import Game
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_proof(Pairing(Game("3{0+1}"), 2, ((0, 1),)), folder + "/x.proof")
    ...     verify(folder + "/x.proof").claim
    'player 2 gets at least a draw in 3{0+1} by pairing'
    """
    replace_file(path, proof_text(found, creator=creator))


def proof_text(found: Proof | BoardProof, *, creator: str = "") -> bytes:
    """Return what `write_proof` writes."""
    return _kind_of(found).text(found, creator=creator)


def proof_size(found: Proof | BoardProof) -> str:
    """Say how much a proof holds."""
    count, one, many = _kind_of(found).size(found)
    return f"{count:,} {one if count == 1 else many}"
