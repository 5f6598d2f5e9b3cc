"""Sizes of what follows, against sets that are walked through one by one."""

from __future__ import annotations

import random

from hyperoxo.play.explorer.explorer import Graph, Size


def test_sizes_of_random_graphs() -> None:
    rng = random.Random(2)
    for _ in range(60):
        layers = [
            [bytes([1] * stones + [0] * (7 - stones) + [name]) for name in range(1, most)]
            for stones, most in enumerate(rng.choices(range(2, 6), k=6))
        ]
        names = [form for layer in layers for form in layer]
        edges = {b"": tuple(layers[0])}
        for number, layer in enumerate(layers):
            later = [form for after in layers[number + 1 :] for form in after]
            for form in layer:
                edges[form] = tuple(rng.sample(later, min(len(later), rng.randint(0, 4))))
        listed = set(rng.sample(names, len(names) // 2))
        graph = Graph(edges, listed)

        def below(roots: list[bytes], edges: dict[bytes, tuple[bytes, ...]] = edges) -> set[bytes]:
            found = set(roots)
            for root in roots:
                found |= below(list(edges[root]))
            return found

        def depth(form: bytes, edges: dict[bytes, tuple[bytes, ...]] = edges) -> int:
            return 1 + max(map(depth, edges[form]), default=0)

        for roots in [[form] for form in names] + [layers[0], []]:
            found = below(roots)
            deepest = max(map(depth, roots), default=0)
            assert graph.size(roots) == Size(len(found), len(found & listed), deepest)
            assert all(form in graph for form in roots)
        assert len(graph) == len(names)
