"""`oxo proof shrink`: a proof with fewer strategic moves."""

from __future__ import annotations

from typing import Any

import click

from hyperoxo.cli.options import Options, shared_options
from hyperoxo.cli.progress import Progress
from hyperoxo.cli.verify import write_dictionary


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(exists=True))
@click.option(
    "--out", metavar="OUT", type=click.Path(dir_okay=False), required=True, help="Output file."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    help="Time to spend; more time gives smaller proofs.",
)
@click.option(
    "--leaves",
    type=click.Choice(["derived", "stored"]),
    default="derived",
    show_default=True,
    help="Whether the checker finds forced sequences anew, or reads them from a larger file.",
)
@shared_options
def shrink(files: tuple[str, ...], out: str, seconds: float, leaves: str, options: Options) -> None:
    """Make the proof in FILE smaller by other winning moves; several FILEs give more choice.

    All must prove the same claim. The result is checked before it is written; Ctrl-C ends the
    work and writes the smallest proof so far.
    """
    from hyperoxo.errors import SpecError
    from hyperoxo.proof.dictionary_file import read_proof
    from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree
    from hyperoxo.solvers.proofsearch.shrink import shrink_dictionaries

    found = [read_proof(name).proof.dictionary for name in files]
    for name, dictionary in zip(files, found, strict=True):
        if dictionary.statement != found[0].statement:
            raise SpecError(
                f"{name} proves that {dictionary.statement}, not the same as {files[0]}"
            )
    with Progress(quiet=options.quiet) as status:
        tree = shrink_dictionaries(
            found,
            seconds=seconds,
            seed=options.seed or 0,
            watch=lambda size: status.line(f"{size:,} strategic moves"),
        )
    first = found[0]
    smaller = dictionary_of_tree(first.position, first.seat, tree)
    verdict = write_dictionary(smaller, out, stored=leaves == "stored")
    answer: dict[str, Any] = {
        "claim": first.statement,
        "before": min(len(dictionary.moves) for dictionary in found),
        "strategic": verdict.strategic,
        "quiet": verdict.quiet,
        "out": out,
    }
    options.emit(
        answer,
        text=lambda: (
            f"{answer['claim']}: {answer['strategic']:,} strategic moves, before "
            f"{answer['before']:,}; {answer['quiet']:,} of them quiet: {out}"
        ),
    )
