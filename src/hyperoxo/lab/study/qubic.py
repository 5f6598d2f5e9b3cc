"""The stored proofs of Qubic, 4^3: their size and depth, and how their player fares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hyperoxo.lab.study.bench import Bench
from hyperoxo.lab.study.parts import Section, Study, Table, compared, share
from hyperoxo.lab.study.qubic_proofs import Examined, examine, handicaps
from hyperoxo.lab.study.qubic_tables import (
    by_stones,
    fairness,
    histogram,
    line,
    picture,
    replies,
    sizes,
    values,
)
from hyperoxo.proof.stored import STORED
from hyperoxo.solvers.proofsearch.quiet_depth import quiet_depth

__all__ = ["STUDY"]

SPECS = tuple(STORED)
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
    proofs = tuple(_examined(bench, spec) for spec in SPECS)
    # What takes a walk of minutes comes last or, for a quick look, not at all.
    walked = [
        found for found in proofs if bench.scale == 1 or len(found.dictionary.moves) <= _WALKED
    ]
    yield Section("Size", _SIZE, (sizes(proofs, walked), by_stones(proofs)))
    yield Section("Handicaps", _HANDICAPS, (fairness(handicaps(proofs, _MOST)),))
    yield Section("First moves", _FIRST, (values(proofs),))
    yield Section("The player of the proofs", _PLAY, tuple(_played(bench, proofs)))
    for found in walked:
        name = _name(found)
        yield Section(
            f"Replies to {line(found)} in {found.spec}",
            _REPLIES,
            (replies(name, found), histogram(name, found)),
            (picture(name, found),),
        )
    rich = next((found for found in proofs if found.spec == "4^3"), None)
    if rich is not None:
        yield Section("The least number of quiet moves", _LEAST, (_least(bench, rich),))


def _examined(bench: Bench, spec: str) -> Examined:
    found = examine(spec, check=False)
    few = bench.scale == 1 and len(found.dictionary.moves) <= _CHECKED
    return examine(spec, check=True) if bench.full or few else found


def _name(found: Examined) -> str:
    """Return a word for the names of tables and figures."""
    return {"4^3": "rich"}.get(found.spec, found.spec.rpartition("=")[2])


_SIZE = (
    "A strategic position is one in which the winner can neither complete a line, nor has to stop "
    "one, nor wins by a forced sequence: there the proof must tell him what to play. Positions "
    "that are images of each other under the 192 symmetries count once. All other moves follow "
    "from the position, and the checker finds them by itself.\n\nThe proofs were checked when they "
    "were made. Each row says whether this run checked its proof again: a full run does so with "
    "all of them, a reduced one with the smaller ones, and a scaled one, for a quick look, with "
    "none. How many positions have a block, and how many quiet moves there are on a path, takes a "
    "walk through all that may be played; a quick look does that for the smaller proofs."
)
_HANDICAPS = (
    "How many of the first player's first moves must go to poor cells, those on four lines, for "
    "the game to be fair? Who wins as first player wins with fewer such moves as well, by the same "
    "play; and who wins as second player wins with more, which leave the first player fewer ways. "
    "The rows are filled from the stored proofs alone: where none tells, the case is open."
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
    "How many quiet moves are needed at least after each reply, whatever the proof, by searches "
    "that allow so many and no more: one that fails with all moves looked at proves that more are"
    " needed. The stored proof was made small, not shallow. Where the time was too short there "
    "are bounds."
)
_PLAY = (
    "The winner follows the stored proof and searches nothing but forced sequences. It must win "
    "every game; a game that it did not win would refute a proof. The games "
    "themselves prove nothing. Rivals that search long play in a full run; in a reduced one "
    "against the first player's proofs alone, and not for a quick look."
)


def _least(bench: Bench, found: Examined) -> Table:
    seconds = bench.size(*_SECONDS)
    rows = []
    for one in found.replies:
        least = quiet_depth(
            found.after.play(one.cells[0]),
            seconds=seconds,
            megabytes=bench.size(64, 512),
            threads=bench.workers,
        )
        most = one.depth if least.at_most is None else min(least.at_most, one.depth)
        rows.append((one.cells[0], one.depth, least.at_least, most, least.at_least == most))
    played = line(found)
    return Table(
        "least",
        f"Quiet moves needed after each reply to {played}",
        ("reply", "stored proof", "at least", "at most", "exact"),
        tuple(rows),
        f"Searched for {seconds:g} seconds a reply; 'oxo quiet 4^3 --position moves:{played} "
        f"--every-reply --seconds {seconds:g}' does the same.",
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
            remark = f"{result.plies:.1f} moves a game"
            findings.append(share(rival, None, (result.wins[seat - 1], games), command, remark))
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
