"""Terminal input and output, for a person at a keyboard or a pipe."""

from __future__ import annotations

import os
import select
import shutil
import sys
from typing import TextIO

from rich.text import Text

from hyperoxo.errors import displayed
from hyperoxo.play.pictures.boards import to_ansi
from hyperoxo.terminal.streams import raw


class Screen:
    r"""Boards on one stream, messages and prompts on another.

    With a person at the keyboard both are the terminal. In a pipe boards go to stdout and
    everything else to stderr.
    """

    def __init__(self, source: TextIO, boards: TextIO, messages: TextIO) -> None:
        self.source = source
        self.boards = boards
        self.messages = messages
        self.interactive = source.isatty() and messages.isatty()
        self.colour = boards.isatty() and not os.environ.get("NO_COLOR")
        self._line_editing = False
        self._fresh = True
        self.ahead: list[str] = []

    @classmethod
    def standard(cls, *, boards_to_stderr: bool = False) -> Screen:
        """Make the screen of this process."""
        boards = raw(sys.stderr if boards_to_stderr else sys.stdout)
        at_terminal = sys.stdin.isatty() and boards.isatty()
        screen = cls(sys.stdin, boards, boards if at_terminal else raw(sys.stderr))
        if at_terminal and not boards_to_stderr:
            screen.edit_lines()
        return screen

    def edit_lines(self) -> None:
        """Enable line editing (readline), if the platform has it."""
        try:
            import readline
        except ImportError:
            return
        readline.set_auto_history(True)
        self._line_editing = True

    @property
    def unicode(self) -> bool:
        """True if the board's stream can show more than ASCII."""
        encoding = getattr(self.boards, "encoding", None) or "utf-8"
        return encoding.lower().replace("-", "").replace("_", "") == "utf8"

    @property
    def width(self) -> int:
        """Columns of the terminal; 80 where there is none."""
        return shutil.get_terminal_size((80, 24)).columns

    @property
    def listens(self) -> bool:
        """True if typed lines can be polled while something else goes on."""
        if not self.interactive or os.name != "posix":
            return False
        try:
            self.source.fileno()
        except OSError:
            return False
        return True

    def typed(self) -> str | None:
        """Poll for a typed line; None if there is none."""
        if not select.select([self.source], [], [], 0)[0]:
            return None
        line = self.source.readline()
        # At its end the input reads as an empty string; the next prompt finds the end again.
        return line.strip() if line else None

    def write_board(self, text: Text | str) -> None:
        """Write a board, with an empty line before it."""
        drawn = to_ansi(text, colour=self.colour) if isinstance(text, Text) else displayed(text)
        self._write(self.boards, ("" if self._fresh else "\n") + drawn + "\n")
        self._fresh = False

    def write_sentence(self, sentence: str) -> None:
        """Write a sentence that belongs to the board."""
        self._write(self.boards, displayed(sentence) + "\n")

    def write_message(self, message: str) -> None:
        """Write a message on a separate line."""
        self._write(self.messages, displayed(message) + "\n")
        self._fresh = False

    def prompt(self, prompt: str) -> str:
        """Ask for one line; input typed ahead answers first."""
        if self.ahead:
            line = self.ahead.pop(0)
            self.write_message(prompt + line)
            return line
        prompt = displayed(prompt)
        if self._line_editing:
            return input(prompt)
        if self.interactive:
            self._write(self.messages, prompt)
        else:
            self.write_message(prompt.rstrip().removesuffix(":") + ".")
        line = self.source.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    @staticmethod
    def _write(stream: TextIO, text: str) -> None:
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(text.encode(encoding, "replace").decode(encoding))
        stream.flush()
