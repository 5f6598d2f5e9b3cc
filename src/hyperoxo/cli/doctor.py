"""`oxo doctor`: what this installation has, and what it lacks."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import sys
from pathlib import Path
from typing import Any

from hyperoxo import __version__
from hyperoxo.cli import options as cli
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
"""Modules that each extra brings."""

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
    cache = _cache()
    data = _data_folder()
    problems = [f"{name} is not installed" for name, version in versions.items() if not version]
    if cache["folder"] is None:
        problems.append("compiled kernels cannot be kept: no cache folder is writable")
    if not data["writable"]:
        problems.append(f"the data folder {data['folder']} is not writable")
    return {
        "hyperoxo": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "versions": versions,
        "extras": extras,
        "cores": cores(),
        "processor": processor(),
        "kernel_cache": cache,
        "data_folder": data,
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


def _cache() -> dict[str, Any]:
    """Find the folder of compiled kernels, and count the functions in it."""
    folder = cache_folder()
    functions = 0 if folder is None else sum(1 for _ in folder.rglob("*.nbi"))
    return {"folder": folder and str(folder), "functions": functions}


def _data_folder() -> dict[str, Any]:
    """Find the folder of tables; a file can be made in it, or in a parent until it exists."""
    import platformdirs

    chosen = os.environ.get("HYPEROXO_DATA", "")
    folder = Path(chosen or platformdirs.user_data_dir("hyperoxo", appauthor=False))
    place = next(one for one in (folder, *folder.parents) if one.exists())
    return {"folder": str(folder), "writable": place.is_dir() and os.access(place, os.W_OK)}
