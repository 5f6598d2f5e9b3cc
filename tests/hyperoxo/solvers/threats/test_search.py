from __future__ import annotations

import random
import re
import threading

import pytest

from hyperoxo.errors import NotSupportedError, SpecError
from hyperoxo.game import Game, Position
from hyperoxo.kernels.control import STOP
from hyperoxo.solvers.threats.forced_wins import forced_wins
from hyperoxo.solvers.threats.search import THREATS, ThreatSearch, bit_board_of, immediate_wins
from hyperoxo.solvers.threats.sequence import verify_sequence
from tests.forced import find_forced_win, winning_threat_moves
from tests.marks import more
from tests.threat_oracle import (
    ThreatOracle,
    TooLongError,
    compare,
    random_position,
    survives_everything,
)

ROWS = [
    ("3^2", 0, 7, 60),
    ("3^3", 1, 9, 12),
    ("4^2", 4, 12, 40),
    ("4^3", 10, 26, 12),
    ("5,5,4", 4, 14, 25),
    ("9{0+1+2/2+3+4+5/0+5/6+7+8/1+4+7}", 0, 6, 40),
    ("4,4,3:gravity", 2, 10, 40),
    ("3^3:gravity", 2, 12, 40),
]


@pytest.mark.parametrize(("spec", "least", "most", "count"), ROWS)
def test_every_win_holds_against_every_reply(spec: str, least: int, most: int, count: int) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    search = ThreatSearch(game)

    def attack(position: Position) -> int:
        result = search.forced_win(position, shortest=True)
        assert result.status == "win"
        return result.line[0]

    wins = 0
    for _ in range(count):
        position = random_position(game, rng.randint(least, most), rng)
        result = find_forced_win(position)
        if result.status == "win":
            wins += 1
            end = position
            for cell in result.line:
                end = end.play(cell)
            assert end.outcome is not None
            assert end.outcome.winner == position.to_move
            assert survives_everything(position, attack)
        else:
            assert (result.status, result.line) == ("none", ())
    assert wins > 2


@pytest.mark.parametrize(
    "spec",
    ["3^2", "4^2", "3^3", "5,5,4", "7,6,4:gravity", pytest.param("4^3", marks=pytest.mark.more)],
)
def test_fields_and_first_moves_against_the_definition(spec: str) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    oracle = ThreatOracle(game)
    compared = 0
    for _ in range(40):
        position = random_position(game, rng.randint(4, game.cells // 2), rng)
        me = position.to_move
        result = find_forced_win(position, shortest=True)
        assert list(result.immediate) == oracle.completing(position, me)
        assert list(result.forced) == oracle.completing(position, 3 - me)
        assert immediate_wins(position) == result.immediate
        assert immediate_wins(position, 3 - me) == result.forced
        try:
            fewest = oracle.fewest(position)
            winning = [cell for cell in position.legal_moves if oracle.starts_win(position, cell)]
        except TooLongError:
            continue
        assert len(result.line) == (0 if fewest is None else 2 * fewest + 1)
        assert winning_threat_moves(position) == (result.immediate or tuple(winning))
        compared += 1
    assert compared > 30


def test_every_reply_to_the_centre_of_the_cube_loses() -> None:
    start = Game("3^3").start()
    assert find_forced_win(start).status == "none"
    after = start.play(13)
    assert find_forced_win(after).status == "none"
    for cell in after.legal_moves:
        result = find_forced_win(after.play(cell), shortest=True)
        assert result.status == "win"
        assert len(result.line) <= 7


def test_three_on_the_floor_of_four_in_a_row() -> None:
    position = Game("7,6,4:gravity").position("moves:2,9,3,10")
    assert len(find_forced_win(position).line) == 3
    assert {1, 4} <= set(winning_threat_moves(position))
    assert immediate_wins(position.play(4).play(11)) == (1, 5)


def test_what_is_not_supported_is_said() -> None:
    for spec in (
        *("3^2:players=3", "3^3:target=2", "3^2:misere", "3^2:convention=avoider-enforcer"),
        *("3^3:convention=maker-breaker,bias=1+2", "3^3:target=2,convention=maker-breaker"),
    ):
        assert not THREATS.accepts(Game(spec))
        with pytest.raises(NotSupportedError, match=f"^threat search .* {re.escape(spec)}"):
            find_forced_win(Game(spec).start())
        with pytest.raises(NotSupportedError, match=f"^threat search .* {re.escape(spec)}"):
            immediate_wins(Game(spec).start())
    assert THREATS.accepts(Game("4^4:gravity,blocked=0"))
    with pytest.raises(SpecError, match="player 3"):
        immediate_wins(Game("3^2").start(), 3)


def test_restricted_moves_leave_the_answer_open() -> None:
    game = Game("3^3:opening=poorx3")
    position = game.start()
    for _ in range(2):
        position = position.play(position.legal_moves[0])
        assert find_forced_win(position).status == "unknown"
        position = position.play(26 - position.history[-1])
        assert find_forced_win(position).status == "unknown"
    third = position.play(position.legal_moves[0])
    assert find_forced_win(third).status in ("win", "none")
    lines = Game("3^2:opening=0+1x3").position("moves:0,4,1,8")
    assert lines.legal_moves != (2,)
    assert immediate_wins(lines) == tuple(c for c in (2,) if c in lines.legal_moves)


def test_finished_games_have_no_forced_win() -> None:
    over = Game("3^2").position("moves:0,3,1,4,2")
    assert find_forced_win(over).status == "none"
    assert winning_threat_moves(over) == ()
    assert immediate_wins(over, 1) == ()


def test_limits_are_told() -> None:
    position = Game("3^3").position("moves:13,0")
    assert find_forced_win(position, most_threats=1).status == "unknown"
    assert find_forced_win(position, most_threats=2).status == "win"
    limited = find_forced_win(position, node_limit=1)
    assert (limited.status, limited.nodes) == ("unknown", 1)
    stopped = ThreatSearch(position.game)
    stopped.control[STOP] = 1
    assert stopped.forced_win(position).status == "unknown"


def test_memory_changes_no_answer() -> None:
    game = Game("4^3")
    rng = random.Random(9)
    kept = ThreatSearch(game, memo_bits=4)
    for _ in range(60):
        position = random_position(game, rng.randint(12, 30), rng)
        fresh = find_forced_win(position)
        assert kept.forced_win(position).status == fresh.status
        kept.forget()
        assert kept.forced_win(position).line == fresh.line


def test_threads_with_objects_of_their_own() -> None:
    game = Game("4^3")
    rng = random.Random(3)
    positions = [random_position(game, 20, rng) for _ in range(30)]
    expected = [find_forced_win(position).line for position in positions]
    found: list[list[tuple[int, ...]]] = [[], []]

    def work(index: int) -> None:
        found[index] = [ThreatSearch(game).forced_win(position).line for position in positions]

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected, expected]


def test_sets_of_cells_only_where_they_fit() -> None:
    for spec in ("4^3", "3^4", "4^4"):
        assert bit_board_of(Game(spec)) is not None
    for spec in ("4^3:gravity", "11^3"):
        assert bit_board_of(Game(spec)) is None


# The shortest forced win and all first moves, against the definition.


MOVES = [
    ("3^2", 3, 6, 60),
    ("4^2", 5, 12, 60),
    ("3^3", 2, 10, 30),
    ("5,5,4", 4, 12, 40),
    ("7,6,4:gravity", 4, 20, 40),
    ("4^3", 10, 18, 12),
    ("3^4", 3, 12, 12),
    ("3^3:first=2", 2, 10, 30),
    ("4^2:convention=maker-breaker", 4, 10, 60),
    ("4^3:convention=maker-breaker,first=2", 8, 16, 24),
    ("7,6,4:convention=maker-breaker,gravity", 4, 20, 40),
]


@pytest.mark.parametrize(
    ("spec", "least", "most", "count"),
    more(
        MOVES,
        [
            ("4^3", 10, 18, 12),
            ("3^4", 3, 12, 12),
            ("3^3:first=2", 2, 10, 30),
            ("4^3:convention=maker-breaker,first=2", 8, 16, 24),
        ],
    ),
)
def test_every_move_against_the_definition(spec: str, least: int, most: int, count: int) -> None:
    game = Game(spec)
    rng = random.Random(spec)
    oracle = ThreatOracle(game, most=200)
    wins = compared = 0
    for _ in range(count):
        position = random_position(game, rng.randint(least, most), rng)
        found = forced_wins(position)
        assert found.complete
        expected = compare(oracle, found)
        if expected is None:
            continue
        compared += 1
        wins += bool(expected)
        for move in found.moves:
            assert move.line[0] == move.cell
            assert len(move.line) == 2 * move.length + 1
            if move.length:
                assert verify_sequence(position, "x".join(map(str, move.line))).holds
    assert wins > 2
    assert compared > count // 2


def test_the_shortest_win_after_the_published_quiet_moves() -> None:
    found = forced_wins(Game("4^3").position("moves:0,3,60,21,15,51,12,63"))
    assert found.length == 5
    assert {move.cell: move.length for move in found.moves} == {
        4: 5, 5: 6, 8: 5, 10: 6, 13: 6, 14: 6, 20: 5, 28: 5, 30: 6, 40: 5, 44: 5, 45: 6
    }  # fmt: skip


def test_more_than_64_cells_and_names() -> None:
    found = forced_wins(Game("3^4").position("moves:40,0"))
    assert found.status == "win"
    assert found.complete
    assert forced_wins("4^3").status == "none"
    assert forced_wins(Game("5^3").start()).complete


def test_what_must_be_stopped() -> None:
    found = forced_wins(Game("3^2").position("moves:0,4,1"))
    assert (found.status, found.forced, found.moves) == ("none", (2,), ())
    two = forced_wins(Game("3^2").position("moves:4,1,0,8,6"))
    assert (two.status, two.forced) == ("none", (2, 3))


def test_limits_leave_moves_undecided() -> None:
    position = Game("4^3").position("moves:0,3,60,21,15,51,12,63")
    for nodes in (1, 50, 300, 2000, 4000):
        found = forced_wins(position, nodes=nodes)
        assert found.nodes <= nodes
        assert not found.complete
        assert found.status in ("win", "unknown")
        assert set(found.undecided) <= set(position.legal_moves)
        if found.status == "win":
            assert found.length is not None
            assert found.length >= 5
            assert (found.length == 5) or not found.shortest
            assert found.moves
    assert forced_wins(position, seconds=0).status in ("unknown", "win")
    assert forced_wins(position, nodes=100_000, seconds=60).complete


def test_opening_restrictions_leave_it_open() -> None:
    found = forced_wins(Game("3^3:opening=poorx3"))
    assert found.status == "unknown"
    assert not found.complete


def test_finished_games_and_what_is_refused() -> None:
    over = forced_wins(Game("3^2").position("moves:0,3,1,4,2"))
    assert (over.status, over.moves, over.complete) == ("none", (), True)
    with pytest.raises(NotSupportedError, match="misere"):
        forced_wins("3^3:misere")
    with pytest.raises(SpecError, match="must be a number"):
        forced_wins("3^3", seconds=float("nan"))
