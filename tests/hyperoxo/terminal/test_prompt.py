"""Whole sessions at the prompt, typed through a pipe or at a pretended terminal."""

from __future__ import annotations

import io
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hyperoxo.agents import Agent, Explanation
from hyperoxo.game import Game, Position, Why
from hyperoxo.notation import Record, read, write
from hyperoxo.play.board_style import BoardStyle
from hyperoxo.play.session import Session
from hyperoxo.task import Task
from hyperoxo.terminal import prompt
from hyperoxo.terminal.prompt import Terminal
from hyperoxo.terminal.screen import Screen

_ALONE = Task()
RANDOM = ("human", "random")
PEOPLE = ("human", "human")


class Keyboard(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Interrupting(io.StringIO):
    """A person who types one line and then interrupts."""

    def readline(self, *_: object) -> str:  # type: ignore[override]
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


class Play:
    """One session; its streams and what it returned."""

    def __init__(
        self,
        typed: str,
        seats: tuple[str, ...] = RANDOM,
        spec: str = "3^2",
        *,
        moves: str = "",
        source: type[io.StringIO] = io.StringIO,
        save: Path | None = None,
        quiet: bool = False,
        explain: bool = False,
    ) -> None:
        position = Game(spec).position(f"moves:{moves}")
        self.boards = io.StringIO()
        self.messages = Keyboard() if source is Keyboard else io.StringIO()
        screen = Screen(source(typed.replace("/", "\n")), self.boards, self.messages)
        session = Session(position, seats, np.random.default_rng(1))
        look = BoardStyle.of(position.game.players)
        self.terminal = Terminal(
            session, screen, look, save_path=save, quiet=quiet, explain=explain
        )
        self.summary = self.terminal.run()

    @property
    def said(self) -> list[str]:
        return self.messages.getvalue().splitlines()

    @property
    def last_board(self) -> str:
        return self.boards.getvalue().split("\n\n")[-1]


def test_a_game_to_the_end() -> None:
    play = Play("4/0/3/1/5/", PEOPLE)
    assert play.summary["result"] == "1"
    assert play.summary["winners"] == [1]
    assert play.summary["moves"] == [4, 0, 3, 1, 5]
    assert play.last_board.endswith("2 *X**X*[X]\n1  ·  ·  ·\nCross wins.\n")
    assert play.said[0] == "Cross X is typed. Ring O is typed."
    assert play.said[-1] == "Cross to move."


def test_the_end_of_the_input_says_how_to_go_on() -> None:
    play = Play("4\n")
    assert play.summary["result"] == "*"
    moves = ",".join(map(str, play.summary["moves"]))
    assert play.said[-1] == f"Continue with: oxo play '3^2' human random --position moves:{moves}"
    assert len(play.summary["moves"]) == 2


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("4/4", "Cell 4 is taken."),
        ("9", "There is no cell 9; cells are 0 to 8."),
        ("frob", "There is no command 'frob'. 'help' lists the commands."),
        ("udno", "There is no command 'udno'. Did you mean 'undo'?"),
        ("re", "'re' may be redo or resign."),
        ("undo", "There is no move of yours to take back."),
        ("undo x", "'x' is not a number of turns."),
        ("redo", "There is no move to play again."),
        ("board now", "'now' is one word too many."),
        ("save", "Save to which file? Type: save FILE"),
        ("load", "Load which file? Type: load FILE"),
        (
            "load /nowhere/at/all".replace("/", "\\"),
            "\\nowhere\\at\\all: No such file or directory.",
        ),
        ("save game.doc", "The name of game.doc must end in"),
        ("moves", "No move has been played."),
        ("1,1,1", "A cell of this board has 2 coordinates."),
    ],
)
def test_one_clear_line_and_the_question_again(typed: str, answer: str) -> None:
    said = Play(typed, PEOPLE).said
    assert any(line.startswith(answer) for line in said), said
    assert said[-1].startswith("Continue with") or "to move" in said[-1]


def test_undo_redo_and_moves() -> None:
    play = Play("4/0/undo/undo/redo/redo/8/moves", PEOPLE)
    assert play.summary["moves"] == [4, 0, 8]
    assert play.said.count("1 move taken back.") == 2
    assert "  1  X b2  O a3" in play.said
    assert "  2  X c1" in play.said


def test_lines_are_listed_and_marked() -> None:
    play = Play("lines", PEOPLE, "3^3:target=2", moves="13,1,12,2,14")
    assert "Cross X, 1 line: 2a2-2b2-2c2" in play.said
    assert "Ring O, 0 lines" in play.said
    assert "Lines: Cross 1, Ring 0; 2 wanted." in play.said
    assert "*X**X*[X]" in play.last_board


def test_a_hint_says_why() -> None:
    play = Play("hint", ("human",) * 3, "3^2:players=3", moves="0,3,6,1,4,7")
    assert any(line.startswith("Try c3: it completes a line.") for line in play.said)


def test_resigning() -> None:
    play = Play("resign", PEOPLE, moves="4")
    assert play.boards.getvalue().endswith("Ring resigns. Cross wins.\n")
    assert (play.summary["result"], play.summary["resigned"]) == ("1", 2)


def test_numbers_and_swap() -> None:
    play = Play("numbers/swap/quit", ("human", "random"), moves="4,0")
    assert "2  3  X  5" in play.boards.getvalue()
    assert "Cross X is random. You are Ring O." in play.said
    assert len(play.summary["moves"]) == 3


def test_columns() -> None:
    play = Play("3/d/D/d4/h/hint", PEOPLE, "7,6,4:gravity")
    assert play.summary["moves"] == [3, 10, 17, 24]
    assert "Type a column, such as b. 'help' lists the commands." in play.said
    assert any(line.startswith("Try ") for line in play.said)


def test_letters_are_a_column_before_they_begin_a_command() -> None:
    play = Play("h/q", PEOPLE, "8,2,3:gravity")
    assert play.summary["moves"] == [7]
    assert len(Play("b2/B2/a1", PEOPLE).summary["moves"]) == 2


def test_saving_after_every_move(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play = Play("4", save=path)
    assert json.loads(path.read_text())["moves"] == play.summary["moves"]
    assert play.said[-1] == f"Continue with: oxo play --load {path}"


def test_save_and_load_in_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play = Play("4/0/save a.pgn/8/load a.pgn", PEOPLE)
    assert play.summary["moves"] == [4, 0]
    assert "Saved in a.pgn." in play.said


def test_icons_change_during_play_and_are_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play = Play("icons A/icons @ %/4/save new.json/icons/quit", PEOPLE, moves="0")
    assert "2 players need 2 icons, not 1." in play.said
    assert "@ is typed. % is typed." in play.said
    assert "[%]" in play.boards.getvalue()
    assert read(Path("new.json").read_text(encoding="utf-8"))[0].icons == ("@", "%")
    assert play.terminal.style.icons == ("X", "O")


def test_a_fourth_icon_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    saved = Record(Game("3^2:players=3"), (4,), icons=("X", "O", "Y", "Z"))
    Path("old.json").write_text(write([saved], "json"), encoding="utf-8")
    Play("load old.json/0/save new.json/quit", PEOPLE)
    (record,) = read(Path("new.json").read_text(encoding="utf-8"))
    assert len(record.moves) > 1
    assert record.icons == ("X", "O", "Y", "Z")


def test_a_loaded_game_brings_its_board_seats_and_icons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b.json").write_text(
        json.dumps(
            {
                "format": "hyperoxo-record",
                "version": 1,
                "game": "3^3:players=3",
                "moves": [13],
                "players": ["greedy", "human", "random"],
                "icons": ["@", "%", "&"],
            }
        )
    )
    play = Play("load b.json")
    assert play.summary["seats"] == ["greedy", "human", "random"]
    assert "@ is greedy. You are %. & is random." in play.said
    assert "[@]" in play.last_board
    (tmp_path / "c.oxo").write_text("3^2:players=4 moves:4,0\n")
    play = Play("load c.oxo")
    assert play.summary["seats"] == ["human"] * 4
    assert "□" in "".join(play.said)


def test_an_interrupt_saves_first(tmp_path: Path) -> None:
    path = tmp_path / "game.oxo"
    with pytest.raises(KeyboardInterrupt):
        Play("4\n", PEOPLE, source=Interrupting, save=path)
    assert path.read_text() == "3^2 moves:4\n"


def test_at_a_terminal_a_finished_game_can_be_taken_back() -> None:
    play = Play("5/undo/8/new/quit", PEOPLE, moves="4,0,3,1", source=Keyboard)
    assert play.boards.getvalue().count("Cross wins.") == 1
    assert play.summary["moves"] == []
    assert "Again? (new, undo, quit): " in play.messages.getvalue()


def test_agents_alone_need_no_keyboard() -> None:
    play = Play("", ("random", "greedy"), explain=True)
    assert play.summary["result"] in ("1", "2", "=")
    moves = [line for line in play.said if " plays " in line]
    assert len(moves) == len(play.summary["moves"])
    assert moves[1].count(".") == 2
    assert play.boards.getvalue().count("a  b  c") == 1


def test_quiet_leaves_the_board_and_the_questions() -> None:
    play = Play("4", quiet=True)
    assert play.said[0] == "Your move."
    assert not any(" plays " in line for line in play.said)


def test_help_tells_the_rules_and_every_command() -> None:
    text = "\n".join(Play("help", PEOPLE, "3^3:misere,blocked=centre,opening=rich").said)
    for part in ("A player with a full line loses.", "Cell 2b2 is blocked.", "first move"):
        assert part in text
    for name in ("undo", "redo", "hint", "save FILE", "lines", "swap", "quit"):
        assert f"\n  {name}" in text


def test_a_stream_without_unicode_gets_question_marks_not_errors() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    screen = Screen(io.StringIO(), stream, stream)
    screen.write_board("△")
    assert not screen.unicode
    stream.seek(0)
    assert stream.read() == "?\n"


class Patient(Agent):
    """Thinks until it is asked for its move, which is then the first free cell."""

    def choose(self, position: Position, rng: Any = None) -> int:
        raise AssertionError

    def think(
        self, position: Position, rng: Any = None, task: Task = _ALONE, tell: Any = None
    ) -> Explanation:
        while not task.stopped:
            time.sleep(0.001)
        cell = int(position.legal_moves[-1])
        return Explanation(cell, (), f"A reason. {Why.MOVED_AT_ONCE()}")


@pytest.mark.skipif(os.name != "posix", reason="waits for typed lines by select")
def test_a_move_is_asked_for_while_an_agent_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt, "_PATIENCE", 0.0)
    keyboard, terminal = os.openpty()
    # Lines that ask for nothing are taken at the next prompt.
    os.write(keyboard, b"4\n0\n\n1\nnow\n\nquit\n")
    session = Session(Game("3^2").start(), RANDOM, np.random.default_rng(1))
    session.agents["random"] = Patient()
    messages = Keyboard()
    with os.fdopen(terminal, encoding="utf-8") as source:
        screen = Screen(source, io.StringIO(), messages)
        summary = Terminal(session, screen, BoardStyle.of(2)).run()
    os.close(keyboard)
    assert summary["moves"] == [4, 8, 0, 7, 1, 6]
    said = messages.getvalue()
    assert said.count("Ring thinks; Enter asks for the move now.") == 3
    assert "Ring plays c1. It was asked to move at once." in said
