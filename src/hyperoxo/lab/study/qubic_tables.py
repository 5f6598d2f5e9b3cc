"""Tables and pictures of the stored proofs of Qubic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hyperoxo.lab.study.parts import Finding, Picture, Table, compared
from hyperoxo.lab.study.qubic_proofs import Examined, first_moves

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["by_stones", "histogram", "picture", "replies", "sizes", "values"]

PATASHNIK = 2929
"""Strategic moves of the published proof."""


def sizes(rich: Examined, poor: Examined) -> Table:
    """Sizes of the proofs, the published one beside them."""
    findings = []
    for found, published in ((rich, PATASHNIK), (poor, None)):
        game = found.dictionary.game
        checked = "checked in this study" if found.verdict else "not checked in this study"
        findings += [
            Finding(
                f"{game}: strategic moves",
                published,
                len(found.dictionary.moves),
                command=f"oxo study qubic{'' if found is rich else ' --full'}",
                remark="Patashnik 1980; another proof of the same claim" if published else checked,
            ),
            Finding(f"{game}: of them quiet", None, found.quiet),
            Finding(f"{game}: positions with one block", None, found.blocks),
            Finding(f"{game}: most quiet moves on a path", None, found.depth),
            Finding(f"{game}: bytes of the file", None, found.size),
        ]
        if found.verdict is not None:
            seconds = round(found.verdict.seconds, 1)
            findings.append(Finding(f"{game}: seconds to check", None, seconds))
    return compared("size", "The stored proofs, beside the published one", findings)


def by_stones(*proofs: Examined) -> Table:
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
        ("stones", *(str(found.dictionary.game) for found in proofs)),
        tuple((number, *(stones.get(number, 0) for stones in counts)) for number in numbers),
    )


def values(rich: Examined, poor: Examined) -> Table:
    """Value of each class of first moves."""
    lines = rich.dictionary.game.board.degrees
    known = {7: ("win", rich), 4: (None, poor)}
    findings = []
    for cells, value in first_moves():
        published, found = known[int(lines[cells[0]])]
        checked = "by a proof checked here" if found.verdict else "by a proof not checked here"
        who = "Patashnik 1980, Allis and Schoo 1992" if published else "open in the article"
        findings.append(
            Finding(
                f"first move on one of {len(cells)} cells with {lines[cells[0]]} lines",
                published,
                value,
                agrees=None if published is None else value == published,
                command="oxo analyse --game 4^3 --position moves:",
                remark=f"{who}; {checked}",
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
    move = found.after.history[-1]
    return Table(
        f"replies-{name}",
        f"Replies to {move} in {found.dictionary.game}",
        ("reply", "cells", "lines", "strategic", "quiet", "blocks", "depth"),
        rows,
    )


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
        f"Strategic positions of the proof of {found.dictionary.game} after each class of replies, "
        "by the most quiet moves still to be made, the one played there included. Colours are "
        "logarithmic."
    )
    return Picture(f"depths-{name}", caption, draw)
