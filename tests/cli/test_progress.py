"""Bars and lines on stderr while something takes long."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from hyperoxo.cli import output
from hyperoxo.cli import progress as module
from hyperoxo.cli.progress import Progress


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def show_on(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stream be stderr, also while tests capture theirs, and show everything at once."""
    streams = SimpleNamespace(stderr=stream, stdout=stream)
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
def file(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    stream = io.StringIO()
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
    with Progress(quiet=True) as status:
        status.line("not wanted")
    assert file.getvalue() == "nodes 6\n"
