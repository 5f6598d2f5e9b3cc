"""The stored proofs of Qubic, 4^3, looked at from all sides: size, depth, first moves."""

from __future__ import annotations

from dataclasses import dataclass

from hyperoxo.errors import CheckFailedError
from hyperoxo.position import Position
from hyperoxo.proof import verify
from hyperoxo.proof.coverage import coverages
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_play import listed_move
from hyperoxo.proof.dictionary_verdict import DictionaryVerdict
from hyperoxo.proof.stored import stored_dictionary, stored_proof
from hyperoxo.rules import Game
from hyperoxo.solve.proof_graph import ProofGraph, ReplyClass, proof_graph, reply_classes

__all__ = ["Examined", "examine", "first_moves"]


@dataclass(frozen=True)
class Examined:
    """A stored proof, looked at from all sides.

    Attributes
    ----------
    dictionary : Dictionary
        Its strategic moves.
    size : int
        Bytes of its file.
    graph : ProofGraph
        Where play against it goes on.
    after : Position
        The position after its first move.
    replies : tuple of ReplyClass
        What it needs against each class of replies to that move.
    verdict : DictionaryVerdict or None
        What its check found, if it was checked here.
    """

    dictionary: Dictionary
    size: int
    graph: ProofGraph
    after: Position
    replies: tuple[ReplyClass, ...]
    verdict: DictionaryVerdict | None

    @property
    def quiet(self) -> int:
        """How many of the strategic moves are quiet."""
        return sum(node.quiet for node in self.graph.nodes.values())

    @property
    def depth(self) -> int:
        """Most quiet moves on a path, the first move included."""
        return max(self.graph.depths().values())

    @property
    def blocks(self) -> int:
        """How many positions there are in which the first player only blocks."""
        return sum(not node.listed for node in self.graph.nodes.values())


def examine(spec: str, *, check: bool) -> Examined:
    """Look at a stored proof from all sides.

    Parameters
    ----------
    spec : str
        A game whose proof is stored.
    check : bool
        Whether the proof is checked first, as ``oxo verify`` does.

    Returns
    -------
    Examined

    Raises
    ------
    CheckFailedError
        If no proof is stored, or it does not hold.

    Examples
    --------
    >>> found = examine("4^3", check=False)
    >>> len(found.dictionary.moves), found.depth, len(found.replies)
    (2720, 7, 12)
    """
    game = Game(spec)
    data, dictionary = stored_proof(game), stored_dictionary(game)
    if data is None or dictionary is None:
        raise CheckFailedError(f"no proof of {game} is stored")
    verdict = verify(data) if check else None
    if verdict is not None and not verdict.proved:
        raise CheckFailedError(f"the stored proof of {game} is rejected: {verdict.reason}")
    assert verdict is None or isinstance(verdict, DictionaryVerdict)
    start = dictionary.position
    move = listed_move(dictionary, start)
    assert move is not None
    graph, after = proof_graph(dictionary), start.play(move)
    replies = reply_classes(dictionary, graph, after)
    return Examined(dictionary, len(data), graph, after, replies, verdict)


def first_moves(spec: str = "4^3") -> tuple[tuple[tuple[int, ...], str], ...]:
    """Return the classes of first moves and what the stored proofs say of each.

    Parameters
    ----------
    spec : str
        A game.

    Returns
    -------
    tuple of (tuple of int, str)
        The cells of a class, and ``"win"`` or ``"unknown"`` for the first player.

    Examples
    --------
    >>> [(len(cells), value) for cells, value in first_moves()]
    [(16, 'win'), (48, 'win')]
    """
    game = Game(spec)
    start = game.start()
    won = {cell for coverage in coverages(game) for cell in coverage.winning_moves(start)}
    orbits = [cells for cells in game.symmetry.orbits() if {*cells} & {*start.legal_moves}]
    return tuple((cells, "win" if {*cells} <= won else "unknown") for cells in orbits)
