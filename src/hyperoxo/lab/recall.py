"""Results read back from the store, those of unfinished runs included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hyperoxo.errors import CheckFailedError, SpecError
from hyperoxo.game import Game
from hyperoxo.lab import tournament
from hyperoxo.lab.games import Tally
from hyperoxo.lab.match import MatchResult, counted, result_of
from hyperoxo.lab.requests import RunInfo, RunRequest, options_of
from hyperoxo.lab.results.listing import Filter, ResultRow, result_rows, run_infos
from hyperoxo.lab.results.store import Part, ResultStore, parts_of
from hyperoxo.lab.sequential import Comparison, SequentialTest, interim_counts, judge
from hyperoxo.lab.sweep import SweepResult, sweeping
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo.stores import reading


@dataclass(frozen=True)
class Evaluation:
    """Evaluation of a sweep; its games do not depend on it."""

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
    store: ResultStore, run: int, given: Evaluation | None = None
) -> MatchResult | TournamentResult | SweepResult:
    """Read a run back as a result, as far as it has been played."""
    info = find_run(store, run)
    rows = result_rows(store, Filter(run=run))
    with reading(store.path):
        request = RunRequest(info.kind, info.game, options_of(info), info.seed)
        options = request.options
        if info.kind == "match":
            turns = len(options["agents"]) if options["swap"] else 1
            test = _test(store, info, turns)
            return result_of(request, _tallies(info, rows, turns), run=run, test=test)
        if info.kind == "tournament":
            tallies = _tallies(info, rows, len(tournament.seatings_of(request)))
            return tournament.result_of(request, tallies, run=run)
        if info.kind == "sweep":
            chosen = vars(Evaluation()) | options | ({} if given is None else vars(given))
            request = replace(request, options=chosen)
            tallies = _tallies(info, rows, len(sweeping.values_of(request)))
            seat = options["seat"]
            seated = [one for n, one in enumerate(rows[0].agents, 1) if n != seat] if rows else []
            return sweeping.result_of(request, tallies, seated or options["versus"], run=run)
    if info.kind == "study":
        raise SpecError(f"run {run} is a study, which consists of other runs")
    raise SpecError(f"run {run} is of kind {info.kind}: it has nothing but its rows")


def _test(store: ResultStore, info: RunInfo, turns: int) -> Comparison | None:
    """Return the state of a match's test at its last evaluation."""
    until = info.settings.get("until")
    if until is None:
        return None
    agents, parts = info.settings["agents"], parts_of(store, info.run)
    none = Tally.none(len(agents))
    reached = [_reached(parts.get(turn, ()), none) for turn in range(turns)]
    seen = [none] * turns
    for each in interim_counts(info.settings["games"], turns):
        if not all(each in row for row in reached):
            break
        seen = [row[each] for row in reached]
    return judge(SequentialTest(**until), agents, counted(seen))


def _reached(parts: Sequence[Part], none: Tally) -> dict[int, Tally]:
    """Map each number of games at which a row was cut to the tally of the games before it."""
    found, total = {}, none
    for part in parts:
        if part.first != total.games:
            break  # games before it are still being played
        total += part.tally
        found[part.last] = total
    return found


def _tallies(info: RunInfo, rows: list[ResultRow], wanted: int) -> list[Tally]:
    if not rows:
        return [Tally.none(Game(info.game).players)] * wanted
    if len(rows) != wanted:
        raise CheckFailedError(f"run {info.run} has {len(rows)} of {wanted} rows")
    return [row.tally for row in rows]
