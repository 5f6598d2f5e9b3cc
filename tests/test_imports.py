"""Numba and the extras are imported where they may be, and no module is too long."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Return which module imports which, also inside functions, and other packages."""
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


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


def test_few_rooms_import_numba(graph: grimp.ImportGraph) -> None:
    users = graph.find_modules_that_directly_import("numba")
    rooms = {".".join(module.split(".")[:2]) for module in users}
    # The doctor asks Numba for its version and its cache; proofs are checked by loops of their own;
    # Numba refuses functions of users.
    names = "jit", "linked", "kernels", "cli", "proof", "heuristics"
    core = {f"hyperoxo.{room}" for room in names}
    assert rooms <= core | {"hyperoxo_research.kernels", "hyperoxo_research.proof"}


def test_no_module_is_over_600_lines_without_comments() -> None:
    lengths = {
        path: sum(not line.lstrip().startswith("#") for line in path.read_text("utf-8").split("\n"))
        for path in FILES
    }
    assert {path: length for path, length in lengths.items() if length > 600} == {}


def test_every_extra_is_imported_by_some_module(graph: grimp.ImportGraph) -> None:
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    assert EXTRAS.keys() == extras.keys()
    # Some are imported by their names, and of some only the files are found.
    located = re.compile(r'(?:import_module|find_spec)\("(\w+)')
    imported = {name for path in FILES for name in located.findall(path.read_text("utf-8"))}
    imported |= graph.modules
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
