"""The report on a C++ library for tic-tac-toe of any dimension, and its Ising agent.

Its program reads the energy by a scan, counts a win on the last free cell as a draw, and gives its
second Ising player a bias of 0.8; all that is taken up here where its printed figures are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.study.bench import Bench
from hyperoxo.lab.study.ising_directions import directions
from hyperoxo.lab.study.ising_figures import pairings_figure
from hyperoxo.lab.study.parts import Finding, Picture, Section, Study, Table, compared, share
from hyperoxo.lab.sweep import Curve, SweepResult
from hyperoxo.lab.tournament import TournamentResult

__all__ = ["STUDY"]

_NAMES = ("random", "MiniMax", "Ising")
_FIRST = ("random", "minimax:ties=lowest", "ising:reading=scan")
_SECOND = ("random", "minimax:ties=lowest", "ising:bias=0.8,reading=scan")
"""The agents as the published program has them, on the first seat and on the second."""

WINS = ((34, 0, 0), (100, 0, 0), (99, 0, 52))
DRAWS = ((41, 16, 12), (0, 100, 100), (1, 100, 48))
LOSSES = ((41, 16, 12), (0, 0, 0), (0, 0, 0))
"""Published wins, draws and losses of the first player (row) against the second, of 100 games."""

_IMPOSSIBLE = (
    "Printed wins, draws and losses sum to {total} of 100 games: the losses repeat the draws."
)


def _pairings(bench: Bench) -> Iterator[Section]:
    games = bench.size(500, 10_000)
    rules, _ = bench.tournament("3^2", ("random", "minimax:ties=lowest", "ising"), games)
    yield Section(
        "The nine ordered pairings on 3^2",
        "The report lets random, MiniMax and Ising play 100 games in each of the nine ordered "
        "pairings. Compared is what its program plays and counts: the scan reading of the energy, "
        "a bias of 0.647 for the first player and 0.8 for the second, and a win on the last free "
        "cell as a draw. The second table has Ising with the energy of the formula and a bias of "
        "0.647 on both seats, and counts by the rules.\n\nMiniMax is played with ties going to "
        "the lowest cell, as the published search keeps the first best move it finds.",
        (
            compared("pairings", "Games of the first player, of 100", _pairs(bench, games)),
            _by_rules(rules),
            _times(rules),
        ),
        (
            Picture(
                "pairings",
                "Wins, draws and losses of the first player by the rules",
                lambda: pairings_figure(rules, _NAMES),
            ),
        ),
    )


def _pairs(bench: Bench, games: int) -> list[Finding]:
    found = []
    for first, second in product(range(3), repeat=2):
        agents = (_FIRST[first], _SECOND[second])
        result, command = bench.match("3^2", agents, games, scoring="report")
        printed = [table[first][second] for table in (WINS, DRAWS, LOSSES)]
        wrong = "" if sum(printed) == 100 else _IMPOSSIBLE.format(total=sum(printed))
        for what, theirs in zip(_RESULTS, printed, strict=True):
            quantity = f"{_NAMES[first]} – {_NAMES[second]}: % {what}"
            remark = wrong if what == "lost" else ""
            found.append(
                share(quantity, (theirs, 100), (_count(result, what), games), command, remark)
            )
    return found


_RESULTS = ("won", "drawn", "lost")


def _count(result: MatchResult, what: str) -> int:
    """Games the first player won, drew or lost."""
    return {"won": result.wins[0], "drawn": result.draws, "lost": result.wins[1]}[what]


def _by_rules(result: TournamentResult) -> Table:
    rows = tuple(
        (
            _NAMES[row.places[0]],
            _NAMES[row.places[1]],
            row.tally.games,
            100 * row.tally.wins[0] / row.tally.games,
            100 * row.tally.draws / row.tally.games,
            100 * row.tally.losses(1) / row.tally.games,
        )
        for row in result.table
    )
    columns = ("first", "second", "games", "% won", "% drawn", "% lost")
    return Table("pairings-by-rules", "The same by the rules of the game", columns, rows)


def _times(result: TournamentResult) -> Table:
    printed: dict[tuple[int, ...], float] = {(0, 2): 50.0, (0, 1): 3375.0}
    rows = tuple(
        (
            f"{_NAMES[row.places[0]]} – {_NAMES[row.places[1]]}",
            printed.get(row.places),
            1000 * row.tally.seconds / row.tally.games,
        )
        for row in result.table
    )
    return Table(
        "times",
        "Time of a game, milliseconds",
        ("pairing", "published", "ours"),
        rows,
        "The report measured its C++ program on a 1.3 GHz laptop, and gives these two times in its "
        "text; ours are those of this run.",
    )


def _variants() -> Iterator[tuple[str, str]]:
    """Yield how the second player may be meant, and his spec."""
    for reading, bias in product(("formula", "scan"), ("0.647", "0.8")):
        yield f"{reading}, b = {bias}", f"ising:bias={bias},reading={reading}"


def _long_matches(bench: Bench) -> Iterator[Section]:
    games = 10_000
    printed = {"won": 0.42, "drawn": 13.81, "lost": 85.77}
    found = []
    for (how, spec), scoring in product(_variants(), ("rules", "report")):
        result, command = bench.match("3^2", ["random", spec], games, scoring=scoring)
        found += [
            share(
                f"{how}, scoring by {scoring}: random {what}, %",
                (printed[what], games),
                (_count(result, what), games),
                command,
            )
            for what in _RESULTS
        ]
    yield Section(
        "10,000 games of random against Ising",
        "Ising moves second. The report has one row of figures; ours are given for both readings "
        "of its energy, for the bias it names and the one its program uses for the second player, "
        "and for both ways to count a win on the last free cell. (Ising wins in an even number of "
        "moves, and random hardly ever on the ninth, so the last makes little difference here.)",
        (compared("random-ising", "Random first, Ising second, on 3^2", found),),
    )
    yield _minimax_match(bench)


def _minimax_match(bench: Bench) -> Section:
    theirs = {"won": 0.0, "drawn": 21.5, "lost": 78.5}
    agents = ["random", "minimax:ties=lowest"]
    games = 1000
    result, command = bench.match("3^2", agents, games, scoring="report")
    findings = [
        share(f"random {what}, %", (theirs[what], 1000), (_count(result, what), games), command)
        for what in _RESULTS
    ]
    return Section(
        "1,000 games of random against MiniMax",
        "",
        (compared("random-minimax", "Random first, MiniMax second, on 3^2", findings),),
    )


_BOARDS: dict[str, tuple[str, int, int, str, str]] = {
    "3^2": ("0.02", 1000, 1000, "0.647", "0.001"),
    "4^2": ("0.05", 400, 2000, "about 0.64", "0.01"),
    "5^2": ("0.05", 400, 2000, "", "0.01"),
    "6^2": ("0.05", 200, 2000, "", "0.01"),
    "3^3": ("0.05", 400, 2000, "not far from 0.647", "0.01"),
    "4^3": ("0.1", 200, 1000, "any", "0.02"),
}
"""Step and games of reduced sweeps, games of full ones, published best b, step of full sweeps."""


def _sweeps(bench: Bench) -> Iterator[Section]:
    rows = []
    pictures = []
    for game, (step, few, many, published, fine) in _BOARDS.items():
        result, command = bench.sweep(
            game,
            "ising",
            f"bias=0:1:{bench.size(step, fine)}",
            "random",
            seat=2,
            games=bench.size(few, many),
            measure="losses",
        )
        rows.append(_sweep_row(game, published, result, command))
        pictures.append(_sweep_picture(game, result))
    columns = (
        "board", "published best b", "our best b", "low", "high", "losses there, %", "low, %",
        "high, %", "losses at the worst b, %", "mean losses, %", "games", "degree", "command",
    )  # fmt: skip
    yield Section(
        "The bias b",
        "Ising moves second against random, for many values of b; what counts is the share of "
        "games it loses. The report takes a fit of degree 11 on 3^2 and of degree 1 or 2 "
        "elsewhere; here BIC chooses the degree. The interval of the best b is that of the optimum "
        "of the fit: a wide one says that many values do equally well, so that no best b can be "
        "told. Where a constant fits best, no value of b is better than another as far as these "
        "games tell, and none is named.",
        (Table("bias", "The best b by board", columns, tuple(rows)),),
        tuple(pictures),
    )


def _sweep_row(
    game: str, published: str, result: SweepResult, command: str
) -> tuple[str | int | float | None, ...]:
    fit = result.fit
    assert isinstance(fit, Curve)
    losses = [100 * point.share("losses") for point in result.points]
    best = fit.optimum
    low, high = (None, None) if best is None else best.interval
    ends = (None, None) if best is None else best.share_interval
    return (
        game,
        published or None,
        None if best is None else best.value,
        low,
        high,
        None if best is None else 100 * max(best.share, 0.0),
        *(None if end is None else 100 * min(max(end, 0.0), 1.0) for end in ends),
        max(losses),
        sum(losses) / len(losses),
        sum(point.games for point in result.points),
        fit.degree,
        command,
    )


def _sweep_picture(game: str, result: SweepResult) -> Picture:
    from hyperoxo.lab.plots import sweep_figure

    name = f"bias-{game.replace('^', '-')}"
    return Picture(name, f"Games lost on {game} by bias", lambda: sweep_figure(result))


_DOUBLED = (
    "The printed code doubles its step along a line (u += u), so with a side above 3 it looks at "
    "cells 1, 2, 4, … steps away; neither reading here does that."
)
_PRINTED: tuple[tuple[str, str, int, int, tuple[float | None, ...], str], ...] = (
    ("3^3", "random", 10_000, 10_000, (0.35, 0.0, 99.65), ""),
    ("3^3", "ising", 10_000, 10_000, (100.0, 0.0, 0.0), ""),
    ("4^3", "random", 1000, 1000, (1.3, None, None), _DOUBLED),
    ("4^3", "ising", 1000, 1000, (57.0, None, None), _DOUBLED),
    ("5^3", "ising", 100, 1000, (53.0, 1.0, 46.0), _DOUBLED),
    ("5^4", "ising", 20, 200, (None, None, None), ""),
)
"""Board, first player, games of reduced and full samples, published % won, drawn, lost, remark."""

_PRINTED_GAMES = {"3^3": 10_000, "4^3": 1000, "5^3": 100}


def _higher(bench: Bench) -> Iterator[Section]:
    found = []
    for game, first, few, many, printed, remark in _PRINTED:
        games = bench.size(few, many)
        for how, second in _variants():
            ours = first + (":reading=scan" if first == "ising" and "scan" in how else "")
            result, command = bench.match(game, [ours, second], games, scoring="report")
            for what, theirs in zip(_RESULTS, printed, strict=True):
                published = None if theirs is None else (theirs, _PRINTED_GAMES[game])
                quantity = f"{game}, {first} – Ising ({how}): first player {what}, %"
                counted = (_count(result, what), games)
                found.append(share(quantity, published, counted, command, remark))
    yield Section(
        "Higher dimensions",
        "A game of Ising against itself on 5^4 took the published program more than half an hour, "
        "so the report has no results there. The first Ising player has a bias of 0.647.",
        (compared("dimensions", "Matches on larger boards", found),),
    )


def _sections(bench: Bench) -> Iterator[Section]:
    yield from _pairings(bench)
    yield from _long_matches(bench)
    yield from _sweeps(bench)
    yield from _higher(bench)
    yield directions()


STUDY = Study(
    "ising",
    "The Ising agent",
    "A report on a C++ library for tic-tac-toe on boards of any size and dimension "
    "(github.com/Rao-mi/Tic_Tac_Toe) proposes an agent that minimises an energy modelled on that "
    "of Ising spins, without looking ahead, and compares it with random play and with MiniMax. Its "
    "tables are measured again here.",
    _sections,
)
