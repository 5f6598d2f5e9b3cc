"""`oxo prove values`: winners of some games, with proofs, beside published values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_game
from hyperoxo.cli.output import INTERRUPTED, command_line

_TEXT = """
|rows| game | first player={value} | plies | by | published |
{decided} of {count:#game} decided: {folder}
*contradicted {}: contradicts what is published
"""


@cli.command("prove values 3^2 3^3", "prove values --seconds 600 --out values")
def command(
    options: cli.Options,
    games: tuple[str, ...] = cli.argument("[GAME]...", nargs=-1, shell_complete=complete_game),
    out: Path = cli.option(
        "Folder for the proofs and the data.", cli.OutputFolder(), default="values"
    ),
    seconds: float = cli.seconds_limit(60.0, "Time limit for each game."),
    work: cli.Work = cli.work(),
) -> int:
    """Find and prove who wins each GAME, beside the published values.

    Without GAME: rows of m,n,k, boards n^d, with gravity and in misère play, and sizes of Connect
    Four. The next call resumes; with more time, it tries open games again, too.
    """
    from hyperoxo_research.lab.values import table_of_values

    with work.task(options.progress("games")) as task:
        found = table_of_values(out, games, seconds=seconds, creator=command_line(), progress=task)
    data = {**found.as_data(), "folder": str(out)}
    options.emit(data, _TEXT, rows=[_row(one) for one in found.entries], count=len(found.entries))
    return INTERRUPTED if found.interrupted else 0


def _row(answer: dict[str, Any]) -> dict[str, str]:
    value = answer["value"]
    if value == "unknown":
        known = answer["bounds"] != ["loss", "win"]
        value = " or ".join(answer["bounds"]) if known else "unknown"
    by = ["theorems"] if answer["by_theorems"] else []
    by += [proof["file"] for proof in answer["proofs"]]
    by += ["search"] if answer["by_search_alone"] else []
    open_at = answer["lasts"] if answer["value"] == "unknown" else 0
    plies = f"over {open_at}" if open_at else answer["plies"]
    return {**answer, "value": value, "plies": plies, "by": ", ".join(by)}
