"""The rooms import only what they may, and no module is over 600 lines."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import hyperoxo

ROOT = Path(hyperoxo.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

LOWER = ["kernels", "board", "rules", "position", "notation", "heuristics", "proof"]
UPPER = ["solvers", "agents", "lab", "play", "terminal", "server", "web"]
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "files": set(),
    "compiling": set(),
    "workers": set(),
    "kernels": set(),
    "board": {"kernels"},
    "rules": {"board"},
    "position": {"rules", "board"},
    "notation": {"position", "rules", "board"},
    "heuristics": {"board", "kernels"},
    "proof": {"board", "rules", "position"},
    **{room: {*LOWER, "workers", *UPPER[:place]} for place, room in enumerate(UPPER)},
    "cli": {*LOWER, "workers", *UPPER},
}
# `Game.start()` and `Game.position()` make the first position; positions are built on games.
EXCEPTIONS = {"rules/game.py": {"position"}}


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def modules_named(source: str, package: str) -> set[str]:
    """Full names of all modules that a source imports, at the top or inside functions."""
    names: set[str] = set()
    parents = package.split(".")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            names.add(module)
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return names


def imports_of(path: Path) -> set[str]:
    package = ".".join(["hyperoxo", *path.relative_to(ROOT).parts[:-1]])
    return modules_named(path.read_text(encoding="utf-8"), package)


def rooms_among(names: set[str]) -> set[str]:
    ours = {name.split(".")[1] for name in names if name.startswith("hyperoxo.")}
    return ours & MAY_IMPORT.keys()


def test_every_room_has_its_rule() -> None:
    rooms = {room_of(path) for path in FILES} - {"__init__", "__main__"}
    assert rooms <= MAY_IMPORT.keys()


# The package itself names everything, and imports nothing until asked.
ROOMS = [path for path in FILES if room_of(path) not in {"__init__", "__main__"}]


@pytest.mark.parametrize("path", ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_doors_open_one_way(path: Path) -> None:
    room = room_of(path)
    allowed = {room, *MAY_IMPORT[room], *EXCEPTIONS.get(path.relative_to(ROOT).as_posix(), ())}
    if room != "proof":
        allowed.add("compiling")
    if room != "kernels":
        allowed |= {"errors", "files"}
    assert rooms_among(imports_of(path)) <= allowed


@pytest.mark.parametrize(
    ("source", "rooms"),
    [
        ("import hyperoxo.agents.base", {"agents"}),
        ("def f():\n    from hyperoxo import solvers", {"solvers"}),
        ("from hyperoxo.lab.match import match", {"lab"}),
        ("from ..kernels import state", {"kernels"}),
        ("from .hypercube import hypercube", {"board"}),
        ("import numpy\nfrom hyperoxo import __version__", set()),
    ],
)
def test_every_form_of_import_is_seen(source: str, rooms: set[str]) -> None:
    assert rooms_among(modules_named(source, "hyperoxo.board")) == rooms


def test_few_rooms_import_numba() -> None:
    users = {
        room_of(path)
        for path in FILES
        if any(name.partition(".")[0] == "numba" for name in imports_of(path))
    }
    # The doctor asks Numba for its version and its cache; proofs are checked by loops of their own.
    assert users <= {"compiling", "kernels", "cli", "proof"}


def test_no_module_is_over_600_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert max(lengths.values()) <= 600, max(lengths, key=lambda path: lengths[path])
