#!/usr/bin/env python3
"""Learn the line tables of src/hyperoxo/data/line-tables.json, and print the file.

    tools/line_tables.py > tables.json && mv tables.json src/hyperoxo/data/line-tables.json

Tables of one game with classes of lines are for that game; others serve all boards with lines of
that size. Results depend on the seed alone. It takes some minutes.
"""

import json

from hyperoxo.game import Game
from hyperoxo.learn.training import learner_of

RUNS = {
    "3^2": "td:classes=on",
    "3^3": "td",
    "4^3": "td",
    "5^3": "td:generations=10",
    "6^3": "td:tune=off",
    "3^3:players=3": "td",
    "4^3:players=3": "td:tune=off",
    "3^3:misere": "td:tune=off",
    "4^3:misere": "td:tune=off",
}
"""Games and how they are learned, those of single games first."""


def main() -> None:
    """Print the file."""
    tables = []
    for game, spec in RUNS.items():
        learner = learner_of(spec, Game(game), 0)
        while learner.step < learner.steps:
            learner.advance()
        tables.append(learner.agent().checkpoint.as_data())
    print(json.dumps(tables, separators=(",", ":")).replace("},{", "},\n{"))  # noqa: T201


if __name__ == "__main__":
    main()
