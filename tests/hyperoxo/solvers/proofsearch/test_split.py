from __future__ import annotations

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hyperoxo.errors import CheckFailedError
from hyperoxo.game import Game
from hyperoxo.proof.dictionary_check import check_dictionary
from hyperoxo.solvers.proofsearch.driver import dictionary_of_tree
from hyperoxo.solvers.proofsearch.split import SplitSearch
from hyperoxo.task import Task

POSITION = Game("4,4,3").position("moves:5")


def test_replies_together_prove_the_position(tmp_path: Path) -> None:
    memory = tmp_path / "replies"
    split = SplitSearch(POSITION, megabytes=0.1, memory=memory)
    assert sorted(cell for cells in split.classes.values() for cell in cells) == sorted(
        POSITION.legal_moves
    )
    found = [reply.cell for reply in split.run()]
    assert found == list(split.classes)
    assert not split.undecided
    assert check_dictionary(dictionary_of_tree(POSITION, 1, split.tree())).proved


def test_what_is_proved_is_remembered(tmp_path: Path) -> None:
    memory = tmp_path / "replies"
    split = SplitSearch(POSITION, megabytes=0.1, memory=memory)
    first = next(iter(split.run()))
    again = SplitSearch(POSITION, megabytes=0.1, memory=memory)
    assert again.proved == {first.cell: first}
    assert first.cell not in [reply.cell for reply in again.run()]
    assert not SplitSearch(POSITION, megabytes=0.1, memory=memory).undecided


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    memory = tmp_path / "replies"
    next(iter(SplitSearch(POSITION, megabytes=0.1, memory=memory).run()))
    with pytest.raises(CheckFailedError, match="is of oxo replies with position "):
        SplitSearch(Game("4,4,3").position("moves:0"), memory=memory)
    # As earlier versions wrote it.
    memory.write_text('{"format": "hyperoxo-replies", "game": "4,4,3"}\n{"cell": 1}\n')
    with pytest.raises(CheckFailedError, match="by an older version of hyperoxo"):
        SplitSearch(POSITION, memory=memory)


def test_what_cannot_be_proved_stays_open() -> None:
    split = SplitSearch(Game("3^2").position("moves:4"), megabytes=0.1)
    assert [reply.cell for reply in split.run()] == [1]
    assert split.undecided == []
    assert split.holding == {0}
    with pytest.raises(CheckFailedError, match=r"\[0\] are not proved to lose"):
        split.tree()
    assert list(SplitSearch(POSITION, megabytes=0.1).run(Task.within(0.0))) == []


def test_replies_are_searched_by_any_executor(tmp_path: Path) -> None:
    memory = tmp_path / "replies"
    split = SplitSearch(POSITION, megabytes=0.1, memory=memory)
    ended: list[int] = []
    with ThreadPoolExecutor(3) as executor, Task.shared(None, 1, executor) as task:
        found = list(split.run(task, lambda reply: ended.append(reply.cell)))
    assert {reply.cell for reply in found} == set(split.classes) == set(ended)
    assert check_dictionary(dictionary_of_tree(POSITION, 1, split.tree())).proved
    assert set(SplitSearch(POSITION, megabytes=0.1, memory=memory).proved) == set(split.classes)


def test_shared_searches_tell_what_holds_and_keep_to_the_clock() -> None:
    split = SplitSearch(Game("3^2").position("moves:4"), megabytes=0.1)
    with ThreadPoolExecutor(2) as executor, Task.shared(None, 1, executor) as task:
        assert [reply.cell for reply in split.run(task)] == [1]
        assert split.holding == {0}
        late = SplitSearch(POSITION, megabytes=0.1)
        assert list(late.run(task.share(1, 0))) == []
    assert late.undecided == list(late.classes)


def test_setting_the_clock_ends_no_shared_search(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = itertools.count(0.0, 3600.0)
    monkeypatch.setattr(time, "time", lambda: next(hours))
    split = SplitSearch(POSITION, megabytes=0.1)
    with ThreadPoolExecutor(2) as executor, Task.shared(None, 1, executor) as task:
        found = {reply.cell for reply in split.run(task.share(1, 3000))}
    assert found == set(split.classes)


@pytest.mark.slow
def test_replies_are_searched_in_processes() -> None:
    split = SplitSearch(POSITION, megabytes=0.1)
    with Task.shared(None, workers=2) as task:
        assert {reply.cell for reply in split.run(task)} == set(split.classes)
