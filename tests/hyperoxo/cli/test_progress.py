"""Bars and lines on stderr while something takes long."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from types import SimpleNamespace

import click
import pytest

from hyperoxo.cli import output, play
from hyperoxo.cli import progress as module
from hyperoxo.cli.progress import Progress
from hyperoxo.errors import SpecError
from hyperoxo.jit import compile_events
from tests.command import oxo


class Heard(io.StringIO):
    """A stream that says when something was written."""

    heard: Callable[[], object] = staticmethod(int)

    def flush(self) -> None:
        super().flush()
        if self.getvalue():
            self.heard()


class Screen(Heard):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def show_on(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stream be stderr, also while tests capture theirs, and show everything at once."""
    streams = SimpleNamespace(stderr=stream, stdout=stream)
    monkeypatch.setattr(module, "print_remark", lambda text: click.echo(text, file=stream))
    monkeypatch.setattr(module, "sys", streams)
    monkeypatch.setattr(output, "sys", streams)
    monkeypatch.setattr(module, "SLOW", 0.0)
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Screen:
    screen = Screen()
    show_on(screen, monkeypatch)
    return screen


@pytest.fixture
def file(monkeypatch: pytest.MonkeyPatch) -> Heard:
    stream = Heard()
    show_on(stream, monkeypatch)
    return stream


def test_a_bar_at_a_terminal(terminal: Screen) -> None:
    with Progress("counting") as progress:
        progress(1, 4)
        progress(4, 4)
    assert "counting" in terminal.getvalue()
    assert "100%" in terminal.getvalue()


def test_no_bar_elsewhere(file: io.StringIO) -> None:
    with Progress("counting") as progress:
        progress(1, 4)
    assert file.getvalue() == ""


def test_no_bar_where_it_is_not_wanted(terminal: Screen) -> None:
    with Progress("counting", quiet=True) as progress:
        progress(1, 4)
    assert terminal.getvalue() == ""


def test_no_bar_for_what_is_quick(terminal: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLOW", 3600.0)
    with Progress("counting") as progress, Progress() as status:
        progress(1, 4)
        status.line("nodes 5")
    assert terminal.getvalue() == ""


def test_one_line_that_changes_at_a_terminal(terminal: Screen) -> None:
    with Progress() as status:
        status.line("nodes 5")
        status.line("nodes 6")
    assert "nodes" in terminal.getvalue()


def test_a_line_now_and_then_elsewhere(file: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    with Progress() as status:
        status.line("too soon")
        monkeypatch.setattr(module, "_SELDOM", 0.0)
        status.line("nodes 6")
    with Progress("counting") as status:
        status(2_000, 4_000)
    with Progress(quiet=True) as status:
        status.line("not wanted")
        status(1, 2)
    assert file.getvalue() == "nodes 6\ncounting: 2,000 of 4,000\n"


def test_something_appears_though_nothing_is_said(terminal: Screen) -> None:
    shown = threading.Event()
    terminal.heard = shown.set
    with Progress("enumerating"):
        assert shown.wait(60)
    assert "enumerating" in terminal.getvalue()


def test_what_is_known_is_written_while_more_is_sought(file: Heard) -> None:
    written = threading.Event()
    file.heard = written.set
    with Progress("solving") as progress:
        progress.known("player 1 wins")
        assert written.wait(60)
        progress.known("player 1 wins")
    assert file.getvalue() == "player 1 wins\n"


def test_what_is_known_is_not_written_twice_where_the_answer_follows(
    file: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SLOW", 3600.0)
    with Progress("solving") as progress:
        progress.known("player 1 wins")
    with Progress("solving", quiet=True) as progress:
        progress.known("player 1 wins")
    assert file.getvalue() == ""


def test_two_bars_are_two_lines(terminal: Screen) -> None:
    """Each is drawn on a line of its own, and both are cleared in the end."""
    with Progress("seats") as seats, Progress("positions") as positions:
        seats(1, 4)
        positions(2, 4)
        assert len(module._screen._parts) == 2
        drawn = list(module._screen._drawn().renderables)
    assert len(drawn) == 2
    assert module._screen._live is None


def test_what_a_whole_command_does_is_shown_until_it_answers(terminal: Screen) -> None:
    with module.waiting():
        module._screen.show()
        (line,) = module._screen._drawn().renderables
        assert str(line.text).startswith("working")
        with Progress("counting") as progress:
            progress(1, 4)
            assert len(list(module._screen._drawn().renderables)) == 1
        module.end_waiting()
        assert module._screen._live is None
    assert compile_events.on_compile is None


def test_a_command_that_waits_for_people_shows_only_what_it_compiles(terminal: Screen) -> None:
    with module.waiting(whole=False):
        assert not module._screen._parts
        assert compile_events.on_compile is not None
        compile_events.on_compile(1, 2)
        assert len(module._screen._parts) == 1
        compile_events.on_compile(0, 0)
        assert not module._screen._parts


def test_a_game_that_is_not_ready_yet_says_so(
    terminal: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = threading.Event()
    terminal.heard = lambda: said.set() if "getting ready" in terminal.getvalue() else None

    def slow(*_: object) -> None:
        assert said.wait(60)
        raise SpecError("there is nobody to play")

    monkeypatch.setattr(play, "game_of", slow)
    answer = oxo("play", "3^2")
    assert said.is_set()
    assert "there is nobody to play" in answer.stderr


def test_compiling_is_said_in_place_at_a_terminal(terminal: Screen) -> None:
    with module.waiting():
        assert compile_events.on_compile is not None
        compile_events.on_compile(3, 7)
        module._screen.show()
        (line,) = module._screen._drawn().renderables
        assert str(line.text).startswith("compiling 3 of about 7 functions, only at first use, 0 s")
        compile_events.on_compile(0, 0)
        (line,) = module._screen._drawn().renderables
        assert str(line.text).startswith("working")


def test_compiling_is_a_line_elsewhere(file: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    said = threading.Event()
    file.heard = said.set
    with module.waiting():
        assert compile_events.on_compile is not None
        compile_events.on_compile(1, 7)
        assert said.wait(60)
        compile_events.on_compile(0, 0)
    assert file.getvalue() == "compiling 1 of about 7 functions, only at first use, 0 s so far\n"
