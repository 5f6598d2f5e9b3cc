"""Compact views of analyses for pages: short texts instead of fields."""

from __future__ import annotations

from typing import Any

from hyperoxo.display import as_data, number_of
from hyperoxo.game import Game, Value
from hyperoxo.game.messages import DOES, enumerated, in_plies, share_of, short
from hyperoxo.play.board_style import BoardStyle

_REVIEWED = "player number sentence"
_PROVED = "player value winner evidence suggested continued progress"


def finding(result: dict[str, Any], node: int, *, busy: bool, players: int) -> dict[str, Any]:
    """Shorten the analysis of a position."""
    return {
        "node": node,
        "busy": busy,
        **as_data(result, "player kind=value best reason forced"),
        "headline": _headline(result, players) if result["player"] else "",
        "certainty": _certainty(result),
        "point": _point(result, players),
        "moves": [_move(move) for move in result["moves"]],
        "effort": _effort(result),
    }


def _headline(result: dict[str, Any], players: int) -> str:
    """Describe the value of the position in a few words."""
    name = BoardStyle.of(players).name(result["player"])
    value, score = result["value"], result["score"]
    if value == "unknown":
        return "Not known" if score is None else f"{name} stands at {share_of(score)}"
    if value == Value.DRAW:
        return "A draw under best play"
    if value == Value.NOTHING:
        return f"{name} can force nothing"
    return f"{name} {DOES[value]}{in_plies(result['remoteness'], result['within'])}"


def _certainty(result: dict[str, Any]) -> str:
    """Return the certainty of the value: estimate, proved, exact."""
    if result["value"] == "unknown":
        return "estimate" if result["source"] == "estimate" else ""
    exact = result["remoteness"] is not None or result["value"] == Value.DRAW
    return "exact" if exact else "proved"


def _move(move: dict[str, Any]) -> dict[str, Any]:
    """Shorten a move: label on its cell, entry of the list, words for screen readers."""
    value, plies = move["value"], (move["remoteness"], move["within"])
    text = label = short(value, *plies, move["score"])
    if value != "unknown":
        words = f"{DOES[value]}, {text}"
        # The column has room for the number alone.
        ends = value in (Value.WIN, Value.LOSS)
        label = value + in_plies(*plies).rpartition(" ")[0] if ends else value
    else:
        text = "" if move["score"] is None else text.removesuffix(" %")
        words = f"estimated {text} percent"
    if move["maxn"]:
        words += f"; {move['maxn']} if all play for themselves"
    texts = {"text": text, "label": label, "words": words}
    remoteness = move["remoteness"] or move["within"]
    return {**as_data(move, "cell kind=value score visits"), **texts, "remoteness": remoteness}


def _point(result: dict[str, Any], players: int) -> dict[str, Any] | None:
    """Return the point of a position in the curve, or None for a finished game."""
    # With two players it is about the first. With more it is about the player to move: the value of
    # one player against the coalition of the others implies nothing about these.
    mover, kind = result["player"], result["value"]
    share = result["score"] if kind == "unknown" else None
    if not mover or (share is None and kind == "unknown"):
        return None
    low, high = result["bounds"]
    if players == 2 and mover == 2:
        other = {"win": "loss", "loss": "win"}
        kind, low, high = (other.get(word, word) for word in (kind, high, low))
        share = None if share is None else 1 - share
    seat = 1 if players == 2 else mover
    return {
        "headline": _headline(result, players),
        "certainty": "estimate" if kind == "unknown" else "proved",
        "values": [{"player": seat, "kind": kind, "share": share, "low": low, "high": high}],
    }


def _end(result: dict[str, Any], players: int) -> dict[str, Any] | None:
    """Return the last point of the curve of a finished game: its result."""
    ended = result["result"]
    if ended is None:
        return None
    style = BoardStyle.of(players)
    winners = [] if ended == "=" else [int(player) for player in ended.split("+")]
    names = enumerated([style.name(player) for player in winners])
    headline = "A draw" if not winners else f"{names} {'wins' if len(winners) == 1 else 'win'}"
    scored = [1] if players == 2 else range(1, players + 1)
    least = Value.least(players)
    values = [
        {
            "player": player,
            "kind": Value.WIN if player in winners else least if winners else Value.DRAW,
            "share": None,
        }
        for player in scored
    ]
    return {"headline": headline, "certainty": "the result", "values": values}


def _effort(result: dict[str, Any]) -> str:
    counts = (("nodes", "position"), ("simulations", "try|tries"))
    parts = [number_of(result[key], noun) for key, noun in counts if result[key]]
    return ", ".join([*parts, f"{result['seconds']:.1f} s"])


def review(result: dict[str, Any], *, busy: bool) -> dict[str, Any]:
    """Shorten the analysis of a whole game."""
    players = Game(result["game"]).players
    course: list[dict[str, Any] | None] = [None] * (len(result["moves"]) + 1)
    for ply in result["plies"]:
        course[ply["number"] - 1] = _point(ply, players)
    final = result["final"]
    course[-1] = _end(result, players) if final is None else _point(final, players)
    report = result["report"]
    held = [entry["number"] for entry in report["held"]]
    return {
        "busy": busy,
        "analysed": len(result["plies"]),
        "moves": len(result["moves"]),
        "course": course,
        "verdicts": {ply["number"]: ply["verdict"] for ply in result["plies"]},
        "held": [as_data(entry, _REVIEWED) for entry in report["held"]],
        "mistakes": [
            as_data(entry, _REVIEWED) for entry in report["mistakes"] if entry["number"] not in held
        ],
        "accuracy": [_rate(entry) for entry in report["accuracy"] if entry["moves"]],
        **as_data(report, "ending gaps"),
    }


def _rate(entry: dict[str, Any]) -> dict[str, Any]:
    text = entry["sentence"].partition(": ")[2].removesuffix(".")
    counted = f"{entry['kept']} of {entry['judged']}"
    return {"player": entry["player"], "text": counted if entry["judged"] else text}


def proof(result: dict[str, Any], node: int, *, busy: bool) -> dict[str, Any]:
    """Shorten the progress of a proof search."""
    moves = [
        {**move, "text": short(move["value"], None), "words": f"{DOES[move['value']]}, proved"}
        for move in result["moves"]
    ]
    fields = {**as_data(result, _PROVED), "certificate": result.get("certificate", False)}
    return {"node": node, "busy": busy, **fields, "moves": moves, "verdict": _verdict(result)}


def _verdict(result: dict[str, Any]) -> str:
    """Describe the outcome of a proof search."""
    if result["value"] == "unknown":
        return "Not decided in this time."
    if result["value"] == Value.DRAW:
        return "Proved: a draw under best play."
    return f"Proved: {BoardStyle.of(2).name(result['winner'])} wins."
