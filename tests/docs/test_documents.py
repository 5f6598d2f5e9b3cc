"""The table of the documents: whole, with commands that parse and verdicts that were recorded."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from pathlib import Path
from types import ModuleType

import click
import pytest

import hyperoxo as ox
from hyperoxo.cli.main import main
from hyperoxo_research.study import STUDIES
from hyperoxo_research.study.display import SIGNS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGE = load(DOCS / "_ext" / "documents.py")
ROWS = PAGE.read_rows(DOCS)
RECORDED = json.loads((DOCS / "verdicts.json").read_text("utf-8"))

pytestmark = pytest.mark.text
COMMANDS = sorted({text for row in ROWS for text in re.findall(r"`oxo ([^`]*)`", row["how"])})


def test_the_table_is_whole() -> None:
    assert [int(row["row"]) for row in ROWS] == list(range(1, len(ROWS) + 1))
    # These are after no document: of the program's own players, plans, biases and squares.
    ours = {"bias", "breaker", "squares"}
    assert {row["document"] for row in ROWS} == STUDIES.keys() - ours
    for row in ROWS:
        assert row["verdict"] in PAGE.WORDS, row
        assert row["place"], row
        assert row["what"], row
        assert row["how"] != "–" or row["verdict"] == "missing", row
        assert row["note"] or row["verdict"] not in ("worse", "missing"), row


def parsed(
    words: list[str], command: click.Command = main, parent: click.Context | None = None
) -> click.Context:
    """Parse a command as it is typed, without carrying it out."""
    context = command.make_context(words[0], words[1:], parent=parent)
    if isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        inner = command.get_command(context, rest[0])
        assert inner is not None, rest[0]
        return parsed(rest, inner, context)
    return context


def problem(text: str) -> str:
    """Say what is wrong with a command, and with the agents and positions that it names."""
    words = shlex.split(text)
    for word in words:
        if re.fullmatch(r"[a-z0-9]+\.(oxo|tesseract|txt)", word):
            Path(word).touch()
    try:
        check_names(parsed(["oxo", *words]))
    except (click.ClickException, ox.HyperoxoError) as error:
        return str(error)
    return ""


def check_names(context: click.Context) -> None:
    given = context.params
    agents = [
        *given.get("agents", ()),
        *filter(None, [given.get("agent")]),
        *given.get("versus", ()),
    ]
    for spec in agents:
        ox.agent(spec)
    if given.get("position") and "game" in given:
        given["game"].position(given["position"])


def test_every_command_parses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    problems = {text: problem(text) for text in COMMANDS}
    assert {text: wrong for text, wrong in problems.items() if wrong} == {}
    assert problem("board 4^3 --nothing")


def test_what_does_not_exist_is_refused() -> None:
    with pytest.raises(click.UsageError):
        parsed(["oxo", "board", "4^3", "--nothing"])
    with pytest.raises(click.UsageError):
        parsed(["oxo", "board", "4^^3"])


def test_verdicts_are_those_that_were_recorded() -> None:
    keys = {row["study"] for row in ROWS} - {""}
    assert keys == set(RECORDED["verdicts"])
    for row in ROWS:
        counts = RECORDED["verdicts"].get(row["study"], {})
        assert set(counts) <= set(SIGNS)
        if row["study"]:
            assert sum(counts.values())
            assert row["study"].partition(":")[0] == row["document"]
        # What disagrees, or cannot be compared, is explained.
        assert row["note"] or not counts.get("disagrees"), row


def test_the_tool_counts_verdicts() -> None:
    tool = load(ROOT / "tools" / "documents.py")
    columns = ["quantity", "published", "ours", "agrees"]
    rows = [
        ("a: x", 1, 1, True),
        ("a: y", 1, 2, False),
        ("b: x", 1, None, None),
        ("a: z", None, 1, None),
    ]
    table = {"name": "t", "columns": columns,
             "rows": [dict(zip(columns, row, strict=True)) for row in rows]}  # fmt: skip
    reports = {"s": {"tables": [table, {**table, "name": "u"}]}}
    assert tool.found(reports, "s:t:a") == {"agrees": 1, "disagrees": 1}
    assert tool.found(reports, "s:t+u:*x") == {"agrees": 2, "open": 2}
    with pytest.raises(SystemExit, match="no published figure"):
        tool.found(reports, "s:t:c")


def test_the_page_counts_and_shows_every_row() -> None:
    text = PAGE.tables(ROWS, RECORDED["verdicts"])
    assert len(re.findall(r"^\| \d+ \|", text, re.MULTILINE)) == len(ROWS)
    works, better, worse, missing = map(
        int, re.findall(r"^\| all \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)[0]
    )
    assert works + better + worse + missing == len(ROWS)
    assert worse == sum(row["verdict"] == "worse" for row in ROWS)
    assert "agrees: 9" in text
