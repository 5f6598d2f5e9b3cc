"""Entry points, as `importlib.metadata` reads them but quicker."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import click
import pytest

import hyperoxo as ox
from hyperoxo import extensions as extensions_module
from hyperoxo.agents import agent_names, registered
from hyperoxo.cli.main import main
from hyperoxo.errors import AgentError, CheckFailedError
from hyperoxo.extensions import Extension, extensions
from hyperoxo_research.study import Study, find_study, study_titles
from tests.command import oxo
from tests.declared import declared


def _declare(folder: Path, distribution: str, text: str) -> None:
    info = folder / f"{distribution}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {distribution.partition('-')[0]}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(text)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    caches = (extensions_module._declarations, extensions)
    for cached in caches:
        monkeypatch.setattr(extensions_module, cached.__name__, cached.__wrapped__)
    monkeypatch.setattr("sys.path", [str(tmp_path / one) for one in ("none", "first", "second")])
    return tmp_path


def test_extensions_are_those_of_importlib_metadata(path: Path) -> None:
    _declare(
        path / "first", "one_thing-1", "[hyperoxo.agents]\na = one:A\n# b = no:B\n\n[x]\nc = d:e\n"
    )
    _declare(path / "first", "two-2", "[console_scripts]\na = b:c\n")
    _declare(path / "second", "One.Thing-3", "[hyperoxo.agents]\nshadowed = one:B\n")
    _declare(
        path / "second", "three-1", "[x]\ny = z:z\n[hyperoxo.agents]\nq=three.q : Q.r [extra]\n"
    )
    (path / "second" / "four-1.dist-info").mkdir()
    for group in ("hyperoxo.agents", "x", "hyperoxo.none"):
        found = extensions_module.extensions(group)
        points = entry_points(group=group)
        declared = {one.name: f"{one.module}:{one.attr}" for one in points}
        assert {name: one.value for name, one in found.items()} == declared, group


def test_an_extension_loads_its_object() -> None:
    assert Extension("path", "pathlib:Path.cwd").load()() == Path.cwd()
    assert Extension("name", "pathlib").load().Path is Path


@pytest.mark.parametrize("value", ["no_such_module:x", "pathlib:Nothing", "", "a b:c"])
def test_an_extension_that_does_not_load_is_one_line(value: str) -> None:
    with pytest.raises(CheckFailedError, match="'mine' of another package does not load: "):
        Extension("mine", value).load()


ADDED = """[hyperoxo.agents]
mine = my_package:Agent
gone = no_such_module:Agent
[hyperoxo.commands]
mine = my_package:COMMANDS
odd = my_package:STUDY
gone = no_such_module:COMMANDS
[hyperoxo.names]
mine = my_package:NAMES
gone = no_such_module:NAMES
[hyperoxo.studies]
mine = my_package:STUDY
gone = no_such_module:STUDY
"""


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return a package of another's that adds one thing of each kind."""
    module = ModuleType("my_package")
    listed = {
        "mine": ("Mine", "Say so.", "my_package"),
        "gone": ("Tools", "Is nowhere.", "no_such_module"),
        "play": ("Mine", "Is ours.", "my_package"),
    }
    contents = {
        "command": click.Command("mine", callback=lambda: click.echo("mine")),
        "COMMANDS": listed,
        "NAMES": {"my_package": "own_name Game"},
        "own_name": 1,
        "Game": 2,
        "STUDY": Study("mine", "My study", "Nowhere.", lambda _: iter(())),
        "Agent": type("Mine", (type(ox.agent("random")),), {"name": "mine"}),
    }
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, "my_package", module)
    return module


def test_a_package_adds_commands(mine: ModuleType) -> None:
    with declared(ADDED):
        helped, own, gone = (oxo(word) for word in ("-h", "mine", "gone"))
    assert "Mine:\n  mine  Say so.\n" in helped.stdout
    assert helped.stdout.count("  play ") == 1
    assert "Play in the terminal." in helped.stdout
    assert helped.stderr.splitlines() == [
        "oxo: 'odd' of another package is not a table of commands",
        "oxo: 'gone' of another package does not load: No module named 'no_such_module'",
    ]
    assert own.stdout == "mine\n"
    assert gone.exit_code == 1
    assert gone.stderr.endswith(
        "oxo: 'gone' of another package does not load: No module named 'no_such_module'\n"
    )


def test_commands_of_packages_are_completed(mine: ModuleType) -> None:
    with declared(ADDED):
        found = main.shell_complete(click.Context(main), "m")
    assert [one.value for one in found] == ["match", "mine"]
    assert found[-1].help == "Say so."


def test_a_package_adds_names_agents_and_studies(mine: ModuleType) -> None:
    with declared(ADDED):
        assert ox.own_name == 1
        assert "own_name" in ox.__all__
        assert ox.Game is not mine.Game
        assert agent_names()[-2:] == ("mine", "gone")
        assert [*registered()][-1] == "mine"
        assert ox.agent("mine").name == "mine"
        with pytest.raises(AgentError, match="agent 'gone' of another package does not load"):
            ox.agent("gone")
        assert study_titles()["mine"] == "My study"
        assert "gone" not in study_titles()
        assert find_study("mine").title == "My study"
        with pytest.raises(CheckFailedError, match="'gone' of another package does not load"):
            find_study("gone")
    del ox.own_name
