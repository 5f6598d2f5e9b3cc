"""The stored proofs of Qubic, 4^3, looked at from all sides: size, depth, first moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from hyperoxo.errors import CheckFailedError
from hyperoxo.position import Position
from hyperoxo.proof import verify
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.coverage import coverages
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.dictionary_play import listed_move
from hyperoxo.proof.stored import stored_dictionary, stored_proof
from hyperoxo.rules import Game
from hyperoxo.solvers.proofsearch.tree import ProofGraph, ReplyClass, proof_graph, reply_classes
from hyperoxo.solvers.proofsearch.view import ProofView

__all__ = ["Examined", "Handicap", "examine", "first_moves", "handicaps", "poor", "stones"]


@dataclass(frozen=True)
class Examined:
    """A stored proof, looked at from all sides.

    What takes a walk through all that may be played against it is found when it is asked for.
    """

    dictionary: Dictionary
    size: int
    verdict: DictionaryVerdict | None

    @property
    def spec(self) -> str:
        """The game."""
        return str(self.dictionary.game)

    @cached_property
    def quiet(self) -> int:
        """How many of the strategic moves are quiet."""
        seat = self.dictionary.seat
        view = ProofView(self.dictionary.game, seat)
        return sum(
            not view.threatens((stones(form, seat), stones(form, 3 - seat)), move)
            for form, move in self.dictionary.moves.items()
        )

    @cached_property
    def graph(self) -> ProofGraph:
        """Where play against it goes on."""
        return proof_graph(self.dictionary)

    @cached_property
    def after(self) -> Position:
        """The position after its first move, and after that of the other if he begins."""
        start = self.dictionary.position
        if start.to_move != self.dictionary.seat:
            start = start.play(start.legal_moves[0])
        move = listed_move(self.dictionary, start)
        assert move is not None
        return start.play(move)

    @cached_property
    def replies(self) -> tuple[ReplyClass, ...]:
        """What it needs against each class of replies in that position."""
        return reply_classes(self.dictionary, self.graph, self.after)

    @property
    def depth(self) -> int:
        """Most quiet moves on a path, the first move included."""
        return max(self.graph.depths().values())

    @property
    def blocks(self) -> int:
        """How many positions there are in which its player only blocks."""
        return sum(not node.listed for node in self.graph.nodes.values())


def examine(spec: str, *, check: bool) -> Examined:
    """Look at a stored proof from all sides."""
    game = Game(spec)
    data, dictionary = stored_proof(game), stored_dictionary(game)
    if data is None or dictionary is None:
        raise CheckFailedError(f"no proof of {game} is stored")
    verdict = verify(data) if check else None
    if verdict is not None and not verdict.proved:
        raise CheckFailedError(f"the stored proof of {game} is rejected: {verdict.reason}")
    assert verdict is None or isinstance(verdict, DictionaryVerdict)
    return Examined(dictionary, len(data), verdict)


@dataclass(frozen=True)
class Handicap:
    """What the proofs say if the first player's first moves must go to cells on four lines."""

    moves: int
    winner: int | None
    proof: Examined | None

    @property
    def spec(self) -> str:
        """The game."""
        return poor(self.moves)


def stones(owners: bytes, player: int) -> int:
    """Return the stones of a player, bit c for cell c."""
    return sum(1 << cell for cell, owner in enumerate(owners) if owner == player)


def poor(moves: int) -> str:
    """Return Qubic with so many restricted moves."""
    return str(Game("4^3" if not moves else f"4^3:opening=poorx{moves}"))


def handicaps(proofs: Sequence[Examined], most: int) -> tuple[Handicap, ...]:
    """Say who wins with each number of restricted moves, by these proofs and nothing else."""
    known = {found.spec: found for found in proofs if not found.dictionary.position.ply}
    by_moves = {moves: known[poor(moves)] for moves in range(most + 1) if poor(moves) in known}
    found = []
    for moves in range(most + 1):
        telling = [
            proof
            for other, proof in by_moves.items()
            if (proof.dictionary.seat == 1 and other >= moves)
            or (proof.dictionary.seat == 2 and other <= moves)
        ]
        proof = by_moves.get(moves, telling[0] if telling else None)
        found.append(Handicap(moves, None if proof is None else proof.dictionary.seat, proof))
    return tuple(found)


def first_moves(spec: str = "4^3") -> tuple[tuple[tuple[int, ...], str], ...]:
    """Return the classes of first moves and what the stored proofs say of each."""
    game = Game(spec)
    start = game.start()
    won = {cell for coverage in coverages(game) for cell in coverage.winning_moves(start)}
    orbits = [cells for cells in game.symmetry.orbits() if {*cells} & {*start.legal_moves}]
    return tuple((cells, "win" if {*cells} <= won else "unknown") for cells in orbits)
