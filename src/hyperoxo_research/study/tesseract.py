"""The essay on the tesseract game: four dimensions, no centre, the first to nine lines wins."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents import Agent, agent
from hyperoxo.game import Game
from hyperoxo.intervals import wilson_interval
from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.pictures.tree import draw_line
from hyperoxo.lab.plots.style import COLOURS, Figure, new_figure, styled
from hyperoxo.notation.tesseract import quote, read_tesseract, write_tesseract
from hyperoxo.task import ALONE, Task
from hyperoxo_research.draws.filling import few_lines, filling_bound
from hyperoxo_research.study.parts import (
    SURPRISING,
    Bench,
    Cell,
    Finding,
    Picture,
    Section,
    Study,
    Table,
    compared,
    drawing,
    exact,
    positions,
    share,
)

GAME = "3^4:blocked=centre,target=9"
WEIGHTS = {1: Fraction(32, 7), 2: Fraction(4), 3: Fraction(4), 4: Fraction(4)}
"""Weight of a cell by the number of its coordinates that are off the centre."""

_CHUNK = 2000


def cell_types(game: Game) -> dict[int, int]:
    """Return the number of off-centre coordinates of each playable cell."""
    board = game.board
    return {
        int(cell): sum(at != 1 for at in board.coordinates(int(cell))) for cell in board.playable
    }


def fewest_lines() -> Fraction:
    """Return a proved lower bound on lines of one colour in two-colourings of the tesseract."""
    game = Game(GAME)
    types = cell_types(game)
    return filling_bound(game.board, {cell: WEIGHTS[off] for cell, off in types.items()})


def random_fillings(players: int, fillings: int, seed: int = 0) -> NDArray[np.int64]:
    """Count the lines of each player when the board is filled at random, all taking turns."""
    board = Game(GAME).board
    rng = np.random.default_rng(seed)
    turns = (np.arange(len(board.playable)) % players + 1).astype(np.int8)
    found = []
    for start in range(0, fillings, _CHUNK):
        games = min(_CHUNK, fillings - start)
        owners = np.zeros((games, board.cell_count), dtype=np.int8)
        owners[:, board.playable] = rng.permuted(np.tile(turns, (games, 1)), axis=1)
        # ``[games, lines, 3]``; then the owner of each full line or 0, ``[games, lines]``.
        stones = owners[:, board.lines]
        full = (stones == stones[:, :, :1]).all(axis=2) * stones[:, :, 0]
        found.append(np.stack([(full == p + 1).sum(axis=1) for p in range(players)], axis=1))
    return np.concatenate(found)


def final_lines(
    game: Game,
    agents: Sequence[Agent],
    games: int,
    seed: int = 0,
    task: Task = ALONE,
) -> NDArray[np.int64]:
    """Play games and count the lines of each player at their end."""
    lines = np.zeros((games, game.players), dtype=np.int64)
    for number, position in positions(game, agents, games, seed, task):
        if position.is_over:
            lines[number] = [len(position.owned_lines(p + 1)) for p in range(game.players)]
    return lines


@styled()
def lines_figure(counts: Mapping[str, NDArray[np.int64]]) -> Figure:
    """Draw the distribution of the loser's lines, a colour an agent."""
    figure, axes = new_figure()
    width = 0.8 / len(counts)
    most = max(int(lines.max()) for lines in counts.values())
    for number, ((name, lines), colour) in enumerate(
        zip(counts.items(), COLOURS.values(), strict=False)
    ):
        shares = 100 * np.bincount(lines, minlength=most + 1) / len(lines)
        at = np.arange(most + 1) + (number - (len(counts) - 1) / 2) * width
        axes.bar(at, shares, width, color=colour, label=name)
    axes.set(xlabel="lines of the player who lost", ylabel="games, %")
    axes.set_title("Lines of the loser at the end")
    axes.set_xticks(range(most + 1))
    axes.legend()
    return figure


TARGET = 9
_SEARCH, _PLAYOUTS = "minimax:depth=2", "mcts:simulations=200"
_GAMES: dict[str, tuple[tuple[int, int], ...]] = {
    "random": ((20_000, 1_000_000),) * 3,
    "greedy": ((5000, 100_000),) * 3,
    _SEARCH: ((60, 2000), (6, 500), (6, 300)),
    _PLAYOUTS: ((40, 2000), (30, 2000), (20, 1000)),
}
"""Agents, with the games of reduced and of full samples for two, three and four players."""


def _spec(players: int) -> str:
    return GAME if players == 2 else f"{GAME},players={players}"


def _counted(bench: Bench) -> Iterator[Section]:
    lines = Game(GAME).board.line_count
    drawn, command = bench.match("3^2", ["random", "random"], bench.size(20_000, 1_000_000))
    chance = share("3^2, random play: drawn, %", None, (drawn.draws, drawn.games), command)
    four, again = bench.match(GAME, ["random", "random"], bench.size(20_000, 1_000_000))
    none = share("tesseract, random play: drawn, %", None, (four.draws, four.games), again)
    rule = Finding(
        "draws are rarer in four dimensions than in two", "yes", "yes" if none.ours == 0 else "no",
        agrees=four.draws * drawn.games < drawn.draws * four.games,
        remark="Two players never draw; see the next section.",
    )  # fmt: skip
    yield Section(
        "What the essay counts",
        "",
        compared(
            "counts",
            "Counts",
            [
                exact("lines of 3^2", 8, Game("3^2").board.line_count),
                exact("lines of the tesseract without its centre", 232, lines,
                      command=f"oxo board '{GAME}'"),
                chance, none, rule,
            ],
            where="before the first heading",
        ),
    )  # fmt: skip


def _fillings(bench: Bench) -> Iterator[Section]:
    # 1. The proved bound with its weights, and a filling that is found.
    bound = fewest_lines()
    board = Game(GAME).board
    types = cell_types(Game(GAME))
    rows: list[tuple[Cell, ...]] = []
    for off, weight in WEIGHTS.items():
        cells = [cell for cell, kind in types.items() if kind == off]
        rows.append((off, len(cells), int(board.degrees[cells[0]]), str(weight)))
    found = few_lines(board, bench.size(8000, 200_000), bench.seed)
    certificate = Table(
        "certificate",
        "Weights that prove the bound",
        ("coordinates off the centre", "cells", "lines through each", "weight"),
        tuple(rows),
        f"They make the form semidefinite, checked in rational numbers, and sum up to "
        f"{sum(WEIGHTS[off] for off in types.values())}: every filling has at least {bound} lines "
        f"of one colour, hence {math.ceil(bound)}. A search by changing one cell after the other "
        f"found a filling with {found}; the least number is between the two.",
    )
    # 2. Random fillings: a draw needs no player at the target, and a tie for the most lines.
    fillings = bench.size(20_000, 1_000_000)
    chance = []
    for players in (2, 3, 4):
        counts = random_fillings(players, fillings, bench.seed)
        top = counts.max(axis=1)
        tied = (counts == top[:, None]).sum(axis=1) > 1
        short = top < TARGET
        mean = float(counts.sum(axis=1).mean())
        chance.append(
            (players, mean, int(counts.sum(axis=1).min()), 100 * float(short.mean()),
             100 * float((short & tied).mean()), fillings)
        )  # fmt: skip
    yield Section(
        "No draw between two",
        _PROOF.format(target=TARGET, bound=math.ceil(bound), half=TARGET * 2 - 1),
        certificate,
        Table(
            "fillings",
            "The board filled at random",
            ("players", "lines of one colour, mean", "least", "no player has nine, %",
             "of these tied: draws, %", "fillings"),
            tuple(chance),
            "On a full board on which no player has nine lines the most lines win, and a tie is a "
            "draw. So the share of draws is that of random play, which the next section "
            "counts in games.",
        ),
    )  # fmt: skip


def _games(bench: Bench) -> Iterator[Section]:
    rows: list[tuple[Cell, ...]] = []
    for players in (2, 3, 4):
        for name, sizes in _GAMES.items():
            games = bench.size(*sizes[players - 2])
            result, command = bench.match(_spec(players), [name] * players, games)
            rows.append((*_row(players, name, result), command))
    yield Section(
        "Equal players",
        "All seats are taken by the same agent. The first player's share is that of the games "
        "with a winner; the advantage is clear where its interval of 95 % lies above an equal "
        "share, and the interval says how little a few games tell.",
        Table("games", "Games of equal players", _HEADINGS, tuple(rows)),
    )


_HEADINGS = (
    "players", "agent", "games", "drawn, %", "low, %", "high, %", "moves", "1 wins, %",
    "2 wins, %", "3 wins, %", "4 wins, %", "first player's share, %", "share, low", "share, high",
    "equal share", "first-move advantage", "command",
)  # fmt: skip


def _row(players: int, name: str, result: MatchResult) -> tuple[Cell, ...]:
    games = result.games
    wins = [100 * won / games for won in result.wins] + [None] * (4 - players)
    drawn = (100 * end for end in wilson_interval(result.draws, games))
    decided = games - result.draws
    start: tuple[Cell, ...] = (players, name, games, 100 * result.draws / games, *drawn)
    fair = 100 / players
    if not decided:
        return (*start, result.plies, *wins, None, None, None, fair, "unknown")
    low, high = (100 * end for end in wilson_interval(result.wins[0], decided))
    said = "yes" if low > fair else "disadvantage" if high < fair else "not clear"
    return (
        *start, result.plies, *wins, 100 * result.wins[0] / decided, low, high, fair, said
    )  # fmt: skip


_PAIRS: tuple[tuple[str, str, int, int], ...] = (
    ("greedy", "random", 2000, 100_000),
    (_SEARCH, "greedy", 60, 2000),
    (_PLAYOUTS, "greedy", 60, 2000),
    (_PLAYOUTS, _SEARCH, 40, 2000),
)


def _strength(bench: Bench) -> Iterator[Section]:
    found = []
    for one, other, few, many in _PAIRS:
        games = bench.size(few, many)
        for first, second, what in ((one, other, "first"), (other, one, "second")):
            result, command = bench.match(GAME, [first, second], games)
            won = result.wins[0 if what == "first" else 1]
            quantity = f"{one} against {other}, moving {what}: wins, %"
            found.append(share(quantity, None, (won, games), command))
    yield Section(
        "Unequal players, two of them",
        "",
        compared("strength", "Games won", found),
    )
    yield _centre(bench)


_FREE = f"3^4:target={TARGET}"
_TAKEN = f"{_FREE},opening=40"
_CENTRE = ("random", "greedy", _PLAYOUTS)


def _centre(bench: Bench) -> Section:
    found, verdicts = [], []
    for name in _CENTRE:
        games = bench.size(2000, 100_000) if name != _PLAYOUTS else bench.size(60, 2000)
        won = {}
        for game, what in ((GAME, "blocked"), (_FREE, "free"), (_TAKEN, "taken first")):
            result, command = bench.match(game, [name, name], games)
            won[what] = result.wins[0], games
            quantity = f"{name}, centre {what}: first player wins, %"
            found.append(share(quantity, None, won[what], command))
        verdicts.append(_lead(name, won["taken first"], won["blocked"]))
    return Section(
        "The centre",
        "The essay takes the centre away because the player who has it leads by too much. It lies "
        "on 40 of the 272 lines. The share of games won by the first of two equal players "
        "shows whether it favours that player: with the centre blocked, free for all, and taken "
        "with the first move. The essay is right of play in which it is so much easier to win with "
        "the first move on the centre that chance cannot explain it, and wrong of play in which "
        "it is so much harder.",
        compared("centre", "With the centre and without", found),
        compared(
            "centre-verdict",
            "The lead of the centre: share of the first player who takes it, less the share "
            "with the centre blocked",
            verdicts,
            where="introduction",
        ),
    )


def _lead(name: str, taken: tuple[int, int], blocked: tuple[int, int]) -> Finding:
    """Compare the first player's wins with and without the centre by Fisher's exact test."""
    from scipy.stats import fisher_exact

    (won, games), (before, others) = taken, blocked
    with_it, without = won / games, before / others
    spread = 1.96 * math.sqrt(with_it * (1 - with_it) / games + without * (1 - without) / others)
    chance = fisher_exact([[won, games - won], [before, others - before]]).pvalue
    lead = with_it - without
    return Finding(
        f"{name}: points won by the centre", "too much of a lead", round(100 * lead, 1), games,
        (round(100 * (lead - spread), 1), round(100 * (lead + spread), 1)),
        None if chance >= SURPRISING else lead > 0,
        remark=f"Chance makes so great a difference with probability {chance:.2g}.",
    )  # fmt: skip


EXPORTED = (
    '{3, {0 -> "·", 1 -> "X", 2 -> "O", 3 -> "Y", 4 -> "Z"}, 9, '
    '"MAwGGFIaAjmZ1E9sy7ADB3uvc4zhXODRYEBgKuHvv7M3rHY2PRj"}'
)
"""The essay's example of an exported game."""

_READINGS = {
    "numbering": ("marker", "skip"),
    "moves": ("forward", "backward"),
    "cells": ("array", "picture"),
}


def _exported() -> Section:
    # 1. Read the string in each of the eight ways, and write it again.
    read = {
        chosen: read_tesseract(EXPORTED, **dict(zip(_READINGS, chosen, strict=True)))
        for chosen in product(*_READINGS.values())
    }
    same = [
        write_tesseract(record, **dict(zip(_READINGS, chosen, strict=True))) == EXPORTED
        for chosen, record in read.items()
    ]
    called = "NC4loadGame[" + quote(EXPORTED) + "]"
    first = next(iter(read.values()))
    command = "oxo convert game.tesseract -"
    findings = [
        exact("players", 3, first.game.players, command=command),
        exact("lines to win", TARGET, first.game.target),
        exact("icons, the fourth without a player", "X O Y Z", " ".join(first.icons)),
        exact("written again, the string is the same", "yes", "yes" if all(same) else "no",
              command="oxo convert game.tesseract - --to tesseract",
              remark=f"in {sum(same)} of {len(same)} readings"),
        exact("the call of NC4loadGame holds the same game", "yes",
              "yes" if read_tesseract(called) == first else "no"),
    ]  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    # 2. The position in each reading, and the last moves in the first of them.
    for chosen, record in read.items():
        here = record.position
        rows.append((*chosen, here.ply, *here.lines_owned, here.to_move, len(here.legal_moves)))
    start = first.positions()[-_LAST - 1]
    last = first.moves[-_LAST:]
    history = ", ".join(
        f"{cell} -> {first.icons[start.game.turns.mover(start.ply + at) - 1]}"
        for at, cell in enumerate(last)
    )
    return Section(
        "The export string and the example game",
        "The essay prints one exported game and not the code that writes it. The string does not "
        "settle how cells are numbered and in which order moves are written; under each of eight "
        f"readings it is a legal game that is not over. Under the first, History shows {history}.",
        compared("export", "The string", findings, where="export"),
        Table(
            "export-readings",
            "The example game, by reading",
            (*_READINGS, "moves played", "lines of X", "lines of O", "lines of Y", "to move",
             "legal moves"),
            tuple(rows),
        ),
        drawing(
            "example.svg",
            "The last moves of the example game, by the first reading",
            lambda: draw_line(start, last),
        ),
    )  # fmt: skip


_LAST = 3
"""Moves that the essay's History shows."""


_SAMPLES = {"random": (200, 20_000), "greedy": (100, 5000), _PLAYOUTS: (15, 500)}


def _lines(bench: Bench) -> Iterator[Section]:
    rows: list[tuple[Cell, ...]] = []
    shown = {}
    for players in (2, 3, 4):
        game = Game(_spec(players))
        for name, sizes in _SAMPLES.items():
            seated = [agent(name)] * players
            counts = final_lines(game, seated, bench.size(*sizes), bench.seed, bench.task)
            ranked = -np.sort(-counts, axis=1)
            if players == 2:
                shown[name] = ranked
            means = [float(mean) for mean in ranked.mean(axis=0)] + [None] * (4 - players)
            over = 100 * float((ranked[:, 0] > TARGET).mean())
            least = int(ranked[:, 1].min()), int(ranked[:, 1].max())
            rows.append((players, name, *means, int(ranked[:, 0].max()), over, *least, len(counts)))
    columns = (
        "players", "agent", "most lines, mean", "second, mean", "third, mean", "fourth, mean",
        "most lines, at most", "more than nine, %", "second, least", "second, most", "games",
    )  # fmt: skip
    yield Section(
        "Lines at the end",
        "Lines of the players when the game is over, from the most to the fewest. A stone may "
        "complete several lines at once, so that some games end with more than nine; with more "
        "than two players they may end on a full board with fewer.",
        Table("lines", "Lines at the end of games of equal players", columns, tuple(rows)),
        Picture(
            "lines",
            "Lines of the loser, by agent, two players",
            lambda: lines_figure({name: ranked[:, 1] for name, ranked in shown.items()}),
        ),
    )


_PROOF = (
    "Give the cells of a full board the values +1 and -1 by colour. A line of three cells a, b, c "
    "has ab + bc + ca = 3 if it is of one colour, and -1 otherwise. If m of the 232 lines are of "
    "one colour, the sum over all lines is 4m - 232, and half of x'Ax, where A counts the lines "
    "through each pair of cells. Weights D on the cells that make A + D positive semidefinite "
    "give x'Ax at least minus their sum, so that m is at least 58 less an eighth of it.\n\n"
    "So there are at least {bound} lines of one colour however the board is filled, and as many "
    "as {half} would do: one of two players has {target} of them. Hence two players cannot draw. "
    "One of them can force a win, then, and since a stone more never harms, it cannot be the "
    "second: the first player wins by strategy stealing. The theorem does not say how.\n\n"
    "The argument is of two colours. Three players or four can draw, and do."
)


def _sections(bench: Bench) -> Iterator[Section]:
    yield from _counted(bench)
    yield from _fillings(bench)
    yield from _games(bench)
    yield from _strength(bench)
    yield from _lines(bench)
    yield _exported()


STUDY = Study(
    "tesseract",
    "The tesseract game",
    "An essay on naughts and crosses on a tesseract, from a message board of Wolfram Language: "
    "rows of three in four dimensions, without the centre, the first to nine rows wins, for two "
    "players and more. It has rules and counts, and no results of play.",
    _sections,
)
