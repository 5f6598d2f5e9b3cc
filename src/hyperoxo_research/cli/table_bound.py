"""`oxo prove table-bound`: least number of losing leaves of a line table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED, command_line
from hyperoxo.display import number_of
from hyperoxo.files import replace_file

if TYPE_CHECKING:
    from hyperoxo.game import Game


_TEXT = """\
{nodes:#position} branched at, {programmes:#linear programme}, {seconds:.2f} s
?proof proof: {proof}
?file table: {file}"""


@cli.command("prove table-bound 3^2 --seat 2", "prove table-bound 3^2 --seat 1")
def command(
    options: cli.Options,
    game: Game = cli.game(),
    seat: int = cli.number("Seat of the table.", 1, 2, required=True),
    ties: str = cli.choice(
        "Follow every move that is as good as the best, or the lowest of them.",
        ["every", "lowest"],
        default="every",
    ),
    by_ply: bool = cli.flag("Allow a separate table for every ply."),
    seconds: float = cli.seconds_limit(60.0, "Stop after this time; exit code 1 without a proof."),
    proof: Path | None = cli.output_file("Write the proof."),
    out: Path | None = cli.output_file("Write the best table as JSON."),
) -> int:
    """Find the fewest losing leaves that a line table can have, and prove that none has fewer.

    A player follows the table against every reply, as in `oxo prove guide`; losing leaves count.
    Branching over their moves with a linear programme for each choice decides it.
    """
    from hyperoxo.heuristics.line import MOST_STAGES
    from hyperoxo.jit import working_time
    from hyperoxo.proof import write_proof
    from hyperoxo.task import Task
    from hyperoxo_research.learn.table_bound import fewest_leaves, table_of_gains

    few = not by_ply or game.cells <= MOST_STAGES
    if out is not None and not few:
        raise click.UsageError(f"--out writes tables for up to {MOST_STAGES} plies")
    begin = working_time()
    found = fewest_leaves(game, seat, ties=ties, by_ply=by_ply, task=Task.within(seconds))
    table = None
    if few and found.gains is not None:
        table = table_of_gains(game, found.gains, by_ply=by_ply)
    answer: dict[str, Any] = {
        "game": str(game),
        "seat": seat,
        "ties": ties,
        "tables": "by-ply" if by_ply else "one",
        "leaves": found.leaves,
        "exact": found.gains is not None,
        "table": None if table is None else table.as_data()["tables"],
        "nodes": found.nodes,
        "programmes": found.programmes,
        "seconds": round(working_time() - begin, 6),
    }
    if proof is not None and found.proof is not None:
        write_proof(found.proof, proof, creator=command_line())
        answer["proof"] = str(proof)
    if out is not None and table is not None:
        replace_file(out, table.to_bytes())
        answer["file"] = str(out)
    least = "{leaves}: the fewest of {where}" if answer["exact"] else "at least {leaves} of {where}"
    leaves = number_of(found.leaves, "losing leaf|losing leaves")
    where = f"a line table in {game} as player {seat}"
    options.emit(answer, f"{least}\n{_TEXT}", leaves=leaves, where=where)
    return 0 if answer["exact"] else FAILED
