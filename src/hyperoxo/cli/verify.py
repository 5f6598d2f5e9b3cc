"""`oxo verify`: check a proof file."""

from __future__ import annotations

from typing import Any

import click

from hyperoxo.cli.options import Options, shared_options

__all__ = ["command"]

REJECTED = 1


@click.command()
@click.argument(
    "file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)
@shared_options
def command(file: str, options: Options) -> int:
    """Check the strategy in FILE against every reply; exit code 1 if it does not hold."""
    from hyperoxo.proof import verify

    with click.open_file(file, "rb") as stream:
        data: bytes = stream.read()
    verdict = verify(data)
    answer: dict[str, Any] = {
        "file": file,
        "claim": verdict.claim,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "positions": verdict.positions,
        "seconds": round(verdict.seconds, 6),
    }
    options.emit(answer, text=lambda: _sentence(answer))
    return 0 if verdict.proved else REJECTED


def _sentence(answer: dict[str, Any]) -> str:
    walked = f"{answer['positions']:,} positions, {answer['seconds']:.2f} s"
    if answer["verdict"] == "proved":
        return f"proved: {answer['claim']} ({walked})"
    claim = f"{answer['claim']}: " if answer["claim"] else ""
    return f"rejected: {claim}{answer['reason']} ({walked})"
