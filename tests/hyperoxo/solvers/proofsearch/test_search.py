from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import CheckFailedError, LimitError, NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.kernels.proof_children import AND, OR
from hyperoxo.kernels.proof_table import SOLVED, proof_of
from hyperoxo.proof.dictionary_check import check_dictionary
from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree
from hyperoxo.solvers.proofsearch.search import (
    ProofProgress,
    ProofSearch,
    front_of,
    load_checkpoint,
    save_checkpoint,
)
from hyperoxo.solvers.proofsearch.tree import proof_tree
from hyperoxo.solvers.proofsearch.view import words_of
from hyperoxo.task import Task
from tests.hyperoxo.proof.dictionaries import WIN
from tests.judge import forced
from tests.proof_boards import running_position, some_position, spread, strong_specs

FREE = 9


def check(
    position: Position, attacker: int, *, width: int = 0, threat_limit: int = 2, **options: float
) -> str:
    """Run a search and compare it with what trying everything finds."""
    game = position.game
    search = ProofSearch(game, attacker, megabytes=0.1, width=width, threat_limit=threat_limit)
    status = search.run(position, **options).status  # type: ignore[arg-type]
    wins = forced(position, attacker) == WIN
    if status == "win":
        assert wins
        assert search.is_proved(words_of(position, attacker))
    elif status == "failed":
        assert not wins or 0 < width < game.cells
    else:
        assert options.get("nodes")
    return status


@pytest.mark.more
@given(
    strong_specs(),
    st.sampled_from([1, 2]),
    st.sampled_from([0, 1, 2, 4, 1000]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=300, deadline=None)
def test_all_moves_tell_who_wins(
    spec: str, attacker: int, threat_limit: int, rng: random.Random
) -> None:
    position = running_position(Game(spec), rng, most_free=FREE)
    assert check(position, attacker, threat_limit=threat_limit) != "unknown"


@pytest.mark.more
def test_forced_wins_that_are_not_found_in_time_are_searched_for() -> None:
    position = Game("4^3").position("moves:0,1,21,42")
    opened = []
    for threat_limit in (100, 0):
        search = ProofSearch(position.game, megabytes=8, threat_limit=threat_limit)
        found = search.run(position)
        assert found.status == "win"
        dictionary = dictionary_of_tree(position, 1, proof_tree(search, position))
        assert check_dictionary(dictionary).verdict == "proved"
        opened.append(found.nodes)
    assert opened[0] > opened[1]


def test_what_another_search_has_won_is_taken() -> None:
    position = Game("4^3").position("moves:0,1,21,42")
    narrow = ProofSearch(position.game, megabytes=8)
    assert narrow.run(position).status == "win"
    wide = ProofSearch(position.game, megabytes=8, width=16)
    wide.take_wins(narrow)
    listed = proof_tree(narrow, position).moves
    assert len(listed) > 50
    assert all(wide.proved_move(words) == move for words, move in listed.items())
    assert 100 < wide.entries < narrow.entries
    filled = wide.table.reshape(-1, wide.entry_words)
    assert not any(proof_of(numbers) for numbers in filled[filled[:, 2] != 0, 2])
    assert wide.run(position).nodes == 0


@pytest.mark.more
@given(strong_specs(), st.integers(1, 6), st.integers(1, 2), st.randoms(use_true_random=False))
@settings(max_examples=120, deadline=None)
def test_few_moves_never_prove_too_much(
    spec: str, width: int, attacker: int, rng: random.Random
) -> None:
    position = running_position(Game(spec), rng, most_free=FREE)
    check(position, attacker, width=width)


@pytest.mark.more
@given(strong_specs(), st.sampled_from([1, 2]), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_boards_of_two_words(spec: str, attacker: int, rng: random.Random) -> None:
    game = spread(Game(spec), rng.choice([65, 100, 128]), rng)
    position = running_position(game, rng, most_free=FREE)
    assert check(position, attacker) != "unknown"


@pytest.mark.slow
@pytest.mark.parametrize("cells", [150, 216, 256, 625])
def test_boards_of_more_words(cells: int) -> None:
    rng = random.Random(cells)
    for head in ("4,4,3", "4,4,4:opening=0+5x2", "9{0+1+2/2+3+4+5/0+5/6+7+8/1+4+7}", "3^2"):
        for attacker in (1, 2):
            position = some_position(spread(Game(head), cells, rng), rng, most_free=FREE)
            if not position.is_over:
                assert check(position, attacker) != "unknown"


@pytest.mark.parametrize(
    ("spec", "attacker", "status"),
    [
        ("3^3", 1, "win"),
        pytest.param("3^4", 1, "win", marks=pytest.mark.more),
        ("4,4,3", 1, "win"),
        ("3^2", 1, "failed"),
        ("3^2", 2, "failed"),
        ("4^2", 1, "failed"),
        ("4,4,4", 2, "failed"),
        ("3^3:blocked=13", 1, "win"),
    ],
)
def test_games_whose_value_is_known(spec: str, attacker: int, status: str) -> None:
    game = Game(spec)
    search = ProofSearch(game, attacker, megabytes=8, width=0)
    assert search.run(game.start()).status == status


def test_two_threads_find_what_one_finds() -> None:
    rng = random.Random(3)
    for spec in ("4,4,3", "4^2", "5,5,4:opening=0+1x2", "3^3:opening=0x2"):
        for attacker in (1, 2):
            position = some_position(Game(spec), rng, most_free=14)
            one, two = (
                ProofSearch(position.game, attacker, megabytes=1, width=0).run(
                    position, threads=threads
                )
                for threads in (1, 2)
            )
            assert one.status == two.status != "unknown"


@pytest.mark.more
def test_a_table_that_overflows_is_forgetful_but_never_wrong() -> None:
    rng = random.Random(8)
    for spec in ("5,5,4", "4^2", "4,4,4:opening=0+1+5x3"):
        for attacker in (1, 2):
            position = some_position(Game(spec), rng, most_free=13)
            search = ProofSearch(position.game, attacker, megabytes=0, width=0)
            search.table = np.zeros(64 * search.entry_words, np.uint64)
            large = ProofSearch(position.game, attacker, megabytes=4, width=0)
            assert search.run(position).status == large.run(position).status != "unknown"


@pytest.mark.more
def test_a_search_goes_on_where_a_limit_stopped_it() -> None:
    position = Game("4^3").position("moves:0,1,21,42")
    answer = ProofSearch(position.game, 1, megabytes=8, width=10).run(position)
    assert answer.nodes > 500
    search = ProofSearch(position.game, 1, megabytes=8, width=10)
    runs = [search.run(position, nodes=200) for _ in range(3)]
    assert {run.status for run in runs} == {"unknown"}
    assert all(run.nodes < answer.nodes for run in runs)
    assert runs[0].entries < runs[1].entries < runs[2].entries
    assert search.run(position).status == answer.status == "win"


def test_watch_and_stop() -> None:
    game = Game("4^3")
    search = ProofSearch(game, megabytes=8)

    class Seen(list[ProofProgress]):
        def is_set(self) -> bool:
            return len(self) > 2

    seen = Seen()
    found = search.run(game.start(), Task.within(60, seen, seen.append))
    assert found.status == "unknown"
    assert len(seen) == 3
    assert found.nodes > 0
    assert 0 < found.entries <= found.capacity
    assert found.seconds < 50
    assert search.run(game.start(), Task.within(0)).status == "unknown"


@pytest.mark.more
@given(strong_specs(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_canonical_images(spec: str, rng: random.Random) -> None:
    game = Game(spec)
    search = ProofSearch(game, megabytes=0.1)
    position = some_position(game, rng, most_free=20)
    words = words_of(position, 1)
    image = search.canonical(words)
    assert search.canonical(image) == image
    assert [word.bit_count() for word in image] == [word.bit_count() for word in words]
    if game.opening is not None:
        opening = sum(1 << cell for cell in game.opening)
        assert (image[0] & opening).bit_count() == (words[0] & opening).bit_count()


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("3^2:players=3", NotSupportedError),
        ("3^2:misere", NotSupportedError),
        ("3^2:target=2", NotSupportedError),
        ("4^3:gravity", NotSupportedError),
        ("11^3", LimitError),
    ],
)
def test_games_it_cannot_do(spec: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"[a-z]"):
        ProofSearch(Game(spec))


def test_there_are_two_players() -> None:
    with pytest.raises(SpecError, match="not 3"):
        ProofSearch(Game("3^2"), 3)


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_threads_share_even_a_small_limit(nodes: int) -> None:
    search = ProofSearch(Game("4^3"), 1, megabytes=1)
    found = search.run(Game("4^3").start(), nodes=nodes, threads=2)
    assert found.status == "unknown"
    assert found.nodes < 1_000  # asked for where a search returns to a parent


@pytest.mark.parametrize(
    ("spec", "moves"),
    [("4^3", "0,1,21,42"), pytest.param("5^3", "62,0,61,1", marks=pytest.mark.more)],
)
def test_another_search_goes_on(tmp_path: Path, spec: str, moves: str) -> None:
    position = Game(spec).position(f"moves:{moves}")
    search = ProofSearch(position.game, 1, megabytes=8)
    search.run(position, nodes=300)
    path = tmp_path / "search"
    saved = save_checkpoint(search, path)
    assert [file.name for file in tmp_path.iterdir()] == ["search"]
    other = ProofSearch(position.game, 1, megabytes=16)
    assert load_checkpoint(other, path) == saved == other.entries == search.entries > 100
    again = tmp_path / "again"
    assert save_checkpoint(other, again) == saved
    assert sorted(again.read_bytes().split(b"\n", 1)[1]) == sorted(
        path.read_bytes().split(b"\n", 1)[1]
    )


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    position = Game("4^3").position("moves:0,1,21,42")
    search = ProofSearch(position.game, 1, megabytes=1)
    search.run(position, nodes=50)
    path = tmp_path_factory.mktemp("checkpoint") / "search"
    save_checkpoint(search, path)
    return path.read_bytes()


def load(tmp_path: Path, data: bytes, spec: str = "4^3", attacker: int = 1, width: int = 5) -> int:
    path = tmp_path / "search"
    path.write_bytes(data)
    search = ProofSearch(Game(spec), attacker, megabytes=1, width=width)
    return load_checkpoint(search, path)


def test_a_checkpoint_belongs_to_one_search(tmp_path: Path, saved: bytes) -> None:
    for spec, attacker, width, other in (
        ("4^2", 1, 5, r"game '4\^3', not '4\^2'"),
        ("4^3", 2, 5, "attacker '1', not '2'"),
        ("4^3", 1, 0, "width '5', not '0'"),
    ):
        with pytest.raises(CheckFailedError, match=f"is of a proof search with {other}$"):
            load(tmp_path, saved, spec, attacker, width)


# What a running proof search has still to do.


CELLS = 4
LEVELS = CELLS + 2


def stack(levels: list[tuple[int, list[int], int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a stack: of each level its kind, its children's proof numbers, and the choice."""
    frames = np.zeros((LEVELS, 8), np.int64)
    keys = np.zeros((LEVELS, 3 + 2 * CELLS), np.uint64)
    numbers = np.zeros((LEVELS, 4 * CELLS), np.int64)
    for level, (kind, proofs, choice) in enumerate(levels):
        frames[level, [0, 3, 4]] = kind, len(proofs), choice
        numbers[level, : 4 * len(proofs) : 4] = proofs
        # Each child has a key of its own; the one searched stands on the next level.
        keys[level, 3 : 3 + 2 * len(proofs)] = np.arange(2 * len(proofs)) + 100 * level + 1
        keys[level + 1, :2] = keys[level, 3 + 2 * choice : 5 + 2 * choice]
    return frames, keys.ravel(), numbers


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([], (None, 0, 0)),
        ([(OR, [5, -1, 9], 0)], (5, 0, 0)),
        ([(OR, [5, -1, 9], 0), (AND, [1, 0, 3, 3], 2)], (7, 4, 1)),
        # The other move of the attacker has become the cheaper one.
        ([(OR, [5, 6], 0), (AND, [4, 4], 1)], (6, 2, 0)),
        # The numbers of the deepest position count, not what the root last heard of it.
        ([(AND, [50, 0], 0), (OR, [40, SOLVED], 0), (AND, [1, 2], 0)], (3, 2, 1)),
        ([(AND, [1, SOLVED], 0)], (None, 2, 0)),
        ([(OR, [SOLVED, -1], 0)], (None, 0, 0)),
    ],
)
def test_numbers_are_folded_from_the_deepest_position(
    levels: list[tuple[int, list[int], int]], expected: tuple[int | None, int, int]
) -> None:
    assert front_of(*stack(levels), 1) == expected


def test_what_was_left_by_an_earlier_path_is_not_read() -> None:
    frames, keys, numbers = stack([(AND, [7, 2], 0), (OR, [1], 0), (AND, [1], 0)])
    keys[11] = 99  # level 1 is no longer the position that level 0 searches
    assert front_of(frames, keys, numbers, 1) == (9, 2, 0)


def test_a_search_tells_what_is_left() -> None:
    search = ProofSearch(Game("4^3"), megabytes=1, width=10)
    found = search.run(Game("4^3").start(), nodes=150)
    assert found.status == "unknown"
    progress = found
    # Twelve classes of replies to a rich opening, as Patashnik counted them.
    assert progress.replies == 12
    assert 0 <= progress.replies_proved < 12
    assert progress.remaining is not None
    assert progress.remaining >= progress.replies - progress.replies_proved
