from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.solvers.proofsearch.driver import load_checkpoint, save_checkpoint
from hyperoxo.solvers.proofsearch.search import ProofSearch


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
