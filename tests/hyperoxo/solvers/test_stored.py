"""What stored proofs decide is known wherever a position is solved."""

from __future__ import annotations

import random
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.game import Bounds, Game, Position, Value
from hyperoxo.proof.registry import verify
from hyperoxo.proof.stored import stored_dictionary
from hyperoxo.solvers import solve
from hyperoxo.solvers import sources as module
from hyperoxo.solvers.limits import suits
from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof
from hyperoxo.solvers.sources import Stored, bounds_by_stored_proofs
from tests.hyperoxo.proof.test_file import rehash
from tests.strategies import play_at_random


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


@pytest.mark.more
@pytest.mark.parametrize("moves", [4, 6, 9])
def test_more_choice_of_the_loser_does_no_harm(moves: int) -> None:
    position = Game(f"4^3:opening=poorx{moves}").start()
    found = solve(position, seconds=0)
    assert (found.winner, found.nodes) == (2, 0)
    assert {move.value for move in found.moves} == {"loss"}
    proof, why = found.evidence
    assert "player 2 wins 4^3:opening=poorx2" in proof
    assert why.startswith("The opening of 4^3:opening=poorx2 leaves the loser no less choice")
    (own,) = solve("4^3:opening=poorx3", seconds=0).evidence
    assert "player 2 wins 4^3:opening=poorx3" in own


@pytest.mark.parametrize("spec", ["4^3:misere", "4^3:gravity", "4^3:blocked=0", "4^3:target=2"])
def test_another_game_is_not_decided(spec: str) -> None:
    said = bounds_by_stored_proofs(Game(spec).start())
    assert (said.own.low, said.own.high, said.moves) == (Value.LOSS, Value.WIN, {})


@pytest.mark.parametrize("spec", ["4^3", "4^4", "4^5", "4^4:first=2"])
def test_a_proof_serves_the_maker_and_on_layers(spec: str) -> None:
    game = Game(
        spec + (",convention=maker-breaker" if ":" in spec else ":convention=maker-breaker")
    )
    found = solve(game, seconds=0)
    assert (found.winner, found.nodes) == (1, 0)
    assert {move.value for move in found.moves} == {"win" if game.first == 1 else "loss"}
    assert "as Maker" in found.evidence[-1] or "on a layer" in found.evidence[-1]


@pytest.mark.parametrize(
    "rest", ["bias=1+2", "target=2", "gravity", "opening=poor", "blocked=0", "first=2"]
)
def test_the_maker_has_no_proof_in_other_games(rest: str) -> None:
    said = bounds_by_stored_proofs(Game(f"4^3:convention=maker-breaker,{rest}").start())
    assert (said.own.low, said.own.high, said.moves) == (Value.LOSS, Value.WIN, {})
    lines = bounds_by_stored_proofs(Game("4^4:connect=3,convention=maker-breaker").start())
    assert (lines.own.low, lines.moves) == (Value.LOSS, {})


@pytest.mark.parametrize(("spec", "first"), [("6^3", 1), ("7^3", 1), ("6^3", 2)])
def test_a_stored_plan_wins_as_breaker(spec: str, first: int) -> None:
    start = Game(f"{spec}:convention=maker-breaker,first={first}").start()
    said = bounds_by_stored_proofs(start)
    assert said.own.winner(start.to_move, players=2) == 2
    assert "Plan: player 2" in str(said.own.reasons[0])
    assert len(said.moves) == (start.game.cells if first == 1 else 0)
    assert bounds_by_stored_proofs(start.play(5)).own.reasons == ()
    found = solve(start, seconds=0)
    assert (found.winner, found.nodes) == (2, 0)


def test_a_breaker_on_every_layer_is_not_beaten_by_a_proof() -> None:
    game = Game("4^4:convention=maker-breaker")
    mine, yours = [1, 2, 3, 4], [0, 85, 170, 255]
    moves = [cell for pair in zip(mine, yours, strict=True) for cell in pair]
    at_last = game.position("moves:" + ",".join(map(str, moves)))
    assert bounds_by_stored_proofs(at_last).own.low is Value.LOSS
    before = game.position("moves:" + ",".join(map(str, moves[:6])))
    assert bounds_by_stored_proofs(before).own.low is Value.WIN
    # One more stone of Breaker, on all four layers that are left: then no layer is free.
    asked = before.play(4)
    said = bounds_by_stored_proofs(asked)
    assert said.own.high is Value.WIN
    assert set(asked.legal_moves) - {*said.moves} == {255}


@given(st.randoms(use_true_random=False), st.sampled_from([(2, 3), (2, 4), (3, 3)]))
@settings(max_examples=60, deadline=None)
def test_layers_without_stones_are_counted(rng: random.Random, size: tuple[int, int]) -> None:
    side, dim = size
    game = Game(f"{side}^{dim}:convention=maker-breaker,bias=1+1")
    position = play_at_random(game.start(), rng, rng.randint(0, 5))
    cells = list(product(range(side), repeat=dim))
    for free in range(1, dim):
        expected = [0] * len(cells)
        for axes in combinations(range(dim), dim - free):
            for values in product(range(side), repeat=dim - free):
                layer = [
                    number
                    for number, cell in enumerate(cells)
                    if all(cell[axis] == value for axis, value in zip(axes, values, strict=True))
                ]
                if all(position.owners[number] != 2 for number in layer):
                    for number in layer:
                        expected[number] += 1
        assert module._free_layers(position, free).tolist() == expected


@pytest.mark.more
@given(st.randoms(use_true_random=False), st.sampled_from(["2^3", "2^4"]), st.integers(1, 2))
@settings(max_examples=80, deadline=None)
def test_wins_on_layers_are_wins(rng: random.Random, spec: str, first: int) -> None:
    """As if a proof that the first player wins 2^2 came with the program."""
    position = Game(f"{spec}:convention=maker-breaker,first={first}").start()
    for _ in range(rng.randint(0, 6)):
        after = position.play(rng.choice(position.legal_moves))
        position = position if after.is_over else after
    true = module.bounds_by_stored_proofs

    def said_by(here: Position) -> Stored:
        if here.game == Game("2^2") and not here.ply:
            return Stored(Bounds.exactly(Value.WIN))
        return true(here)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "STORED", {"2^2": "none.oxo"})
        patch.setattr(module, "bounds_by_stored_proofs", said_by)
        said = said_by(position)
    if position.ply == 0:
        assert said.own.winner(position.to_move, players=2) == 1
    found = solve(position, method="exact")
    assert said.own.low <= Value[found.value.upper()] <= said.own.high
    known = {move.cell: move.value for move in found.moves}
    assert {cell: known[cell].upper() for cell in said.moves} == {
        cell: bounds.low.name for cell, bounds in said.moves.items()
    }


def test_a_certificate_needs_a_search_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "win.oxo"
    found = solve("4^3", nodes=1, proof=path)
    assert found.value == "win"
    assert found.nodes >= 1
    assert "none was found" in found.evidence[-1]
    assert not path.exists()


@pytest.mark.parametrize(
    "spec", [pytest.param("3^4:target=15", marks=pytest.mark.more), "3^3:target=2"]
)
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


@pytest.mark.more
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
