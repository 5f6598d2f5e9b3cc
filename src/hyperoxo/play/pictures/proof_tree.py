"""The tree of a proof: one answer of its player, every class of the other side's replies.

Boards have the orientation of play. The tree ends where a dictionary has a forced sequence; replies
that leave one are counted and not drawn. A position like one shown before refers to it. The figure
on a board is the number of listed moves that follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from hyperoxo.display import number_of
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Position, completing_cells
from hyperoxo.lab.pictures.tree import Page, drawn, html
from hyperoxo.lab.pictures.tree_nodes import MOST_NODES, Place, grow, numbered
from hyperoxo.notation.stones import ICONS
from hyperoxo.play.explorer import Explorer
from hyperoxo.proof import Dictionary, Strategy
from hyperoxo.proof.images import locate
from hyperoxo.task import Progress

_MOST_ON_A_PAGE = 1500
_LIMIT = 6000


class _Plan:
    """Moves of a proof and the replies that matter: in a dictionary not those that lose at once."""

    def __init__(self, proof: Dictionary | Strategy, progress: Progress | None) -> None:
        self.seat, self.start = proof.seat, proof.position
        self._has_sequences = isinstance(proof, Dictionary)
        self._explorer = Explorer(proof)
        self._explorer.count(progress)

    def answer(self, position: Position) -> tuple[int, str] | None:
        """Return the move of the proof's player and its effect; None once they have won."""
        found = self._explorer.answer(position)
        if found is None or found.cell is None:
            raise CheckFailedError(f"no move is listed in {position.text}")
        if not self._has_sequences:
            return found.cell, ""
        if found.by not in ("block", "listed"):
            return None
        if found.by == "block":
            return found.cell, "blocks"
        threatens = completing_cells(position.play(found.cell), self.seat)
        return found.cell, "threatens" if threatens else "quiet"

    def replies(self, position: Position) -> dict[int, int]:
        """Return a reply of each class that matters, with the number of replies in it."""
        classes = self._explorer.classes(position)
        needed = self._explorer.graph if self._has_sequences else classes
        assert needed is not None
        return {cells[0]: len(cells) for form, cells in classes.items() if form in needed}

    def size(self, position: Position) -> int:
        """Return the number of moves listed from here on."""
        return self._explorer.size(position).listed


def _name(position: Position) -> bytes:
    return locate(position.game, position.owners)[0]


@dataclass
class _ProofPage(Page):
    """A proof's tree: the figure on a board counts listed moves."""

    plan: _Plan = field(kw_only=True)

    @cached_property
    def notes(self) -> dict[int, str]:
        """Notes of the places, by their identity."""
        return {id(place): self._note(place) for place in self.places}

    def winner(self, place: Place) -> int:
        return self.seat if place.last is not None and self._mover(place) == self.seat else 0

    def sign(self, place: Place) -> str:
        if place.equal is not None or place.position.is_over:
            return ""
        return f"{size:,}" if (size := self.plan.size(place.position)) else ""

    def words(self, place: Place) -> str:
        return f"{place.position.text}; {self.notes[id(place)]}"

    def caption(self, place: Place) -> str:
        if place.last is None:
            return ""
        name = f"{ICONS[self._mover(place) - 1]} {place.last}"
        return f"{name} = {place.equal.number}" if place.equal else f"{name} {place.means}".strip()

    def note(self, place: Place) -> str:
        return self.notes[id(place)]

    def _mover(self, place: Place) -> int:
        return place.position.owners[place.position.history[-1]]

    def _note(self, place: Place) -> str:
        """Describe the last move and its consequences."""
        position, said = place.position, [place.means] if place.means else []
        if place.equal is not None:
            said.append(f"equivalent to board {place.equal.number}")
        elif position.is_over:
            said.append("the game is over")
        elif position.to_move == self.seat:
            if self.plan.answer(position) is None:
                said.append("a forced sequence wins")
        else:
            listed = sum(self.plan.replies(position).values())
            others = len(position.legal_moves) - listed
            if others:
                which = "all" if not listed else str(others)
                said.append(f"{which} of {len(position.legal_moves)} replies lose to threats")
        if not place.children and place.equal is None and self.plan.size(position):
            said.append(f"goes on: --position {position.text}")
        return "; ".join(said)


def draw_proof(
    proof: Dictionary | Strategy,
    position: Position | None = None,
    plies: int | None = None,
    *,
    progress: Progress | None = None,
) -> str:
    """Draw the tree of a proof from its beginning or from a position, as SVG."""
    return drawn(_page(proof, position, plies, MOST_NODES, progress), "lines")


def proof_page(
    proof: Dictionary | Strategy,
    position: Position | None = None,
    plies: int | None = None,
    *,
    progress: Progress | None = None,
) -> str:
    """Write the tree of a proof as a page in which branches are opened and closed, as HTML."""
    return html(_page(proof, position, plies, _MOST_ON_A_PAGE, progress))


def _page(
    proof: Dictionary | Strategy,
    position: Position | None,
    plies: int | None,
    most: int,
    progress: Progress | None,
) -> _ProofPage:
    if position is not None:
        if position.game != proof.game:
            raise SpecError(f"the proof is for {proof.game}, not for {position.game}")
        proof = replace(proof, begins=position)
    plan = _Plan(proof, progress)
    root = _grown(plan, plies, most)
    depth = max(place.ply for place in root.walk()) - root.ply
    remarks = [
        number_of(sum(1 for _ in root.walk()), "board"),
        f"{number_of(plan.size(plan.start), 'listed move')} in all",
        "the figure on a board: listed moves from there on",
        "×3: one of three replies that are images of each other",
        "= 7: equivalent to board 7",
    ]
    title = f"Proof that {proof.statement}, the first {number_of(depth, 'move')}"
    page = _ProofPage(proof.game, root, title, remarks, solved=False, seat=proof.seat, plan=plan)
    page.numbered = True
    return page


def _grown(plan: _Plan, plies: int | None, most: int) -> Place:
    """Grow the tree of a proof; a place equivalent to an earlier one refers to it and ends."""
    root = Place(plan.start)
    seen = {_name(root.position): root}

    def follow(layer: list[Place], limit: int) -> list[Place]:
        grown = [child for place in layer for child in _children(plan, place)]
        for place in grown if len(grown) <= limit else ():
            place.equal = seen.get(_name(place.position))
            seen.setdefault(_name(place.position), place)
        return grown

    def refusal(depth: int) -> str:
        return (
            f"the proof has more than {_LIMIT:,} boards within {depth} moves, too many to draw; "
            "ask for fewer plies, or begin at a later position"
        )

    grow(root, follow, plies, (most, _LIMIT), refusal)
    numbered(root)
    return root


def _children(plan: _Plan, place: Place) -> Iterable[Place]:
    position = place.position
    if position.is_over:
        return
    if position.to_move == plan.seat:
        answer = plan.answer(position)
        if answer is not None:
            yield Place(position.play(answer[0]), place, means=answer[1])
        return
    for cell, replies in plan.replies(position).items():
        yield Place(position.play(cell), place, means=f"×{replies}" if replies > 1 else "")
