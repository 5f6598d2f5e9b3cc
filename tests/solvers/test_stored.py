"""What stored proofs decide is known wherever a position is solved."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperoxo.position import Value
from hyperoxo.proof.kinds import verify
from hyperoxo.proof.stored import stored_dictionary
from hyperoxo.rules import Game
from hyperoxo.solvers import solve
from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof, suits
from hyperoxo.solvers.stored import said_by_stored_proofs
from tests.proof.test_file import rehash


def test_the_stored_proofs_decide_all_first_moves() -> None:
    found = solve("4^3", seconds=0)
    assert (found.value, found.winner, found.nodes, found.complete) == ("win", 1, 0, True)
    assert {move.value for move in found.moves} == {"win"}
    assert [text.split(",")[0] for text in found.evidence[1:]] == [
        "Stored proof: player 1 wins 4^3",
        "Stored proof: player 1 wins 4^3:opening=poor",
    ]


def test_positions_small_enough_for_exact_search() -> None:
    game = Game("4^3:opening=poor")
    dictionary = stored_dictionary(game)
    assert dictionary is not None
    fullest = min(dictionary.moves, key=lambda owners: owners.count(0))
    position = game.position("".join(".12"[owner] for owner in fullest))
    assert not suits(position)
    found = solve(position, seconds=0)
    assert (found.winner, found.nodes) == (1, 0)
    assert "win" in {move.value for move in found.moves}
    assert solve(position, seconds=0, method="exact").value == "unknown"


@pytest.mark.parametrize("spec", ["4^3:misere", "4^3:gravity", "4^3:blocked=0", "4^3:target=2"])
def test_another_game_is_not_decided(spec: str) -> None:
    said = said_by_stored_proofs(Game(spec).start())
    assert (said.own.low, said.own.high, said.moves) == (Value.LOSS, Value.WIN, {})


def test_a_certificate_needs_a_search_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "win.oxo"
    found = solve("4^3", nodes=1, proof=path)
    assert found.value == "win"
    assert found.nodes >= 1
    assert "none was found" in found.evidence[-1]
    assert not path.exists()


@pytest.mark.parametrize("spec", ["3^4:target=12", "3^4:target=15", "3^3:target=2"])
def test_a_proof_that_no_draw_exists_is_written(spec: str, tmp_path: Path) -> None:
    path = tmp_path / "none.oxo"
    found = solve(spec, nodes=1, proof=path)
    assert (found.value, found.proof, found.strategy) == ("win", str(path), None)
    verdict = verify(path)
    assert verdict.proved
    assert verdict.claim.startswith(f"on every full board of {spec} at least ")
    assert verdict.claim in found.evidence[-1]
    higher = path.read_bytes().replace(spec.encode(), spec.encode() + b"0", 1)
    assert not verify(rehash(higher)).proved


def test_who_loses_for_want_of_a_draw_has_no_proof(tmp_path: Path) -> None:
    found = solve("3^4:target=12", seconds=1, proof=tmp_path / "x", proof_seat=2)
    assert found.proof is None
    assert found.evidence[-1].startswith("No proof was written: player 2 cannot force a draw")


@pytest.mark.parametrize(
    "spec", ["3^4:target=16", "3^4:target=12,convention=maker-breaker", "3^4:target=13,blocked=0"]
)
def test_where_no_proof_says_so_none_is_written(spec: str, tmp_path: Path) -> None:
    path = tmp_path / "none.oxo"
    assert solve(spec, nodes=1, proof=path).proof is None
    assert not path.exists()


def test_proof_search_that_is_asked_for_searches() -> None:
    start = Game("4^3").start()
    settings = ProofSettings(megabytes=1)
    assert solve_by_proof(start, nodes=1, settings=settings).value == "unknown"
    assert solve(start, nodes=1, method="proof").value == "unknown"
