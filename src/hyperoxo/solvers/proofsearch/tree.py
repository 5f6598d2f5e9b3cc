"""Proofs as strategies: the attacker's moves behind a search, and how deep a dictionary goes.

The nodes of a proof are the positions in which the attacker has to choose: the move is listed
there, or it is the only block of a threat. Positions won by a forced sequence are left out, as are
the defender's replies that allow one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.proof.images import locate
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.view import ProofView, Words, owners_of, words_of

_OFTEN = 256


@dataclass(frozen=True)
class ProofTree:
    """What a proof needs besides forced wins and forced blocks."""

    root: Words
    moves: dict[Words, int]
    quiet: int

    @classmethod
    def of(cls, view: ProofView, root: Words, moves: dict[Words, int]) -> ProofTree:
        """Make a proof of its moves; the quiet ones are counted."""
        quiet = sum(not view.threatens(here, move) for here, move in moves.items())
        return cls(root, moves, quiet)


def proof_tree(search: ProofSearch, position: Position) -> ProofTree:
    """Collect the attacker's moves that prove a position won."""
    words = words_of(position, search.attacker)
    walk = _Walk(search)
    walk.run(words, position.to_move == search.attacker)
    return ProofTree.of(search, words, walk.moves)


def tree_of(view: ProofView, dictionary: Dictionary) -> ProofTree:
    """Bring the entries of a dictionary into a view's canonical images."""
    moves: dict[Words, int] = {}
    for owners, move in dictionary.moves.items():
        own = sum(1 << cell for cell, owner in enumerate(owners) if owner == dictionary.seat)
        other = sum(1 << cell for cell, owner in enumerate(owners) if owner == 3 - dictionary.seat)
        here, image = in_image(view, (own, other), move)
        moves[here] = image
    return ProofTree.of(view, words_of(dictionary.position, dictionary.seat), moves)


def in_image(view: ProofView, words: Words, move: int) -> tuple[Words, int]:
    """Bring a position and a move of the attacker in it into the view's canonical image."""
    own, other = words
    cells = range(view.game.board.cell_count)
    here, after = view.canonical_all([words, (own | 1 << move, other)])
    free = [cell for cell in cells if not (here[0] | here[1]) >> cell & 1]
    images = view.canonical_all([(here[0] | 1 << cell, here[1]) for cell in free])
    return here, free[images.index(after)]


@dataclass
class _Walk:
    """A walk from positions with fewer stones to those with more."""

    search: ProofSearch
    moves: dict[Words, int] = field(default_factory=dict)

    def run(self, words: Words, attacker_moves: bool) -> None:
        here: dict[Words, int] = {self.search.canonical(words): self.search.quiet}
        attacks = attacker_moves
        while here:
            after: dict[Words, int] = {}
            for position, left in here.items():
                found = self._attack(position, left) if attacks else self._defend(position, left)
                for child, remaining in found:
                    # A position reached twice must do with the fewer quiet moves.
                    after[child] = min(remaining, after.get(child, remaining))
            here = after
            attacks = not attacks

    def _defend(self, here: Words, left: int) -> list[tuple[Words, int]]:
        return [(image, left) for image in self.search.after(here)]

    def _attack(self, here: Words, left: int) -> list[tuple[Words, int]]:
        found, move = self.search.attack(here)
        if found == "win":
            return []
        if found == "open":
            move = self._move(here, left)
            self.moves[here] = move
            if left >= 0 and not self.search.threatens(here, move):
                left -= 1
        own, other = here
        return [(self.search.canonical((own | 1 << move, other)), left)]

    def _move(self, here: Words, left: int) -> int:
        move = self.search.proved_move(here, left)
        if move is None:
            self.search.run(here, quiet=left)
            move = self.search.proved_move(here, left)
        if move is None:
            raise CheckFailedError(f"no win of player {self.search.attacker} has been found")
        return move


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
    game, seat = dictionary.game, dictionary.seat

    def listed(words: Words) -> int:
        owners = owners_of(game, seat, words)
        form, cells = locate(game, owners)
        if form not in dictionary.moves:
            text = Position.from_owners(game, owners).text
            raise CheckFailedError(f"no move is listed and there is no forced win: {text}")
        return int(cells[dictionary.moves[form]])

    return _graph(ProofView(game, seat), words_of(dictionary.position, seat), listed, watch)


def tree_depth(view: ProofView, tree: ProofTree) -> int:
    """Return the most quiet moves on a path of a proof."""
    graph = _graph(view, tree.root, tree.moves.__getitem__)
    return max(graph.depths().values(), default=0)


def _graph(
    view: ProofView,
    begins: Words,
    listed: Callable[[Words], int],
    watch: Callable[[int], object] | None = None,
) -> ProofGraph:
    """Follow the listed moves and the only blocks from a position on."""
    here = view.canonical(begins)
    roots = _open(view, [here] if view.attacker_moves(here) else view.after(here))
    nodes: dict[Words, ProofNode] = {}
    waiting = list(roots)
    while waiting:
        words = waiting.pop()
        if words in nodes:
            continue
        found, move = view.attack(words)
        chosen = found == "open"
        if chosen:
            move = listed(words)
        quiet = chosen and not view.threatens(words, move)
        own, other = words
        after = _open(view, view.after((own | 1 << move, other)))
        nodes[words] = ProofNode(move, chosen, quiet, after)
        waiting += after
        if watch is not None and not len(nodes) % _OFTEN:
            watch(len(nodes))
    return ProofGraph(roots, nodes)


def _open(view: ProofView, positions: list[Words]) -> tuple[Words, ...]:
    """Leave out what is won by a forced sequence."""
    return tuple(words for words in positions if view.attack(words)[0] != "win")


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
    view = ProofView(dictionary.game, dictionary.seat)
    depths = graph.depths()
    found = []
    for cell, cells in view.classes(position).items():
        image = view.canonical(words_of(position.play(cell), dictionary.seat))
        found.append(_class(graph, depths, image, cells))
    return tuple(found)


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
