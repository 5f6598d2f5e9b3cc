"""Lives: work in a separate process, and events that may befall it."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import random
import resource
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import psutil

WAIT_SECONDS = 180
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@dataclass
class Case:
    """One trial of a fault: its folder, its chance, and what came of it."""

    folder: Path
    chance: random.Random
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _folders: Iterator[int] = field(default_factory=itertools.count)

    def note(self, kind: str, number: int = 1) -> None:
        """Count."""
        self.counts[kind] += number

    def blame(self, what: str, said: str = "") -> None:
        """Note what must not be."""
        lines = said.strip().splitlines()
        self.wrong.append(" | ".join([what, *lines[-1:]]))

    def place(self) -> Path:
        """Return a new, empty folder."""
        path = self.folder / f"{next(self._folders)}"
        path.mkdir()
        return path


@dataclass(frozen=True)
class Life:
    """How a life ended: its answer, None if it has none; its exit code; and what it said."""

    answer: Any
    code: int
    said: str

    @property
    def refused(self) -> bool:
        """True if it ended in one line that says why."""
        return self.code in (1, 2) and len(self.said.strip().splitlines()) == 1

    @property
    def killed(self) -> bool:
        """True if a signal ended it."""
        return self.code < 0


@dataclass
class Child:
    """A fork of this process in a separate session; what it says and answers is beside it."""

    pid: int
    beside: Path
    command: bool = False
    """True for a command, whose answer is text; else it is JSON."""
    life: Life | None = None
    """How it ended, once that has been waited for."""

    @property
    def told(self) -> str:
        """Output so far; that of a command without its errors."""
        return self._text(".answer" if self.command else ".said")

    def _text(self, end: str) -> str:
        return self.beside.with_suffix(end).read_text("utf-8", errors="replace")

    @property
    def over(self) -> bool:
        """True if it has ended."""
        if self.life is not None:
            return True
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.pid, flags) is not None

    def kill(self) -> Life:
        """End it, and all that it began, wherever it is."""
        if self.life is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        return self.end()

    def end(self, seconds: float = 600) -> Life:
        """Wait for its end; after a time it is killed."""
        if self.life is not None:
            return self.life
        limit = time.monotonic() + seconds
        while not self.over and time.monotonic() < limit:
            time.sleep(0.002)
        if not self.over:
            os.killpg(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        answer, said = None, self._text(".said")
        if code == 0:
            answer = self._text(".answer") if self.command else json.loads(self._text(".answer"))
        if self.command:
            shutil.rmtree(self.beside.parent)
        self.life = Life(answer, code, said)
        return self.life


_number = itertools.count()


def begin(
    work: Callable[[], Any], beside: Path, before: Callable[[], object] = lambda: None
) -> Child:
    """Begin a life; `before` is what happens to it first. Its answer goes beside `beside`."""
    from hyperoxo.errors import HyperoxoError

    beside = beside.with_name(f"{beside.name}-life{next(_number)}")
    said = os.open(beside.with_suffix(".said"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    answer = beside.with_suffix(".answer").open("w", encoding="utf-8")
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(said)
        answer.close()
        with suppress(OSError):
            os.setpgid(pid, pid)
        return Child(pid, beside)
    code = 70
    try:
        with suppress(OSError):
            os.setpgid(0, 0)
        os.dup2(said, 1)
        os.dup2(said, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        before()
        text = json.dumps(work())
        # The report to us is exempt from the life's limit on file sizes.
        resource.setrlimit(resource.RLIMIT_FSIZE, NO_LIMIT)
        answer.write(text)
        answer.close()
        code = 0
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    except (HyperoxoError, OSError, MemoryError) as error:
        sys.stderr.write(f"{str(error) or type(error).__name__}\n")
        code = 1
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)
    raise AssertionError  # never reached: a fork ends above


def look(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the files of a folder, their lengths and times."""
    found = {}
    with suppress(OSError):
        for entry in os.scandir(folder):
            with suppress(OSError):
                found[entry.name] = entry.stat().st_size, entry.stat().st_mtime_ns
    return found


def wait_for_a_moment(child: Child, folder: Path, seconds: float, chance: random.Random) -> None:
    """Wait for a moment: any, or one shortly after a file has changed."""
    limit = time.perf_counter() + chance.uniform(0, seconds)
    by_files, more = chance.random() < 0.5, chance.choice((0, 0.0005, 0.005))
    before = look(folder)
    while time.perf_counter() < limit and not child.over:
        time.sleep(0.0005 if by_files else 0.002)
        if by_files and look(folder) != before:
            time.sleep(more)
            return


# Events.


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes of a file after a mishap: another content."""
    at = chance.randrange(len(data) + 1)
    bit = 1 << chance.randrange(8)
    changed = data
    while changed == data:
        changed = chance.choice(
            (
                b"",
                data[:at],
                data[:at] + bytes(byte ^ bit for byte in data[at : at + 1]) + data[at + 1 :],
                data[:at] + bytes(min(4096, len(data) - at)) + data[at + 4096 :],
                chance.randbytes(len(data)),
                data + chance.randbytes(100),
            )
        )
    return changed


def damage(path: Path, chance: random.Random) -> bytes:
    """Damage a file; return what it holds now."""
    path.write_bytes(damaged(path.read_bytes(), chance))
    return path.read_bytes()


@contextmanager
def small_disk(folder: Path, options: str) -> Iterator[Path | None]:
    """Give a disk with little room, or None where this process may not make one."""
    disk = folder.with_name(f"{folder.name}-disk")
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", options, "none", str(disk)]
    if os.getuid() or shutil.which("mount") is None or _run(words):
        yield None
        return
    try:
        (disk / "work").mkdir()
        yield disk / "work"
    finally:
        _run(["umount", "-l", str(disk)])


def _run(words: list[str]) -> int:
    """Run a program to its end, without a word; return its exit code."""
    return subprocess.run(words, capture_output=True, check=False).returncode  # noqa: S603 - all words are ours


def limit_files(room: int) -> None:
    """Keep files of this process from growing beyond a size."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(1, room), resource.RLIM_INFINITY))


def limit_memory(megabytes: int) -> None:
    """Leave this process only so much memory beyond what it has."""
    most = psutil.Process().memory_info().vms + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def set_clock_often(seed: int) -> None:
    """Let the clock on the wall of this process be set by up to a day, every fifth of a second."""
    true, since = time.time_ns, time.monotonic()

    def told() -> int:
        turn = int((time.monotonic() - since) * 5)
        return true() + random.Random(f"{seed} {turn}").randint(-86_400, 86_400) * 10**9

    time.time_ns = told
    time.time = lambda: told() / 1e9


def start(
    words: Sequence[str],
    world: Mapping[str, str] | None = None,
    before: Callable[[], object] = lambda: None,
) -> Child:
    """Begin a command of hyperoxo; `before` is what happens to it first.

    Numba takes longer to import than most commands to run. So the command is a fork of this
    process, which has imported Numba, unless compiled code of hyperoxo is in use here already.
    """
    fresh = "hyperoxo.jit" in sys.modules
    if not fresh:
        import numba.np.arraymath  # noqa: F401
        import rich.console  # noqa: F401
    beside = Path(tempfile.mkdtemp()) / "command"
    outputs = [beside.with_suffix(end) for end in (".answer", ".said")]
    for path in outputs:
        path.touch()
    sys.stdout.flush()
    sys.stderr.flush()
    if not (pid := os.fork()):
        _be_command(words, world, before, outputs, fresh=fresh)
    return Child(pid, beside, command=True)


def _be_command(
    words: Sequence[str],
    world: Mapping[str, str] | None,
    before: Callable[[], object],
    outputs: Sequence[Path],
    *,
    fresh: bool,
) -> NoReturn:
    """Become ``python -m hyperoxo``, in a separate session."""
    code: object = 1
    try:
        os.setsid()
        for number, path in enumerate((Path(os.devnull), *outputs)):
            os.dup2(os.open(path, os.O_RDWR), number)
        os.closerange(3, 1024)
        if world is not None:
            os.environ.clear()
            os.environ.update(world)
        if fresh:
            before()
            os.execv(sys.executable, (sys.executable, "-m", "hyperoxo", *words))  # noqa: S606 - all words are ours
        sys.stdin, *streams = (os.fdopen(at, "w" if at else "r") for at in range(3))
        sys.stdout, sys.stderr = streams
        sys.modules["numba"].core.config.reload_config()
        before()
        sys.argv = ["oxo", *words]
        runpy.run_module("hyperoxo", run_name="__main__")
    except SystemExit as leaving:
        code = leaving.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(Exception):
            atexit._run_exitfuncs()
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def judged(case: Case, what: str, life: Life, *codes: int) -> str:
    """See that a command ended in one of some codes and one line; return its answer."""
    case.note(f"ended with {life.code}")
    if life.code not in codes or "Traceback" in life.said:
        case.blame(f"{what}: ended with {life.code}", life.said)
    elif life.code and not life.refused:
        case.blame(f"{what}: not one line", life.said)
    return life.answer or ""


def until(true: Callable[[], object], seconds: float = WAIT_SECONDS) -> bool:
    """Wait for something; return whether it came."""
    limit = time.monotonic() + seconds
    while not true() and time.monotonic() < limit:
        time.sleep(0.02)
    return bool(true())


def of_session(session: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            ended = process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
            if os.getsid(process.pid) == session and not ended:
                found.append(process.pid)
    return found
