from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import LimitError, MissingExtraError, SpecError
from hyperoxo.game import Game
from hyperoxo.solvers.states.graph import StateGraph
from tests.expect import message_of
from tests.judge import judge_of, words
from tests.marks import more
from tests.states_oracle import walk
from tests.strategies import games

SPECS = (
    "3^2",
    "3^2:misere",
    "3^2:target=2,misere",
    "3^2:gravity=1,blocked=4",
    "3^2:opening=0x2",
    "4,2,3:target=2",
    "7{0+1+2/2+3+4/4+5+6/0+6}",
)


def check_values(game: Game, symmetry: bool) -> None:
    judge = judge_of(game)
    graph = StateGraph(game, symmetry=symmetry)
    for node in graph.nodes():
        position = game.position(node.text) if node.ply else game.start()
        assert (node.value, node.remoteness) == words(judge(position), 2)
    if not symmetry:
        assert len(graph) == sum(map(len, walk(game).layers))


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("spec", more(SPECS, ["3^2", "3^2:misere", "3^2:target=2,misere"]))
def test_values_agree_with_walking(spec: str, symmetry: bool) -> None:
    check_values(Game(spec), symmetry)


@pytest.mark.more
@settings(max_examples=25, deadline=None)
@given(
    games(hypercubes=("1^1", "3^1", "2^2", "3^2", "2^3"), most_players=2).filter(
        lambda game: game.cells <= 9 and game.symmetry.order <= 5000
    ),
    st.booleans(),
)
def test_values_of_any_game_agree_with_walking(game: Game, symmetry: bool) -> None:
    check_values(game, symmetry)


@pytest.mark.parametrize(
    "spec",
    more(
        [*SPECS, "3^2:players=3", "3,2,2:players=3,misere"],
        ["3^2", "3^2:misere", "3^2:target=2,misere", "3^2:players=3"],
    ),
)
def test_nodes_and_edges_are_positions_and_moves(spec: str) -> None:
    game = Game(spec)
    graph = StateGraph(game, symmetry=False)
    found = walk(game)
    by_text = {node.text: node for node in graph.nodes()}
    edges = {(source, target): (move, moves) for source, target, move, moves in graph.edges()}
    count = 0
    for layer, numbers in zip(found.layers, found.games, strict=True):
        for owners, position in layer.items():
            node = by_text[position.text]
            assert graph.node(node.number) == node
            assert (node.ply, node.turn) == (position.ply, position.to_move)
            assert node.games == numbers[owners]
            assert node.orbit == 1
            assert node.result == (position.outcome.result if position.outcome else "")
            for cell in position.legal_moves:
                child = by_text[position.play(cell).text]
                assert edges[node.number, child.number] == (cell, 1)
                count += 1
    assert count == len(edges) == graph.edge_count
    assert len(by_text) == len(graph)


@pytest.mark.more
@pytest.mark.parametrize("spec", ["3^2", "3^2:gravity", "3^2:opening=0"])
def test_classes_are_linked_as_their_positions_are(spec: str) -> None:
    game = Game(spec)
    plain, merged = StateGraph(game, symmetry=False), StateGraph(game)
    form = {}
    by_text = {node.text: node for node in merged.nodes()}
    from hyperoxo.solvers.arrays import symmetries_of

    group = symmetries_of(game)
    for node in plain.nodes():
        images = {"".join(node.text[cell] for cell in row) for row in group}
        (form[node.number],) = images & by_text.keys()
    wanted = {(form[source], form[target]) for source, target, *_ in plain.edges()}
    texts = {node.number: node.text for node in merged.nodes()}
    assert {(texts[source], texts[target]) for source, target, *_ in merged.edges()} == wanted
    assert sum(node.orbit for node in merged.nodes()) == len(plain)
    for source, _, move, _ in merged.edges():
        assert move in game.position(texts[source]).legal_moves


def test_canonical_nodes_are_those_of_the_symmetry() -> None:
    game = Game("3^2")
    graph = StateGraph(game)
    for ply in range(10):
        owners = graph.owners(ply)
        assert (game.symmetry.canonical(owners) == owners).all()


def test_a_graph_to_a_few_plies_has_values_where_a_table_is_at_hand() -> None:
    graph = StateGraph("3^2", max_plies=3)
    assert len(graph.layers) == 4
    assert not graph.complete
    whole = StateGraph("3^2")
    assert [graph.node(k) for k in range(54)] == [whole.node(k) for k in range(54)]
    assert StateGraph("4^3", max_plies=2).node(5).value is None
    assert StateGraph("3^2:players=3", max_plies=2).values is None


def test_networkx_has_plain_attributes() -> None:
    graph = StateGraph("3^2").to_networkx()
    assert graph.number_of_nodes() == 765
    assert graph.nodes[0] == {
        "position": ".........",
        "ply": 0,
        "turn": 1,
        "result": "",
        "orbit": 1,
        "games": 1,
        "value": "draw",
        "remoteness": 9,
    }
    assert {type(value) for node in graph.nodes.values() for value in node.values()} == {int, str}
    assert {move for _, _, move in graph.edges(0, data="move")} == {0, 1, 4}
    assert sum(moves for _, _, moves in graph.edges(0, data="moves")) == 9


def test_networkx_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert 'extra "graph"' in message_of(MissingExtraError, StateGraph("2^2").to_networkx)


def test_bad_requests_are_refused() -> None:
    assert "no node 765" in message_of(SpecError, StateGraph("3^2").node, 765)
    assert "max_plies" in message_of(SpecError, StateGraph, "3^2", max_plies=-1)
    assert "has about" in message_of(LimitError, StateGraph, "3^3")
