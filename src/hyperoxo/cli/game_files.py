"""Games on boards that are read from files: ``@FILE`` or ``@FILE:options``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hyperoxo.errors import NotationError, SpecError

if TYPE_CHECKING:
    from hyperoxo.rules import Game


def game_from_file(text: str) -> Game:
    r"""Read a game whose board stands in a file."""
    from hyperoxo.board import read_hypergraph
    from hyperoxo.rules import Game
    from hyperoxo.rules.spec import parse_game_spec

    name, options = text, ""
    if not Path(text).exists():
        name, _, options = text.partition(":")
    try:
        board = read_hypergraph(_content(name))
    except NotationError as error:
        raise NotationError(f"{name}: {error}") from None
    try:
        keywords = parse_game_spec(f"1^1:{options}" if options else "1^1").keywords()
    except SpecError as error:
        reason = str(error).partition(": ")[2].partition(" (character")[0]
        raise SpecError(f"bad options '{options}' after {name}: {reason}") from None
    return Game(board=board, **keywords)


def _content(name: str) -> str:
    try:
        with click.open_file(name, encoding="utf-8") as stream:
            text = stream.read()
    except UnicodeDecodeError:
        raise NotationError("not a text file") from None
    assert isinstance(text, str)
    return text
