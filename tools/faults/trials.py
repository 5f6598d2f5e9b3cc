"""Trials: one work under each fault, compared with an unbroken life."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from lives import (
    Case,
    Child,
    Life,
    begin,
    damage,
    limit_files,
    limit_memory,
    look,
    set_clock_often,
    small_disk,
    wait_for_a_moment,
)
from works import Work

from hyperoxo.files import remove_left


class Trial:
    """A work, its answer in an unbroken life, and what may happen to others."""

    def __init__(self, work: Work, place: Path) -> None:
        self.work = work
        self._place = place

    @property
    def faults(self) -> dict[str, Callable[[Case], object]]:
        """Events, by name."""
        tried = (self.kill, self.full, self.damage, self.twice, self.memory, self.clock)
        return {fault.__name__: partial(self._try, fault) for fault in tried}

    def _try(self, fault: Callable[[Case], object], case: Case) -> None:
        """Try a fault, after an unbroken life, by which all is imported and compiled here."""
        _ = self.whole
        fault(case)

    @cached_property
    def whole(self) -> tuple[Any, float, int]:
        """The answer of an unbroken life, its seconds, and the bytes that it leaves."""
        # The first life compiles, in this process, so that no later one has to.
        folders = [self._place / f"{self.work.name}-{name}" for name in ("first", "whole")]
        for folder in folders:
            folder.mkdir()
        self.work.run(folders[0])
        start = time.perf_counter()
        life = self.begin(folders[1]).end()
        seconds = time.perf_counter() - start
        if life.answer is None:
            raise SystemExit(f"{self.work.name} does not work unbroken: {life.said}")
        return life.answer, seconds, sum(size for size, _ in look(folders[1]).values())

    def begin(self, folder: Path, before: Callable[[], object] = lambda: None) -> Child:
        """Begin a life in a folder; its report goes outside the folder, where there is room."""
        beside = folder.parent if folder.name == "work" else folder
        return begin(lambda: self.work.run(folder), beside, before)

    def judge(self, case: Case, life: Life, *, may_end: bool = False) -> bool:
        """Look how a life ended; return whether it came to an answer."""
        if life.code == 0:
            if life.answer != self.whole[0]:
                case.blame("another result")
            return True
        if not may_end:
            case.blame(f"ended with {life.code}", life.said)
        return False

    def kill(self, case: Case) -> None:
        """Kill lives, each of which goes on where the last was killed, until one ends."""
        folder, seen = case.place(), 0
        for _ in range(case.chance.randint(1, 12)):
            child = self.begin(folder)
            wait_for_a_moment(child, folder, 0.7 * self.whole[1], case.chance)
            if child.over:
                self.judge(case, child.end())
                case.note("ended before")
                return
            child.kill()
            case.note("killed")
            now = self.work.kept(folder)
            if now < seen:
                case.blame(f"{seen - now} of {seen} lost")
            seen = now
        self.judge(case, self.begin(folder).end())
        case.note("gone on to the end")
        # What writers that were killed left is removed by those after them, once it is old.
        for path in folder.glob("*.part"):
            os.utime(path, (0, 0))
        remove_left.cache_clear()
        remove_left(folder)
        if left := [name for name in look(folder) if name.endswith((".part", ".lock"))]:
            case.blame(f"left for ever: {', '.join(left)}")

    def broken(self, case: Case) -> Path:
        """Return a folder that a killed life has left, with something in it."""
        while True:
            folder = case.place()
            child = self.begin(folder)
            limit = time.perf_counter() + case.chance.uniform(0.3, 0.9) * self.whole[1]
            while time.perf_counter() < limit and not child.over:
                time.sleep(0.002)
            child.kill()
            if any(size for size, _ in look(folder).values()):
                return folder

    def full(self, case: Case) -> None:
        """Live on a full disk, and go on where there is room."""
        room = int(self.whole[2] * case.chance.random() * 0.9)
        by_disk = case.chance.random() < 0.7
        folder = case.place()
        with small_disk(folder, f"size={max(4096, room)}") if by_disk else nullcontext() as disk:
            if disk is None:
                life = self.begin(folder, lambda: limit_files(room)).end()
            else:
                life = self.begin(disk).end()
                shutil.copytree(disk, folder, dirs_exist_ok=True)
        answered = self.judge(case, life, may_end=life.refused)
        case.note("ended in spite of it" if answered else "refused")
        self.judge(case, self.begin(folder).end())

    def damage(self, case: Case) -> None:
        """Damage a file that a killed life has left."""
        folder = self.broken(case)
        names = [name for name, (size, _) in look(folder).items() if size]
        path = folder / case.chance.choice(sorted(names))
        left = damage(path, case.chance)
        life = self.begin(folder).end()
        if self.judge(case, life, may_end=life.refused):
            case.note("ended in spite of it")
        elif life.refused:
            case.note("refused")
            own = "sqlite" in path.name  # SQLite takes up what is in the files beside the store
            if not own and path.exists() and path.read_bytes() != left:
                case.blame("a damaged file overwritten")

    def twice(self, case: Case) -> None:
        """Live twice at once in one folder."""
        folder = case.place()
        first = self.begin(folder)
        time.sleep(case.chance.choice((0, 0.01, 0.3 * self.whole[1])))
        for child in (first, self.begin(folder)):
            life = child.end()
            answered = self.judge(case, life, may_end=life.refused)
            case.note("two at once" if answered else "one of two refused")
        self.judge(case, self.begin(folder).end())

    def memory(self, case: Case) -> None:
        """Live with little memory, and go on with all of it."""
        folder, megabytes = case.place(), case.chance.randint(0, 12)
        # Python waits for ever for a thread that finds no memory to begin in.
        life = self.begin(folder, lambda: limit_memory(megabytes)).end(60)
        answered = self.judge(case, life, may_end=life.refused or life.killed)
        case.note("ended in spite of it" if answered else "killed" if life.killed else "refused")
        self.judge(case, self.begin(folder).end())

    def clock(self, case: Case) -> None:
        """Live while the clock is set, be killed, and go on."""
        folder = case.place()
        seed = case.chance.randrange(2**32)
        child = self.begin(folder, lambda: set_clock_often(seed))
        wait_for_a_moment(child, folder, 1.2 * self.whole[1], case.chance)
        case.note("ended before" if child.over else "killed")
        child.kill()
        self.judge(case, self.begin(folder, lambda: set_clock_often(seed + 1)).end())
