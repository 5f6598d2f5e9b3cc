"""`oxo proof`: make proof files of dictionaries, and the other way round."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from hyperoxo.cli.options import Options, shared_options
from hyperoxo.cli.output import read_bytes
from hyperoxo.cli.progress import Progress
from hyperoxo.cli.proof_moves import moves_in, print_moves, stored
from hyperoxo.cli.proof_shrink import shrink
from hyperoxo.cli.verify import FILE, read_dictionary_file, sentence, verdict_answer
from hyperoxo.errors import NotationError

STANDARD = "-"
OUT = click.Path(dir_okay=False, allow_dash=True)

_FIELD = re.compile(r"([a-z][a-z0-9]*) (.+)")


@click.group(no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Make, show and export proof files; `oxo verify` checks them."""


command.add_command(shrink)
command.add_command(stored)


@command.command()
@click.argument("file", metavar="FILE", type=FILE)
@click.option(
    "--position", metavar="P", help="Print what the proof plays there, or its answer to each move."
)
@shared_options
def show(file: str, position: str | None, options: Options) -> None:
    """Print the header of the proof in FILE: what it claims, and counts.

    With --position, print what a strategy or a dictionary plays there or, if it is another player's
    turn, the answer to each of their moves. The proof is not checked.
    """
    from hyperoxo.proof import KINDS

    data = read_bytes(file)
    if position is not None:
        moves = moves_in(data, position)
        options.emit({"file": file, **moves}, text=lambda: print_moves(moves))
        return
    first, _, rest = data.partition(b"\n")
    if first not in KINDS:
        raise NotationError(f"{file}: this is not a proof file")
    answer: dict[str, Any] = {"kind": first.decode("ascii")}
    for line in rest.decode("latin-1").split("\n"):
        match = _FIELD.fullmatch(line)
        if match is None or match[1] in answer:
            break
        answer[match[1]] = int(match[2]) if match[2].isdecimal() else match[2]
    answer["bytes"] = len(data)
    width = max(map(len, answer))
    options.emit(
        answer,
        text=lambda: "\n".join(f"{name:<{width}}  {value}" for name, value in answer.items()),
    )


@command.command()
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--dictionary", "out", metavar="OUT", type=OUT, required=True, help="Output file.")
@shared_options
def export(file: str, out: str, options: Options) -> None:
    """Write the strategic moves of the proof in FILE in Thompson's text form.

    OUT may be - for standard output. The proof is not checked.
    """
    from hyperoxo.proof import dictionary_text
    from hyperoxo.proof.dictionary_file import read_proof

    dictionary = read_proof(read_bytes(file)).proof.dictionary
    _write(out, dictionary_text(dictionary))
    answer = {"claim": dictionary.statement, "strategic": len(dictionary.moves), "out": out}
    if out == STANDARD:
        return
    options.emit(answer, text=lambda: f"{len(dictionary.moves):,} strategic moves: {out}")


@command.command()
@click.argument("game", metavar="GAME")
@click.option(
    "--dictionary",
    type=FILE,
    metavar="FILE",
    required=True,
    help="Strategic moves in Thompson's text form.",
)
@click.option("--out", metavar="OUT", type=OUT, required=True, help="The proof file.")
@click.option(
    "--leaves",
    type=click.Choice(["derived", "stored"]),
    default="stored",
    show_default=True,
    help="Whether the checker finds forced sequences anew, or reads them from a larger file.",
)
@click.option(
    "--seat", type=click.IntRange(1, 2), help="Whose moves they are; default: the first entry's."
)
@click.option("--position", metavar="P", help="Where the win begins; default: the start.")
@shared_options
def pack(
    game: str,
    dictionary: str,
    out: str,
    leaves: str,
    seat: int | None,
    position: str | None,
    options: Options,
) -> None:
    """Check a dictionary for GAME and make a proof file of the moves that are needed."""
    from hyperoxo.proof.dictionary_file import proof_text
    from hyperoxo.proof.dictionary_proof import pack as packed

    text = read_dictionary_file(game, dictionary, seat, position)
    with Progress("strategic positions", quiet=options.quiet) as progress:
        proof, verdict = packed(text.dictionary, stored=leaves == "stored", progress=progress)
    written = proof_text(proof, creator=f"oxo proof pack --leaves {leaves}")
    _write(out, written)
    answer = {
        **verdict_answer(verdict),
        "unused": verdict.unused,
        "sequences": proof.sequences,
        "bytes": len(written),
        "out": out,
    }
    if out != STANDARD:
        size = f"{len(written):,} bytes: {out}"
        options.emit(answer, text=lambda: f"{sentence(answer)}\n{size}")


def _write(name: str, data: bytes) -> None:
    if name == STANDARD:
        with click.open_file(STANDARD, "wb") as stream:
            stream.write(data)
    else:
        Path(name).write_bytes(data)
