"""The report on a C++ library for tic-tac-toe of any dimension, and its Ising agent.

Its program computes the energy by a scan, counts a win on the last free cell as a draw, and gives
its second Ising player a bias of 0.8; comparisons with its printed figures do the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.tournament import TournamentResult
from hyperoxo_research.study.ising_boards import boards, sweeps
from hyperoxo_research.study.ising_exact import exactly
from hyperoxo_research.study.ising_figures import (
    Pairing,
    pairings_figure,
    polar_figure,
    times_figure,
)
from hyperoxo_research.study.ising_network import cells_to_lines, directions, network
from hyperoxo_research.study.ising_program import known_lines, program_games
from hyperoxo_research.study.ising_sweeps import program_sweeps
from hyperoxo_research.study.parts import (
    RESULTS,
    Bench,
    Cell,
    Finding,
    Picture,
    Section,
    Study,
    Table,
    compared,
    shares,
)

_MEANT = "scan, b = 0.8"
"""The second player of the published program."""


def _variants() -> Iterator[tuple[str, str]]:
    """Yield the readings of the second player, each with its spec."""
    for reading, bias in product(("formula", "scan"), ("0.647", "0.8")):
        yield f"{reading}, b = {bias}", f"ising:bias={bias},reading={reading}"


def long_matches(bench: Bench) -> Iterator[Section]:
    """Yield the sections on 10,000 games of random against Ising, and 1,000 against MiniMax."""
    games = 10_000
    found: list[Finding] = []
    for (how, spec), scoring in product(_variants(), ("rules", "report")):
        result, command = bench.match("3^2", ["random", spec], games, scoring=scoring)
        quantity = f"{how}, scoring by {scoring}: random {{}}, %"
        found += (
            replace(one, tried=how != _MEANT)
            for one in shares(quantity, (0.42, 13.81, 85.77), games, result.counts, command)
        )
    yield Section(
        "10,000 games of random against Ising",
        "Ising moves second. The report has one row of figures; ours are given for both readings "
        "of its energy, for the bias it names and the one its program uses for the second player, "
        "and for both ways to count a win on the last free cell (--scoring report counts it as a "
        "draw). The printed row is that of the scan with b = 0.8. The scoring makes no difference "
        "here: Ising moves second and never fills the last cell, and random never wins with it. "
        "With steps that double (ising:reading=doubled) the energy on 3^2 is that of the scan.",
        compared(
            "random-ising", "Random first, Ising second, on 3^2", found, where="5.1, last text"
        ),
    )
    yield _minimax_match(bench)


def _minimax_match(bench: Bench) -> Section:
    agents = ["random", "minimax:ties=lowest"]
    result, command = bench.match("3^2", agents, 1000, scoring="report")
    findings = shares("random {}, %", (0.0, 21.5, 78.5), 1000, result.counts, command)
    return Section(
        "1,000 games of random against MiniMax",
        "",
        compared(
            "random-minimax",
            "Random first, MiniMax second, on 3^2",
            findings,
            where="5.1, last text",
        ),
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
        _marked(finding, remark)
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
        compared("dimensions", "Matches on larger boards", found, where="5.3"),
    )


def _marked(finding: Finding, remark: str) -> Finding:
    """Mark a finding as a tried reading; a figure of another game gets no verdict."""
    if remark and finding.published:
        finding = replace(finding, agrees=None, remark=remark)
    return replace(finding, tried=True)


def _played(
    bench: Bench, game: str, first: str, few: int, many: int
) -> Iterator[tuple[str, tuple[int, int, int], str]]:
    """Yield the reading of the second player, results and command."""
    games = bench.size(few, many)
    for how, second in _variants():
        ours = first + (":reading=scan" if first == "ising" and "scan" in how else "")
        result, command = bench.match(game, [ours, second], games, scoring="report")
        yield how, result.counts, command
    games = bench.size(*_SLOW.get(game, (few, many)))
    players = ("random" if first == "random" else 0.647, 0.8)
    played, command = bench.played(program_games, game, *players, games, wins="rules")
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
        result, command = bench.played(program_games, game, first, 0.8, games)
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
        "scan leaves its row and runs on in others, and a full row of 4^2 is not a win, as the "
        "scan asks for exactly four stones at steps 0, 1, 2, 4. So what the report says of 4^2, "
        "5^2, 6^2, 4^3 and 5^3 is about other games than the boards named, and is not evidence on "
        "them. In three dimensions the energy also leaves out the diagonals within inner "
        "layers.\n\nHere the program's game is played again by its text: its wins, its energy, "
        "its choice among equals, a bias of 0.647 for the first and 0.8 for the second player, "
        "and a win on the last free cell as a draw. Its printed figures come out of it. The one "
        "difference is that energies that are equal up to rounding are equal here.",
        Table("known-lines", "Lines of a board, and what the program sees", columns, rows),
        compared(
            "program-matches", "Published matches in the program's own game", found,
            where="5.1 and 5.3",
        ),
    )  # fmt: skip


_DEEPER = ("ising", *(f"minimax:depth={depth},heuristic=ising" for depth in (1, 2, 3)))


def deeper(bench: Bench) -> Section:
    """Return the section on minimax a few plies deep with the Ising energy at its leaves."""
    games = bench.size(1000, 10_000)
    rows: list[tuple[Cell, ...]] = []
    for game, spec in product(("3^2", "3^3"), _DEEPER):
        result, command = bench.match(game, ["random", spec], games)
        counts = (result.wins[1], result.draws, result.wins[0])
        low, high = wilson_interval(counts[2], games)
        rows.append(
            (
                game, spec, *(100 * count / games for count in counts), 100 * low, 100 * high,
                1000 * result.seconds / games, games, command,
            )
        )  # fmt: skip
    columns = (
        "board", "second player", "wins, %", "draws, %", "loses, %", "low, %", "high, %",
        "ms a game", "games", "command",
    )  # fmt: skip
    return Section(
        "Ising a few plies deeper",
        "The report says that looking a few levels ahead would make Ising slower and even more "
        "effective, and leaves it open. Here minimax of one to three plies values the leaves by "
        "the energy of the formula, own less the rival's, and moves second against random. Games "
        "are counted by the rules; low and high are the 95 % interval of the games lost.",
        Table("deeper", "Ising energy at the leaves of minimax", columns, tuple(rows)),
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
    # 1. Games by the rules, and as the published program plays and counts them.
    agents = ["random", "minimax:ties=lowest", "ising"]
    rules, command = bench.play("tournament", "3^2", agents=agents, games=games)
    found, counts = _pairs(bench, games)
    # 2. Published figures and ours by pairing, for the pictures.
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
            # A misprint cannot agree, even if the number is near.
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
    """Return the report's savings of time beside ours, which depend on the machine."""
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
    """Return the savings of time over the report's MiniMax, which has no transposition table."""
    games = bench.size(10, 100)
    agents = ("random", "minimax:reading=published", "ising:reading=scan")
    seconds: dict[tuple[int, ...], float] = {}
    for pair in ((0, 1), (0, 2), (1, 0), (2, 0), (1, 1), (1, 2)):
        result, command = bench.match("3^2", [agents[seat] for seat in pair], games)
        seconds[pair] = result.seconds / games
    remark = "; the search keeps nothing (reading=published)."
    quantity = "published MiniMax: saved by Ising {}, %"
    return _ratios(quantity, seconds, games, command, [remark] * 3)


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
