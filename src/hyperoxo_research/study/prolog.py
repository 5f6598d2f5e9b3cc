"""The report on a Prolog program that plays by minimax of fixed depth, on fields of any size.

Its heuristic 1 gives a stone as many points as there are lines through its cell, here `lines`;
heuristic 0 gives nothing, `none`; heuristics 2 and 3 are `neighbours` and `traps`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hyperoxo.agents import agent
from hyperoxo.agents.minimax import MinimaxAgent
from hyperoxo.game import Game
from hyperoxo.jit import working_time
from hyperoxo.lab.match import MatchResult
from hyperoxo.lab.plots.style import COLOURS, Figure, new_figure, styled
from hyperoxo.solvers.exact.minimax import maxstates
from hyperoxo.task import ALONE, Task
from hyperoxo_research.plots.growth import logarithmic
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
    positions,
    share,
)

_WIN = 10**6


@dataclass(frozen=True)
class Reading:
    """A reading of the report: the static evaluation, and a cut-off after a win."""

    last: bool
    stops: bool

    @property
    def words(self) -> str:
        """The reading in words."""
        worth = "the square moved to" if self.last else "own squares less the rival's"
        return f"{worth}; {'ends at a win' if self.stops else 'every move'}"


READINGS = tuple(Reading(last, stops) for last, stops in product((False, True), repeat=2))


class ReadSearch:
    """Games between two searches of fixed depth, under one reading of the report.

    The program was not published, and the report leaves two things open: the static evaluation by
    heuristic 1, and whether a search stops at a win. This is plain minimax with both as options.
    """

    def __init__(self, game: Game, depths: Sequence[int], reading: Reading) -> None:
        board = game.board
        self._depths, self._reading = depths, reading
        self._through = [
            [board.line(line).tolist() for line in board.lines_through(cell)]
            for cell in range(board.cell_count)
        ]
        self._worth = board.degrees.tolist()
        self._below = [-1] * board.cell_count if game.below is None else game.below.tolist()
        self._owners = [0] * board.cell_count
        self._nodes = 0

    def play(self, rng: np.random.Generator) -> tuple[int, tuple[int, int]]:
        """Play a game; return the winner, 0 for a draw, and the nodes of each player."""
        self._owners = [0] * len(self._owners)
        visited, player, winner = [0, 0], 1, 0
        while not winner and (moves := self._moves()):
            self._nodes = 0
            values: dict[int, int] = {}
            for cell in moves:
                values[cell] = self._value(cell, player, self._depths[player - 1])
                if self._reading.stops and values[cell] >= _WIN:
                    break
            visited[player - 1] += self._nodes
            most = max(values.values())
            best = [cell for cell, value in values.items() if value == most]
            cell = best[int(rng.integers(len(best)))]
            self._owners[cell] = player
            winner = player if self._wins(cell, player) else 0
            player = 3 - player
        return winner, (visited[0], visited[1])

    def _moves(self) -> list[int]:
        return [
            cell
            for cell, owner in enumerate(self._owners)
            if not owner and (self._below[cell] < 0 or self._owners[self._below[cell]])
        ]

    def _wins(self, cell: int, player: int) -> bool:
        return any(all(self._owners[at] == player for at in line) for line in self._through[cell])

    def _value(self, cell: int, player: int, depth: int) -> int:
        """Return the negamax value of a move to its player; nearer wins are greater."""
        # `depth` counts down to 1 at the deepest move, so a win adds the plies that are left. Moves
        # are made and undone in place, without a table, as the report counts positions.
        self._nodes += 1
        self._owners[cell] = player
        if self._wins(cell, player):
            value = _WIN + depth
        elif depth == 1 or not (moves := self._moves()):
            value = self._static(cell, player)
        else:
            value = -_WIN * 2
            for reply in moves:
                value = max(value, self._value(reply, 3 - player, depth - 1))
                if self._reading.stops and value >= _WIN:
                    break
            value = -value
        self._owners[cell] = 0
        return value

    def _static(self, cell: int, player: int) -> int:
        if self._reading.last:
            return int(self._worth[cell])
        return sum(
            self._worth[at] if owner == player else -self._worth[at]
            for at, owner in enumerate(self._owners)
            if owner
        )


_DRAWS = 20_000


def visited(
    game: Game,
    players: tuple[MinimaxAgent, MinimaxAgent],
    games: int,
    seed: int = 0,
    task: Task = ALONE,
) -> NDArray[np.int64]:
    """Return the nodes of each player's searches in whole games, ``[games, 2]``."""
    counts = np.zeros((games, 2), dtype=np.int64)
    for number, position in positions(game, players, games, seed, task):
        if not position.is_over:
            seat = position.to_move - 1
            counts[number, seat] += players[seat].search(position).nodes
    return counts


def most_visited(squares: int, depth: int, seat: int = 1) -> int:
    """Return an upper bound on the nodes of one player's searches in a game."""
    # With `free` cells left there are free! / (free - k)! sequences of k moves.
    return sum(
        math.perm(free, plies)
        for free in range(squares + 1 - seat, 0, -2)
        for plies in range(1, depth + 1)
    )


def five_games(
    quantity: str, published: int | None, counts: NDArray[np.int64], remark: str = ""
) -> Finding:
    """Compare a published total of five games with five times our mean."""
    # The verdict is by a bootstrap of sums of five games: a single total is far from normal.
    mean = 5 * float(counts.mean())
    error = 5 * 1.96 * float(counts.std(ddof=1)) / math.sqrt(len(counts))
    agrees = None
    if published is not None:
        totals = np.random.default_rng(0).choice(counts, size=(_DRAWS, 5)).sum(axis=1)
        rarer = min((totals <= published).mean(), (totals >= published).mean())
        agrees = bool(2 * rarer >= SURPRISING)
    interval = (round(mean - error, 1), round(mean + error, 1))
    return Finding(
        quantity, published, round(mean, 1), len(counts), interval, agrees, remark=remark
    )


@styled()
def states_figure(rows: Sequence[tuple[Any, ...]]) -> Figure:
    """Draw positions visited by depth, a colour a board, with `maxstates` as crosses."""
    figure, axes = new_figure()
    games = dict.fromkeys(str(row[0]) for row in rows)
    for colour, game in zip(COLOURS.values(), games, strict=False):
        own = [row for row in rows if row[0] == game]
        depths = [float(row[1]) for row in own]
        axes.plot(
            depths, [float(row[4]) for row in own], "o-", color=colour, label=game, markersize=4
        )
        axes.plot(
            depths, [float(row[2]) for row in own], "x", color=colour, markersize=10,
            markeredgewidth=1.8, zorder=3,
        )  # fmt: skip
        axes.plot(depths, [float(row[6]) for row in own], "o:", color=colour, markersize=3)
    axes.plot([], [], "x", color="black", label="maxstates")
    axes.plot([], [], ":", color="black", label="with pruning")
    axes.set(xlabel="depth, plies", ylabel="positions a game")
    drawn = [float(row[place]) for row in rows for place in (2, 4, 6)]
    logarithmic(axes.yaxis, min(drawn), max(drawn))
    axes.set_xticks(range(1, 1 + max(int(row[1]) for row in rows)))
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


@dataclass(frozen=True)
class _Row:
    """A row of the published table: O moves first."""

    game: str
    depths: tuple[int, int]
    heuristic: int
    results: tuple[int, int, int]
    states: tuple[int, int] | None

    @property
    def label(self) -> str:
        first, second = self.depths
        return f"{self.game}, {first}/{self.heuristic} - {second}/{self.heuristic}"


_HEURISTICS = ("none", "lines", "neighbours", "traps")
TABLE = (
    _Row("3^2", (2, 2), 1, (0, 0, 5), (825, 600)),
    _Row("3^2", (1, 2), 1, (0, 5, 0), (105, 565)),
    _Row("3^2", (1, 1), 1, (0, 5, 0), (105, 90)),
    _Row("4^2", (2, 2), 1, (0, 0, 5), (4080, 3400)),
    _Row("4^2", (2, 3), 1, (0, 0, 5), (4080, 34292)),
    _Row("4^2", (2, 4), 1, (0, 0, 5), (4080, 341680)),
    _Row("4^2", (2, 2), 0, (1, 0, 4), (4053, 3380)),
    _Row("4^2", (2, 3), 0, (2, 0, 3), None),
    _Row("4^2", (2, 4), 0, (1, 1, 3), (4064, 342473)),
    _Row("3^3", (2, 2), 1, (5, 0, 0), (12882, 10280)),
    _Row("3^3", (2, 3), 1, (4, 1, 0), (13211, 224056)),
    _Row("4^3", (1, 2), 0, (3, 2, 0), (45651, 196902)),
    _Row("3^3:gravity", (2, 2), 1, (4, 1, 0), (1988, 1646)),
    _Row("3^3:gravity", (2, 3), 1, (2, 3, 0), (1769, 13206)),
)
"""The published table: board, depths of O and X, heuristic, games won by O, by X, drawn, states."""


_PLAYERS = "board, O - X"
"""Heading of the rows of the published table."""


def _spec(depth: int, heuristic: int) -> str:
    return f"minimax:depth={depth},heuristic={_HEURISTICS[heuristic]},prune=off"


def _agent(depth: int, heuristic: int, prune: str = "off") -> MinimaxAgent:
    return MinimaxAgent(depth=depth, heuristic=_HEURISTICS[heuristic], prune=prune)


def _published(bench: Bench) -> Iterator[Section]:
    games = bench.size(200, 10_000)
    found = []
    for row in TABLE:
        agents = [_spec(depth, row.heuristic) for depth in row.depths]
        result, command = bench.match(row.game, agents, games)
        counts = (result.wins[0], result.wins[1], result.draws)
        for what, theirs, ours in zip(("O wins", "X wins", "drawn"), row.results, counts,
                                      strict=True):  # fmt: skip
            place = (_PLAYERS, row.label, f"{what}, %")
            quantity = f"{row.label}: {what}, %"
            found.append(share(quantity, (20 * theirs, 5), (ours, games), command, place=place))
    yield Section(
        "The table: results",
        _RESULTS,
        compared(
            "results",
            "Games won by O, who moves first, won by X, and drawn",
            found,
            where="4, the table",
        ),
    )
    yield _states(bench)


def _states(bench: Bench) -> Section:
    games = bench.size(50, 1000)
    found: list[Finding] = []
    for row in TABLE:
        first, second = row.depths
        agents = (_agent(first, row.heuristic), _agent(second, row.heuristic))
        counts = visited(Game(row.game), agents, games, bench.seed, bench.task)
        for seat, player in enumerate("OX"):
            theirs = None if row.states is None else row.states[seat]
            remark = "" if theirs is not None else "The report leaves this empty."
            most = 5 * most_visited(Game(row.game).cells, row.depths[seat], seat + 1)
            if theirs is not None and theirs > most:
                remark = (
                    f"Cannot be right: five games at depth {row.depths[seat]} visit at most "
                    f"{most:,} positions, even if every game fills the board."
                )
            one = five_games(f"{row.label}: states of {player}", theirs, counts[:, seat], remark)
            found.append(replace(one, place=(_PLAYERS, row.label, f"states of {player}")))
    return Section(
        "The table: states",
        _STATES,
        compared("states", "Positions visited in five games", found, where="4, the table"),
    )


_READ = ("3^2", "3^3", "3^3:gravity")
"""Boards whose rows are played by each reading of the search."""


def _readings(bench: Bench) -> Section:
    games = bench.size(20, 100)
    found: list[Finding] = []
    counts: Counter[tuple[str, str, bool | None]] = Counter()
    for row, reading in product(TABLE, READINGS):
        if row.game not in _READ or row.states is None:
            continue
        search, played = ReadSearch(Game(row.game), row.depths, reading), []
        for number in range(games):
            played.append(search.play(np.random.default_rng([bench.seed, number])))
            bench.task.report_progress(number + 1, games)
        won = sum(winner == 1 for winner, _ in played)
        seen = np.array([visited for _, visited in played], dtype=np.int64)
        new = [
            share("O wins, %", (20 * row.results[0], 5), (won, games)),
            *(
                five_games(f"states of {player}", row.states[seat], seen[:, seat])
                for seat, player in enumerate("OX")
            ),
        ]
        name = f"{row.label}, {reading.words}"
        counts.update((row.game, reading.words, one.agrees) for one in new)
        found += (
            replace(one, quantity=f"{name}: {one.quantity}", tried=True,
                    place=(_PLAYERS, name, one.quantity))
            for one in new
        )  # fmt: skip
    rows = tuple(
        (game, reading.words, counts[game, reading.words, True], counts[game, reading.words, False])
        for game, reading in product(_READ, READINGS)
    )
    columns = ("board", "reading", "figures that agree", "that disagree")
    return Section(
        "Readings of the search",
        _READINGS,
        Table("readings-counted", "Which reading explains which rows", columns, rows),
        compared("readings", "The search, read in four ways", found, where="4, the table"),
    )


_BOARDS = {"3^2": 4, "4^2": 4, "3^3": 3, "3^3:gravity": 4, "4^3": 2}
"""Boards of the pairings by depth, with the greatest depth."""


def _by_depth(bench: Bench) -> Iterator[Section]:
    games = bench.size(40, 1000)
    rows: list[tuple[Cell, ...]] = []
    equal: list[tuple[Cell, ...]] = []
    for game, deepest in _BOARDS.items():
        for first, second in product(range(1, deepest + 1), repeat=2):
            result, command = bench.match(game, [_spec(first, 1), _spec(second, 1)], games)
            shares = tuple(100 * count / games for count in (*result.wins, result.draws))
            rows.append((game, first, second, *shares, games, command))
            if first == second:
                equal.append((game, first, *shares, _verdict(result)))
    columns = ("O wins, %", "X wins, %", "drawn, %")
    yield Section(
        "Who wins, by depth and dimension",
        _DEPTHS,
        Table(
            "equal",
            "Equal depths",
            ("board", "depth", *columns, "the report's rule"),
            tuple(equal),
            "The report's rule: at equal strength the first player wins in three dimensions, "
            "and games are drawn in two.",
        ),
        Table(
            "depths",
            "All depths",
            ("board", "depth of O", "depth of X", *columns, "games", "command"),
            tuple(rows),
        ),
    )


def _verdict(result: MatchResult) -> str:
    """Return the share of these games in which the report's rule holds, as text."""
    held = result.wins[0] if Game(result.game).dim == 3 else result.draws
    if held == result.games:
        return "holds in every game"
    return "holds in most games" if 2 * held > result.games else "does not hold"


_COUNTED = (("3^2", 4), ("4^2", 4), ("3^3", 3), ("4^3", 2))


def _bounds(bench: Bench) -> Iterator[Section]:
    games = bench.size(10, 100)
    rows: list[tuple[Cell, ...]] = []
    for game, deepest in _COUNTED:
        spec = Game(game)
        for depth in range(1, deepest + 1):
            plain, pruned = _agent(depth, 1), _agent(depth, 1, "on")
            seen = visited(spec, (plain, plain), games, bench.seed, bench.task)[:, 0]
            fewer = visited(spec, (pruned, pruned), games, bench.seed, bench.task)[:, 0]
            bound = maxstates(spec.cells, depth)
            most = most_visited(spec.cells, depth)
            mean = float(seen.mean())
            rows.append((game, depth, bound, most, mean, mean > bound, float(fewer.mean())))
    yield Section(
        "States visited against maxstates",
        _MAXSTATES,
        Table(
            "maxstates",
            f"Positions visited by the first player in a game, mean of {games} games",
            ("board", "depth", "maxstates", "with those on the way", "visited",
             "more than maxstates", "visited with pruning"),
            tuple(rows),
        ),
        Picture(
            "maxstates",
            "Positions visited by the first player in a game, and maxstates",
            lambda: states_figure(rows),
        ),
    )  # fmt: skip


_PAIRS = (
    ("neighbours", "lines"), ("neighbours-empty", "lines"), ("neighbours-empty", "neighbours"),
    ("traps", "lines"), ("traps", "neighbours"), ("lines", "none"),
)  # fmt: skip


def _heuristics(bench: Bench) -> Iterator[Section]:
    games = bench.size(60, 2000)
    rows: list[tuple[Cell, ...]] = []
    for game, depth, names in product(("3^2", "3^3"), (1, 2), _PAIRS):
        one, other = (f"minimax:depth={depth},heuristic={name},prune=off" for name in names)
        ahead, command = bench.match(game, [one, other], games)
        behind, _ = bench.match(game, [other, one], games)
        won, lost = ahead.wins[0] + behind.wins[1], ahead.wins[1] + behind.wins[0]
        drawn = ahead.draws + behind.draws
        shares = tuple(50 * count / games for count in (won, lost, drawn))
        first = 100 * ahead.wins[0] / games, 100 * behind.wins[1] / games
        rows.append((game, depth, *names, *shares, *first, 2 * games, command))
    columns = (
        "board", "depth", "one", "other", "one wins, %", "other wins, %", "drawn, %",
        "one wins moving first, %", "one wins moving second, %", "games", "command",
    )  # fmt: skip
    yield Section(
        "The other heuristics",
        "The report says, without figures, that heuristic 2 (free or own cells beside each stone) "
        "is almost as good as heuristic 1, that its first version (free cells alone) scatters the "
        "stones, and that heuristic 3 (lines that no rival has touched, 1 point for one stone and "
        "8 for two) is better than the others and costs more time. Each pair plays half of its "
        "games with either first; the command is that of the first half. Here every heuristic is a "
        "table that is kept up to date move by move, so that none costs more than its lines or "
        "neighbours do; times are of searches of the same positions, on the machine of this run.",
        Table("heuristics", "Heuristics against each other", columns, tuple(rows)),
        _times(bench),
    )


def _times(bench: Bench) -> Table:
    """Time searches of the same positions with every heuristic."""
    rows: list[tuple[Cell, ...]] = []
    random = [agent("random"), agent("random")]
    for game in ("3^2", "3^3"):
        asked = [
            position
            for _, position in positions(Game(game), random, bench.size(20, 100), bench.seed, ALONE)
            if not position.is_over
        ]
        for name in ("none", "lines", "neighbours-empty", "neighbours", "traps"):
            player = MinimaxAgent(depth=3, heuristic=name, prune="off", nodes=10**9)
            player.search(asked[0])  # compiles
            begin = working_time()
            nodes = sum(player.search(position).nodes for position in asked)
            seconds = working_time() - begin
            per = 1e6 * seconds / len(asked), 1e9 * seconds / max(nodes, 1)
            rows.append((game, name, len(asked), *per))
    columns = ("board", "heuristic", "searches", "µs a search", "ns a position")
    return Table("heuristic-times", "Time of searches of depth 3", columns, tuple(rows))


_RESULTS = (
    "Rows are named by board, then depth/heuristic of O, who moves first, and of X. The report "
    "played five games a row, which leaves much to chance: five wins out of five come once in "
    "thirteen times where the chance of one is 60 %. Agreement is therefore weak evidence. "
    "If a row in three dimensions disagrees, the section on readings has a reason that may be "
    "the one. "
    "Equal moves are drawn at random, as the report says; preferring nearer wins is ours. "
    "Along which axis stones fall makes no difference: lines are the same along all of them.\n\n"
    "The report's text contradicts its table twice. It says that of players of equal "
    "strength in two dimensions neither wins, but its row 3^2, 1/1 - 1/1 has five wins of the "
    "second player. And it says that O wins on 4^2 however deep X searches, where its table has "
    "nothing but draws with heuristic 1."
)
_STATES = (
    "The published counts are totals of five games: every position below the root of each search "
    "counts, those on the way to the deepest ones too. If the length of a game leaves no choice, "
    "they are met exactly. Ours is five times the mean; the two agree unless five of our games "
    "differ as much less than once in a hundred times."
)
_DEPTHS = (
    "Both players have heuristic 1. The report has one or two depths a board and concludes that "
    "in three dimensions the first player wins and that in two dimensions games are drawn, at "
    "equal strength; and that depth helps X on 3^2, makes no difference on 4^2, and little on 3^3."
)
_READINGS = (
    "Some rows disagree in three dimensions. The report does not say what a deepest position is "
    "worth by heuristic 1: the squares of one player less those of the other, as in the tables "
    "above, or the square that was moved to last; nor whether a search goes on once it has found "
    "a win. Here is plain minimax with each. The axis along which stones fall makes no difference. "
    "A reading explains a board where none of its figures disagrees; the summary does not count "
    "these figures, since not all readings can be meant."
)
_MAXSTATES = (
    "The report gives a function for the most positions that minimax visits, 9·8 + 7·6 + 5·4 + "
    "3·2 = 140 on 3^2 with depth 2. It is not an upper bound of what the report counts: it leaves "
    "out the positions on the way, and also whole searches whose depth is greater than the number "
    "of free cells, and the report's own 825 states in five games are 165 a game. With both there "
    "are at most 9² + 7² + 5² + 3² + 1² = 165. Of the deepest positions alone, wherever there are "
    "any, it is one. Both players have heuristic 1 and the same depth; with pruning, alpha-beta "
    "with a table of positions and symmetry finds the same values."
)


def _sections(bench: Bench) -> Iterator[Section]:
    yield from _published(bench)
    yield _readings(bench)
    yield from _by_depth(bench)
    yield from _bounds(bench)
    yield from _heuristics(bench)


STUDY = Study(
    "prolog",
    "Minimax of fixed depth",
    "A. van Cranenburgh and R. Smid, Tic-tac-toe on fields of size n with m dimensions, University "
    "of Amsterdam, 2007: a Prolog program with minimax of fixed depth and simple heuristics, five "
    "games a row.",
    _sections,
)
