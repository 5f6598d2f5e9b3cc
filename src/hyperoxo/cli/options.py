"""Shared parts of commands: options, parameter types, execution here or on a cluster."""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

import hyperoxo as ox
from hyperoxo.cli import completion
from hyperoxo.cli.output import INTERRUPTED, as_json, print_remark, print_text, read_text
from hyperoxo.cli.progress import Progress, end_waiting, waiting
from hyperoxo.display import as_data, parts
from hyperoxo.errors import HyperoxoError, NotationError, SpecError, meant
from hyperoxo.files import sole_writer
from hyperoxo.processes import cores

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np
    from matplotlib.figure import Figure
    from rich.table import Table

    from hyperoxo.play import BoardStyle
    from hyperoxo.task import Task

FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)
"""A file to be read, or ``-``."""


@dataclass(frozen=True)
class Options:
    """The shared options of one call."""

    format: str = "text"
    seed: int | None = None
    """None leaves the choice to the operating system."""
    quiet: bool = False

    @property
    def json(self) -> bool:
        """True if the answer goes out as one JSON object."""
        return self.format == "json"

    def rng(self) -> np.random.Generator:
        """Return a random generator started from the seed."""
        import numpy as np

        return np.random.default_rng(self.seed)

    def emit(
        self,
        answer: dict[str, Any],
        text: str | Callable[[], Iterable[str | Table] | None],
        **more: Any,
    ) -> None:
        """Print an answer: the object as JSON, or text from its template or from a call.

        The template may name `more` values than JSON has.
        """
        end_waiting()
        if self.json:
            click.echo(as_json(answer))
        elif callable(text):
            print_text(text() or ())
        else:
            print_text(parts(None, text, {**answer, **more}))

    def show(self, result: Any, first: dict[str, Any] | None = None, /, **more: Any) -> None:
        """Print a result by its template; its data come between the values `first` and `more`."""
        end_waiting()
        data = {**(first or {}), **as_data(result), **more}
        if self.json:
            click.echo(as_json(data))
        else:
            print_text(parts(result, None, data))

    def note(self, message: str) -> None:
        """Print a remark on stderr, unless quiet."""
        if not self.quiet:
            print_remark(message)

    def progress(self, what: str = "working") -> Progress:
        """Return a progress display, empty if quiet."""
        return Progress(what, quiet=self.quiet)

    def interrupted(self, what: str) -> int:
        """Report the remains of an interrupted run, and return the exit code."""
        self.note(f"interrupted; {what}")
        return INTERRUPTED

    def save_figure(self, path: Path | None, draw: Callable[[], Figure]) -> None:
        """Draw a figure into a file, if one is named; after the answer, which is printed then."""
        if path is not None:
            from hyperoxo.lab.plots.style import save

            save(draw(), path)
            self.note(f"wrote {path}")


def given(*names: str) -> list[str]:
    """Return the options among these parameters that the command line has, as they are spelled."""
    context = click.get_current_context()
    spelled = {one.name: one.opts[0] for one in context.command.params}
    default = click.core.ParameterSource.DEFAULT
    return [spelled[name] for name in names if context.get_parameter_source(name) is not default]


@dataclass(frozen=True)
class Declared:
    """Declaration of a command's parameter: the default in the signature of its function."""

    make: Callable[[str], list[click.Parameter]]
    """Makes click's parameters, by the name of the function's."""
    take: Callable[..., Any] | None = None
    """Makes one value of several parameters; it gets all values by name, and ``options``."""

    def value(self, name: str, values: dict[str, Any]) -> Any:
        """Return the value that the function gets, of all values and the shared `Options`."""
        return values[name] if self.take is None else self.take(**values)


_ON_SCREEN, _IN_TURNS = ("serve", "tui"), ("play",)
"""Commands with their own progress display, and those that wait for input."""


def command(*examples: str, seed: bool = True, **more: Any) -> Callable[..., click.Command]:
    """Make a command of a function, whose parameters are declared by their defaults.

    The first one is for the shared options: `Options`. The help ends with examples, and offers
    ``--seed`` if it has a use; `more` is as for click.
    """

    def made(function: Callable[..., Any]) -> click.Command:
        parameters = signature(function).parameters.values()
        declared: dict[str, Declared] = {one.name: one.default for one in parameters}
        declared.pop("options")

        @click.option(
            "--format",
            "output_format",
            type=click.Choice(["text", "json"]),
            default="text",
            help="Text for people or one JSON object.",
        )
        @click.option(
            "--seed",
            type=WholeRange(min=0),
            hidden=not seed,
            help="Seed of all random choices; the same seed gives the same results.",
        )
        @click.option("-q", "--quiet", is_flag=True, help="Show no progress and no remarks.")
        @click.help_option("-h", "--help", help="Show this message.")
        @functools.wraps(function)
        def called(output_format: str, seed: int | None, quiet: bool, **values: Any) -> Any:
            options = Options(format=output_format, seed=seed, quiet=quiet)
            context = click.get_current_context()
            name = context.info_name
            alone = quiet or name in _ON_SCREEN
            shown = nullcontext() if alone else waiting(whole=name not in _IN_TURNS)
            with _outputs(context), shown:
                values["options"] = options
                taken = {name: one.value(name, values) for name, one in declared.items()}
                return function(options, **taken)

        own = [parameter for name, one in declared.items() for parameter in one.make(name)]
        lines = ["\b", "Examples:", *(f"  oxo {example}" for example in examples)]
        make: Callable[[Any], click.Command]
        make = click.command(params=own, epilog="\n".join(lines), **more)
        return make(called)

    return made


class _Number(click.types._NumberRangeBase):  # type: ignore[type-arg]
    """A number of a range, whose bounds the help spells out."""

    name = "number"

    def _describe_range(self) -> str:
        least, most = (None if one is None else f"{one:,.15g}" for one in (self.min, self.max))
        if least and most and not (self.min_open or self.max_open):
            return f"{least} to {most}"
        bounds = [least and f"{'above' if self.min_open else 'at least'} {least}"]
        bounds += [most and f"{'below' if self.max_open else 'at most'} {most}"]
        return ", ".join(filter(None, bounds))


class WholeRange(_Number, click.IntRange):
    """A whole number of a range."""


class RealRange(_Number, click.FloatRange):
    """A number of a range; NaN, which compares with no bound, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a number", param, ctx)
        return found


def option(text: str, kind: Any = None, *, spelled: str = "", **more: Any) -> Any:
    """Declare an option by its help and type, ``--every-move`` unless it is `spelled` otherwise.

    `more` is as for click.
    """
    more.setdefault("show_default", more.get("default") is not None)

    def made(name: str) -> list[click.Parameter]:
        words = [spelled or f"--{name.replace('_', '-')}", name]
        return [click.Option(words, type=kind, help=text, **more)]

    return Declared(made)


def argument(metavar: str, kind: Any = None, **more: Any) -> Any:
    """Declare an argument; `more` is as for click."""
    return Declared(lambda name: [click.Argument([name], metavar=metavar, type=kind, **more)])


def flag(text: str, *, spelled: str = "") -> Any:
    """Declare an option without a value."""
    return option(text, is_flag=True, spelled=spelled)


def number(text: str, least: int | None = None, most: int | None = None, **more: Any) -> Any:
    """Declare an option whose value is a whole number of a range."""
    return option(text, WholeRange(least, most), **more)


def choice(text: str, values: Sequence[str], **more: Any) -> Any:
    """Declare an option whose value is one of some words."""
    return option(text, click.Choice(values), **more)


def agent(text: str, **more: Any) -> Any:
    """Declare ``--agent``, whose value is an agent spec."""
    return option(text, shell_complete=completion.complete_agent, spelled="--agent", **more)


def agents(metavar: str, **more: Any) -> Any:
    """Declare an argument of any number of agent specs."""
    return argument(metavar, nargs=-1, shell_complete=completion.complete_agent, **more)


def seconds_limit(default: float | None, text: str, most: float | None = None) -> Any:
    """Declare ``--seconds``, a time limit."""
    return option(text, RealRange(min=0, max=most), default=default, spelled="--seconds")


def input_file(text: str, **more: Any) -> Any:
    """Declare an option whose value is a file to be read."""
    return option(text, FILE, **{"metavar": "FILE", **more})


def plain_file(text: str, *, exists: bool = False, **more: Any) -> Any:
    """Declare an option whose value is a saved game, or a store with any number of writers."""
    return option(text, click.Path(exists, dir_okay=False, path_type=Path), **more)


def output_file(text: str, *, dash: bool = False, **more: Any) -> Any:
    """Declare an option whose value is an output file, or - where a dash is allowed."""
    return option(text, OutputFile(allow_dash=dash), **{"metavar": "FILE", **more})


def picture(default: str, text: str = "The SVG file; - for standard output.") -> Any:
    """Declare ``--out`` of a command that draws one picture."""
    return option(text, OutputFile(allow_dash=True), default=default, spelled="--out")


MEMORY = number("Proof search: size of a table in megabytes.", 1, default=512, spelled="--memory")
THREADS = number(
    "Proof search: threads that share a table; default: all cores.",
    *(1, 64),
    default=lambda: min(64, cores()),
    show_default=False,
)
LETTERS = flag("Draw with letters only.", spelled="--ascii")
NUMBERS = flag("Write cells by their numbers, not by their names.", spelled="--numbers")
EVERY_MOVE = flag("List every move, not one of each class of equivalent moves.", spelled="--all")


def figure(text: str) -> Any:
    """Declare ``--figure``, a file of a drawing; `Options.save_figure` writes it."""

    def drawable(_: object, __: object, path: Path | None) -> Path | None:
        """Refuse a file of a figure before any work."""
        if path is not None:
            from hyperoxo.lab.plots.style import check_figure

            check_figure(path)
        return path

    about = f"Draw {text}: .svg, .png or .pdf."
    return option(about, OutputFile(), callback=drawable, spelled="--figure")


def terminal_style(
    players: int, *, ascii_only: bool, numbers: bool = False, width: int | None = None
) -> BoardStyle:
    """Return the style of boards on this terminal."""
    from hyperoxo.play import BoardStyle
    from hyperoxo.terminal.screen import Screen

    screen = Screen.standard()
    plain = ascii_only or not screen.unicode
    return BoardStyle.of(players, ascii_only=plain, numbers=numbers, width=width or screen.width)


class OutputFile(click.Path):
    """An output file, written by one process at a time; its folder must exist before any work.

    ``-`` is standard output where a dash is allowed.
    """

    def __init__(self, *, allow_dash: bool = False) -> None:
        super().__init__(dir_okay=False, allow_dash=allow_dash, path_type=Path)

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """Return the path."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.parent.is_dir():
            self.fail(f"there is no folder {path.parent}", param, ctx)
        return path


class OutputFolder(click.Path):
    """An output folder, written by one process at a time."""

    def __init__(self) -> None:
        super().__init__(file_okay=False, path_type=Path)


@contextmanager
def sole_writer_of_folder(folder: Path) -> Iterator[None]:
    """Make a folder and refuse it to other writers meanwhile; remove it if it stays empty."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with sole_writer(folder / "all"):
            yield
    finally:
        with suppress(OSError):
            folder.rmdir()


@contextmanager
def _outputs(context: click.Context) -> Iterator[None]:
    """Refuse all outputs of a command to other writers while it runs."""
    with ExitStack() as held:
        for parameter in context.command.params:
            given = context.params.get(parameter.name or "")
            for path in given if isinstance(given, tuple) else (given,):
                if isinstance(path, Path) and str(path) != "-":
                    if isinstance(parameter.type, OutputFile):
                        held.enter_context(sole_writer(path))
                    elif isinstance(parameter.type, OutputFolder):
                        held.enter_context(sole_writer_of_folder(path))
        yield


class GameType(click.ParamType["ox.Game"]):
    """A game spec on the command line, such as ``4^3:gravity``; the value is a `Game`.

    ``@FILE`` or ``@FILE:options`` takes the board from a file.
    """

    name = "game"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> ox.Game:
        """Read the spec; a bad one is a usage error that names the place."""
        if ctx is not None and ctx.resilient_parsing:
            # A shell asks what may follow, and should not wait for the board.
            return cast("ox.Game", value)

        if isinstance(value, ox.Game):
            return value
        try:
            if str(value).startswith("@"):
                return game_from_file(value[1:])
            return ox.Game(value)
        except HyperoxoError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[completion.Item]:
        """Suggest games."""
        return completion.complete_game(ctx, param, incomplete)


class NotationType(click.Choice[str]):
    """The name of a notation; which there are is looked up when it is first asked."""

    name = "notation"

    def __init__(self) -> None:
        self.case_sensitive = True

    @functools.cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of all notations."""
        from hyperoxo.notation import FORMATS

        return tuple(FORMATS)

    def get_invalid_choice_message(self, invalid_choice: Any, ctx: click.Context | None) -> str:
        """Suggest the nearest notation, or list all."""
        listed = meant(str(invalid_choice), self.choices) or f"there are {', '.join(self.choices)}"
        return f"unknown notation '{invalid_choice}'; {listed}"


def game(metavar: str = "GAME", **more: Any) -> Any:
    """Declare an argument whose value is a `Game`."""
    return argument(metavar, GameType(), **more)


class PositionType(click.ParamType[str]):
    """The text of a position, of standard input for ``-``."""

    name = "position"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text."""
        return read_text(value) if value == "-" else str(value)


def position(
    text: str = "Start here: one character per cell, or moves:0,3,60; - reads stdin.", **more: Any
) -> Any:
    """Declare ``--position``."""
    return option(text, PositionType(), metavar="P", spelled="--position", **more)


def start() -> Any:
    """Declare GAME and ``--position``; the value is a `Position`."""

    def taken(game: ox.Game, position: str | None, **_: Any) -> ox.Position:
        return game.start() if position is None else game.position(position)

    return Declared(lambda _: [*game().make("game"), *position().make("position")], taken)


def game_from_file(text: str) -> ox.Game:
    r"""Read a game with a board from a file."""
    from hyperoxo.board import read_hypergraph
    from hyperoxo.game.spec import parse_game_spec

    name, options = text, ""
    if not Path(text).exists():
        name, _, options = text.partition(":")
    try:
        board = read_hypergraph(read_text(name))
    except NotationError as error:
        raise NotationError(f"{name}: {error}") from None
    try:
        # The options are read behind the smallest board, which that of the file then replaces.
        keywords = parse_game_spec(f"1^1:{options}" if options else "1^1").keywords()
    except SpecError as error:
        reason = str(error).partition(": ")[2].partition(" (character")[0]
        raise SpecError(f"bad options '{options}' after {name}: {reason}") from None
    return ox.Game(board=board, **keywords)


@dataclass(frozen=True)
class Work:
    """Workers of a long computation: processes of this machine, or a cluster."""

    workers: int = 1
    cluster: str | None = None
    """Address of a scheduler."""

    @contextmanager
    def task(self, progress: Progress) -> Iterator[Task]:
        """Show the progress of a task with these workers, and release them at the end."""
        from hyperoxo.task import Task

        executor: Executor | None = None
        with ExitStack() as stack:
            if self.cluster is not None:
                from hyperoxo.workers import ClusterExecutor

                executor = ClusterExecutor(self.cluster)
                stack.callback(executor.shutdown, cancel_futures=True)
            stack.enter_context(progress)
            yield stack.enter_context(Task.shared(progress, self.workers, executor))


def work(text: str = "Processes that share the work.", *more: str) -> Any:
    """Declare ``--cluster``, and ``--workers`` with its help, also by other names: a `Work`."""

    def made(_: str) -> list[click.Parameter]:
        about = "Use the workers of a Dask cluster, as tcp://HOST:8786 (extra 'cluster')."
        kind, names = WholeRange(min=1), ["--workers", *more, "workers"]
        return [
            click.Option(["--cluster"], metavar="ADDRESS", help=about),
            click.Option(names, type=kind, default=1, show_default=True, help=text),
        ]

    def taken(workers: int, cluster: str | None, **_: Any) -> Work:
        if cluster is not None and workers > 1:
            raise click.UsageError("--workers and --cluster exclude each other")
        return Work(workers, cluster)

    return Declared(made, taken)
