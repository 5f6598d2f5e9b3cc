"""Choosing one option in each node of a graph, so that few nodes are needed.

A node has some options, and an option leads to children, all of which are needed where it is
chosen. Nodes are numbered; children come after their parents in `order`. A node counts in
``refs`` how often it is needed; what nobody needs costs nothing. The search is annealing:
one node takes another option, what only the old one needed is freed, and what is newly needed
chooses by estimates. The change stays if it saves, or by chance with a probability that falls as
the temperature does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words
from hyperoxo.kernels.elementary import exp, log
from hyperoxo.kernels.rng import advance, mix

_UNIT = 2.0**-53
_SHIFT = np.uint64(11)
_TRIES = 64


class Graph(NamedTuple):
    """Nodes, options and children in CSR form, and what needing a node costs."""

    first: Longs
    start: Longs
    child: Ints
    cost: Longs
    order: Ints


class Chosen(NamedTuple):
    """A choice: the option of each node, -1 for none, how often it is needed, and estimates."""

    option: Longs
    refs: Ints
    estimate: Floats
    stack: Longs
    log: Longs


@njit(**NO_REFCOUNT)
def release(graph: Graph, chosen: Chosen, node: int) -> int:
    """Take away the option of a node; return the cost of what nobody needs any more."""
    freed, height = 0, 1
    chosen.stack[0] = node
    while height:
        height -= 1
        option = chosen.option[chosen.stack[height]]
        for at in range(graph.start[option], graph.start[option + 1]):
            child = graph.child[at]
            chosen.refs[child] -= 1
            if chosen.refs[child] == 0:
                freed += graph.cost[child]
                if chosen.option[child] >= 0:
                    chosen.stack[height] = child
                    height += 1
    return freed


@njit(**NO_REFCOUNT)
def take(graph: Graph, chosen: Chosen, node: int, warm: float, state: Words) -> int:
    """Put the option of a node back; return the cost of what is needed now.

    With a temperature `warm` of at least 0, what is newly needed chooses its option again;
    ``log`` then holds the number of choices that were made, and node and old option of each.
    """
    added, height = 0, 1
    chosen.stack[0] = node
    chosen.log[0] = 0
    while height:
        height -= 1
        option = chosen.option[chosen.stack[height]]
        for at in range(graph.start[option], graph.start[option + 1]):
            child = graph.child[at]
            chosen.refs[child] += 1
            if chosen.refs[child] > 1:
                continue
            added += graph.cost[child]
            old = chosen.option[child]
            if old < 0:
                continue
            if warm >= 0.0 and graph.first[child + 1] - graph.first[child] > 1:
                entry = 2 * chosen.log[0] + 1
                chosen.log[entry] = child
                chosen.log[entry + 1] = old
                chosen.log[0] += 1
                chosen.option[child] = draw(graph, chosen, child, warm, -1, state)
            chosen.stack[height] = child
            height += 1
    return added


@njit(**NO_REFCOUNT)
def draw(graph: Graph, chosen: Chosen, node: int, warm: float, but: int, state: Words) -> int:
    """Draw an option other than `but`, the cheaper by what it newly needs the likelier."""
    best, least = -1, np.inf
    for option in range(graph.first[node], graph.first[node + 1]):
        if option == but:
            continue
        value = 0.0
        for at in range(graph.start[option], graph.start[option + 1]):
            child = graph.child[at]
            if chosen.refs[child] == 0:
                value += chosen.estimate[child]
        if warm > 0.0:
            value += warm * log(-log(_unit(state)))
        if value < least:
            best, least = option, value
    return best


@njit(**NO_REFCOUNT)
def _unit(state: Words) -> float:
    """Draw a number between 0 and 1, neither of them."""
    state[0] = advance(state[0])
    return (float(mix(state[0]) >> _SHIFT) + 0.5) * _UNIT


@njit(**NO_REFCOUNT)
def anneal(
    graph: Graph, chosen: Chosen, many: Ints, steps: int, warm: float, state: Words, stop: Longs
) -> int:
    """Exchange options at one temperature; return by how much the cost has changed.

    `many` lists the nodes with several options, `state` is that of the random numbers, and the
    loop ends early when ``stop[0]`` is set.
    """
    change = 0
    for _ in range(steps):
        if stop[0]:
            break
        node = -1
        for _ in range(_TRIES):
            node = many[int(_unit(state) * len(many))]
            if chosen.refs[node] > 0:
                break
        if chosen.refs[node] == 0:
            continue
        old = chosen.option[node]
        freed = release(graph, chosen, node)
        chosen.option[node] = draw(graph, chosen, node, warm, old, state)
        added = take(graph, chosen, node, warm, state)
        if added <= freed or _unit(state) < exp((freed - added) / warm):
            change += added - freed
            continue
        entries = chosen.log[0]
        release(graph, chosen, node)
        for entry in range(entries):
            chosen.option[chosen.log[2 * entry + 1]] = chosen.log[2 * entry + 2]
        chosen.option[node] = old
        take(graph, chosen, node, -1.0, state)
    return change


@njit(**NO_REFCOUNT)
def estimate(graph: Graph, chosen: Chosen, slack: Floats) -> None:
    """Estimate what each node costs, and how far from being chosen it is.

    What a node costs is shared by those who need it (area flow). `slack`, 0 for what is needed,
    is the least that the estimates would have to be wrong by for a node to be chosen.
    """
    for at in range(len(graph.order) - 1, -1, -1):
        node = graph.order[at]
        least = np.inf
        for option in range(graph.first[node], graph.first[node + 1]):
            least = min(least, _shared(graph, chosen, option))
        chosen.estimate[node] = graph.cost[node] + (0.0 if least == np.inf else least)
        slack[node] = 0.0 if chosen.refs[node] else np.inf
    for at in range(len(graph.order)):
        node = graph.order[at]
        if slack[node] == np.inf:
            continue
        least = chosen.estimate[node] - graph.cost[node]
        for option in range(graph.first[node], graph.first[node + 1]):
            far = slack[node] + max(0.0, _shared(graph, chosen, option) - least)
            for one in range(graph.start[option], graph.start[option + 1]):
                child = graph.child[one]
                slack[child] = min(slack[child], far)


@njit(**NO_REFCOUNT)
def _shared(graph: Graph, chosen: Chosen, option: int) -> float:
    """Estimate what an option costs, where others share its children."""
    value = 0.0
    for at in range(graph.start[option], graph.start[option + 1]):
        child = graph.child[at]
        value += chosen.estimate[child] / max(1, chosen.refs[child])
    return value
