"""`oxo prove threats`: forced wins, found or published; `oxo puzzle`: some to find yourself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED, command_line, write
from hyperoxo.display import as_data, number_of

if TYPE_CHECKING:
    from hyperoxo.play import BoardStyle

_FOUND = """
{head}

{board}

?named line: {named:;-}
?stopped cells to stop: {stopped}
|begun| first move={move} | threats={length} | shortest line={line:;-} |
?left not decided within the limit: {left}
*otherwise {}
{nodes:#position}; {seconds:.2f} s
"""


@cli.command("prove threats 3^3 --position moves:13,0", "prove threats 3^3 --out a.svg")
def command(
    options: cli.Options,
    start: ox.Position = cli.start(),
    sequence: str | None = cli.option(
        "Check this line instead: '0-3-60-21 4x8x5'; exit code 1 if it is wrong.",
        metavar="TEXT",
        spelled="--line",
    ),
    file: Path | None = cli.output_file(
        "Draw the win step by step into an SVG file; - for standard output.",
        dash=True,
        spelled="--out",
    ),
    proof: Path | None = cli.output_file(
        "Write a proof of the win, which `oxo verify` checks; exit code 1 if there is none."
    ),
    nodes: int = cli.number("Limit on positions searched.", 0, default=0, show_default=False),
    seconds: float | None = cli.seconds_limit(None, "Time limit of the search."),
    ascii_only: bool = cli.LETTERS,
    numbers: bool = cli.NUMBERS,
) -> int:
    """Find the shortest forced win of the player to move, and every move that begins one.

    A forced win is a chain of threats to complete a line, each with a single answer, until there
    are two threats together. Its length is the number of threats, without the completing move. With
    --line, check a given line of play move by move instead.
    """
    from hyperoxo.solvers.threats.forced_wins import write_win

    if sequence is not None:
        if proof is not None:
            raise click.BadParameter("it is for wins that are found", param_hint="'--proof'")
        return _check(start, sequence, nodes, file, options)
    with options.progress("searching") as progress:
        found = ox.forced_wins(start, nodes=nodes, seconds=seconds, progress=progress)
    if file is not None and found.line:
        _draw(start, found.line, file)
    if file is None or str(file) != "-":
        style = cli.terminal_style(start.game.players, ascii_only=ascii_only)
        template, more = _text(found, style, numbers)
        options.emit(found.as_data(), template, **more)
        if file is not None:
            options.note(str(file) if found.line else f"no forced win, so no {file}")
    if found.interrupted:
        return options.interrupted("this is what was found so far")
    if proof is not None and found.line:
        write_win(found, proof, creator=command_line())
    if proof is not None:
        options.note(str(proof) if found.line else f"no forced win, so no {proof}")
    return FAILED if proof is not None and not found.line else 0


def _text(found: ox.ForcedWins, style: BoardStyle, numbers: bool) -> tuple[str, dict[str, object]]:
    """Return the template, and its values that are not in the data."""
    from hyperoxo.game import move_name
    from hyperoxo.play import draw_board
    from hyperoxo.play.describe import result_sentence
    from hyperoxo.solvers.sources import bounds_by_stored_proofs

    position = found.position
    if position.is_over:
        return "{result}", {"result": result_sentence(position, style)}
    labels = {
        cell: f"{style.icon((position.to_move - 1 + at) % 2 + 1)}{at + 1}"
        for at, cell in enumerate(found.line)
    }
    otherwise: list[str] = []
    said = bounds_by_stored_proofs(position)
    winner = said.own.winner(position.to_move, position.game.players)
    if found.status == "none" and winner:
        otherwise = [f"{style.name(winner)} wins, but not by threats alone."]
        otherwise += map(str, said.own.reasons)
    board = draw_board(position, style, labels=labels).plain

    def names(cells: Sequence[int]) -> list[str]:
        return [str(cell) if numbers else move_name(position.game, cell) for cell in cells]

    begun = [
        {"move": names([one.cell])[0], "length": one.length, "line": names(one.line)}
        for one in found.moves
    ]
    cells = {"named": found.line, "stopped": found.forced, "left": found.undecided}
    named = {key: names(one) for key, one in cells.items()}
    texts = {"head": _headline(found, style), "board": board, "otherwise": otherwise}
    return _FOUND, {**texts, **named, "begun": begun}


def _headline(found: ox.ForcedWins, style: BoardStyle) -> str:
    name = style.name(found.position.to_move)
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
    position: ox.Position, sequence: str, nodes: int, file: Path | None, options: cli.Options
) -> int:
    limit = {"node_limit": nodes} if nodes else {}
    check = ox.verify_sequence(position, sequence, **limit)
    if file is not None and check.holds:
        forced = [move for move in check.moves if move.part == "forced"]
        begin = position
        for move in check.moves[: len(check.moves) - len(forced)]:
            begin = begin.play(move.cell)
        _draw(begin, [move.cell for move in forced], file)
    if file is None or str(file) != "-":
        options.show(check)
    return 0 if check.holds else FAILED


def _draw(position: ox.Position, line: Sequence[int], file: Path) -> None:
    from hyperoxo.play.pictures.threats import draw_steps

    write(file, draw_steps(position, line))


_LENGTH = 2
_SEEDS = 2**32
_KEYS = "position history=position.history player=position.to_move length"


@cli.command("puzzle 4^3 --length 3", "puzzle 4^3 --daily --solution")
def puzzle(
    options: cli.Options,
    game: ox.Game = cli.game(),
    length: int | None = cli.number(
        "Number of threats in the shortest win, without the completing move; default 2.", 1
    ),
    count: int = cli.number("Number of puzzles.", 1, default=1),
    strict: bool = cli.flag("Prove that no other move wins at all."),
    daily: bool = cli.flag("The puzzle of the day, the same for everyone."),
    date: dt.datetime | None = cli.option(
        "The day of --daily; default today, in UTC.", click.DateTime(["%Y-%m-%d"])
    ),
    solution: bool = cli.flag("Show the solution."),
    file: Path | None = cli.output_file(
        "Draw the puzzles into an SVG file; - for standard output.", dash=True, spelled="--out"
    ),
    ascii_only: bool = cli.LETTERS,
    work: cli.Work = cli.work(),
) -> None:
    """Make puzzles on GAME: positions with a forced win that only one move begins.

    A forced win is a chain of threats to complete a line, each with a single answer, until there
    are two threats together. Other moves may win more slowly, unless you add --strict. The same
    seed gives the same puzzles.
    """
    from hyperoxo.lab.puzzle import make_puzzles

    if date is not None and not daily:
        raise click.UsageError("--date goes with --daily")
    if daily and (count != 1 or strict or options.seed is not None):
        raise click.UsageError("--daily excludes --count, --strict and --seed")
    day = (date.date() if date else dt.datetime.now(dt.UTC).date()) if daily else None
    drawn = int(options.rng().integers(_SEEDS)) if options.seed is None else options.seed
    seed = None if daily else drawn
    with work.task(options.progress("playing")) as task:
        if day is not None:
            puzzles = [ox.daily_puzzle(game, day, length)]
        else:
            puzzles = make_puzzles(
                game, length or _LENGTH, count, drawn, strict=strict, progress=task
            )
    if file is not None:
        from hyperoxo.play.pictures.threats import draw_puzzles

        if not write(file, draw_puzzles(puzzles, solutions=solution)):
            return
    keys = f"{_KEYS} first solution" if solution else _KEYS
    answer = {
        "game": str(game),
        "seed": seed,
        "date": None if day is None else day.isoformat(),
        "strict": strict,
        "puzzles": [as_data(puzzle, keys) for puzzle in puzzles],
    }
    head = f"Puzzle of {day}" if day else f"{number_of(len(puzzles), 'puzzle')}, seed {seed}"
    texts = [
        _puzzle_text(number, one, solution, ascii_only) for number, one in enumerate(puzzles, 1)
    ]
    options.emit(answer, "{game}: {head}\n*texts {}", head=head, texts=texts)
    if file is not None:
        options.note(str(file))


def _puzzle_text(number: int, puzzle: ox.Puzzle, solution: bool, ascii_only: bool) -> str:
    from hyperoxo.game import cell_name
    from hyperoxo.play import draw_board

    style = cli.terminal_style(2, ascii_only=ascii_only)
    cells = [cell_name(puzzle.position.game, cell) for cell in puzzle.solution]
    name, threats = style.name(puzzle.position.to_move), number_of(puzzle.length, "threat")
    alone = "   No other first move wins at all.\n" if puzzle.strict else ""
    line = f"\nsolution: {'-'.join(cells)}" if solution else ""
    return (
        f"\n{number}. {name}, to move, wins by force: {threats}, then a line.\n{alone}\n"
        f"{draw_board(puzzle.position, style).plain}\n\nposition: {puzzle.position.text}{line}"
    )
