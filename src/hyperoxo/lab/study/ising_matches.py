"""Long matches of the report, and matches on larger boards, by the rules of the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.study.ising_program import program_command, program_games
from hyperoxo.lab.study.parts import Bench, Finding, Section, compared, share

RESULTS = ("won", "drawn", "lost")


def counted(result: MatchResult, what: str) -> int:
    """Return the games the first player won, drew or lost."""
    return {"won": result.wins[0], "drawn": result.draws, "lost": result.wins[1]}[what]


def _variants() -> Iterator[tuple[str, str]]:
    """Yield how the second player may be meant, and his spec."""
    for reading, bias in product(("formula", "scan"), ("0.647", "0.8")):
        yield f"{reading}, b = {bias}", f"ising:bias={bias},reading={reading}"


def long_matches(bench: Bench) -> Iterator[Section]:
    """Yield the sections on 10,000 games of random against Ising, and 1,000 against MiniMax."""
    games = 10_000
    printed = {"won": 0.42, "drawn": 13.81, "lost": 85.77}
    found = []
    for (how, spec), scoring in product(_variants(), ("rules", "report")):
        result, command = bench.match("3^2", ["random", spec], games, scoring=scoring)
        found += [
            share(
                f"{how}, scoring by {scoring}: random {what}, %",
                (printed[what], games),
                (counted(result, what), games),
                command,
            )
            for what in RESULTS
        ]
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
    theirs = {"won": 0.0, "drawn": 21.5, "lost": 78.5}
    agents = ["random", "minimax:ties=lowest"]
    games = 1000
    result, command = bench.match("3^2", agents, games, scoring="report")
    findings = [
        share(f"random {what}, %", (theirs[what], 1000), (counted(result, what), games), command)
        for what in RESULTS
    ]
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
        finding
        for game, first, few, many, printed, remark in _PRINTED
        for how, games, counts, command in _played(bench, game, first, few, many)
        for finding in _compared(game, f"{first} – Ising ({how})", games, counts, printed, command,
                                 remark)
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


_Counts = tuple[int, int, int]


def _played(
    bench: Bench, game: str, first: str, few: int, many: int
) -> Iterator[tuple[str, int, _Counts, str]]:
    """Yield how the second player was meant, games, results and command."""
    games = bench.size(few, many)
    for how, second in _variants():
        ours = first + (":reading=scan" if first == "ising" and "scan" in how else "")
        result, command = bench.match(game, [ours, second], games, scoring="report")
        yield how, games, (result.wins[0], result.draws, result.wins[1]), command
    games = bench.size(*_SLOW.get(game, (few, many)))
    players = ("random" if first == "random" else 0.647, 0.8)
    played = program_games(game, *players, games, bench.seed, wins="rules", **bench.means)
    command = program_command(game, players, games, bench.seed, wins="rules")
    yield "doubled, b = 0.8", games, (played.wins[0], played.draws, played.wins[1]), command


def _compared(
    game: str,
    who: str,
    games: int,
    counts: _Counts,
    printed: tuple[float | None, ...],
    command: str,
    remark: str,
) -> Iterator[Finding]:
    for what, count, theirs in zip(RESULTS, counts, printed, strict=True):
        published = None if theirs is None else (theirs, _PRINTED_GAMES[game])
        quantity = f"{game}, {who}: first player {what}, %"
        one = share(quantity, published, (count, games), command, remark if published else "")
        # A figure of another game neither agrees nor disagrees.
        yield replace(one, agrees=None) if one.remark else one
