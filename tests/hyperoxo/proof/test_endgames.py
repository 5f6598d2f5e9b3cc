"""Strategies with endgames: what the search decides, and what the checker refuses."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.errors import HyperoxoError, LimitError, NotSupportedError, SpecError
from hyperoxo.game import FREE, Game, Position
from hyperoxo.proof import verify
from hyperoxo.proof.endgames import (
    ENDGAME_SEARCH,
    FILE,
    EndgameSearch,
    EndgameStrategy,
    check_endgames,
    urgent_move,
)
from tests.expect import require
from tests.hyperoxo.proof.brute import LEVELS, endgames
from tests.judge import forced
from tests.oracle import random_spec
from tests.strategies import play_at_random

GAMES = (
    "2^2",
    "3^2",
    "3^2:gravity",
    "3^2:gravity=1",
    "3^2:blocked=centre,gravity",
    "4,3,3:gravity",
    "2^3:gravity",
    "9{0+1+2/2+3/3+4+5/0+6+7+8}",
)


CLAIMS = [(seat, claim) for seat in (1, 2) for claim in LEVELS]


@pytest.mark.parametrize("bits", [20, 2, 0])
@pytest.mark.parametrize("spec", GAMES)
def test_the_search_decides_every_position_as_brute_force_does(
    spec: str, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where many positions share a place of the memory."""
    monkeypatch.setattr("hyperoxo.proof.endgame_loops._TABLE_BITS", bits)
    rng, game = random.Random(spec), Game(spec)
    searches = [(EndgameSearch(game, *one), *one) for one in CLAIMS]
    for _ in range(200):
        position = play_at_random(game.start(), rng, rng.randint(0, game.cells))
        if position.is_over:
            continue
        for search, seat, claim in searches:
            expected = forced(position, seat) >= LEVELS[claim]
            assert search.is_forced(position) == expected, (position.text, seat, claim)


def test_a_player_may_win_when_the_other_has_no_line_left() -> None:
    game = Game("7{0+1+2/2+3+4}")
    position = game.position("moves:0,5,4,6")
    assert EndgameSearch(game, 1, "win").is_forced(position)
    assert EndgameSearch(game, 2, "draw").is_forced(position.play(1).play(2))


@given(st.integers(0, 10**9))
def test_claims_of_random_games_are_proved_just_where_they_are_true(seed: int) -> None:
    rng = random.Random(seed)
    try:
        game = Game(random_spec(rng, 8, two_players=True))
    except HyperoxoError:
        return
    if not ENDGAME_SEARCH.accepts(game):
        return
    spec, free = str(game), rng.randint(0, 9)
    for seat, claim in CLAIMS:
        found = endgames(spec, seat, claim, free)
        if found is None:
            false = EndgameStrategy(game, seat, claim, {}, free=9)
            assert not check_endgames(false).proved
            continue
        text = FILE.write(found)
        assert FILE.read_proof(text) == found
        verdict = verify(text)
        assert verdict.proved, (spec, verdict)
        assert all(key.count(FREE) > free for key in found.moves)


def test_what_is_wrong_is_said() -> None:
    found = require(endgames("4,4,3:gravity", 1, "win", 8))
    assert len(found.moves) > 3
    first = max(found.moves, key=lambda key: key.count(FREE))
    without = {key: move for key, move in found.moves.items() if key != first}
    assert "no move is stored for position" in check_endgames(replace(found, moves=without)).reason
    spare = {**found.moves, bytes(16)[:-1] + b"\2": 0}
    assert "never needed" in check_endgames(replace(found, moves=spare)).reason
    lost = replace(found, seat=2, free=16, moves={})
    assert "the claim fails in the endgame" in check_endgames(lost).reason
    deep = check_endgames(replace(found, free=26, moves={}))
    assert deep.proved
    assert deep.positions == 1
    with pytest.raises(SpecError, match="endgames have 0 to 26 free cells, not 27"):
        replace(found, free=27)
    with pytest.raises(SpecError, match="not -1"):
        replace(found, free=-1)
    assert EndgameStrategy(Game("3^2"), 1, "draw", {}).free == 0
    misere = EndgameStrategy(Game("3^2:misere"), 1, "draw", {}, free=9)
    with pytest.raises(NotSupportedError, match="searching endgames"):
        EndgameSearch(misere.game, 1, "draw")
    assert "searching endgames is not supported" in check_endgames(misere).reason


def test_urgent_moves_complete_a_line_or_stop_one() -> None:
    game = Game("4,4,3:gravity")
    assert urgent_move(game.start()) is None
    threat = game.position("columns:121")
    stop = require(urgent_move(threat))
    assert stop == urgent_move(threat.play(game.position("columns:1212").history[-1]))
    won = game.position("columns:1212")
    assert won.play(urgent_move(won) or 0).outcome is not None


@pytest.mark.parametrize("spec", ["3^2", "3^2:gravity", "4,3,3:gravity"])
def test_replies_keep_the_claim_to_the_end(spec: str) -> None:
    rng, game = random.Random(spec), Game(spec)
    for seat, claim in CLAIMS:
        found = endgames(spec, seat, claim, 5)
        for _ in range(20 if found else 0):
            assert found is not None
            position = game.start()
            while not position.is_over:
                cell = found.reply(position)
                assert (cell is None) == (position.to_move != seat)
                position = position.play(rng.choice(position.legal_moves) if cell is None else cell)
                assert forced(position, seat) >= LEVELS[claim]
            assert found.reply(position) is None


def test_listed_moves_are_the_replies() -> None:
    found = require(endgames("4,4,3:gravity", 1, "win", 8))
    for form, move in found.moves.items():
        position = Position.from_owners(found.game, form)
        assert found.reply(position) == move
        assert replace(found, free=16).reply(position) is not None


def test_where_a_strategy_has_no_reply() -> None:
    lost = EndgameStrategy(Game("3^2"), 2, "win", {}, free=8)
    assert lost.reply(lost.game.position("moves:4")) is None
    assert replace(lost, free=7).reply(lost.game.position("moves:4")) is None
    open_claim = EndgameStrategy(Game("3^2"), 1, "draw", {}, free=9)
    assert open_claim.reply(open_claim.game.start()) == 0


def test_the_claim_holds_at_every_end() -> None:
    found = require(endgames("3^2", 1, "draw", 0))
    assert check_endgames(found).proved
    assert "the claim fails at the end" in check_endgames(replace(found, claim="win")).reason


def test_progress_counts_listed_moves() -> None:
    found = require(endgames("4,4,3:gravity", 1, "win", 8))
    told: list[tuple[int, int]] = []
    assert check_endgames(found, progress=lambda *one: told.append(one)).proved
    count = len(found.moves)
    assert told == [(number, count) for number in range(1, count + 1)]


def test_searches_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LimitError, match="at most 64 cells"):
        EndgameSearch(Game("65,1,4"), 1, "win")
    assert EndgameSearch(Game("4^3:gravity"), 1, "win").seat == 1
    found = EndgameStrategy(Game("4,4,4:gravity"), 2, "draw", {}, free=16)
    monkeypatch.setattr("hyperoxo.proof.endgames._MOST_NODES", 10)
    assert "takes too long to search" in check_endgames(found).reason
