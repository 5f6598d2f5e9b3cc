"""The terminal application: a board to play on, with analysis, history and files."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import ClassVar

import numpy as np
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Label, OptionList, Static
from textual.widgets.option_list import Option

from hyperoxo.agents.base import Thought
from hyperoxo.errors import HyperoxoError
from hyperoxo.game import cell_name, cells_of_lines
from hyperoxo.game.messages import at_once
from hyperoxo.jit import compile_events
from hyperoxo.play.analysis import Analysis, analyse_position, short_value
from hyperoxo.play.board_style import BoardStyle, style_of
from hyperoxo.play.describe import as_sentence, describe_thought, result_sentence
from hyperoxo.play.saving import load_record, save_record
from hyperoxo.play.session import HUMAN, Session
from hyperoxo.task import Task
from hyperoxo.terminal.tui import board, panes
from hyperoxo.terminal.tui.background import BackgroundRunner
from hyperoxo.terminal.tui.dialogs import HelpDialog, NewGameDialog, TextDialog, check_drawable
from hyperoxo.terminal.tui.layout import fitting
from hyperoxo.terminal.tui.palette import THEMES, palette_of, preferred_theme
from hyperoxo.terminal.typed import move_hint, read_typed_move

_NARROW, _LOW = 90, 24
# Rows of the bars above and below, and of the seats.
_BARS, _SEATS = 3, 3
# Rows of the lists below the board: the fewest worth showing, and the most.
_LEAST, _LISTS = 5, 12
_PAUSE = 0.35
_HINT_SECONDS = 1.0
_SIDE_WIDTH = 40
_PREPARING = "Preparing this board (once)"
_ICONS_HINT = "One or two columns each, blanks between; none for the usual ones. Esc leaves."


class HyperoxoApp(App[None]):
    """Play, look and analyse."""

    TITLE = "hyperoxo"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_NARROW, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "take('undo')", "Undo", tooltip="Take back"),
        Binding("r", "take('redo')", "Redo", show=False, tooltip="Replay a move taken back"),
        Binding("h", "hint", "Hint", tooltip="A hint, with the reason"),
        Binding("a", "analysis", "Analysis", tooltip="Values on the cells, best moves beside them"),
        Binding("n", "overlay('numbers')", "Numbers", show=False, tooltip="Numbers on the board"),
        Binding("t", "overlay('threats')", "Threats", show=False, tooltip="Threats on the board"),
        Binding("v", "overlay('values')", "Values", show=False, tooltip="Values on the board"),
        Binding("l", "lines", "Lines", tooltip="The full lines, and those through the chosen cell"),
        Binding("colon", "type", "Type the cell of a move", show=False),
        Binding("left_square_bracket,backspace", "step(-1)", "Back", False, tooltip="A move back"),
        Binding("right_square_bracket", "step(1)", "Forth", False, tooltip="A move forth"),
        Binding("escape", "end", "Back to the game", show=False),
        Binding("b", "branch", "The next of the moves that were tried here", show=False),
        Binding("m", "lists", "Lists", tooltip="Lists of moves, or their place for the board"),
        Binding("p", "pause", "Pause the computer's players, or let them go on", show=False),
        Binding("f", "now", "Let the player that thinks move with the best so far", show=False),
        Binding("g", "new", "New", tooltip="New game"),
        Binding("s", "save", "Save", show=False),
        Binding("o", "open", "Open", show=False),
        Binding("i", "icons", "Symbols of the players", show=False),
        Binding("x", "resign", "Resign", show=False, tooltip="Resign; it asks once"),
        Binding("d", "ground", "Light or dark", show=False),
        Binding("question_mark", "help", "Help", key_display="?", tooltip="These keys"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(
        self,
        session: Session,
        *,
        seed: int | None = None,
        theme: str | None = None,
        analysis_seconds: float = 10.0,
    ) -> None:
        super().__init__()
        self.session = session
        self.board_style = BoardStyle.of(session.game.players)
        self.rng = np.random.default_rng(seed)
        self.seed = seed or 0
        self.analysis_seconds = analysis_seconds
        self.analysing = self.running = self.show_lines = self._resigning = False
        self.overlay = "none"
        self.lists: bool | None = None
        self.asks: ModalScreen[Session | None] | None = None
        self.hinted: int | None = None
        self.save_name = ""
        self._asked_theme = theme
        self._agents, self._analyses = BackgroundRunner(self), BackgroundRunner(self)
        self._hurry = threading.Event()

    def compose(self) -> ComposeResult:
        """Make the screen."""
        with Horizontal(id="top"):
            yield Label(Text.assemble("hyper", ("oxo", "#e06a3c")), id="brand")
            yield Label("", id="spec")
        yield Horizontal(id="seats")
        with Horizontal(id="middle"):
            yield board.BoardView(self._picture(), id="board")
            with VerticalScroll(id="side", can_focus=False):
                yield Static("", id="analysis", classes="pane off")
                yield Static("", id="curve", classes="pane off")
                yield OptionList(id="moves", classes="pane", compact=True)
        yield Label("", id="status")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin the game."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = preferred_theme(self._asked_theme)
        self.query_one("#analysis").border_title = "Best moves"
        self.query_one("#moves").border_title = "Moves"
        self.query_one("#board").focus()
        compile_events.on_compile = partial(self.call_later, self._show_preparing)
        self.sit_down(self.session)
        if self.asks is not None:
            self.push_screen(self.asks, self.sit_down)

    def sit_down(self, session: Session | None) -> None:
        """Begin or continue a game; with none, stay as it is."""
        if session is None:
            return
        self.session = session
        if len(self.board_style.icons) < session.game.players:
            self.board_style = BoardStyle.of(session.game.players)
        self.go_on()

    def on_resize(self) -> None:
        """Give the lists the space that the board leaves."""
        self._share()

    # Course of the game.

    def go_on(self) -> None:
        """Show the position, then start the agent to move, if any."""
        # Workers of the earlier position are stopped first: what they still send is dropped, so
        # that no move of theirs is played here.
        self.running = False
        self._agents.stop()
        self._hurry.set()
        self._analyses.stop()
        self.hinted = None
        self._resigning = False
        self.repaint()
        self.show_message(self._state_sentence())
        if self.analysing:
            self._analyse(self.analysis_seconds)
        if self.session.state.thinking:
            self._let_agent_think()

    def _let_agent_think(self) -> None:
        session = self.session
        seat, position = session.agent_to_move, session.position
        assert seat is not None
        chosen, rng = session.agents[seat], self.rng
        pause = 0.0 if session.humans else _PAUSE
        self._hurry = hurry = threading.Event()

        def work(stop: threading.Event, show: Callable[..., None]) -> None:
            begin = time.monotonic()
            task = Task(stop=hurry, on_report=partial(show, self._show_thought))
            try:
                found = chosen.think(position, rng, task)
                cell, words = int(found.move), at_once(found.reason)
            except HyperoxoError as failure:
                cell, words = None, str(failure)
            stop.wait(max(0.0, pause - (time.monotonic() - begin)))
            show(self._play_chosen, cell, words)

        self._agents.start(work)

    def _play_chosen(self, cell: int | None, words: str) -> None:
        """Play an agent's move; without a cell, pause with its error."""
        if cell is None:
            self.session.pause(words)
            self.show_message(as_sentence(words))
            return
        who = self.board_style.name(self.session.position.to_move)
        self._try(lambda: self.session.play(cell))
        if words:
            self.show_message(f"{words.replace('It', who, 1)} {self._state_sentence()}")

    def _show_thought(self, thought: Thought) -> None:
        if self.query("#spec"):
            who = self.board_style.name(self.session.position.to_move)
            words = describe_thought(self.session.game, thought)
            self.show_message(f"{who} thinks: {words}; f asks for it now.")

    def _analyse(self, seconds: float, *, hint: bool = False) -> None:
        session, node = self.session, self.session.tree.node
        if session.state.is_over:
            return
        known = session.analyses.get(node)
        if known is not None and known.finished and not known.stopped and not hint:
            return
        position = session.position
        self.running = True

        def work(stop: threading.Event, show: Callable[..., None]) -> None:
            update = partial(show, self._show_analysis, node)
            found = analyse_position(
                position, seconds=seconds, stop=stop, on_progress=update, seed=self.seed
            )
            show(self._show_analysis, node, found, hint)

        self._analyses.start(work)

    def _show_analysis(self, node: int, found: Analysis, hint: bool = False) -> None:
        """Take in an analysis, and point at the best move for a hint."""
        # While the application ends there is nothing left to show it on.
        if not self.query("#spec"):
            return
        self.session.analyses[node] = found
        self.running = not found.finished
        if hint and found.best is not None:
            self.hinted = found.best
            self.query_one(board.BoardView).point_at(found.best, announce=False)
            self.show_message(found.reason)
        self.repaint()

    # Display.

    def repaint(self) -> None:
        """Show the position and its analysis."""
        session, palette = self.session, palette_of(self)
        self.query_one("#spec", Label).update(f"{session.game} · move {session.position.ply}")
        self.query_one(board.BoardView).show(self._picture())
        self._show_seats()
        found = session.analyses.get(session.tree.node)
        pane, curve = self.query_one("#analysis", Static), self.query_one("#curve", Static)
        for one in (pane, curve):
            one.set_class(not self.analysing, "off")
        if self.analysing:
            if found is None:
                pane.update("The game is over." if session.state.is_over else "Thinking.")
            else:
                sure = Text(f"{panes.certainty(found, running=self.running)}\n", style=palette.dim)
                pane.update(sure + panes.best_moves(found, session, palette, _SIDE_WIDTH))
            curve.border_title = f"{self.board_style.name(1)}, move by move"
            curve.update(panes.value_curve(session, _SIDE_WIDTH - 2, palette))
        rows = panes.history_rows(session, self.board_style, palette)
        listed = self.query_one("#moves", OptionList)
        listed.set_options(Option(text, id=f"node{node}") for node, text in rows)
        here = [place for place, (node, _) in enumerate(rows) if node == session.tree.node]
        listed.highlighted = here[0] if here else 0
        self._share()

    def _share(self) -> None:
        """Divide the screen: the board first, then seats and lists, unless lists were requested."""
        if not self.query("#side"):
            return
        game, (width, height) = self.session.game, self.size
        side, narrow = self.query_one("#side"), width < _NARROW
        rows = height - _BARS
        least = fitting(game, width - 2, 0).height
        # Without the seats where the screen is low, or where the board fits only without them.
        folded = height < _LOW or rows - _SEATS < least <= rows
        self.query_one("#seats").display = not folded
        rows -= 0 if folded else _SEATS
        spare = rows - fitting(game, width - 2, rows).height
        filled = self.analysing or len(self.session.tree.line) > 1
        fits = not narrow or (filled and spare >= _LEAST)
        side.display = fits if self.lists is None else self.lists
        side.styles.height = min(_LISTS, _LISTS if self.lists else spare) if narrow else "1fr"

    def _show_seats(self) -> None:
        bar = self.query_one("#seats", Horizontal)
        person = "You" if len(self.session.humans) == 1 else "Person"
        names = [person if seat == HUMAN else seat for seat in self.session.seats]
        lines = panes.seat_lines(self.session, self.board_style, names, palette_of(self))
        cards = list(bar.query(Static))
        if len(cards) != len(lines):
            bar.remove_children()
            cards = [Static(classes="card") for _ in lines]
            bar.mount(*cards)
        mover = 0 if self.session.state.is_over else self.session.position.to_move
        for player, (card, line) in enumerate(zip(cards, lines, strict=True), start=1):
            card.update(line)
            card.set_class(player == mover, "to-move")

    def _picture(self) -> board.Picture:
        session = self.session
        position = session.position
        glowing = cells_of_lines(position, position.winning_lines)
        tinted: frozenset[int] = frozenset()
        if self.show_lines:
            owned = map(position.owned_lines, range(1, session.game.players + 1))
            glowing = cells_of_lines(position, chain.from_iterable(owned))
            cursor = self.query_one(board.BoardView).cursor
            if cursor < len(position.owners):
                tinted = cells_of_lines(position, board.pointed_lines(position, cursor))
        return board.Picture(position, self.board_style, glowing, tinted, self._marks())

    def _marks(self) -> dict[int, board.Mark]:
        position = self.session.position
        marks: dict[int, board.Mark] = {}
        if self.overlay == "numbers":
            marks = {
                cell: board.Mark(str(cell))
                for cell, owner in enumerate(position.owners)
                if not owner
            }
        elif self.overlay == "threats":
            marks = board.threat_marks(position, self.board_style)
        elif self.overlay == "values":
            found = self.session.analyses.get(self.session.tree.node)
            for move in () if found is None else found.moves:
                value = short_value(move)
                best = found is not None and move.cell == found.best
                if value != "?":
                    marks[move.cell] = board.Mark(value, panes.tone_of(move), best)
        if self.hinted is not None:
            marks[self.hinted] = board.Mark("◎", "good", best=True)
        return marks

    def show_message(self, text: str) -> None:
        """Show a message on the line below the board."""
        self.query_one("#status", Label).update(Text(text))

    def _show_preparing(self, number: int, known: int) -> None:
        for status in self.query("#status").results(Label):
            if number:
                self.show_message(f"{_PREPARING}: {number} of about {known} functions.")
            elif str(status.content).startswith(_PREPARING):
                self.show_message(self._state_sentence())

    def _state_sentence(self) -> str:
        session = self.session
        if session.state.is_over:
            return result_sentence(session.position, self.board_style, session.resigned)
        who = self.board_style.name(session.position.to_move)
        if session.agent_to_move is not None:
            going = session.state.thinking
            return f"{who} thinks." if going else f"{who} is to move; p lets agents go on."
        return "Your move." if len(session.humans) == 1 else f"{who} to move."

    # Actions of people.

    def on_board_view_chosen(self, event: board.BoardView.Chosen) -> None:
        """Play on the cell that was chosen."""
        self._choose(lambda: board.landing(self.session.position, event.cell))

    def action_type(self) -> None:
        """Play a move that is typed."""

        def play(text: str) -> None:
            self._choose(lambda: read_typed_move(self.session.position, text))

        hint = f"{move_hint(self.session.game)} Esc leaves."
        self._prompt(TextDialog("Your move", hint=hint), play)

    def _choose(self, read: Callable[[], int]) -> None:
        """Play the move of a person, if it is their turn."""
        if self.session.agent_to_move is not None:
            self.show_message("It is not your turn; p pauses agents, u takes back.")
            return
        self._try(lambda: self.session.play(read()))

    def on_board_view_pointed(self, event: board.BoardView.Pointed) -> None:
        """Name the cell under the cursor."""
        self.show_message(
            f"Cell {cell_name(self.session.game, event.cell)}. {self._state_sentence()}"
        )
        if self.show_lines:
            self.query_one(board.BoardView).show(self._picture())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Jump to the move that was chosen in the list."""
        self._stand_at(int(str(event.option.id).removeprefix("node")))
        self.query_one("#board").focus()

    def _stand_at(self, node: int) -> None:
        """Jump to another position; agents wait there."""
        self.session.go(node)
        self.go_on()

    @contextmanager
    def _saying_why_not(self) -> Iterator[None]:
        """Show the message of an error below the board."""
        try:
            yield
        except HyperoxoError as error:
            self.show_message(as_sentence(str(error)))
        except OSError as error:
            self.show_message(f"{error.filename}: {error.strerror}.")

    def _try(self, action: Callable[[], object]) -> None:
        with self._saying_why_not():
            action()
            self.go_on()

    def action_take(self, way: str) -> None:
        """Take back to the last turn of a person, or replay a move taken back."""
        self._try(getattr(self.session, way))

    def action_step(self, step: int) -> None:
        """Go one move back or forth; agents wait."""
        place = self.session.tree.cursor + step
        if 0 <= place < len(self.session.tree.line):
            self._stand_at(self.session.tree.line[place])

    def action_end(self) -> None:
        """Go back to the game: to the end of the line, where agents go on."""
        self.session.go(self.session.tree.line[-1])
        self.session.resume()
        self.go_on()

    def action_lists(self) -> None:
        """Show the lists, or give their place to the board."""
        self.lists = not self.query_one("#side").display
        self.repaint()

    def action_branch(self) -> None:
        """Go to the next of the moves that were tried here."""
        branches = self.session.branches(self.session.tree.node)
        if len(branches) < 2:
            self.show_message("No other move was tried here; take back and play one.")
            return
        self._stand_at(branches[(branches.index(self.session.tree.node) + 1) % len(branches)])

    def action_pause(self) -> None:
        """Pause or resume agents."""
        session = self.session
        (session.pause if session.state.paused is None else session.resume)()
        self.go_on()

    def action_now(self) -> None:
        """Make the thinking agent play its best move so far."""
        self._hurry.set()

    def action_resign(self) -> None:
        """Resign, at the second request."""
        if not self._resigning and not self.session.state.is_over:
            self._resigning = True
            self.show_message("Resign? Press x again; a move or any jump goes on.")
            return
        self._try(self.session.resign)

    def action_hint(self) -> None:
        """Ask for a move and the reason."""
        if self.session.state.is_over:
            self.show_message("The game is over.")
            return
        found = self.session.analyses.get(self.session.tree.node)
        if found is not None and found.best is not None and (found.finished or found.seconds > 1):
            self._show_analysis(self.session.tree.node, found, hint=True)
            return
        self.show_message("Thinking.")
        self._analyse(self.analysis_seconds if self.analysing else _HINT_SECONDS, hint=True)

    def action_analysis(self) -> None:
        """Switch the analysis on or off."""
        self.analysing = not self.analysing
        self.overlay = "values" if self.analysing else "none"
        if self.analysing:
            self._analyse(self.analysis_seconds)
        else:
            self._analyses.stop()
            self.running = False
        self.repaint()

    def action_overlay(self, name: str) -> None:
        """Show one overlay, or none."""
        resting = "values" if self.analysing else "none"
        self.overlay = resting if self.overlay == name else name
        self.repaint()

    def action_lines(self) -> None:
        """Show full lines, and those through the chosen cell."""
        self.show_lines = not self.show_lines
        self.repaint()

    def action_ground(self) -> None:
        """Change between light and dark."""
        self.theme = "paper" if self.current_theme.dark else "night"
        self.repaint()

    def action_help(self) -> None:
        """List the keys."""
        self.push_screen(HelpDialog())

    def action_new(self) -> None:
        """Set a new game up."""
        self.push_screen(NewGameDialog(str(self.session.game), self.session.seats), self.sit_down)

    def action_icons(self) -> None:
        """Change the players' symbols."""
        players = self.session.game.players

        def change(text: str) -> None:
            self.board_style = self.board_style.with_icons(players, text.split())
            self.repaint()

        shown = " ".join(self.board_style.icons[:players])
        self._prompt(TextDialog("Symbols of the players", shown, _ICONS_HINT), change)

    def action_save(self) -> None:
        """Save the line of play up to here."""

        def save(name: str) -> None:
            path = Path(name).expanduser()
            save_record(path, self.session.record(self.board_style.icons))
            self.save_name = str(path)
            self.show_message(f"Saved in {path}.")

        self._prompt(TextDialog("Save the game in", self.save_name or "game.oxo"), save)

    def action_open(self) -> None:
        """Continue a saved game."""

        def load(name: str) -> None:
            path = Path(name).expanduser()
            record = load_record(path)
            check_drawable(record.game)
            session = Session.of_record(record)
            self.save_name = str(path)
            self.board_style = style_of(record, self.board_style)
            self.sit_down(session)

        self._prompt(TextDialog("Open the game in", self.save_name), load)

    def _prompt(self, dialog: TextDialog, use: Callable[[str], object]) -> None:
        """Prompt for text and use it; if it is refused, show the reason below the board."""

        def answered(text: str | None) -> None:
            if text is not None:
                with self._saying_why_not():
                    use(text)

        self.push_screen(dialog, answered)

    def on_unmount(self) -> None:
        """Leave no thread at work."""
        compile_events.on_compile = None
        self._agents.stop()
        self._analyses.stop()
