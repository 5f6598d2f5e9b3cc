"""Which states that are not listed pairs settle, and how that is remembered."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from hyperoxo_research.proof import breaker_line_forms as forms
from hyperoxo_research.proof import breaker_line_leaves as leaves
from hyperoxo_research.proof.breaker_lines import LineStates
from hyperoxo_research.proof.breaker_loops import image
from tests.hyperoxo_research.proof.breaker_line_cases import Case, cases, settled
from tests.hyperoxo_research.proof.test_breaker_line_examine import plan_of


def told(case: Case, known: leaves.Settled, stones: int, symmetry: int = 0) -> bool:
    """What the loop says of an image of the keys of a case, with this many stones."""
    images = case.made.images
    maker, breaker = (np.uint64(image(images, symmetry, one)) for one in case.words)
    form, some = forms.greatest(images, maker)
    given = case.lines, case.regions, images, known, case.tables.room()
    return bool(leaves.settles(*given, np.uint64(form), some, breaker, stones))


@pytest.mark.more
def test_pairs_settle_what_the_rules_say() -> None:
    """In a table with room for one state, in one for all, and in a new one each time."""
    rng, found = random.Random(4), Counter[bool]()
    drawn = cases(23, 60)
    for begin in range(0, len(drawn), 4):
        makers, breakers, holds, fails = leaves.nothing_settled(0)
        one = leaves.Settled(makers[:1], breakers[:1], holds[:1], fails[:1])
        every = leaves.nothing_settled(20)
        for _ in range(40):
            case = rng.choice(drawn[begin : begin + 4])
            stones, symmetry = rng.randint(0, 7), rng.randrange(len(case.made.images))
            settles = settled(case.rules, case.state._replace(p=stones))
            for known in (one, every, leaves.nothing_settled(0)):
                assert told(case, known, stones, symmetry) == settles
            found[settles] += 1
    assert min(found.values()) > 200


def test_any_image_may_be_asked_for() -> None:
    found: Counter[bool] = Counter()
    for case in cases(28, 40):
        states, images = LineStates(plan_of(case, ()), case.made), case.made.images
        for stones in range(6):
            settles = settled(case.rules, case.state._replace(p=stones))
            for symmetry in range(min(len(images), 3)):
                maker, breaker = (int(image(images, symmetry, one)) for one in case.words)
                assert states.settles(maker, breaker, stones) == settles
            found[settles] += 1
    assert min(found.values()) > 100


def test_what_was_found_is_remembered() -> None:
    """With as many stones or fewer it holds, with as many or more it fails; of images too."""
    fates: Counter[bool] = Counter()
    moved = 0
    for case in cases(24, 60):
        known, images = leaves.nothing_settled(0), case.made.images
        holds = told(case, known, 3)
        fates[holds] += 1
        (place,) = np.flatnonzero((known.holds >= 0) | (known.fails < 100)).tolist()
        assert (known.holds[place], known.fails[place]) == ((3, 1 << 14) if holds else (-1, 3))
        every = [
            tuple(int(image(images, n, one)) for one in case.words) for n in range(len(images))
        ]
        assert (known.makers[place], known.breakers[place]) == max(every)
        # Such facts as no rule would give.
        known.holds[place], known.fails[place] = 40, 41
        for symmetry, words in enumerate(every):
            answers = [told(case, known, stones, symmetry) for stones in (39, 40, 41, 42)]
            assert answers == [True, True, False, False]
            moved += words != max(every)
        assert (known.holds[place], known.fails[place]) == (40, 41)
    assert min(fates.values()) > 20
    assert moved > 5


def test_room_for_what_is_remembered() -> None:
    sizes = [len(leaves.nothing_settled(states).makers) for states in (0, 1, 3, 4, 1 << 30)]
    assert sizes == [1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 22]
    for part, value in zip(leaves.nothing_settled(9), (0, 0, -1, 1 << 14), strict=True):
        assert np.asarray(part).tolist() == [value] * (1 << 12)


def test_how_many_live_lines_have_a_key() -> None:
    taken = 0
    for case in cases(25, 60):
        state = case.state
        found = leaves.lines_through(case.lines, *case.words).tolist()
        for key, count in enumerate(found):
            bit = 1 << key
            lines = [one for one in case.rules.lines if one & bit and not one & state.breaker]
            if (state.maker | state.breaker) & bit:
                assert count == -1
                taken += 1
            else:
                assert count == len(lines)
    assert taken > 50
