"""The tree of a proof: one answer of its player, every class of the other side's replies.

Boards stand in the orientation of play. Where a dictionary has a forced sequence, nothing follows;
replies that leave one are counted and not drawn. A position like one shown before refers to it.
The figure on a board says how many listed moves there are from there on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from hyperoxo.display import number_of
from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Position
from hyperoxo.lab.pictures.tree import Page, drawn, html
from hyperoxo.lab.pictures.tree_nodes import MOST_NODES, Place, grow, numbered
from hyperoxo.notation.stones import ICONS
from hyperoxo.proof import Dictionary, Strategy
from hyperoxo.proof.dictionary_play import listed_move
from hyperoxo.proof.images import locate
from hyperoxo.solvers.proofsearch.tree import proof_graph
from hyperoxo.solvers.proofsearch.view import ProofView, words_of
from hyperoxo.task import ALONE, Task

_MOST_ON_A_PAGE = 1500
_LIMIT = 6000


class _DictionaryPlan:
    """A dictionary: replies that leave a forced sequence do not matter."""

    def __init__(self, dictionary: Dictionary, task: Task) -> None:
        self.dictionary, self.seat = dictionary, dictionary.seat
        self.start = dictionary.position
        self._view = ProofView(dictionary.game, dictionary.seat)
        self._graph = proof_graph(dictionary, watch=task.on_report)

    def answer(self, position: Position) -> tuple[int, str] | None:
        """Return the move of the proof's player and what it does; None where they have won."""
        words = words_of(position, self.seat)
        found, cell = self._view.attack(words)
        if found == "win":
            return None
        if found == "block":
            return cell, "blocks"
        listed = listed_move(self.dictionary, position)
        if listed is None:
            raise CheckFailedError(f"no move is listed in {position.text}")
        return listed, "threatens" if self._view.threatens(words, listed) else "quiet"

    def replies(self, position: Position) -> dict[int, int]:
        """Return a reply of each class that matters, with the number of replies in it."""
        kept = {*self._view.replies(words_of(position, self.seat))}
        classes = self._view.classes(position)
        return {cell: len(cells) for cell, cells in classes.items() if cell in kept}

    def size(self, position: Position) -> int:
        """Return how many moves are listed from here on."""
        words = words_of(position, self.seat)
        turn = position.to_move == self.seat
        roots = [self._view.canonical(words)] if turn else self._view.after(words)
        return sum(self._graph.nodes[one].listed for one in self._graph.below(roots))


class _StrategyPlan:
    """A strategy: every reply matters, and the answer to each is listed, down to endgames."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.seat, self.start = strategy, strategy.seat, strategy.position
        self._after: dict[bytes, tuple[bytes, ...]] = {}

    def answer(self, position: Position) -> tuple[int, str]:
        cell = self.strategy.reply(position)
        if cell is None:
            raise CheckFailedError(f"no move is listed in {position.text}")
        return cell, ""

    def replies(self, position: Position) -> dict[int, int]:
        classes: dict[bytes, list[int]] = {}
        for cell in position.legal_moves:
            classes.setdefault(_name(position.play(cell)), []).append(cell)
        return {cells[0]: len(cells) for cells in classes.values()}

    def size(self, position: Position) -> int:
        seen: set[bytes] = set()
        waiting = [*self._turns([position])]
        while waiting:
            form = waiting.pop()
            if form in seen:
                continue
            seen.add(form)
            if form not in self._after:
                here = Position.from_owners(self.strategy.game, form)
                self._after[form] = self._turns([here.play(self.answer(here)[0])])
            waiting += self._after[form]
        return len(seen)

    def _turns(self, positions: list[Position]) -> tuple[bytes, ...]:
        """Play all replies up to the turns of the proof's player."""
        found: dict[bytes, None] = {}
        while positions:
            here = positions.pop()
            if here.is_over or self.strategy.is_endgame(here):
                continue
            if here.to_move == self.seat:
                found[_name(here)] = None
            else:
                positions += [here.play(cell) for cell in self.replies(here)]
        return tuple(found)


_Plan = _DictionaryPlan | _StrategyPlan


def _name(position: Position) -> bytes:
    return locate(position.game, position.owners)[0]


@dataclass
class _ProofPage(Page):
    """A proof's tree: the figure on a board counts listed moves."""

    plan: _Plan = field(kw_only=True)

    @cached_property
    def told(self) -> dict[int, str]:
        """What is said of the places, by their identity."""
        return {id(place): self._told(place) for place in self.places}

    def winner(self, place: Place) -> int:
        return self.seat if place.last is not None and self._mover(place) == self.seat else 0

    def sign(self, place: Place) -> str:
        if place.equal is not None or place.position.is_over:
            return ""
        return f"{size:,}" if (size := self.plan.size(place.position)) else ""

    def words(self, place: Place) -> str:
        return f"{place.position.text}; {self.told[id(place)]}"

    def caption(self, place: Place) -> str:
        if place.last is None:
            return ""
        name = f"{ICONS[self._mover(place) - 1]} {place.last}"
        return f"{name} = {place.equal.number}" if place.equal else f"{name} {place.means}".strip()

    def note(self, place: Place) -> str:
        return self.told[id(place)]

    def _mover(self, place: Place) -> int:
        return place.position.owners[place.position.history[-1]]

    def _told(self, place: Place) -> str:
        """Say what the last move does and what happens next."""
        position, said = place.position, [place.means] if place.means else []
        if place.equal is not None:
            said.append(f"equivalent to board {place.equal.number}")
        elif position.is_over:
            said.append("the game is over")
        elif position.to_move == self.seat:
            if self.plan.answer(position) is None:
                said.append("a forced sequence wins")
        else:
            kept = sum(self.plan.replies(position).values())
            others = len(position.legal_moves) - kept
            if others:
                which = "all" if not kept else str(others)
                said.append(f"{which} of {len(position.legal_moves)} replies lose to threats")
        if not place.children and place.equal is None and self.plan.size(position):
            said.append(f"goes on: --position {position.text}")
        return "; ".join(said)


def draw_proof(
    proof: Dictionary | Strategy,
    position: Position | None = None,
    plies: int | None = None,
    *,
    layout: str | None = None,
    task: Task = ALONE,
) -> str:
    """Draw the tree of a proof from its beginning or from a position, as SVG."""
    return drawn(_page(proof, position, plies, MOST_NODES, task), layout or "lines")


def proof_page(
    proof: Dictionary | Strategy,
    position: Position | None = None,
    plies: int | None = None,
    *,
    task: Task = ALONE,
) -> str:
    """Write the tree of a proof as a page in which branches are opened and closed, as HTML."""
    return html(_page(proof, position, plies, _MOST_ON_A_PAGE, task))


def _page(
    proof: Dictionary | Strategy,
    position: Position | None,
    plies: int | None,
    most: int,
    task: Task,
) -> _ProofPage:
    if position is not None:
        if position.game != proof.game:
            raise SpecError(f"the proof is of {proof.game}, not of {position.game}")
        proof = replace(proof, begins=position)
    plan: _Plan = (
        _StrategyPlan(proof) if isinstance(proof, Strategy) else _DictionaryPlan(proof, task)
    )
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
    """Grow the tree of a proof; what is like a place shown before refers to it and ends there."""
    root = Place(plan.start)
    seen = {_name(root.position): root}

    def follow(layer: list[Place], room: int) -> list[Place]:
        grown = [child for place in layer for child in _children(plan, place)]
        for place in grown if len(grown) <= room else ():
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
