"""`oxo threats`: forced wins of a position, and the check of a published line."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import Options, OutputFile, shared_options, start_argument
from hyperoxo.cli.output import FAILED, INTERRUPTED, command_line, table, write
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.game import Position
    from hyperoxo.play import Look
    from hyperoxo.solvers.threats.forced_wins import ForcedWins
    from hyperoxo.solvers.threats.sequence import SequenceCheck


@click.command()
@start_argument
@click.option(
    "--line",
    "sequence",
    metavar="TEXT",
    help="Check this line instead: '0-3-60-21 4x8x5'; exit code 1 if it is wrong.",
)
@click.option(
    "--out",
    "file",
    type=OutputFile(allow_dash=True),
    help="Draw the win step by step into an SVG file; - for standard output.",
)
@click.option(
    "--proof",
    metavar="FILE",
    type=OutputFile(),
    help="Write a proof of the win, which `oxo verify` checks; exit code 1 if there is none.",
)
@click.option("--nodes", type=click.IntRange(min=0), default=0, help="Limit on positions searched.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Time limit of the search.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with letters only.")
@shared_options
def command(
    start: Position,
    sequence: str | None,
    file: Path | None,
    proof: Path | None,
    nodes: int,
    seconds: float | None,
    ascii_only: bool,
    options: Options,
) -> int:
    """Find the shortest forced win of the player to move, and every move that begins one.

    A forced win is a chain of threats to complete a line, each with a single answer, until there
    are two threats together. Its length is the number of threats, without the completing move. With
    --line, check a given line of play move by move instead.
    """
    if sequence is not None:
        if proof is not None:
            raise click.BadParameter("it is for wins that are found", param_hint="'--proof'")
        return _check(start, sequence, nodes, file, options)
    from hyperoxo.solvers.threats.forced_wins import forced_wins

    if seconds is not None and math.isnan(seconds):
        raise click.BadParameter("seconds must be a number", param_hint="'--seconds'")
    with Progress("searching", quiet=options.quiet) as progress:
        found = forced_wins(start, nodes=nodes, seconds=seconds, progress=progress)
    if file is not None and found.line:
        _draw(start, found.line, file)
    if file is None or str(file) != "-":
        answer = found.as_data()
        options.emit(answer, text=lambda: _print(found, _look(start, ascii_only)))
        if file is not None:
            options.note(str(file) if found.line else f"no forced win, so no {file}")
    if found.interrupted:
        options.note("interrupted; this is what was found so far")
        return INTERRUPTED
    return 0 if proof is None else _prove(found, proof, options)


def _prove(found: ForcedWins, proof: Path, options: Options) -> int:
    from hyperoxo.solvers.threats.forced_wins import write_win

    if not found.line:
        options.note(f"no forced win, so no {proof}")
        return FAILED
    write_win(found, proof, creator=command_line())
    options.note(str(proof))
    return 0


def _look(position: Position, ascii_only: bool) -> Look:
    from hyperoxo.play import Look
    from hyperoxo.terminal.screen import Screen

    screen = Screen.standard()
    return Look.of(
        position.game.players, ascii_only=ascii_only or not screen.unicode, width=screen.width
    )


def _print(found: ForcedWins, look: Look) -> None:
    from hyperoxo.play import draw_board
    from hyperoxo.play.words import result_sentence

    position = found.position
    if position.is_over:
        click.echo(result_sentence(position, look))
        return
    labels = {
        cell: f"{look.icon((position.to_move - 1 + at) % 2 + 1)}{at + 1}"
        for at, cell in enumerate(found.line)
    }
    click.echo(_headline(found, look))
    click.echo()
    click.echo(draw_board(position, look, labels=labels).plain)
    click.echo()
    if found.line:
        click.echo(f"line: {'x'.join(map(str, found.line))}")
    if found.forced:
        click.echo(f"to be stopped: {', '.join(map(str, found.forced))}")
    if found.moves:
        rows = [(move.cell, move.length, "x".join(map(str, move.line))) for move in found.moves]
        table(["first move", "threats", "shortest line"], rows)
    if found.undecided:
        click.echo(f"not decided within the limit: {', '.join(map(str, found.undecided))}")
    if found.status == "none":
        _print_stored(position, look)
    click.echo(f"{found.nodes:,} positions; {found.seconds:.2f} s")


def _print_stored(position: Position, look: Look) -> None:
    """Say who wins without threats alone, where a stored proof tells."""
    from hyperoxo.game.sentences import sentences
    from hyperoxo.solvers.stored import said_by_stored_proofs

    said = said_by_stored_proofs(position)
    winner = said.own.winner(position.to_move, position.game.players)
    if winner:
        click.echo(f"{look.name(winner)} wins, but not by threats alone.")
        click.echo("\n".join(sentences(said.own.reasons)))


def _headline(found: ForcedWins, look: Look) -> str:
    from hyperoxo.game.sentences import number_of

    name = look.name(found.position.to_move)
    if found.status == "none":
        return f"{name}, to move, has no forced win by threats."
    if found.length is None:
        return f"It was not decided whether {name}, to move, has a forced win by threats."
    if found.length == 0:
        return f"{name}, to move, completes a line."
    threats = number_of(found.length, "threat")
    most = "" if found.shortest else " at most"
    return f"{name}, to move, wins by force:{most} {threats}, then a line."


def _check(
    position: Position, sequence: str, nodes: int, file: Path | None, options: Options
) -> int:
    from hyperoxo.solvers.threats.sequence import verify_sequence

    limit = {"node_limit": nodes} if nodes else {}
    check = verify_sequence(position, sequence, **limit)
    if file is not None and check.holds:
        forced = [move for move in check.moves if move.part == "forced"]
        begin = position
        for move in check.moves[: len(check.moves) - len(forced)]:
            begin = begin.play(move.cell)
        _draw(begin, [move.cell for move in forced], file)
    if file is None or str(file) != "-":
        options.emit(_check_answer(check), text=lambda: _print_check(check))
    return 0 if check.holds else FAILED


def _check_answer(check: SequenceCheck) -> dict[str, Any]:
    return {
        "game": str(check.start.game),
        "position": check.start.text,
        "holds": check.holds,
        "problems": list(check.problems),
        "attacker": check.attacker,
        "ending": check.ending,
        "length": check.threats,
        "shortest": check.fewest,
        "shortest_line": list(check.fewest_line),
        "moves": [vars(move) for move in check.moves],
    }


def _print_check(check: SequenceCheck) -> None:
    from hyperoxo.game.sentences import number_of

    rows = [
        (
            move.number,
            move.player,
            move.cell,
            move.part,
            move.does,
            " ".join(map(str, move.threatens)),
        )
        for move in check.moves
    ]
    table(["move", "player", "cell", "written as", "does", "threatens"], rows)
    for problem in check.problems:
        click.echo(f"wrong: {problem}")
    if check.holds:
        end = {"line": "a completed line", "double threat": "two threats at once"}[check.ending]
        click.echo(
            f"The sequence holds: {number_of(check.threats, 'threat')} of player "
            f"{check.attacker}, up to {end}."
        )
    if check.fewest is not None and (not check.holds or check.fewest < check.threats):
        line = "x".join(map(str, check.fewest_line))
        click.echo(f"The shortest forced win there has {number_of(check.fewest, 'threat')}: {line}")


def _draw(position: Position, line: Any, file: Path) -> None:
    from hyperoxo.play.pictures.threats import draw_steps

    write(file, draw_steps(position, line))
