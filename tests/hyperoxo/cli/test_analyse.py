from __future__ import annotations

import re
import signal
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hyperoxo.game import Game
from hyperoxo.jit import Kernel, compile_events
from hyperoxo.notation import Record
from hyperoxo.play.analysis import Analysis, RecordAnalysis, analyse_position, analyse_record
from tests import command
from tests.command import printed, refusal
from tests.expect import require

oxo, answer = partial(command.oxo, "analyse"), partial(command.answer, "analyse")


def test_a_game_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "game.oxo"
    file.write_text("3^2 4-1-0-8-3-5-6\n")
    games = answer(str(file))["games"]
    assert isinstance(games, list)
    assert games[0]["mistakes"] == [2]
    assert [ply["value"] for ply in games[0]["plies"]][:3] == ["draw", "draw", "win"]
    assert games[0]["held"][0]["proved"]
    assert games[0]["report"]["mistakes"][0]["right"] == [0, 2, 6, 8]
    assert games[0]["report"]["accuracy"][1] | {"sentence": ""} == {
        "player": 2, "kept": 0, "judged": 1, "moves": 3, "sentence": "",
    }  # fmt: skip
    assert len(games[0]["points"]) == 8


def test_a_table_for_people() -> None:
    text = printed(oxo("-", data="3^2 4-1-0-8-3-5-6"))
    assert "mistake  Gives up a draw for a loss" in text
    assert "After move 2, b3, Ring was lost; a3 or any of" in text
    assert "Ring: right in 0 of 1 move that could be judged." in text


@pytest.mark.parametrize("notation", ["pgn", "json"])
def test_any_notation_is_read(notation: str) -> None:
    from hyperoxo.notation import read, write

    text = write(read("3^2 4-1-0"), notation)
    games = answer("-", data=text)["games"]
    assert isinstance(games, list)
    assert games[0]["final"]["value"] == "loss"


def test_several_games() -> None:
    games = answer("-", data="3^2 4-1-0\n3^2:misere 4-0\n")["games"]
    assert isinstance(games, list)
    assert [game["game"] for game in games] == ["3^2", "3^2:misere"]


def test_moves_on_the_command_line() -> None:
    games = answer("--game", "3^2", "--moves", "4,1")["games"]
    assert isinstance(games, list)
    assert games[0]["mistakes"] == [2]


def test_one_position() -> None:
    found = answer("--game", "3^2", "--position", "moves:4,1")
    assert found["value"] == "win"
    assert found["remoteness"] == 5
    done = oxo("--game", "3^2", "--position", "11.22....")
    assert "Cross to move: a win in 1 move" in done.stdout
    assert "Ring would complete a line at c2." in done.stdout
    assert "X c3: completes a line" in done.stdout


def test_what_everybody_gets_who_plays_alone_is_a_column() -> None:
    few = ("--game", "3^2:players=3", "--position", "moves:0,2,4,3,5", "--seconds", "0")
    lines = oxo(*few).stdout.splitlines()
    heading = next(line for line in lines if line.startswith("move"))
    assert heading.split() == ["move", "value", "max^n", "source", "tries"]
    assert any(line.startswith("a1    –      draw   search") for line in lines)
    assert "max^n" not in oxo("--game", "3^2", "--position", "moves:4,1").stdout


@pytest.mark.more
def test_compiling_takes_no_time_from_the_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    """A first call of a kernel waits while the clock is stopped, as if it compiled."""
    called, call = set[Kernel](), Kernel.__call__

    def compiled(kernel: Kernel, *args: Any) -> Any:
        if kernel not in called:
            called.add(kernel)
            with compile_events.timed():
                time.sleep(0.4)
        return call(kernel, *args)

    monkeypatch.setattr(Kernel, "__call__", compiled)
    found = answer("--game", "3^3", "--position", "moves:4,0")
    assert (found["value"], found["remoteness"] or found["within"]) == ("win", 5)
    assert found["nodes"] > 0
    assert found["seconds"] < 0.4 * len(called)


def test_what_is_no_game_is_told_with_the_file() -> None:
    assert "no known notation" in refusal(oxo("-", data="nonsense"))


def test_files_that_hold_no_game(tmp_path: Path) -> None:
    file = tmp_path / "game.oxo"
    file.write_bytes(b"3^2 4-\xff")
    assert "is not UTF-8 text (byte 7)" in refusal(oxo(str(file)))
    file.write_bytes(b"")
    assert f"{file}" in refusal(oxo(str(file), "--from", "record"))


def test_several_games_stand_apart() -> None:
    text = oxo("-", data="3^2 4-1\n3^2:misere 4-0\n").stdout
    assert text.startswith("3^2, result *\n")
    assert "\n\n3^2:misere, result *\n" in text


def test_a_finished_position() -> None:
    text = printed(oxo("--game", "3^2", "--position", "11122...."))
    assert text.count("\n") == 1
    assert "over" in text or "won" in text or "wins" in text


@pytest.mark.more
def test_a_position_that_is_not_decided() -> None:
    words = ("--game", "5^3", "--position", "moves:61", "--seconds", "0.1")
    done = oxo(*words)
    assert "value not proved: a win, a draw or a loss" in done.stdout
    assert "and 3 more; --all lists every move" in done.stdout
    listed = re.findall(r"^\d[a-e]\d  ", oxo(*words, "--all").stdout, re.MULTILINE)
    assert len(listed) == 124


def test_what_one_of_three_can_force() -> None:
    done = oxo("--game", "3^2:players=3", "--position", "moves:0,3,8,1", "--seconds", "60")
    assert "against all" in done.stdout or "a draw" in done.stdout


def test_ctrl_c_asks_the_work_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it knows by then is the answer."""
    main_thread = require(threading.main_thread().ident)

    def analyse(position: object, *, stop: threading.Event, **_: object) -> Analysis:
        signal.pthread_kill(main_thread, signal.SIGINT)
        assert stop.wait(60)
        return known

    known = analyse_position(Game("3^2").start(), seconds=0)
    monkeypatch.setattr("hyperoxo.play.analysis.analyse_position", analyse)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = oxo("--game", "3^2", "--position", "moves:4")
    finally:
        signal.signal(signal.SIGINT, handler)
    assert done.exit_code == 130
    assert "to move" in done.stdout


@pytest.mark.more
def test_an_interrupt_prints_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes once a first position has been looked at."""
    main_thread = require(threading.main_thread().ident)

    def analyse(record: Record, *, stop: threading.Event, **more: Any) -> RecordAnalysis:
        def press(_: RecordAnalysis) -> None:
            if not stop.is_set():
                signal.pthread_kill(main_thread, signal.SIGINT)
                assert stop.wait(60)

        return analyse_record(record, stop=stop, **{**more, "on_progress": press})

    monkeypatch.setattr("hyperoxo.play.analysis.analyse_record", analyse)
    done = oxo("--game", "4^3", "--moves", "0,1,21,2,42,3,63", "--seconds", "30")
    assert done.exit_code == 130
    assert "4d1" in done.stdout
    assert "completes" in done.stdout or "Wins in 1 move" in done.stdout
    assert "interrupted" in done.stderr
