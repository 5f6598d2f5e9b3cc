"""`oxo classify`: the region of Golomb and Hales that a game is in, with a proof of each step."""

from __future__ import annotations

from pathlib import Path

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_game
from hyperoxo.cli.output import command_line

_TEXT = """
{sentence}
*steps   {0.claim} ({0.basis})
?cited With what is proved elsewhere: {cited}
?proof proof: {proof}
"""


@cli.command("classify 12^8", "classify 6^3 --proof six.oxo")
def command(
    options: cli.Options,
    game: str = cli.argument("GAME", shell_complete=complete_game),
    proof: Path | None = cli.output_file(
        "Write the whole proof to one file; `oxo verify` checks it."
    ),
    seconds: float = cli.seconds_limit(60.0, "Time limit of all searches."),
    checkpoint: Path | None = cli.output_file(
        "Games to several lines: save the cases of full boards here from time to time, and resume "
        "from them."
    ),
) -> int:
    """Find the region of GAME: existence of draws, forced results, and their theorems.

    The regions are those of Golomb and Hales: 1 the first player wins whatever the two play; 2 no
    draw exists; 3 draws exist, but the first player can force a win; 4 the second player can force
    a draw; 5 the same, by a pairing of cells. An open case lists its possible regions.
    With more than two players, whether a draw exists. A plain n^d may have any size.
    """
    from hyperoxo_research.draws.classify import classify
    from hyperoxo_research.proof.cubes import plain_cube

    known = game if plain_cube(game) else cli.GameType().convert(game, None, None)
    with options.progress("steps") as progress:
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
    by_others = f"region {' or '.join(map(str, found.cited))} ({found.cited_source})"
    options.emit(
        found.as_data(written),
        _TEXT,
        sentence=found.sentence,
        steps=found.evidence,
        cited=by_others if found.cited != found.regions else "",
        proof=written,
    )
    return 0
