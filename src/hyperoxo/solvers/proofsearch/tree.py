"""The strategy behind a finished proof search: the attacker's moves, up to symmetry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hyperoxo.errors import CheckFailedError
from hyperoxo.position import Position
from hyperoxo.proof.dictionary import Dictionary
from hyperoxo.solvers.proofsearch.search import ProofSearch, Words, words_of

__all__ = ["ProofTree", "in_image", "proof_tree", "tree_of"]


@dataclass(frozen=True)
class ProofTree:
    """What a proof needs besides forced wins and forced blocks."""

    root: Words
    moves: dict[Words, int]
    quiet: int


def proof_tree(
    search: ProofSearch,
    position: Position,
    *,
    seconds: float | None = None,
    watch: Callable[[int], object] | None = None,
) -> ProofTree:
    """Collect the attacker's moves that prove a position won."""
    words = words_of(position, search.attacker)
    walk = _Walk(search, seconds, watch)
    walk.run(words, position.to_move == search.attacker)
    quiet = sum(not search.threatens(here, move) for here, move in walk.moves.items())
    return ProofTree(words, walk.moves, quiet)


def tree_of(search: ProofSearch, dictionary: Dictionary) -> ProofTree:
    """Bring the entries of a dictionary into a search's canonical images."""
    moves: dict[Words, int] = {}
    for owners, move in dictionary.moves.items():
        own = sum(1 << cell for cell, owner in enumerate(owners) if owner == dictionary.seat)
        other = sum(1 << cell for cell, owner in enumerate(owners) if owner == 3 - dictionary.seat)
        here, image = in_image(search, (own, other), move)
        moves[here] = image
    quiet = sum(not search.threatens(here, move) for here, move in moves.items())
    return ProofTree(words_of(dictionary.position, dictionary.seat), moves, quiet)


def in_image(search: ProofSearch, words: Words, move: int) -> tuple[Words, int]:
    """Bring a position and a move of the attacker in it into the search's canonical image."""
    own, other = words
    cells = range(search.game.board.cell_count)
    here, after = search.canonical_all([words, (own | 1 << move, other)])
    free = [cell for cell in cells if not (here[0] | here[1]) >> cell & 1]
    images = search.canonical_all([(here[0] | 1 << cell, here[1]) for cell in free])
    return here, free[images.index(after)]


@dataclass
class _Walk:
    """A walk from positions with fewer stones to those with more."""

    search: ProofSearch
    seconds: float | None
    watch: Callable[[int], object] | None
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
        own, other = here
        replies = [(own, other | 1 << cell) for cell in self.search.replies(here)]
        return [(image, left) for image in self.search.canonical_all(replies)]

    def _attack(self, here: Words, left: int) -> list[tuple[Words, int]]:
        found, move = self.search.attack(here)
        if found == "win":
            return []
        if found == "open":
            move = self._move(here, left)
            self.moves[here] = move
            if self.watch is not None:
                self.watch(len(self.moves))
            if left >= 0 and not self.search.threatens(here, move):
                left -= 1
        own, other = here
        return [(self.search.canonical((own | 1 << move, other)), left)]

    def _move(self, here: Words, left: int) -> int:
        move = self.search.proved_move(here, left)
        if move is None:
            self.search.run_words(here, True, seconds=self.seconds, quiet=left)
            move = self.search.proved_move(here, left)
        if move is None:
            raise CheckFailedError(f"no win of player {self.search.attacker} has been found")
        return move
