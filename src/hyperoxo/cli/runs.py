"""`oxo match`, `oxo tournament`, `oxo sweep` and `oxo results`: runs and stored results."""

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
from hyperoxo.display import as_data, as_text, number_of
from hyperoxo.run_options import Option, run_kind

if TYPE_CHECKING:
    from hyperoxo.lab import MatchResult
    from hyperoxo.lab.requests import RunRequest
    from hyperoxo.lab.results import RunInfo
    from hyperoxo.lab.sequential import Comparison
    from hyperoxo.lab.sweep import SweepResult
    from hyperoxo.lab.tournament import TournamentResult

_GAMES = 1000
"""Games of a match, unless given."""

_IN_PARALLEL = "Number of games in parallel: threads for compiled agents, processes for others."

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
            # The seed is part of the request by which a run is found: the command must name one
            # that was drawn.
            drawn = options.seed is None and not run_kind(request.kind).reports
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
    asked = run_kind(kind)

    def taken(options: cli.Options, game: ox.Game | None = None, **given: Any) -> RunRequest:
        from hyperoxo.lab.requests import RunRequest

        fixed = options.seed is not None or asked.reports
        seed = options.seed or 0 if fixed else int(options.rng().integers(2**32))
        values = {one.name: _value(one, given) for one in asked.options}
        return RunRequest(kind, str(game or ""), values, seed).filled(_GAMES)

    made = [parameter for one in asked.options for parameter in _parameters(one)]
    return cli.Declared(lambda _: made, taken)


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
    """Return the help of a field of an object, which is a separate option in a command."""
    text = one.help.replace("`effect`", "--effect")
    return f"With --{option.name}: {text[0].lower()}{text[1:]}"


def _type_of(option: Option) -> Any:
    """Return the click type of an option; the upper ends of whole numbers are for the server."""
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
    """Declare the options for workers and the results store: `LabOptions`."""
    play = cli.work(_IN_PARALLEL, "--threads")
    store = cli.plain_file("File for the results; default: in your data folder.")
    no_store = cli.flag("Store nothing.")

    def taken(store: Path | None, no_store: bool, **given: Any) -> LabOptions:
        if no_store and store is not None:
            raise click.UsageError("--store and --no-store exclude each other")
        return LabOptions(play.value("", given), store, not no_store)

    made = [*play.make("work"), *store.make("store"), *no_store.make("no_store")]
    return cli.Declared(lambda _: made, taken)


# The commands.


@cli.command("match 3^3 random ising --games 1000 --swap", "match 3^2 greedy ising --until 'A>B'")
def match(
    options: cli.Options,
    game: ox.Game = cli.game(),
    request: RunRequest = requested("match"),
    lab: LabOptions = laboratory(),
) -> None:
    """Play many games between agents: A in seat 1, B in seat 2, and so on.

    The results count wins by seat, with --swap by agent; a game that several players win together
    counts for each. Intervals are 95 % Wilson intervals. With --until, the match ends when a
    sequential test has decided the question.
    """
    agents = request.options["agents"]
    if len(agents) != game.players:
        raise click.UsageError(
            f"{game} has {game.players} seats, one agent each; {len(agents)} named"
        )
    result: MatchResult = lab.carry_out(request, options)
    if result.test is not None and not result.swap:
        options.note(
            "seats are fixed, so the test is of agents on these seats; --swap rotates them"
        )
    options.show(result)


@cli.command("tournament 3^3 random greedy ising", "tournament 3^2 random greedy --show")
def tournament(
    options: cli.Options,
    game: ox.Game = cli.game(),
    request: RunRequest = requested("tournament"),
    openskill: bool = cli.flag("Also rate with openskill."),
    figure: Path | None = cli.figure("the table of a two-player tournament"),
    show: bool = cli.flag("Draw the ratings in the terminal."),
    lab: LabOptions = laboratory(),
) -> None:
    """Play every ordered seating of several agents, each against itself as well.

    Ratings follow Bradley and Terry with draws and first-move advantage; with three or more
    players, Plackett and Luce. 400 points are odds of ten to one. Intervals are 95 %.
    """
    from hyperoxo.lab.plots.figures import tournament_figure
    from hyperoxo.lab.plots.text import text_intervals
    from hyperoxo.lab.tournament import skills

    if figure is not None and game.players > 2:
        raise click.UsageError("--figure draws tables of two players")
    if openskill:
        skills(0, [])  # refuses before the games rather than after them
    result: TournamentResult = lab.carry_out(request, options)
    data = result.as_data(openskill=openskill)
    options.show(result, **data)
    if show and not options.json:
        names, values, spans = (
            [row[key] for row in data["ratings"]] for key in ("agent", "rating", "interval")
        )
        click.echo(f"\n{text_intervals(names, values, spans)}")
    options.save_figure(figure, lambda: tournament_figure(result))


@cli.command(
    "sweep 3^2 --agent ising --vary bias=0:1:0.05 --versus random",
    "sweep 3^3 --agent minimax --vary depth=1:3:1 --versus greedy --games 20",
)
def sweep(
    options: cli.Options,
    game: ox.Game = cli.game(),  # noqa: ARG001 - the request has it
    request: RunRequest = requested("sweep"),
    show: bool = cli.flag("Draw the points in the terminal."),
    figure: Path | None = cli.figure("points and curve, or a heat map"),
    lab: LabOptions = laboratory(),
) -> None:
    """Play GAME with many values of one or two parameters of an agent.

    Fits a curve to the results: its 95 % band, its best value and the uncertainty of that value.
    """
    from hyperoxo.lab.plots.figures import sweep_figure

    result: SweepResult = lab.carry_out(request, options)
    chart = show and not options.json
    options.show(result, **({"chart": _chart(result)} if chart else {}))
    options.save_figure(figure, lambda: sweep_figure(result))


def _chart(result: SweepResult) -> str:
    from hyperoxo.lab.plots.text import text_chart, text_map

    shares = 100 * result.samples.shares
    if len(result.names) == 1:
        curve = ("", result.samples.at[:, 0].tolist(), shares.tolist())
        return text_chart([curve], (result.names[0], f"% {result.measure}"))
    rows, columns = (
        [f"{value:.3g}" for value in sorted({point.values[i] for point in result.points})]
        for i in range(2)
    )
    table = shares.reshape(len(rows), len(columns))
    shades = text_map(rows, columns, table, (result.names[0], result.names[1]))
    return f"% {result.measure}\n{shades}"


_RUNS = """
!listed no results
|listed| run | begun | kind | game | of whom={whom} | rows | games | of={wanted} | seed | state |
"""
_ROWS = """
!rows no rows
|rows| row | agents={agents:; } | games | of={wanted} | wins={wins:; } | draws \
| seconds={seconds:.2f} |
?verdict {verdict}
?rows run {info.run}: {info.kind}, {info.game}, begun {info.begun}, {info.state}; {versions}
"""


@cli.command("results", "results --agent ising --out rows.csv")
def results(
    options: cli.Options,
    run: int | None = cli.argument("[RUN]", cli.WholeRange(min=1), required=False),
    game: str | None = cli.option("Only this game, in this spelling."),
    agent: str | None = cli.option("Only rows with this agent: its spec, or only its name."),
    kind: str | None = cli.choice(
        "Only runs of this kind.", ["match", "tournament", "sweep", "study", "program"]
    ),
    since: str | None = cli.option("Only runs started on this date or later, as in 2026-01-31."),
    before: str | None = cli.option("Only runs started before this date.", spelled="--until"),
    out: Path | None = cli.output_file("Write the rows to this file: .csv, .parquet or .json."),
    delete: bool = cli.flag("Delete this run."),
    merge: Path | None = cli.plain_file("Add the runs of this other store.", exists=True),
    store: Path | None = cli.plain_file("File of the results, instead of the usual one."),
) -> None:
    """List the stored runs, newest first, or the rows of one RUN.

    A run is one match, tournament or other job; a row holds the games of one seating with its seed,
    versions and times. --out writes all rows that pass the filters.
    """
    from hyperoxo.files import by_suffix
    from hyperoxo.lab.results import default_path, export_rows, result_rows, run_infos
    from hyperoxo.lab.results.listing import FORMS, Filter, moment

    if out is not None:
        by_suffix(out, FORMS)
    # 1. Filters.
    picked = Filter(
        run,
        kind,
        None if game is None else str(ox.Game(game)),
        agent,
        None if since is None else moment(since),
        None if before is None else moment(before),
    )
    # 2. Calls that change the store, or need none.
    path = default_path() if store is None else store
    if merge is not None:
        with ox.ResultStore(path) as opened:
            answer = {"store": str(path), "merged": str(merge), "copied": opened.merge(merge)}
        options.emit(answer, "copied {copied:#run|runs} of {merged} into {store}")
        return
    if not path.exists():
        if store is not None or run is not None:
            raise click.UsageError(f"there is no results store at {path}")
        options.emit({"store": str(path), "runs": [], "rows": []}, "no results yet")
        return
    with ox.ResultStore(path) as opened:
        if delete:
            if run is None:
                raise click.UsageError("--delete needs the number of a run")
            opened.delete(run)
            options.emit({"store": str(path), "deleted": run}, "deleted run {deleted}")
            return
        # 3. Runs, and their rows only where they are printed or written.
        infos = run_infos(opened, picked)
        if run is not None and not infos:
            raise click.UsageError(f"there is no such run {run} in {path}")
        wanted = out is not None or options.json or run is not None
        rows = result_rows(opened, picked) if wanted else []
        test = _test_of(opened, infos[0]) if run is not None else None
    if out is not None:
        export_rows(rows, out)
        options.note(f"wrote {number_of(len(rows), 'row')} to {out}")
    # 4. A table of runs, or the rows of one.
    answer = {
        "store": str(path),
        "runs": [vars(info) for info in infos],
        "rows": [row.as_data() for row in rows],
        **({} if test is None else {"test": as_data(test)}),
    }
    if run is None:
        listed = [{**vars(info), "whom": _whom(info)} for info in infos]
        options.emit(answer, _RUNS, listed=listed)
    else:
        options.emit(
            answer,
            _ROWS,
            info=infos[0],
            verdict=test and as_text(test),
            versions=[f"{name} {number}" for name, number in infos[0].versions.items()],
        )


def _test_of(store: ox.ResultStore, info: RunInfo) -> Comparison | None:
    from hyperoxo.lab.match import MatchResult
    from hyperoxo.lab.recall import recall

    if not info.settings.get("until"):
        return None
    found = recall(store, info.run)
    return found.test if isinstance(found, MatchResult) else None


def _whom(info: RunInfo) -> str:
    """Name the agents of a run, or its study."""
    asked = info.settings
    agents = asked.get("agents") or [asked.get("agent"), *asked.get("versus", [])]
    return " ".join(filter(None, [asked.get("study"), *agents]))
