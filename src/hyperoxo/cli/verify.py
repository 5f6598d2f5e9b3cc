"""`oxo verify`: check a proof file, or a dictionary of strategic moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.completion import complete_file
from hyperoxo.cli.options import FILE, GameType, Options, shared_options
from hyperoxo.cli.output import FAILED, command_line, read_bytes, say
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from hyperoxo.game import Game
    from hyperoxo.proof import Dictionary, DictionaryText, Verdict
    from hyperoxo.proof.claim import DictionaryVerdict


@click.command()
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@click.option(
    "--dictionary",
    type=FILE,
    metavar="FILE",
    help="Check the strategic moves in this file, in Thompson's text form.",
)
@click.option(
    "--seat",
    type=click.IntRange(1, 2),
    help="Player whose moves they are; default: the first entry's.",
)
@click.option(
    "--position", metavar="P", help="Position where the win begins; default: the empty board."
)
@shared_options
def command(
    file: str,
    dictionary: str | None,
    seat: int | None,
    position: str | None,
    options: Options,
) -> int:
    """Check the proof in FILE against every reply; exit code 1 if it does not hold.

    With --dictionary FILE GAME, check that the strategic moves listed in a text are all that a
    player needs to force a win of GAME, and list those that are missing and those that are not
    used.
    """
    if dictionary is not None:
        return _check_dictionary(file, dictionary, seat, position, options)
    if seat is not None or position is not None:
        raise click.UsageError(
            "--seat and --position go with --dictionary; a proof file has its own"
        )
    # The checker counts the time of compiling its loops; this clock leaves it out.
    from hyperoxo.jit import working_time
    from hyperoxo.proof import verify

    begin = working_time()
    with Progress("checking", quiet=options.quiet) as progress:
        verdict = verify(read_bytes(str(FILE.convert(file, None, None))), progress=progress)
    verdict = replace(verdict, seconds=working_time() - begin)
    answer = {"file": file, **verdict_answer(verdict)}
    options.emit(answer, text=lambda: sentence(answer))
    return 0 if verdict.proved else FAILED


def _check_dictionary(
    game: str, name: str, seat: int | None, position: str | None, options: Options
) -> int:
    from hyperoxo.jit import working_time
    from hyperoxo.proof.dictionary_check import check_dictionary

    text = read_dictionary_file(game, name, seat, position)
    begin = working_time()
    with Progress("strategic positions", quiet=options.quiet) as progress:
        verdict = check_dictionary(text.dictionary, progress=progress)
    verdict = replace(verdict, seconds=working_time() - begin)
    answer = {
        "file": name,
        "game": str(text.dictionary.game),
        **verdict_answer(verdict),
        "missing": verdict.missing,
        "failed": verdict.failed,
        "failures": [
            {"reason": one.reason, "position": one.position, "line": list(one.line)}
            for one in verdict.failures
        ],
        "unused": verdict.unused,
        "nodes": verdict.nodes,
        "entries": text.entries,
        "prose": text.prose,
        "duplicates": text.duplicates,
        "contradictions": text.contradictions,
        "illegal": text.illegal,
    }
    options.emit(answer, text=lambda: _report(answer))
    return 0 if verdict.proved else FAILED


def read_dictionary_file(
    game: str, name: str, seat: int | None, position: str | None
) -> DictionaryText:
    """Read a dictionary for a game, and say on stderr what was skipped."""
    from hyperoxo.proof import read_dictionary

    played = GameType().convert(game, None, None)
    begins = None if position is None else played.position(position)
    text = read_dictionary(read_bytes(name), played, seat=seat, begins=begins)
    for example in text.examples:
        say(f"{name}, {example}; the entry is skipped")
    return text


def suggestions(game: Game, name: str | None) -> Dictionary | None:
    """Read the moves that a search tries first, where a file of them is named."""
    return None if name is None else read_dictionary_file(str(game), name, None, None).dictionary


def write_dictionary(
    dictionary: Dictionary, path: Path, *, stored: bool = False
) -> DictionaryVerdict:
    """Check a dictionary and write its proof; return the verdict."""
    from hyperoxo.proof.dictionary_file import write_proof
    from hyperoxo.proof.dictionary_proof import pack

    packed, verdict = pack(dictionary, stored=stored)
    write_proof(packed, path, creator=command_line())
    return verdict


def verdict_answer(verdict: Verdict) -> dict[str, Any]:
    """Turn a verdict into what is printed of it."""
    from hyperoxo.proof.claim import DictionaryVerdict

    answer: dict[str, Any] = {
        "claim": verdict.claim,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "positions": verdict.positions,
        "seconds": round(verdict.seconds, 6),
    }
    if isinstance(verdict, DictionaryVerdict):
        answer["strategic"] = verdict.strategic
        answer["quiet"] = verdict.quiet
        if verdict.published is not None:
            answer["published"] = verdict.published
    return answer


def sentence(answer: dict[str, Any]) -> str:
    """Put what `verdict_answer` returned into words."""
    count = answer["positions"]
    walked = f"{answer['seconds']:.2f} s"
    if count:
        walked = f"{count:,} position{'s' * (count != 1)}, {walked}"
    if "strategic" in answer:
        noun = "move" if answer["strategic"] == 1 else "moves"
        moves = f"{answer['strategic']:,} strategic {noun}, {answer['quiet']:,} quiet"
        if "published" in answer:
            moves += f" (published: {answer['published']:,})"
        walked = f"{moves}; {walked}"
    if answer["verdict"] == "proved":
        return f"proved: {answer['claim']} ({walked})"
    claim = f"{answer['claim']}: " if answer["claim"] else ""
    return f"rejected: {claim}{answer['reason']} ({walked})"


def _report(answer: dict[str, Any]) -> None:
    click.echo(sentence(answer))
    for one in answer["failures"][1:]:
        line = ",".join(map(str, one["line"]))
        click.echo(f"  also {one['reason']}: {one['position']}, moves {line}")
    names = ("missing", "unused", "entries", "prose", "duplicates", "contradictions", "illegal")
    click.echo(", ".join(f"{name} {answer[name]:,}" for name in names))
    click.echo(f"{answer['nodes']:,} nodes")
