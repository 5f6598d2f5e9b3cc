"""The parts of a study: sections with tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from hyperoxo.agents import Agent
from hyperoxo.display import as_data
from hyperoxo.files import replace_file
from hyperoxo.game import Game, Position
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.plots.style import Figure
from hyperoxo.lab.requests import RunRequest, carry_out, command_of
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.sweep import SweepResult
from hyperoxo.proof import Proof, write_proof
from hyperoxo.task import ALONE, Task

Size = TypeVar("Size")
Result = TypeVar("Result")

_LEAST = 5
"""The smallest sample."""


@dataclass(frozen=True)
class Bench:
    """Settings of a study, passed to its runs."""

    full: bool = False
    seed: int = 0
    store: ResultStore | None = None
    task: Task = ALONE
    scale: float = 1.0
    folder: Path | None = None

    @property
    def workers(self) -> int:
        """Number of threads of a search in this process: that of the workers on this machine."""
        return 1 if self.task.crew is None or self.task.crew.given else self.task.width

    @property
    def means(self) -> dict[str, Any]:
        """Store and task, as keywords of functions."""
        return {"store": self.store, "task": self.task}

    def size(self, reduced: Size, full: Size) -> Size:
        """Return the reduced or the full size; numbers are scaled, lists of boards are not."""
        picked: Any = full if self.full else reduced
        if self.scale < 1 and isinstance(picked, int):
            picked = max(_LEAST, round(self.scale * picked))
        elif self.scale < 1 and isinstance(picked, float):
            picked *= self.scale
        found: Size = picked
        return found

    def match(
        self, game: str, agents: Sequence[str], games: int, **options: Any
    ) -> tuple[MatchResult, str]:
        """Play a match; return it and the command that repeats it."""
        return self.play("match", game, agents=list(agents), games=games, **options)

    def sweep(
        self, game: str, agent: str, vary: str, versus: str, **options: Any
    ) -> tuple[SweepResult, str]:
        """Sweep a parameter; return the result and the command that repeats it."""
        usual = {"measure": "score", "fit": "polynomial"}
        ours = {"agent": agent, "vary": [vary], "versus": [versus]}
        return self.play("sweep", game, **ours, **usual | options)

    def played(
        self, play: Callable[..., Result], *asked: object, **more: object
    ) -> tuple[Result, str]:
        """Play games by a function, the seed last; return its result and the command for it."""
        asked = (*asked, self.seed)
        return play(*asked, **more, **self.means), python_command(play, *asked, **more)

    def play(self, kind: str, game: str, **options: Any) -> tuple[Any, str]:
        """Carry out a run of any kind; return its result and the command that repeats it."""
        request = RunRequest(kind, game, options, self.seed)
        return carry_out(request, **self.means), command_of(request)


def python_command(call: Callable[..., object], *asked: object, **more: object) -> str:
    """Return the command that calls a function and prints its result."""
    words = [*map(repr, asked), *(f"{name}={value!r}" for name, value in more.items())]
    found = f"from {call.__module__} import {call.__name__} as p"
    return f'python -c "{found}; print(p({", ".join(words)}))"'


SURPRISING = 0.01
"""Significance level of verdicts: a published figure and ours disagree below it."""

Cell = str | int | float | bool | None
Place = tuple[str, str, str]
"""Table, row and column of a published figure."""


@dataclass(frozen=True)
class Table:
    """A table of a report.

    Attributes
    ----------
    name : str
        Name of its file of data.
    title : str
        Its heading.
    columns : tuple of str
        Headings.
    rows : tuple of tuple
        Cells: texts, numbers, truth values or None.
    text : str
        Remarks below it.
    places : tuple of (str, str, str), optional
        Table, row and column in which the figure of each row was published; reports show such
        figures in their published tables.
    tried : frozenset of int, optional
        Rows of tried readings; summaries leave them out.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    text: str = ""
    places: tuple[Place | None, ...] = ()
    tried: frozenset[int] = frozenset()

    def as_data(self) -> dict[str, Any]:
        """Return the table as plain values, a row an object."""
        return {
            "name": self.name,
            "title": self.title,
            "text": self.text,
            "columns": list(self.columns),
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
        }


@dataclass(frozen=True)
class Picture:
    """A figure of a report, drawn on demand.

    Attributes
    ----------
    name : str
        Name of its files.
    caption : str
        Its caption.
    draw : callable
        Returns the figure, of Matplotlib or as SVG.
    """

    name: str
    caption: str
    draw: Callable[[], Figure | str]


@dataclass(frozen=True)
class Attachment:
    """A file that goes with a report, such as a proof: `write` puts it at a path."""

    name: str
    caption: str
    write: Callable[[Path], None]


def drawing(name: str, caption: str, draw: Callable[[], str]) -> Attachment:
    """Make a file of an SVG picture, drawn when it is written."""
    return Attachment(name, caption, lambda path: replace_file(path, draw().encode()))


def proof_file(name: str, proof: Proof, creator: str = "") -> Attachment:
    """Make a file of a proof, whose statement is the caption."""
    write = partial(write_proof, proof, creator=creator)
    return Attachment(name, proof.statement, write)


Part = Table | Picture | Attachment


class Section:
    """A part of a report.

    Parameters
    ----------
    title : str
        Its heading.
    text : str
        Paragraphs, with an empty line between them.
    *parts : Table, Picture or Attachment
        Its tables, figures and files; each of the three is shown in this order.
    """

    def __init__(self, title: str, text: str = "", *parts: Part) -> None:
        self.title, self.text = title, text
        self.tables = [part for part in parts if isinstance(part, Table)]
        self.pictures = [part for part in parts if isinstance(part, Picture)]
        self.files = [part for part in parts if isinstance(part, Attachment)]

    def as_data(self) -> dict[str, Any]:
        """Return the section as plain values: tables by name, pictures and files by name too."""
        return {
            **as_data(self, "title text"),
            "tables": [table.name for table in self.tables],
            "pictures": [as_data(one, "name caption") for one in self.pictures],
            "files": [as_data(one, "name caption") for one in self.files],
        }


@dataclass(frozen=True)
class Study:
    """A study.

    Attributes
    ----------
    name : str
        Its name on the command line.
    title : str
        Heading of the report.
    source : str
        The published work.
    sections : callable
        Measures and yields the sections in order.
    """

    name: str
    title: str
    source: str
    sections: Callable[[Bench], Iterator[Section]]


@dataclass(frozen=True)
class Finding:
    """One published figure and ours.

    Attributes
    ----------
    quantity : str
        The quantity.
    published, ours : str, number or None
        Both figures, if known.
    sample : int or None
        Number of games behind ours.
    interval : tuple of float or None
        95 % interval of ours.
    agrees : bool or None
        The verdict; None if it cannot be decided.
    command : str
        Command that measures it again.
    remark : str
        A sentence, above all if the published figure cannot be right.
    where : str
        Place of the published figure in its source.
    place : tuple of str or None
        Table, row and column of the published figure, if it is in a table.
    tried : bool
        True for one of several readings of the source, which need not all agree; summaries leave
        it out.
    """

    quantity: str
    published: Cell
    ours: Cell
    sample: int | None = None
    interval: tuple[float, float] | None = None
    agrees: bool | None = None
    command: str = ""
    remark: str = field(default="")
    where: str = ""
    place: Place | None = None
    tried: bool = False


_COLUMNS = (
    "quantity", "published", "ours", "low", "high", "sample", "agrees", "read in", "remark",
    "command",
)  # fmt: skip


def compared(
    name: str, title: str, findings: Sequence[Finding], text: str = "", *, where: str = ""
) -> Table:
    """Return a table of findings, published beside ours; `where` is the default of `Finding.where`.

    Examples
    --------
    >>> table = compared("lines", "Lines", [Finding("lines of 3^3", 49, 49, agrees=True)])
    >>> table.columns[:3], table.rows[0][:3]
    (('quantity', 'published', 'ours'), ('lines of 3^3', 49, 49))
    """
    rows = tuple(
        (
            finding.quantity,
            finding.published,
            finding.ours,
            *(finding.interval or (None, None)),
            finding.sample,
            finding.agrees,
            "" if finding.published is None else finding.where or where,
            finding.remark,
            finding.command,
        )
        for finding in findings
    )
    places = tuple(finding.place for finding in findings)
    tried = frozenset(row for row, finding in enumerate(findings) if finding.tried)
    return Table(name, title, _COLUMNS, rows, text, places if any(places) else (), tried)


def exact(quantity: str, published: Cell, ours: Cell, **more: Any) -> Finding:
    """Compare deterministic figures; `more` are other attributes of `Finding`.

    Examples
    --------
    >>> exact("lines of 3^3", 49, 48).agrees
    False
    """
    return Finding(quantity, published, ours, agrees=published == ours, **more)


def share(
    quantity: str,
    published: tuple[float, int] | None,
    ours: tuple[int, int],
    command: str = "",
    **more: Any,
) -> Finding:
    """Compare a published percentage with ours.

    They agree unless Fisher's exact test rejects equality at the level `SURPRISING`.

    Parameters
    ----------
    quantity : str
        The quantity.
    published : tuple of (float, int) or None
        Percentage and number of games.
    ours : tuple of int
        Count and number of games.
    command, **more
        Attributes of `Finding`.

    Examples
    --------
    >>> share("won", (85.77, 10_000), (8580, 10_000)).agrees
    True
    >>> share("won", (85.77, 10_000), (5000, 10_000)).agrees
    False
    """
    count, games = ours
    low, high = wilson_interval(count, games)
    agrees = None
    if published is not None:
        from scipy.stats import fisher_exact

        percent, theirs = published
        # The count that was published as a rounded percentage.
        seen = round(percent * theirs / 100)
        chance = fisher_exact([[seen, theirs - seen], [count, games - count]]).pvalue
        agrees = bool(chance >= SURPRISING)
    printed = None if published is None else published[0]
    found = round(100 * count / games, 3)
    interval = (round(100 * low, 3), round(100 * high, 3))
    return Finding(quantity, printed, found, games, interval, agrees, command, **more)


RESULTS = ("won", "drawn", "lost")


def shares(
    quantity: str,
    published: Sequence[float | None],
    theirs: int,
    counts: Sequence[int],
    command: str,
) -> list[Finding]:
    """Compare percentages of games won, drawn and lost, of `theirs` games, with our counts.

    The word of each result replaces ``{}`` in `quantity`.
    """
    return [
        share(
            quantity.format(what),
            None if percent is None else (percent, theirs),
            (count, sum(counts)),
            command,
        )
        for what, percent, count in zip(RESULTS, published, counts, strict=True)
    ]


def positions(
    game: Game, agents: Sequence[Agent], games: int, seed: int, task: Task
) -> Iterator[tuple[int, Position]]:
    """Play games among agents; yield the number of the game and each position to the last."""
    for number in range(games):
        rng = np.random.default_rng([seed, number])
        position = game.start()
        while not position.is_over:
            yield number, position
            position = position.play(agents[position.to_move - 1].choose(position, rng))
        yield number, position
        task.report_progress(number + 1, games)
