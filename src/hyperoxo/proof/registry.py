"""Registry of proof kinds: value in memory, file schema and checker.

A file's first line tells its kind. To add one, write a module with a value, a `FileSchema` and a
checker, and register what `by_first_line` makes of its `ProofKind` under the entry-point group
``hyperoxo.proofs``:

- the schema turns a file into the value, and raises an error of :mod:`hyperoxo.errors` where
  anything is not exactly as it would be written;
- the checker takes that value, and by name ``begin`` the time when the clock started, and where
  the kind is `long` also ``progress``, which `verify` explains; it returns a
  :class:`~hyperoxo.proof.claim.Verdict`, never raises for a proof that fails, and states which
  rules it holds for.

All must be code that a reader can follow, and import nothing that searches. Modules that are
slow to import are imported inside their functions.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hyperoxo.errors import HyperoxoError, NotationError
from hyperoxo.files import replace_file
from hyperoxo.proof import answers, coalition, dictionary_file, endgames, strategy, zones
from hyperoxo.proof.answers import Mirroring, Pairing
from hyperoxo.proof.claim import BoardProof, Verdict
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.endgames import EndgameStrategy
from hyperoxo.proof.envelope import FileSchema, read_bytes
from hyperoxo.proof.stored import DICTIONARIES, ENDGAMES
from hyperoxo.registry import Registry, loaded

_FIRST_LINE = re.compile(rb"hyperoxo-([a-z-]{1,40} [1-9][0-9]{0,3})")
_RESEARCH = {
    *("breaker 1", "filling 1", "filling-cases 1", "full-board 1", "no-draw 1", "no-pairing 1"),
    *("region 1", "table-bound 1"),
}
"""Kinds of `hyperoxo_research`, for the message if it is not installed."""


class ProofKind(NamedTuple):
    """One kind of proof: its value, file schema and checker, and its unit of size."""

    value: type
    file: FileSchema[Any]
    check: Callable[..., Verdict]
    size: Callable[[Any], tuple[int, str, str]]
    moves: bool = True
    """True if it is about moves of a player; else it is about a board."""
    long: bool = False
    """True if the check may take long and reports progress."""
    theorem: str = ""
    """The theorem behind the proof, as a sentence; of kinds with moves."""
    words: Callable[[Any, str], str] | None = None
    """The claim in plain words, given the value and the name of its seat; only of kinds that claim
    no win or draw."""
    facts: Callable[[Any], dict[str, Any]] = lambda _: {}
    """Facts beside the listed moves, as plain values."""
    reader: Callable[[Any], Any] | None = None
    """Makes a :class:`~hyperoxo.play.explorer.readers.Reader`, for kinds of other packages whose
    positions can be shown."""
    parts: Callable[[Any], tuple[bytes, ...]] = lambda _: ()
    """Whole proof files that it holds."""
    stored: Mapping[str, str] = MappingProxyType({})
    """Games, and the names of their proof files in the folder ``data`` of `package`."""
    package: str = "hyperoxo"


def _check_dictionary(found: Dictionary, **options: Any) -> Verdict:
    from hyperoxo.proof.dictionary_check import check_proof as check_dictionary

    return check_dictionary(found, **options)


def _images(found: Mirroring) -> list[list[int]]:
    """Cells and their images, each pair once."""
    return [
        [cell, image]
        for cell, image in enumerate(found.images)
        if cell <= image and cell not in found.game.blocked
    ]


def by_first_line(*kinds: ProofKind) -> dict[bytes, ProofKind]:
    """Return kinds by the first lines of their files, without the line feed."""
    return {kind.file.first_line: kind for kind in kinds}


KINDS: Mapping[bytes, ProofKind] = Registry(
    by_first_line(
        ProofKind(
            strategy.Strategy,
            strategy.FILE,
            strategy.check,
            lambda found: (len(found.moves), "stored move", "stored moves"),
            theorem=(
                "Every position that the strategy can lead to has its move; the checker tries all "
                "replies."
            ),
        ),
        ProofKind(
            Dictionary,
            dictionary_file.FILE,
            _check_dictionary,
            lambda found: (len(found.moves), "strategic move", "strategic moves"),
            long=True,
            theorem=(
                "Every reply is answered by a line, by stopping one, by a listed move, or by a "
                "forced sequence; the checker tries all replies."
            ),
            stored=DICTIONARIES,
        ),
        ProofKind(
            Pairing,
            answers.PAIRINGS,
            answers.check_pairing,
            lambda found: (len(found.pairs), "pair", "pairs"),
            theorem=(
                "Each line that the other player could still complete holds a pair of its own, so "
                "they never get both of its cells (A. Hales and R. Jewett 1963)."
            ),
            facts=lambda found: {"pairs": [list(pair) for pair in found.pairs]},
        ),
        ProofKind(
            Mirroring,
            answers.MIRRORINGS,
            answers.check_mirroring,
            lambda found: (sum(i <= j for i, j in enumerate(found.images)), "answer", "answers"),
            theorem=(
                "Answering each move with its image never completes a line first (S. Golomb and "
                "A. Hales 2002)."
            ),
            facts=lambda found: {"pairs": _images(found)},
        ),
        ProofKind(
            coalition.Prevention,
            coalition.FILE,
            coalition.check_prevention,
            lambda found: (len(found.moves), "reply", "replies"),
            theorem=(
                "Every move of the seat is answered as listed, until one of the others completes "
                "a line, the board is full, or too few lines are open (the potential)."
            ),
        ),
        ProofKind(
            zones.ZonePlan,
            zones.FILE,
            zones.check_zones,
            lambda found: (len(found.steps), "row", "rows"),
            theorem=(
                "Every move that touches what the plan rests on is answered as listed, until a "
                "line is complete, or pairs and weights of the lines that are left prevent one."
            ),
            facts=lambda found: {"rows": len(found.steps)},
        ),
        ProofKind(
            EndgameStrategy,
            endgames.FILE,
            endgames.check_endgames,
            lambda found: (len(found.moves), "stored move", "stored moves"),
            long=True,
            theorem=(
                "Until few cells are free, every position that the strategy can lead to has its "
                "move; the checker tries all replies, and searches the endgames to the end."
            ),
            stored=ENDGAMES,
        ),
    ),
    lambda: (kinds for _, kinds in loaded("hyperoxo.proofs")),
)
"""Kinds of proofs by the first line of their files, without its line feed."""


def kind_of_file(data: bytes) -> ProofKind:
    """Return the kind of a proof file by its first line; `NotationError` if it is unknown."""
    first = data.partition(b"\n")[0]
    kind = KINDS.get(first)
    if kind is not None:
        return kind
    named = _FIRST_LINE.fullmatch(first)
    if named is None:
        raise NotationError("this is not a proof file")
    name = named[1].decode("ascii")
    package = "hyperoxo_research, which" if name in _RESEARCH else "a package that"
    raise NotationError(f"a proof of the kind '{name}' is read by {package} is not installed")


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
    try:
        kind = kind_of_file(data)
        options = {"progress": progress} if kind.long else {}
        return kind.check(kind.file.read_proof(data), begin=begin, **options)
    except HyperoxoError as error:
        return Verdict("", "rejected", str(error), 0, time.perf_counter() - begin)


def kind_of(found: object) -> ProofKind:
    """Return the kind of a proof that is in memory."""
    return next(kind for kind in KINDS.values() if kind.value is type(found))


def check_proof(found: BoardProof) -> Verdict:
    """Check a proof that is in memory.

    Examples
    --------
    >>> from hyperoxo.game import Game
    >>> check_proof(Pairing(Game("3{0+1}"), 2, ((0, 1),))).proved
    True
    """
    return kind_of(found).check(found)


def write_proof(found: BoardProof, path: str | os.PathLike[str], *, creator: str = "") -> None:
    """Write a proof into a file of its kind.

    Parameters
    ----------
    found : BoardProof
        What is written.
    path : str or path-like
        Name of the file; it is replaced if it exists.
    creator : str
        What made it, such as a command line; anything but printable ASCII becomes ``?``.

    Raises
    ------
    SpecError
        If a move is stored for something that is not a position of the game.

    Examples
    --------
    >>> import tempfile
    >>> from hyperoxo.game import Game
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_proof(Pairing(Game("3{0+1}"), 2, ((0, 1),)), folder + "/x.proof")
    ...     verify(folder + "/x.proof").claim
    'player 2 gets at least a draw in 3{0+1} by pairing'
    """
    replace_file(path, proof_text(found, creator=creator))


def proof_text(found: BoardProof, *, creator: str = "") -> bytes:
    """Return the content of a proof file; see `write_proof`."""
    return kind_of(found).file.write(found, creator=creator)


def proof_size(found: BoardProof) -> str:
    """Size of a proof, with its unit."""
    count, one, many = kind_of(found).size(found)
    return f"{count:,} {one if count == 1 else many}"
