"""Shared parts of the laboratory's commands: workers, the store, interrupts."""

from __future__ import annotations

import shlex
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_agent
from hyperoxo.run_options import Option, RunKind, run_kind

if TYPE_CHECKING:
    from hyperoxo.lab.requests import RunRequest

_GAMES = 1000
"""Games of a match, unless given."""

_IN_PARALLEL = "How many games run in parallel: threads for compiled agents, processes for others."

_AGENTS = ("agent", "versus")
"""Options whose values are agents."""


@dataclass(frozen=True)
class LabOptions:
    """Options of commands that play many games."""

    work: cli.Work
    store: Path | None
    """File of results; None for the usual one."""
    stored: bool
    """True if results are kept."""

    def opened(self, options: cli.Options) -> AbstractContextManager[ox.ResultStore | None]:
        """Open the store; where the usual one cannot be written, say so and continue without it."""
        if self.stored:
            try:
                return ox.ResultStore(self.store)
            except OSError as error:
                if self.store is not None:
                    raise
                options.note(f"results are not kept: {error.filename or ''} {error.strerror}")
        return nullcontext()

    def carry_out(self, request: RunRequest, options: cli.Options, **report: Any) -> Any:
        """Play a request into the store, behind a progress bar; return the result.

        A run that is interrupted says how many games are stored and which command resumes it.
        """
        from hyperoxo.lab.requests import carry_out
        from hyperoxo.lab.runs import RunInterrupted

        try:
            with (
                self.opened(options) as store,
                self.work.task(options.progress("playing")) as task,
            ):
                return carry_out(request, store, task=task, **report)
        except RunInterrupted as left:
            drawn = options.seed is None and not _kind(request.kind).reports
            more = f" --seed {request.seed}" if drawn else ""
            code = options.interrupted(str(left))
            options.note(f"to resume: oxo {shlex.join(sys.argv[1:])}{more}")
            raise click.exceptions.Exit(code) from None


class NumberType(click.ParamType["int | None"]):
    """A whole number, or ``auto``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read it."""
        return None if value is None or value == "auto" else click.INT.convert(value, param, ctx)


def requested(kind: str) -> Any:
    """Declare all options of a run of this kind; the value is a `RunRequest`.

    Its seed, where none is given, is drawn, but that of a report is 0.
    """
    asked = _kind(kind)

    def taken(options: cli.Options, game: ox.Game | None = None, **given: Any) -> RunRequest:
        from hyperoxo.lab.requests import RunRequest

        fixed = options.seed is not None or asked.reports
        seed = options.seed or 0 if fixed else int(options.rng().integers(2**32))
        values = {one.name: _value(one, given) for one in asked.options}
        return RunRequest(kind, str(game or ""), values, seed).filled(_GAMES)

    made = [parameter for one in asked.options for parameter in _parameters(one)]
    return cli.Declared(lambda _: made, taken)


def _kind(name: str) -> RunKind:
    found = run_kind(name)
    assert found is not None
    return found


def _value(option: Option, given: dict[str, Any]) -> Any:
    """Return the value of an option, of one with parts as an object."""
    first = given[option.name]
    if option.many:
        return list(first)
    if not option.inside:
        return first
    for one in option.inside[1:] if first is None else ():
        if cli.given(one.name):
            raise click.UsageError(f"--{one.name} belongs to --{option.name}")
    values = {one.name: given[one.name] for one in option.inside[1:]}
    return None if first is None else {option.inside[0].name: first, **values}


def _parameters(option: Option) -> list[click.Parameter]:
    """Return the parameters of a command for one option of a request."""
    if option.inside:
        own = replace(option.inside[0], name=option.name, required=False)
        rest = (replace(one, help=_belongs(option, one)) for one in option.inside[1:])
        return [made for one in (own, *rest) for made in _parameters(one)]
    declared: cli.Declared
    if option.name == "agents":
        declared = cli.agents("A B [C...]", required=True)
    elif option.name == "study":
        declared = cli.argument("[NAME]", required=False)
    else:
        more: dict[str, Any] = {"is_flag": True}
        if option.type is not bool:
            shown = option.default is not None and not (option.implied and not option.choices)
            more = {"kind": _type_of(option), "default": option.default, "show_default": shown}
        text = option.help
        if option.name == "games" and option.default is None:
            text += f" Default: {_GAMES}; with --until 100,000."
        if option.name in _AGENTS:
            more["shell_complete"] = complete_agent
        several = bool(option.many)
        declared = cli.option(
            text, required=option.required, multiple=several, metavar=option.metavar, **more
        )
    return declared.make(option.name)


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


def laboratory() -> Any:
    """Declare where games are played, and where results are kept: `LabOptions`."""
    play = cli.work(_IN_PARALLEL, "--threads")
    store = cli.plain_file("File for the results; default: in your data folder.")
    no_store = cli.flag("Store nothing.")

    def taken(store: Path | None, no_store: bool, **given: Any) -> LabOptions:
        if no_store and store is not None:
            raise click.UsageError("--store and --no-store exclude each other")
        return LabOptions(play.value("", given), store, not no_store)

    made = [*play.make("work"), *store.make("store"), *no_store.make("no_store")]
    return cli.Declared(lambda _: made, taken)
