"""The loops of the checker of Breaker's plans, each by itself, against the rules as they read."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from hyperoxo.game import Game
from hyperoxo_research.proof import breaker_loops as loops
from hyperoxo_research.proof.breaker_tables import Tables
from tests.hyperoxo_research.proof.breaker_reference import Rules, random_rules


def spec_of(rules: Rules) -> str:
    lines = ["+".join(str(c) for c in range(rules.cells) if one >> c & 1) for one in rules.lines]
    return f"{rules.cells}{{{'/'.join(lines)}}}"


def tables(rules: Rules) -> Tables:
    return Tables(Game(spec_of(rules)).start(), 1, tuple(range(rules.width)))


def drawn_keys(rules: Rules, rng: random.Random) -> tuple[int, int]:
    """Draw some keys of Maker's and of Breaker's."""
    owners = [rng.randrange(4) for _ in range(rules.width)]
    one, two = (sum(1 << k for k, own in enumerate(owners) if own == who) for who in (1, 2))
    return one, two


def cases(count: int, seed: int) -> list[tuple[Rules, Tables, int, int, int]]:
    """Rules with their lines in the order of the board's, and states of theirs."""
    rng = random.Random(seed)
    found: list[tuple[Rules, Tables, int, int, int]] = []
    for _ in range(count):
        rules = random_rules(rng)
        made = tables(rules)
        rows = tuple(sum(1 << cell for cell in row) for row in made.rows)
        rules = Rules(rows, rules.width, rules.cells)
        found += [(rules, made, *drawn_keys(rules, rng), rng.randint(0, 4)) for _ in range(8)]
    return found


def test_lines_are_sorted_by_their_keys() -> None:
    made = Tables(Game("6{0+1/1+2/3+4+5}").start(), 1, (0, 1))
    assert made.lines.kinds.tolist() == [loops.MAIN, loops.RICH, loops.POOR]
    assert made.lines.keys_on.tolist() == [3, 2, 0]
    assert made.lines.starts.tolist() == [0, 2, 4, 7]
    assert made.lines.cells.tolist() == [0, 1, 1, 2, 3, 4, 5]
    room = loops.room_for(6)
    assert [len(one) for one in room] == [6, 6, 7, 7]


def test_pairs_hold_as_the_rules_say() -> None:
    fates: Counter[bool] = Counter()
    for rules, made, maker, breaker, counted in cases(30, 1):
        found = loops.pairs_hold(
            made.lines, np.uint64(maker), np.uint64(breaker), counted, made.room()
        )
        assert found == rules.leaf(maker, breaker, counted)
        fates[found] += 1
    assert min(fates.values()) > 30


def test_stones_elsewhere_are_met_as_the_rules_say() -> None:
    rng, fates = random.Random(2), Counter[bool]()
    for rules, made, maker, breaker, counted in cases(40, 2):
        replies = rng.randrange(1 << rules.width) & ~(maker | breaker)
        one, two, three = np.uint64(maker), np.uint64(breaker), np.uint64(replies)
        found = loops.stone_is_met(made.lines, one, two, three, counted, made.room())
        assert found == rules.mended(maker, breaker, replies, counted)
        fates[found] += 1
    assert min(fates.values()) > 30


def test_stones_elsewhere_are_met_where_there_are_many_cells() -> None:
    rng, fates = random.Random(6), Counter[tuple[bool, bool]]()
    for _ in range(300):
        lines = {
            sum(1 << k for k in rng.sample(range(3), rng.randint(0, 2)))
            | sum(1 << cell for cell in rng.sample(range(3, 11), rng.randint(1, 5)))
            for _ in range(rng.randint(1, 4))
        }
        made = tables(Rules(tuple(lines), 3, 11))
        rows = tuple(sum(1 << cell for cell in row) for row in made.rows)
        rules = Rules(rows, 3, 11)
        maker, breaker = drawn_keys(rules, rng)
        replies = rng.randrange(1 << 3) & ~(maker | breaker)
        counted = rng.randint(0, 3)
        one, two, three = np.uint64(maker), np.uint64(breaker), np.uint64(replies)
        room = made.room()
        room.holder[:] = rng.randint(-2, 0)
        found = loops.stone_is_met(made.lines, one, two, three, counted, room)
        assert found == rules.mended(maker, breaker, replies, counted)
        if replies:
            unhit = ((made.lines.keys_on & (two | three)) == 0) & (made.lines.kinds == loops.RICH)
            fates[found, bool(unhit.any())] += 1
    assert len(fates) == 3
    assert min(fates.values()) > 10


def test_a_line_or_two_have_cells_to_spare_as_hall_says() -> None:
    rng, fates = random.Random(3), Counter[bool]()
    for rules, made, maker, breaker, _ in cases(40, 3):
        lines, room = made.lines, made.room()
        free = ((1 << rules.cells) - 1) & ~(maker | breaker)
        live = (lines.keys_on & np.uint64(breaker)) == 0
        loops.close(lines, np.uint64(maker | breaker), room)
        closed = {k for k in range(rules.width) if (maker | breaker) >> k & 1}
        assert {c for c in range(rules.cells) if room.holder[c] == loops.CLOSED} == closed
        # What was tried before is forgotten.
        room.tried[:] = 1
        wanted = sum(1 << at for at in np.flatnonzero(live).tolist())
        fit = all(rules.surplus(some, free) >= 0 for some in rules.subsets(wanted))
        assert loops.two_each(lines, live, room) == fit
        if not fit or not wanted:
            continue
        chosen = rng.sample(rules.numbers(wanted), min(2, wanted.bit_count()))
        for some in (chosen[:1], chosen):
            bits = sum(1 << at for at in some)
            one, two = (*some, -1)[:2]
            for count in range(5):
                enough = all(
                    rules.surplus(group, free) >= count
                    for group in rules.subsets(wanted)
                    if group & bits == bits
                )
                assert loops.spare(lines, one, two, count, room) == enough
                fates[enough] += 1
                held = Counter(room.holder[room.holder >= 0].tolist())
                assert held == dict.fromkeys(rules.numbers(wanted), 2)
                for cell in np.flatnonzero(room.holder >= 0).tolist():
                    assert rules.lines[room.holder[cell]] & free & 1 << cell
    assert min(fates.values()) > 30


def test_which_lines_meet() -> None:
    made = Tables(Game("7{0+1/1+2/3+4/4+5+6/0+6}").start(), 1, (0,))
    met = {(a, b) for a, b in combinations(range(5), 2) if loops.meet(made.lines, a, b)}
    expected = {
        (a, b) for a, b in combinations(range(5), 2) if set(made.rows[a]) & set(made.rows[b])
    }
    assert met == expected
    assert 3 <= len(met) < 10


@pytest.mark.parametrize(
    ("spec", "keys"),
    [("3^2", (0, 2, 6, 8)), ("4^2", tuple(range(16))), ("3^3", (4, 10, 12, 14, 16, 22))],
)
def test_the_greatest_image_is_the_form(spec: str, keys: tuple[int, ...]) -> None:
    game, rng = Game(spec), random.Random(spec)
    images = Tables(game.start(), 1, keys).images
    place = {cell: at for at, cell in enumerate(keys)}
    moved = {
        tuple(place[row[cell]] for cell in keys)
        for row in game.symmetry.permutations().tolist()
        if {row[cell] for cell in keys} == set(keys)
    }

    def image(turn: tuple[int, ...], word: int) -> int:
        return sum(1 << turn[k] for k in range(len(keys)) if word >> k & 1)

    words = [
        tuple(loops.image(images, at, np.uint64(1 << k)) for k in range(len(keys)))
        for at in range(len(images))
    ]
    assert {tuple(int(one).bit_length() - 1 for one in row) for row in words} == moved
    assert len(words) == len(moved) > 1
    assert words[0] == tuple(1 << k for k in range(len(keys)))
    every = np.uint64((1 << len(keys)) - 1)
    assert {int(loops.image(images, at, every)) for at in range(len(images))} == {int(every)}
    for _ in range(40):
        maker = rng.randrange(1 << len(keys))
        breaker = rng.randrange(1 << len(keys)) & ~maker
        best = max((image(turn, maker), image(turn, breaker)) for turn in moved)
        form = loops.form_of(images, np.uint64(maker), np.uint64(breaker))
        assert tuple(map(int, form)) == best


def test_states_are_found_where_they_are_listed() -> None:
    rng = random.Random(4)
    for count in (0, 1, 2, 7, 20):
        rows = sorted({(rng.randrange(6), rng.randrange(6)) for _ in range(count)})
        makers, breakers = (np.array([row[i] for row in rows], np.uint64) for i in (0, 1))
        for one in range(7):
            for two in range(7):
                place = rows.index((one, two)) if (one, two) in rows else -1
                assert loops.find(makers, breakers, np.uint64(one), np.uint64(two)) == place


def reference(
    rules: Rules, rows: dict[tuple[int, int], tuple[int, bool]], asked: list[int], at: int
) -> tuple[int, int]:
    """Look at one listed state by the rules; note what is asked for."""
    states = sorted(rows)
    (maker, breaker), (counted, pairs) = states[at], rows[states[at]]
    free = [k for k in range(rules.width) if not (maker | breaker) >> k & 1]

    def ask(one: int, two: int, count: int) -> bool:
        if rows.get((one, two), (-1, False))[0] < count:
            return False
        place = states.index((one, two))
        asked[place] = max(asked[place], count)
        return True

    if pairs:
        return (loops.HOLDS if rules.leaf(maker, breaker, counted) else loops.LEAF), 0
    replies = 0
    for key in free:
        others = [other for other in free if other != key]
        if not any(ask(maker | 1 << key, breaker | 1 << other, counted) for other in others):
            return loops.KEY, key
        if ask(maker, breaker | 1 << key, counted + 1):
            replies |= 1 << key
    return (loops.HOLDS if rules.mended(maker, breaker, replies, counted) else loops.PASS), 0


def test_states_are_examined_by_the_rules() -> None:
    rng, fates = random.Random(5), Counter[int]()
    while sum(fates.values()) < 300:
        rules = random_rules(rng)
        if rules.width > 3:
            continue
        made = tables(rules)
        share = rng.choice((0.3, 0.8, 1))
        rows = {
            (maker, breaker): (rng.randint(0, 3), rng.random() < 0.3)
            for maker in range(1 << rules.width)
            for breaker in range(1 << rules.width)
            if not maker & breaker and rng.random() < share
        }
        states = sorted(rows)
        arrays = (
            np.array([one for one, _ in states], np.uint64),
            np.array([two for _, two in states], np.uint64),
            np.array([rows[one][0] for one in states], np.int64),
            np.array([rows[one][1] for one in states], np.bool_),
        )
        # Without symmetries: the first row of the table leaves all keys where they are.
        still = made.images[:1]
        for at in range(len(states)):
            asked, expected = np.full(len(states), -1), [-1] * len(states)
            found = loops.examine(made.lines, still, *arrays, asked, made.room(), at)
            assert found == reference(rules, rows, expected, at)
            assert asked.tolist() == expected
            fates[found[0]] += 1
            following = np.zeros((rules.width + 1, rules.width), np.int64)
            loops.answers(made.lines, still, *arrays[:2], at, following)
            for key in range(rules.width + 1):
                for other in range(rules.width):
                    maker, breaker = states[at]
                    bit = 1 << key if key < rules.width else 0
                    after = maker | bit, breaker | 1 << other
                    legal = not (maker | breaker) & (bit | 1 << other) and key != other
                    place = states.index(after) if legal and after in rows else -1
                    assert following[key, other] == place
    assert set(fates) == {loops.HOLDS, loops.LEAF, loops.KEY, loops.PASS}
    assert min(fates.values()) > 10


def test_a_state_that_is_not_its_form_is_refused() -> None:
    made = Tables(Game("3^2").start(), 1, (0, 2, 6, 8))
    for word, wrong in ((1, True), (2, True), (4, True), (8, False)):
        for makers, breakers in (((word,), (0,)), ((0,), (word,))):
            arrays = (
                np.array(makers, np.uint64),
                np.array(breakers, np.uint64),
                np.zeros(1, np.int64),
            )
            leaves, asked = np.ones(1, np.bool_), np.full(1, -1)
            found = loops.examine(made.lines, made.images, *arrays, leaves, asked, made.room(), 0)
            assert (found[0] == loops.NOT_LEAST, found[1]) == (wrong, 0)


def test_the_most_that_is_asked_for_is_noted() -> None:
    made = Tables(Game("3^2").start(), 1, (0, 2, 6, 8))
    makers, breakers = np.array([0, 8], np.uint64), np.array([0, 4], np.uint64)
    counts, asked = np.array([0, 3]), np.full(2, -1)
    for count, listed, most in ((1, True, 1), (3, True, 3), (2, True, 3), (4, False, 3)):
        words = np.uint64(1), np.uint64(2)
        assert loops.ask(made.images, makers, breakers, counts, asked, *words, count) is listed
        assert asked.tolist() == [-1, most]
    none, all_keys = np.uint64(0), np.uint64(15)
    assert not loops.ask(made.images, makers, breakers, counts, asked, all_keys, none, 0)
    assert loops.ask(made.images, makers, breakers, counts, asked, none, none, 0)
    assert asked.tolist() == [0, 3]
