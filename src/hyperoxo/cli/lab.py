"""What the commands of the laboratory share: workers, the store, and how they are left."""

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

from hyperoxo.cli.options import Options, shared_options
from hyperoxo.cli.work import check_cluster, cluster_executor, cluster_option

if TYPE_CHECKING:
    from hyperoxo.lab import ResultStore

__all__ = [
    "LabOptions",
    "lab_options",
    "lab_options_of_seed",
    "scoring_option",
    "verdict_line",
]

scoring_option = click.option(
    "--scoring",
    type=click.Choice(["rules", "report"]),
    default="rules",
    show_default=True,
    help="'report' counts a win on the last free cell as a draw, as a published program did.",
)
"""Add ``--scoring``: how games are counted."""

INTERRUPTED = 130


@dataclass(frozen=True)
class LabOptions:
    """Options of commands that play many games.

    Attributes
    ----------
    workers : int
        How many play at once.
    store : Path or None
        File of results; None for the usual one.
    stored : bool
        Whether results are kept at all.
    cluster : str or None
        Address of a scheduler whose workers play.
    """

    workers: int = 1
    store: Path | None = None
    stored: bool = True
    cluster: str | None = None

    @contextmanager
    def shared(self) -> Iterator[dict[str, Any]]:
        """Connect to the cluster if one is named; yield who works, as keywords of functions."""
        with cluster_executor(self.cluster) as executor:
            yield {"workers": self.workers, "executor": executor}

    @contextmanager
    def opened(self, options: Options) -> Iterator[ResultStore | None]:
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


def lab_options(
    function: Callable[..., Any], default_seed: int | None = None
) -> Callable[..., Any]:
    """Add ``--workers``, ``--cluster`` and the store's as ``lab``, and the shared options.

    A seed is drawn where none is given, so ``options.seed`` is always a number. A run that is
    interrupted says how many games are kept and which command goes on.
    """

    @click.option(
        "--workers",
        "--threads",
        "workers",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        help="How many games run in parallel: threads for compiled agents, processes for others.",
    )
    @cluster_option
    @click.option(
        "--store",
        type=click.Path(dir_okay=False, path_type=Path),
        help="File for the results; default: in your data folder.",
    )
    @click.option("--no-store", is_flag=True, help="Store nothing.")
    @shared_options
    @functools.wraps(function)
    def with_lab(
        *args: Any,
        workers: int,
        cluster: str | None,
        store: Path | None,
        no_store: bool,
        options: Options,
        **rest: Any,
    ) -> Any:
        from hyperoxo.lab.runs import RunInterrupted

        if no_store and store is not None:
            raise click.UsageError("--store and --no-store exclude each other")
        check_cluster(workers, cluster)
        lab = LabOptions(workers, store, not no_store, cluster)
        drawn = options.seed is None and default_seed is None
        seed = int(options.rng().integers(2**32)) if drawn else default_seed
        seeded = replace(options, seed=seed) if options.seed is None else options
        try:
            return function(*args, lab=lab, options=seeded, **rest)
        except RunInterrupted as left:
            options.note(f"interrupted; {left}")
            more = f" --seed {seeded.seed}" if drawn else ""
            options.note(f"to go on: oxo {shlex.join(sys.argv[1:])}{more}")
            return INTERRUPTED

    return with_lab


def verdict_line(test: dict[str, Any]) -> str:
    """Return how a sequential test went, in a line."""
    return (
        f"{test['question']}: {test['verdict']}, {test['won']:,} to {test['lost']:,} games; "
        f"log ratio {test['log_ratio']:.2f}, no at {test['bounds'][0]:.2f}, "
        f"yes at {test['bounds'][1]:.2f}"
    )


def lab_options_of_seed(seed: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the same options, with a seed of their own instead of a drawn one."""
    return functools.partial(lab_options, default_seed=seed)
