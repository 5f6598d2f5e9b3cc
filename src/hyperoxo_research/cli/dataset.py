"""`oxo dataset`: positions with exact values as a file, and answers scored by it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.completion import complete_game
from hyperoxo.cli.options import FILE, GameType, Options, OutputFile, shared_options
from hyperoxo.cli.output import table
from hyperoxo.cli.progress import Progress

if TYPE_CHECKING:
    from hyperoxo.game import Game


@click.command()
@click.argument("words", metavar="GAME...", nargs=-1, required=True, shell_complete=complete_game)
@click.option("--out", type=OutputFile(), help="The file: .parquet or, with prompts, .jsonl.")
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    help="Greatest number of classes of each game, from random games. Default: all positions.",
)
@click.option("--all-images", is_flag=True, help="Write every position of a class, not one.")
@click.option(
    "--score",
    "data",
    type=FILE,
    metavar="FILE",
    help="Score answers instead: FILE is a .jsonl data set, and the argument the answers.",
)
@click.option(
    "--split",
    type=click.Choice(["train", "validation", "test"]),
    help="With --score: only positions of this split.",
)
@shared_options
def command(
    words: tuple[str, ...],
    out: Path | None,
    positions: int | None,
    all_images: bool,
    data: str | None,
    split: str | None,
    options: Options,
) -> None:
    """Write positions of each GAME with exact values, remoteness and best moves.

    Every class of positions belongs to one split: train, validation or test. With --score FILE the
    argument is a file of answers, one JSON object a line with "id" and "answer".
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

    games: list[Game] = [GameType().convert(word, None, None) for word in words]
    with Progress("positions", quiet=options.quiet) as progress:
        written = dataset(
            games,
            out,
            positions=positions,
            all_images=all_images,
            seed=options.seed or 0,
            progress=progress,
        )
    answer = written.as_data()
    options.emit(answer, text=lambda: _print(answer))


def _print(answer: dict[str, Any]) -> None:
    table(["game", "positions"], list(answer["games"].items()))
    splits = ", ".join(f"{count:,} {split}" for split, count in answer["splits"].items())
    click.echo(f"{answer['positions']:,} positions in {answer['file']}: {splits}")


def _score(data: str, answers: str, split: str | None, options: Options) -> None:
    from hyperoxo_research.learn.scoring import score_answers

    found = score_answers(data, answers, split=split)
    options.emit(found, text=lambda: _print_score(found))


def _print_score(found: dict[str, Any]) -> None:
    named = {"all": found["all"], **found["by_game"]}
    named.update({f"{ply} stones": score for ply, score in found["by_ply"].items()})
    keys = ("positions", "answered", "legal", "keeps", "best")
    rows = [
        (name, *(score[key] if key in keys[:2] else f"{100 * score[key]:.2f}" for key in keys))
        for name, score in named.items()
    ]
    shares = [f"{key}, %" for key in keys[2:]]
    table(["", *keys[:2], *shares], rows, right=shares)
