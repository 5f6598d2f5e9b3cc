"""Validation of requests to the laboratory: agents, sizes, limits."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from hyperoxo.game import Game
from hyperoxo.lab.requests import RunRequest, read_variation, with_option
from hyperoxo.lab.sequential import SequentialTest, check_test
from hyperoxo.lab.tournament import places_of
from hyperoxo_web.server.limits import Limits
from hyperoxo_web.server.new_game import agent_spec, game_of
from hyperoxo_web.server.refusal import RefusedError

_MOST_AGENTS = 16
_MOST_POINTS = 2_000


def checked(request: RunRequest, limits: Limits) -> RunRequest:
    """Validate a request against the limits; return it with the game's canonical spec."""
    if request.kind == "study":
        _study(request.options, limits)
        return request
    request = request.filled()
    game = game_of(request.game, limits)
    games = request.options["games"]
    checks = {"match": _match, "tournament": _tournament, "sweep": _sweep}
    rows = checks[request.kind](game, request.options, limits)
    if rows * games > limits.run_games:
        raise RefusedError(
            "limit",
            f"{rows * games:,} games are too many; a run here has at most {limits.run_games:,}",
        )
    return replace(request, game=str(game))


def _agent(spec: str, game: Game, limits: Limits) -> str:
    """Return the validated spec of an agent."""
    spelled = agent_spec(spec, game, limits)
    if spelled is None:
        raise RefusedError("bad-request", "name an agent for each seat: people do not play here")
    return spelled


def _match(game: Game, options: dict[str, Any], limits: Limits) -> int:
    agents = options["agents"]
    if len(agents) != game.players:
        raise RefusedError(
            "bad-request", f"{game} has {game.players} seats, but {len(agents)} agents are given"
        )
    specs = [_agent(spec, game, limits) for spec in agents]
    if options.get("until") is not None:
        check_test(SequentialTest(**options["until"]), specs)
    return 1


def _tournament(game: Game, options: dict[str, Any], limits: Limits) -> int:
    agents = options["agents"]
    if not 2 <= len(agents) <= _MOST_AGENTS:
        raise RefusedError("bad-request", f"a tournament here takes 2 to {_MOST_AGENTS} agents")
    for spec in agents:
        _agent(spec, game, limits)
    return len(places_of(len(agents), game.players, distinct=options.get("distinct", False)))


def _sweep(game: Game, options: dict[str, Any], limits: Limits) -> int:
    variations = [read_variation(text) for text in options["vary"]]
    points = prod(len(variation.texts) for variation in variations)
    if points > _MOST_POINTS:
        raise RefusedError(
            "limit", f"the sweep has {points:,} points; the limit here is {_MOST_POINTS:,}"
        )
    # Limits (such as seconds a move) are monotone in an option: if both ends of its range are
    # allowed, all values between them are. So 2^axes corners are checked, not all points.
    for ends in product(*({v.texts[0], v.texts[-1]} for v in variations)):
        spec = options["agent"]
        for variation, text in zip(variations, ends, strict=True):
            spec = with_option(spec, variation.name, text)
        _agent(spec, game, limits)
    for spec in options["versus"]:
        _agent(spec, game, limits)
    return points


def _study(options: dict[str, Any], limits: Limits) -> None:
    from hyperoxo_research.study import study_titles

    name, known = options["study"], study_titles()
    if name not in known:
        raise RefusedError("bad-request", f"the studies are {', '.join(known)}")
    if options.get("full") and limits.run_seconds < 86_400:
        raise RefusedError("limit", "this server runs studies with reduced samples only")
