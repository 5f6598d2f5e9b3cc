"""Solving by proof search: win, loss or draw of positions out of reach of exact search.

Each player in turn is the attacker, with growing node limits, unless one is named; theorems exclude
attackers ahead. A narrow search that fails is repeated with more moves of the attacker, until all
are tried: only then is a win disproved. The narrowest search is also abandoned when it takes long.
Wider ones begin with the positions won so far. If neither player can win, the value is a draw.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count, repeat

from hyperoxo.display import number_of
from hyperoxo.errors import SpecError
from hyperoxo.game import Bounds, Game, Position, Reason, Value, Why
from hyperoxo.jit import working_time
from hyperoxo.proof import Dictionary, dictionary_of, write_proof
from hyperoxo.proof.dictionary_check import pack
from hyperoxo.solvers.arrays import move_classes
from hyperoxo.solvers.proofsearch.search import (
    WIDTH,
    ProofProgress,
    ProofSearch,
    TableFiles,
)
from hyperoxo.solvers.proofsearch.tree import ProofTree, in_image, proof_tree, tree_of
from hyperoxo.solvers.proofsearch.view import owners_of, words_of
from hyperoxo.solvers.record import Knowledge
from hyperoxo.solvers.solution import Question, Solution, SolutionCallback, because
from hyperoxo.solvers.sources import Stored, bounds_by_stored_proofs
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.task import ALONE, Stop, Task

PATASHNIK = 2929
"""Strategic moves of the first proof of 4^3: O. Patashnik, "Qubic: 4x4x4 Tic-Tac-Toe", Mathematics
Magazine 53 (1980)."""

_FIRST_NODES = 20_000
_GROWTH = 5
_NARROWEST = 200_000
_WIDTHS = (WIDTH, 10, 16, 28, 0)
_NARROW = "there is no win with the best moves alone, {} of each position"


@dataclass(frozen=True)
class ProofSettings:
    """Settings of a proof search.

    `megabytes` are for the table of one attacker, which `threads` share. `width` is the number of
    attacker's moves tried in one position, 0 for all; None begins with five and widens where they
    fail. The table is saved to `checkpoint` every `interval` seconds, and read from it at the
    beginning. `attacker` is the only player whose win is searched, None for both in turn.
    `suggestions` and, for single positions, `first` are tried first; they prove nothing, and of
    several for one position up to symmetry the first is used. Moves are searched only if they are
    `asked` for; cheap ones are those that the table knows. `stored` accepts the values of stored
    proofs; then only a certificate needs a search there.
    """

    megabytes: int = 512
    threads: int = 1
    width: int | None = None
    checkpoint: str | os.PathLike[str] | None = None
    interval: float = 60.0
    asked: Question = Question.CHEAP_MOVES
    attacker: int | None = None
    suggestions: Dictionary | None = None
    first: tuple[tuple[Position, int], ...] = ()
    stored: bool = False


ProgressCallback = Callable[[str, ProofProgress], object]
"""Called with a description of the search in progress, and its progress."""


@dataclass
class _Side:
    """Search for one attacker, its cost, and a flag if it ended without trying all moves."""

    # `left` are the nodes left for this width, None for no limit.

    search: ProofSearch
    widths: list[int]
    left: int | None
    nodes: int = 0
    threat_nodes: int = 0
    narrow: bool = False


@dataclass
class ProofSolver:
    """One position being solved."""

    position: Position
    settings: ProofSettings = field(default_factory=ProofSettings)
    on_progress: ProgressCallback | None = None
    stop: Stop | None = None
    update: SolutionCallback | None = None
    known: Knowledge | None = None
    searched: Bounds = field(default_factory=Bounds)
    """Bounds by theorems and this search, without those of stored proofs."""
    interrupted: bool = False

    def __post_init__(self) -> None:
        if self.position.is_over:
            raise SpecError("the game is over in this position")
        if self.settings.attacker not in (None, 1, 2):
            raise SpecError(f"the attacker is player 1 or 2, not {self.settings.attacker}")
        self.game = self.position.game
        self.mover = self.position.to_move
        self._files = TableFiles(self.settings.checkpoint)
        self._sides = {seat: self._side(seat) for seat in (1, 2)}
        self._seconds = 0.0
        self._task = ALONE
        self._most = 0
        self._evidence: list[Reason] = []
        self._known = self.known or Knowledge(self.position, class_of=self._classes())
        self._before = self.bound

    def run(self, *, seconds: float | None = None, nodes: int = 0, certify: bool = False) -> None:
        """Search until the position, or every move, is decided or a limit is met.

        With `certify`, the position is searched even if a stored proof decides it.
        """
        began = working_time()
        self._task = Task.within(seconds, self.stop)
        self._most = nodes and nodes + self.nodes
        self.interrupted = False
        self._evidence.clear()
        theorems = bounds_by_theorems(self.position)
        self._known.bound(theorems, "theorem")
        said = bounds_by_stored_proofs(self.position) if self.settings.stored else Stored()
        self._known.take_stored(said)
        # A certificate needs a separate search: bounds of stored proofs are left out then, so
        # that the search does not stop before it has a proof.
        try:
            start = theorems if certify else self._before & theorems & said.own
            self.searched = self._decide(self.position, start, "")
            self._known.bound(self.searched, "proof-search")
            if self.settings.asked in (Question.BEST_MOVE, Question.EVERY_MOVE):
                self._decide_moves()
            self._join()
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self._seconds += working_time() - began
            self._save()

    @property
    def bound(self) -> Bounds:
        """Bounds of the position."""
        return self._known.own.known

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return sum(side.nodes for side in self._sides.values())

    def attacking(self, seat: int) -> ProofSearch:
        """Return the search with a player as the attacker."""
        return self._sides[seat].search

    def _decide(self, position: Position, bound: Bounds, what: str) -> Bounds:
        """Search both players' wins with growing node limits until the bounds meet."""
        # A single attacker needs no turns, and no limit (0). With two, a win that is hard for one
        # may be refuted soon by the other; growth by a constant factor wastes a bounded share.
        attackers = [position.to_move, 3 - position.to_move]
        if self.settings.attacker is not None:
            attackers = [self.settings.attacker]
        growing = (_FIRST_NODES * _GROWTH**attempt for attempt in count())
        for nodes in growing if len(attackers) > 1 else repeat(0):
            for seat in [*attackers]:
                wins = _won_by(seat, position.to_move)
                if bound.decided or self._stopped:
                    return bound
                found = None
                if bound.low <= wins <= bound.high:
                    found = self._attack(position, seat, nodes, what)
                if found is None:
                    attackers.remove(seat)
                else:
                    bound &= found
            if not attackers:
                return bound
        raise AssertionError("the budgets have no end")

    def _attack(self, position: Position, seat: int, nodes: int, what: str) -> Bounds | None:
        """Search for a win of one player, wider after a failure; None when all widths failed."""
        # `left` limits the narrowest width alone: when it is used up, or the search fails, widen. A
        # failure is a disproof only if all moves were tried. A win holds at any width.
        side = self._sides[seat]
        mine = seat == position.to_move
        while True:
            before, left = side.nodes, side.left
            most = nodes if left is None else min(nodes or left, left)
            result = self._run(side, position, most, f"player {seat} to win{what}")
            if result.status == "win":
                self._note(seat, what, "wins")
                return Bounds.exactly(_won_by(seat, position.to_move))
            if left is not None:
                side.left = max(1, left - (side.nodes - before))
            if self._stopped or (result.status == "unknown" and (left is None or most < left)):
                return Bounds()
            all_tried = not side.search.width or side.search.width >= self.game.cells
            if result.status == "failed" and all_tried:
                self._note(seat, what, "cannot force a win")
                return Bounds(high=Value.DRAW) if mine else Bounds(low=Value.DRAW)
            if not side.widths:
                side.narrow = True
                return None
            # Failures of the narrow search do not hold for a wider one, wins do.
            wider = self._search(seat, side.widths.pop(0))
            wider.take_wins(side.search)
            side.search, side.left = wider, None

    def _run(self, side: _Side, position: Position, nodes: int, what: str) -> ProofProgress:
        def report(progress: ProofProgress) -> None:
            if self.on_progress is not None:
                self.on_progress(what + self._decided(), progress)
            self._save(self.settings.interval)

        if self._most:
            left_over = max(1, self._most - self.nodes)
            nodes = min(nodes, left_over) if nodes else left_over
        task = replace(self._task, on_report=report)
        result = side.search.run(position, task, nodes=nodes, threads=self.settings.threads)
        side.nodes += result.nodes
        side.threat_nodes += result.threat_nodes
        return result

    @property
    def _stopped(self) -> bool:
        """True if the task is over or its positions are used up."""
        return self._task.over or 0 < self._most <= self.nodes

    def _decide_moves(self) -> None:
        """Decide the moves, one of each class, or until one has the value of the position."""
        for cell, move in self._known.moves.items():
            self._join()
            if self.update is not None:
                self.update(self.solution())
            if self._stopped or self._is_answered:
                return
            # The value of a move is the negative of that of the position after it.
            if not (move.known.decided or move.after.is_over):
                found = self._decide(move.after, -move.known, f" after {cell}")
                move.tighten(-found, "proof-search")

    @property
    def _is_answered(self) -> bool:
        """True once the question is answered."""
        return self._known.answers(self.settings.asked, plies=False)

    def _join(self) -> None:
        """Propagate bounds between the position, its moves and the tables."""
        # 1. Wins after each move that the tables of both attackers have. 2. A best move of a won
        # position. 3. Propagate.
        moves = self._known.moves.values()
        for move in moves:
            if not (move.known.decided or move.after.is_over):
                for seat, side in self._sides.items():
                    if side.search.is_proved(words_of(move.after, seat)):
                        won = Bounds.exactly(_won_by(seat, self.mover))
                        move.tighten(won, "proof-search")
        if self.bound.low is Value.WIN and not any(move.known.low is Value.WIN for move in moves):
            # Wins by threats alone are not stored in tables.
            words = words_of(self.position, self.mover)
            status, cell = self.attacking(self.mover).attack(words)
            if status == "win":
                self._known.tighten(cell, Bounds.exactly(Value.WIN), "proof-search")
        self._known.join()

    def _classes(self) -> dict[int, int]:
        """Group the moves that lead to images of one position, or are images of each other."""
        # Searches use only some of the symmetries if the group is very large.
        images: dict[int, int] = {}
        for first, cells in self.attacking(self.mover).classes(self.position).items():
            images.update(dict.fromkeys(cells, first))
        return {cell: images[least] for cell, least in move_classes(self.position).items()}

    def _decided(self) -> str:
        """Progress in moves decided, if all are asked for."""
        if self.settings.asked is not Question.EVERY_MOVE:
            return ""
        winner = self.bound.winner(self.mover, players=2)
        known = "" if winner is None else f", player {winner} wins" if winner else ", a draw"
        done, moves = self._moves_decided
        return f"{known}, {done} of {number_of(moves, 'move')} decided"

    @property
    def _moves_decided(self) -> tuple[int, int]:
        """Number of moves whose value is known, and of all moves."""
        classes = self._known.class_of.values()
        return sum(self._known.moves[first].known.decided for first in classes), len(classes)

    def _side(self, seat: int) -> _Side:
        """Begin with the narrowest search, or with the widest that has a checkpoint."""
        widths = [*_WIDTHS] if self.settings.width is None else [self.settings.width]
        files = [self._files.path(seat, width) for width in widths]
        at = max((i for i, file in enumerate(files) if file and file.exists()), default=0)
        left = None if at or len(widths) == 1 else _NARROWEST
        return _Side(self._search(seat, widths[at]), widths[at + 1 :], left)

    def _search(self, seat: int, width: int) -> ProofSearch:
        search = ProofSearch(self.game, seat, megabytes=self.settings.megabytes, width=width)
        self._files.load(search)
        for position, cell in self.settings.first:
            if position.to_move == seat:
                search.suggest(dict([in_image(search, words_of(position, seat), cell)]))
        suggestions = self.settings.suggestions
        if suggestions is not None and suggestions.seat == seat:
            search.suggest(tree_of(search, suggestions).moves)
        return search

    def _save(self, interval: float = 0.0) -> None:
        """Write the tables in use, unless that was done in the last `interval` seconds."""
        used = (side.search for side in self._sides.values() if side.nodes + side.search.entries)
        self._files.save(used, interval)

    def _note(self, seat: int, what: str, found: str) -> None:
        side = self._sides[seat]
        width = f"the {number_of(w, 'best move')}" if (w := side.search.width) else "all moves"
        why = Why.PROOF_SEARCH(
            width=width,
            seat=seat,
            found=found,
            what=what,
            nodes=side.nodes,
            threat_nodes=side.threat_nodes,
        )
        self._evidence.append(why)

    def solution(self) -> Solution:
        """Return the present knowledge as a solution."""
        self._join()
        return self._known.solution(
            reasons=self.evidence(),
            nodes=self.nodes,
            seconds=self._seconds,
            complete=not self.interrupted and self._is_answered,
            interrupted=self.interrupted,
        )

    def evidence(self) -> tuple[Reason, ...]:
        """Reasons that state the extent of the searches."""
        reasons, bound = [*self._evidence], self.bound
        reason = "interrupted" if self.interrupted else "the limit came first"
        for seat, side in () if bound.decided else self._sides.items():
            if side.nodes and bound.low <= _won_by(seat, self.mover) <= bound.high:
                why = _NARROW.format(side.search.width) if side.narrow else reason
                reasons.append(Why.PROOF_SEARCH_OPEN(seat=seat, nodes=side.nodes, problem=why))
        if self.settings.asked is Question.EVERY_MOVE:
            done, moves = self._moves_decided
            reasons.append(Why.MOVES_DECIDED(decided=done, moves=moves))
        return tuple(reasons)


def _won_by(seat: int, mover: int) -> Value:
    """Value of a position for the player to move if `seat` wins it."""
    return Value.WIN if seat == mover else Value.LOSS


def certificate_of(solver: ProofSolver, seat: int) -> Dictionary:
    """Return the strategy of a proved win as a dictionary of strategic moves."""
    tree = proof_tree(solver.attacking(seat), solver.position)
    return dictionary_of_tree(solver.position, seat, tree)


def dictionary_of_tree(position: Position, seat: int, tree: ProofTree) -> Dictionary:
    """Return a proof tree of a position as a dictionary."""
    game = position.game
    entries = ((owners_of(game, seat, here), move) for here, move in tree.moves.items())
    return dictionary_of(game, seat, position, entries)


def solve_by_proof(
    position: Position,
    *,
    seconds: float | None = None,
    nodes: int = 0,
    settings: ProofSettings | None = None,
    proof: str | os.PathLike[str] | None = None,
    stored: bool = False,
    creator: str = "",
    on_progress: ProgressCallback | None = None,
    stop: Stop | None = None,
    update: SolutionCallback | None = None,
) -> Solution:
    """Solve a position by proof search, which finds no distances.

    With `proof`, the certificate of a win is checked and then written there; if `stored`, with the
    forced sequences too, so that its checker searches nothing.
    """
    solver = ProofSolver(position, settings or ProofSettings(), on_progress, stop, update)
    solver.run(seconds=seconds, nodes=nodes, certify=proof is not None)
    if proof is None or solver.interrupted:
        return solver.solution()
    return with_certificate(solver, proof, creator, stored=stored)


def with_certificate(
    solver: ProofSolver,
    proof: str | os.PathLike[str],
    creator: str,
    *,
    stored: bool = False,
) -> Solution:
    """Return the solution of a solver, and write the certificate of a win that it searched."""
    # It is checked before; one that does not hold is never written.
    solution = solver.solution()
    if not solver.searched.winner(solver.mover, players=2):
        problem = "certificates of proof search are for wins, and none was found"
        return because(solution, Why.NO_PROOF(problem=problem))
    certificate, begin = certificate_of(solver, solution.winner or 0), working_time()
    packed, verdict = pack(certificate, stored=stored)
    # The checker's own clock counts compiling.
    seconds = min(verdict.seconds, working_time() - begin)
    write_proof(packed, proof, creator=creator)
    published = ""
    if solver.position.game == Game("4^3") and not solver.position.ply:
        published = f" (Patashnik 1980: {PATASHNIK:,})"
    why = Why.STRATEGIC_CERTIFICATE(
        statement=packed.statement,
        moves=verdict.strategic,
        published=published,
        quiet=verdict.quiet,
        seconds=seconds,
    )
    return because(solution, why, proof=os.fspath(proof))
