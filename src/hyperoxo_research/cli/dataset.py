"""`oxo dataset`: positions with exact values as a file, and answers scored by it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_game

if TYPE_CHECKING:
    from hyperoxo.game import Game


_SCORES = """
|rows| ={name} | positions | answered | legal, %>={legal:.2p} | keeps, %>={keeps:.2p} \
| best, %>={best:.2p} |
"""


@cli.command("dataset 3^2:misere --out misere.jsonl", "dataset 3^3 --positions 1000 --out 3.jsonl")
def command(
    options: cli.Options,
    words: tuple[str, ...] = cli.argument(
        "GAME...", nargs=-1, required=True, shell_complete=complete_game
    ),
    out: Path | None = cli.output_file("The file: .parquet or, with prompts, .jsonl."),
    positions: int | None = cli.number(
        "Maximum number of classes of each game, from random games. Default: all positions.", 1
    ),
    all_images: bool = cli.flag("Write every position of a class, not one."),
    data: str | None = cli.input_file(
        "Score answers instead: FILE is a .jsonl data set, and the argument the answers.",
        spelled="--score",
    ),
    split: str | None = cli.choice(
        "With --score: only positions of this split.", ["train", "validation", "test"]
    ),
    work: cli.Work = cli.work(),
) -> None:
    """Write positions of each GAME with exact values, remoteness and best moves.

    Every class of positions belongs to one split: train, validation or test. With --score FILE the
    argument is a file of answers, one JSON object per line with "id" and "answer".
    """
    if data is not None:
        if len(words) != 1 or out is not None:
            raise click.UsageError("--score takes one file of answers, and no --out")
        _score(data, words[0], split, options)
        return
    if out is None:
        raise click.UsageError("--out is needed: a .parquet or .jsonl file")
    if split is not None:
        raise click.UsageError("--split belongs to --score; data sets have all splits")
    from hyperoxo_research.learn.dataset import dataset

    games: list[Game] = [cli.GameType().convert(word, None, None) for word in words]
    with work.task(options.progress("positions")) as task:
        written = dataset(
            games,
            out,
            positions=positions,
            all_images=all_images,
            seed=options.seed or 0,
            progress=task,
        )
    options.show(written)


def _score(data: str, answers: str, split: str | None, options: cli.Options) -> None:
    from hyperoxo_research.learn.scoring import score_answers

    found = score_answers(data, answers, split=split)
    named = {"all": found["all"], **found["by_game"]}
    named |= {f"{ply} stones": score for ply, score in found["by_ply"].items()}
    options.emit(found, _SCORES, rows=[{"name": name, **one} for name, one in named.items()])
