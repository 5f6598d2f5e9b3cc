from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import grimp
import pytest

from hyperoxo.game import Game
from hyperoxo.proof import Strategy, canonical_forms_of, check, strategy_text, verify
from tests.hyperoxo.proof.brute import strategy
from tests.judge import forced
from tests.marks import more

GAMES = (
    "1^1",
    "2^2",
    "2^2:players=3",
    "2^2:players=4,misere",
    "3^2",
    "3^2:misere",
    "3^2:gravity",
    "3^2:gravity=1,misere",
    "3^2:target=2",
    "3^2:opening=poor",
    "3^2:opening=0x2",
    "3^2:blocked=centre",
    "3^2:players=3",
    "3^2:players=3,misere",
    "3^2:players=4,gravity",
    "4,2,2:players=3,gravity",
    "2^3:target=3",
    "6{0+1+2/2+3/3+4+5}",
)


@pytest.mark.parametrize(
    "spec", more(GAMES, ["3^2:target=2", "3^2:players=3", "3^2:players=3,misere"])
)
def test_true_claims_are_proved_and_false_ones_have_no_proof(spec: str) -> None:
    game = Game(spec)
    for seat in range(1, game.players + 1):
        value = forced(game.start(), seat)
        draw, win = strategy(spec, seat, "draw"), strategy(spec, seat, "win")
        assert (draw is not None) == (value >= 0)
        assert (win is not None) == (value >= 1)
        for found in (draw, win):
            if found is not None:
                verdict = verify(strategy_text(found))
                assert verdict.proved, verdict
                assert verdict.claim == found.statement
                assert verdict.positions > len(found.moves)
        if draw is not None and win is None:
            assert "the claim fails at the end" in check(replace(draw, claim="win")).reason


def the_draw() -> Strategy:
    found = strategy("3^2", 1, "draw")
    assert found is not None
    return found


def test_what_is_wrong_is_said() -> None:
    found = the_draw()
    start = bytes(9)
    without = {key: move for key, move in found.moves.items() if key != start}
    assert check(replace(found, moves=without)).reason == (
        "no move is stored for position ........."
    )
    for move in (9, -1, 10**9):
        reason = check(replace(found, moves={**found.moves, start: move})).reason
        assert reason == f"the move stored for position ........., {move}, is not legal"
    taken = {**found.moves, start: next(iter(found.moves.values()))}
    first = found.game.start().play(found.moves[start])
    for cell in first.legal_moves:
        form, cells = canonical_forms_of(found.game).locate(first.play(cell).owners)
        taken[form] = list(cells).index(cell)
    assert "is not legal" in check(replace(found, moves=taken)).reason
    spare = {**found.moves, bytes([2] * 9): 0}
    assert check(replace(found, moves=spare)).reason == (
        "1 stored move is never needed, for 222222222"
    )
    blocked = {**spare, bytes([255] * 9): 0}
    assert check(replace(found, moves=blocked)).reason == (
        "2 stored moves are never needed, for 222222222"
    )
    around = Strategy(Game("3^2:blocked=centre"), 1, "draw", {})
    assert check(around).reason == "no move is stored for position ....#...."


def test_a_position_must_stand_in_its_form() -> None:
    found = the_draw()
    forms = canonical_forms_of(found.game)
    key = next(key for key in found.moves if len({*key}) > 1)
    inverse = next(i for i in forms.inverses if bytes(key[cell] for cell in i) != key)
    turned = bytes(key[cell] for cell in inverse)
    moves = {k: move for k, move in found.moves.items() if k != key}
    moves[turned] = list(inverse).index(found.moves[key])
    assert not check(replace(found, moves=moves)).proved


def test_a_strategy_from_a_later_position() -> None:
    game = Game("3^2")
    won = Strategy(game, 1, "win", {b"\1\1\0\2\2\0\0\0\0": 2}, game.position("11.22...."))
    form, cells = canonical_forms_of(game).locate(won.position.owners)
    moves = {form: list(cells).index(2)}
    assert check(replace(won, moves=moves)).proved
    over = game.position("11122....")
    assert check(Strategy(game, 1, "win", {}, over)).proved
    assert not check(Strategy(game, 2, "draw", {}, over)).proved


ALLOWED = {
    *("board", "display", "errors", "files", "game", "jit", "processes", "proof", "registry"),
    "untrusted",
}
"""Modules that the checker may import.

`jit` only compiles its loops, `processes` only counts cores, `display` only shows its answers,
`untrusted` only bounds what is read, and `registry` finds kinds of proofs of other packages.
"""


@pytest.mark.more
def test_the_checker_needs_nothing_that_searches_or_is_compiled() -> None:
    probe = (
        "import sys; from hyperoxo.proof import verify, strategy_text, Strategy;"
        "from hyperoxo.game import Game;"
        "game = Game('1^1'); verify(strategy_text(Strategy(game, 1, 'win', {bytes(1): 0})));"
        "sys.exit(any(m == 'numba' or m.startswith(('hyperoxo.solvers', 'hyperoxo.kernels'))"
        " for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0
    graph = grimp.build_graph("hyperoxo", "hyperoxo_research")
    checkers = ("hyperoxo.proof", "hyperoxo_research.proof")
    for module in set().union(*map(graph.find_descendants, checkers)):
        rooms = {name.split(".")[1] for name in graph.find_modules_directly_imported_by(module)}
        assert rooms <= ALLOWED, module
