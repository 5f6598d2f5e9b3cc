from __future__ import annotations

import tomllib
from functools import partialmethod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hyperoxo.errors import SpecError
from hyperoxo.game import Game
from hyperoxo.kernels.perft import count_sequences
from hyperoxo.solvers import perft
from hyperoxo.solvers.exact import perft as module
from hyperoxo.task import Task
from tests.states_oracle import finals, walk

TRUTH = tomllib.loads((Path(__file__).parents[3] / "truth" / "perft.toml").read_text("utf-8"))


@pytest.mark.parametrize("entry", TRUTH["perft"], ids=lambda entry: entry["game"])
def test_counts_are_as_on_record(entry: dict[str, object]) -> None:
    sequences = entry["sequences"]
    assert isinstance(sequences, list)
    result = perft(Game(str(entry["game"])).start(), len(sequences) - 1)
    assert list(result.sequences_by_ply) == sequences
    if "wins" in entry:
        assert list(result.wins) == entry["wins"]
        assert result.draws == entry["draws"]


@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("3^2:opening=poorx2", 4),
        ("3^2:opening=0x2", 4),
        ("2^3:players=3", 5),
        ("3^2:gravity,target=2", 9),
        ("3^2:misere,players=4", 5),
        ("3^2:gravity=1,misere,blocked=0", 8),
        ("3,2,2:gravity", 6),
        ("5{0+1+2/2+3}", 5),
    ],
)
def test_counts_agree_with_the_reference(spec: str, plies: int) -> None:
    game = Game(spec)
    result, found = perft(game.start(), plies), walk(game, plies)
    reached = [games.total() for games in found.games]
    assert list(result.sequences_by_ply) == reached + [0] * (plies + 1 - len(reached))
    assert (result.wins, result.draws) == finals(found, game.players, by_games=True)


def test_counting_starts_anywhere() -> None:
    position = Game("3^2").position("moves:4,0")
    counts = [games.total() for games in walk(position, 3).games]
    assert list(perft(position, 3).sequences_by_ply) == counts
    over = Game("3^2").position("11122....")
    assert perft(over, 4).sequences_by_ply == (1, 0, 0, 0, 0)


def test_more_plies_than_cells_are_cut() -> None:
    assert len(perft(Game("2^1").start(), 50).sequences_by_ply) == 3


def press(*_: object) -> None:
    """Press Ctrl-C, in the thread that calls this."""
    raise KeyboardInterrupt


def test_an_interrupt_keeps_what_was_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while a compiled loop counts far below one of the branches."""
    counted: list[NDArray[np.int64]] = []

    def count(*args: Any) -> None:
        counted.append(args[3])
        count_sequences(*args)

    def tell() -> None:
        if counted and len(counted[-1]) > 3 and counted[-1][-1] > 0:
            press()

    monkeypatch.setattr(module, "count_sequences", count)
    monkeypatch.setattr(Task, "run", partialmethod(Task.run, tell=tell))
    result = perft(Game("4^3").start(), 8)
    assert not result.complete
    assert result.sequences_by_ply[:3] == (1, 64, 4032)
    assert result.sequences_by_ply[8] > 0


def test_an_interrupt_between_branches_keeps_what_was_counted() -> None:
    result = perft(Game("3^2").start(), 4, progress=press)
    assert not result.complete
    assert result.sequences_by_ply == (1, 9, 72, 7, 42)


def test_negative_plies_are_refused() -> None:
    with pytest.raises(SpecError, match="plies"):
        perft(Game("3^2").start(), -1)
