"""Small solution subgraphs of AND/OR graphs by simulated annealing.

A node has some options, and an option leads to children, all of which are needed if it is chosen.
Nodes are numbered; children come after their parents in `order`. ``refs`` counts the needs of a
node; one without any costs nothing. A step gives one node another option: nodes that only the old
one needed are freed, and newly needed ones choose by estimates. The change stays if it saves, or
with a probability that falls with the temperature (Metropolis).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hyperoxo.jit import NO_REFCOUNT, njit
from hyperoxo.kernels.arrays import Floats, Ints, Longs, Words
from hyperoxo.kernels.elementary import exp, log
from hyperoxo.kernels.rng import advance, fraction, mix

_TRIES = 64


class Graph(NamedTuple):
    """Nodes, options and children in CSR form, and the cost of each node."""

    # Node v has the options first[v] to first[v + 1] - 1, option o the children child[start[o]] to
    # child[start[o + 1] - 1].

    first: Longs
    start: Longs
    child: Ints
    cost: Longs
    order: Ints


class Chosen(NamedTuple):
    """A choice: the option of each node or -1, its reference count and estimated cost."""

    option: Longs
    refs: Ints
    estimate: Floats
    stack: Longs
    log: Longs


@njit(**NO_REFCOUNT)
def release(graph: Graph, chosen: Chosen, node: int) -> int:
    """Take away the option of a node; return the cost of the nodes that this frees."""
    # Reference counting: a node without references releases its children. It keeps its option, so
    # that `take` can put everything back.
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
    """Put the option of a node back; return the cost of the newly needed nodes.

    With a temperature `warm` of at least 0 these choose their options again; ``log`` then holds
    the number of such choices, and node and old option of each.
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
            # Only the first reference makes a node needed, and its children with it.
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
    """Draw an option other than `but`, with cheaper newly needed nodes more likely."""
    best, least = -1, np.inf
    for option in range(graph.first[node], graph.first[node + 1]):
        if option == but:
            continue
        value = 0.0
        for at in range(graph.start[option], graph.start[option + 1]):
            child = graph.child[at]
            if chosen.refs[child] == 0:
                value += chosen.estimate[child]
        # Gumbel noise: the least sum has the probability of exp(-value / warm) among all.
        if warm > 0.0:
            value += warm * log(-log(_unit(state)))
        if value < least:
            best, least = option, value
    return best


@njit(**NO_REFCOUNT)
def _unit(state: Words) -> float:
    """Draw a number between 0 and 1, neither of them."""
    state[0] = advance(state[0])
    return fraction(mix(state[0])) + 2.0**-54


@njit(**NO_REFCOUNT)
def anneal(
    graph: Graph, chosen: Chosen, many: Ints, steps: int, warm: float, state: Words, stop: Longs
) -> int:
    """Exchange options at one temperature; return the change of the cost.

    `many` lists the nodes with several options, `state` is that of the random numbers, and the
    loop ends early when ``stop[0]`` is set.
    """
    change = 0
    for _ in range(steps):
        if stop[0]:
            break
        # 1. A node that is needed and has a choice.
        node = -1
        for _ in range(_TRIES):
            node = many[int(_unit(state) * len(many))]
            if chosen.refs[node] > 0:
                break
        if chosen.refs[node] == 0:
            continue
        # 2. Another option. Nodes that both options need are freed and taken again: they cost
        #    nothing more, but may choose differently.
        old = chosen.option[node]
        freed = release(graph, chosen, node)
        chosen.option[node] = draw(graph, chosen, node, warm, old, state)
        added = take(graph, chosen, node, warm, state)
        if added <= freed or _unit(state) < exp((freed - added) / warm):
            change += added - freed
            continue
        # 3. Rejected: release by the options that were taken, restore the old ones, take these. The
        #    number of entries is saved first, for `take` clears it.
        entries = chosen.log[0]
        release(graph, chosen, node)
        for entry in range(entries):
            chosen.option[chosen.log[2 * entry + 1]] = chosen.log[2 * entry + 2]
        chosen.option[node] = old
        take(graph, chosen, node, -1.0, state)
    return change


@njit(**NO_REFCOUNT)
def estimate(graph: Graph, chosen: Chosen, slack: Floats) -> None:
    """Estimate the cost and the slack of each node.

    The cost of a node is shared by its parents (area flow, as in technology mapping of circuits).
    `slack`, 0 for a needed node, is the least error of the estimates by which it would be chosen.
    """
    # 1. Costs, children before parents.
    for at in range(len(graph.order) - 1, -1, -1):
        node = graph.order[at]
        least = np.inf
        for option in range(graph.first[node], graph.first[node + 1]):
            least = min(least, _shared(graph, chosen, option))
        chosen.estimate[node] = graph.cost[node] + (0.0 if least == np.inf else least)
        slack[node] = 0.0 if chosen.refs[node] else np.inf
    # 2. Slack, parents before children: that of the parent, and the option's excess over the best.
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
    """Estimate the cost of an option whose children are shared."""
    value = 0.0
    for at in range(graph.start[option], graph.start[option + 1]):
        child = graph.child[at]
        value += chosen.estimate[child] / max(1, chosen.refs[child])
    return value
