"""`oxo play` as a command: arguments, streams, exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result

from tests.command import oxo, refusal
from tests.hyperoxo.play.test_saving import ESSAY


def play(*words: str, typed: str = "") -> Result:
    return oxo("play", *words, data=typed)


def test_boards_on_stdout_and_the_rest_on_stderr() -> None:
    answer = play("3^2", "human", "random", "--seed", "1", typed="4\n")
    assert answer.exit_code == 0
    assert "·" in answer.stdout
    assert "Your move" not in answer.stdout
    assert answer.stderr.count("Your move.") == 2
    assert "Continue with: oxo play" in answer.stderr


def test_boards_between_the_moves_of_agents() -> None:
    words = ("3^2", "random", "random", "--seed", "1", "--ascii")
    moves = len(json.loads(play(*words, "--format", "json").stdout)["moves"])
    rows = play(*words).stdout.count("\n")
    assert play(*words, "--boards").stdout.count("\n") >= (moves - 1) * 3 + rows


def test_the_same_seed_plays_the_same_game() -> None:
    words = ("3^3", "random", "random", "--format", "json", "--seed")
    first, again, other = (json.loads(play(*words, seed).stdout) for seed in ("5", "5", "6"))
    assert first["moves"] == again["moves"] != other["moves"]


def test_json_is_one_object() -> None:
    answer = play("3^2", "human", "human", "--format", "json", typed="4\n0\n3\n1\n5\n")
    record = json.loads(answer.stdout)
    assert record["game"] == "3^2"
    assert record["moves"] == [4, 0, 3, 1, 5]
    assert (record["result"], record["winners"]) == ("1", [1])
    assert record["position"] == "22.111..."
    assert record["seconds"] >= 0
    assert "Cross wins." in answer.stderr


def test_a_position_to_begin_with() -> None:
    answer = play("3^2", "human", "human", "--position", "moves:4,0,3,1", typed="5\n")
    assert answer.stdout.endswith("Cross wins.\n")


def test_a_saved_game_goes_on_in_the_same_seats(tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    play("3^2:players=3", "human", "random", "random", "--save", path, typed="4\n")
    answer = play("--load", path, "--format", "json", "--seed", "1", typed="")
    assert len(json.loads(answer.stdout)["moves"]) == 3
    assert json.loads(answer.stdout)["seats"] == ["human", "random", "random"]
    answer = play("3^2:players=3", "random", "random", "random", "--load", path, "--format", "json")
    assert json.loads(answer.stdout)["result"] != "*"


def test_a_game_of_the_essay_waits_for_its_people(tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text(ESSAY, encoding="utf-8")
    answer = play("--load", str(path), "--format", "json", typed="")
    loaded = json.loads(answer.stdout)
    assert (loaded["seats"], len(loaded["moves"])) == (["human"] * 3, 47)
    answer = play("3^2", "--format", "json", typed=f"load {path}\n")
    assert json.loads(answer.stdout) | {"seconds": 0} == loaded | {"seconds": 0}


def test_a_file_without_seats_takes_those_of_the_game_named(tmp_path: Path) -> None:
    path = tmp_path / "game.oxo"
    answer = play("3^2", "human", "random", "--save", str(path), typed="4\n")
    assert answer.stderr.endswith(f"Continue with: oxo play '3^2' human random --load {path}\n")
    for words, seats in (((), ["human", "human"]), (("3^2",), ["human", "level:3"])):
        answer = play(*words, "--load", str(path), "--format", "json", typed="")
        assert json.loads(answer.stdout)["seats"] == seats


def test_looks() -> None:
    assert "@" in play("3^2", "human", "human", "--icons", "@ %", typed="4\n").stdout
    assert play("3^2", "human", "human", "--ascii", typed="4\n").stdout.isascii()
    assert "0  1  2\n2  3 [X] 5" in play("3^2", "human", "human", "--numbers", typed="4\n").stdout
    narrow = play("4^3", "human", "human", "--width", "30", typed="").stdout
    assert max(map(len, narrow.splitlines())) <= 30


def test_a_saved_game_of_another_board(tmp_path: Path) -> None:
    path = tmp_path / "game.oxo"
    path.write_text("3^2 moves:4\n")
    assert "holds a game of 3^2, not of 3^3" in refusal(play("3^3", "--load", str(path)))


@pytest.mark.more
@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_an_interrupt_ends_with_130_and_a_saved_game(tmp_path: Path) -> None:
    path = tmp_path / "game.oxo"
    code = "from hyperoxo.cli.main import main; main()"
    words = ["play", "3^2", "human", "human", "--save", str(path)]
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write("4\n")
        process.stdin.flush()
        for line in process.stderr:
            if line == "Ring to move.\n":
                break
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert f"Interrupted; the game is saved in {path}.\n" in process.stderr.read()
    assert path.read_text() == "3^2 moves:4\n"
