"""Proof trees: the attacker's strategy behind a search, and the quiet depth of a dictionary.

The nodes of a proof are the positions in which the attacker has to choose: the move is listed
there, or it is the only block of a threat. Positions won by a forced sequence are left out, as are
the defender's replies that allow one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.solvers.proofsearch.search import ProofSearch
from hyperoxo.solvers.proofsearch.view import ProofView, Words, words_of
from hyperoxo.solvers.threats.search import words_of_owners


@dataclass(frozen=True)
class ProofTree:
    """Listed moves of a proof, besides forced wins and forced blocks."""

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

    # The table may have lost an entry of the proof to replacement: search that position again,
    # which is quick, since most of what is below it is there.
    def proved(words: Words, left: int) -> int:
        move = search.proved_move(words, left)
        if move is None:
            search.run(words, quiet=left)
            move = search.proved_move(words, left)
        if move is None:
            raise CheckFailedError(f"no win of player {search.attacker} has been found")
        return move

    root = words_of(position, search.attacker)
    nodes = graph_of(search, root, proved, search.quiet).nodes
    moves = {words: node.move for words, node in nodes.items() if node.listed}
    return ProofTree(root, moves, sum(node.quiet for node in nodes.values()))


def tree_of(view: ProofView, dictionary: Dictionary) -> ProofTree:
    """Bring the entries of a dictionary into a view's canonical images."""
    moves: dict[Words, int] = {}
    for owners, move in dictionary.moves.items():
        here, image = in_image(view, words_of_owners(owners, dictionary.seat), move)
        moves[here] = image
    return ProofTree.of(view, words_of(dictionary.position, dictionary.seat), moves)


def in_image(view: ProofView, words: Words, move: int) -> tuple[Words, int]:
    """Bring a position and a move of the attacker in it into the view's canonical image."""
    # The symmetry itself is not returned by the kernel, and need not be unique. A cell that gives
    # the same canonical position after the move is as good.
    own, other = words
    cells = range(view.game.board.cell_count)
    here, after = view.canonical_all([words, (own | 1 << move, other)])
    free = [cell for cell in cells if not (here[0] | here[1]) >> cell & 1]
    images = view.canonical_all([(here[0] | 1 << cell, here[1]) for cell in free])
    return here, free[images.index(after)]


@dataclass(frozen=True)
class ProofNode:
    """A node of a proof: the attacker's move, and the nodes after the replies."""

    move: int
    listed: bool
    quiet: bool
    after: tuple[Words, ...]


@dataclass(frozen=True)
class ProofGraph:
    """The nodes of a proof that are reached from its root."""

    roots: tuple[Words, ...]
    nodes: dict[Words, ProofNode]

    def depths(self) -> dict[Words, int]:
        """Return for each node the most quiet moves on a path from there, its own included."""
        found: dict[Words, int] = {}
        # Children have more stones, so this is a topological order.
        stones = {(own, other): own.bit_count() + other.bit_count() for own, other in self.nodes}
        for words in sorted(stones, key=stones.__getitem__, reverse=True):
            node = self.nodes[words]
            below = max((found[child] for child in node.after), default=0)
            found[words] = below + node.quiet
        return found


def tree_depth(view: ProofView, tree: ProofTree) -> int:
    """Return the most quiet moves on a path of a proof."""
    graph = graph_of(view, tree.root, lambda words, _: tree.moves[words])
    return max(graph.depths().values(), default=0)


def graph_of(
    view: ProofView,
    begins: Words,
    choose: Callable[[Words, int], int],
    left: int = -1,
) -> ProofGraph:
    """Follow chosen moves and forced blocks from a position to positions with more stones."""
    # `choose` gets a position and the number of quiet moves `left` there, -1 for any number.
    # Breadth first, one generation of the attacker's moves at a time.
    start = view.canonical(begins)
    roots = [start] if view.attacker_moves(start) else view.after(start)
    nodes: dict[Words, ProofNode] = {}
    here = dict.fromkeys(roots, left)
    while here:
        below: dict[Words, int] = {}
        for words, quiet_left in here.items():
            found, move = view.attack(words)
            if found == "win":
                continue
            chosen = found == "open"
            if chosen:
                move = choose(words, quiet_left)
            quiet = chosen and not view.threatens(words, move)
            after = tuple(view.after((words[0] | 1 << move, words[1])))
            for child in after:
                # A position reached twice must be won with the fewer quiet moves left.
                remaining = quiet_left - (quiet and quiet_left > 0)
                below[child] = min(remaining, below.get(child, remaining))
            nodes[words] = ProofNode(move, chosen, quiet, after)
        here = below

    def still_open(positions: Iterable[Words]) -> tuple[Words, ...]:
        """Leave out positions won by a forced sequence."""
        return tuple(words for words in positions if words in nodes)

    pruned = {words: replace(node, after=still_open(node.after)) for words, node in nodes.items()}
    return ProofGraph(still_open(roots), pruned)
