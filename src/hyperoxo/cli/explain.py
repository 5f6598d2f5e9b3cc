"""An agent's move with its reasons, for `oxo analyse` and, by its old name, `oxo explain`."""

from __future__ import annotations

from functools import partial
from typing import Any

import hyperoxo as ox
from hyperoxo.cli import options as cli
from hyperoxo.display import as_data

EXPERT = "expert"
"""The agent that is asked, unless another is named."""

_SHOWN = 12
_ENERGY = """
energy by {energy.heuristic}: {each}
|lines| line={cells:;-} | %s |
?more_lines and {more_lines} more
"""
_REASONS = """
{said}
*proved {}
|listed| move | score={score:.6g} |
?more_cells and {more_cells} more
"""
_SEARCH = """
?line best line: {line:;-}
?visits_by_depth depth {depth}{exactly}; {nodes:,} positions visited
?visited by depth: {visited:,d}
?maxstates maxstates of a whole game: {maxstates:,}
{seconds:.3f} s
"""


@cli.command("explain 3^3 --agent ising", "explain 3^2 --position moves:4,0 --agent minimax")
def command(
    options: cli.Options,
    start: ox.Position = cli.start(),
    spec: str = cli.agent("The agent to ask.", default=EXPERT),
    energy: str | None = cli.option(
        "Also show what this heuristic gives the position and each line, to every player. The "
        "coupling, field and c of --agent ising apply.",
        metavar="HEURISTIC",
    ),
) -> None:
    """Ask an agent for a move: the cells it considered, their scores, and the reason.

    With --energy, also what a heuristic gives the position and each of its lines; then the
    game may be over, and no agent is asked.

    For minimax, also the principal variation, the positions visited at each depth and, with two
    players and a fixed depth, the most positions that plain minimax could visit in a whole game.
    """
    explain(start, spec, energy, options)


def explain(start: ox.Position, spec: str, weighed: str | None, options: cli.Options) -> None:
    """Print an agent's move and its reasons, and the energy of the position."""
    from hyperoxo.jit import working_time

    asked = ox.agent(spec)
    asked.check(start.game)
    begin = working_time()
    shown = {} if weighed is None else {"energy": _energy(start, asked, weighed)}
    if shown and start.is_over:
        answer: dict[str, Any] = {"game": str(start.game), **shown}
        template, more = _energy_text(answer["energy"])
        options.emit(answer, template, **more)
        return
    explanation = asked.explain(start, options.rng())
    if explanation is None:
        move = asked.choose(start, options.rng())
        answer = {"move": move, "reason": None, "candidates": []}
    else:
        answer = as_data(explanation, "move reason")
        answer["candidates"] = [
            {"cell": cell, "score": score} for cell, score in explanation.candidates
        ]
        extras = ("variation", "visits", "simulations")
        answer |= {one: getattr(explanation, one) for one in extras if hasattr(explanation, one)}
    answer |= {"game": str(start.game), "agent": asked.spec, **_visits(asked, start), **shown}
    answer["seconds"] = round(working_time() - begin, 6)
    if options.json:
        options.emit(answer, "")
        return
    between, more = _energy_text(answer["energy"]) if shown else ("", {})
    template = f"{_REASONS.strip()}\n{between.strip()}\n{_SEARCH.strip()}".replace("\n\n", "\n")
    options.emit(answer, template, **more, **_texts(answer, start))


def _energy(position: ox.Position, asked: ox.Agent, name: str) -> dict[str, Any]:
    """Return the energy of a position, by the agent's own line heuristic where that is named."""
    from hyperoxo.agents.scored import IsingAgent
    from hyperoxo.heuristics import as_heuristic

    if not isinstance(asked, IsingAgent) or asked.heuristic.name != as_heuristic(name).name:
        return ox.energy(position, name).as_data()
    strengths = {"coupling": asked.coupling, "field": asked.field}
    return ox.energy(position, asked.heuristic, **strengths).as_data()


def _visits(asked: object, position: ox.Position) -> dict[str, Any]:
    """Return what only minimax knows: positions visited by depth, and their bound."""
    from hyperoxo.agents.minimax import MinimaxAgent
    from hyperoxo.solvers.exact.minimax import maxstates

    if not isinstance(asked, MinimaxAgent) or asked.reading == "published":
        return {}
    found = asked.search(position)
    more = as_data(found, "depth exact nodes variation visits_by_depth=visits")
    if asked.depth is not None and position.game.players == 2:
        more["maxstates"] = maxstates(position.game.cells, asked.depth)
    return more


def _proved(position: ox.Position, move: int) -> list[str]:
    """Return what a stored proof says of a move, whatever the agent thinks of it."""
    from hyperoxo.game import Bounds, cell_name
    from hyperoxo.game.sentences import DOES, sentences
    from hyperoxo.solvers.sources import said_by_stored_proofs

    said = said_by_stored_proofs(position)
    value = said.moves.get(move, Bounds()).value
    winner = said.own.winner(position.to_move, position.game.players)
    if value is None and not winner:
        return []
    won = f"Player {winner} wins here, but of this move nothing is proved."
    head = won if value is None else f"Cell {cell_name(position.game, move)} {DOES[value]}: proved."
    return [head, *sentences(said.own.reasons)]


def _energy_text(found: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the template of an energy, and what it shows beside the data."""

    def size(row: dict[str, Any]) -> float:
        return sum(float("inf") if value is None else abs(value) for value in row["players"])

    seats = range(1, len(found["players"]) + 1)
    columns = " | ".join(f"player {seat}={{players.{seat - 1}:.6g?∞}}" for seat in seats)
    each = [
        f"{'∞' if worth is None else format(worth, '.6g')} to player {seat}"
        for seat, worth in zip(seats, found["players"], strict=True)
    ]
    lines = sorted((row for row in found["lines"] if size(row)), key=size, reverse=True)
    more = max(0, len(lines) - _SHOWN)
    return _ENERGY % columns, {"each": each, "lines": lines[:_SHOWN], "more_lines": more}


def _texts(answer: dict[str, Any], start: ox.Position) -> dict[str, Any]:
    """Return what the text has beside the data."""
    from hyperoxo.game import move_name

    move, name = answer["move"], partial(move_name, start.game)
    candidates = [{**row, "move": name(row["cell"])} for row in answer["candidates"]]
    return {
        "said": answer["reason"] or f"{name(move)}; this agent gives no reasons.",
        "line": list(map(name, answer.get("variation", ()))),
        "proved": _proved(start, move),
        "listed": candidates[:_SHOWN] if len(candidates) > 1 else [],
        "more_cells": max(0, len(candidates) - _SHOWN),
        "exactly": ", exact" if answer.get("exact") else "",
        "visited": answer.get("visits_by_depth", [])[1:],
    }
