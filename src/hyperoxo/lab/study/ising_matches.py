"""Matches and sweeps of the report: by the rules of the game, and in its program's own game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hyperoxo.lab.study.ising_curves import ProgramSweep, program_sweeps_figure
from hyperoxo.lab.study.ising_program import (
    known_lines,
    program_command,
    program_games,
    program_losses,
)
from hyperoxo.lab.study.parts import (
    Bench,
    Finding,
    Picture,
    Section,
    Table,
    compared,
    share,
    shares,
)


def _variants() -> Iterator[tuple[str, str]]:
    """Yield how the second player may be meant, and their spec."""
    for reading, bias in product(("formula", "scan"), ("0.647", "0.8")):
        yield f"{reading}, b = {bias}", f"ising:bias={bias},reading={reading}"


def long_matches(bench: Bench) -> Iterator[Section]:
    """Yield the sections on 10,000 games of random against Ising, and 1,000 against MiniMax."""
    games = 10_000
    found: list[Finding] = []
    for (how, spec), scoring in product(_variants(), ("rules", "report")):
        result, command = bench.match("3^2", ["random", spec], games, scoring=scoring)
        quantity = f"{how}, scoring by {scoring}: random {{}}, %"
        found += shares(quantity, (0.42, 13.81, 85.77), games, result.counts, command)
    yield Section(
        "10,000 games of random against Ising",
        "Ising moves second. The report has one row of figures; ours are given for both readings "
        "of its energy, for the bias it names and the one its program uses for the second player, "
        "and for both ways to count a win on the last free cell (--scoring report counts it as a "
        "draw). The printed row is that of the scan with b = 0.8. The scoring makes no difference "
        "here: Ising moves second and never fills the last cell, and random never wins with it. "
        "With steps that double (ising:reading=doubled) the energy on 3^2 is that of the scan.",
        (compared("random-ising", "Random first, Ising second, on 3^2", found),),
    )
    yield _minimax_match(bench)


def _minimax_match(bench: Bench) -> Section:
    agents = ["random", "minimax:ties=lowest"]
    result, command = bench.match("3^2", agents, 1000, scoring="report")
    findings = shares("random {}, %", (0.0, 21.5, 78.5), 1000, result.counts, command)
    return Section(
        "1,000 games of random against MiniMax",
        "",
        (compared("random-minimax", "Random first, MiniMax second, on 3^2", findings),),
    )


_ELSEWHERE = (
    "The printed figure is of another game: the program's scans double their step, those for wins "
    "too, so that with more than three cells a side it does not see lines."
)
_PRINTED: tuple[tuple[str, str, int, int, tuple[float | None, ...], str], ...] = (
    ("3^3", "random", 3000, 10_000, (0.35, 0.0, 99.65), ""),
    ("3^3", "ising", 1000, 10_000, (100.0, 0.0, 0.0), ""),
    ("4^3", "random", 1000, 1000, (1.3, None, None), _ELSEWHERE),
    ("4^3", "ising", 500, 1000, (57.0, None, None), _ELSEWHERE),
    ("5^3", "ising", 100, 1000, (53.0, 1.0, 46.0), _ELSEWHERE),
    ("5^4", "ising", 20, 200, (None, None, None), ""),
)
"""Board, first player, games of reduced and full samples, published % won, drawn, lost, remark."""

_PRINTED_GAMES = {"3^3": 10_000, "4^3": 1000, "5^3": 100}
_SLOW = {"5^4": (2, 50)}
"""Reduced and full samples for energies along doubled steps, where they have to be smaller."""


def higher(bench: Bench) -> Section:
    """Return the section on matches in three and four dimensions."""
    found = [
        # A figure of another game neither agrees nor disagrees.
        replace(finding, agrees=None, remark=remark) if remark and finding.published else finding
        for game, first, few, many, printed, remark in _PRINTED
        for how, counts, command in _played(bench, game, first, few, many)
        for finding in shares(f"{game}, {first} – Ising ({how}): first player {{}}, %", printed,
                              _PRINTED_GAMES.get(game, 0), counts, command)
    ]  # fmt: skip
    return Section(
        "Higher dimensions by the rules of the game",
        "A game of Ising against itself on 5^4 took the published program more than half an hour, "
        "so the report has no results there. The first Ising player has a bias of 0.647. In rows "
        "marked “doubled” both players take the energy of the program, which is blind to most "
        "lines where n > 3, while wins are lines. A win on the last free cell counts as a draw "
        "throughout, as in the report.",
        (compared("dimensions", "Matches on larger boards", found),),
    )


def _played(
    bench: Bench, game: str, first: str, few: int, many: int
) -> Iterator[tuple[str, tuple[int, int, int], str]]:
    """Yield how the second player was meant, results and command."""
    games = bench.size(few, many)
    for how, second in _variants():
        ours = first + (":reading=scan" if first == "ising" and "scan" in how else "")
        result, command = bench.match(game, [ours, second], games, scoring="report")
        yield how, result.counts, command
    games = bench.size(*_SLOW.get(game, (few, many)))
    players = ("random" if first == "random" else 0.647, 0.8)
    played = program_games(game, *players, games, bench.seed, wins="rules", **bench.means)
    command = program_command(game, players, games, bench.seed, wins="rules")
    yield "doubled, b = 0.8", played.counts, command


_MATCHES: tuple[tuple[str, str | float, int, int, int, tuple[float | None, ...]], ...] = (
    ("3^2", "random", 10_000, 100_000, 100_000, (0.42, 13.81, 85.77)),
    ("3^3", "random", 10_000, 2_000, 10_000, (0.35, 0.0, 99.65)),
    ("3^3", 0.647, 10_000, 1_000, 10_000, (100.0, 0.0, 0.0)),
    ("4^3", "random", 1_000, 1_000, 10_000, (1.3, None, None)),
    ("4^3", 0.647, 1_000, 500, 10_000, (57.0, None, None)),
    ("5^3", 0.647, 100, 100, 1_000, (53.0, 1.0, 46.0)),
    ("5^4", 0.647, 0, 2, 100, (None, None, None)),
)
"""Board, first player, published games, reduced and full sample, published % won, drawn, lost."""


def as_the_program(bench: Bench) -> Section:
    """Return the section on matches in the program's game."""
    found: list[Finding] = []
    for game, first, theirs, few, many, printed in _MATCHES:
        games = bench.size(few, many)
        players = (first, 0.8)
        result = program_games(game, *players, games, bench.seed, **bench.means)
        command = program_command(game, players, games, bench.seed)
        name = "random" if first == "random" else "Ising"
        quantity = f"{game}, {name} – Ising: first player {{}}, %"
        found += shares(quantity, printed, theirs, result.counts, command)
    rows = tuple((game, *known_lines(game)) for game in ("3^2", "3^3", "4^2", "5^2", "4^3", "5^3"))
    columns = ("board", "lines", "lines on which it sees a win", "other scans that win")
    return Section(
        "The game that the published program plays",
        "The program's scans double their step (u += u in line_check and line_energy): from a "
        "cell they look 1, 2, 4, 8, … steps ahead, and end where cell numbers end or at a cell on "
        "the far side of an axis. With three cells a side that is a line. With more it is not: a "
        "scan leaves its row and runs on in others, and a full row of 4^2 is no win, as the scan "
        "asks for exactly four stones at steps 0, 1, 2, 4. So what the report says of 4^2, 5^2, "
        "6^2, 4^3 and 5^3 is about other games than the boards named, and is no evidence on "
        "them. In three dimensions the energy also leaves out the diagonals within inner layers."
        "\n\n"
        "Here the program's game is played again by its text: its wins, its energy, its choice "
        "among equals, a bias of 0.647 for the first and 0.8 for the second player, and a win on "
        "the last free cell as a draw. Its printed figures come out of it. The one difference is "
        "that energies that are equal but for rounding are equal here.",
        (
            Table("known-lines", "Lines of a board, and what the program sees", columns, rows),
            compared("program-matches", "Published matches in the program's own game", found),
        ),
    )  # fmt: skip


@dataclass(frozen=True)
class _Swept:
    """A published sweep."""

    game: str
    step: tuple[float, float]
    games: tuple[int, int]
    degree: int

    def seed(self, seed: int, number: int) -> int:
        """Seed of one value; games of different values must not be the same ones."""
        return seed + 1_000_003 * (number + 1)


_SWEEPS = (
    _Swept("3^2", (0.02, 0.001), (500, 1000), 2),
    _Swept("4^2", (0.05, 0.01), (200, 1000), 1),
    _Swept("5^2", (0.05, 0.01), (200, 1000), 2),
    _Swept("6^2", (0.05, 0.01), (200, 1000), 2),
    _Swept("3^3", (0.05, 0.01), (200, 1000), 2),
    _Swept("4^3", (0.1, 0.1), (20, 200), 1),
)
"""Reduced and full steps and games of the sweeps, and the degree of the published fit."""


def program_sweeps(bench: Bench) -> Section:
    """Return the section on sweeps of the bias in the program's game."""
    swept = {one.game: _sweep(bench, one) for one in _SWEEPS}
    return Section(
        "The bias in the program's game",
        "Random moves first, Ising second with b from 0 to 1, and the games Ising loses are "
        "counted. Curves are straight least-squares fits of the published degree, unweighted as "
        "there; the interval of a minimum is that of fits to 1,000 samples drawn anew. The program "
        "notes each result under the next value of b (it writes step · (1 + i) for b = step · i), "
        "so its curves are moved to the right by one step.",
        (compared("program-bias", "What the report says of its sweeps", list(_said(swept))),),
        (
            Picture(
                "program-bias",
                "Games lost by Ising in the program's game, with fits of the published degree",
                lambda: program_sweeps_figure(list(swept.values())),
            ),
        ),
    )


def _sweep(bench: Bench, one: _Swept) -> ProgramSweep:
    step, games = one.step[bench.full], bench.size(*one.games)
    at = np.linspace(0, 1, round(1 / step) + 1)
    seeds = [one.seed(bench.seed, number) for number in range(len(at))]
    lost = program_losses(one.game, at.tolist(), seeds, games, **bench.means)
    return ProgramSweep(one.game, at, np.array(lost), games, one.degree, seeds[len(at) // 2])


def _minimum(swept: ProgramSweep, seed: int = 0) -> tuple[float, tuple[float, float]]:
    """Return where the fit is least, and the interval of that over samples drawn anew."""
    grid = np.linspace(0, 1, 1001)

    def least(shares: NDArray[np.float64]) -> float:
        return float(grid[np.argmin(np.polyval(np.polyfit(swept.at, shares, swept.degree), grid))])

    rng = np.random.default_rng(seed)
    # Half a game is added, so that values without a loss vary as well.
    chances = (swept.lost + 0.5) / (swept.games + 1)
    drawn = [least(rng.binomial(swept.games, chances) / swept.games) for _ in range(1000)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return least(swept.lost / swept.games), (round(float(low), 3), round(float(high), 3))


def _said(swept: dict[str, ProgramSweep]) -> Iterator[Finding]:
    beyond = swept["3^2"].at >= 0.4
    lost = int(swept["3^2"].lost[beyond].sum())
    games = swept["3^2"].games * int(beyond.sum())
    yield share("3^2: lost for b ≥ 0.4, mean %", (0.6, 601_000), (lost, games), _of(swept["3^2"]))
    yield _minimum_finding("3^2: minimum of a fit of degree 2", 0.647, swept["3^2"])
    yield _minimum_finding(
        "4^2: minimum of the fit of degree 1", 0.64, swept["4^2"],
        "A straight line is least at an end, so 0.64 is no minimum of the fit that is shown.",
    )  # fmt: skip
    yield _minimum_finding(
        "3^3: minimum of a fit of degree 2 (“not far from”)", 0.647, swept["3^3"]
    )
    plane, cube = swept["5^2"], swept["4^3"]
    yield share("5^2: lost, mean % (“approximately”)", (13.0, 10_100), plane.total, _of(plane))
    without = int((plane.lost == 0).sum())
    yield Finding(
        "5^2: values of b without a loss", 0, without, plane.total[1], None, without == 0,
        _of(plane),
    )  # fmt: skip
    yield _ratio(swept["6^2"], plane)
    yield share("4^3: lost, mean %", (0.0, 110), cube.total, _of(cube))


def _ratio(larger: ProgramSweep, smaller: ProgramSweep) -> Finding:
    """The losses on 6^2 over those on 5^2, with the interval of a ratio of two shares."""
    (a, m), (b, n) = larger.total, smaller.total
    ratio = (a / m) / (b / n)
    half = 1.96 * float(np.sqrt(1 / max(a, 1) - 1 / m + 1 / max(b, 1) - 1 / n))
    ends = round(ratio * float(np.exp(-half)), 3), round(ratio * float(np.exp(half)), 3)
    return Finding(
        "6^2: losses over those on 5^2", "less than 0.5", round(ratio, 3), m, ends, ends[1] < 0.5,
        _of(larger),
    )  # fmt: skip


def _minimum_finding(
    quantity: str, published: float, swept: ProgramSweep, remark: str = ""
) -> Finding:
    value, (low, high) = _minimum(swept)
    games = swept.total[1]
    agrees = None if remark else low <= published <= high
    return Finding(
        quantity, published, round(value, 3), games, (low, high), agrees, _of(swept), remark
    )


def _of(one: ProgramSweep) -> str:
    """The command of the middle value of b; each has a seed of its own."""
    return program_command(
        one.game, ("random", float(one.at[len(one.at) // 2])), one.games, one.seed
    )
