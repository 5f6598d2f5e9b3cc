"""The graph of a dictionary: the positions that play against it reach, and those below each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Position, spelled
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.images import locate
from hyperoxo.solvers.proofsearch.tree import ProofGraph, graph_of
from hyperoxo.solvers.proofsearch.view import ProofView, Words, owners_of, words_of


def proof_graph(dictionary: Dictionary) -> ProofGraph:
    """Follow a dictionary against every defence."""
    game, seat = dictionary.game, dictionary.seat

    def listed(words: Words, _: int) -> int:
        owners = owners_of(game, seat, words)
        form, cells = locate(game, owners)
        if form not in dictionary.moves:
            text = spelled(owners)
            raise CheckFailedError(f"no move is listed and there is no forced win: {text}")
        return int(cells[dictionary.moves[form]])

    return graph_of(ProofView(game, seat), words_of(dictionary.position, seat), listed)


def below(graph: ProofGraph, roots: Iterable[Words]) -> set[Words]:
    """Return the nodes that are reached from some nodes, these included."""
    waiting = [words for words in roots if words in graph.nodes]
    found = {*waiting}
    while waiting:
        new = {*graph.nodes[waiting.pop()].after} - found
        found |= new
        waiting += new
    return found


@dataclass(frozen=True)
class ReplyClass:
    """A class of equivalent replies, with the counts of the proof below it."""

    cells: tuple[int, ...]
    strategic: int
    quiet: int
    blocks: int
    depth: int
    by_depth: tuple[int, ...]


def reply_classes(
    dictionary: Dictionary, graph: ProofGraph, position: Position
) -> tuple[ReplyClass, ...]:
    """Return counts of the proof below each class of replies in a position."""
    view = ProofView(dictionary.game, dictionary.seat)
    depths, found = graph.depths(), []
    for cell, cells in view.classes(position).items():
        image = view.canonical(words_of(position.play(cell), dictionary.seat))
        inside = below(graph, [image])
        listed = [words for words in inside if graph.nodes[words].listed]
        counts = [0] * (max((depths[words] for words in listed), default=-1) + 1)
        for words in listed:
            counts[depths[words]] += 1
        found.append(
            ReplyClass(
                cells=tuple(cells),
                strategic=len(listed),
                quiet=sum(graph.nodes[words].quiet for words in listed),
                blocks=len(inside) - len(listed),
                depth=depths.get(image, 0),
                by_depth=tuple(counts),
            )
        )
    return tuple(found)
