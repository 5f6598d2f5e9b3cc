"""What is around all works: folders that cannot be written, compiled code, proofs, ends."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from lives import Case, begin, damage, of_session, start, until
from works import oxo, plain

Checks = dict[str, Callable[[Case], object]]

MATCH = ("match", "3^2", "random", "random", "--games", "20", "--seed", "1", "--quiet")
FOLDERS = ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")
WITHOUT_A_HOME: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...] = (
    (("doctor",), (0, 1)),
    (MATCH, (0, 1, 2)),
    ((*MATCH, "--no-store"), (0,)),
    (("solve", "3^2"), (0,)),
    (("results",), (0, 1, 2)),
    (("serve", "--api-only", "--port", "0"), (1, 2)),
)
"""Commands, and the exit codes that they may have where nothing can be kept."""


def home(case: Case) -> None:
    """Run commands where nothing can be written: all folders would be below a file."""
    nowhere = case.place() / "file"
    nowhere.touch()
    world = {**os.environ, **dict.fromkeys(FOLDERS, str(nowhere / "below"))}
    for words, codes in WITHOUT_A_HOME:
        life = start(words, world).end()
        case.note("commands")
        if life.code not in codes or "Traceback" in life.said:
            case.blame(f"oxo {' '.join(words)}: {life.code}", life.said)
        elif life.code and words[0] != "doctor" and not life.refused:
            case.blame(f"oxo {' '.join(words)}: not one line", life.said)


COMPILED = (*MATCH, "--no-store", "--format", "json")
LONGER = ("perft", "3^2", "--plies", "5", "--format", "json", "--quiet")


def damage_code(case: Case) -> None:
    """Cut or empty compiled code in a separate folder, and run the command again.

    A bit that falls over within machine code is not noticed, as in any library on the disk.
    """
    folder = case.place()
    world = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    whole = result_of(start(COMPILED, world).end().answer)
    for _ in range(2):
        files = sorted(path for path in folder.rglob("*.nb?") if path.stat().st_size)
        chosen = case.chance.sample(files, min(len(files), case.chance.choice((1, 3, len(files)))))
        for path in chosen:
            content = path.read_bytes()
            cut = content[: case.chance.randrange(len(content))]
            path.write_bytes(case.chance.choice((cut, bytes(len(content)))))
        case.note("files damaged", len(chosen))
        life = start(COMPILED, world).end()
        if life.said or whole is None or result_of(life.answer) != whole:
            case.blame(f"another result, or {life.code}", life.said)


def result_of(text: str | None) -> object:
    """Return what a command answered, without what may differ; None if it did not."""
    with suppress(ValueError):
        return plain(json.loads(text or ""))
    return None


def kill_compiling(case: Case) -> None:
    """End a command while it compiles, its checker's loops included; the next one is right."""
    folder, words = case.place(), LONGER
    if case.chance.random() < 0.5:
        proof = case.folder / "p.oxo"
        made = begin(lambda: some_proof("forced.oxo").decode("latin-1"), proof).end().answer
        proof.write_text(made, "latin-1")
        words = ("verify", str(proof), "--format", "json", "--quiet")
    world = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    whole = result_of(start(words).end().answer)
    for number in case.chance.sample((signal.SIGKILL, signal.SIGINT), 2):
        child = start(words, world)
        until(lambda child=child: child.over or list(folder.rglob("*.lock")))
        until(lambda child=child: child.over, case.chance.uniform(0, 1))
        case.note("ended before" if child.over else f"ended by {number.name}")
        os.kill(child.pid, number)
        life = child.end()
        if life.code not in (0, 130, -number):
            case.blame(f"{number.name} while compiling ended with {life.code}", life.said)
    life = start(words, world).end()
    if life.said or whole is None or result_of(life.answer) != whole:
        case.blame(f"another result, or {life.code}", life.said)


PROOFS = {
    "strategy.oxo": ("solve", "3^2"),
    "maker.oxo": ("solve", "4^2:bias=1+2"),
    "classify.oxo": ("classify", "6^2"),
    "forced.oxo": (),
}
"""Commands that write proofs of several kinds."""


@cache
def some_proof(name: str) -> bytes:
    """Return a proof; one has forced sequences, which the checker's compiled loops replay."""
    from hyperoxo.game import Game
    from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof

    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        if words := PROOFS[name]:
            oxo(*words, "--proof", str(path))
        else:
            position = Game("4^3").position("moves:0,63,3,12,48,15,51,1")
            solve_by_proof(position, settings=ProofSettings(megabytes=4), proof=path)
        return path.read_bytes()


def verified(path: Path) -> list[object]:
    """Check a proof in this process; return the exit code and what was answered."""
    from hyperoxo.cli.main import main

    told = StringIO()
    with redirect_stdout(told):
        try:
            main(["verify", str(path), "--format", "json", "--quiet"], prog_name="oxo")
        except SystemExit as leaving:
            return [leaving.code or 0, result_of(told.getvalue())]
    raise AssertionError


def damage_proofs(case: Case) -> None:
    """Damage proofs; the checker refuses each."""
    path = case.place() / case.chance.choice(sorted(PROOFS))
    path.write_bytes(some_proof(path.name))
    if (sound := verified(path))[0] != 0:  # what the forks below need is loaded here
        case.blame("a sound proof is refused", f"{sound}")
    for _ in range(10):
        path.write_bytes(some_proof(path.name))
        damage(path, case.chance)
        life = begin(lambda: verified(path), path).end()
        case.note("refused")
        if life.code or life.answer[0] not in (1, 2) or len(life.said.splitlines()) > 1:
            case.blame(f"{path.name}: {life.code}, {life.answer}", life.said)


LONG = (
    ("match", "3^2", "mcts:simulations=2000", "random", "--games", "5000", "--no-store"),
    ("states", "4^2"),
    ("perft", "4^2", "--plies", "9"),
)
ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT)


def end(case: Case) -> None:
    """End a command with workers, or a server; none of its processes lives on."""
    folder = case.place()
    chosen = case.chance.randrange(len(LONG) + 1)
    words = [*LONG[chosen], "--workers", "2"] if chosen < len(LONG) else ["serve", "--port", "0"]
    words += ["--store", str(folder / "games.sqlite")] if chosen == len(LONG) else []
    number = case.chance.choice(ENDS)
    child = start((*words, "--quiet"))
    until(lambda: child.over or len(of_session(child.pid)) >= 3)
    until(lambda: child.over, case.chance.uniform(0, 2))
    case.note("ended before" if child.over else f"ended by {number.name}")
    os.kill(child.pid, number)
    life = child.end()
    until(lambda: not of_session(child.pid))
    left = of_session(child.pid)
    if left:
        case.blame(f"{number.name}: {len(left)} processes of oxo {' '.join(words)} live on")
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    codes = (0, -number, 128 + number)
    if life.code not in codes or "Traceback" in life.said:
        case.blame(f"{number.name}: oxo {' '.join(words)} ended with {life.code}", life.said)


AROUND: dict[str, Checks] = {
    "home": {"readonly": home},
    "code": {"damage": damage_code, "kill": kill_compiling},
    "proofs": {"damage": damage_proofs},
    "workers": {"end": end},
}
