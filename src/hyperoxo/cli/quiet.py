"""`oxo prove quiet`: the least number of quiet moves with which a win can be forced."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED
from hyperoxo.cli.progress import Progress, figures
from hyperoxo.cli.verify import write_tree
from hyperoxo.display import as_data

if TYPE_CHECKING:
    from pathlib import Path

    from hyperoxo.solvers.proofsearch.quiet_depth import QuietDepth, QuietSearch
    from hyperoxo.solvers.proofsearch.search import ProofProgress


_INTERVAL = 60.0
"""Seconds between two savings of the tables."""


_NODES = 2_000_000
"""Positions opened by default, where no time limit is set."""

_TEXT = """
|rows| reply | quiet depth={depth} | strategic moves={strategic:,} | quiet moves={quiet:,} \
| nodes={nodes:,} | seconds |
"""


@cli.command("prove quiet 3^3", "prove quiet 4^3 --position moves:0,3,60 --seconds 60")
def command(
    options: cli.Options,
    start: ox.Position = cli.start(),
    attacker: int = cli.number("Player who is to win.", 1, 2, default=1),
    every_reply: bool = cli.flag("Report each class of replies separately."),
    nodes: int | None = cli.number(
        "Limit on positions opened, per position, 0 for none; default: 2,000,000, or none with "
        "--seconds.",
        0,
    ),
    seconds: float | None = cli.seconds_limit(None, "Time limit per position."),
    megabytes: int = cli.MEMORY,
    threads: int = cli.THREADS,
    checkpoint: Path | None = cli.output_file(
        "Save the tables here, once a minute and at the end, and resume from them."
    ),
    proof: Path | None = cli.output_file("Write the proof, after a check."),
) -> int:
    """Find the fewest quiet moves that a forced win of GAME, or from a position, needs.

    A quiet move neither wins nor blocks nor makes a threat. A proof counts as many as the worst
    path through it has; the quiet depth is the least count of all proofs. Limits may leave
    bounds; the next run with the same --checkpoint resumes there.
    """
    from hyperoxo.solvers.proofsearch.quiet_depth import QuietSearch
    from hyperoxo.task import Task

    if every_reply and proof is not None:
        raise click.UsageError("--proof takes one position, not --every-reply")
    if nodes is None:
        nodes = 0 if seconds is not None else _NODES
    found: dict[int | None, QuietDepth] = {}
    interrupted = False
    search = QuietSearch(start.game, attacker, megabytes, checkpoint)
    with options.progress() as status:
        try:
            for cell, here in _positions(start, attacker, every_reply):
                told = partial(_show, status, search, "" if cell is None else f"reply {cell}, ")
                task = Task.within(seconds, on_report=told)
                found[cell] = search.depth(here, task, nodes=nodes, threads=threads)
        except KeyboardInterrupt:
            interrupted = True
    search.save()
    tree = found[None].tree if None in found else None
    if proof is not None and tree is not None:
        write_tree(start, attacker, tree, proof)
    answer = {
        "game": str(start.game),
        "position": start.text,
        "attacker": attacker,
        "results": [{"reply": cell, **as_data(depth)} for cell, depth in found.items()],
        "proof": None if proof is None or tree is None else str(proof),
    }
    rows = [
        {"reply": cell, "depth": depth.depth, **as_data(depth)} for cell, depth in found.items()
    ]
    options.emit(answer, _TEXT, rows=rows)
    if interrupted:
        return options.interrupted("what was finished stands above")
    return FAILED if proof is not None and answer["proof"] is None else 0


def _show(
    status: Progress, search: QuietSearch, name: str, found: tuple[int, ProofProgress]
) -> None:
    search.save(_INTERVAL)
    what = "any number of quiet moves" if found[0] < 0 else f"quiet depth {found[0]}"
    status.line(f"{name}{what}: {figures(found[1])}")


def _positions(
    first: ox.Position, attacker: int, every_reply: bool
) -> list[tuple[int | None, ox.Position]]:
    """The position itself, or the ones after each class of replies."""
    from hyperoxo.solvers.proofsearch.view import ProofView

    if not every_reply:
        return [(None, first)]
    if first.to_move == attacker:
        raise click.UsageError("--every-reply needs a position with the defender to move")
    classes = ProofView(first.game, attacker).classes(first)
    return [(cell, first.play(cell)) for cell in classes]
