"""The names of the code and of the pages: none has a word that the glossary avoids."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.text

RESULTS = {"holds"}
"""Keys of results that programs read, which are names of properties too."""

EXPORT = re.compile(r"^export (?:async )?(?:class|const|function|let) (\w+)", re.MULTILINE)
STYLE = re.compile(r"\.([a-z][\w-]*)(?=[^{}]*\{)")


def avoided() -> set[str]:
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    rows = re.findall(r"^\| ([a-z, ]+) \|", page.partition("| avoided |")[2], re.MULTILINE)
    return {word for row in rows for word in row.split(", ")}


def words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+", name)}


def names(kind: str, source: str) -> Iterator[str]:
    if kind != ".py":
        yield from (EXPORT if kind == ".js" else STYLE).findall(source)
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def test_no_name_has_a_word_to_avoid() -> None:
    retired = avoided()
    assert {"look", "room", "asker", "holds"} <= retired
    found = [
        (str(path.relative_to(ROOT)), name)
        for path in sorted((ROOT / "src").rglob("*.*"))
        if path.suffix in (".py", ".js", ".css")
        for name in (path.stem, *names(path.suffix, path.read_text("utf-8")))
        if (not name.startswith("_") or path.stem == name)
        and name not in RESULTS
        and words(name) & retired
    ]
    assert found == []


def test_a_name_to_avoid_is_found() -> None:
    source = "class LiveRoom:\n    def _keep(self): ...\n    async def on_ask(self): ..."
    found = [*names(".py", source), *names(".js", "export let kept;"), *names(".css", ".a.says {}")]
    found = [name for name in found if words(name) & avoided()]
    assert found == ["LiveRoom", "on_ask", "kept", "says"]
