"""Sweeps of the bias in the program's game, beside the published figures of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hyperoxo.kernels.arrays import Floats
from hyperoxo_research.study.ising_figures import ProgramSweep, program_sweeps_figure
from hyperoxo_research.study.ising_program import program_games, program_losses
from hyperoxo_research.study.parts import (
    SURPRISING,
    Bench,
    Finding,
    Picture,
    Section,
    compared,
    python_command,
    share,
)

_DRAWN = 1000


@dataclass(frozen=True)
class Printed:
    """The minimum printed in a published figure, and its sample.

    The program notes the result for b = step · i under step · (1 + i), so its figures are shifted
    to the right by one step. With `lossless` the value is not the minimum of the fit but the
    nearest value without a lost game.
    """

    at: float
    step: float
    games: int
    where: str
    lossless: bool = False

    @property
    def values(self) -> Floats:
        """The values of b that were tried."""
        return np.arange(round(1 / self.step), dtype=np.float64) * self.step


_FINE = Printed(0.647, 0.001, 1000, "5.2, on Figure 10", lossless=True)
_FIGURES = {
    "3^2": Printed(0.67, 0.01, 100, "Figure 11, legend: Minimo: 1 at [0.67]"),
    "4^2": Printed(0.64, 0.01, 100, "Figure 13, title: Degree 2; legend: Minimo: 0 at [0.64]"),
    "3^3": Printed(0.54, 0.01, 100, "Figure 12, legend: Minimo: 0 at [0.54]"),
}
"""Minima printed in the pictures of the report's repository."""


@dataclass(frozen=True)
class _Swept:
    """A sweep, in a reduced and in full size, and the degree of the published fit."""

    game: str
    step: tuple[float, float]
    games: tuple[int, int]
    degree: int


_SWEEPS = (
    _Swept("3^2", (0.02, 0.001), (500, 1000), 2),
    _Swept("4^2", (0.05, 0.01), (200, 1000), 2),
    _Swept("5^2", (0.05, 0.01), (200, 1000), 2),
    _Swept("6^2", (0.05, 0.01), (200, 1000), 2),
    _Swept("3^3", (0.05, 0.01), (200, 1000), 2),
    _Swept("4^3", (0.1, 0.1), (20, 200), 1),
)


def program_sweeps(bench: Bench) -> Section:
    """Return the section on sweeps of the bias in the program's game."""
    swept = {one.game: _sweep(bench, one) for one in _SWEEPS}
    return Section(
        "The bias in the program's game",
        "Random moves first, Ising second with b from 0 to 1, and the games Ising loses are "
        "counted. Curves are straight least-squares fits of the published degree, unweighted as "
        "there; the interval of a minimum is that of fits to 1,000 bootstrap samples. The program "
        "notes each result under the next value of b (it writes step · (1 + i) for b = step · i), "
        "so its curves are moved to the right by one step; ours are noted in the same way where "
        "they are beside a printed minimum."
        "\n\n"
        "A printed minimum is that of one small sample. So 1,000 samples of its size are drawn "
        "from the shares of lost games that ours leave likely, and read as the figure was. The two "
        "agree unless fewer than one in a hundred lies as far out as the printed value, on either "
        "side. If the middle 99 % of such samples spread over more than half of the range of b, "
        "a printed value within them says nothing, and the verdict is that these figures cannot "
        "tell.",
        compared("program-bias", "What the report says of its sweeps", list(_published(swept))),
        Picture(
            "program-bias",
            "Games lost by Ising in the program's game, with fits of the published degree, "
            "which leave the picture where they fall below 0; dotted: the printed minimum, "
            "else 0.647",
            lambda: program_sweeps_figure(
                list(swept.values()), {name: one.at for name, one in _FIGURES.items()}
            ),
        ),
    )


def _sweep(bench: Bench, one: _Swept) -> ProgramSweep:
    step, games = one.step[bench.full], bench.size(*one.games)
    at = np.linspace(0, 1, round(1 / step) + 1)
    # A seed for each value, for independent games; far apart, so that studies with near seeds share
    # no games.
    seeds = [bench.seed + 1_000_003 * (number + 1) for number in range(len(at))]
    lost = program_losses(one.game, at.tolist(), seeds, games, **bench.means)
    return ProgramSweep(one.game, at, np.array(lost), games, one.degree, seeds[len(at) // 2])


def _least(at: Floats, shares: Floats, degree: int, grid: Floats) -> Floats:
    """Return the minima on a grid of polynomial fits to rows of shares."""
    # Shares of one value in one row, as polyfit takes them.
    fits = np.polynomial.polynomial.polyfit(at, np.atleast_2d(shares).T, degree)
    found: Floats = grid[np.argmin(np.polynomial.polynomial.polyval(grid, fits), axis=1)]
    return found


def _minimum(swept: ProgramSweep) -> tuple[float, tuple[float, float]]:
    """Return the minimum of the fit, with its bootstrap interval."""
    grid = np.linspace(0, 1, 1001)
    rng = np.random.default_rng(0)
    # Half a game is added, so that values without a loss vary as well.
    chances = (swept.lost + 0.5) / (swept.games + 1)
    drawn = rng.binomial(swept.games, chances, size=(_DRAWN, len(chances))) / swept.games
    low, high = np.quantile(_least(swept.at, drawn, swept.degree, grid), [0.025, 0.975])
    value = _least(swept.at, swept.lost / swept.games, swept.degree, grid)[0]
    return float(value), (float(low), float(high))


def published_samples(swept: ProgramSweep, printed: Printed) -> Floats:
    """Return the printed value in simulated samples of the published size, given our games."""
    # 1. Draw true shares of losses from their posteriors (Jeffreys priors), so that the noise of
    #    our own sample counts too; then a published sample from each.
    rng = np.random.default_rng(1)
    size = (_DRAWN, len(swept.at))
    likely = rng.beta(swept.lost + 0.5, swept.games - swept.lost + 0.5, size=size)
    chances = np.array([np.interp(printed.values, swept.at, row) for row in likely])
    lost = rng.binomial(printed.games, chances)
    # 2. Read each as the figure was: the labels are one step too far to the right.
    labels = printed.values + printed.step
    found = _least(labels, lost / printed.games, swept.degree, labels)
    if not printed.lossless:
        return found
    far = np.where(lost == 0, np.abs(labels - found[:, None]), np.inf)
    nearest: Floats = np.where((lost == 0).any(axis=1), labels[far.argmin(axis=1)], found)
    return nearest


def _minimum_finding(quantity: str, swept: ProgramSweep, printed: Printed) -> Finding:
    # False if the printed value is in the outer 1 % of simulated ones; no verdict if these spread
    # over more than half of the range, for then nearly any value would agree.
    value, ends = _minimum(swept)
    theirs = published_samples(swept, printed)
    within = 0.5 * printed.step  # values of a grid are compared
    rarer = min((theirs <= printed.at + within).mean(), (theirs >= printed.at - within).mean())
    low, high = np.quantile(theirs, [SURPRISING / 2, 1 - SURPRISING / 2])
    agrees = False if 2 * rarer < SURPRISING else None if high - low > 0.5 else True
    middle = np.quantile(theirs, [0.025, 0.975])
    sample = f"{len(printed.values):,} values of {printed.games:,} games"
    remark = (
        f"By our games, 95 of 100 samples as large as the published one ({sample}) have it "
        f"between {middle[0]:.2f} and {middle[1]:.2f}."
    )
    if printed.lossless:
        remark = "The value without a lost game that is nearest to the minimum. " + remark
    low, high = (round(end + printed.step, 3) for end in ends)
    return Finding(
        quantity, printed.at, round(value + printed.step, 3), swept.total[1], (low, high), agrees,
        _of(swept), remark, printed.where,
    )  # fmt: skip


def _published(swept: dict[str, ProgramSweep]) -> Iterator[Finding]:
    plane = swept["3^2"]
    yield share(
        "3^2: lost for b ≥ 0.4, mean %", (0.57, 601_000), _within(plane, 0.4, 1), _of(plane),
        remark="The text says about 6 in 1,000.",
        where="Figure 10, legend: Media con x >= 0.4: 5.70",
    )  # fmt: skip
    yield _minimum_finding("3^2, step 0.001: best b, by a fit of degree 2", plane, _FINE)
    for game, printed in _FIGURES.items():
        name = f"{game}, step {printed.step}: minimum of the fit of degree 2"
        yield _minimum_finding(name, swept[game], printed)
    yield _rise(swept["3^3"])
    plane, cube = swept["5^2"], swept["4^3"]
    yield share(
        "5^2: lost, mean % (“approximately”)", (13.0, 10_000), plane.total, _of(plane),
        where="5.2, on Figure 14",
    )  # fmt: skip
    without = int((plane.lost == 0).sum())
    yield Finding(
        "5^2: values of b without a loss", 0, without, plane.total[1], None,
        # With fewer games a value than the report has, one without a loss means nothing.
        True if without == 0 else False if plane.games >= 100 else None, _of(plane),
        where="5.2, on Figure 14",
    )  # fmt: skip
    yield _ratio(swept["6^2"], plane)
    yield share(
        "4^3: lost, mean %", (0.0, 110), cube.total, _of(cube), where="Figure 17: 11 values of 10"
    )


def _within(swept: ProgramSweep, low: float, high: float) -> tuple[int, int]:
    """Return the games lost and played with values of b from `low` to `high`."""
    chosen = (swept.at >= low - 1e-9) & (swept.at <= high + 1e-9)
    return int(swept.lost[chosen].sum()), swept.games * int(chosen.sum())


def _rise(swept: ProgramSweep) -> Finding:
    """Return the difference of losses between b > 0.6 and 0.4 to 0.6, in percentage points."""
    (a, m), (b, n) = _within(swept, 0.6 + 1e-6, 1), _within(swept, 0.4, 0.6)
    more = a / m - b / n
    half = 1.96 * float(np.sqrt((a + 1) * (m - a + 1) / m**3 + (b + 1) * (n - b + 1) / n**3))
    low, high = (round(100 * (more + side * half), 3) for side in (-1, 1))
    return Finding(
        "3^3: lost with b > 0.6 less lost with 0.4 ≤ b ≤ 0.6, points of %", "above 0",
        round(100 * more, 3), m, (low, high), True if low > 0 else False if high < 0 else None,
        _of(swept), where="5.2, on Figure 12",
    )  # fmt: skip


def _ratio(larger: ProgramSweep, smaller: ProgramSweep) -> Finding:
    """Return the ratio of losses on 6^2 and 5^2, with its interval."""
    # The logarithm of a ratio of two shares is nearly normal, with this standard error.
    (a, m), (b, n) = larger.total, smaller.total
    ratio = (a / m) / (b / n)
    error = float(np.sqrt(1 / max(a, 1) - 1 / m + 1 / max(b, 1) - 1 / n))
    ends = tuple(round(ratio * float(np.exp(side * 1.96 * error)), 3) for side in (-1, 1))
    # The verdict is by the 99 % interval, as those of all other figures.
    low, high = (ratio * float(np.exp(side * 2.576 * error)) for side in (-1, 1))
    agrees = True if high < 0.5 else False if low >= 0.5 else None
    return Finding(
        "6^2: losses over those on 5^2", "less than 0.5", round(ratio, 3), m, (ends[0], ends[1]),
        agrees, _of(larger), where="5.2, on Figure 15",
    )  # fmt: skip


def _of(one: ProgramSweep) -> str:
    """Return the command for the middle value of b; each has its own seed."""
    bias = float(one.at[len(one.at) // 2])
    return python_command(program_games, one.game, "random", bias, one.games, one.seed)
