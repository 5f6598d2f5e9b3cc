"""Entry points, as `importlib.metadata` reads them but quicker."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from hyperoxo import extensions as extensions_module
from hyperoxo.errors import CheckFailedError
from hyperoxo.extensions import Extension, extensions


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
