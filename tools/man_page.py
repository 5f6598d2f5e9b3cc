"""The manual page `oxo.1`, written from the commands themselves.

``python tools/man_page.py`` prints it; when a wheel is built, hatchling puts it into ``share/man``.
"""

from __future__ import annotations

import copy
import functools
import inspect
import re
import sys
import tempfile
import textwrap
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHARED = ("output_format", "seed", "quiet", "help")
"""Parameters that every command has; they are described once."""

ROOT = Path(__file__).resolve().parents[1]


class ManPageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the manual page to a wheel that is being built."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the page where the build finds it."""
        self.folder = tempfile.TemporaryDirectory()
        page = Path(self.folder.name) / "oxo.1"
        page.write_text(man_page(), "utf-8")
        build_data["shared_data"][str(page)] = "share/man/man1/oxo.1"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        self.folder.cleanup()


def man_page() -> str:
    """Return the page in the format of man, of the commands that this source declares."""
    with tempfile.TemporaryDirectory() as folder:
        _declare(Path(folder))
        sys.path[:0] = [folder, str(ROOT / "src")]
        try:
            return _page()
        finally:
            del sys.path[:2]


def _page() -> str:
    import click

    from hyperoxo import __version__
    from hyperoxo.cli.commands import headings
    from hyperoxo.cli.main import main

    context = click.Context(main, info_name="oxo")
    lines = [
        f'.TH OXO 1 "" "hyperoxo {__version__}" "User Commands"',
        ".SH NAME",
        r"oxo \- play, measure and study generalised tic\-tac\-toe",
        ".SH SYNOPSIS",
        r".B oxo",
        r"\fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]",
        ".SH DESCRIPTION",
        *_paragraphs(main.help or ""),
        ".PP",
        "Data go to standard output, progress and messages to standard error.",
    ]
    shared = main.get_command(context, "doctor")
    assert shared is not None
    lines += [".SH OPTIONS OF EVERY COMMAND"]
    for parameter in shared.get_params(context):
        lines += _parameter(parameter, context)
    for heading, commands in headings():
        lines.append(f".SH {heading.upper()}")
        for name in commands:
            command = main.get_command(context, name)
            assert command is not None
            lines += _command(command, click.Context(command, context, name), f"oxo {name}")
    lines += [
        ".SH EXIT STATUS",
        *_entry("0", "Done."),
        *_entry("1", "A check failed, or an extra is missing."),
        *_entry("2", "The call makes no sense; one line on standard error says what and where."),
        *_entry("130", "Interrupted."),
        ".SH ENVIRONMENT",
        *_entry("NO_COLOR", "Print no colours."),
        *_entry("HYPEROXO_DATA", "Folder for large tables of values."),
        *_entry("NUMBA_CACHE_DIR", "Folder for compiled kernels."),
    ]
    return "\n".join(lines) + "\n"


def _declare(folder: Path) -> None:
    """Write the entry points, by which commands are found, as if hyperoxo were installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    info = folder / "hyperoxo-0.dist-info"
    info.mkdir()
    with (info / "entry_points.txt").open("w", encoding="utf-8") as stream:
        for group, points in project["entry-points"].items():
            rows = (f"{name} = {value}" for name, value in points.items())
            stream.write("\n".join([f"[{group}]", *rows, ""]))


def _command(command: Any, context: Any, path: str) -> list[str]:
    """Describe a command with its options, and the commands below it."""
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f".SS {_escape(path)} {_escape(usage)}", *_paragraphs(command.help or "")]
    for parameter in command.get_params(context):
        if parameter.name not in SHARED:
            lines += _parameter(parameter, context)
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        below = command.get_command(context, name)
        lines += _command(below, type(context)(below, context, name), f"{path} {name}")
    return lines


def _parameter(parameter: Any, context: Any) -> list[str]:
    """Describe a parameter, if there is more to say than the line of usage does."""
    if isinstance(vars(type(parameter.type)).get("choices"), functools.cached_property):
        # Choices that are looked up need what hyperoxo runs on, and not only what builds it.
        parameter = copy.copy(parameter)
        parameter.metavar = str(parameter.type.name).upper()
    name, text = parameter.get_help_record(context) or ("", "")
    return _entry(name, text) if text else []


def _entry(term: str, text: str) -> list[str]:
    """Describe one term."""
    return [".TP", rf"\fB{_escape(term)}\fR", *_wrapped(text)]


def _paragraphs(text: str) -> list[str]:
    """Set a docstring in paragraphs."""
    parts = re.split(r"\n\s*\n", inspect.cleandoc(text))
    return [line for part in parts for line in (".PP", *_wrapped(part))][1:]


def _wrapped(text: str) -> list[str]:
    """Set a paragraph in lines that no program finds too long."""
    words = " ".join(text.replace("\b", " ").split())
    return [_escape(line) for line in textwrap.wrap(words, 64, break_on_hyphens=False)]


def _escape(text: str) -> str:
    r"""Escape what means something to man: backslashes, hyphens, and a dot or quote that leads.

    >>> _escape("-q and C:\\x")
    '\\-q and C:\\ex'
    """
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("^", r"\(ha")
    return rf"\&{text}" if text[:1] in (".", "'") else text


if __name__ == "__main__":
    sys.stdout.write(man_page())
