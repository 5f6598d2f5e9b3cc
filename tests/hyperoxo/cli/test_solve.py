from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from hyperoxo.cli.progress import Progress
from hyperoxo.proof import read_strategy
from tests import command
from tests.processes import python

oxo, answer = partial(command.oxo, "solve"), partial(command.answer, "solve")


def test_json() -> None:
    found = answer("3^2")
    assert found["value"] == "draw"
    assert found["winner"] == 0
    assert found["remoteness"] == 9
    assert found["proof"] is None
    assert found["moves"] == [
        {"cell": cell, "value": "draw", "remoteness": 9, "bounds": ["draw", "draw"]}
        for cell in range(9)
    ]
    assert isinstance(found["nodes"], int)


def test_positions() -> None:
    assert answer("3^2", "--position", "moves:0,1")["value"] == "win"
    assert answer("3^2", "--position", "1.2......")["value"] == "win"
    assert answer("3^2", "--position", "11122....")["winner"] == 1
    assert oxo("3^2", "--position", "111......").exit_code == 2


def test_several_players() -> None:
    found = answer("3^2:players=3")
    assert (found["value"], found["winner"]) == ("draw", 0)
    assert answer("3^2:players=3", "--concept", "maxn")["complete"] is True


@pytest.mark.more
def test_what_is_unknown() -> None:
    found = answer("4^3", "--method", "proof", "--nodes", "5000")
    assert found["value"] == "unknown"
    assert found["bounds"] == ["draw", "win"]
    assert found["winner"] is None
    assert found["remoteness"] is None


def test_one_attacker(tmp_path: Path) -> None:
    file = tmp_path / "x.proof"
    found = answer("3^3", "--attacker", "1", "--proof", str(file), "--threads", "1")
    assert (found["value"], found["winner"], found["proof"]) == ("win", 1, str(file))
    assert command.oxo("verify", str(file)).exit_code == 0
    found = answer("3^2", "--position", "moves:0", "--attacker", "1", "--threads", "1")
    assert (found["value"], found["bounds"]) == ("unknown", ["draw", "win"])
    assert "player 1 cannot force a win" in str(found["evidence"])
    done = oxo("3^2", "--position", "moves:0", "--attacker", "1", "--proof", str(tmp_path / "y"))
    assert done.exit_code == 1
    assert "none was found" in done.stderr


WON_SOON = ("7,6,4:gravity", "--position", "moves:5,0,3,12")


def test_only_what_is_asked() -> None:
    for option, most, plies in (("--value-only", 100, None), ("--best-move", 200, 3)):
        found = answer(*WON_SOON, option)
        assert (found["value"], found["best"], found["remoteness"]) == ("win", 4, plies)
        assert found["complete"] is True
        assert int(str(found["nodes"])) < most
    found = answer(*WON_SOON, "--every-move", "--nodes", "1000")
    assert (found["remoteness"], found["complete"]) == (3, False)
    assert "the limit came first" in str(found["evidence"])


@pytest.mark.more
def test_the_value_is_announced_before_other_moves_are_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    monkeypatch.setattr(Progress, "known", lambda self, text: said.append(text))
    answer(*WON_SOON, "--every-move", "--nodes", "1000")
    assert "player 1 wins in 3 moves (e); looking at other moves" in said
    said.clear()
    position = ("4^3", "--position", "moves:0,63,1,62,4,60,8,50,2,3")
    answer(*position, "--method", "proof", "--every-move", "--nodes", "50")
    assert said[0] == "player 1 wins in 1 move (1a1); looking at other moves"


def test_other_moves_that_are_left_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperoxo.solvers.knowledge.OTHER_MOVES", 1_000)
    done = oxo(*WON_SOON)
    assert "the other moves were searched for at most 1,000 positions more" in done.stdout
    assert "--every-move decides the other moves too" in done.stderr


def test_text() -> None:
    lines = oxo("3^2").stdout.splitlines()
    assert lines[0] == "player 1, to move, can force a draw and no more, 9 moves to the end"
    assert "  Strategy stealing: the second player has no winning strategy." in lines
    text = oxo("5^4", "--seconds", "0").stdout
    assert text.startswith("player 1, to move, can force something between draw and win\n")
    assert "unknown (a win, a draw or a loss)" in text
    assert "0 of 9 classes of moves decided" in text


def test_moves_alike_are_one_row() -> None:
    lines = oxo("4^3").stdout.splitlines()
    begin = lines.index(next(line for line in lines if line.startswith("move")))
    assert [line.split() for line in lines[begin : begin + 3]] == [
        ["move", "alike", "value", "plies"],
        ["1a4", "16", "win"],
        ["1b4", "48", "win"],
    ]
    assert lines[begin + 3] == "64 moves, one of each class; --all lists every move"
    assert "\n   0     16  win" in oxo("4^3", "--numbers").stdout
    lines = oxo("4^3", "--all").stdout.splitlines()
    assert sum(line.split()[1:] == ["win"] for line in lines) == 64


def test_a_proof(tmp_path: Path) -> None:
    file = tmp_path / "x.proof"
    found = answer("3^3", "--proof", str(file))
    assert found["proof"] == str(file)
    assert read_strategy(file).creator.startswith("oxo")
    assert command.oxo("verify", str(file)).exit_code == 0
    assert oxo("3^2", "--proof", str(file), "--proof-seat", "2").exit_code == 0
    assert read_strategy(file).strategy.statement == "player 2 gets at least a draw in 3^2"


def test_no_proof(tmp_path: Path) -> None:
    file = tmp_path / "x.proof"
    done = oxo("3^3", "--proof", str(file), "--proof-seat", "2", "--format", "json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["proof"] is None
    assert "No proof was written: player 2 cannot force" in done.stderr
    assert not file.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("3^x",),
        ("3^2", "--proof-seat", "3"),
        ("3^2", "--value-only", "--every-move"),
        ("3^2", "--seconds", "nan"),
        ("3^3", "--attacker", "3"),
        ("3^3", "--attacker", "1", "--method", "exact"),
        ("3^3:players=3", "--attacker", "1"),
        ("3^3:players=3", "--attacker", "1", "--concept", "maxn"),
        ("4^3:gravity", "--attacker", "1"),
        (),
    ],
)
def test_usage(words: tuple[str, ...]) -> None:
    done = oxo(*words)
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1


# Ctrl-C comes while the search goes on in its own thread.
INTERRUPTED = """
import signal
from functools import partialmethod
from hyperoxo.cli.main import main
from hyperoxo.cli.progress import Progress
from hyperoxo.task import Task

press = lambda: signal.raise_signal(signal.SIGINT)
Task.run = partialmethod(Task.run, tell=press)
signal.signal(signal.SIGINT, signal.default_int_handler)
main(["solve", "4^3", "--method", "exact", "--format", "json"])
"""


def test_options_without_effect_are_named() -> None:
    asked = ("3^2", "--width", "3", "--threads", "1")
    note = "--threads, --width: without effect, as exact search finds the value\n"
    assert note in oxo(*asked).stderr
    assert note not in oxo(*asked, "--quiet").stderr
    assert "without effect" not in oxo("3^2", "--proof-seat", "1").stderr
    by_proof = oxo("4,4,3", "--method", "proof", "--proof-seat", "1")
    assert "--proof-seat: without effect, as proof search finds" in by_proof.stderr


@pytest.mark.more
def test_an_interrupt_still_answers() -> None:
    done = python("-c", INTERRUPTED)
    assert done.returncode == 130
    assert json.loads(done.stdout)["bounds"] == ["draw", "win"]
    assert "interrupted" in done.stderr


PLANNED = "8{0+1+5+6/0+1+3+4/0+1+2+7/3+4+7/2+6}"


@pytest.mark.more
def test_plans(tmp_path: Path) -> None:
    path = tmp_path / "plan.oxo"
    found = answer(PLANNED, "--method", "plan", "--keys", "0,1", "--proof", str(path))
    assert (found["value"], found["proof"]) == ("draw", str(path))
    assert path.read_bytes().startswith(b"hyperoxo-breaker 1\n")
    done = oxo("3^2", "--method", "plan", "--proof", str(tmp_path / "x"))
    assert (done.exit_code, "no plan was found" in done.output) == (1, True), done.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((PLANNED, "--method", "plan", "--keys", "0+1"), "write cells like 0,5,30"),
        ((PLANNED, "--method", "plan", "--keys", "0,9"), "key 9 is not a playable cell"),
        ((PLANNED, "--keys", "0,1"), "it is for --method plan"),
        ((PLANNED, "--method", "plan", "--concept", "maxn"), "does not go with --concept maxn"),
        (("3^2:misere", "--method", "plan"), "is not supported for 3^2:misere"),
    ],
)
def test_a_plan_that_is_not_asked_for_rightly(words: tuple[str, ...], told: str) -> None:
    done = oxo(*words)
    assert (done.exit_code, told in done.output) == (2, True), done.output


@pytest.mark.more
def test_plans_by_lines(tmp_path: Path) -> None:
    spec = "12{1+2+4+5+8+10/0+1+4+8+9/0+3+6+7/6+10/3+4+5+8/0+2}"
    path = tmp_path / "plan.oxo"
    words = (spec, "--method", "plan", "--keys", "0,1,2", "--by-lines")
    found = answer(*words, "--proof", str(path))
    assert (found["value"], found["proof"]) == ("draw", str(path))
    # No stone is counted at first, none is in either region, and no line is warm.
    assert b"\n... 0 0,0 -\n" in path.read_bytes()
    told = command.oxo("verify", str(path)).stdout
    assert told.startswith("proved: player 2 gets at least a draw")
    many = "/".join(f"0+{cell}+{cell + 1}" for cell in range(1, 19, 2))
    wide = "/".join(f"0+1+2+{cell}" for cell in range(3, 20))
    for game, more, told in (
        (f"21{{{many}}}", (), "at most 8 regions, not 9"),
        (f"21{{{wide}}}", ("--threads", "2"), "at most 16 rich lines, not 17"),
    ):
        done = oxo(game, "--method", "plan", "--keys", "0,1", "--by-lines", *more)
        assert (done.exit_code, told in done.stderr) == (2, True), done.output
        assert done.stdout == ""
    for other in ((), ("--method", "exact")):
        done = oxo(spec, *other, "--by-lines")
        assert (done.exit_code, "it is for --method plan" in done.stderr) == (2, True)


@pytest.mark.more
def test_the_smallest_board_needs_no_compiler_and_few_modules() -> None:
    probe = """
import sys
from hyperoxo.cli.main import main
main(["solve", "3^2"], standalone_mode=False)
print(len([name for name in sys.modules if name.startswith("hyperoxo")]))
print({"numba", "asyncio", "multiprocessing", "hyperoxo.pictures"} & sys.modules.keys())
"""
    done = python("-c", probe)
    *_, modules, heavy = done.stdout.splitlines()
    assert (int(modules) <= 140, heavy) == (True, "set()")
