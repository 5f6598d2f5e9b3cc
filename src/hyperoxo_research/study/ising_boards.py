"""The best bias on each board by the rules of the game, and whether it depends on the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.kernels.arrays import Floats
from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.sweep import Curve, Point, SweepResult
from hyperoxo_research.study.ising_figures import Best, best_figure, rates_figure
from hyperoxo_research.study.parts import Bench, Picture, Section, Table

BOARDS = (
    "3^2", "4^2", "5^2", "6^2", "7^2", "8^2", "3^3", "4^3", "5^3", "6^3", "3^4", "4^4", "3^5",
)  # fmt: skip
_LARGE = 200
"""Cells from which a board gets fewer games."""
_STEP = "0.1"
_FULL_STEP = "0.05"
_FEWEST = 5
"""Boards that a correlation needs."""
_DRAWN = 2000
_LEVEL = 0.05
_RIVALS = (("random", "against random play"), ("ising", "against Ising with b = 0.647"))


@dataclass(frozen=True)
class _Measured:
    """The sweeps of all boards against one rival."""

    rival: str
    words: str
    points: tuple[tuple[Point, ...], ...]
    commands: tuple[str, ...]
    found: tuple[Best, ...]


def boards(bench: Bench) -> Section:
    """Return the section."""
    games = bench.size(10_000, 100_000)
    rates = [bench.match(game, ["random", "random"], games)[0] for game in BOARDS]
    measured = [_measure(bench, rival, words, rates) for rival, words in _RIVALS]
    pictures = [picture for one in measured for picture in _pictures(one)]
    answers = "\n\n".join(_answer(one) for one in measured)
    return Section(
        "Does the best b depend on n and d?",
        "The report suspects that the best b is a function of the number of cells a side, and that "
        "it is connected with the a-priori chances of winning. Here Ising (energy of the formula) "
        f"moves second on {len(BOARDS)} boards for values of b from 0 to 1, against random play "
        "and against Ising with b = 0.647. The measure is the share of points, a draw counting "
        "half, which tells more than the share of losses: on most boards hardly a game is lost.\n\n"
        "A value of b may be best if it is not worse than the best one seen, by a test of two "
        "means at a level of 5 % for all values and boards together (Bonferroni). On 3^2 the "
        "chances are steps with a wide top (see above); therefore no curve is fitted, and a board "
        "is given by the middle of the values that may be best, with the middle 95 % over "
        "bootstrap samples. If all values may be best, b makes no difference as far as these games "
        f"tell, and the board has no part in the correlations.\n\n{answers}",
        *(_table(one, rates) for one in measured),
        _correlations(measured, bench.seed),
        *pictures,
    )


def _pictures(one: _Measured) -> list[Picture]:
    """Return the pictures of the best b by board and against the results of random play."""
    decided = [best for best in one.found if best.value is not None]
    shown = [
        Picture(
            f"best-b-{one.rival}",
            f"The values of b that may be best by board, {one.words}",
            lambda: best_figure(one.found),
        )
    ]
    if len(decided) >= _FEWEST:
        words = f"The best b and the results of random play, {one.words}"
        shown.append(Picture(f"best-b-rates-{one.rival}", words, lambda: rates_figure(decided)))
    return shown


def _shares(found: MatchResult) -> tuple[float, float, float]:
    """Return the shares of first player's wins, draws and second player's wins."""
    a, b, c = (count / found.games for count in found.counts)
    return a, b, c


def _measure(bench: Bench, rival: str, words: str, rates: Sequence[MatchResult]) -> _Measured:
    points, commands = [], []
    for game in BOARDS:
        large = Game(game).cells >= _LARGE
        games = bench.size(100 if large else 500, 1000 if large else 5000)
        result, command = bench.sweep(
            game, "ising", f"bias=0:1:{bench.size(_STEP, _FULL_STEP)}", rival, seat=2, games=games,
        )  # fmt: skip
        points.append(result.points)
        commands.append(command)
    found = tuple(
        best_of(game, one, _shares(rate), bench.seed)
        for game, one, rate in zip(BOARDS, points, rates, strict=True)
    )
    return _Measured(rival, words, tuple(points), tuple(commands), found)


def best_of(
    game: str, points: Sequence[Point], rates: tuple[float, float, float], seed: int = 0
) -> Best:
    """Return the best bias of a sweep, with a bootstrap interval."""
    # No value differs from the best one by the test: the board says nothing about the best bias.
    close, middle = _may(points, _counts(points)[None])
    may = tuple(point.values[0] for point, one in zip(points, close[0], strict=True) if one)
    if len(may) == len(points):
        return Best(game, None, None, None, may, rates)
    drawn = _middles(points, np.random.default_rng(seed))
    low, high = np.quantile(drawn, [0.025, 0.975])
    value = float(middle[0])
    return Best(game, value, float(min(low, value)), float(max(high, value)), may, rates)


def _counts(points: Sequence[Point]) -> Floats:
    """Return wins, draws and losses by value, float64 ``[m, 3]``."""
    return np.array([[p.wins, p.draws, p.losses] for p in points], dtype=np.float64)


def _may(points: Sequence[Point], counts: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Return a mask of the values not significantly worse than the best, and their mean."""
    from scipy.stats import norm

    # 1. Score of each value (win 1, draw 1/2), and the variance of its mean.
    games = counts.sum(axis=2)
    score = (counts[..., 0] + counts[..., 1] / 2) / games
    # As in `Point.variance`: half a game of each result is added, so that it is never 0.
    chances = (counts + 0.5) / (games + 1.5)[..., None]
    mean = chances[..., 0] + chances[..., 1] / 2
    variance = (chances[..., 0] + chances[..., 1] / 4 - mean * mean) / games
    # 2. One-sided z-test of each value against the best one, Bonferroni over values and boards.
    best = score.argmax(axis=1)[:, None]
    behind = np.take_along_axis(score, best, axis=1) - score
    error = np.sqrt(variance + np.take_along_axis(variance, best, axis=1))
    close = behind <= norm.isf(_LEVEL / (len(BOARDS) * len(points))) * error
    at = np.array([point.values[0] for point in points])
    return close, np.asarray((close * at).sum(axis=1) / close.sum(axis=1))


def _middles(points: Sequence[Point], rng: np.random.Generator) -> Floats:
    """Return the middles of bootstrap samples, with half a game of each result added."""
    chances = (_counts(points) + 0.5) / (_counts(points) + 0.5).sum(axis=1, keepdims=True)
    drawn = [
        rng.multinomial(point.games, chance, size=_DRAWN)
        for point, chance in zip(points, chances, strict=True)
    ]
    return _may(points, np.stack(drawn, axis=1).astype(np.float64))[1]


def common_values(found: Sequence[Best]) -> tuple[float, ...]:
    """Return the values not significantly worse than the best on any board."""
    return tuple(sorted(set.intersection(*(set(one.may) for one in found))))


def _answer(one: _Measured) -> str:
    shared = common_values(one.found)
    decided = [best.game for best in one.found if best.value is not None]
    begin = f"{one.words[0].upper()}{one.words[1:]}: "
    if shared:
        listed = ", ".join(f"{value:g}" for value in shared)
        return (
            f"{begin}not decided. {listed} may be best on every one of the boards, so these games "
            "do not show that the best b depends on the board; with more games they might. Some "
            f"value is worse than another on {_listed(decided)}."
        )
    return (
        f"{begin}yes. No value of b may be best on all boards: whatever b is taken, on one board "
        "at least another value does better by more than chance would have it. Some value is worse "
        f"than another on {_listed(decided)}."
    )


def _listed(games: Sequence[str]) -> str:
    return f"{len(games)} boards: {', '.join(games)}" if games else "no board"


def _table(one: _Measured, rates: Sequence[MatchResult]) -> Table:
    rows = []
    for best, rate, points, command in zip(one.found, rates, one.points, one.commands, strict=True):
        low, high = wilson_interval(rate.counts[0], rate.games)
        shares = [100 * point.share("score") for point in points]
        ends = ", ".join(f"{value:g}" for value in (best.may[0], best.may[-1]))
        rows.append(
            (
                best.game, ends, f"{len(best.may)} of {len(points)}",
                best.value, best.low, best.high, min(shares), max(shares), points[0].games,
                *(100 * share for share in _shares(rate)), f"{100 * low:.2f} to {100 * high:.2f}",
                command,
            )
        )  # fmt: skip
    columns = (
        "board", "least and greatest b that may be best", "values", "middle", "low", "high",
        "points at the worst b, %", "at the best, %", "games a value", "random: first wins, %",
        "drawn, %", "second wins, %", "first wins, 95 %", "command",
    )  # fmt: skip
    title = f"The best b by board, {one.words}"
    return Table(f"boards-{one.rival}", title, columns, tuple(rows))


def _correlations(measured: Sequence[_Measured], seed: int) -> Table:
    rows: list[tuple[str | int | float | None, ...]] = []
    for one in measured:
        decided = [i for i, best in enumerate(one.found) if best.value is not None]
        for name, numbers in _properties([one.found[i] for i in decided]).items():
            if len(decided) < _FEWEST:
                unknown = (None, None, None, None)
                rows.append(
                    (one.words, name, *unknown, len(decided), "not decided: too few boards")
                )
                continue
            seen, low, high, chance = _correlation(one, decided, numbers, seed)
            verdict = "not decided" if low <= 0 <= high else "rises" if low > 0 else "falls"
            rows.append((one.words, name, seen, low, high, chance, len(decided), verdict))
    columns = (
        "sweeps", "middle of the best b against", "rank correlation", "low", "high", "p",
        "boards", "verdict",
    )  # fmt: skip
    return Table(
        "correlations",
        "The best b and properties of the board",
        columns,
        tuple(rows),
        "Spearman's rank correlation over the boards. The interval is the middle 95 % when boards "
        "are drawn with replacement and the games of each resampled, so that it holds the "
        "uncertainty of both; p is that of no correlation, by 2,000 permutations of the boards. "
        "Ten correlations are tried, so one with p near 0.05 means little. Board sizes are not a "
        "random sample of anything: a correlation says what these boards do.",
    )


def _properties(found: Sequence[Best]) -> dict[str, Floats]:
    games = [Game(one.game) for one in found]
    sizes = [(game.board.side, game.board.dim) for game in games]
    return {
        "cells a side, n": np.array([side or 0 for side, _ in sizes], dtype=float),
        "dimension, d": np.array([dim or 0 for _, dim in sizes], dtype=float),
        "first player wins in random play": np.array([one.rates[0] for one in found]),
        "draws in random play": np.array([one.rates[1] for one in found]),
        "second player wins in random play": np.array([one.rates[2] for one in found]),
    }


def _correlation(
    one: _Measured, decided: Sequence[int], numbers: Floats, seed: int
) -> tuple[float, float, float, float]:
    """Return Spearman's correlation, its bootstrap interval, and the p of a permutation test."""
    from scipy.stats import rankdata

    # 1. Bootstrap of both sources of noise: the games of each board, and the choice of boards.
    rng = np.random.default_rng(seed)
    values = np.array([one.found[i].value for i in decided], dtype=np.float64)
    drawn = np.stack([_middles(one.points[i], rng) for i in decided], axis=1)
    picks = rng.integers(len(values), size=drawn.shape)
    again = _spearman(
        rankdata(np.take_along_axis(drawn, picks, axis=1), axis=1), rankdata(numbers[picks], axis=1)
    )
    # 2. Permutations of the boards; the sample itself counts as one, so p is never 0.
    ranks = rankdata(numbers)
    seen = float(_spearman(rankdata(values)[None], ranks[None])[0])
    mixed = np.stack([rng.permutation(ranks) for _ in range(_DRAWN)])
    by_chance = _spearman(np.broadcast_to(rankdata(values), mixed.shape), mixed)
    p = (1 + int((np.abs(by_chance) >= abs(seen) - 1e-12).sum())) / (1 + _DRAWN)
    low, high = np.quantile(again, [0.025, 0.975])
    return seen, float(low), float(high), p


def _spearman(a: Floats, b: Floats) -> Floats:
    """Return the correlations of rows of ranks; 0 for constant rows."""
    x, y = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    size = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    return np.asarray(np.where(size > 0, (x * y).sum(axis=1) / np.where(size > 0, size, 1.0), 0.0))


_SWEPT: dict[str, tuple[str, int, int, str, str]] = {
    "3^2": ("0.02", 500, 1000, "0.647", "0.001"),
    "4^2": ("0.05", 400, 2000, "about 0.64", "0.01"),
    "5^2": ("0.05", 400, 2000, "", "0.01"),
    "6^2": ("0.05", 200, 2000, "", "0.01"),
    "3^3": ("0.05", 400, 2000, "not far from 0.647", "0.01"),
    "4^3": ("0.1", 200, 1000, "any", "0.02"),
}
"""Step and games of reduced sweeps, games of full ones, published best b, step of full sweeps."""


def sweeps(bench: Bench) -> Section:
    """Return the section."""
    from hyperoxo.lab.plots.figures import sweep_figure

    rows = []
    pictures = []
    for game, (step, few, many, published, fine) in _SWEPT.items():
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
        name = f"bias-{game.replace('^', '-')}"
        draw = partial(sweep_figure, result)
        pictures.append(Picture(name, f"Games lost on {game} by bias", draw))
    columns = (
        "board", "published best b", "our best b", "low", "high", "losses there, %", "low, %",
        "high, %", "losses at the worst b, %", "mean losses, %", "games", "degree", "command",
    )  # fmt: skip
    return Section(
        "The bias b by the rules of the game",
        "Ising (energy of the formula) moves second against random, for many values of b; what "
        "counts is the share of games it loses. The report takes a fit of degree 11 on 3^2 and "
        "of degree 1 or 2 elsewhere; here BIC chooses the degree. The interval of the best b is "
        "that of the optimum of the fit: a wide one says that many values do equally well, so "
        "that no single b is the best. If a constant fits best, no value of b is better than "
        "another as far as these games tell, and none is named. The published values for 4^2 "
        "and 4^3 are of the program's own game (see above) and not of these boards.",
        Table("bias", "The best b by board", columns, tuple(rows)),
        *pictures,
    )


def _sweep_row(
    game: str, published: str, result: SweepResult, command: str
) -> tuple[str | int | float | None, ...]:
    fit = result.fit
    assert isinstance(fit, Curve)
    losses = [100 * point.share("losses") for point in result.points]
    found: tuple[float | None, ...] = (None,) * 6
    if (best := fit.optimum) is not None:
        ends = (100 * min(max(end, 0.0), 1.0) for end in best.share_interval)
        found = (best.value, *best.interval, 100 * max(best.share, 0.0), *ends)
    return (
        game,
        published or None,
        *found,
        max(losses),
        sum(losses) / len(losses),
        sum(point.games for point in result.points),
        fit.degree,
        command,
    )
