"""Every command in worlds that lack something: folders to write to, streams, the compiler."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

import hyperoxo
from hyperoxo.cli.main import main
from hyperoxo.cli.options import OutputFile, OutputFolder, sole_writer_of_folder
from hyperoxo.files import sole_writer
from tests.hyperoxo.cli import every_command
from tests.hyperoxo.cli.every_command import (
    ENDLESS,
    EXAMPLES,
    INPUTS,
    LACKING,
    call_here,
    call_without,
    commands,
    nothing_to_read,
    prepare,
)
from tests.processes import python, run

PROGRAM = Path(every_command.__file__)
SOURCE = Path(hyperoxo.__file__).parents[1]
PACKAGES = ("hyperoxo", "hyperoxo_research", "hyperoxo_web")
NOBODY = "65534"
UNWRITTEN = {"atlas", "dataset", "prove shrink", "prove values", "results", "serve", "study"}
"""Commands that have nothing to do where no folder can be written."""
ON_SCREEN = {"tui"}
"""Commands that need a terminal."""


def test_every_command_has_an_example() -> None:
    assert {*commands()} == {*EXAMPLES}
    assert all(f"{line} ".startswith(f"{name} ") for name, line in EXAMPLES.items())


@pytest.mark.parametrize("name", [*commands(), "explain"])
def test_help_ends_with_two_examples(
    name: str, inputs: Path, capsys: Any, monkeypatch: Any
) -> None:
    monkeypatch.chdir(inputs)
    command = command_of(name)
    with pytest.raises(click.exceptions.Exit):
        command.make_context(name, ["--help"])
    shown = capsys.readouterr().out
    assert not re.search("INTEGER|FLOAT|[<>]=?x|0000", shown)
    first, *lines = shown.splitlines()[-3:]
    assert first.strip() == "Examples:"
    for line in lines:
        oxo, *words = shlex.split(line)
        assert (oxo, " ".join(words[: name.count(" ") + 1])) == ("oxo", name)
        for file in words:
            if re.fullmatch(r"\w+\.\w+", file):
                (inputs / file).touch()
        command.make_context(name, words[name.count(" ") + 1 :])


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A folder with the files that the calls read."""
    folder = tmp_path / "here"
    folder.mkdir()
    prepare(folder)
    return folder


def told(words: list[str], world: dict[str, str]) -> list[tuple[str, int, str, str]]:
    """Run the program that makes the calls in a world; return how each ended."""
    done = run(*words, env=world)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(name: str, code: int, said: str, *, may_end: bool) -> None:
    """See that a command did its work, or says in one line why not."""
    assert "Traceback" not in said, (name, said)
    codes = {0, *((1, 2) if may_end else ()), *((130,) if name in ENDLESS else ())}
    assert code in codes, (name, code, said)
    assert len(said.splitlines()) == (code in (1, 2)), (name, code, said)


# Without the compiler.


@pytest.mark.more
def test_without_a_compiler_commands_work_or_say_so(tmp_path: Path, inputs: Path) -> None:
    world = {**os.environ, "NUMBA_DISABLE_JIT": "1", "XDG_DATA_HOME": str(tmp_path / "data")}
    rows = told([sys.executable, str(PROGRAM), str(inputs)], world)
    assert len(rows) == len(EXAMPLES)
    for name, code, _, said in rows:
        if code == 1:
            assert said.endswith(": this needs compiled code; unset NUMBA_DISABLE_JIT\n"), said
        check(name, code, said, may_end=code == 1 or name in ON_SCREEN)
    refused = {name for name, code, _, _ in rows if code == 1}
    assert not refused & {"board", "verify", "prove pack", "prove show", "play", "convert"}
    assert {"match", "serve", "states"} <= refused


# Without what only some systems have.

HIDES = """
import builtins, sys

OURS = "hyperoxo", "hyperoxo_research", "hyperoxo_web"
THEIRS = "psutil", "filelock"  # each knows other ways on other systems
real = builtins.__import__

def hidden(name, globals=None, *more, **named):
    importer = str((globals or {}).get("__name__"))
    ours = importer.startswith(OURS)
    if ours and name in ("fcntl", "resource", "termios", "pwd"):
        raise ImportError(name)
    return real(name, globals, *more, **named)

def watch(event, values):
    if event == "open" and str(values[0]).startswith("/proc"):
        frame = sys._getframe(1)
        while frame and not frame.f_globals.get("__name__", "").startswith(THEIRS):
            frame = frame.f_back
        if frame is None:
            raise FileNotFoundError(2, "No such file or directory", values[0])

builtins.__import__ = hidden
sys.addaudithook(watch)
"""


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Return a world in which our code finds no part of Unix: fcntl, resource, /proc."""
    place = tmp_path / "bare"
    place.mkdir()
    (place / "sitecustomize.py").write_text(HIDES)
    path = os.pathsep.join([str(place), str(SOURCE), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path / "data")}


LOCKS = """
import os, sys
from pathlib import Path
from hyperoxo.errors import CheckFailedError
from hyperoxo.files import replace_file, sole_writer
from hyperoxo.processes import born, cores, is_alive
from hyperoxo.stores import Hold
from hyperoxo_web.server.worker import give_way
path = Path(sys.argv[1])
with sole_writer(path):
    replace_file(path, b"whole")
    try:
        sole_writer(path).__enter__()
    except CheckFailedError as error:
        print(error)
Hold(path, "in use").close()
give_way(1)
print(cores() > 0, is_alive(os.getpid(), born(os.getpid())))
"""


def test_files_are_locked_and_written_without_parts_of_unix(
    bare: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "here" / "table"
    path.parent.mkdir()
    done = python("-c", LOCKS, path, env=bare)
    assert (done.returncode, done.stderr) == (0, "")
    refused, rest = done.stdout.splitlines()
    assert " is being written by process " in refused
    assert rest == "True True"
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.more
def test_without_parts_of_unix_every_command_works(bare: dict[str, str], inputs: Path) -> None:
    rows = told([sys.executable, str(PROGRAM), str(inputs)], bare)
    assert len(rows) == len(EXAMPLES)
    for name, code, _, said in rows:
        check(name, code, said, may_end=name in ON_SCREEN)


# Without a folder that can be written.


def without_rights() -> list[str]:
    """Return the words before a command by which it may read all files and write none of root's."""
    if os.getuid():
        return []  # what is read-only is so for this user
    words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    words += ["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"]
    try:
        subprocess.run([*words, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("root can write anywhere, and setpriv cannot take that right away here")
    return words


def read_only(folder: Path) -> Path:
    """Let nobody write in a folder and those in it."""
    for place in (folder, *(one for one in folder.rglob("*") if one.is_dir())):
        place.chmod(0o555)
    return folder


@pytest.fixture(params=[None, "/nonexistent/numba"])
def unwritable(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """A world with a read-only copy of the package and no folder that can be written."""
    for package in PACKAGES:
        shutil.copytree(SOURCE / package, tmp_path / "installed" / package)
    folder = read_only(tmp_path / "installed")
    named = {"NUMBA_CACHE_DIR": request.param} if request.param else {}
    kept = {
        key: os.environ[key] for key in ("PATH", "LANG", "LD_LIBRARY_PATH") if key in os.environ
    }
    return {**kept, **named, "HOME": "/nonexistent", "PYTHONPATH": str(folder)}


IMPORTS = """
import importlib, pkgutil, hyperoxo, hyperoxo_research, hyperoxo_web
for package in hyperoxo, hyperoxo_research, hyperoxo_web:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
"""


def check_unwritable(
    unwritable: dict[str, str], folder: Path, *names: str, first: str = ""
) -> None:
    """See that commands, by default all, work or say why not where no folder can be written."""
    program = f"{first}\nimport runpy\nrunpy.run_path({str(PROGRAM)!r}, run_name='__main__')"
    words = [*without_rights(), sys.executable, "-W", "ignore", "-c", program]
    rows = told([*words, str(read_only(folder)), *names], unwritable)
    assert len(rows) == len(names or EXAMPLES)
    for name, code, out, said in rows:
        if name == "doctor":  # it finds that nothing can be kept
            assert (code, said) == (1, "")
            assert "is not writable" in out
        else:
            check(name, code, said, may_end=name in UNWRITTEN | ON_SCREEN)


@pytest.mark.more
@pytest.mark.parametrize("unwritable", [None], indirect=True)
def test_without_a_folder_every_module_loads(unwritable: dict[str, str], inputs: Path) -> None:
    names = "doctor", "perft", "play", "dataset", "results", "serve"
    check_unwritable(unwritable, inputs, *names, first=IMPORTS)


@pytest.mark.slow
def test_without_a_folder_commands_work_or_say_so(unwritable: dict[str, str], inputs: Path) -> None:
    check_unwritable(unwritable, inputs)


# Without streams.


@pytest.mark.more
# Tests of the same process may have loaded JAX, which no fork here uses.
@pytest.mark.filterwarnings(r"ignore:os\.fork\(\) was called:RuntimeWarning")
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_without_streams_a_command_ends_in_a_line(name: str, inputs: Path) -> None:
    line = EXAMPLES[name]
    # What the forks below need is loaded once.
    with nothing_to_read():
        code, answer, _ = (0, "", "") if name in ENDLESS else call_here(line, inputs)
    good = {0, 130, *((2,) if name in ON_SCREEN else ())}
    assert code in good
    why = " is closed\n", ": No space left on device ("
    if name in ENDLESS:
        ends = json.loads(python(PROGRAM, "--without", inputs, line).stdout)
    else:
        ends = [call_without(line, inputs, *lacks) for lacks in LACKING]
    for (closed, full), (ended, out, said) in zip(LACKING, ends, strict=True):
        assert "Traceback" not in said, (closed, full, said)
        if 1 in closed or 1 in full:
            assert ended == 1 or (name in ENDLESS | ON_SCREEN and ended in good), (closed, full)
            assert out == ""
            assert ended != 1 or 2 in closed or f"standard output{why[1 in full]}" in said
        else:
            assert ended in good, (closed, full, ended, said)
            assert bool(out) == bool(answer) or name in ENDLESS
    # No file of a call had the number of a stream, and so was written into.
    for file in ("moves.oxo", "moves.txt", "game.oxo"):
        assert (inputs / file).read_text("ascii") == INPUTS[file]


# With another writer of the same output.


def outputs() -> list[tuple[str, click.Parameter]]:
    """Name every command with each of its outputs."""
    return [
        (name, parameter)
        for name in commands()
        for parameter in command_of(name).params
        if isinstance(parameter.type, OutputFile | OutputFolder)
    ]


def command_of(name: str) -> click.Command:
    command: click.Command | None = main
    words = [name] if name.startswith("study ") else name.split()
    for word in words:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    assert command is not None
    return command


@pytest.mark.parametrize(("name", "parameter"), outputs())
def test_an_output_has_one_writer(name: str, parameter: click.Parameter, inputs: Path) -> None:
    path = inputs / ("out.svg" if parameter.name == "figure" else "out.json")
    line = EXAMPLES[name]
    if isinstance(parameter, click.Argument):
        line = line.replace(" - ", f" {path} ")
    else:
        line = f"{line} {parameter.opts[0]} {path}"
    folder = isinstance(parameter.type, OutputFolder)
    with sole_writer_of_folder(path) if folder else sole_writer(path):
        code, out, said = call_here(line, inputs)
    assert (code, out) == (1, "")
    assert f" is being written by process {os.getpid()} since " in said
    assert said.count("\n") == 1


def test_a_report_has_one_writer(inputs: Path) -> None:
    with sole_writer_of_folder(inputs / "study-bias"):
        code, _, said = call_here(EXAMPLES["study"], inputs)
    assert code == 1
    assert "is being written by process" in said


def test_every_file_that_a_command_writes_is_an_output() -> None:
    """Stores have any number of writers, saved games are read, and a study sees to its folder."""
    others = {"store", "results", "reports", "load_path"}
    for name in commands():
        for parameter in command_of(name).params:
            kind = parameter.type
            if isinstance(kind, click.Path) and not isinstance(kind, OutputFile | OutputFolder):
                read = kind.exists or parameter.name in others
                assert read or (name, parameter.name) == ("study", "out"), (name, parameter.name)


@pytest.mark.parametrize("name", commands())
def test_no_number_of_a_command_is_nan(name: str) -> None:
    for parameter in command_of(name).params:
        if isinstance(parameter.type, click.FloatRange):
            kind: Any = parameter.type
            with pytest.raises(click.BadParameter, match="'nan' is not a number"):
                kind.convert("nan", parameter, None)
