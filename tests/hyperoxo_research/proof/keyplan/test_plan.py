"""Breaker's plans: each condition of the reader and of the checker by itself, on small boards."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from hyperoxo.errors import CheckFailedError, LimitError, SpecError
from hyperoxo.game import Bounds, Game, Value, Why
from hyperoxo.proof.registry import verify
from hyperoxo_research.draws.key_plan_search import find_key_plan
from hyperoxo_research.proof.keyplan import board, examine
from hyperoxo_research.proof.keyplan.board import MOST_KEYS, Tables, tables_of
from hyperoxo_research.proof.keyplan.check import States, begins_well
from hyperoxo_research.proof.keyplan.file import (
    check_key_plan,
    plan_text,
    plan_without_states,
    read_plan,
)
from hyperoxo_research.proof.keyplan.plan import KeyPlan, PlanState, bounds_of
from tests.hyperoxo.proof.test_file import rehash
from tests.hyperoxo_research.draws.test_key_plan_search import PLANNED
from tests.hyperoxo_research.proof.keyplan.count_rules import drawn_position, left_of, random_rules
from tests.hyperoxo_research.proof.keyplan.whole_plans import proved_in_steps, with_states


@cache
def plan(spec: str = PLANNED) -> KeyPlan:
    found = find_key_plan(Game(spec), keys=(0, 1))
    assert found is not None
    return found


def reason(found: KeyPlan) -> str:
    return check_key_plan(found).reason


def tables(spec: str, keys: tuple[int, ...], moves: str = "") -> Tables:
    game = Game(spec)
    return Tables(game.position(f"moves:{moves}") if moves else game.start(), 1, keys)


def test_keys_ascend_and_are_few() -> None:
    assert MOST_KEYS == 56
    assert len(tables("57{}", tuple(range(56))).lines.keys) == 56
    assert tables("57{}", tuple(range(56))).images.shape == (1, 7, 256)
    for keys in ((), (1, 0), (0, 0), tuple(range(57))):
        with pytest.raises(CheckFailedError, match="needs 1 to 56 keys in ascending order"):
            tables("57{}", keys)
    for spec, keys in (("3^2", (0, 9)), ("3^2:blocked=4", (0, 4)), ("3^2:blocked=0", (0, 4))):
        with pytest.raises(CheckFailedError, match="not a playable cell"):
            tables(spec, keys)
    assert tables("3^2", (0, 8)).maker == 0


def test_boards_are_not_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert board._MOST_CELLS == 60_000
    assert board._MOST_SYMMETRIES == 100_000
    monkeypatch.setattr(board, "_MOST_CELLS", 9)
    tables("3^2", (0,))
    monkeypatch.setattr(board, "_MOST_CELLS", 8)
    with pytest.raises(CheckFailedError, match="at most 8 cells"):
        tables("3^2", (0,))


def test_stones_on_and_off_the_keys() -> None:
    """Maker has 0 and 5, Breaker 2 and 4; lines through 4 are gone, those through a key stay."""
    made = tables("3^2", (0, 2, 6), "0,2,5,4")
    assert (int(made.maker), int(made.breaker), made.counted, made.stopped) == (1, 2, [5], [4])
    rows = [[0, 1, 2], [6, 7, 8], [0, 3, 6], [2, 5, 8]]
    assert sorted(made.rows) == sorted(rows)
    assert made.lines.keys_on.tolist() == [
        sum(1 << [0, 2, 6].index(c) for c in row if c in (0, 2, 6)) for row in made.rows
    ]
    assert made.lines.starts.tolist() == [0, 3, 6, 9, 12]


def test_invariants_hold_where_it_begins() -> None:
    rng, fates = random.Random(1), Counter[bool]()
    for _ in range(400):
        rules = random_rules(rng)
        position = drawn_position(rules, rng)
        left, maker, breaker, stones = left_of(rules, position)
        made = Tables(position, 1, tuple(range(rules.width)))
        allowed = stones in left.placements(maker, breaker, stones.bit_count())
        assert begins_well(made, by_lines=False) is allowed
        fates[allowed] += 1
    assert min(fates.values()) > 20


def test_which_symmetries_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = (0, 2, 6, 8)
    assert len(tables("3^2", corners).images) == 8
    assert len(tables("3^2", corners, "3,1").images) == 2
    assert len(tables("3^2", (0, 1)).images) == 1
    assert len(tables("3^2", (1, 3), "8,2").images) == 1
    assert tables("3^2", tuple(range(9))).images.shape == (8, 2, 256)
    assert tables("3^2", tuple(range(8))).images.shape[1] == 1
    for most, count in ((8, 8), (7, 1)):
        monkeypatch.setattr(board, "_MOST_SYMMETRIES", most)
        assert len(tables("3^2", corners).images) == count


@pytest.mark.parametrize("seat", [1, 2])
def test_the_other_player_is_maker(seat: int) -> None:
    """Of player 1's stones, 0 is on a key and 5 is not; player 2 has the key 2, and 4."""
    game = Game("3^2")
    begins = game.position("moves:0,2,5,4")
    made = KeyPlan(game, seat, (0, 2, 6), (), begins).tables
    stones = int(made.maker), int(made.breaker), made.counted, made.stopped
    assert stones == ((1, 2, [5], [4]) if seat == 2 else (2, 1, [4], [5]))


def test_symmetries_are_not_taken_on_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tables("4{0+1}", (0, 1))
    symmetry = type(Game("4{0+1}").board.symmetry)

    def give(*rows: list[int]) -> None:
        monkeypatch.setattr(symmetry, "permutations", lambda self: np.array(rows, np.int32))

    give([0, 1, 2, 3], [0, 1, 2, 2])
    with pytest.raises(CheckFailedError, match="not a permutation"):
        made._symmetries()
    give([0, 1, 2, 3], [1, 0, 3, 2])
    assert len(made._symmetries()) == 2
    give([0, 1, 2, 3], [2, 3, 0, 1])
    assert len(made._symmetries()) == 1
    other = tables("4{0+2/1+3}", (0, 1))
    give([0, 1, 2, 3], [0, 1, 3, 2])
    with pytest.raises(CheckFailedError, match="moves a line"):
        other._symmetries()

    def refuse(self: object) -> None:
        raise LimitError("too many")

    monkeypatch.setattr(symmetry, "permutations", refuse)
    assert made._symmetries().tolist() == [[0, 1, 2, 3]]


def test_states_as_words() -> None:
    rows = (PlanState(bytes([1, 0, 2]), 3, True), PlanState(bytes([2, 1, 1]), 0, False))
    found = States(KeyPlan(Game("5{0+1}"), 2, (0, 1, 2), rows)).listed
    expected = [[1, 6], [4, 1], [[3], [0]], [True, False], [-1, -1]]
    assert [one.tolist() for one in found] == expected
    begins = Game("5{0+1}").position("moves:4")
    assert States(KeyPlan(Game("5{0+1}"), 1, (0, 1, 2), rows, begins)).listed.makers[0] == 4


def test_a_plan_is_its_states_in_their_order() -> None:
    found = plan()
    verdict = proved_in_steps(partial(check_key_plan, found), len(found.states))
    assert (verdict.verdict, verdict.reason) == ("proved", "")
    assert verdict.positions == len({state.stones for state in found.states}) > 2
    states = found.states
    more = tuple(one._replace(counted=one.counted + 1) for one in states)
    assert not check_key_plan(replace(found, states=more)).proved
    for at, one in enumerate(states):
        for wrong in (one._replace(counted=one.counted + 1), one._replace(pairs=not one.pairs)):
            assert reason(with_states(found, at, wrong))
        assert reason(with_states(found, at))


def test_states_that_are_not_asked_for() -> None:
    game = Game("5{0+1+2/2+3+4}")
    found = KeyPlan(game, 2, (2,), (PlanState(bytes(1), 0, True),))
    assert reason(found) == ""
    assert found.statement.endswith(" by a plan on 1 key cell")
    twice = (*found.states, PlanState(bytes([2]), 0, True))
    assert reason(replace(found, states=twice)) == "the state 2 with 0 counted is asked for never"
    much = replace(found, states=(PlanState(bytes(1), 1, True),))
    assert reason(much) == "the state . with 1 counted is asked for with 0 at most"
    assert reason(replace(found, states=())) == "the first state of the plan is not listed"
    three = KeyPlan(Game("3{0+1+2}"), 2, (0, 1, 2), (PlanState(bytes(3), 0, False),))
    assert reason(three) == "the state ... with 0 counted has no answer to cell 0"
    start, image = PlanState(bytes(2), 0, True), PlanState(bytes([1, 2]), 0, True)
    two = KeyPlan(Game("6{0+2+3/1+4+5}"), 2, (0, 1), (start, image))
    assert reason(two) == "the state 12 with 0 counted is not the greatest of its images"
    one, other = PlanState(bytes([2, 1]), 0, True), PlanState(bytes([0, 2]), 0, True)
    for states, said in (
        ((start, start), "the state .. with 0 counted is not after the state .. with 0 counted"),
        (
            (start, one, other),
            "the state .2 with 0 counted is not after the state 21 with 0 counted",
        ),
        ((start, other, one), "the state .2 with 0 counted is asked for never"),
    ):
        assert reason(replace(two, states=states)) == said
    assert "is not after" in reason(replace(two, states=(start, start._replace(counted=1))))
    assert States(two).failure(examine.STONE, 0).endswith(" to a stone off the keys")


@pytest.mark.parametrize(
    ("spec", "seat", "moves", "said"),
    [
        ("5{0+1+2/2+3+4}", 2, "0", "player 1 is not to move"),
        ("5{0+1+2/2+3+4}", 1, "", "player 2 is not to move"),
        ("3{0/1+2}", 2, "0", "player 1 is not to move"),
        ("5{0+1+2/2+3+4}:first=2,opening=0", 2, "", "player 1 is not to move"),
        ("5{0+1+2/2+3+4}:misere", 2, "", "is not supported for"),
        ("5{0+1+2/2+3+4}:bias=1+2", 2, "", "is not supported for"),
    ],
)
def test_where_a_plan_may_begin(spec: str, seat: int, moves: str, said: str) -> None:
    game = Game(spec)
    begins = game.position(f"moves:{moves}") if moves else None
    found = KeyPlan(game, seat, (2,), (PlanState(bytes(1), 0, True),), begins)
    assert said in reason(found)


def test_the_opening_of_the_other_player_may_be_restricted() -> None:
    states = (PlanState(bytes(1), 0, True),)
    assert reason(KeyPlan(Game("5{0+1+2/2+3+4}:opening=0"), 2, (2,), states)) == ""
    game = Game("7{0+1+2/2+3+4}:opening=5x2")
    first = KeyPlan(game, 1, (2,), states, game.position("moves:5"))
    assert reason(first) == "player 1 cannot answer while the opening is restricted"
    over = Game("7{0+1+2/2+3+4}:opening=5")
    assert reason(replace(first, game=over, begins=over.position("moves:5"))) == ""


def test_lines_that_do_not_count() -> None:
    game = Game("3{0+1}:convention=maker-breaker")
    states = (PlanState(bytes(1), 0, True),)
    found = KeyPlan(game, 1, (0,), states, game.position("moves:2"))
    assert reason(found) == "lines of player 2 do not count"


def test_lines_have_cells_off_the_keys_where_it_begins() -> None:
    """The pair that the leaf needs is a key and another cell."""
    states = (PlanState(bytes(1), 0, True),)
    few = KeyPlan(Game("3{0+1}"), 2, (0,), states)
    assert reason(few) == "in the first state some lines have too few cells off the keys"
    assert reason(replace(few, keys=(2,))) == ""


def test_players_and_claims() -> None:
    with pytest.raises(SpecError, match="for player 1 or 2 of two, not for player 3"):
        KeyPlan(Game("3^2"), 3, (0,), ())
    with pytest.raises(SpecError, match="of two"):
        KeyPlan(Game("3^2:players=3"), 1, (0,), ())
    assert plan().claim == "draw"
    won = plan(f"{PLANNED}:convention=maker-breaker")
    assert (won.claim, won.wins) == ("win", True)
    assert reason(won) == ""
    assert won.statement.endswith(" by a plan on 2 key cells")
    assert not replace(won, seat=1).wins
    for found in (plan(), won, replace(won, seat=1)):
        high, ends = (Value.LOSS, "wins") if found is won else (Value.DRAW, "never loses")
        why = Why.PLAN(maker=3 - found.seat, breaker=found.seat, keys=2, ends=ends)
        assert (bounds_of(found), bounds_of(found).reasons) == (Bounds(high=high), (why,))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"claim draw", b"claim win", "the claim is 'win', not 'draw'"),
        (b"\n. 0 pairs\n", b"\n. 0 paris\n", "is not a row of a plan"),
        (b"\n. 0 pairs\n", b"\n. 0 pairs pairs\n", "is not a row of a plan"),
        (b"\n. 0 pairs\n", b"\n.\n", "is not a row of a plan"),
        (b"\n. 0 pairs\n", b"\n. 201 pairs\n", "201 stones cannot be counted"),
        (b"\n. 0 pairs\n", b"\n. 200 pairs\n", "with 200 counted is asked for with 0"),
        (b"symmetries 1", b"symmetries 2", "is not written the way"),
        (b"creator -", b"creator  x", "is not written the way"),
    ],
)
def test_files_that_make_no_sense(old: bytes, new: bytes, said: str) -> None:
    found = KeyPlan(Game("5{0+1+2/2+3+4}"), 2, (2,), (PlanState(bytes(1), 0, True),))
    text = plan_text(found)
    assert verify(text).proved
    assert read_plan(text) == found
    assert old in text
    assert said in verify(rehash(text.replace(old, new))).reason


def test_plans_are_written_and_read_back(tmp_path: Path) -> None:
    found = plan()
    assert {state.pairs for state in found.states} == {False, True}
    (tmp_path / "x").write_bytes(plan_text(found, creator="a test"))
    assert read_plan(tmp_path / "x") == found
    # Of the symmetries those that keep the keys are counted.
    assert b"\nsymmetries 1\n" in plan_text(KeyPlan(Game("3^2"), 2, (0, 1), ()))
    head = (tmp_path / "x").read_bytes().partition(b"states ")
    assert plan_without_states(head[0] + b"states 1\n") == replace(found, states=())


def test_tables_are_those_of_the_position_and_the_keys() -> None:
    game = Game("3^2")
    assert tables_of(game.start(), 1, (0,)) is tables_of(game.start(), 1, (0,))
    assert replace(plan(), keys=(0, 1)).tables.maker == 0
