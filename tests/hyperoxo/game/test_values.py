"""Laws of values and bounds, and words for all of them."""

from __future__ import annotations

import json
import pickle
import re
import string
from collections import defaultdict
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperoxo.display import number_of
from hyperoxo.game import Bounds, Reason, Value, Why, propagate
from hyperoxo.game import messages as words

TWO = (Value.LOSS, Value.DRAW, Value.WIN)
MANY = (Value.NOTHING, Value.DRAW, Value.WIN)

scales = st.sampled_from([TWO, MANY])


@st.composite
def bounds(draw: st.DrawFn, scale: tuple[Value, ...] = TWO) -> Bounds:
    low, high = sorted(draw(st.tuples(st.sampled_from(scale), st.sampled_from(scale))))
    codes = draw(st.lists(st.sampled_from([Why.STEALING, Why.OVER, Why.TABLE]), max_size=2))
    drawless = draw(st.booleans()) and not low == high == Value.DRAW
    return Bounds(low, high, tuple(code() for code in codes), drawless)


@pytest.mark.parametrize("scale", [TWO, MANY])
def test_values_are_in_the_order_of_their_signs(scale: tuple[Value, ...]) -> None:
    for one in scale:
        for other in scale:
            assert (one < other) == (one.sign < other.sign) == (not one >= other)
            assert (one > other) == (one.sign > other.sign) == (not one <= other)
            assert (one == other) == (one.sign == other.sign)
    assert [value.points for value in sorted(scale)] == [0, 0.5, 1]


def test_the_scales_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="different games"):
        max(Value.LOSS, Value.NOTHING)
    with pytest.raises(ValueError, match="has no value 'nothing'"):
        Bounds(Value.NOTHING, Value.DRAW).__neg__()
    assert (Value.least(2), Value.least(3)) == (Value.LOSS, Value.NOTHING)


@given(st.floats(allow_nan=False), scales)
def test_a_value_has_the_sign_of_its_number(number: float, scale: tuple[Value, ...]) -> None:
    value = Value.of(number, least=scale[0])
    assert value in scale
    assert value.sign == (number > 0) - (number < 0)


def test_values_are_their_words() -> None:
    for value in Value:
        assert json.dumps([value]) == f'["{value}"]'
        assert pickle.loads(pickle.dumps(value)) is value
        assert Value(str(value)) is value
        assert repr(value) == repr(str(value))


@given(bounds())
def test_what_one_player_has_the_other_lacks(known: Bounds) -> None:
    other = -known
    assert -other == known
    assert other.reasons == known.reasons
    assert other.decided == known.decided
    assert known.winner(1, 2) == other.winner(2, 2)
    if known.value is not None:
        assert other.value == -known.value


@pytest.mark.more
@given(scales.flatmap(lambda scale: st.tuples(bounds(scale), bounds(scale), bounds(scale))))
def test_joining_bounds(three: tuple[Bounds, Bounds, Bounds]) -> None:
    """What both allow: in any order, never wider, refused where nothing is left."""
    one, other, third = three
    assert one & one == one
    both = {*one.values} & {*other.values}
    if not both:
        with pytest.raises(AssertionError, match="contradict"):
            one & other
        return
    joined = one & other
    assert joined == other & one == Bounds.of(both)
    assert set(map(str, joined.reasons)) <= set(map(str, one.reasons + other.reasons))
    if both & {*third.values}:
        assert joined & third == one & (other & third)


@pytest.mark.more
@given(bounds())
def test_what_says_nothing_new_gives_no_reason(known: Bounds) -> None:
    wider = Bounds(reasons=(Why.PAIRING(maker=1, breaker=2),))
    if known.low > Value.LOSS and known.high < Value.WIN:
        assert (known & wider).reasons == known.reasons


@given(scales.flatmap(lambda scale: st.sets(st.sampled_from(scale), min_size=1)))
def test_every_set_of_values_has_bounds(values: set[Value]) -> None:
    known = Bounds.of(values)
    assert known.values == tuple(sorted(values))
    assert known == Bounds.of(known.values)
    assert known.decided == (len(values) == 1)
    with pytest.raises(AssertionError, match="no value"):
        Bounds.of(set())


@pytest.mark.more
@given(
    scales.flatmap(
        lambda scale: st.tuples(bounds(scale), st.lists(bounds(scale), min_size=1, max_size=4))
    ),
    st.booleans(),
)
def test_what_follows_of_a_position_and_its_moves(
    given_: tuple[Bounds, list[Bounds]], drawless: bool
) -> None:
    """Exactly the values that occur where all are within bounds and the position has the best."""
    own, moves = given_
    worlds = [
        values
        for values in product(*(one.values for one in moves))
        if max(values) in own.values and not (drawless and Value.DRAW in values)
    ]
    if not worlds:
        with pytest.raises(AssertionError):
            propagate(own, moves, drawless=drawless)
        return
    position, after = propagate(own, moves, drawless=drawless)
    assert set(position.values) == {max(values) for values in worlds}
    assert [set(one.values) for one in after] == [*map(set, zip(*worlds, strict=True))]
    assert position.reasons == own.reasons
    assert [one.reasons for one in after] == [one.reasons for one in moves]
    assert propagate(position, after, drawless=drawless) == (position, after)


def test_a_finished_game_has_no_moves_to_tell_of() -> None:
    over = Bounds.exactly(Value.LOSS)
    assert propagate(over, []) == (over, [])


@pytest.mark.parametrize("value", Value)
def test_every_value_has_words(value: Value) -> None:
    known = Bounds.exactly(value)
    assert known.value is value
    said = [
        words.NOUN[value],
        words.DOES[value],
        words.can_force(known),
        words.range_of(known),
        words.short(value, None),
        words.short(value, 5),
        words.short(value, None, 5),
        words.NOUN[value],
    ]
    assert all(said)
    assert len({words.short(one, None) for one in (*Value, "unknown")}) == len(Value) + 1


def test_every_reason_has_a_sentence_and_no_two_have_the_same() -> None:
    assert len({why.value for why in Why}) == len(list(Why)) == len(Why.__members__)
    for why in Why:
        names = [name for _, name, _, _ in string.Formatter().parse(why.value) if name]
        reason = why(**dict.fromkeys(names, 1))
        assert isinstance(reason, Reason)
        assert "{" not in str(reason)
        if names:
            with pytest.raises(KeyError):
                str(why())


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (number_of(1, "class|classes"), "1 class"),
        (number_of(2000, "class|classes"), "2,000 classes"),
        (number_of(0, "line"), "0 lines"),
        (words.enumerated(["a", "b", "c"]), "a, b and c"),
        (words.in_plies(None), ""),
        (words.in_plies(1), " in 1 move"),
        (words.in_plies(None, 4), " in at most 4 moves"),
        (words.short("loss", None, 4), "L ≤4"),
        (words.short("unknown", None, None, 0.256), "26 %"),
        (words.short("unknown", None), "?"),
        (words.can_force(Bounds()), "can force something between loss and win"),
        (str(Why.ALLOWS_WIN(moves=3)), "3 other moves would allow a forced win."),
        (str(Why.SEARCH_WIN(cell=4, plies=1)), "Cell 4 wins in 1 move."),
    ],
)
def test_words(said: str, expected: str) -> None:
    assert said == expected


def test_reasons_count_one_in_the_singular() -> None:
    said = [str(Reason(why, defaultdict(lambda: 1))) for why in Why]
    plural = re.compile(r"\b1 (\w+ )?(games|moves|positions|simulations)\b")
    assert [one for one in said if plural.search(one)] == []
