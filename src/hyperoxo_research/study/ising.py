"""The report on a C++ library for tic-tac-toe of any dimension, and its Ising agent.

Its program reads the energy by a scan, counts a win on the last free cell as a draw, and gives its
second Ising player a bias of 0.8; all that is taken up here where its printed figures are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from hyperoxo.lab.tournament import TournamentResult
from hyperoxo_research.study.ising_boards import boards, sweeps
from hyperoxo_research.study.ising_directions import cells_to_lines, directions
from hyperoxo_research.study.ising_exact import exactly
from hyperoxo_research.study.ising_figures import (
    Pairing,
    pairings_figure,
    polar_figure,
    times_figure,
)
from hyperoxo_research.study.ising_matches import as_the_program, deeper, higher, long_matches
from hyperoxo_research.study.ising_network import network
from hyperoxo_research.study.ising_sweeps import program_sweeps
from hyperoxo_research.study.parts import (
    RESULTS,
    Bench,
    Finding,
    Picture,
    Section,
    Study,
    Table,
    compared,
    shares,
)

_NAMES = ("random", "MiniMax", "Ising")
_FIRST = ("random", "minimax:ties=lowest", "ising:reading=scan")
_SECOND = ("random", "minimax:ties=lowest", "ising:bias=0.8,reading=scan")
"""The agents as the published program has them, on the first seat and on the second."""

WINS = ((34, 0, 0), (100, 0, 0), (99, 0, 52))
DRAWS = ((41, 16, 12), (0, 100, 100), (1, 100, 48))
LOSSES = ((41, 16, 12), (0, 0, 0), (0, 0, 0))
"""Published wins, draws and losses of the first player (row) against the second, of 100 games."""

_SECONDS = {(0, 2): 0.05, (0, 1): 3.375}
"""Published times of a game."""

_IMPOSSIBLE = (
    "Printed wins, draws and losses sum to {total} of 100 games: the losses repeat the draws."
)


def _pairings(bench: Bench) -> Section:
    games = bench.size(500, 10_000)
    rules, command = bench.tournament("3^2", ("random", "minimax:ties=lowest", "ising"), games)
    found, counts = _pairs(bench, games)
    pairings = {
        places: Pairing(
            (WINS[places[0]][places[1]], DRAWS[places[0]][places[1]], LOSSES[places[0]][places[1]]),
            counts[places],
            _seconds(rules)[places],
            _SECONDS.get(places),
        )
        for places in counts
    }
    return Section(
        "The nine ordered pairings on 3^2",
        "The report lets random, MiniMax and Ising play 100 games in each of the nine ordered "
        "pairings. Compared is what its program plays and counts: the scan reading of the energy, "
        "a bias of 0.647 for the first player and 0.8 for the second, and a win on the last free "
        "cell as a draw. The second table has Ising with the energy of the formula and a bias of "
        "0.647 on both seats, and counts by the rules.\n\nMiniMax is played with ties going to "
        "the lowest cell, as the published search keeps the first best move it finds.\n\nThe "
        "report draws a circle for each first player, with wins, draws, losses and seconds as "
        "four directions. They are redrawn below, its figures above ours. As it says itself, such "
        "figures degenerate: most of its values are 0 or 100, and what lies on top of each other "
        "cannot be read. So the same figures follow as bars.",
        compared("pairings", "Games of the first player, of 100", found, where="6.1, the tables"),
        _by_rules(rules, command),
        _times(rules, command),
        compared(
            "time-ratios",
            "What the report says of the times",
            [*_ratios_of_ours(rules, command), *_published_ratios(bench)],
            where="5.1",
        ),
        Picture(
            "polar",
            "The pairings as the report draws them. Where it prints no time, 0 is drawn",
            lambda: polar_figure(pairings, _NAMES),
        ),
        Picture(
            "pairings",
            "The same as bars: ours, counted as the report counts, with intervals of 95 %",
            lambda: pairings_figure(pairings, _NAMES),
        ),
        Picture("times", "Time of a game", lambda: times_figure(pairings, _NAMES)),
    )


def _pairs(
    bench: Bench, games: int
) -> tuple[list[Finding], dict[tuple[int, int], tuple[int, int, int]]]:
    """Play the pairings as the report's program does; return findings and our counts."""
    found: list[Finding] = []
    counts = {}
    for first, second in product(range(3), repeat=2):
        agents = (_FIRST[first], _SECOND[second])
        result, command = bench.match("3^2", agents, games, scoring="report")
        counts[first, second] = result.counts
        printed = [table[first][second] for table in (WINS, DRAWS, LOSSES)]
        quantity = f"{_NAMES[first]} – {_NAMES[second]}: % {{}}"
        found += (
            replace(one, place=(f"% {what}, first player", _NAMES[first], f"– {_NAMES[second]}"))
            for what, one in zip(
                RESULTS, shares(quantity, printed, 100, result.counts, command), strict=True
            )
        )
        if sum(printed) != 100:
            # What cannot be right cannot agree, even if the number is near.
            wrong = _IMPOSSIBLE.format(total=sum(printed))
            found[-1] = replace(found[-1], agrees=None, remark=wrong)
    return found, counts


def _by_rules(result: TournamentResult, command: str) -> Table:
    rows = tuple(
        (
            _NAMES[row.places[0]],
            _NAMES[row.places[1]],
            row.tally.games,
            100 * row.tally.wins[0] / row.tally.games,
            100 * row.tally.draws / row.tally.games,
            100 * row.tally.losses(1) / row.tally.games,
            command,
        )
        for row in result.table
    )
    columns = ("first", "second", "games", "% won", "% drawn", "% lost", "command")
    return Table("pairings-by-rules", "The same by the rules of the game", columns, rows)


def _seconds(result: TournamentResult) -> dict[tuple[int, ...], float]:
    return {row.places: row.tally.seconds / row.tally.games for row in result.table}


def _times(result: TournamentResult, command: str) -> Table:
    rows = tuple(
        (
            f"{_NAMES[row.places[0]]} – {_NAMES[row.places[1]]}",
            1000 * _SECONDS[row.places] if row.places in _SECONDS else None,
            1000 * row.tally.seconds / row.tally.games,
            row.tally.games,
            command,
        )
        for row in result.table
    )
    return Table(
        "times",
        "Time of a game, milliseconds",
        ("pairing", "published", "ours", "games", "command"),
        rows,
        "The report measured its C++ program on a 1.3 GHz laptop, and gives these two times in its "
        "text; ours are those of this run. Our MiniMax remembers the positions it has searched in "
        "earlier games, so these are means over games of which the first take longest.",
    )


_SAVED: tuple[tuple[str, float | str, tuple[int, int], tuple[int, int]], ...] = (
    ("as second player, random first", 98.51, (0, 2), (0, 1)),
    ("as first player, random second", 99.976, (2, 0), (1, 0)),
    ("as second player, MiniMax first", "about a third", (1, 2), (1, 1)),
)
"""Savings of time by Ising over MiniMax as published, and the pairings of both."""


def _ratios(
    quantity: str,
    times: Mapping[tuple[int, ...], float],
    games: int,
    command: str,
    remarks: Sequence[str],
) -> list[Finding]:
    """The report's savings of time; ours depend on the machine and on compiled or plain loops."""
    return [
        Finding(
            quantity.format(what), printed, round(100 * (1 - times[ising] / times[minimax]), 3),
            games, None, None, command, f"Times of one run on one machine{remark}",
        )
        for (what, printed, ising, minimax), remark in zip(_SAVED, remarks, strict=True)
    ]  # fmt: skip


def _ratios_of_ours(result: TournamentResult, command: str) -> list[Finding]:
    unsure = ", so neither interval nor verdict is given."
    again = " Two MiniMax play one game over and over, all of it remembered."
    games = result.table[0].tally.games
    quantity = "saved by Ising over MiniMax {}, %"
    remarks = (unsure, unsure, unsure + again)
    return _ratios(quantity, _seconds(result), games, command, remarks)


def _published_ratios(bench: Bench) -> list[Finding]:
    """The savings of time over the MiniMax of the report, which remembers nothing."""
    games = bench.size(10, 100)
    agents = ("random", "minimax:reading=published", "ising:reading=scan")
    seconds: dict[tuple[int, ...], float] = {}
    for pair in ((0, 1), (0, 2), (1, 0), (2, 0), (1, 1), (1, 2)):
        result, command = bench.match("3^2", [agents[seat] for seat in pair], games)
        seconds[pair] = result.seconds / games
    kept = "; the search keeps nothing (reading=published)."
    quantity = "published MiniMax: saved by Ising {}, %"
    return _ratios(quantity, seconds, games, command, [kept] * 3)


def _sections(bench: Bench) -> Iterator[Section]:
    yield _pairings(bench)
    yield from long_matches(bench)
    yield deeper(bench)
    yield exactly()
    yield as_the_program(bench)
    yield program_sweeps(bench)
    yield sweeps(bench)
    yield higher(bench)
    yield boards(bench)
    yield network()
    yield directions()
    yield cells_to_lines()


STUDY = Study(
    "ising",
    "The Ising agent",
    "A report on a C++ library for tic-tac-toe on boards of any size and dimension "
    "(github.com/Rao-mi/Tic_Tac_Toe) proposes an agent that minimises an energy modelled on that "
    "of Ising spins, without looking ahead, and compares it with random play and with MiniMax. Its "
    "tables and figures are measured again here.",
    _sections,
)
