"""Certificates of games with a bias or another first player: they hold, and say what is so."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest

from hyperoxo.game import Game
from hyperoxo.proof import Prevention, Strategy, ZonePlan, check_proof, verify
from hyperoxo.solvers import solve
from hyperoxo.solvers.certify import draw_by_theorem
from tests.judge import forced
from tests.marks import more

MAKER = "convention=maker-breaker"


@pytest.mark.parametrize("bias", more(["1+2", "2+1", "2+2", "1+3", "3+2"], but=["2+1"]))
@pytest.mark.parametrize(
    "convention",
    [
        pytest.param([], marks=pytest.mark.more),
        pytest.param([MAKER], marks=pytest.mark.more),
        ["convention=avoider-enforcer"],
    ],
)
def test_certificates_of_random_games(bias: str, convention: list[str], tmp_path: Path) -> None:
    rng = random.Random(f"{bias} {convention}")
    triples = ["+".join(map(str, line)) for size in (2, 3) for line in combinations(range(7), size)]
    for _ in range(12):
        lines = "/".join(rng.sample(triples, rng.randrange(1, 6)))
        options = [f"bias={bias}", f"first={rng.choice((1, 2))}", *convention]
        game = Game(f"7{{{lines}}}:{','.join(options)}")
        found = solve(game, proof=tmp_path / "proof")
        assert found.proof is not None, (game, found.evidence[-1])
        assert verify(tmp_path / "proof").proved
        assert found.strategy is not None
        seat = found.strategy.seat
        assert forced(game.start(), seat) >= (found.strategy.claim == "win"), game
        for seat in (1, 2):
            kept = draw_by_theorem(game.start(), seat)
            assert kept is None or forced(game.start(), seat) >= (kept.claim == "win"), game


@pytest.mark.parametrize(
    ("spec", "kind", "claim"),
    [
        ("4^2:bias=1+2", Strategy, "player 2 wins 4^2:bias=1+2"),
        ("6^2:bias=2+2", ZonePlan, "player 1 gets at least a draw in 6^2:bias=2+2"),
        ("12^2:bias=1+2", ZonePlan, "player 1 gets at least a draw in 12^2:bias=1+2"),
        ("3^2:first=2", Strategy, "player 1 gets at least a draw in 3^2:first=2"),
    ],
)
def test_what_the_certificate_says(spec: str, kind: type, claim: str, tmp_path: Path) -> None:
    found = solve(spec, proof=tmp_path / "proof")
    assert isinstance(found.strategy, kind)
    assert verify(tmp_path / "proof").claim == claim


@pytest.mark.more
def test_a_draw_of_a_large_board_is_proved_by_replies(tmp_path: Path) -> None:
    position = Game("5,5,4:gravity").position("moves:2,7,12,17")
    found = solve(position, proof=tmp_path / "proof", proof_seat=2)
    assert isinstance(found.strategy, Prevention)
    assert found.value == "draw"
    verdict = verify(tmp_path / "proof")
    assert verdict.proved
    assert verdict.claim.startswith("player 1 cannot force a win in 5,5,4:gravity from ")


@pytest.mark.parametrize(
    ("spec", "seat", "claim"),
    [
        ("12^3:bias=1+2", 2, "draw"),  # weights
        ("7^2:bias=2+1", 1, "draw"),  # pairs
        (f"12^3:{MAKER},bias=1+2", 2, "win"),
        (f"12^3:{MAKER},bias=1+2,first=2", 2, "win"),
    ],
)
def test_a_plan_of_weights_or_pairs_is_one_row_with_either_player_to_move(
    spec: str, seat: int, claim: str
) -> None:
    start = Game(spec).start()
    plan = draw_by_theorem(start, seat)
    assert isinstance(plan, ZonePlan)
    assert plan.claim == claim
    assert len(plan.steps) == 1
    assert check_proof(plan).proved


def test_there_is_no_plan_where_weights_and_pairs_are_not_enough() -> None:
    assert draw_by_theorem(Game("3^2:bias=1+1,first=2").start(), 1) is None
    assert draw_by_theorem(Game("3^2:bias=1+2").start(), 1) is None
    assert draw_by_theorem(Game("3^2:bias=1+2,convention=maker-breaker").start(), 1) is None
