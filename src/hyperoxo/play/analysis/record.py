"""A whole game, move by move: what its positions were worth, and where it was lost."""

from __future__ import annotations

import time
from collections.abc import Callable

from hyperoxo.errors import SpecError
from hyperoxo.notation import Record
from hyperoxo.play.analysis.findings import Analysis
from hyperoxo.play.analysis.knowledge import DRAW, LOSS, WIN, Knowledge
from hyperoxo.play.analysis.position import Study, analyse_position
from hyperoxo.play.analysis.record_findings import PlyAnalysis, RecordAnalysis
from hyperoxo.play.analysis.verdicts import holds, judged, points_of
from hyperoxo.position import Position
from hyperoxo.task import Stop

__all__ = ["analyse_record"]

_WORDS = {"loss": LOSS, "nothing": LOSS, "draw": DRAW, "win": WIN}

Update = Callable[[RecordAnalysis], object]


def analyse_record(
    record: Record,
    *,
    seconds: float = 1.0,
    stop: Stop | None = None,
    on_update: Update | None = None,
    seed: int = 0,
) -> RecordAnalysis:
    """Go through a game: value of every position, mistakes, and the last move that held.

    The end is looked at first, so that what is proved there is known of the moves that led to it.
    A mistake is claimed only where it is proved.

    Parameters
    ----------
    record : Record
        The game.
    seconds : float
        Most time for each move; a move that is decided takes less.
    stop : Stop, optional
        An event that ends the analysis; what is known by then is returned.
    on_update : callable, optional
        Called with the `RecordAnalysis` so far after every move.
    seed : int
        Seed of the simulated games.

    Returns
    -------
    RecordAnalysis
        Plain values: it can be pickled, and written as JSON by `RecordAnalysis.to_json`.

    Raises
    ------
    SpecError
        If `seconds` is negative.

    Examples
    --------
    >>> from hyperoxo.rules import Game
    >>> found = analyse_record(Record(Game("3^2"), (4, 1, 0, 8, 3, 5, 6)))
    >>> [ply.verdict for ply in found.plies[:3]]
    ['best', 'mistake', 'best']
    >>> print(found.held[0].sentence)
    Ring could hold until move 2: 0 (0,0) keeps a draw, 1 (0,1) loses. Proved.
    """
    if not seconds >= 0:
        raise SpecError(f"seconds must not be negative, not {seconds}")
    begin = time.perf_counter()
    positions = record.positions()
    plies: list[PlyAnalysis] = []
    final: Analysis | None = None

    def so_far(*, finished: bool) -> RecordAnalysis:
        stopped = stop is not None and stop.is_set() and len(plies) < len(record.moves)
        return RecordAnalysis(
            game=str(record.game),
            setup=record.setup,
            moves=record.moves,
            players=record.players,
            result=record.result,
            plies=tuple(reversed(plies)),
            points=_history(record, plies, final),
            held=holds(record, plies[::-1]),
            final=final,
            seconds=time.perf_counter() - begin,
            finished=finished and not stopped,
            stopped=stopped,
        )

    if not positions[-1].is_over and record.resigned is None:
        final = analyse_position(positions[-1], seconds=seconds, stop=stop, seed=seed)
        if on_update is not None:
            on_update(so_far(finished=False))
    for number in range(len(record.moves), 0, -1):
        if stop is not None and stop.is_set():
            break
        later = plies[-1] if plies else final
        ply = _ply(
            positions[number - 1], number, record.moves[number - 1], later, seconds, stop, seed
        )
        if stop is not None and stop.is_set() and not ply.proved:
            break
        plies.append(ply)
        if on_update is not None:
            on_update(so_far(finished=False))
    return so_far(finished=True)


def _ply(
    position: Position,
    number: int,
    cell: int,
    later: PlyAnalysis | Analysis | None,
    seconds: float,
    stop: Stop | None,
    seed: int,
) -> PlyAnalysis:
    """Look at one move; `later` is the next move, or the position after the last."""
    study = Study(position, seconds, stop, None, seed, played=cell)
    if later is not None:
        _learn_from(study.known, cell, later)
    study.run()
    found = study.analysis(finished=True)
    played = found.move(cell)
    assert played is not None
    return judged(position, number, found, played)


def _learn_from(known: Knowledge, cell: int, later: PlyAnalysis | Analysis) -> None:
    """Take in what the position after a move proves about the move."""
    low, high = (_WORDS[word] for word in later.bounds)
    source = later.source if later.proved else "search"
    move = known.moves[cell]
    if known.position.game.players > 2:
        if low == WIN:
            move.settle(LOSS, LOSS, source)
        return
    sure = low == high != DRAW
    move.settle(
        -high,
        -low,
        source,
        remoteness=later.remoteness + 1 if later.remoteness is not None else None,
        within=later.within + 1 if sure and later.within is not None else None,
    )


def _history(
    record: Record, plies: list[PlyAnalysis], final: Analysis | None
) -> tuple[tuple[float | None, ...], ...]:
    """Points of each player after every number of moves."""
    players = record.game.players
    nothing: tuple[float | None, ...] = (None,) * players
    points = [nothing] * (len(record.moves) + 1)
    for ply in plies:
        points[ply.number - 1] = ply.points
    if final is not None:
        points[-1] = points_of(record.game, final)
    elif record.result == "=":
        points[-1] = (0.5,) * players
    elif record.result:
        winners = record.result.split("+")
        points[-1] = tuple(float(str(p) in winners) for p in range(1, players + 1))
    return tuple(points)
