"""`oxo leaves`: how few losing leaves a line table can have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import Options, OutputFile, game_argument, seconds_option, shared_options
from hyperoxo.cli.output import FAILED, command_line
from hyperoxo.files import replace_file

if TYPE_CHECKING:
    from hyperoxo.game import Game


@click.command()
@game_argument
@click.option("--seat", type=click.IntRange(1, 2), required=True, help="Seat of the table.")
@click.option(
    "--ties",
    type=click.Choice(["every", "lowest"]),
    default="every",
    show_default=True,
    help="Follow every move that is as good as the best, or the lowest of them.",
)
@click.option("--by-ply", is_flag=True, help="Allow a table of its own at every ply.")
@seconds_option(60.0, "Stop after this time; exit code 1 if the fewest are not found.")
@click.option("--proof", metavar="FILE", type=OutputFile(), help="Write the proof.")
@click.option("--out", metavar="FILE", type=OutputFile(), help="Write the best table as JSON.")
@shared_options
def command(
    game: Game,
    seat: int,
    ties: str,
    by_ply: bool,
    seconds: float,
    proof: Path | None,
    out: Path | None,
    options: Options,
) -> int:
    """Find the fewest losing leaves that a line table can have, and prove that none has fewer.

    A player follows the table against every reply, as in `oxo guide`; leaves that they lose are
    counted. Branching over their moves with a linear programme for each choice decides it.
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
    options.emit(answer, text=lambda: _text(answer))
    return 0 if answer["exact"] else FAILED


def _text(answer: dict[str, Any]) -> str:
    one = answer["leaves"] == 1
    leaves = f"{answer['leaves']:,} losing {'leaf' if one else 'leaves'}"
    where = f"a line table in {answer['game']} as player {answer['seat']}"
    size = f"{answer['nodes']:,} positions branched at, {answer['programmes']:,} linear programmes"
    lines = [
        f"{leaves}: the fewest of {where}" if answer["exact"] else f"at least {leaves} of {where}",
        f"{size}, {answer['seconds']:.2f} s",
    ]
    if "proof" in answer:
        lines.append(f"proof: {answer['proof']}")
    if "file" in answer:
        lines.append(f"table: {answer['file']}")
    return "\n".join(lines)
