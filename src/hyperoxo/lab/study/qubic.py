"""The stored proofs of Qubic, 4^3: their size and depth, and how their player fares."""

from __future__ import annotations

from collections.abc import Iterator

from hyperoxo.lab.study.bench import Bench
from hyperoxo.lab.study.parts import Section, Study, Table, compared, share
from hyperoxo.lab.study.qubic_proofs import Examined, examine
from hyperoxo.lab.study.qubic_tables import by_stones, histogram, picture, replies, sizes, values
from hyperoxo.solve.quiet_depth import quiet_depth

__all__ = ["STUDY"]

RICH, POOR = "4^3", "4^3:opening=poor"
RIVALS = (
    "random",
    "greedy",
    "ising",
    "minimax:depth=2",
    "minimax:depth=4,heuristic=traps",
    "mcts:simulations=1000",
    "mcts:simulations=10000",
    "expert:simulations=1000",
)
_SECONDS = 1.0, 60.0
_SLOW = ("mcts:simulations=10000", "expert:simulations=1000", "minimax:depth=4,heuristic=traps")


def _sections(bench: Bench) -> Iterator[Section]:
    # The proof of the poor opening takes half a minute to check.
    rich, poor = examine(RICH, check=bench.scale == 1), examine(POOR, check=bench.full)
    yield Section("Size", _SIZE, (sizes(rich, poor), by_stones(rich, poor)))
    yield Section("First moves", _FIRST, (values(rich, poor),))
    for name, found in (("rich", rich), ("poor", poor)):
        yield Section(
            f"Replies to a {name} first move",
            _REPLIES,
            (replies(name, found), histogram(name, found)),
            (picture(name, found),),
        )
    yield Section("The least number of quiet moves", _LEAST, (_least(bench, rich),))
    yield Section("The player of the proofs", _PLAY, tuple(_played(bench)))


_SIZE = (
    "A strategic position is one in which the first player can neither complete a line, nor has "
    "to stop one, nor wins by a forced sequence: there the proof must tell him what to play. "
    "Positions that are images of each other under the 192 symmetries count once. All other moves"
    " follow from the position, and the checker finds them by itself."
)
_FIRST = (
    "The 64 cells fall into two classes: 16 rich cells on seven lines and 48 poor ones on four. "
    "The article asks for the value where the first move must be poor; it is a win as well."
)
_REPLIES = (
    "One row for each class of replies under the symmetries that keep the first stone. A move is "
    "quiet if it neither wins, nor blocks, nor makes a threat. The depth is the most quiet moves "
    "still to be made on any path, the first move not counted. Positions that several replies "
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
    "The first player follows the stored proofs and searches nothing but forced sequences. It "
    "must win every game; a game that it did not win would refute a proof."
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
    played = ",".join(map(str, found.after.history))
    return Table(
        "least",
        f"Quiet moves needed after each reply to {played}",
        ("reply", "stored proof", "at least", "at most", "exact"),
        tuple(rows),
        f"Searched for {seconds:g} seconds a reply; 'oxo quiet 4^3 --position moves:{played} "
        f"--every-reply --seconds {seconds:g}' does the same.",
    )


def _played(bench: Bench) -> Iterator[Table]:
    for name, spec in (("rich", RICH), ("poor", POOR)):
        findings = []
        for rival in RIVALS:
            games = bench.size(10, 1000) if rival not in _SLOW else bench.size(2, 100)
            result, command = bench.match(spec, ["proof", rival], games)
            remark = f"{result.plies:.1f} moves a game"
            findings.append(share(rival, None, (result.wins[0], games), command, remark))
        yield compared(
            f"play-{name}", f"{spec}: games won by the proof's player, moving first", findings
        )


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
