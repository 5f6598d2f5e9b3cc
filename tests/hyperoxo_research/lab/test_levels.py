from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from hyperoxo.agents import LEVELS
from hyperoxo.agents.level import SKILLS, kind_of, skill_of
from hyperoxo.errors import NotationError, NotSupportedError
from hyperoxo.game import Game
from hyperoxo_research.lab.levels import AIM, LEVEL_GAMES, STEPS, Step, measure, settings_of
from tests.command import answer, oxo, printed, refusal


def step(won: int, lost: int, drawn: int = 0, game: str = "3^2", level: int = 2) -> Step:
    weaker, stronger = settings_of(Game(game), level)
    games = won + lost + drawn
    return Step(game, level, games, won, drawn, lost, 0.5, stronger, weaker)


def test_every_setting_in_use_was_measured() -> None:
    """After a change run `oxo ladder --levels --out src/hyperoxo_research/data/levels.json`."""
    steps = STEPS.stored
    stale = [f"{one.game}, level {one.level}" for one in steps if not one.current]
    assert not stale, "measure again"
    wanted = {(game, level.number) for game in LEVEL_GAMES for level in LEVELS[1:]}
    assert {(one.game, one.level) for one in steps} == wanted
    assert {kind_of(Game(game)) for game in LEVEL_GAMES} == SKILLS.keys()


def test_no_stored_step_is_clearly_too_small_or_too_large() -> None:
    for one in STEPS.stored:
        assert one.games == one.won + one.drawn + one.lost
        assert one.holds, one
        low, high = one.interval
        assert low <= AIM[1], one
        assert high >= AIM[0], one
        assert one.milliseconds < 1500, one


def test_settings_grow_with_the_level() -> None:
    for kind, row in SKILLS.items():
        assert len(row) == len(LEVELS) - 1, kind
        for below, above in pairwise(row):
            assert below.sight <= above.sight
            assert below.simulations <= above.simulations
            assert below.attention < above.attention or below.simulations < above.simulations
    assert skill_of(Game("3^2"), len(LEVELS)) is None


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("3^2", "tiny"),
        ("5^2", "tiny"),
        ("5^3", "wide"),
        ("3^4", "short"),
        ("4^3", "large"),
        ("15,15,5", "large"),
        ("7,6,4:gravity", "gravity"),
        ("4^3:misere", "misere"),
        ("3^2:convention=avoider-enforcer", "misere"),
        ("3^2:convention=maker-breaker", "tiny"),
        ("3^3:players=3", "several"),
        ("3^3:players=3,misere", "several"),
        ("3^4:blocked=centre,target=9", "race"),
    ],
)
def test_every_game_is_of_a_kind(spec: str, kind: str) -> None:
    assert kind_of(Game(spec)) == kind


def test_shares_are_of_points_against_a_single_rival() -> None:
    assert step(70, 30).share == pytest.approx(0.7)
    assert step(60, 20, 20).share == pytest.approx(0.7)
    assert step(25, 75, game="3^4:players=4").share == pytest.approx(0.5)
    # At odds of 7 to 3 against each of two rivals.
    assert step(70, 60, game="3^3:players=3").share == pytest.approx(0.7)
    low, high = step(70, 30).interval
    assert low < 0.7 < high
    assert high - low == pytest.approx(0.18, abs=0.01)
    assert step(45, 55).holds
    assert not step(20, 80).holds


def test_a_changed_setting_shows() -> None:
    one = step(70, 30)
    assert one.current
    assert not replace(one, weaker=(0.5, 0.5, 0)).current
    assert not replace(one, stronger=None).current
    assert step(70, 30, level=8).stronger is None
    assert step(70, 30, level=8).current


def test_what_is_known_is_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "levels.json"
    known = [step(70, 30, level=number) for number in range(2, 9)]
    STEPS.write(path, known)
    assert measure(["3^2"], out=path) == known
    other = step(7, 3, game="4^2")
    STEPS.write(path, [other, replace(known[0], weaker=(0.9, 0.9, 0)), *known[1:]])
    again = measure(["3^2"], count=40, seed=3, out=path)
    assert again[1:] == known[1:]
    assert again[0].games <= 40
    assert again[0].current
    assert STEPS.read(path.read_text()) == (*again, other)
    path.unlink()
    STEPS.write(path, known[1:])
    (same, *_) = measure(["3^2"], count=40, seed=3, out=path)
    assert again[0] == replace(same, milliseconds=again[0].milliseconds)
    assert STEPS.read(path.read_text()) == (same, *known[1:])


def test_what_is_no_table_of_steps_is_refused_in_one_line() -> None:
    for text in ("", "3", "[1]", '[{"game": "3^2"}]'):
        with pytest.raises(NotationError, match="these are not steps of levels"):
            STEPS.read(text)
    with pytest.raises(NotSupportedError, match="not measured where several win"):
        measure(["2^2:players=3,misere"])


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "levels.json"
    STEPS.write(path, [step(70, 30, level=number) for number in range(2, 9)])
    call = ["ladder", "3^2", "--levels", "--out", str(path), "-q"]
    text = printed(oxo(*call))
    assert text.count("70 (60 to 78)") == 7
    data = answer(*call)
    assert [one["level"] for one in data["steps"]] == [*range(2, 9)]
    assert "--out belongs to --levels" in refusal(oxo("ladder", "3^2", "--out", str(path)))
