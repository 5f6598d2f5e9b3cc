"""The pages' scripts: their pure parts under Node's own test runner."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from hyperoxo.game import Game, Position, completing_cells
from hyperoxo.game.spec import grammar
from hyperoxo_web.pages.static_files import FOLDER, LIBRARY, SPACE, joined, without_comments
from hyperoxo_web.server.view import geometry_of
from tests.processes import run
from tests.strategies import games, positions

CASES = json.loads((Path(__file__).parents[2] / "layouts.json").read_text("utf-8"))
SIX = {f"2^6:gravity={axis}" for axis in range(6)}
BOARDS = {"3^3:gravity", "9^3"} | SIX | {case["spec"] for case in CASES}
SCRIPTS = sorted(Path(__file__).with_name("js").glob("*.mjs"))


def test_no_two_scripts_of_the_library_use_the_same_name() -> None:
    """They are joined into one file, where their names stand side by side."""
    lib = FOLDER / "lib"
    names = [
        name
        for path in sorted(lib.glob("*.js"))
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:const|function|class|let) (\w+)",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    ]
    assert len(names) > 50
    assert len(names) == len(set(names)), sorted({one for one in names if names.count(one) > 1})


def exports(node: str, text: str, folder: Path) -> set[str]:
    """Return what a script exports."""
    path = folder / "script.mjs"
    path.write_text(text, encoding="utf-8")
    code = (
        f"import({json.dumps(path.as_uri())}).then((all) => console.log(Object.keys(all).join()))"
    )
    return set(run(node, "-e", code).stdout.strip().split(","))


def test_the_library_joined_is_a_script_that_has_all_that_is_asked_of_it(tmp_path: Path) -> None:
    given = exports(a_node(), without_comments(joined(FOLDER, LIBRARY)), tmp_path)
    space = joined(FOLDER, SPACE)
    texts = [path.read_text("utf-8") for path in FOLDER.glob("*.js")]
    taken = re.compile(r'^import \{([^}]*)\} from "hyperoxo";$', re.MULTILINE)
    asked = [
        *(name for names in taken.findall(space) for name in re.findall(r"\w+", names)),
        *(name for text in texts for name in re.findall(r"\boxo\.(\w+)", text)),
    ]
    assert len(asked) > 80
    assert set(asked) <= given
    # The library stays one: what the view in space needs of it does not come twice.
    assert not any(f"function {name}(" in space for name in given)
    here = "".join(
        f"const {name} = 0;\n" for name in re.findall(r"\w+", space.partition("}")[0])[1:]
    )
    assert {"SpaceBoard", "HAZE"} <= exports(a_node(), here + space.partition(";\n")[2], tmp_path)


def test_comments_are_not_sent_and_texts_are_as_written() -> None:
    """A template keeps each of its lines: none looks like a comment."""
    for path in FOLDER.rglob("*.js"):
        text = path.read_text("utf-8")
        plain = without_comments(text)
        assert not re.search(r"^ *(//|/\*\*)", plain, re.MULTILINE), path.name
        for template in re.findall(r"`[^`]*`", text):
            assert without_comments(template) == template, path.name
    assert (
        without_comments("a;\n/**\n * One.\n */\nb;\n  // Two\nc; // Three\n")
        == "a;\nb;\nc; // Three\n"
    )


@pytest.mark.parametrize(
    "line",
    ['import { one as two } from "./b.js";', 'import one from "./b.js";', "export default {};",
     'import * as all from "./b.js";', "export { one };"],
)  # fmt: skip
def test_what_cannot_be_joined_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "b.js").write_text("export const one = 1;\n")
    (tmp_path / "lib" / "a.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"joined|another name"):
        joined(tmp_path, LIBRARY)


def a_node() -> str:
    """Return where Node.js is."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        pytest.skip("Node.js is not installed: apt-get install nodejs")
    return node


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


@pytest.mark.more
def test_the_pure_parts_of_the_scripts(tmp_path: Path) -> None:
    node = a_node()
    written = tmp_path / "facts.json"
    boards = {spec: geometry_of(Game(spec)) for spec in BOARDS}
    known = {"positions": facts(), "boards": boards, "grammar": grammar()}
    written.write_text(json.dumps(known), encoding="utf-8")
    environment = {**os.environ, "HYPEROXO_FACTS": str(written)}
    done = run(node, "--test", "--test-reporter=spec", *SCRIPTS, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped 0" in done.stdout
