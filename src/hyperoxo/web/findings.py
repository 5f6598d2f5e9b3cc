"""Analyses as a page shows them: short texts instead of fields, so that updates stay small."""

from __future__ import annotations

from typing import Any

from hyperoxo.play.look import Look
from hyperoxo.position import Value
from hyperoxo.position.sentences import DOES, in_plies, number_of, share_of, short


def finding(result: dict[str, Any], node: int, *, busy: bool, players: int) -> dict[str, Any]:
    """Shorten the analysis of a position."""
    return {
        "node": node,
        "busy": busy,
        "player": result["player"],
        "kind": result["value"],
        "headline": _headline(result, players) if result["player"] else "",
        "sure": _sure(result),
        "shares": _shares(result, players),
        "best": result["best"],
        "reason": result["reason"],
        "moves": [_move(move) for move in result["moves"]],
        "forced": result["forced"],
        "effort": _effort(result),
    }


def _headline(result: dict[str, Any], players: int) -> str:
    """Say in a few words what the position is worth."""
    name = Look.of(players).name(result["player"])
    value, points = result["value"], result["points"]
    if value == "unknown":
        return "Not known" if points is None else f"{name} stands at {share_of(points)}"
    if value == Value.DRAW:
        return "A draw under best play"
    if value == Value.NOTHING:
        return f"{name} can force nothing"
    return f"{name} {DOES[value]}{in_plies(result['remoteness'], result['within'])}"


def _sure(result: dict[str, Any]) -> str:
    """Say how sure the value is."""
    if result["value"] == "unknown":
        return "estimate" if result["source"] == "estimate" else ""
    exact = result["remoteness"] is not None or result["value"] == Value.DRAW
    return "exact" if exact else "proved"


def _move(move: dict[str, Any]) -> dict[str, Any]:
    """Shorten a move: as a mark on its cell, in the list, and as a screen reader says it."""
    value, plies = move["value"], (move["remoteness"], move["within"])
    text = said = short(value, *plies, move["score"])
    if value != "unknown":
        words = f"{DOES[value]}, {text}"
        # The column has room for the number alone.
        ends = value in (Value.WIN, Value.LOSS)
        said = value + in_plies(*plies).rpartition(" ")[0] if ends else value
    else:
        text = "" if move["score"] is None else text.removesuffix(" %")
        words = f"estimated {text} percent"
    if move["maxn"]:
        words += f"; {move['maxn']} if all play for themselves"
    return {
        "cell": move["cell"],
        "kind": value,
        "text": text,
        "said": said,
        "words": words,
        "remoteness": move["remoteness"] or move["within"],
        "score": move["score"],
        "visits": move["visits"],
    }


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
    keys = ("player", "value", "winner", "evidence", "suggested", "continued", "progress")
    moves = [
        {**move, "text": short(move["value"], None), "words": f"{DOES[move['value']]}, proved"}
        for move in result["moves"]
    ]
    kept = {key: result[key] for key in keys}
    return {"node": node, "busy": busy, **kept, "moves": moves, "verdict": _verdict(result)}


def _verdict(result: dict[str, Any]) -> str:
    """Say what a proof search decided."""
    if result["value"] == "unknown":
        return "Not decided in this time."
    if result["value"] == Value.DRAW:
        return "Proved: a draw under best play."
    return f"Proved: {Look.of(2).name(result['winner'])} wins."
