from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game, Position
from hyperoxo.proof import canonical
from hyperoxo.proof.canonical import canonical_forms_of, check_symmetries
from hyperoxo.proof.images import locate
from tests.strategies import games, positions

SMALL = games(hypercubes=("1^1", "2^1", "3^1", "2^2", "3^2", "4^2", "2^3", "3^3"))


@pytest.mark.more
@given(positions(SMALL))
def test_forms_are_the_canonical_ones(position: Position) -> None:
    used = canonical_forms_of(position.game)
    form, cells = used.locate(position.owners)
    assert form == used.of(position.owners)
    assert form == bytes(position.owners[cell] for cell in cells)
    if used.inverses:
        assert used.count == position.game.symmetry.order
        expected = bytearray(position.game.symmetry.canonical(position.owners).tobytes())
        for cell in position.game.blocked:
            expected[cell] = 255
        assert form == bytes(expected)
    else:
        assert form == position.owners


@pytest.mark.more
@given(positions(SMALL))
def test_compiled_forms_are_the_same(position: Position) -> None:
    form, cells = canonical_forms_of(position.game).locate(position.owners)
    found, chosen = locate(position.game, position.owners)
    assert (found, bytes(chosen.tolist())) == (form, bytes(cells))


@pytest.mark.parametrize("spec", ["3^2", "3^3", "4,3,3", "6{0+1+2/2+3/3+4+5}"])
def test_the_greatest_image_is_found_wherever_it_stands(spec: str) -> None:
    used = canonical_forms_of(Game(spec))
    for inverse in used.inverses:
        image = bytearray(len(inverse))
        for place, cell in enumerate(inverse):
            image[cell] = len(inverse) - place
        found, chosen = locate(Game(spec), bytes(image))
        greatest = bytes(range(len(inverse), 0, -1))
        assert (found, bytes(chosen.tolist())) == (greatest, inverse)
        assert used.locate(bytes(image)) == (found, inverse)


@pytest.mark.more
@given(positions(SMALL), st.integers(0, 10**6))
def test_images_share_their_form(position: Position, pick: int) -> None:
    used = canonical_forms_of(position.game)
    if used.inverses:
        inverse = used.inverses[pick % len(used.inverses)]
        image = bytes(position.owners[cell] for cell in inverse)
        assert used.of(image) == used.of(position.owners)


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("4^3", 192),
        ("3^2:gravity", 2),
        ("3^2:opening=poor", 8),
        ("3^2:opening=0", 1),
        ("2^4", 1),
        ("7^3", 1),
        ("3^2:blocked=0", 2),
        ("5{}", 120),
        ("3^2:blocked=0+8", 48),
        ("17,15,5", 4),
        ("16,16,5", 1),
    ],
)
def test_how_many_symmetries_are_used(spec: str, count: int) -> None:
    assert canonical_forms_of(Game(spec)).count == count


def test_the_most_symmetries_that_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files state how many are used, so that the limit is a part of their form."""
    assert canonical._MOST_SYMMETRIES == 100_000
    for most, count in ((8, 8), (7, 1)):
        monkeypatch.setattr(canonical, "_MOST_SYMMETRIES", most)
        assert canonical_forms_of.__wrapped__(Game("3^2")).count == count


@pytest.mark.parametrize(
    "spec", ["3^2", "3^2:gravity", "4^2:blocked=0", "3^3", "6{0+1+2/2+3/3+4+5}", "4,3,3"]
)
def test_only_symmetries_pass(spec: str) -> None:
    """Random and all nearly right permutations are let through exactly if they are listed."""
    game = Game(spec)
    rows = game.symmetry.permutations()
    check_symmetries(game, rows)
    listed = {row.tobytes() for row in rows}
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(300):
        row = rows[rng.integers(len(rows))].copy()
        one, other = rng.choice(len(row), 2, replace=False)
        row[[one, other]] = row[[other, one]]
        if row.tobytes() in listed:
            check_symmetries(game, row[None])
            continue
        refused += 1
        for among in ([row], [rows[0], row], [row, rows[0]]):
            with pytest.raises(CheckFailedError, match="permutation"):
                check_symmetries(game, np.stack(among))
    assert refused > 100


def test_every_chunk_of_rows_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong row among right ones is found, whatever is compared at a time."""
    game = Game("3^2")
    rows = game.symmetry.permutations()
    wrong = rows[:1].copy()
    wrong[0, [0, 1]] = wrong[0, [1, 0]]
    for chunk in (1, 50, 10**6):
        monkeypatch.setattr(canonical, "_CHUNK", chunk)
        check_symmetries(game, rows)
        with pytest.raises(CheckFailedError, match="moves a line"):
            check_symmetries(game, np.concatenate([rows, wrong, rows]))


def test_rows_must_be_permutations() -> None:
    with pytest.raises(CheckFailedError, match="not a permutation"):
        check_symmetries(Game("2^2"), np.array([[0, 1, 2, 2]], np.int32))
    with pytest.raises(CheckFailedError, match="not a permutation"):
        check_symmetries(Game("2^2"), np.array([[0, 1, 2]], np.int32))
    with pytest.raises(CheckFailedError, match="not a permutation"):
        check_symmetries(Game("2^2"), np.array([0, 1, 2, 3], np.int32))


def test_columns_must_stay_columns() -> None:
    turned = np.array([[2, 5, 8, 1, 4, 7, 0, 3, 6]], np.int32)
    check_symmetries(Game("3^2"), turned)
    with pytest.raises(CheckFailedError, match="column"):
        check_symmetries(Game("3^2:gravity"), turned)


def test_blocked_cells_must_stay_blocked() -> None:
    """No line tells cell 2, which is blocked, from cell 3."""
    turned = np.array([[0, 1, 2, 3], [0, 1, 3, 2]], np.int32)
    check_symmetries(Game("4{0+1}"), turned)
    with pytest.raises(CheckFailedError, match="moves a blocked cell"):
        check_symmetries(Game("4{0+1}:blocked=2"), turned)
    check_symmetries(Game("4{0+1}:blocked=2+3"), turned)


def test_symmetries_of_the_board_are_not_taken_on_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("3{0+1}")
    wrong = np.array([[0, 1, 2], [0, 2, 1]], np.int32)
    monkeypatch.setattr(type(game.symmetry), "permutations", lambda self: wrong)
    with pytest.raises(CheckFailedError, match="moves a line"):
        canonical_forms_of.__wrapped__(game)


def test_positions_of_large_boards_are_listed_as_they_are() -> None:
    for spec in ("4^4", "7^3", "5^4"):
        owners = bytes(Game(spec).board.cell_count - 1) + b"\1"
        form, cells = locate(Game(spec), owners)
        assert (form, cells.tolist()) == (owners, [*range(len(owners))])
        assert canonical_forms_of(Game(spec)).count == 1
