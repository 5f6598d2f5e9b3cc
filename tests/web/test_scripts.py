"""The pages' scripts: their pure parts under Node's own test runner."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from hyperoxo.position import Position, completing_cells
from hyperoxo.web import grammar
from hyperoxo.web.states import geometry_of
from tests.strategies import games, positions

SCRIPTS = sorted(Path(__file__).with_name("js").glob("*.mjs"))


def test_the_script_has_the_grammar_of_the_program() -> None:
    made = grammar.PATH.read_text(encoding="utf-8")
    assert made == grammar.script(), "make it anew by python -m hyperoxo.web.grammar"


def test_no_two_scripts_export_the_same_name() -> None:
    """The pages import all of the library by stars, which leave out a name that stands twice."""
    lib = grammar.PATH.parent
    names = [
        name
        for path in sorted(lib.glob("*.js"))
        for name in re.findall(
            r"^export (?:async )?(?:const|function|class|let) (\w+)",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    ]
    assert len(names) > 50
    assert len(names) == len(set(names)), sorted({one for one in names if names.count(one) > 1})


def fact(position: Position) -> dict[str, Any]:
    """Return a position and what the program says of it."""
    game = position.game
    players = range(1, game.players + 1)
    return {
        "spec": str(game),
        "geometry": geometry_of(game),
        "start": game.start().text,
        "moves": list(position.history),
        "movers": [game.turns.mover(ply) for ply in range(len(position.history))],
        "text": position.text,
        "ply": position.ply,
        "mover": game.turns.mover(position.ply),
        "to_move": position.to_move,
        "legal": list(position.legal_moves),
        "last": position.last_move,
        "owned": [list(position.owned_lines(player)) for player in players],
        "landing": list(position.landing_cells),
        "completing": [list(completing_cells(position, player)) for player in players],
    }


def facts() -> list[dict[str, Any]]:
    """Return positions of games with all options, the same at every call."""
    found = []

    @settings(max_examples=200, derandomize=True, database=None)
    @given(positions(games(new_rules=True)))
    def collect(position: Position) -> None:
        found.append(fact(position))

    collect()
    return found


def test_the_pure_parts_of_the_scripts(tmp_path: Path) -> None:
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        pytest.skip("Node.js is not installed: apt-get install nodejs")
    written = tmp_path / "facts.json"
    written.write_text(json.dumps(facts()), encoding="utf-8")
    done = subprocess.run(
        [node, "--test", "--test-reporter=spec", *map(str, SCRIPTS)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HYPEROXO_FACTS": str(written)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped 0" in done.stdout
