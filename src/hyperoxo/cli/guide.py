"""`oxo prove guide`: the tree in which one seat follows an agent and all others try everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED
from hyperoxo.files import replace_file


@cli.command("prove guide 3^2 --seat 2 --agent ising", "prove guide 3^3 --seat 1 --agent greedy")
def command(
    options: cli.Options,
    game: ox.Game = cli.game(),
    seat: int = cli.number("Seat of the agent.", 1, required=True),
    agent: str = cli.agent("Agent spec; ties=lowest unless given.", required=True, metavar="A"),
    merge: bool = cli.flag("Try only one of several moves that lead to equivalent positions."),
    every_tie: bool = cli.flag(
        "Follow all moves that the agent finds equally good, not the lowest."
    ),
    losses: int = cli.number("Number of losing lines to list.", 0, default=10),
    proof: Path | None = cli.output_file("Write the agent's strategy, if it wins or never loses."),
    picture: Path | None = cli.output_file(
        "Draw the tree as SVG, equivalent positions marked; with --merge, one of each class.",
        spelled="--out",
    ),
) -> int:
    """Let one seat follow an agent against every reply of the others, and count the results."""
    seed = options.seed or 0
    if every_tie and (proof is not None or picture is not None):
        raise click.UsageError("--every-tie goes with neither --proof nor --out")
    tree = ox.guide(
        game, seat, agent, merge=merge, every_tie=every_tie, losing_lines=losses, seed=seed
    )
    more: dict[str, Any] = {}
    if picture is not None:
        from hyperoxo.lab.pictures.tree import draw_guided

        drawn = draw_guided(game, seat, agent, merge=merge, seed=seed)
        replace_file(picture, drawn.encode())
        more["picture"] = str(picture)
    if proof is not None:
        more["proof"] = _write(game, seat, agent, proof, options)
    options.show(tree, **more)
    return FAILED if proof is not None and more["proof"] is None else 0


def _write(
    game: ox.Game, seat: int, agent: str, path: Path, options: cli.Options
) -> dict[str, Any] | None:
    strategy = ox.guided_strategy(game, seat, agent, seed=options.seed or 0)
    if strategy is None:
        options.note("the agent loses some line of play; no proof is written")
        return None
    creator = f"oxo guide {game} --seat {seat} --agent {agent} --seed {options.seed or 0}"
    ox.write_strategy(strategy, path, creator=creator)
    return {"claim": strategy.claim, "file": str(path), "positions": len(strategy.moves)}
