"""What is said of the moves of a game: mistakes only where proved, and the last move that held."""

from __future__ import annotations

from collections.abc import Sequence

from hyperoxo.notation import Record
from hyperoxo.play.analysis.findings import Analysis, MoveAnalysis
from hyperoxo.play.analysis.record_findings import Held, PlyAnalysis
from hyperoxo.play.analysis.sentences import PROVED_BY, plies_text
from hyperoxo.play.look import Look
from hyperoxo.play.words import cell_name, enumerated
from hyperoxo.position import Position
from hyperoxo.rules import Game

__all__ = ["holds", "judged", "points_of"]

_SIGNS = {"loss": -1, "nothing": -1, "draw": 0, "win": 1}
_DROP = 0.2
_ENOUGH_VISITS = 50
_MOST_NAMED = 3


def judged(position: Position, number: int, found: Analysis, played: MoveAnalysis) -> PlyAnalysis:
    """Make the entry of a move that was played, from the analysis of its position."""
    game = position.game
    assert found.best is not None
    best = found.best
    best_move = found.move(best)
    if played.proved and played.value == found.value:
        best, best_move = played.cell, played
    verdict = _verdict(found, played, best_move)
    return PlyAnalysis(
        number=number,
        player=found.player,
        cell=played.cell,
        value=found.value,
        bounds=found.bounds,
        remoteness=found.remoteness,
        within=found.within,
        source=found.source,
        score=found.score,
        played=played,
        best=best,
        best_move=best_move,
        verdict=verdict,
        sentence=_sentence(game, found, played, best_move, verdict),
        points=points_of(game, found),
    )


def points_of(game: Game, found: Analysis) -> tuple[float | None, ...]:
    """Points of each player by an analysis; of several players only those of the mover."""
    points: list[float | None] = [None] * game.players
    if found.points is not None:
        points[found.player - 1] = found.points
        if game.players == 2:
            points[2 - found.player] = round(1 - found.points, 6)
    return tuple(points)


def _verdict(found: Analysis, played: MoveAnalysis, best: MoveAnalysis | None) -> str:
    if len(found.moves) == 1:
        return "forced"
    if _SIGNS[played.bounds[1]] < _SIGNS[found.bounds[0]]:
        return "mistake"
    if played.proved and played.value == found.value:
        return "lost" if found.value in ("loss", "nothing") else "best"
    if best is not None and _drop(played, best):
        return "doubtful"
    return "open"


def _drop(played: MoveAnalysis, best: MoveAnalysis) -> bool:
    """Whether estimates set the move far below the best one."""
    points = {"win": 1.0, "draw": 0.5, "loss": 0.0, "nothing": None}
    top = points.get(best.value, best.score if best.visits >= _ENOUGH_VISITS else None)
    mine = points.get(played.value, played.score if played.visits >= _ENOUGH_VISITS else None)
    return top is not None and mine is not None and top - mine >= _DROP


def _sentence(
    game: Game,
    found: Analysis,
    played: MoveAnalysis,
    best: MoveAnalysis | None,
    verdict: str,
) -> str:
    assert best is not None
    name = cell_name(game, best.cell)
    many = game.players > 2
    if verdict == "forced":
        return "The only move."
    if verdict == "mistake":
        had = "a win" if found.bounds[0] == "win" else "a draw"
        left = {"draw": "a draw", "loss": "a loss", "nothing": "nothing"}[played.bounds[1]]
        instead = f" {name} {_does(best)}." if best.proved and best.cell != played.cell else ""
        return f"Gives up {had} for {left}{_by(played)}.{instead}"
    if verdict in ("best", "lost"):
        keeps = {
            "win": f"Wins{plies_text(played.remoteness, played.within)}",
            "draw": "Keeps a draw",
            "loss": "Every move loses",
            "nothing": "No move forces anything",
        }[found.value]
        against = " against all others" if many and found.value != "nothing" else ""
        return f"{keeps}{against}{_by(played)}."
    if verdict == "doubtful":
        mine = f"Estimated at {_share(played)} of the points"
        if played.proved:
            mine = f"Proved to be {_named(played)}"
        other = _does(best) if best.proved else f"is estimated at {_share(best)}"
        return f"{mine}; {name} {other}."
    return "" if played.score is None else f"Estimated at {_share(played)} of the points."


def _share(move: MoveAnalysis) -> str:
    return f"{100 * (move.score or 0.0):.0f} %"


def _does(move: MoveAnalysis) -> str:
    return {
        "win": f"wins{plies_text(move.remoteness, move.within)}",
        "draw": "keeps a draw",
        "loss": "loses",
        "nothing": "forces nothing",
    }[move.value]


def _named(move: MoveAnalysis) -> str:
    return {"win": "a win", "draw": "a draw", "loss": "a loss", "nothing": "nothing"}[move.value]


def _by(move: MoveAnalysis) -> str:
    proof = PROVED_BY.get(move.source)
    return "" if proof is None else f", proved {proof}"


def holds(record: Record, plies: Sequence[PlyAnalysis]) -> tuple[Held, ...]:
    """Tell, for every player who lost, where he could have held on for the last time."""
    if record.result in (None, "="):
        return ()
    winners = str(record.result).split("+")
    losers = [p for p in range(1, record.game.players + 1) if str(p) not in winners]
    return tuple(filter(None, (_held(record, plies, player) for player in losers)))


def _held(record: Record, plies: Sequence[PlyAnalysis], player: int) -> Held | None:
    """Go back through a loser's moves to the last at which he was not proved lost."""
    game = record.game
    who = Look.of(game.players).name(player)
    own = [ply for ply in plies if ply.player == player]
    if not own:
        return None
    for ply in reversed(own):
        if _SIGNS[ply.bounds[1]] > -1:
            return _held_at(game, ply, who)
    if own[0].number > game.players:
        return None
    worst = "lost" if game.players == 2 else "able to force nothing against all others together"
    sentence = f"{who} was {worst} from the start. Proved."
    return Held(player, None, None, own[0].value, (), proved=True, sentence=sentence)


def _held_at(game: Game, ply: PlyAnalysis, who: str) -> Held:
    lost_after = _SIGNS[ply.played.bounds[1]] == -1
    held_before = _SIGNS[ply.bounds[0]] > -1
    proved = lost_after and held_before
    best = ply.best_move
    holding = () if best is None or not best.proved or not held_before else (best.cell,)
    played = cell_name(game, ply.cell)
    loses = "loses" if game.players == 2 else "lets go of it"
    if proved and holding and best is not None:
        how = f"{enumerated([cell_name(game, c) for c in holding[:_MOST_NAMED]])} {_does(best)}"
        sentence = f"{who} could hold until move {ply.number}: {how}, {played} {loses}. Proved."
    elif proved:
        sentence = f"{who} could hold until move {ply.number}, {played}, which {loses}. Proved."
    elif lost_after:
        sentence = (
            f"{who} is proved lost after move {ply.number}, {played}; whether another move "
            "would have held is not known."
        )
    else:
        sentence = (
            f"{who} is not proved lost as late as move {ply.number}, {played}; where the game "
            "was lost is not known."
        )
    return Held(ply.player, ply.number, ply.cell, ply.value, holding, proved, sentence)
