"""`oxo prove coalition` and `oxo prove guide`: one seat, or an agent in it, against all others."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import FAILED
from hyperoxo.display import as_data
from hyperoxo.errors import HyperoxoError
from hyperoxo.files import replace_file

if TYPE_CHECKING:
    from hyperoxo.solvers.coalition.forces import SeatForces


@cli.command("prove coalition 3^2:players=3", "prove coalition 3^3 --proof cube.oxo")
def command(
    options: cli.Options,
    start: ox.Position = cli.start(),
    proof: Path | None = cli.output_file(
        "Write proofs for every seat: FILE-K-CLAIM.EXT for seat K, where CLAIM is win or "
        "draw (the seat's strategy), no-win or no-draw (the replies of all the others)."
    ),
    seconds: float = cli.seconds_limit(60.0, "Time limit for each seat and goal."),
    kingmakers: int = cli.number("Number of kingmaker positions to list.", 0, default=10),
    most: int | None = cli.number(
        "Search all positions for kingmakers and max^n if there are at most COUNT up to "
        "symmetry; default: a million, on at most 12 free cells.",
        1,
        metavar="COUNT",
    ),
    careful: bool = cli.flag(
        "Also search what happens if all players prefer a sure draw to any risk of losing."
    ),
    stake: float | None = cli.option(
        "Also value alliances: the winner gains STAKE, q - 1 others lose STAKE / (q - 1) each.",
        cli.RealRange(min=0, min_open=True),
    ),
) -> int:
    """Show the result that each seat can force against all the others together.

    That is a win, at least a draw (no other player wins), nothing, or unknown in the time limit.
    The max^n value answers another question: what happens if all players play only for themselves.
    """
    with (
        options.progress("seats") as progress,
        options.progress("positions") as table_progress,
    ):
        found = ox.coalition(
            start,
            seconds=seconds,
            kingmakers=kingmakers,
            most=most,
            progress=progress,
            table_progress=table_progress,
        )
    more: dict[str, Any] = {}
    if careful:
        more["careful"] = None if found.table is None else found.table.careful
    if stake is not None:
        from hyperoxo.solvers.coalition.forces import alliances

        more["alliances"] = [as_data(one) for one in alliances(found, Fraction(stake))]
    missing = 0
    if proof is not None and not found.interrupted:
        more["proofs"], missing = _write(found, proof, seconds, options)
    options.show(found, **more)
    if found.interrupted:
        return options.interrupted("what is shown was proved before")
    return FAILED if missing else 0


def _claims(seat: SeatForces) -> list[str]:
    """Claims about a seat: the least and the most that it can force."""
    low, high = seat.known.pair
    least = [low] if low != "nothing" else []
    return least + {"win": [], "draw": ["no-win"], "nothing": ["no-draw"]}[high]


def _write(
    found: ox.Coalition, path: Path, seconds: float, options: cli.Options
) -> tuple[list[dict[str, Any]], int]:
    """Write all proofs; also return the number that could not be written."""
    from hyperoxo.proof import check_proof, write_proof

    claims = [(seat.player, claim) for seat in found.seats for claim in _claims(seat)]
    if not claims:
        options.note("nothing was decided of any seat; no proof is written")
    creator = f"oxo coalition {found.position.game} --seconds {seconds:g}"
    written: list[dict[str, Any]] = []
    with options.progress("proofs") as progress:
        for player, claim in claims:
            progress(len(written), len(claims))
            why = "the time was too short"
            try:
                proof = ox.coalition_proof(found.position, player, claim, seconds=60 + 4 * seconds)
            except HyperoxoError as error:
                proof, why = None, str(error)
            if proof is None:
                options.note(f"no proof of {claim} for player {player} is written: {why}")
                continue
            verdict = check_proof(proof)
            assert verdict.proved, verdict.reason
            file = path.with_name(f"{path.stem}-{player}-{claim}{path.suffix}")
            write_proof(proof, file, creator=creator)
            written.append(
                {
                    "player": player,
                    "claim": claim,
                    "file": str(file),
                    "moves": len(proof.moves),
                    "positions": verdict.positions,
                }
            )
    return written, len(claims) - len(written)


@cli.command("prove guide 3^2 --seat 2 --agent ising", "prove guide 3^3 --seat 1 --agent greedy")
def guide(
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
        more["proof"] = _write_strategy(game, seat, agent, proof, options)
    options.show(tree, **more)
    return FAILED if proof is not None and more["proof"] is None else 0


def _write_strategy(
    game: ox.Game, seat: int, agent: str, path: Path, options: cli.Options
) -> dict[str, Any] | None:
    strategy = ox.guided_strategy(game, seat, agent, seed=options.seed or 0)
    if strategy is None:
        options.note("the agent loses some line of play; no proof is written")
        return None
    creator = f"oxo guide {game} --seat {seat} --agent {agent} --seed {options.seed or 0}"
    ox.write_strategy(strategy, path, creator=creator)
    return {"claim": strategy.claim, "file": str(path), "positions": len(strategy.moves)}
