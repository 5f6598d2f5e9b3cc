"""What the commands of the laboratory share: workers, the store, and interrupts."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_agent
from hyperoxo.cli.output import INTERRUPTED
from hyperoxo.cli.progress import Progress
from hyperoxo.run_options import Option, run_kind

if TYPE_CHECKING:
    from hyperoxo.lab import ResultStore
    from hyperoxo.lab.requests import RunRequest

_GAMES = 1000
"""Games of a match, unless given."""

_IN_PARALLEL = "How many games run in parallel: threads for compiled agents, processes for others."

_AGENTS = ("agent", "versus")
"""Options whose values are agents."""


@dataclass(frozen=True)
class LabOptions:
    """Options of commands that play many games."""

    workers: int = 1
    store: Path | None = None
    """File of results; None for the usual one."""
    stored: bool = True
    """Whether results are kept."""
    cluster: str | None = None
    """Address of a scheduler whose workers play."""

    @contextmanager
    def opened(self, options: cli.Options) -> Iterator[ResultStore | None]:
        """Open the store; where the usual one cannot be written, say so and continue without it."""
        if not self.stored:
            yield None
            return
        from hyperoxo.lab import ResultStore

        try:
            store = ResultStore(self.store)
        except OSError as error:
            if self.store is not None:
                raise
            options.note(f"results are not kept: {error.filename or ''} {error.strerror}")
            yield None
            return
        with store:
            yield store

    def carry_out(self, request: RunRequest, options: cli.Options, **report: Any) -> Any:
        """Play what is asked for into the store, behind a progress bar; return the result."""
        from hyperoxo.lab.requests import carry_out
        from hyperoxo.task import Task

        with (
            self.opened(options) as store,
            cli.cluster_executor(self.cluster) as executor,
            Progress("playing", quiet=options.quiet) as progress,
        ):
            means: Any = {"workers": self.workers, "executor": executor, "task": Task(progress)}
            return carry_out(request, store, **means, **report)


class NumberType(click.ParamType["int | None"]):
    """A whole number, or ``auto``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        return None if value is None or value == "auto" else click.INT.convert(value, param, ctx)


def request_options(kind: str) -> cli.Decorator:
    """Add all that a run of this kind can be asked for; `lab_options` makes a request of it."""

    def added(function: Callable[..., Any]) -> Callable[..., Any]:
        for one in reversed(_options_of(kind)):
            for parameter in reversed(_parameters(one)):
                function = parameter(function)
        return function

    return added


def _options_of(kind: str) -> tuple[Option, ...]:
    found = run_kind(kind)
    assert found is not None
    return found.options


def _request(kind: str, given: dict[str, Any], seed: int) -> RunRequest:
    """Build a request from the parameters of a command."""
    from hyperoxo.lab.requests import RunRequest

    asked = {one.name: given.pop(one.name) for one in _options_of(kind)}
    for one in _options_of(kind):
        if one.many:
            asked[one.name] = list(asked[one.name])
        if one.inside:
            asked[one.name] = _inside(one, asked[one.name], given)
    return RunRequest(kind, str(given.get("game") or ""), asked, seed).filled(_GAMES)


def _inside(option: Option, first: Any, given: dict[str, Any]) -> dict[str, Any] | None:
    """Gather an object whose first field has the option's own name; refuse the others without."""
    context = click.get_current_context()
    values = {one.name: given.pop(one.name) for one in option.inside[1:]}
    for name in values:
        if first is None and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} belongs to --{option.name}")
    return None if first is None else {option.inside[0].name: first, **values}


def _parameters(option: Option) -> list[cli.Decorator]:
    """Return the parameters of a command for one option of a request."""
    if option.name == "agents":
        return [
            click.argument(
                "agents",
                nargs=-1,
                required=True,
                metavar="A B [C...]",
                shell_complete=complete_agent,
            )
        ]
    if option.name == "study":
        return [click.argument("study", required=False, metavar="[NAME]")]
    if option.inside:
        own = replace(option.inside[0], name=option.name, required=False)
        rest = (replace(one, help=_belongs(option, one)) for one in option.inside[1:])
        return [*_parameters(own), *(_parameters(one)[0] for one in rest)]
    more: dict[str, Any] = {"help": option.help}
    if option.type is bool:
        more["is_flag"] = True
    else:
        shown = option.default is not None and not (option.implied and not option.choices)
        more |= {"type": _type_of(option), "default": option.default, "show_default": shown}
    if option.name == "games" and option.default is None:
        more["help"] += f" Default: {_GAMES}; with --until 100,000."
    if option.metavar:
        more["metavar"] = option.metavar
    if option.name in _AGENTS:
        more["shell_complete"] = complete_agent
    return [
        click.option(
            f"--{option.name.replace('_', '-')}",
            required=option.required,
            multiple=bool(option.many),
            **more,
        )
    ]


def _belongs(option: Option, one: Option) -> str:
    """Return the help of a field of an object, which is an option of its own in a command."""
    text = one.help.replace("`effect`", "--effect")
    return f"With --{option.name}: {text[0].lower()}{text[1:]}"


def _type_of(option: Option) -> Any:
    """Return how click reads an option; the upper ends of whole numbers are for the server."""
    if option.choices:
        return click.Choice(option.choices)
    if option.type is int:
        if option.metavar:
            return NumberType()
        return cli.WholeRange(min=None if option.least is None else int(option.least))
    if option.type is float:
        return cli.RealRange(
            *(option.above, option.below if option.most is None else option.most),
            min_open=True,
            max_open=option.most is None,
        )
    return str


def lab_options(kind: str, *, seed: int | None = None) -> cli.Decorator:
    """Add ``--workers``, ``--cluster`` and the store's as ``lab``, and the shared options.

    What :func:`request_options` asked for becomes ``request``. Its seed is `seed` where none is
    given, or else drawn. A run that is interrupted says how many games are stored and which command
    resumes it.
    """

    def added(function: Callable[..., Any]) -> Callable[..., Any]:
        @cli.work_options(_IN_PARALLEL, "--threads")
        @cli.option(
            "--store", "File for the results; default: in your data folder.", cli.PLAIN_FILE
        )
        @cli.flag("--no-store", "Store nothing.")
        @cli.shared_options
        @functools.wraps(function)
        def with_lab(
            *args: Any,
            workers: int,
            cluster: str | None,
            store: Path | None,
            no_store: bool,
            options: cli.Options,
            **given: Any,
        ) -> Any:
            from hyperoxo.lab.runs import RunInterrupted

            if no_store and store is not None:
                raise click.UsageError("--store and --no-store exclude each other")
            lab = LabOptions(workers, store, not no_store, cluster)
            drawn = options.seed is None and seed is None
            chosen = int(options.rng().integers(2**32)) if drawn else options.seed or seed or 0
            request = _request(kind, given, chosen)
            try:
                return function(*args, request=request, lab=lab, options=options, **given)
            except RunInterrupted as left:
                options.note(f"interrupted; {left}")
                more = f" --seed {chosen}" if drawn else ""
                options.note(f"to resume: oxo {shlex.join(sys.argv[1:])}{more}")
                return INTERRUPTED

        return with_lab

    return added
