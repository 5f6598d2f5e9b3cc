"""`oxo board`: counts, drawings, files."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result

from hyperoxo.board import hypercube, read_hypergraph
from hyperoxo.game import Game
from tests import command
from tests.command import oxo, refusal


def board(*words: str, typed: str = "") -> Result:
    return oxo("board", *words, data=typed)


counted = partial(command.answer, "board")


@pytest.mark.parametrize(
    ("spec", "cells", "lines", "automorphisms"),
    [
        ("1^1", 1, 1, 1),
        ("3^2", 9, 8, 8),
        ("2^3", 8, 28, 40320),
        ("4^3", 64, 76, 192),
        ("4^3:gravity", 64, 76, 8),
        ("3^4:blocked=centre,target=9,players=3", 80, 232, 384),
        ("7,6,4", 42, 69, 4),
        ("7,6,4:gravity", 42, 69, 2),
    ],
)
def test_counts(spec: str, cells: int, lines: int, automorphisms: int) -> None:
    found = counted(spec)
    assert (found["cells"], found["lines"]) == (cells, lines)
    assert found["automorphisms"] == automorphisms
    orbits = found["orbits"]
    assert isinstance(orbits, list)
    assert sum(orbit["size"] for orbit in orbits) == cells
    assert all({*orbit} == {"size", "lines_per_cell", "representative"} for orbit in orbits)


def test_orbits_of_qubic() -> None:
    assert counted("4^3")["orbits"] == [
        {"size": 16, "lines_per_cell": 7, "representative": 0},
        {"size": 48, "lines_per_cell": 4, "representative": 1},
    ]


def test_large_orders_are_exact_numbers_up_to_4000_digits() -> None:
    order = counted("500^1")["automorphisms"]
    assert isinstance(order, int)
    assert len(str(order)) == 1135
    assert counted("3000^1")["automorphisms"] == "3000!"


def test_text() -> None:
    answer = board("2^3")
    assert "automorphisms    40,320\n" in answer.stdout
    assert answer.stdout.startswith("2^3\n")


def test_kinds_of_lines_and_symmetries() -> None:
    text = board("4^3").stdout
    assert "\n1 (along an axis)            48\n" in text
    assert "\n48 automorphisms turn and mirror the board; each combines with inner ones:\n" in text
    found = counted("4^3")
    assert found["lines_by_changing_coordinates"] == {"1": 48, "2": 24, "3": 4}
    assert found["generators"][:2] == ["axes (0 1)", "axes (0 2 1)"]
    assert found["turns_and_mirrors"] == 48
    assert [one["values"] for one in found["inner"]] == [
        [0, 2, 1, 3], [1, 0, 3, 2], [1, 3, 0, 2],
    ]  # fmt: skip
    assert "... and 15 more\n" in board("6^2").stdout
    assert "turns_and_mirrors" not in counted("4^5")
    assert "\nInner automorphisms, which combine with turns and mirrors:\n" in board("4^5").stdout
    assert "generators" not in counted("18^3")
    assert "coordinates that change" not in board("4{0+1/2+3}").stdout


def test_random_stones() -> None:
    one, same = (board("3^2", "--draw", "--random", "--seed", "5").stdout for _ in range(2))
    assert one == same
    texts = {
        str(counted("3^2:gravity", "--draw", "--random", "--seed", str(seed))["position"])
        for seed in range(20)
    }
    assert len(texts) > 5
    for text in texts:
        Game("3^2:gravity").position(text)


def test_starts_of_a_direction() -> None:
    found = counted("3^2", "--direction", "-1,0")
    assert found["direction"] == {"step": [-1, 0], "offset": -3, "starts": [6, 7, 8]}
    text = board("3^2", "--direction=-1,0").stdout
    assert text.endswith(
        "\n3 lines in direction -1,0, from cell to cell -3; starts:\n  a1\n  b1\n  c1\n"
    )


def test_no_direction() -> None:
    answer = board("3^2", "--direction", "0,0")
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert answer.stderr.endswith("is 2 numbers of -1, 0 and 1, not all 0, not '0,0'\n")


def test_half_of_the_directions() -> None:
    text = board("3^2", "--draw", "--ascii", "--half", "--cell", "4").stdout
    assert text.endswith("4 lines, 4 directions\n  . . /\n  . o >\n  . v \\\n")
    shown = board("3^3", "--draw", "--half", "--all-directions", "--cell", "13").stdout
    assert "13 lines, 13 directions" in shown
    picture = board("3^2", "--draw", "--half", "--cell", "4", "--out", "-").stdout
    assert picture.count("marker-end") == 4 + 2  # four arrows, and two in the legend


def test_drawing() -> None:
    text = board("3^2", "--draw", "--ascii").stdout
    assert "\n\n   a  b  c\n3  0  1  2\n2  3  4  5\n1  6  7  8\n\ninner cell 4 (1,1): " in text
    assert text.endswith("3 directions\n  . . .\n  . o >\n  . v \\\n")
    one = board("3^2", "--draw", "--ascii", "--cell", "1").stdout
    assert one.count("directions") == 1
    assert "edge cell 1 (0,1): 2 lines, 3 directions\n" in one


def test_directions_as_data() -> None:
    found = counted("3^3", "--draw")["directions"]
    assert isinstance(found, list)
    assert [(one["kind"], len(one["directions"])) for one in found] == [
        ("inner", 26), ("face", 9), ("edge", 5), ("corner", 7),
    ]  # fmt: skip
    assert "directions" not in counted("6{0+1+2/3+4+5}", "--draw")


def test_picture(tmp_path: Path) -> None:
    file = tmp_path / "cube.svg"
    answer = board("3^3", "--draw", "--out", str(file))
    assert answer.stdout == f"{file}: directions from 4 cells\n"
    assert file.read_text(encoding="utf-8").count('class="panel"') == 4
    shown = board("3^3", "--draw", "--cell", "0", "--out", "-").stdout
    assert shown.startswith("<svg")
    assert shown.endswith("</svg>\n")
    assert shown.count('class="panel"') == 1


@pytest.mark.parametrize("cell", ["4", "1,1", "11", "b2"])
def test_lines_through_a_cell(cell: str) -> None:
    found = counted("3^2", "--cell", cell)
    assert found["cell"] == 4
    assert found["lines_through"] == [[0, 4, 8], [1, 4, 7], [2, 4, 6], [3, 4, 5]]
    text = board("3^2", "--cell", cell).stdout
    assert "4 lines through cell b2\n  a3-b2-c1\n" in text
    assert text.endswith("2 *3*[4]*5*\n1 *6**7**8*\n")


def test_a_cell_in_the_air_is_a_cell() -> None:
    for cell in ("63", "4d1"):
        assert counted("4^3:gravity", "--cell", cell)["cell"] == 63
    assert counted("7,6,4:gravity", "--cell", "d3")["cell"] == 17


def test_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "board.pg"
    assert board("3^2", "--out", str(path)).exit_code == 0
    assert read_hypergraph(path.read_text()).lines.tolist() == hypercube(3, 2).lines.tolist()
    found = counted(f"@{path}:players=3,misere")
    assert found["lines"] == 8
    assert str(found["game"]).endswith(":players=3,misere")


@pytest.mark.parametrize("blocked", ["", ":blocked=0"])
def test_a_board_from_stdin(blocked: str) -> None:
    # The names of an equal board do not stay.
    for typed in ("0 1 2\n2 3\n", "a b c\nc d\n"):
        answer = board(f"@-{blocked}", "--draw", typed=typed)
    lines = "line 0: c d\n" if blocked else "line 0: a b c\nline 1: c d\n"
    assert answer.stdout.endswith(f"\n\n{lines}")
    assert ("a  0  b  1  c  2  d  3" in answer.stdout) != bool(blocked)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["3^2", "--cell", "9"], "oxo board: --cell: There is no cell 9; cells are 0 to 8\n"),
        (
            ["2^5", "--draw", "--out", "-"],
            "oxo board: directions are shown on boards of up to 4 dimensions, and this one has 5\n",
        ),
        (
            ["6{0+1+2/3+4+5}", "--draw", "--out", "x.svg"],
            "oxo board: this board is a free hypergraph: its lines have no directions\n",
        ),
        (
            ["3^2", "--draw", "--out", "x.png"],
            "oxo board: the picture is SVG: the name of x.png must end in .svg\n",
        ),
        (
            ["3^2", "--direction", "up"],
            "oxo board: --direction: 'up' is not numbers such as -1,0\n",
        ),
        (["3^2", "--half"], "oxo board: --half goes with --draw\n"),
        (["3^2", "--random"], "oxo board: --random goes with --draw\n"),
        (
            ["3^2", "--draw", "--random", "--out", "-"],
            "oxo board: --random draws in the terminal, not to a file\n",
        ),
        (
            ["3^2", "--draw", "--draws", "--out", "-"],
            "oxo board: --draws does not go into a picture of directions\n",
        ),
        (["@nowhere.pg"], "oxo board: nowhere.pg: No such file or directory\n"),
    ],
)
def test_usage_errors(words: list[str], line: str) -> None:
    assert refusal(board(*words)) == line


def test_errors_in_a_file_name_file_and_row(tmp_path: Path) -> None:
    path = tmp_path / "board.pg"
    path.write_text("a b\nb b\n")
    assert f"{path}: row 2: a cell appears twice" in board(f"@{path}").stderr
    path.write_text("a b\n")
    assert "unknown option 'playrs'" in refusal(board(f"@{path}:playrs=3"))
    path.write_bytes(b"\xff\xfe")
    assert "not UTF-8 text" in board(f"@{path}").stderr


@pytest.mark.more
def test_draws() -> None:
    said = board("3^2", "--draws", "--ascii").stdout
    assert "a full board without a line of any player:" in said
    assert "no pairing of all lines: 5 lines need 10 cells of their own, and have 8" in said
    assert "no game is drawn" in board("3^3", "--draws").stdout
    assert "pairing of all lines: 0-" in board("5^2", "--draws").stdout
    assert "there may be one" in board("3^4", "--draws").stdout
    three = json.loads(board("3^2:players=3", "--draws", "--format", "json").stdout)["draws"]
    assert "pairing" not in three
    end = Game("3^2:players=3").position(three["full_board"]).outcome
    assert end is not None
    assert end.draw
