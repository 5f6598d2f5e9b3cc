"""Works: what takes a second or two, keeps what it has in a folder, and goes on from it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARYING = {"seconds", "games_per_second", "run", "file", "created", "nodes", "evidence"}
VARYING |= {"checkpoint", "compiling", "proof", "sha256"}
"""Keys of an answer that may differ between lives."""
STORE = "r.sqlite"


@dataclass(frozen=True)
class Work:
    """Something that is done in a folder."""

    name: str
    run: Callable[[Path], Any]
    """Do it; return what must be the same however often it was broken off."""
    kept: Callable[[Path], int] = lambda _: 0
    """Amount of permanent data in the folder; it never shrinks."""


def oxo(*words: str) -> Any:
    """Run a command in this process; return its answer, without what may differ."""
    from hyperoxo.cli.main import main

    told = io.StringIO()
    with redirect_stdout(told):
        try:
            main([*words, "--format", "json", "--quiet"], prog_name="oxo")
        except SystemExit as leaving:
            if leaving.code:
                raise
        except MemoryError:  # a command is to say so itself
            raise AssertionError("too little memory ended a command in a traceback") from None
    return plain(json.loads(told.getvalue()))


def plain(answer: Any) -> Any:
    """Leave out of an answer what may differ."""
    if isinstance(answer, dict):
        return {name: plain(part) for name, part in answer.items() if name not in VARYING}
    return [plain(part) for part in answer] if isinstance(answer, list) else answer


def prove(folder: Path) -> Any:
    """Search a proof, write it and let the checker read it."""
    from hyperoxo.game import Game
    from hyperoxo.proof import verify
    from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof

    settings = ProofSettings(megabytes=4, checkpoint=str(folder / "table"), interval=0.05)
    position = Game("4^3").position("moves:0,63,3,12,48,15,51,1")
    found = solve_by_proof(position, settings=settings, proof=folder / "proof.oxo")
    checked = verify((folder / "proof.oxo").read_bytes())
    return [str(found.bounds), checked.verdict, checked.claim]


def play_makers(folder: Path) -> Any:
    """Decide a Maker-Breaker game."""
    from hyperoxo.solvers import solve
    from hyperoxo.solvers.maker_breaker.bounds import MakerSettings

    settings = MakerSettings(megabytes=4, checkpoint=str(folder / "table"), interval=0.05)
    found = solve("6,6,5:convention=maker-breaker", seconds=None, makers=settings)
    return str(found.bounds)


def learn(folder: Path) -> Any:
    """Learn a table; return all that is in the checkpoint."""
    path = folder / "learned.json"
    found = oxo("train", "3^2", "td:games=400,generations=8", "--seed", "3", "--out", str(path))
    return [found, path.read_text()]


def learned_steps(folder: Path) -> int:
    """Count the steps in a checkpoint of a learner."""
    path = folder / "learned.json"
    return int(json.loads(path.read_bytes())["training"]["step"]) if path.exists() else 0


def in_store(*words: str) -> Callable[[Path], Any]:
    """Return a run of the laboratory that is stored in the folder."""
    return lambda folder: oxo(*words, "--store", str(folder / STORE), "--seed", "8")


def stored_games(folder: Path) -> int:
    """Count the games in a store of results."""
    from hyperoxo.lab import ResultStore

    path = folder / STORE
    if not path.exists():
        return 0
    with ResultStore(path) as store:
        return int(store.query("SELECT coalesce(sum(last - first), 0) FROM parts")[0][0])


SLOW, QUICK = "mcts:simulations=300", "mcts:simulations=100"
SWEEP = ("--agent", "mcts", "--vary", "simulations=100:300:100", "--versus", "random")
WORKS = (
    Work("states", lambda folder: oxo("states", "4^2", "--checkpoint", str(folder / "table"))),
    Work("proof", prove),
    Work("makers", play_makers),
    Work("match", in_store("match", "3^2", SLOW, QUICK, "--games", "300"), stored_games),
    Work(
        "tournament",
        in_store("tournament", "3^2", SLOW, "greedy", "random", "--games", "100"),
        stored_games,
    ),
    Work("sweep", in_store("sweep", "3^2", *SWEEP, "--games", "150"), stored_games),
    Work("train", learn, learned_steps),
)
