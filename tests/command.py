"""Calls of `oxo` in this process."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from hyperoxo.cli.main import main


def oxo(*words: str, data: str | bytes | None = None) -> Result:
    """Call the command with something to read."""
    return CliRunner().invoke(main, words, input=data)


def answer(*words: str, data: str | bytes | None = None, code: int = 0) -> dict[str, Any]:
    """Return the JSON that a call prints, which is to end with a code."""
    found = json.loads(printed(oxo(*words, "--format", "json", data=data), code))
    assert isinstance(found, dict)
    return found


def printed(done: Result, code: int = 0) -> str:
    """Return what a call prints, which is to end with a code."""
    assert done.exit_code == code, done.output
    return done.stdout


def refusal(done: Result, code: int = 2) -> str:
    """Return the line that a call prints which makes no sense."""
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (code, "", 1), done.output
    return done.stderr
