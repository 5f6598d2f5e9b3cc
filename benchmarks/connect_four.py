"""Connect Four beside c4solver: processor time for the values of random positions.

    python benchmarks/connect_four.py --c4solver FOLDER --write benchmarks/results.json

FOLDER holds the source of Pascal Pons's solver (github.com/PascalPons/connect4), which is compiled
here and asked about the same positions; the scores must agree. `--empty` also solves the board
from scratch, which takes minutes. `--scored FILE` takes positions from a file instead: a line for
each, columns counted from 0 and the score.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rows import add

import hyperoxo as ox
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.solvers.exact.minimax import ExactSearch

GAME = ox.Game("7,6,4:gravity")
WIDTH, CELLS = 7, 42
COUNT, STONES = 100, (14, 18, 22)
DRIVER = """
#include "Solver.hpp"
#include <ctime>
#include <iostream>
using namespace GameSolver::Connect4;
int main() {
  Solver solver;
  std::string line;
  std::clock_t begin = std::clock();
  while (std::getline(std::cin, line)) {
    Position position;
    position.play(line);
    std::cout << solver.solve(position) << "\\n";
  }
  std::cout << double(std::clock() - begin) / CLOCKS_PER_SEC << " " << solver.getNodeCount();
}
"""


def random_columns(stones: int, count: int) -> list[str]:
    """Return columns, from 0, of random moves that leave no win at once."""
    rng, found = np.random.default_rng(stones), []
    while len(found) < count:
        position, columns = GAME.start(), ""
        while position.ply < stones and not position.is_over:
            cell = int(rng.choice(position.legal_moves))
            position, columns = position.play(cell), columns + str(cell % WIDTH)
        if position.is_over or any(position.play(cell).is_over for cell in position.legal_moves):
            continue
        found.append(columns)
    return found


def position_of(columns: str) -> ox.Position:
    """Play columns counted from 0."""
    position, heights = GAME.start(), [0] * WIDTH
    for column in map(int, columns):
        position = position.play(heights[column] * WIDTH + column)
        heights[column] += 1
    return position


def score_of(value: float) -> int:
    """Return a value as c4solver counts: 1 for a win with the last stone of the winner."""
    if value == 0:
        return 0
    end = int(WIN - abs(value))
    return int(np.sign(value)) * ((CELLS - end) // 2 + 1)


def ours(rows: Sequence[str]) -> tuple[list[int], float, int]:
    """Return scores, seconds of processor time, and positions visited."""
    positions = [position_of(columns) for columns in rows]
    search = ExactSearch(GAME)
    begin = time.process_time()
    values = [search.value(position, position.to_move) for position in positions]
    return [*map(score_of, values)], time.process_time() - begin, search.nodes


def c4solver(program: Path, rows: Sequence[str]) -> tuple[list[int], float, int]:
    """Return the same of the other program, whose columns count from 1."""
    text = "\n".join("".join(str(int(column) + 1) for column in columns) for columns in rows)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    *scores, last = done.stdout.splitlines()
    seconds, nodes = last.split()
    return [*map(int, scores)], float(seconds), int(nodes)


def compiled(source: Path, into: Path) -> Path:
    """Compile the other solver with a loop of our own around it."""
    driver, program = into / "driver.cpp", into / "driver"
    driver.write_text(DRIVER)
    command = ["g++", "-std=c++11", "-O3", "-DNDEBUG", f"-I{source}", "-o", program, driver]
    subprocess.run([*command, source / "Solver.cpp"], check=True)
    return program


def compare(
    name: str, rows: Sequence[str], program: Path | None, expected: Sequence[int] | None = None
) -> list[tuple[object, ...]]:
    """Return rows of figures: processor time, and positions a second."""
    scores, seconds, nodes = ours(rows)
    assert expected is None or scores == [*expected], f"wrong scores: {name}"
    peer: tuple[object, ...] = ()
    other: tuple[object, ...] = ()
    if program is not None:
        theirs, their_seconds, their_nodes = c4solver(program, rows)
        assert scores == theirs, f"other scores than c4solver's: {name}"
        peer = (their_seconds, "c4solver, here")
        other = (their_nodes / their_seconds / 1e6, "c4solver, here")
    figures = [
        (f"Connect Four, {name}", seconds, "s", *peer),
        (f"Connect Four, {name}: speed", nodes / seconds / 1e6, "M positions/s", *other),
    ]
    for figure in figures:
        print(*figure, sep="  ", flush=True)
    return figures


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--c4solver", type=Path)
    parser.add_argument("--scored", type=Path, action="append", default=[])
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    ours(random_columns(22, 1))  # compiles
    with tempfile.TemporaryDirectory() as folder:
        program = given.c4solver and compiled(given.c4solver, Path(folder))
        figures = []
        for stones in () if given.scored else STONES:
            rows = random_columns(stones, given.count)
            figures += compare(f"{given.count} positions of {stones} stones", rows, program)
        for file in given.scored:
            read = [line.split() for line in file.read_text().splitlines()][: given.count]
            scores = [int(score) for _, score in read]
            figures += compare(file.stem, [columns for columns, _ in read], program, scores)
        if given.empty:
            figures += compare("the empty board", [""], None, [1])
    if given.write:
        add(given.write, "connect four", figures)


if __name__ == "__main__":
    main()
