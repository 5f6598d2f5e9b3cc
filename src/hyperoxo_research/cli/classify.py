"""`oxo classify`: the region of Golomb and Hales that a game is in, with a proof of each step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli.completion import complete_game
from hyperoxo.cli.options import GameType, Options, OutputFile, seconds_option, shared_options
from hyperoxo.cli.output import command_line
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo_research.draws.classify import Classification


@click.command()
@click.argument("game", metavar="GAME", shell_complete=complete_game)
@click.option(
    "--proof",
    metavar="FILE",
    type=OutputFile(),
    help="Write all that proves it into one file; `oxo verify` checks it.",
)
@seconds_option(60.0, "Time limit for all that is searched.")
@click.option(
    "--checkpoint",
    metavar="FILE",
    type=OutputFile(),
    help="Games to several lines: save the cases of full boards here from time to time, and resume "
    "from them.",
)
@shared_options
def command(
    game: str, proof: Path | None, seconds: float, checkpoint: Path | None, options: Options
) -> int:
    """Find the region of GAME: whether draws exist, who can force what, and by which theorem.

    The regions are those of Golomb and Hales: 1 the first player wins whatever the two play; 2 no
    draw exists; 3 draws exist, but the first player can force a win; 4 the second player can force
    a draw; 5 so, by a pairing of cells. Where not all is known, those that are possible are listed.
    With more than two players, whether a draw exists. A plain n^d may have any size.
    """
    from hyperoxo.proof.cubes import plain_cube
    from hyperoxo_research.draws.classify import classify

    known = game if plain_cube(game) else GameType().convert(game, None, None)
    with Progress("steps", quiet=options.quiet) as progress:
        found = classify(
            known,
            seconds=seconds,
            seed=options.seed or 0,
            progress=progress,
            checkpoint=checkpoint,
        )
    written = None
    data = b"" if proof is None else found.proof_text(command_line())
    if proof is not None and data:
        from hyperoxo.files import replace_file

        replace_file(proof, data)
        written = str(proof)
    elif proof is not None:
        options.note("nothing was proved; no file was written")
    answer = found.as_data(written)
    options.emit(answer, text=lambda: text_of(found, written))
    return 0


def text_of(found: Classification, file: str | None) -> str:
    """Put a classification into words."""
    rows = [found.sentence]
    rows += [f"  {one.claim} ({one.basis})" for one in found.evidence]
    if found.cited != found.regions:
        regions = " or ".join(map(str, found.cited))
        rows.append(f"With what is proved elsewhere: region {regions} ({found.cited_source})")
    return "\n".join([*rows, *([f"proof: {file}"] if file else [])])
