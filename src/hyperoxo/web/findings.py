"""Analyses as a page shows them: short texts instead of fields, so that updates stay small."""

from __future__ import annotations

from typing import Any

from hyperoxo.play.analysis.sentences import plies_text
from hyperoxo.play.words import number_of

__all__ = ["finding", "proof", "review"]


def finding(result: dict[str, Any], node: int, *, busy: bool, players: int) -> dict[str, Any]:
    """Shorten the analysis of a position."""
    return {
        "node": node,
        "busy": busy,
        "player": result["player"],
        "kind": result["value"],
        "plies": plies_text(result["remoteness"], result["within"]),
        "exact": result["remoteness"] is not None or result["value"] == "draw",
        "source": result["source"],
        "points": result["points"],
        "shares": _shares(result, players),
        "best": result["best"],
        "reason": result["reason"],
        "moves": [_move(move) for move in result["moves"]],
        "forced": result["forced"],
        "effort": _effort(result),
    }


def _move(move: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell": move["cell"],
        "kind": move["value"],
        "text": _short(move),
        "plies": plies_text(move["remoteness"], move["within"])
        .removesuffix(" plies")
        .removesuffix(" ply"),
        "remoteness": move["remoteness"] or move["within"],
        "score": move["score"],
        "visits": move["visits"],
    }


def _short(move: dict[str, Any]) -> str:
    """Write a proved value in a few characters, as `short_value` does."""
    letter = {"win": "W", "draw": "=", "loss": "L", "nothing": "–"}.get(move["value"], "?")
    if letter not in "WL":
        return letter
    if move["remoteness"] is not None:
        return f"{letter} {move['remoteness']}"
    return letter if move["within"] is None else f"{letter} ≤{move['within']}"


def _shares(result: dict[str, Any], players: int) -> list[float | None] | None:
    """Return the points of each player, as far as known; none of a finished game."""
    mover, points = result["player"], result["points"]
    if not mover or points is None:
        return None
    shares: list[float | None] = [None] * players
    shares[mover - 1] = points
    if players == 2:
        shares[2 - mover] = 1 - points
    return shares


def _effort(result: dict[str, Any]) -> str:
    parts = []
    if result["nodes"]:
        parts.append(number_of(result["nodes"], "position"))
    if result["simulations"]:
        parts.append(number_of(result["simulations"], "simulated game"))
    parts.append(f"{result['seconds']:.1f} s")
    return ", ".join(parts)


def review(result: dict[str, Any], *, busy: bool) -> dict[str, Any]:
    """Shorten the analysis of a whole game."""
    return {
        "busy": busy,
        "points": result["points"],
        "verdicts": {ply["number"]: ply["verdict"] for ply in result["plies"]},
        "sentences": {ply["number"]: ply["sentence"] for ply in result["plies"]},
        "held": [
            {"player": held["player"], "number": held["number"], "sentence": held["sentence"]}
            for held in result["held"]
        ],
    }


def proof(result: dict[str, Any], node: int, *, busy: bool) -> dict[str, Any]:
    """Shorten the news of a proof search."""
    keys = (
        "player", "value", "winner", "moves", "evidence", "suggested", "continued", "progress",
    )  # fmt: skip
    return {"node": node, "busy": busy, **{key: result[key] for key in keys}}
