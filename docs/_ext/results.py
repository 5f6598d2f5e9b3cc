"""Results in the text: figures that commands print, from `docs/results.json`.

Each entry of that file has commands, which run one after the other in one folder, and figures: a
format of Python's over what they print as JSON, and what it gave. `python docs/_ext/results.py`
measures all entries anew, or those that are named, and writes the file. `when` says which tests do
it again: `test`, `more` or `slow`.
"""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docutils import nodes

from hyperoxo.cli.main import main as oxo

FILE = Path(__file__).parents[1] / "results.json"
Results = dict[str, dict[str, Any]]


def setup(app: Any) -> dict[str, Any]:
    """Add the role `result`: the name of an entry, a colon, and that of a figure."""
    app.add_role("result", _role)
    return {"version": "1", "parallel_read_safe": True}


def read() -> Results:
    """Read the figures."""
    results: Results = json.loads(FILE.read_text("utf-8"))
    return results


def said(results: Results, asked: str) -> str:
    """Return a figure for the text."""
    name, _, figure = (part.strip() for part in asked.rpartition(": "))
    if figure not in results.get(name, {"figures": {}})["figures"]:
        raise ValueError(f"docs/results.json has no figure {asked!r}")
    return str(results[name]["figures"][figure][1])


def measured(entry: dict[str, Any]) -> dict[str, list[str]]:
    """Run the commands of an entry, and return its figures as they are now."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        found = [printed(command) for command in entry["commands"]]
    data = [json.loads(text) if text.startswith(("{", "[")) else text for text in found]
    figures: dict[str, list[str]] = entry["figures"]
    return {name: [form, form.format(*data)] for name, (form, _) in figures.items()}


def printed(command: str, *, all_of_it: bool = False) -> str:
    """Run a command, and return its output, or all of what a terminal shows."""
    out = io.StringIO()
    errors = out if all_of_it else sys.stderr
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        oxo(shlex.split(command.removeprefix("oxo "), comments=True), standalone_mode=False)
    return out.getvalue()


def refresh(names: Sequence[str]) -> None:
    """Measure entries anew, all where none is named, and write the file after each."""
    for name in names or read():
        figures = measured(read()[name])
        results = read()
        results[name]["figures"] = figures
        FILE.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
        sys.stderr.write(f"{name}\n")


def _role(
    _name: str, raw: str, text: str, line: int, inliner: Any, *_: Any
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    try:
        return [nodes.Text(said(read(), text))], []
    except ValueError as error:
        message = inliner.reporter.error(str(error), line=line)
        return [inliner.problematic(raw, raw, message)], [message]


if __name__ == "__main__":
    refresh(sys.argv[1:])
