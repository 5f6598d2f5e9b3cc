"""Values, remoteness and the value of every move, against a search by positions alone."""

from __future__ import annotations

import math
import os
import random
import threading
from dataclasses import replace
from functools import partialmethod
from itertools import combinations, count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.errors import SpecError
from hyperoxo.game import Game, Value, Why
from hyperoxo.kernels.evaluation import WIN
from hyperoxo.proof import (
    Mirroring,
    Pairing,
    Prevention,
    Proof,
    Strategy,
    ZonePlan,
    check_proof,
    verify,
)
from hyperoxo.proof.endgames import EndgameStrategy
from hyperoxo.solvers import Solution, solve
from hyperoxo.solvers.certify import draw_by_theorem
from hyperoxo.solvers.exact.minimax import ExactSearch
from hyperoxo.solvers.proofsearch.driver import ProofSolver
from hyperoxo.solvers.theorems import bounds_by_theorems
from hyperoxo.task import Task
from tests.expect import message_of, require
from tests.judge import check, forced, judge_of
from tests.marks import more
from tests.strategies import games, play_at_random

FANO = "7{0+1+2/0+3+4/0+5+6/1+3+5/1+4+6/2+3+6/2+4+5}"
# Every filling of seven cells by two has five triples of one colour or more.
TRIPLES = f"7{{{'/'.join('+'.join(map(str, line)) for line in combinations(range(7), 3))}}}"
SPECS = (
    "1^1",
    "2^1",
    "3^1:misere",
    "2^2",
    "2^2:misere",
    "2^2:players=3",
    "2^2:players=3,misere",
    "2^2:players=5",
    "3^2",
    "3^2:misere",
    "3^2:gravity",
    "3^2:gravity=1,misere",
    "3^2:target=2",
    "3^2:target=2,misere",
    "3^2:opening=poor",
    "3^2:opening=0x2",
    "3^2:opening=richx2,misere",
    "3,3,2:opening=poorx2",
    "9,1,2:opening=poorx3",
    "6,1,2:opening=richx2,players=3",
    "4,2,2:opening=0x2,gravity",
    "3^2:blocked=centre",
    "3^2:blocked=0,misere",
    "3^2:players=3",
    "3^2:players=3,misere",
    "3^2:players=3,gravity",
    "3^2:players=4",
    "3^2:players=3,target=2",
    "3^2:players=3,target=2,misere",
    "3^2:players=3,opening=0",
    "2^3",
    "2^3:misere",
    "2^3:target=3",
    "2^3:target=4,misere",
    "2^3:players=3,gravity",
    "4,3,3:gravity",
    "3,3,2:gravity,players=3",
    "6{0+1+2/2+3/3+4+5}",
    "7{0+1/2+3+4/4+5+6/1+6}:misere",
    "5{}",
    "9{0+1+2/2+3+4/4+5+6/6+7+0}:players=3",
    "6{0+1/0+2/0+3/0+4/0+5}:players=3",
    "6{0+1/0+2/0+3/0+4/0+5}:players=3,misere",
    "7{0+1/0+2/0+3/4+5+6}:players=3",
    FANO,
    f"{FANO}:misere",
    f"{TRIPLES}:target=2",
    f"{TRIPLES}:target=3",
    f"{TRIPLES}:target=3,misere",
)


SLOW = (
    "3^2:target=2",
    "3^2:opening=poor",
    "3^2:players=3",
    "3^2:players=3,misere",
    "3^2:players=3,target=2",
    "3^2:players=3,target=2,misere",
    "3^2:players=3,opening=0",
    "4,3,3:gravity",
    "9{0+1+2/2+3+4/4+5+6/6+7+0}:players=3",
)
"""Games that take over a second; one with four players takes longer."""


# A line that the opening keeps player 1 from completing wins nothing.
RESTRICTED = {
    "4,4,2:opening=poorx2": ("loss", 4),
    "5,5,2:opening=poorx2": ("loss", 4),
    "17,1,2:opening=poorx2": ("loss", 4),
    "4,4,3:opening=richx3": ("loss", 6),
    "6,3,3:opening=richx3": ("loss", 6),
    "3^3:opening=poorx4": ("loss", 6),
}


@pytest.mark.parametrize("spec", more(RESTRICTED, ["4,4,2:opening=poorx2"]))
def test_an_opening_that_restricts_several_moves(spec: str, tmp_path: Path) -> None:
    found = solve(spec, proof=tmp_path / "strategy.proof")
    assert (found.value, found.remoteness) == RESTRICTED[spec]
    assert verify(tmp_path / "strategy.proof").proved


@pytest.mark.parametrize("spec", more(SPECS, [*SLOW, "3^2:players=4"]))
def test_games_and_theorems(spec: str) -> None:
    """From the start, and after a quarter of all first and second moves."""
    tried = [Game(spec).start()]
    for first in tried[0].legal_moves[::2]:
        after = tried[0].play(first)
        tried += [after, *(after.play(second) for second in after.legal_moves[::2])]
    for position in tried:
        if not position.is_over:
            check(position, solve(position))
            value, _ = judge_of(position.game)(position)
            bound = bounds_by_theorems(position)
            assert bound.low.sign <= value <= bound.high.sign, bound


@pytest.mark.parametrize(
    "spec", more([spec for spec in SPECS if not spec.startswith("3^2:players=4")], SLOW)
)
def test_windows(spec: str) -> None:
    """A search within a window tells what it says: the value inside, bounds at the ends."""
    game, rng = Game(spec), random.Random(spec)
    windows = [-math.inf, 5 - WIN, -WIN / 2, -1.0, 0.0, 1.0, WIN / 2, WIN - 4, math.inf]
    for seat in range(1, game.players + 1):
        judge, search = judge_of(game), ExactSearch(game)
        for _ in range(60):
            position = play_at_random(game.start(), rng.randrange(10**6), rng.randrange(5))
            if position.is_over:
                continue
            low, high = sorted(rng.sample(windows, 2))
            sign, plies = judge(position, seat)
            value = sign * (WIN - position.ply - plies)
            found = search.value(position, seat, low=low, high=high)
            assert (
                found == value
                or (found <= low and value <= found)
                or (found >= high and value >= found)
            ), (position, seat, low, high, value, found)


@pytest.mark.parametrize(
    ("spec", "value", "winner", "plies"),
    [
        ("4^2", "draw", 0, 16),
        pytest.param("4^2:misere", "draw", 0, 16, marks=pytest.mark.more),
        ("4^2:gravity", "draw", 0, 16),
        ("5^2", "draw", 0, 25),
        ("3^3", "win", 1, 7),
        ("3^3:gravity", "win", 1, 9),
        pytest.param("2^4", "win", 1, 3, marks=pytest.mark.more),
        ("2^4:misere", "loss", 2, 3),
        ("4,4,3:gravity", "win", 1, 9),
        pytest.param("4^2:players=3", "draw", 0, 16, marks=pytest.mark.more),
        pytest.param("3^3:players=3,gravity", "nothing", 0, 9, marks=pytest.mark.more),
        ("2^4:players=3", "win", 1, 4),
    ],
)
def test_larger_games(spec: str, value: str, winner: int, plies: int) -> None:
    found = solve(spec)
    assert (found.value, found.winner, found.remoteness) == (value, winner, plies)
    assert all(move.value != "unknown" for move in found.moves)


def test_all_first_moves_of_3_3() -> None:
    """The centre wins in 7 plies; every other move loses, after 10."""
    for move in solve("3^3").moves:
        expected = ("win", 7) if move.cell == 13 else ("loss", 10)
        assert (move.value, move.remoteness) == expected


@pytest.mark.more
def test_what_is_not_decided_is_bounded() -> None:
    found = solve("4^3", nodes=20_000, method="exact")
    assert (found.value, found.winner, found.remoteness) == ("unknown", None, None)
    assert found.bounds == ("draw", "win")
    assert not found.complete
    assert not found.interrupted
    assert all(move.value == "unknown" for move in found.moves)
    assert found.nodes < 20_100
    found = solve("3^3:misere", nodes=20_000)
    assert (found.value, found.winner, found.remoteness) == ("win", 1, None)


def test_the_clock_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock that is looked at goes on by itself."""
    monkeypatch.setattr("hyperoxo.task.working_time", count(step=0.15).__next__)
    assert solve("4^3", seconds=0.2, method="exact").bounds == ("draw", "win")
    assert solve("3^2", seconds=math.inf).value == "draw"
    assert solve("3^2", seconds=None).value == "draw"


@pytest.mark.more
def test_a_win_deep_in_a_large_game() -> None:
    """Two crossing threes: a win in three plies on a board too large to search to its end."""
    position = Game("4^3").position("moves:0,63,1,62,4,60,8,50,2,3")
    found = solve(position, nodes=300_000)
    assert (found.value, found.remoteness) == ("win", 1)
    assert {move.cell for move in found.moves if move.remoteness == 1} == {12}


WON_SOON = "moves:5,0,3,12"
"""In 7,6,4:gravity: a win in three plies, by which nothing is known of the other moves."""


@pytest.mark.parametrize(
    ("value_only", "moves", "most"),
    [(True, None, 100), (False, False, 200), (False, None, 1_300)],
)
def test_work_ends_when_the_question_is_answered(
    value_only: bool, moves: bool | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hyperoxo.solvers.knowledge.OTHER_MOVES", 1_000)
    position = Game("7,6,4:gravity").position(WON_SOON)
    found = solve(position, seconds=None, value_only=value_only, moves=moves)
    asked = value_only or moves is False
    assert (found.value, found.best) == ("win", 4)
    assert found.remoteness == (None if value_only else 3)
    assert found.nodes < most
    assert found.complete == asked
    open_ = [move for move in found.moves if move.value == "unknown"]
    assert len(open_) == len(found.moves) - 1
    assert ("1,000 positions more" in found.evidence[-1]) != asked


def test_what_is_known_is_told_before_other_moves_are_searched() -> None:
    told: list[Solution] = []
    position = Game("7,6,4:gravity").position(WON_SOON)
    solve(position, seconds=None, nodes=2_000, moves=True, update=told.append)
    known = next(found for found in told if found.remoteness == 3)
    assert (known.value, known.best) == ("win", 4)
    assert known.nodes < 200


@pytest.mark.more
def test_a_value_that_a_theorem_tells_needs_no_search() -> None:
    found = solve("3^4:blocked=centre,target=9", value_only=True)
    assert (found.value, found.nodes, found.complete) == ("win", 0, True)
    # Draws are impossible after any move.
    assert all(move.known.values == ("loss", "win") for move in found.moves)


@pytest.mark.more
def test_moves_that_are_alike_have_the_value_of_the_position() -> None:
    found = solve("2^6")
    assert {move.value for move in found.moves} == {found.value} == {"win"}


def test_a_question_of_more_and_of_less() -> None:
    with pytest.raises(SpecError, match="value_only and moves=True exclude"):
        solve("3^2", value_only=True, moves=True)


def test_a_finished_game() -> None:
    found = solve(Game("3^2").position("11122...."))
    assert (found.value, found.winner, found.remoteness, found.moves) == ("loss", 1, 0, ())


def test_an_interrupt_keeps_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    def press() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Task, "run", partialmethod(Task.run, tell=press))
    found = solve("4^3", method="exact")
    assert found.interrupted
    assert found.bounds == ("draw", "win")


def test_an_interrupt_keeps_what_a_proof_search_knows() -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    solver = ProofSolver(Game("4^3").start(), on_progress=press)
    solver.run()
    assert solver.interrupted
    assert (solver.bound.low, solver.bound.high) == (Value.DRAW, Value.WIN)


def test_maxn_is_another_question() -> None:
    """Where two players play, it is the same; where one of three may help another, it is not."""
    for spec in ("3^2", "3^2:misere", "3^2:gravity", "2^3:misere"):
        mine, theirs = solve(spec, concept="maxn"), solve(spec)
        assert (mine.value, mine.remoteness) == (theirs.value, theirs.remoteness)
        assert mine.moves == theirs.moves
    found = solve("3^2:players=3,gravity", concept="maxn")
    assert found.complete
    assert "Max^n" in found.evidence[-1]
    assert found.value == max(
        (move.value for move in found.moves), key=("loss", "draw", "win").index
    )


def test_bad_requests() -> None:
    assert "concept" in message_of(SpecError, solve, "3^2", concept="nash")
    assert "seat must be" in message_of(SpecError, solve, "3^2", proof_seat=3)
    assert "bad game" in message_of(SpecError, solve, "3^x")


def shown(proof: Proof) -> tuple[int, str]:
    """Seat and claim; that one of two players cannot win is a draw for the other."""
    if isinstance(proof, Prevention) and proof.claim == "no-win" and proof.game.players == 2:
        return 3 - proof.seat, "draw"
    return proof.seat, proof.claim


@pytest.mark.parametrize(
    "spec",
    more([spec for spec in SPECS if not spec.startswith("2^3:target")], [*SLOW, "3^2:players=4"]),
)
def test_proofs_of_every_seat(tmp_path: Path, spec: str) -> None:
    """What a seat can force has a proof that the checker accepts; nothing else has one."""
    game = Game(spec)
    for seat in range(1, game.players + 1):
        value, _ = judge_of(game)(game.start(), seat)
        file = tmp_path / f"{seat}.proof"
        found = solve(game, proof=file, proof_seat=seat, creator="a test")
        if value < 0 and game.players > 2:
            assert found.strategy is not None
            assert (found.strategy.seat, found.strategy.claim) == (seat, "no-draw")
            assert verify(file).proved
            continue
        if value < 0:
            assert found.proof is None
            assert "No proof was written" in found.evidence[-1]
            assert not file.exists()
            continue
        assert shown(require(found.strategy)) == (seat, ("draw", "win")[value])
        assert verify(file).proved


@pytest.mark.parametrize(
    ("spec", "moves", "seat", "claim"),
    [
        ("3^2", "", 1, "draw"),
        ("3^2", "1,0", 1, "draw"),
        ("3^2", "0,1", 1, "win"),
        ("3^2", "0,1,4", 1, "win"),
        pytest.param("3^3", "0", 2, "win", marks=pytest.mark.more),
        ("3^3", "", 1, "win"),
        ("4^2", "", 1, "draw"),
    ],
)
def test_whose_proof(tmp_path: Path, spec: str, moves: str, seat: int, claim: str) -> None:
    position = Game(spec).position(f"moves:{moves}")
    found = solve(position, proof=tmp_path / "x.proof")
    assert found.strategy is not None
    assert shown(found.strategy) == (seat, claim)
    assert found.strategy.position == position
    assert verify(tmp_path / "x.proof").proved


@pytest.mark.more
@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_positions_of_4_2(seed: int) -> None:
    position = play_at_random(Game("4^2").start(), seed, 9)
    if not position.is_over:
        check(position, solve(position))


@pytest.mark.parametrize(
    ("spec", "seat", "kind", "claim"),
    [
        ("5^2", None, Pairing, "player 1 gets at least a draw in 5^2 by pairing"),
        ("5^2", 2, Pairing, "player 2 gets at least a draw in 5^2 by pairing"),
        ("4^2", 2, Prevention, "player 1 cannot force a win in 4^2 against player 2"),
        ("4^3:misere", None, Mirroring, "player 2 gets at least a draw in 4^3:misere by mirroring"),
        ("3^3:misere", None, Mirroring, "player 1 gets at least a draw in 3^3:misere by mirroring"),
        pytest.param(
            "8^3",
            2,
            Pairing,
            "player 2 gets at least a draw in 8^3 by pairing",
            marks=pytest.mark.more,
        ),
        pytest.param("5^3:players=3", None, Prevention, None, marks=pytest.mark.more),
    ],
)
def test_theorems_have_certificates(
    tmp_path: Path, spec: str, seat: int | None, kind: type, claim: str | None
) -> None:
    file = tmp_path / "x.proof"
    many = spec == "5^3:players=3"
    seconds, nodes = (1.0, 0) if many else (20.0, 3000)
    found = solve(spec, seconds=seconds, nodes=nodes, proof=file, proof_seat=seat)
    assert isinstance(found.strategy, kind), found.evidence
    verdict = verify(file)
    assert verdict.proved
    assert claim in (None, verdict.claim)
    assert "Certificate: " in found.evidence[-1]
    told = "A strategy that wins was not found within the limit."
    assert (told in found.evidence) == (spec == "3^3:misere")


def test_a_draw_is_said_to_be_less_than_the_win_of_a_rival(tmp_path: Path) -> None:
    """A search that was cut proves less than the value, no matter who wins."""
    position = Game("3^3").position("moves:18,1,7,16,4,5,0,17,15")
    found = solve(position, nodes=100, proof=tmp_path / "x.proof")
    assert (found.value, found.winner) == ("loss", 1)
    assert require(found.strategy).claim != "win"
    assert "A strategy that wins was not found within the limit." in found.evidence


def test_several_players_are_decided_by_the_search_of_coalition() -> None:
    found = solve("4^2:players=5", seconds=20.0)
    assert (found.value, found.remoteness) == ("draw", 16)
    assert {move.value for move in found.moves} == {"draw"}
    assert found.nodes < 1000


def test_a_small_board_takes_no_thread_and_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("work left the caller's thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    for name in ("fork", "posix_spawn"):
        monkeypatch.setattr(os, name, refuse)
    for moves in ("moves:", "moves:4", "moves:0,1", "moves:0,1,2,4,3"):
        position = Game("3^2").position(moves)
        assert solve(position).complete
        assert solve(position, progress=lambda *_: None).complete


@pytest.mark.more
@given(games(new_rules=True), st.integers(0, 10**6), st.sampled_from([None, True, False]))
def test_answers_that_are_kept_are_those_of_a_search(
    game: Game, seed: int, moves: bool | None
) -> None:
    """Also for a position that other moves led to, and with its reasons, or a table for all."""
    position = play_at_random(game.start(), seed, max(0, game.cells - seed % 8))
    searched = solve(position, moves=moves, progress=lambda *_: None)
    for _ in range(2):
        kept = solve(position, moves=moves)
        assert kept.position is position
        if kept.known.reasons == (Why.TABLE(),):
            assert (kept.value, kept.remoteness) == (searched.value, searched.remoteness)
            for one, other in zip(kept.moves, searched.moves, strict=True):
                assert other.remoteness in (None, one.remoteness)
                assert other.known.low <= one.known.low <= other.known.high
            continue
        assert replace(kept, seconds=0.0) == replace(searched, seconds=0.0)
        assert kept.evidence == searched.evidence


# Certificates of games with a bias or another first player: they hold, and say what is so.


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
def test_a_draw_under_gravity_is_proved_down_to_its_endgames(tmp_path: Path) -> None:
    position = Game("5,5,4:gravity").position("moves:2,7,12,17")
    for seat in (1, 2):
        found = solve(position, proof=tmp_path / "proof", proof_seat=seat)
        assert isinstance(found.strategy, EndgameStrategy)
        assert (found.value, found.strategy.free) == ("draw", 13)
        verdict = verify(tmp_path / "proof")
        assert verdict.proved
        assert verdict.claim.startswith(
            f"player {seat} gets at least a draw in 5,5,4:gravity from "
        )


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
