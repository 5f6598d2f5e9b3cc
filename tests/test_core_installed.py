"""The core without the web, research and their dependencies, as an installation of it would be."""

from __future__ import annotations

import os
import subprocess
from importlib.metadata import distribution
from pathlib import Path

import pytest

import hyperoxo
from tests.processes import python
from tests.test_budget import packages_of

pytestmark = pytest.mark.more


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which Python finds the core and what it depends on."""
    place = tmp_path_factory.mktemp("core")
    (place / "hyperoxo").symlink_to(Path(hyperoxo.__file__).parent)
    about = place / "hyperoxo-0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: hyperoxo\nVersion: {hyperoxo.__version__}\n")
    for name in packages_of(""):
        found = distribution(name)
        for top in {path.parts[0] for path in found.files or () if path.parts[0] != ".."}:
            target = place / top
            if not target.exists():
                target.symlink_to(Path(str(found.locate_file(top))))
    return {**os.environ, "PYTHONPATH": str(place), "HYPEROXO_DATA": str(place / "data")}


def run(core: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return python("-S", *words, env=core)  # -S leaves the packages of this environment out


@pytest.mark.parametrize(
    "words",
    [
        ("play", "3^2", "random", "random"),
        ("match", "3^3", "ising", "greedy", "--games", "4", "--no-store"),
        ("solve", "4^3"),
        ("--help",),
    ],
)
def test_a_command_of_the_core(core: dict[str, str], words: tuple[str, ...]) -> None:
    done = run(core, "-m", "hyperoxo", *words)
    assert done.returncode == 0, done
    assert "Traceback" not in done.stderr


def test_a_proof_is_written_and_verified(core: dict[str, str], tmp_path: Path) -> None:
    proof = str(tmp_path / "draw.oxo")
    done = run(core, "-m", "hyperoxo", "solve", "3^2", "--proof", proof, "--quiet")
    assert done.returncode == 0, done
    done = run(core, "-m", "hyperoxo", "verify", proof)
    assert done.returncode == 0, done
    assert "proved" in done.stdout


def test_nothing_else_is_there(core: dict[str, str]) -> None:
    for name in ("hyperoxo_web", "hyperoxo_research", "fastapi", "matplotlib", "pytest"):
        assert run(core, "-c", f"import {name}").returncode == 1


@pytest.mark.parametrize(("command", "package"), [("classify", "research"), ("serve", "web")])
def test_a_command_of_another_package(core: dict[str, str], command: str, package: str) -> None:
    done = run(core, "-m", "hyperoxo", command)
    missing = f"oxo: 'oxo {command}' comes with hyperoxo_{package}, which is not installed\n"
    assert (done.returncode, done.stderr) == (1, missing)
