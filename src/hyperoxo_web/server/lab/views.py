"""Views of a run as plain values: progress, tables with intervals, ratings, curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from hyperoxo.display import as_data, number_of
from hyperoxo.errors import HyperoxoError
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab import requests
from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.recall import Evaluation, find_run, recall
from hyperoxo.lab.results.listing import Filter, ResultRow, result_rows, run_infos
from hyperoxo.lab.results.store import ResultStore
from hyperoxo.lab.sequential import SequentialTest, sides
from hyperoxo.lab.sweep import SweepResult
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo.run_options import run_kinds

# In the order of the list; `brief` fills in `title`, which settings alone do not have.
_BRIEF = (
    "run kind game title=kind state games wanted rows seed begun updated version=versions.hyperoxo "
    "part_of=settings.part_of question=settings.until.question scoring=settings.scoring workers"
)
_SHOWN = ("agents", "games", "wins", "draws", "interval", "plies", "seconds")


def brief(info: requests.RunInfo) -> dict[str, Any]:
    """Return the list entry of a run."""
    data = as_data(info, _BRIEF)
    words = {"version": data["version"] or "", "question": data["question"] or ""}
    words |= {"scoring": data["scoring"] or "rules", "seed": str(info.seed)}
    return {**data, **words, "title": _title(info), "wanted": _wanted(info)}


def _title(info: requests.RunInfo) -> str:
    settings = info.settings
    if info.kind == "study":
        scale = settings.get("scale", 1)
        part = "" if scale == 1 else f", {100 * scale:.3g} % of the samples"
        return f"{settings['study']}{', full' if settings.get('full') else ''}{part}"
    plies = settings.get("random_plies", 0)
    opening = f", after {number_of(plies, 'random ply|random plies')}" if plies else ""
    drawn = ", last cell drawn" if settings.get("scoring") == "report" else ""
    if info.kind == "sweep":
        rivals = " – ".join(dict.fromkeys(settings["versus"]))
        varied = " and ".join(requests.options_of(info)["vary"])
        return f"{settings['agent']}, {varied}, against {rivals}{drawn}"
    agents = " – ".join(settings["agents"])
    return (
        f"{agents}, {requests.variation_of(settings['vary'])}"
        if "vary" in settings
        else agents + opening + drawn
    )


def _wanted(info: requests.RunInfo) -> int:
    if info.settings.get("until") and info.state != "done":
        return max(info.wanted, int(info.settings["games"]))
    if info.kind == "sweep" and info.settings.get("adaptive"):
        return max(info.wanted, int(info.settings["games"]) * info.rows)
    return info.wanted


def run_view(
    store: ResultStore, run: int, chosen: dict[str, Any] | None = None, seen: str = ""
) -> dict[str, Any]:
    """Return a run with its results so far, or the stamp alone if it equals `seen`."""
    # The stamp is cheap and changes with every change of the run or of a part of a study, so that
    # pollers skip the evaluation below while nothing has happened.
    info = find_run(store, run)
    parts = run_infos(store, Filter(part_of=run)) if info.kind == "study" else []
    stamp = "|".join(
        f"{one.state} {one.games} {one.wanted} {one.updated}" for one in (info, *parts)
    )
    if stamp == seen:
        return {"stamp": stamp}
    whole = info.kind in run_kinds() and "part_of" not in info.settings
    request = requests.request_of(info) if whole else None
    view = {
        **brief(info),
        "stamp": stamp,
        "versions": info.versions,
        "request": None if request is None else {**asdict(request), "seed": str(info.seed)},
        "command": "" if request is None else requests.command_of(request),
    }
    if info.kind == "study":
        done = sum(part.games for part in parts)
        wanted = sum(_wanted(part) for part in parts)
        found = {"parts": [brief(part) for part in reversed(parts)], "before": _before(store, info)}
        return view | found | {"games": done, "wanted": wanted, "played": 0.0, "left": None}
    rows = result_rows(store, Filter(run=run))
    played = sum(row.tally.seconds for row in rows)
    # The end of an undecided sequential test cannot be predicted.
    known = not info.settings.get("until") or info.state == "done"
    view |= {"played": played, "left": _left(rows, _wanted(info)) if known else None}
    if info.kind not in run_kinds():
        return view | {"rows_of": _rows(rows)}
    result = recall(store, run, None if chosen is None else Evaluation(**chosen))
    if isinstance(result, MatchResult):
        return view | {"match": _match(info, result)}
    if isinstance(result, TournamentResult):
        return view | {"tournament": _tournament(result)}
    return view | {"sweep": _sweep(info, result)}


def _before(store: ResultStore, info: requests.RunInfo) -> float | None:
    """Duration in seconds of the last finished run of the same study."""
    for one in run_infos(store, Filter(kind="study")):
        if one.state == "done" and one.settings == info.settings and one.run != info.run:
            times = [datetime.fromisoformat(at) for at in (one.begun, one.updated)]
            return (times[1] - times[0]).total_seconds()
    return None


def _left(rows: Sequence[ResultRow], wanted: int) -> float | None:
    """Estimated seconds of play left; None before the first game."""
    # Cost of a game: the row's own mean; without games of it, that of its slowest agent elsewhere;
    # without any, the mean of the run. Rows that do not exist yet count with that mean.
    played: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for row in rows:
        for name in ("", *row.agents):
            played[name][0] += row.tally.seconds
            played[name][1] += row.tally.games
    if not played[""][1]:
        return None
    mean = played[""][0] / played[""][1]

    def each(row: ResultRow) -> float:
        if row.tally.games:
            return row.tally.seconds / row.tally.games
        known = [played[name][0] / played[name][1] for name in row.agents if played[name][1]]
        return max(known) if known else mean

    left = sum(max(0, row.wanted - row.tally.games) * each(row) for row in rows)
    return left + max(0, wanted - sum(max(r.wanted, r.tally.games) for r in rows)) * mean


def _rows(rows: Sequence[ResultRow]) -> dict[str, Any]:
    """Return rows as the table of a tournament has them."""
    players = len(rows[0].agents) if rows else 0
    return {
        "players": players,
        "table": [{name: row.as_data()[name] for name in _SHOWN} for row in rows],
    }


def _match(info: requests.RunInfo, result: MatchResult) -> dict[str, Any]:
    return {
        **result.as_data(),
        "test": _test(info, result),
        "draw_interval": list(wilson_interval(result.draws, result.games)),
        "plies": result.plies if result.games else None,
    }


def _test(info: requests.RunInfo, result: MatchResult) -> dict[str, Any] | None:
    """Return the state of a sequential test and its question."""
    if result.test is None:
        return None
    asked = SequentialTest(**info.settings["until"])
    first, second = sides(asked.question, result.agents)
    return {
        **asked.as_data(),
        **result.test.as_data(),
        "places": [first, second],
        "most": info.settings["games"],
    }


def _tournament(result: TournamentResult) -> dict[str, Any]:
    found: dict[str, Any] = {
        "agents": list(result.agents),
        "players": len(result.table[0].places),
        "table": [{**row.as_data(), "places": list(row.places)} for row in result.table],
        "totals": result.totals(),
        "ratings": None,
    }
    if not any(row.tally.games for row in result.table):
        return found
    model = result.model
    rated = [
        {"agent": spec, "place": place, **asdict(rating), **total}
        for place, (spec, rating, total) in enumerate(
            zip(result.agents, model.ratings, found["totals"], strict=True)
        )
    ]
    return found | {
        "ratings": sorted(rated, key=lambda row: -row["value"]),
        **as_data(model, "seats first_move deviance degrees"),
    }


def _sweep(info: requests.RunInfo, result: SweepResult) -> dict[str, Any]:
    measure = result.measure
    points = [
        {**point.as_data(), "share": point.share(measure), "bar": _bar(point, measure)}
        for point in result.points
    ]
    axes = [list(requests.read_variation(v).values) for v in requests.options_of(info)["vary"]]
    found: dict[str, Any] = {
        **as_data(result, "agent names"),
        "axes": axes,
        **as_data(result, "versus seat measure fit_kind degree"),
        "points": points,
        "fit": None,
        "best": None,
    }
    begun = tuple(point for point in result.points if point.games)
    if begun:
        found["best"] = result.best_point.as_data() if len(begun) == len(points) else None
        try:
            found["fit"] = replace(result, points=begun).fit.as_data()
        except HyperoxoError as error:
            found["trouble"] = str(error)
    return found


def _bar(point: Any, measure: str) -> list[float] | None:
    """95 % interval of the measure at a point."""
    if not point.games:
        return None
    if measure == "score":
        half = 1.959964 * point.variance("score") ** 0.5
        share = point.share("score")
        return [max(0.0, share - half), min(1.0, share + half)]
    return list(wilson_interval(point.wins if measure == "wins" else point.losses, point.games))
