"""Results read back from the store, those of unfinished runs included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.lab.games import Tally
from hyperoxo.lab.match import MatchResult, counted
from hyperoxo.lab.requests import RunInfo, options_of, read_variation
from hyperoxo.lab.results.listing import Filter, ResultRow, result_rows, run_infos
from hyperoxo.lab.results.store import Part, ResultStore
from hyperoxo.lab.sequential import Comparison, SequentialTest, looks
from hyperoxo.lab.sweep import SweepResult
from hyperoxo.lab.sweep.sweeping import points_of
from hyperoxo.lab.tournament import SeatingResult, TournamentResult, places_of
from hyperoxo.stores import reading


@dataclass(frozen=True)
class Look:
    """How a sweep is evaluated; its games do not depend on it."""

    measure: str = "score"
    fit: str = "polynomial"
    degree: int | None = None


def find_run(store: ResultStore, run: int) -> RunInfo:
    """Return a run by its number."""
    found = run_infos(store, Filter(run=run))
    if not found:
        raise SpecError(f"there is no run {run} in {store.path}")
    return found[0]


def recall(
    store: ResultStore, run: int, look: Look | None = None
) -> MatchResult | TournamentResult | SweepResult:
    """Read a run back as a result, as far as it has been played."""
    info = find_run(store, run)
    rows = result_rows(store, Filter(run=run))
    seconds = sum(row.tally.seconds for row in rows)
    with reading(store.path):
        if info.kind == "match":
            return _match(store, info, rows, seconds)
        if info.kind == "tournament":
            return _tournament(info, rows, seconds)
        if info.kind == "sweep":
            return _sweep(info, rows, seconds, look)
    if info.kind == "study":
        raise SpecError(f"run {run} is a study, which consists of other runs")
    raise SpecError(f"run {run} is of kind {info.kind}: its rows are all there is")


def _match(store: ResultStore, info: RunInfo, rows: list[ResultRow], seconds: float) -> MatchResult:
    agents = tuple(info.settings["agents"])
    turns = len(agents) if info.settings["swap"] else 1
    total = counted(_tallies(info, rows, turns, len(agents)))
    return MatchResult(
        info.game,
        agents,
        total.games,
        total.wins,
        total.draws,
        total.plies / max(total.games, 1),
        seconds,
        info.seed,
        info.settings["swap"],
        scoring=info.settings["scoring"],
        random_plies=info.settings.get("random_plies", 0),
        run=info.run,
        test=_test(store, info, turns),
    )


def _test(store: ResultStore, info: RunInfo, turns: int) -> Comparison | None:
    """Return how the test of a match stood when it was last looked at."""
    until = info.settings.get("until")
    if until is None:
        return None
    agents, parts = info.settings["agents"], store.rows_of(info.run)
    none = Tally.none(len(agents))
    reached = [_reached(parts.get(turn, ()), none) for turn in range(turns)]
    seen = [none] * turns
    for each in looks(info.settings["games"], turns):
        if not all(each in row for row in reached):
            break
        seen = [row[each] for row in reached]
    return SequentialTest(**until).judge(agents, counted(seen))


def _reached(parts: Sequence[Part], none: Tally) -> dict[int, Tally]:
    """Map each number of games at which a row was cut to the tally of the games before it."""
    found, total = {}, none
    for part in parts:
        if part.first != total.games:
            break  # games before it are still being played
        total += part.tally
        found[part.last] = total
    return found


def _tournament(info: RunInfo, rows: list[ResultRow], seconds: float) -> TournamentResult:
    game, agents = Game(info.game), tuple(info.settings["agents"])
    places = places_of(len(agents), game.players, distinct=info.settings["distinct"])
    tallies = _tallies(info, rows, len(places), game.players)
    seeds = [row.seed for row in rows] or [0] * len(places)
    table = tuple(
        SeatingResult(row, tuple(agents[place] for place in row), seed, tally)
        for row, seed, tally in zip(places, seeds, tallies, strict=True)
    )
    shared = game.misere and game.players > 2
    return TournamentResult(info.game, agents, table, info.seed, shared, seconds, info.run)


def _sweep(info: RunInfo, rows: list[ResultRow], seconds: float, look: Look | None) -> SweepResult:
    options = options_of(info)
    if look is None:
        asked = {name: options[name] for name in ("measure", "fit", "degree") if name in options}
        look = Look(**asked)
    variations = [read_variation(text) for text in options["vary"]]
    values = list(product(*(variation.values for variation in variations)))
    tallies = _tallies(info, rows, len(values), Game(info.game).players)
    seat = options["seat"]
    versus = [a for n, a in enumerate(rows[0].agents) if n != seat - 1] if rows else []
    return SweepResult(
        info.game,
        options["agent"],
        tuple(variation.name for variation in variations),
        tuple(versus or options["versus"]),
        seat,
        look.measure,
        look.fit,
        look.degree,
        tuple(points_of(values, tallies, seat)),
        info.seed,
        seconds,
        info.run,
    )


def _tallies(info: RunInfo, rows: list[ResultRow], wanted: int, players: int) -> list[Tally]:
    if not rows:
        return [Tally.none(players)] * wanted
    if len(rows) != wanted:
        raise CheckFailedError(f"run {info.run} has {len(rows)} rows, expected {wanted}")
    return [row.tally for row in rows]
