"""The stored proofs of Qubic, 4^3: their size and depth, and games of the proof player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position, spelled
from hyperoxo.lab.plots.style import Figure, new_figure, styled
from hyperoxo.proof import Dictionary, verify
from hyperoxo.proof.claim import DictionaryVerdict
from hyperoxo.proof.coverage import coverages
from hyperoxo.proof.dictionary_play import listed_move
from hyperoxo.proof.images import locate
from hyperoxo.proof.stored import DICTIONARIES, stored_dictionary, stored_proof
from hyperoxo.solvers.arrays import symmetries_of
from hyperoxo.solvers.proofsearch.driver import PATASHNIK
from hyperoxo.solvers.proofsearch.quiet_depth import QuietSearch
from hyperoxo.solvers.proofsearch.tree import ProofGraph, graph_of
from hyperoxo.solvers.proofsearch.view import ProofView, Words, owners_of, words_of
from hyperoxo.solvers.threats.search import words_of_owners
from hyperoxo.task import Task
from hyperoxo_research.study.parts import (
    Bench,
    Finding,
    Picture,
    Section,
    Study,
    Table,
    compared,
    share,
)
from hyperoxo_research.study.qubic_article import (
    the_board,
    the_example,
    the_forced_lines,
    the_memory,
)


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


@dataclass(frozen=True)
class Examined:
    """A stored proof and its statistics.

    Those that need a walk through all play against it are computed on demand.
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
        """Number of strategic moves that are quiet."""
        seat = self.dictionary.seat
        view = ProofView(self.dictionary.game, seat)
        return sum(
            not view.threatens(words_of_owners(form, seat), move)
            for form, move in self.dictionary.moves.items()
        )

    @cached_property
    def graph(self) -> ProofGraph:
        """The graph of positions that play against it can reach."""
        return proof_graph(self.dictionary)

    @cached_property
    def after(self) -> Position:
        """The position after its first move, which may answer a move of the other player."""
        # The least image, since the article plays the first move on 0.
        start = self.dictionary.position
        if start.to_move != self.dictionary.seat:
            start = start.play(start.legal_moves[0])
        move = listed_move(self.dictionary, start)
        assert move is not None
        game, moves = self.dictionary.game, [*start.history, move]
        least = min(map(tuple, symmetries_of(game)[:, moves].tolist()))
        return game.position(f"moves:{','.join(map(str, least))}")

    @cached_property
    def replies(self) -> tuple[ReplyClass, ...]:
        """Strategic moves, quiet moves and depth by class of replies in that position."""
        return reply_classes(self.dictionary, self.graph, self.after)

    @property
    def depth(self) -> int:
        """Most quiet moves on a path, the first move included."""
        return max(self.graph.depths().values())

    @property
    def blocks(self) -> int:
        """Number of positions in which its player only blocks."""
        return sum(not node.listed for node in self.graph.nodes.values())


def examine(spec: str, *, check: bool) -> Examined:
    """Collect the statistics of a stored proof."""
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
    """Results with the first player's first moves restricted to cells on four lines."""

    moves: int
    winner: int | None
    proof: Examined | None

    @property
    def spec(self) -> str:
        """The game."""
        return poor(self.moves)


def poor(moves: int) -> str:
    """Return Qubic with this number of restricted moves."""
    return str(Game("4^3" if not moves else f"4^3:opening=poorx{moves}"))


def handicaps(proofs: Sequence[Examined], most: int) -> tuple[Handicap, ...]:
    """Return the winner for each number of restricted moves, if these proofs decide it."""
    # Monotone: a win of player 1 also holds with fewer restricted moves, one of player 2 with more.
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
    """Return the orbits of first moves, each ``"win"`` or ``"unknown"`` by the stored proofs."""
    game = Game(spec)
    start = game.start()
    won = {cell for coverage in coverages(game) for cell in coverage.winning_moves(start)}
    orbits = [cells for cells in game.symmetry.orbits() if {*cells} & {*start.legal_moves}]
    return tuple((cells, "win" if {*cells} <= won else "unknown") for cells in orbits)


def sizes(proofs: Sequence[Examined], walked: Collection[Examined]) -> Table:
    """Return sizes of the proofs, with the published one; and depths of those in `walked`."""
    findings = []
    for found in proofs:
        published = PATASHNIK if found.spec == "4^3" else None
        another = "Patashnik 1980; another proof of the same claim; " if published else ""
        findings += [
            Finding(
                f"{found.spec}: strategic moves",
                published,
                len(found.dictionary.moves),
                command=f"oxo study qubic{'' if found.verdict else ' --full'}",
                remark=f"player {found.dictionary.seat} wins; {another}{checked(found)}",
            ),
            Finding(f"{found.spec}: of them quiet", None, found.quiet),
            Finding(f"{found.spec}: bytes of the file", None, found.size),
        ]
        if found in walked:
            findings += [
                Finding(f"{found.spec}: positions with one block", None, found.blocks),
                Finding(f"{found.spec}: most quiet moves on a path", None, found.depth),
            ]
        if found.verdict is not None:
            seconds = round(found.verdict.seconds, 1)
            findings.append(Finding(f"{found.spec}: seconds to check", None, seconds))
    title = "The stored proofs, beside the published one"
    return compared("size", title, findings, where="Patashnik 1980")


def checked(found: Examined) -> str:
    """Return a note on whether this run checked a proof."""
    if found.verdict is not None:
        return "checked in this run"
    return "not checked in this run: what its file says"


def fairness(found: Sequence[Handicap]) -> Table:
    """Return the winner for each handicap, with the reason."""
    rows = []
    for one in found:
        own = one.proof is not None and one.proof.spec == one.spec
        if one.proof is None:
            why = "no stored proof, and none of another handicap tells"
        elif own:
            why = f"stored proof, {checked(one.proof)}"
        else:
            why = f"follows from {one.proof.spec}"
        stored = one.proof if own else None
        rows.append(
            (
                one.moves,
                one.spec,
                "open" if one.winner is None else f"player {one.winner} wins",
                None if stored is None else len(stored.dictionary.moves),
                None if stored is None else stored.quiet,
                PATASHNIK if one.spec == "4^3" else None,
                why,
            )
        )
    return Table(
        "handicaps",
        "Winner with the first player's first moves restricted to poor cells",
        ("moves", "game", "result", "strategic", "quiet", "published", "by"),
        tuple(rows),
        f"Published is the size of Patashnik's tree, {PATASHNIK:,} strategic moves, which is for "
        "the game without a handicap and compares with that row alone.",
    )


def by_stones(proofs: Sequence[Examined]) -> Table:
    """Return the strategic positions of each proof by number of stones."""
    counts = [
        Counter(len(form) - form.count(0) for form in found.dictionary.moves) for found in proofs
    ]
    numbers = sorted({number for stones in counts for number in stones})
    return Table(
        "stones",
        "Strategic positions by stones on the board",
        ("stones", *(found.spec for found in proofs)),
        tuple((number, *(stones.get(number) for stones in counts)) for number in numbers),
        "The player of the proof is to move: the first after an even number of stones, else the "
        "second.",
    )


def values(proofs: Sequence[Examined]) -> Table:
    """Return the value of each orbit of first moves."""
    known = {found.spec: found for found in proofs}
    lines = Game("4^3").board.degrees
    findings = []
    for cells, value in first_moves():
        rich = int(lines[cells[0]]) == 7
        found = known.get(poor(0 if rich else 1))
        who = "Patashnik 1980, Allis and Schoo 1992" if rich else "open in the article"
        findings.append(
            Finding(
                f"first move on one of {len(cells)} cells with {lines[cells[0]]} lines",
                "win" if rich else None,
                value,
                agrees=value == "win" if rich else None,
                command="oxo analyse --game 4^3 --position moves:",
                remark=who if found is None else f"{who}; by a proof {checked(found)}",
            )
        )
    title = "What the first move is worth to the first player"
    return compared("first", title, findings, where="Historical excursion")


def replies(name: str, found: Examined) -> Table:
    """Return the figures of a proof by class of replies to its first move."""
    lines = found.dictionary.game.board.degrees
    rows = tuple(
        (
            one.cells[0],
            len(one.cells),
            int(lines[one.cells[0]]),
            one.strategic,
            one.quiet,
            one.blocks,
            one.depth,
        )
        for one in found.replies
    )
    return Table(
        f"replies-{name}",
        f"Replies to {line(found)} in {found.spec}",
        ("reply", "cells", "lines", "strategic", "quiet", "blocks", "depth"),
        rows,
    )


def line(found: Examined) -> str:
    """Return the moves that the replies answer."""
    return ",".join(map(str, found.after.history))


def histogram(name: str, found: Examined) -> Table:
    """Return the strategic positions after each class of replies by quiet moves ahead."""
    deepest = max(len(one.by_depth) for one in found.replies)
    rows = tuple(
        (one.cells[0], *one.by_depth, *(0 for _ in range(deepest - len(one.by_depth))))
        for one in found.replies
    )
    return Table(
        f"depths-{name}",
        "Strategic positions by quiet moves still ahead at most, their own included",
        ("reply", *map(str, range(deepest))),
        rows,
    )


def picture(name: str, found: Examined) -> Picture:
    """Return the histogram as a heat map, a row for each class of replies."""

    @styled()
    def draw() -> Figure:
        table = histogram(name, found)
        counts = np.array([row[1:] for row in table.rows], dtype=float)
        figure, axes = new_figure(6.4, 1.2 + 0.26 * len(counts))
        logs = np.log10(np.where(counts, counts, np.nan))
        axes.imshow(logs, aspect="auto")
        axes.set_xticks(range(counts.shape[1]))
        axes.set_yticks(range(len(counts)), [str(row[0]) for row in table.rows])
        axes.set_xlabel("quiet moves ahead")
        axes.set_ylabel("reply")
        axes.grid(visible=False)
        for (row, column), count in np.ndenumerate(counts):
            # The scale of colours is dark below and light above.
            colour = "white" if logs[row, column] < np.nanmax(logs) / 2 else "black"
            text = f"{count:.0f}" if count else ""
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=7)
        return figure

    caption = (
        f"Strategic positions of the proof of {found.spec} after each class of replies, "
        "by the most quiet moves still to be made, the one played there included. Colours are "
        "logarithmic."
    )
    return Picture(f"depths-{name}", caption, draw)


SPECS = tuple(DICTIONARIES)
RIVALS = (
    "random",
    "greedy",
    "ising",
    "minimax:depth=2",
    "mcts:simulations=1000",
    "mcts:simulations=10000",
    "minimax:depth=4,heuristic=traps",
    "expert:simulations=1000",
)
_SECONDS = 1.0, 60.0
_SLOW = ("mcts:simulations=10000", "expert:simulations=1000", "minimax:depth=4,heuristic=traps")
_MOST = 6
_CHECKED, _WALKED = 3_000, 5_000
"""Strategic moves of the proofs that a run checks unless it is full, and walks for a quick look."""


def _sections(bench: Bench) -> Iterator[Section]:
    yield the_board()
    yield the_example()
    proofs = tuple(_examined(bench, spec) for spec in SPECS)
    # Proofs that take minutes to walk through come last or, in scaled runs, not at all.
    walked = [
        found for found in proofs if bench.scale == 1 or len(found.dictionary.moves) <= _WALKED
    ]
    yield Section("Size", _SIZE, sizes(proofs, walked), by_stones(proofs))
    yield Section("Handicaps", _HANDICAPS, fairness(handicaps(proofs, _MOST)))
    yield Section("First moves", _FIRST, values(proofs))
    yield Section("The player of the proofs", _PLAY, *_played(bench, proofs))
    for found in walked:
        name = _name(found)
        yield Section(
            f"Replies to {line(found)} in {found.spec}",
            _REPLIES,
            replies(name, found),
            histogram(name, found),
            picture(name, found),
        )
    rich = next((found for found in proofs if found.spec == "4^3"), None)
    if rich is not None:
        if rich in walked:
            yield the_forced_lines(bench, rich.dictionary, rich.graph)
        yield the_memory(bench)
        yield Section("The least number of quiet moves", _LEAST, _least(bench, rich))


def _examined(bench: Bench, spec: str) -> Examined:
    found = examine(spec, check=False)
    few = bench.scale == 1 and len(found.dictionary.moves) <= _CHECKED
    return examine(spec, check=True) if bench.full or few else found


def _name(found: Examined) -> str:
    """Return a word for the names of tables and figures."""
    return {"4^3": "rich"}.get(found.spec, found.spec.rpartition("=")[2])


_SIZE = (
    "A strategic position is one in which the winner can neither complete a line, nor has to stop "
    "one, nor wins by a forced sequence: there the proof must say what to play. Positions that "
    "are images of each other under the 192 symmetries count once. All other moves follow from "
    "the position, and the checker finds them by itself.\n\nThe proofs were checked when they "
    "were made. Each row says whether this run checked its proof again: a full run does so with "
    "all of them, a reduced one with the smaller ones, and a scaled one, for a quick look, with "
    "none. The numbers of positions with a block, and of quiet moves on a path, take a walk "
    "through all possible play; a quick look does that for the smaller proofs."
)
_HANDICAPS = (
    "How many of the first player's first moves must be restricted to poor cells, those on four "
    "lines, for the game to be fair? A first player who wins also wins with fewer such moves, by "
    "the same play; a second player who wins also wins with more, which leave the first player "
    "less choice. The rows are filled from the stored proofs alone: where none decides, the case "
    "is open."
)
_FIRST = (
    "The 64 cells fall into two classes: 16 rich cells on seven lines and 48 poor ones on four. "
    "The article asks for the value where the first move must be poor; it is a win as well."
)
_REPLIES = (
    "One row for each class of replies under the symmetries that keep the stones. A move is "
    "quiet if it neither wins, nor blocks, nor makes a threat. The depth is the most quiet moves "
    "still to be made on any path, moves already made not counted. Positions that several replies "
    "lead to count in each row, so that rows add up to more than the proof has. The article links "
    "its own trees and prints no figures of them, so there is nothing to set beside these rows."
)
_LEAST = (
    "The least number of quiet moves needed after each reply, in any proof, by searches that "
    "allow a fixed number: one that fails after trying all moves proves that more are "
    "needed. The stored proof was made small, not shallow. If the time was too short, there "
    "are bounds."
)
_PLAY = (
    "The winner follows the stored proof and searches nothing but forced sequences. It must win "
    "every game; a game that it did not win would refute a proof. The games "
    "themselves prove nothing. Rivals that search long play in a full run; in a reduced one "
    "against the first player's proofs alone, and not for a quick look."
)


def _least(bench: Bench, found: Examined) -> Table:
    seconds, rows = bench.size(*_SECONDS), []
    search = QuietSearch(found.dictionary.game, found.dictionary.seat, bench.size(64, 512))
    for one in found.replies:
        here, task = found.after.play(one.cells[0]), Task.within(seconds)
        least = search.depth(here, task, threads=bench.workers)
        most = one.depth if least.at_most is None else min(least.at_most, one.depth)
        rows.append((one.cells[0], one.depth, least.at_least, most, least.at_least == most))
    played = line(found)
    return Table(
        "least",
        f"Quiet moves needed after each reply to {played}",
        ("reply", "stored proof", "at least", "at most", "exact"),
        tuple(rows),
        f"Searched for {seconds:g} seconds a reply; 'oxo prove quiet 4^3 --position moves:{played} "
        f"--every-reply --seconds {seconds:g}' does the same; with --checkpoint FILE a longer "
        "search resumes.",
    )


def _played(bench: Bench, proofs: Sequence[Examined]) -> Iterator[Table]:
    for found in proofs:
        findings, seat = [], found.dictionary.seat
        for rival in RIVALS:
            if rival in _SLOW and (bench.scale < 1 or (seat == 2 and not bench.full)):
                continue
            games = bench.size(10, 1000) if rival not in _SLOW else bench.size(2, 100)
            agents = ["proof", rival] if seat == 1 else [rival, "proof"]
            result, command = bench.match(found.spec, agents, games)
            won, remark = (result.wins[seat - 1], games), f"{result.plies:.1f} moves a game"
            findings.append(share(rival, None, won, command, remark=remark))
        title = f"{found.spec}: games won by the proof's player, as player {seat}, %"
        yield compared(f"play-{_name(found)}", title, findings)


STUDY = Study(
    "qubic",
    "Qubic: the stored proofs",
    "O. Patashnik, Qubic: 4 x 4 x 4 Tic-Tac-Toe, Mathematics Magazine 53 (1980), proved that the "
    "first player wins, with 2,929 strategic moves. L. V. Allis and P. N. A. Schoo (1992) proved "
    "it by search alone. An article on an almost optimal tree of 4x4x4 tic-tac-toe asks for the "
    "tree with the fewest quiet moves on any path, and for the value where the first move must go"
    " to a cell on four lines.",
    _sections,
)
