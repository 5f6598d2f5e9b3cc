from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.board import cells_beyond, hypercube, hypergraph
from hyperoxo.board.board import Symmetry
from hyperoxo.errors import LimitError, SpecError
from hyperoxo.game import Game
from tests.marks import more

SPECS = [
    "1^1",
    "4^1",
    "3^1:gravity",
    "2^2",
    "2^3",
    "2^3:gravity",
    "3^2",
    "4^2",
    "3^3",
    "4^3",
    "4^3:gravity",
    "4^3:blocked=0",
    "5^3",
    "3^4:blocked=centre",
    "3^3:blocked=0+1+3+9",
    "4,3,3",
]


@pytest.mark.parametrize("spec", ["5,1,2:exact", "3,2,2:exact", "7,1,2:exact,blocked=2"])
def test_symmetries_keep_what_is_beyond_each_line(spec: str) -> None:
    game = Game(spec)
    board, cells = game.board, game.board.playable.tolist()

    def rows(image: dict[int, int]) -> set[tuple[frozenset[int], frozenset[int]]]:
        return {
            (frozenset(image[cell] for cell in line), frozenset(image[cell] for cell in beyond))
            for line, beyond in (
                (board.line(at).tolist(), cells_beyond(board, at)) for at in range(board.line_count)
            )
        }

    same = rows({cell: cell for cell in cells})
    images = (dict(zip(cells, image, strict=True)) for image in permutations(cells))
    assert game.symmetry.order == sum(rows(image) == same for image in images)


def closure(generators: Sequence[Sequence[int]], size: int) -> set[tuple[int, ...]]:
    reached = {tuple(range(size))}
    queue = list(reached)
    for element in queue:
        for generator in generators:
            image = tuple(generator[cell] for cell in element)
            if image not in reached:
                reached.add(image)
                queue.append(image)
    return reached


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "2^3"])
def test_permutations_are_the_closure_of_the_generators(spec: str) -> None:
    symmetry = Game(spec).symmetry
    rows = symmetry.permutations()
    assert rows.dtype == np.int32
    assert rows.shape == (symmetry.order, Game(spec).board.cell_count)
    assert rows[0].tolist() == list(range(rows.shape[1]))
    assert set(map(tuple, rows.tolist())) == closure(symmetry.generators.tolist(), rows.shape[1])


@pytest.mark.parametrize("spec", SPECS)
def test_orbits_are_those_of_the_whole_group(spec: str) -> None:
    game = Game(spec)
    rows = game.symmetry.permutations()
    orbits = {tuple(sorted(set(rows[:, cell].tolist()))) for cell in game.board.playable}
    assert game.symmetry.orbits() == sorted(orbits)
    for orbit in orbits:
        assert set(game.symmetry.representatives[list(orbit)].tolist()) == {orbit[0]}


@pytest.mark.parametrize("spec", [*SPECS, "3^4", "4^2:gravity"])
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_cells_alike_are_those_that_the_list_of_symmetries_takes_to_each_other(
    spec: str, data: st.DataObject
) -> None:
    game = Game(spec)
    count = game.board.cell_count
    odd = data.draw(st.lists(st.integers(0, count - 1), max_size=4))
    colours = np.zeros(count, np.int64)
    colours[odd] = data.draw(st.lists(st.integers(0, 2), min_size=len(odd), max_size=len(odd)))
    rows = game.symmetry.permutations()
    keeping = rows[(colours[rows] == colours).all(axis=1)]
    playable = game.board.playable
    found = game.symmetry.representatives_of(colours)[playable]
    assert found.tolist() == keeping.min(axis=0)[playable].tolist()


@pytest.mark.more
def test_cells_alike_need_no_list_of_symmetries() -> None:
    """Of cells, what two opposite corners leave is how many coordinates are 0 and how many 2."""
    colours = np.zeros(3**8, np.int64)
    colours[[0, -1]] = 1
    symmetry = Game("3^8").symmetry
    assert symmetry.order > 10**7
    kinds = {frozenset([low, high]) for low in range(9) for high in range(9 - low)}
    assert len(np.unique(symmetry.representatives_of(colours))) == len(kinds)


@pytest.mark.parametrize("spec", more(SPECS, ["2^3"]))
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_canonical_form_is_the_greatest_image(spec: str, data: st.DataObject) -> None:
    game = Game(spec)
    size = game.board.cell_count
    rows = game.symmetry.permutations()
    text = data.draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, 8]), min_size=size, max_size=size))
    owners = np.array(text, np.uint8)
    owners[list(game.board.blocked)] = 255
    images = np.empty((len(rows), size), np.uint8)
    np.put_along_axis(images, rows, np.broadcast_to(owners, rows.shape), axis=1)
    greatest = max(map(bytes, images))
    form, index = game.symmetry.canonical_with(owners)
    assert bytes(form) == greatest
    assert bytes(images[index]) == greatest
    assert bytes(game.symmetry.canonical(form)) == greatest
    chosen = data.draw(st.integers(0, len(rows) - 1))
    assert bytes(game.symmetry.canonical(images[chosen])) == greatest


def cycles(perm: list[int]) -> Iterator[int]:
    seen: set[int] = set()
    for start in range(len(perm)):
        if start not in seen:
            yield start
            cell = start
            while cell not in seen:
                seen.add(cell)
                cell = perm[cell]


@pytest.mark.more
@pytest.mark.parametrize(
    ("spec", "colours"),
    [("3^2", 3), ("2^3", 3), ("2^3", 4), ("4^2", 2)],
)
def test_number_of_forms_is_what_burnside_says(spec: str, colours: int) -> None:
    symmetry = Game(spec).symmetry
    rows = symmetry.permutations().tolist()
    fixed = sum(colours ** sum(1 for _ in cycles(perm)) for perm in rows)
    size = len(rows[0])
    positions = np.indices((colours,) * size, np.uint8).reshape(size, -1).T
    forms = symmetry.canonical(positions)
    assert len(np.unique(forms, axis=0)) == fixed // len(rows)


def test_forms_keep_the_shape_of_the_batch() -> None:
    symmetry = hypercube(3, 2).symmetry
    owners = np.zeros((2, 5, 9), np.uint8)
    owners[1, 3, 8] = 2
    forms, index = symmetry.canonical_with(owners)
    assert forms.shape == (2, 5, 9)
    assert index.shape == (2, 5)
    assert forms[1, 3].tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 0]
    assert symmetry.canonical(owners[:0]).shape == (0, 5, 9)
    assert symmetry.canonical(owners[:, ::2]).shape == (2, 3, 9)


def test_positions_of_the_wrong_size_are_refused() -> None:
    with pytest.raises(SpecError, match="has 9 cells, not 8"):
        hypercube(3, 2).symmetry.canonical(bytes(8))


def test_large_groups_have_orders_and_no_canonical_forms() -> None:
    symmetry = hypercube(3, 7).symmetry
    assert symmetry.order == 645_120
    message = "canonical forms need the whole group; this one has 645,120 elements, over 100,000"
    with pytest.raises(LimitError, match=message):
        symmetry.canonical(bytes(3**7))
    with pytest.raises(LimitError, match="list of all symmetries is too long: 645,120 elements"):
        symmetry.permutations()


@pytest.mark.more
def test_memory_is_limited_too() -> None:
    with pytest.raises(LimitError, match="would take 1,152 MiB as permutations, over 512 MiB"):
        hypercube(8, 4).symmetry.permutations()
    rng = np.random.default_rng(0)
    twins = 2 * np.array(sorted({tuple(sorted(rng.choice(9_000, 3))) for _ in range(40_000)}))
    twins = twins[(np.diff(twins, axis=1) > 0).all(axis=1)]
    board = hypergraph(18_000, np.stack([twins, twins + 1], axis=2).reshape(-1, 6).tolist())
    with pytest.raises(LimitError, match=r"the generators of this group would take 6\d\d MiB"):
        _ = board.symmetry.generators


def test_huge_symmetric_groups_cost_nothing() -> None:
    symmetry = hypercube(10**6, 1).symmetry
    assert symmetry.order_text == "1000000!"
    assert symmetry.generators.shape == (2, 10**6)
    assert len(symmetry.orbits()[0]) == 10**6
    with pytest.raises(LimitError, match="this one has 1000000! elements"):
        symmetry.canonical(bytes(10**6))


def test_large_whole_boards_are_known_at_once() -> None:
    symmetry = hypercube(9, 5).symmetry
    assert symmetry.order == 2 ** (4 + 4) * 120 * 24
    orbits = symmetry.orbits()
    assert sum(map(len, orbits)) == 9**5
    # An orbit is told by which coordinates are equal, opposite or central.
    assert orbits[-1] == ((9**5 - 1) // 2,)


def test_symmetry_survives_pickling() -> None:
    symmetry = Game("4^3:gravity").symmetry
    again = pickle.loads(pickle.dumps(symmetry))
    assert isinstance(again, Symmetry)
    assert (again.order, repr(again)) == (8, repr(symmetry))
