"""`oxo threats` and `oxo puzzle`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command import answer as data
from tests.command import oxo, printed, refusal

QUIET = "moves:0,3,60,21,15,51,12,63"
PUBLISHED = "0-3-60-21-15-51-12-63 4x8x5x10x20x40x28x44x24x16x36x52x48"


def test_threats_as_data() -> None:
    told = data("threats", "4^3", "--position", QUIET)
    assert told["status"] == "win"
    assert told["length"] == 5
    assert told["shortest"] is True
    assert told["complete"] is True
    moves = told["moves"]
    assert isinstance(moves, list)
    assert [(move["cell"], move["length"]) for move in moves][:3] == [(4, 5), (5, 6), (8, 5)]
    for key in ("line", "forced", "immediate", "nodes", "seconds", "undecided", "position"):
        assert key in told


def test_threats_as_text() -> None:
    shown = oxo("threats", "3^3", "--position", "moves:13,0", "--ascii").stdout
    assert ", to move, wins by force: 2 threats, then a line.\n" in shown
    assert "line: 2a2-2c2-1a2-3c2-3a2" in shown
    assert "2a2 " in shown.partition("first move")[2]
    words = ("threats", "3^3", "--position", "moves:13,0", "--numbers")
    assert "line: 12-14-3-23-21" in oxo(*words).stdout
    assert "X1" in shown
    assert "O2" in shown
    assert "X5" in shown
    none = oxo("threats", "3^2", "--position", "moves:0,4,1").stdout
    assert "has no forced win" in none
    assert "cells to stop: c3" in none
    at_once = oxo("threats", "3^2", "--position", "moves:0,3,1,4").stdout
    assert "completes a line" in at_once
    assert oxo("threats", "3^2", "--position", "moves:0,3,1,4,2").stdout == "Cross wins.\n"


def test_who_wins_without_threats_alone() -> None:
    said = oxo("threats", "4^3", "--position", "moves:0,1").stdout
    assert "Cross wins, but not by threats alone." in said
    assert "Stored proof: player 1 wins 4^3" in said
    assert "Stored proof" not in oxo("threats", "3^3", "--position", "moves:0,1").stdout


def test_the_maker_wins_by_threats_and_the_breaker_has_none(tmp_path: Path) -> None:
    game, file = "3^3:convention=maker-breaker", tmp_path / "maker.oxo"
    text = printed(oxo("threats", game, "--position", "moves:13,0", "--proof", str(file)))
    assert "wins by force: 2 threats, then a line." in text
    told = oxo("verify", str(file)).stdout
    assert told.startswith(f"proved: player 1 wins {game} from 2")
    assert file.read_text(encoding="utf-8").startswith("hyperoxo-zones 1\n")
    none = printed(
        oxo("threats", game, "--position", "moves:13", "--proof", str(tmp_path / "none")), 1
    )
    assert "has no forced win" in none
    assert not (tmp_path / "none").exists()
    for options in ("convention=avoider-enforcer", "convention=maker-breaker,bias=1+2", "misere"):
        assert "threat search is not supported" in refusal(oxo("threats", f"3^3:{options}"))


def test_limits() -> None:
    told = data("threats", "4^3", "--position", QUIET, "--nodes", "3")
    assert told["status"] == "unknown"
    assert told["length"] is None
    shown = oxo("threats", "4^3", "--position", QUIET, "--nodes", "300").stdout
    assert "not decided within the limit" in shown
    assert oxo("threats", "4^3", "--seconds", "nan").exit_code == 2


def test_pictures(tmp_path: Path) -> None:
    file = tmp_path / "win.svg"
    done = oxo("threats", "4^3", "--position", QUIET, "--out", str(file))
    assert done.exit_code == 0
    assert file.read_text(encoding="utf-8").count('href="#board"') == 7
    assert oxo("threats", "4^3", "--position", QUIET, "--out", "-").stdout.startswith("<svg")
    nothing = oxo("threats", "4^3", "--out", str(tmp_path / "none.svg"))
    assert "no forced win" in nothing.stderr
    assert not (tmp_path / "none.svg").exists()
    line = tmp_path / "line.svg"
    assert oxo("threats", "4^3", "--line", PUBLISHED, "--out", str(line)).exit_code == 0
    assert line.read_text(encoding="utf-8").count('href="#board"') == 8


def test_the_published_game_is_checked() -> None:
    told = data("threats", "4^3", "--line", PUBLISHED)
    assert told["holds"] is True
    assert (told["length"], told["shortest"], told["ending"]) == (6, 5, "line")
    shown = oxo("threats", "4^3", "--line", PUBLISHED)
    assert "The sequence holds: 6 threats of player 1, up to a completed line." in shown.stdout
    assert "The shortest forced win there has 5 threats" in shown.stdout
    wrong = printed(oxo("threats", "4^3", "--line", PUBLISHED.replace("4x8", "4x9")), 1)
    assert "wrong: move 10 (cell 9) does not stop 8" in wrong
    tail = PUBLISHED.split()[1]
    assert data("threats", "4^3", "--position", QUIET, "--line", tail)["holds"] is True
    assert oxo("threats", "4^3", "--line", "hello").exit_code == 2


@pytest.mark.parametrize("spec", ["3^2:players=3", "3^2:misere", "3^3:target=2"])
def test_games_without_such_threats(spec: str) -> None:
    for words in (("threats", spec), ("puzzle", spec), ("threats", spec, "--line", "0-1 2x3")):
        assert f"threat search is not supported for {spec}" in refusal(oxo(*words))


def test_puzzles_are_told_with_their_seed() -> None:
    words = ("puzzle", "4^3", "--length", "3", "--count", "2", "--seed", "9")
    told = data(*words)
    assert told["seed"] == 9
    assert told == data(*words)
    puzzles = told["puzzles"]
    assert isinstance(puzzles, list)
    assert [puzzle["length"] for puzzle in puzzles] == [3, 3]
    assert "solution" not in puzzles[0]
    solved = data(*words, "--solution")["puzzles"]
    assert isinstance(solved, list)
    assert len(solved[1]["solution"]) == 7
    assert data("puzzle", "4^3", "--length", "3", "--seed", "9")["puzzles"] == puzzles[:1]
    fresh = data("puzzle", "4^3")
    assert data("puzzle", "4^3", "--seed", str(fresh["seed"])) == fresh


def test_puzzles_as_text(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.svg"
    words = ("puzzle", "3^2", "--length", "1", "--seed", "1", "--strict", "--out", str(file))
    shown = printed(oxo(*words))
    assert "3^2: 1 puzzle, seed 1" in shown
    assert "wins by force: 1 threat, then a line." in shown
    assert "No other first move wins at all." in shown
    assert "solution" not in shown
    assert file.read_text(encoding="utf-8").startswith("<svg")
    assert re.search(r"solution: [abc][1-3](-[abc][1-3])*\n", oxo(*words[:6], "--solution").stdout)
    assert oxo(*words[:6], "--out", "-").stdout.startswith("<svg")


def test_the_puzzle_of_the_day() -> None:
    told = data("puzzle", "4^3", "--daily", "--date", "2024-02-29")
    assert told["date"] == "2024-02-29"
    assert told["seed"] is None
    assert told == data("puzzle", "4^3", "--daily", "--date", "2024-02-29")
    assert "4^3: Puzzle of 20" in oxo("puzzle", "4^3", "--daily").stdout
    assert oxo("puzzle", "4^3", "--date", "2024-02-29").exit_code == 2
    assert oxo("puzzle", "4^3", "--daily", "--seed", "1").exit_code == 2
    assert oxo("puzzle", "4^3", "--daily", "--date", "tomorrow").exit_code == 2


@pytest.mark.more
def test_no_puzzle_is_said_in_a_line() -> None:
    assert "length must be 1 to 4" in oxo("puzzle", "3^2", "--length", "5").stderr
    assert "no puzzle of length 4 in 2,000 games" in refusal(
        oxo("puzzle", "3^2", "--length", "4", "--seed", "0")
    )


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("3^3", "13,0"),
        ("3^3", "13,0,12,1"),
        ("18,18,5", "171,0,172,17,173,306,189,323,207,19,225,37"),
        pytest.param("40,40,4", "820,0,821,5", marks=pytest.mark.more),
    ],
)
def test_a_win_is_written_as_a_proof(tmp_path: Path, game: str, moves: str) -> None:
    """Two threats one after the other, a line at once, and boards of 324 and 1,600 cells."""
    file = tmp_path / "win.oxo"
    done = oxo("threats", game, "--position", f"moves:{moves}", "--proof", str(file))
    assert done.exit_code == 0
    assert str(file) in done.stderr
    assert oxo("verify", str(file)).exit_code == 0


def test_no_win_is_no_proof(tmp_path: Path) -> None:
    file = tmp_path / "win.oxo"
    done = oxo("threats", "3^2", "--proof", str(file))
    assert (done.exit_code, file.exists()) == (1, False)
    assert done.stderr.endswith(f"no forced win, so no {file}\n")
    done = oxo("threats", "3^2", "--line", "0-1 3x4", "--proof", str(file))
    assert done.exit_code == 2
