"""The rules by counts, R1 to R3, against the rules as they read."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo_research.draws.key_plan_listing import _find_answers
from hyperoxo_research.proof.keyplan import examine, pairs, states, stones
from hyperoxo_research.proof.keyplan.board import Tables
from hyperoxo_research.proof.keyplan.check import images_for
from hyperoxo_research.proof.keyplan.matching import scratch_for
from tests.hyperoxo_research.proof.keyplan.cases import Form, listed_rows, tabled
from tests.hyperoxo_research.proof.keyplan.count_rules import Rules, drawn_keys, random_rules


def drawn_rules(rng: random.Random, *, long: bool) -> Rules:
    """Draw lines of two or three cells off the keys, or longer ones of the same few cells."""
    if not long:
        return random_rules(rng)
    lines = {
        sum(1 << k for k in rng.sample(range(3), rng.randint(0, 2)))
        | sum(1 << cell for cell in rng.sample(range(3, 11), rng.randint(1, 5)))
        for _ in range(rng.randint(1, 4))
    }
    return Rules(tuple(lines), 3, 11)


@pytest.mark.parametrize("long", [False, True])
def test_pairs_and_stones_elsewhere(long: bool) -> None:
    rng, fates = random.Random(1), Counter[tuple[str, bool]]()
    for _ in range(60):
        rules, tables = tabled(drawn_rules(rng, long=long))
        board, room = tables.by_counts, scratch_for(rules.cells)
        for _ in range(6):
            maker, breaker = drawn_keys(rules, rng)
            counted = rng.randint(0, 4)
            state = states.State(np.uint64(maker), np.uint64(breaker), np.array([counted]))
            room.holder[:] = rng.randint(-2, 0)
            found = pairs.is_won_by_pairs(board, state, room)
            assert found == rules.leaf(maker, breaker, counted)
            fates["pairs", found] += 1
            replies = rng.randrange(1 << rules.width) & ~(maker | breaker)
            found = stones.are_enough_by_counts(board, state, np.uint64(replies), room)
            assert found == rules.mended(maker, breaker, replies, counted)
            unhit = ((board.lines.keys_on & np.uint64(breaker | replies)) == 0).any()
            fates["stones" if replies and unhit else "", found] += 1
    assert min(fates.values()) > 10


def test_spare_cells_are_of_sets_of_lines() -> None:
    """Two lines of three cells share one: either may have it to spare, and both need no two."""
    board = Tables(Game("8{0+3+4+5/1+5+6+7}").start(), 1, (0, 1, 2)).by_counts
    for counted in (0, 1):
        state = states.State(np.uint64(0), np.uint64(0), np.array([counted]))
        assert stones.are_enough_by_counts(board, state, np.uint64(4), scratch_for(8)) == (
            not counted
        )


@pytest.mark.parametrize(
    ("spec", "keys"),
    [("3^2", (0, 2, 6, 8)), ("4^2", tuple(range(16))), ("3^3", (4, 10, 12, 14, 16, 22))],
)
def test_the_greatest_image_is_the_form(spec: str, keys: tuple[int, ...]) -> None:
    game, rng = Game(spec), random.Random(spec)
    board = Tables(game.start(), 1, keys).by_counts
    place = {cell: at for at, cell in enumerate(keys)}
    moved = {
        tuple(place[row[cell]] for cell in keys)
        for row in game.symmetry.permutations().tolist()
        if {row[cell] for cell in keys} == set(keys)
    }

    def image(turn: tuple[int, ...], word: int) -> int:
        return sum(1 << turn[k] for k in range(len(keys)) if word >> k & 1)

    words = [
        tuple(states.image(board.images, at, np.uint64(1 << k)) for k in range(len(keys)))
        for at in range(len(board.images))
    ]
    assert {tuple(int(one).bit_length() - 1 for one in row) for row in words} == moved
    assert len(words) == len(moved) > 1
    assert words[0] == tuple(1 << k for k in range(len(keys)))
    for _ in range(40):
        maker = rng.randrange(1 << len(keys))
        breaker = rng.randrange(1 << len(keys)) & ~maker
        best = max((image(turn, maker), image(turn, breaker)) for turn in moved)
        state = states.State(np.uint64(maker), np.uint64(breaker), np.array([3]))
        form = states.form_of(board, state)
        assert (int(form.maker), int(form.breaker), *form.row) == (*best, 3)


Rows = dict[tuple[int, int], tuple[int, bool]]


def reference(rules: Rules, rows: Rows, asked: list[int], at: int) -> int:
    """Examine one listed state by the rules; note what is asked for."""
    order = sorted(rows)
    (maker, breaker), (counted, leaf) = order[at], rows[order[at]]
    free = [k for k in range(rules.width) if not (maker | breaker) >> k & 1]

    def ask(one: int, two: int, count: int) -> bool:
        if rows.get((one, two), (-1, False))[0] < count:
            return False
        place = order.index((one, two))
        asked[place] = max(asked[place], count)
        return True

    if leaf:
        return examine.HOLDS if rules.leaf(maker, breaker, counted) else examine.LEAF
    for key in free:
        others = [other for other in free if other != key]
        if not any(ask(maker | 1 << key, breaker | 1 << other, counted) for other in others):
            return examine.KEY
    replies = sum(1 << key for key in free if ask(maker, breaker | 1 << key, counted + 1))
    return examine.HOLDS if rules.mended(maker, breaker, replies, counted) else examine.STONE


def test_states_are_examined_by_the_rules() -> None:
    rng, fates = random.Random(5), Counter[int]()
    while sum(fates.values()) < 300:
        rules = random_rules(rng)
        if rules.width > 3:
            continue
        rules, tables = tabled(rules)
        share = rng.choice((0.3, 0.8, 1))
        rows = {
            (maker, breaker): (rng.randint(0, 3), rng.random() < 0.3)
            for maker in range(1 << rules.width)
            for breaker in range(1 << rules.width)
            if not maker & breaker and rng.random() < share
        }
        order = sorted(rows)
        # Without symmetries: the first row of the table leaves all keys where they are.
        board = tables.by_counts._replace(images=tables.images[:1])
        listed = listed_rows([(*one, rows[one][0]) for one in order])
        listed.leaves[:] = [rows[one][1] for one in order]
        work = examine.Work(listed, examine.no_settled_states(0), scratch_for(rules.cells))
        for at, keys in enumerate(order):
            expected = [-1] * len(order)
            listed.asked[:] = -1
            found = examine.examine(board, work, at)
            assert found[0] == reference(rules, rows, expected, at)
            assert listed.asked.tolist() == expected
            fates[found[0]] += 1
            answers = np.full((rules.width + 1, rules.width), -1)
            _find_answers(board, listed, at, answers)
            assert answers.tolist() == following(rules, rows, keys)
    assert set(fates) == {examine.HOLDS, examine.LEAF, examine.KEY, examine.STONE}
    assert min(fates.values()) > 10


def following(rules: Rules, rows: Rows, keys: tuple[int, int]) -> list[list[int]]:
    """The places of the states that answer each key and a stone, -1 where none is listed."""
    order, (maker, breaker) = sorted(rows), keys
    found = []
    for key in range(rules.width + 1):
        bit = 1 << key if key < rules.width else 0
        row = []
        for other in range(rules.width):
            after = maker | bit, breaker | 1 << other
            legal = not (maker | breaker) & (bit | 1 << other) and key != other
            most = rows[keys][0] + (key == rules.width)
            good = legal and rows.get(after, (-1, False))[0] >= most
            row.append(order.index(after) if good else -1)
        found.append(row)
    return found


def test_a_state_that_is_not_its_greatest_image_is_refused() -> None:
    board = Tables(Game("3^2").start(), 1, (0, 2, 6, 8)).by_counts
    for word, wrong in ((1, True), (2, True), (4, True), (8, False)):
        for form in ((word, 0, 0), (0, word, 0)):
            listed = listed_rows([form])
            listed.leaves[:] = True
            work = examine.Work(listed, examine.no_settled_states(0), scratch_for(9))
            assert (examine.examine(board, work, 0)[0] == examine.IMAGE) == wrong


def test_states_with_fewer_stones_are_found() -> None:
    board = Tables(Game("3^2").start(), 1, (0, 2, 6, 8)).by_counts
    rows: list[Form] = [(0, 0, 0), (8, 4, 3)]
    for maker, breaker, count, place in (
        *((1, 2, 1, 1), (1, 2, 3, 1), (4, 8, 2, 1), (1, 2, 4, -1)),
        *((15, 0, 0, -1), (0, 0, 0, 0), (0, 1, 0, -1)),
    ):
        those = images_for(board, maker)
        state = states.State(np.uint64(maker), np.uint64(breaker), np.array([count]))
        assert states.find(board, listed_rows(rows), those, state) == place
