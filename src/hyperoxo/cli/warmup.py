"""`oxo warmup`: compile every kernel now, so that no later call has to wait."""

from __future__ import annotations

import time

import click

from hyperoxo.cli.options import Options, shared_options

__all__ = ["command"]


@click.command()
@shared_options
def command(options: Options) -> None:
    """Compile everything now rather than at first use; the results are kept on disk."""
    from hyperoxo.kernels.warmup import warmup

    options.note("compiling ...")
    begin = time.perf_counter()
    warmup()
    seconds = round(time.perf_counter() - begin, 3)
    options.emit({"seconds": seconds}, text=lambda: f"ready after {seconds:.1f} s")
