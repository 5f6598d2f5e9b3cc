"""`oxo prove replies` and `oxo prove quiet`: replies proved lost, and wins with few quiet moves."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED
from hyperoxo.cli.progress import Progress, figures
from hyperoxo.cli.prove import suggestions, write_tree
from hyperoxo.display import as_data

if TYPE_CHECKING:
    from pathlib import Path

    from hyperoxo.solvers.proofsearch.quiet_depth import QuietDepth, QuietSearch
    from hyperoxo.solvers.proofsearch.search import ProofProgress
    from hyperoxo.solvers.proofsearch.split import Reply, SplitSearch


_OPEN = dict.fromkeys(("strategic", "nodes", "width", "seconds"))
_TEXT = """
|rows| reply={cell} | cells={alike} | value | strategic moves={strategic} | nodes={nodes:,} \
| seconds |
?winner player {winner} wins: every reply loses
?holding player {attacker} cannot win after {holding}
?open {open:#reply|replies} not decided
?proof {proof.claim}: {proof.strategic:#strategic move}, {proof.quiet:,} of them quiet, \
in {proof.file}
"""


@cli.command("prove replies 3^3 --position moves:13", "prove replies 4^3 --position moves:0 --all")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    position: str = cli.position("Position with the defender to move.", required=True),
    seconds: float | None = cli.seconds_limit(None, "Time limit; default: none."),
    megabytes: int = cli.MEMORY,
    threads: int = cli.THREADS,
    work: cli.Work = cli.work(
        "Replies searched in parallel, each in a process with its own table and threads."
    ),
    checkpoint: Path | None = cli.output_file("Save proved replies here, and resume from them."),
    suggest: str | None = cli.input_file("Moves to try first, as a dictionary in Thompson's form."),
    proof: Path | None = cli.output_file("Write a checked proof of all replies."),
    every: bool = cli.EVERY_MOVE,
) -> int:
    """Find the losing replies in position P of GAME, each by a separate search.

    The player who is not to move attacks. The command searches one of each class of replies that
    symmetry makes equivalent. With --checkpoint, an interrupted run keeps its proved replies. With
    --cluster, every worker searches one reply with its own table. Parallel searches have one thread
    each unless you set --threads.
    """
    from hyperoxo.solvers.proofsearch.split import SplitSearch
    from hyperoxo.task import Task

    # 1. Search reply by reply. Processes take the cores, so each search has one thread.
    if work != cli.Work() and not cli.given("threads"):
        threads = 1
    split = SplitSearch(
        game.position(position),
        megabytes=megabytes,
        threads=threads,
        memory=checkpoint,
        suggestions=suggestions(game, suggest),
    )
    status = options.progress()
    with work.task(status) as shared:
        task = Task.within(
            seconds,
            on_report=lambda found: status.line(
                f"reply {found[0]}: {figures(found[1])}; {len(split.undecided)} open"
            ),
        )
        on_progress = None if work == cli.Work() else partial(_show, split, status)
        found = split.run(replace(task, crew=shared.crew), on_progress)
        try:
            for reply in found:
                options.note(f"reply {reply.cell} loses ({reply.seconds:.1f} s)")
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
    # 2. The proof, if no reply is open; what was proved is printed after an interrupt too.
    answer = _answer(split)
    if proof is not None and len(split.proved) == len(split.classes):
        written = write_tree(split.position, split.attacker, split.tree(), proof)
        answer["proof"] = {"file": str(proof), **written}
    options.emit(
        answer,
        _TEXT,
        rows=[
            {**one, "cell": cell, "alike": 1 if every else len(one["cells"])}
            for one in answer["replies"]
            for cell in one["cells"][: None if every else 1]
        ],
        holding=[one["cell"] for one in answer["replies"] if one["value"] == "holds"],
        open=len(split.undecided),
    )
    if interrupted:
        return options.interrupted("replies proved so far are proved")
    return FAILED if proof is not None and answer["proof"] is None else 0


def _show(split: SplitSearch, status: Progress, found: Reply) -> None:
    """Report the end of a worker's search."""
    status.line(
        f"reply {found.cell}: {found.status} after {found.nodes:,} nodes, "
        f"{found.seconds:.0f} s; {len(split.undecided)} open"
    )


def _answer(split: SplitSearch) -> dict[str, Any]:
    return {
        "game": str(split.position.game),
        "position": split.position.text,
        "attacker": split.attacker,
        "replies": [
            {
                "cell": cell,
                "cells": cells,
                "value": _value(split, cell),
                **(as_data(split.proved[cell]) if cell in split.proved else _OPEN),
            }
            for cell, cells in split.classes.items()
        ],
        "undecided": split.undecided,
        "winner": split.attacker if len(split.proved) == len(split.classes) else None,
        "proof": None,
    }


def _value(split: SplitSearch, cell: int) -> str:
    if cell in split.proved:
        return "loss"
    return "holds" if cell in split.holding else "unknown"


_INTERVAL = 60.0
"""Seconds between two savings of the tables."""


_NODES = 2_000_000
"""Positions opened by default, where no time limit is set."""

_DEPTHS = """
|rows| reply | quiet depth={depth} | strategic moves={strategic:,} | quiet moves={quiet:,} \
| nodes={nodes:,} | seconds |
"""


@cli.command("prove quiet 3^3", "prove quiet 4^3 --position moves:0,3,60 --seconds 60")
def quiet(
    options: cli.Options,
    start: ox.Position = cli.start(),
    attacker: int = cli.number("Player who should win.", 1, 2, default=1),
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

    A quiet move neither wins nor blocks nor makes a threat. A proof counts as many as its worst
    path has; the quiet depth is the smallest count over all proofs. Limits may leave
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
                report = partial(_report, status, search, "" if cell is None else f"reply {cell}, ")
                task = Task.within(seconds, on_report=report)
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
    options.emit(answer, _DEPTHS, rows=rows)
    if interrupted:
        return options.interrupted("finished results are above")
    return FAILED if proof is not None and answer["proof"] is None else 0


def _report(
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
