"""Proofs of the kinds that this program makes: how to check one in memory and to write it."""

from __future__ import annotations

import os

from hyperoxo.files import replace_file
from hyperoxo.proof.answers import Mirroring, Pairing, check_mirroring, check_pairing
from hyperoxo.proof.answers_file import answers_text
from hyperoxo.proof.checker import check
from hyperoxo.proof.coalition import Prevention, check_prevention
from hyperoxo.proof.coalition_file import prevention_text
from hyperoxo.proof.file import strategy_text
from hyperoxo.proof.strategy import Strategy
from hyperoxo.proof.verdict import Verdict

__all__ = ["Proof", "check_proof", "proof_size", "write_proof"]

Proof = Strategy | Prevention | Pairing | Mirroring


def check_proof(found: Proof) -> Verdict:
    """Check a proof that is in memory.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> check_proof(Pairing(Game("3{0+1}"), 2, ((0, 1),))).proved
    True
    """
    if isinstance(found, Strategy):
        return check(found)
    if isinstance(found, Prevention):
        return check_prevention(found)
    return check_pairing(found) if isinstance(found, Pairing) else check_mirroring(found)


def write_proof(found: Proof, path: str | os.PathLike[str], *, creator: str = "") -> None:
    """Write a proof into a file of its kind.

    Parameters
    ----------
    found : Proof
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
    >>> from hyperoxo.proof import verify
    >>> from hyperoxo.rules import Game
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_proof(Pairing(Game("3{0+1}"), 2, ((0, 1),)), folder + "/x.proof")
    ...     verify(folder + "/x.proof").claim
    'player 2 gets at least a draw in 3{0+1} by pairing'
    """
    if isinstance(found, Strategy):
        text = strategy_text(found, creator=creator)
    elif isinstance(found, Prevention):
        text = prevention_text(found, creator=creator)
    else:
        text = answers_text(found, creator=creator)
    replace_file(path, text)


def proof_size(found: Proof) -> str:
    """Say how much a proof holds.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> proof_size(Pairing(Game("3{0+1}"), 2, ((0, 1),)))
    '1 pair'
    """
    if isinstance(found, Pairing):
        return _counted(len(found.pairs), "pair")
    if isinstance(found, Mirroring):
        return _counted(sum(i <= j for i, j in enumerate(found.images)), "answer")
    what = "reply" if isinstance(found, Prevention) else "stored move"
    return _counted(len(found.moves), what)


def _counted(count: int, what: str) -> str:
    many = what[:-1] + "ies" if what.endswith("y") else what + "s"
    return f"{count:,} {what if count == 1 else many}"
