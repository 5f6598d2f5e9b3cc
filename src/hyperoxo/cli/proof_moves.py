"""What a proof file plays in a position, and the proof files that come with the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.options import GameType, Options, OutputFile, shared_options
from hyperoxo.cli.output import table
from hyperoxo.errors import NotationError, SpecError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hyperoxo.position import Position
    from hyperoxo.rules import Game

    Ask = Callable[[Position], dict[str, Any] | None]

_MEANS = {
    "line": "completes a line",
    "block": "blocks",
    "listed": "listed",
    "forced": "begins a forced sequence",
}


def moves_in(data: bytes, text: str) -> dict[str, Any]:
    """Return what a proof plays in a position, or answers to every move of the others."""
    game, seat, ask = _asked(data)
    position = game.position(text)
    answers: list[dict[str, Any]] = []
    if not position.is_over and position.to_move == seat:
        answers.append(ask(position) or {"cell": None, "by": "nothing is listed here"})
    elif not position.is_over:
        for cell in position.legal_moves:
            after = position.play(cell)
            over = after.is_over or after.to_move != seat
            nothing = "not its turn" if over else "nothing is listed here"
            found = None if over else ask(after)
            answers.append({"reply": cell, **(found or {"cell": None, "by": nothing})})
    return {"position": position.text, "player": position.to_move, "moves": answers}


def _asked(data: bytes) -> tuple[Game, int, Ask]:
    """Return the game of a proof, whose proof it is, and what looks up its moves."""
    if data.startswith(b"hyperoxo-dictionary "):
        from hyperoxo.play.proof_play import answer_of
        from hyperoxo.proof.dictionary_file import read_proof

        dictionary = read_proof(data).proof.dictionary

        def played(position: Position) -> dict[str, Any] | None:
            found = answer_of(dictionary, position)
            return None if found is None else {"cell": found.cell, "by": _MEANS[found.means]}

        return dictionary.game, dictionary.seat, played
    if data.startswith(b"hyperoxo-strategy "):
        from hyperoxo.proof import read_strategy
        from hyperoxo.proof.images import locate

        strategy = read_strategy(data).strategy

        def listed(position: Position) -> dict[str, Any] | None:
            form, cells = locate(position.game, position.owners)
            move = strategy.moves.get(form)
            return None if move is None else {"cell": int(cells[move]), "by": "listed"}

        return strategy.game, strategy.seat, listed
    raise NotationError("--position is for strategies and dictionaries; this is no file of these")


def print_moves(answer: dict[str, Any]) -> None:
    """Print what `moves_in` returned."""
    moves = answer["moves"]
    if not moves:
        click.echo("the game is over in this position")
    elif "reply" in moves[0]:
        rows = [
            (move["reply"], "" if move["cell"] is None else move["cell"], move["by"])
            for move in moves
        ]
        table(["reply", "answer", "by"], rows)
    else:
        cell = moves[0]["cell"]
        click.echo(moves[0]["by"] if cell is None else f"{cell}: {moves[0]['by']}")


@click.command()
@click.argument("game", metavar="[GAME]", type=GameType(), required=False)
@click.option("--out", metavar="OUT", type=OutputFile(), help="Copy the proof of GAME here.")
@shared_options
def stored(game: Game | None, out: Path | None, options: Options) -> None:
    """List the proofs that come with the program, or only that of GAME.

    They are ordinary proof files: `oxo verify` checks them and `oxo proof show` describes them.
    """
    from importlib.resources import files

    from hyperoxo.proof.stored import STORED, stored_proof
    from hyperoxo.rules import Game

    if out is not None and game is None:
        raise click.UsageError("--out goes with a GAME")
    specs = [spec for spec in STORED if game is None or spec == str(game)]
    if not specs:
        raise SpecError(f"no proof of {game} comes with the program; there are {', '.join(STORED)}")
    rows = []
    for spec in specs:
        data = stored_proof(Game(spec)) or b""
        place = str(files("hyperoxo").joinpath("data", STORED[spec]))
        rows.append({"game": spec, "bytes": len(data), "file": place})
        if out is not None:
            out.write_bytes(data)
            rows[-1]["file"] = str(out)
    options.emit(
        {"proofs": rows},
        text=lambda: table(["game", "bytes", "file"], [tuple(row.values()) for row in rows]),
    )
