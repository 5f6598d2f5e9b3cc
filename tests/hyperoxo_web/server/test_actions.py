"""Who may do what, on games in memory."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperoxo.game import Game
from hyperoxo.play.changes import Change, Created
from hyperoxo.play.game_in_play import apply, create, replay
from hyperoxo_web.server import GameInPlay, RefusedError, actions
from hyperoxo_web.server.thinking import check_analysis
from hyperoxo_web.server.view import change_from_dict, change_to_dict
from tests.hyperoxo_web.server.sessions import after, code_of, room

Step = Callable[[GameInPlay, int], Change]


def play(token: str | None, cell: int, **where: Any) -> Step:
    return lambda state, at: actions.move(state, token, cell, at, **where)


def go(token: str | None, node: int) -> Step:
    return lambda state, at: actions.go(state, token, node, at)


def ask(token: str | None, kind: str) -> Step:
    return lambda state, at: actions.request(state, token, kind, at)


def answer(token: str | None, yes: bool) -> Step:
    return lambda state, at: actions.answer(state, token, yes=yes, at=at)


def refusal(state: GameInPlay, step: Step) -> str:
    return code_of(lambda: step(state, 1000 * state.version))


class TestMoves:
    def test_the_seat_to_move_moves(self) -> None:
        assert after(room(), play("a", 4, ply=0), play("b", 0, node=1)).tree.moves == (4, 0)

    @pytest.mark.parametrize(
        ("token", "cell", "where", "code"),
        [
            ("b", 4, {"ply": 0}, "wrong-seat"),
            ("c", 4, {"ply": 0}, "no-seat"),
            (None, 4, {"ply": 0}, "no-seat"),
            ("host", 4, {"ply": 0}, "no-seat"),
            ("a", 4, {"ply": 1}, "late"),
            ("a", 4, {"node": 3}, "late"),
            ("a", 9, {"ply": 0}, "illegal"),
            ("a", -1, {"ply": 0}, "illegal"),
        ],
    )
    def test_others_are_refused(
        self, token: str | None, cell: int, where: dict[str, int], code: str
    ) -> None:
        assert refusal(room(), play(token, cell, **where)) == code

    def test_a_move_sent_before_a_take_back_is_late_at_the_same_ply(self) -> None:
        state = after(room(tokens=("a", "a")), play("a", 4), play("a", 0))
        state = after(state, go("a", 1), play("a", 8))
        assert refusal(state, play("a", 5, node=2)) == "late"
        assert refusal(state, play("a", 5, node=3)) == "done"

    def test_no_move_after_the_end(self) -> None:
        state = room(moves=(0, 3, 1, 4, 2))
        assert (state.result, refusal(state, play("b", 5, ply=5))) == ("1", "over")

    def test_a_history_has_its_limit(self) -> None:
        state = room(tokens=("a", "a"), game="2^2")
        long = replace(state, tree=replace(state.tree, nodes=state.tree.nodes * 2_000))
        assert refusal(long, play("a", 0)) == "limit"


class TestHistory:
    def test_one_person_goes_back_alone(self) -> None:
        state = after(room(tokens=("a", None)), play("a", 4))
        state = apply(state, actions.agent_move(state, 1, 0, 0))
        state = after(state, ask("a", "undo"))
        assert (state.tree.moves, state.paused) == ((), None)
        assert after(state, ask("a", "redo")).tree.moves == (4, 0)

    def test_two_people_ask_each_other(self) -> None:
        state = after(room(), play("a", 4), play("b", 0), ask("b", "undo"))
        assert state.request is not None
        assert (state.request.kind, state.request.by, state.request.node) == ("go", 2, 1)
        assert refusal(state, answer("b", True)) == "no-request"
        assert refusal(state, ask("a", "swap")) == "nothing-to-do"
        assert after(state, answer("a", False)).tree.moves == (4, 0)
        assert after(state, answer("b", False)).request is None
        assert after(state, answer("a", True)).tree.moves == (4,)

    def test_a_move_answers_a_request_with_no(self) -> None:
        state = after(room(), play("a", 4), ask("a", "undo"), play("b", 0))
        assert state.request is None
        assert refusal(state, answer("b", True)) == "no-request"

    def test_all_others_must_agree(self) -> None:
        state = room("3^2:players=3", tokens=("a", "b", "c"))
        state = after(state, play("a", 4), ask("a", "undo"), answer("b", True))
        assert state.request is not None
        assert (state.request.waiting, state.tree.moves) == ((3,), (4,))
        assert after(state, answer("c", True)).tree.moves == ()

    def test_agents_wait_where_a_jump_leads_to_their_turn(self) -> None:
        state = after(room(tokens=("a", None)), play("a", 4))
        state = apply(state, actions.agent_move(state, 1, 0, 0))
        state = after(state, go("a", 1))
        assert (state.paused, state.thinking) == ("history", 0)
        assert code_of(lambda: actions.agent_move(state, 1, 8, 0)) == "late"
        assert after(state, lambda s, at: actions.resume(s, "a", at)).thinking == 2

    def test_only_the_host_walks_through_games_of_agents(self) -> None:
        state = room(tokens=(None, None))
        state = apply(state, actions.agent_move(state, 0, 4, 0))
        assert refusal(state, go(None, 0)) == "no-seat"
        assert after(state, go("host", 0)).tree.moves == ()

    def test_going_back_undoes_a_resignation(self) -> None:
        state = after(room(tokens=("a", None)), lambda s, at: actions.resign(s, "a", at))
        assert (state.result, state.winners) == ("2", (2,))
        assert after(state, ask("a", "undo")).result == "*"

    def test_nothing_to_take_back(self) -> None:
        assert refusal(room(), ask("a", "undo")) == "nothing-to-do"
        assert refusal(room(), ask("a", "redo")) == "nothing-to-do"
        assert refusal(room(), go("a", 1)) == "no-node"


class TestEndings:
    def test_resigning_for_a_seat(self) -> None:
        state = room("3^2:players=3", tokens=("a", "a", "c"))
        assert refusal(state, lambda s, at: actions.resign(s, "a", at, 3)) == "wrong-seat"
        state = after(state, lambda s, at: actions.resign(s, "c", at))
        assert (state.result, state.to_move) == ("1+2", 0)
        assert state.record().resigned == 3

    def test_help_is_agreed_on_by_all(self) -> None:
        strict = replace(room(), analysis="after")
        asked = after(strict, play("a", 4), ask("b", "help"))
        assert asked.request is not None
        assert (asked.request.kind, asked.request.waiting) == ("help", (1,))
        assert not asked.may_analyse
        assert not after(asked, answer("a", False)).may_analyse
        agreed = after(asked, answer("a", True))
        assert agreed.may_analyse
        assert agreed.tree.moves == (4,)
        assert refusal(agreed, ask("a", "help")) == "nothing-to-do"
        alone = replace(room(tokens=("a", "a")), analysis="after")
        assert refusal(alone, ask("a", "help")) == "nothing-to-do"

    def test_an_agreed_draw(self) -> None:
        state = after(room(), play("a", 4), ask("a", "draw"), answer("b", True))
        assert (state.result, state.record().result) == ("=", "=")

    def test_swapping_moves_everybody_on(self) -> None:
        state = after(room(), play("a", 4), ask("a", "swap"), answer("b", True))
        assert [seat.token for seat in state.seats] == ["b", "a"]
        assert refusal(state, play("b", 0)) == "wrong-seat"
        assert refusal(state, play("a", 0)) == "done"


class TestClocks:
    def test_time_is_charged_to_whoever_is_to_move(self) -> None:
        state = room(clock=(10.0, 2.0))
        state = apply(state, actions.move(state, "a", 4, 60_000))
        assert state.remaining == (10_000, 10_000)  # the first move costs nothing
        state = apply(state, actions.move(state, "b", 0, 63_000))
        assert state.remaining == (10_000, 9_000)
        assert state.time_left(1, 64_000) == 9_000
        assert state.time_left(2, 64_000) == 9_000

    def test_a_move_after_the_time_is_refused_and_the_flag_falls(self) -> None:
        state = room(clock=(10.0, 0.0))
        state = apply(state, actions.move(state, "a", 4, 0))
        assert code_of(lambda: actions.flag(state, 9_999)) == "nothing-to-do"
        assert code_of(lambda: actions.move(state, "b", 0, 10_000)) == "time"
        state = apply(state, actions.flag(state, 10_000))
        assert (state.result, state.remaining) == ("1", (10_000, 0))
        record = state.record()
        assert (record.result, record.tag("Termination")) == ("1", "time forfeit")

    def test_a_stop_of_the_server_costs_no_time(self) -> None:
        state = room(clock=(10.0, 0.0))
        state = apply(state, actions.move(state, "a", 4, 0))
        data = {"kind": "resumed", "at": 90_000, "restart": True}
        state = apply(state, change_from_dict(data))
        assert state.time_left(2, 91_000) == 9_000

    def test_a_pause_stops_the_clock(self) -> None:
        state = room(clock=(10.0, 0.0))
        state = apply(state, actions.move(state, "a", 4, 0))
        state = apply(state, actions.pause(state, "host", 4_000))
        assert state.time_left(2, 50_000) == 6_000
        state = apply(state, actions.resume(state, "host", 60_000))
        assert state.time_left(2, 61_000) == 5_000

    def test_a_move_taken_back_gives_its_time_back(self) -> None:
        state = room(tokens=("a", "a"), clock=(10.0, 1.0))
        for cell, at in ((4, 0), (0, 3_000), (8, 7_000)):
            state = apply(state, actions.move(state, "a", cell, at))
        assert state.remaining == (7_000, 8_000)
        state = apply(state, actions.go(state, "a", 2, 9_000))
        assert state.remaining == (10_000, 8_000)
        assert state.time_left(1, 10_000) == 9_000  # the clock runs for the player to move
        state = apply(state, actions.go(state, "a", 1, 20_000))
        assert state.remaining == (10_000, 10_000)
        # Going forth again brings the times of then, until another move is played.
        state = apply(state, actions.go(state, "a", 3, 21_000))
        assert state.remaining == (7_000, 8_000)
        state = apply(state, actions.go(state, "a", 1, 22_000))
        state = apply(state, actions.move(state, "a", 0, 24_000))
        assert state.tree.node == 2
        assert state.remaining == state.clocks[2] == (10_000, 9_000)

    def test_going_back_to_a_fallen_flag_gives_the_time_of_that_turn_back(self) -> None:
        state = room(tokens=("a", "a"), clock=(10.0, 0.0))
        state = apply(state, actions.move(state, "a", 4, 0))
        state = apply(state, actions.flag(state, 10_000))
        state = apply(state, actions.undo(state, "a", 12_000))
        assert not state.is_over
        assert state.time_left(2, 13_000) == 9_000


def test_a_game_without_help_is_analysed_after_its_end() -> None:
    seats = (("Ada", None, "a"), ("Bob", None, "b"))
    first = Created(at=0, id="g", game="3^2", host="h", seats=seats, analysis="after")
    state = create(first)
    assert not state.may_analyse
    assert code_of(lambda: check_analysis(state)) == "not-yet"
    state = apply(state, actions.resign(state, "a", 1))
    assert state.may_analyse
    assert replay([change_from_dict(change_to_dict(first))]).analysis == "after"
    check_analysis(room())


class TestSeats:
    def test_names_are_one_short_line(self) -> None:
        state = apply(room(), actions.rename(room(), "a", 1, " Ada\n<b>\x00", 0))
        assert state.seats[0].name == "Ada <b>"
        assert code_of(lambda: actions.rename(state, "a", 1, "x" * 81, 0)) == "bad-request"
        assert code_of(lambda: actions.rename(state, "a", 2, "Bob", 0)) == "wrong-seat"

    def test_the_host_changes_agents_and_a_person_leaves_a_seat(self) -> None:
        state = room(tokens=("a", None))

        def seat(token: str, player: int) -> str:
            return code_of(lambda: actions.seat(state, token, player, 0, name="x", agent="greedy"))

        assert [seat("a", 1), seat("a", 2)] == ["done", "not-host"]
        assert [seat("host", 1), seat("host", 2)] == ["wrong-seat", "done"]
        assert seat("host", 3) == "bad-request"


def random_change(state: GameInPlay, chance: random.Random, at: int) -> Change | None:
    token = chance.choice(["a", "b", "host", "x"])
    cell, node = chance.randrange(9), chance.randrange(len(state.tree.nodes))
    choices: list[Callable[[], Change]] = [
        lambda: actions.move(state, token, cell, at),
        lambda: actions.move(state, "a", cell, at),
        lambda: actions.move(state, "b", cell, at),
        lambda: actions.agent_move(state, state.tree.node, cell, at, "why"),
        lambda: actions.go(state, token, node, at),
        lambda: actions.request(
            state, token, chance.choice(["undo", "redo", "swap", "draw", "help"]), at
        ),
        lambda: actions.answer(state, token, yes=chance.random() < 0.7, at=at),
        lambda: actions.resign(state, token, at),
        lambda: actions.pause(state, token, at),
        lambda: actions.resume(state, token, at),
        lambda: actions.rename(state, token, chance.randint(1, 3), "Ada", at),
        lambda: actions.flag(state, at),
    ]
    try:
        return chance.choice(choices)()
    except RefusedError:
        return None


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from([("a", "b"), ("a", "a"), ("a", None), (None, None)]))
def test_a_game_is_the_fold_of_its_stored_changes(
    seed: int, tokens: tuple[str | None, ...]
) -> None:
    """Whatever people try, the state is legal, and comes back from what is stored."""
    chance = random.Random(seed)
    seats = tuple((str(token), None if token else "random", token) for token in tokens)
    first = Created(at=0, id="g", game="3^2", host="host", seats=seats, clock=(100.0, 1.0))
    changes: list[Change] = [first]
    state = create(first)
    at = 0
    for _ in range(40):
        at += chance.randrange(1500)
        change = random_change(state, chance, at)
        if change is None:
            continue
        state = apply(state, change)
        changes.append(change)
        assert state.version == len(changes)
        assert state.position == Game("3^2").position(
            f"moves:{','.join(map(str, state.tree.moves))}"
        )
        assert state.position.history == state.tree.moves
        assert sorted(str(seat.token) for seat in state.seats) == sorted(map(str, tokens))
        assert state.record().position == state.position
        draw = state.request is not None and state.request.kind == "draw"
        assert not (draw and state.is_over)
    assert replay([change_from_dict(change_to_dict(change)) for change in changes]) == state
