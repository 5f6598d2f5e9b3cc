"""`oxo train`: learners play against themselves or trainers and write checkpoints."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from typing import Any

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.completion import complete_agent
from hyperoxo.learn.learner import learner_names


@cli.command("train 4^3 td --out qubic.json", "train 3^3 td --minutes 5")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    learner: str = cli.argument(
        "AGENT",
        shell_complete=lambda *given: [one for one in learner_names() if one.startswith(given[-1])],
    ),
    against: tuple[str, ...] = cli.option(
        "Learn against this agent, or several in turn, instead of itself; td only.",
        multiple=True,
        metavar="AGENT",
        shell_complete=complete_agent,
    ),
    start: str | None = cli.input_file(
        "Begin with the weights of this checkpoint, of any board; alphazero only.", spelled="--from"
    ),
    evaluate: tuple[str, ...] = cli.option(
        "Measure against this agent too, or several.",
        multiple=True,
        metavar="AGENT",
        spelled="--eval",
        shell_complete=complete_agent,
    ),
    out: Path | None = cli.output_file("The checkpoint; resumes the run in it."),
    log: str | None = cli.option(
        "Write the curve to a CSV file or, for TensorBoard, into a folder; csv and tensorboard "
        "are beside the checkpoint.",
        metavar="csv|tensorboard|FILE.csv|FOLDER",
    ),
    device: str | None = cli.choice("Learn there; alphazero only.", ("cpu", "gpu", "tpu")),
    minutes: float | None = cli.option(
        "Stop after this time of learning, without compilation; you can resume the run.",
        cli.RealRange(min=0, min_open=True),
        metavar="M",
    ),
) -> None:
    """Train AGENT on a game, with its own options after a colon.

    It plays against itself or, with --against, against agents that score moves by lines: random,
    greedy, ising, td.

    Every step writes the checkpoint. After Ctrl-C, or --minutes, the same command resumes and gives
    the same result as one run. The default seed is 0.
    """
    from hyperoxo.task import Task

    with options.progress("learning") as progress:
        run = ox.train(
            game,
            learner,
            against=against,
            start=start,
            evaluate=evaluate,
            out=out,
            log=log,
            minutes=minutes,
            device=device,
            seed=options.seed or 0,
            task=Task(progress, on_report=lambda run: options.note(_begun(run))),
            on_point=lambda point: options.note(_line(point)),
        )
    options.show(run)


command.help = f"{cleandoc(command.help or '')}\n\nLearners: {', '.join(learner_names())}."


def _begun(run: ox.Training) -> str:
    """Return the first line, which comes before anything is compiled."""
    return f"learning {run.game} by {run.learner}, step {run.step} of {run.steps}"


def _line(point: dict[str, Any]) -> str:
    error = "" if point["error"] is None else f", error {point['error']:.4f}"
    line = f"step {point['step']}, {point['seconds']:.1f} s{error}, rating {point['rating']:+.0f}"
    scores = point.get("eval", {}).items()
    return line + "".join(f", {score:.3f} against {name}" for name, score in scores)
