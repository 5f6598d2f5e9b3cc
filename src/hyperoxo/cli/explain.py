"""`oxo explain`: what an agent would play, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hyperoxo.cli.completion import complete_agent
from hyperoxo.cli.options import Options, shared_options, start_argument
from hyperoxo.cli.output import table

if TYPE_CHECKING:
    from hyperoxo.agents import Agent
    from hyperoxo.game import Position

_SHOWN = 12


@click.command()
@start_argument
@click.option(
    "--agent",
    "spec",
    default="expert",
    show_default=True,
    help="The agent to ask.",
    shell_complete=complete_agent,
)
@click.option(
    "--energy",
    "weighed",
    metavar="HEURISTIC",
    help="Also show what this heuristic gives the position and each line, to every player. The "
    "coupling, field and c of --agent ising apply.",
)
@shared_options
def command(start: Position, spec: str, weighed: str | None, options: Options) -> None:
    """Ask an agent for a move: the cells it considered, their scores, and the reason.

    With --energy, also what a heuristic gives the position and each of its lines; then the
    game may be over, and no agent is asked.

    For minimax, also the principal variation, the positions visited at each depth and, with two
    players and a fixed depth, the most positions that plain minimax could visit in a whole game.
    """
    from hyperoxo.agents import agent
    from hyperoxo.jit import working_time

    asked = agent(spec)
    asked.check(start.game)
    begin = working_time()
    answer: dict[str, Any]
    shown = {} if weighed is None else {"energy": _energy(start, asked, weighed)}
    if shown and start.is_over:
        answer = {"game": str(start.game), **shown}
        options.emit(answer, text=lambda: _print_energy(answer["energy"]))
        return
    explanation = asked.explain(start, options.rng())
    if explanation is None:
        move = asked.choose(start, options.rng())
        answer = {"move": move, "reason": None, "candidates": []}
    else:
        answer = {
            "move": explanation.move,
            "reason": explanation.reason,
            "candidates": [
                {"cell": cell, "score": score} for cell, score in explanation.candidates
            ],
        }
        for extra in ("variation", "visits", "simulations"):
            if hasattr(explanation, extra):
                answer[extra] = getattr(explanation, extra)
    answer |= {"game": str(start.game), "agent": asked.spec, **_visits(asked, start), **shown}
    answer["seconds"] = round(working_time() - begin, 6)
    options.emit(answer, text=lambda: _print(answer, start))


def _energy(position: Position, asked: Agent, name: str) -> dict[str, Any]:
    """Return the energy of a position, by the agent's own line heuristic where that is named."""
    from hyperoxo.agents.energy import energy
    from hyperoxo.agents.scored import IsingAgent
    from hyperoxo.heuristics import as_heuristic

    if not isinstance(asked, IsingAgent) or asked.heuristic.name != as_heuristic(name).name:
        return energy(position, name).as_data()
    strengths = {"coupling": asked.coupling, "field": asked.field}
    return energy(position, asked.heuristic, **strengths).as_data()


def _visits(asked: object, position: Position) -> dict[str, Any]:
    """Return what only minimax knows: positions visited by depth, and their bound."""
    from hyperoxo.agents.minimax import MinimaxAgent
    from hyperoxo.solvers.exact.minimax import maxstates

    if not isinstance(asked, MinimaxAgent) or asked.reading == "published":
        return {}
    found = asked.search(position)
    more: dict[str, Any] = {
        "depth": found.depth,
        "exact": found.exact,
        "nodes": found.nodes,
        "variation": list(found.variation),
        "visits_by_depth": list(found.visits),
    }
    if asked.depth is not None and position.game.players == 2:
        more["maxstates"] = maxstates(position.game.cells, asked.depth)
    return more


def _print_stored(position: Position, move: int) -> None:
    """Say what a stored proof knows of a move, whatever the agent thinks of it."""
    from hyperoxo.game import Bounds
    from hyperoxo.game.sentences import DOES, sentences
    from hyperoxo.solvers.stored import said_by_stored_proofs

    said = said_by_stored_proofs(position)
    value = said.moves.get(move, Bounds()).value
    winner = said.own.winner(position.to_move, position.game.players)
    if value is not None:
        click.echo(f"Cell {move} {DOES[value]}: proved.")
    elif winner:
        click.echo(f"Player {winner} wins here, but of this move nothing is proved.")
    if winner or value is not None:
        click.echo("\n".join(sentences(said.own.reasons)))


def _print_energy(found: dict[str, Any]) -> None:
    def told(values: list[float | None]) -> list[str]:
        return ["∞" if value is None else f"{value:.6g}" for value in values]

    def size(row: dict[str, Any]) -> float:
        return sum(float("inf") if value is None else abs(value) for value in row["players"])

    each = ", ".join(
        f"{worth} to player {seat}" for seat, worth in enumerate(told(found["players"]), 1)
    )
    click.echo(f"energy by {found['heuristic']}: {each}")
    lines = sorted((row for row in found["lines"] if size(row)), key=size, reverse=True)
    rows = [("-".join(map(str, row["cells"])), *told(row["players"])) for row in lines[:_SHOWN]]
    if rows:
        table(["line", *(f"player {seat}" for seat in range(1, len(rows[0])))], rows)
    if len(lines) > _SHOWN:
        click.echo(f"and {len(lines) - _SHOWN} more")


def _print(answer: dict[str, Any], start: Position) -> None:
    click.echo(answer["reason"] or f"Cell {answer['move']}; this agent gives no reasons.")
    _print_stored(start, answer["move"])
    candidates = answer["candidates"]
    if len(candidates) > 1:
        rows = [(row["cell"], f"{row['score']:.6g}") for row in candidates[:_SHOWN]]
        table(["cell", "score"], rows)
        if len(candidates) > _SHOWN:
            click.echo(f"and {len(candidates) - _SHOWN} more")
    if "energy" in answer:
        _print_energy(answer["energy"])
    if answer.get("variation"):
        click.echo("best line: " + "-".join(map(str, answer["variation"])))
    if "visits_by_depth" in answer:
        visits = ", ".join(f"{count:,}" for count in answer["visits_by_depth"][1:])
        exact = ", exact" if answer["exact"] else ""
        click.echo(f"depth {answer['depth']}{exact}; {answer['nodes']:,} positions visited")
        if visits:
            click.echo(f"by depth: {visits}")
    if "maxstates" in answer:
        click.echo(f"maxstates of a whole game: {answer['maxstates']:,}")
    click.echo(f"{answer['seconds']:.3f} s")
