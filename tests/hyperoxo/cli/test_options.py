"""The shared options, the game parameter and the printing."""

from __future__ import annotations

import json

import click
import numpy as np
import pytest
from click.testing import CliRunner

from hyperoxo.cli import options as cli
from hyperoxo.cli.options import Options
from hyperoxo.cli.output import as_json, console, print_text
from hyperoxo.display import table


@cli.command("probe 3^2")
def probe(options: Options, game: object = cli.game()) -> None:
    options.note("working")
    draw = int(options.rng().integers(1 << 30))
    options.emit({"game": str(game), "draw": draw}, "{game} {draw}")


def test_json_is_one_object_and_notes_stay_off_stdout() -> None:
    answer = CliRunner().invoke(probe, ["4^3", "--format", "json", "--seed", "1"])
    assert json.loads(answer.stdout)["game"] == "4^3"
    assert answer.stdout.count("\n") == 1
    assert answer.stderr == "working\n"


def test_the_same_seed_draws_the_same() -> None:
    first, second, other = (
        CliRunner().invoke(probe, ["3^2", "-q", "--seed", seed]).stdout for seed in "112"
    )
    assert first == second != other


def test_quiet_says_nothing() -> None:
    assert CliRunner().invoke(probe, ["3^2", "-q"]).stderr == ""


def test_text_that_prints_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    Options().emit({}, text=lambda: click.echo("done"))
    assert capsys.readouterr().out == "done\n"


def test_a_bad_game_is_a_usage_error_at_its_argument() -> None:
    answer = CliRunner().invoke(probe, ["4^"])
    assert answer.exit_code == 2
    assert "'GAME'" in answer.stderr


def test_json_takes_what_numpy_gives() -> None:
    answer = {"a": np.int32(3), "b": np.arange(2), "c": np.bool_(True), "d": {2, 1}, "e": b".1"}
    assert json.loads(as_json(answer)) == {"a": 3, "b": [0, 1], "c": True, "d": [1, 2], "e": ".1"}


@pytest.mark.parametrize("bad", [float("nan"), np.float64("inf")])
def test_json_has_no_infinity(bad: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json({"x": bad})


def test_json_refuses_what_it_cannot_say() -> None:
    with pytest.raises(TypeError, match="a complex has no JSON form"):
        as_json(1j)


def test_a_table_sets_numbers_to_the_right(capsys: pytest.CaptureFixture[str]) -> None:
    print_text([table(["agent", "wins"], [("random", 5), ("[bold]", 123)])])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["agent   wins", "random     5", "[bold]   123"]


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert console().no_color
    monkeypatch.delenv("NO_COLOR")
    assert not console(stderr=True).no_color
