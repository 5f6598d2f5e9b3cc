"""Small windows over the game: a file's name, the list of keys."""

from __future__ import annotations

from typing import ClassVar

from rich.table import Table as Grid
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

__all__ = ["KEYS", "FileDialog", "HelpDialog"]

KEYS = (
    ("arrows", "walk from cell to cell, across layers"),
    ("Page Up, Page Down", "the layer before, the layer after"),
    ("Home, End", "the same along the fourth axis"),
    ("Enter, Space, click", "play"),
    ("u, Backspace", "take back; r plays it again"),
    ("[ and ]", "one move back or forth; b goes to the next branch"),
    ("h", "a hint, with the reason"),
    ("a", "analysis: values on the cells, best moves beside the board"),
    ("t", "threats: cells where somebody would complete a line"),
    ("l", "lines: the full ones, and those through the chosen cell"),
    ("#", "numbers of the cells"),
    ("p", "pause agents, or let them go on"),
    ("n", "new game"),
    ("s, o", "save, open"),
    ("x", "resign"),
    ("d", "light or dark"),
    ("Tab", "to the list of moves; Enter there jumps"),
    ("?", "these keys"),
    ("q", "quit"),
)
"""What every key does."""


class FileDialog(ModalScreen[str | None]):
    """Asks for the name of a file; answers with None where none is wanted."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Cancel")]

    def __init__(self, title: str, proposed: str = "") -> None:
        super().__init__()
        self._title, self._proposed = title, proposed

    def compose(self) -> ComposeResult:
        """Make the window."""
        with Vertical(classes="dialog small"):
            yield Label(self._title, classes="title")
            yield Input(self._proposed, placeholder="game.pgn", id="file")
            yield Label(
                "The ending tells the notation: .oxo .pgn .json .sgf. Esc leaves.", classes="dim"
            )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was typed."""
        self.dismiss(event.value.strip() or None)


class HelpDialog(ModalScreen[None]):
    """Lists the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter", "dismiss(None)", "Close")
    ]

    def compose(self) -> ComposeResult:
        """Make the window."""
        grid = Grid.grid(padding=(0, 3, 0, 0))
        for keys, meaning in KEYS:
            grid.add_row(keys, meaning)
        with VerticalScroll(classes="dialog", can_focus=True):
            yield Label("Keys", classes="title")
            yield Static(grid)
