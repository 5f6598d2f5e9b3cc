"""Sweeps of the bias on the boards of the report, by the rules of the game."""

from __future__ import annotations

from hyperoxo.lab.study.parts import Bench, Picture, Section, Table
from hyperoxo.lab.sweep import Curve, SweepResult

_BOARDS: dict[str, tuple[str, int, int, str, str]] = {
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
    return Section(
        "The bias b by the rules of the game",
        "Ising (energy of the formula) moves second against random, for many values of b; what "
        "counts is the share of games it loses. The report takes a fit of degree 11 on 3^2 and "
        "of degree 1 or 2 elsewhere; here BIC chooses the degree. The interval of the best b is "
        "that of the optimum of the fit: a wide one says that many values do equally well, so "
        "that no best b can be told. Where a constant fits best, no value of b is better than "
        "another as far as these games tell, and none is named. The published values for 4^2 "
        "and 4^3 are of the program's own game (see above) and not of these boards.",
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
