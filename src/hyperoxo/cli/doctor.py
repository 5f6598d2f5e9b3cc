"""`oxo doctor`: state of this installation; `oxo warmup`: compile everything now."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import hyperoxo as ox
from hyperoxo import __version__
from hyperoxo.cli import options as cli
from hyperoxo.cli.output import load_group
from hyperoxo.errors import MissingExtraError
from hyperoxo.files import user_folder
from hyperoxo.jit import cache_folder
from hyperoxo.processes import cores

DEPENDENCIES = ("click", "llvmlite", "numba", "numpy", "platformdirs", "rich", "scipy")

EXTRAS = {
    "adapters": ("gymnasium", "pettingzoo", "pyspiel"),
    "cluster": ("dask", "distributed"),
    "graph": ("networkx",),
    "plot": ("matplotlib",),
    "ratings": ("openskill",),
    "research": ("jinja2", "matplotlib", "pysat"),
    "rl": ("jax", "mctx", "optax"),
    "sat": ("pysat",),
    "tables": ("pyarrow",),
    "tui": ("textual",),
    "web": ("fastapi", "jinja2", "nicegui", "segno", "uvicorn"),
}
"""Modules that each extra installs."""

FEATURES = ("popcnt", "bmi2", "avx", "avx2", "avx512f", "avx512vl", "neon")


_TEXT = """
hyperoxo {hyperoxo}, Python {python} on {platform}
{cores} cores, {processor.name}: {processor.features:?no feature that matters}
compiled kernels: {kernel_cache.folder:?not kept}, {kernel_cache.functions} functions
data: {data_folder.folder}

|versions| package={key} | version={value:?missing} |

|extras| extra={key} | installed={value} |

*problems problem: {}
!problems Everything needed is here.
"""


@cli.command("doctor", "doctor --format json")
def command(options: cli.Options) -> int:
    """Check this installation: versions, extras, processor, caches.

    The exit code is 1 if something is missing that hyperoxo cannot work without.
    """
    found = examine()
    options.emit(found, _TEXT)
    return 1 if found["problems"] else 0


def examine() -> dict[str, Any]:
    """Collect versions, extras and problems of the installation."""
    versions = {name: version_of(name) for name in DEPENDENCIES}
    extras = {
        name: all(importlib.util.find_spec(module) is not None for module in modules)
        for name, modules in EXTRAS.items()
    }
    kernels = cache_folder()
    functions = 0 if kernels is None else sum(1 for _ in kernels.rglob("*.nbi"))
    # A file can be made in the folder of tables, or in a parent until it exists.
    folder = Path(os.environ.get("HYPEROXO_DATA") or user_folder())
    place = next(one for one in (folder, *folder.parents) if one.exists())
    writable = place.is_dir() and os.access(place, os.W_OK)
    problems = [f"{name} is not installed" for name, version in versions.items() if not version]
    if kernels is None:
        problems.append("compiled kernels cannot be kept: no cache folder is writable")
    if not writable:
        problems.append(f"the data folder {folder} is not writable")
    return {
        "hyperoxo": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "versions": versions,
        "extras": extras,
        "cores": cores(),
        "processor": processor(),
        "kernel_cache": {"folder": kernels and str(kernels), "functions": functions},
        "data_folder": {"folder": str(folder), "writable": writable},
        "problems": problems,
    }


def version_of(name: str) -> str | None:
    """Return the version of an installed package; None if it is not there."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def processor() -> dict[str, Any]:
    """Name the processor and its features, as the compiler sees them."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        return {"name": platform.machine(), "features": []}
    has = llvm.get_host_cpu_features()
    return {
        "name": llvm.get_host_cpu_name(),
        "features": [feature for feature in FEATURES if has.get(feature)],
    }


@cli.command("warmup", "warmup --format json")
def warmup(options: cli.Options) -> None:
    """Compile all kernels now instead of at first use, and keep them on disk."""
    begin = time.perf_counter()
    spent = {}
    steps = _steps()
    for _, added in load_group("hyperoxo.warmup"):
        steps |= added
    for name, work in steps.items():
        options.note(f"compiling {name} ...")
        before = time.process_time()
        work()
        spent[name] = round(time.process_time() - before, 3)
    seconds, total = round(time.perf_counter() - begin, 3), sum(spent.values())
    options.emit(
        {"seconds": seconds, "processor_seconds": round(total, 3), "steps": spent},
        "ready after {seconds:.1f} s, {processor_seconds:.1f} s of them on the processor",
    )


def _steps() -> dict[str, Callable[[], object]]:
    """Work that calls every kernel once, through the calls that users make."""
    import numpy as np

    from hyperoxo.adapters.batch import Batch
    from hyperoxo.adapters.running import Running
    from hyperoxo.agents.tree_search import TreeSettings, grow_tree
    from hyperoxo.lab import random_play
    from hyperoxo.play.analysis import analyse_position
    from hyperoxo.proof import Dictionary
    from hyperoxo.proof.dictionary_check import pack
    from hyperoxo.proof.dictionary_file import proof_text
    from hyperoxo.proof.forced import forced_win
    from hyperoxo.solvers import perft
    from hyperoxo.solvers.proofsearch.driver import ProofSettings, solve_by_proof
    from hyperoxo.solvers.states.tables import lookup

    game = ox.Game("3^2")
    owners = bytes(9)
    centre = Dictionary(ox.Game("3^3"), 1, None, {bytes(27): 13})

    def grow_trees() -> None:
        """Simulate until a move is proved, then search on from its subtree."""
        position = game.position("moves:0,4,1")
        for rave in (0.0, 10.0):
            settings = TreeSettings(simulations=500, rave=rave)
            tree = grow_tree(position, settings, 0)
            grow_tree(position.play(tree.moves()[0].cell), settings, 0, base=tree)

    def play_in_environment() -> None:
        """Play a move and look at the board, alone and, where there is Gymnasium, among many."""
        running = Running(game.start())
        running.play(4)
        running.observe(0)
        with suppress(MissingExtraError):
            from hyperoxo.adapters.gymnasium import SeatVectorEnv

            boards = SeatVectorEnv(1, game)
            boards.reset(seed=0)
            boards.step(np.array([4]))

    return {
        "environments": play_in_environment,
        # A kernel is compiled for each width of packed counters: the boards need 1, 2, 4, 8 and
        # 24 words. With a target of 2 nothing is packed, and the plain loop runs.
        "random games": lambda: [
            random_play(ox.Game(spec), 1)
            for spec in ("3^2", "5,5,4", "6,6,4", "3^3", "4^3", "3^4", "3^2:target=2")
        ],
        "canonical forms": lambda: (
            game.symmetry.canonical(owners),
            game.symmetry.canonical_with(owners),
        ),
        "perft": lambda: perft(game.start(), 3),
        "solving": lambda: [
            ox.solve(game),
            ox.solve("2^2:players=3"),
            ox.solve("2^2:players=3", concept="maxn"),
        ],
        "Maker-Breaker games": lambda: ox.solve("2^2:convention=maker-breaker"),
        "positions": lambda: [
            *(
                ox.enumerate_states(played, symmetry=way)
                for played in ("3^2", "3^2:opening=0")
                for way in (True, False)
            ),
            ox.enumerate_states("3^3", max_plies=2),
            lookup(game.start()),
            *(ox.move_values([ox.Game(played).start()]) for played in ("3^2", "2^2:players=3")),
            [list(ox.StateGraph("2^2", symmetry=way).nodes()) for way in (True, False)],
        ],
        "several players": lambda: [
            ox.coalition("3^2:players=3"),
            *(
                ox.coalition_proof(spec, 1, claim)
                for spec, claim in (("3^2:players=3", "draw"), ("3^3:players=3", "no-draw"))
            ),
        ],
        "proofs": lambda: [
            ox.verify(proof_text(pack(centre, stored=way)[0])) for way in (True, False)
        ],
        # Sets of cells are one word, two or four, and none where stones fall. The proof search
        # calls these kernels too, and needs no other form of them once Python has called them.
        "threats": lambda: [
            ox.forced_wins(ox.Game(played).start(), nodes=100)
            for played in ("3^3", "5^3", "6^3", "4^3:gravity")
        ],
        "proof search": lambda: [
            solve_by_proof(ox.Game(played).start(), nodes=1, settings=ProofSettings(megabytes=1))
            for played in ("4^3", "5^3", "6^3")
        ],
        "forced sequences": lambda: forced_win(game.position("moves:0,1,3,6")),
        "guided trees": lambda: [
            ox.guide(game, 1, "greedy"),
            ox.guide(game, 1, "greedy", merge=True),
            ox.guided_strategy(game, 1, "greedy"),
        ],
        "trees of simulated games": grow_trees,
        "analysis": lambda: [
            analyse_position(ox.Game(played).position(f"moves:{moves}"), seconds=1)
            for played, moves in (("3^2:players=3", "0,1"), ("3^3", "13,0"), ("3^2:gravity", "0"))
        ],
        "agents": lambda: [
            ox.agent(spec).choose(ox.Game(played).start(), 0)
            for spec, played in (
                ("greedy", "3^2"),
                ("minimax", "3^2"),
                ("minimax:depth=2", "3^2:players=3"),
                ("mcts:simulations=10", "3^2"),
                ("mcts:simulations=10,rave=10,playout=kutner", "3^2:target=2"),
                ("puct:simulations=10", "3^2"),
                ("alphazero", "3^2"),
                ("expert:simulations=10", "3^3"),
                ("expert:simulations=10", "3^3:gravity"),
            )
        ],
        "choices in many positions": lambda: ox.agent("greedy").choose_many([game.start()]),
        "batches of boards": lambda: [
            batch.step(batch.sample())
            for played in ("3^2", "3^4")
            for batch in [Batch(played, 1, illegal="raise")]
        ],
        "matches": lambda: ox.match(game, ["ising", "ising:reading=scan"], games=1),
    }
