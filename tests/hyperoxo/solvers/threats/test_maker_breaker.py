"""Forced wins of the Maker's: against the definition, brute force, and the checker of plans."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError, NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.proof import read_zones, verify
from hyperoxo.solvers.threats.forced_wins import forced_wins, write_win
from hyperoxo.solvers.threats.search import ThreatSearch, immediate_wins
from hyperoxo.solvers.threats.sequence import is_quiet, verify_sequence
from tests.hyperoxo.solvers.maker_breaker.test_search import brute
from tests.threat_oracle import ThreatOracle, compare, random_position

ROLES = "convention=maker-breaker"
BOARDS = ("3^2", "4,3,3", "4,4,3", "2^3", "5,3,3", "4^2", "3^3", "4,3,2", "6,2,2", "12,1,3")
MOST_FREE = 11


def random_game(rng: random.Random, *, gravity: bool) -> Game | None:
    """A Maker-Breaker game with a random mix of options; None where the mix makes no sense."""
    head = rng.choice(BOARDS)
    if rng.random() < 0.3:
        cells = rng.randint(4, 11)
        lines = {tuple(sorted(rng.sample(range(cells), rng.randint(2, 4)))) for _ in range(7)}
        head = f"{cells}{{{'/'.join('+'.join(map(str, line)) for line in sorted(lines))}}}"
    options = [ROLES]
    cells = Game(head).board.cell_count
    if rng.random() < 0.4:
        options.append("blocked=" + "+".join(map(str, rng.sample(range(cells), rng.randint(1, 2)))))
    if rng.random() < 0.4:
        options.append("first=2")
    if rng.random() < 0.3:
        opening = rng.choice(["poor", "rich", str(rng.randrange(cells))])
        options.append(f"opening={opening}" + rng.choice(["", "x2"]))
    if gravity and "{" not in head:
        options.append("gravity")
    try:
        return Game(f"{head}:{','.join(options)}")
    except SpecError:
        return None


def random_positions(seed: str, count: int, *, gravity: bool = False) -> list[Position]:
    """Positions of such games, some played from the start and some set up."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        game = random_game(rng, gravity=gravity)
        if game is None:
            continue
        position = random_position(game, rng.randint(0, game.cells), rng)
        if position.is_over or game.cells - position.ply > MOST_FREE:
            continue
        found.append(position if rng.random() < 0.5 else game.position(position.text))
    return found


@pytest.mark.more
@pytest.mark.parametrize("gravity", [False, True])
def test_against_the_definition_and_brute_force(gravity: bool, tmp_path: Path) -> None:
    won = deep = overlooked = undecided = 0
    for position in random_positions(f"mix {gravity}", 500, gravity=gravity):
        game = position.game
        found = forced_wins(position)
        if position.ply < game.opening_plies:
            assert found.status == "unknown" or found.immediate or position.to_move == 2
            undecided += found.status == "unknown"
            continue
        oracle = ThreatOracle(game, most=3000)
        expected = compare(oracle, found)
        if expected is None:
            continue
        assert found.immediate == immediate_wins(position, position.to_move)
        assert list(found.forced) == oracle.completing(position, 3 - position.to_move)
        wins = brute(position, {})
        if not expected:
            overlooked += wins and position.to_move == 1
            continue
        # A win by threats is a win, and after each first move that is listed as well.
        assert position.to_move == 1
        assert wins
        assert all(brute(position.play(cell), {}) for cell in expected)
        won += 1
        deep += min(expected.values()) > 1
        for move in found.moves:
            if move.length:
                check = verify_sequence(position, "x".join(map(str, move.line)))
                assert (check.holds, check.threats) == (True, move.length)
        if not gravity:
            write_win(found, tmp_path / "win")
            verdict = verify(tmp_path / "win")
            assert verdict.proved
            assert verdict.claim.startswith(f"player 1 wins {game}")
            assert len(read_zones(tmp_path / "win").steps) <= len(found.line) // 2
    assert won > 60
    assert deep > (0 if gravity else 2)
    assert overlooked > 2
    assert undecided > 5


@pytest.mark.more
def test_the_breaker_threatens_nothing() -> None:
    """Lines of player 2 end or delay wins of the ordinary game, and none of the Maker's."""
    rng = random.Random(5)
    ordinary, roles = Game("4^3"), Game(f"4^3:{ROLES}")
    shorter = only = 0
    for _ in range(60):
        position = random_position(ordinary, 2 * rng.randint(9, 13), rng)
        before = forced_wins(position)
        if position.to_move == 2:
            continue
        after = forced_wins(roles.position(position.text))
        assert after.forced == ()
        if before.length is not None:
            assert after.length is not None
            assert after.length <= before.length
            shorter += after.length < before.length
        only += before.length is None and after.length is not None
    assert shorter
    assert only


def test_the_breaker_to_move_has_no_forced_win() -> None:
    game = Game(f"3^3:{ROLES}")
    found = forced_wins(game.position("moves:0,13,1"))
    assert (found.status, found.moves, found.undecided, found.forced) == ("none", (), (), (2,))
    assert found.complete
    # A line of the Breaker's is only a row of stones.
    late = Game(f"4,3,3:{ROLES}").position("moves:3,0,7,4,2,8")
    assert late.lines_owned[1] == 1
    assert forced_wins(late).status == "win"
    assert immediate_wins(late, 2) == ()


def test_sequences_and_quiet_moves() -> None:
    game = Game(f"3^2:{ROLES}")
    position = game.position("moves:4,0,2,6,5")
    # The Breaker completes the edge of the board, which counts nothing and leaves the Maker's row.
    check = verify_sequence(game, "4-0 2x6x5x3x8x1")
    assert not check.holds
    assert check.moves[5].does == "answer"
    assert verify_sequence(game.position("moves:4,0"), "2x6x5x3x8").holds
    assert not is_quiet(position, 3)
    breakers = game.position("moves:4,0,8,1,7")
    assert is_quiet(breakers, 2)  # it completes a row of the Breaker's, and stops nothing
    quiet = verify_sequence(game.position("moves:4"), "0-8")
    assert quiet.problems == ("the sequence has no forced part",)


def test_what_is_refused(tmp_path: Path) -> None:
    for options in ("bias=1+2", "bias=2+1", "target=2"):
        with pytest.raises(NotSupportedError, match=r"^threat search is not supported"):
            forced_wins(f"3^3:{ROLES},{options}")
    for spec in ("3^3:convention=avoider-enforcer", "3^3:misere"):
        with pytest.raises(NotSupportedError, match="needs normal play or Maker-Breaker play"):
            ThreatSearch(Game(spec))
    with pytest.raises(SpecError):
        forced_wins(f"3^3:{ROLES},misere")
    nothing = forced_wins(f"3^2:{ROLES}")
    with pytest.raises(CheckFailedError, match="no forced win"):
        write_win(nothing, tmp_path / "none")
    falling = Game(f"7,6,4:{ROLES},gravity").position("moves:2,9,3,10")
    with pytest.raises(NotSupportedError, match="no gravity"):
        write_win(forced_wins(falling), tmp_path / "none")
