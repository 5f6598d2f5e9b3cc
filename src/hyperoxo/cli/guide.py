"""`oxo guide`: the tree in which one seat follows an agent and all others try everything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.completion import complete_agent
from hyperoxo.cli.options import Options, OutputFile, game_argument, shared_options
from hyperoxo.files import replace_file

if TYPE_CHECKING:
    from hyperoxo.game import Game


@click.command()
@game_argument
@click.option("--seat", type=click.IntRange(min=1), required=True, help="Seat of the agent.")
@click.option(
    "--agent",
    required=True,
    metavar="A",
    help="Agent spec; ties=lowest unless given.",
    shell_complete=complete_agent,
)
@click.option(
    "--merge", is_flag=True, help="Try only one of several moves that lead to equivalent positions."
)
@click.option(
    "--every-tie",
    is_flag=True,
    help="Follow all moves that the agent finds equally good, not the lowest.",
)
@click.option(
    "--losses",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Number of losing lines to list.",
)
@click.option(
    "--proof",
    metavar="FILE",
    type=OutputFile(),
    help="Write the agent's strategy, if it wins or never loses.",
)
@click.option(
    "--out",
    "picture",
    metavar="FILE",
    type=OutputFile(),
    help="Draw the tree as SVG, equivalent positions marked; with --merge they are not followed.",
)
@shared_options
def command(
    game: Game,
    seat: int,
    agent: str,
    merge: bool,
    every_tie: bool,
    losses: int,
    proof: Path | None,
    picture: Path | None,
    options: Options,
) -> int:
    """Let one seat follow an agent against every reply of the others, and count the results."""
    from hyperoxo.lab.guide import guide

    seed = options.seed or 0
    if every_tie and (proof is not None or picture is not None):
        raise click.UsageError("--every-tie goes with neither --proof nor --out")
    tree = guide(
        game, seat, agent, merge=merge, every_tie=every_tie, losing_lines=losses, seed=seed
    )
    answer: dict[str, Any] = {
        "game": str(game),
        "seat": seat,
        "agent": tree.agent,
        "merged": merge,
        "every_tie": every_tie,
        "wins": tree.wins,
        "draws": tree.draws,
        "losses": tree.losses,
        "leaves": tree.leaves,
        "positions": tree.positions,
        "verdict": tree.verdict,
        "losing_lines": [list(line) for line in tree.losing_lines],
        "seconds": round(tree.seconds, 6),
    }
    if picture is not None:
        from hyperoxo.lab.pictures.tree import draw_guided

        drawn = draw_guided(game, seat, agent, merge=merge, seed=seed)
        replace_file(picture, drawn.encode())
        answer["picture"] = str(picture)
    if proof is not None:
        answer["proof"] = _write(game, seat, agent, proof, options)
    options.emit(answer, text=lambda: _text(answer))
    return 1 if proof is not None and answer["proof"] is None else 0


def _write(
    game: Game, seat: int, agent: str, path: Path, options: Options
) -> dict[str, Any] | None:
    from hyperoxo.lab.guide import guided_strategy
    from hyperoxo.proof import write_strategy

    strategy = guided_strategy(game, seat, agent, seed=options.seed or 0)
    if strategy is None:
        options.note("the agent loses some line of play; no proof is written")
        return None
    creator = f"oxo guide {game} --seat {seat} --agent {agent} --seed {options.seed or 0}"
    write_strategy(strategy, path, creator=creator)
    return {"claim": strategy.claim, "file": str(path), "positions": len(strategy.moves)}


def _text(answer: dict[str, Any]) -> str:
    verdict = {"loses": "loses some games of"}.get(answer["verdict"], answer["verdict"])
    counts = f"{answer['wins']:,} wins, {answer['draws']:,} draws, {answer['losses']:,} losses"
    lines = [
        f"{counts}: {answer['leaves']:,} leaves, {answer['positions']:,} positions",
        f"{answer['agent']} {verdict} {answer['game']} as player {answer['seat']}",
    ]
    lines += ["  moves:" + ",".join(map(str, line)) for line in answer["losing_lines"]]
    if "picture" in answer:
        lines.append(f"the tree is drawn in {answer['picture']}")
    if answer.get("proof"):
        proof = answer["proof"]
        lines.append(f"{proof['claim']}, {proof['positions']:,} positions in {proof['file']}")
    return "\n".join(lines)
