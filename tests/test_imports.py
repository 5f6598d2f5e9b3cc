"""Numba and the extras are imported where they may be, and no module is over 600 lines."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import tomllib
from pathlib import Path

import grimp
import pytest

import hyperoxo
from hyperoxo.cli.doctor import EXTRAS

ROOT = Path(hyperoxo.__file__).parents[1]
PACKAGES = ("hyperoxo", "hyperoxo_research", "hyperoxo_web")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

pytestmark = pytest.mark.text


def room_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).parts[:2]).removesuffix(".py")


def modules_named(source: str, package: str) -> set[str]:
    """Full names of all modules that a source imports, at the top or inside functions."""
    names: set[str] = set()
    parents = package.split(".")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "importlib.import_module":
            names.update(
                ast.literal_eval(word) for word in node.args if isinstance(word, ast.Constant)
            )
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            names.add(module)
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return names


def imports_of(path: Path) -> set[str]:
    package = ".".join(path.relative_to(ROOT).parts[:-1])
    return modules_named(path.read_text(encoding="utf-8"), package)


def test_every_form_of_import_is_seen() -> None:
    forms = {
        "import hyperoxo.agents.base": "hyperoxo.agents.base",
        "def f():\n    from hyperoxo import solvers": "hyperoxo.solvers",
        "from hyperoxo.lab.match import match": "hyperoxo.lab.match",
        "from ..kernels import state": "hyperoxo.kernels.state",
        "from .hypercube import hypercube": "hyperoxo.board.hypercube",
        "import importlib\nimportlib.import_module('hyperoxo.lab')": "hyperoxo.lab",
    }
    missed = {
        source
        for source, name in forms.items()
        if name not in modules_named(source, "hyperoxo.board")
    }
    assert missed == set()


def test_no_two_files_import_each_other() -> None:
    # Neither directly nor in a circle. Imports for types alone are not run, and do not count.
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    circles = {
        frozenset(
            {module} | graph.find_upstream_modules(module) & graph.find_downstream_modules(module)
        )
        for module in graph.modules
    }
    assert [sorted(circle) for circle in circles if len(circle) > 1] == []


def test_few_rooms_import_numba() -> None:
    users = {
        room_of(path)
        for path in FILES
        if any(name.partition(".")[0] == "numba" for name in imports_of(path))
    }
    # The doctor asks Numba for its version and its cache; proofs are checked by loops of their own.
    core = {f"hyperoxo.{room}" for room in ("jit", "linked", "kernels", "cli", "proof")}
    assert users <= core | {"hyperoxo_research.kernels", "hyperoxo_research.proof"}


def test_no_module_is_over_600_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert {path: length for path, length in lengths.items() if length > 600} == {}


def test_every_extra_is_imported_by_some_module() -> None:
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    assert EXTRAS.keys() == extras.keys()
    imported = {name.partition(".")[0] for path in FILES for name in imports_of(path)}
    located = re.compile(r'find_spec\("(\w+)"\)')  # files of a package that is not imported
    imported |= {name for path in FILES for name in located.findall(path.read_text("utf-8"))}
    modules_of: dict[str, set[str]] = {}
    for module, packages in importlib.metadata.packages_distributions().items():
        for package in packages:
            modules_of.setdefault(package.lower().replace("_", "-"), set()).add(module)
    for extra, requirements in extras.items():
        for requirement in requirements:
            # "dask[distributed]>=2025.9" brings dask and distributed; one of them must be used.
            brought = re.split(r"[\[\],]", requirement.partition(">=")[0].lower().replace("_", "-"))
            modules = set().union(*(modules_of[name] for name in brought if name))
            assert modules & imported & {*EXTRAS[extra]}, f"{extra}: {requirement}"
        assert {*EXTRAS[extra]} <= imported | {"dask"}
