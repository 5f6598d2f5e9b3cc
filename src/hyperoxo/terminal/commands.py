"""What can be typed besides a move."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hyperoxo.errors import HyperoxoError
from hyperoxo.play.pictures.boards import draw_board
from hyperoxo.play.reasons import advice
from hyperoxo.play.words import cell_name, line_name, number_of, rules_sentences
from hyperoxo.terminal.typed import move_hint

if TYPE_CHECKING:
    from hyperoxo.terminal.prompt import Terminal

__all__ = ["COMMANDS", "run_command"]

Command = Callable[["Terminal", str], None]

_MOST_LINES_LISTED = 50


class UnclearError(HyperoxoError):
    """What was typed is no command; the message is a sentence."""


def run_command(terminal: Terminal, text: str) -> None:
    """Run what was typed: the name of a command, or the beginning of one name, and a word."""
    name, _, rest = text.strip().partition(" ")
    name = {"?": "help", "exit": "quit", "q": "quit"}.get(name.lower(), name.lower())
    if name not in COMMANDS:
        starting = [known for known in COMMANDS if name and known.startswith(name)]
        if len(starting) > 1:
            raise UnclearError(f"'{name}' may be {' or '.join(starting)}.")
        if not starting:
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else "'help' lists the commands."
            raise UnclearError(f"There is no command '{name[:40]}'. {hint}")
        name = starting[0]
    COMMANDS[name][0](terminal, rest.strip())


def _board(terminal: Terminal) -> None:
    terminal.show_board()


def _help(terminal: Terminal) -> None:
    for sentence in rules_sentences(terminal.session.game):
        terminal.screen.tell(sentence)
    terminal.screen.tell(move_hint(terminal.session.game))
    for name, (_, argument, line) in COMMANDS.items():
        terminal.screen.tell(f"  {f'{name} {argument}'.strip():<11}  {line}")


def _hint(terminal: Terminal) -> None:
    session, look = terminal.session, terminal.look
    if session.is_over:
        raise UnclearError("The game is over.")
    terminal.screen.tell(advice(session.position, look, session.rng))


def _lines(terminal: Terminal) -> None:
    position, look = terminal.session.position, terminal.look
    cells: set[int] = set()
    for player, count in enumerate(position.lines_owned, start=1):
        owned = position.owned_lines(player) if count else ()
        names = ", ".join(line_name(position.game, n) for n in owned[:_MOST_LINES_LISTED])
        more = ", ..." if len(owned) > _MOST_LINES_LISTED else ""
        listed = f": {names}{more}" if owned else ""
        icon, name = look.icon(player), look.name(player)
        head = name if name == icon else f"{name} {icon}"
        terminal.screen.tell(f"{head}, {number_of(count, 'line')}{listed}")
        cells |= {int(cell) for line in owned for cell in position.game.board.line(line)}
    if cells:
        terminal.screen.show(draw_board(position, look, marked=cells))


def _load(terminal: Terminal, rest: str) -> None:
    if not rest:
        raise UnclearError("Load which file? Type: load FILE")
    terminal.load(Path(rest))
    terminal.introduce()


def _moves(terminal: Terminal) -> None:
    session, look = terminal.session, terminal.look
    history = session.position.history
    if not history:
        terminal.screen.tell("No move has been played.")
        return
    first = session.position.ply - len(history)
    turns = session.game.turns
    width = len(turns.cycle)
    words = [
        f"{look.icon(turns.mover(first + i))} {cell_name(session.game, cell)}"
        for i, cell in enumerate(history)
    ]
    widest = max(map(len, words))
    words = [""] * (first % width) + words
    for row, start in enumerate(range(0, len(words), width), start=first // width + 1):
        line = "  ".join(f"{word:<{widest}}" for word in words[start : start + width])
        terminal.screen.tell(f"{row:>3}  {line}".rstrip())


def _new(terminal: Terminal) -> None:
    terminal.session.restart()
    terminal.stale = True


def _numbers(terminal: Terminal) -> None:
    terminal.look = terminal.look.with_numbers(not terminal.look.numbers)
    terminal.stale = True


def _quit(terminal: Terminal) -> None:
    terminal.leaving = True


def _redo(terminal: Terminal, rest: str) -> None:
    plies = terminal.session.redo(_count(rest))
    terminal.screen.tell(f"{number_of(plies, 'move')} played again.")
    terminal.changed()


def _resign(terminal: Terminal) -> None:
    terminal.session.resign()
    terminal.keep()


def _save(terminal: Terminal, rest: str) -> None:
    path = Path(rest) if rest else terminal.save_path
    if path is None:
        raise UnclearError("Save to which file? Type: save FILE")
    terminal.save(path)
    terminal.screen.tell(f"Saved in {path}.")


def _swap(terminal: Terminal) -> None:
    terminal.session.swap()
    terminal.introduce_seats()
    terminal.stale = True


def _undo(terminal: Terminal, rest: str) -> None:
    plies = terminal.session.undo(_count(rest))
    if plies:
        terminal.screen.tell(f"{number_of(plies, 'move')} taken back.")
    terminal.changed()


def _count(rest: str) -> int:
    if not rest:
        return 1
    if not (rest.isascii() and rest.isdigit() and len(rest) <= 9 and int(rest) > 0):
        raise UnclearError(f"'{rest[:40]}' is not a number of turns.")
    return int(rest)


def _alone(run: Callable[[Terminal], None]) -> Command:
    """Make a command that refuses words after its name."""

    def command(terminal: Terminal, rest: str) -> None:
        if rest:
            raise UnclearError(f"'{rest[:40]}' is one word too many.")
        run(terminal)

    return command


COMMANDS: dict[str, tuple[Command, str, str]] = {
    "undo": (_undo, "[N]", "Take back your last turn, or the last N."),
    "redo": (_redo, "[N]", "Play again what was taken back."),
    "hint": (_alone(_hint), "", "Ask an agent for a move."),
    "board": (_alone(_board), "", "Draw the board again."),
    "numbers": (_alone(_numbers), "", "Show or hide the numbers of free cells."),
    "moves": (_alone(_moves), "", "List the moves."),
    "lines": (_alone(_lines), "", "List and mark the full lines."),
    "save": (_save, "FILE", "Save the game."),
    "load": (_load, "FILE", "Go on with a saved game."),
    "swap": (_alone(_swap), "", "Change seats."),
    "resign": (_alone(_resign), "", "Give up."),
    "new": (_alone(_new), "", "Begin again."),
    "help": (_alone(_help), "", "Show this list."),
    "quit": (_alone(_quit), "", "Leave."),
}
"""Function, argument and help line of each command."""
