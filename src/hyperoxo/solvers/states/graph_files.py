"""A game's graph as files: CSV in two forms, Parquet, GraphML and DOT.

The clean CSV has a heading and one node a row; ``predecessors`` are node numbers joined by
spaces. The published form is that of an early program on 3^2: one position per row, its cells as
``X``, ``O`` or ``[ ]`` joined by ``", "``, then ``;`` and the row, counted from 0, of its last
predecessor among the positions with one stone fewer; a ruled line follows each number of stones::

    [ ], [ ], [ ], [ ], [ ], [ ], [ ], [ ], [ ];0
    ----------------------------- move n 0 ----------------------------
    X, [ ], [ ], [ ], [ ], [ ], [ ], [ ], [ ];0
"""

from __future__ import annotations

import csv
import importlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, TypeVar
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from hyperoxo.errors import MissingExtraError, SpecError
from hyperoxo.files import atomic, by_suffix
from hyperoxo.solvers.states.graph import ATTRIBUTES, Node, StateGraph, attributes_of
from hyperoxo.task import Progress, Task

COLUMNS = ("node", *ATTRIBUTES, "predecessors")
"""Columns of the clean CSV and of Parquet."""

Item = TypeVar("Item")

_BY_SUFFIX = {
    ".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".graphml": "graphml",
    ".dot": "dot", ".gv": "dot",
}  # fmt: skip
_STONES = {".": "[ ]", "#": "[#]", "1": "X", "2": "O"}
_BATCH = 1 << 16
_TELL = 1 << 12
_COLOURS = {"win": "#0a7d5b", "draw": "#7d7a72", "loss": "#c0392b", None: "#6d6f73"}


def write_graph(
    graph: StateGraph,
    path: str | Path,
    form: str | None = None,
    *,
    progress: Progress | None = None,
) -> None:
    """Write a graph to a file atomically."""
    path = Path(path)
    form = format_of(path) if form is None else form
    if form not in FORMS:
        raise SpecError(f"unknown form '{form}'; known are {', '.join(FORMS)}")
    with atomic(path) as beside:
        FORMS[form](graph, beside, Task(progress))


def _counted(nodes: Iterable[Item], graph: StateGraph, task: Task) -> Iterator[Item]:
    """Iterate over items, one for each node, and report progress."""
    for done, node in enumerate(nodes):
        if done % _TELL == 0:
            task.report_progress(done, len(graph))
        yield node


def format_of(path: Path) -> str:
    """Return the format of a file by its suffix; refuse Parquet without its extra."""
    form = by_suffix(path, _BY_SUFFIX)
    if form == "parquet":
        parquet_modules()
    return form


def _predecessors(graph: StateGraph) -> Iterator[list[list[int]]]:
    """Yield for each layer the places of every node's predecessors, one layer up."""
    # Invert the edges: sort them by target and source, drop duplicates, and cut at each target.
    yield [[]]
    for ply in range(len(graph.layers) - 1):
        moves = graph.moves(ply)
        sources = np.repeat(np.arange(len(graph.layers[ply])), np.diff(moves.ends))
        order = np.lexsort((sources, moves.targets))
        targets, sources = moves.targets[order], sources[order]
        fresh = np.ones(len(targets), dtype=np.bool_)
        fresh[1:] = (targets[1:] != targets[:-1]) | (sources[1:] != sources[:-1])
        targets, sources = targets[fresh], sources[fresh]
        ends = np.searchsorted(targets, np.arange(len(graph.layers[ply + 1]) + 1)).tolist()
        listed = sources.tolist()
        yield [listed[a:b] for a, b in pairwise(ends)]


def _rows(graph: StateGraph) -> Iterator[tuple[Node, list[int]]]:
    nodes = graph.nodes()
    for ply, layer in enumerate(_predecessors(graph)):
        above = graph.starts[ply - 1] if ply else 0
        for places in layer:
            yield next(nodes), [above + place for place in places]


def _texts(graph: StateGraph) -> set[str]:
    """Return the text columns; numbers of games of over 64 bits are text, too."""
    return {"position", "result", "value", *["games"] * (graph.code.game_words > 1)}


def _write_csv(graph: StateGraph, path: Path, task: Task) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(
            (*node, " ".join(map(str, before)))
            for node, before in _counted(_rows(graph), graph, task)
        )


def _write_published(graph: StateGraph, path: Path, task: Task) -> None:
    if graph.game.players != 2:
        raise SpecError("the published form is for two players only")
    with path.open("w", newline="\n", encoding="utf-8") as stream:
        for ply, (order, links) in enumerate(_walked(graph)):
            texts = graph.texts(ply)
            task.report_progress(graph.starts[ply], len(graph))
            for place in order.tolist():
                stones = ", ".join(_STONES[sign] for sign in texts[place])
                stream.write(f"{stones};{links[place]}\n")
            stream.write(f"{'-' * 29} move n {ply} {'-' * 28}\n")


def _walked(graph: StateGraph) -> Iterator[tuple[NDArray[np.int64], list[int]]]:
    """Yield for each layer its order in a walk through all games, and each last predecessor."""
    # `rank` is the place of each node of a layer in that order. A node is met first from its
    # predecessor of least rank, by the least cell that leads to it.
    rank = np.zeros(1, dtype=np.int64)
    yield rank, [0]
    cells = graph.game.board.cell_count
    for ply in range(len(graph.layers) - 1):
        moves = graph.moves(ply)
        sources = np.repeat(rank, np.diff(moves.ends))
        size = len(graph.layers[ply + 1])
        first = np.full(size, np.iinfo(np.int64).max)
        np.minimum.at(first, moves.targets, sources * cells + moves.cells)
        last = np.zeros(size, dtype=np.int64)
        np.maximum.at(last, moves.targets, sources)
        order = np.argsort(first)
        rank = np.empty(size, dtype=np.int64)
        rank[order] = np.arange(size)
        yield order, last.tolist()


def parquet_modules() -> tuple[Any, Any]:
    """Import pyarrow and its Parquet module."""
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("tables", "writing Parquet") from None


def _write_parquet(graph: StateGraph, path: Path, task: Task) -> None:
    pa, parquet = parquet_modules()
    kinds = dict.fromkeys(_texts(graph), pa.string())
    kinds |= {"games": kinds.get("games", pa.uint64()), "predecessors": pa.list_(pa.int64())}
    schema = pa.schema([(name, kinds.get(name, pa.int64())) for name in COLUMNS])
    schema = schema.with_metadata({"game": str(graph.game)})
    rows = _counted(_rows(graph), graph, task)
    with parquet.ParquetWriter(path, schema) as writer:
        while batch := [(*node, before) for node, before in islice(rows, _BATCH)]:
            columns = dict(zip(COLUMNS, zip(*batch, strict=True), strict=True))
            if graph.code.game_words > 1:
                columns["games"] = tuple(map(str, columns["games"]))
            writer.write_table(pa.table(columns, schema))


def _write_graphml(graph: StateGraph, path: Path, task: Task) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write('<?xml version="1.0" encoding="utf-8"?>\n')
        stream.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for name in COLUMNS[1:-1]:
            kind = "string" if name in _texts(graph) else "long"
            stream.write(f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>\n')
        for name in ("move", "moves"):
            stream.write(f'<key id="{name}" for="edge" attr.name="{name}" attr.type="long"/>\n')
        stream.write(f'<graph id={quoteattr(str(graph.game))} edgedefault="directed">\n')
        for node in _counted(graph.nodes(), graph, task):
            data = "".join(
                f'<data key="{name}">{escape(str(value))}</data>'
                for name, value in attributes_of(node).items()
            )
            stream.write(f'<node id="n{node.number}">{data}</node>\n')
        for source, target, move, moves in graph.edges():
            stream.write(
                f'<edge source="n{source}" target="n{target}"><data key="move">{move}</data>'
                f'<data key="moves">{moves}</data></edge>\n'
            )
        stream.write("</graph>\n</graphml>\n")


def _write_dot(graph: StateGraph, path: Path, task: Task) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        name = str(graph.game).replace("\\", "\\\\").replace('"', '\\"')
        stream.write(f'digraph "{name}" {{\n')
        stream.write('node [shape=box, fontname="monospace", style=bold];\n')
        shape = graph.game.board.shape
        for node in _counted(graph.nodes(), graph, task):
            width = shape[-1] if shape else len(node.text)
            rows = (node.text[at : at + width] for at in range(0, len(node.text), width))
            known = {"label": "\\n".join(rows), "color": _COLOURS[node.value]}
            said = (f'{key}="{value}"' for key, value in {**known, **attributes_of(node)}.items())
            stream.write(f"{node.number} [{', '.join(said)}];\n")
        for source, target, move, moves in graph.edges():
            stream.write(f"{source} -> {target} [label={move}, move={move}, moves={moves}];\n")
        stream.write("}\n")


FORMS: dict[str, Callable[[StateGraph, Path, Task], None]] = {
    "csv": _write_csv,
    "published": _write_published,
    "parquet": _write_parquet,
    "graphml": _write_graphml,
    "dot": _write_dot,
}
"""Writer of each format."""
