"""The map of the source and the texts of its rooms lead to files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.text

ROOT = Path(__file__).parents[2]
MAP = ROOT / "docs" / "layout.md"
PACKAGES = {path.parent for path in (ROOT / "src").glob("*/__init__.py")}
ROOMS = {
    path.parent
    for path in (ROOT / "src").glob("*/*/__init__.py")
    if len([*path.parent.rglob("*.py")]) > 10
}
"""Rooms with more than ten files."""

TEXTS = [MAP, ROOT / "CONTRIBUTING.md", ROOT / "README.md", ROOT / "benchmarks" / "README.md"]
TEXTS += sorted((ROOT / "src").rglob("README.md"))

ROWS = {
    "is a move legal?": "src/hyperoxo/game/position.py",
    "alpha-beta": "src/hyperoxo/kernels/alphabeta.py",
    'which method does `solve("5^3")` take?': "src/hyperoxo/solvers/values.py",
    "who checks the proof of 6^3?": "src/hyperoxo_research/proof/keyplan/check.py",
    "what happens on *Analysis* in a game?": "src/hyperoxo_web/pages/game_page.py",
    "time limits of agents and analyses": "src/hyperoxo_web/server/limits.py",
    "who is offered as an opponent?": "src/hyperoxo/agents/spec.py",
    'who says "Preparing this board"?': "src/hyperoxo/jit.py",
}
"""Questions of newcomers, and where their answers begin."""


FILE = re.compile(r"`((?:[\w.*-]+/)*[\w.*-]+\.(?:py|js|md|toml|json|txt)|(?:[\w.-]+/)+)`")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
FULL = re.compile(r"(?<![\w/.-])((?:benchmarks|docs|src|tests|tools)/[\w/.*-]+\w)")


def dead_paths(text: str, folder: Path) -> list[str]:
    """Return the paths that lead nowhere: files in backticks or from the root, and links."""
    paths = {path for form in (FILE, LINK, FULL) for path in form.findall(text)}
    if folder == ROOT:
        # Elsewhere in such a text a bare name is a file that a reader makes.
        paths = {path for path in paths if "/" in path}
    return sorted(
        path for path in paths if not any(any(base.glob(path)) for base in (folder, ROOT))
    )


def row_of(subject: str) -> list[str]:
    (row,) = re.findall(
        rf"^\| {re.escape(subject)} \| (.*) \|$", MAP.read_text("utf-8"), re.MULTILINE
    )
    return re.findall(r"`(src/[^`]+)`", row)


def test_a_dead_path_is_found() -> None:
    text = "`layout.md`, `*.md`, `no.md`, [a](nowhere.md#top), [b](index.md), pytest tests/no.py"
    assert dead_paths(text, MAP.parent) == ["no.md", "nowhere.md", "tests/no.py"]


def test_paths_exist() -> None:
    dead = {path: dead_paths(path.read_text("utf-8"), path.parent) for path in TEXTS}
    assert {path: paths for path, paths in dead.items() if paths} == {}


def test_names_are_in_the_files_of_the_map() -> None:
    named = re.findall(r"`(src/[^`]+)`, `(\w+)`", MAP.read_text("utf-8"))
    assert len(named) > 10
    assert [one for one in named if one[1] not in (ROOT / one[0]).read_text("utf-8")] == []


def test_targets_of_make_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = {one for run in re.findall(r"(?:`|\$ )make ([a-z -]+)", text) for one in run.split()}
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert named <= {*targets}


def test_the_map_leads_to_every_large_room() -> None:
    text = MAP.read_text("utf-8")
    subjects = {path.parent for path in (ROOT / "src").glob("*/solvers/*/__init__.py")}
    rooms = {room.relative_to(ROOT).as_posix() for room in ROOMS | subjects}
    assert not {room for room in rooms if f"`{room}/" not in text}


def test_each_row_names_two_files_at_most() -> None:
    rows = [line for line in MAP.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert not [row for row in rows if len(re.findall("`src/", row)) > 2]


def test_questions_have_a_row() -> None:
    assert {subject: row_of(subject)[0] for subject in ROWS} == ROWS


def test_large_rooms_say_where_to_begin() -> None:
    texts = {room: room / "README.md" for room in PACKAGES | ROOMS}
    assert {room for room, text in texts.items() if not text.exists()} == set()
    lengths = {text: len(text.read_text("utf-8").splitlines()) for text in texts.values()}
    assert {text for text, lines in lengths.items() if not 5 <= lines <= 20} == set()
