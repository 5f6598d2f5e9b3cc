"""The command group: loading on demand, exit codes, one line an error."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import pytest

from hyperoxo import __version__
from hyperoxo.cli import main as module
from hyperoxo.cli import options as cli
from hyperoxo.cli.commands import Listed, commands, old_names, registered
from hyperoxo.cli.main import main
from hyperoxo.errors import IllegalMoveError, MissingExtraError
from tests.command import oxo, printed, refusal
from tests.marks import more
from tests.processes import oxo_on_full_disk, python, run

STARTER = "from hyperoxo.cli.main import main; main()"
trouble: list[BaseException | int] = []


@cli.command("trial")
def command(options: cli.Options, word: str = cli.argument("[WORD]", default="")) -> int:
    """Do what the test put into `trouble`."""
    what = trouble.pop()
    if isinstance(what, BaseException):
        raise what
    return what


@pytest.fixture
def try_it(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "trial", sys.modules[__name__])
    monkeypatch.setitem(registered(), "trial", Listed("Tools", "Try things.", "trial"))
    yield
    trouble.clear()


def test_help_lists_every_command() -> None:
    for words in ([], ["-h"], ["--help"]):
        answer = printed(oxo(*words))
        for name, listed in commands().items():
            assert name in answer
            assert listed.line in " ".join(answer.split())


def test_help_loads_nothing_heavy() -> None:
    probe = (
        "import sys\n"
        "from hyperoxo.cli.main import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'numba', 'scipy', 'rich', 'nicegui', 'hyperoxo.game'}\n"
        "heavy &= sys.modules.keys()\n"
        "sys.exit(' '.join(heavy) or None)"
    )
    done = python("-c", probe)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


GROUPS = {name for name, listed in registered().items() if not listed.place}


@pytest.mark.parametrize("name", sorted({*registered()} - GROUPS))
def test_every_command_loads_and_has_the_shared_options(name: str) -> None:
    answer = printed(oxo(*name.split(), "-h"))
    for option in ("--format", "--seed", "--quiet", "--help"):
        assert (option in answer) == ((name, option) != ("serve", "--seed"))


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_the_help_of_a_group_lists_its_commands(group: str) -> None:
    told = " ".join(oxo(group, "-h").stdout.split())
    assert commands(group)
    for name, listed in commands(group).items():
        assert f" {name} " in told
        assert listed.line in told
    answer = refusal(oxo(group, "fly"))
    assert answer == f"oxo {group}: there is no command 'fly'; 'oxo {group} --help' lists them\n"


@pytest.mark.parametrize("old", sorted(old_names()))
def test_an_old_name_is_the_same_command_and_is_not_listed(old: str) -> None:
    context = click.Context(main)
    group, _, name = old_names()[old].rpartition(" ")
    inside = main.get_command(context, group) if group not in ("", "study") else main
    assert isinstance(inside, click.Group)
    new = inside.get_command(context, name if inside is not main else old_names()[old])
    found = main.get_command(context, old)
    assert found is not None
    assert found is new or (old == "proof" and isinstance(found, click.Group))
    assert old not in commands()
    assert old in [one.value for one in main.shell_complete(context, old)]


def test_old_names_are_those_that_were_promised() -> None:
    names = "threats replies quiet coalition guide proof picture tree map leaves values ladder"
    assert {*names.split()} == {*old_names()}
    assert oxo("explain", "-h").exit_code == 0
    assert 20 <= len(commands()) <= 26


def test_version() -> None:
    assert oxo("--version").stdout == f"oxo {__version__}\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["bord"], "oxo: there is no command 'bord'; did you mean 'board'?\n"),
        (["zzzz"], "oxo: there is no command 'zzzz'; 'oxo --help' lists them\n"),
        (["--nope"], "oxo: No such option '--nope'\n"),
        (["doctor", "--nope"], "oxo doctor: No such option '--nope'\n"),
        (["doctor", "--seed", "-1"], "oxo doctor: --seed: -1 is not in the range at least 0\n"),
        (["doctor", "--seed"], "oxo doctor: Option '--seed' requires an argument\n"),
    ],
)
def test_a_usage_error_is_one_line(words: list[str], line: str) -> None:
    assert refusal(oxo(*words)) == line


@pytest.mark.parametrize(
    ("what", "code", "line"),
    [
        (0, 0, ""),
        (1, 1, ""),
        (IllegalMoveError("cell 4 is taken"), 2, "oxo trial: cell 4 is taken\n"),
        (IllegalMoveError("cell 4\nis \x1b[1mtaken."), 2, "oxo trial: cell 4\\nis \\x1b[1mtaken\n"),
        (
            MissingExtraError("plot", "drawing"),
            1,
            'oxo trial: drawing needs the extra "plot": pip install "hyperoxo[plot]"\n',
        ),
        (click.UsageError("two seats, one agent"), 2, "oxo trial: two seats, one agent\n"),
        (click.FileError("a.txt", "is a folder"), 2, None),
        (FileNotFoundError(errno.ENOENT, "gone", "a.txt"), 2, "oxo trial: a.txt: gone\n"),
        (MemoryError(), 2, "oxo trial: there is not enough memory for this\n"),
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 130, ""),
        (EOFError(), 130, ""),
    ],
)
@pytest.mark.usefixtures("try_it")
def test_how_a_command_ends(what: BaseException | int, code: int, line: str | None) -> None:
    trouble.append(what)
    answer = oxo("trial")
    assert answer.exit_code == code
    assert answer.stdout == ""
    if line is None:
        assert answer.stderr.startswith("oxo trial: ")
        assert answer.stderr.count("\n") == 1
    else:
        assert answer.stderr == line


@pytest.mark.usefixtures("try_it")
def test_a_mistake_of_ours_is_not_hidden() -> None:
    trouble.append(ZeroDivisionError("ours"))
    assert isinstance(oxo("trial").exception, ZeroDivisionError)


@pytest.mark.more
def test_a_reader_that_leaves_is_no_trouble() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        done = python("-c", STARTER, "doctor", stdout=closed)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_whole_way_as_a_process() -> None:
    done = python("-c", STARTER, "bord")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "oxo: there is no command 'bord'; did you mean 'board'?\n"


def test_the_group_can_be_called_without_ending_the_process() -> None:
    assert main.main(["--version"], standalone_mode=False) == 0
    assert module.main is main


@pytest.mark.more
@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("tree 3^2 --plies 1 --out", "tree.svg"),
        ("states 3^2 --out", "graph.csv"),
        ("board 4^3 --out", "board.txt"),
        ("map 3^2 --out", "map.svg"),
        ("picture 3^2 --out", "board.png"),
        ("proof stored 4^3 --out", "proof.oxo"),
        ("solve 3^2 --proof", "proof.oxo"),
        ("dataset 2^2 --out", "data.jsonl"),
    ],
)
def test_where_there_is_no_room_no_file_is_left(tmp_path: Path, words: str, name: str) -> None:
    ran = oxo_on_full_disk(100, *words.split(), name, cwd=tmp_path)
    assert ran.returncode == 1, ran.stderr
    lines = [line for line in ran.stderr.splitlines() if not line.startswith("compiling")]
    assert f"oxo {words.split(maxsplit=1)[0]}: {name}: File too large (" in lines[-1]
    assert "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_full_standard_output_is_one_line() -> None:
    """Here for the help; for commands see `test_without_streams_a_command_ends_in_a_line`."""
    with Path("/dev/full").open("w") as full:
        world = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
        ran = python("-c", STARTER, "--help", env=world, stdout=full)
    assert ran.returncode == 1
    assert ran.stderr.count("\n") == 1
    assert "standard output: No space left on device (" in ran.stderr


@pytest.mark.parametrize(
    ("closed", "code", "last"),
    more(
        [
            ("<&-", 0, ""),
            ("2>&-", 0, ""),
            (">&-", 1, "oxo board: standard output is closed\n"),
            (">&- 2>&-", 1, ""),
            ("<&- >&- 2>&-", 1, ""),
            ("2>/dev/full", 0, ""),
            (">/dev/full 2>/dev/full", 1, ""),
        ],
        but=[(">&-", 1, "oxo board: standard output is closed\n"), ("<&- >&- 2>&-", 1, "")],
    ),
)
def test_closed_streams_end_in_a_line(tmp_path: Path, closed: str, code: int, last: str) -> None:
    """Nor does a file that is opened get the number of a stream, and what is written to that."""
    words = [sys.executable, "-m", "hyperoxo", "board", "2^2", "-q", "--out", "b.txt"]
    ran = run("/bin/sh", "-c", f'exec "$@" {closed}', "sh", *words, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (code, last)
    assert (tmp_path / "b.txt").read_text("ascii").startswith("#cells\n0 1 2 3\n#lines\n0 1\n")
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.more
@pytest.mark.parametrize(
    ("words", "cut"),
    [
        ("board 3^2", "hyperoxo/board/coordinates"),
        ("--help", "hyperoxo_research/parts"),
        ("classify -h", "hyperoxo_research/cli/classify"),
    ],
)
def test_code_of_python_that_was_cut_is_removed_in_a_line(
    tmp_path: Path, words: str, cut: str
) -> None:
    """Python leaves it so where the disk is full, and would end every command at once."""
    world = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    world.pop("PYTHONDONTWRITEBYTECODE", None)
    command = partial(python, "-m", "hyperoxo", *words.split(), env=world)
    whole = command()
    (kept,) = tmp_path.rglob(f"{cut}.*.pyc")
    kept.write_bytes(kept.read_bytes()[:400])
    told = command()
    assert (told.returncode, told.stdout) == (1, "")
    said = told.stderr.partition(": ")[2]
    assert said == f"{kept} was damaged, and has been removed; try again\n"
    assert not kept.exists()
    again = command()
    assert (again.returncode, again.stdout) == (0, whole.stdout)
