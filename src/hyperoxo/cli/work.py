"""Where the work of a command runs: in processes on this machine, or on a cluster."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from concurrent.futures import Executor


def cluster_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--cluster``; the function gets the address as ``cluster``."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Use the workers of a Dask cluster, as tcp://HOST:8786 (extra 'cluster').",
    )(function)


def check_cluster(workers: int, cluster: str | None) -> None:
    """Refuse ``--workers`` beside ``--cluster``, which has workers of its own."""
    if cluster is not None and workers > 1:
        raise click.UsageError("--workers and --cluster exclude each other")


@contextmanager
def cluster_executor(address: str | None) -> Iterator[Executor | None]:
    """Connect to a cluster and leave it in the end; without an address yield None."""
    if address is None:
        yield None
        return
    from hyperoxo.workers import ClusterExecutor

    executor = ClusterExecutor(address)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def work_options(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--workers``, with its line of help, and ``--cluster``."""

    def added(function: Callable[..., Any]) -> Callable[..., Any]:
        @cluster_option
        @click.option(
            "--workers",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            help=help_text,
        )
        @functools.wraps(function)
        def with_work(*args: Any, workers: int, cluster: str | None, **rest: Any) -> Any:
            check_cluster(workers, cluster)
            return function(*args, workers=workers, cluster=cluster, **rest)

        return with_work

    return added
