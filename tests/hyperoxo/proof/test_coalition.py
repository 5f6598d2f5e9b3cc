from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from hyperoxo.game import Game, Position
from hyperoxo.proof import (
    Prevention,
    Strategy,
    canonical_forms_of,
    check_proof,
    completes,
    contained,
    prevention_text,
    read_prevention,
    replies,
    verify,
)
from tests.judge import forced
from tests.marks import more

GAMES = (
    "2^2",
    "2^2:players=3",
    "2^2:players=4,misere",
    "3^2",
    "3^2:misere",
    "3^2:gravity",
    "3^2:target=2",
    "3^2:target=2,players=3",
    "3^2:opening=0x2",
    "3^2:opening=poor,players=3",
    "3^2:players=3",
    "3^2:players=3,misere",
    "3^2:players=4,gravity",
    "3^2:blocked=centre,players=3",
    "4,2,2:players=3,gravity",
    "3^2:target=3",
    "6{0+1+2/2+3/3+4+5}:players=3",
    "9{0+1+2/2+3+4+5/0+5/6+7+8/1+6}:players=3",
)
LEVELS = {"no-win": 0, "no-draw": -1}


def true_of(claimed: Prevention) -> bool:
    """True if the seat can force no more than claimed, by all positions of the game."""
    return forced(claimed.position, claimed.seat) <= LEVELS[claimed.claim]


def prevention(spec: str, seat: int, claim: str, begins: Position | None = None) -> Prevention:
    """Walk through replies that keep a claim that is true."""
    game = Game(spec)
    forms, level = canonical_forms_of(game), LEVELS[claim]
    moves: dict[bytes, int] = {}
    seen: set[bytes] = set()
    waiting = [begins or game.start()]
    while waiting:
        position = waiting.pop()
        if position.is_over or completes(position, seat):
            continue
        form, cells = forms.locate(position.owners)
        if form in seen:
            continue
        seen.add(form)
        if position.to_move == seat:
            waiting += [position.play(cell) for cell in position.legal_moves]
        elif claim == "no-draw" or not contained(position, seat):
            good = [c for c in position.legal_moves if forced(position.play(c), seat) <= level]
            moves[form] = list(cells).index(good[0])
            waiting.append(position.play(good[0]))
    return Prevention(game, seat, claim, moves, begins)


LONGER = (
    "3^2:target=2,players=3",
    "3^2:opening=poor,players=3",
    "3^2:players=3",
    "3^2:players=3,misere",
    "3^2:blocked=centre,players=3",
    "3^2:target=3",
    "9{0+1+2/2+3+4+5/0+5/6+7+8/1+6}:players=3",
)


@cache
def true_preventions(spec: str) -> tuple[Prevention, ...]:
    game = Game(spec)
    return tuple(
        prevention(spec, seat, claim)
        for seat in range(1, game.players + 1)
        for claim in LEVELS
        if forced(game.start(), seat) <= LEVELS[claim]
    )


@pytest.mark.parametrize(
    "spec",
    more(GAMES, LONGER),
)
def test_true_claims_are_proved(spec: str) -> None:
    assert true_preventions(spec)
    for found in true_preventions(spec):
        verdict = verify(prevention_text(found))
        assert verdict.proved, verdict
        assert verdict.claim == found.statement
        assert read_prevention(prevention_text(found, creator="a test")) == found


@pytest.mark.parametrize(
    "spec",
    more(GAMES, ["3^2", "3^2:target=2", *LONGER]),
)
def test_what_closes_a_branch_is_true_everywhere(spec: str) -> None:
    game = Game(spec)
    closed: Counter[str] = Counter()
    forms, seen, waiting = canonical_forms_of(game), set[bytes](), [game.start()]
    while waiting:
        position = waiting.pop()
        if (form := forms.of(position.owners)) in seen:
            continue
        seen.add(form)
        children = {cell: position.play(cell) for cell in position.legal_moves}
        waiting += children.values()
        for seat in range(1, game.players + 1) if children else ():
            if completes(position, seat):
                closed["completed"] += 1
                assert forced(position, seat) == -1
            if position.to_move == seat:
                looked_at = replies(position, seat)
                for cell in {*position.legal_moves} - {*looked_at}:
                    closed["left out"] += 1
                    after = children[cell]
                    assert not after.is_over
                    assert completes(after, seat)
            if contained(position, seat):
                closed["contained"] += 1
                assert forced(position, seat) <= 0
    plain = not game.misere and game.gravity is None
    assert bool(closed["completed"]) == (plain and game.target == 1)
    assert plain or not (closed["contained"] or closed["left out"])


@pytest.mark.parametrize(
    "proof",
    [Prevention(Game("5^3"), 1, "no-win", {}), Strategy(Game("5^3"), 2, "draw", {})],
)
def test_a_claim_that_fails_early_makes_one_of_many_positions(
    proof: Prevention | Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, play = list[int](), Position.play

    def noted(position: Position, cell: int) -> Position:
        made.append(cell)
        return play(position, cell)

    monkeypatch.setattr(Position, "play", noted)
    assert not check_proof(proof).proved
    assert made == [124]
