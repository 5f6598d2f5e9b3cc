"""What a release hands out agrees with itself: versions, licences, lower bounds, manual page."""

from __future__ import annotations

import csv
import importlib.util
import re
import shutil
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import hyperoxo
from hyperoxo.cli.commands import commands
from hyperoxo.cli.doctor import EXTRAS
from tests.docs.test_documents import load
from tests.processes import python, run

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
ASKED = [
    requirement
    for group in (
        PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"].values(),
        *PROJECT["dependency-groups"].values(),
        PROJECT["build-system"]["requires"],
    )
    for requirement in group
]


def tool(name: str) -> ModuleType:
    """Load a script of `tools`."""
    return load(ROOT / "tools" / f"{name}.py")


def test_versions_agree() -> None:
    version = hyperoxo.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert CITATION["version"] == version
    headings = re.findall(
        r"^## \[(.+?)\](?: - (.+))?$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert headings[0] == ("Unreleased", "")
    if len(headings) > 1:
        assert headings[1] == (version, CITATION["date-released"].isoformat())
    else:
        # Nothing is released yet, so that there is no date to be cited.
        assert version == "0.1.0"
        assert "date-released" not in CITATION


def test_sections_of_the_changelog() -> None:
    kinds = re.findall(r"^### (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert {*kinds} <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_citation_is_what_its_format_asks_for() -> None:
    # By the schema of version 1.2.0: these are required, and nothing else may stand there.
    required = {"cff-version", "message", "title", "authors"}
    optional = {"abstract", "date-released", "doi", "keywords", "license", "type", "version", "url"}
    assert required <= CITATION.keys() <= required | optional
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["type"] == "software"
    assert CITATION["license"] == PROJECT["project"]["license"]
    assert CITATION["authors"] == PROJECT["project"]["authors"]
    assert len({*CITATION["keywords"]}) == len(CITATION["keywords"])
    assert all(isinstance(CITATION[name], str) for name in ("message", "title", "version"))


def test_a_package_has_one_lower_bound() -> None:
    bounds: dict[str, set[str]] = {}
    for requirement in ASKED:
        name, bound = re.fullmatch(r"([\w.-]+)(?:\[.+\])?(>=[^,]+(?:,<.+)?)", requirement).groups()  # type: ignore[union-attr]
        bounds.setdefault(name, set()).add(bound)
    assert {name for name, found in bounds.items() if len(found) > 1} == set()


def test_every_extra_is_tried() -> None:
    extras = {*PROJECT["project"]["optional-dependencies"]}
    smoke = tool("smoke")
    assert {*smoke.WITH} == {*EXTRAS} == extras
    assert {*smoke.COMMANDS} == {*commands()}
    assert all(smoke.WITH[one] or one in smoke.PROGRAMS or one in smoke.ON_SCREEN for one in extras)


def test_the_lowest_versions_are_those_declared() -> None:
    lowest = tool("release_check").lowest(PROJECT["project"])
    assert "numpy==2.3.2" in lowest
    assert "dask==2025.9" in lowest
    assert len(lowest) == len({one.partition("==")[0] for one in lowest})


def test_pythons_that_are_not_tried_are_named() -> None:
    everything = [("3.11", "a"), ("3.12", "b"), ("3.13", "c"), ("3.14", None)]
    assert tool("release_check").untried(everything, [everything[0], everything[2]]) == [
        "Python 3.12 is here, but is left out",
        "Python 3.14, the highest supported, is not on this machine",
    ]
    assert tool("release_check").untried(everything[:3], everything[:1]) == [
        "Python 3.12 is here, but is left out",
        "Python 3.13, the highest supported, is here, but is left out",
    ]


def test_the_licences_are_those_of_the_pins() -> None:
    licences = tool("licences")
    with licences.TABLE.open(encoding="utf-8", newline="") as stream:
        rows = [*csv.DictReader(stream)]
    listed = {(row["package"], row["version"]): row["pinned for"].split() for row in rows}
    assert listed == licences.pins(), "run: python tools/licences.py"
    assert all(row["licence"] for row in rows)


@pytest.fixture(scope="module")
def page() -> str:
    return python(ROOT / "tools" / "man_page.py").stdout  # Click keeps what tests asked


@pytest.mark.parametrize("command", commands())
def test_the_manual_page_describes_every_command(page: str, command: str) -> None:
    assert f"\n.SS oxo {command} " in page


def test_the_manual_page_has_nested_commands_and_options(page: str) -> None:
    assert "\n.SS oxo prove stored " in page
    assert r"\fB\-\-position P\fR" in page
    assert page.count(r"\fB\-\-format ") == 1


@pytest.mark.more
def test_the_manual_page_is_written_where_only_click_is_installed(page: str) -> None:
    program = (
        "import sys\n"
        "for name in ('numpy', 'numba', 'scipy', 'rich', 'lazy_loader', 'psutil'):\n"
        "    sys.modules[name] = None\n"
        "import runpy; runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    done = python("-c", program, ROOT / "tools" / "man_page.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == page


@pytest.mark.parametrize(
    "checker", [["mandoc", "-T", "lint", "-W", "warning"], ["man", "-l", "--warnings"]]
)
def test_programs_read_the_manual_page(page: str, checker: list[str], tmp_path: Path) -> None:
    if shutil.which(checker[0]) is None:
        pytest.skip(f"{checker[0]} is not installed")
    file = tmp_path / "oxo.1"
    file.write_text(page, "utf-8")
    done = run(*checker, file)
    said = [line for line in (done.stdout + done.stderr).splitlines() if "oxo.1:" in line]
    # A page that changes with the program has no date of its own.
    assert [line for line in said if "missing date" not in line] == []


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(hyperoxo.__file__).parent / "py.typed").is_file()


PROGRAM = """
import numpy as np
import hyperoxo as ox

game: ox.Game = ox.Game("3^3")
lines: int = len(game.board.lines)
p: ox.Position = game.start().play(13)
mover: int = p.to_move
legal: int = p.legal_moves[0]
outcome: ox.Outcome | None = p.outcome
player: ox.Agent = ox.agent("ising:bias=0.647")
cell: int = player.choose(p, np.random.default_rng(0))
games = ox.match(game, [ox.agent("random"), player], games=10, seed=0)
value = ox.solve(ox.Game(side=3, dim=2, players=2, misere=False)).value
heuristic: ox.LineHeuristic = ox.line_heuristic(
    lambda own, rivals: 3.0**own if not rivals else 0.0
)
ox.agent("minimax", depth=4, heuristic=heuristic)
"""


@pytest.mark.more
def test_a_program_of_a_user_passes_the_strictest_check(tmp_path: Path) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, "utf-8")
    words = [
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(tmp_path),
    ]
    world = {"MYPYPATH": str(Path(hyperoxo.__file__).parents[1]), "PATH": ""}
    done = python("-m", "mypy", *words, file, cwd=tmp_path, env=world)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout
