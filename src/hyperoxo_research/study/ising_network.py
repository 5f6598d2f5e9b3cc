"""Directions of lines, ratios of cells to lines, and the position graph of 3^2 as a network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from hyperoxo.board.directions import cell_classes, cell_kind, inward, limit_cells
from hyperoxo.game import Game
from hyperoxo.jit import working_time
from hyperoxo.kernels.arrays import Floats, Longs
from hyperoxo.lab.pictures.tree import draw_tree
from hyperoxo.lab.plots.style import COLOURS, Figure, empty_figure, styled
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo_research.proof.cubes import cube_lines
from hyperoxo_research.study.parts import Finding, Picture, Section, Table, compared, drawing, exact

GAMES = ("3^2", "3^3", "4^3", "3^4")

_CUTS = (("inner", 26, 0), ("face", 17, 1), ("edge", 11, 3), ("corner", 7, 7))
"""Arrows of the published pictures of a cube of side 3, and directions with a line ahead."""


def directions() -> Section:
    """Return the section on directions."""
    rows = []
    for spec in GAMES:
        game = Game(spec)
        for one in cell_classes(game.board):
            command = f"oxo board {spec} --draw --cell {one.cell}"
            counts = (len(one.rays), len(inward(game.board, one.cell)))
            ahead = len(inward(game.board, one.cell, game.board.side or 1))
            rows.append((spec, one.kind, one.cell, one.cells, one.lines, *counts, ahead, command))
    columns = (
        "board", "kind", "cell", "such cells", "lines", "directions", "directions on the board",
        "directions with a line ahead", "command",
    )  # fmt: skip
    return Section(
        "Directions of lines",
        "The published program gives every cell the directions of {-1, 0, 1}^d and cuts off those "
        "that lead out of the board (“hair cuts”). Its four pictures are of a cell inside a cube "
        "with all 26 directions, and of a corner, an edge and a face cell with what is left. Here "
        "only directions that lines take are drawn: a line leaves a cell in two directions, or "
        "in one where it ends there. So an inner cell of 3^3 has all 26, one of 4^3 only 14. An "
        "edge cell keeps 5 and a face cell 9 directions of lines on 3^3, where the cuts leave 11 "
        "and 17, most of which no line of full length takes. Its energy takes the directions "
        "with a whole line ahead only."
        "\n\n"
        "A limit number of an axis is the number of a cell at either end of that axis. The axis "
        "x0 of the report is the last digit of a cell number in base n, here the last coordinate.",
        Table("directions", "Lines and directions by class of cells", columns, tuple(rows)),
        compared("hair-cuts", "The published pictures and tables", list(_cuts())),
        *(_picture(spec) for spec in GAMES),
    )


def _cuts() -> Iterator[Finding]:
    cube = Game("3^3").board
    cells = {one.kind: one.cell for one in cell_classes(cube)}
    for kind, cut, _ in _CUTS:
        yield exact(
            f"3^3: directions on the board from a cell of kind {kind}", cut,
            len(inward(cube, cells[kind])), command=f"oxo board 3^3 --draw --cell {cells[kind]}",
            where="2.2.1, Figure 5, arrows counted",
        )  # fmt: skip
    for kind, published in (("face", 1), ("inner", 0)):
        quantity = f"3^3: directions with three cells from a cell of kind {kind}"
        ours = len(inward(cube, cells[kind], 3))
        yield exact(quantity, published, ours, where="4.4, footnote 3")
    for axis, printed in ((0, "0, 2, 3, 5, 6, 8"), (1, "0, 1, 2, 6, 7, 8")):
        yield exact(
            f"3^2: limit numbers for x{axis}", printed,
            ", ".join(map(str, limit_cells(Game("3^2").board, 1 - axis))),
            remark="" if axis else "Captioned x1, but the numbers are those of x0.",
            where=f"2.2.1, table {axis + 1}",
        )  # fmt: skip


def _picture(spec: str) -> Picture:
    from hyperoxo_research.plots.directions import directions_svg

    return Picture(
        f"directions-{spec.replace('^', '-')}",
        f"Directions in which lines leave the cells of {spec}: oxo board {spec} --draw --out FILE",
        lambda: directions_svg(Game(spec).board),
    )


def cells_to_lines() -> Section:
    """Return the section on the ratio of cells and lines."""
    rows = []
    for dim in range(2, 6):
        for side in range(2, 8):
            lines = cube_lines(side, dim)
            rows.append((f"{side}^{dim}", side**dim, lines, side**dim / lines))
    within = sum(1 <= row[-1] <= 2 for row in rows)
    finding = Finding(
        "boards of sides 2 to 7 and dimensions 2 to 5 whose ratio is 1 to 2", "usually",
        f"{within} of {len(rows)}", len(rows), None, 2 * within > len(rows),
        "oxo board 4^3", "Below 1 wherever the side is small for the dimension.", "5",
    )  # fmt: skip
    columns = ("board", "cells", "lines", "cells / lines")
    return Section(
        "Cells and lines",
        "The report takes playing at random for almost effective where there are few cells for "
        "each line, and says that at small sizes the ratio of cells to lines, "
        "2 / ((1 + 2/n)^d - 1), is usually between 1 and 2.",
        compared("cells-lines-said", "What the report says of the ratio", [finding]),
        Table("cells-lines", "Cells and lines by board", columns, tuple(rows)),
    )


_GAME = "3^2"
_MINUTES = 20.0
_NUMBERED = 3
_LEADS = ((2, "first wins"), (1, "drawn"), (0, "second wins"))
_COLOUR_OF = {0: "red", 1: "yellow", 2: "blue"}


@dataclass(frozen=True, eq=False)
class Network:
    """The position graph of a two-player game, as arrays of edges and nodes."""

    graph: StateGraph
    # Edges, [edges]: nodes before and after a move.
    sources: Longs
    targets: Longs
    # Nodes, [nodes]: ply; 0 if play goes on, 1 or 2 for the winner, 3 for a draw; and the value
    # under best play for the first player, 2 a win, 1 a draw, 0 a loss.
    plies: Longs
    ends: Longs
    leads: Longs

    @classmethod
    def of(cls, game: str, *, symmetry: bool) -> Network:
        """Build the network of a game of two players."""
        graph = StateGraph(game, symmetry=symmetry)
        moves = [graph.moves(ply) for ply in range(len(graph.layers))]
        sources = [
            graph.starts[ply] + np.repeat(np.arange(len(one.ends) - 1), np.diff(one.ends))
            for ply, one in enumerate(moves)
        ]
        targets = [graph.starts[ply] + len(graph.layers[ply]) + one.targets
                   for ply, one in enumerate(moves)]  # fmt: skip
        plies = np.repeat(np.arange(len(graph.layers)), [len(layer) for layer in graph.layers])
        results = np.concatenate([layer.results for layer in graph.layers]).astype(np.int64)
        ends = np.where(results == 0, 0, np.where(np.isin(results, (1, 2)), results, 3))
        values = graph.values
        assert values is not None
        # The low bits of a word are the value for the player to move: the first at even plies.
        words = np.concatenate(values).astype(np.int64) & 3
        leads = np.where(plies % 2 == 0, words, 2 - words)
        return cls(graph, np.concatenate(sources), np.concatenate(targets), plies, ends, leads)

    @property
    def paths_to(self) -> Longs:
        """Numbers of move sequences from the empty board to each node."""
        return np.concatenate([layer.games[:, 0] for layer in self.graph.layers]).astype(np.int64)

    def paths_on(self) -> Longs:
        """Return the numbers of complete games from each node by result, int64 ``[nodes, 3]``."""
        found = np.zeros((len(self.plies), 3), dtype=np.int64)
        over = np.flatnonzero(self.ends)
        found[over, self.ends[over] - 1] = 1
        for ply in range(int(self.plies.max()) - 1, -1, -1):
            here = self.plies[self.sources] == ply
            np.add.at(found, self.sources[here], found[self.targets[here]])
        return found


def network() -> Section:
    """Return the section."""
    # 1. Build the network; the first call compiles, so that the time excludes it.
    Network.of("2^2", symmetry=False)
    begin = working_time()
    net = Network.of(_GAME, symmetry=False)
    seconds = working_time() - begin
    classes = Network.of(_GAME, symmetry=True)
    # 2. What the report says of it.
    found = [
        Finding(
            "time to compute all positions, minutes", _MINUTES, round(seconds / 60, 6), None, None,
            None, "oxo states 3^2 --one-by-one --out network.csv --published",
            "The program compares every position with every other of its ply.",
        ),
        Finding(
            "links between positions", len(net.plies) - 1, len(net.sources), None, None, None,
            "oxo states 3^2 --one-by-one --out network.graphml",
            "The published network keeps one predecessor of each position, the last one found, so "
            "it is a tree with a link less than positions; most ways to a position are not in it.",
        ),
    ]  # fmt: skip
    return Section(
        # 3. Tables and pictures.
        "The network of the positions of 3^2",
        "The report computes all positions of 3^2, links them to a network, draws it, and suggests "
        "to look at the paths through it; it prints no figures of that. Here are the positions "
        "by ply, and all complete games as paths from the empty board.",
        compared("network-published", "What the report says of its network", found, where="2.3"),
        _by_ply(net, classes),
        _lengths(net),
        _by_first_move(net),
        _degrees(net),
        Picture(
            "network",
            "The network of 3^2. Left, as the report links it: each of the 5,478 positions "
            "hangs on one predecessor, plies downwards. Right, the 765 classes up to "
            "symmetry with all moves, on rings around the empty board, larger where more "
            "games pass. Colours tell who wins under best play; the first 54 classes "
            "have the numbers of 'oxo states 3^2 --out FILE'",
            lambda: network_figure(net, classes),
        ),
        Picture(
            "paths",
            "Complete games by length and result, moves from a position, and ways to it",
            lambda: paths_figure(net),
        ),
        drawing(
            "network-boards.svg",
            "The same classes as boards, for zooming; a child is its parent and one stone "
            "more: oxo draw tree 3^2 --plies 9 --layout rings",
            partial(draw_tree, Game(_GAME), 9, layout="rings"),
        ),
    )


def _by_ply(net: Network, classes: Network) -> Table:
    rows = []
    for ply in range(len(net.graph.layers)):
        ends = np.bincount(net.ends[net.plies == ply], minlength=4)
        rows.append(
            (
                ply, int(ends.sum()), int((classes.plies == ply).sum()),
                *(int(n) for n in ends[1:]), int((net.plies[net.sources] == ply).sum()),
            )
        )  # fmt: skip
    columns = (
        "ply", "positions", "up to symmetry", "first has won", "second has won", "drawn",
        "moves on",
    )  # fmt: skip
    total = tuple(sum(row[i] for row in rows) for i in range(1, len(columns)))
    return Table("network-plies", "Positions by ply", columns, (*rows, ("all", *total)))


def _lengths(net: Network) -> Table:
    """Return complete games by length, with the probability of each length in random play."""
    rows = []
    paths = net.paths_to
    chance = _random_chance(net)
    for ply in range(len(net.graph.layers)):
        here = (net.plies == ply) & (net.ends > 0)
        if here.any():
            counts = [int(paths[here & (net.ends == end)].sum()) for end in (1, 2, 3)]
            rows.append((ply, *counts, sum(counts), 100 * float(chance[here].sum())))
    total = [sum(row[i] for row in rows) for i in range(1, 6)]
    columns = ("moves", "first wins", "second wins", "drawn", "games", "% in random play")
    mean = sum(row[0] * row[4] for row in rows) / total[3]
    expected = sum(row[0] * row[5] for row in rows) / 100
    return Table(
        "network-lengths",
        "Complete games (paths from the empty board) by length",
        columns,
        (*rows, ("all", *total)),
        f"Mean length of a path: {mean:.4f} moves; of a game in random play: {expected:.4f}. In "
        "random play short games are likelier than their number says, as each path of m moves has "
        "the chance 1/(9 · 8 · … · (10 - m)).",
    )


def _random_chance(net: Network) -> Floats:
    """Return the probability that random play reaches each node."""
    chance = np.zeros(len(net.plies))
    chance[0] = 1.0
    degree = np.bincount(net.sources, minlength=len(net.plies))
    for ply in range(int(net.plies.max())):
        here = net.plies[net.sources] == ply
        share = chance[net.sources[here]] / degree[net.sources[here]]
        np.add.at(chance, net.targets[here], share)
    return chance


def _by_first_move(net: Network) -> Table:
    board = net.graph.game.board
    onwards = net.paths_on()
    counted: dict[str, Longs] = {}
    firsts = np.flatnonzero(net.plies == 1)
    for node in firsts.tolist():
        cell = net.graph.node(node).text.index("1")
        kind = cell_kind(board, cell)
        counted[kind] = counted.get(kind, np.zeros(3, dtype=np.int64)) + onwards[node]
    rows: tuple[tuple[str | int | float, ...], ...] = tuple(
        (
            kind, int(counts.sum()), *(100 * float(n) / float(counts.sum()) for n in counts),
        )
        for kind, counts in counted.items()
    )  # fmt: skip
    columns = ("first move", "games", "first wins, %", "second wins, %", "drawn, %")
    return Table(
        "network-first-moves",
        "Winning paths by the first move",
        columns,
        rows,
        "Every path counts once. Under best play all nine first moves draw.",
    )


def _degrees(net: Network) -> Table:
    into = np.bincount(net.targets, minlength=len(net.plies))
    out = np.bincount(net.sources, minlength=len(net.plies))
    most = int(max(into.max(), out.max()))
    rows = tuple(
        (degree, int((out == degree).sum()), int((into == degree).sum()))
        for degree in range(most + 1)
    )
    return Table(
        "network-degrees",
        "Positions by the number of moves from them, and of positions before them",
        ("number", "positions with that many moves", "positions reached in that many ways"),
        rows,
        f"Mean of both: {len(net.sources) / len(net.plies):.4f}.",
    )


@styled()
def network_figure(net: Network, classes: Network) -> Figure:
    """Draw the tree of the report and the rings of classes."""
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    figure = empty_figure(10, 5.2)
    passing = classes.paths_to * classes.paths_on().sum(axis=1)
    sizes = 2 + 60 * np.sqrt(passing / passing.max())
    for number, (one, places, pairs, size) in enumerate(
        (
            (net, _as_tree(net), _last_predecessors(net), np.full(len(net.plies), 1.2)),
            (classes, _as_rings(classes), _all_pairs(classes), sizes),
        ),
        1,
    ):
        axes = figure.add_subplot(1, 2, number, aspect="auto" if number == 1 else "equal")
        # Each link has the colour of the position it leads to; many links are thin ones.
        ahead = {lead: COLOURS[_COLOUR_OF[lead]] for lead, _ in _LEADS}
        lines = LineCollection(
            places[pairs].tolist(), colors=[ahead[lead] for lead in one.leads[pairs[:, 1]]],
            linewidths=0.12 if number == 1 else 0.25, alpha=0.5, rasterized=True,
        )  # fmt: skip
        axes.add_collection(lines)
        for lead, _ in _LEADS:
            here = one.leads == lead
            axes.scatter(
                places[here, 0], places[here, 1], s=size[here], color=COLOURS[_COLOUR_OF[lead]],
                zorder=2, linewidths=0, rasterized=True,
            )  # fmt: skip
        if number == 2:
            for node in np.flatnonzero(one.plies <= _NUMBERED):
                axes.annotate(
                    str(node), places[node], (1.5, 1.5), textcoords="offset points", fontsize=3.5
                )
        axes.autoscale_view()
        axes.set_axis_off()
        axes.set_title(f"{len(one.plies):,} {'positions' if number == 1 else 'classes'}, "
                       f"{len(pairs):,} links")  # fmt: skip
    handles = [
        Line2D([], [], marker="o", linestyle="", color=COLOURS[_COLOUR_OF[lead]], label=name)
        for lead, name in _LEADS
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def _last_predecessors(net: Network) -> Longs:
    """Return the edges that the report keeps: from the last predecessor of each node."""
    last = np.full(len(net.plies), -1, dtype=np.int64)
    np.maximum.at(last, net.targets, net.sources)
    nodes = np.flatnonzero(last >= 0)
    return np.stack([last[nodes], nodes], axis=1)


def _all_pairs(net: Network) -> Longs:
    return np.unique(np.stack([net.sources, net.targets], axis=1), axis=0)


def _as_tree(net: Network) -> Floats:
    """Return tree coordinates: plies downwards, children below their parents."""
    # `key` is the relative place of a node in its row, by which the next row is sorted.
    parent = {int(b): int(a) for a, b in _last_predecessors(net)}
    key = np.zeros(len(net.plies))
    places = np.zeros((len(net.plies), 2))
    places[:, 1] = -net.plies
    for ply in range(1, len(net.graph.layers)):
        nodes = np.flatnonzero(net.plies == ply)
        above = np.array([key[parent[int(node)]] for node in nodes])
        order = nodes[np.argsort(above, kind="stable")]
        spread = (np.arange(len(order)) + 0.5) / len(order) - 0.5
        # Rows are as wide as they are full, so that the shape shows the number of positions.
        places[order, 0] = spread * len(order)
        key[order] = spread
    return places


def _as_rings(net: Network) -> Floats:
    """Return coordinates on a ring per ply, each node near its predecessors."""
    # Sorted by the circular mean of the predecessors' angles, then spread evenly over the ring.
    angle = np.zeros(len(net.plies))
    places = np.zeros((len(net.plies), 2))
    pairs = _all_pairs(net)
    for ply in range(1, len(net.graph.layers)):
        nodes = np.flatnonzero(net.plies == ply)
        towards = np.zeros(len(net.plies), dtype=complex)
        here = net.plies[pairs[:, 1]] == ply
        np.add.at(towards, pairs[here, 1], np.exp(1j * angle[pairs[here, 0]]))
        wanted = np.angle(towards[nodes]) % (2 * np.pi)
        order = nodes[np.argsort(wanted, kind="stable")]
        even = 2 * np.pi * np.arange(len(order)) / len(order)
        # The ring is turned to where its positions would be on the whole.
        turn = np.angle(np.exp(1j * (np.sort(wanted) - even)).sum())
        angle[order] = even + turn
        places[nodes, 0] = ply * np.cos(angle[nodes])
        places[nodes, 1] = ply * np.sin(angle[nodes])
    return places


@styled()
def paths_figure(net: Network) -> Figure:
    """Draw lengths of complete games by result, and degrees."""
    figure = empty_figure(9, 3)
    axes = figure.add_subplot(1, 2, 1)
    paths = net.paths_to
    plies = np.arange(int(net.plies.max()) + 1)
    base = np.zeros(len(plies))
    for end, name, colour in (
        (1, "first wins", "blue"), (3, "drawn", "yellow"), (2, "second wins", "red"),
    ):  # fmt: skip
        here = net.ends == end
        counts = np.bincount(net.plies[here], weights=paths[here], minlength=len(plies))
        axes.bar(plies, counts / 1000, bottom=base / 1000, color=COLOURS[colour], label=name)
        base += counts
    axes.set(xlabel="moves", ylabel="complete games, thousands", xlim=(4.4, 9.6))
    axes.legend()
    axes = figure.add_subplot(1, 2, 2)
    for ends, name, colour, shift in (
        (net.sources, "moves from it", "blue", -0.2), (net.targets, "ways to it", "red", 0.2),
    ):  # fmt: skip
        degrees = np.bincount(np.bincount(ends, minlength=len(net.plies)), minlength=10)
        axes.bar(np.arange(len(degrees)) + shift, degrees, 0.4, color=COLOURS[colour], label=name)
    axes.set(xlabel="number", ylabel="positions", xticks=range(10))
    axes.legend()
    return figure
