"""Tables and pictures of the stored proofs of Qubic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.lab.study.parts import Finding, Picture, Table, compared
from hyperoxo.lab.study.qubic_proofs import Examined, Handicap, first_moves, poor
from hyperoxo.rules import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["by_stones", "fairness", "histogram", "line", "picture", "replies", "sizes", "values"]

PATASHNIK = 2929
"""Strategic moves of the published proof."""


def sizes(proofs: Sequence[Examined], walked: Collection[Examined]) -> Table:
    """Sizes of the proofs, the published one beside them; depths of those that are walked."""
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
    return compared("size", "The stored proofs, beside the published one", findings)


def checked(found: Examined) -> str:
    """Say whether a proof was checked here."""
    if found.verdict is not None:
        return "checked in this run"
    return "not checked in this run: what its file says"


def fairness(found: Sequence[Handicap]) -> Table:
    """Who wins with each handicap, and what tells it."""
    rows = []
    for one in found:
        own = one.proof is not None and one.proof.spec == one.spec
        if one.proof is None:
            why = "no stored proof, and none of another handicap tells"
        elif own:
            why = f"stored proof, {checked(one.proof)}"
        else:
            why = f"follows from {one.proof.spec}"
        kept = one.proof if own else None
        rows.append(
            (
                one.moves,
                one.spec,
                "open" if one.winner is None else f"player {one.winner} wins",
                None if kept is None else len(kept.dictionary.moves),
                None if kept is None else kept.quiet,
                PATASHNIK if one.spec == "4^3" else None,
                why,
            )
        )
    return Table(
        "handicaps",
        "Who wins if the first player's first moves must go to poor cells",
        ("moves", "game", "result", "strategic", "quiet", "published", "by"),
        tuple(rows),
        f"Published is the size of Patashnik's tree, {PATASHNIK:,} strategic moves, which is for "
        "the game without a handicap and compares with that row alone.",
    )


def by_stones(proofs: Sequence[Examined]) -> Table:
    """Strategic positions of each proof by stones on the board."""
    counts: list[dict[int, int]] = []
    for found in proofs:
        stones: dict[int, int] = {}
        for form in found.dictionary.moves:
            number = len(form) - form.count(0)
            stones[number] = stones.get(number, 0) + 1
        counts.append(stones)
    numbers = sorted({number for stones in counts for number in stones})
    return Table(
        "stones",
        "Strategic positions by stones on the board",
        ("stones", *(found.spec for found in proofs)),
        tuple((number, *(stones.get(number) for stones in counts)) for number in numbers),
        "Its player is to move: after an even number of stones the first, after an odd one the "
        "second.",
    )


def values(proofs: Sequence[Examined]) -> Table:
    """Value of each class of first moves."""
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
    return compared("first", "What the first move is worth to the first player", findings)


def replies(name: str, found: Examined) -> Table:
    """What a proof needs against each class of replies to its first move."""
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
    """Strategic positions after each class of replies, by quiet moves ahead."""
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
    """The histogram, a row for each class of replies."""

    def draw() -> Figure:
        from hyperoxo.lab.plots import styled
        from hyperoxo.lab.plots.style import new_figure

        table = histogram(name, found)
        counts = np.array([row[1:] for row in table.rows], dtype=float)
        with styled():
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
                told = f"{count:.0f}" if count else ""
                axes.text(column, row, told, ha="center", va="center", color=colour, fontsize=7)
        return figure

    caption = (
        f"Strategic positions of the proof of {found.spec} after each class of replies, "
        "by the most quiet moves still to be made, the one played there included. Colours are "
        "logarithmic."
    )
    return Picture(f"depths-{name}", caption, draw)
