"""What is around all works: folders that cannot be written, compiled code, proofs, ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from pathlib import Path

from lives import OXO, Case, begin, command, damage, of_session
from works import plain

Checks = dict[str, Callable[[Case], object]]
WAIT_SECONDS = 120

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
        done = command(words, world)
        case.note("commands")
        lines = done.stderr.strip().splitlines()
        if done.returncode not in codes or "Traceback" in done.stderr:
            case.blame(f"oxo {' '.join(words)}: {done.returncode}", done.stderr)
        elif done.returncode and words[0] != "doctor" and len(lines) != 1:
            case.blame(f"oxo {' '.join(words)}: {len(lines)} lines", done.stderr)


COMPILED = (*MATCH, "--no-store", "--format", "json")
LONGER = ("perft", "3^2", "--plies", "5", "--format", "json", "--quiet")


def damage_code(case: Case) -> None:
    """Cut or empty compiled code in a separate folder, and run the command again.

    A bit that falls over within machine code is not noticed, as in any library on the disk.
    """
    folder = case.place()
    world = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    whole = command(COMPILED, world).stdout
    for _ in range(5):
        files = sorted(path for path in folder.rglob("*.nb?") if path.stat().st_size)
        chosen = case.chance.sample(files, min(len(files), case.chance.choice((1, 3, len(files)))))
        for path in chosen:
            content = path.read_bytes()
            cut = content[: case.chance.randrange(len(content))]
            path.write_bytes(case.chance.choice((cut, bytes(len(content)))))
        case.note("files damaged", len(chosen))
        done = command(COMPILED, world)
        if done.returncode or done.stderr or result_of(done.stdout) != result_of(whole):
            case.blame(f"another result, or {done.returncode}", done.stderr)


def result_of(text: str) -> object:
    """Return what a command answered, without what may differ; None if it did not."""
    with suppress(ValueError):
        return plain(json.loads(text))
    return None


def kill_compiling(case: Case) -> None:
    """End a command while it compiles, its checker's loops included; the next one is right."""
    folder = case.place()
    proof = case.folder / "p.oxo"
    made = begin(lambda: some_proof().decode("latin-1"), proof).end().answer
    proof.write_text(made, "latin-1")
    words = case.chance.choice((LONGER, ("verify", str(proof), "--format", "json", "--quiet")))
    world = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    whole = result_of(command(words).stdout)
    for _ in range(4):
        number = case.chance.choice((signal.SIGKILL, signal.SIGINT))
        with subprocess.Popen(  # noqa: S603 - all words are ours
            (*OXO, *words), env=world, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as child:
            with suppress(subprocess.TimeoutExpired):
                child.wait(case.chance.uniform(0.5, 3))
            over = child.poll() is not None
            child.send_signal(number)
            _, said = child.communicate()
        case.note("ended before" if over else f"ended by {number.name}")
        # Before its first line is reached, Python itself tells of Ctrl-C in its own way.
        if child.returncode not in (0, 130, -number):
            case.blame(f"{number.name} while compiling ended with {child.returncode}", said)
    done = command(words, world)
    if done.returncode or done.stderr or result_of(done.stdout) != whole:
        case.blame(f"another result, or {done.returncode}", done.stderr)


@cache
def some_proof() -> bytes:
    """Return a proof with forced sequences, which the checker's compiled loops replay."""
    from tempfile import TemporaryDirectory

    from hyperoxo.game import Game
    from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof

    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof.oxo"
        position = Game("4^3").position("moves:0,63,3,12,48,15,51,1")
        solve_by_proof(position, settings=ProofSettings(megabytes=4), proof=path)
        return path.read_bytes()


@cache
def some_proofs() -> dict[str, bytes]:
    """Return proofs of several kinds, by names."""
    from tempfile import TemporaryDirectory

    made = {"forced.oxo": some_proof()}
    with TemporaryDirectory() as folder:
        for name, words in (
            ("strategy.oxo", ("solve", "3^2")),
            ("maker.oxo", ("solve", "4^2:bias=1+2")),
            ("classify.oxo", ("classify", "6^2")),
        ):
            path = Path(folder) / name
            command((*words, "--proof", str(path), "--quiet"))
            if path.exists():
                made[name] = path.read_bytes()
    return made


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
    path = case.place() / case.chance.choice(sorted(some_proofs()))
    path.write_bytes(some_proofs()[path.name])
    if (sound := begin(lambda: verified(path), path).end()).answer[0] != 0:
        case.blame("a sound proof is refused", f"{sound.answer}")
    for _ in range(10):
        path.write_bytes(some_proofs()[path.name])
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
    child = subprocess.Popen(  # noqa: S603 - all words are ours
        (*OXO, *words, "--quiet"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    limit = time.monotonic() + WAIT_SECONDS
    while len(of_session(child.pid)) < 3 and child.poll() is None and time.monotonic() < limit:
        time.sleep(0.02)
    with suppress(subprocess.TimeoutExpired):
        child.wait(case.chance.uniform(0, 2))
    over = child.poll() is not None
    child.send_signal(number)
    _, said = child.communicate()
    limit = time.monotonic() + WAIT_SECONDS
    while (left := of_session(child.pid)) and time.monotonic() < limit:
        time.sleep(0.02)
    case.note("ended before" if over else f"ended by {number.name}")
    if left:
        case.blame(f"{number.name}: {len(left)} processes of oxo {' '.join(words)} live on")
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
    codes = (0, -number, 128 + number)
    if child.returncode not in codes or "Traceback" in said:
        case.blame(f"{number.name}: oxo {' '.join(words)} ended with {child.returncode}", said)


AROUND: dict[str, Checks] = {
    "home": {"readonly": home},
    "code": {"damage": damage_code, "kill": kill_compiling},
    "proofs": {"damage": damage_proofs},
    "workers": {"end": end},
}
