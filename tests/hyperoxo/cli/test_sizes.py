"""Games that are too large, before every command that takes one."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import click
import pytest

from hyperoxo.cli.options import GameType
from tests.command import oxo
from tests.hyperoxo.cli.every_command import commands as listed
from tests.hyperoxo.cli.test_every_command import command_of

TOO_LARGE = ("9^9:players=8", "2^14:wrap", "5000,5000,5:gravity=1", "9999999{0+1}")
"""Boards of every kind that would take more than 2 GiB, or more cells than are numbered."""


def commands() -> Iterator[tuple[list[str], list[click.Parameter]]]:
    """Yield all commands that take a game, and what else they must have."""
    for name in listed():
        params = command_of(name).params
        if any(is_game(one) for one in params):
            yield name.split(), params


def is_game(param: click.Parameter) -> bool:
    return isinstance(param, click.Argument) and (
        isinstance(param.type, GameType) or "GAME" in (param.metavar or "")
    )


TAKING = {" ".join(words): params for words, params in commands()}


def test_there_are_many_such_commands() -> None:
    some = {"board", "solve", "match", "play", "draw position", "classify", "prove values"}
    assert some <= {*TAKING}
    assert len(TAKING) > 24


@pytest.mark.parametrize("name", TAKING)
def test_a_game_that_is_too_large_is_refused_at_once(name: str) -> None:
    oxo(*name.split(), "3^")  # what the command needs is loaded
    for spec in TOO_LARGE:
        words = [*name.split(), spec]
        for param in TAKING[name]:
            if isinstance(param, click.Argument) and not is_game(param) and param.required:
                words += ["random"]
        tracemalloc.start()
        answer = oxo(*words)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 32 * 2**20
        assert answer.exit_code == 2, (spec, answer.output)
        assert answer.stderr.count("\n") == 1
