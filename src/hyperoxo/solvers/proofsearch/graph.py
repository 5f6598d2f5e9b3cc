"""A dictionary of strategic moves as a graph: where play against it goes on, and how deep.

The nodes are the positions in which the attacker has to choose: his move is listed there, or it is
the only block of a threat. Positions that he wins by a forced sequence are left out, as are the
defender's replies that allow one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hyperoxo.errors import CheckFailedError
from hyperoxo.position import BLOCKED, FREE, Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.images import locate
from hyperoxo.solvers.proofsearch.search import ProofSearch, Words, words_of

__all__ = ["ProofGraph", "ProofNode", "ReplyClass", "proof_graph", "reply_classes"]

_OFTEN = 256


@dataclass(frozen=True)
class ProofNode:
    """A position in which the attacker has to choose."""

    move: int
    listed: bool
    quiet: bool
    after: tuple[Words, ...]


@dataclass(frozen=True)
class ProofGraph:
    """The nodes of a proof that are reached from where it begins."""

    roots: tuple[Words, ...]
    nodes: dict[Words, ProofNode]

    def depths(self) -> dict[Words, int]:
        """Return for each node the most quiet moves on a path from there, its own included."""
        found: dict[Words, int] = {}
        # Children have more stones.
        for words in sorted(self.nodes, key=_stones, reverse=True):
            node = self.nodes[words]
            below = max((found[child] for child in node.after), default=0)
            found[words] = below + node.quiet
        return found

    def below(self, roots: Iterable[Words]) -> set[Words]:
        """Return the nodes that are reached from some nodes, these included."""
        waiting = [words for words in roots if words in self.nodes]
        found = {*waiting}
        while waiting:
            new = {*self.nodes[waiting.pop()].after} - found
            found |= new
            waiting += new
        return found


def proof_graph(
    dictionary: Dictionary, *, watch: Callable[[int], object] | None = None
) -> ProofGraph:
    """Follow a dictionary against every defence."""
    search = ProofSearch(dictionary.game, dictionary.seat, megabytes=0)
    begins = words_of(dictionary.position, dictionary.seat)
    if dictionary.position.to_move == dictionary.seat:
        roots = _open(search, [begins])
    else:
        roots = _after(search, begins)
    nodes: dict[Words, ProofNode] = {}
    waiting = list(roots)
    while waiting:
        words = waiting.pop()
        if words in nodes:
            continue
        nodes[words] = node = _node(search, dictionary, words)
        waiting += node.after
        if watch is not None and not len(nodes) % _OFTEN:
            watch(len(nodes))
    return ProofGraph(roots, nodes)


def _node(search: ProofSearch, dictionary: Dictionary, words: Words) -> ProofNode:
    found, move = search.attack(words)
    if found == "open":
        owners = _owners(dictionary, words)
        form, cells = locate(dictionary.game, owners)
        if form not in dictionary.moves:
            text = Position.from_owners(dictionary.game, owners).text
            raise CheckFailedError(f"no move is listed and there is no forced win: {text}")
        move = int(cells[dictionary.moves[form]])
    own, other = words
    quiet = found == "open" and not search.threatens(words, move)
    return ProofNode(move, found == "open", quiet, _after(search, (own | 1 << move, other)))


def _after(search: ProofSearch, words: Words) -> tuple[Words, ...]:
    """Return the nodes after the defender's replies."""
    own, other = words
    return _open(search, [(own, other | 1 << cell) for cell in search.replies(words)])


def _open(search: ProofSearch, positions: list[Words]) -> tuple[Words, ...]:
    """Return canonical images, each once, without those that are won by a forced sequence."""
    if not positions:
        return ()
    images = dict.fromkeys(search.canonical_all(positions))
    return tuple(words for words in images if search.attack(words)[0] != "win")


def _owners(dictionary: Dictionary, words: Words) -> bytes:
    blocked, seat = dictionary.game.blocked, dictionary.seat

    def owner(cell: int) -> int:
        if words[0] >> cell & 1:
            return seat
        if words[1] >> cell & 1:
            return 3 - seat
        return BLOCKED if cell in blocked else FREE

    return bytes(map(owner, range(dictionary.game.board.cell_count)))


def _stones(words: Words) -> int:
    return words[0].bit_count() + words[1].bit_count()


@dataclass(frozen=True)
class ReplyClass:
    """Replies of the defender that are images of each other, and what the proof needs there."""

    cells: tuple[int, ...]
    strategic: int
    quiet: int
    blocks: int
    depth: int
    by_depth: tuple[int, ...]


def reply_classes(
    dictionary: Dictionary, graph: ProofGraph, position: Position
) -> tuple[ReplyClass, ...]:
    """Take the defender's replies in a position one class at a time."""
    search = ProofSearch(dictionary.game, dictionary.seat, megabytes=0)
    own, other = words_of(position, dictionary.seat)
    cells = position.legal_moves
    images = search.canonical_all([(own, other | 1 << cell) for cell in cells])
    classes: dict[Words, list[int]] = {}
    for cell, image in zip(cells, images, strict=True):
        classes.setdefault(image, []).append(cell)
    depths = graph.depths()
    return tuple(_class(graph, depths, image, found) for image, found in classes.items())


def _class(
    graph: ProofGraph, depths: dict[Words, int], image: Words, cells: list[int]
) -> ReplyClass:
    below = graph.below([image])
    listed = [words for words in below if graph.nodes[words].listed]
    counts = [0] * (max((depths[words] for words in listed), default=-1) + 1)
    for words in listed:
        counts[depths[words]] += 1
    return ReplyClass(
        tuple(cells),
        len(listed),
        sum(graph.nodes[words].quiet for words in listed),
        len(below) - len(listed),
        depths.get(image, 0),
        tuple(counts),
    )
