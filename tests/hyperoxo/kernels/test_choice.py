"""Choosing among options: brute force over random graphs, and books that balance."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.kernels.choice import Chosen, Graph, anneal, estimate, release, take

Options = list[list[tuple[int, ...]]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Options, list[int]]:
    """Node k leads to later nodes only; node 0 is the root, and the last ones have no option."""
    size = draw(st.integers(2, 8))
    options: Options = []
    for node in range(size):
        later = st.sets(st.integers(node + 1, size - 1), max_size=3) if node < size - 1 else None
        one = st.just(()) if later is None else later.map(lambda found: tuple(sorted(found)))
        options.append(draw(st.lists(one, min_size=int(node == 0), max_size=3, unique=True)))
    return options, draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))


def arrays(options: Options, costs: list[int]) -> tuple[Graph, Chosen]:
    counts = [len(one) for one in options]
    flat = [children for one in options for children in one]
    graph = Graph(
        np.cumsum([0, *counts]).astype(np.int64),
        np.cumsum([0, *map(len, flat)]).astype(np.int64),
        np.array([child for children in flat for child in children], np.int32),
        np.array(costs, np.int64),
        np.arange(len(options), dtype=np.int32),
    )
    size = len(options)
    chosen = Chosen(
        np.where(np.array(counts) > 0, graph.first[:-1], -1),
        np.zeros(size, np.int32),
        np.ones(size),
        np.zeros(size + 1, np.int64),
        np.zeros(2 * size + 2, np.int64),
    )
    chosen.refs[0] = 1
    return graph, chosen


def cost_of(options: Options, costs: list[int], choice: list[int]) -> int:
    """Cost of all that the root needs, by the definition."""
    found, waiting = {0}, [0]
    while waiting:
        node = waiting.pop()
        new = {*options[node][choice[node]]} - found if options[node] else set()
        found |= new
        waiting += new
    return sum(costs[node] for node in found)


def local(graph: Graph, chosen: Chosen) -> list[int]:
    return [int(one) - int(first) for one, first in zip(chosen.option, graph.first, strict=False)]


@pytest.mark.more
@given(graphs(), st.integers(0, 2**32))
@settings(max_examples=150)
def test_annealing_reports_the_cost_of_its_choice_and_finds_the_least(
    drawn: tuple[Options, list[int]], seed: int
) -> None:
    options, costs = drawn
    graph, chosen = arrays(options, costs)
    state, stop = np.array([seed], np.uint64), np.zeros(1, np.int64)
    size = costs[0] + take(graph, chosen, 0, -1.0, state)
    assert size == cost_of(options, costs, local(graph, chosen))
    slack = np.zeros(len(options))
    many = np.flatnonzero([len(one) > 1 for one in options]).astype(np.int32)
    best = size
    for warm in (2.0, 0.5, 0.1) * 4:
        if len(many):
            size += anneal(graph, chosen, many, 50, warm, state, stop)
        estimate(graph, chosen, slack)
        assert size == cost_of(options, costs, local(graph, chosen))
        assert ((chosen.refs > 0) <= (slack == 0)).all()
        best = min(best, size)
    every = product(*(range(max(1, len(one))) for one in options))
    assert best == min(cost_of(options, costs, [*choice]) for choice in every)
    needed = chosen.refs.copy()
    freed = release(graph, chosen, 0)
    assert freed == size - costs[0]
    assert chosen.refs.sum() == 1
    take(graph, chosen, 0, -1.0, state)
    assert (chosen.refs == needed).all()


def test_a_stop_ends_it_at_once() -> None:
    graph, chosen = arrays([[(1,), (2,)], [()], [()]], [1, 1, 1])
    state = np.array([1], np.uint64)
    take(graph, chosen, 0, -1.0, state)
    before = chosen.option.copy()
    many = np.array([0], np.int32)
    assert anneal(graph, chosen, many, 10**9, 1.0, state, np.ones(1, np.int64)) == 0
    assert (chosen.option == before).all()


def test_estimates_tell_how_far_an_option_is_from_being_chosen() -> None:
    graph, chosen = arrays([[(1,), (2, 3)], [()], [()], [()]], [1, 1, 2, 3])
    take(graph, chosen, 0, -1.0, np.array([1], np.uint64))
    slack = np.zeros(4)
    estimate(graph, chosen, slack)
    assert chosen.estimate.tolist() == [2.0, 1.0, 2.0, 3.0]
    assert slack.tolist() == [0.0, 0.0, 4.0, 4.0]
