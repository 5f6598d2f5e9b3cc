"""The house within its budget: what `[tool.hyperoxo.budget]` in pyproject.toml allows."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from hyperoxo.cli.commands import commands

pytestmark = pytest.mark.text

ROOT = Path(__file__).parents[1]
BUDGET = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hyperoxo"]["budget"]


def lines_by_room(folder: Path) -> Counter[str]:
    """Count lines of Python without comments: in all, per package, and per room of a package."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        *rooms, _ = path.relative_to(folder).parts
        lines = sum(not line.lstrip().startswith(b"#") for line in path.read_bytes().splitlines())
        for depth in range(min(len(rooms), 2) + 1):
            found["/".join(rooms[:depth]) or "all"] += lines
    return found


def lines_of(suffix: str) -> int:
    pages = (ROOT / "src" / "hyperoxo_web" / "pages").rglob(f"*{suffix}")
    return sum(len(page.read_bytes().splitlines()) for page in pages)


def words_of_docs() -> int:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    return sum(len(page.read_text("utf-8").split()) for page in pages)


def packages_of(extra: str) -> set[str]:
    """Name the packages that an installation of the project with an extra brings."""
    seen: set[tuple[str, str]] = set()
    waiting = [("hyperoxo", extra)]
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        for text in requires(name) or ():
            one = Requirement(text)
            if one.marker is None or one.marker.evaluate({"extra": wanted}):
                inner = canonicalize_name(one.name)
                waiting += [(inner, ""), *((inner, more) for more in one.extras)]
    return {name for name, _ in seen} - {"hyperoxo"}


def over(kind: str, measured: dict[str, int]) -> list[str]:
    """Name what is above its budget, and what has none."""
    allowed = BUDGET[kind]
    wrong = [
        f"{kind} of {name}: {count:,}, allowed are {allowed.get(name, 0):,}"
        for name, count in measured.items()
        if count > allowed.get(name, 0)
    ]
    return wrong + [f"{kind} of {name}: there is none" for name in allowed if name not in measured]


def test_the_house_is_within_its_budget() -> None:
    tests = lines_by_room(ROOT / "tests")
    wrong = [
        *over("lines", dict(lines_by_room(ROOT / "src"))),
        *over("test_lines", {name: tests[name] for name in BUDGET["test_lines"]}),
        *over("packages", {name: len(packages_of(name)) for name in BUDGET["packages"]}),
        *over(
            "sizes",
            {
                "commands": len(commands()),
                "docs_words": words_of_docs(),
                "script_lines": lines_of(".js"),
                "style_lines": lines_of(".css"),
            },
        ),
    ]
    assert not wrong, "\n".join([*wrong, "Take something out, or see CONTRIBUTING.md."])
