"""`oxo verify`: check a proof file, or a dictionary of strategic moves."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_file
from hyperoxo.cli.output import FAILED, command_line, read_bytes, say
from hyperoxo.display import as_data, as_text
from hyperoxo.errors import NotationError

if TYPE_CHECKING:
    from pathlib import Path

    from hyperoxo.proof import Dictionary, DictionaryText
    from hyperoxo.solvers.proofsearch.tree import ProofTree

_HEAD = 10_000
_TEXT = """
{told}
*others   also {0.reason}: {0.position}, moves {0.line:;,}
missing {missing:,}, unused {unused:,}, entries {entries:,}, prose {prose:,}, \
duplicates {duplicates:,}, contradictions {contradictions:,}, illegal {illegal:,}
{nodes:,} nodes
"""


@cli.command("verify win.oxo", "verify --dictionary moves.txt 4^3")
def command(
    options: cli.Options,
    file: str = cli.argument("FILE", shell_complete=complete_file),
    dictionary: str | None = cli.input_file(
        "Check the strategic moves in this file, in Thompson's text form."
    ),
    seat: int | None = cli.number("Player whose moves they are; default: the first entry's.", 1, 2),
    position: str | None = cli.position("Position where the win begins; default: the empty board."),
) -> int:
    """Check the proof in FILE against every reply; exit code 1 if it does not hold.

    With --dictionary FILE GAME, check that the strategic moves listed in a text are all that a
    player needs to force a win of GAME, and list missing and idle moves.
    """
    if dictionary is not None:
        return _check_dictionary(file, dictionary, seat, position, options)
    if seat is not None or position is not None:
        raise click.UsageError(
            "--seat and --position go with --dictionary; a proof file has its own"
        )
    # The checker counts the time of compiling its loops; this clock leaves it out.
    from hyperoxo.jit import working_time

    begin = working_time()
    with options.progress("checking") as progress:
        data = read_bytes(str(cli.FILE.convert(file, None, None)))
        _check_no_game(data, file)
        verdict = ox.verify(data, progress=progress)
    verdict = replace(verdict, seconds=working_time() - begin)
    options.show(verdict, {"file": file})
    return 0 if verdict.proved else FAILED


def _check_no_game(data: bytes, file: str) -> None:
    """Refuse a record of a game; its file may have the suffix of a proof."""
    from hyperoxo.notation import detect

    with suppress(NotationError):
        notation = detect(data[:_HEAD].decode(errors="replace"))
        raise click.UsageError(
            f"{file} is a game (notation '{notation}'), not a proof; 'oxo analyse {file}' judges "
            f"its moves, 'oxo draw position {file}' draws it"
        )


def _check_dictionary(
    game: str, name: str, seat: int | None, position: str | None, options: cli.Options
) -> int:
    from hyperoxo.jit import working_time
    from hyperoxo.proof.dictionary_check import check_dictionary

    text = read_dictionary_file(game, name, seat, position)
    begin = working_time()
    with options.progress("strategic positions") as progress:
        verdict = check_dictionary(text.dictionary, progress=progress)
    verdict = replace(verdict, seconds=working_time() - begin)
    answer = {
        "file": name,
        "game": str(text.dictionary.game),
        **as_data(verdict),
        **as_data(verdict, "missing failed failures unused nodes"),
        **as_data(text, "entries prose duplicates contradictions illegal"),
    }
    options.emit(answer, _TEXT, told=as_text(verdict), others=verdict.failures[1:])
    return 0 if verdict.proved else FAILED


def read_dictionary_file(
    game: str, name: str, seat: int | None, position: str | None
) -> DictionaryText:
    """Read a dictionary for a game, and say on stderr what was skipped."""
    from hyperoxo.proof import read_dictionary

    played = cli.GameType().convert(game, None, None)
    begins = None if position is None else played.position(position)
    text = read_dictionary(read_bytes(name), played, seat=seat, begins=begins)
    for example in text.examples:
        say(f"{name}, {example}; the entry is skipped")
    return text


def suggestions(game: ox.Game, name: str | None) -> Dictionary | None:
    """Read the moves that a search tries first, where a file of them is named."""
    return None if name is None else read_dictionary_file(str(game), name, None, None).dictionary


def write_tree(
    position: ox.Position, attacker: int, tree: ProofTree, path: Path, *, stored: bool = False
) -> dict[str, Any]:
    """Check the proof of a tree and write it; return its claim and counts."""
    from hyperoxo.proof import write_proof
    from hyperoxo.proof.dictionary_check import pack
    from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree

    dictionary = dictionary_of_tree(position, attacker, tree)
    packed, verdict = pack(dictionary, stored=stored)
    write_proof(packed, path, creator=command_line())
    return {"claim": dictionary.statement, **as_data(verdict, "strategic quiet")}
