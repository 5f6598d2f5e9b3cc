"""Play in the terminal: a prompt for people and pipes, and the commands that it knows."""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from hyperoxo.agents import Explanation
from hyperoxo.display import number_of
from hyperoxo.errors import HyperoxoError, meant
from hyperoxo.game import cells_of_lines, move_name
from hyperoxo.game.describe import describe_rules
from hyperoxo.play.board_style import BoardStyle, style_of
from hyperoxo.play.describe import advice, as_sentence, line_name, move_sentence, result_sentence
from hyperoxo.play.pictures.boards import draw_board
from hyperoxo.play.saving import load_record, save_record
from hyperoxo.play.session import HUMAN, Session
from hyperoxo.task import Task, begin
from hyperoxo.terminal.screen import Screen
from hyperoxo.terminal.typed import is_move_text, move_hint, read_typed_move

_LONGEST_POSITION = 2000
_PATIENCE = 3.0  # seconds after which a person learns that they need not wait
_LOOK_SECONDS = 0.05


@dataclass
class Terminal:
    """One session at one screen."""

    session: Session
    screen: Screen
    style: BoardStyle
    _: KW_ONLY
    save_path: Path | None = None
    explain: bool = False
    quiet: bool = False
    every_board: bool = False
    stale: bool = field(default=True, init=False)
    """True if the board has changed since it was drawn."""
    leaving: bool = field(default=False, init=False)

    def run(self) -> dict[str, Any]:
        """Play until the game is over or the person leaves; return the game as plain values."""
        try:
            self.introduce()
            self._loop()
        except KeyboardInterrupt:
            if self.screen.interactive:
                self.screen.write_message("")
            self.autosave()
            where = f"; the game is saved in {self.save_path}" if self.save_path is not None else ""
            self.screen.write_message(f"Interrupted{where}.")
            raise
        return self.session.summary()

    def _loop(self) -> None:
        # Three states: the game is over, a person is to move, an agent is to move. In a pipe, and
        # in games of agents alone, the end of the game ends the loop; at a terminal the person may
        # go on. `ended` keeps the result from being repeated after each command.
        ended = False
        while not self.leaving:
            if self.session.state.is_over:
                if not ended or self.stale:
                    if self.stale:
                        self.show_board()
                    said = result_sentence(self.session.position, self.style, self.session.resigned)
                    self.screen.write_sentence(said)
                ended = True
                if not (self.screen.interactive and self.session.humans):
                    return
                if not self._prompt("Again? (new, undo, quit): "):
                    return
            elif self.session.agent_to_move is None:
                ended = False
                if self.stale:
                    self.show_board()
                who = self.style.name(self.session.position.to_move)
                alone = len(self.session.humans) == 1
                if not self._prompt("Your move: " if alone else f"{who} to move: "):
                    self._explain_next_steps()
                    return
            else:
                ended = False
                self._agent_turn()
        if not self.session.state.is_over:
            self._explain_next_steps()

    def _agent_turn(self) -> None:
        before = self.session.position
        cell, why = self._thought()
        if not self.quiet or self.explain:
            self.screen.write_message(move_sentence(before, cell, self.style, why))
        self.changed()
        if self.every_board and not self.session.state.is_over:
            self.show_board()

    def _thought(self) -> tuple[int, Explanation | None]:
        """Let an agent think; a person at the keyboard may request its move immediately."""
        # The agent thinks, and plays, in a thread; this one reads the keyboard. They share nothing
        # but the stop event and the result: the session's state is replaced as a whole. Other
        # lines that are typed meanwhile are kept for the next prompt.
        if not (self.screen.listens and self.session.humans):
            return self.session.think(explain=self.explain)
        hurry = threading.Event()
        who, start = self.style.name(self.session.position.to_move), time.monotonic()
        announced = False
        found = begin(partial(self.session.think, explain=self.explain, task=Task(stop=hurry)))
        while not wait([found], _LOOK_SECONDS).done:
            if not announced and time.monotonic() - start >= _PATIENCE:
                self.screen.write_message(f"{who} thinks; Enter asks for the move now.")
                announced = True
            line = None if hurry.is_set() else self.screen.typed()
            if (line or "").lower() == "now" or (line == "" and announced):
                hurry.set()
            elif line:
                self.screen.ahead.append(line)
        return found.result()

    def _prompt(self, question: str) -> bool:
        """Prompt once and carry out the input; return False at its end."""
        try:
            text = self.screen.prompt(question).strip()
        except EOFError:
            if self.screen.interactive:
                self.screen.write_message("")
            return False
        try:
            if is_move_text(self.session.game, text):
                self.session.play(read_typed_move(self.session.position, text))
                self.changed()
            elif text:
                run_command(self, text)
        except HyperoxoError as error:
            self.screen.write_message(as_sentence(str(error)))
        except OSError as error:
            self.screen.write_message(f"{error.filename}: {error.strerror}.")
        return True

    def changed(self) -> None:
        """Mark the board as changed, and save the game if requested."""
        self.stale = True
        self.autosave()

    def autosave(self) -> None:
        """Save the game if a file was named."""
        if self.save_path is not None:
            self.save(self.save_path)

    def show_board(self) -> None:
        """Draw the board, and the score if the target is several lines."""
        drawn = draw_board(self.session.position, self.style, chosen=self.session.answers)
        self.screen.write_board(drawn)
        self.stale = False
        game = self.session.game
        if game.target > 1 and not self.session.state.is_over:
            scores = enumerate(self.session.position.lines_owned, start=1)
            counts = ", ".join(f"{self.style.name(player)} {score}" for player, score in scores)
            self.screen.write_message(f"Lines: {counts}; {game.target} wanted.")

    def introduce(self) -> None:
        """Introduce the players, the unusual rules, and the input of moves."""
        self.stale = True
        if self.quiet:
            return
        self.introduce_seats()
        if self.session.humans:
            for sentence in describe_rules(self.session.game):
                self.screen.write_message(sentence)
            self.screen.write_message(f"{move_hint(self.session.game)} 'help' lists the commands.")

    def introduce_seats(self) -> None:
        """Introduce the players and their stones."""
        alone = len(self.session.humans) == 1
        said = []
        for player, seat in enumerate(self.session.seats, start=1):
            named = self.style.title(player)
            if seat == HUMAN:
                said.append(f"You are {named}." if alone else f"{named} is typed.")
            else:
                said.append(f"{named} is {seat}.")
        self.screen.write_message(" ".join(said))

    def _explain_next_steps(self) -> None:
        position = self.session.position
        if self.stale:
            self.show_board()
        seated = [str(self.session.game), *self.session.seats]
        moves = "moves:" + ",".join(map(str, position.history))
        text = moves if position.setup is None else position.text
        if self.save_path is not None:
            self.autosave()
            same = Session.of_record(load_record(self.save_path)).seats == self.session.seats
            words = [*(() if same else seated), "--load", str(self.save_path)]
        elif position.ply and len(text) <= _LONGEST_POSITION:
            words = [*seated, "--position", text]
        else:
            return
        self.screen.write_message(f"Continue with: {shlex.join(['oxo', 'play', *words])}")

    def leave(self) -> None:
        """End the session after this command."""
        self.leaving = True

    def save(self, path: Path) -> None:
        """Save the game in the notation of the file's suffix."""
        save_record(path, self.session.record(self.style.icons))

    def load(self, path: Path) -> None:
        """Continue a saved game, in its own seats and with its own icons."""
        record = load_record(path, self.screen.write_message)
        self.session = Session.of_record(record, self.session.rng)
        self.style = style_of(record, self.style)
        self.stale = True


Command = Callable[["Terminal", str], None]

_MOST_LINES_LISTED = 50


class UnclearError(HyperoxoError):
    """The input is not a command; the message is a sentence."""


def run_command(terminal: Terminal, text: str) -> None:
    """Run a typed command: its name or an unambiguous prefix, and an argument."""
    name, _, rest = text.strip().partition(" ")
    name = {"?": "help", "exit": "quit", "q": "quit"}.get(name.lower(), name.lower())
    if name not in COMMANDS:
        starting = [known for known in COMMANDS if name and known.startswith(name)]
        if len(starting) > 1:
            raise UnclearError(f"'{name}' may be {' or '.join(starting)}.")
        if not starting:
            hint = meant(name, COMMANDS).capitalize() or "'help' lists the commands."
            raise UnclearError(f"There is no command '{name[:40]}'. {hint}")
        name = starting[0]
    COMMANDS[name][0](terminal, rest.strip())


def _help(terminal: Terminal) -> None:
    for sentence in describe_rules(terminal.session.game):
        terminal.screen.write_message(sentence)
    terminal.screen.write_message(move_hint(terminal.session.game))
    for name, (_, argument, line) in COMMANDS.items():
        terminal.screen.write_message(f"  {f'{name} {argument}'.strip():<13}  {line}")


def _hint(terminal: Terminal) -> None:
    session, style = terminal.session, terminal.style
    if session.state.is_over:
        raise UnclearError("The game is over.")
    terminal.screen.write_message(advice(session.position, style, session.rng))


def _icons(terminal: Terminal, rest: str) -> None:
    players = terminal.session.game.players
    terminal.style = terminal.style.with_icons(players, rest.split())
    terminal.introduce_seats()
    terminal.changed()


def _lines(terminal: Terminal) -> None:
    position, style = terminal.session.position, terminal.style
    cells: set[int] = set()
    for player, count in enumerate(position.lines_owned, start=1):
        owned = position.owned_lines(player) if count else ()
        names = ", ".join(line_name(position.game, n) for n in owned[:_MOST_LINES_LISTED])
        more = ", ..." if len(owned) > _MOST_LINES_LISTED else ""
        listed = f": {names}{more}" if owned else ""
        terminal.screen.write_message(f"{style.title(player)}, {number_of(count, 'line')}{listed}")
        cells |= cells_of_lines(position, owned)
    if cells:
        terminal.screen.write_board(draw_board(position, style, marked=cells))


def _load(terminal: Terminal, rest: str) -> None:
    if not rest:
        raise UnclearError("Load which file? Type: load FILE")
    terminal.load(Path(rest))
    terminal.introduce()


def _moves(terminal: Terminal) -> None:
    session, style = terminal.session, terminal.style
    history = session.position.history
    if not history:
        terminal.screen.write_message("No move has been played.")
        return
    first = session.position.ply - len(history)
    turns = session.game.turns
    width = len(turns.cycle)
    words = [
        f"{style.icon(turns.mover(first + i))} {move_name(session.game, cell)}"
        for i, cell in enumerate(history)
    ]
    widest = max(map(len, words))
    words = [""] * (first % width) + words
    for row, start in enumerate(range(0, len(words), width), start=first // width + 1):
        line = "  ".join(f"{word:<{widest}}" for word in words[start : start + width])
        terminal.screen.write_message(f"{row:>3}  {line}".rstrip())


def _new(terminal: Terminal) -> None:
    terminal.session.restart()
    terminal.stale = True


def _now(_: Terminal) -> None:
    raise UnclearError("No other player is thinking.")


def _numbers(terminal: Terminal) -> None:
    terminal.style = replace(terminal.style, numbers=not terminal.style.numbers)
    terminal.stale = True


def _redo(terminal: Terminal, rest: str) -> None:
    plies = terminal.session.redo(_count(rest))
    terminal.screen.write_message(f"{number_of(plies, 'move')} played again.")
    terminal.changed()


def _resign(terminal: Terminal) -> None:
    terminal.session.resign()
    terminal.autosave()


def _save(terminal: Terminal, rest: str) -> None:
    path = Path(rest) if rest else terminal.save_path
    if path is None:
        raise UnclearError("Save to which file? Type: save FILE")
    terminal.save(path)
    terminal.screen.write_message(f"Saved in {path}.")


def _swap(terminal: Terminal) -> None:
    terminal.session.swap()
    terminal.introduce_seats()
    terminal.stale = True


def _undo(terminal: Terminal, rest: str) -> None:
    plies = terminal.session.undo(_count(rest))
    if plies:
        terminal.screen.write_message(f"{number_of(plies, 'move')} taken back.")
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
    "redo": (_redo, "[N]", "Replay a move taken back."),
    "hint": (_alone(_hint), "", "Ask an agent for a move."),
    "now": (_alone(_now), "", "While another thinks: ask for the move now; Enter does too."),
    "board": (_alone(Terminal.show_board), "", "Draw the board again."),
    "numbers": (_alone(_numbers), "", "Show or hide the numbers of free cells."),
    "icons": (_icons, "A B ...", "Change the players' symbols, or take the usual ones again."),
    "moves": (_alone(_moves), "", "List the moves."),
    "lines": (_alone(_lines), "", "List and mark the full lines."),
    "save": (_save, "FILE", "Save the game."),
    "load": (_load, "FILE", "Continue a saved game."),
    "swap": (_alone(_swap), "", "Change seats."),
    "resign": (_alone(_resign), "", "Give up."),
    "new": (_alone(_new), "", "Begin again."),
    "help": (_alone(_help), "", "Show this list."),
    "quit": (_alone(Terminal.leave), "", "Leave."),
}
"""Function, argument and help line of each command."""
