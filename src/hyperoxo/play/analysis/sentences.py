"""Why the advised move is advised, and how sure that is."""

from __future__ import annotations

from hyperoxo.play.analysis.findings import Analysis, MoveAnalysis
from hyperoxo.play.analysis.knowledge import LOSS, WIN, Knowledge
from hyperoxo.play.analysis.record_findings import PlyAnalysis
from hyperoxo.play.look import Look
from hyperoxo.play.reasons import reason
from hyperoxo.play.words import cell_name, number_of

__all__ = ["PROVED_BY", "advised_because", "plies_text", "short_value"]

PROVED_BY = {
    "table": "by the table of all positions",
    "theorem": "by a theorem",
    "search": "by exact search",
    "threats": "by threats",
    "proof": "by the stored proof",
    "proof-search": "by proof search",
}
"""How the sources of proved values are told."""


def plies_text(remoteness: int | None, within: int | None) -> str:
    """Say in how many plies: exactly, at most, or not at all."""
    if remoteness is not None:
        return f" in {_plies(remoteness)}"
    return "" if within is None else f" in at most {_plies(within)}"


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"


def short_value(found: MoveAnalysis | PlyAnalysis | Analysis) -> str:
    """Write a value in a few characters: ``W 5``, ``=``, ``L 4``, ``56 %``, ``?``."""
    if found.value == "draw":
        return "="
    if found.value == "nothing":
        return "–"
    if found.value == "unknown":
        return "?" if found.score is None else f"{100 * found.score:.0f} %"
    letter = "W" if found.value == "win" else "L"
    if found.remoteness is not None:
        return f"{letter} {found.remoteness}"
    return letter if found.within is None else f"{letter} ≤{found.within}"


def advised_because(known: Knowledge, move: MoveAnalysis, simulations: int) -> str:
    """Say why a move is advised."""
    position = known.position
    name = cell_name(position.game, move.cell)
    does = "" if position.game.misere else reason(position, move.cell, Look.of(_players(known)))
    first = f"{name} {does}." if does else f"{name}."
    if len(known.moves) == 1:
        first = f"{name} is the only move."
    return " ".join(filter(None, [first, _certainty(known, move, simulations), _avoided(known)]))


def _players(known: Knowledge) -> int:
    return known.position.game.players


def _certainty(known: Knowledge, move: MoveAnalysis, simulations: int) -> str:
    if move.proved:
        proved = PROVED_BY.get(move.source, "")
        plies = plies_text(move.remoteness, move.within)
        many = _players(known) > 2
        told = {
            "win": f"It wins{' against all others together' if many else ''}{plies}",
            "draw": "It keeps a draw" + (" against all others together" if many else ""),
            "loss": _losing(move),
            "nothing": "No move forces anything against all the others together",
        }[move.value]
        sentence = f"{told}: proved {proved}."
        return f"{sentence} {_estimate(move, simulations)}".strip()
    return _estimate(move, simulations)


def _losing(move: MoveAnalysis) -> str:
    if move.remoteness is not None:
        return f"Every move loses; this one holds out for {_plies(move.remoteness)}"
    most = "" if move.within is None else f", in at most {_plies(move.within)}"
    return f"Every move loses{most}"


def _estimate(move: MoveAnalysis, simulations: int) -> str:
    if move.score is None or not simulations:
        return ""
    share = f"{100 * move.score:.0f} %"
    return (
        f"It scored {share} of the points in {move.visits:,} of {simulations:,} simulated games, "
        "an estimate."
    )


def _avoided(known: Knowledge) -> str:
    """Tell how many other moves are proved to lose, where not all do."""
    if _players(known) > 2 or known.bounds[1] == LOSS or known.bounds[0] == WIN:
        return ""
    losing = sum(move.high == LOSS for move in known.moves.values())
    if not losing:
        return ""
    verb = "is" if losing == 1 else "are"
    return f"{number_of(losing, 'other move')} {verb} proved to lose."
