from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

import networkx as nx  # type: ignore[import-untyped]
import pytest

from hyperoxo.errors import MissingExtraError, SpecError
from hyperoxo.game import Game
from hyperoxo.solvers.states.graph import StateGraph
from hyperoxo.solvers.states.graph_files import format_of, write_graph
from tests.marks import more
from tests.states_oracle import walk

SPECS = ("3^2", "3^2:players=3,misere,blocked=4", "3,2,2:gravity", "9{0+1/3+4+5}:opening=1")


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("spec", SPECS)
def test_csv_has_every_node_and_its_predecessors(spec: str, tmp_path: Path) -> None:
    graph = StateGraph(spec)
    write_graph(graph, tmp_path / "graph.csv")
    rows = read_csv(tmp_path / "graph.csv")
    assert [int(row["node"]) for row in rows] == list(range(len(graph)))
    wanted: dict[int, set[int]] = {}
    for source, target, *_ in graph.edges():
        wanted.setdefault(target, set()).add(source)
    for row, node in zip(rows, graph.nodes(), strict=True):
        assert row["position"] == node.text
        assert row["games"] == str(node.games)
        assert row["value"] == (node.value or "")
        before = [int(word) for word in row["predecessors"].split()]
        assert before == sorted(wanted.get(node.number, ()))


def first_met(game: Game) -> list[list[str]]:
    """Positions by ply in the order in which a walk through all games meets them."""
    layers: list[dict[str, None]] = []

    def visit(text: str, ply: int) -> None:
        if len(layers) == ply:
            layers.append({})
        if text in layers[ply]:
            return
        layers[ply][text] = None
        position = game.position(text) if ply else game.start()
        for cell in position.legal_moves:
            visit(position.play(cell).text, ply + 1)

    visit(game.start().text, 0)
    return [list(layer) for layer in layers]


@pytest.mark.parametrize(
    "spec", more(["3^2", "3,2,2:gravity", "3^2:blocked=4,misere"], but=["3,2,2:gravity"])
)
def test_the_published_form(spec: str, tmp_path: Path) -> None:
    game = Game(spec)
    write_graph(StateGraph(game, symmetry=False), tmp_path / "ttt.csv", "published")
    text = (tmp_path / "ttt.csv").read_text(encoding="utf-8")
    parts = re.split(r"-{29} move n (\d+) -{28}\n", text)
    assert parts[1::2] == [str(ply) for ply in range(len(parts) // 2)]
    assert parts[-1] == ""
    signs = {"[ ]": ".", "[#]": "#", "X": "1", "O": "2"}
    above: list[str] = []
    found = walk(game)
    for ply, wanted in enumerate(first_met(game)):
        rows = [line.rsplit(";", 1) for line in parts[2 * ply].splitlines()]
        here = ["".join(signs[cell] for cell in cells.split(", ")) for cells, _ in rows]
        assert here == wanted
        assert len(here) == len(found.layers[ply])
        for position, (_, link) in zip(here, rows, strict=True):
            inside = [
                number
                for number, other in enumerate(above)
                if all(a in (".", b) for a, b in zip(other, position, strict=True))
            ]
            assert int(link) == (inside[-1] if ply > 1 else 0)
        above = here


@pytest.mark.parametrize("spec", more(SPECS, ["3^2", "3^2:players=3,misere,blocked=4"]))
def test_graphml_reads_back_as_the_same_graph(spec: str, tmp_path: Path) -> None:
    graph = StateGraph(spec)
    write_graph(graph, tmp_path / "graph.graphml")
    read = nx.read_graphml(tmp_path / "graph.graphml", node_type=lambda name: int(name[1:]))
    assert nx.utils.graphs_equal(nx.DiGraph(read.edges), nx.DiGraph(graph.to_networkx().edges))
    assert dict(read.nodes(data=True)) == dict(graph.to_networkx().nodes(data=True))
    assert all(
        data == graph.to_networkx().edges[edge] for edge, data in list(read.edges.items())[:50]
    )


def test_dot_names_every_node_and_edge(tmp_path: Path) -> None:
    graph = StateGraph("3^2")
    write_graph(graph, tmp_path / "graph.dot")
    lines = (tmp_path / "graph.dot").read_text(encoding="utf-8").splitlines()
    assert lines[0] == 'digraph "3^2" {'
    assert lines[-1] == "}"
    assert sum(bool(re.match(r"\d+ \[label=", line)) for line in lines) == 765
    assert sum(bool(re.match(r"\d+ -> \d+ \[", line)) for line in lines) == 2096
    assert r'0 [label="...\n...\n...", color="#7d7a72"' in "\n".join(lines)


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    graph = StateGraph("3^2")
    write_graph(graph, tmp_path / "graph.parquet")
    rows = parquet.read_table(tmp_path / "graph.parquet").to_pylist()
    write_graph(graph, tmp_path / "graph.csv")
    for row, text in zip(rows, read_csv(tmp_path / "graph.csv"), strict=True):
        row["predecessors"] = " ".join(map(str, row["predecessors"]))
        assert {name: str(value) for name, value in row.items()} == text


def test_parquet_without_pyarrow_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match='writing Parquet needs the extra "tables"'):
        write_graph(StateGraph("2^2"), tmp_path / "graph.parquet")
    with pytest.raises(MissingExtraError):
        format_of(Path("graph.parquet"))


def test_unknown_forms_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="must end in"):
        format_of(Path("graph.png"))
    with pytest.raises(SpecError, match="unknown form 'png'"):
        write_graph(StateGraph("2^2"), tmp_path / "graph.csv", "png")
    with pytest.raises(SpecError, match="two players only"):
        write_graph(StateGraph("2^2:players=3"), tmp_path / "graph.csv", "published")
